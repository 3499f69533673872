//! Which slices are known to lie within their vectors, with as many elements as were asked for: those behind a branch that has asked
//! for just that. They need no check of their own, and their lengths are the number that was asked for.
//!
//! Nothing moves statements any more when this is found out, so that the branch is where it was.

use std::collections::{BTreeSet, HashMap};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Op, Value};

use super::facts::for_each_block;
use super::{Block, Step};

/// The slices in `block` that are.
pub(super) fn slices(block: &Block) -> BTreeSet<Value> {
    let mut found = Found { ops: HashMap::new(), at_most: Vec::new(), in_bounds: BTreeSet::new() };
    found.block(block);
    found.in_bounds
}

struct Found<'b> {
    /// What binds the values so far.
    ops: HashMap<Value, &'b Op>,
    /// Pairs of values of which the first is not greater than the second here.
    at_most: Vec<(Value, Value)>,
    in_bounds: BTreeSet<Value>,
}

impl<'b> Found<'b> {
    fn block(&mut self, block: &'b Block) {
        for step in &block.steps {
            match step {
                Step::Bind { result, op, .. } => {
                    if let Op::Slice(vector, start, size) = *op
                        && self.is_in_bounds(vector, start, size)
                    {
                        self.in_bounds.insert(*result);
                    }
                    self.ops.insert(*result, op);
                }
                Step::If { cond, then, els, .. } => {
                    let known = self.at_most.len();
                    self.learn(*cond);
                    self.block(then);
                    self.at_most.truncate(known);
                    self.block(els);
                }
                step => for_each_block(step, &mut |inner| self.block(inner)),
            }
        }
    }

    /// Adds what is known where `cond` holds.
    fn learn(&mut self, cond: Value) {
        match self.ops.get(&cond) {
            Some(&&Op::Binary(BinaryOp::And, a, b)) => {
                self.learn(a);
                self.learn(b);
            }
            Some(&&Op::Compare(CompareOp::Le, low, high)) => self.at_most.push((low, high)),
            _ => {}
        }
    }

    /// Whether `0 <= start <= len vector - size` is known, of a size that is not negative: so that the difference does not wrap.
    fn is_in_bounds(&self, vector: Value, start: Value, size: Value) -> bool {
        let is_count = matches!(
            self.ops.get(&size),
            Some(Op::RangeLen(..) | Op::IterLen(..) | Op::Len(_) | Op::ZipLen(..))
        );
        let is_zero = |value| matches!(self.ops.get(&value), Some(Op::Const(Const::I64(0))));
        let is_last = |value| match self.ops.get(&value) {
            Some(&&Op::Binary(BinaryOp::Sub, length, less)) => {
                less == size && matches!(self.ops.get(&length), Some(&&Op::Len(of)) if of == vector)
            }
            _ => false,
        };
        let mut known = self.at_most.iter();
        is_count
            && self.at_most.iter().any(|&(low, high)| is_zero(low) && high == start)
            && known.any(|&(low, high)| low == start && is_last(high))
    }
}

#[cfg(test)]
mod tests {
    use weldment_core::front::from_text;
    use weldment_core::passes;

    use crate::loops::{Options, build};

    /// How many slices of the optimised program are within.
    fn check(text: &str, slices: usize, in_bounds: usize) {
        let mut program = from_text(text).expect("the test is well formed").program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        let loops = build(&program, &Options::default());
        let printed = loops.to_string();
        assert_eq!(printed.matches("= slice").count(), slices, "{text}\n{printed}");
        assert_eq!(loops.in_bounds.len(), in_bounds, "{text}\n{printed}");
        assert_eq!(printed.matches(" within").count(), in_bounds, "{printed}");
    }

    #[test]
    fn slices_behind_their_check_are_within() {
        check("|v: &[f64], a: i64, b: i64| (a..b).map(|i| v[i]).sum()", 1, 1);
        check("|v: &[f64], w: &[f64], a: i64, b: i64| (a..b).map(|i| v[i] * w[i]).sum()", 2, 2);
    }

    #[test]
    fn others_are_not() {
        check("|v: &[f64], a: i64, n: i64| slice(v, a, n).sum()", 1, 0);
        check(
            "|v: &[f64], a: i64, n: i64| if 0L <= a && a <= len(v) - n { slice(v, a, n).sum() } else { 0.0 }",
            1,
            0,
        );
        check("|v: &[f64], w: &[f64]| if len(v) <= len(w) { slice(w, 0L, len(v)).sum() } else { 0.0 }", 1, 0);
    }
}
