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
    pub fn new() -> Builder {
        let mut program = Program::default();
        let entry = program.bodies.push(Body::default());
        program.entry = Some(entry);
        Builder { program, open: vec![entry] }
    }

    /// The program so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program so far, to copy parts of it.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.program.values[value].ty
    }

    /// The op that gives `value`, if it is one of a body that is open.
    pub fn op(&self, value: Value) -> Option<&Op> {
        let bodies = self.open.iter().rev().map(|&body| &self.program.bodies[body]);
        let mut stmts = bodies.flat_map(|body| body.stmts.iter().rev());
        stmts.find(|stmt| stmt.results.contains(&value)).map(|stmt| &stmt.op)
    }

    /// Opens a new body inside the innermost open one.
    pub fn push_body(&mut self) -> BodyId {
        let body = self.program.bodies.push(Body::default());
        self.open.push(body);
        body
    }

    /// Closes the innermost open body, which gives `results`.
    pub fn pop_body(&mut self, results: Vec<Value>) -> BodyId {
        assert!(self.open.len() > 1, "the entry body is closed by `finish`");
        let body = self.open.pop().expect("a body is open");
        self.program.bodies[body].results = results;
        body
    }

    /// Goes back to `body`, which is open, for a while: statements go to its end. Gives the bodies that are open inside of it,
    /// for [`Builder::resume`].
    pub fn suspend(&mut self, body: BodyId) -> Vec<BodyId> {
        let at = self.open.iter().rposition(|open| *open == body).expect("the body is open");
        self.open.split_off(at + 1)
    }

    /// Goes on where [`Builder::suspend`] left off.
    pub fn resume(&mut self, inner: Vec<BodyId>) {
        self.open.extend(inner);
    }

    /// The innermost open body.
    pub fn current(&self) -> BodyId {
        *self.open.last().expect("a body is open")
    }

    /// The open bodies, the entry first.
    pub fn open_bodies(&self) -> &[BodyId] {
        &self.open
    }

    /// Adds a parameter to the innermost open body.
    pub fn add_param(&mut self, ty: Type) -> Value {
        let value = self.program.fresh(ty);
        let body = self.current();
        self.program.bodies[body].params.push(value);
        value
    }

    /// Adds a statement that binds one value of a type that follows from the op.
    pub fn push(&mut self, op: Op, loc: Loc) -> Value {
        let results = self.push_all(op, loc);
        match results.as_slice() {
            [value] => *value,
            _ => panic!("the op binds {} values, not one", results.len()),
        }
    }

    /// Adds a statement that binds any number of values, whose types follow from the op.
    pub fn push_all(&mut self, op: Op, loc: Loc) -> Vec<Value> {
        let stmt = self.program.stmt(op, loc);
        self.push_stmt(stmt)
    }

    /// Adds a statement that binds values of these types: for an empty vector, `deserialize` and calls.
    pub fn push_typed(&mut self, op: Op, types: Vec<Type>, loc: Loc) -> Vec<Value> {
        let stmt = self.program.stmt_typed(op, types, loc);
        self.push_stmt(stmt)
    }

    /// Adds a finished statement, and gives what it binds.
    pub fn push_stmt(&mut self, stmt: Stmt) -> Vec<Value> {
        let results = stmt.results.clone();
        let body = self.current();
        self.program.bodies[body].stmts.push(stmt);
        results
    }

    /// Adds a constant.
    pub fn constant(&mut self, constant: impl Into<Const>, loc: Loc) -> Value {
        self.push(Op::Const(constant.into()), loc)
    }

    /// Adds `op x`.
    pub fn unary(&mut self, op: UnaryOp, x: Value, loc: Loc) -> Value {
        self.push(Op::Unary(op, x), loc)
    }

    /// Adds `x op y`.
    pub fn binary(&mut self, op: BinaryOp, x: Value, y: Value, loc: Loc) -> Value {
        self.push(Op::Binary(op, x, y), loc)
    }

    /// Adds a comparison of `x` and `y`.
    pub fn compare(&mut self, op: CompareOp, x: Value, y: Value, loc: Loc) -> Value {
        self.push(Op::Compare(op, x, y), loc)
    }

    /// Adds a merge of `values` into `sink`.
    pub fn merge(&mut self, sink: Sink, values: Vec<Value>, loc: Loc) {
        self.push_all(Op::Merge { sink, values }, loc);
    }

    /// Adds `if cond { then } else { els }`, both of which are closed bodies.
    pub fn branch(&mut self, cond: Value, then: BodyId, els: BodyId, loc: Loc) -> Vec<Value> {
        self.push_all(Op::If { cond, then, els }, loc)
    }

    /// A sink that no loop has declared yet.
    pub fn fresh_sink(&mut self) -> Sink {
        self.program.fresh_sink()
    }

    /// Closes the entry body, which gives `result`: the finished program.
    pub fn finish(mut self, result: Value) -> Program {
        assert_eq!(self.open.len(), 1, "bodies are still open");
        let entry = self.current();
        self.program.bodies[entry].results = vec![result];
        self.program
    }
}
