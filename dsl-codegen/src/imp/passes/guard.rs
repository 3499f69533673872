//! Checks of indices that are the same for all iterations of a loop, made once before it: where they hold, the loop runs in a version
//! without them, whose reads lie one behind the other.
//!
//! ```text
//! for i number r in 0..n { for p number j in 0..m { …; k = check_index j, e; … } }
//! ```
//! ```text
//! c = le m, e; h = select c, n, 0
//! for i number r in 0..h { for p number j in 0..m { …; k = add j, 0; … } }
//! for i number r in h..n { for p number j in 0..m { …; k = check_index j, e; … } }
//! ```
//! So the fault is that of the loop as it was.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::interchange::Varying;
use crate::imp::copy::copy_of;
use crate::imp::walk::Use;
use crate::imp::{Block, For, Imp, Info, Known, Side, Stmt};

/// A loop without checks, and when it may run.
pub(super) struct Guarded {
    /// What computes the condition.
    pub(super) before: Block,
    pub(super) holds: Value,
    pub(super) proved: For,
}

/// The numbers of the iterations of a loop: `first` and those behind it, `count` in all.
#[derive(Clone, Copy)]
struct Numbers {
    first: Value,
    count: Value,
}

/// A number of an iteration, with what is added to it or taken from it.
#[derive(Clone, Copy)]
struct Moved {
    of: Numbers,
    by: Option<(BinaryOp, Value)>,
}

/// What is known outside of a loop, and what must hold there.
struct Outside<'i> {
    imp: &'i mut Imp,
    zero: Value,
    one: Value,
    /// What the loop binds.
    bound: BTreeSet<Value>,
    /// What of it is computed before the loop, too.
    names: BTreeMap<Value, Value>,
    before: Block,
    conditions: Vec<Value>,
}

impl Guarded {
    /// Of a loop that checks what moves along with it, or with a loop inside.
    pub(super) fn of(imp: &mut Imp, outer: &For) -> Option<Guarded> {
        let mut whole = Block { stmts: vec![Stmt::For(outer.clone())], results: Vec::new() };
        let (mut bound, mut checks) = (BTreeSet::new(), false);
        whole.for_each_stmt(&mut |stmt| {
            checks |= matches!(stmt, Stmt::Let { op: Op::CheckIndex(..) | Op::Position(..), .. });
            stmt.for_each_value(|role, value| {
                bound.extend(matches!(role, Use::Bind | Use::Inner).then_some(value));
            });
        });
        if !checks {
            return None;
        }
        let before = Block::default();
        let [zero, one] = [0, 1].map(|number| imp.constant(Const::I64(number)));
        let mut outside =
            Outside { imp, zero, one, bound, names: BTreeMap::new(), before, conditions: Vec::new() };
        let mut moved = BTreeMap::new();
        let mut loops = vec![outer];
        outside.hoist(&outer.body, &mut Varying::of(outer), &mut loops);
        for inner in loops {
            let (Some(number), Some(count)) = (inner.number, outside.name(inner.range[1])) else { continue };
            if let Some(first) = outside.name(number.first)
                && outside.imp.known_position(inner.range[0]) == Some(0)
            {
                moved.insert(number.value, Moved { of: Numbers { first, count }, by: None });
            }
        }
        whole.for_each_stmt_mut(&mut |stmt| {
            let Stmt::Let { result, op, .. } = stmt else { return };
            match *op {
                Op::Binary(by @ (BinaryOp::Add | BinaryOp::Sub), number, offset) => {
                    let Some(&same @ Moved { of, by: None }) = moved.get(&number) else { return };
                    if outside.imp.values[offset].constant == Some(Const::I64(0)) {
                        moved.insert(*result, same);
                    } else if let Some(offset) = outside.name(offset) {
                        moved.insert(*result, Moved { of, by: Some((by, offset)) });
                    }
                }
                Op::CheckIndex(index, length) => {
                    if let Some(&same) = moved.get(&index)
                        && let Some(length) = outside.name(length)
                    {
                        outside.within(same, None, length);
                        moved.insert(*result, same);
                        *op = Op::Binary(BinaryOp::Add, index, zero);
                    }
                }
                Op::Position(index, lower, step, extent) => {
                    if let Some(moved) = moved.get(&index)
                        && let Some([low, step, extent]) = outside.all([lower, step, extent])
                    {
                        outside.is_one(step);
                        outside.within(*moved, Some(low), extent);
                        *op = Op::Binary(BinaryOp::Sub, index, lower);
                    }
                }
                _ => {}
            }
        });
        let Outside { mut before, conditions, .. } = outside;
        let holds = conditions
            .into_iter()
            .reduce(|all, one| before.bind(imp, Type::BOOL, Op::Binary(BinaryOp::And, all, one)))?;
        match copy_of(imp, &whole, BTreeMap::new()).stmts.pop() {
            Some(Stmt::For(proved)) => Some(Guarded { before, holds, proved }),
            _ => unreachable!("a copy of a loop is a loop"),
        }
    }
}

impl Outside<'_> {
    /// Hoists what is loop-invariant in `block`, as far as it can be, and collects the loops inside.
    fn hoist<'b>(&mut self, block: &'b Block, varying: &mut Varying, loops: &mut Vec<&'b For>) {
        for stmt in &block.stmts {
            if let Stmt::Let { result, op, known, .. } = stmt
                && varying.is_hoistable(self.imp, stmt)
            {
                let mut op = op.clone();
                op.for_each_operand_mut(|value| *value = self.names.get(value).copied().unwrap_or(*value));
                let like = self.imp.values[*result].clone();
                // A search in common with others is one of its own here.
                let known = if *known == Known::Divides { Known::Divides } else { Known::Nothing };
                let outside = self.bind(like, op, known);
                self.names.insert(*result, outside);
                continue;
            }
            varying.keep(stmt);
            if let Stmt::For(inner) = stmt {
                loops.push(inner);
            }
            stmt.for_each_block(|block| self.hoist(block, varying, loops));
        }
    }

    /// What `value` is outside of the loop, if it is there.
    fn name(&self, value: Value) -> Option<Value> {
        let is_outside = self.imp.values[value].constant.is_some() || !self.bound.contains(&value);
        if is_outside { Some(value) } else { self.names.get(&value).copied() }
    }

    fn all<const N: usize>(&self, values: [Value; N]) -> Option<[Value; N]> {
        let names: Option<Vec<Value>> = values.iter().map(|&value| self.name(value)).collect();
        names?.try_into().ok()
    }

    /// What `op` comes to, which is computed once.
    fn bind(&mut self, like: Info, op: Op, known: Known) -> Value {
        let same = self.before.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Let { result, op: other, .. } if *other == op => Some(*result),
            _ => None,
        });
        same.unwrap_or_else(|| {
            let result = self.imp.values.push(like);
            self.before.stmts.push(Stmt::Let { result, op, known, loc: Loc::NONE });
            result
        })
    }

    fn integer(&mut self, op: Op) -> Value {
        self.bind(Info::of(Type::I64), op, Known::Nothing)
    }

    fn require(&mut self, op: CompareOp, a: Value, b: Value) {
        let holds = self.bind(Info::of(Type::BOOL), Op::Compare(op, a, b), Known::Nothing);
        if !self.conditions.contains(&holds) {
            self.conditions.push(holds);
        }
    }

    fn is_one(&mut self, step: Value) {
        self.require(CompareOp::Eq, step, self.one);
    }

    /// Requires of all numbers that they are indices of an axis of `length`, from `lower` or 0 on. Nothing that wraps passes: the first is
    /// not below the lower bound, and as many as there are fit between it and the last of all.
    fn within(&mut self, moved: Moved, lower: Option<Value>, length: Value) {
        let Moved { of: Numbers { first, count }, by } = moved;
        let [mut first, count] = [first, count].map(|position| self.integer(Op::Cast(Scalar::I64, position)));
        if let Some((by, offset)) = by {
            first = self.integer(Op::Binary(by, first, offset));
        }
        if let Some(lower) = lower {
            self.require(CompareOp::Le, lower, first);
            first = self.integer(Op::Binary(BinaryOp::Sub, first, lower));
        }
        let room = self.integer(Op::Binary(BinaryOp::Sub, length, count));
        self.require(CompareOp::Le, self.zero, first);
        self.require(CompareOp::Le, self.zero, length);
        self.require(CompareOp::Le, first, room);
    }
}

/// Puts what `rewrite` makes of a loop in its place, if `of` knows how, at least where its checks hold: then it stays as it is for the
/// case that they do not, and the result is true.
pub(super) fn versions<T>(
    imp: &mut Imp,
    inner: For,
    out: &mut Block,
    of: impl Fn(&Imp, &For) -> Option<T>,
    rewrite: impl Fn(T, &mut Imp, For, &mut Block),
) -> bool {
    if let Some(known) = of(imp, &inner) {
        rewrite(known, imp, inner, out);
        return false;
    }
    let proved = Guarded::of(imp, &inner).and_then(|guarded| Some((of(imp, &guarded.proved)?, guarded)));
    let Some((known, Guarded { before, holds, proved })) = proved else {
        out.stmts.push(Stmt::For(inner));
        return false;
    };
    out.stmts.extend(before.stmts);
    let (mut then, els) = (Block::default(), Block { stmts: vec![Stmt::For(inner)], results: Vec::new() });
    rewrite(known, imp, proved, &mut then);
    out.stmts.push(Stmt::If { results: Vec::new(), cond: holds, then, els, cold: Some(Side::Else) });
    true
}
