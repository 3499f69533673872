//! Expressions without loops.

use std::collections::BTreeSet;

use proc_macro2::Span;
use weldment_runtime::lang::types::{Scalar, Type};

use super::iters::Read;
use super::{Lower, Term, value_type};
use crate::infer::builtins::Param;
use crate::infer::typed::{Expr, ExprKind, Local};
use crate::ir::{BinaryOp, Const, Loc, Op, SinkKind, Value};

impl Lower {
    /// Lowers an expression that holds no builder.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        let term = self.term(expr);
        if let Term::Value(value) = term {
            return value;
        }
        let loc = self.loc(expr.span);
        self.as_value(term, &expr.ty, loc)
    }

    /// Lowers the values of `let`s, one after the other.
    pub(super) fn bind_all(&mut self, bindings: &[(Local, Expr)]) {
        for (local, value) in bindings {
            let term = self.term(value);
            self.terms.insert(*local, term);
        }
    }

    fn values(&mut self, exprs: &[Expr]) -> Vec<Value> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    /// Lowers an expression.
    pub(super) fn term(&mut self, expr: &Expr) -> Term {
        let loc = self.loc(expr.span);
        let value = match &expr.kind {
            ExprKind::Const(constant) => self.builder.constant(*constant, loc),
            ExprKind::Integer(value) => {
                let ty = value_type(&expr.ty).as_scalar().expect("literals are scalars");
                self.builder.constant(Const::from_i128(ty, *value), loc)
            }
            ExprKind::Neutral(op) => {
                let ty = value_type(&expr.ty).as_scalar().expect("numbers are scalars");
                self.builder.constant(op.neutral(ty), loc)
            }
            ExprKind::Bytes(bytes, ty) => self.bytes(bytes, *ty, loc),
            ExprKind::Zero => self.zero(&value_type(&expr.ty), loc),
            ExprKind::Local(local) => return self.terms[local].clone(),
            ExprKind::Let(bindings, body) => {
                self.bind_all(bindings);
                return self.term(body);
            }
            ExprKind::Unary(op, x) => {
                let x = self.value(x);
                self.builder.unary(*op, x, loc)
            }
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.builder.binary(*op, x, y, loc)
            }
            ExprKind::Compare(op, x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.builder.compare(*op, x, y, loc)
            }
            ExprKind::Math(function, args) => {
                let args = self.values(args);
                self.builder.push(Op::Math(*function, args), loc)
            }
            ExprKind::And(x, y) => self.lazy(x, Ok(y), Err(false), loc),
            ExprKind::Or(x, y) => self.lazy(x, Err(true), Ok(y), loc),
            ExprKind::Cast(x) => {
                let x = self.value(x);
                self.cast(x, &value_type(&expr.ty), loc)
            }
            ExprKind::If { cond, then, els } => return self.branches(expr, cond, then, els, loc),
            ExprKind::Struct(fields) if expr.ty.is_compound() => {
                return Term::Struct(fields.iter().map(|field| self.term(field)).collect());
            }
            ExprKind::Struct(fields) => {
                let fields = self.values(fields);
                let name = value_type(&expr.ty).struct_name().cloned();
                self.builder.push(Op::Struct(fields, name), loc)
            }
            ExprKind::Vector(elements) => {
                let elements = self.values(elements);
                self.builder.push_typed(Op::Vector(elements), vec![value_type(&expr.ty)], loc)[0]
            }
            ExprKind::Field(of, index) => match self.term(of) {
                Term::Struct(mut fields) => return fields.swap_remove(*index as usize),
                term => {
                    let of = self.as_value(term, &of.ty, loc);
                    self.builder.push(Op::Field(of, *index), loc)
                }
            },
            ExprKind::Float(_) | ExprKind::Member(..) => {
                unreachable!("inference leaves no fields by name and no floats without type")
            }
            ExprKind::Builtin(scheme, args) => {
                let mut args = self.values(args);
                for (arg, param) in args.iter_mut().zip(scheme.params) {
                    match param {
                        Param::Index => *arg = self.index(*arg, loc),
                        // A literal that became a text behind this.
                        Param::Sized if self.builder.ty(*arg).is_text() => {
                            *arg = self.builder.push(Op::Field(*arg, 0), loc);
                        }
                        _ => {}
                    }
                }
                self.builder.push((scheme.op)(&args), loc)
            }
            ExprKind::Lookup(of, key) => {
                let of = match self.term(of) {
                    Term::Array(view) => return self.indexed(view, key, loc),
                    term => self.as_value(term, &of.ty, loc),
                };
                if let Some((_, len)) = self.builder.ty(of).as_fixed_array() {
                    return Term::Value(self.element_of_fixed(of, len, key, loc));
                }
                let key = self.value(key);
                if let Type::Dict(..) = self.builder.ty(of) {
                    self.builder.push(Op::Lookup(of, key), loc)
                } else {
                    let index = self.index(key, loc);
                    self.read(of, index, Read::Checked, loc)
                }
            }
            ExprKind::Fill { iters, params, body } => {
                return Term::Array(self.fill(iters, params, body, loc));
            }
            ExprKind::OfArray(op, args) => return self.of_array(op, args, expr.ty.axes(), loc),
            ExprKind::Pieces(op, args) => return self.pieces(op, args, loc),
            ExprKind::Stencil { arrays, policy, pad, params, body } => {
                return Term::Array(self.stencil(arrays, *policy, pad.as_deref(), params, body, loc));
            }
            ExprKind::OfCursor(op, args) => return self.of_cursor(*op, args, loc),
            ExprKind::Lift(function, cursors) => return self.lifted(function, cursors),
            ExprKind::Keep(keep, of) => return self.kept(*keep, of, loc),
            ExprKind::Shown(of) => {
                let of = self.value(of);
                self.shown(of, loc)
            }
            ExprKind::Dbg(written, of) => return self.dbg(written, of, loc),
            ExprKind::Deserialize(bytes) => {
                let bytes = self.value(bytes);
                self.builder.push_typed(Op::Deserialize(bytes), vec![value_type(&expr.ty)], loc)[0]
            }
            ExprKind::Call { symbol, args, result } => {
                let spans: Vec<Span> = args.iter().map(|arg| arg.span).chain([*result]).collect();
                let parts = spans.into_iter().map(|span| self.loc(span)).collect();
                self.positions.set_parts(loc, parts);
                let args = self.values(args);
                let op = Op::Call(symbol.clone(), args);
                self.builder.push_typed(op, vec![value_type(&expr.ty)], loc)[0]
            }
            ExprKind::Sort { vector, params, comparator } => {
                let vector = self.value(vector);
                let element = self.builder.ty(vector).element().expect("a vector").clone();
                let comparator = self.binary_function(params, comparator, &element);
                self.builder.push(Op::Sort { vector, comparator }, loc)
            }
            ExprKind::Iterate { init, param, body } => return self.iterate(init, *param, body, loc),
            ExprKind::Search { iters, asked, param, body } => self.search(iters, *asked, *param, body, loc),
            ExprKind::Fold { iters, init, params, body } => self.fold(iters, init, params, body, loc),
            ExprKind::Builder { init, func, empty } => {
                return self.new_builder(&expr.ty, init.as_deref(), func.as_deref(), *empty, loc);
            }
            ExprKind::For { iters, builder, params, body } => {
                return self.for_loop(iters, builder, params, body, loc);
            }
            ExprKind::Merge(builder, value) => return self.merge(builder, value, loc),
            ExprKind::Result(builder) => {
                let Term::Sink(sink) = self.term(builder) else { unreachable!("`result` of a builder") };
                self.result(sink)
            }
        };
        self.bound(value, loc)
    }

    /// What is zero or empty, of a type that may be in an option.
    fn zero(&mut self, ty: &Type, loc: Loc) -> Value {
        match ty {
            Type::Scalar(scalar) => self.builder.constant(Const::from_i128(*scalar, 0), loc),
            Type::Vec(_) => self.builder.push_typed(Op::Vector(Vec::new()), vec![ty.clone()], loc)[0],
            Type::Struct(fields) => {
                let zeros = fields.iter().map(|field| self.zero(field, loc)).collect();
                self.builder.push(Op::Struct(zeros, ty.struct_name().cloned()), loc)
            }
            Type::Dict(..) => unreachable!("inference refuses dictionaries in options"),
        }
    }

    fn merge(&mut self, builder: &Expr, value: &Expr, loc: Loc) -> Term {
        let term = self.term(builder);
        let Term::Sink(sink) = term else { unreachable!("`merge` into a builder") };
        let keyed = self.sinks[&sink].kind.merge_types().len() > 1;
        let mut values = match &value.kind {
            ExprKind::Struct(fields) if keyed => self.values(fields),
            _ => {
                let value = self.value(value);
                if keyed {
                    (0..2).map(|field| self.builder.push(Op::Field(value, field), loc)).collect()
                } else {
                    vec![value]
                }
            }
        };
        if let SinkKind::Scatter { .. } = self.sinks[&sink].kind {
            values[0] = self.index(values[0], loc);
        }
        self.record(Op::Merge { sink, values }, BTreeSet::from([sink]), loc);
        Term::Sink(sink)
    }

    /// An index or a length of any integer type as i64. What does not fit stays beyond any vector, and is not said to
    /// be negative by a fault.
    pub(super) fn index(&mut self, index: Value, loc: Loc) -> Value {
        let index = match self.builder.ty(index) {
            Type::Scalar(Scalar::I64) => return index,
            Type::Scalar(Scalar::U64) => {
                let last = self.builder.constant(Const::from_i128(Scalar::U64, i128::from(i64::MAX)), loc);
                self.builder.binary(BinaryOp::Min, index, last, loc)
            }
            Type::Scalar(Scalar::I128) => {
                let mut bound = |number: i64| self.builder.constant(Const::I128(number.into()), loc);
                let [first, last] = [bound(i64::MIN), bound(i64::MAX)];
                let index = self.builder.binary(BinaryOp::Max, index, first, loc);
                self.builder.binary(BinaryOp::Min, index, last, loc)
            }
            _ => index,
        };
        self.builder.push(Op::Cast(Scalar::I64, index), loc)
    }

    /// A vector of bytes, with a constant for each that there is and not for each place: texts are long.
    pub(super) fn bytes(&mut self, bytes: &[u8], ty: Scalar, loc: Loc) -> Value {
        let mut constants = [None; 256];
        let mut constant = |byte: u8| {
            let new = || self.builder.constant(Const::from_i128(ty, byte.into()), loc);
            *constants[usize::from(byte)].get_or_insert_with(new)
        };
        let elements = bytes.iter().map(|&byte| constant(byte)).collect();
        self.builder.push_typed(Op::Vector(elements), vec![Type::vec(Type::Scalar(ty))], loc)[0]
    }
}
