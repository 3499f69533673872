//! Who reads what: the operands of an op, the bodies it holds, and facts counted over a whole program.
//!
//! [`Op::for_each_operand`] and [`Op::for_each_operand_mut`] are the only places that list the operands of
//! every op; everything that walks a program stands on them. [`Uses`] and [`Defs`] are snapshots: they
//! describe the program at the moment they were taken.

use super::entity::{BodyId, Entity, Sink, Value};
use super::op::{Loop, Op, Program, Reducer, SinkDecl, SinkKind, Stmt};

/// The match over all ops that the two walks share; `$iter` is `iter` or `iter_mut`.
macro_rules! walk_operands {
    ($op:expr, $visit:expr, $iter:ident) => {
        match $op {
            Op::Const(_) => {}
            Op::Unary(_, x)
            | Op::Cast(_, x)
            | Op::Field(x, _)
            | Op::Len(x)
            | Op::ToVec(x)
            | Op::Serialize(x)
            | Op::Deserialize(x)
            | Op::Assert(x)
            | Op::Sort { vector: x, .. }
            | Op::If { cond: x, .. }
            | Op::For { extent: x, .. } => $visit(x),
            Op::Binary(_, x, y)
            | Op::Compare(_, x, y)
            | Op::Order(x, y)
            | Op::At(x, y)
            | Op::Lookup(x, y)
            | Op::KeyExists(x, y)
            | Op::OptLookup(x, y) => {
                $visit(x);
                $visit(y);
            }
            Op::Select(x, y, z) | Op::Slice(x, y, z) | Op::RangeLen { start: x, end: y, stride: z } => {
                $visit(x);
                $visit(y);
                $visit(z);
            }
            Op::IterLen { len, start, end, stride } => {
                $visit(len);
                $visit(start);
                $visit(end);
                $visit(stride);
            }
            Op::Math(_, values)
            | Op::Struct(values, _)
            | Op::Vector(values)
            | Op::ZipLen(values)
            | Op::Call { args: values, .. }
            | Op::Iterate { init: values, .. }
            | Op::Merge { values, .. } => {
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
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        walk_operands!(self, |value: &Value| visit(*value), iter);
    }

    /// Visits the values that the op itself reads, to change them.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        walk_operands!(self, visit, iter_mut);
    }

    /// Whether the op itself reads `value`.
    pub fn reads(&self, value: Value) -> bool {
        let mut found = false;
        self.for_each_operand(|operand| found |= operand == value);
        found
    }

    /// Visits the bodies that the op holds, in the order they print.
    pub fn for_each_body(&self, mut visit: impl FnMut(BodyId)) {
        walk_bodies!(self, |body: &BodyId| visit(*body), iter);
    }

    /// Visits the bodies that the op holds, to change them.
    pub fn for_each_body_mut(&mut self, mut visit: impl FnMut(&mut BodyId)) {
        walk_bodies!(self, visit, iter_mut);
    }

    /// The bodies that the op holds.
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        self.for_each_body(|body| bodies.push(body));
        bodies
    }
}

impl Program {
    /// Visits every statement in `body` and in the bodies inside it, outer before inner, in program order.
    pub fn for_each_stmt<'a>(&'a self, body: BodyId, visit: &mut impl FnMut(&'a Stmt)) {
        for stmt in &self.bodies[body].stmts {
            visit(stmt);
            for inner in stmt.op.bodies() {
                self.for_each_stmt(inner, visit);
            }
        }
    }

    /// Visits `body` and every body inside it, outer before inner.
    pub fn for_each_body(&self, body: BodyId, visit: &mut impl FnMut(BodyId)) {
        visit(body);
        for stmt in &self.bodies[body].stmts {
            stmt.op.for_each_body(|inner| self.for_each_body(inner, visit));
        }
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

/// How often each value is read and each sink is merged into.
#[derive(Clone, Debug)]
pub struct Uses {
    values: Vec<u32>,
    sinks: Vec<u32>,
}

impl Uses {
    /// The uses in the whole program.
    pub fn of(program: &Program) -> Uses {
        let mut uses = Uses { values: vec![0; program.values.len()], sinks: vec![0; program.sinks] };
        if let Some(entry) = program.entry {
            uses.add(program, entry);
        }
        uses
    }

    /// The uses in `body` and in the bodies inside it.
    pub fn within(program: &Program, body: BodyId) -> Uses {
        let mut uses = Uses { values: vec![0; program.values.len()], sinks: vec![0; program.sinks] };
        uses.add(program, body);
        uses
    }

    fn add(&mut self, program: &Program, body: BodyId) {
        program.for_each_read(body, &mut |value| self.values[value.index()] += 1);
        program.for_each_stmt(body, &mut |stmt| {
            if let Op::Merge { sink, .. } = stmt.op {
                self.sinks[sink.index()] += 1;
            }
        });
    }

    /// How many operands and body results name `value`.
    pub fn count(&self, value: Value) -> u32 {
        self.values.get(value.index()).copied().unwrap_or(0)
    }

    /// Whether nothing reads `value`.
    pub fn is_unused(&self, value: Value) -> bool {
        self.count(value) == 0
    }

    /// How many merges into `sink` are written (not how many happen).
    pub fn merges(&self, sink: Sink) -> u32 {
        self.sinks.get(sink.index()).copied().unwrap_or(0)
    }
}

/// Where a value is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// The parameter with this number of a body.
    Param(BodyId, usize),
    /// A result of a statement.
    Stmt {
        /// The body that holds the statement.
        body: BodyId,
        /// The number of the statement in it.
        index: usize,
        /// The number of the result.
        result: usize,
    },
}

/// Where each value is bound, and which statement holds each body.
#[derive(Clone, Debug)]
pub struct Defs {
    values: Vec<Option<Def>>,
    holders: Vec<Option<(BodyId, usize)>>,
}

impl Defs {
    /// The bindings of the whole program.
    pub fn of(program: &Program) -> Defs {
        let mut defs =
            Defs { values: vec![None; program.values.len()], holders: vec![None; program.bodies.len()] };
        if let Some(entry) = program.entry {
            defs.add(program, entry);
        }
        defs
    }

    fn add(&mut self, program: &Program, id: BodyId) {
        let body = &program.bodies[id];
        for (number, &param) in body.params.iter().enumerate() {
            self.values[param.index()] = Some(Def::Param(id, number));
        }
        for (index, stmt) in body.stmts.iter().enumerate() {
            for (result, &value) in stmt.results.iter().enumerate() {
                self.values[value.index()] = Some(Def::Stmt { body: id, index, result });
            }
            stmt.op.for_each_body(|inner| {
                self.holders[inner.index()] = Some((id, index));
                self.add(program, inner);
            });
        }
    }

    /// From now on nothing is known of `values`: the statement that bound them is about to go.
    pub fn forget(&mut self, values: &[Value]) {
        for value in values {
            if let Some(def) = self.values.get_mut(value.index()) {
                *def = None;
            }
        }
    }

    /// Where `value` is bound.
    pub fn def(&self, value: Value) -> Option<Def> {
        self.values.get(value.index()).copied().flatten()
    }

    /// The statement that binds `value`, unless a parameter does, or the statement has been moved since.
    pub fn stmt<'a>(&self, program: &'a Program, value: Value) -> Option<&'a Stmt> {
        match self.def(value)? {
            Def::Param(..) => None,
            Def::Stmt { body, index, result } => {
                let stmt = program.bodies[body].stmts.get(index);
                stmt.filter(|stmt| stmt.results.get(result) == Some(&value))
            }
        }
    }

    /// The op that binds `value`, unless a parameter does.
    pub fn op<'a>(&self, program: &'a Program, value: Value) -> Option<&'a Op> {
        self.stmt(program, value).map(|stmt| &stmt.op)
    }

    /// The body and number of the statement that holds `body`; none for the entry.
    pub fn holder(&self, body: BodyId) -> Option<(BodyId, usize)> {
        self.holders.get(body.index()).copied().flatten()
    }

    /// The body in which `value` is bound.
    pub fn body_of(&self, value: Value) -> Option<BodyId> {
        match self.def(value)? {
            Def::Param(body, _) | Def::Stmt { body, .. } => Some(body),
        }
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub fn encloses(&self, outer: BodyId, inner: BodyId) -> bool {
        let mut body = inner;
        loop {
            if body == outer {
                return true;
            }
            match self.holder(body) {
                Some((holder, _)) => body = holder,
                None => return false,
            }
        }
    }
}
