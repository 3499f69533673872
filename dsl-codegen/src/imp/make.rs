//! Making values and statements.

use weldment_core::ir::{BinaryOp, Const, Loc, Op, ReduceOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::{AccOp, Block, For, Imp, Info, Known, Lane, Reg, RegId, Stmt};

/// The type of a flag.
pub(crate) const FLAG: Type = Type::BOOL;

/// How the lanes of a flag fold.
pub(crate) const ANY: ReduceOp = ReduceOp::Max;

impl Info {
    /// A value of one lane.
    pub(crate) fn of(ty: Type) -> Info {
        Info { ty, width: 1, constant: None, position: false, roots: None, in_parts: false }
    }

    /// A position.
    pub(crate) fn position() -> Info {
        Info { position: true, ..Info::of(Scalar::U64.into()) }
    }
}

impl For {
    /// A loop over `range`, so many iterations at a time.
    pub(crate) fn over(index: Value, range: [Value; 2], step: u32, body: Block, loc: Loc) -> For {
        For {
            index,
            number: None,
            end: None,
            range,
            step,
            poll: false,
            tail: false,
            short: false,
            scoped: false,
            exit: None,
            body,
            hints: None,
            loc,
        }
    }

    /// A loop over strips of `range`, each of which is `strip[0]..strip[1]`, that asks between them whether the run is cancelled.
    pub(crate) fn in_strips(strip: [Value; 2], range: [Value; 2], step: u32, body: Block, loc: Loc) -> For {
        let [index, end] = strip;
        For { end: Some(end), poll: true, ..For::over(index, range, step, body, loc) }
    }
}

impl Imp {
    /// A new value.
    pub(crate) fn value(&mut self, ty: Type) -> Value {
        self.values.push(Info::of(ty))
    }

    /// A new position.
    pub(crate) fn position(&mut self) -> Value {
        self.values.push(Info::position())
    }

    /// A constant.
    pub(crate) fn constant(&mut self, constant: Const) -> Value {
        self.values.push(Info { constant: Some(constant), ..Info::of(constant.scalar().into()) })
    }

    /// A position that is known.
    pub(crate) fn at(&mut self, position: u64) -> Value {
        self.values.push(Info { constant: Some(Const::U64(position)), ..Info::position() })
    }

    /// The position that `value` is, if it is known.
    pub(crate) fn known_position(&self, value: Value) -> Option<u64> {
        match self.values[value].constant {
            Some(Const::U64(position)) if self.values[value].position => Some(position),
            _ => None,
        }
    }

    /// A new register.
    pub(crate) fn reg(&mut self, ty: Scalar, lanes: u32, start: Const) -> RegId {
        self.regs.push(Reg { ty, lanes, start })
    }

    /// A flag.
    pub(crate) fn flag(&mut self) -> RegId {
        self.reg(Scalar::Bool, 1, Const::Bool(false))
    }
}

impl Block {
    /// Binds a new value to an op.
    pub(crate) fn bind(&mut self, imp: &mut Imp, ty: Type, op: Op) -> Value {
        let result = imp.value(ty);
        self.let_(result, op, Loc::NONE);
        result
    }

    /// Binds `result` to an op.
    pub(crate) fn let_(&mut self, result: Value, op: Op, loc: Loc) {
        self.stmts.push(Stmt::Let { result, op, known: Known::Nothing, loc });
    }

    /// `a op b` of two positions, which is computed here if both are known or one changes nothing.
    pub(crate) fn position(&mut self, imp: &mut Imp, op: BinaryOp, a: Value, b: Value) -> Value {
        match (op, imp.known_position(a), imp.known_position(b)) {
            (BinaryOp::Add, Some(a), Some(b)) => imp.at(a + b),
            (BinaryOp::Sub, Some(a), Some(b)) => imp.at(a - b),
            (BinaryOp::Mul, Some(a), Some(b)) => imp.at(a * b),
            (BinaryOp::Rem, Some(a), Some(b)) => imp.at(a % b),
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul | BinaryOp::Div, _, Some(1)) => a,
            (BinaryOp::Rem, _, Some(1)) => imp.at(0),
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => b,
            _ => {
                let result = imp.position();
                self.let_(result, Op::Binary(op, a, b), Loc::NONE);
                result
            }
        }
    }

    /// The elements of `vector` from position `start` on, `count` of them, which are there.
    pub(crate) fn slice(&mut self, imp: &mut Imp, vector: Value, start: Value, count: Value) -> Value {
        let result = imp.value(imp.values[vector].ty.clone());
        let op = Op::Slice(vector, start, count);
        self.stmts.push(Stmt::Let { result, op, known: Known::InBounds, loc: Loc::NONE });
        result
    }
}

/// Puts a value into a register of one lane.
pub(crate) fn set(reg: RegId, value: Value) -> Stmt {
    Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Set, value, mask: None }
}
