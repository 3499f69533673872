//! Making programs: the one way to make ops.
//!
//! A [`Builder`] holds a program and a stack of open bodies. Statements go to the innermost open body; a body
//! that an op holds is opened, filled and closed before the op itself is pushed:
//!
//! ```
//! use weldment_core::ir::{BinaryOp, Builder, Const, Loc, Loop, Op, ReduceOp, SinkDecl, SinkKind};
//! use weldment_runtime::lang::types::Type;
//!
//! let mut b = Builder::new();
//! let loc = Loc::NONE;
//! let xs = b.add_param(Type::vec(Type::F64));
//! let n = b.push(Op::Len(xs), loc);
//! let sum = b.fresh_sink();
//! b.push_body();
//! let i = b.add_param(Type::I64);
//! let x = b.push(Op::At(xs, i), loc);
//! let square = b.push(Op::Binary(BinaryOp::Mul, x, x), loc);
//! b.merge(sum, vec![square], loc);
//! let body = b.pop_body(vec![]);
//! let sinks = vec![SinkDecl { sink: sum, kind: SinkKind::reduce(Type::F64, ReduceOp::Add), loc }];
//! let total = b.push(Op::Loop(Loop { extents: vec![n], body, sinks }), loc);
//! let program = b.finish(total);
//! assert!(program.to_string().contains("= loop v2 < v1 {"));
//! ```
//!
//! Passes, which work on a program that exists, make values with [`Program::fresh`] and statements with
//! [`Program::stmt`]; both compute types in the same way.
//!
//! # Panics
//! An op whose operands do not fit is a mistake of whoever lowers or rewrites, never of a user, whose
//! program has been type-checked before: the functions here panic and say what does not fit.

use weldment_runtime::lang::types::Type;

use super::entity::{BodyId, Loc, Sink, Value};
use super::op::{BinaryOp, Body, CompareOp, Const, Op, Program, Stmt, UnaryOp};

/// Builds a program, statement by statement. See the [module](self).
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_runtime::lang::types::Type;
/// # let loc = Loc::NONE;
/// let mut b = Builder::new();
/// let x = b.add_param(Type::I64);
/// let one = b.constant(1i64, loc);
/// let sum = b.binary(BinaryOp::Add, x, one, loc);
/// let program = b.finish(sum);
/// assert!(program.to_string().contains("v2: i64 = add v0, v1"));
/// ```
#[derive(Debug)]
pub struct Builder {
    program: Program,
    open: Vec<BodyId>,
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// A program whose entry body is open and empty.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let b = Builder::new();
    /// assert_eq!(Some(b.current()), b.program().entry);
    /// ```
    pub fn new() -> Builder {
        let mut program = Program::default();
        let entry = program.bodies.push(Body::default());
        program.entry = Some(entry);
        Builder { program, open: vec![entry] }
    }

    /// The program so far.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::I64);
    /// assert_eq!(b.program().bodies[b.current()].params, [x]);
    /// ```
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program so far, to copy parts of it.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// # use weldment_core::ir::*;
    /// use weldment_core::ir::rewrite::Copier;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::I64);
    /// let stmt = b.program_mut().stmt(Op::Unary(UnaryOp::Neg, x), loc);
    /// let copy = Copier::new().stmt(b.program_mut(), &stmt);
    /// let (first, second) = (b.push_stmt(stmt), b.push_stmt(copy));
    /// assert!(first != second && b.ty(second[0]) == &Type::I64);
    /// ```
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// The type of a value.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let v = b.add_param(Type::vec(Type::F64));
    /// let len = b.push(Op::Len(v), loc);
    /// assert_eq!(b.ty(len), &Type::I64);
    /// ```
    pub fn ty(&self, value: Value) -> &Type {
        &self.program.values[value].ty
    }

    /// Opens a new body inside the innermost open one.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let mut b = Builder::new();
    /// let body = b.push_body();
    /// assert_eq!(b.current(), body);
    /// b.pop_body(vec![]);
    /// assert_ne!(b.current(), body);
    /// ```
    pub fn push_body(&mut self) -> BodyId {
        let body = self.program.bodies.push(Body::default());
        self.open.push(body);
        body
    }

    /// Closes the innermost open body, which gives `results`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let cond = b.add_param(Type::BOOL);
    /// let mut constant = |number: i64| {
    ///     b.push_body();
    ///     let value = b.constant(number, loc);
    ///     b.pop_body(vec![value])
    /// };
    /// let (then, els) = (constant(1), constant(2));
    /// assert_eq!(b.branch(cond, then, els, loc).len(), 1); // one value, as each branch gives one
    /// ```
    pub fn pop_body(&mut self, results: Vec<Value>) -> BodyId {
        assert!(self.open.len() > 1, "the entry body is closed by `finish`");
        let body = self.open.pop().expect("a body is open");
        self.program.bodies[body].results = results;
        body
    }

    /// The innermost open body.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let mut b = Builder::new();
    /// let outer = b.current();
    /// let inner = b.push_body();
    /// assert_eq!((b.current(), b.pop_body(vec![]), b.current()), (inner, inner, outer));
    /// ```
    pub fn current(&self) -> BodyId {
        *self.open.last().expect("a body is open")
    }

    /// Adds a parameter to the innermost open body.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::F64);
    /// assert_eq!(b.finish(x).to_string(), "weldment ir 1\nprogram(v0: f64) {\n  return v0\n}\n");
    /// ```
    pub fn add_param(&mut self, ty: Type) -> Value {
        let value = self.program.fresh(ty);
        let body = self.current();
        self.program.bodies[body].params.push(value);
        value
    }

    /// Adds a statement that binds one value of a type that follows from the op.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let v = b.add_param(Type::vec(Type::F64));
    /// let i = b.add_param(Type::I64);
    /// let x = b.push(Op::At(v, i), loc);
    /// assert_eq!(b.ty(x), &Type::F64);
    /// ```
    pub fn push(&mut self, op: Op, loc: Loc) -> Value {
        let results = self.push_all(op, loc);
        match results.as_slice() {
            [value] => *value,
            _ => panic!("the op binds {} values, not one", results.len()),
        }
    }

    /// Adds a statement that binds any number of values, whose types follow from the op.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::I64);
    /// let (sum, all) = (b.fresh_sink(), b.fresh_sink());
    /// let body = b.push_body();
    /// b.merge(sum, vec![x], loc);
    /// b.merge(all, vec![x], loc);
    /// b.pop_body(vec![]);
    /// let decl = |sink, kind| SinkDecl { sink, kind, loc };
    /// let kinds = (SinkKind::reduce(Type::I64, ReduceOp::Add), SinkKind::collect(Type::I64));
    /// let sinks = vec![decl(sum, kinds.0), decl(all, kinds.1)];
    /// let results = b.push_all(Op::Loop(Loop { extents: vec![], body, sinks }), loc);
    /// assert_eq!(results.iter().map(|&v| b.ty(v).to_string()).collect::<Vec<_>>(), ["i64", "vec[i64]"]);
    /// ```
    pub fn push_all(&mut self, op: Op, loc: Loc) -> Vec<Value> {
        let stmt = self.program.stmt(op, loc);
        self.push_stmt(stmt)
    }

    /// Adds a statement that binds values of these types: for an empty vector, `deserialize` and calls.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let empty = b.push_typed(Op::Vector(vec![]), vec![Type::vec(Type::F64)], loc);
    /// assert_eq!(b.ty(empty[0]).to_string(), "vec[f64]");
    /// ```
    pub fn push_typed(&mut self, op: Op, types: Vec<Type>, loc: Loc) -> Vec<Value> {
        let stmt = self.program.stmt_typed(op, types, loc);
        self.push_stmt(stmt)
    }

    /// Adds a finished statement, and gives what it binds.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::I64);
    /// let stmt = b.program_mut().stmt(Op::Unary(UnaryOp::Not, x), loc);
    /// assert_eq!(b.push_stmt(stmt.clone()), stmt.results);
    /// ```
    pub fn push_stmt(&mut self, stmt: Stmt) -> Vec<Value> {
        let results = stmt.results.clone();
        let body = self.current();
        self.program.bodies[body].stmts.push(stmt);
        results
    }

    /// Adds a constant.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let half = b.constant(0.5, loc);
    /// assert_eq!(b.ty(half), &Type::F64);
    /// ```
    pub fn constant(&mut self, constant: impl Into<Const>, loc: Loc) -> Value {
        self.push(Op::Const(constant.into()), loc)
    }

    /// Adds `op x`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::BOOL);
    /// let not = b.unary(UnaryOp::Not, x, loc);
    /// assert_eq!(b.ty(not), &Type::BOOL);
    /// ```
    pub fn unary(&mut self, op: UnaryOp, x: Value, loc: Loc) -> Value {
        self.push(Op::Unary(op, x), loc)
    }

    /// Adds `x op y`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::F64);
    /// let square = b.binary(BinaryOp::Mul, x, x, loc);
    /// assert_eq!(b.ty(square), &Type::F64);
    /// ```
    pub fn binary(&mut self, op: BinaryOp, x: Value, y: Value, loc: Loc) -> Value {
        self.push(Op::Binary(op, x, y), loc)
    }

    /// Adds a comparison of `x` and `y`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::F64);
    /// let is_nan = b.compare(CompareOp::Ne, x, x, loc);
    /// assert_eq!(b.ty(is_nan), &Type::BOOL);
    /// ```
    pub fn compare(&mut self, op: CompareOp, x: Value, y: Value, loc: Loc) -> Value {
        self.push(Op::Compare(op, x, y), loc)
    }

    /// Adds a merge of `values` into `sink`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::F64);
    /// let sink = b.fresh_sink();
    /// let body = b.push_body();
    /// b.merge(sink, vec![x], loc);
    /// let merge = &b.program().bodies[body].stmts[0];
    /// assert!(merge.results.is_empty()); // it binds nothing
    /// ```
    pub fn merge(&mut self, sink: Sink, values: Vec<Value>, loc: Loc) {
        self.push_all(Op::Merge { sink, values }, loc);
    }

    /// Adds `if cond { then } else { els }`, both of which are closed bodies.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// # let loc = Loc::NONE;
    /// let mut b = Builder::new();
    /// let cond = b.add_param(Type::BOOL);
    /// let mut constant = |number: i64| {
    ///     b.push_body();
    ///     let value = b.constant(number, loc);
    ///     b.pop_body(vec![value])
    /// };
    /// let (then, els) = (constant(1), constant(2));
    /// let values = b.branch(cond, then, els, loc);
    /// assert_eq!(b.ty(values[0]), &Type::I64);
    /// ```
    pub fn branch(&mut self, cond: Value, then: BodyId, els: BodyId, loc: Loc) -> Vec<Value> {
        self.push_all(Op::If { cond, then, els }, loc)
    }

    /// A sink that no loop has declared yet.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let mut b = Builder::new();
    /// assert_ne!(b.fresh_sink(), b.fresh_sink());
    /// ```
    pub fn fresh_sink(&mut self) -> Sink {
        self.program.fresh_sink()
    }

    /// Closes the entry body, which gives `result`: the finished program.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let mut b = Builder::new();
    /// let x = b.add_param(Type::F64);
    /// let program = b.finish(x);
    /// assert_eq!(program.bodies[program.entry.unwrap()].results, [x]);
    /// assert!(verify(&program).is_ok());
    /// ```
    pub fn finish(mut self, result: Value) -> Program {
        assert_eq!(self.open.len(), 1, "bodies are still open");
        let entry = self.current();
        self.program.bodies[entry].results = vec![result];
        self.program
    }
}
