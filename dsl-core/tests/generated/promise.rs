//! What is promised of a program's faults, whatever passes do to it.
//!
//! * Where the plain program gives a value, the other one gives the same.
//! * Where the other one faults, so does the plain one, and this is one of its faults: of several, the plain program may
//!   tell another.
//! * Where the plain program faults and the other one does not, nobody needs the values that fault: whatever
//!   stands for them, the result is the one that the other program gives. An `assert` counts, though nobody needs its value.

use weldment_core::interp::Instead;
use weldment_runtime::lang::fault::{Fault, FaultKind};
use weldment_runtime::lang::value::Value;

/// What stands for a number that faults; a value that makes no difference among these is not needed.
const FILLS: [u8; 3] = [0, 1, 3];

/// Whether a program that comes to `got` may stand for the plain one, which comes to `plain`, and which `go_on` runs with
/// something in place of what faults. Where that does not end in time, it says nothing: something may stand for what says
/// how often a loop runs.
pub(crate) fn check(
    got: &Result<Value, Fault>,
    plain: &Result<Value, Fault>,
    is_same: impl Fn(&Value, &Value) -> bool,
    go_on: impl Fn(&Instead) -> Result<Value, Fault>,
) -> Result<(), String> {
    let ended = |run: &Result<Value, Fault>| {
        run.as_ref().err().is_none_or(|fault| fault.kind != FaultKind::Cancelled)
    };
    match (got, plain) {
        (Ok(value), Ok(wanted)) if is_same(value, wanted) => Ok(()),
        (Ok(_), Ok(_)) => Err("another value".to_owned()),
        (Err(_), Ok(_)) => Err("a fault that the plain program does not have".to_owned()),
        (Err(fault), Err(first)) if fault == first => Ok(()),
        (Err(fault), Err(_)) => {
            let mut runs = FILLS.iter().map(|&fill| {
                let instead = Instead::of(fill);
                let run = go_on(&instead);
                instead.met().contains(fault) || !ended(&run)
            });
            if runs.any(|met| met) {
                Ok(())
            } else {
                Err("another fault than those of the plain program".to_owned())
            }
        }
        (Ok(value), Err(first)) => {
            for fill in FILLS {
                let instead = Instead::of(fill);
                let run = go_on(&instead);
                let met = instead.met();
                if let Some(failed) = met.iter().find(|fault| fault.kind == FaultKind::AssertionFailed) {
                    return Err(format!("no fault, though an assertion fails: {failed:?}"));
                }
                let is_needed = match &run {
                    Ok(other) => !is_same(value, other),
                    Err(_) => ended(&run),
                };
                if is_needed {
                    return Err(format!(
                        "no fault, though something needs the value that faults: where it is {fill}, {run:?}; {first:?}"
                    ));
                }
            }
            Ok(())
        }
    }
}
