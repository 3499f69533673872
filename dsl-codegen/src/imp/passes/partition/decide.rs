//! What is known of what an iteration computes, and what is decided about it.

use weldment_core::ir::{BinaryOp, CompareOp, Loc, Op, UnaryOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::fact::{Fact, Offset, Test, Unit};
use super::linear::{Aligned, literal, offset_of};
use super::resolve::{Resolver, Rows};
use crate::imp::{Imp, Known, Stmt};

impl Resolver<'_> {
    /// A half of what counts iterations, and what such a count leaves over of its half, if `half` and `rest` are these.
    fn half_and_rest(&mut self, imp: &mut Imp, half: Value, rest: Value) -> Option<(Offset, Offset)> {
        let Some(Fact::Rest { of, by: 2 }) = self.fact(imp, rest) else { return None };
        let half = self.moving(imp, half).filter(|half| matches!(half.unit, Unit::Parts { by: 2, .. }))?;
        Some((half, of))
    }

    /// What is known of a value that is computed all the same, if something reads it.
    pub(super) fn learn(&mut self, imp: &mut Imp, result: Value, op: &Op) -> Option<Fact> {
        match *op {
            Op::Binary(BinaryOp::Add, x, y)
                if let (Some(Fact::Begins(offset)), Some(Fact::Within)) =
                    (self.fact(imp, x), self.fact(imp, y)) =>
            {
                Some(Fact::Moving(offset))
            }
            // The half of a number and what is left over are the half of the next one.
            Op::Binary(BinaryOp::Add, x, y)
                if let Some((half, of)) =
                    self.half_and_rest(imp, x, y).or_else(|| self.half_and_rest(imp, y, x)) =>
            {
                let before = &mut self.interior.before;
                let Unit::Parts { ahead, .. } = before.part(imp, of, 2)?.unit else { return None };
                if half.unit != (Unit::Parts { by: 2, ahead }) {
                    return None;
                }
                let unit = Unit::Parts { by: 2, ahead: 1 - ahead };
                Some(Fact::Moving(Offset { offset: half.offset + i64::from(ahead), unit, ..half }))
            }
            Op::Binary(BinaryOp::Div, x, by) if let Some(by) = parts(imp, by) => {
                let moving = self.moving(imp, x)?;
                self.interior.before.part(imp, moving, by).map(Fact::Moving)
            }
            Op::Binary(BinaryOp::Rem, x, by) if let Some(by) = parts(imp, by) => {
                let of = self.moving(imp, x).filter(|of| of.unit == Unit::Iterations)?;
                self.interior.rest.get_or_insert(Aligned { base: of.base, to: by });
                Some(Fact::Rest { of, by })
            }
            Op::Binary(BinaryOp::Add, x, y) if is_number(imp, result) => {
                let (moving, fixed) = match (self.moving(imp, x), self.moving(imp, y)) {
                    (Some(moving), None) => (moving, self.fixed(imp, y)?),
                    (None, Some(moving)) => (moving, self.fixed(imp, x)?),
                    _ => return None,
                };
                let fixed = offset_of(imp, fixed)?;
                self.interior.before.sum(imp, moving, fixed).map(Fact::Moving)
            }
            Op::Binary(BinaryOp::Sub, x, y) if is_number(imp, result) => {
                let (moving, fixed) = (self.moving(imp, x)?, self.fixed(imp, y)?);
                let fixed = offset_of(imp, fixed)?;
                self.interior.before.difference(imp, moving, fixed).map(Fact::Moving)
            }
            Op::Binary(BinaryOp::Mul, x, size) if self.groups.is_some_and(|groups| groups.size == size) => {
                let moving = self.moving(imp, x)?;
                self.interior.before.begins(imp, moving, size).map(Fact::Begins)
            }
            Op::Binary(BinaryOp::Mul, x, step) if let Some(factor) = self.steps.factor(step) => {
                let (moving, step) = (self.moving(imp, x)?, self.fixed(imp, step)?);
                let moving = match factor {
                    1 => moving,
                    _ => self.interior.before.times(imp, moving, factor)?,
                };
                let factor = self.interior.before.constant(imp, factor);
                self.assume_that(imp, Op::Compare(CompareOp::Eq, step, factor));
                self.interior.before.bounds.is_stepped = true;
                Some(Fact::Moving(moving))
            }
            Op::Binary(BinaryOp::Mul, x, y) if is_number(imp, result) => {
                let (moving, times) = match (literal(imp, x), literal(imp, y)) {
                    (None, Some(times)) => (self.moving(imp, x)?, times),
                    (Some(times), None) => (self.moving(imp, y)?, times),
                    _ => return None,
                };
                self.interior.before.times(imp, moving, times).map(Fact::Moving)
            }
            Op::Compare(op, x, y) if is_number(imp, x) => {
                let (op, moving, fixed) = match (self.moving(imp, x), self.moving(imp, y)) {
                    (Some(moving), None) => (op, moving, self.fixed(imp, y)?),
                    (None, Some(moving)) => (flipped(op), moving, self.fixed(imp, x)?),
                    _ => return None,
                };
                let bound = self.interior.before.bound(imp, moving, fixed)?;
                let next = bound.next();
                Some(Fact::Holds(vec![match op {
                    CompareOp::Lt => Test::Below(bound),
                    CompareOp::Le => Test::Below(next),
                    CompareOp::Gt => Test::From(next),
                    CompareOp::Ge => Test::From(bound),
                    CompareOp::Eq => Test::At(bound),
                    CompareOp::Ne => Test::Other(bound),
                }]))
            }
            Op::Binary(BinaryOp::And, x, y) if imp.values[result].ty == Type::BOOL => {
                let (x, y) = (self.tests(imp, x)?, self.tests(imp, y)?);
                let all: Vec<Test> = x.into_iter().chain(y).collect();
                // What is the same in all iterations is computed once.
                (!all.iter().all(|test| matches!(test, Test::Fixed(_)))).then_some(Fact::Holds(all))
            }
            Op::Unary(UnaryOp::Not, x) => match &self.tests(imp, x)?[..] {
                &[test] => test.inverse().map(|test| Fact::Holds(vec![test])),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a bool says.
    pub(super) fn tests(&self, imp: &Imp, value: Value) -> Option<Vec<Test>> {
        match self.fact(imp, value)? {
            Fact::Holds(tests) => Some(tests),
            Fact::Fixed(value) if imp.values[value].constant.is_none() => Some(vec![Test::Fixed(value)]),
            _ => None,
        }
    }

    /// Decides about `op`: `result` is one of its operands where what is assumed holds.
    pub(super) fn decide(&mut self, imp: &mut Imp, result: Value, op: &Op) -> Option<()> {
        match *op {
            Op::Binary(op @ (BinaryOp::Max | BinaryOp::Min), x, y) if is_number(imp, result) => {
                let (value, moving, fixed) = match (self.moving(imp, x), self.moving(imp, y)) {
                    (Some(moving), None) => (x, moving, self.fixed(imp, y)?),
                    (None, Some(moving)) => (y, moving, self.fixed(imp, x)?),
                    _ => return None,
                };
                let bound = self.interior.before.bound(imp, moving, fixed)?;
                let test = match op {
                    BinaryOp::Max => Test::From(bound),
                    _ => Test::Below(bound.next()),
                };
                self.interior.before.assume(imp, test);
                self.alias(imp, result, value);
            }
            Op::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), x, step) if self.steps.divides(step) => {
                self.fact(imp, x)?;
                let step = self.fixed(imp, step)?;
                let one = self.interior.before.constant(imp, 1);
                self.assume_that(imp, Op::Compare(CompareOp::Eq, step, one));
                self.interior.before.bounds.is_stepped = true;
                let zero = self.interior.before.constant(imp, 0);
                self.alias(imp, result, if op == BinaryOp::Div { x } else { zero });
            }
            Op::Binary(BinaryOp::Rem, x, by) if let Some(by) = parts(imp, by) => {
                let of = self.moving(imp, x).filter(|&of| self.interior.before.is_aligned(of))?;
                let Unit::Parts { ahead, .. } = self.interior.before.part(imp, of, by)?.unit else {
                    return None;
                };
                let rest = self.rest(imp, by, ahead);
                self.facts.insert(result, Fact::Rest { of, by });
                self.names.insert(result, rest);
            }
            Op::CheckIndex(index, length) => {
                let length = self.fixed(imp, length)?;
                let zero = self.interior.before.constant(imp, 0);
                if let Some(moving) = self.moving(imp, index) {
                    self.assume_within(imp, moving, zero, length)?;
                    self.alias(imp, result, index);
                } else {
                    let index = self.fixed(imp, index)?;
                    self.assume_order(imp, zero, index, length);
                    self.facts.insert(result, Fact::Fixed(index));
                    self.names.insert(result, index);
                }
            }
            Op::Position(coordinate, lower, step, extent) => {
                let (lower, step, extent) =
                    (self.fixed(imp, lower)?, self.fixed(imp, step)?, self.fixed(imp, extent)?);
                let one = self.interior.before.constant(imp, 1);
                let zero = self.interior.before.constant(imp, 0);
                self.interior.before.assume_near(imp, lower);
                let (value, fact) = if let Some(Fact::Moving(moving)) = self.fact(imp, coordinate) {
                    let before = &mut self.interior.before;
                    let lower_at = offset_of(imp, lower)?;
                    let place = before.difference(imp, moving, lower_at)?;
                    self.assume_within(imp, place, zero, extent)?;
                    let name = self.name(coordinate);
                    let value = imp.value(Type::I64);
                    let op = Op::Binary(BinaryOp::Sub, name, lower);
                    self.interior.body.stmts.push(Stmt::Let {
                        result: value,
                        op,
                        known: Known::Nothing,
                        loc: Loc::NONE,
                    });
                    (value, Fact::Moving(place))
                } else {
                    let at = self.fixed(imp, coordinate)?;
                    let before = &mut self.interior.before;
                    before.assume_near(imp, at);
                    let place = before.number(imp, BinaryOp::Sub, at, lower);
                    self.assume_order(imp, zero, place, extent);
                    (place, Fact::Fixed(place))
                };
                let is_one = Op::Compare(CompareOp::Eq, step, one);
                self.assume_that(imp, is_one);
                self.facts.insert(result, fact);
                self.names.insert(result, value);
            }
            Op::Select(cond, yes, no) => {
                let tests = self.tests(imp, cond)?;
                if let [Test::Fixed(_)] = tests[..] {
                    return None;
                }
                if let (Some(a), Some(b), &[test]) = (self.moving(imp, yes), self.moving(imp, no), &tests[..])
                    && a.unit == b.unit
                    && matches!(a.unit, Unit::Iterations | Unit::Groups)
                    && let Some(is_yes) = self.interior.before.decided_later(imp, test)
                {
                    let before = &mut self.interior.before;
                    let (yes, no) = (before.plain(imp, a), before.plain(imp, b));
                    let base = before.bind(imp, Type::I64, Op::Select(is_yes, yes, no), Known::Nothing);
                    self.facts
                        .insert(result, Fact::Moving(Offset { base: Some(base), offset: 0, unit: a.unit }));
                    if a.unit == Unit::Iterations {
                        let value = imp.value(Type::I64);
                        let op = Op::Binary(BinaryOp::Add, self.interior.number, base);
                        self.interior.body.stmts.push(Stmt::Let {
                            result: value,
                            op,
                            known: Known::Nothing,
                            loc: Loc::NONE,
                        });
                        self.names.insert(result, value);
                    }
                    return Some(());
                }
                let chosen = if self.assume_likely(imp, &tests)? { yes } else { no };
                self.alias(imp, result, chosen);
            }
            _ => return None,
        }
        Some(())
    }

    /// What is left over of `(p + ahead) / by` in the iteration at `p`, where both are known in each lane.
    fn rest(&mut self, imp: &mut Imp, by: u32, ahead: u32) -> Value {
        let [ahead, by] = [ahead, by].map(|number| imp.at(number.into()));
        let body = &mut self.interior.body;
        let at = body.position(imp, BinaryOp::Add, self.interior.index, ahead);
        let rest = body.position(imp, BinaryOp::Rem, at, by);
        body.bind(imp, Type::I64, Op::Cast(Scalar::I64, rest))
    }

    /// The interior is where `low <= v + moving < high`.
    fn assume_within(&mut self, imp: &mut Imp, moving: Offset, low: Value, high: Value) -> Option<()> {
        let before = &mut self.interior.before;
        let low = before.bound(imp, moving, low)?;
        let high = before.bound(imp, moving, high)?;
        before.assume(imp, Test::From(low));
        before.assume(imp, Test::Below(high));
        Some(())
    }

    /// The interior is where `low <= value < high`.
    fn assume_order(&mut self, imp: &mut Imp, low: Value, value: Value, high: Value) {
        self.assume_that(imp, Op::Compare(CompareOp::Le, low, value));
        self.assume_that(imp, Op::Compare(CompareOp::Lt, value, high));
    }

    fn assume_that(&mut self, imp: &mut Imp, holds: Op) {
        let before = &mut self.interior.before;
        let holds = before.bind(imp, Type::BOOL, holds, Known::Nothing);
        if !before.bounds.assumed.contains(&holds) {
            before.bounds.assumed.push(holds);
        }
    }

    /// The interior is where most iterations are, by what is asked of them: whether all `tests` hold there.
    pub(super) fn assume_likely(&mut self, imp: &mut Imp, tests: &[Test]) -> Option<bool> {
        let of_row = |test: &Test| match test {
            Test::Fixed(holds) => Some(*holds),
            _ => None,
        };
        if tests.iter().any(|test| test.inverse().is_some_and(|other| self.decided.contains(&other))) {
            return Some(false);
        }
        let asked: Vec<Value> = tests.iter().filter_map(of_row).collect();
        self.interior.asks_row |= !asked.is_empty();
        if self.rows == Rows::Outside && !asked.is_empty() {
            return self.is_outside(imp, asked).then_some(false);
        }
        let (holds, assumed) = match tests.iter().find(|test| !test.is_likely()) {
            Some(unlikely) => (false, vec![unlikely.inverse()?]),
            None => (true, tests.to_vec()),
        };
        for test in assumed {
            self.interior.before.assume(imp, test);
            self.decided.push(test);
            if self.interior.before.is_cut(test) && !self.interior.cuts.contains(&test) {
                self.interior.cuts.push(test);
            }
        }
        Some(holds)
    }

    /// Takes `asked` not to hold for the row. False where something else is asked of it elsewhere.
    fn is_outside(&mut self, imp: &mut Imp, asked: Vec<Value>) -> bool {
        if let Some(before) = &self.asked {
            return *before == asked;
        }
        let before = &mut self.interior.before;
        let all = before.all(imp, asked.clone());
        let outside =
            all.map(|all| before.bind(imp, Type::BOOL, Op::Unary(UnaryOp::Not, all), Known::Nothing));
        before.bounds.assumed.extend(outside);
        self.asked = Some(asked);
        true
    }
}

/// How many iterations count once where their number is divided by `by`.
fn parts(imp: &Imp, by: Value) -> Option<u32> {
    literal(imp, by).filter(|by| [2, 4].contains(by)).and_then(|by| u32::try_from(by).ok())
}

/// Whether a value is an i64, and counts no iterations.
fn is_number(imp: &Imp, value: Value) -> bool {
    imp.values[value].ty == Type::I64
}

fn flipped(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        op => op,
    }
}
