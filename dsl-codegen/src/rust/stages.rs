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

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{MathFn, Op, Value};
use weldment_runtime::types::Type;

use super::block::one_or_tuple;
use super::iteration::{Angles, Row, Takes, arguments};
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
        let stage_of = self.stage_of(inner)?;
        let last = stage_of.values().copied().max().filter(|&last| last > 0)?;
        let needs = needs(inner, row, &stage_of, last);
        let (b, position) = (Literal::u32_unsuffixed(block), names::position(inner.index));
        let mut stages =
            Stages { items: TokenStream::new(), loops: TokenStream::new(), last: TokenStream::new() };
        for stage in 0..=last {
            let is_carried = |value: &Value| stage_of.get(value).is_some_and(|&of| of < stage);
            let reads = row.reads.iter().filter(|(value, _)| needs[stage].contains(value));
            let carried = needs[stage].iter().filter(|value| is_carried(value));
            let reads: Vec<_> = reads.copied().chain(carried.map(|&value| (value, value))).collect();
            let inputs: Vec<_> =
                inputs.iter().copied().filter(|input| needs[stage].contains(input)).collect();
            let takes: Takes<'_> = (needs[stage].contains(&inner.index), &reads, &inputs);
            let outputs: Vec<Value> = match stage == last {
                true => row.outputs.clone(),
                // In the order of the steps.
                false => steps_of(inner, &stage_of, stage)
                    .filter(|value| needs[stage + 1..].iter().any(|needs| needs.contains(value)))
                    .collect(),
            };

            let name = format_ident!("stage{stage}");
            let output =
                one_or_tuple(outputs.iter().map(|&value| types::owned(self.p, self.ty(value))).collect());
            let bound: Vec<_> = outputs.iter().map(|&value| names::value(value)).collect();
            let values = one_or_tuple(bound.iter().map(|value| quote!(#value)).collect());
            let body = (output, values.clone());
            let is_here = |value| stage_of.get(&value) == Some(&stage);
            stages.items.extend(self.iteration(&name, inner, takes, angles, is_here, body));

            let place = |source: Value| match is_carried(&source) {
                true => names::carried(source),
                false => names::chunk(source),
            };
            let args = arguments(takes, &place, quote!(#position * #b + lane));
            let call = quote!(let #values = #name(#args););
            if stage == last {
                stages.last = call;
                continue;
            }
            let arrays: Vec<_> = outputs.iter().map(|&value| names::carried(value)).collect();
            let zeros = outputs.iter().map(|&value| types::zero(self.p, self.ty(value)));
            stages.loops.extend(quote! {
                #(let mut #arrays = [#zeros; #b];)*
                for lane in 0..#b {
                    #call
                    #(#arrays[lane] = #bound;)*
                }
            });
        }
        Some(stages)
    }

    /// Which stage computes each value: a long function stands in a stage after those that it waits for. `None` if the body
    /// does more than to compute scalars.
    fn stage_of(&self, inner: &Loop) -> Option<HashMap<Value, usize>> {
        let mut stage_of = HashMap::new();
        let mut stage = 0;
        // What waits for a long function of the stage at hand.
        let mut late = HashSet::new();
        for step in &inner.body.steps {
            match step {
                Step::Bind { op: Op::Const(_), .. } | Step::Merge(_) => {}
                Step::Bind { op: Op::At(vector, index), .. } if is_column(inner, *vector, *index) => {}
                Step::Bind { result, op, .. } if is_arithmetic(op) && self.ty(*result).is_scalars() => {
                    let is_long = self.is_long(*result, op);
                    let mut waits = false;
                    op.for_each_operand(&mut |operand| waits |= late.contains(&operand));
                    if is_long && waits {
                        stage += 1;
                        late.clear();
                    }
                    if is_long || waits {
                        late.insert(*result);
                    }
                    stage_of.insert(*result, stage);
                }
                _ => return None,
            }
        }
        Some(stage_of)
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

/// The values that each stage takes from columns, from outside and from the stages before it.
fn needs(inner: &Loop, row: &Row<'_>, stage_of: &HashMap<Value, usize>, last: usize) -> Vec<Vec<Value>> {
    let mut needs = vec![Vec::new(); last + 1];
    let mut note = |stage: usize, value: Value| {
        if stage_of.get(&value) != Some(&stage) && !needs[stage].contains(&value) {
            needs[stage].push(value);
        }
    };
    for step in &inner.body.steps {
        if let Step::Bind { result, op, .. } = step
            && let Some(&stage) = stage_of.get(result)
        {
            op.for_each_operand(&mut |operand| note(stage, operand));
        }
    }
    row.outputs.iter().for_each(|&output| note(last, output));
    needs
}

/// The values that `stage` computes, in order.
fn steps_of<'a>(
    inner: &'a Loop,
    stage_of: &'a HashMap<Value, usize>,
    stage: usize,
) -> impl Iterator<Item = Value> + 'a {
    inner.body.steps.iter().filter_map(move |step| match step {
        Step::Bind { result, .. } if stage_of.get(result) == Some(&stage) => Some(*result),
        _ => None,
    })
}

/// Whether `op` makes a scalar of scalars, wherever it stands.
fn is_arithmetic(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) | Op::Cast(..) | Op::Select(..)
    )
}
