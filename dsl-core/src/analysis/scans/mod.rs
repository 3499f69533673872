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
//!
//! The vectors that go from step to step are the state of the scan: whoever runs it needs no more of them than one row of the columns at hand.
//! A scan upwards is one of the rows in reverse order, whose result is copied in reverse order: `upwards.rs`.

mod upwards;

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::Type;

pub use upwards::Copied;

use super::counted::Counted;
use super::effects::can_fault;
use crate::ir::{BodyId, Defs, Loop, Op, Program, Sink, SinkDecl, Stmt, Uses, Value};

/// A region that scans, and does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// What it makes.
    pub made: Vec<Value>,
    /// The extents of the loop that makes such a scan in each iteration, if one does.
    pub scans: Vec<Value>,
    /// How many rows are wanted: there are none if that is 0, and one at least if it is not.
    pub rows: Value,
    /// The number of the row at hand, in a step.
    pub row: Value,
    /// The extents of the columns.
    pub columns: Vec<Value>,
    /// Whether the columns have one index, or will: others only tell where elements are that lie as the points do. Else rows come one
    /// after the other, each as a whole.
    pub runs_by_columns: bool,
    /// The vectors of its state that it starts with.
    pub starts: Vec<Value>,
    /// Those that a step makes.
    pub next: Vec<Value>,
    /// What copies the rows in reverse order, if nothing else reads them.
    pub copied: Option<Copied>,
}

impl Scan {
    /// Whether no more of this vector is ever there than a row: it is state, or put where its copy is to be.
    pub fn is_transient(&self, value: Value) -> bool {
        let copied = self.copied.iter().flat_map(|_| &self.made);
        self.starts.iter().chain(&self.next).chain(copied).any(|&vector| vector == value)
    }

    /// Whether the loop that makes these is part of the scan: that which starts its state, and that which copies.
    pub fn takes(&self, results: &[Value]) -> bool {
        let copies = self.copied.iter().flat_map(|copied| &copied.copies);
        results.iter().any(|result| self.starts.iter().chain(copies.clone()).any(|taken| taken == result))
    }
}

/// The scans of `program` that may run column by column, outer bodies before inner: those that no loop holds, and no function.
pub fn of(program: &Program) -> Vec<Scan> {
    let (defs, uses) = (Defs::of(program), Uses::of(program));
    let mut scans = Vec::new();
    if let Some(entry) = program.entry {
        in_body(program, &defs, &uses, entry, &mut scans);
    }
    scans
}

fn in_body(program: &Program, defs: &Defs, uses: &Uses, body: BodyId, scans: &mut Vec<Scan>) {
    let mut stmts = program.bodies[body].stmts.iter();
    while let Some(stmt) = stmts.next() {
        match &stmt.op {
            Op::Loop(region) => {
                if let Some(mut scan) = scan(program, defs, region, &stmt.results) {
                    // Several scans, one for each iteration, put theirs one behind the other.
                    if scan.scans.is_empty() && scan.runs_by_columns {
                        let extents = [&[scan.rows][..], &scan.columns].concat();
                        let cx = (program, defs, uses);
                        scan.copied = upwards::copied(cx, &scan.made, extents, stmts.as_slice());
                    }
                    scans.push(scan);
                }
            }
            Op::If { .. } | Op::Iterate { .. } => {
                stmt.op.for_each_body(|inner| in_body(program, defs, uses, inner, scans))
            }
            _ => {}
        }
    }
}

/// What `region`, which makes `made`, scans, if it does nothing else.
fn scan(program: &Program, defs: &Defs, region: &Loop, made: &[Value]) -> Option<Scan> {
    let (whole, outside) = program.bodies[region.body].stmts.split_last()?;
    let Op::If { cond, then, els } = whole.op else { return None };
    let (last, before) = program.bodies[els].stmts.split_last()?;
    let Op::Iterate { init, body } = &last.op else { return None };
    let is_region = !region.sinks.is_empty()
        && region.sinks.iter().all(SinkDecl::collects_scalars)
        && program.bodies[then].stmts.is_empty();
    if !is_region {
        return None;
    }
    let outer = region.sinks.iter().map(|decl| decl.sink).collect();
    let region_of = Region { program, defs, body: region.body, outer };
    let Counted { index: row, steps: rows } = Counted::of(program, defs, init, *body)?;
    let is_counted = region_of.is_compared(cond, CompareOp::Eq, rows, 0);
    let (step, next) = program.bodies[*body].stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Loop(inner) => Some((inner, &stmt.results)),
        _ => None,
    })?;
    let columns = &step.extents;
    let mut started = Vec::new();
    let is_started = before.iter().all(|stmt| match &stmt.op {
        Op::Loop(inner) => {
            started.extend(&stmt.results);
            inner.extents == *columns && region_of.is_columns(inner, &BTreeSet::new(), false)
        }
        op => region_of.is_straight(op, &BTreeSet::new()),
    });
    let extents: Vec<Value> = region.extents.iter().copied().chain([rows]).collect();
    let all = is_counted
        && is_started
        && !columns.is_empty()
        && outside.iter().all(|stmt| region_of.is_straight(&stmt.op, &BTreeSet::new()))
        && (region.extents.is_empty() || region_of.are_extents(region, &extents, columns))
        && region_of.steps(*body, [row, rows], step, next)
        && columns.iter().chain([&rows]).all(|&extent| region_of.is_outside(extent));
    all.then(|| Scan {
        made: made.to_vec(),
        scans: region.extents.clone(),
        rows,
        row,
        columns: columns.clone(),
        runs_by_columns: tell_places(program, step.body, &program.bodies[step.body].params, columns),
        starts: started,
        next: next.clone(),
        copied: None,
    })
}

struct Region<'p> {
    program: &'p Program,
    defs: &'p Defs,
    body: BodyId,
    /// The sinks of the region.
    outer: BTreeSet<Sink>,
}

impl Region<'_> {
    fn op(&self, value: Value) -> Option<&Op> {
        self.defs.op(self.program, value)
    }

    fn is_outside(&self, value: Value) -> bool {
        self.defs.body_of(value).is_some_and(|body| !self.defs.encloses(self.body, body))
    }

    fn is_integer(&self, value: Value, known: i64) -> bool {
        matches!(self.op(value), Some(Op::Const(Const::I64(constant))) if *constant == known)
    }

    /// Whether `value` is `a op known`.
    fn is_compared(&self, value: Value, op: CompareOp, a: Value, known: i64) -> bool {
        matches!(self.op(value), Some(&Op::Compare(of, x, y)) if of == op && x == a && self.is_integer(y, known))
    }

    /// Whether there is an array of these extents, and so many columns along the others, before `region`: then its points are not too many.
    fn are_extents(&self, region: &Loop, extents: &[Value], columns: &[Value]) -> bool {
        let is_before = |stmt: &&Stmt| !matches!(&stmt.op, Op::Loop(inner) if std::ptr::eq(inner, region));
        let is_such = |stmt: &Stmt| match &stmt.op {
            Op::Shape(_, of) => of.strip_prefix(extents).is_some_and(|rest| self.are_columns(rest, columns)),
            _ => false,
        };
        let entry = self.program.entry.map(|entry| &self.program.bodies[entry]);
        entry.is_some_and(|entry| entry.stmts.iter().take_while(is_before).any(is_such))
    }

    /// Whether `extents` are those of `columns`, or these are one, of as many points.
    fn are_columns(&self, extents: &[Value], columns: &[Value]) -> bool {
        extents == columns || matches!(columns, &[all] if self.is_product(all, extents))
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

    /// Whether a step takes each vector of the state to the next one by the loop `step`, which makes `made`, and nothing else reads them.
    fn steps(&self, body: BodyId, [row, rows]: [Value; 2], step: &Loop, made: &[Value]) -> bool {
        let Region { program, .. } = *self;
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
                self.are_columns(extents, &step.extents)
            }
            Op::Loop(inner) => std::ptr::eq(inner, step),
            Op::CheckIndex(index, length) => [*index, *length] == [row, rows],
            op => self.is_straight(op, &states),
        });
        others && self.is_columns(step, &shaped, true)
    }

    /// Whether `inner` gives one element for each index to each of its sinks, and, if it `fills` them, to each sink of the region; and reads
    /// `states` at its index only.
    fn is_columns(&self, inner: &Loop, states: &BTreeSet<Value>, fills: bool) -> bool {
        let own = inner.sinks.iter().map(|decl| decl.sink);
        let mut wanted: BTreeSet<Sink> = own.chain(self.outer.iter().copied().filter(|_| fills)).collect();
        let body = &self.program.bodies[inner.body];
        let is_total = body.stmts.iter().all(|stmt| match &stmt.op {
            Op::Merge { sink, .. } => wanted.remove(sink),
            _ => self.is_total(stmt, inner, states),
        });
        inner.sinks.iter().all(SinkDecl::collects_scalars) && is_total && wanted.is_empty()
    }

    /// Whether `stmt` always gives scalars, and reads `states` at the point of `inner` only.
    fn is_total(&self, stmt: &Stmt, inner: &Loop, states: &BTreeSet<Value>) -> bool {
        let Region { program, .. } = *self;
        let gives_scalars = stmt.results.iter().all(|&result| program.ty(result).is_scalars());
        let reads = |value: Value| states.contains(&value);
        gives_scalars
            && match &stmt.op {
                Op::At(vector, at) if reads(*vector) => {
                    is_at(program, self.defs, *at, &program.bodies[inner.body].params, &inner.extents)
                }
                Op::If { cond, then, els } => {
                    let sides = [then, els];
                    let mut stmts = sides.iter().flat_map(|&&side| &program.bodies[side].stmts);
                    let gives = sides.iter().flat_map(|&&side| &program.bodies[side].results);
                    stmts.all(|stmt| self.is_total(stmt, inner, states))
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

/// Whether `indices`, the last ones of a loop over `extents`, are one, or only tell in `body` where elements are that lie as the points do, so
/// that whoever runs the loop makes one of them: it may know of more such loops (`loops/collapse.rs` of the code generator), of none fewer.
fn tell_places(program: &Program, body: BodyId, indices: &[Value], extents: &[Value]) -> bool {
    if indices.len() == 1 {
        return true;
    }
    let is_own = |value: &Value| indices.contains(value);
    let results = |body: BodyId| program.bodies[body].results.iter();
    let mut all = !program.bodies_within(body).into_iter().flat_map(results).any(is_own);
    program.for_each_stmt(body, &mut |stmt| {
        all &= match &stmt.op {
            Op::Linearize(at, of) if at.ends_with(indices) => {
                let others = at[..at.len() - indices.len()].iter().chain(of);
                of.ends_with(&extents[1..]) && !others.into_iter().any(is_own)
            }
            op => {
                let mut is_free = true;
                op.for_each_operand(|operand| is_free &= !is_own(&operand));
                is_free
            }
        };
    });
    all
}

/// Whether `position` is that of the point at `indices` in an array of `extents`.
fn is_at(program: &Program, defs: &Defs, position: Value, indices: &[Value], extents: &[Value]) -> bool {
    match (indices, defs.op(program, position)) {
        (&[index], _) => position == index,
        (_, Some(Op::Linearize(at, of))) => at == indices && of == extents,
        _ => false,
    }
}
