//! What is computed once for a row, before it is cut: offsets, and where the conditions hold that are assumed of it.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::fact::{Offset, Test, Unit};
use super::groups::Groups;
use super::row::Row;
use crate::imp::{Block, Imp, Known, Stmt};

/// Offsets that are added up while compiling are at most this, and numbers that are compared while running at most [`FAR`], so
/// that no sum of them and of the number of an iteration wraps.
const NEAR: i64 = 1 << 32;

/// See [`NEAR`].
const FAR: i64 = 1 << 61;

/// Where the interior of a row begins and ends.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    /// The interior begins at none before these.
    pub(super) lows: Vec<Value>,
    /// It ends before these.
    pub(super) highs: Vec<Value>,
    /// There is none unless all of these hold.
    pub(super) assumed: Vec<Value>,
    /// Among these is that steps are 1 which may be others, for all rows.
    pub(super) is_stepped: bool,
}

/// The number of the first iteration of the interior, and `base`, come to a multiple of `to`, a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aligned {
    pub(super) base: Option<Value>,
    pub(super) to: u32,
}

impl Bounds {
    /// Whether there may be iterations before the interior.
    pub(super) fn has_start(&self) -> bool {
        !self.lows.is_empty() || !self.assumed.is_empty()
    }

    /// Whether there may be iterations behind it.
    pub(super) fn has_end(&self) -> bool {
        !self.highs.is_empty()
    }
}

/// What is computed once for a row, before its bounds are known: arithmetic that cannot fault.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) block: Block,
    /// What is computed before that, for another piece of the row.
    earlier: Vec<Stmt>,
    pub(super) bounds: Bounds,
    /// The numbers of the first iteration and of the one behind the last.
    pub(super) range: [Value; 2],
    middle: Option<Value>,
    /// Numbers that are assumed to be at most [`FAR`].
    near: HashSet<Value>,
    constants: HashMap<i64, Value>,
    /// What all numbers are below.
    uppers: Vec<Offset>,
    /// What few of them are behind.
    ends: HashSet<Value>,
    groups: Option<Groups>,
    pub(super) aligned: Option<Aligned>,
}

impl Before {
    /// Of `row`. For another piece of it `earlier` is there already.
    pub(super) fn new(imp: &mut Imp, row: &Row, earlier: &[Stmt]) -> Before {
        let Row { first, count, uppers, ends, groups, .. } = row;
        let mut block = Block::default();
        let start = block.bind(imp, Type::I64, Op::Cast(Scalar::I64, *first));
        let count = block.bind(imp, Type::I64, Op::Cast(Scalar::I64, *count));
        let end = block.bind(imp, Type::I64, Op::Binary(BinaryOp::Add, start, count));
        Before {
            block,
            earlier: earlier.to_vec(),
            bounds: Bounds::default(),
            range: [start, end],
            middle: None,
            near: uppers.iter().filter_map(|upper| upper.base).collect(),
            uppers: uppers.clone(),
            ends: ends.clone(),
            groups: *groups,
            aligned: None,
            constants: HashMap::new(),
        }
    }

    /// What is computed once for the same row, where its interior is known to be aligned: nothing is assumed yet.
    pub(super) fn again(self, row: &Row, aligned: Aligned) -> Before {
        let near = row.uppers.iter().filter_map(|upper| upper.base).collect();
        Before { bounds: Bounds::default(), near, aligned: Some(aligned), ..self }
    }

    /// A number that is known.
    pub(super) fn constant(&mut self, imp: &mut Imp, number: i64) -> Value {
        *self.constants.entry(number).or_insert_with(|| imp.constant(Const::I64(number)))
    }

    /// What `op` gives: what is computed twice is computed once.
    pub(super) fn bind(&mut self, imp: &mut Imp, ty: Type, op: Op, known: Known) -> Value {
        let same = self.earlier.iter().chain(&self.block.stmts).find_map(|stmt| match stmt {
            Stmt::Let { result, op: other, .. } if *other == op && imp.values[*result].ty == ty => {
                Some(*result)
            }
            _ => None,
        });
        same.unwrap_or_else(|| {
            let result = imp.value(ty);
            self.block.stmts.push(Stmt::Let { result, op, known, loc: Loc::NONE });
            result
        })
    }

    pub(super) fn number(&mut self, imp: &mut Imp, op: BinaryOp, a: Value, b: Value) -> Value {
        match (op, literal(imp, a), literal(imp, b)) {
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) => a,
            (BinaryOp::Add, Some(0), _) => b,
            _ => self.bind(imp, Type::I64, Op::Binary(op, a, b), Known::Nothing),
        }
    }

    fn compare(&mut self, imp: &mut Imp, op: CompareOp, a: Value, b: Value) -> Value {
        self.bind(imp, Type::BOOL, Op::Compare(op, a, b), Known::Nothing)
    }

    /// `a` and `b` as one offset, if it is small enough.
    pub(super) fn sum(&mut self, imp: &mut Imp, a: Offset, b: Offset) -> Option<Offset> {
        let offset = near(a.offset.checked_add(b.offset)?)?;
        let base = match (a.base, b.base) {
            (Some(a), Some(b)) => Some(self.number(imp, BinaryOp::Add, a, b)),
            (a, b) => a.or(b),
        };
        Some(Offset { base, offset, ..a })
    }

    /// `a` without `b`.
    pub(super) fn difference(&mut self, imp: &mut Imp, a: Offset, b: Offset) -> Option<Offset> {
        let offset = near(a.offset.checked_sub(b.offset)?)?;
        let base = match (a.base, b.base) {
            (a, None) => a,
            (a, Some(b)) if a == Some(b) => None,
            (a, Some(b)) => {
                let a = a.unwrap_or_else(|| self.constant(imp, 0));
                Some(self.number(imp, BinaryOp::Sub, a, b))
            }
        };
        Some(Offset { base, offset, ..a })
    }

    /// The bound that `v` is compared with where `v + moving` is compared with `fixed`. Neither sum wraps.
    pub(super) fn bound(&mut self, imp: &mut Imp, moving: Offset, fixed: Value) -> Option<Offset> {
        let fixed = offset_of(imp, fixed)?;
        for base in [moving.base, fixed.base].into_iter().flatten() {
            self.assume_near(imp, base);
        }
        let bound = self.difference(imp, fixed, moving)?;
        Some(Offset { unit: moving.unit, ..bound })
    }

    /// Takes `value` to be small.
    pub(super) fn assume_near(&mut self, imp: &mut Imp, value: Value) {
        let is_known = literal(imp, value).is_some_and(|number| (-FAR..=FAR).contains(&number));
        if is_known || !self.near.insert(value) {
            return;
        }
        let [least, most] = [-FAR, FAR].map(|far| self.constant(imp, far));
        for (low, high) in [(least, value), (value, most)] {
            let holds = self.compare(imp, CompareOp::Le, low, high);
            self.bounds.assumed.push(holds);
        }
    }

    /// What an offset comes to, as a number of iterations of the row.
    pub(super) fn value(&mut self, imp: &mut Imp, offset: Offset) -> Value {
        let number = self.plain(imp, offset);
        match (offset.unit, self.groups) {
            (Unit::Groups, Some(Groups { size, count, .. })) => {
                // What is beyond the row is at its end, so that the product does not wrap.
                let zero = self.constant(imp, 0);
                let least = self.number(imp, BinaryOp::Max, number, zero);
                let number = self.number(imp, BinaryOp::Min, least, count);
                self.number(imp, BinaryOp::Mul, number, size)
            }
            (Unit::Times(times), _) => {
                // The first iteration that comes to that, or to more.
                let zero = self.constant(imp, 0);
                let least = self.number(imp, BinaryOp::Max, number, zero);
                let rest = self.constant(imp, i64::from(times) - 1);
                let number = self.number(imp, BinaryOp::Add, least, rest);
                let bits = self.constant(imp, i64::from(times.trailing_zeros()));
                self.number(imp, BinaryOp::Shr, number, bits)
            }
            (Unit::Parts { by, ahead }, _) => {
                // What is beyond all rows is as good as [`FAR`] / 2, so that the product does not wrap.
                let [zero, far] = [0, FAR / 2].map(|bound| self.constant(imp, bound));
                let least = self.number(imp, BinaryOp::Max, number, zero);
                let number = self.number(imp, BinaryOp::Min, least, far);
                let bits = self.constant(imp, i64::from(by.trailing_zeros()));
                let number = self.number(imp, BinaryOp::Shl, number, bits);
                let ahead = self.constant(imp, ahead.into());
                let number = self.number(imp, BinaryOp::Sub, number, ahead);
                match self.aligned.and_then(|aligned| aligned.base) {
                    Some(base) => self.number(imp, BinaryOp::Sub, number, base),
                    None => number,
                }
            }
            _ => number,
        }
    }

    /// What an offset comes to.
    pub(super) fn plain(&mut self, imp: &mut Imp, Offset { base, offset, .. }: Offset) -> Value {
        let number = self.constant(imp, offset);
        match base {
            Some(base) => self.number(imp, BinaryOp::Add, base, number),
            None => number,
        }
    }

    /// What counts iterations, so many `times`.
    pub(super) fn times(&mut self, imp: &mut Imp, moving: Offset, times: i64) -> Option<Offset> {
        if moving.unit != Unit::Iterations || ![2, 4].contains(&times) {
            return None;
        }
        let base = moving.base.map(|base| {
            let times = self.constant(imp, times);
            self.number(imp, BinaryOp::Mul, base, times)
        });
        let unit = Unit::Times(u32::try_from(times).ok()?);
        Some(Offset { base, offset: near(moving.offset.checked_mul(times)?)?, unit })
    }

    /// Whether the interior begins where this is a multiple of something.
    pub(super) fn is_aligned(&self, moving: Offset) -> bool {
        moving.unit == Unit::Iterations && self.aligned.is_some_and(|aligned| aligned.base == moving.base)
    }

    /// What counts iterations, divided by a power of two: the interior begins where it is a multiple of it. What is divided is not
    /// negative there, so that the quotient is rounded down.
    pub(super) fn part(&mut self, imp: &mut Imp, moving: Offset, by: u32) -> Option<Offset> {
        let other = self.aligned.filter(|aligned| aligned.base != moving.base);
        if moving.unit != Unit::Iterations || other.is_some() {
            return None;
        }
        let zero = self.constant(imp, 0);
        let first = self.bound(imp, moving, zero)?;
        self.assume(imp, Test::From(first));
        let to = self.aligned.map_or(by, |aligned| aligned.to.max(by));
        self.aligned = Some(Aligned { base: moving.base, to });
        let (number, ahead) =
            (moving.offset.div_euclid(by.into()), u32::try_from(moving.offset.rem_euclid(by.into())).ok()?);
        Some(Offset { base: None, offset: number, unit: Unit::Parts { by, ahead } })
    }

    /// Where a group begins, if `size` says how long groups are.
    pub(super) fn begins(&mut self, imp: &mut Imp, group: Offset, size: Value) -> Option<Offset> {
        if group.unit != Unit::Groups || self.groups?.size != size {
            return None;
        }
        let base = match group {
            Offset { base: None, offset: 0, .. } => None,
            _ => {
                let number = self.plain(imp, group);
                Some(self.number(imp, BinaryOp::Mul, number, size))
            }
        };
        Some(Offset::of(base, 0))
    }

    /// Takes `test` to hold: the interior is where it does.
    pub(super) fn assume(&mut self, imp: &mut Imp, test: Test) {
        let is_below = |bound: Offset| {
            let is_below = |upper: &Offset| {
                upper.base == bound.base && upper.unit == bound.unit && upper.offset <= bound.offset
            };
            self.uppers.iter().any(is_below)
        };
        match test {
            Test::From(Offset { base: None, offset: ..=0, .. }) => {}
            Test::Below(bound) if is_below(bound) => {}
            Test::Fixed(holds) => put(&mut self.bounds.assumed, holds),
            Test::Below(bound) => {
                let bound = self.value(imp, bound);
                put(&mut self.bounds.highs, bound);
            }
            Test::From(bound) => {
                let bound = self.value(imp, bound);
                put(&mut self.bounds.lows, bound);
            }
            // The interior is on the longer side of it, unless it is known on which it is.
            Test::Other(bound) => {
                let behind = self.value(imp, bound.next());
                let bound = self.value(imp, bound);
                if self.bounds.lows.contains(&bound) {
                    put(&mut self.bounds.lows, behind);
                } else if self.bounds.highs.contains(&behind) {
                    put(&mut self.bounds.highs, bound);
                } else {
                    self.on_longer_side(imp, bound, behind);
                }
            }
            Test::At(bound) => {
                self.assume(imp, Test::From(bound));
                self.assume(imp, Test::Below(bound.next()));
            }
        }
    }

    /// Whether many iterations may be on either side of `test`: its bound is neither near to the first nor to the last one.
    pub(super) fn is_cut(&self, test: Test) -> bool {
        match test {
            Test::Below(bound) | Test::From(bound) => {
                bound.base.is_some_and(|base| !self.ends.contains(&base))
            }
            _ => false,
        }
    }

    /// Whether `test`, which compares `v` with a bound, holds on the longer side of it, where the interior is.
    pub(super) fn decided_later(&mut self, imp: &mut Imp, test: Test) -> Option<Value> {
        let (Test::Below(bound) | Test::From(bound)) = test else { return None };
        let bound = self.value(imp, bound);
        let is_low = self.on_longer_side(imp, bound, bound);
        Some(match test {
            Test::From(_) => is_low,
            _ => {
                self.bind(imp, Type::BOOL, Op::Unary(weldment_core::ir::UnaryOp::Not, is_low), Known::Nothing)
            }
        })
    }

    /// The interior is behind `bound`, from `behind` on, or before it. Whether it is behind.
    fn on_longer_side(&mut self, imp: &mut Imp, bound: Value, behind: Value) -> Value {
        let [start, end] = self.range;
        let middle = match self.middle {
            Some(middle) => middle,
            None => {
                let both = self.number(imp, BinaryOp::Add, start, end);
                let one = self.constant(imp, 1);
                self.number(imp, BinaryOp::Shr, both, one)
            }
        };
        self.middle = Some(middle);
        let is_low = self.compare(imp, CompareOp::Le, bound, middle);
        let low = self.bind(imp, Type::I64, Op::Select(is_low, behind, start), Known::Nothing);
        let high = self.bind(imp, Type::I64, Op::Select(is_low, end, bound), Known::Nothing);
        self.bounds.lows.push(low);
        self.bounds.highs.push(high);
        is_low
    }

    /// The numbers of the first iteration of the interior, not before `last`, and of the one behind its last: in the row, in order,
    /// and both at the end of the row where something does not hold that was assumed.
    pub(super) fn interior(&mut self, imp: &mut Imp, last: Option<Value>) -> [Value; 2] {
        let [start, end] = self.range;
        let Bounds { lows, highs, assumed, .. } = std::mem::take(&mut self.bounds);
        let lows = lows.into_iter().chain(last);
        let mut lo = lows.fold(start, |lo, low| self.number(imp, BinaryOp::Max, lo, low));
        if let Some(Aligned { base, to }) = self.aligned {
            // It is small, or something does not hold that was assumed.
            let most = self.constant(imp, i64::from(to) - 1);
            let to = self.constant(imp, -i64::from(to));
            let base = base.unwrap_or_else(|| self.constant(imp, 0));
            let next = self.number(imp, BinaryOp::Add, lo, base);
            let next = self.number(imp, BinaryOp::Add, next, most);
            let next = self.number(imp, BinaryOp::And, next, to);
            lo = self.number(imp, BinaryOp::Sub, next, base);
        }
        lo = self.number(imp, BinaryOp::Min, lo, end);
        if let Some(all) = self.all(imp, assumed) {
            lo = self.bind(imp, Type::I64, Op::Select(all, lo, end), Known::Nothing);
        }
        let hi = highs.into_iter().fold(end, |hi, high| self.number(imp, BinaryOp::Min, hi, high));
        [lo, self.number(imp, BinaryOp::Max, hi, lo)]
    }

    /// Whether all of these hold, if there are any.
    pub(super) fn all(&mut self, imp: &mut Imp, tests: Vec<Value>) -> Option<Value> {
        let and = |all, holds| Op::Binary(BinaryOp::And, all, holds);
        tests.into_iter().reduce(|all, holds| self.bind(imp, Type::BOOL, and(all, holds), Known::Nothing))
    }

    /// The positions in the row of the iterations of these numbers.
    pub(super) fn places(&mut self, imp: &mut Imp, numbers: [Value; 2]) -> [Value; 2] {
        numbers.map(|number| {
            let offset = self.number(imp, BinaryOp::Sub, number, self.range[0]);
            let place = imp.position();
            self.block.let_(place, Op::Cast(Scalar::U64, offset), Loc::NONE);
            place
        })
    }
}

fn put(values: &mut Vec<Value>, value: Value) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// The i64 that a value is known to be.
pub(super) fn literal(imp: &Imp, value: Value) -> Option<i64> {
    match imp.values[value].constant {
        Some(Const::I64(number)) => Some(number),
        _ => None,
    }
}

/// A value of all iterations as an offset, if it is no large constant.
pub(super) fn offset_of(imp: &Imp, value: Value) -> Option<Offset> {
    match literal(imp, value) {
        Some(number) => Some(Offset::of(None, near(number)?)),
        None => Some(Offset::of(Some(value), 0)),
    }
}

fn near(number: i64) -> Option<i64> {
    (-NEAR..=NEAR).contains(&number).then_some(number)
}
