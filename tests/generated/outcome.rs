//! What a program comes to, and what it shows; the crates of generated programs hold this file too.

use std::sync::{Arc, Mutex};

use weldment::{Fault, Options, Value};

/// What a run with `options` comes to, and what its `dbg`s have shown, in order of the texts. What was shown before a fault counts for nothing.
pub(crate) fn watched(
    options: Options,
    run: impl FnOnce(&Options) -> Result<Value, Fault>,
) -> (Result<Value, Fault>, Vec<String>) {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let to = shown.clone();
    let result = run(&options.on_dbg(move |dbg| to.lock().unwrap().push(dbg.text.to_owned())));
    let mut shown = if result.is_ok() { std::mem::take(&mut *shown.lock().unwrap()) } else { Vec::new() };
    shown.sort();
    (result, shown)
}

/// The same as one line of text. Of a fault's place it is the column: a program stands in one line.
pub(crate) fn outcome(options: Options, run: impl FnOnce(&Options) -> Result<Value, Fault>) -> String {
    match watched(options, run) {
        (Ok(value), shown) => format!("{value:?}, shown {shown:?}"),
        (Err(fault), _) => format!("{:?} {} in column {}", fault.kind, fault.detail, fault.position.column),
    }
}
