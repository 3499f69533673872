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
//!     mod kernel {
//!         fn run(cx: &Context, v0: &[f64]) -> Result<f64, Fault> { … }
//!         fn call(v0: &[f64]) -> f64 { unwrap(run(Context::ambient(), v0)) }
//!         static INFO: KernelInfo = KernelInfo::new("source", "explanation");
//!         pub(super) const KERNEL: Kernel<fn(&[f64]) -> f64> =
//!             Signature::<(Ref<[f64]>,), f64>::kernel(call, run, &INFO);
//!     }
//!     kernel::KERNEL
//! }
//! ```
//!
//! where every name from outside is an absolute path (see [`Paths`]). The module is what keeps users' types, traits
//! and constants from being found where a type, a method or a variable is meant. A program that calls foreign functions
//! or names structs has no such module, for it must find them where the macro stands; its block imports what it names
//! without a path.

mod kernel;
mod keyed;
mod paths;
mod primitive;
mod structs;
mod types;

mod block;
mod foreign;
mod op;
mod scope;

mod blocked;
mod flat;
mod in_order;
mod iteration;
mod nest;
mod run;
mod stages;

mod extremes;
mod merge;
mod rows;
mod scatter;
mod store;
mod total;

mod names;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use weldment_core::ir::{Const, Entity, Loc, Op, Sink, Value};
use weldment_core::source::Positions;
use weldment_runtime::types::Type;

use iteration::Angles;
pub(crate) use kernel::stand_in;
pub use kernel::{About, emit, function};
pub use paths::Paths;
pub use structs::{Definition, Structs};

use foreign::Foreign;

use crate::loops::lives::Lives;
use crate::loops::{self, LoopProgram, Nest, Run, Schedule, Step, Store, facts};

/// Something that cannot be emitted yet.
///
/// ```
/// # use weldment_codegen::{loops, rust::*};
/// # use weldment_core::front::from_text;
/// let lowered = from_text("|v: &[f64]| cudf[norm, f64](v)").unwrap();
/// let loops = loops::build(&lowered.program, &loops::Options::default());
/// let paths = Paths::new("::weldment".parse().unwrap());
/// let unsupported = function(&loops, &lowered.positions, &paths).unwrap_err();
/// assert_eq!(unsupported[0].what, "a foreign function on a value of type `vec[f64]`");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The user's token.
    pub loc: Loc,
    /// What it is, as in "not supported yet: …".
    pub what: String,
    /// What there is instead.
    pub help: &'static str,
}

/// What the functions of the emitter share.
struct Emitter<'a> {
    program: &'a LoopProgram,
    positions: &'a Positions,
    /// The user's tokens, as far as there are any.
    spans: &'a [Span],
    p: &'a Paths,
    /// The constants among the values. They are no variables: each is written where it is used.
    consts: Rc<HashMap<Value, Const>>,
    /// The values that are lengths, and the vectors that they are of.
    lengths: HashMap<Value, Value>,
    /// The vectors whose rows lie one after the other.
    rows: Rc<BTreeSet<Value>>,
    /// The stores of rows that go where another store keeps them, and that store.
    makes_rows: HashMap<Sink, Sink>,
    /// The look-ups that search for others as well.
    searches_for_others: BTreeSet<Value>,
    /// Every store, and whether its nest is one that is split.
    stores: HashMap<Sink, (&'a Store, Schedule)>,
    /// The keys of the loop at hand that are hashed ahead, by table, and where that loop stands.
    keys_ahead: HashMap<Sink, Ident>,
    /// The index of the loop at hand, if its first iterations are.
    in_order: Option<Value>,
    /// Where vectors get their memory from, and leave it to.
    lives: Lives,
    /// The foreign functions called so far.
    foreign: Vec<Foreign>,
    unsupported: Vec<Unsupported>,
    /// Which angles the function at hand is for.
    angles: Angles,
}

impl<'a> Emitter<'a> {
    fn new(program: &'a LoopProgram, positions: &'a Positions, spans: &'a [Span], p: &'a Paths) -> Self {
        let (mut consts, mut lengths, mut stores) = (HashMap::new(), HashMap::new(), HashMap::new());
        facts::for_each_step(&program.body, &mut |step| match step {
            Step::Bind { result, op: Op::Const(constant), .. } => {
                consts.insert(*result, *constant);
            }
            Step::Bind { result, op: Op::Len(vector), .. }
                if matches!(program.values[*vector].ty, Type::Vec(_)) =>
            {
                lengths.insert(*result, *vector);
            }
            Step::Nest(nest) => {
                stores.extend(nest.stores.iter().map(|store| (store.sink, (store, nest.schedule))));
            }
            _ => {}
        });
        let consts = Rc::new(consts);
        let rows = Rc::new(program.rows.clone());
        let searches_for_others = program.shared_searches.values().copied().collect();
        let makes_rows = loops::rows::makers(program);
        let (foreign, unsupported, angles) = (Vec::new(), Vec::new(), Angles::Any);
        Emitter {
            program,
            positions,
            spans,
            p,
            consts,
            lengths,
            rows,
            makes_rows,
            searches_for_others,
            stores,
            keys_ahead: HashMap::new(),
            in_order: None,
            lives: Lives::of(program),
            foreign,
            unsupported,
            angles,
        }
    }

    /// The value where it is read: its variable, or the constant.
    fn name(&self, value: Value) -> TokenStream {
        name(&self.consts, value)
    }

    /// The value where a method of it is called: a sign would come after the call.
    fn operand(&self, value: Value) -> TokenStream {
        let tokens = self.name(value);
        let is_negated = self.consts.contains_key(&value) && types::is_negated(&tokens);
        if is_negated { quote!((#tokens)) } else { tokens }
    }

    /// An index or a length, as a `usize`.
    fn as_usize(&self, value: Value) -> TokenStream {
        match self.consts.get(&value).and_then(|constant| usize::try_from(constant.as_integer()?).ok()) {
            Some(constant) => {
                let constant = Literal::usize_unsuffixed(constant);
                quote!(#constant)
            }
            None => {
                let value = self.name(value);
                quote!(#value as usize)
            }
        }
    }

    fn ty(&self, value: Value) -> &'a Type {
        &self.program.values[value].ty
    }

    /// The user's token at `loc`.
    fn span(&self, loc: Loc) -> Span {
        self.spans.get(loc.index()).copied().unwrap_or_else(Span::call_site)
    }

    /// The line and column of `loc`, as the last arguments of what can fault.
    fn place(&self, loc: Loc) -> (Literal, Literal) {
        let position = self.positions.get(loc);
        (Literal::u32_unsuffixed(position.line), Literal::u32_unsuffixed(position.column))
    }
}

/// The value where it is read, if `consts` are the constants among all.
fn name(consts: &HashMap<Value, Const>, value: Value) -> TokenStream {
    match consts.get(&value) {
        Some(&constant) => types::constant(constant),
        None => {
            let name = names::value(value);
            quote!(#name)
        }
    }
}

/// What stands before a function of that many parameters, so that clippy does not count them: programs take as many
/// as they need. Nothing is allowed without need, for users may forbid it.
fn allow_parameters(count: usize) -> Option<TokenStream> {
    const CLIPPYS_LIMIT: usize = 7;
    (count > CLIPPYS_LIMIT).then(|| quote!(#[allow(clippy::too_many_arguments)]))
}

/// The loop of a nest that runs over an index.
fn own_loop(nest: &Nest) -> Option<&crate::loops::Loop> {
    match &nest.run {
        Run::Over(inner) => Some(inner),
        Run::Once(_) => None,
    }
}
