//! Stores: the state that each one has while its nest runs, and what becomes of it.
//!
//! | store | state `s0` | of a piece | of a unit | in all |
//! |---|---|---|---|---|
//! | accumulate | `s0_0: [T; L]` per leaf, `s0_seen: [bool; 1]` | the folded lanes | | the same |
//! | fold | `Option<T>` | the same | | the same |
//! | collect, exact or at most | `Part<T>` (`Vec<T>` if serial) | | the same | `()` |
//! | collect | `Vec<T>` | | the same | a `Vec` of them |
//! | table | `Table<K, V>` | | the same | an `Option` of it |
//! | scatter | a part of a `Scatter<T>` | | the same | `()` |
//! | groups | `Groups<K, T>` | | the same | `Units<K, T>` |

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{Empty, ReduceOp, Sink, Value};
use weldment_runtime::types::Type;

use super::scope::Scope;
use super::{Emitter, names, own_loop, types};
use crate::loops::{Keyed, Lane, Leaf, Length, Merge, Nest, Schedule, Seen, Store, StoreKind, facts};

/// Whether the state of a store lives as long as a piece or as long as a unit of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Piece,
    Unit,
}

pub(super) fn life(store: &Store) -> Life {
    match store.kind {
        StoreKind::Accumulate { .. } | StoreKind::Fold { .. } => Life::Piece,
        StoreKind::Collect { .. } | StoreKind::Table { .. } | StoreKind::Scatter { .. } => Life::Unit,
    }
}

impl<'a> Emitter<'a> {
    fn store(&self, sink: Sink) -> &'a Store {
        self.stores[&sink].0
    }

    /// Whether the state is a part of a whole vector, whose loop fills it through a cursor.
    pub(super) fn is_part(&self, sink: Sink) -> bool {
        let (store, schedule) = self.stores[&sink];
        matches!(store.kind, StoreKind::Collect { length: Length::Exact | Length::AtMost, .. })
            && schedule != Schedule::Serial
    }

    /// The variables that hold the state of a store, each a `&mut`.
    pub(super) fn state_names(&self, sink: Sink) -> Vec<Ident> {
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let mut state: Vec<_> = (0..leaves.len()).map(|leaf| names::leaf(sink, leaf)).collect();
                if *seen == Seen::Flag {
                    state.push(names::seen(sink));
                }
                state
            }
            _ => vec![names::store(sink)],
        }
    }

    /// The types of what they refer to.
    pub(super) fn state_types(&self, sink: Sink) -> Vec<TokenStream> {
        let p = self.p;
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let array = |leaf: &Leaf| {
                    let (ty, lanes) = (types::scalar(leaf.ty), Literal::u32_unsuffixed(leaf.lanes));
                    quote!([#ty; #lanes])
                };
                let mut state: Vec<_> = leaves.iter().map(array).collect();
                if *seen == Seen::Flag {
                    state.push(quote!([bool; 1]));
                }
                state
            }
            StoreKind::Fold { ty, .. } => {
                let (option, ty) = (p.option(), types::owned(p, ty));
                vec![quote!(#option<#ty>)]
            }
            StoreKind::Collect { ty, .. } => {
                let ty = types::owned(p, ty);
                let (part, vec) = (p.part(), p.vec());
                vec![if self.is_part(sink) { quote!(#part<'_, #ty>) } else { quote!(#vec<#ty>) }]
            }
            StoreKind::Table { key, value, what: Keyed::Group, .. } => {
                let (groups, key, value) = (p.groups(), types::owned(p, key), types::owned(p, value));
                vec![quote!(#groups<#key, #value>)]
            }
            StoreKind::Table { key, value, what, .. } => {
                let (table, key) = (p.table(), types::owned(p, key));
                let value = self.entry_type(value, what);
                vec![quote!(#table<#key, #value>)]
            }
            StoreKind::Scatter { ty, .. } => {
                let (part, ty) = (p.scatter_part(), types::owned(p, ty));
                vec![quote!(#part<#ty>)]
            }
        }
    }

    /// What a table keeps for each key.
    fn entry_type(&self, value: &Type, what: &Keyed) -> TokenStream {
        let (option, value) = (self.p.option(), types::owned(self.p, value));
        match what {
            Keyed::Fold(_) => quote!(#option<#value>),
            Keyed::Reduce(_) | Keyed::Group => value,
        }
    }

    /// What the state starts as. What is a part of something whole finds its range in `unit`, or its length in `n`.
    pub(super) fn state_starts(&self, sink: Sink) -> Vec<TokenStream> {
        let p = self.p;
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let array = |leaf: &Leaf| {
                    let neutral = types::constant(leaf.neutral);
                    let lanes = Literal::u32_unsuffixed(leaf.lanes);
                    quote!([#neutral; #lanes])
                };
                let mut state: Vec<_> = leaves.iter().map(array).collect();
                if *seen == Seen::Flag {
                    state.push(quote!([false; 1]));
                }
                state
            }
            StoreKind::Fold { ty, .. } => {
                let (none, ty) = (p.none(), types::owned(p, ty));
                vec![quote!(#none::<#ty>)]
            }
            StoreKind::Collect { ty, length } => {
                let (vec, ty) = (p.vec(), types::owned(p, ty));
                let whole = names::whole(sink);
                vec![match (length, self.stores[&sink].1) {
                    (Length::Exact | Length::AtMost, Schedule::Pieces { .. }) => {
                        quote!(#whole.part(unit.clone()))
                    }
                    (Length::Exact, Schedule::Serial) => quote!(#vec::<#ty>::with_capacity(n)),
                    (Length::AtMost, Schedule::Serial) | (Length::Unknown(_), _) => {
                        quote!(#vec::<#ty>::new())
                    }
                }]
            }
            StoreKind::Table { key, value, what, .. } => vec![self.new_table(key, value, what)],
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                vec![match self.stores[&sink].1 {
                    Schedule::Pieces { .. } => quote!(#whole.part(unit.clone())),
                    Schedule::Serial => quote!(#whole.part(0..n)),
                }]
            }
        }
    }

    /// What is made before the loop runs, and filled by its units: a vector that has its places already.
    pub(super) fn whole(&self, scope: &Scope, nest: &Nest, store: &Store) -> Option<TokenStream> {
        let (p, whole) = (self.p, names::whole(store.sink));
        match &store.kind {
            StoreKind::Collect { ty, length: length @ (Length::Exact | Length::AtMost) }
                if self.is_part(store.sink) =>
            {
                let places = if *length == Length::Exact { p.exact() } else { p.at_most() };
                let (ty, extent) = (types::owned(p, ty), names::value(own_loop(nest)?.extent));
                Some(quote!(let #whole = #places::<#ty>::new(#extent)?;))
            }
            StoreKind::Scatter { ty, op, init } => {
                let (scatter, rounding) = (p.scatter(), p.rounding());
                let is_exact = ty.leaves().is_some_and(|leaves| leaves.iter().all(|&ty| op.is_exact(ty)));
                let rounding = if is_exact { quote!(#rounding::Exact) } else { quote!(#rounding::Rounds) };
                let (op, init) =
                    (self.operator(*op), scope.own(p, *init, self.ty(*init), &others(nest, store)));
                Some(quote!(let #whole = #scatter::new(#op, #init, #rounding);))
            }
            _ => None,
        }
    }

    fn new_table(&self, key: &Type, value: &Type, what: &Keyed) -> TokenStream {
        let p = self.p;
        let (table, key, entry) = (p.table(), types::owned(p, key), self.entry_type(value, what));
        match what {
            Keyed::Reduce(op) => {
                let (op, operator) = (self.operator(*op), p.operator());
                quote!(#table::<#key, #entry>::new(<#op as #operator<#entry>>::neutral(#op)))
            }
            Keyed::Fold(_) => {
                let none = p.none();
                quote!(#table::<#key, #entry>::new(#none))
            }
            Keyed::Group => {
                let groups = p.groups();
                quote!(#groups::<#key, #entry>::new())
            }
        }
    }

    /// `fold::Add`
    fn operator(&self, op: ReduceOp) -> TokenStream {
        let fold = self.p.fold();
        let name = quote::format_ident!("{op:?}");
        quote!(#fold::#name)
    }

    /// What a piece adds: the fold of the lanes, or the state itself.
    pub(super) fn piece_totals(&self, sink: Sink) -> Vec<TokenStream> {
        match &self.store(sink).kind {
            StoreKind::Accumulate { op, .. } => {
                let (fold, operator) = (self.p.fold(), self.operator(*op));
                let fold_lanes = |name: Ident| quote!(#fold::lanes(#operator, *#name));
                let mut totals: Vec<_> = self.state_names(sink).into_iter().map(fold_lanes).collect();
                if self.has_flag(sink) {
                    totals.pop();
                    let seen = names::seen(sink);
                    totals.push(quote!(#seen[0]));
                }
                totals
            }
            StoreKind::Fold { .. } => {
                let name = names::store(sink);
                vec![quote!(#name.take())]
            }
            _ => unreachable!("states of units have no totals"),
        }
    }

    fn has_flag(&self, sink: Sink) -> bool {
        matches!(self.store(sink).kind, StoreKind::Accumulate { seen: Seen::Flag, .. })
    }

    /// What is known of all pieces before the first.
    pub(super) fn total_start(&self, sink: Sink) -> TokenStream {
        let p = self.p;
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let leaves = leaves.iter().map(|leaf| types::constant(leaf.neutral));
                let seen = (*seen == Seen::Flag).then(|| quote!(false));
                quote!((#(#leaves,)* #seen))
            }
            StoreKind::Fold { ty, .. } => {
                let (none, ty) = (p.none(), types::owned(p, ty));
                quote!((#none::<#ty>,))
            }
            StoreKind::Collect { length: Length::Exact | Length::AtMost, .. } => quote!(()),
            StoreKind::Collect { ty, .. } => {
                let (vec, ty) = (p.vec(), types::owned(p, ty));
                quote!(#vec::<#vec<#ty>>::new())
            }
            StoreKind::Table { what: Keyed::Group, .. } => {
                let units = p.group_units();
                quote!(#units::new())
            }
            StoreKind::Table { .. } => {
                let (none, ty) = (p.none(), self.state_types(sink).remove(0));
                quote!(#none::<#ty>)
            }
            StoreKind::Scatter { .. } => quote!(()),
        }
    }

    /// Adds `part`, of the piece that comes next, to `total`.
    pub(super) fn add_piece(
        &self,
        scope: &Scope,
        sink: Sink,
        total: TokenStream,
        part: TokenStream,
    ) -> TokenStream {
        match &self.store(sink).kind {
            StoreKind::Accumulate { op, leaves, seen, .. } => {
                let (operator, op) = (self.p.operator(), self.operator(*op));
                let mut adds: Vec<_> = (0..leaves.len())
                    .map(|leaf| {
                        let leaf = Literal::usize_unsuffixed(leaf);
                        quote!(#total.#leaf = #operator::apply(#op, #total.#leaf, #part.#leaf);)
                    })
                    .collect();
                if *seen == Seen::Flag {
                    let flag = Literal::usize_unsuffixed(leaves.len());
                    adds.push(quote!(#total.#flag |= #part.#flag;));
                }
                quote!(#(#adds)*)
            }
            StoreKind::Fold { .. } => {
                let some = self.p.some();
                let combined = self.fold_into(scope, sink, quote!(#total.0), quote!(part));
                quote! {
                    if let #some(part) = #part.0 {
                        #combined
                    }
                }
            }
            _ => unreachable!("states of units have no totals"),
        }
    }

    /// `place`, an `Option`, becomes what the store's function makes of it and `value`.
    fn fold_into(&self, scope: &Scope, sink: Sink, place: TokenStream, value: TokenStream) -> TokenStream {
        let (option, some, none) = (self.p.option(), self.p.some(), self.p.none());
        let call = self.call_function(scope, sink, quote!(before), value.clone());
        quote! {
            #place = #some(match #option::take(&mut #place) {
                #some(before) => #call,
                #none => #value,
            });
        }
    }

    /// The store's function applied.
    fn call_function(&self, scope: &Scope, sink: Sink, a: TokenStream, b: TokenStream) -> TokenStream {
        let function = facts::function_of(self.store(sink)).expect("a store with a function");
        let captures = super::run::free_values(&function.body, &function.params, None);
        let captures = captures.into_iter().map(|value| scope.pass(value, self.ty(value)));
        let name = names::function(sink);
        let again = self.block_faults(&function.body).then(|| quote!(?));
        quote!(#name(#(#captures,)* #a, #b)#again)
    }

    /// Adds `state`, of the unit that comes next, to `total`.
    pub(super) fn merge_unit(
        &self,
        scope: &Scope,
        sink: Sink,
        total: TokenStream,
        state: TokenStream,
    ) -> TokenStream {
        let (some, none, ok) = (self.p.some(), self.p.none(), self.p.ok());
        match &self.store(sink).kind {
            StoreKind::Collect { length: Length::Exact, .. } => quote!(#state.done();),
            StoreKind::Collect { length: Length::AtMost, .. } => {
                let whole = names::whole(sink);
                quote!(#whole.merge(#state);)
            }
            StoreKind::Collect { .. } => quote!(#total.push(#state);),
            StoreKind::Table { what: Keyed::Group, .. } => quote!(#total.merge(#state);),
            StoreKind::Table { what, .. } => {
                let combine = match what {
                    Keyed::Reduce(op) => {
                        let (operator, op) = (self.p.operator(), self.operator(*op));
                        quote!(*total = #operator::apply(#op, *total, part);)
                    }
                    _ => {
                        let fold = self.fold_into(scope, sink, quote!(*total), quote!(part));
                        quote!(if let #some(part) = part { #fold })
                    }
                };
                quote! {
                    match &mut #total {
                        #none => #total = #some(#state),
                        #some(total) => total.merge(#state, |total, part| { #combine #ok(()) })?,
                    }
                }
            }
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                quote!(#whole.merge(#state);)
            }
            StoreKind::Accumulate { .. } | StoreKind::Fold { .. } => {
                unreachable!("totals of pieces are no states of units")
            }
        }
    }

    /// The value of a store, from `total`, which is what `total_start` began and is owned.
    pub(super) fn finish(
        &self,
        scope: &Scope,
        nest: &Nest,
        store: &Store,
        total: TokenStream,
    ) -> TokenStream {
        let (p, sink) = (self.p, store.sink);
        let (line, column) = self.place(nest.loc);
        match &store.kind {
            StoreKind::Accumulate { op, ty, leaves, init, empty, seen } => {
                let (fold, operator) = (p.fold(), self.operator(*op));
                let (some, none) = (p.some(), p.none());
                if let (None, Empty::Fault) = (init, empty) {
                    let value = rebuild(ty, &mut |leaf| quote!(#total.#leaf));
                    let seen = match (seen, own_loop(nest)) {
                        (Seen::Extent, Some(inner)) => {
                            let extent = names::value(inner.extent);
                            quote!(#extent > 0)
                        }
                        _ => {
                            let flag = Literal::usize_unsuffixed(leaves.len());
                            quote!(#total.#flag)
                        }
                    };
                    let checked = p.checked();
                    return quote! {
                        #checked::not_empty(if #seen { #some(#value) } else { #none }, #line, #column)?
                    };
                }
                let mut paths = leaf_paths(ty).into_iter();
                rebuild(ty, &mut |leaf| {
                    let path = paths.next().expect("as many paths as leaves");
                    let init = match init {
                        Some(init) => {
                            let init = names::value(*init);
                            quote!(#some(#init #path))
                        }
                        None => quote!(#none),
                    };
                    quote!(#fold::finish(#operator, #init, #total.#leaf))
                })
            }
            StoreKind::Fold { init, .. } => {
                let checked = p.checked();
                match init {
                    Some(init) => {
                        let (some, none) = (p.some(), p.none());
                        let init = scope.own(p, *init, self.ty(*init), &others(nest, store));
                        let call = self.call_function(scope, sink, quote!(init), quote!(total));
                        quote! {{
                            let init = #init;
                            match #total.0 {
                                #some(total) => #call,
                                #none => init,
                            }
                        }}
                    }
                    // A function has no identity: without an initial value nothing is always a fault.
                    None => quote!(#checked::not_empty(#total.0, #line, #column)?),
                }
            }
            StoreKind::Collect { length: Length::Exact | Length::AtMost, .. } => {
                let whole = names::whole(sink);
                quote!(#whole.finish())
            }
            StoreKind::Collect { .. } => {
                let concat = p.concat();
                quote!(#concat(cx, #total)?)
            }
            StoreKind::Table { what: Keyed::Group, .. } => quote!(#total.into_dict()),
            StoreKind::Table { key, value, what, .. } => {
                let (option, new) = (p.option(), self.new_table(key, value, what));
                let dict = quote!(#option::unwrap_or_else(#total, || #new).into_dict());
                self.unwrap_entries(what, dict)
            }
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                quote!(#whole.finish())
            }
        }
    }

    /// The value of a store of a serial nest, from the owned states.
    pub(super) fn finish_serial(&self, scope: &Scope, nest: &Nest, store: &Store) -> TokenStream {
        let sink = store.sink;
        let own = names::own(sink, 0);
        match &store.kind {
            StoreKind::Accumulate { .. } => {
                let (totals, total) = (self.piece_totals_owned(sink), names::store(sink));
                let value = self.finish(scope, nest, store, quote!(#total));
                quote!({ let #total = (#(#totals,)*); #value })
            }
            StoreKind::Fold { .. } => {
                let total = names::store(sink);
                let value = self.finish(scope, nest, store, quote!(#total));
                quote!({ let #total = (#own,); #value })
            }
            StoreKind::Collect { .. } => quote!(#own),
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                quote!({ #whole.merge(#own); #whole.finish() })
            }
            StoreKind::Table { what: Keyed::Group, .. } => {
                let units = self.p.group_units();
                quote!({ let mut units = #units::new(); units.merge(#own); units.into_dict() })
            }
            StoreKind::Table { what, .. } => self.unwrap_entries(what, quote!(#own.into_dict())),
        }
    }

    fn piece_totals_owned(&self, sink: Sink) -> Vec<TokenStream> {
        let StoreKind::Accumulate { op, leaves, .. } = &self.store(sink).kind else { return Vec::new() };
        let (fold, operator) = (self.p.fold(), self.operator(*op));
        let mut totals: Vec<_> = (0..leaves.len())
            .map(|leaf| {
                let own = names::own(sink, leaf);
                quote!(#fold::lanes(#operator, #own))
            })
            .collect();
        if self.has_flag(sink) {
            let own = names::own(sink, leaves.len());
            totals.push(quote!(#own[0]));
        }
        totals
    }

    /// Every entry of a table that folds holds a value.
    fn unwrap_entries(&self, what: &Keyed, dict: TokenStream) -> TokenStream {
        let option = self.p.option();
        match what {
            Keyed::Fold(_) => {
                quote!(#dict.map_values(|entry| #option::expect(entry, "an entry holds a value")))
            }
            _ => dict,
        }
    }

    /// Whether a merge can fault: the function that it calls can, or its index can be outside.
    pub(super) fn merge_faults(&self, merge: &Merge) -> bool {
        let store = self.store(merge.sink);
        matches!(store.kind, StoreKind::Scatter { .. })
            || facts::function_of(store).is_some_and(|function| self.block_faults(&function.body))
    }

    /// A merge outside of blocks.
    pub(super) fn merge(&mut self, scope: &mut Scope, merge: &Merge) -> TokenStream {
        let sink = merge.sink;
        let value = *merge.values.last().expect("a merge has a value");
        let state = names::store(sink);
        match &self.store(sink).kind {
            StoreKind::Accumulate { .. } => {
                let lane = match merge.lane {
                    Lane::Zero => None,
                    Lane::Index(index) => Some(names::position(index)),
                };
                self.accumulate(merge, &|leaf| match (leaf.lanes, &lane) {
                    (1, _) | (_, None) => quote!(0),
                    (lanes, Some(position)) => {
                        let lanes = Literal::u32_unsuffixed(lanes);
                        quote!(#position % #lanes)
                    }
                })
            }
            StoreKind::Fold { .. } => {
                let value = scope.own(self.p, value, self.ty(value), &[]);
                let fold = self.fold_into(scope, sink, quote!(*#state), quote!(value));
                quote!({ let value = #value; #fold })
            }
            StoreKind::Collect { .. } => {
                let value = scope.own(self.p, value, self.ty(value), &[]);
                quote!(#state.push(#value);)
            }
            StoreKind::Table { what, .. } => {
                let key = merge.values[0];
                let owned = scope.own(self.p, value, self.ty(value), &[key]);
                let key = scope.borrow(key, self.ty(key));
                match what {
                    Keyed::Group => quote!(#state.push(#key, #owned);),
                    Keyed::Reduce(op) => {
                        let (operator, op) = (self.p.operator(), self.operator(*op));
                        quote! {{
                            let entry = #state.entry(#key);
                            *entry = #operator::apply(#op, *entry, #owned);
                        }}
                    }
                    Keyed::Fold(_) => {
                        let fold = self.fold_into(scope, sink, quote!(*entry), quote!(value));
                        quote! {{
                            let value = #owned;
                            let entry = #state.entry(#key);
                            #fold
                        }}
                    }
                }
            }
            StoreKind::Scatter { op, .. } => {
                let (operator, op) = (self.p.operator(), self.operator(*op));
                let (line, column) = self.place(merge.loc);
                let (index, value) = (names::value(merge.values[0]), names::value(value));
                quote! {{
                    let element = #state.at(#index, #line, #column)?;
                    *element = #operator::apply(#op, *element, #value);
                }}
            }
        }
    }

    /// Applies the operator of an accumulator, leaf by leaf, in the lane that `lane` says.
    fn accumulate(&self, merge: &Merge, lane: &dyn Fn(&Leaf) -> TokenStream) -> TokenStream {
        let sink = merge.sink;
        let StoreKind::Accumulate { op, ty, leaves, seen, .. } = &self.store(sink).kind else {
            unreachable!("only accumulators have lanes")
        };
        let (operator, op, value) = (self.p.operator(), self.operator(*op), names::value(merge.values[0]));
        let guard = merge.guard.map(names::value);
        let mut merges = Vec::new();
        for (i, (leaf, path)) in leaves.iter().zip(leaf_paths(ty)).enumerate() {
            let (state, lane, neutral) = (names::leaf(sink, i), lane(leaf), types::constant(leaf.neutral));
            let value = match &guard {
                Some(guard) => quote!(if #guard { #value #path } else { #neutral }),
                None => quote!(#value #path),
            };
            merges.push(quote!(#state[#lane] = #operator::apply(#op, #state[#lane], #value);));
        }
        if *seen == Seen::Flag {
            let flag = names::seen(sink);
            merges.push(match &guard {
                Some(guard) => quote!(#flag[0] |= #guard;),
                None => quote!(#flag[0] = true;),
            });
        }
        quote!(#(#merges)*)
    }

    /// A merge in a block of `block` iterations, whose inner loop runs over `lanes`.
    pub(super) fn merge_in_block(&self, merge: &Merge, block: u32, lanes: u32) -> TokenStream {
        let sink = merge.sink;
        match &self.store(sink).kind {
            StoreKind::Accumulate { .. } => self.accumulate(merge, &|leaf| match leaf.lanes {
                1 => quote!(0),
                own if own == block => quote!(lane),
                own if own == lanes => quote!(within),
                own => {
                    let own = Literal::u32_unsuffixed(own);
                    quote!(lane % #own)
                }
            }),
            _ => {
                let (values, value) = (names::block(sink), names::value(merge.values[0]));
                let mask = merge.guard.map(|guard| {
                    let (mask, guard) = (names::mask(sink), names::value(guard));
                    quote!(#mask[lane] = #guard;)
                });
                quote!(#values[lane] = #value; #mask)
            }
        }
    }

    /// What stands before and after a block for the sake of a merge.
    pub(super) fn around_block(&self, merge: &Merge, block: u32) -> (TokenStream, TokenStream) {
        let sink = merge.sink;
        let StoreKind::Collect { ty, .. } = &self.store(sink).kind else {
            return (TokenStream::new(), TokenStream::new());
        };
        let (values, state, zero) = (names::block(sink), names::store(sink), types::zero(self.p, ty));
        let block = Literal::u32_unsuffixed(block);
        let before = quote!(let mut #values = [#zero; #block];);
        if merge.guard.is_some() {
            let (mask, keep) = (names::mask(sink), self.p.keep());
            let before = quote!(#before let mut #mask = [false; #block];);
            let after = match self.is_part(sink) {
                true => quote!(#state.push_kept(#values, #mask);),
                false => quote!(#keep(#state, #values, #mask);),
            };
            return (before, after);
        }
        if self.is_part(sink) {
            (before, quote!(#state.push_block(#values);))
        } else {
            (before, quote!(#state.extend_from_slice(&#values);))
        }
    }

    /// A merge in the tail after the blocks.
    pub(super) fn merge_in_tail(&self, merge: &Merge) -> TokenStream {
        match &self.store(merge.sink).kind {
            StoreKind::Accumulate { .. } => self.accumulate(merge, &|leaf| match leaf.lanes {
                1 => quote!(0),
                lanes => {
                    let lanes = Literal::u32_unsuffixed(lanes);
                    quote!(lane % #lanes)
                }
            }),
            _ => {
                let (state, value) = (names::store(merge.sink), names::value(merge.values[0]));
                match merge.guard.map(names::value) {
                    Some(guard) => quote!(if #guard { #state.push(#value); }),
                    None => quote!(#state.push(#value);),
                }
            }
        }
    }
}

/// What else a nest reads than the value that `store` starts from.
fn others(nest: &Nest, store: &Store) -> Vec<Value> {
    let other_stores = nest.stores.iter().filter(|other| other.sink != store.sink);
    nest.inputs.iter().copied().chain(other_stores.filter_map(|other| other.kind.init())).collect()
}

/// The path to each scalar leaf of `ty`: nothing for a scalar, `.0 .1` in a struct.
fn leaf_paths(ty: &Type) -> Vec<TokenStream> {
    fn walk(ty: &Type, path: &TokenStream, paths: &mut Vec<TokenStream>) {
        match ty {
            Type::Struct(fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let i = Literal::usize_unsuffixed(i);
                    walk(field, &quote!(#path.#i), paths);
                }
            }
            _ => paths.push(path.clone()),
        }
    }
    let mut paths = Vec::new();
    walk(ty, &TokenStream::new(), &mut paths);
    paths
}

/// A value of type `ty` from what `leaf` says of each of its scalar leaves, which are numbered.
fn rebuild(ty: &Type, leaf: &mut dyn FnMut(Literal) -> TokenStream) -> TokenStream {
    fn walk(ty: &Type, next: &mut usize, leaf: &mut dyn FnMut(Literal) -> TokenStream) -> TokenStream {
        match ty {
            Type::Struct(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| walk(field, next, leaf)).collect();
                quote!((#(#fields,)*))
            }
            _ => {
                *next += 1;
                leaf(Literal::usize_unsuffixed(*next - 1))
            }
        }
    }
    walk(ty, &mut 0, leaf)
}
