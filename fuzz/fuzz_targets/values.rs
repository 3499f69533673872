//! Values from outside: arguments as JSON, as the command reads them, and bytes that a program deserialises.
//!
//! The first byte chooses the type; the rest is the JSON, and also the bytes.
#![no_main]

/// The command's view of the facade, as far as its JSON needs it.
mod engine {
    pub(crate) use weldment::{Date, DictValue, Half, Scalar, Scale, Temporal, Timestamp, Type, Value};
}
#[path = "../../dsl-cli/src/json.rs"]
mod json;

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use weldment::{CompileOptions, Element, Executable, Executor, FaultKind, Program, Value};
use weldment_runtime::api::serialize;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;

type Row = (i64, Vec<f32>);
type Nested = Vec<(u8, Vec<Vec<bool>>)>;
type Lists = weldment::Dict<(i16, u64), Vec<f64>>;

fuzz_target!(|input: &[u8]| {
    thread_local!(static KINDS: OnceCell<[Kind; 6]> = const { OnceCell::new() });
    let Some((&choice, rest)) = input.split_first() else { return };
    KINDS.with(|kinds| {
        let kinds = kinds.get_or_init(|| {
            [
                Kind::of::<f64>("f64"),
                Kind::of::<Vec<u8>>("vec[u8]"),
                Kind::of::<Row>("{i64,vec[f32]}"),
                Kind::of::<Nested>("vec[{u8,vec[vec[bool]]}]"),
                Kind::of::<Lists>("dict[{i16,u64},vec[f64]]"),
                Kind::of::<Vec<i32>>("vec[i32]"),
            ]
        });
        let kind = &kinds[choice as usize % kinds.len()];
        kind.check_json(rest);
        kind.check_bytes(rest);
    });
});

/// A type, and how values of it come from bytes.
struct Kind {
    /// The identity on the type.
    program: Program,
    /// From bytes to the type, on every executor that there is.
    deserialize: Vec<Executable>,
    /// And in the runtime that emitted code calls.
    in_runtime: fn(&[u8]) -> Option<Value>,
}

impl Kind {
    fn of<T: Element + serialize::Deserialize>(name: &str) -> Kind {
        let parse = |text: String| Program::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let deserialize = parse(format!("|bytes: vec[u8]| deserialize[{name}](bytes)"));
        let executors = [
            Executor::Interpreter,
            #[cfg(feature = "llvm")]
            Executor::Llvm,
        ];
        let compile = |executor| {
            let options = CompileOptions { executor, ..CompileOptions::default() };
            deserialize.compile(&options).unwrap_or_else(|error| panic!("{error}"))
        };
        Kind {
            program: parse(format!("|x: {name}| x")),
            deserialize: executors.map(compile).into(),
            in_runtime: |bytes| {
                let cx = Context::new(&Options::new());
                Some(serialize::deserialize::<T>(&cx, bytes, 1, 1).ok()?.to_value())
            },
        }
    }

    /// What is read as JSON fits its type, and is written and read again as the same value.
    fn check_json(&self, text: &[u8]) {
        let Ok(text) = std::str::from_utf8(text) else { return };
        let args = match json::read_args(text, self.program.params()) {
            Ok(args) => args,
            Err(message) => {
                assert!(!message.is_empty());
                return;
            }
        };
        assert!(args[0].has_type(self.program.result()));
        let mut written = "[".to_owned();
        json::write(&args[0], &self.program.params()[0], &mut written);
        written.push(']');
        let again =
            json::read_args(&written, self.program.params()).unwrap_or_else(|error| panic!("{error}"));
        assert!(again[0].same_bits(&args[0]), "{written}");
    }

    /// Bytes are the same value, or the same fault, whoever reads them.
    fn check_bytes(&self, bytes: &[u8]) {
        let arg = Value::vec(bytes.iter().map(|&byte| Value::U8(byte)).collect());
        let expected = (self.in_runtime)(bytes);
        for executable in &self.deserialize {
            match (executable.run(std::slice::from_ref(&arg)), &expected) {
                (Ok(got), Some(expected)) => {
                    assert!(got.same_bits(expected), "{got:?}\ninstead of {expected:?}")
                }
                (Err(fault), None) => assert_eq!(fault.kind, FaultKind::DeserializeError),
                (got, expected) => panic!("{got:?}\ninstead of {expected:?}"),
            }
        }
    }
}
