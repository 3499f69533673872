//! An `if` whose branches give builders.
//!
//! A builder that comes from outside is given back by both branches: it stays the sink that it is, and what the branches
//! merge into it becomes one action. Where each branch gives a builder of its own instead, the two become one new sink,
//! which begins with the initial value that the `if` chooses. Such a value, and those that a branch gives beside its
//! builders, are what the bodies of the branches give; where these merge, they come from a second lowering of the branches,
//! whose merges are forgotten.

use std::collections::{BTreeSet, HashMap};

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Type;

use super::control::survey;
use super::{Lower, SinkInfo, Term};
use crate::infer::typed::Expr;
use crate::ir::{Loc, Op, Reducer, Sink, SinkKind, Value};

/// An initial value that an `if` chooses.
struct Initial {
    /// Whose it is: a number among the builders of the term.
    place: usize,
    /// What it is in a branch that makes its builder without one.
    identity: Option<Value>,
}

impl Lower {
    /// `if cond then else els`, of builders or of structs that hold some.
    pub(super) fn choice(&mut self, cond: Value, then: &Expr, els: &Expr, loc: Loc) -> Term {
        self.open();
        let first = self.term(then);
        let first = self.stored(first, &then.ty, loc);
        let own = sinks_of(&first);
        let joined: Vec<Sink> = own.iter().map(|&sink| self.joined(sink, loc)).collect();
        let (then_body, then_merges) = self.close_renaming(Vec::new(), &renaming(&own, &joined));
        self.open();
        let second = self.term(els);
        let second = self.stored(second, &els.ty, loc);
        let others = sinks_of(&second);
        let (els_body, els_merges) = self.close_renaming(Vec::new(), &renaming(&others, &joined));

        let is_new = |place: &usize| own[*place] != joined[*place];
        let new: Vec<usize> = (0..joined.len()).filter(is_new).collect();
        let initials: Vec<Initial> =
            new.iter().filter_map(|&place| self.initial(place, own[place], others[place], loc)).collect();
        let mut results = if then_merges || els_merges {
            let sinks = joined.iter().copied().collect();
            self.record(Op::If { cond, then: then_body, els: els_body }, sinks, loc);
            if self.given(&first, &initials).is_empty() {
                Vec::new()
            } else {
                let mut values = |part: &Expr| {
                    self.silently(true, |this| {
                        this.open();
                        let term = this.term(part);
                        let term = this.stored(term, &part.ty, loc);
                        let given = this.given(&term, &initials);
                        this.close_without_actions(given)
                    })
                };
                let (then, els) = (values(then), values(els));
                self.builder.branch(cond, then, els, loc)
            }
        } else {
            let given = [(then_body, &first), (els_body, &second)];
            for (body, term) in given {
                let given = self.given(term, &initials);
                self.builder.program_mut().bodies[body].results = given;
            }
            self.builder.branch(cond, then_body, els_body, loc)
        };
        let chosen = results.split_off(results.len() - initials.len());
        for place in new {
            let value =
                initials.iter().position(|initial| initial.place == place).map(|number| chosen[number]);
            self.sinks.get_mut(&joined[place]).expect("a known sink").kind.begin_with(value);
        }
        let chosen = rebuilt(&first, &mut joined.into_iter(), &mut results.into_iter());
        self.rebound(chosen, loc)
    }

    /// The sink that a builder given by the branch at hand is outside of it: a new one, if the branch has made it.
    fn joined(&mut self, sink: Sink, loc: Loc) -> Sink {
        if self.sinks[&sink].depth < self.scopes.len() {
            return sink;
        }
        let kind = self.sinks[&sink].kind.clone();
        let joined = self.builder.fresh_sink();
        let info = SinkInfo { kind, depth: self.scopes.len() - 1, loc, emitted: None };
        self.sinks.insert(joined, info);
        joined
    }

    /// What to choose as the initial value of the builder that is `own` in one branch and `other` in the other.
    fn initial(&mut self, place: usize, own: Sink, other: Sink, loc: Loc) -> Option<Initial> {
        let kind = &self.sinks[&own].kind;
        let given = [kind, &self.sinks[&other].kind].map(|kind| kind.init().is_some());
        match (kind.clone(), given) {
            (_, [false, false]) => None,
            (_, [true, true]) => Some(Initial { place, identity: None }),
            (SinkKind::Reduce { ty, reducer: Reducer::Op(op), .. }, _) => {
                let identity = Some(self.identity(op, &ty, loc));
                Some(Initial { place, identity })
            }
            // A length that is expected on one side only is not expected.
            _ => None,
        }
    }

    /// What a reduction without initial value begins with.
    fn identity(&mut self, op: ReduceOp, ty: &Type, loc: Loc) -> Value {
        match ty {
            Type::Struct(fields) => {
                let identities = fields.iter().map(|field| self.identity(op, field, loc)).collect();
                self.builder.push(Op::Struct(identities, ty.struct_name().cloned()), loc)
            }
            _ => self.builder.constant(op.identity(ty.as_scalar().expect("operators reduce scalars")), loc),
        }
    }

    /// The values that a branch gives, and then the initial values.
    fn given(&self, term: &Term, initials: &[Initial]) -> Vec<Value> {
        let mut values = Vec::new();
        survey(term, &mut BTreeSet::new(), &mut values);
        let sinks = sinks_of(term);
        values.extend(initials.iter().map(|initial| {
            let own = self.sinks[&sinks[initial.place]].kind.init();
            own.copied().or(initial.identity).expect("given in both branches, or an identity")
        }));
        values
    }
}

/// The sinks of a term, in order.
fn sinks_of(term: &Term) -> Vec<Sink> {
    match term {
        Term::Value(_) | Term::Array(_) | Term::Cursor(_) => Vec::new(),
        Term::Sink(sink) => vec![*sink],
        Term::Struct(fields) => fields.iter().flat_map(sinks_of).collect(),
    }
}

fn renaming(from: &[Sink], to: &[Sink]) -> HashMap<Sink, Sink> {
    from.iter().copied().zip(to.iter().copied()).filter(|(from, to)| from != to).collect()
}

/// The term with its sinks and its values replaced, in order.
fn rebuilt(
    term: &Term,
    sinks: &mut impl Iterator<Item = Sink>,
    values: &mut impl Iterator<Item = Value>,
) -> Term {
    match term {
        Term::Value(_) => Term::Value(values.next().expect("as many values")),
        Term::Sink(_) => Term::Sink(sinks.next().expect("as many sinks")),
        Term::Array(_) | Term::Cursor(_) => term.clone(),
        Term::Struct(fields) => {
            Term::Struct(fields.iter().map(|field| rebuilt(field, sinks, values)).collect())
        }
    }
}
