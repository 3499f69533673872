//! The compiler as this command sees it: the one file that knows the facade.

pub(crate) use weldment::{DictValue, Fault, Position, Scalar, Type, Value};

/// A program that has passed every check of the front end.
pub(crate) struct Program {
    params: Vec<Type>,
}

/// A program that is ready to run.
pub(crate) struct Executable;

/// Why a program is refused.
#[derive(Clone, Debug)]
pub(crate) struct CompileError {
    /// Which rule is broken: `parse`, `name`, `type`, `linearity` or `unsupported`.
    pub(crate) kind: &'static str,
    /// What is wrong. Lines after the first are advice.
    pub(crate) message: String,
    /// Where.
    pub(crate) position: Position,
}

/// How to run a program.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "nothing compiles yet")]
pub(crate) struct Options {
    /// Whether LLVM compiles the program; otherwise it is interpreted.
    pub(crate) on_llvm: bool,
    /// The number of threads; without it, as many as there are cores.
    pub(crate) threads: Option<usize>,
    /// The bytes that a run may allocate.
    pub(crate) memory_limit: Option<u64>,
}

/// Whether this build holds LLVM.
pub(crate) const HAS_LLVM: bool = cfg!(feature = "llvm");

fn unsupported() -> Vec<CompileError> {
    let message = "this build of `weldment` holds no front end".to_owned();
    vec![CompileError { kind: "unsupported", message, position: Position { line: 1, column: 1 } }]
}

impl Program {
    /// The program that `text` is.
    pub(crate) fn parse(_text: &str) -> Result<Program, Vec<CompileError>> {
        Err(unsupported())
    }

    /// The types of the arguments.
    pub(crate) fn params(&self) -> &[Type] {
        &self.params
    }

    /// The program, optimised and made ready.
    pub(crate) fn compile(&self, _options: &Options) -> Result<Executable, Vec<CompileError>> {
        Err(unsupported())
    }

    /// What became of the program, for people or as JSON.
    pub(crate) fn explain(&self, _as_json: bool) -> Result<String, Vec<CompileError>> {
        Err(unsupported())
    }

    /// The program at `stage`: `ir`, `loops`, `rust`, `llvm` or `asm`.
    pub(crate) fn emit(&self, _stage: &str) -> Result<String, Vec<CompileError>> {
        Err(unsupported())
    }
}

impl Executable {
    /// Runs the program on arguments that fit its parameters.
    pub(crate) fn run(&self, _args: &[Value]) -> Result<Value, Fault> {
        unreachable!("nothing compiles yet")
    }
}
