//! How programs are compiled and explained.

use std::fmt;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::Arc;

use weldment_codegen::backend::Backend;
use weldment_core::diagnostic::Code;
use weldment_core::passes::{self, PASSES, Pass};
use weldment_runtime::lang::fault::Position;

#[cfg(feature = "llvm")]
use super::Level;
use super::{CompileError, Foreign};

/// How to compile a program.
///
/// ```
/// use weldment::{CompileOptions, Executor};
/// let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
/// assert!(options.optimize && options.chunk.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// What runs the program.
    pub executor: Executor,
    /// The number of iterations in a chunk of a split loop, in place of what the loop's cost says. It is part of
    /// the order in which floats are added.
    pub chunk: Option<u64>,
    /// The number of iterations in a segment of a split loop, rounded up to whole chunks, in place of
    /// max(2^18, n/64).
    pub segment: Option<u64>,
    /// Whether the optimiser runs. Without it all is computed in the order in which it is written: float sums may round
    /// differently, a value that nobody needs may fault, and of several faults another may be told. Nothing else changes: where
    /// no such value faults, a program faults without the optimiser if and only if it does with it.
    pub optimize: bool,
    /// A folder that keeps what LLVM makes of programs, so that the next process need not compile them; it is made, with mode
    /// 700, if it is not there. What it keeps is for one CPU and one version of LLVM and of this crate: others find nothing, and add
    /// theirs. A file that is damaged counts as not there, and files may be removed at any time.
    ///
    /// The code in it is run. So the folder must belong to the effective user, have mode 700 and be named by its own path, not by that of a
    /// link to it; else nothing is kept. `Executable::cache_status` says what became of a program, and why it is not kept. Only files are
    /// read that belong to the same user, have one name and at most 64 MiB, and were written by someone who knows the key.
    pub cache_dir: Option<PathBuf>,
    /// The file of the key by which files in `cache_dir` prove who wrote them: 32 random bytes, made if it is not there. It must belong to
    /// the effective user, have mode 600, and lie outside `cache_dir`. If not given, it is `weldment/cache.key` in
    /// `$XDG_STATE_HOME`, or else in `~/.local/state`.
    pub cache_key: Option<PathBuf>,
    /// The foreign functions that the program may call by `cudf`; none, if nothing is said. It is the same program with other
    /// functions, and is compiled anew for each table.
    pub foreign: Foreign,
    /// How much LLVM does to the program: less of it compiles sooner, and runs longer. Results have the same bits.
    ///
    /// ```
    /// use weldment::{CompileOptions, Level, Program};
    /// let quick = CompileOptions { level: Level::Quick, ..CompileOptions::default() };
    /// let program = Program::parse("|v: &[f64]| v.sum()")?.compile(&quick)?;
    /// assert_eq!(program.call::<(&[f64],), f64>((&[1.5, 2.5],))?, 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "llvm")]
    pub level: Level,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions {
            executor: Executor::default(),
            chunk: None,
            segment: None,
            optimize: true,
            cache_dir: None,
            cache_key: None,
            foreign: Foreign::Refused,
            #[cfg(feature = "llvm")]
            level: Level::default(),
        }
    }
}

/// What runs a program. Without a choice it is LLVM where that is built in.
///
/// ```
/// use weldment::{CompileOptions, Executor, Program, Value};
/// let oracle = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
/// let program = Program::parse("|x: i64| x * 2L")?.compile(&oracle)?;
/// assert!(program.run(&[Value::I64(21)])?.same_bits(&Value::I64(42)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub enum Executor {
    /// The reference interpreter: slow, and obvious.
    #[cfg_attr(not(feature = "llvm"), default)]
    Interpreter,
    /// LLVM compiles the program for the CPU at hand.
    #[cfg(feature = "llvm")]
    #[default]
    Llvm,
    /// An executor of the user's: see [`backend`](crate::backend).
    Custom(Arc<dyn Backend>),
}

/// Custom executors are equal if they are the same object.
impl PartialEq for Executor {
    fn eq(&self, other: &Executor) -> bool {
        match (self, other) {
            (Executor::Custom(own), Executor::Custom(other)) => Arc::ptr_eq(own, other),
            _ => discriminant(self) == discriminant(other),
        }
    }
}

impl Eq for Executor {}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Executor::Interpreter => f.write_str("Interpreter"),
            #[cfg(feature = "llvm")]
            Executor::Llvm => f.write_str("Llvm"),
            Executor::Custom(backend) => write!(f, "Custom({})", backend.name()),
        }
    }
}

/// How to explain a program: what a page is called, and where the optimiser stops. Stopping early tells which rewrite it
/// is that a bug begins with, by bisection: what is shown then is the program as it was there.
///
/// ```
/// use weldment::{ExplainOptions, Program};
/// let program = Program::parse("|v: &[f64]| v.map(|x| x * x).sum()")?;
/// let plain = program.explain_with(&ExplainOptions { fuel: Some(0), ..ExplainOptions::default() })?;
/// assert_eq!((plain.report.loops.before, plain.report.loops.after), (2, 2));
/// # Ok::<(), weldment::CompileError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// What a page is called; `program` if not given.
    pub title: Option<String>,
    /// How many rewrites the optimiser makes at most.
    pub fuel: Option<u64>,
    /// The pass that the optimiser stops after, when it has changed the program for the first time.
    pub stop_after: Option<String>,
}

impl ExplainOptions {
    /// The names of the passes, in the order in which a round runs them.
    ///
    /// ```
    /// assert!(weldment::ExplainOptions::pass_names().any(|name| name == "fuse-vertical"));
    /// ```
    pub fn pass_names() -> impl Iterator<Item = &'static str> {
        PASSES.iter().map(|pass| pass.name)
    }

    /// What they mean to the optimiser.
    pub(super) fn passes(&self) -> Result<passes::Options, CompileError> {
        let named = |name: &String| {
            Pass::named(name).ok_or_else(|| {
                let names: Vec<_> = ExplainOptions::pass_names().map(|name| format!("`{name}`")).collect();
                let message = format!("there is no pass `{name}`\nhelp: the passes are {}", names.join(", "));
                CompileError::new(Code::Executor, message, Position::default())
            })
        };
        let stop_after = self.stop_after.as_ref().map(named).transpose()?;
        Ok(passes::Options { fuel: self.fuel, stop_after, ..passes::Options::default() })
    }
}
