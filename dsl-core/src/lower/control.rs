//! Branches and `iterate`: control that builders may go through.
//!
//! What an `iterate` gives back may hold builders and values. The merges become one action; the values come from
//! a second lowering of the same body, whose merges are forgotten. Branches that give builders have a file of their own,
//! `choice`.

use std::collections::BTreeSet;

use super::{Lower, Term};
use crate::infer::typed::{Expr, Local};
use crate::ir::{BodyId, Loc, Op, Sink, Value};

impl Lower {
    /// A lazy `&&` or `||`: each branch is an operand or a constant.
    pub(super) fn lazy(
        &mut self,
        cond: &Expr,
        then: Result<&Expr, bool>,
        els: Result<&Expr, bool>,
        loc: Loc,
    ) -> Value {
        let cond = self.value(cond);
        let mut branch = |part: Result<&Expr, bool>| {
            self.open();
            let value = match part {
                Ok(expr) => self.value(expr),
                Err(constant) => self.builder.constant(constant, loc),
            };
            self.close(vec![value])
        };
        let (then, els) = (branch(then), branch(els));
        self.builder.branch(cond, then, els, loc)[0]
    }

    /// An `if`, with builders or without.
    pub(super) fn branches(&mut self, expr: &Expr, cond: &Expr, then: &Expr, els: &Expr, loc: Loc) -> Term {
        let cond = self.value(cond);
        if !expr.ty.has_builder() {
            let mut branch = |part: &Expr| {
                self.open();
                let value = self.value(part);
                self.close(vec![value])
            };
            let (then, els) = (branch(then), branch(els));
            let value = self.builder.branch(cond, then, els, loc)[0];
            return self.bound(value, loc);
        }
        self.choice(cond, then, els, loc)
    }

    /// `iterate(init, |param| body)`: the merges of its steps become one action that repeats the steps.
    pub(super) fn iterate(&mut self, init: &Expr, param: Local, body: &Expr, loc: Loc) -> Term {
        let of = init;
        let init = self.term(init);
        let init = self.stored(init, &of.ty, loc);
        let (mut sinks, mut values) = (BTreeSet::new(), Vec::new());
        survey(&init, &mut sinks, &mut values);
        let has_sinks = !sinks.is_empty();
        if has_sinks {
            let steps = self.steps(&init, param, body, loc, Merges::Kept);
            self.record(Op::Iterate { init: values.clone(), body: steps }, sinks, loc);
            if values.is_empty() {
                return init;
            }
        }
        let steps = self.silently(has_sinks, |this| this.steps(&init, param, body, loc, Merges::Forgotten));
        let last = self.builder.push_all(Op::Iterate { init: values, body: steps }, loc);
        let last = with_values(&init, &mut last.into_iter());
        self.rebound(last, loc)
    }

    /// `term` with views in place of the values of arrays.
    pub(super) fn rebound(&mut self, term: Term, loc: Loc) -> Term {
        match term {
            Term::Value(value) => self.bound(value, loc),
            Term::Struct(fields) => {
                Term::Struct(fields.into_iter().map(|field| self.rebound(field, loc)).collect())
            }
            other => other,
        }
    }

    /// The body of an `iterate` whose state begins as `init`: from the values of a state to those of the next,
    /// and whether to go on.
    fn steps(&mut self, init: &Term, param: Local, body: &Expr, loc: Loc, merges: Merges) -> BodyId {
        self.open();
        let (mut sinks, mut values) = (BTreeSet::new(), Vec::new());
        survey(init, &mut sinks, &mut values);
        let mut state = Vec::new();
        for value in values {
            let ty = self.builder.ty(value).clone();
            state.push(self.builder.add_param(ty));
        }
        let state = with_values(init, &mut state.into_iter());
        let state = self.rebound(state, loc);
        self.terms.insert(param, state);
        let mut results = Vec::new();
        let next = self.term(body);
        match self.stored(next, &body.ty, loc) {
            Term::Value(next) => {
                results.extend((0..2).map(|field| self.builder.push(Op::Field(next, field), loc)));
            }
            next => survey(&next, &mut sinks, &mut results),
        }
        match merges {
            Merges::Kept => self.close(results),
            Merges::Forgotten => self.close_without_actions(results),
        }
    }
}

/// What becomes of the merges in a body.
#[derive(Clone, Copy)]
enum Merges {
    Kept,
    Forgotten,
}

/// The sinks in a term, and its values in order.
pub(super) fn survey(term: &Term, sinks: &mut BTreeSet<Sink>, values: &mut Vec<Value>) {
    match term {
        Term::Value(value) => values.push(*value),
        Term::Sink(sink) => {
            sinks.insert(*sink);
        }
        Term::Array(_) | Term::Cursor(_) => unreachable!("arrays are values where terms are looked through"),
        Term::Struct(fields) => fields.iter().for_each(|field| survey(field, sinks, values)),
    }
}

/// The term with its values replaced, in order.
fn with_values(term: &Term, values: &mut impl Iterator<Item = Value>) -> Term {
    match term {
        Term::Value(_) => Term::Value(values.next().expect("as many values")),
        Term::Sink(_) | Term::Array(_) | Term::Cursor(_) => term.clone(),
        Term::Struct(fields) => Term::Struct(fields.iter().map(|field| with_values(field, values)).collect()),
    }
}
