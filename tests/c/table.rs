//! The programs of `tests/fusion/cases`, on few and on many elements.

use weldment::{FaultKind, Value};

use crate::Sample;
pub(crate) use crate::size::Size;

/// What a program comes to, which is tested elsewhere.
pub(crate) enum Outcome {
    Value,
    Fault(#[expect(dead_code)] FaultKind),
}

impl<T: weldment::Argument> From<T> for Outcome {
    fn from(_: T) -> Outcome {
        Outcome::Value
    }
}

/// A program of a case.
pub(crate) struct Case {
    pub(crate) what: &'static str,
    pub(crate) text: &'static str,
    pub(crate) args: fn(Size) -> Vec<Value>,
    #[expect(dead_code, reason = "the interpreter is asked")]
    pub(crate) expected: fn() -> Outcome,
}

macro_rules! cases {
    ($($number:literal, $what:literal,
        loops $loops:literal => $loops_after:literal ($loops_limit:literal),
        stored $stored:literal => $stored_after:literal ($stored_limit:literal),
        vectors $vectors:literal $(, calls $calls:literal)?;
        |$size:ident| $($arg:ident = $value:expr),*;
        weld!($($program:tt)*) = $expected:expr;
    )*) => {
        pub(crate) const CASES: &[$crate::table::Case] = &[$($crate::table::Case {
            what: $what,
            text: stringify!($($program)*),
            args: |$size| {
                let _ = $size;
                vec![$(weldment::Argument::to_value(&$value)),*]
            },
            expected: || $crate::table::Outcome::from($expected),
        }),*];
    };
}
pub(crate) use cases;

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Sample> {
    crate::cases::all().map(|case| Sample {
        name: case.what,
        text: case.text,
        args: vec![(case.args)(Size::Small), (case.args)(Size::Scaled(1009))],
    })
}
