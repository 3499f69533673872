//! Nests: loops that are split over cores, and those that run where they stand.
//!
//! ```text
//! let v7: f64 = {
//!     #[inline(always)]
//!     fn nest0(n: usize, s0_0: &mut [f64; 16], c0_2: &[f64]) { … }
//!     let t0_0 = drive::totals(
//!         cx,
//!         v1,
//!         Plan { piece: 16384, unit: Unit::Any },
//!         -0.0f64,
//!         |piece| {
//!             let mut s0_0 = [-0.0f64; 16];
//!             dispatch(cx.level(), #[inline(always)] |_| nest0(piece.end - piece.start, &mut s0_0, …));
//!             Ok(fold::lanes(fold::Add, s0_0))
//!         },
//!         |t0_0, p0_0| {
//!             *t0_0 += p0_0;
//!             Ok(())
//!         },
//!     )?;
//!     fold::finish(fold::Add, None, t0_0)
//! };
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::Empty;

use super::block::one_or_tuple;
use super::names::Of;
use super::scope::Scope;
use super::store::{Life, life};
use super::{Emitter, names, own_loop};
use crate::loops::facts::{self, Units};
use crate::loops::{Loop, Nest, Run, Schedule, Store, StoreKind};

impl Emitter<'_> {
    pub(super) fn nest(&mut self, scope: &mut Scope, nest: &Nest) -> TokenStream {
        let functions: Vec<_> = nest
            .stores
            .iter()
            .filter_map(|store| Some((names::function(store.sink), facts::function_of(store)?)))
            .map(|(name, function)| self.function(&name, function))
            .collect();
        let functions = quote!(#(#functions)*);
        let value = match (&nest.run, nest.schedule) {
            (Run::Over(inner), Schedule::Pieces { piece, segment }) => {
                self.pieces(scope, nest, inner, functions, piece, segment)
            }
            _ => self.serial(scope, nest, functions),
        };
        for store in &nest.stores {
            scope.bind(store.result, self.ty(store.result));
        }
        let results: Vec<_> = nest.stores.iter().map(|store| store.result).collect();
        let binding = self.binding(scope, &results);
        quote!(let #binding = #value;)
    }

    /// Whether a nest can end in a fault.
    pub(super) fn nest_faults(&self, nest: &Nest) -> bool {
        let store_faults = |store: &Store| match &store.kind {
            StoreKind::Accumulate { init: None, empty: Empty::Fault, .. } => true,
            StoreKind::Fold { init: None, .. } => true,
            StoreKind::Fold { ty, .. } if !ty.is_scalars() => true,
            StoreKind::Collect { .. } | StoreKind::Table { .. } | StoreKind::Scatter { .. } => true,
            _ => facts::function_of(store).is_some_and(|function| self.function_faults(function)),
        };
        nest.asks() || nest.stores.iter().any(store_faults) || self.block_faults(nest.run.body())
    }

    fn pieces(
        &mut self,
        scope: &mut Scope,
        nest: &Nest,
        inner: &Loop,
        functions: TokenStream,
        piece: u64,
        segment: Option<u64>,
    ) -> TokenStream {
        let p = self.p;
        let name = names::nest(nest.id);
        let function = self.loop_function(&name, inner, true);
        let wholes: Vec<_> = nest.stores.iter().filter_map(|store| self.whole(scope, nest, store)).collect();
        let (of_pieces, of_units): (Vec<_>, Vec<_>) =
            nest.stores.iter().partition(|store| life(store) == Life::Piece);
        scope.hold_by_reference(of_units.iter().map(|store| store.sink));

        let starts = nest.stores.iter().flat_map(|store| self.total_starts(scope, store));
        let starts = one_or_tuple(starts.collect());
        let all_totals = nest.stores.iter().flat_map(|store| self.totals(store.sink));
        let all_totals: Vec<_> = all_totals.map(|total| quote!(#total)).collect();
        let bind = (!all_totals.is_empty()).then(|| {
            let all_totals = one_or_tuple(all_totals);
            quote!(let #all_totals =)
        });
        // The totals, as a function that has to do with stores of one life takes them.
        let totals_of = |wanted: Life| {
            let of_store = |store: &Store| {
                let totals = self.totals(store.sink).into_iter();
                totals.map(|total| if life(store) == wanted { quote!(#total) } else { quote!(_) }).collect()
            };
            one_or_tuple(nest.stores.iter().flat_map::<Vec<_>, _>(of_store).collect())
        };
        let parts = |of: Of, stores: &[&Store]| {
            let parts = stores.iter().flat_map(|store| self.parts(of, store.sink));
            one_or_tuple(parts.map(|part| quote!(#part)).collect())
        };

        let columns = function.columns.iter().map(|&vector| {
            let vector = names::value(vector);
            quote!(&#vector[piece.start..piece.end])
        });
        let range = (quote!(piece.start), quote!(piece.end - piece.start));
        let call = self.call(&name, &function, scope, range, columns.collect());
        let (item, dispatch, ok) = (function.item, p.dispatch(), p.ok());
        let call = quote!(#dispatch(cx.level(), #[inline(always)] |_| #call));
        let call = match (function.faults, of_pieces.is_empty()) {
            (true, true) => call,
            (true, false) => quote!(#call?;),
            (false, _) => quote!(#call;),
        };
        let piece_states = of_pieces.iter().map(|store| self.own_states(store, &TokenStream::new(), None));
        let piece_totals = of_pieces.iter().flat_map(|store| self.piece_totals(store.sink));
        let piece_totals = one_or_tuple(piece_totals.collect());
        let adds = of_pieces.iter().map(|store| self.add_piece(scope, store.sink));
        let (totals, pieces) = (totals_of(Life::Piece), parts(Of::Piece, &of_pieces));
        let update = match (function.faults, of_pieces.is_empty()) {
            (true, true) => call,
            _ => quote!(#(#piece_states)* #call #ok(#piece_totals)),
        };
        let add = quote!(|#totals, #pieces| { #(#adds)* #ok(()) });

        let (states, unit_starts) = (parts(Of::State, &of_units), self.unit_starts(nest, &of_units));
        let merges = of_units.iter().map(|store| self.merge_unit(scope, store.sink));
        let totals = totals_of(Life::Unit);
        let merge = quote!(|#totals, #states| { #(#merges)* #ok(()) });

        let (driver, plan, parts) = if nest.is_open() {
            // Who has met many keys leaves its memory to others soon.
            let met = of_units.iter().filter(|store| store.kind.is_buckets());
            let met: Vec<_> = met.map(|store| names::whole(store.sink)).collect();
            let goes_on = if met.is_empty() { quote!(|_| true) } else { quote!(|_| #(!#met.met())&&*) };
            let piece = Literal::u64_unsuffixed(piece);
            let parts = quote!(#unit_starts, |#states, piece| { #update }, #add, #goes_on, #merge);
            (p.drive_open(), quote!(#piece), parts)
        } else {
            let (driver, parts) = match (of_pieces.is_empty(), of_units.is_empty()) {
                (_, true) => (p.drive_totals(), quote!(|piece| { #update }, #add)),
                (true, false) => {
                    (p.drive_states(), quote!(#unit_starts, |#states, piece| { #update }, #merge))
                }
                (false, false) => {
                    (p.drive_run(), quote!(#unit_starts, |#states, piece| { #update }, #add, #merge))
                }
            };
            (driver, self.plan(nest, piece, segment), parts)
        };
        let extent = self.name(inner.extent);
        let finished = nest.stores.iter().map(|store| self.finish(scope, nest, store));
        let finished = value_of_block(finished.collect());
        quote! {{
            #functions
            #item
            #(#wholes)*
            #bind #driver(cx, #extent, #plan, #starts, #parts)?;
            #finished
        }}
    }

    /// `Plan { piece: 16384, unit: Unit::Any }`
    fn plan(&self, nest: &Nest, piece: u64, segment: Option<u64>) -> TokenStream {
        let (plan, unit, some, none) = (self.p.plan(), self.p.unit(), self.p.some(), self.p.none());
        let piece = Literal::u64_unsuffixed(piece);
        let unit = match (nest.units(), segment.map(Literal::u64_unsuffixed)) {
            (Units::Any | Units::Open, _) => quote!(#unit::Any),
            (Units::Short, _) => quote!(#unit::Short),
            (Units::Segments, None) => quote!(#unit::Segment(#none)),
            (Units::Segments, Some(segment)) => quote!(#unit::Segment(#some(#segment))),
        };
        quote!(#plan { piece: #piece, unit: #unit })
    }

    /// `|unit| (x0.part(unit), Vec::new())`: the states of a unit at its start; `|| …` if its end is open.
    fn unit_starts(&self, nest: &Nest, stores: &[&Store]) -> TokenStream {
        let takes_range =
            |store: &&Store| self.is_part(store.sink) || matches!(store.kind, StoreKind::Scatter { .. });
        let last = stores.iter().rposition(takes_range);
        let clone = self.p.clone();
        let starts = stores.iter().enumerate().flat_map(|(i, store)| {
            let range = if Some(i) == last { quote!(unit) } else { quote!(#clone::clone(&unit)) };
            self.state_starts(store.sink, &range, None)
        });
        let starts = one_or_tuple(starts.collect());
        let unit = match last {
            Some(_) => quote!(unit),
            None if nest.is_open() => quote!(),
            None => quote!(_),
        };
        quote!(|#unit| #starts)
    }

    fn serial(&mut self, scope: &mut Scope, nest: &Nest, functions: TokenStream) -> TokenStream {
        let p = self.p;
        let extent = own_loop(nest).map(|inner| inner.extent);
        let extent = extent.map(|extent| self.as_usize(extent));
        let range = match &extent {
            Some(extent) => quote!(0..#extent),
            None => quote!(0..usize::MAX),
        };
        // Code outside of split loops is compiled for the CPU at hand here.
        let faults = self.nest_faults(nest);
        let is_dispatched = std::mem::replace(&mut scope.is_dispatched, true);
        let emit = |scope: &mut Scope| {
            let wholes = nest.stores.iter().filter_map(|store| self.whole(scope, nest, store));
            let mut states = quote!(#(#wholes)*);
            for store in &nest.stores {
                states.extend(self.own_states(store, &range, extent.as_ref()));
            }
            // What a fold starts with is read again when it has ended.
            let inits = nest.stores.iter().filter_map(|store| store.kind.init());
            let run = scope.in_block(inits, |scope| match &nest.run {
                Run::Once(block) => self.steps(scope, block),
                Run::Over(inner) if nest.schedule == Schedule::Few => self.short_loop(scope, inner),
                Run::Over(inner) if inner.in_order.is_some() => self.loop_in_order(scope, nest, inner),
                Run::Over(inner) => self.inner_loop(scope, inner),
            });
            let finished = nest.stores.iter().map(|store| self.finish_serial(scope, nest, store));
            (quote!(#functions #states #run), finished.collect::<Vec<_>>())
        };
        let (body, finished) = if is_dispatched { scope.in_block([], emit) } else { scope.in_closure(emit) };
        scope.is_dispatched = is_dispatched;
        if is_dispatched {
            let finished = value_of_block(finished);
            return quote!({ #body #finished });
        }
        let finished = one_or_tuple(finished);
        let results: Vec<_> = nest.stores.iter().map(|store| self.owned_type(store.result)).collect();
        let (output, value) = self.fallible(faults, one_or_tuple(results), finished);
        let dispatch = p.dispatch();
        let again = faults.then(|| quote!(?));
        quote!(#dispatch(cx.level(), #[inline(always)] |_| -> #output { #body #value }) #again)
    }

    /// `let mut s0_0 = …;`
    fn own_states(&self, store: &Store, range: &TokenStream, extent: Option<&TokenStream>) -> TokenStream {
        let states = self.parts(Of::State, store.sink).into_iter();
        let states = states.zip(self.state_starts(store.sink, range, extent));
        let states = states.map(|(state, start)| quote!(let mut #state = #start;));
        quote!(#(#states)*)
    }
}

/// What stands at the end of a block whose value is all of these: nothing for none, as when a loop only asserts.
fn value_of_block(values: Vec<TokenStream>) -> TokenStream {
    if values.is_empty() { TokenStream::new() } else { one_or_tuple(values) }
}
