//! Iterations side by side: a loop over lanes, around a function of one of them, which the compiler makes instructions on several
//! lanes of.
//!
//! ```text
//! #[inline(always)]
//! fn row6(v3: f64, v5: f64) -> (f64, bool) { … }
//! for lane in 0..16 {
//!     let (v4, v7) = row6(block0[lane], v5);
//!     a1[lane] += if v7 { v4 } else { -0.0 };
//! }
//! ```
//! What is read behind the loop is in arrays. What a store takes is handed over behind it.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{Entity, Value};

use super::loops::{column_block, reads, strided};
use super::{Place, Printer, braces, one_or_tuple, part, variable};
use crate::imp::{Action, Lanes, Stmt, Strategy, Stride};
use crate::rust::{allow_parameters, types};

/// An iteration.
struct Row<'a> {
    /// What it reads of columns: value, column and stride.
    loads: Vec<(Value, Value, Stride)>,
    /// What it computes.
    lets: Vec<&'a Stmt>,
    merges: Vec<&'a Stmt>,
    /// What of it merges and what comes behind read, each once.
    outputs: Vec<Value>,
}

impl Printer<'_> {
    pub(super) fn lanes(&mut self, lanes: &Lanes) -> TokenStream {
        let row = self.row(lanes);
        let width = Literal::u32_unsuffixed(lanes.width);
        let fewest = self.fewest_lanes(&row, lanes.width);
        let (item, iteration) = self.iteration(lanes, &row);
        let lane = move |own: u32| match own {
            own if own == lanes.width => quote!(lane),
            own if own == fewest => quote!(within),
            own => {
                let own = Literal::u32_unsuffixed(own);
                quote!(lane % #own)
            }
        };
        let (mut before, mut inside, mut after) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for &value in row.outputs.iter().filter(|value| self.carried.contains(value)) {
            let (name, array, zero) = (variable(value), carried(value), types::zero(self.p, self.ty(value)));
            before.extend(quote!(let mut #array = [#zero; #width];));
            inside.extend(quote!(#array[lane] = #name;));
        }
        for merge in &row.merges {
            match merge {
                Stmt::Accumulate { reg, lane: at, op, value, mask } => {
                    inside.extend(self.accumulate(*reg, *at, *op, *value, *mask, Some(&lane)));
                }
                Stmt::Do { store, args, mask, .. } => {
                    let value = args[args.len() - 1];
                    let (values, masks, zero) =
                        (block(*store), kept(*store), types::zero(self.p, self.ty(value)));
                    let value = self.name(value);
                    before.extend(quote!(let mut #values = [#zero; #width];));
                    inside.extend(quote!(#values[lane] = #value;));
                    if let Some(mask) = mask.map(|mask| self.name(mask)) {
                        before.extend(quote!(let mut #masks = [false; #width];));
                        inside.extend(quote!(#masks[lane] = #mask;));
                    }
                    after.extend(self.hand_over(*store, mask.is_some()));
                }
                _ => {}
            }
        }
        let each = if fewest == lanes.width {
            let body = braces([iteration, inside]);
            quote!(for lane in 0..#width #body)
        } else {
            // The inner loop is as long as the narrowest lanes, so that no lane depends on another.
            let (few, parts) =
                (Literal::u32_unsuffixed(fewest), Literal::u32_unsuffixed(lanes.width / fewest));
            let body = braces([quote!(let lane = part * #few + within;), iteration, inside]);
            quote!(for part in 0..#parts { for within in 0..#few #body })
        };
        [item, before, each, after].into_iter().collect()
    }

    /// A block goes to a store.
    fn hand_over(&self, store: crate::imp::StoreId, is_masked: bool) -> TokenStream {
        let (name, values, masks) = (part(store), block(store), kept(store));
        let of = &self.imp.stores[store];
        let has_cursor = of.split
            && matches!(of.strategy, Strategy::Columns { .. } | Strategy::Exact { .. } | Strategy::Ordered);
        if has_cursor {
            return match is_masked {
                true => quote!(#name.push_kept(#values, #masks);),
                false => quote!(#name.push_block(#values);),
            };
        }
        let to = self.by_reference(Place::Store(store));
        match is_masked {
            true => {
                let keep = self.p.keep();
                quote!(#keep(cx, #to, #values, #masks)?;)
            }
            false => {
                let push = self.p.push_block();
                quote!(#push(cx, #to, #values)?;)
            }
        }
    }

    fn row<'l>(&self, lanes: &'l Lanes) -> Row<'l> {
        let mut row = Row { loads: Vec::new(), lets: Vec::new(), merges: Vec::new(), outputs: Vec::new() };
        let mut own = HashSet::new();
        for stmt in &lanes.body.stmts {
            match stmt {
                Stmt::Load { result, column, index, stride } if *index == lanes.index => {
                    own.insert(*result);
                    row.loads.push((*result, *column, *stride));
                }
                Stmt::Let { result, .. } if self.unread.contains(result) => {}
                Stmt::Let { result, .. } | Stmt::Load { result, .. } => {
                    own.insert(*result);
                    row.lets.push(stmt);
                }
                stmt => row.merges.push(stmt),
            }
        }
        own.extend(lanes.number.map(|number| number.value));
        let merged = row.merges.iter().flat_map(|merge| match merge {
            Stmt::Do { action: Action::Put, args, mask, .. } => {
                args[1..].iter().copied().chain(*mask).collect()
            }
            Stmt::Accumulate { value, mask, .. } => [*value].into_iter().chain(*mask).collect(),
            merge => reads(merge),
        });
        let merged: Vec<Value> =
            merged.chain(own.iter().copied().filter(|value| self.carried.contains(value))).collect();
        let mut merged = merged;
        merged.sort_unstable();
        for value in merged {
            if self.info(value).constant.is_none()
                && self.info(value).width > 1
                && !row.outputs.contains(&value)
            {
                row.outputs.push(value);
            }
        }
        row
    }

    /// The function of an iteration, if it computes, and its call, which binds what is merged.
    fn iteration(&mut self, lanes: &Lanes, row: &Row<'_>) -> (TokenStream, TokenStream) {
        let number = lanes.number.map(|number| {
            let index = self.lane_position(lanes);
            (number.value, self.sum(number.first, index))
        });
        let element = |column: Value, stride: Stride| {
            let (column_block, lane) = (column_block(column), strided(stride, quote!(lane)));
            quote!(#column_block[#lane])
        };
        // What a merge takes as it stands in an array.
        let from_arrays = |this: &Self, value: Value| {
            let (name, array) = (variable(value), carried(value));
            let is_own = row.loads.iter().any(|load| load.0 == value)
                || row.lets.iter().any(|stmt| matches!(stmt, Stmt::Let { result, .. } | Stmt::Load { result, .. } if *result == value))
                || number.as_ref().is_some_and(|number| number.0 == value);
            (!is_own && this.info(value).width > 1).then(|| quote!(let #name = #array[lane];))
        };
        if row.lets.is_empty() {
            let loads = row.loads.iter().map(|&(value, column, stride)| {
                let (name, element) = (variable(value), element(column, stride));
                quote!(let #name = #element;)
            });
            let own = number.as_ref().map(|(value, at)| {
                let name = variable(*value);
                quote!(let #name = #at as i64;)
            });
            let others = row.outputs.iter().filter_map(|&value| from_arrays(self, value));
            return (TokenStream::new(), quote!(#(#loads)* #own #(#others)*));
        }
        let name = format_ident!("row{}", lanes.index.index());
        let (mut params, mut args) = (Vec::new(), Vec::new());
        let mut known: HashSet<Value> = HashSet::new();
        if let Some((value, at)) = &number {
            let name = variable(*value);
            params.push(quote!(#name: i64));
            args.push(quote!(#at as i64));
            known.insert(*value);
        }
        for &(value, column, stride) in &row.loads {
            let (name, ty) = (variable(value), self.owned_type(value));
            params.push(quote!(#name: #ty));
            args.push(element(column, stride));
            known.insert(value);
        }
        known.extend(row.lets.iter().flat_map(|stmt| stmt.values(crate::imp::walk::Use::Bind)));
        let inputs: Vec<Value> =
            row.lets.iter().flat_map(|stmt| reads(stmt)).chain(row.outputs.iter().copied()).collect();
        for &value in &inputs {
            if self.info(value).constant.is_some() || !known.insert(value) {
                continue;
            }
            let (name, ty) = (variable(value), self.borrowed_type(value));
            params.push(quote!(#name: #ty));
            args.push(match self.info(value).width {
                _ if value == lanes.index => self.lane_position(lanes),
                1 => self.pass(value),
                _ => {
                    let array = carried(value);
                    quote!(#array[lane])
                }
            });
        }
        let stmts: TokenStream = self
            .in_function(inputs.clone(), [], |this| row.lets.iter().map(|stmt| this.stmt(stmt)).collect());
        let types = row.outputs.iter().map(|&value| self.owned_type(value)).collect();
        let output = one_or_tuple(types);
        let values = one_or_tuple(row.outputs.iter().map(|&value| self.name(value)).collect());
        let (allow, body) = (allow_parameters(params.len()), braces([stmts, values.clone()]));
        let item = quote! {
            #allow
            #[inline(always)]
            fn #name(#(#params),*) -> #output #body
        };
        (item, quote!(let #values = #name(#(#args),*);))
    }

    /// The position of a lane.
    fn lane_position(&self, lanes: &Lanes) -> TokenStream {
        let first = self.name(lanes.first);
        quote!((#first + lane))
    }

    /// The least number of lanes above 1 that a register here has, or the width.
    fn fewest_lanes(&self, row: &Row<'_>, width: u32) -> u32 {
        let lanes = row.merges.iter().filter_map(|merge| match merge {
            Stmt::Accumulate { reg, .. } => Some(self.imp.regs[*reg].lanes).filter(|&lanes| lanes > 1),
            _ => None,
        });
        lanes.fold(width, u32::min)
    }
}

/// The values of a block, for what comes behind.
pub(super) fn carried(value: Value) -> Ident {
    format_ident!("w{}", value.index())
}

/// What a block hands to a store.
fn block(store: crate::imp::StoreId) -> Ident {
    format_ident!("b{}", store.index())
}

/// Which of it is kept.
fn kept(store: crate::imp::StoreId) -> Ident {
    format_ident!("m{}", store.index())
}
