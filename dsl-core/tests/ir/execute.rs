//! Programs of the language, lowered and run by the interpreter.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use weldment_core::front;
use weldment_core::interp::{self, Foreign, InterpOptions};
use weldment_core::ir::Program;
use weldment_core::lower::Lowered;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

/// The program that `text` is.
pub(crate) fn lower(text: &str) -> Lowered {
    front::from_text(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The value of an expression of the language.
pub(crate) fn value(expression: &str) -> Value {
    let lowered = lower(&format!("|| {expression}"));
    run(&lowered.program, &lowered, &[]).0.unwrap()
}

/// The values that an expression of a struct consists of; none if it is empty.
pub(crate) fn values(expression: &str) -> Vec<Value> {
    match expression {
        "" => Vec::new(),
        _ => match value(expression) {
            Value::Struct(fields) => fields.to_vec(),
            other => panic!("{other:?} is no struct"),
        },
    }
}

/// Runs `program`, which has the places of `lowered`; the result, and how often the foreign function was called.
pub(crate) fn run(program: &Program, lowered: &Lowered, args: &[Value]) -> (Result<Value, Fault>, usize) {
    run_with(program, lowered, args, InterpOptions::default())
}

/// As [`run`], with these options but for the foreign function.
pub(crate) fn run_with(
    program: &Program,
    lowered: &Lowered,
    args: &[Value],
    options: InterpOptions,
) -> (Result<Value, Fault>, usize) {
    let successor = Arc::new(Successor::default());
    let foreign: Arc<dyn Foreign> = successor.clone();
    let options = InterpOptions { foreign: Some(foreign), ..options };
    let result = interp::run(program, &lowered.positions, args, &options);
    (result, successor.calls.load(Ordering::Relaxed))
}

/// The foreign function `f`, which gives i + 1 and counts its calls.
#[derive(Default)]
struct Successor {
    calls: AtomicUsize,
}

impl Foreign for Successor {
    fn has(&self, symbol: &str) -> bool {
        symbol == "f"
    }

    fn call(&self, _: &str, args: &[Value], _: &Type) -> Value {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match args {
            [Value::I64(i)] => Value::I64(i.wrapping_add(1)),
            _ => panic!("f takes an i64"),
        }
    }
}
