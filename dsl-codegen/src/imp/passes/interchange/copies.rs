//! Statements of a loop for several of its iterations side by side: what is the same in all of them is there once.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, Const, Loc, Op, Value};
use weldment_runtime::lang::types::Type;

use crate::imp::copy::copy_of;
use crate::imp::effects::of_stmt;
use crate::imp::walk::Use;
use crate::imp::{Block, For, Imp, Stmt};

/// Which values of a loop differ from iteration to iteration.
#[derive(Clone, Debug)]
pub(in crate::imp::passes) struct Varying(BTreeSet<Value>);

impl Varying {
    pub(in crate::imp::passes) fn of(inner: &For) -> Varying {
        Varying(inner.number.iter().map(|number| number.value).chain([inner.index]).collect())
    }

    /// Whether `stmt` can be computed before the loop: it is the same in all iterations, cannot fault, and reads no element, which may be there
    /// only if there is an iteration.
    pub(in crate::imp::passes) fn is_hoistable(&self, imp: &Imp, stmt: &Stmt) -> bool {
        let Stmt::Let { op, .. } = stmt else { return false };
        let reads_one = || stmt.values(Use::Read).iter().any(|&value| self.contains(value));
        !matches!(op, Op::At(..) | Op::Slice(..)) && !reads_one() && !of_stmt(imp, stmt).faults
    }

    /// `stmt` stays in the loop, and so does what reads of it.
    pub(in crate::imp::passes) fn keep(&mut self, stmt: &Stmt) {
        stmt.for_each_value(|role, value| {
            self.0.extend(matches!(role, Use::Bind | Use::Inner).then_some(value));
        });
    }

    pub(super) fn contains(&self, value: Value) -> bool {
        self.0.contains(&value)
    }

    /// Whether `stmt` does or gives something else in each iteration: then so does what it binds.
    pub(super) fn note(&mut self, stmt: &Stmt) -> bool {
        let is_filled = matches!(stmt, Stmt::Accumulate { .. } | Stmt::Pick { .. });
        let varies = is_filled || stmt.values(Use::Read).iter().any(|value| self.0.contains(value));
        if varies {
            self.0.extend(stmt.values(Use::Bind));
        }
        varies
    }
}

/// What of `stmts`, with which an iteration of `inner` begins, can be computed before the loop: it is the same in all iterations, cannot
/// fault, and reads nothing of what stays, see [`Varying::is_hoistable`].
pub(in crate::imp::passes) fn hoistable(imp: &Imp, inner: &For, stmts: &[Stmt]) -> Vec<Stmt> {
    let mut varying = Varying::of(inner);
    let hoisted = stmts.iter().filter(|stmt| {
        let is_hoistable = varying.is_hoistable(imp, stmt);
        if !is_hoistable {
            varying.keep(stmt);
        }
        is_hoistable
    });
    hoisted.cloned().collect()
}

/// The iterations behind the one whose statements are there.
pub(super) struct Copies {
    varying: Varying,
    /// What each of them has instead of the values of the first.
    pub(super) names: Vec<BTreeMap<Value, Value>>,
}

impl Copies {
    /// Of `count` iterations of `inner` in all. Their positions and numbers are computed in `out`.
    pub(super) fn of(imp: &mut Imp, inner: &For, count: u32, out: &mut Block) -> Copies {
        let names = (1..count).map(|at| {
            let offset = imp.at(at.into());
            let index = out.position(imp, BinaryOp::Add, inner.index, offset);
            let number = inner.number.map(|number| {
                let offset = imp.constant(Const::I64(at.into()));
                let value = imp.value(Type::I64);
                out.let_(value, Op::Binary(BinaryOp::Add, number.value, offset), Loc::NONE);
                (number.value, value)
            });
            [(inner.index, index)].into_iter().chain(number).collect()
        });
        Copies { names: names.collect(), varying: Varying::of(inner) }
    }

    /// What of `stmts`, which come behind those of earlier calls, each of the iterations has for itself.
    pub(super) fn own(&mut self, imp: &mut Imp, stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
        let varying: Vec<Stmt> = stmts.iter().filter(|stmt| self.varying.note(stmt)).cloned().collect();
        let results: Vec<Value> = varying.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect();
        let whole = Block { stmts: varying, results };
        let copies = self.names.iter_mut().map(|names| {
            let copy = copy_of(imp, &whole, names.clone());
            names.extend(whole.results.iter().copied().zip(copy.results));
            copy.stmts
        });
        copies.collect()
    }
}
