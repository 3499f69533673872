//! Searches for the first element for which a function holds.
//!
//! Where the function always gives a value, nobody can tell of how many elements it was asked: then a search is a reduction, which is
//! fused with the loops around it, and the pass `early-exit` ends it when its result is known. Where it can fault, or calls a foreign
//! function, nothing behind that element may be asked: such a search is an `iterate`, element by element.

use super::Lower;
use super::iters::Read;
use crate::analysis::effects::Effects;
use crate::infer::typed::{Expr, Iter, Local, Sought};
use crate::ir::{
    BinaryOp, CompareOp, Const, Defs, Loc, Loop, Op, ReduceOp, SinkDecl, SinkKind, Stmt, UnaryOp, Value,
};
use weldment_runtime::lang::types::{Scalar, Type};

impl Lower {
    /// Whether `body` holds for any element, or the position of the first.
    pub(super) fn search(
        &mut self,
        iters: &[Iter],
        asked: Sought,
        param: Local,
        body: &Expr,
        loc: Loc,
    ) -> Value {
        let (extent, space) = self.sequence(iters, loc);
        self.open();
        let index = self.builder.add_param(Type::I64);
        let element = self.elements(&space, &[index], Read::Proved, loc);
        let element = self.bound(element, loc);
        self.terms.insert(param, element);
        let holds = self.value(body);
        if !self.is_total() {
            let position = self.one_by_one(extent, index, holds, loc);
            return match asked {
                Sought::Position => position,
                Sought::Whether => self.builder.compare(CompareOp::Lt, position, extent, loc),
            };
        }
        let (op, scalar, init) = match asked {
            // Few bytes, so that a lane is no wider than any element.
            Sought::Whether => (ReduceOp::Max, Scalar::I8, Some(Const::I8(0))),
            Sought::Position => (ReduceOp::Min, Scalar::I64, None),
        };
        let sink = self.builder.fresh_sink();
        self.open();
        let found = match asked {
            Sought::Whether => self.builder.constant(1i8, loc),
            Sought::Position => index,
        };
        self.builder.merge(sink, vec![found], loc);
        let then = self.close(Vec::new());
        self.open();
        let els = self.close(Vec::new());
        self.builder.branch(holds, then, els, loc);
        let body = self.close(Vec::new());
        let init = init.map(|init| self.builder.constant(init, loc));
        let mut kind = SinkKind::reduce(Type::from(scalar), op);
        kind.begin_with(init);
        let sinks = vec![SinkDecl { sink, kind, loc }];
        let result = self.builder.push(Op::Loop(Loop { extents: vec![extent], body, sinks }), loc);
        match init {
            Some(none) => self.builder.compare(CompareOp::Ne, result, none, loc),
            None => result,
        }
    }

    /// Whether what the innermost open body has so far is certain to give its values.
    fn is_total(&self) -> bool {
        let program = self.builder.program();
        let mut defs = Defs::of(program);
        for &body in self.builder.open_bodies() {
            defs.update(program, body);
        }
        Effects::of_body(program, &defs, self.builder.current()).is_total()
    }

    /// Closes the innermost open body, which says of the element at `index` whether it `holds`: the position of the first for which it
    /// does, by asking for one after the other.
    fn one_by_one(&mut self, extent: Value, index: Value, holds: Value, loc: Loc) -> Value {
        let one = self.builder.constant(1i64, loc);
        let behind = self.builder.binary(BinaryOp::Add, index, one, loc);
        let next = self.builder.push(Op::Select(holds, index, behind), loc);
        let is_left = self.builder.compare(CompareOp::Lt, behind, extent, loc);
        let fails = self.builder.push(Op::Unary(UnaryOp::Not, holds), loc);
        let goes_on = self.builder.binary(BinaryOp::And, fails, is_left, loc);
        let body = self.close(vec![next, goes_on]);
        let position = self.builder.program_mut().fresh(Type::I64);
        let inside = Stmt { results: vec![index], op: Op::AssumeIndex(position, extent), loc };
        let asks = &mut self.builder.program_mut().bodies[body];
        asks.params = vec![position];
        asks.stmts.insert(0, inside);

        let zero = self.builder.constant(0i64, loc);
        let nowhere = self.builder.constant(Sought::NOWHERE, loc);
        let is_empty = self.builder.compare(CompareOp::Eq, extent, zero, loc);
        self.open();
        let none = self.close(vec![nowhere]);
        self.open();
        let found = self.builder.push(Op::Iterate { init: vec![zero], body }, loc);
        let is_one = self.builder.compare(CompareOp::Lt, found, extent, loc);
        let position = self.builder.push(Op::Select(is_one, found, nowhere), loc);
        let some = self.close(vec![position]);
        self.builder.branch(is_empty, none, some, loc)[0]
    }
}
