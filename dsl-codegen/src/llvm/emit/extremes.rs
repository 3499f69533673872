//! The least and the greatest of floats in blocks, by comparing; and the loop that asks what that leaves open. The runtime's
//! `extremes` says why.

use weldment_core::ir::{Const, Loc, ReduceOp, Sink};
use weldment_runtime::types::Scalar;

use super::func::Func;
use super::lanes::{Width, integer, literal, reg, wide};
use super::stores::Slot;
use super::text::Operand;
use crate::llvm::error::EngineError;
use crate::loops::facts;
use crate::loops::{Loop, Merge};

/// Whether the value that a loop looks for was merged.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    ty: Scalar,
    /// The bits that it looks for.
    open: Operand,
    /// An `i1` on the stack.
    found: Operand,
}

impl Func<'_, '_> {
    /// `x` where it is better than `best`, which is no NaN.
    pub(super) fn better(&mut self, op: ReduceOp, ty: Scalar, width: Width, best: &str, x: &str) -> Operand {
        let (llvm, flags) = (reg(ty, width), reg(Scalar::Bool, width));
        let compare = if op == ReduceOp::Min { "olt" } else { "ogt" };
        let is_better = self.text.def(format_args!("fcmp {compare} {llvm} {x}, {best}"));
        self.text.def(format_args!("select {flags} {is_better}, {llvm} {x}, {llvm} {best}"))
    }

    /// After the blocks of `inner`, from `lo` below `hi`: merges what each extreme came to by comparing, and asks what that leaves
    /// open.
    pub(super) fn settle_extremes(
        &mut self,
        inner: &Loop,
        lo: &str,
        hi: &str,
        block: Width,
    ) -> Result<(), EngineError> {
        let mut sinks: Vec<Sink> = Vec::new();
        facts::for_each_merge(&inner.body, &mut |merge| {
            if merge.compared.is_some() && !sinks.contains(&merge.sink) {
                sinks.push(merge.sink);
            }
        });
        sinks.into_iter().try_for_each(|sink| self.settle_extreme(inner, sink, lo, hi, block))
    }

    fn settle_extreme(
        &mut self,
        inner: &Loop,
        sink: Sink,
        lo: &str,
        hi: &str,
        block: Width,
    ) -> Result<(), EngineError> {
        let Some(Slot::Accumulate(accumulator)) = self.slots.get_mut(&sink) else {
            return Err(EngineError::internal("what is compared is no accumulator"));
        };
        let op = accumulator.op;
        let leaf = &mut accumulator.leaves[0];
        let (ty, neutral, total) = (leaf.leaf.ty, leaf.leaf.neutral, leaf.lanes.clone());
        let Some((place, mut width)) = leaf.register.take() else { return Ok(()) };
        let (llvm, bits) = (reg(ty, 1), integer(ty, 1));

        let mut best = self.text.def(format_args!("load {}, ptr {place}", reg(ty, width)));
        while width > 1 {
            width /= 2;
            let low = self.lanes_of(&best, &llvm, 2 * width, 0, width);
            let high = self.lanes_of(&best, &llvm, 2 * width, width, width);
            best = self.better(op, ty, width, &low, &high);
        }
        let (start, zero) = (literal(op.identity(ty)), literal(winning_zero(op, ty)));
        let is_start = self.text.def(format_args!("fcmp oeq {llvm} {best}, {start}"));
        let is_zero = self.text.def(format_args!("fcmp oeq {llvm} {best}, {}", literal(zero_of(ty))));
        let neutral = literal(neutral);
        let certain = self.text.def(format_args!("select i1 {is_start}, {llvm} {neutral}, {llvm} {best}"));
        let open = self.text.def(format_args!("select i1 {is_start}, {llvm} {start}, {llvm} {zero}"));
        let before = self.text.def(format_args!("load {llvm}, ptr {total}"));
        let after = self.binary(op.binary(), ty, 1, &before, &certain, Loc::NONE);
        self.text.line(format_args!("store {llvm} {after}, ptr {total}"));
        let possible = self.binary(op.binary(), ty, 1, &after, &open, Loc::NONE);
        let [open, possible_bits, after_bits] = [&open, &possible, &after]
            .map(|operand| self.text.def(format_args!("bitcast {llvm} {operand} to {bits}")));
        let matters = self.text.def(format_args!("icmp ne {bits} {possible_bits}, {after_bits}"));
        let is_open = self.text.def(format_args!("or i1 {is_start}, {is_zero}"));
        let asks = self.text.def(format_args!("and i1 {matters}, {is_open}"));

        let (ask, done) = (self.text.label(), self.text.label());
        self.text.branch(&asks, &ask, &done);
        self.text.begin(&ask);
        let found = self.text.alloca("i1");
        self.text.line(format_args!("store i1 false, ptr {found}"));
        let slots = self.slots.clone();
        facts::for_each_merge(&inner.body, &mut |merge| {
            self.slots.insert(merge.sink, Slot::Passed);
        });
        self.slots.insert(sink, Slot::Asked(Asked { ty, open, found: found.clone() }));
        self.run_blocks(inner, lo, hi, block)?;
        self.slots = slots;
        let was_found = self.text.def(format_args!("load i1, ptr {found}"));
        let answer = self.text.def(format_args!("select i1 {was_found}, {llvm} {possible}, {llvm} {after}"));
        self.text.line(format_args!("store {llvm} {answer}, ptr {total}"));
        self.text.begin(&done);
        Ok(())
    }

    /// Asks whether a merge in a block is of what is looked for.
    pub(super) fn ask(&mut self, asked: &Asked, merge: &Merge, block: Width) {
        let Asked { ty, open, found } = asked;
        let value = self.spread(merge.values[0], block).swap_remove(0);
        let bits = integer(*ty, block);
        let flags = wide("i1", block);
        let value = self.text.def(format_args!("bitcast {} {value} to {bits}", reg(*ty, block)));
        let open = self.splat(open, &integer(*ty, 1), block);
        let mut same = self.text.def(format_args!("icmp eq {bits} {value}, {open}"));
        if let Some(guard) = merge.guard {
            let guard = self.spread(guard, block).swap_remove(0);
            same = self.text.def(format_args!("and {flags} {same}, {guard}"));
        }
        let any = self.intrinsic(&format!("llvm.vector.reduce.or.v{block}i1"), "i1", &[(&flags, &same)]);
        let before = self.text.def(format_args!("load i1, ptr {found}"));
        let after = self.text.def(format_args!("or i1 {before}, {any}"));
        self.text.line(format_args!("store i1 {after}, ptr {found}"));
    }
}

fn zero_of(ty: Scalar) -> Const {
    Const::from_i128(ty, 0)
}

/// The zero that is better than the other.
fn winning_zero(op: ReduceOp, ty: Scalar) -> Const {
    match (op, ty) {
        (ReduceOp::Min, Scalar::F32) => Const::F32(-0.0),
        (ReduceOp::Min, _) => Const::F64(-0.0),
        _ => zero_of(ty),
    }
}
