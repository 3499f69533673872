//! What statements read and merge into, at any depth.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::order::merged_sinks;
use crate::ir::{BodyId, Defs, Entity, Op, Program, Sink, Stmt, Value};

/// The footprints of the statements of a program, found out once for each that holds bodies, for many questions.
///
/// ```
/// # use weldment_core::analysis::{footprints::Footprints, order::Meeting};
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: i64) {
/// #     v1: i64 = neg v0
/// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
/// # let body = program.entry.unwrap();
/// let footprints = Footprints::default();
/// let of_pair = |first, second| Meeting::arrange(&program, &footprints, body, [first, second], &[]);
/// assert!(of_pair(0, 2).is_some() && of_pair(0, 3).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// Those of statements, by the first of the bodies that each holds.
    known: RefCell<Vec<Option<Rc<Inside>>>>,
}

/// What a statement reads and merges into.
pub(super) enum Footprint<'a> {
    /// One that holds no bodies tells it itself.
    Op(&'a Op),
    Inside(Rc<Inside>),
}

/// What a statement that holds bodies reads and merges into.
#[derive(Debug)]
pub(super) struct Inside {
    reads: Vec<Value>,
    sinks: BTreeSet<Sink>,
}

impl Footprints {
    /// That of `stmt`, a statement of `program`.
    pub(super) fn of<'a>(&self, program: &Program, stmt: &'a Stmt) -> Footprint<'a> {
        let Some(first) = first_body(stmt).map(Entity::index) else { return Footprint::Op(&stmt.op) };
        let mut known = self.known.borrow_mut();
        if known.len() <= first {
            known.resize(program.bodies.len(), None);
        }
        let inside = known[first].get_or_insert_with(|| Rc::new(Inside::of(program, stmt)));
        Footprint::Inside(inside.clone())
    }

    /// Forgets what is known of the statement with the number `changed` of `body`, of what stands in it, and of what
    /// `body` stands in; `defs` are those of the program as it is now.
    ///
    /// ```
    /// # use weldment_core::analysis::{footprints::Footprints, order::Meeting};
    /// # use weldment_core::ir::*;
    /// # let mut program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = neg v0
    /// #     v3: i64 = if v1 { v4: i64 = neg v2 yield v4 } else { yield v0 } v5: i64 = neg v3 return v5 }").unwrap();
    /// # let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
    /// // v2: i64 = neg v0   v3: i64 = if v1 { v4: i64 = neg v2 yield v4 } else { yield v0 }   v5: i64 = neg v3
    /// let footprints = Footprints::default();
    /// assert!(Meeting::arrange(&program, &footprints, body, [0, 2], &[]).is_none());
    /// let branch = program.bodies[body].stmts[1].op.bodies()[0];
    /// program.bodies[branch].stmts[0].op.for_each_operand_mut(|operand| *operand = Value::from_index(0));
    /// footprints.forget(&program, &defs, body, 1);
    /// assert!(Meeting::arrange(&program, &footprints, body, [0, 2], &[]).is_some());
    /// ```
    pub fn forget(&self, program: &Program, defs: &Defs, body: BodyId, changed: usize) {
        program.bodies[body].stmts[changed]
            .op
            .for_each_body(|inner| program.for_each_body(inner, &mut |body| self.forget_body(body)));
        self.forget_around(program, defs, body, changed);
    }

    /// Forgets that of the statement with the number `changed` of `body`, which has got other statements of the program into
    /// its own body, and those of the statements that hold it; what is inside of it is as it was.
    pub(crate) fn forget_around(&self, program: &Program, defs: &Defs, body: BodyId, changed: usize) {
        let forget = |stmt: &Stmt| first_body(stmt).into_iter().for_each(|body| self.forget_body(body));
        forget(&program.bodies[body].stmts[changed]);
        let mut inner = body;
        while let Some((holder, index)) = defs.holder(inner) {
            forget(&program.bodies[holder].stmts[index]);
            inner = holder;
        }
    }

    fn forget_body(&self, body: BodyId) {
        if let Some(known) = self.known.borrow_mut().get_mut(body.index()) {
            *known = None;
        }
    }
}

impl Inside {
    fn of(program: &Program, stmt: &Stmt) -> Inside {
        let mut reads = Vec::new();
        program.for_each_read_of(stmt, &mut |value| reads.push(value));
        reads.sort_unstable();
        reads.dedup();
        Inside { reads, sinks: merged_sinks(program, stmt) }
    }
}

impl Footprint<'_> {
    /// Whether it reads a value that counts.
    pub(super) fn reads_any(&self, counts: impl Fn(Value) -> bool) -> bool {
        match self {
            Footprint::Op(op) => {
                let mut reads = false;
                op.for_each_operand(|value| reads |= counts(value));
                reads
            }
            Footprint::Inside(inside) => inside.reads.iter().any(|&value| counts(value)),
        }
    }

    /// Whether it merges into one of `sinks`.
    /// Whether it merges into a sink of a loop around at all.
    pub(super) fn merges(&self) -> bool {
        match self {
            Footprint::Op(op) => matches!(op, Op::Merge { .. }),
            Footprint::Inside(inside) => !inside.sinks.is_empty(),
        }
    }

    pub(super) fn merges_any(&self, sinks: &BTreeSet<Sink>) -> bool {
        match self {
            Footprint::Op(Op::Merge { sink, .. }) => sinks.contains(sink),
            Footprint::Op(_) => false,
            Footprint::Inside(inside) => !inside.sinks.is_disjoint(sinks),
        }
    }
}

/// The first of the bodies that a statement holds.
fn first_body(stmt: &Stmt) -> Option<BodyId> {
    let mut first = None;
    stmt.op.for_each_body(|body| _ = first.get_or_insert(body));
    first
}
