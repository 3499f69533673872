//! Walks over programs: the operands of an op, the bodies it holds, everything inside a body.
//!
//! [`Op::for_each_operand`] and [`Op::for_each_operand_mut`] stand on the table of ops; the operands of ops that hold bodies are
//! listed here, and nowhere else. Everything that walks a program stands on them.

use super::entity::{BodyId, Sink, Value};
use super::op::{Loop, Op, Program, SinkDecl, Stmt};

/// The match that the two walks share; `$each`, `$iter` and `$init` are `for_each_value`, `iter` and `init`, or what changes.
macro_rules! walk_operands {
    ($op:expr, $visit:expr, $each:ident, $iter:ident, $init:ident) => {
        match $op {
            Op::Sort { vector: x, .. } | Op::If { cond: x, .. } | Op::For { extent: x, .. } => $visit(x),
            Op::Iterate { init: values, .. } | Op::Merge { values, .. } => {
                for value in values.$iter() {
                    $visit(value);
                }
            }
            Op::Loop(Loop { extents, sinks, .. }) => {
                for extent in extents.$iter() {
                    $visit(extent);
                }
                for SinkDecl { kind, .. } in sinks.$iter() {
                    if let Some(value) = kind.$init() {
                        $visit(value);
                    }
                }
            }
            straight => straight.$each(&mut $visit),
        }
    };
}

/// The match over all ops that hold bodies; `$iter` and `$function` are `iter` and `function`, or what changes.
macro_rules! walk_bodies {
    ($op:expr, $visit:expr, $iter:ident, $function:ident) => {
        match $op {
            Op::Sort { comparator: body, .. } | Op::Iterate { body, .. } | Op::For { body, .. } => {
                $visit(body)
            }
            Op::If { then, els, .. } => {
                $visit(then);
                $visit(els);
            }
            Op::Loop(Loop { sinks, body, .. }) => {
                for SinkDecl { kind, .. } in sinks.$iter() {
                    if let Some(func) = kind.$function() {
                        $visit(func);
                    }
                }
                $visit(body);
            }
            _ => {}
        }
    };
}

impl Op {
    /// Visits the values that the op itself reads, not those read in the bodies it holds.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        walk_operands!(self, |value: &Value| visit(*value), for_each_value, iter, init);
    }

    /// Visits the values that the op itself reads, to change them.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        walk_operands!(self, visit, for_each_value_mut, iter_mut, init_mut);
    }

    /// Whether the op itself reads `value`.
    pub fn reads(&self, value: Value) -> bool {
        let mut found = false;
        self.for_each_operand(|operand| found |= operand == value);
        found
    }

    /// Whether the op is a merge into `sink`.
    pub fn merges_into(&self, sink: Sink) -> bool {
        matches!(self, Op::Merge { sink: into, .. } if *into == sink)
    }

    /// Visits the bodies that the op holds, in the order they print.
    pub fn for_each_body(&self, mut visit: impl FnMut(BodyId)) {
        walk_bodies!(self, |body: &BodyId| visit(*body), iter, function);
    }

    /// Visits the bodies that the op holds, to change them.
    pub fn for_each_body_mut(&mut self, mut visit: impl FnMut(&mut BodyId)) {
        walk_bodies!(self, visit, iter_mut, function_mut);
    }

    /// The bodies that the op holds.
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.for_each_body(|body| bodies.push(body));
        bodies
    }

    /// Whether the op holds bodies.
    pub fn holds_bodies(&self) -> bool {
        let mut holds = false;
        self.for_each_body(|_| holds = true);
        holds
    }
}

impl Program {
    /// Visits every statement in `body` and in the bodies inside it, outer before inner, in program order.
    pub fn for_each_stmt<'a>(&'a self, body: BodyId, visit: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.bodies[body].stmts {
            visit(stmt);
            stmt.op.for_each_body(|inner| self.for_each_stmt(inner, visit));
        }
    }

    /// Visits `body` and every body inside it, outer before inner.
    pub fn for_each_body(&self, body: BodyId, visit: &mut impl FnMut(BodyId)) {
        visit(body);
        for stmt in &self.bodies[body].stmts {
            stmt.op.for_each_body(|inner| self.for_each_body(inner, visit));
        }
    }

    /// `body` and every body inside it, outer before inner: for walks that change what they walk over.
    pub fn bodies_within(&self, body: BodyId) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.for_each_body(body, &mut |inner| bodies.push(inner));
        bodies
    }

    /// Visits every value read in `body` and in the bodies inside it, results included.
    pub fn for_each_read(&self, body: BodyId, visit: &mut impl FnMut(Value)) {
        for stmt in &self.bodies[body].stmts {
            stmt.op.for_each_operand(&mut *visit);
            stmt.op.for_each_body(|inner| self.for_each_read(inner, visit));
        }
        self.bodies[body].results.iter().copied().for_each(visit);
    }

    /// Visits every value that a statement reads, itself or in the bodies it holds.
    pub fn for_each_read_of(&self, stmt: &Stmt, visit: &mut impl FnMut(Value)) {
        stmt.op.for_each_operand(&mut *visit);
        stmt.op.for_each_body(|inner| self.for_each_read(inner, visit));
    }
}
