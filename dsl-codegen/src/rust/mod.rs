//! The Rust emitter: a [`LoopProgram`] as tokens.
//!
//! It prints what the loop IR says and decides nothing but how values are owned: vectors, dictionaries and the
//! structs that hold them are borrowed where they are read, moved where they are used last, and cloned only where
//! they are stored and needed again.
//!
//! A program becomes one expression, a constant of type `Kernel<fn(…) -> R>`:
//!
//! ```text
//! {
//!     fn run(cx: &Context, v0: &[f64]) -> Result<f64, Fault> { … }
//!     fn call(v0: &[f64]) -> f64 { unwrap(run(Context::ambient(), v0)) }
//!     static INFO: KernelInfo = KernelInfo::new("source", "explanation");
//!     Signature::<(Ref<[f64]>,), f64>::kernel(call, run, &INFO)
//! }
//! ```
//!
//! where every name from outside is an absolute path (see [`Paths`]).

mod kernel;
mod paths;
mod types;

mod block;
mod op;
mod scope;

mod nest;
mod run;
mod store;

mod names;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use weldment_core::ir::{Const, Loc, Op, Sink, Value};
use weldment_core::source::Positions;
use weldment_runtime::types::Type;

pub use kernel::{About, emit, function, stand_in};
pub use paths::Paths;

use crate::loops::{LoopProgram, Nest, Run, Schedule, Step, Store, facts};

/// Something that cannot be emitted yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The user's token.
    pub loc: Loc,
    /// What it is, as in "not supported yet: …".
    pub what: String,
}

/// What the functions of the emitter share.
struct Emitter<'a> {
    program: &'a LoopProgram,
    positions: &'a Positions,
    p: &'a Paths,
    /// The constants among the values.
    consts: HashMap<Value, Const>,
    /// Every store, and whether its nest is one that is split.
    stores: HashMap<Sink, (&'a Store, Schedule)>,
    unsupported: Vec<Unsupported>,
}

impl<'a> Emitter<'a> {
    fn new(program: &'a LoopProgram, positions: &'a Positions, p: &'a Paths) -> Self {
        let mut emitter = Emitter {
            program,
            positions,
            p,
            consts: HashMap::new(),
            stores: HashMap::new(),
            unsupported: Vec::new(),
        };
        facts::for_each_step(&program.body, &mut |step| match step {
            Step::Bind { result, op: Op::Const(constant), .. } => {
                emitter.consts.insert(*result, *constant);
            }
            Step::Nest(nest) => {
                emitter.stores.extend(nest.stores.iter().map(|store| (store.sink, (store, nest.schedule))));
            }
            _ => {}
        });
        emitter
    }

    fn ty(&self, value: Value) -> &'a Type {
        &self.program.values[value].ty
    }

    /// The line and column of `loc`, as the last arguments of what can fault.
    fn place(&self, loc: Loc) -> (u32, u32) {
        let position = self.positions.get(loc);
        (position.line, position.column)
    }

    fn unsupported(&mut self, loc: Loc, what: impl Into<String>) {
        self.unsupported.push(Unsupported { loc, what: what.into() });
    }
}

/// The loop of a nest that runs over an index.
fn own_loop(nest: &Nest) -> Option<&crate::loops::Loop> {
    match &nest.run {
        Run::Over(inner) => Some(inner),
        Run::Once(_) => None,
    }
}
