//! Values, statements and sinks for a program that exists: what the builder and passes make ops with.
//!
//! Types are computed, and what does not fit panics, as [`build`](super::build) says.

use weldment_runtime::lang::types::{Scalar, Type};

use super::entity::{Entity, Loc, Sink, Value};
use super::op::{
    Const, Empty, Keep, Loop, Op, Order, Program, ReduceOp, Reducer, SinkDecl, SinkKind, Stmt, ValueInfo,
};
use super::typing::{self, Typing};

impl Program {
    /// A new value of type `ty`, which nothing binds yet.
    pub fn fresh(&mut self, ty: Type) -> Value {
        self.values.push(ValueInfo { ty })
    }

    /// A sink that no loop has declared yet.
    pub fn fresh_sink(&mut self) -> Sink {
        self.sinks += 1;
        Sink::from_index(self.sinks - 1)
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.values[value].ty
    }

    /// A statement that binds new values to what `op` gives; their types follow from it.
    pub fn stmt(&mut self, op: Op, loc: Loc) -> Stmt {
        match typing::infer(self, &op) {
            Ok(Typing::Known(types)) => self.bind(op, types, loc),
            Ok(Typing::Declared) => panic!("the type of {op:?} must be declared"),
            Err(message) => panic!("{message}, in {op:?}"),
        }
    }

    /// The value of `op`, by a new statement at the end of `out`.
    pub fn append(&mut self, op: Op, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let stmt = self.stmt(op, loc);
        let value = stmt.results[0];
        out.push(stmt);
        value
    }

    /// The constant that has every leaf of `ty` as `leaf` says, by new statements at the end of `out`. `None` if there are
    /// vectors or dictionaries in it.
    pub fn append_constant(
        &mut self,
        ty: &Type,
        leaf: impl Fn(Scalar) -> Const + Copy,
        loc: Loc,
        out: &mut Vec<Stmt>,
    ) -> Option<Value> {
        let op = match ty {
            Type::Scalar(scalar) => Op::Const(leaf(*scalar)),
            Type::Struct(fields) => {
                let fields: Option<Vec<Value>> =
                    fields.iter().map(|field| self.append_constant(field, leaf, loc, out)).collect();
                Op::Struct(fields?, ty.struct_name().cloned())
            }
            _ => return None,
        };
        Some(self.append(op, loc, out))
    }

    /// The vector of the `element` for each index below `extent`, by a loop at the end of `out`. `element` is given the
    /// index, and the statements of the loop's body so far, to which it may add.
    pub fn append_collect(
        &mut self,
        extent: Value,
        loc: Loc,
        out: &mut Vec<Stmt>,
        element: impl FnOnce(&mut Program, Value, &mut Vec<Stmt>) -> Op,
    ) -> Value {
        let (index, sink) = (self.fresh(Type::I64), self.fresh_sink());
        let mut stmts = Vec::new();
        let op = element(self, index, &mut stmts);
        let value = self.append(op, loc, &mut stmts);
        let ty = self.ty(value).clone();
        stmts.push(Stmt { results: Vec::new(), op: Op::Merge { sink, values: vec![value] }, loc });
        let body = self.add_body(vec![index], stmts, Vec::new());
        let sinks = vec![SinkDecl { sink, kind: SinkKind::collect(ty), loc }];
        self.append(Op::Loop(Loop { extents: vec![extent], body, sinks }), loc, out)
    }

    /// A statement that binds new values of declared types.
    pub fn stmt_typed(&mut self, op: Op, types: Vec<Type>, loc: Loc) -> Stmt {
        match typing::infer(self, &op) {
            Ok(Typing::Known(known)) => assert_eq!(known, types, "the declared types of {op:?}"),
            Ok(Typing::Declared) => assert_eq!(types.len(), 1, "{op:?} binds one value"),
            Err(message) => panic!("{message}, in {op:?}"),
        }
        self.bind(op, types, loc)
    }

    fn bind(&mut self, op: Op, types: Vec<Type>, loc: Loc) -> Stmt {
        let results = types.into_iter().map(|ty| self.fresh(ty)).collect();
        Stmt { results, op, loc }
    }
}

impl SinkKind {
    /// The values merged, in order, as a vector.
    pub fn collect(ty: Type) -> SinkKind {
        SinkKind::Collect { ty, hint: None, keep: Keep::Auto }
    }

    /// A fold by an operator from its identity.
    pub fn reduce(ty: Type, op: ReduceOp) -> SinkKind {
        SinkKind::Reduce {
            ty,
            reducer: Reducer::Op(op),
            init: None,
            empty: Empty::Identity,
            order: Order::Lanes,
        }
    }

    /// A dictionary of vectors.
    pub fn bucket_collect(key: Type, value: Type) -> SinkKind {
        SinkKind::BucketCollect { key, value }
    }

    /// A dictionary of folds by an operator.
    pub fn bucket_reduce(key: Type, value: Type, op: ReduceOp) -> SinkKind {
        SinkKind::BucketReduce { key, value, reducer: Reducer::Op(op) }
    }
}
