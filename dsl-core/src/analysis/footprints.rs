//! What statements read and merge into, at any depth.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::ir::{BodyId, Op, Program, Sink, Stmt, Value};

/// The footprints of the statements of a program, found out once for each that holds bodies, for many questions.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// Those of statements, by the body by which each is known.
    known: RefCell<HashMap<BodyId, Rc<Inside>>>,
}

/// What a statement reads and merges into.
pub(super) enum Footprint<'a> {
    /// One that holds no bodies tells it itself.
    Op(&'a Op),
    Inside(Rc<Inside>),
}

/// What a statement that holds bodies reads and merges into.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    reads: Vec<Value>,
    sinks: BTreeSet<Sink>,
}

impl Footprints {
    /// That of `stmt`, a statement of `program`.
    pub(super) fn of<'a>(&self, program: &Program, stmt: &'a Stmt) -> Footprint<'a> {
        let Some(own) = own_body(stmt) else { return Footprint::Op(&stmt.op) };
        let mut known = self.known.borrow_mut();
        let inside = known.entry(own).or_insert_with(|| Rc::new(Inside::of(program, stmt)));
        Footprint::Inside(inside.clone())
    }

    /// Makes of that of `first` one of both statements, of which the second becomes part of the first: less work than to find
    /// it out anew.
    pub(crate) fn unite(&self, program: &Program, first: &Stmt, second: &Stmt) {
        let [of_first, of_second] = [first, second].map(|stmt| self.of(program, stmt));
        if let (Some(body), Footprint::Inside(mut into), Footprint::Inside(added)) =
            (own_body(first), of_first, of_second)
        {
            let mut known = self.known.borrow_mut();
            known.remove(&body);
            let inside = Rc::make_mut(&mut into);
            inside.reads.extend(&added.reads);
            inside.sinks.extend(&added.sinks);
            known.insert(body, into);
        }
    }

    /// Whether two statements merge into the same sink of a loop around.
    pub(crate) fn share_a_sink(&self, program: &Program, first: &Stmt, second: &Stmt) -> bool {
        self.of(program, first).merges()
            && self.of(program, first).merges_any(&self.of(program, second).sinks())
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
    /// Visits what it reads.
    pub(super) fn for_each_read(&self, visit: impl FnMut(Value)) {
        match self {
            Footprint::Op(op) => op.for_each_operand(visit),
            Footprint::Inside(inside) => inside.reads.iter().copied().for_each(visit),
        }
    }

    /// Whether it merges into a sink of a loop around at all.
    pub(super) fn merges(&self) -> bool {
        match self {
            Footprint::Op(op) => matches!(op, Op::Merge { .. }),
            Footprint::Inside(inside) => !inside.sinks.is_empty(),
        }
    }

    /// Whether it merges into one of `sinks`.
    pub(super) fn merges_any(&self, sinks: &BTreeSet<Sink>) -> bool {
        match self {
            Footprint::Op(Op::Merge { sink, .. }) => sinks.contains(sink),
            Footprint::Op(_) => false,
            Footprint::Inside(inside) => !inside.sinks.is_disjoint(sinks),
        }
    }

    /// The sinks of loops around that it merges into.
    pub(super) fn sinks(&self) -> BTreeSet<Sink> {
        match self {
            Footprint::Op(Op::Merge { sink, .. }) => BTreeSet::from([*sink]),
            Footprint::Op(_) => BTreeSet::new(),
            Footprint::Inside(inside) => inside.sinks.clone(),
        }
    }
}

/// The body by which a statement is known: that of a loop, for it may take in the functions of others; or else the first.
fn own_body(stmt: &Stmt) -> Option<BodyId> {
    match &stmt.op {
        Op::Loop(inner) => Some(inner.body),
        op => op.bodies().first().copied(),
    }
}

/// The sinks of loops around that a statement merges into.
pub fn merged_sinks(program: &Program, stmt: &Stmt) -> BTreeSet<Sink> {
    let (mut merged, mut declared) = (BTreeSet::new(), HashSet::new());
    add_merged(program, &stmt.op, &mut declared, &mut merged);
    merged
}

fn add_merged(program: &Program, op: &Op, declared: &mut HashSet<Sink>, merged: &mut BTreeSet<Sink>) {
    match op {
        Op::Merge { sink, .. } if !declared.contains(sink) => _ = merged.insert(*sink),
        Op::Loop(inner) => declared.extend(inner.sinks.iter().map(|decl| decl.sink)),
        _ => {}
    }
    op.for_each_body(|body| {
        program.bodies[body].stmts.iter().for_each(|stmt| add_merged(program, &stmt.op, declared, merged));
    });
}
