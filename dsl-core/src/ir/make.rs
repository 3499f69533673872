//! Values, statements and sinks for a program that exists: what the builder and passes make ops with.
//!
//! Types are computed, and what does not fit panics, as [`build`](super::build) says.

use weldment_runtime::lang::types::{Scalar, Type};

use super::entity::{Entity, Loc, Sink, Value};
use super::op::{Const, Empty, Loop, Op, Program, ReduceOp, Reducer, SinkDecl, SinkKind, Stmt, ValueInfo};
use super::typing::{self, Typing};

impl Program {
    /// A new value of type `ty`, which nothing binds yet.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let mut program = Program::default();
    /// let value = program.fresh(Type::F64);
    /// assert_eq!((program.ty(value), Defs::of(&program).def(value)), (&Type::F64, None));
    /// ```
    pub fn fresh(&mut self, ty: Type) -> Value {
        self.values.push(ValueInfo { ty })
    }

    /// A sink that no loop has declared yet.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let mut program = Program::default();
    /// assert_eq!((program.fresh_sink().to_string(), program.sinks), ("#0".into(), 1));
    /// ```
    pub fn fresh_sink(&mut self) -> Sink {
        self.sinks += 1;
        Sink::from_index(self.sinks - 1)
    }

    /// The type of a value.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let program = parse("weldment ir 1 program(v0: vec[f64]) { return v0 }").unwrap();
    /// assert_eq!(program.ty(Value::from_index(0)).to_string(), "vec[f64]");
    /// ```
    pub fn ty(&self, value: Value) -> &Type {
        &self.values[value].ty
    }

    /// A statement that binds new values to what `op` gives; their types follow from it.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut program = parse("weldment ir 1 program(v0: vec[f64]) { return v0 }").unwrap();
    /// let stmt = program.stmt(Op::Len(Value::from_index(0)), loc);
    /// assert_eq!(program.ty(stmt.results[0]), &Type::I64); // nowhere in the program yet
    /// ```
    pub fn stmt(&mut self, op: Op, loc: Loc) -> Stmt {
        match typing::infer(self, &op) {
            Ok(Typing::Known(types)) => self.bind(op, types, loc),
            Ok(Typing::Declared) => panic!("the type of {op:?} must be declared"),
            Err(message) => panic!("{message}, in {op:?}"),
        }
    }

    /// The value of `op`, by a new statement at the end of `out`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let loc = Loc::NONE;
    /// let mut program = parse("weldment ir 1 program(v0: vec[f64]) { return v0 }").unwrap();
    /// let mut out = Vec::new();
    /// let len = program.append(Op::Len(Value::from_index(0)), loc, &mut out);
    /// assert_eq!(out[0].results, [len]);
    /// ```
    pub fn append(&mut self, op: Op, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let stmt = self.stmt(op, loc);
        let value = stmt.results[0];
        out.push(stmt);
        value
    }

    /// The constant that has every leaf of `ty` as `leaf` says, by new statements at the end of `out`. `None` if there are
    /// vectors or dictionaries in it.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut program = Program::default();
    /// let mut out = Vec::new();
    /// let pair = Type::structure([Type::I64, Type::F64]);
    /// program.append_constant(&pair, |scalar| Const::from_i128(scalar, 0), loc, &mut out).unwrap();
    /// assert_eq!(out.len(), 3); // two numbers and their struct
    /// ```
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
            Type::Vec(_) | Type::Dict(..) => return None,
        };
        Some(self.append(op, loc, out))
    }

    /// The vector of the `element` for each index below `extent`, by a loop at the end of `out`. `element` is given the
    /// index, and the statements of the loop's body so far, to which it may add.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let loc = Loc::NONE;
    /// let mut program = parse("weldment ir 1 program(v0: i64) { return v0 }").unwrap();
    /// let mut out = Vec::new();
    /// let extent = Value::from_index(0);
    /// let squares = program.append_collect(extent, loc, &mut out, |_, i, _| Op::Binary(BinaryOp::Mul, i, i));
    /// assert_eq!(program.ty(squares).to_string(), "vec[i64]");
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut program = Program::default();
    /// let empty = program.stmt_typed(Op::Vector(vec![]), vec![Type::vec(Type::F64)], loc);
    /// assert_eq!(program.ty(empty.results[0]).to_string(), "vec[f64]");
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(SinkKind::collect(Type::F64).result_type().to_string(), "vec[f64]");
    /// ```
    pub fn collect(ty: Type) -> SinkKind {
        SinkKind::Collect { ty, hint: None }
    }

    /// A fold by an operator from its identity.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let sum = SinkKind::reduce(Type::F64, ReduceOp::Add);
    /// assert!(matches!(sum, SinkKind::Reduce { init: None, empty: Empty::Identity, .. }));
    /// ```
    pub fn reduce(ty: Type, op: ReduceOp) -> SinkKind {
        SinkKind::Reduce { ty, reducer: Reducer::Op(op), init: None, empty: Empty::Identity }
    }

    /// A dictionary of vectors.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(SinkKind::bucket_collect(Type::I64, Type::F64).result_type().to_string(), "dict[i64,vec[f64]]");
    /// ```
    pub fn bucket_collect(key: Type, value: Type) -> SinkKind {
        SinkKind::BucketCollect { key, value }
    }

    /// A dictionary of folds by an operator.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let counts = SinkKind::bucket_reduce(Type::I64, Type::F64, ReduceOp::Max);
    /// assert_eq!(counts.result_type().to_string(), "dict[i64,f64]");
    /// ```
    pub fn bucket_reduce(key: Type, value: Type, op: ReduceOp) -> SinkKind {
        SinkKind::BucketReduce { key, value, reducer: Reducer::Op(op) }
    }
}
