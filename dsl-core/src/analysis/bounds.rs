//! Proofs that an unchecked `at v, i` stays inside its vector.
//!
//! A proof is a chain of data dependences from the index to the length of the vector, so that a statement
//! the proof rests on can never be dropped or moved away. `0 <= i < n` is known of an index i and a number n if
//!
//! * i is an index variable of a loop, or of a `for`, with extent n;
//! * i is a constant, n a larger one;
//! * i is `position …, n`;
//! * i is `check_index k, n`, or `0 <= k < n` is known of what it checks;
//! * i is `assume_index k, n`, which is the one step that is not proved: lowering makes it of positions that it has computed to be
//!   inside, and the interpreter checks it;
//! * i is `start + k * stride`, k is known to be less than `iter_len n, start, end, stride` (in any order of the
//!   operands, without the start if that is zero and without the stride if that is one);
//! * i is `start + k * stride`, k is known to be less than `range_len start, n, stride`, where start is a
//!   constant that is not negative and stride one that is positive;
//! * i is `start + k * stride`, where k is known to be less than `span_len …, n` and these are its `span_start` and
//!   `span_stride`, or its start and stride, if it is in steps of 1 from 0 on;
//! * i is `n - 1 + k * -1`, and k is known to be less than n;
//! * i is `0 + k * 1`, and k is known to be less than n;
//! * i is computed by sums, differences and products of constants and of indices that are known to be less than constants, and lies
//!   between 0 and n, a constant, for the least and the greatest of them;
//!
//! and if `0 <= i < m` is known, where
//!
//! * m is `zip_len … n …`, which has checked that they are equal;
//! * m is `min … n …`;
//! * m is `check_extents n, …`;
//! * m is equal to n by construction, as [`Lengths`] knows;
//! * m and n are constants, and m ≤ n.
//!
//! `at v, i` is in bounds if `0 <= i < n` is known for an n that equals `len v` by construction, or has been
//! checked to be by a `zip_len` that is the extent of the loop that made v.
//!
//! So is `at v, linearize [i, …][n, …]` if `0 <= i < n` is known of each index and v has that shape: it is `shape w [n, …]`, or
//! is made by a loop over the indices that merges once for all of them.
//!
//! What a pass makes of the numbers in a chain must not end it, whatever becomes a constant: a number may be replaced by one
//! that [`Lengths`] knows to be equal, since a chain goes on from every form of a length; the steps of a range may
//! become a constant, since an index of a constant extent has a least and a greatest value; but what is computed from an
//! index must go on to be, and that is why `k * 0` stays where [`is_scaled_by_nothing`] says so.

use std::cell::RefCell;
use std::collections::HashMap;

use weldment_runtime::lang::scalar::{BinaryOp, Const};

use super::equal::{Length, Lengths};
use crate::ir::{Def, Defs, Loop, Op, Program, SinkKind, SpanPart, Value};

/// How many steps of affine indices a proof follows.
const MAX_DEPTH: usize = 16;

/// Whether `0 <= index < len vector` holds by construction.
pub fn in_bounds(program: &Program, defs: &Defs, vector: Value, index: Value) -> bool {
    let proof = Proof::new(program, defs);
    if let Some(Op::Linearize(indices, extents)) = defs.op(program, index) {
        let is_below = |(&index, &extent): (&Value, &Value)| {
            let mut equal = vec![proof.lengths.of_value(extent)];
            equal.extend(implied(program, defs, extent).into_iter().map(|n| proof.lengths.of_value(n)));
            proof.below(index, &equal)
        };
        let shape = proof.lengths.shape(vector);
        let fits = shape.is_some_and(|shape| {
            shape.len() == extents.len() && shape.iter().zip(extents).all(|(&a, &b)| proof.same_extent(a, b))
        });
        return fits && indices.iter().zip(extents).all(is_below);
    }
    let length = proof.lengths.of_vector(vector);
    let mut equal = vec![length];
    if let Length::Value(extent) = length {
        let checked = implied(program, defs, extent);
        equal.extend(checked.into_iter().map(|number| proof.lengths.of_value(number)));
    }
    proof.below(index, &equal)
}

/// Whether `0 <= index < length` holds by construction, so that whatever rests on `check_index index, length` may rest
/// on `index`: that it is below another number, which `length` has been checked to be, is not enough.
pub fn is_in_range(program: &Program, defs: &Defs, index: Value, length: Value) -> bool {
    let proof = Proof::new(program, defs);
    // To find what a length is equal to, all merges of a loop are looked at: not where that would not help.
    if proof.constant(index).is_some() {
        if proof.is_of_varied_loop(length) {
            return false;
        }
    } else {
        let bounds = proof.upper_bounds(index, MAX_DEPTH);
        if bounds.contains(&length) {
            return true;
        }
        if bounds.is_empty() && proof.span(index, MAX_DEPTH).is_none() {
            return false;
        }
    }
    proof.below(index, &[proof.lengths.of_value(length)])
}

/// Whether `0 <= index < extent` holds by a chain of dependences, not only because both are constants: then
/// whatever rests on an index of that extent may rest on `index`.
pub fn is_below(program: &Program, defs: &Defs, index: Value, extent: Value) -> bool {
    let proof = Proof::new(program, defs);
    proof.upper_bounds(index, MAX_DEPTH).contains(&extent)
}

/// Numbers n for which `0 <= index < n` is known.
pub fn above(program: &Program, defs: &Defs, index: Value) -> Vec<Value> {
    Proof::new(program, defs).upper_bounds(index, MAX_DEPTH)
}

/// Every number that is equal to `extent`, or has been checked to be, where `extent` is known.
pub fn implied(program: &Program, defs: &Defs, extent: Value) -> Vec<Value> {
    let proof = Proof::new(program, defs);
    let mut implied = Vec::new();
    proof.with_equal(extent, &mut implied);
    implied
}

/// Whether `index` is `extent` less one, as it is written for the last of so many.
pub fn is_last(program: &Program, defs: &Defs, index: Value, extent: Value) -> bool {
    let is = |value: Value, number: i64| matches!(defs.op(program, value), Some(Op::Const(Const::I64(known))) if *known == number);
    match defs.op(program, index) {
        Some(&Op::Binary(BinaryOp::Sub, of, by)) => of == extent && is(by, 1),
        Some(&Op::Binary(BinaryOp::Add, x, y)) => (x == extent && is(y, -1)) || (y == extent && is(x, -1)),
        _ => false,
    }
}

/// Whether `index` counts steps of a stride of zero. There are none: their number is a fault. But `start + index * 0` is an
/// index of what is stepped through only as long as it is computed from `index`.
pub fn is_scaled_by_nothing(program: &Program, defs: &Defs, index: Value) -> bool {
    let proof = Proof::new(program, defs);
    proof.upper_bounds(index, MAX_DEPTH).into_iter().any(|bound| match defs.op(program, bound) {
        Some(Op::IterLen(.., stride) | Op::RangeLen(.., stride)) => proof.constant(*stride) == Some(0),
        Some(Op::SpanLen(numbers)) => proof.constant(numbers[2]) == Some(0),
        _ => false,
    })
}

struct Proof<'a> {
    program: &'a Program,
    defs: &'a Defs,
    lengths: Lengths<'a>,
    /// The upper bounds that have been found, by the index and the depth.
    known: RefCell<HashMap<(Value, usize), Vec<Value>>>,
    /// The least and the greatest values that have been found, by the same.
    spans: RefCell<HashMap<(Value, usize), Option<Span>>>,
}

/// The least and the greatest value of what is computed from indices, for the least and the greatest index. Where a loop
/// does not run, its greatest index is −1, and so the greatest value may be less than the least.
#[derive(Clone, Copy)]
struct Span {
    least: i64,
    greatest: i64,
}

/// `start + index * stride`; an absent start is zero, an absent stride one.
struct Affine {
    start: Option<Value>,
    index: Value,
    stride: Option<Value>,
}

impl<'a> Proof<'a> {
    fn new(program: &'a Program, defs: &'a Defs) -> Proof<'a> {
        let lengths = Lengths::new(program, defs);
        Proof { program, defs, lengths, known: RefCell::default(), spans: RefCell::default() }
    }

    /// Whether two extents are equal by construction, or have been checked to be.
    fn same_extent(&self, a: Value, b: Value) -> bool {
        let (mut implied, length) = (Vec::new(), self.lengths.of_value(b));
        self.with_equal(a, &mut implied);
        implied.into_iter().any(|n| self.lengths.of_value(n) == length)
    }

    /// Whether this is the length of what a loop makes that runs as often as values say: then no constant is known to be below.
    fn is_of_varied_loop(&self, length: Value) -> bool {
        let Some(&Op::Len(vector)) = self.defs.op(self.program, length) else { return false };
        let (Some(Op::Loop(inner)), Some(Def::Stmt { result, .. })) =
            (self.defs.op(self.program, vector), self.defs.def(vector))
        else {
            return false;
        };
        matches!(inner.sinks[result].kind, SinkKind::Collect { .. })
            && inner.extents.iter().any(|&extent| !matches!(self.lengths.of_value(extent), Length::Const(_)))
    }

    /// Whether `0 <= index < length` is known of one of these lengths.
    fn below(&self, index: Value, lengths: &[Length]) -> bool {
        if let Some(Span { least, greatest }) = self.span(index, MAX_DEPTH) {
            let fits = |length: &Length| matches!(*length, Length::Const(n) if greatest < n);
            if least >= 0 && lengths.iter().any(fits) {
                return true;
            }
        }
        self.upper_bounds(index, MAX_DEPTH).into_iter().any(|bound| {
            let bound = self.lengths.of_value(bound);
            lengths.iter().any(|&length| match (bound, length) {
                (Length::Const(bound), Length::Const(length)) => bound <= length,
                _ => bound == length,
            })
        })
    }

    /// Numbers n for which `0 <= index < n` is known.
    fn upper_bounds(&self, index: Value, depth: usize) -> Vec<Value> {
        // There are many ways to read a sum of sums, most of which lead to the same parts.
        if let Some(bounds) = self.known.borrow().get(&(index, depth)) {
            return bounds.clone();
        }
        let bounds = self.find_upper_bounds(index, depth);
        self.known.borrow_mut().insert((index, depth), bounds.clone());
        bounds
    }

    fn find_upper_bounds(&self, index: Value, depth: usize) -> Vec<Value> {
        let mut bounds = Vec::new();
        if depth == 0 {
            return bounds;
        }
        if let Some(extent) = self.extent_of(index) {
            self.with_implied(extent, &mut bounds);
        }
        if let Some(&Op::Position(.., extent)) = self.defs.op(self.program, index) {
            self.with_implied(extent, &mut bounds);
        }
        if let Some(&(Op::CheckIndex(checked, length) | Op::AssumeIndex(checked, length))) =
            self.defs.op(self.program, index)
        {
            self.with_implied(length, &mut bounds);
            for bound in self.upper_bounds(checked, depth - 1) {
                self.with_implied(bound, &mut bounds);
            }
        }
        for affine in self.affine_forms(index) {
            for bound in self.upper_bounds(affine.index, depth - 1) {
                if self.is_identity(&affine) || self.is_backwards(&affine, bound) {
                    self.with_implied(bound, &mut bounds);
                }
                if let Some(implied) = self.affine_bound(&affine, bound) {
                    self.with_implied(implied, &mut bounds);
                }
            }
        }
        // An index is an affine form of itself, with each bound that is known of it.
        let itself = Affine { start: None, index, stride: None };
        let mut next = 0;
        while let Some(&bound) = bounds.get(next) {
            next += 1;
            if let Some(implied) = self.affine_bound(&itself, bound) {
                self.with_implied(implied, &mut bounds);
            }
        }
        bounds
    }

    /// Between which numbers `index` lies, if constants say so.
    fn span(&self, index: Value, depth: usize) -> Option<Span> {
        if let Some(&span) = self.spans.borrow().get(&(index, depth)) {
            return span;
        }
        let span = self.find_span(index, depth);
        self.spans.borrow_mut().insert((index, depth), span);
        span
    }

    fn find_span(&self, index: Value, depth: usize) -> Option<Span> {
        if let Some(number) = self.constant(index) {
            return Some(Span { least: number, greatest: number });
        }
        let bounds = self.upper_bounds(index, depth).into_iter();
        let constants = bounds.filter_map(|bound| match self.lengths.of_value(bound) {
            Length::Const(number) => Some(number),
            _ => None,
        });
        let bounded = constants.min().map(|n| Span { least: 0, greatest: n.saturating_sub(1) });
        match (self.computed_span(index, depth.checked_sub(1)?), bounded) {
            (Some(x), Some(y)) => {
                Some(Span { least: x.least.max(y.least), greatest: x.greatest.min(y.greatest) })
            }
            (computed, bounded) => computed.or(bounded),
        }
    }

    /// Between which numbers a sum lies, or a product with a constant.
    fn computed_span(&self, index: Value, depth: usize) -> Option<Span> {
        match *self.defs.op(self.program, index)? {
            Op::Binary(BinaryOp::Add, x, y) => {
                let (x, y) = (self.span(x, depth)?, self.span(y, depth)?);
                let (least, greatest) = (x.least.checked_add(y.least)?, x.greatest.checked_add(y.greatest)?);
                Some(Span { least, greatest })
            }
            Op::Binary(BinaryOp::Sub, x, y) => {
                let (x, y) = (self.span(x, depth)?, self.span(y, depth)?);
                let (least, greatest) = (x.least.checked_sub(y.greatest)?, x.greatest.checked_sub(y.least)?);
                Some(Span { least, greatest })
            }
            Op::Binary(BinaryOp::Mul, x, y) => {
                let (factor, other) = match (self.constant(x), self.constant(y)) {
                    (Some(factor), _) => (factor, y),
                    (_, Some(factor)) => (factor, x),
                    _ => return None,
                };
                let Span { least, greatest } = self.span(other, depth)?;
                // By a negative number the order turns round.
                let [low, high] = if factor >= 0 { [least, greatest] } else { [greatest, least] };
                Some(Span { least: low.checked_mul(factor)?, greatest: high.checked_mul(factor)? })
            }
            _ => None,
        }
    }

    /// Whether `affine` is its index: `0 + index * 1`.
    fn is_identity(&self, affine: &Affine) -> bool {
        let is = |found: Option<Value>, wanted: i64| {
            found.is_none_or(|found| self.constant(found) == Some(wanted))
        };
        is(affine.start, 0) && is(affine.stride, 1)
    }

    /// Whether `affine` is `bound - 1 + index * -1`.
    fn is_backwards(&self, affine: &Affine, bound: Value) -> bool {
        if affine.stride.and_then(|stride| self.constant(stride)) != Some(-1) {
            return false;
        }
        let last = affine.start.map_or(Some(0), |start| self.constant(start));
        let op = affine.start.and_then(|start| self.defs.op(self.program, start));
        match (last, self.lengths.of_value(bound), op) {
            (Some(last), Length::Const(bound), _) => last == bound - 1,
            (_, _, Some(&Op::Binary(BinaryOp::Sub, from, one))) => {
                self.constant(one) == Some(1) && self.lengths.equal(from, bound)
            }
            _ => false,
        }
    }

    /// The number that `affine` stays below when its index stays below `bound`.
    fn affine_bound(&self, affine: &Affine, bound: Value) -> Option<Value> {
        match self.defs.op(self.program, bound)? {
            Op::IterLen(len, start, _, stride) => {
                let fits = self.is(affine.start, *start, 0) && self.is(affine.stride, *stride, 1);
                fits.then_some(*len)
            }
            Op::SpanLen(numbers) => {
                let [start, _, stride, lower, step, extent] = numbers[..] else { return None };
                let is_plain = self.constant(lower) == Some(0) && self.constant(step) == Some(1);
                let is_part = |found: Option<Value>, part: SpanPart, number: Value, default: i64| {
                    is_plain && self.is(found, number, default)
                        || found.is_some_and(|found| match self.defs.op(self.program, found) {
                            Some(Op::Span(of, others)) => *of == part && others == numbers,
                            _ => false,
                        })
                };
                let fits = is_part(affine.start, SpanPart::Start, start, 0)
                    && is_part(affine.stride, SpanPart::Stride, stride, 1);
                fits.then_some(extent)
            }
            Op::RangeLen(start, end, stride) => {
                let fits = self.is(affine.start, *start, 0)
                    && self.is(affine.stride, *stride, 1)
                    && self.constant(*start)? >= 0
                    && self.constant(*stride)? > 0;
                fits.then_some(*end)
            }
            _ => None,
        }
    }

    /// Adds `bound` and every number that is equal to it, or at least as great.
    fn with_implied(&self, bound: Value, bounds: &mut Vec<Value>) {
        let mut equal = Vec::new();
        self.with_equal(bound, &mut equal);
        for number in equal {
            if bounds.contains(&number) {
                continue;
            }
            bounds.push(number);
            if let Some(&Op::Binary(BinaryOp::Min, x, y)) = self.defs.op(self.program, number) {
                self.with_implied(x, bounds);
                self.with_implied(y, bounds);
            }
        }
    }

    /// Adds `number` and every number that is equal to it.
    fn with_equal(&self, number: Value, equal: &mut Vec<Value>) {
        if equal.contains(&number) {
            return;
        }
        equal.push(number);
        match self.defs.op(self.program, number) {
            Some(Op::ZipLen(_, lengths)) => {
                for &length in lengths {
                    self.with_equal(length, equal);
                }
            }
            Some(Op::CheckExtents(extents)) => self.with_equal(extents[0], equal),
            _ => {
                if let Length::Value(value) = self.lengths.of_value(number) {
                    self.with_equal(value, equal);
                }
            }
        }
    }

    /// The extent that `index` runs below, if it is an index variable.
    fn extent_of(&self, index: Value) -> Option<Value> {
        let Some(Def::Param(body, number)) = self.defs.def(index) else { return None };
        let (holder, stmt) = self.defs.holder(body)?;
        match &self.program.bodies[holder].stmts.get(stmt)?.op {
            Op::Loop(Loop { extents, body: inner, .. }) if *inner == body => extents.get(number).copied(),
            Op::For { extent, body: inner } if *inner == body => Some(*extent),
            _ => None,
        }
    }

    /// The ways to read `index` as an affine form of another index.
    fn affine_forms(&self, index: Value) -> Vec<Affine> {
        let mut forms = Vec::new();
        let mut scaled = |start: Option<Value>, product: Value| {
            if start.is_some() {
                forms.push(Affine { start, index: product, stride: None });
            }
            if let Some(&Op::Binary(BinaryOp::Mul, x, y)) = self.defs.op(self.program, product) {
                forms.push(Affine { start, index: x, stride: Some(y) });
                forms.push(Affine { start, index: y, stride: Some(x) });
            }
        };
        scaled(None, index);
        if let Some(&Op::Binary(BinaryOp::Add, x, y)) = self.defs.op(self.program, index) {
            scaled(Some(x), y);
            scaled(Some(y), x);
        }
        forms
    }

    /// Whether `found` (or `default`, if it is absent) is the number `wanted`.
    fn is(&self, found: Option<Value>, wanted: Value, default: i64) -> bool {
        match found {
            Some(found) if found == wanted => true,
            Some(found) => self.constant(found).is_some() && self.constant(found) == self.constant(wanted),
            None => self.constant(wanted) == Some(default),
        }
    }

    fn constant(&self, value: Value) -> Option<i64> {
        match self.defs.op(self.program, value)? {
            Op::Const(Const::I64(number)) => Some(*number),
            _ => None,
        }
    }
}
