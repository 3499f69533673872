//! Scans along the leading axis of a matrix: vectors that go from step to step, element by element, each column for itself. The points along
//! all other axes of an array are its columns.
//!
//! ```text
//! region {
//!   sink #0 = collect f64
//!   if eq n, 0 {} else {
//!     v1 = loop j < m { sink #1 = collect f64; merge #1, 0.0 }
//!     v2, _ = iterate (p = v1, k = 0) {
//!       s = loop j < m { sink #2 = collect f64; x = …at p, j…; merge #2, x; merge #0, x }
//!       yield s, add k, 1, lt (add k, 1), n
//!     }
//!   }
//! }
//! ```
//! Along an axis between the first and the last, each point of the axes before it has such rows: the region is a loop over `i < l` then, of an
//! array of the shape `[l, n, m]`. They stay together, for their elements follow on each other in the result.
//!
//! So columns may run apart from each other: the rows of the result are in the same places, whoever fills them. Nothing may fault, but for
//! the check of a row that is there: columns that run first would do so before others do in an earlier row.

use std::collections::BTreeSet;

use weldment_core::analysis::effects::can_fault;
use weldment_core::ir::{
    self, BinaryOp, BodyId, CompareOp, Const, Defs, Op, Program, Sink, SinkKind, Stmt, Value,
};
use weldment_runtime::lang::types::Type;

/// So many columns run together: what they hand from row to row stays in the first cache.
pub(super) const CHUNK: u64 = 512;

/// What is known of such a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// How many rows are wanted: there are none if that is 0, and one at least if it is not.
    pub rows: Value,
    /// The number of the row at hand, in a step.
    pub row: Value,
    /// How many columns there are.
    pub columns: Value,
}

/// What `region` scans, if it does nothing else.
pub(super) fn of(program: &Program, defs: &Defs, region: &ir::Loop) -> Option<Scanned> {
    let (whole, outside) = program.bodies[region.body].stmts.split_last()?;
    let Op::If { cond, then, els } = whole.op else { return None };
    let (last, before) = program.bodies[els].stmts.split_last()?;
    let Op::Iterate { init, body } = &last.op else { return None };
    let is_region = region.extents.len() <= 1
        && !region.sinks.is_empty()
        && region.sinks.iter().all(collects_scalars)
        && program.bodies[then].stmts.is_empty();
    if !is_region {
        return None;
    }
    let scan = Scan {
        program,
        defs,
        region: region.body,
        outer: region.sinks.iter().map(|decl| decl.sink).collect(),
    };
    let (row, rows) = scan.counter(init, *body)?;
    let starts = scan.is_compared(cond, CompareOp::Eq, rows, 0);
    let step = program.bodies[*body].stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Loop(inner) => Some((inner, &stmt.results)),
        _ => None,
    });
    let (step, made) = step?;
    let [columns] = step.extents[..] else { return None };
    let is_started = before.iter().all(|stmt| match &stmt.op {
        Op::Loop(inner) => inner.extents == [columns] && scan.is_columns(inner, &BTreeSet::new(), false),
        op => scan.is_straight(op, &BTreeSet::new()),
    });
    let all = starts
        && is_started
        && outside.iter().all(|stmt| scan.is_straight(&stmt.op, &BTreeSet::new()))
        && (region.extents.is_empty() || scan.are_extents(region, [region.extents[0], rows], columns))
        && scan.steps(*body, [row, rows, columns], step, made)
        && scan.is_outside(rows)
        && scan.is_outside(columns);
    all.then_some(Scanned { rows, row, columns })
}

struct Scan<'p> {
    program: &'p Program,
    defs: &'p Defs,
    region: BodyId,
    /// The sinks of the region.
    outer: BTreeSet<Sink>,
}

impl Scan<'_> {
    fn op(&self, value: Value) -> Option<&Op> {
        self.defs.op(self.program, value)
    }

    fn is_outside(&self, value: Value) -> bool {
        self.defs.body_of(value).is_some_and(|body| !self.defs.encloses(self.region, body))
    }

    fn is_integer(&self, value: Value, known: i64) -> bool {
        matches!(self.op(value), Some(Op::Const(Const::I64(constant))) if *constant == known)
    }

    /// Whether `value` is `a op known`.
    fn is_compared(&self, value: Value, op: CompareOp, a: Value, known: i64) -> bool {
        matches!(self.op(value), Some(&Op::Compare(of, x, y)) if of == op && x == a && self.is_integer(y, known))
    }

    /// Whether there is an array of these extents, and so many columns along the others, before `region`: then its points are not too many.
    fn are_extents(&self, region: &ir::Loop, extents: [Value; 2], columns: Value) -> bool {
        let is_before = |stmt: &&Stmt| !matches!(&stmt.op, Op::Loop(inner) if std::ptr::eq(inner, region));
        let is_such = |stmt: &Stmt| match &stmt.op {
            Op::Shape(_, of) => of.strip_prefix(&extents).is_some_and(|rest| self.is_product(columns, rest)),
            _ => false,
        };
        let entry = self.program.entry.map(|entry| &self.program.bodies[entry]);
        entry.is_some_and(|entry| entry.stmts.iter().take_while(is_before).any(is_such))
    }

    /// Whether `value` is the product of `extents`.
    fn is_product(&self, value: Value, extents: &[Value]) -> bool {
        match (self.op(value), extents) {
            (_, &[extent]) => value == extent,
            (Some(&Op::Binary(BinaryOp::Mul, first, others)), &[extent, ref rest @ ..]) => {
                first == extent && self.is_product(others, rest)
            }
            _ => false,
        }
    }

    /// The parameter that counts steps from 0, and below what they go on.
    fn counter(&self, init: &[Value], body: BodyId) -> Option<(Value, Value)> {
        let body = &self.program.bodies[body];
        let (&goes_on, next) = body.results.split_last()?;
        let Some(&Op::Compare(CompareOp::Lt, after, rows)) = self.op(goes_on) else { return None };
        let at = next.iter().position(|&next| next == after)?;
        let row = body.params[at];
        let Some(&Op::Binary(BinaryOp::Add, x, y)) = self.op(after) else { return None };
        let counts = x == row && self.is_integer(y, 1) && self.is_integer(init[at], 0);
        counts.then_some((row, rows))
    }

    /// Whether a step takes each vector of the state to the next one by the loop `step`, which makes `made`, and nothing else reads them.
    fn steps(&self, body: BodyId, [row, rows, columns]: [Value; 3], step: &ir::Loop, made: &[Value]) -> bool {
        let Scan { program, .. } = *self;
        let body = &program.bodies[body];
        let mut states = BTreeSet::new();
        for (&param, next) in body.params.iter().zip(&body.results) {
            if param == row {
                continue;
            }
            let is_vector = matches!(program.ty(param), Type::Vec(element) if element.is_scalars());
            if !is_vector || !made.contains(next) {
                return false;
            }
            states.insert(param);
        }
        let mut shaped = states.clone();
        let others = body.stmts.iter().all(|stmt| match &stmt.op {
            Op::Shape(vector, extents) if states.contains(vector) => {
                shaped.extend(&stmt.results);
                self.is_product(columns, extents)
            }
            Op::Loop(inner) => std::ptr::eq(inner, step),
            Op::CheckIndex(index, length) => [*index, *length] == [row, rows],
            op => self.is_straight(op, &states),
        });
        others && self.is_columns(step, &shaped, true)
    }

    /// Whether `inner` gives one element for each index to each of its sinks, and, if it `fills` them, to each sink of the region; and reads
    /// `states` at its index only.
    fn is_columns(&self, inner: &ir::Loop, states: &BTreeSet<Value>, fills: bool) -> bool {
        let own = inner.sinks.iter().map(|decl| decl.sink);
        let mut wanted: BTreeSet<Sink> = own.chain(self.outer.iter().copied().filter(|_| fills)).collect();
        let body = &self.program.bodies[inner.body];
        let is_total = body.stmts.iter().all(|stmt| match &stmt.op {
            Op::Merge { sink, .. } => wanted.remove(sink),
            _ => self.is_total(stmt, body.params[0], states),
        });
        inner.sinks.iter().all(collects_scalars) && is_total && wanted.is_empty()
    }

    /// Whether `stmt` always gives scalars, and reads `states` at `index` only.
    fn is_total(&self, stmt: &Stmt, index: Value, states: &BTreeSet<Value>) -> bool {
        let Scan { program, .. } = *self;
        let gives_scalars = stmt.results.iter().all(|&result| program.ty(result).is_scalars());
        let reads = |value: Value| states.contains(&value);
        gives_scalars
            && match &stmt.op {
                Op::At(vector, at) if reads(*vector) => *at == index,
                Op::If { cond, then, els } => {
                    let sides = [then, els];
                    let mut stmts = sides.iter().flat_map(|&&side| &program.bodies[side].stmts);
                    let gives = sides.iter().flat_map(|&&side| &program.bodies[side].results);
                    stmts.all(|stmt| self.is_total(stmt, index, states))
                        && !gives.chain([cond]).any(|&value| reads(value))
                }
                Op::Merge { .. } => false,
                op => self.is_straight(op, states),
            }
    }

    /// Whether `op` always gives a value, and reads none of `states`.
    fn is_straight(&self, op: &Op, states: &BTreeSet<Value>) -> bool {
        let mut reads = false;
        op.for_each_operand(|value| reads |= states.contains(&value));
        !reads && op.bodies().is_empty() && !can_fault(self.program, self.defs, op)
    }
}

fn collects_scalars(decl: &ir::SinkDecl) -> bool {
    matches!(&decl.kind, SinkKind::Collect { ty, .. } if ty.is_scalars())
}
