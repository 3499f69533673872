//! What a program comes to, as one line of text; the crates of generated programs hold this file too.

use weldment::{Fault, Value};

/// The outcome of a run. Of a fault's place it is the column: a program stands in one line.
pub(crate) fn outcome(outcome: &Result<Value, Fault>) -> String {
    match outcome {
        Ok(value) => format!("{value:?}"),
        Err(fault) => format!("{:?} {} in column {}", fault.kind, fault.detail, fault.position.column),
    }
}
