//! Which values of a loop move along with its iterations, so that what is read there lies one behind the other.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, CompareOp, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use crate::imp::copy::copy_of;
use crate::imp::effects::of_op;
use crate::imp::walk::Use;
use crate::imp::{Block, For, Imp, Stmt, Stride};

/// What is known of the values of a loop.
pub(super) struct Moving {
    /// Those that differ from iteration to iteration.
    pub(super) varying: BTreeSet<Value>,
    /// Those of them that are one more in the next iteration.
    moves: BTreeSet<Value>,
    /// What computes them, in order.
    places: Vec<Stmt>,
    /// The elements that are read there: what is read, vector, place.
    pub(super) reads: Vec<(Value, Value, Value)>,
}

impl Moving {
    pub(super) fn of(imp: &Imp, inner: &For) -> Moving {
        let number = inner.number.map(|number| number.value);
        debug_assert!(number.is_none_or(|value| imp.values[value].ty == Type::I64), "a number is an i64");
        Moving {
            varying: number.into_iter().chain([inner.index]).collect(),
            moves: number.into_iter().collect(),
            places: Vec::new(),
            reads: Vec::new(),
        }
    }

    pub(super) fn varies(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    /// Whether a statement is the same in all iterations.
    pub(super) fn is_fixed(&self, stmt: &Stmt) -> bool {
        !stmt.values(Use::Read).iter().any(|&value| self.varies(value))
    }

    /// Notes a statement that varies, and whether what it binds moves.
    pub(super) fn note(&mut self, stmt: &Stmt) {
        self.varying.extend(stmt.values(Use::Bind));
        if let Stmt::Let { result, op, .. } = stmt
            && self.is_moving(op)
        {
            self.moves.insert(*result);
            self.places.push(stmt.clone());
        }
    }

    /// Notes a read of what is the next element in the next iteration. False if it is none.
    pub(super) fn note_read(&mut self, imp: &Imp, stmt: &Stmt) -> bool {
        let Stmt::Let { result, op: Op::At(vector, place), .. } = *stmt else { return false };
        let is_next =
            !self.varies(vector) && self.moves.contains(&place) && imp.values[result].ty.is_scalars();
        if is_next {
            self.reads.push((result, vector, place));
            self.varying.insert(result);
        }
        is_next
    }

    /// Whether what `op` gives is one more in the next iteration.
    fn is_moving(&self, op: &Op) -> bool {
        match *op {
            Op::Binary(BinaryOp::Add, a, b) => {
                self.moves.contains(&a) && !self.varies(b) || self.moves.contains(&b) && !self.varies(a)
            }
            Op::Binary(BinaryOp::Sub, a, b) => self.moves.contains(&a) && !self.varies(b),
            _ => false,
        }
    }

    /// Loads of `reads` at position `at`, of slices of `count` elements that are cut in `out` from where the iteration of number `first`
    /// reads; of no elements, from the start.
    pub(super) fn loads(
        &mut self,
        imp: &mut Imp,
        out: &mut Block,
        inner: &For,
        [first, count, at]: [Value; 3],
    ) -> Vec<Stmt> {
        let mut names = BTreeMap::new();
        if let Some(number) = inner.number {
            let value = imp.value(Type::I64);
            out.let_(value, Op::Cast(Scalar::I64, first), Loc::NONE);
            names.insert(number.value, value);
        }
        let results = self.reads.iter().map(|read| read.2).collect();
        let places = copy_of(imp, &Block { stmts: std::mem::take(&mut self.places), results }, names);
        out.stmts.extend(places.stmts);
        let mut loads = Vec::new();
        let zero = imp.at(0);
        let is_some = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Lt, zero, count));
        for (&(result, vector, _), &place) in self.reads.iter().zip(&places.results) {
            let (at_place, from) = (imp.position(), imp.position());
            out.let_(at_place, Op::Cast(Scalar::U64, place), Loc::NONE);
            out.let_(from, Op::Select(is_some, at_place, zero), Loc::NONE);
            let column = out.slice(imp, vector, from, count);
            loads.push(Stmt::Load { result, column, index: at, stride: Stride::One });
        }
        loads
    }
}

/// Leaves out of `stmts` those that only compute what nothing behind them reads, and cannot fault.
pub(super) fn needed(imp: &Imp, stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut read = BTreeSet::new();
    let mut kept = Vec::new();
    for stmt in stmts.into_iter().rev() {
        let is_needed = match &stmt {
            Stmt::Let { result, op, known, .. } => read.contains(result) || of_op(imp, op, *known).faults,
            Stmt::Load { result, .. } => read.contains(result),
            _ => true,
        };
        if is_needed {
            let whole = Block { stmts: vec![stmt], results: Vec::new() };
            whole.for_each_read(imp, &mut |value| _ = read.insert(value));
            kept.extend(whole.stmts);
        }
    }
    kept.reverse();
    kept
}
