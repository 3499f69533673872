//! Loops that do nothing but compute scalars and merge one of them under another: the table goes from one row to the next
//! without a look at anything else.
//!
//! ```text
//! s0.each(cx, n, |lane| { let v4 = row(c0_3[lane]); (v4, 1i64) }, |entry, value| { … })?;
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use weldment_core::ir::Value;

use super::iteration::{Angles, Row};
use super::names::Of;
use super::{Emitter, names};
use crate::loops::{Keyed, Loop, StoreKind};

impl Emitter<'_> {
    /// The loop, which is one of these, and whose table is in buckets where it has many keys.
    pub(super) fn keyed_loop(&mut self, inner: &Loop, inputs: &[Value]) -> TokenStream {
        let row = Row::of(inner, &self.consts);
        let [merge] = row.merges[..] else { unreachable!("such a loop merges at one place") };
        let StoreKind::Table { value: ty, what: Keyed::Reduce(op), .. } = &self.store(merge.sink).kind else {
            unreachable!("such a loop merges by key")
        };
        let combining = self.combining(*op, ty);
        let row_item = row.computes.then(|| self.row(inner, &row, inputs, Angles::Any));
        let column = |vector: Value| names::column(vector, inner.index);
        let iteration = self.row_call(inner, &row, inputs, Angles::Any, &column, quote!(lane));
        let prefetches = self.prefetches_one_by_one(inner, &quote!(lane));
        let (key, value) = (self.name(merge.values[0]), self.name(merge.values[1]));
        let state = names::store(Of::State, merge.sink);
        quote! {
            #row_item
            #state.each(cx, n, #[inline(always)] |lane| { #prefetches #iteration (#key, #value) }, #combining)?;
        }
    }
}
