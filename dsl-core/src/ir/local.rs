//! Local rewriting: each statement by itself, with a view of what its operands are.
//!
//! [`rewrite_stmts`] offers every statement to a rule, outer before inner. What the rule gives replaces the
//! statement as soon as its body has been walked; the values it stands for are substituted everywhere when the
//! walk is over.
//!
//! A rule may also change the bodies that its statement holds; it must then give a replacement. In the rest of
//! the walk nobody finds the old statement by the values it bound.

use weldment_runtime::lang::scalar::{BinaryOp, Const};
use weldment_runtime::lang::types::Type;

use super::defs::{Def, Defs};
use super::entity::{BodyId, Value};
use super::op::{Op, Program, Stmt};
use super::rewrite::Subst;

/// What a statement becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Statements in its place.
    pub stmts: Vec<Stmt>,
    /// What stands for each value that it bound.
    pub values: Vec<Value>,
}

impl Replacement {
    /// Values that are bound already, and no statement.
    pub fn values(values: Vec<Value>) -> Replacement {
        Replacement { stmts: Vec::new(), values }
    }

    /// The same results from another op.
    pub fn op(stmt: &Stmt, op: Op) -> Replacement {
        Replacement::stmt(Stmt { results: stmt.results.clone(), op, loc: stmt.loc })
    }

    /// One statement, whose results stand for the old ones.
    pub fn stmt(stmt: Stmt) -> Replacement {
        Replacement { values: stmt.results.clone(), stmts: vec![stmt] }
    }
}

/// Offers every statement of `program` to `rule`; whether it took any.
pub fn rewrite_stmts(
    program: &mut Program,
    mut rule: impl FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>,
) -> bool {
    let Some(entry) = program.entry else { return false };
    let mut walk = Walk {
        defs: Defs::remembering_merges(program),
        rule: &mut rule,
        subst: Subst::new(),
        changed: false,
    };
    walk.body(program, entry);
    program.substitute_everywhere(&walk.subst);
    walk.changed
}

/// How often [`rewrite_to_fixpoint`] walks through a program at most. What each walk made is sound, so that a rule that finds
/// something to do in what it wrote itself leaves a program larger than it need be, and ends.
const MAX_WALKS: u32 = 1000;

/// Applies `rule` as [`rewrite_stmts`] does, again and again until it applies nowhere, some 1000 times at most. Whether it did at all.
pub fn rewrite_to_fixpoint(
    program: &mut Program,
    mut rule: impl FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>,
) -> bool {
    let mut walks = 0;
    while walks < MAX_WALKS && rewrite_stmts(program, &mut rule) {
        walks += 1;
    }
    walks > 0
}

struct Walk<'a, R> {
    defs: Defs,
    rule: &'a mut R,
    subst: Subst,
    changed: bool,
}

impl<R: FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>> Walk<'_, R> {
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        let mut changed = false;
        for index in 0..program.bodies[id].stmts.len() {
            let stmt = program.bodies[id].stmts[index].clone();
            if let Some(replacement) = (self.rule)(program, &self.defs, &stmt) {
                debug_assert_eq!(stmt.results.len(), replacement.values.len());
                self.subst.insert_all(&stmt.results, &replacement.values);
                if !stmt.op.bodies().is_empty() {
                    self.defs.forget(&stmt.results);
                }
                let merges = |stmt: &Stmt| stmt.op.holds_bodies() || matches!(stmt.op, Op::Merge { .. });
                if merges(&stmt) || replacement.stmts.iter().any(merges) {
                    self.defs.forget_merges();
                }
                stmts.extend(replacement.stmts);
                changed = true;
            } else {
                stmt.op.for_each_body(|inner| self.body(program, inner));
                stmts.push(stmt);
            }
        }
        if changed {
            // Now, not at the end: a rule may have taken merges out of bodies that stand in `stmts`, and whoever
            // counts them next must find them where they are now.
            program.put_stmts(id, stmts);
            self.changed = true;
        }
    }
}

/// How many values are looked at to find whether one of them is a length.
const MAX_LOOKED_AT: u32 = 64;

/// A program and its bindings, as rules look at them.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its bindings.
    pub defs: &'a Defs,
}

impl<'a> Facts<'a> {
    /// The op that binds `value`, unless a parameter does.
    pub fn op(&self, value: Value) -> Option<&'a Op> {
        self.defs.op(self.program, value)
    }

    /// The type of `value`.
    pub fn ty(&self, value: Value) -> &'a Type {
        self.program.ty(value)
    }

    /// The constant that `value` is, if it is one.
    pub fn constant(&self, value: Value) -> Option<Const> {
        match self.op(value)? {
            Op::Const(constant) => Some(*constant),
            _ => None,
        }
    }

    /// The integer (or bool) constant that `value` is, if it is one.
    pub fn integer(&self, value: Value) -> Option<i128> {
        self.constant(value)?.as_integer()
    }

    /// Whether `value` is never negative, being a length or a number of steps.
    pub fn is_length(&self, value: Value) -> bool {
        self.is_length_within(value, &mut { MAX_LOOKED_AT })
    }

    /// The same, where so many values may be looked at: there may be any number of ways through them.
    fn is_length_within(&self, value: Value, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        match self.op(value) {
            Some(Op::Len(_) | Op::IterLen(..) | Op::RangeLen(..) | Op::SpanLen(..) | Op::CheckExtents(_)) => {
                true
            }
            Some(&Op::Binary(BinaryOp::Max, x, y)) => {
                self.is_length_within(x, left) || self.is_length_within(y, left)
            }
            Some(&Op::Select(_, x, y)) => self.is_length_within(x, left) && self.is_length_within(y, left),
            Some(Op::If { then, els, .. }) => {
                let Some(Def::Stmt { result, .. }) = self.defs.def(value) else { return false };
                let mut given =
                    [then, els].into_iter().map(|body| self.program.bodies[*body].results[result]);
                given.all(|value| self.is_length_within(value, left))
            }
            Some(Op::ZipLen(_, lengths)) => lengths.iter().any(|&length| self.is_length_within(length, left)),
            _ => self.integer(value).is_some_and(|number| number >= 0),
        }
    }

    /// The components of `value`, if it was made as a struct.
    pub fn fields(&self, value: Value) -> Option<&'a [Value]> {
        match self.op(value)? {
            Op::Struct(fields, _) => Some(fields),
            _ => None,
        }
    }

    /// The elements of `value`, if it was made as a vector.
    pub fn elements(&self, value: Value) -> Option<&'a [Value]> {
        match self.op(value)? {
            Op::Vector(elements) => Some(elements),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WALKS, Replacement, rewrite_to_fixpoint};
    use crate::ir::parse;

    #[test]
    fn a_rule_that_applies_to_what_it_wrote_ends() {
        let text = "weldment ir 1\nprogram(v0: i64) {\n  v1: i64 = add v0, v0\n  return v1\n}\n";
        let mut program = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let mut applied = 0;
        let changed = rewrite_to_fixpoint(&mut program, |_, _, stmt| {
            applied += 1;
            Some(Replacement::stmt(stmt.clone()))
        });
        assert!(changed);
        assert_eq!(applied, MAX_WALKS);
    }
}
