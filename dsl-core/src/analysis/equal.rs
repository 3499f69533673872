//! Which lengths are equal by construction.
//!
//! [`Lengths`] gives every `i64` value and every vector a canonical [`Length`]; two of them that are equal are
//! equal whenever the program runs. The knowledge:
//!
//! * a constant is itself; the length of `vector [a, b]` is 2;
//! * a loop over `i < n` that merges into a `collect` exactly once per iteration gives a vector of length n,
//!   and so a *map* has the length of what it maps;
//! * a region that merges into a `collect` exactly once in each step of an `iterate` that counts up to n, and not where n is 0, gives a
//!   vector of length n: a *scan*;
//! * sinks of one loop that are merged into equally often at the same places give vectors of one length;
//! * a sum of ones counts what is merged into its twins, and so is their length;
//! * vectors that one `if` gives have one length if they do in each branch, and are of the shape that they have in both;
//! * sorting keeps the length, a scatter has the length of its initial vector;
//! * `zip_len` of lengths that are all equal is that length;
//! * `shape v [n]` has length n, and of several extents the length of v.
//!
//! That `zip_len n, m` *makes* n and m equal is not used here: it would hold only where the statement stands,
//! and would be lost when the statement is dropped. [`bounds`](super::bounds) uses it the safe way, from a
//! loop's own extent downwards.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use weldment_runtime::lang::scalar::Const;

use super::counted::Counted;
use crate::ir::{
    BodyId, Def, Defs, Loop, Merges, Op, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value,
};

/// A length in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A constant.
    Const(i64),
    /// The length of this vector or dictionary.
    Of(Value),
    /// This number.
    Value(Value),
}

/// The canonical lengths of a program.
#[derive(Clone, Debug)]
pub struct Lengths<'a> {
    program: &'a Program,
    defs: &'a Defs,
    /// What has been found out: a value may be reached by any number of paths.
    known: RefCell<HashMap<Value, Length>>,
    /// Where loops merge, by their bodies.
    merges: RefCell<HashMap<BodyId, Rc<Merges>>>,
    depth: Cell<usize>,
}

/// How many values stand between one and its canonical length at most. What is further away counts as another length,
/// until `simplify` has made the way shorter.
const MAX_DEPTH: usize = 64;

impl<'a> Lengths<'a> {
    /// The lengths of `program`, whose bindings are `defs`.
    pub fn new(program: &'a Program, defs: &'a Defs) -> Self {
        Lengths { program, defs, known: RefCell::default(), merges: RefCell::default(), depth: Cell::new(0) }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.program
    }

    pub(crate) fn defs(&self) -> &'a Defs {
        self.defs
    }

    /// The canonical form of a number that serves as a length or an extent.
    pub fn of_value(&self, value: Value) -> Length {
        self.remembered(value, Length::Value(value), |stmt, result| match &stmt.op {
            Op::Const(Const::I64(number)) => Length::Const(*number),
            Op::Len(vector) => self.of_vector(*vector),
            Op::ZipLen(_, lengths) => {
                let first = self.of_value(lengths[0]);
                if lengths[1..].iter().all(|&length| self.of_value(length) == first) {
                    first
                } else {
                    Length::Value(value)
                }
            }
            Op::Loop(inner) => self.of_count(inner, &stmt.results, result).unwrap_or(Length::Value(value)),
            Op::If { then, els, .. } => {
                let lengths =
                    [*then, *els].map(|body| self.of_value(self.program.bodies[body].results[result]));
                self.of_branches([*then, *els], &stmt.results, lengths).unwrap_or(Length::Value(value))
            }
            _ => Length::Value(value),
        })
    }

    /// The canonical length of a vector or dictionary.
    pub fn of_vector(&self, vector: Value) -> Length {
        self.remembered(vector, Length::Of(vector), |stmt, result| match &stmt.op {
            Op::Vector(elements) => Length::Const(elements.len() as i64),
            Op::Sort { vector, .. } => self.of_vector(*vector),
            Op::Shape(_, extents) if extents.len() == 1 => self.of_value(extents[0]),
            Op::Shape(vector, _) => self.of_vector(*vector),
            Op::Loop(inner) => match &inner.sinks[result].kind {
                SinkKind::Scatter { init, .. } => self.of_vector(*init),
                SinkKind::Collect { .. } => {
                    let of_merges = self.of_merges(inner, &stmt.results, inner.sinks[result].sink);
                    of_merges.unwrap_or(Length::Of(vector))
                }
                _ => Length::Of(vector),
            },
            Op::If { then, els, .. } => {
                let lengths =
                    [*then, *els].map(|body| self.of_vector(self.program.bodies[body].results[result]));
                self.of_branches([*then, *els], &stmt.results, lengths).unwrap_or(Length::Of(vector))
            }
            _ => Length::Of(vector),
        })
    }

    /// What `find` knows by the statement that binds `value`; `itself` where that is too far, or a parameter.
    fn remembered(
        &self,
        value: Value,
        itself: Length,
        find: impl FnOnce(&'a Stmt, usize) -> Length,
    ) -> Length {
        if let Some(&known) = self.known.borrow().get(&value) {
            return known;
        }
        let depth = self.depth.get();
        let (Some(stmt), Some(Def::Stmt { result, .. }), true) =
            (self.defs.stmt(self.program, value), self.defs.def(value), depth < MAX_DEPTH)
        else {
            return itself;
        };
        self.depth.set(depth + 1);
        let length = find(stmt, result);
        self.depth.set(depth);
        self.known.borrow_mut().insert(value, length);
        length
    }

    /// What an `if` gives, where its branches have these lengths: what both have, if that is bound outside, or the
    /// length of the first of its vectors that is as long in each branch.
    fn of_branches(&self, branches: [BodyId; 2], results: &[Value], lengths: [Length; 2]) -> Option<Length> {
        let outside = match lengths[0] {
            Length::Const(_) => true,
            Length::Of(value) | Length::Value(value) => self.is_outside(branches, value),
        };
        if outside && lengths[0] == lengths[1] {
            return Some(lengths[0]);
        }
        let as_long = |number: usize| {
            let given = branches.map(|branch| self.program.bodies[branch].results[number]);
            self.program.ty(given[0]).element().is_some() && given.map(|v| self.of_vector(v)) == lengths
        };
        (0..results.len()).find(|&number| as_long(number)).map(|number| Length::Of(results[number]))
    }

    /// Whether `value` is bound outside of both branches.
    fn is_outside(&self, branches: [BodyId; 2], value: Value) -> bool {
        let is_outside = |body| branches.iter().all(|&branch| !self.defs.encloses(branch, body));
        self.defs.body_of(value).is_some_and(is_outside)
    }

    /// The extents of the array that `vector` has the elements of, row by row, if it is known to be that of several axes.
    pub(crate) fn shape(&self, vector: Value) -> Option<Vec<Value>> {
        let (stmt, Def::Stmt { result, .. }) =
            (self.defs.stmt(self.program, vector)?, self.defs.def(vector)?)
        else {
            return None;
        };
        match &stmt.op {
            Op::Shape(_, extents) => Some(extents.clone()),
            Op::Loop(inner) if inner.extents.len() > 1 => {
                let sink = inner.sinks[result].sink;
                let once = self.merges(inner).places(sink) == [(inner.body, 1)];
                let collects = matches!(inner.sinks[result].kind, SinkKind::Collect { .. });
                (once && collects).then(|| inner.extents.clone())
            }
            Op::If { then, els, .. } => {
                let branches = [*then, *els];
                let [a, b] = branches.map(|branch| self.shape(self.program.bodies[branch].results[result]));
                let (a, b) = (a?, b?);
                let is_same = |(&a, &b): (&Value, &Value)| self.is_outside(branches, a) && self.equal(a, b);
                (a.len() == b.len() && a.iter().zip(&b).all(is_same)).then_some(a)
            }
            _ => None,
        }
    }

    /// Whether two numbers are equal by construction.
    pub fn equal(&self, a: Value, b: Value) -> bool {
        a == b || self.of_value(a) == self.of_value(b)
    }

    /// The number of merges that a sum of ones counts.
    fn of_count(&self, inner: &Loop, results: &[Value], number: usize) -> Option<Length> {
        let SinkDecl { sink, kind, .. } = &inner.sinks[number];
        let SinkKind::Reduce { reducer: Reducer::Op(ReduceOp::Add), init: None, .. } = kind else {
            return None;
        };
        let one = Op::Const(Const::I64(1));
        let is_one = |&value: &Value| self.defs.op(self.program, value) == Some(&one);
        let ones = self.merges(inner).values(*sink).iter().all(is_one);
        if ones { self.of_merges(inner, results, *sink) } else { None }
    }

    /// The number of merges into `sink` of a loop, if it is known or is the length of one of its vectors.
    fn of_merges(&self, inner: &Loop, results: &[Value], sink: Sink) -> Option<Length> {
        let merges = self.merges(inner);
        match (merges.places(sink), inner.extents.as_slice()) {
            ([], _) => return Some(Length::Const(0)),
            ([(body, times)], []) if *body == inner.body => return Some(Length::Const(*times as i64)),
            ([(body, 1)], [extent]) if *body == inner.body => return Some(self.of_value(*extent)),
            ([(body, 1)], []) => {
                if let Some(counted) = Counted::of_region(self.program, self.defs, inner, *body) {
                    return Some(self.of_value(counted.steps));
                }
            }
            _ => {}
        }
        merges.twin(sink).map(|twin| Length::Of(results[twin]))
    }

    fn merges(&self, inner: &Loop) -> Rc<Merges> {
        let mut known = self.merges.borrow_mut();
        known.entry(inner.body).or_insert_with(|| self.defs.merges(self.program, inner)).clone()
    }
}

/// Where and how often the body of a loop merges into `sink`: each body with merges of its own, and their
/// number. Two sinks with the same places are merged into equally often, in step.
pub fn places(program: &Program, body: BodyId, sink: Sink) -> Vec<(BodyId, usize)> {
    let mut places = Vec::new();
    program.for_each_body(body, &mut |body| {
        let stmts = &program.bodies[body].stmts;
        let times = stmts.iter().filter(|stmt| stmt.op.merges_into(sink)).count();
        if times > 0 {
            places.push((body, times));
        }
    });
    places
}
