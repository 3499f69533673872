//! Nests: loops that are split over cores, and those that run where they stand.
//!
//! ```text
//! let v7: f64 = {
//!     #[inline(always)]
//!     fn nest0(first: usize, n: usize, s0_0: &mut [f64; 16], c0_2: &[f64]) { … }
//!     let total = run(cx, v1, Plan { piece: 16384, unit: Unit::Any }, ((-0f64,),), |unit| (), |state, piece| {
//!         let mut o0_0 = [-0f64; 16];
//!         let s0_0 = &mut o0_0;
//!         dispatch(cx.level(), #[inline(always)] |_| nest0(piece.start, piece.len(), s0_0, &v0[piece.clone()]));
//!         Ok(((lanes(Add, *s0_0),),))
//!     }, |total, part| { … }, |total, state| { … })?;
//!     finish(Add, None, total.0.0)
//! };
//! ```

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::Empty;

use super::block::one_or_tuple;
use super::scope::Scope;
use super::store::{Life, life};
use super::{Emitter, names, own_loop, types};
use crate::loops::{Loop, Nest, Run, Schedule, Store, StoreKind, facts};

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
            _ => facts::function_of(store).is_some_and(|function| self.block_faults(&function.body)),
        };
        nest.schedule != Schedule::Serial
            || nest.stores.iter().any(store_faults)
            || self.block_faults(nest.run.body())
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
        let extent = names::value(inner.extent);
        let name = names::nest(nest.id);
        let function = self.loop_function(&name, inner, true);

        let wholes = nest.stores.iter().filter_map(|store| self.whole(scope, nest, store));
        let wholes = quote!(#(#wholes)*);
        let plan = {
            let (plan, unit) = (p.plan(), p.unit());
            let piece = Literal::u64_unsuffixed(piece);
            let unit = match (nest.is_segmented(), segment) {
                (false, _) => quote!(#unit::Any),
                (true, None) => {
                    let none = p.none();
                    quote!(#unit::Segment(#none))
                }
                (true, Some(segment)) => {
                    let (some, segment) = (p.some(), Literal::u64_unsuffixed(segment));
                    quote!(#unit::Segment(#some(#segment)))
                }
            };
            quote!(#plan { piece: #piece, unit: #unit })
        };

        // The number of each store among those of its life, and among all.
        let of_life = |wanted: Life| nest.stores.iter().filter(move |store| life(store) == wanted);
        let all_of = |part: &Store| {
            let number = nest.stores.iter().position(|store| store.sink == part.sink).expect("its own store");
            let number = Literal::usize_unsuffixed(number);
            quote!(total.#number)
        };
        let starts = nest.stores.iter().map(|store| self.total_start(store.sink));
        let starts = quote!((#(#starts,)*));

        let mut unit_starts = Vec::new();
        for store in of_life(Life::Unit) {
            unit_starts.extend(self.state_starts(store.sink));
        }
        let unit_names: Vec<Ident> =
            of_life(Life::Unit).flat_map(|store| self.state_names(store.sink)).collect();
        let mut piece_starts = TokenStream::new();
        for store in of_life(Life::Piece) {
            piece_starts.extend(self.own_states(store));
        }
        let totals = of_life(Life::Piece).map(|store| {
            let totals = self.piece_totals(store.sink);
            quote!((#(#totals,)*))
        });
        let totals = quote!((#(#totals,)*));
        let columns = function.columns.iter().map(|&vector| {
            let vector = names::value(vector);
            quote!(&#vector[piece.clone()])
        });
        let call = self.call(&name, &function, scope, quote!(piece.start, piece.len()), columns.collect());
        let again = function.faults.then(|| quote!(?));
        let item = function.item;

        let adds = of_life(Life::Piece).enumerate().map(|(i, store)| {
            let i = Literal::usize_unsuffixed(i);
            self.add_piece(scope, store.sink, all_of(store), quote!(part.#i))
        });
        let adds = quote!(#(#adds)*);
        let merges = of_life(Life::Unit).enumerate().map(|(i, store)| {
            let i = Literal::usize_unsuffixed(i);
            self.merge_unit(scope, store.sink, all_of(store), quote!(state.#i))
        });
        let merges = quote!(#(#merges)*);
        let mut finished = Vec::new();
        for store in &nest.stores {
            let total = all_of(store);
            finished.push(self.finish(scope, nest, store, total));
        }
        let finished = one_or_tuple(finished);
        let (run, dispatch, ok) = (p.drive_run(), p.dispatch(), p.ok());
        quote! {{
            #functions
            #item
            #wholes
            let total = #run(
                cx,
                #extent,
                #plan,
                #starts,
                |unit| (#(#unit_starts,)*),
                |state, piece| {
                    let (#(#unit_names,)*) = state;
                    #piece_starts
                    #dispatch(cx.level(), #[inline(always)] |_| #call) #again;
                    #ok(#totals)
                },
                |total, part| {
                    #adds
                    #ok(())
                },
                |total, state| {
                    #merges
                    #ok(())
                },
            )?;
            #finished
        }}
    }

    fn serial(&mut self, scope: &mut Scope, nest: &Nest, functions: TokenStream) -> TokenStream {
        let p = self.p;
        let extent = own_loop(nest).map(|inner| inner.extent);
        let length = match extent.map(names::value) {
            Some(extent) => quote!(let n = #extent as usize;),
            None => quote!(let n = usize::MAX;),
        };
        // Code outside of split loops is compiled for the CPU at hand here.
        let faults = self.nest_faults(nest);
        let mut inside = if scope.is_dispatched { scope.clone() } else { scope.inside_loop() };
        inside.is_dispatched = true;
        let wholes = nest.stores.iter().filter_map(|store| self.whole(&inside, nest, store));
        let mut states = quote!(#(#wholes)*);
        for store in &nest.stores {
            states.extend(self.own_states(store));
        }
        let run = match &nest.run {
            Run::Once(block) => self.steps(&mut inside.clone(), block),
            Run::Over(inner) => self.inner_loop(&mut inside.clone(), inner),
        };
        let mut finished = Vec::new();
        for store in &nest.stores {
            finished.push(self.finish_serial(&inside, nest, store));
        }
        let finished = one_or_tuple(finished);
        let body = quote!(#functions #length #states #run);
        if scope.is_dispatched {
            return quote!({ #body #finished });
        }
        let results: Vec<_> =
            nest.stores.iter().map(|store| types::owned(p, self.ty(store.result))).collect();
        let (output, value) = self.fallible(faults, one_or_tuple(results), finished);
        let dispatch = p.dispatch();
        let again = faults.then(|| quote!(?));
        quote!(#dispatch(cx.level(), #[inline(always)] |_| -> #output { #body #value }) #again)
    }

    /// `let mut o0_0 = …; let s0_0 = &mut o0_0;`
    fn own_states(&self, store: &Store) -> TokenStream {
        let names = self.state_names(store.sink);
        let starts = self.state_starts(store.sink);
        let states = names.iter().zip(starts).enumerate().map(|(i, (name, start))| {
            let own = names::own(store.sink, i);
            quote!(let mut #own = #start; let #name = &mut #own;)
        });
        quote!(#(#states)*)
    }
}
