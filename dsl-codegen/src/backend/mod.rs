//! Executors: what runs the low-level code, [`imp`](crate::imp), of programs that are compiled at run time.
//!
//! An executor is a [`Backend`]. It is asked for its [`Target`], gets the low-level code that the passes make for
//! that, and gives a [`Compiled`] program; the front end, the optimiser, the loop IR and the passes are the same for all. LLVM is one:
//! [`llvm::Llvm`](crate::llvm).
//!
//! ```text
//! loops::LoopProgram ─imp::build(target)▶ Imp ─accepts▶ Imp ─compile▶ dyn Compiled ─run(Call)▶ result
//! ```
//!
//! # What an executor must do
//! * Give the bits that [`imp`](crate::imp) and its verifier promise. Every statement of it says what it does; ops are those of the
//!   language, whose scalar functions are in `weldment_runtime::lang::num`: integers wrap, shifts take their count modulo the
//!   bits, casts of floats saturate, and no operation is fused or reordered. A [`Split`](crate::imp::Split) may run its tasks on any threads; chunks
//!   are added, and tasks merged, in order.
//! * End a run by the fault of the statement that faults first, at the place that [`Source::positions`] has for its
//!   [`Loc`](weldment_core::ir::Loc).
//! * Poll where the code does (`For::poll`, `Iterate`, between chunks), and count the bytes that it allocates, so that a run can be cancelled
//!   and limited: by [`Call::context`], or, in machine code, by the functions in [`abi`], which do both.
//! * Refuse what it does not take, by [`Backend::accepts`]: a diagnostic with the place, and never a panic. Prefetches, `cold`, `tail`,
//!   `Known::InBounds` and `Reserve` are hints that it may ignore.
//!
//! # Two ways to run
//! An executor that works on values takes [`Call::args`] and ends with [`Call::give`]. One that makes machine code wraps it into a
//! [`Code`], whose functions take arguments and results in memory: see [`abi`] for where each value stands, and for what the code may call.
//!
//! ```
//! use std::sync::Arc;
//! use weldment_codegen::backend::{Backend, BackendError, Call, Compiled, Given, Source, Unsupported};
//! use weldment_codegen::imp::{Imp, Stmt, Target};
//! use weldment_core::ir::{BinaryOp, Const, Op};
//! use weldment_runtime::lang::fault::Fault;
//! use weldment_runtime::lang::value::Value;
//!
//! /// Runs programs of one multiplication.
//! struct Times;
//!
//! #[derive(Debug)]
//! struct By(i64);
//!
//! impl Compiled for By {
//!     fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
//!         let Value::I64(x) = call.args()[0] else { unreachable!("types are checked") };
//!         Ok(call.give(Value::I64(x.wrapping_mul(self.0))))
//!     }
//! }
//!
//! fn factor(program: &Imp) -> Option<i64> {
//!     match program.funcs[program.entry].body.stmts[..] {
//!         [Stmt::Let { op: Op::Binary(BinaryOp::Mul, _, y), .. }] => match program.values[y].constant {
//!             Some(Const::I64(factor)) => Some(factor),
//!             _ => None,
//!         },
//!         _ => None,
//!     }
//! }
//!
//! impl Backend for Times {
//!     fn name(&self) -> &str { "times" }
//!     fn target(&self) -> Target { Target::default() }
//!     fn accepts(&self, program: &Imp) -> Result<(), Unsupported> {
//!         let loc = program.funcs[program.entry].loc;
//!         factor(program).map(|_| ()).ok_or_else(|| Unsupported::new("more than a product", loc))
//!     }
//!     fn compile(&self, source: &Source<'_>) -> Result<Arc<dyn Compiled>, BackendError> {
//!         Ok(Arc::new(By(factor(source.program).expect("it was accepted"))))
//!     }
//! }
//! # use weldment_codegen::{backend, imp, loops};
//! # let lowered = weldment_core::front::from_text("|x: i64| x * 3").unwrap();
//! # let loops = loops::build(&lowered.program, &loops::Options::default());
//! # let program = imp::build(&loops, Times.target());
//! # Times.accepts(&program).unwrap();
//! # let source = Source { program: &program, positions: &lowered.positions, foreign: &Default::default(),
//! #     cache: None, cache_key: None };
//! # let compiled = Times.compile(&source).unwrap();
//! # let (params, result) = source.signature();
//! # let cx = weldment_runtime::exec::context::Context::ambient();
//! # let six = backend::run(&*compiled, (&params, &result), &[Value::I64(2)], cx).unwrap();
//! # assert!(six.same_bits(&Value::I64(6)));
//! ```

pub mod abi;
mod call;
mod code;
mod compiled;
mod error;
mod marshal;
mod native;
mod run;

use std::path::Path;
use std::sync::Arc;

use weldment_core::source::Positions;
use weldment_runtime::lang::types::Type;

use crate::foreign::Callees;
use crate::imp::{Imp, Param, Target};

pub use call::{Call, Given};
pub use code::{Code, Entry};
pub use compiled::{CacheStatus, Compiled};
pub use error::{BackendError, BackendErrorKind, Unsupported};
pub use run::{call, call_into, run};

/// An executor of low-level code. The documentation of [its module](self) says what it must do.
pub trait Backend: Send + Sync {
    /// What users call it, in errors: one word.
    fn name(&self) -> &str;

    /// Which passes run for it, and which strategies stores may have. [`Target::default`] is the plainest code: one iteration after
    /// the other, without lanes, and no pass that is there for speed alone.
    fn target(&self) -> Target;

    /// Whether it runs `program`.
    ///
    /// # Errors
    /// The first thing in it that it does not take.
    fn accepts(&self, program: &Imp) -> Result<(), Unsupported>;

    /// Makes a program that [`Backend::accepts`] ready to run. Programs that are compiled again with the same options are not handed
    /// over again, as long as the front end keeps them.
    ///
    /// # Errors
    /// What the executor needs and does not find; a mistake in it.
    fn compile(&self, source: &Source<'_>) -> Result<Arc<dyn Compiled>, BackendError>;
}

/// What a [`Backend`] compiles.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// The low-level code, for the target of the executor. It is what [`verify`](crate::imp::verify) accepts.
    pub program: &'s Imp,
    /// Where the tokens of the program stand: the places of faults.
    pub positions: &'s Positions,
    /// The foreign functions that the program may call, by name; those that it calls are there.
    pub foreign: &'s Callees,
    /// The folder that the user wants compiled programs to be kept in, for an executor that can.
    pub cache: Option<&'s Path>,
    /// The file with the user's key for what is kept there, if it is not the usual one.
    pub cache_key: Option<&'s Path>,
}

impl Source<'_> {
    /// The types of the parameters, and of the result.
    pub fn signature(&self) -> (Vec<Type>, Type) {
        let ty = |value| self.program.values[value].ty.clone();
        let entry = &self.program.funcs[self.program.entry];
        let params = entry.params.iter().filter_map(|param| match param {
            Param::Value(value) => Some(ty(*value)),
            _ => None,
        });
        (params.collect(), ty(entry.body.results[0]))
    }
}
