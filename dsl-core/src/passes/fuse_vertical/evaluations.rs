//! How often the elements of a map are read: on that depends whether they may be computed where they are.

use std::collections::HashSet;

use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::stride::{Stride, Strides};
use crate::extract::MapLoop;
use crate::ir::{BinaryOp, BodyId, Def, Defs, Loc, Op, Program, SpanPart, Stmt, Value};

/// A map that is read by index.
pub(super) struct Pull {
    pub(super) vector: Value,
    pub(super) map: MapLoop,
    pub(super) sites: Vec<Site>,
    /// Whether the map is gone when these sites do not read it.
    pub(super) is_last: bool,
}

/// One `at p, e`.
pub(super) struct Site {
    pub(super) body: BodyId,
    pub(super) index: Value,
    /// The index along each axis of the map.
    pub(super) at: Vec<Value>,
    pub(super) loc: Loc,
}

/// How often a site is evaluated.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Evaluations {
    /// Once for every element.
    EachOnce,
    /// At most as often as there are elements.
    NoMore,
    /// Any number of times.
    Unknown,
}

/// The loops between a site and the body in which its map is made.
struct Around {
    /// Their indices and extents, the innermost first.
    indices: Vec<(Value, Value)>,
    /// Whether a branch is among them.
    is_conditional: bool,
}

impl Pull {
    fn around(&self, program: &Program, defs: &Defs, site: &Site) -> Option<Around> {
        let mut around = Around { indices: Vec::new(), is_conditional: false };
        let mut body = site.body;
        while body != self.map.place.0 {
            let (holder, index) = defs.holder(body)?;
            let params = program.bodies[body].params.iter().copied();
            match &program.bodies[holder].stmts[index].op {
                Op::If { .. } => around.is_conditional = true,
                Op::For { extent, .. } => around.indices.extend(params.zip([*extent])),
                Op::Loop(inner) if inner.body == body => {
                    around.indices.extend(params.zip(inner.extents.iter().copied()));
                }
                _ => return None,
            }
            body = holder;
        }
        Some(around)
    }

    /// As [`Pull::evaluations`], of a map over several extents: once each where the loops around the site run over the same
    /// extents, in whatever order, and read by their indices; no more where each reads at its index, moved.
    fn evaluations_of_points(&self, program: &Program, defs: &Defs, site: &Site) -> Evaluations {
        let Some(around) = self.around(program, defs, site) else { return Evaluations::Unknown };
        let lengths = Lengths::new(program, defs);
        let is_axis = |(at, extent): (&Value, &Value)| {
            around.indices.iter().any(|(param, of)| {
                let mut bounds = bounds::implied(program, defs, *of).into_iter();
                param == at && bounds.any(|bound| lengths.equal(bound, *extent))
            })
        };
        let differ = site.at.iter().enumerate().all(|(axis, at)| !site.at[..axis].contains(at));
        let is_each = around.indices.len() == site.at.len()
            && differ
            && site.at.iter().zip(&self.map.extents).all(is_axis);
        match is_each {
            true if around.is_conditional => Evaluations::NoMore,
            true => Evaluations::EachOnce,
            false if is_injective(program, defs, site, &around) => Evaluations::NoMore,
            false => Evaluations::Unknown,
        }
    }

    /// How many times each element would be computed, where the sites are in one loop and none of them reads an element twice.
    pub(super) fn copies(&self, program: &Program, defs: &Defs) -> Option<usize> {
        let mut first = None;
        for site in &self.sites {
            let around = self.around(program, defs, site)?;
            if !is_injective(program, defs, site, &around) {
                return None;
            }
            if *first.get_or_insert_with(|| around.indices.clone()) != around.indices {
                return None;
            }
        }
        Some(self.sites.len())
    }

    /// What an element costs, apart from finding where what it reads is, and whether that is inside; `None` if it is not made of
    /// cheap ops alone. Of what an `if` chooses from, the dearer counts.
    pub(super) fn arithmetic(&self, program: &Program, defs: &Defs) -> Option<u64> {
        Arithmetic { program, defs, map: self.map.body, seen: HashSet::new() }.of([self.map.value])
    }

    /// How often a site is evaluated, from the loops between it and the body in which the map is made.
    pub(super) fn evaluations(&self, program: &Program, defs: &Defs, site: &Site) -> Evaluations {
        if self.map.extents.len() > 1 {
            return self.evaluations_of_points(program, defs, site);
        }
        let mut looped = None;
        let mut conditional = false;
        let mut body = site.body;
        while body != self.map.place.0 {
            let Some((holder, index)) = defs.holder(body) else { return Evaluations::Unknown };
            let extent = match &program.bodies[holder].stmts[index].op {
                Op::If { .. } => {
                    conditional = true;
                    None
                }
                Op::For { extent, .. } => Some(*extent),
                Op::Loop(inner) if inner.body == body => match inner.extents[..] {
                    [] => None,
                    [extent] => Some(extent),
                    _ => return Evaluations::Unknown,
                },
                _ => return Evaluations::Unknown,
            };
            if let Some(extent) = extent {
                if looped.is_some() {
                    return Evaluations::Unknown;
                }
                looped = Some((extent, program.bodies[body].params[0]));
            }
            body = holder;
        }
        let Some((extent, param)) = looped else { return Evaluations::NoMore };
        let lengths = Lengths::new(program, defs);
        let length = lengths.of_vector(self.vector);
        let mut bounds =
            bounds::implied(program, defs, extent).into_iter().map(|bound| lengths.of_value(bound));
        if bounds.any(|bound| bound == length) {
            let each = param == site.index && !conditional;
            return if each { Evaluations::EachOnce } else { Evaluations::NoMore };
        }
        match (lengths.of_value(extent), length) {
            (Length::Const(extent), Length::Const(length)) if extent <= length => Evaluations::NoMore,
            _ => Evaluations::Unknown,
        }
    }
}

/// Adds up what values cost that are computed in the body of a map.
struct Arithmetic<'a> {
    program: &'a Program,
    defs: &'a Defs,
    map: BodyId,
    seen: HashSet<(BodyId, usize)>,
}

impl<'a> Arithmetic<'a> {
    fn of(&mut self, values: impl IntoIterator<Item = Value>) -> Option<u64> {
        let (mut next, mut sum) = (Vec::from_iter(values), 0);
        while let Some(value) = next.pop() {
            let Some((place, stmt)) = self.within(value) else { continue };
            if !self.seen.insert(place) {
                continue;
            }
            if let Op::If { cond, then, els } = stmt.op {
                if !self.is_of_indices(cond) {
                    next.push(cond);
                }
                let results = |body: BodyId| self.program.bodies[body].results.clone();
                let (then, els) = (results(then), results(els));
                sum += self.of(then)?.max(self.of(els)?);
                continue;
            }
            let cost = cost::of_stmts(self.program, [stmt]);
            if cost > cost::MAX_CHEAP || stmt.op.holds_bodies() {
                return None;
            }
            sum += cost;
            match stmt.op {
                Op::At(vector, _) => next.push(vector),
                _ => stmt.op.for_each_operand(|operand| next.push(operand)),
            }
        }
        Some(sum)
    }

    /// Whether `cond` is computed of indices and what stays the same alone.
    fn is_of_indices(&self, cond: Value) -> bool {
        let (mut next, mut seen) = (vec![cond], HashSet::new());
        while let Some(value) = next.pop() {
            let Some((_, stmt)) = self.within(value).filter(|(place, _)| seen.insert(*place)) else {
                continue;
            };
            if matches!(stmt.op, Op::At(..)) || stmt.op.holds_bodies() {
                return false;
            }
            stmt.op.for_each_operand(|operand| next.push(operand));
        }
        true
    }

    /// The statement that computes `value`, if it does so for each element.
    fn within(&self, value: Value) -> Option<((BodyId, usize), &'a Stmt)> {
        let Def::Stmt { body, index, .. } = self.defs.def(value)? else { return None };
        self.defs.encloses(self.map, body).then(|| ((body, index), &self.program.bodies[body].stmts[index]))
    }
}

/// Whether a site reads no element twice: along each axis at the index of a loop of its own, moved, from behind, or in steps.
fn is_injective(program: &Program, defs: &Defs, site: &Site, around: &Around) -> bool {
    let mut left: Vec<Value> = around.indices.iter().map(|(index, _)| *index).collect();
    for &at in &site.at {
        let moves = |index: &Value| Strides::new(program, defs, *index).of(at) != Stride::By(0);
        let moving: Vec<usize> = (0..left.len()).filter(|&number| moves(&left[number])).collect();
        let [number] = moving[..] else { return false };
        let index = left.swap_remove(number);
        let moves = match Strides::new(program, defs, index).of(at) {
            Stride::By(_) => true,
            Stride::Fixed => is_in_steps(program, defs, at, index),
            Stride::Unknown => false,
        };
        if !moves {
            return false;
        }
    }
    left.is_empty()
}

/// Whether `at` is `index` times the stride of a slice, which is at least 1 where it has several elements, and something fixed.
fn is_in_steps(program: &Program, defs: &Defs, at: Value, index: Value) -> bool {
    let is_stride = |value| matches!(defs.op(program, value), Some(Op::Span(SpanPart::Stride, _)));
    let is_step = |value| match defs.op(program, value) {
        Some(&Op::Binary(BinaryOp::Mul, x, y)) => x == index && is_stride(y) || y == index && is_stride(x),
        _ => false,
    };
    match defs.op(program, at) {
        Some(&Op::Binary(BinaryOp::Add, x, y)) => is_step(x) || is_step(y),
        _ => is_step(at),
    }
}
