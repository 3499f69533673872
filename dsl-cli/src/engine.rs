//! The compiler as this command sees it: the one file that knows the facade.

pub(crate) use weldment::{
    CompileError, Date, Dbg, DictValue, ErrorCode, ExplainOptions, Explanation, Fault, Foreign, Form, Half,
    Position, Range, Scalar, Scale, Temporal, Timestamp, Type, Value, Warning,
};
use weldment::{CompileOptions, Executor, ForeignFunctions};

/// A program that has passed every check of the front end.
pub(crate) struct Program(weldment::Program);

/// A program that is ready to run.
pub(crate) struct Executable {
    executable: weldment::Executable,
    options: weldment::Options,
}

/// How to run a program.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Whether LLVM compiles the program; otherwise it is interpreted.
    pub(crate) on_llvm: bool,
    /// The number of threads; without it, as many as there are cores.
    pub(crate) threads: Option<usize>,
    /// The bytes that a run may allocate.
    pub(crate) memory_limit: Option<u64>,
    /// Where compiled programs are kept.
    pub(crate) cache: Option<std::path::PathBuf>,
    /// The foreign functions that the program may call.
    pub(crate) foreign: Foreign,
}

/// Whether this build holds LLVM.
pub(crate) const HAS_LLVM: bool = cfg!(feature = "llvm");

/// The passes that `explain` can stop after.
pub(crate) fn pass_names() -> impl Iterator<Item = &'static str> {
    ExplainOptions::pass_names()
}

/// The foreign functions that the command line allows: those of these libraries, and with `process` those of the process.
///
/// # Errors
/// The library that cannot be loaded, and why.
#[allow(unsafe_code)]
pub(crate) fn foreign(libraries: &[std::path::PathBuf], process: bool) -> Result<Foreign, String> {
    if libraries.is_empty() && !process {
        return Ok(Foreign::Refused);
    }
    let load = |functions: ForeignFunctions, path: &std::path::PathBuf| {
        // SAFETY: who names a library on the command line wants it to run, and vouches for the types of its functions.
        unsafe { functions.library(path) }.map_err(|error| format!("cannot load {}: {error}", path.display()))
    };
    let functions = libraries.iter().try_fold(ForeignFunctions::new(), load)?;
    // SAFETY: who allows it vouches for the program.
    Ok(if process { unsafe { functions.process() } } else { functions }.into())
}

impl Program {
    /// The program that `text` is.
    pub(crate) fn parse(text: &str) -> Result<Program, CompileError> {
        weldment::Program::parse(text).map(Program)
    }

    /// What the program asks to be warned of.
    pub(crate) fn warnings(&self) -> &[Warning] {
        self.0.warnings()
    }

    /// The types of the arguments.
    pub(crate) fn params(&self) -> &[Type] {
        self.0.params()
    }

    /// The type of the parameter with this name.
    pub(crate) fn param(&self, name: &str) -> Option<&Type> {
        let params = self.0.params();
        (0..params.len())
            .find(|&number| self.0.param_name(number) == Some(name))
            .map(|number| &params[number])
    }

    /// The program to which these parameters are constants.
    pub(crate) fn with_constants(&self, constants: &[(&str, Value)]) -> Result<Program, CompileError> {
        self.0.with_constants(constants).map(Program)
    }

    /// The type of the result.
    pub(crate) fn result(&self) -> &Type {
        self.0.result()
    }

    /// The program, optimised and made ready; `show` is told what its `dbg`s are of.
    pub(crate) fn compile(
        &self,
        options: &Options,
        show: impl Fn(&Dbg<'_>) + Send + Sync + 'static,
    ) -> Result<Executable, CompileError> {
        let compile = CompileOptions {
            executor: executor(options.on_llvm),
            cache_dir: options.cache.clone(),
            foreign: options.foreign.clone(),
            ..CompileOptions::default()
        };
        let executable = self.0.compile(&compile)?;
        let mut run = weldment::Options::new().threads(options.threads.unwrap_or(0)).on_dbg(show);
        if let Some(bytes) = options.memory_limit {
            run = run.memory_limit(bytes);
        }
        Ok(Executable { executable, options: run })
    }

    /// What became of the program.
    pub(crate) fn explain(&self, options: &ExplainOptions) -> Result<Explanation, CompileError> {
        self.0.explain_with(options)
    }

    /// The same as a page of HTML.
    pub(crate) fn explain_html(&self, options: &ExplainOptions) -> Result<String, CompileError> {
        self.0.explain_html_with(options)
    }

    /// The program in one of its forms.
    pub(crate) fn emit(&self, form: Form) -> Result<String, CompileError> {
        self.0.emit(form)
    }
}

#[cfg(feature = "llvm")]
fn executor(on_llvm: bool) -> Executor {
    if on_llvm { Executor::Llvm } else { Executor::Interpreter }
}

/// The command line has refused LLVM already.
#[cfg(not(feature = "llvm"))]
fn executor(_on_llvm: bool) -> Executor {
    Executor::Interpreter
}

impl Executable {
    /// Runs the program on arguments that fit its parameters.
    pub(crate) fn run(&self, args: &[Value]) -> Result<Value, Fault> {
        self.executable.run_with(&self.options, args)
    }

    /// Why the compiled program is not kept although it was asked for.
    #[cfg(feature = "llvm")]
    pub(crate) fn not_kept(&self) -> Option<&str> {
        match self.executable.cache_status() {
            weldment::CacheStatus::NotKept(reason) => Some(reason),
            _ => None,
        }
    }

    /// The command line has refused a cache already.
    #[cfg(not(feature = "llvm"))]
    pub(crate) fn not_kept(&self) -> Option<&str> {
        None
    }
}
