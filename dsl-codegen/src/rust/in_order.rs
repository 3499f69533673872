//! Loops whose first iterations are folded in order, besides filling the lanes.
//!
//! ```text
//! let mut s1_0 = [-0.0f64; 16];
//! let mut o1_0 = -0.0f64;
//! for k3 in 0..n {
//!     if k3 == 16 { break; }
//!     …
//!     o1_0 += v5;
//!     s1_0[k3] = v5;
//! }
//! if n > 16 {
//!     cx.row_strips(n - 16, |first, n| { … s1_0[k3 % 16] += v5; … })?;
//!     o1_0 = fold::lanes(fold::Add, s1_0);
//! }
//! fold::finish(fold::Add, None, o1_0)
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{self, Of};
use super::scope::Scope;
use super::store::Place;
use super::{Emitter, types};
use crate::loops::{Lane, Loop, Merge, Nest, StoreKind};

impl Emitter<'_> {
    /// The loop of `nest`, whose states there are.
    pub(super) fn loop_in_order(&mut self, scope: &mut Scope, nest: &Nest, inner: &Loop) -> TokenStream {
        let extent = self.as_usize(inner.extent);
        let columns = |range: TokenStream| {
            let column = |&vector| {
                let (column, vector) = (names::column(vector, inner.index), names::value(vector));
                quote!(let #column = &#vector[#range];)
            };
            inner.columns.iter().map(column).collect::<TokenStream>()
        };
        let (all, strip) = (columns(quote!(..#extent)), columns(quote!(first..first + n)));
        self.in_order = Some(inner.index);
        let first = self.plain_loop(scope, inner, None, &extent);
        self.in_order = None;
        let rest = self.plain_loop(scope, inner, Some(quote!(first)), &quote!(n));
        let few = Literal::u32_unsuffixed(inner.in_order.unwrap_or_default());
        let ok = self.p.ok();
        let rest = quote!({ let first = first + #few; #strip #rest #ok(()) });
        // Compiled for the CPU at hand only where it is inlined into what is.
        let rest = quote!(cx.row_strips(#extent - #few, #[inline(always)] |first, n| #rest)?;);
        let (mut sums, mut totals) = (TokenStream::new(), TokenStream::new());
        for store in &nest.stores {
            let StoreKind::Accumulate { leaves, .. } = &store.kind else { continue };
            let folded = self.piece_totals(store.sink);
            for (i, (leaf, total)) in leaves.iter().zip(folded).enumerate() {
                let (sum, neutral) = (names::leaf(Of::Order, store.sink, i), types::constant(leaf.neutral));
                sums.extend(quote!(let mut #sum = #neutral;));
                totals.extend(quote!(#sum = #total;));
            }
        }
        quote!(#sums { #all #first } if #extent > #few { #rest #totals })
    }

    /// Whether `merge` is in one of the first iterations.
    pub(super) fn is_in_order(&self, merge: &Merge) -> bool {
        matches!(merge.lane, Lane::Index(index) if self.in_order == Some(index))
    }

    /// What `merge` does in one of the first iterations.
    pub(super) fn accumulate_in_order(&self, merge: &Merge) -> TokenStream {
        let sink = merge.sink;
        let StoreKind::Accumulate { op, ty, leaves, .. } = &self.store(sink).kind else {
            unreachable!("only accumulators have lanes")
        };
        let position = self.in_order.map(names::position);
        let leaves = leaves.iter().zip(types::leaf_paths(self.p, ty)).enumerate();
        let merges = leaves.map(|(i, (leaf, path))| {
            let (state, sum) = (names::leaf(Of::State, sink, i), names::leaf(Of::Order, sink, i));
            let value = self.merged(merge, leaf, &path);
            let combine = self.combine(*op, &leaf.ty.into(), &Place::Here(quote!(#sum)), &quote!(value));
            quote!({ let value = #value; #combine #state[#position] = value; })
        });
        merges.collect()
    }
}
