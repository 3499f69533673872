//! Loops that do nothing but compute scalars and merge one of them under another: the table goes from one row to the next
//! without a look at anything else.
//!
//! ```text
//! s0.each(cx, zip(0..n, c0_3), |(_, &e0_3)| { let v4 = row(e0_3); (v4, 1i64) }, |entry, value| { … })?;
//! ```
//!
//! Columns are zipped, not indexed: an index is checked in each row where the compiler does not see that it is in bounds, which it
//! did in some programs and did not in others.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use weldment_core::ir::Value;

use super::iteration::{Angles, Row};
use super::names::Of;
use super::run::reads_index;
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
        let element = |vector: Value| names::element(vector, inner.index);
        let iteration = self.row_call(
            inner,
            &row,
            inputs,
            Angles::Any,
            &|vector| element(vector).into_token_stream(),
            quote!(lane),
        );
        let prefetches = self.prefetches_one_by_one(inner, &quote!(lane));
        let lane = if reads_index(inner) || !inner.ahead.is_empty() { quote!(lane) } else { quote!(_) };
        let zip = self.p.zip();
        let (rows, pattern) = inner.columns.iter().fold((quote!(0..n), lane), |(rows, pattern), &vector| {
            let (column, element) = (names::column(vector, inner.index), element(vector));
            (quote!(#zip(#rows, #column)), quote!((#pattern, &#element)))
        });
        let (key, value) = (self.name(merge.values[0]), self.name(merge.values[1]));
        let state = names::store(Of::State, merge.sink);
        quote! {
            #row_item
            #state.each(
                cx,
                #rows,
                #[inline(always)] |#pattern| { #prefetches #iteration (#key, #value) },
                #combining
            )?;
        }
    }
}
