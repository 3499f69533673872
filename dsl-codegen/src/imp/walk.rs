//! Walks over low-level code: the values that a statement names, the blocks that it holds, the registers, stores and functions
//! that it uses; what a block reads from around it; and copies of blocks.
//!
//! [`Stmt::for_each_value`] and its sibling that changes them are the only places that list the values of every statement.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::Value;

use super::{
    AccOp, Action, Arg, Block, Combine, For, FuncId, Imp, Known, Lane, Lanes, Prefetch, RegId, SortBy, Split,
    Stmt, StoreId, Total,
};

/// What a statement does with a value that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
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
    ($stmt:expr, $visit:expr, $iter:ident, $operands:ident, $as_option:ident) => {
        match $stmt {
            Stmt::Let { result, op, known, .. } => {
                op.$operands(|value| $visit(Role::Read, value));
                if let Known::Shared(first) = known {
                    $visit(Role::Mention, first);
                }
                $visit(Role::Bind, result);
            }
            Stmt::Load { result, column, index } => {
                $visit(Role::Read, column);
                $visit(Role::Read, index);
                $visit(Role::Bind, result);
            }
            Stmt::If { results, cond, .. } => {
                $visit(Role::Read, cond);
                results.$iter().for_each(|value| $visit(Role::Bind, value));
            }
            Stmt::Iterate { results, init, params, .. } => {
                init.$iter().for_each(|value| $visit(Role::Read, value));
                params.$iter().for_each(|value| $visit(Role::Inner, value));
                results.$iter().for_each(|value| $visit(Role::Bind, value));
            }
            Stmt::For(For { index, end, range, hints, .. }) => {
                range.$iter().for_each(|value| $visit(Role::Read, value));
                $visit(Role::Inner, index);
                end.$iter().for_each(|value| $visit(Role::Inner, value));
                for hints in hints.$iter() {
                    hints.prefetch.$iter().for_each(|value| $visit(Role::Mention, value));
                    hints.hash_ahead.$iter().for_each(|(value, _)| $visit(Role::Mention, value));
                }
            }
            Stmt::Lanes(Lanes { index, first, .. }) => {
                $visit(Role::Read, first);
                $visit(Role::Inner, index);
            }
            Stmt::Start(_) | Stmt::Copy { .. } => {}
            Stmt::Accumulate { lane, op, value, mask, .. } => {
                if let Lane::Of(position) = lane {
                    $visit(Role::Read, position);
                }
                $visit(Role::Read, value);
                if let AccOp::Same(other) = op {
                    $visit(Role::Read, other);
                }
                mask.$iter().for_each(|value| $visit(Role::Read, value));
            }
            Stmt::Read { result, .. } => $visit(Role::Bind, result),
            Stmt::Rescan { wanted, open, .. } => {
                $visit(Role::Bind, wanted);
                $visit(Role::Bind, open);
            }
            Stmt::Do { results, args, mask, .. } => {
                args.$iter().for_each(|value| $visit(Role::Read, value));
                mask.$iter().for_each(|value| $visit(Role::Read, value));
                results.$iter().for_each(|value| $visit(Role::Bind, value));
            }
            Stmt::Call { results, args, .. } => {
                for arg in args.$iter() {
                    match arg {
                        Arg::Value(value) => $visit(Role::Read, value),
                        Arg::Slice(vector, range) => {
                            $visit(Role::Read, vector);
                            range.$iter().for_each(|value| $visit(Role::Read, value));
                        }
                        Arg::Reg(_) => {}
                        Arg::Store(_, from) => from.$iter().for_each(|value| $visit(Role::Read, value)),
                    }
                }
                results.$iter().for_each(|value| $visit(Role::Bind, value));
            }
            Stmt::Sort { result, vector, .. } => {
                $visit(Role::Read, vector);
                $visit(Role::Bind, result);
            }
            Stmt::Prefetch { what, index } => {
                if let Prefetch::Block { column, .. }
                | Prefetch::Element { column }
                | Prefetch::Row { column } = what
                {
                    $visit(Role::Read, column);
                }
                $visit(Role::Read, index);
            }
            Stmt::Fault { cond, .. } => $visit(Role::Read, cond),
            Stmt::Split(split) => {
                let Split { extent, range, .. } = split.$as_option();
                $visit(Role::Read, extent);
                range.$iter().for_each(|value| $visit(Role::Inner, value));
            }
            Stmt::Clone { result, value } => {
                $visit(Role::Read, value);
                $visit(Role::Bind, result);
            }
            Stmt::Release(value) => $visit(Role::Read, value),
        }
    };
}

/// The match over all statements that hold blocks; `$iter` is `iter` or `iter_mut`.
macro_rules! walk_blocks {
    ($stmt:expr, $visit:expr, $iter:ident, $as_option:ident) => {
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
                let Split { init, update, add, merge, .. } = split.$as_option();
                [init, update, add, merge].into_iter().for_each(|block| $visit(block));
            }
            _ => {}
        }
    };
}

impl Stmt {
    /// Visits the values that the statement itself names, and not those in blocks that it holds: what it reads, in order,
    /// and then what it binds.
    pub fn for_each_value(&self, mut visit: impl FnMut(Role, Value)) {
        let visit = &mut |role, value: &Value| visit(role, *value);
        walk_values!(self, visit, iter, for_each_operand_by_ref, as_ref);
    }

    /// The same, to change them.
    pub fn for_each_value_mut(&mut self, mut visit: impl FnMut(Role, &mut Value)) {
        let visit = &mut visit;
        walk_values!(self, visit, iter_mut, for_each_operand_mut, as_mut);
    }
}
