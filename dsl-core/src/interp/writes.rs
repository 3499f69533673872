//! Functions that give new texts.

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::value::Value;
use weldment_runtime::lang::write::{self, WriteFn, Written};

/// What is asked of a text before it is written, or is made of it.
pub(super) trait Ask {
    type Answer;

    fn ask(self, written: &impl Written) -> Self::Answer;
}

/// How long it will be.
pub(super) struct Size;

/// Its bytes.
pub(super) struct Bytes;

impl Ask for Size {
    type Answer = usize;

    fn ask(self, written: &impl Written) -> usize {
        written.size()
    }
}

impl Ask for Bytes {
    type Answer = Value;

    fn ask(self, written: &impl Written) -> Value {
        Value::vec(written.bytes().into_iter().map(Value::U8).collect())
    }
}

/// The bytes of a vector of them.
pub(super) fn bytes_of(vector: &Value) -> Vec<u8> {
    elements(vector).iter().map(|value| value.as_integer().expect("a byte") as u8).collect()
}

fn elements(vector: &Value) -> &[Value] {
    let Value::Vec(elements) = vector else { panic!("{vector:?} where a vector is needed") };
    elements
}

/// Asks of what `function` gives of `args`.
pub(super) fn with<A: Ask>(function: WriteFn, args: &[&Value], ask: A) -> A::Answer {
    let text = |number: usize| bytes_of(args[number]);
    let integer = || args[0].as_integer().expect("an integer");
    match function {
        WriteFn::Replaced => ask.ask(&write::replaced(&text(0), &text(1), &text(2))),
        WriteFn::Lowercase => ask.ask(&write::lowercase(&text(0))),
        WriteFn::Uppercase => ask.ask(&write::uppercase(&text(0))),
        WriteFn::Quoted => ask.ask(&write::quoted(&text(0))),
        WriteFn::Joined => {
            let parts: Vec<Vec<u8>> = elements(args[0]).iter().map(bytes_of).collect();
            ask.ask(&write::joined(&parts, &text(1)))
        }
        WriteFn::ShownI64 => ask.ask(&write::shown_i64(integer() as i64)),
        WriteFn::ShownU64 => ask.ask(&write::shown_u64(integer() as u64)),
        WriteFn::ShownI128 => ask.ask(&write::shown_i128(integer())),
        WriteFn::ShownF32 | WriteFn::ShownF64 | WriteFn::DebugF32 | WriteFn::DebugF64 => {
            match (function, args[0].as_const()) {
                (WriteFn::ShownF32, Some(Const::F32(number))) => ask.ask(&write::shown_f32(number)),
                (WriteFn::ShownF64, Some(Const::F64(number))) => ask.ask(&write::shown_f64(number)),
                (_, Some(Const::F32(number))) => ask.ask(&write::debug_f32(number)),
                (_, Some(Const::F64(number))) => ask.ask(&write::debug_f64(number)),
                (_, other) => panic!("{other:?} where a float is needed"),
            }
        }
        WriteFn::ShownDate => ask.ask(&write::shown_date(integer() as i32)),
        WriteFn::ShownTimestamp => ask.ask(&write::shown_timestamp(integer() as i64)),
        WriteFn::ShownFixed => {
            let digits = args[1].as_integer().expect("an i64") as i64;
            ask.ask(&write::shown_fixed(integer() as i64, digits))
        }
        WriteFn::ShownSpan => ask.ask(&write::shown_span(integer() as i64)),
    }
}
