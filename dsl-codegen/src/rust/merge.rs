//! Merges: how a value goes into the state of a store, one at a time and in blocks.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::Sink;

use super::names::Of;
use super::scope::Scope;
use super::store::Place;
use super::{Emitter, names, types};
use crate::loops::{Keyed, Lane, Leaf, Merge, Seen, StoreKind, facts};

/// How a variable holds a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It is the state.
    Here,
    /// It is a `&mut` to it.
    ByReference,
}

impl Held {
    /// The state as a place.
    fn place(self, state: &Ident) -> Place {
        match self {
            Held::Here => Place::Here(quote!(#state)),
            Held::ByReference => Place::Behind(quote!(#state)),
        }
    }
}

impl Emitter<'_> {
    /// Whether a merge can fault: the function that it calls can, or its index can be outside, or it can need more
    /// memory than there is.
    pub(super) fn merge_faults(&self, merge: &Merge) -> bool {
        let store = self.store(merge.sink);
        self.merge_allocates(merge)
            || facts::function_of(store).is_some_and(|function| self.function_faults(function))
    }

    /// Whether a merge can allocate, so that it needs the context: all do but those of scalars that have
    /// a place made before the loop.
    pub(super) fn merge_allocates(&self, merge: &Merge) -> bool {
        match self.store(merge.sink).kind {
            StoreKind::Accumulate { .. } => false,
            StoreKind::Fold { .. } => merge.values.iter().any(|&value| self.can_be_copied(value)),
            StoreKind::Collect { .. } => {
                !self.is_part(merge.sink) || merge.values.iter().any(|&value| self.can_be_copied(value))
            }
            StoreKind::Table { .. } | StoreKind::Scatter { .. } => true,
        }
    }

    /// A merge outside of blocks.
    pub(super) fn merge(&mut self, scope: &mut Scope, merge: &Merge) -> TokenStream {
        let sink = merge.sink;
        let value = *merge.values.last().expect("a merge has a value");
        let state = names::store(Of::State, sink);
        match &self.store(sink).kind {
            StoreKind::Accumulate { .. } if self.is_in_order(merge) => self.accumulate_in_order(merge),
            StoreKind::Accumulate { .. } => {
                let lane = match merge.lane {
                    Lane::Zero => None,
                    Lane::Index(index) => Some(names::position(index)),
                };
                self.accumulate(merge, scope.held(sink), &|lanes| match &lane {
                    None => quote!(0),
                    Some(position) => {
                        let lanes = Literal::u32_unsuffixed(lanes);
                        quote!(#position % #lanes)
                    }
                })
            }
            StoreKind::Fold { .. } => {
                let value = scope.own(self.p, value, self.ty(value), &[]);
                self.fold_into(scope, sink, &scope.held(sink).place(&state), &value)
            }
            StoreKind::Collect { .. } => {
                let value = scope.own(self.p, value, self.ty(value), &[]);
                self.push(scope.held(sink), sink, &value)
            }
            kind @ StoreKind::Table { .. } if kind.is_latest() => {
                let (key, value) = (self.name(merge.values[0]), self.name(value));
                quote!(#state.add(cx, #key, #value)?;)
            }
            kind @ StoreKind::Table { value: ty, what: Keyed::Reduce(op), .. } if kind.is_buckets() => {
                let key = merge.values[0];
                let combining = self.combining(*op, ty);
                let key = scope.own(self.p, key, self.ty(key), &[value]);
                let value = scope.own(self.p, value, self.ty(value), &[]);
                quote!(#state.add(cx, #key, #value, #combining)?;)
            }
            StoreKind::Table { value: ty, what, .. } => {
                let key = merge.values[0];
                let owned = scope.own(self.p, value, self.ty(value), &[key]);
                let ahead = self.keys_ahead.get(&sink);
                let key = scope.borrow(key, self.ty(key));
                let entry = match ahead {
                    Some(position) => {
                        let hashes = names::hashes(sink);
                        quote!(#state.entry_ahead(cx, #key, &#hashes, #position))
                    }
                    None => quote!(#state.entry(cx, #key)),
                };
                match what {
                    Keyed::Group => quote!(#state.push(cx, #key, #owned)?;),
                    Keyed::Reduce(op) => {
                        let combine = self.combine(*op, ty, &Place::Behind(quote!(entry)), &owned);
                        quote! {
                            let entry = #entry?;
                            #combine
                        }
                    }
                    Keyed::Last => {
                        let some = self.p.some();
                        quote!(*#entry? = #some(#owned);)
                    }
                    Keyed::Fold(_) => {
                        let fold = self.fold_into(scope, sink, &Place::Behind(quote!(entry)), &owned);
                        quote! {
                            let entry = #entry?;
                            #fold
                        }
                    }
                }
            }
            StoreKind::Scatter { ty, op, .. } => {
                let (line, column) = self.place(merge.loc);
                let (index, value) = (self.name(merge.values[0]), self.name(value));
                let combine = self.combine(*op, ty, &Place::Behind(quote!(element)), &value);
                quote! {
                    let element = #state.at(cx, #index, #line, #column)?;
                    #combine
                }
            }
        }
    }

    /// Applies the operator of an accumulator, leaf by leaf, in the lane that `lane` says of so many lanes.
    fn accumulate(&self, merge: &Merge, held: Held, lane: &dyn Fn(u32) -> TokenStream) -> TokenStream {
        let sink = merge.sink;
        let StoreKind::Accumulate { op, ty, leaves, .. } = &self.store(sink).kind else {
            unreachable!("only accumulators have lanes")
        };
        let of_leaf = |(i, (leaf, path)): (usize, (&Leaf, TokenStream))| {
            let state = names::leaf(Of::State, sink, i);
            let place = match leaf.lanes {
                1 => held.place(&state),
                lanes => {
                    let lane = lane(lanes);
                    Place::Here(quote!(#state[#lane]))
                }
            };
            let value = self.merged(merge, leaf, &path);
            self.combine(*op, &leaf.ty.into(), &place, &value)
        };
        let merges = leaves.iter().zip(types::leaf_paths(self.p, ty)).enumerate().map(of_leaf);
        let flag = self.see(merge, held);
        quote!(#(#merges)* #flag)
    }

    /// What is merged into a leaf: the value there, or what changes nothing if the merge is predicated and not to be.
    pub(super) fn merged(&self, merge: &Merge, leaf: &Leaf, path: &TokenStream) -> TokenStream {
        let value = self.name(merge.values[0]);
        let Some(guard) = merge.guard.map(|guard| self.name(guard)) else { return quote!(#value #path) };
        let neutral = types::constant(leaf.neutral);
        match leaf.ty.is_float() {
            true => quote!(if #guard { #value #path } else { #neutral }),
            false => {
                let select = self.p.select();
                quote!(#select(#guard, #value #path, #neutral))
            }
        }
    }

    /// Notes that something is merged into an accumulator, if that is asked.
    fn see(&self, merge: &Merge, held: Held) -> Option<TokenStream> {
        let StoreKind::Accumulate { seen: Seen::Flag, .. } = self.store(merge.sink).kind else { return None };
        let flag = names::seen(Of::State, merge.sink);
        let flag = match held {
            Held::Here => quote!(#flag),
            Held::ByReference => quote!(*#flag),
        };
        Some(match merge.guard.map(|guard| self.name(guard)) {
            Some(guard) => quote!(#flag |= #guard;),
            None => quote!(#flag = true;),
        })
    }

    /// A merge in a block of `block` iterations, whose inner loop runs over `lanes`.
    pub(super) fn merge_in_block(&self, merge: &Merge, block: u32, lanes: u32) -> TokenStream {
        let sink = merge.sink;
        let lane = |own| match own {
            own if own == block => quote!(lane),
            own if own == lanes => quote!(within),
            own => {
                let own = Literal::u32_unsuffixed(own);
                quote!(lane % #own)
            }
        };
        match &self.store(sink).kind {
            StoreKind::Accumulate { .. } => match merge.compared {
                Some(own) => {
                    let (compare, flag) =
                        (self.keep_better(merge, &lane(own)), self.see(merge, Held::ByReference));
                    quote!(#compare #flag)
                }
                None => self.accumulate(merge, Held::ByReference, &lane),
            },
            _ => {
                let (values, value) = (names::block(sink), self.name(merge.values[0]));
                let mask = merge.guard.map(|guard| {
                    let (mask, guard) = (names::mask(sink), self.name(guard));
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
        let (values, state, zero) =
            (names::block(sink), names::store(Of::State, sink), types::zero(self.p, ty));
        let block = Literal::u32_unsuffixed(block);
        let before = quote!(let mut #values = [#zero; #block];);
        if merge.guard.is_some() {
            let (mask, keep) = (names::mask(sink), self.p.keep());
            let before = quote!(#before let mut #mask = [false; #block];);
            let after = match self.is_part(sink) {
                true => quote!(#state.push_kept(#values, #mask);),
                false => quote!(#keep(cx, #state, #values, #mask)?;),
            };
            return (before, after);
        }
        if self.is_part(sink) {
            (before, quote!(#state.push_block(#values);))
        } else {
            let push_block = self.p.push_block();
            (before, quote!(#push_block(cx, #state, #values)?;))
        }
    }

    /// A merge in the tail after the blocks.
    pub(super) fn merge_in_tail(&self, merge: &Merge) -> TokenStream {
        match &self.store(merge.sink).kind {
            StoreKind::Accumulate { .. } => self.accumulate(merge, Held::ByReference, &|lanes| {
                let lanes = Literal::u32_unsuffixed(lanes);
                quote!(lane % #lanes)
            }),
            _ => {
                let push = self.push(Held::ByReference, merge.sink, &self.name(merge.values[0]));
                match merge.guard.map(|guard| self.name(guard)) {
                    Some(guard) => quote!(if #guard { #push }),
                    None => push,
                }
            }
        }
    }

    /// `value` goes behind what is collected.
    fn push(&self, held: Held, sink: Sink, value: &TokenStream) -> TokenStream {
        let state = names::store(Of::State, sink);
        if self.is_part(sink) {
            return quote!(#state.push(#value););
        }
        if self.row_element(sink).is_some() {
            return quote!(#state.push(cx, #value)?;);
        }
        let push = self.p.push();
        match held {
            Held::Here => quote!(#push(cx, &mut #state, #value)?;),
            Held::ByReference => quote!(#push(cx, #state, #value)?;),
        }
    }
}
