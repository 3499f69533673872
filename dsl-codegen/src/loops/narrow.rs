//! Sums of small integers in narrow lanes: a chunk of a loop adds bytes up in 32 bits where no chunk can be more than that
//! holds, and only what the chunk comes to is an i64. Twice as many lanes fit a register, and no byte is widened to eight.
//!
//! ```text
//! v4: i64 = cast v3        // of a u8
//! merge #0, v4 lane v2     // accumulate + i64 in 16 lanes
//! ```
//! ```text
//! v5: i32 = cast v3
//! merge #0, v5 lane v2     // accumulate + i64 in 32 lanes of i32
//! ```
//!
//! Integers wrap, so that the order of adding cannot be told, and a sum of 32 bits that does not overflow is the same
//! number.

use std::collections::{HashMap, HashSet};

use weldment_core::analysis::cost;
use weldment_core::ir::{BinaryOp, Const, Loc, Op, ReduceOp, Sink, Value, ValueInfo};
use weldment_runtime::lang::types::{Scalar, Type};

use super::facts::{Facts, for_each_operand};
use super::{Block, Loop, Step, Store, StoreKind};

/// What a chunk adds up in.
const NARROW: Scalar = Scalar::I32;

/// What it holds.
const LIMIT: i128 = i32::MAX as i128;

/// Makes the sums of `stores` narrow, which `inner` fills in chunks of `chunk` iterations, if all are of small integers that it
/// reads from narrow columns, in blocks.
pub(super) fn sums(facts: &mut Facts, stores: &mut [Store], inner: &mut Loop, chunk: u64) {
    let is_narrow =
        |column: &Value| facts.ty(*column).element().is_some_and(|element| cost::bytes(element) <= 4);
    if inner.block.is_none() || !inner.columns.iter().all(is_narrow) || !stores.iter().all(is_long_sum) {
        return;
    }
    let Some(narrowed) = Narrowing::of(facts, inner, chunk) else { return };
    narrowed.rewrite(&mut inner.body);
    let lanes = ReduceOp::lanes(NARROW) as u32;
    inner.block = Some(lanes);
    for store in stores {
        if let StoreKind::Accumulate { op, leaves, .. } = &mut store.kind {
            for leaf in leaves {
                (leaf.ty, leaf.neutral, leaf.lanes) = (NARROW, op.neutral(NARROW), lanes);
            }
        }
    }
}

fn is_long_sum(store: &Store) -> bool {
    let StoreKind::Accumulate { op: ReduceOp::Add, ty, leaves, .. } = &store.kind else { return false };
    matches!(ty, Type::Scalar(Scalar::I64 | Scalar::U64)) && leaves.iter().all(|leaf| leaf.lanes > 1)
}

/// The steps that compute narrowly what is merged.
struct Narrowing<'f> {
    facts: &'f mut Facts,
    /// The ops of the body.
    ops: HashMap<Value, Op>,
    /// The narrow form of a value, and how large it is at most.
    known: HashMap<Value, Option<(Value, i128)>>,
    /// What binds them, in order.
    steps: Vec<Step>,
    /// Whether a narrow number is read: a loop that only counts has nothing to gain.
    reads: bool,
}

impl<'f> Narrowing<'f> {
    /// The narrow form of all that `inner` merges, if there is one and no sum of a chunk is too large.
    fn of(facts: &'f mut Facts, inner: &Loop, chunk: u64) -> Option<Narrowing<'f>> {
        let ops = inner.body.steps.iter().filter_map(|step| match step {
            Step::Bind { result, op, .. } => Some((*result, op.clone())),
            _ => None,
        });
        let mut narrowing =
            Narrowing { ops: ops.collect(), known: HashMap::new(), steps: Vec::new(), reads: false, facts };
        let mut sums: HashMap<Sink, i128> = HashMap::new();
        for step in &inner.body.steps {
            let Step::Merge(merge) = step else { continue };
            let (_, most) = narrowing.narrow(merge.values[0])?;
            *sums.entry(merge.sink).or_default() += most;
        }
        let fits = sums.values().all(|sum| sum * i128::from(chunk) <= LIMIT);
        (fits && narrowing.reads).then_some(narrowing)
    }

    fn narrow(&mut self, value: Value) -> Option<(Value, i128)> {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let narrowed = self.compute(value);
        self.known.insert(value, narrowed);
        narrowed
    }

    fn compute(&mut self, value: Value) -> Option<(Value, i128)> {
        if let Some(constant) = self.facts.consts.get(&value) {
            let number = constant.as_integer().filter(|number| (-LIMIT..=LIMIT).contains(number))?;
            let constant = Const::I32(i32::try_from(number).ok()?);
            let narrowed = self.bind(Op::Const(constant));
            self.facts.consts.insert(narrowed, constant);
            return Some((narrowed, number.abs()));
        }
        let (op, most) = match *self.ops.get(&value)? {
            Op::Cast(_, from) => {
                let most = match self.facts.ty(from).as_scalar()? {
                    Scalar::Bool => 1,
                    Scalar::I8 => 1 << 7,
                    Scalar::U8 => u8::MAX.into(),
                    Scalar::I16 => 1 << 15,
                    Scalar::U16 => u16::MAX.into(),
                    _ => return None,
                };
                self.reads = true;
                (Op::Cast(NARROW, from), most)
            }
            Op::Select(cond, yes, no) => {
                let ((yes, a), (no, b)) = (self.narrow(yes)?, self.narrow(no)?);
                (Op::Select(cond, yes, no), a.max(b))
            }
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), x, y) => {
                let ((x, a), (y, b)) = (self.narrow(x)?, self.narrow(y)?);
                (Op::Binary(op, x, y), if op == BinaryOp::Mul { a * b } else { a + b })
            }
            _ => return None,
        };
        (most <= LIMIT).then(|| (self.bind(op), most))
    }

    fn bind(&mut self, op: Op) -> Value {
        let result = self.facts.values.push(ValueInfo { ty: NARROW.into() });
        self.steps.push(Step::Bind { result, op, loc: Loc::NONE });
        result
    }

    /// Merges the narrow numbers instead. Whatever else was computed for the wide ones is left out.
    fn rewrite(self, body: &mut Block) {
        let (mut merges, mut steps): (Vec<_>, Vec<_>) =
            std::mem::take(&mut body.steps).into_iter().partition(|step| matches!(step, Step::Merge(_)));
        for merge in &mut merges {
            if let Step::Merge(merge) = merge {
                let narrowed = self.known[&merge.values[0]];
                merge.values[0] = narrowed.expect("all that is merged has a narrow form").0;
            }
        }
        steps.extend(self.steps);
        steps.append(&mut merges);

        let mut read: HashSet<Value> = HashSet::new();
        let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
        for step in steps.into_iter().rev() {
            if !matches!(&step, Step::Bind { result, .. } if !read.contains(result)) {
                for_each_operand(&step, &mut |value| _ = read.insert(value));
                kept.push(step);
            }
        }
        kept.reverse();
        body.steps = kept;
    }
}
