//! The programs of `tests/it/pairs`, in Weld's spelling.

#[path = "../it/pairs/aggregates.rs"]
mod aggregates;
#[path = "../it/pairs/builders.rs"]
mod builders;
#[path = "../it/pairs/choices.rs"]
mod choices;
#[path = "../it/pairs/control.rs"]
mod control;
#[path = "../it/pairs/dictionaries.rs"]
mod dictionaries;
#[path = "../it/pairs/edges.rs"]
mod edges;
#[path = "../it/pairs/faults.rs"]
mod faults;
#[path = "../it/pairs/folds.rs"]
mod folds;
#[path = "../it/pairs/groups.rs"]
mod groups;
#[path = "../it/pairs/scalars.rs"]
mod scalars;
#[path = "../it/pairs/sorts.rs"]
mod sorts;
#[path = "../it/pairs/states.rs"]
mod states;
#[path = "../it/pairs/stores.rs"]
mod stores;
#[path = "../it/pairs/vectors.rs"]
mod vectors;

use weldment::{FaultKind, Value};

use crate::Sample;

/// What a program of a pair comes to, which is tested elsewhere: here the interpreter says it.
pub(crate) enum Outcome {
    Value,
    Fault(#[expect(dead_code)] FaultKind, #[expect(dead_code)] &'static str),
}

impl<T: weldment::Argument> From<T> for Outcome {
    fn from(_: T) -> Outcome {
        Outcome::Value
    }
}

/// A program in Weld's spelling.
struct Pair {
    name: &'static str,
    weld: &'static str,
    args: fn() -> Vec<Value>,
    #[expect(dead_code, reason = "the interpreter is asked")]
    expected: fn() -> Outcome,
}

macro_rules! pairs {
    ($($name:ident($($arg:expr),*) = $expected:expr; weld!($($rust:tt)*), $weld:expr;)*) => {
        pub(super) const PAIRS: &[$crate::pairs::Pair] = &[$($crate::pairs::Pair {
            name: stringify!($name),
            weld: $weld,
            args: || vec![$(weldment::Argument::to_value(&$arg)),*],
            expected: || $crate::pairs::Outcome::from($expected),
        }),*];
    };
}
use pairs;

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Sample> {
    let files = [
        aggregates::PAIRS,
        builders::PAIRS,
        choices::PAIRS,
        control::PAIRS,
        dictionaries::PAIRS,
        edges::PAIRS,
        faults::PAIRS,
        folds::PAIRS,
        groups::PAIRS,
        scalars::PAIRS,
        sorts::PAIRS,
        states::PAIRS,
        stores::PAIRS,
        vectors::PAIRS,
    ];
    files.into_iter().flatten().map(|pair| Sample {
        name: pair.name,
        text: pair.weld,
        args: vec![(pair.args)()],
    })
}
