//! Loops that run in blocks: so many iterations side by side, the rest as a tail.
//!
//! ```text
//! #[inline(always)]
//! fn row(v3: f64, v5: f64) -> (f64, bool) { … }
//! let (chunks0, c0_2) = c0_2[..n].as_chunks::<16>();
//! let mut l0_0 = *s0_0;
//! {
//!     let s0_0 = &mut l0_0;
//!     for k2 in 0..n / 16 {
//!         let chunk0 = &chunks0[k2];
//!         for lane in 0..16 {
//!             let (v4, v6) = row(chunk0[lane], v5);
//!             s0_0[lane] += if v6 { v4 } else { -0.0 };
//!         }
//!     }
//! }
//! *s0_0 = l0_0;
//! for lane in 0..n % 16 { … }
//! ```
//!
//! The lanes that blocks add to are of their own, `l0_0`: the tail finds its lane by a number, and what is found so is in memory,
//! where the compiler left one of the lanes in every block as well.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{Sink, Value};

use super::iteration::{Angles, Row, in_lane};
use super::names::Of;
use super::{Emitter, names};
use crate::loops::{Loop, Merge, StoreKind};

/// The columns of a loop in blocks.
pub(super) struct Blocks {
    /// Before the loop.
    pub(super) chunks: TokenStream,
    /// For each block.
    pub(super) bindings: TokenStream,
}

impl Emitter<'_> {
    /// The body of the function of a loop that runs in blocks of `block` iterations.
    pub(super) fn blocked_loop(&mut self, inner: &Loop, block: u32, inputs: &[Value]) -> TokenStream {
        let row = Row::of(inner, &self.consts);
        let row_item = row.computes.then(|| self.row(inner, &row, inputs, Angles::Any));
        let is_near = self.is_near(inner, &row, inputs);
        let angles = if is_near.is_some() { Angles::Near } else { Angles::Any };
        let stages = self.stages(inner, &row, inputs, angles, block);
        if let (None, None, [merge]) = (&is_near, &stages, &row.merges[..])
            && merge.guard.is_none()
            && self.is_part(merge.sink)
        {
            return self.flat_loop(inner, &row, merge, inputs);
        }
        let near_row_item = match (&stages, angles) {
            (None, Angles::Near) => Some(self.row(inner, &row, inputs, Angles::Near)),
            _ => None,
        };
        let b = Literal::u32_unsuffixed(block);
        let size = Literal::usize_unsuffixed(block as usize);
        let position = names::position(inner.index);
        let Blocks { chunks, bindings: chunk_bindings } = self.blocks(inner, block);
        let prefetches = self.prefetches(inner);
        let merges: Vec<&Merge> = row.merges.clone();
        let lanes = self.fewest_lanes(&merges, block);
        let column = |vector: Value| names::column(vector, inner.index);
        let at = quote!(#position * #b + lane);
        let in_block =
            |angles| self.row_call(inner, &row, inputs, angles, &in_lane(names::chunk), at.clone());
        let in_tail =
            self.row_call(inner, &row, inputs, Angles::Any, &in_lane(column), quote!(n / #b * #b + lane));
        let block_merges: Vec<_> =
            merges.iter().map(|merge| self.merge_in_block(merge, block, lanes)).collect();
        let tail_merges: Vec<_> = merges.iter().map(|merge| self.merge_in_tail(merge)).collect();
        let (before, after): (Vec<_>, Vec<_>) =
            merges.iter().map(|merge| self.around_block(merge, block)).unzip();
        let each_lane = |iteration: TokenStream| {
            if lanes == block {
                return quote!(for lane in 0..#b { #iteration });
            }
            // The inner loop is as long as the narrowest lanes, so that no lane depends on another.
            let (l, parts) = (Literal::u32_unsuffixed(lanes), Literal::u32_unsuffixed(block / lanes));
            quote! {
                for part in 0..#parts {
                    for within in 0..#l {
                        let lane = part * #l + within;
                        #iteration
                    }
                }
            }
        };
        let lane_loop = |of: Angles| {
            // Huge angles are rare.
            let (loops, iteration) = match &stages {
                Some(stages) if of == angles => (Some(&stages.loops), stages.last.clone()),
                _ => (None, in_block(of)),
            };
            let last = each_lane(quote!(#iteration #(#block_merges)*));
            quote!(#loops #last)
        };
        let best_lanes = self.best_lanes(&merges);
        let (states, lanes_here) = self.lanes_of(&merges);
        let settle = self.settle(&merges, |ask| {
            let iteration = in_block(Angles::Any);
            let lanes = each_lane(quote!(#iteration #ask));
            quote!(for #position in 0..n / #size { #chunk_bindings #lanes })
        });
        let lane_loops = match &is_near {
            None => lane_loop(Angles::Any),
            Some(is_near) => {
                let (ask, near, any) = (
                    is_near.call(&in_lane(names::chunk), at.clone()),
                    lane_loop(Angles::Near),
                    lane_loop(Angles::Any),
                );
                quote! {
                    let mut near = true;
                    for lane in 0..#b { #ask }
                    if near { #near } else { #any }
                }
            }
        };
        let is_near_item = is_near.as_ref().map(|is_near| &is_near.item);
        let stage_items = stages.as_ref().map(|stages| &stages.items);
        quote! {
            #row_item
            #near_row_item
            #stage_items
            #is_near_item
            #chunks
            #best_lanes
            #(let mut #lanes_here = *#states;)*
            {
                #(let #states = &mut #lanes_here;)*
                for #position in 0..n / #size {
                    #prefetches
                    #chunk_bindings
                    #(#before)*
                    #lane_loops
                    #(#after)*
                }
            }
            #(*#states = #lanes_here;)*
            #settle
            for lane in 0..n % #b {
                #in_tail
                #(#tail_merges)*
            }
        }
    }

    /// The columns of `inner` in blocks of `block` elements.
    pub(super) fn blocks(&self, inner: &Loop, block: u32) -> Blocks {
        let (size, position) = (Literal::usize_unsuffixed(block as usize), names::position(inner.index));
        let (chunks, bindings): (Vec<_>, Vec<_>) = inner
            .columns
            .iter()
            .map(|&vector| {
                let column = names::column(vector, inner.index);
                let (chunks, chunk) = (names::chunks(vector), names::chunk(vector));
                let cut = quote!(let (#chunks, #column) = #column[..n].as_chunks::<#size>(););
                (cut, quote!(let #chunk = &#chunks[#position];))
            })
            .unzip();
        Blocks { chunks: quote!(#(#chunks)*), bindings: quote!(#(#bindings)*) }
    }

    /// `prefetch(chunks3, k2);`
    pub(super) fn prefetches(&self, inner: &Loop) -> TokenStream {
        let (prefetch, position) = (self.p.prefetch(), names::position(inner.index));
        let of_vector = |&vector: &Value| {
            let chunks = names::chunks(vector);
            quote!(#prefetch(#chunks, #position);)
        };
        inner.ahead.iter().map(of_vector).collect()
    }

    /// The accumulators that `merges` fill, and the lanes that blocks have for them, each once.
    fn lanes_of(&self, merges: &[&Merge]) -> (Vec<Ident>, Vec<Ident>) {
        let sinks: BTreeSet<Sink> = merges.iter().map(|merge| merge.sink).collect();
        let is_accumulator = |sink: &Sink| matches!(self.store(*sink).kind, StoreKind::Accumulate { .. });
        let parts =
            |of: Of| sinks.iter().copied().filter(is_accumulator).flat_map(move |sink| self.parts(of, sink));
        (parts(Of::State).collect(), parts(Of::Lanes).collect())
    }

    /// The least number of lanes above 1 that an accumulator here has, or the block.
    fn fewest_lanes(&self, merges: &[&Merge], block: u32) -> u32 {
        merges
            .iter()
            .filter_map(|merge| match &self.stores[&merge.sink].0.kind {
                StoreKind::Accumulate { leaves, .. } => merge
                    .compared
                    .or_else(|| leaves.iter().map(|leaf| leaf.lanes).filter(|&lanes| lanes > 1).min()),
                _ => None,
            })
            .fold(block, u32::min)
    }
}
