//! Loops as functions, and where they stand.
//!
//! A plain loop is a `for` over positions; what it reads at its own index are columns, cut to its range. A loop that is split or
//! runs in blocks is a function of its own, because the compiler knows of parameters, and of nothing else, that they do not
//! overlap:
//!
//! ```text
//! #[inline(always)]
//! fn loop2(n: usize, s0_0: &mut [f64; 16], c0_2: &[f64], v5: f64) { … }
//! ```

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{Op, Sink, Value};
use weldment_runtime::types::Type;

use super::merge::Held;
use super::names::Of;
use super::scope::Scope;
use super::{Emitter, names, types};
use crate::loops::facts::{self, Strips};
use crate::loops::{Block, Function, Loop, Step, Store, StoreKind};

/// A loop as a function.
pub(super) struct LoopFunction {
    pub(super) item: TokenStream,
    /// The columns, in the order of its parameters.
    pub(super) columns: Vec<Value>,
    /// What else it takes, after them.
    pub(super) inputs: Vec<Value>,
    /// The states that it fills, which come before both.
    pub(super) sinks: Vec<Sink>,
    pub(super) faults: bool,
    pub(super) needs_context: bool,
    /// It takes the start of its range.
    needs_first: bool,
}

impl Emitter<'_> {
    /// A loop that is not split, where it stands, in strips.
    /// ```text
    /// cx.strips(n, |first, n| { … })?;
    /// ```
    pub(super) fn inner_loop(&mut self, scope: &mut Scope, inner: &Loop) -> TokenStream {
        let extent = self.as_usize(inner.extent);
        if inner.block.is_some() {
            let name = names::loop_function(inner.index);
            let function = self.loop_function(&name, inner, scope.is_dispatched);
            let columns = function.columns.iter().map(|&vector| {
                let vector = names::value(vector);
                quote!(&#vector[first..first + n])
            });
            let call = self.call(&name, &function, scope, (quote!(first), quote!(n)), columns.collect());
            let ok = self.p.ok();
            let call = if function.faults { call } else { quote!({ #call; #ok(()) }) };
            let (item, strips) = (function.item, in_strips(inner, &extent, &call));
            return quote!({ #item #strips });
        }
        let columns = inner.columns.iter().map(|&vector| {
            let (column, vector) = (names::column(vector, inner.index), names::value(vector));
            quote!(let #column = &#vector[first..first + n];)
        });
        let columns = quote!(#(#columns)*);
        let body = self.plain_loop(scope, inner, Some(quote!(first)), &quote!(n));
        let ok = self.p.ok();
        in_strips(inner, &extent, &quote!({ #columns #body #ok(()) }))
    }

    /// A loop of few iterations, where it stands.
    pub(super) fn short_loop(&mut self, scope: &mut Scope, inner: &Loop) -> TokenStream {
        let extent = self.as_usize(inner.extent);
        let columns = inner.columns.iter().map(|&vector| {
            let (column, vector) = (names::column(vector, inner.index), names::value(vector));
            quote!(let #column = &#vector[..#extent];)
        });
        let columns = quote!(#(#columns)*);
        let body = self.plain_loop(scope, inner, None, &extent);
        quote!(#columns #body)
    }

    /// The call of a loop's function.
    pub(super) fn call(
        &self,
        name: &Ident,
        function: &LoopFunction,
        scope: &Scope,
        (first, n): (TokenStream, TokenStream),
        columns: Vec<TokenStream>,
    ) -> TokenStream {
        let cx = function.needs_context.then(|| quote!(cx,));
        let first = function.needs_first.then(|| quote!(#first,));
        let state = |&sink: &Sink| {
            let states = self.parts(Of::State, sink).into_iter();
            let held = scope.held(sink);
            states.map(move |state| match held {
                Held::Here => quote!(&mut #state),
                Held::ByReference => quote!(#state),
            })
        };
        let states = function.sinks.iter().flat_map(state);
        let inputs = function.inputs.iter().map(|&input| scope.pass(input, self.ty(input)));
        quote!(#name(#cx #first #n, #(#states,)* #(#columns,)* #(#inputs),*))
    }

    /// `inner` as a function of the start and length of its range, of the states that it fills, its columns cut to the
    /// range, and what else it reads.
    pub(super) fn loop_function(&mut self, name: &Ident, inner: &Loop, is_dispatched: bool) -> LoopFunction {
        let sinks = sinks_of(&inner.body);
        let mut inputs = self.free_values(&inner.body, &[inner.index], Some(inner));
        for &sink in &sinks {
            if let Some(function) = facts::function_of(self.stores[&sink].0) {
                for value in self.free_values(&function.body, &function.params, None) {
                    if !inputs.contains(&value) {
                        inputs.push(value);
                    }
                }
            }
        }
        let faults = self.block_faults(&inner.body);
        let needs_context = self.needs_context(&inner.body);
        let mut scope = self.function_scope(&inputs);
        scope.is_dispatched = is_dispatched;
        scope.hold_by_reference(sinks.iter().copied());
        let needs_first = reads_index(inner);
        // Told anew, so that the compiler knows what a checked index is below.
        let (lengths, passed): (Vec<Value>, Vec<Value>) = inputs.iter().partition(|value| {
            self.lengths
                .get(value)
                .is_some_and(|vector| inputs.contains(vector) && !self.rows.contains(vector))
        });
        let lengths = lengths.iter().map(|length| {
            let (name, vector) = (names::value(*length), names::value(self.lengths[length]));
            quote!(let #name = #vector.len() as i64;)
        });

        let mut params = Vec::new();
        if needs_context {
            let context = self.p.context();
            params.push(quote!(cx: &#context));
        }
        if needs_first {
            params.push(quote!(first: usize));
        }
        params.push(quote!(n: usize));
        for &sink in &sinks {
            for (name, ty) in self.parts(Of::State, sink).iter().zip(self.state_types(sink)) {
                params.push(quote!(#name: &mut #ty));
            }
        }
        for &vector in &inner.columns {
            let element = types::owned(self.p, self.ty(vector).element().expect("columns are vectors"));
            let column = names::column(vector, inner.index);
            params.push(quote!(#column: &[#element]));
        }
        params.extend(self.parameters(&passed));
        let lengths = quote!(#(#lengths)*);

        let body = match inner.block {
            Some(block) => self.blocked_loop(inner, block, &inputs),
            None if inner.strips() == Strips::Short => {
                let cut = inner.columns.iter().map(|&vector| {
                    let column = names::column(vector, inner.index);
                    quote!(let #column = &#column[strip..strip + n];)
                });
                let cut = quote!(#(#cut)*);
                let body = self.plain_loop(&mut scope, inner, Some(quote!(first + strip)), &quote!(n));
                let ok = self.p.ok();
                quote!(cx.outer_strips(n, #[inline(always)] |strip, n| { #cut #body #ok(()) })?;)
            }
            None => {
                let cut = inner.columns.iter().map(|&vector| {
                    let column = names::column(vector, inner.index);
                    quote!(let #column = &#column[..n];)
                });
                let cut = quote!(#(#cut)*);
                let feeds_buckets = inner.feeds.is_some_and(|sink| self.store(sink).kind.is_buckets());
                let body = match inner.rows {
                    Some(rows) => self.scatter_loop(inner, rows, &inputs),
                    None if feeds_buckets => self.keyed_loop(inner, &inputs),
                    None => self.plain_loop(&mut scope, inner, Some(quote!(first)), &quote!(n)),
                };
                quote!(#cut #body)
            }
        };
        let (output, end) = match faults {
            true => {
                let (output, end) = self.fallible(true, quote!(()), quote!(()));
                (quote!(-> #output), end)
            }
            false => (TokenStream::new(), TokenStream::new()),
        };
        // In registers of their own: of a state behind a reference, the compiler must load what a merge may have written.
        let cursors = sinks.iter().filter_map(|&sink| {
            let state = names::store(Of::State, sink);
            let kind = &self.store(sink).kind;
            if kind.is_direct() {
                return Some(quote!(let #state = &mut #state.cursor(cx)?;));
            }
            let is_scatter = matches!(kind, StoreKind::Scatter { .. });
            (is_scatter || self.is_part(sink)).then(|| quote!(let #state = &mut #state.cursor();))
        });
        let expected = sinks.iter().filter(|&&sink| self.store(sink).kind.is_buckets()).map(|&sink| {
            let state = names::store(Of::State, sink);
            quote!(#state.expect(cx, n)?;)
        });
        let expected = quote!(#(#expected)*);
        let allow = super::allow_parameters(params.len());
        let item = quote! {
            #allow
            #[inline(always)]
            fn #name(#(#params),*) #output {
                #lengths
                #(#cursors)*
                #expected
                #body
                #end
            }
        };
        LoopFunction {
            item,
            columns: inner.columns.clone(),
            inputs: passed,
            sinks,
            faults,
            needs_context,
            needs_first,
        }
    }

    /// `for k in 0..n { … }`, with the columns bound already. Its range starts at `first`, or at 0; of one whose first iterations are
    /// folded in order, these.
    pub(super) fn plain_loop(
        &mut self,
        scope: &mut Scope,
        inner: &Loop,
        first: Option<TokenStream>,
        n: &TokenStream,
    ) -> TokenStream {
        let position = names::position(inner.index);
        let asked = inner.keys_ahead.iter().map(|keys| (keys.sink, position.clone()));
        self.keys_ahead.extend(asked);
        let steps = scope.in_body(|scope| {
            scope.bind(inner.index, &Type::I64);
            scope.add_columns(&inner.columns, inner.index);
            self.steps(scope, &inner.body)
        });
        let prefetches = self.prefetches_one_by_one(inner, &quote!(#position));
        let keys_ahead = self.p.keys_ahead();
        let hashes = inner.keys_ahead.iter().map(|keys| {
            let hashes = names::hashes(keys.sink);
            quote!(let mut #hashes = #keys_ahead::new();)
        });
        let hash = inner.keys_ahead.iter().map(|keys| {
            let (hashes, column) = (names::hashes(keys.sink), names::column(keys.column, inner.index));
            let state = names::store(Of::State, keys.sink);
            quote!(#hashes.ask(#state, #column, #position);)
        });
        let few = inner.in_order.filter(|_| self.in_order == Some(inner.index));
        let end = few.map(|few| {
            let few = Literal::u32_unsuffixed(few);
            quote!(if #position == #few { break; })
        });
        let index = match first {
            Some(first) => quote!((#first + #position)),
            None => quote!(#position),
        };
        let index = self.index(inner, index);
        quote! {
            #(#hashes)*
            for #position in 0..#n {
                #end
                #prefetches
                #(#hash)*
                #index
                #steps
            }
        }
    }

    /// `prefetch_element(c1_2, k2);` for the columns that iteration `position` asks the memory for.
    pub(super) fn prefetches_one_by_one(&self, inner: &Loop, position: &TokenStream) -> TokenStream {
        let prefetches = inner.ahead.iter().map(|&vector| {
            let column = names::column(vector, inner.index);
            let prefetch = match self.ty(vector).element() {
                Some(Type::Vec(_)) => self.p.prefetch_row(),
                _ => self.p.prefetch_element(),
            };
            quote!(#prefetch(#column, #position);)
        });
        quote!(#(#prefetches)*)
    }

    /// `let v2 = … as i64;`, if the body reads the index.
    fn index(&self, inner: &Loop, value: TokenStream) -> Option<TokenStream> {
        let name = names::value(inner.index);
        reads_index(inner).then(|| quote!(let #name = #value as i64;))
    }

    /// The values that `block` reads and neither binds nor is given as `params`, constants aside, in order of first use. The
    /// columns of `own`, whose body this is, do not count where they are read as such.
    pub(super) fn free_values(&self, block: &Block, params: &[Value], own: Option<&Loop>) -> Vec<Value> {
        let exempt = |step: &Step| own.is_some_and(|own| reads_column(own, step));
        let mut free = facts::free_values(block, params, exempt);
        free.retain(|value| !self.consts.contains_key(value));
        free
    }

    /// Whether `block` uses the context: it can be cancelled, or allocates.
    pub(super) fn needs_context(&self, block: &Block) -> bool {
        let needs = |function: &Function| self.function_needs_context(function);
        let allocates = |store: &Store| match &store.kind {
            StoreKind::Accumulate { .. } => false,
            StoreKind::Fold { ty, .. } => !ty.is_scalars(),
            StoreKind::Collect { .. } | StoreKind::Table { .. } | StoreKind::Scatter { .. } => true,
        };
        let mut found = false;
        facts::for_each_step(block, &mut |step| {
            found |= match step {
                Step::Iterate { .. } | Step::Sort { .. } => true,
                Step::Nest(nest) => nest.asks() || nest.stores.iter().any(allocates),
                Step::Merge(merge) => {
                    self.merge_allocates(merge)
                        || facts::function_of(self.store(merge.sink)).is_some_and(needs)
                }
                Step::Bind { op, .. } => self.op_allocates(op),
                Step::If { results, .. } => results.iter().any(|&result| self.can_be_copied(result)),
                Step::For(_) => true,
            };
        });
        found
    }
}

pub(super) fn is_column(inner: &Loop, vector: Value, index: Value) -> bool {
    index == inner.index && inner.columns.contains(&vector)
}

/// Runs a loop over `extent` in strips: `body` gives a `Result` and reads `first` and `n`.
fn in_strips(inner: &Loop, extent: &TokenStream, body: &TokenStream) -> TokenStream {
    let strips = match inner.strips() {
        Strips::Long => quote!(strips),
        Strips::Rows => quote!(rows_strips),
        Strips::Short => quote!(outer_strips),
    };
    // Compiled for the CPU at hand only where it is inlined into what is.
    quote!(cx.#strips(#extent, #[inline(always)] |first, n| #body)?;)
}

/// Whether `step`, of the body of `inner`, reads a column at its index.
fn reads_column(inner: &Loop, step: &Step) -> bool {
    matches!(step, Step::Bind { op: Op::At(vector, index), .. } if is_column(inner, *vector, *index))
}

/// Whether the body of `inner` reads its index for more than columns.
pub(super) fn reads_index(inner: &Loop) -> bool {
    facts::free_values(&inner.body, &[], |step| reads_column(inner, step)).contains(&inner.index)
}

/// The sinks that `block` merges into and that belong to nests around it, in order of first merge.
fn sinks_of(block: &Block) -> Vec<Sink> {
    let (mut sinks, mut own) = (Vec::new(), HashSet::new());
    facts::for_each_step(block, &mut |step| match step {
        Step::Nest(nest) => own.extend(nest.stores.iter().map(|store| store.sink)),
        Step::Merge(merge) if !sinks.contains(&merge.sink) => sinks.push(merge.sink),
        _ => {}
    });
    sinks.retain(|sink| !own.contains(sink));
    sinks
}
