//! What a case says, and how the table is written.

use weldment::{Argument, Executable, Fault, FaultKind, Options, Value};

use crate::measure::Written;
pub(crate) use crate::size::Size;

/// A program, what must be left of it, and what it comes to.
pub(crate) struct Case {
    /// Its number, with a letter for variants; some have none.
    pub(crate) number: &'static str,
    pub(crate) what: &'static str,
    /// The program in Rust's spelling.
    pub(crate) text: &'static str,
    pub(crate) loops: Left,
    /// Collect, bucket and scatter sinks that are not part of the result.
    pub(crate) stored: Left,
    /// The vectors as long as the input, or a part of it, that a run of the optimised program writes: its results, and
    /// what it stores.
    pub(crate) vectors: usize,
    /// How often the optimised program calls the opaque function.
    pub(crate) calls: usize,
    pub(crate) args: fn(Size) -> Vec<Value>,
    /// What the program comes to at [`Size::Small`].
    pub(crate) expected: fn() -> Outcome,
    /// Runs the program on the arguments of a size.
    pub(crate) run: fn(Size, Way<'_>) -> (Result<Value, Fault>, Written),
}

/// How many there are before the optimiser and after it, and how many there may be at most after it.
pub(crate) struct Left {
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) limit: usize,
}

/// What runs a program.
#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    /// The kernel that the macro has emitted.
    Emitted(&'a Options),
    /// The same program, compiled at run time.
    Compiled(&'a Executable, &'a Options),
}

/// What a program should come to.
#[derive(Debug)]
pub(crate) enum Outcome {
    Value(Value),
    Fault(FaultKind),
}

impl<T: Argument> From<T> for Outcome {
    fn from(value: T) -> Outcome {
        Outcome::Value(value.to_value())
    }
}

impl Outcome {
    /// Whether a run ended like this.
    pub(crate) fn is(&self, got: &Result<Value, Fault>) -> bool {
        match (self, got) {
            (Outcome::Value(expected), Ok(got)) => got.same_bits(expected),
            (Outcome::Fault(expected), Err(got)) => got.kind == *expected,
            _ => false,
        }
    }
}

/// Cases, each of the form
///
/// ```text
/// "number", "what it shows", loops before => after (limit), stored before => after (limit), vectors n, calls n;
///     |size| arg = …, arg = …;
///     weld!(program in Rust's spelling) = result, or kind of fault;
/// ```
macro_rules! cases {
    ($($number:literal, $what:literal,
        loops $loops:literal => $loops_after:literal ($loops_limit:literal),
        stored $stored:literal => $stored_after:literal ($stored_limit:literal),
        vectors $vectors:literal $(, calls $calls:literal)?;
        |$size:ident| $($arg:ident = $value:expr),*;
        weld!($($program:tt)*) = $expected:expr;
    )*) => {
        pub(crate) const CASES: &[$crate::table::Case] = &[$($crate::table::Case {
            number: $number,
            what: $what,
            text: stringify!($($program)*),
            loops: $crate::table::Left { before: $loops, after: $loops_after, limit: $loops_limit },
            stored: $crate::table::Left { before: $stored, after: $stored_after, limit: $stored_limit },
            vectors: $vectors,
            calls: 0 $(+ $calls)?,
            args: |$size| {
                let _ = $size;
                vec![$(weldment::Argument::to_value(&$value)),*]
            },
            expected: || $crate::table::Outcome::from($expected),
            run: |$size, way| {
                let _ = $size;
                $(let $arg = $value;)*
                let kernel = weldment::weld!($($program)*);
                let (result, written) = $crate::measure::written(|| match way {
                    $crate::table::Way::Emitted(options) => kernel.with(options).call($($arg),*),
                    $crate::table::Way::Compiled(program, options) => program.call_with(options, ($($arg,)*)),
                });
                (result.map(|value| weldment::Element::to_value(&value)), written)
            },
        }),*];
    };
}
pub(crate) use cases;
