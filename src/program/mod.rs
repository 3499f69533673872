//! Programs at run time: parsed from text, or taken from a kernel; compiled, and run.

mod error;

mod options;

mod executable;

mod constants;

mod variants;

mod foreign;

mod interpreter;

mod stages;

#[cfg(feature = "html")]
mod page;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use weldment_codegen::backend::{self, Backend};
use weldment_codegen::cache::Shared;
use weldment_codegen::foreign::Callees;
#[cfg(feature = "llvm")]
use weldment_codegen::llvm;
use weldment_codegen::{imp, loops};
use weldment_core::constants::{self as told, Constant};
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::ir;
use weldment_core::lower::Lowered;
use weldment_core::source::Positions;
use weldment_core::syntax::{self, ast, attributes::Attributes};
use weldment_core::{claims, front, guard, passes};
use weldment_runtime::api::bound::Bound;
use weldment_runtime::api::kernel::Kernel;
use weldment_runtime::lang::types::Type;

use interpreter::Interpreter;
use variants::Ready;

pub use error::{CompileError, Warning};
pub use executable::{Executable, TypeMismatch};
pub use foreign::{Foreign, ForeignFunctions, ScalarFunction};
pub use options::{CompileOptions, Executor, ExplainOptions};
pub use stages::Form;
pub use weldment_codegen::backend::CacheStatus;
#[cfg(feature = "llvm")]
pub use weldment_codegen::llvm::Level;
pub use weldment_core::diagnostic::{Code as ErrorCode, Example, Kind as ErrorKind};
pub use weldment_core::explain::{Explanation, Stage};
pub use weldment_core::report::{Change, Report, Split};

/// Longer texts are parsed each time.
const LONGEST_KEPT: usize = 1 << 16;

/// A program of the language, parsed and checked.
///
/// ```
/// use weldment::{CompileOptions, Program, Value};
///
/// let program = Program::parse("|v: vec[i64]| sum(map(v, |x| x * x))")?;
/// let squares = program.compile(&CompileOptions::default())?;
/// let v = Value::vec(vec![Value::I64(3), Value::I64(4)]);
/// assert!(squares.run(&[v])?.same_bits(&Value::I64(25)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    source: Arc<Source>,
    params: Vec<Type>,
    result: Type,
    warnings: Vec<Warning>,
}

/// The program before optimisation.
#[derive(Debug)]
struct Source {
    #[cfg(feature = "html")]
    text: String,
    program: ir::Program,
    positions: Positions,
    /// What stands in place of parameters of `program`.
    constants: Vec<Constant>,
    compiled: Compiled,
}

/// What a program was compiled to, by the options, for the few that it was compiled with last.
#[derive(Debug, Default)]
struct Compiled(Mutex<VecDeque<(CompileOptions, Ready)>>);

impl Compiled {
    /// A program is seldom compiled with more than a few options, but tests are.
    const MOST: usize = 4;

    fn find(&self, options: &CompileOptions) -> Option<Ready> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| of == options).map(|(_, compiled)| compiled.clone())
    }

    fn keep(&self, options: &CompileOptions, compiled: &Ready) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == Self::MOST {
            known.pop_front();
        }
        known.push_back((options.clone(), compiled.clone()));
    }
}

impl Program {
    /// Parses and checks `text`, in Weld's spelling, as Rust closures, or both mixed.
    ///
    /// The programs that a process has used last are kept, up to 256, with what they were compiled to: to parse and to
    /// compile a text once more takes microseconds.
    ///
    /// # Errors
    /// The first mistake, with its place, and in it the others. A program that claims something of its own optimisation,
    /// by `#[expect(loops = 1, materialized = 0)]` before its closure, is optimised at once, and it is a mistake if the
    /// claim does not hold.
    ///
    /// ```
    /// use weldment::{ErrorKind, Program};
    ///
    /// let text = "#[expect(loops = 1)] |v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }";
    /// let error = Program::parse(text).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Claim);
    /// assert!(error.message.contains("`w[0]` reads `v.filter(|x| x > 0.0)` otherwise than element by element"));
    ///
    /// // Both spellings, mixed.
    /// assert!(Program::parse("|v: vec[i64]| result(for(v, merger[i64,+], |b, i, x| merge(b, x)))").is_ok());
    /// assert!(Program::parse("|v: &[i64]| sum(v.map(|x| x * x))").is_ok());
    ///
    /// let error = Program::parse("|v: &[i64]|\n  v.map(|x| x + 0.5)").unwrap_err();
    /// assert_eq!((error.kind(), error.position.line), (ErrorKind::Type, 2));
    /// ```
    pub fn parse(text: &str) -> Result<Program, CompileError> {
        Program::kept(text.to_owned(), text, || syntax::parse_text(text))
    }

    /// Parses and checks a program of which only the body is text, what stands behind the bars of a closure, and the parameters are
    /// given: the formula of a user over columns that the application knows. All places, of mistakes and of faults, are those in `text`.
    /// A type of its own, of a struct or an enum, is the tuple of its fields to the formula.
    ///
    /// Programs are kept as those of [`Program::parse`] are.
    ///
    /// # Errors
    /// As there; and a name of a parameter that is none.
    ///
    /// ```
    /// use weldment::{CompileOptions, Program, Type};
    ///
    /// let columns = [("price", Type::vec(Type::F64)), ("quantity", Type::vec(Type::I32))];
    /// let formula = Program::parse_body(&columns, "zip(price, quantity).map(|(p, q)| p * q as f64).sum()")?;
    /// assert_eq!(formula.result(), &Type::F64);
    /// let total = formula.compile(&CompileOptions::default())?;
    /// assert_eq!(total.call::<(&[f64], &[i32]), f64>((&[2.5, 4.0], &[2, 1]))?, 9.0);
    ///
    /// let error = Program::parse_body(&columns, "prise.sum()").unwrap_err();
    /// assert_eq!((error.position.line, error.position.column), (1, 1));
    /// assert!(error.message.contains("did you mean `price`?"));
    ///
    /// let first = Program::parse_body(&columns, "1 + quantity[0]")?.compile(&CompileOptions::default())?;
    /// let fault = first.call::<(&[f64], &[i32]), i32>((&[], &[])).unwrap_err();
    /// assert_eq!((fault.position.line, fault.position.column), (1, 13));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_body(params: &[(&str, Type)], text: &str) -> Result<Program, CompileError> {
        let params: Vec<(String, String)> =
            params.iter().map(|(name, ty)| ((*name).to_owned(), ty.to_string())).collect();
        // No whole program begins with a zero.
        let key = format!("\0{params:?}{text}");
        Program::kept(key, text, || syntax::parse_body(&params, text))
    }

    /// What `parse` makes of `text`, or has made of it a while ago.
    fn kept(
        key: String,
        text: &str,
        parse: impl FnOnce() -> Result<ast::Program, Vec<Diagnostic>> + Send,
    ) -> Result<Program, CompileError> {
        static PARSED: Shared<Program> = Shared::new();
        if key.len() > LONGEST_KEPT {
            return Program::parse_anew(text, parse);
        }
        PARSED.get_or_make(key, || Program::parse_anew(text, parse)).map(|program| Program::clone(&program))
    }

    fn parse_anew(
        #[cfg_attr(not(feature = "html"), expect(unused_variables, reason = "only pages show it"))]
        text: &str,
        parse: impl FnOnce() -> Result<ast::Program, Vec<Diagnostic>> + Send,
    ) -> Result<Program, CompileError> {
        guarded(|| {
            let refused = |errors: Vec<Diagnostic>| CompileError::first_of(&errors);
            let syntax = parse().map_err(refused)?;
            let lowered = front::from_ast(&syntax).map_err(refused)?;
            let mut warnings = warnings(&syntax.attributes, &lowered)?;
            warnings.extend(syntax.warnings.iter().map(Warning::of));
            warnings.sort_by_key(|warning| warning.position);
            let Lowered { program, positions, .. } = lowered;
            let entry = &program.bodies[program.entry.expect("a lowered program has an entry")];
            let params = entry.params.iter().map(|&param| program.ty(param));
            // Of a call, either fits.
            let array = |ty: &Type| match ty.as_array() {
                Some((element, axes)) => Type::array(element.clone(), axes),
                None => ty.clone(),
            };
            let params = params.map(array).collect();
            let result = program.ty(entry.results[0]).clone();
            let source = Source {
                #[cfg(feature = "html")]
                text: text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
                program,
                positions,
                constants: Vec::new(),
                compiled: Compiled::default(),
            };
            Ok(Program { source: Arc::new(source), params, result, warnings })
        })
    }

    /// The types of the parameters.
    ///
    /// ```
    /// let program = weldment::Program::parse("|v: &[f64], k: i64| v[k]")?;
    /// assert_eq!(program.params()[0].to_string(), "vec[f64]");
    /// assert_eq!(program.result().to_string(), "f64");
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn params(&self) -> &[Type] {
        &self.params
    }

    /// What the parameter with this number is called; one that is taken apart by a pattern has no name, and neither has `_`.
    ///
    /// ```
    /// let program = weldment::Program::parse("|v: &[f64], (a, b): (f64, f64)| v.sum() + a * b")?;
    /// assert_eq!((program.param_name(0), program.param_name(1)), (Some("v"), None));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn param_name(&self, number: usize) -> Option<&str> {
        self.source.positions.param_name(number)
    }

    /// The type of the result.
    ///
    /// ```
    /// let program = weldment::Program::parse("|v: &[f64]| (v.sum(), len(v))")?;
    /// assert_eq!(program.result().to_string(), "{f64,i64}");
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn result(&self) -> &Type {
        &self.result
    }

    /// What the program asks to be warned of: with `#[warn(materialized)]` before its closure, each vector and dictionary
    /// that is written to memory and is not part of the result.
    ///
    /// ```
    /// let text = "#[warn(materialized)] |v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }";
    /// let program = weldment::Program::parse(text)?;
    /// let warning = &program.warnings()[0];
    /// assert!(warning.to_string().starts_with("warning at 1:47: a vec[f64] is written to memory [W0601]"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Makes the program ready to run.
    ///
    /// # Errors
    /// A foreign function that the options do not allow, or that is called by other types than it has; what the executor does
    /// not support; each with its place. A mistake of the optimiser.
    ///
    /// ```
    /// use weldment::{CompileOptions, Executor, Program};
    ///
    /// let program = Program::parse("|x: i64| x * x")?;
    /// let oracle = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
    /// assert_eq!(program.compile(&oracle)?.call::<(i64,), i64>((12,))?, 144);
    ///
    /// let foreign = Program::parse("|x: f64| cudf[bessel, f64](x)")?;
    /// assert!(foreign.compile(&oracle).unwrap_err().message.contains("`bessel`"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(&self, options: &CompileOptions) -> Result<Executable, CompileError> {
        let known = &self.source.compiled;
        let ready = match known.find(options) {
            Some(ready) => ready,
            None => {
                let compiled = guarded(|| self.compile_anew(options))?;
                let ready = self.ready(options, compiled);
                known.keep(options, &ready);
                ready
            }
        };
        Ok(Executable::new(&self.params, &self.result, ready))
    }

    fn compile_anew(&self, options: &CompileOptions) -> Result<Arc<dyn backend::Compiled>, CompileError> {
        let Source { program, positions, .. } = &*self.source;
        let callees = foreign::resolve(program, positions, &options.foreign)?;
        let mut optimised = self.source.program.clone();
        if options.optimize {
            passes::optimize(&mut optimised, &self.passes())?;
        } else {
            told::bind(&mut optimised, &self.source.constants);
        }
        match &options.executor {
            Executor::Interpreter => {
                Ok(Arc::new(Interpreter::new(optimised, positions.clone(), callees, options)?))
            }
            #[cfg(feature = "llvm")]
            Executor::Llvm => {
                self.compiled(&optimised, &callees, options, &llvm::Llvm { level: options.level })
            }
            Executor::Custom(backend) => self.compiled(&optimised, &callees, options, &**backend),
        }
    }

    /// How its own passes run.
    fn passes(&self) -> passes::Options {
        passes::Options { constants: self.source.constants.clone(), ..passes::Options::default() }
    }

    /// What `backend` makes of the optimised program.
    fn compiled(
        &self,
        optimised: &ir::Program,
        foreign: &Callees,
        options: &CompileOptions,
        backend: &dyn Backend,
    ) -> Result<Arc<dyn backend::Compiled>, CompileError> {
        let positions = &self.source.positions;
        let cut = loops::Options { chunk: options.chunk, segment: options.segment };
        let program = imp::build(&loops::build(optimised, &cut), backend.target());
        backend.accepts(&program).map_err(|unsupported| {
            let (message, position) = (unsupported.message(backend.name()), positions.get(unsupported.loc));
            CompileError::new(Code::Executor, message, position)
        })?;
        let (cache, cache_key) = (options.cache_dir.as_deref(), options.cache_key.as_deref());
        let source = backend::Source { program: &program, positions, foreign, cache, cache_key };
        Ok(backend.compile(&source)?)
    }

    /// The program as IR text, as it is before optimisation.
    ///
    /// ```
    /// let program = weldment::Program::parse("|x: i64| x + 1L")?;
    /// assert!(program.ir().contains("add"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn ir(&self) -> String {
        let mut program = self.source.program.clone();
        told::bind(&mut program, &self.source.constants);
        program.to_string()
    }
}

/// The warnings that `attributes` ask for, if what is claimed of the optimised program holds.
fn warnings(attributes: &Attributes, lowered: &Lowered) -> Result<Vec<Warning>, CompileError> {
    if !claims::are_made(attributes, &lowered.program) {
        return Ok(Vec::new());
    }
    let mut optimised = lowered.clone();
    let report = passes::optimize(&mut optimised.program, &passes::Options::default())?;
    let report = report.in_source(&optimised.positions);
    let checked = claims::check(attributes, &optimised, &report);
    let warnings = checked.map_err(|errors| CompileError::first_of(&errors))?;
    Ok(warnings.iter().map(Warning::of).collect())
}

/// What `work` gives. The compiler recurses into programs, so it has a stack of its own, which also has the lexer's
/// memory of all texts with it; and where it panics, that is an error of kind [`ErrorKind::Internal`].
fn guarded<T: Send>(work: impl FnOnce() -> Result<T, CompileError> + Send) -> Result<T, CompileError> {
    guard::catch(|| guard::on_large_stack(work))
        .unwrap_or_else(|message| Err(CompileError::internal(message)))
}

/// A kernel's program, to be compiled once more while the application runs: by LLVM for the CPU at hand, say.
///
/// ```
/// use weldment::{CompileOptions, ToProgram, Value, weld};
///
/// let kernel = weld!(|x: i64| x * x);
/// let again = kernel.program().compile(&CompileOptions::default())?;
/// assert!(again.run(&[Value::I64(7)])?.same_bits(&Value::I64(kernel(7))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ToProgram {
    /// The program that this was made from. Its positions are those in [`Kernel::source`].
    ///
    /// ```
    /// use weldment::{ToProgram, weld};
    ///
    /// let kernel = weld!(|v: &[f64]| v.map(|x| x * x).sum());
    /// assert_eq!(kernel.program().params()[0].to_string(), "vec[f64]");
    /// ```
    fn program(&self) -> Program;

    /// What became of the program, as a page of HTML: see [`Program::explain_html`].
    ///
    /// # Errors
    /// A mistake of the optimiser.
    ///
    /// ```
    /// use weldment::{ToProgram, weld};
    ///
    /// let kernel = weld!(|v: &[f64]| v.map(|x| x * x).sum());
    /// assert!(kernel.explain_html()?.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    #[cfg(feature = "html")]
    fn explain_html(&self) -> Result<String, CompileError> {
        self.program().explain_html()
    }
}

impl<F> ToProgram for Kernel<F> {
    fn program(&self) -> Program {
        Program::parse(self.source()).expect("`weld!` has accepted this very text")
    }
}

impl<F, C, D> ToProgram for Bound<F, C, D> {
    /// What is captured is given to the program as its first arguments.
    fn program(&self) -> Program {
        Program::parse(self.source()).expect("`weld!` has accepted this very text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compiled_is_kept() {
        let text = "|v: &[i64]| v.map(|x| x * 31 + 7).max()";
        let program = Program::parse(text).unwrap();
        let again = Program::parse(text).unwrap();
        assert!(Arc::ptr_eq(&program.source, &again.source));
        let kept = || program.source.compiled.0.lock().unwrap().len();
        let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
        for _ in 0..3 {
            again.compile(&options).unwrap();
            assert_eq!(kept(), 1);
        }
        for chunk in 1..10 {
            again.compile(&CompileOptions { chunk: Some(chunk), ..options.clone() }).unwrap();
        }
        assert_eq!(kept(), Compiled::MOST);
        let other = Program::parse("|v: &[i64]| v.map(|x| x * 31 + 8).max()").unwrap();
        assert!(!Arc::ptr_eq(&program.source, &other.source));
    }

    #[test]
    fn what_is_refused_and_what_is_long_is_not_kept() {
        for _ in 0..2 {
            assert!(Program::parse("|v: &[i64]| v.map(|x| y)").is_err());
        }
        let long = format!("|x: i64| x{}", " ".repeat(LONGEST_KEPT));
        let [a, b] = [&long, &long].map(|text| Program::parse(text).unwrap());
        assert!(!Arc::ptr_eq(&a.source, &b.source));
    }
}
