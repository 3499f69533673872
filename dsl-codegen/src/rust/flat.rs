//! Loops that write an element of one vector in each iteration, and do nothing besides.

use proc_macro2::TokenStream;
use quote::quote;
use weldment_core::ir::Value;

use super::iteration::{Angles, Row, in_lane};
use super::names::Of;
use super::{Emitter, names};
use crate::loops::{Loop, Merge};

impl Emitter<'_> {
    /// A loop that writes an element of one vector in each iteration, which needs no blocks of its own.
    /// ```text
    /// s0.fill(n, |lane| { let v4 = row(c0_3[lane]); v4 });
    /// ```
    pub(super) fn flat_loop(
        &mut self,
        inner: &Loop,
        row: &Row<'_>,
        merge: &Merge,
        inputs: &[Value],
    ) -> TokenStream {
        let row_item = row.computes.then(|| self.row(inner, row, inputs, Angles::Any));
        let column = |vector: Value| names::column(vector, inner.index);
        let columns = inner.columns.iter().map(|&vector| {
            let column = column(vector);
            quote!(let #column = &#column[..n];)
        });
        let iteration = self.row_call(inner, row, inputs, Angles::Any, &in_lane(column), quote!(lane));
        let (state, value) = (names::store(Of::State, merge.sink), self.name(merge.values[0]));
        quote! {
            #row_item
            #(#columns)*
            #state.fill(n, #[inline(always)] |lane| { #iteration #value });
        }
    }
}
