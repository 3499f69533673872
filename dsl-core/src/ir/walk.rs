//! Walks over programs: the operands of an op, the bodies it holds, everything inside a body.
//!
//! [`Op::for_each_operand`] and [`Op::for_each_operand_mut`] stand on the table of ops; the operands of ops that hold bodies are
//! listed here, and nowhere else. Everything that walks a program stands on them.

use super::entity::{BodyId, Sink, Value};
use super::op::{Loop, Op, Program, Reducer, SinkDecl, SinkKind, Stmt};

/// The match that the two walks share; `$each` and `$iter` are `for_each_value` and `iter`, or what changes.
macro_rules! walk_operands {
    ($op:expr, $visit:expr, $each:ident, $iter:ident) => {
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
                    match kind {
                        SinkKind::Collect { hint: Some(value), .. }
                        | SinkKind::Reduce { init: Some(value), .. }
                        | SinkKind::Scatter { init: value, .. } => $visit(value),
                        SinkKind::Collect { hint: None, .. }
                        | SinkKind::Reduce { init: None, .. }
                        | SinkKind::BucketCollect { .. }
                        | SinkKind::BucketReduce { .. } => {}
                    }
                }
            }
            straight => straight.$each(&mut $visit),
        }
    };
}

/// The match over all ops that hold bodies; `$iter` is `iter` or `iter_mut`.
macro_rules! walk_bodies {
    ($op:expr, $visit:expr, $iter:ident) => {
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
                    if let SinkKind::Reduce { reducer: Reducer::Func(func), .. }
                    | SinkKind::BucketReduce { reducer: Reducer::Func(func), .. } = kind
                    {
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
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let v = Value::from_index;
    /// let mut operands = Vec::new();
    /// Op::Select(v(2), v(0), v(1)).for_each_operand(|operand| operands.push(operand));
    /// assert_eq!(operands, [v(2), v(0), v(1)]);
    /// ```
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        walk_operands!(self, |value: &Value| visit(*value), for_each_value, iter);
    }

    /// Visits the values that the op itself reads, to change them.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let v = Value::from_index;
    /// let mut op = Op::Binary(BinaryOp::Add, v(0), v(1));
    /// op.for_each_operand_mut(|operand| *operand = v(7));
    /// assert_eq!(op, Op::Binary(BinaryOp::Add, v(7), v(7)));
    /// ```
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        walk_operands!(self, visit, for_each_value_mut, iter_mut);
    }

    /// Whether the op itself reads `value`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let v = Value::from_index;
    /// assert!(Op::Len(v(0)).reads(v(0)) && !Op::Len(v(0)).reads(v(1)));
    /// ```
    pub fn reads(&self, value: Value) -> bool {
        let mut found = false;
        self.for_each_operand(|operand| found |= operand == value);
        found
    }

    /// Whether the op is a merge into `sink`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let [sink, other] = [0, 1].map(Sink::from_index);
    /// let merge = Op::Merge { sink, values: vec![Value::from_index(0)] };
    /// assert!(merge.merges_into(sink) && !merge.merges_into(other));
    /// ```
    pub fn merges_into(&self, sink: Sink) -> bool {
        matches!(self, Op::Merge { sink: into, .. } if *into == sink)
    }

    /// Visits the bodies that the op holds, in the order they print.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// # let stmts = &program.bodies[entry].stmts;
    /// // v2: i64 = if v1 { v3: i64 = neg v0   yield v3 } else { yield v0 }
    /// let mut lengths = Vec::new();
    /// stmts[0].op.for_each_body(|body| lengths.push(program.bodies[body].stmts.len()));
    /// assert_eq!(lengths, [1, 0]);
    /// ```
    pub fn for_each_body(&self, mut visit: impl FnMut(BodyId)) {
        walk_bodies!(self, |body: &BodyId| visit(*body), iter);
    }

    /// Visits the bodies that the op holds, to change them.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// # let stmts = &program.bodies[entry].stmts;
    /// // v2: i64 = if v1 { … } else { … }
    /// let mut op = stmts[0].op.clone();
    /// op.for_each_body_mut(|body| *body = entry);
    /// assert_eq!(op.bodies(), [entry, entry]);
    /// ```
    pub fn for_each_body_mut(&mut self, mut visit: impl FnMut(&mut BodyId)) {
        walk_bodies!(self, visit, iter_mut);
    }

    /// The bodies that the op holds.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// # let stmts = &program.bodies[entry].stmts;
    /// // v2: i64 = if v1 { … } else { … }   v4: i64 = add v2, v2
    /// assert_eq!((stmts[0].op.bodies().len(), stmts[1].op.bodies().len()), (2, 0));
    /// ```
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.for_each_body(|body| bodies.push(body));
        bodies
    }

    /// Whether the op holds bodies.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// # let stmts = &program.bodies[entry].stmts;
    /// // v2: i64 = if v1 { … } else { … }   v4: i64 = add v2, v2
    /// assert!(stmts[0].op.holds_bodies() && !stmts[1].op.holds_bodies());
    /// ```
    pub fn holds_bodies(&self) -> bool {
        let mut holds = false;
        self.for_each_body(|_| holds = true);
        holds
    }
}

impl Program {
    /// Visits every statement in `body` and in the bodies inside it, outer before inner, in program order.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// // v2: i64 = if v1 { v3: i64 = neg v0 … }   v4: i64 = add v2, v2
    /// let v = Value::from_index;
    /// let mut bound = Vec::new();
    /// program.for_each_stmt(entry, &mut |stmt| bound.extend(stmt.results.clone()));
    /// assert_eq!(bound, [v(2), v(3), v(4)]);
    /// ```
    pub fn for_each_stmt<'a>(&'a self, body: BodyId, visit: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.bodies[body].stmts {
            visit(stmt);
            stmt.op.for_each_body(|inner| self.for_each_stmt(inner, visit));
        }
    }

    /// Visits `body` and every body inside it, outer before inner.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// // v2: i64 = if v1 { … } else { … }
    /// let mut bodies = Vec::new();
    /// program.for_each_body(entry, &mut |body| bodies.push(body));
    /// assert_eq!((bodies.len(), bodies[0]), (3, entry));
    /// ```
    pub fn for_each_body(&self, body: BodyId, visit: &mut impl FnMut(BodyId)) {
        visit(body);
        for stmt in &self.bodies[body].stmts {
            stmt.op.for_each_body(|inner| self.for_each_body(inner, visit));
        }
    }

    /// `body` and every body inside it, outer before inner: for walks that change what they walk over.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// // v2: i64 = if v1 { … } else { … }
    /// let bodies = program.bodies_within(entry);
    /// assert_eq!((bodies.len(), bodies[0]), (3, entry));
    /// ```
    pub fn bodies_within(&self, body: BodyId) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.for_each_body(body, &mut |inner| bodies.push(inner));
        bodies
    }

    /// Visits every value read in `body` and in the bodies inside it, results included.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// // v2: i64 = if v1 { v3: i64 = neg v0   yield v3 } else { yield v0 }   v4: i64 = add v2, v2   return v4
    /// let v = Value::from_index;
    /// let mut reads = Vec::new();
    /// program.for_each_read(entry, &mut |value| reads.push(value));
    /// assert_eq!(reads, [1, 0, 3, 0, 2, 2, 4].map(v));
    /// ```
    pub fn for_each_read(&self, body: BodyId, visit: &mut impl FnMut(Value)) {
        for stmt in &self.bodies[body].stmts {
            stmt.op.for_each_operand(&mut *visit);
            stmt.op.for_each_body(|inner| self.for_each_read(inner, visit));
        }
        self.bodies[body].results.iter().copied().for_each(visit);
    }

    /// Visits every value that a statement reads, itself or in the bodies it holds.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64, v1: bool) {
    /// #     v2: i64 = if v1 { v3: i64 = neg v0 yield v3 }
    /// #     else { yield v0 } v4: i64 = add v2, v2 return v4 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// # let stmts = &program.bodies[entry].stmts;
    /// // v2: i64 = if v1 { v3: i64 = neg v0   yield v3 } else { yield v0 }
    /// let v = Value::from_index;
    /// let mut reads = Vec::new();
    /// program.for_each_read_of(&stmts[0], &mut |value| reads.push(value));
    /// assert_eq!(reads, [1, 0, 3, 0].map(v));
    /// ```
    pub fn for_each_read_of(&self, stmt: &Stmt, visit: &mut impl FnMut(Value)) {
        stmt.op.for_each_operand(&mut *visit);
        stmt.op.for_each_body(|inner| self.for_each_read(inner, visit));
    }
}
