//! Which elements around a point a loop reads: stencils, as they run.
//!
//! A loop over a point reads an array at offsets from it where each index of the read is an index of the loop and a constant,
//! which policies may have bent back into the array (`max`, `min` and remainders). Offsets count from the point whose element the
//! loop makes, where the loop makes an array and the array that is read says where it begins; else from the indices of the loop,
//! which begin at 0.

use std::collections::{BTreeMap, BTreeSet};

use weldment_runtime::lang::scalar::{BinaryOp, UnaryOp};
use weldment_runtime::lang::types::Name;

use crate::ir::local::Facts;
use crate::ir::{BodyId, Def, Defs, Loc, Loop, Op, Program, Value};

/// What one loop reads of one array around each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// The loop.
    pub at: Loc,
    /// What is read.
    pub array: Origin,
    /// How far away, along each axis of the array, in order.
    pub offsets: BTreeSet<Vec<i64>>,
}

/// The offsets at which each array is read.
type Reads = BTreeMap<Origin, BTreeSet<Vec<i64>>>;

/// Where an array comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The parameter with this number.
    Param(usize),
    /// What this op makes.
    Made(Loc),
}

/// The most axes of a loop that is looked at.
const MOST_AXES: usize = 3;

/// What the loops of `program` read around their points: of those that read an array at several offsets all arrays that are
/// read at constant ones.
pub fn of(program: &Program) -> Vec<Around> {
    let Some(entry) = program.entry else { return Vec::new() };
    let defs = Defs::of(program);
    let reading = Reading { facts: Facts { program, defs: &defs } };
    let arrays = reading.arrays_made(entry);
    // Of a loop that is there twice, with checks and without, all that either reads.
    let mut loops: Vec<(Loc, Reads)> = Vec::new();
    program.for_each_stmt(entry, &mut |stmt| {
        let Op::Loop(inner) = &stmt.op else { return };
        if inner.extents.is_empty() || inner.extents.len() > MOST_AXES {
            return;
        }
        let lowers = stmt.results.iter().find_map(|result| arrays.get(result)).map_or(&[][..], Vec::as_slice);
        let reads = reading.reads(inner, lowers);
        if reads.values().all(|offsets| offsets.len() < 2) {
            return;
        }
        match loops.iter_mut().find(|(at, _)| *at == stmt.loc) {
            Some((_, known)) => {
                for (array, offsets) in reads {
                    known.entry(array).or_default().extend(offsets);
                }
            }
            None => loops.push((stmt.loc, reads)),
        }
    });
    let each = loops
        .into_iter()
        .flat_map(|(at, reads)| reads.into_iter().map(move |(array, offsets)| Around { at, array, offsets }));
    each.collect()
}

struct Reading<'a> {
    facts: Facts<'a>,
}

impl Reading<'_> {
    /// The lower bounds of the arrays that are made, by their elements.
    fn arrays_made(&self, entry: BodyId) -> BTreeMap<Value, Vec<Value>> {
        let mut made = BTreeMap::new();
        self.facts.program.for_each_stmt(entry, &mut |stmt| {
            if let Op::Struct(fields, Some(name)) = &stmt.op
                && **name == Name::Array
            {
                let axes = (fields.len() - 1) / 3;
                made.insert(fields[0], fields[1..=axes].to_vec());
            }
        });
        made
    }

    /// What the loop `inner` reads, whose result begins at the coordinates `lowers`.
    fn reads(&self, inner: &Loop, lowers: &[Value]) -> Reads {
        let Facts { program, defs } = self.facts;
        let indices = &program.bodies[inner.body].params;
        let mut reads: Reads = BTreeMap::new();
        // Offsets and the axes of the loop that they are along.
        let mut found: Vec<(Value, Vec<(usize, i64)>)> = Vec::new();
        program.for_each_stmt(inner.body, &mut |stmt| {
            let Op::At(vector, index) = stmt.op else { return };
            let is_outside = defs.body_of(vector).is_none_or(|body| !defs.encloses(inner.body, body));
            let (vector, start) = self.unsliced(vector);
            let at = match self.facts.op(index) {
                Some(Op::Linearize(at, _)) if start == 0 => at.as_slice(),
                _ => std::slice::from_ref(&index),
            };
            let offsets: Option<Vec<(usize, i64)>> = at.iter().map(|&at| self.offset(indices, at)).collect();
            let Some(mut offsets) = offsets.filter(|_| is_outside) else { return };
            if let [(_, offset)] = &mut offsets[..] {
                *offset += start;
            }
            let differ =
                (0..offsets.len()).all(|at| offsets[..at].iter().all(|other| other.0 != offsets[at].0));
            if differ {
                found.push((vector, offsets));
            }
        });
        for (vector, offsets) in &found {
            let mut away = Vec::new();
            for (axis, &(along, offset)) in offsets.iter().enumerate() {
                let same = |of: &&(Value, Vec<(usize, i64)>)| of.0 == *vector && of.1.len() == offsets.len();
                let others = || found.iter().filter(same).map(|(_, others)| others[axis].1);
                let between = others().min()..=others().max();
                let first = lowers.get(along).and_then(|&lower| self.first(*vector, axis, lower));
                // A point that is not among what is read is none of the array's own.
                let first = first.filter(|first| between.contains(&Some(*first)));
                away.push(offset - first.unwrap_or(0));
            }
            if let Some(origin) = self.origin(*vector) {
                reads.entry(origin).or_default().insert(away);
            }
        }
        reads
    }

    /// A vector that the other is part of, and where the part begins.
    fn unsliced(&self, vector: Value) -> (Value, i64) {
        match self.facts.op(vector) {
            Some(&Op::Slice(of, start, _)) => match self.constant(start) {
                Some(start) => (of, start),
                None => (vector, 0),
            },
            _ => (vector, 0),
        }
    }

    /// Which index of the loop `at` is, and what is added.
    fn offset(&self, indices: &[Value], at: Value) -> Option<(usize, i64)> {
        if let Some(index) = indices.iter().position(|&index| index == at) {
            return Some((index, 0));
        }
        let plus = |x: Value, more: Value, sign: i64| {
            let (index, offset) = self.offset(indices, x)?;
            Some((index, offset + sign * self.constant(more)?))
        };
        match *self.facts.op(at)? {
            Op::CheckIndex(x, _) | Op::AssumeIndex(x, _) => self.offset(indices, x),
            Op::Binary(BinaryOp::Add, x, y) => plus(x, y, 1).or_else(|| plus(y, x, 1)),
            Op::Binary(BinaryOp::Sub, x, y) => plus(x, y, -1),
            Op::Binary(BinaryOp::Min | BinaryOp::Max, x, y) | Op::Select(_, x, y) => {
                self.offset(indices, x).or_else(|| self.offset(indices, y))
            }
            _ => None,
        }
    }

    /// The constant that a number is, or is modulo an extent.
    fn constant(&self, value: Value) -> Option<i64> {
        if let Some(number) = self.facts.integer(value) {
            return i64::try_from(number).ok();
        }
        match *self.facts.op(value)? {
            Op::Binary(BinaryOp::Add, x, y) => self.constant(x)?.checked_add(self.constant(y)?),
            Op::Binary(BinaryOp::Sub, x, y) => self.constant(x)?.checked_sub(self.constant(y)?),
            Op::Unary(UnaryOp::Neg, x) => self.constant(x)?.checked_neg(),
            Op::Binary(BinaryOp::Rem, x, extent) => match *self.facts.op(x)? {
                Op::Binary(BinaryOp::Add, rest, more) if more == extent => self.remainder(rest, extent),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constant of which `value` is the remainder by `extent`.
    fn remainder(&self, value: Value, extent: Value) -> Option<i64> {
        match *self.facts.op(value)? {
            Op::Binary(BinaryOp::Rem, x, by) if by == extent => self.constant(x),
            _ => None,
        }
    }

    /// The position along an axis of the array with the elements `vector` that has the coordinate `lower`.
    fn first(&self, vector: Value, axis: usize, lower: Value) -> Option<i64> {
        let vector = self.unshaped(vector);
        match self.facts.op(vector) {
            Some(&Op::Field(array, 0)) => {
                let axes = self.facts.ty(array).as_array()?.1;
                let field = |number: usize| (array, number as u32);
                self.steps(lower, field(1 + axis), field(1 + axes + axis))
            }
            // What is made begins at 0, if nothing else is said.
            _ => self.constant(lower),
        }
    }

    /// How many steps `value` is behind a lower bound, where both are these fields.
    fn steps(&self, value: Value, lower: (Value, u32), step: (Value, u32)) -> Option<i64> {
        let is = |value: Value, field: (Value, u32)| matches!(self.facts.op(value), Some(&Op::Field(of, number)) if (of, number) == field);
        if is(value, lower) {
            return Some(0);
        }
        let times = |value: Value| match self.facts.op(value) {
            _ if is(value, step) => Some(1),
            Some(&Op::Binary(BinaryOp::Mul, x, y)) if is(x, step) => self.constant(y),
            Some(&Op::Binary(BinaryOp::Mul, x, y)) if is(y, step) => self.constant(x),
            _ => None,
        };
        let plus = |x: Value, more: Value, sign: i64| Some(self.steps(x, lower, step)? + sign * times(more)?);
        match self.facts.op(value)? {
            &Op::Binary(BinaryOp::Add, x, y) => plus(x, y, 1).or_else(|| plus(y, x, 1)),
            &Op::Binary(BinaryOp::Sub, x, y) => plus(x, y, -1),
            Op::ZipLen(_, lengths) => lengths.iter().find_map(|&length| self.steps(length, lower, step)),
            _ => None,
        }
    }

    fn unshaped(&self, vector: Value) -> Value {
        match self.facts.op(vector) {
            Some(&Op::Shape(of, _)) => of,
            _ => vector,
        }
    }

    fn origin(&self, vector: Value) -> Option<Origin> {
        let Facts { program, defs } = self.facts;
        let vector = self.unshaped(vector);
        let whole = match self.facts.op(vector) {
            Some(&Op::Field(array, 0)) => array,
            _ => vector,
        };
        match defs.def(whole)? {
            Def::Stmt { .. } => Some(Origin::Made(defs.stmt(program, whole)?.loc)),
            Def::Param(body, number) if program.entry == Some(body) => Some(Origin::Param(number)),
            // The state of what repeats the loop.
            Def::Param(body, _) => {
                let (holder, number) = defs.holder(body)?;
                Some(Origin::Made(program.bodies[holder].stmts[number].loc))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::optimise;
    use crate::front::from_text;

    /// What the report says, a line for each array.
    fn check(source: &str, expected: &[&str]) {
        let mut lowered = from_text(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
        let report = optimise(&mut lowered.program, &lowered.positions).expect("sound passes").report;
        let told: Vec<String> = report.stencils.iter().map(ToString::to_string).collect();
        assert_eq!(told, expected, "{source}");
    }

    #[test]
    fn offsets_count_from_the_point_of_the_result() {
        check(
            "|u: &Array<f64, 2>| u.stencil(|c| c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])",
            &["stencil at 1:23: reads u at [-1, 0] [0, -1] [0, 1] [1, 0]"],
        );
        check("|u: &Array<f64, 1>| u.stencil(|c| c[1] - c[0])", &["stencil at 1:23: reads u at [0] [1]"]);
        check(
            "|v: &[f64]| array(len(v), |i| v[i]).stencil(|c| c[-1] + c[2])",
            &["stencil at 1:37: reads v at [-1] [2]"],
        );
    }

    #[test]
    fn policies_bend_what_is_read_and_not_its_offset() {
        for policy in ["clamp", "wrap", "pad(0.0)"] {
            check(
                &format!("|u: &Array<f64, 2>| u.stencil({policy}, |c| c[-1, 0] + c[0, 0] + c[2, 1])"),
                &["stencil at 1:23: reads u at [-1, 0] [0, 0] [2, 1]"],
            );
        }
    }

    #[test]
    fn each_array_that_a_stencil_reads_has_its_own() {
        check(
            "|u: &Array<f64, 3>, f: &Array<f64, 3>| stencil((u, f), clamp, |u, f| u[-1, 0, 0] + u[1, 0, 0] - f[0, 0, 0])",
            &["stencil at 1:40: reads u at [-1, 0, 0] [1, 0, 0]", "stencil at 1:40: reads f at [0, 0, 0]"],
        );
    }

    #[test]
    fn a_map_and_what_is_read_anywhere_are_none() {
        check("|u: &Array<f64, 2>| u.map(|x| x * 2.0)", &[]);
        check("|u: &Array<f64, 2>, k: i64| u.stencil(wrap, |c| c[k, 0] + c[0, k])", &[]);
    }
}
