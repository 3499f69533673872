//! What states come to: the totals of pieces, of all pieces and units in order, and the value in the end.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use weldment_core::ir::{Empty, Sink};

use super::names::Of;
use super::scope::Scope;
use super::store::{Place, others};
use super::{Emitter, names, own_loop, types};
use crate::loops::{Keyed, Length, Nest, Seen, Store, StoreKind};

impl Emitter<'_> {
    /// What a piece adds to a store whose state lives as long as a piece: the folded lanes, or the state itself.
    pub(super) fn piece_totals(&self, sink: Sink) -> Vec<TokenStream> {
        let StoreKind::Accumulate { op, leaves, .. } = &self.store(sink).kind else {
            let state = names::store(Of::State, sink);
            return vec![quote!(#state)];
        };
        let (fold, op) = (self.p.fold(), self.operator(*op));
        let of_part = |(i, state): (usize, Ident)| match leaves.get(i) {
            Some(leaf) if leaf.ty != leaf.total => {
                let total = types::scalar(leaf.total);
                quote!(#fold::lanes(#op, #state) as #total)
            }
            Some(leaf) if leaf.lanes > 1 => quote!(#fold::lanes(#op, #state)),
            _ => quote!(#state),
        };
        self.parts(Of::State, sink).into_iter().enumerate().map(of_part).collect()
    }

    /// The variables that hold the total of a store, which are none if it fills a vector that is there.
    pub(super) fn totals(&self, sink: Sink) -> Vec<Ident> {
        let store = self.store(sink);
        match &store.kind {
            StoreKind::Collect { .. } if self.has_places(store) => Vec::new(),
            StoreKind::Scatter { .. } => Vec::new(),
            _ => self.parts(Of::Total, sink),
        }
    }

    /// What is known of all pieces before the first: what `totals` start as.
    pub(super) fn total_starts(&self, scope: &Scope, store: &Store) -> Vec<TokenStream> {
        let p = self.p;
        match &store.kind {
            StoreKind::Accumulate { op, leaves, seen, .. } => {
                let leaves = leaves.iter().map(|leaf| types::constant(op.neutral(leaf.total)));
                leaves.chain((*seen == Seen::Flag).then(|| quote!(false))).collect()
            }
            // The initial value is the leftmost of what is folded; the pieces may read it, too.
            StoreKind::Fold { init: Some(init), .. } => {
                let (some, init) = (p.some(), scope.own(p, *init, self.ty(*init), &[*init]));
                vec![quote!(#some(#init))]
            }
            StoreKind::Fold { ty, .. } => {
                let (none, ty) = (p.none(), types::owned(p, ty));
                vec![quote!(#none::<#ty>)]
            }
            StoreKind::Collect { .. } if self.has_places(store) => Vec::new(),
            StoreKind::Scatter { .. } => Vec::new(),
            StoreKind::Collect { ty, .. } => {
                let (vec, ty) = (p.vec(), types::owned(p, ty));
                if let Some(element) = self.row_element(store.sink) {
                    let part = p.rows_part();
                    return vec![quote!(#vec::<#part<#element>>::new())];
                }
                vec![quote!(#vec::<#vec<#ty>>::new())]
            }
            StoreKind::Table { what: Keyed::Group, .. } => {
                let units = p.group_units();
                vec![quote!(#units::new())]
            }
            StoreKind::Table { .. } => vec![self.new_table(store.sink)],
        }
    }

    /// Adds what the piece that comes next came to.
    pub(super) fn add_piece(&self, scope: &Scope, sink: Sink) -> TokenStream {
        let (totals, parts) = (self.parts(Of::Total, sink), self.parts(Of::Piece, sink));
        match &self.store(sink).kind {
            StoreKind::Accumulate { op, leaves, .. } => {
                let adds =
                    totals.iter().zip(&parts).enumerate().map(|(i, (total, part))| match leaves.get(i) {
                        Some(leaf) => self.combine(
                            *op,
                            &leaf.total.into(),
                            &Place::Behind(quote!(#total)),
                            &quote!(#part),
                        ),
                        None => quote!(*#total |= #part;),
                    });
                quote!(#(#adds)*)
            }
            StoreKind::Fold { .. } => {
                let (total, part, some) = (&totals[0], &parts[0], self.p.some());
                let place = Place::Behind(quote!(#total));
                let fold = self.fold_into(scope, sink, &place, &quote!(part));
                quote!(if let #some(part) = #part { #fold })
            }
            _ => unreachable!("states of units have no totals of pieces"),
        }
    }

    /// Adds the state of the unit that comes next.
    pub(super) fn merge_unit(&self, scope: &Scope, sink: Sink) -> TokenStream {
        let (total, state) = (names::store(Of::Total, sink), names::store(Of::State, sink));
        let store = self.store(sink);
        match &store.kind {
            StoreKind::Collect { .. } if !self.has_places(store) => quote!(#total.push(#state);),
            StoreKind::Collect { length: Length::Exact { .. }, .. } => quote!(#state.done();),
            StoreKind::Collect { .. } => {
                let whole = names::whole(sink);
                quote!(#whole.merge(#state);)
            }
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                quote!(#whole.merge(cx, #state);)
            }
            StoreKind::Table { what: Keyed::Group, .. } => quote!(#total.merge(cx, #state)?;),
            kind @ StoreKind::Table { .. } if kind.is_latest() => quote!(#total.merge(cx, #state)?;),
            kind @ StoreKind::Table { value, what: Keyed::Reduce(op), .. } if kind.is_buckets() => {
                let combining = self.combining(*op, value);
                if kind.is_exact() {
                    return quote!(#total.merge(cx, #state, #combining)?;);
                }
                let neutral = types::of_leaves(self.p, value, &mut |ty| types::constant(op.neutral(ty)));
                quote!(#total.merge_segment(cx, #state, #neutral, #combining)?;)
            }
            StoreKind::Table { value, what, .. } => {
                let (some, ok) = (self.p.some(), self.p.ok());
                let place = Place::Behind(quote!(total));
                let combine = match what {
                    Keyed::Reduce(op) => self.combine(*op, value, &place, &quote!(part)),
                    Keyed::Last => quote!(*total = part;),
                    _ => {
                        let fold = self.fold_into(scope, sink, &place, &quote!(part));
                        quote!(if let #some(part) = part { #fold })
                    }
                };
                quote! {
                    #total.merge(cx, #state, |total, part| {
                        #combine
                        #ok(())
                    })?;
                }
            }
            StoreKind::Accumulate { .. } | StoreKind::Fold { .. } => {
                unreachable!("totals of pieces are no states of units")
            }
        }
    }

    /// The value of a store of a split nest.
    pub(super) fn finish(&self, scope: &Scope, nest: &Nest, store: &Store) -> TokenStream {
        let (total, whole) = (names::store(Of::Total, store.sink), names::whole(store.sink));
        match &store.kind {
            StoreKind::Fold { init: Some(_), .. } => {
                quote!(#total.expect("a fold begins with its initial value"))
            }
            StoreKind::Accumulate { .. } | StoreKind::Fold { init: None, .. } => {
                let totals = self.totals(store.sink).into_iter().map(|total| quote!(#total)).collect();
                self.reduced(scope, nest, store, totals)
            }
            StoreKind::Scatter { .. } => quote!(#whole.finish()),
            StoreKind::Collect { .. } if self.rows.contains(&store.result) => {
                let rows = self.p.rows();
                quote!(#rows::join(cx, #total)?)
            }
            StoreKind::Collect { length: Length::Exact { .. }, .. } => quote!(#whole.finish()),
            StoreKind::Collect { length: Length::AtMost, .. } => quote!(#whole.finish(cx)),
            StoreKind::Collect { .. } => {
                let (concat, memory) = (self.p.concat(), self.memory(store));
                quote!(#concat(#memory, #total)?)
            }
            StoreKind::Table { .. } => self.as_dict(store, total),
        }
    }

    /// The value of a store of a serial nest, from its one state.
    pub(super) fn finish_serial(&self, scope: &Scope, nest: &Nest, store: &Store) -> TokenStream {
        let state = names::store(Of::State, store.sink);
        match &store.kind {
            StoreKind::Accumulate { .. } | StoreKind::Fold { .. } => {
                let totals = match own_loop(nest).and_then(|inner| inner.in_order) {
                    Some(_) => {
                        let sums = self.parts(Of::Order, store.sink);
                        sums.iter().map(|sum| quote!(#sum)).collect()
                    }
                    None => self.piece_totals(store.sink),
                };
                self.reduced(scope, nest, store, totals)
            }
            StoreKind::Collect { .. } if self.rows.contains(&store.result) => quote!(#state.finish()),
            StoreKind::Collect { .. } => quote!(#state),
            StoreKind::Scatter { .. } => {
                let whole = names::whole(store.sink);
                quote!({ #whole.merge(cx, #state); #whole.finish() })
            }
            StoreKind::Table { .. } => self.as_dict(store, state),
        }
    }

    /// The value of a reduction, from the totals of its leaves and the flag.
    fn reduced(&self, scope: &Scope, nest: &Nest, store: &Store, totals: Vec<TokenStream>) -> TokenStream {
        let p = self.p;
        let (line, column) = self.place(store.loc);
        let (checked, some, none) = (p.checked(), p.some(), p.none());
        match &store.kind {
            StoreKind::Accumulate { ty, leaves, init: None, empty: Empty::Fault, seen, .. } => {
                let mut leaf_totals = totals.iter();
                let value =
                    types::of_leaves(self.p, ty, &mut |_| leaf_totals.next().expect("one per leaf").clone());
                let seen = match (seen, own_loop(nest)) {
                    (Seen::Extent, Some(inner)) => {
                        let extent = self.name(inner.extent);
                        quote!((#extent > 0))
                    }
                    _ => totals[leaves.len()].clone(),
                };
                quote!(#checked::not_empty(#seen.then_some(#value), #line, #column)?)
            }
            StoreKind::Accumulate { op, ty, init, .. } => {
                let (fold, op) = (p.fold(), self.operator(*op));
                let mut leaves = totals.iter().zip(types::leaf_paths(self.p, ty));
                types::of_leaves(self.p, ty, &mut |_| {
                    let (total, path) = leaves.next().expect("one per leaf");
                    let init = match init.map(|init| self.name(init)) {
                        Some(init) => quote!(#some(#init #path)),
                        None => quote!(#none),
                    };
                    quote!(#fold::finish(#op, #init, #total))
                })
            }
            // A function has no identity: without an initial value nothing is always a fault.
            StoreKind::Fold { init: None, .. } => {
                quote!(#checked::not_empty(#(#totals)*, #line, #column)?)
            }
            StoreKind::Fold { init: Some(init), .. } => {
                let init = scope.own(p, *init, self.ty(*init), &others(nest, store));
                let call = self.call_function(scope, store.sink, &init, &quote!(total));
                quote! {
                    match #(#totals)* {
                        #some(total) => #call,
                        #none => #init,
                    }
                }
            }
            _ => unreachable!("only reductions have totals of pieces"),
        }
    }

    /// The dictionary that a table or groups come to. Every entry of a table that folds holds a value.
    fn as_dict(&self, store: &Store, table: Ident) -> TokenStream {
        let kind @ StoreKind::Table { value, what, .. } = &store.kind else {
            unreachable!("only tables become dictionaries")
        };
        match what {
            Keyed::Last if kind.is_latest() => quote!(#table.into_dict(cx)?),
            Keyed::Fold(_) | Keyed::Last => {
                quote!(#table.into_dict().map_values(|entry| entry.expect("an entry holds a value")))
            }
            Keyed::Reduce(op) if kind.is_buckets() => {
                let combining = self.combining(*op, value);
                quote!(#table.into_dict(cx, #combining)?)
            }
            Keyed::Reduce(_) => quote!(#table.into_dict()),
            Keyed::Group => {
                let memory = self.memory(store);
                quote!(#table.into_dict(#memory)?)
            }
        }
    }
}
