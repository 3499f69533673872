//! Loops that do nothing but compute scalars and merge one of them into a vector by index: eight rows at a time, so that none
//! need wait to see whether the one before it goes to the same place. Where an index has no place, all of them are computed
//! again, so that nothing is kept in registers for that.
//!
//! ```text
//! let (chunks0, c0_3) = c0_3[..n].as_chunks::<8>();
//! for k3 in 0..n / 8 {
//!     prefetch(chunks0, k3);
//!     let chunk0 = &chunks0[k3];
//!     let mut rows = [(0i64, 0i64); 8];
//!     for lane in 0..8 {
//!         let v4 = chunk0[lane];
//!         rows[lane] = (v4, 1i64);
//!     }
//!     if !s0.all(rows, |entry, value| { … }) {
//!         for lane in 0..8 {
//!             let v4 = chunk0[lane];
//!             s0.one(cx, (v4, 1i64), |entry, value| { … }, 1, 80)?;
//!         }
//!     }
//! }
//! for lane in 0..n % 8 {
//!     let v4 = c0_3[lane];
//!     s0.one(cx, (v4, 1i64), |entry, value| { … }, 1, 80)?;
//! }
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::Value;

use super::blocked::Blocks;
use super::iteration::{Angles, Row, in_lane};
use super::names::Of;
use super::{Emitter, names, types};
use crate::loops::{Loop, StoreKind};

impl Emitter<'_> {
    /// The loop, which is one of these and takes so many rows at a time.
    pub(super) fn scatter_loop(&mut self, inner: &Loop, rows: u32, inputs: &[Value]) -> TokenStream {
        let row = Row::of(inner, &self.consts);
        let [merge] = row.merges[..] else { unreachable!("such a loop merges at one place") };
        let StoreKind::Scatter { op, ty, .. } = &self.store(merge.sink).kind else {
            unreachable!("such a loop merges by index")
        };
        let combining = self.combining(*op, ty);
        let row_item = row.computes.then(|| self.row(inner, &row, inputs, Angles::Any));
        let (blocks, position) = (self.blocks(inner, rows), names::position(inner.index));
        let zero = types::zero(self.p, ty);
        let (rows, prefetches) = (Literal::u32_unsuffixed(rows), self.prefetches(inner));
        let (in_chunk, in_column) =
            (in_lane(names::chunk), in_lane(|vector| names::column(vector, inner.index)));
        let (in_block, in_tail) = (quote!(#position * #rows + lane), quote!(n / #rows * #rows + lane));
        let in_block = self.row_call(inner, &row, inputs, Angles::Any, &in_chunk, in_block);
        let in_tail = self.row_call(inner, &row, inputs, Angles::Any, &in_column, in_tail);
        let (index, value) = (self.name(merge.values[0]), self.name(merge.values[1]));
        let (state, (line, place)) = (names::store(Of::State, merge.sink), self.place(merge.loc));
        let Blocks { chunks, bindings } = blocks;
        let one = quote!(#state.one(cx, (#index, #value), #combining, #line, #place)?;);
        quote! {
            #row_item
            #chunks
            for #position in 0..n / #rows {
                #prefetches
                #bindings
                let mut rows = [(0i64, #zero); #rows];
                for lane in 0..#rows {
                    #in_block
                    rows[lane] = (#index, #value);
                }
                if !#state.all(rows, #combining) {
                    for lane in 0..#rows {
                        #in_block
                        #one
                    }
                }
            }
            for lane in 0..n % #rows {
                #in_tail
                #one
            }
        }
    }
}
