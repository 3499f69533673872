//! Loops that do nothing but compute scalars and merge one of them into a vector by index: four rows at a time, so that none
//! need wait to see whether the one before it goes to the same place.
//!
//! ```text
//! let (chunks0, c0_3) = c0_3[..n].as_chunks::<4>();
//! for k3 in 0..n / 4 {
//!     prefetch(chunks0, k3);
//!     let chunk0 = &chunks0[k3];
//!     let rows = [0, 1, 2, 3].map(#[inline(always)] |lane: usize| { let v4 = chunk0[lane]; (v4, 1i64) });
//!     s0.each(cx, rows, |entry, value| { … }, 1, 80)?;
//! }
//! for lane in 0..n % 4 {
//!     let v4 = c0_3[lane];
//!     s0.each(cx, [(v4, 1i64)], |entry, value| { … }, 1, 80)?;
//! }
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{Op, Value};

use super::iteration::{Angles, Row};
use super::names::Of;
use super::run::Blocks;
use super::{Emitter, names};
use crate::loops::{Loop, Step, StoreKind};

/// How many rows at a time.
const ROWS: u32 = 4;

impl Emitter<'_> {
    /// The loop, if it is one of these.
    pub(super) fn scatter_loop(&mut self, inner: &Loop, inputs: &[Value]) -> Option<TokenStream> {
        let is_straight = inner.body.steps.iter().all(|step| match step {
            // A call may do more than give a value, and nobody may see it before the merges that come first.
            Step::Bind { op: Op::Call { .. }, .. } => false,
            Step::Bind { result, op, .. } => self.ty(*result).is_scalars() && !self.op_faults(op),
            Step::Merge(_) => true,
            _ => false,
        });
        let row = Row::of(inner, &self.consts);
        let [merge] = row.merges[..] else { return None };
        let StoreKind::Scatter { op, ty, .. } = &self.store(merge.sink).kind else { return None };
        if !is_straight {
            return None;
        }
        let combining = self.combining(*op, ty);
        let row_item = row.computes.then(|| self.row(inner, &row, inputs, Angles::Any));
        let (blocks, position) = (self.blocks(inner, ROWS), names::position(inner.index));
        let (rows, prefetches) = (Literal::u32_unsuffixed(ROWS), self.prefetches(inner, ROWS));
        let lanes = (0..ROWS).map(Literal::u32_unsuffixed);
        let in_block =
            self.row_call(inner, &row, inputs, Angles::Any, &names::chunk, quote!(#position * #rows + lane));
        let column = |vector: Value| names::column(vector, inner.index);
        let in_tail =
            self.row_call(inner, &row, inputs, Angles::Any, &column, quote!(n / #rows * #rows + lane));
        let (index, value) = (self.name(merge.values[0]), self.name(merge.values[1]));
        let (state, (line, place)) = (names::store(Of::State, merge.sink), self.place(merge.loc));
        let Blocks { chunks, bindings } = blocks;
        Some(quote! {
            #row_item
            #chunks
            for #position in 0..n / #rows {
                #prefetches
                #bindings
                let rows = [#(#lanes),*].map(#[inline(always)] |lane: usize| { #in_block (#index, #value) });
                #state.each(cx, rows, #combining, #line, #place)?;
            }
            for lane in 0..n % #rows {
                #in_tail
                #state.each(cx, [(#index, #value)], #combining, #line, #place)?;
            }
        })
    }
}
