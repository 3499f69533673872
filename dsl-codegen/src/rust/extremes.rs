//! The least and the greatest of floats in blocks, by comparing; and the loop that asks what that leaves open.
//!
//! ```text
//! let mut q2 = [f64::INFINITY; 16];
//! for k1 in 0..n / 16 {
//!     …
//!     q2[lane] = Extreme::better(fold::Min, q2[lane], v3);
//! }
//! if let Some(open) = settle(fold::Min, s2_0, q2) {
//!     let mut found = false;
//!     for k1 in 0..n / 16 {
//!         …
//!         found |= Extreme::same(fold::Min, v3, open);
//!     }
//!     if found {
//!         *s2_0 = Number::least(*s2_0, open);
//!     }
//! }
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{ReduceOp, Sink};
use weldment_runtime::types::Scalar;

use super::names::Of;
use super::store::Place;
use super::{Emitter, names, types};
use crate::loops::{Merge, StoreKind};

impl Emitter<'_> {
    /// The operator and type of an extreme.
    fn extreme(&self, sink: Sink) -> (ReduceOp, Scalar) {
        match &self.store(sink).kind {
            StoreKind::Accumulate { op, leaves, .. } => (*op, leaves[0].ty),
            _ => unreachable!("only extremes are compared"),
        }
    }

    /// The lanes before the blocks, once for each sink among `merges`, which are compared.
    pub(super) fn best_lanes(&self, merges: &[&Merge]) -> TokenStream {
        let of_sink = |merge: &&Merge| {
            let (op, ty) = self.extreme(merge.sink);
            let (best, start) = (names::best(merge.sink), types::constant(op.identity(ty)));
            let lanes = merge.compared.map(Literal::u32_unsuffixed);
            quote!(let mut #best = [#start; #lanes];)
        };
        by_sink(merges).map(|merges| of_sink(&merges[0])).collect()
    }

    /// `q2[lane] = …;`
    pub(super) fn keep_better(&self, merge: &Merge, lane: &TokenStream) -> TokenStream {
        let (best, extremes) = (names::best(merge.sink), self.p.extremes());
        let (op, value) = (self.operator(self.extreme(merge.sink).0), self.name(merge.values[0]));
        match merge.guard.map(|guard| self.name(guard)) {
            Some(guard) => quote! {
                #best[#lane] = #extremes::Extreme::better_if(#op, #guard, #best[#lane], #value);
            },
            None => quote!(#best[#lane] = #extremes::Extreme::better(#op, #best[#lane], #value);),
        }
    }

    /// What comes after the blocks; `again` runs its argument on all of their iterations.
    pub(super) fn settle(
        &self,
        merges: &[&Merge],
        again: impl Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let extremes = self.p.extremes();
        let of_sink = |merges: Vec<&Merge>| {
            let sink = merges[0].sink;
            let (op, ty) = self.extreme(sink);
            let (best, state, operator) =
                (names::best(sink), names::leaf(Of::State, sink, 0), self.operator(op));
            let asks = merges.iter().map(|merge| {
                let value = self.name(merge.values[0]);
                let guard = merge.guard.map(|guard| self.name(guard)).map(|guard| quote!(& #guard));
                quote!(found |= #extremes::Extreme::same(#operator, #value, open) #guard;)
            });
            let again = again(&quote!(#(#asks)*));
            let combine = self.combine(op, &ty.into(), &Place::Behind(quote!(#state)), &quote!(open));
            let some = self.p.some();
            quote! {
                if let #some(open) = #extremes::settle(#operator, #state, #best) {
                    let mut found = false;
                    #again
                    if found {
                        #combine
                    }
                }
            }
        };
        by_sink(merges).map(of_sink).collect()
    }
}

/// Those of `merges` that are compared, sink by sink.
fn by_sink<'m>(merges: &[&'m Merge]) -> impl Iterator<Item = Vec<&'m Merge>> {
    let mut of_sinks: Vec<Vec<&Merge>> = Vec::new();
    for &merge in merges.iter().filter(|merge| merge.compared.is_some()) {
        match of_sinks.iter_mut().find(|known| known[0].sink == merge.sink) {
            Some(known) => known.push(merge),
            None => of_sinks.push(vec![merge]),
        }
    }
    of_sinks.into_iter()
}
