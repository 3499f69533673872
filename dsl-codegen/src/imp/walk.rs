//! Walks over low-level code: the values that a statement names, the blocks that it holds, the registers, stores and functions
//! that it uses; and what a block reads from around it.
//!
//! [`Stmt::for_each_value`] and its sibling that changes them are the only places that list the values of every statement.

use std::collections::BTreeSet;

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::Value;

use super::{
    AccOp, Action, Arg, Block, Combine, For, FuncId, Imp, Known, Lane, Lanes, Number, Prefetch, RegId,
    SortBy, Split, Stmt, StoreId, Total,
};

/// What a statement does with a value that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Reads it.
    Read,
    /// Binds it for what comes behind.
    Bind,
    /// Binds it for the blocks that it holds.
    Inner,
    /// Says something about it: a hint, a look-up that has the search in common.
    Mention,
}

/// The match over all statements that both walks share; `$iter` is `iter` or `iter_mut`.
macro_rules! walk_values {
    ($stmt:expr, $visit:expr, $iter:ident, $as_ref:ident) => {
        match $stmt {
            // Operands are visited before.
            Stmt::Let { result, known, .. } => {
                if let Known::Shared(first) = known {
                    $visit(Use::Mention, first);
                }
                $visit(Use::Bind, result);
            }
            Stmt::Load { result, column, index, .. } => {
                $visit(Use::Read, column);
                $visit(Use::Read, index);
                $visit(Use::Bind, result);
            }
            Stmt::If { results, cond, .. } => {
                $visit(Use::Read, cond);
                results.$iter().for_each(|value| $visit(Use::Bind, value));
            }
            Stmt::Iterate { results, init, params, counted, replaced, .. } => {
                init.$iter().for_each(|value| $visit(Use::Read, value));
                replaced.$iter().for_each(|value| $visit(Use::Inner, value));
                params.$iter().for_each(|value| $visit(Use::Inner, value));
                for Counted { index, steps } in counted.$iter() {
                    $visit(Use::Mention, index);
                    $visit(Use::Mention, steps);
                }
                results.$iter().for_each(|value| $visit(Use::Bind, value));
            }
            Stmt::For(For { index, number, end, range, hints, .. }) => {
                range.$iter().for_each(|value| $visit(Use::Read, value));
                $visit(Use::Inner, index);
                if let Some(Number { value, first }) = number {
                    $visit(Use::Read, first);
                    $visit(Use::Inner, value);
                }
                end.$iter().for_each(|value| $visit(Use::Inner, value));
                for hints in hints.$iter() {
                    hints.prefetch.$iter().for_each(|value| $visit(Use::Mention, value));
                    hints.hash_ahead.$iter().for_each(|(value, _)| $visit(Use::Mention, value));
                    hints.row.$iter().for_each(|value| $visit(Use::Mention, value));
                }
            }
            Stmt::Lanes(Lanes { index, number, first, .. }) => {
                $visit(Use::Read, first);
                $visit(Use::Inner, index);
                if let Some(Number { value, first }) = number {
                    $visit(Use::Read, first);
                    $visit(Use::Inner, value);
                }
            }
            Stmt::Start(_) | Stmt::Copy { .. } => {}
            Stmt::Accumulate { lane, op, value, mask, .. } => {
                if let Lane::Of(position) = lane {
                    $visit(Use::Read, position);
                }
                $visit(Use::Read, value);
                if let AccOp::Same(other) = op {
                    $visit(Use::Read, other);
                }
                mask.$iter().for_each(|value| $visit(Use::Read, value));
            }
            Stmt::Read { result, .. } => $visit(Use::Bind, result),
            Stmt::Pick { result, position, .. } => {
                $visit(Use::Read, position);
                $visit(Use::Bind, result);
            }
            Stmt::Rescan { wanted, open, .. } => {
                $visit(Use::Bind, wanted);
                $visit(Use::Bind, open);
            }
            Stmt::Do { results, args, mask, .. } => {
                args.$iter().for_each(|value| $visit(Use::Read, value));
                mask.$iter().for_each(|value| $visit(Use::Read, value));
                results.$iter().for_each(|value| $visit(Use::Bind, value));
            }
            Stmt::Call { results, args, .. } => {
                for arg in args.$iter() {
                    match arg {
                        Arg::Value(value) => $visit(Use::Read, value),
                        Arg::Slice(vector, range) => {
                            $visit(Use::Read, vector);
                            range.$iter().for_each(|value| $visit(Use::Read, value));
                        }
                        Arg::Reg(_) => {}
                        Arg::Store(_, from) => from.$iter().for_each(|value| $visit(Use::Read, value)),
                    }
                }
                results.$iter().for_each(|value| $visit(Use::Bind, value));
            }
            Stmt::Sort { result, vector, .. } => {
                $visit(Use::Read, vector);
                $visit(Use::Bind, result);
            }
            Stmt::Prefetch { what, index } => {
                if let Prefetch::Block { column, .. }
                | Prefetch::Element { column }
                | Prefetch::Row { column }
                | Prefetch::Place { dict: column }
                | Prefetch::Found { dict: column } = what
                {
                    $visit(Use::Read, column);
                }
                $visit(Use::Read, index);
            }
            Stmt::Fault { cond, .. } => $visit(Use::Read, cond),
            Stmt::Split(split) => {
                let Split { extent, range, .. } = split.$as_ref();
                $visit(Use::Read, extent);
                range.$iter().for_each(|value| $visit(Use::Inner, value));
            }
            Stmt::Clone { result, value } => {
                $visit(Use::Read, value);
                $visit(Use::Bind, result);
            }
            Stmt::Release(value) => $visit(Use::Read, value),
        }
    };
}

/// The match over all statements that hold blocks; `$iter` is `iter` or `iter_mut`.
macro_rules! walk_blocks {
    ($stmt:expr, $visit:expr, $iter:ident, $as_ref:ident) => {
        match $stmt {
            Stmt::If { then, els, .. } => {
                $visit(then);
                $visit(els);
            }
            Stmt::Iterate { body, .. } | Stmt::Lanes(Lanes { body, .. }) => $visit(body),
            Stmt::For(For { body, exit, .. }) => {
                $visit(body);
                exit.$iter().for_each(|(_, block)| $visit(block));
            }
            Stmt::Split(split) => {
                let Split { init, update, add, merge, .. } = split.$as_ref();
                [init, update, add, merge].into_iter().for_each(|block| $visit(block));
            }
            _ => {}
        }
    };
}

impl Stmt {
    /// Visits the values that the statement itself names, and not those in blocks that it holds: what it reads, in order,
    /// and what it binds.
    pub fn for_each_value(&self, mut visit: impl FnMut(Use, Value)) {
        if let Stmt::Let { op, .. } = self {
            op.for_each_operand(|value| visit(Use::Read, value));
        }
        let visit = &mut |role, value: &Value| visit(role, *value);
        walk_values!(self, visit, iter, as_ref);
    }

    /// The same, to change them.
    pub fn for_each_value_mut(&mut self, mut visit: impl FnMut(Use, &mut Value)) {
        if let Stmt::Let { op, .. } = self {
            op.for_each_operand_mut(|value| visit(Use::Read, value));
        }
        let visit = &mut visit;
        walk_values!(self, visit, iter_mut, as_mut);
    }

    /// The values that it uses so, in order.
    pub fn values(&self, wanted: Use) -> Vec<Value> {
        let mut values = Vec::new();
        self.for_each_value(|role, value| values.extend((role == wanted).then_some(value)));
        values
    }

    /// Visits the blocks that it holds, in order.
    pub fn for_each_block<'a>(&'a self, mut visit: impl FnMut(&'a Block)) {
        walk_blocks!(self, visit, iter, as_ref);
    }

    /// The same, to change them.
    pub fn for_each_block_mut(&mut self, mut visit: impl FnMut(&mut Block)) {
        walk_blocks!(self, visit, iter_mut, as_mut);
    }

    /// Visits the registers that it names, and whether it writes them.
    pub fn for_each_reg(&self, mut visit: impl FnMut(RegId, Access)) {
        match self {
            Stmt::Start(reg) | Stmt::Accumulate { reg, .. } => visit(*reg, Access::Write),
            Stmt::Copy { to, from } => {
                visit(*from, Access::Read);
                visit(*to, Access::Write);
            }
            Stmt::Read { reg, .. } | Stmt::Pick { reg, .. } => visit(*reg, Access::Read),
            Stmt::Rescan { total, best, .. } => {
                visit(*best, Access::Read);
                visit(*total, Access::Write);
            }
            Stmt::Call { args, .. } => args.iter().for_each(|arg| {
                if let Arg::Reg(reg) = arg {
                    visit(*reg, Access::Write);
                }
            }),
            Stmt::Split(split) => split.totals.iter().for_each(|total| match total {
                Total::Reg { chunk, all } => {
                    visit(*chunk, Access::Write);
                    visit(*all, Access::Write);
                }
                Total::Store(_) => {}
            }),
            _ => {}
        }
    }

    /// Visits the stores that it names; all of them are written, but by hints and prefetches.
    pub fn for_each_store(&self, mut visit: impl FnMut(StoreId, Access)) {
        match self {
            Stmt::Do { store, .. } => visit(*store, Access::Write),
            Stmt::Call { args, .. } => args.iter().for_each(|arg| {
                if let Arg::Store(store, _) = arg {
                    visit(*store, Access::Write);
                }
            }),
            Stmt::Prefetch { what: Prefetch::Written { store, .. }, .. } => visit(*store, Access::Read),
            Stmt::Split(split) => {
                split.parts.iter().for_each(|store| visit(*store, Access::Write));
                split.totals.iter().for_each(|total| match total {
                    Total::Store(store) => visit(*store, Access::Write),
                    Total::Reg { .. } => {}
                });
            }
            _ => {}
        }
    }

    /// Visits the functions that it calls, itself or through the store at hand.
    pub fn for_each_func(&self, imp: &Imp, mut visit: impl FnMut(FuncId)) {
        match self {
            Stmt::Call { func, .. } => visit(*func),
            Stmt::Sort { by: SortBy::Comparator(func) | SortBy::Key { func, .. }, .. } => visit(*func),
            Stmt::Do { store, action, .. } => {
                if let Action::Fill(func) | Action::MergeEach(func) = action {
                    visit(*func);
                }
                if let Combine::Func(func) = imp.stores[*store].combine {
                    visit(func);
                }
            }
            _ => {}
        }
    }
}

/// What is done with a register or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It stays as it is.
    Read,
    /// It may change.
    Write,
}

impl Block {
    /// Visits every statement in the block and in those inside it, outer before inner, in order.
    pub fn for_each_stmt<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.stmts {
            visit(stmt);
            stmt.for_each_block(|block| block.for_each_stmt(visit));
        }
    }

    /// Visits every read in the block and in those inside it, in order: operands, results, and what functions that are called
    /// read under the names that they have here.
    pub fn for_each_read(&self, imp: &Imp, visit: &mut impl FnMut(Value)) {
        for stmt in &self.stmts {
            stmt.for_each_value(|role, value| {
                if role == Use::Read {
                    visit(value);
                }
            });
            stmt.for_each_func(imp, |func| imp.funcs[func].captures.iter().for_each(|&value| visit(value)));
            stmt.for_each_block(|block| block.for_each_read(imp, visit));
        }
        self.results.iter().for_each(|&value| visit(value));
    }
}

/// What `block` reads and neither binds nor is given as `params`, in order of first use. Constants are not among it.
pub fn free_values(imp: &Imp, block: &Block, params: &[Value]) -> Vec<Value> {
    let mut known: BTreeSet<Value> = params.iter().copied().collect();
    block.for_each_stmt(&mut |stmt| {
        stmt.for_each_value(|role, value| {
            if matches!(role, Use::Bind | Use::Inner) {
                known.insert(value);
            }
        });
    });
    let mut free = Vec::new();
    block.for_each_read(imp, &mut |value| {
        if imp.values[value].constant.is_none() && known.insert(value) {
            free.push(value);
        }
    });
    free
}
