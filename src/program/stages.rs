//! Programs as text, in each form on their way to machine code.

#[cfg(feature = "llvm")]
use weldment_codegen::llvm;
use weldment_codegen::{imp, loops, rust};
use weldment_core::diagnostic::Code;
use weldment_core::explain::{self, Explanation, Stage};
use weldment_core::passes;
use weldment_runtime::lang::fault::Position;

use super::{CompileError, ExplainOptions, Program, guarded};

/// A form of a program on its way to machine code: what [`Program::emit`] prints.
///
/// ```
/// use weldment::{Form, Program};
///
/// let program = Program::parse("|v: &[i64]| v.map(|x| x * x).sum()")?;
/// assert!(program.emit(Form::Ir)?.contains("sink #0 = reduce + i64"));
/// assert!(program.emit(Form::Loops)?.contains("accumulate + i64"));
/// assert!(program.emit(Form::Rust)?.contains("drive::"));
/// # Ok::<(), weldment::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The optimised IR.
    Ir,
    /// The loop IR: what runs.
    Loops,
    /// The low-level code that emitted Rust is printed from: how it runs.
    Imp,
    /// The function that `weld!` would expand to.
    Rust,
    /// The LLVM IR, as LLVM has optimised it for the CPU at hand. It takes the feature `llvm`.
    Llvm,
    /// The assembly for the CPU at hand. It takes the feature `llvm`.
    Assembly,
}

impl Program {
    /// The text of the program in one of its forms. It is for people and tests, and may change.
    ///
    /// # Errors
    /// What the form cannot express yet, with its place; or that LLVM is not built in, or not as it should be.
    ///
    /// ```
    /// use weldment::{Form, Program};
    ///
    /// let program = Program::parse("|v: &[f64]| v.map(|x| x * x).sum()")?;
    /// assert!(program.emit(Form::Loops)?.contains("accumulate + f64 in 16 lanes"));
    /// assert!(program.emit(Form::Rust)?.starts_with("fn run("));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn emit(&self, form: Form) -> Result<String, CompileError> {
        guarded(|| self.emit_unguarded(form))
    }

    fn emit_unguarded(&self, form: Form) -> Result<String, CompileError> {
        let mut optimised = self.source.program.clone();
        passes::optimize(&mut optimised, &self.passes())?;
        if form == Form::Ir {
            return Ok(weldment_core::ir::renumber(&optimised).to_string());
        }
        let loops = loops::build(&optimised, &loops::Options::default());
        match form {
            Form::Ir | Form::Loops => Ok(loops.to_string()),
            Form::Imp => Ok(imp::build(&loops, imp::Target::RUST).to_string()),
            Form::Rust => self.rust(&loops),
            Form::Llvm | Form::Assembly => self.listing(&loops, form),
        }
    }

    /// What becomes of the program: its stages, and what was fused and what was not.
    ///
    /// ```
    /// let program = weldment::Program::parse("|v: &[f64]| v.map(|x| x * x).sum()")?;
    /// let explanation = program.explain()?;
    /// assert_eq!((explanation.report.loops.after, explanation.report.materialized.after), (1, 0));
    /// let names: Vec<_> = explanation.stages.iter().map(|stage| stage.name).collect();
    /// assert_eq!(names, ["ir", "optimised", "loops", "imp", "rust"]);
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// A mistake of the optimiser.
    pub fn explain(&self) -> Result<Explanation, CompileError> {
        self.explain_with(&ExplainOptions::default())
    }

    /// As [`Program::explain`], with options.
    ///
    /// # Errors
    /// A mistake of the optimiser; a pass to stop after that there is not.
    ///
    /// ```
    /// use weldment::{ExplainOptions, Program};
    ///
    /// let program = Program::parse("|v: &[f64]| v.map(|x| x * x).sum()")?;
    /// let stop_after = |pass: &str| ExplainOptions { stop_after: Some(pass.to_owned()), ..ExplainOptions::default() };
    /// let stopped = program.explain_with(&stop_after("fuse-vertical"))?.report.stopped;
    /// assert_eq!(stopped.unwrap().pass, "fuse-vertical");
    /// assert!(program.explain_with(&stop_after("fuse")).unwrap_err().message.contains("`fuse-horizontal`"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn explain_with(&self, options: &ExplainOptions) -> Result<Explanation, CompileError> {
        let constants = self.source.constants.clone();
        let passes = passes::Options { constants, ..options.passes()? };
        guarded(|| self.explain_unguarded(&passes))
    }

    fn explain_unguarded(&self, passes: &passes::Options) -> Result<Explanation, CompileError> {
        let mut optimised = self.source.program.clone();
        let positions = &self.source.positions;
        let mut explanation = explain::optimise_with(&mut optimised, positions, passes)?;
        let loops = loops::build_and_explain(&optimised, positions, &mut explanation);
        explanation.stages.extend(self.rust_stages(&loops));
        Ok(explanation)
    }

    /// The low-level code, and the Rust that is printed from it, or why there is none.
    pub(super) fn rust_stages(&self, loops: &loops::LoopProgram) -> [Stage; 2] {
        [
            Stage { name: "imp", text: imp::build(loops, imp::Target::RUST).to_string() },
            Stage { name: "rust", text: self.rust(loops).unwrap_or_else(|error| format!("// {error}")) },
        ]
    }

    fn rust(&self, loops: &loops::LoopProgram) -> Result<String, CompileError> {
        let root = "::weldment".parse().expect("a path is made of tokens");
        let function = rust::function(loops, &self.source.positions, &rust::Paths::new(root));
        let tokens = function.map_err(|unsupported| {
            let (what, position) = match unsupported.first() {
                Some(first) => (first.what.as_str(), self.source.positions.get(first.loc)),
                None => ("the program", Position::default()),
            };
            let message = format!("not supported yet: {what}");
            CompileError::new(Code::ForeignValues, message, position)
        })?;
        // Tokens that do not parse are our mistake; as they are they show it best.
        Ok(match syn::parse2(tokens.clone()) {
            Ok(file) => prettyplease::unparse(&file),
            Err(_) => tokens.to_string(),
        })
    }

    #[cfg(feature = "llvm")]
    pub(super) fn listing(&self, loops: &loops::LoopProgram, form: Form) -> Result<String, CompileError> {
        let listing = match form {
            Form::Assembly => llvm::Listing::Assembly,
            _ => llvm::Listing::Optimized,
        };
        Ok(llvm::listing(loops, &self.source.positions, &llvm::EngineOptions::default(), listing)?)
    }

    #[cfg(not(feature = "llvm"))]
    pub(super) fn listing(&self, _loops: &loops::LoopProgram, _form: Form) -> Result<String, CompileError> {
        let message = "this was built without LLVM\nhelp: enable the feature `llvm` of `weldment`";
        Err(CompileError::new(Code::NoLlvm, message, Position::default()))
    }
}
