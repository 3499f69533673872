//! Functions of two values, and `fold`: a loop where it can be one, else one step after another.
//!
//! A fold is a loop that reduces where its function is `acc op g(x)`, which is a reduction by the operator; or
//! where `acc` and `x` have one type, when the function is taken as associative, which the report says. Otherwise
//! it is an `iterate`; so it is where `dbg` shows what the function makes of what was folded before.

use weldment_runtime::lang::types::Type;

use super::iters::{Read, Space};
use super::{Lower, value_type};
use crate::infer::typed::{Expr, ExprKind, Func, Iter, Local};
use crate::ir::{
    BinaryOp, BodyId, CompareOp, Const, Empty, Loc, Loop, Op, Order, ReduceOp, Reducer, SinkDecl, SinkKind,
    Value,
};

impl Lower {
    /// A function of two values of type `ty`.
    pub(super) fn function(&mut self, func: &Func, ty: Type) -> BodyId {
        self.binary_function(&func.params, &func.body, &ty)
    }

    /// As [`Lower::function`], from its parts.
    pub(super) fn binary_function(&mut self, params: &[Local; 2], body: &Expr, ty: &Type) -> BodyId {
        self.open();
        for &param in params {
            let value = self.builder.add_param(ty.clone());
            let term = self.bound(value, Loc::NONE);
            self.terms.insert(param, term);
        }
        let result = self.value(body);
        self.close(vec![result])
    }

    /// `fold(iters, init, |acc, x| body)`
    pub(super) fn fold(
        &mut self,
        iters: &[Iter],
        init: &Expr,
        params: &[Local; 2],
        body: &Expr,
        loc: Loc,
    ) -> Value {
        let ty = value_type(&init.ty);
        let (extent, space) = self.sequence(iters, loc);
        let operator = operator_of(params[0], body);
        let by_function = operator.is_none() && self.element_type(&space.accesses) == ty && !shows(body);
        let value = self.value(init);
        if operator.is_none() && !by_function {
            return self.in_order(extent, &space, value, params, body, loc);
        }

        self.open();
        let index = self.builder.add_param(Type::I64);
        let element = self.elements(&space, &[index], Read::Proved, loc);
        let term = self.bound(element, loc);
        self.terms.insert(params[1], term);
        let merged = if by_function { element } else { self.operand(params[0], body) };
        let sink = self.builder.fresh_sink();
        self.builder.merge(sink, vec![merged], loc);
        let inner = self.close(Vec::new());
        let reducer = match operator {
            // The identity of these hides a NaN that the fold begins with.
            Some(op @ (ReduceOp::Min | ReduceOp::Max)) if may_be_nan(init) => {
                self.builder.push_body();
                let (a, b) = (self.builder.add_param(ty.clone()), self.builder.add_param(ty.clone()));
                let result = self.builder.binary(op.binary(), a, b, loc);
                Reducer::Func(self.builder.pop_body(vec![result]))
            }
            Some(op) => Reducer::Op(op),
            None => Reducer::Func(self.binary_function(params, body, &ty)),
        };
        let order = match reducer {
            Reducer::Op(_) => self.order_of(inner),
            Reducer::Func(_) => Order::Lanes,
        };
        let kind = SinkKind::Reduce { ty, reducer, init: Some(value), empty: Empty::Identity, order };
        let sinks = vec![SinkDecl { sink, kind, loc }];
        self.builder.push(Op::Loop(Loop { extents: vec![extent], body: inner, sinks }), loc)
    }

    /// A fold as an `iterate` over indices, beside an `if` for no elements at all.
    fn in_order(
        &mut self,
        extent: Value,
        space: &Space,
        init: Value,
        params: &[Local; 2],
        body: &Expr,
        loc: Loc,
    ) -> Value {
        let (zero, one) = (self.builder.constant(0i64, loc), self.builder.constant(1i64, loc));
        let is_empty = self.builder.compare(CompareOp::Eq, extent, zero, loc);
        self.open();
        let none = self.close(vec![init]);
        self.open();
        self.open();
        let index = self.builder.add_param(Type::I64);
        let ty = self.builder.ty(init).clone();
        let acc = self.builder.add_param(ty);
        let element = self.elements(space, &[index], Read::Checked, loc);
        let acc = self.bound(acc, loc);
        self.terms.insert(params[0], acc);
        let element = self.bound(element, loc);
        self.terms.insert(params[1], element);
        let next = self.value(body);
        let after = self.builder.binary(BinaryOp::Add, index, one, loc);
        let go_on = self.builder.compare(CompareOp::Lt, after, extent, loc);
        let body = self.close(vec![after, next, go_on]);
        let last = self.builder.push_all(Op::Iterate { init: vec![zero, init], body }, loc);
        let some = self.close(vec![last[1]]);
        self.builder.branch(is_empty, none, some, loc)[0]
    }

    /// `g(x)` of a body `acc op g(x)`.
    fn operand(&mut self, acc: Local, body: &Expr) -> Value {
        match &body.kind {
            ExprKind::Let(bindings, body) => {
                self.bind_all(bindings);
                self.operand(acc, body)
            }
            ExprKind::Binary(_, x, y) => self.value(if is_local(acc, x) { y } else { x }),
            _ => unreachable!("a body that has an operator"),
        }
    }
}

/// The operator of a body `acc op g(x)` or `g(x) op acc`, where `g(x)` does not read `acc`.
fn operator_of(acc: Local, body: &Expr) -> Option<ReduceOp> {
    match &body.kind {
        ExprKind::Let(bindings, body) if bindings.iter().all(|(_, value)| !reads(acc, value)) => {
            operator_of(acc, body)
        }
        ExprKind::Binary(op, x, y) => {
            let splits = is_local(acc, x) && !reads(acc, y) || is_local(acc, y) && !reads(acc, x);
            ReduceOp::ALL.into_iter().find(|reduce| reduce.binary() == *op && splits)
        }
        _ => None,
    }
}

fn is_local(local: Local, expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(this) if this == local)
}

fn reads(local: Local, expr: &Expr) -> bool {
    let mut found = is_local(local, expr);
    expr.for_each_part(&mut |part| found = found || reads(local, part));
    found
}

/// Whether `expr` shows a value.
fn shows(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Dbg(..));
    expr.for_each_part(&mut |part| found = found || shows(part));
    found
}

/// Whether a value is a float that is not known to be a number.
fn may_be_nan(expr: &Expr) -> bool {
    match (&expr.kind, value_type(&expr.ty)) {
        (ExprKind::Const(constant), _) => {
            matches!(constant, Const::F64(x) if x.is_nan()) || matches!(constant, Const::F32(x) if x.is_nan())
        }
        (_, Type::Scalar(scalar)) => scalar.is_float(),
        _ => true,
    }
}
