//! Stores: the state that each one has while its nest runs.
//!
//! | store | state | of a piece | of all |
//! |---|---|---|---|
//! | accumulate | `s0_0: [T; L]` (`T` for one lane) per leaf, `s0_seen: bool` | `p0_0: T`, `p0_seen: bool` | `t0_0: T`, `t0_seen: bool` |
//! | fold | `s0: Option<T>` | `p0: Option<T>` | `t0: Option<T>` |
//! | collect, exact or at most | `s0: Part<T>` (`Vec<T>` if serial) | | |
//! | collect | `s0: Vec<T>` | | `t0: Vec<Vec<T>>` |
//! | collect of rows, see [`rows`](super::rows) | `s0: rows::Part<T>` | | `t0: Vec<rows::Part<T>>` |
//! | table | `s0: Table<K, V>` | | `t0: Table<K, V>` |
//! | table of hashed scalars that reduces | `s0: Buckets<K, V, H>` | | `t0: Buckets<K, V, H>` |
//! | groups | `s0: Groups<K, T>` | | `t0: Units<K, T>` |
//! | scatter | `s0: Part<T>` of a `Scatter<T>` | | |
//!
//! What becomes of the states in the end is told in [`total`](super::total), how they are merged into in
//! [`merge`](super::merge).

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{ReduceOp, Sink, Value};
use weldment_runtime::types::{Scalar, Type};

use super::names::Of;
use super::scope::Scope;
use super::{Emitter, names, own_loop, types};
use crate::loops::{Keyed, Leaf, Length, Nest, Schedule, Seen, Store, StoreKind, facts};

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
    pub(super) fn store(&self, sink: Sink) -> &'a Store {
        self.stores[&sink].0
    }

    /// Whether the places of what is collected are known before the loop, where it is split.
    pub(super) fn has_places(&self, store: &Store) -> bool {
        matches!(store.kind, StoreKind::Collect { length: Length::Exact { .. } | Length::AtMost, .. })
            && !self.rows.contains(&store.result)
    }

    /// Whether the state is a part of a whole vector, whose loop fills it through a cursor.
    pub(super) fn is_part(&self, sink: Sink) -> bool {
        self.has_places(self.store(sink)) && self.is_split(sink)
    }

    fn is_split(&self, sink: Sink) -> bool {
        matches!(self.stores[&sink].1, Schedule::Pieces { .. })
    }

    /// Where the memory of what a store comes to is from.
    pub(super) fn memory(&self, store: &Store) -> TokenStream {
        if self.lives.is_result(store.result) {
            quote!(&cx.results())
        } else if self.lives.is_temporary(store.result) {
            quote!(&cx.temporaries())
        } else {
            quote!(cx)
        }
    }

    /// The variables that hold the state of a store, or what came of it.
    pub(super) fn parts(&self, of: Of, sink: Sink) -> Vec<Ident> {
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let mut parts: Vec<_> = (0..leaves.len()).map(|leaf| names::leaf(of, sink, leaf)).collect();
                if *seen == Seen::Flag {
                    parts.push(names::seen(of, sink));
                }
                parts
            }
            _ => vec![names::store(of, sink)],
        }
    }

    /// The types of the state.
    pub(super) fn state_types(&self, sink: Sink) -> Vec<TokenStream> {
        let p = self.p;
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let lanes = |leaf: &Leaf| {
                    let (ty, lanes) = (types::scalar(leaf.ty), Literal::u32_unsuffixed(leaf.lanes));
                    if leaf.lanes == 1 { quote!(#ty) } else { quote!([#ty; #lanes]) }
                };
                let mut state: Vec<_> = leaves.iter().map(lanes).collect();
                if *seen == Seen::Flag {
                    state.push(quote!(bool));
                }
                state
            }
            StoreKind::Fold { ty, .. } => {
                let (option, ty) = (p.option(), types::owned(p, ty));
                vec![quote!(#option<#ty>)]
            }
            StoreKind::Collect { ty, .. } => {
                if let Some(element) = self.row_element(sink) {
                    let part = p.rows_part();
                    return vec![quote!(#part<#element>)];
                }
                let ty = types::owned(p, ty);
                let (part, vec) = (p.part(), p.vec());
                vec![if self.is_part(sink) { quote!(#part<'_, #ty>) } else { quote!(#vec<#ty>) }]
            }
            StoreKind::Table { key, value, what: Keyed::Group, .. } => {
                let (groups, key, value) = (p.groups(), types::owned(p, key), types::owned(p, value));
                vec![quote!(#groups<#key, #value>)]
            }
            kind @ StoreKind::Table { .. } if kind.is_buckets() => vec![self.buckets_type(kind)],
            kind @ StoreKind::Table { key, value, .. } if kind.is_latest() => {
                let (latest, key, value) = (p.latest(), types::owned(p, key), types::owned(p, value));
                vec![quote!(#latest<#key, #value>)]
            }
            StoreKind::Table { key, value, what, .. } => {
                let (table, key, value) = (p.table(), types::owned(p, key), self.entry_type(value, what));
                vec![quote!(#table<#key, #value>)]
            }
            StoreKind::Scatter { ty, .. } => {
                let (part, ty) = (p.scatter_part(), types::owned(p, ty));
                vec![quote!(#part<#ty>)]
            }
        }
    }

    /// `Buckets<K, V, …>`
    fn buckets_type(&self, kind: &StoreKind) -> TokenStream {
        let p = self.p;
        let StoreKind::Table { key, value, .. } = kind else { unreachable!("only tables have keys") };
        let (buckets, key, value) = (p.buckets(), types::owned(p, key), types::owned(p, value));
        let held = if kind.is_exact() { p.exactly() } else { p.by_segment() };
        quote!(#buckets<#key, #value, #held<#value>>)
    }

    /// What a table keeps for each key.
    fn entry_type(&self, value: &Type, what: &Keyed) -> TokenStream {
        let (option, value) = (self.p.option(), types::owned(self.p, value));
        match what {
            Keyed::Fold(_) | Keyed::Last => quote!(#option<#value>),
            Keyed::Reduce(_) | Keyed::Group => value,
        }
    }

    /// What the state starts as. `range` is the range of the loop that it is for, whose extent is known if it is
    /// not split.
    pub(super) fn state_starts(
        &self,
        sink: Sink,
        range: &TokenStream,
        extent: Option<&TokenStream>,
    ) -> Vec<TokenStream> {
        let p = self.p;
        match &self.store(sink).kind {
            StoreKind::Accumulate { leaves, seen, .. } => {
                let lanes = |leaf: &Leaf| {
                    let (neutral, lanes) =
                        (types::constant(leaf.neutral), Literal::u32_unsuffixed(leaf.lanes));
                    if leaf.lanes == 1 { neutral } else { quote!([#neutral; #lanes]) }
                };
                let mut state: Vec<_> = leaves.iter().map(lanes).collect();
                if *seen == Seen::Flag {
                    state.push(quote!(false));
                }
                state
            }
            StoreKind::Fold { ty, .. } => {
                let (none, ty) = (p.none(), types::owned(p, ty));
                vec![quote!(#none::<#ty>)]
            }
            StoreKind::Collect { length: Length::AtMost, .. } if self.is_part(sink) => {
                let whole = names::whole(sink);
                vec![quote!(#whole.part(cx, #range))]
            }
            StoreKind::Collect { .. } if self.is_part(sink) => {
                let whole = names::whole(sink);
                vec![quote!(#whole.part(#range))]
            }
            StoreKind::Collect { ty, length } => {
                if let Some(element) = self.row_element(sink) {
                    let part = p.rows_part();
                    return vec![quote!(#part::<#element>::new())];
                }
                let (vec, ty) = (p.vec(), types::owned(p, ty));
                let (with_capacity, of_any_length) = (p.with_capacity(), p.of_any_length());
                let store = self.store(sink);
                let memory = self.memory(store);
                // The state of a nest that is split becomes part of a vector that is made in the end.
                let is_reused = !self.is_split(sink)
                    && (self.lives.is_result(store.result) || self.lives.is_temporary(store.result));
                let rows = self.makes_rows.get(&sink).map(|&rows| names::store(Of::State, rows));
                let room = match (length, extent) {
                    (Length::Exact { each: 1 }, Some(extent)) => Some(quote!(#extent)),
                    (Length::Exact { each }, Some(extent)) => {
                        // First, with its type: the extent may be a literal without one.
                        let each = Literal::usize_suffixed(*each as usize);
                        Some(quote!(#each.saturating_mul(#extent)))
                    }
                    _ => None,
                };
                vec![match (rows, room) {
                    (Some(rows), Some(room)) => quote!(#rows.spare_for(cx, #room)?),
                    (Some(rows), None) => quote!(#rows.spare()),
                    (None, Some(room)) => quote!(#with_capacity::<#ty>(#memory, #room)?),
                    (None, None) if is_reused => quote!(#of_any_length::<#ty>(#memory)),
                    (None, None) => quote!(#vec::<#ty>::new()),
                }]
            }
            kind @ StoreKind::Table { .. } if kind.is_buckets() && self.is_split(sink) => {
                let (buckets, whole) = (self.buckets_type(kind), names::whole(sink));
                vec![quote!(<#buckets>::beside(&#whole))]
            }
            StoreKind::Table { .. } => vec![self.new_table(sink)],
            StoreKind::Scatter { .. } => {
                let whole = names::whole(sink);
                vec![quote!(#whole.part(cx, #range))]
            }
        }
    }

    /// What is made before the loop runs, and shared by its units: a vector that has its places already, which they fill.
    pub(super) fn whole(&self, scope: &Scope, nest: &Nest, store: &Store) -> Option<TokenStream> {
        let (p, whole) = (self.p, names::whole(store.sink));
        match &store.kind {
            StoreKind::Collect { ty, length } if self.is_part(store.sink) => {
                let (places, each) = match *length {
                    Length::Exact { each: 1 } => (p.exact(), None),
                    Length::Exact { each } => (p.several(), Some(Literal::u32_unsuffixed(each))),
                    Length::AtMost => (p.at_most(), None),
                    Length::Unknown(_) => return None,
                };
                let each = each.map(|each| quote!(, #each));
                let (ty, extent) = (types::owned(p, ty), self.name(own_loop(nest)?.extent));
                let memory = self.memory(store);
                Some(quote!(let #whole = #places::<#ty>::new(#memory, #extent #each)?;))
            }
            StoreKind::Scatter { op, init, .. } => {
                let (scatter, rounding) = (p.scatter(), p.rounding());
                let rounding =
                    if store.kind.is_exact() { quote!(#rounding::Exact) } else { quote!(#rounding::Rounds) };
                let (op, init) =
                    (self.operator(*op), scope.own(p, *init, self.ty(*init), &others(nest, store)));
                Some(quote!(let #whole = #scatter::new(#op, #init, #rounding);))
            }
            kind @ StoreKind::Table { .. } if kind.is_buckets() && nest.schedule != Schedule::Serial => {
                let many = p.many();
                Some(quote!(let #whole = <#many>::default();))
            }
            _ => None,
        }
    }

    /// An empty table, or groups.
    pub(super) fn new_table(&self, sink: Sink) -> TokenStream {
        let p = self.p;
        let kind = &self.store(sink).kind;
        let StoreKind::Table { key, value, what, .. } = kind else { unreachable!("only tables have keys") };
        let (table, key, entry) = (p.table(), types::owned(p, key), self.entry_type(value, what));
        match what {
            Keyed::Reduce(_) if kind.is_buckets() => {
                let buckets = self.buckets_type(kind);
                quote!(<#buckets>::new())
            }
            Keyed::Reduce(op) => {
                let neutral = types::of_leaves(p, value, &mut |ty| types::constant(op.neutral(ty)));
                quote!(#table::<#key, #entry>::new(#neutral))
            }
            Keyed::Last if kind.is_latest() => {
                let (latest, value) = (p.latest(), types::owned(p, value));
                quote!(#latest::<#key, #value>::new())
            }
            Keyed::Fold(_) | Keyed::Last => {
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
    pub(super) fn operator(&self, op: ReduceOp) -> TokenStream {
        let fold = self.p.fold();
        let name = quote::format_ident!("{op:?}");
        quote!(#fold::#name)
    }

    /// `place = place op value;` for values of type `ty`, leaf by leaf.
    pub(super) fn combine(&self, op: ReduceOp, ty: &Type, place: &Place, value: &TokenStream) -> TokenStream {
        let number = self.p.number();
        let leaves = ty.leaves().expect("operators reduce scalars and structs of them");
        let of_leaf = |(ty, path): (&Scalar, TokenStream)| {
            let (place, part, value) = (place.part(&path), place.named(&path), quote!(#value #path));
            match op {
                ReduceOp::Add if ty.is_float() => quote!(#place += #value;),
                ReduceOp::Mul if ty.is_float() => quote!(#place *= #value;),
                ReduceOp::Add => quote!(#place = #part.wrapping_add(#value);),
                ReduceOp::Mul => quote!(#place = #part.wrapping_mul(#value);),
                ReduceOp::Min => quote!(#place = #number::least(#place, #value);),
                ReduceOp::Max => quote!(#place = #number::greatest(#place, #value);),
            }
        };
        leaves.iter().zip(types::leaf_paths(self.p, ty)).map(of_leaf).collect()
    }

    /// `|entry, value| …`: how two values of one key of a table become one.
    pub(super) fn combining(&self, op: ReduceOp, ty: &Type) -> TokenStream {
        let combine = self.combine(op, ty, &Place::Behind(quote!(entry)), &quote!(value));
        quote!(|entry, value| { #combine })
    }

    /// `place`, an `Option`, becomes what the store's function makes of it and `value`.
    pub(super) fn fold_into(
        &self,
        scope: &Scope,
        sink: Sink,
        place: &Place,
        value: &TokenStream,
    ) -> TokenStream {
        let (some, none) = (self.p.some(), self.p.none());
        let call = self.call_function(scope, sink, &quote!(before), value);
        let (place, option) = (place.part(&TokenStream::new()), place.named(&TokenStream::new()));
        quote! {
            #place = #some(match #option.take() {
                #some(before) => #call,
                #none => #value,
            });
        }
    }

    /// The store's function applied.
    pub(super) fn call_function(
        &self,
        scope: &Scope,
        sink: Sink,
        a: &TokenStream,
        b: &TokenStream,
    ) -> TokenStream {
        let function = facts::function_of(self.store(sink)).expect("a store with a function");
        let captures = self.free_values(&function.body, &function.params, None);
        let captures = captures.into_iter().map(|value| scope.pass(value, self.ty(value)));
        let name = names::function(sink);
        let again = self.function_faults(function).then(|| quote!(?));
        let cx = self.function_needs_context(function).then(|| quote!(cx,));
        quote!(#name(#cx #(#captures,)* #a, #b)#again)
    }
}

/// A place that is merged into.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// By its name.
    Here(TokenStream),
    /// What a reference of this name refers to.
    Behind(TokenStream),
}

impl Place {
    /// The place, or the part of it at `path`: `s0`, `*t0`, `entry.1`.
    fn part(&self, path: &TokenStream) -> TokenStream {
        match self {
            Place::Behind(name) if path.is_empty() => quote!(*#name),
            _ => self.named(path),
        }
    }

    /// The same, where a method is called or a field is read.
    fn named(&self, path: &TokenStream) -> TokenStream {
        let (Place::Here(name) | Place::Behind(name)) = self;
        quote!(#name #path)
    }
}

/// What else a nest reads than the value that `store` starts from.
pub(super) fn others(nest: &Nest, store: &Store) -> Vec<Value> {
    let other_stores = nest.stores.iter().filter(|other| other.sink != store.sink);
    nest.inputs.iter().copied().chain(other_stores.filter_map(|other| other.kind.init())).collect()
}
