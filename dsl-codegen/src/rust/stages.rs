//! An iteration whose functions of mathematics wait for each other, by the block and in stages.
//!
//! Each such function is a hundred operations or more, and a CPU looks no further ahead than some hundred: where one takes
//! what another gives, it finds too little to do side by side, within an iteration and beyond. So a block runs the first of
//! them for all of its lanes, keeps in arrays what comes of it, and then runs the next. Functions that do not wait for each
//! other run side by side anyway, and stay in one stage:
//!
//! ```text
//! fn stage0(v3: f64) -> f64 { let v5 = Float::log(v3); v5 }
//! fn stage1(v3: f64, v5: f64) -> f64 { let v6 = Float::erf(v5); let v7 = v3 * v6; v7 }
//! for k2 in 0..n / 16 {
//!     let chunk0 = &chunks0[k2];
//!     let mut a5 = [0.0f64; 16];
//!     for lane in 0..16 { let v5 = stage0(chunk0[lane]); a5[lane] = v5; }
//!     for lane in 0..16 { let v7 = stage1(chunk0[lane], a5[lane]); … }
//! }
//! ```
//!
//! Every lane sees the operations of its iteration, so that the results have the same bits.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::ops::Range;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{MathFn, Op, Value};
use weldment_runtime::types::Type;

use super::block::one_or_tuple;
use super::iteration::{Angles, Row, Takes, arguments, in_lane};
use super::run::is_column;
use super::{Emitter, names, types};
use crate::loops::{Loop, Step};

/// A block in stages.
pub(super) struct Stages {
    /// The function of each.
    pub(super) items: TokenStream,
    /// The loops of all but the last.
    pub(super) loops: TokenStream,
    /// `let (v4, v6) = stage2(…);`: the last, for one lane.
    pub(super) last: TokenStream,
}

/// Some of the steps of an iteration, one after another.
struct Stage {
    steps: Range<usize>,
    /// What they take from columns, from outside and from the stages before, each once.
    needs: Vec<Value>,
}

impl Emitter<'_> {
    /// The stages of an iteration whose angles are `angles`, in a loop over the lanes of the block at `position`; `None` if
    /// there is but one.
    pub(super) fn stages(
        &mut self,
        inner: &Loop,
        row: &Row<'_>,
        inputs: &[Value],
        angles: Angles,
        block: u32,
    ) -> Option<Stages> {
        let cuts = self.cuts(inner)?;
        let stages = with_needs(inner, row, cuts);
        // The last that takes each value.
        let mut taken_by = HashMap::new();
        for (k, stage) in stages.iter().enumerate() {
            taken_by.extend(stage.needs.iter().map(|&value| (value, k)));
        }
        let (b, position) = (Literal::u32_unsuffixed(block), names::position(inner.index));
        let columns: HashMap<Value, Value> = row.reads.iter().copied().collect();
        let outside: HashSet<Value> = inputs.iter().copied().collect();
        let mut computed = HashSet::new();
        let mut parts =
            Stages { items: TokenStream::new(), loops: TokenStream::new(), last: TokenStream::new() };
        for (k, stage) in stages.iter().enumerate() {
            let is_last = k + 1 == stages.len();
            // A value that a stage before it computed is read from an array like a column, and under its own name.
            let source = |&value: &Value| match columns.get(&value) {
                Some(&vector) => Some((value, vector)),
                None => computed.contains(&value).then_some((value, value)),
            };
            let reads: Vec<_> = stage.needs.iter().filter_map(source).collect();
            let inputs: Vec<_> =
                stage.needs.iter().copied().filter(|value| outside.contains(value)).collect();
            let takes: Takes<'_> = (stage.needs.contains(&inner.index), &reads, &inputs);
            let steps = &inner.body.steps[stage.steps.clone()];
            let results: Vec<Value> = steps.iter().filter_map(|step| result_of(inner, step)).collect();
            let outputs: Vec<Value> = match is_last {
                true => row.outputs.clone(),
                false => {
                    let is_carried = |value: &&Value| taken_by.get(*value).is_some_and(|&by| by > k);
                    results.iter().filter(is_carried).copied().collect()
                }
            };

            let name = format_ident!("stage{k}");
            let output =
                one_or_tuple(outputs.iter().map(|&value| types::owned(self.p, self.ty(value))).collect());
            let bound: Vec<_> = outputs.iter().map(|&value| names::value(value)).collect();
            let values = one_or_tuple(bound.iter().map(|value| quote!(#value)).collect());
            let body = (output, values.clone());
            let steps = steps.iter().filter(|step| result_of(inner, step).is_some());
            parts.items.extend(self.iteration(&name, inner, takes, angles, steps, body));

            let place = |source: Value| match computed.contains(&source) {
                true => names::carried(source),
                false => names::chunk(source),
            };
            let args = arguments(takes, &in_lane(place), quote!(#position * #b + lane));
            let call = quote!(let #values = #name(#args););
            if is_last {
                parts.last = call;
                break;
            }
            let arrays: Vec<_> = outputs.iter().map(|&value| names::carried(value)).collect();
            let zeros = outputs.iter().map(|&value| types::zero(self.p, self.ty(value)));
            parts.loops.extend(quote! {
                #(let mut #arrays = [#zeros; #b];)*
                for lane in 0..#b {
                    #call
                    #(#arrays[lane] = #bound;)*
                }
            });
            computed.extend(results);
        }
        Some(parts)
    }

    /// The steps before which a stage begins, but for the first: a long function stands in a stage after those that it
    /// waits for. `None` if there is none, or if the body does more than to compute scalars.
    fn cuts(&self, inner: &Loop) -> Option<Vec<usize>> {
        let mut cuts = Vec::new();
        // What waits for a long function of the stage at hand.
        let mut late = HashSet::new();
        for (at, step) in inner.body.steps.iter().enumerate() {
            match step {
                Step::Bind { op: Op::Const(_), .. } | Step::Merge(_) => {}
                Step::Bind { op: Op::At(vector, index), .. } if is_column(inner, *vector, *index) => {}
                Step::Bind { result, op, .. } if is_arithmetic(op) && self.ty(*result).is_scalars() => {
                    let is_long = self.is_long(*result, op);
                    let mut waits = false;
                    op.for_each_operand(&mut |operand| waits |= late.contains(&operand));
                    if is_long && waits {
                        cuts.push(at);
                        late.clear();
                    }
                    if is_long || waits {
                        late.insert(*result);
                    }
                }
                _ => return None,
            }
        }
        (!cuts.is_empty()).then_some(cuts)
    }

    /// Whether `op`, which gives `result`, is a function that takes a polynomial or more.
    fn is_long(&self, result: Value, op: &Op) -> bool {
        use MathFn::{Abs, Ceil, Floor, Fract, IsNan, MulAdd, Round, Signum, Sqrt, Trunc};
        match op {
            Op::Math(Abs | Ceil | Floor | Fract | IsNan | MulAdd | Round | Signum | Sqrt | Trunc, _) => false,
            Op::Math(..) => matches!(self.ty(result), Type::Scalar(scalar) if scalar.is_float()),
            _ => false,
        }
    }
}

/// The stages between `cuts`, each with what it takes.
fn with_needs(inner: &Loop, row: &Row<'_>, cuts: Vec<usize>) -> Vec<Stage> {
    let steps = &inner.body.steps;
    let starts = iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(iter::once(steps.len()));
    let mut stages: Vec<_> =
        starts.zip(ends).map(|(start, end)| Stage { steps: start..end, needs: Vec::new() }).collect();
    let last = stages.len() - 1;
    for (k, stage) in stages.iter_mut().enumerate() {
        let mut known = HashSet::new();
        let mut note = |value: Value| {
            if known.insert(value) {
                stage.needs.push(value);
            }
        };
        let mut own = HashSet::new();
        for step in &steps[stage.steps.clone()] {
            if let Step::Bind { result, op, .. } = step
                && result_of(inner, step).is_some()
            {
                op.for_each_operand(&mut |operand| {
                    if !own.contains(&operand) {
                        note(operand);
                    }
                });
                own.insert(*result);
            }
        }
        if k == last {
            row.outputs.iter().filter(|output| !own.contains(output)).for_each(|&output| note(output));
        }
    }
    stages
}

/// What a step of an iteration computes, for which it is in a stage.
fn result_of(inner: &Loop, step: &Step) -> Option<Value> {
    match step {
        Step::Bind { op: Op::Const(_), .. } => None,
        Step::Bind { op: Op::At(vector, index), .. } if is_column(inner, *vector, *index) => None,
        Step::Bind { result, .. } => Some(*result),
        _ => None,
    }
}

/// Whether `op` makes a scalar of scalars, wherever it stands.
fn is_arithmetic(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) | Op::Cast(..) | Op::Select(..)
    )
}
