//! Changing programs: substitution, copies with fresh names, canonical names.
//!
//! The functions here keep a sound program sound if what they are given fits: a substitute is bound wherever
//! the original was read and has its type.

use std::collections::HashMap;

use super::entity::{BodyId, Entity, Sink, Value};
use super::op::{Body, Loop, Op, Program, Stmt};

/// Which value stands for which: a substitution.
///
/// Chains are followed, so a substitution may be extended while it is being applied.
#[derive(Clone, Debug, Default)]
pub struct Subst {
    values: HashMap<Value, Value>,
}

impl Subst {
    /// The substitution that changes nothing.
    pub fn new() -> Subst {
        Subst::default()
    }

    /// From now on `new` stands for `old`.
    pub fn insert(&mut self, old: Value, new: Value) {
        let new = self.get(new);
        if old != new {
            self.values.insert(old, new);
        }
    }

    /// From now on each of `new` stands for the one of `old` in its place.
    pub fn insert_all(&mut self, old: &[Value], new: &[Value]) {
        for (&old, &new) in old.iter().zip(new) {
            self.insert(old, new);
        }
    }

    /// What stands for `value`: itself, if nothing else does.
    pub fn get(&self, mut value: Value) -> Value {
        while let Some(&next) = self.values.get(&value) {
            value = next;
        }
        value
    }

    /// Whether this changes nothing.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Applies this to the operands of `op` itself.
    pub fn apply(&self, op: &mut Op) {
        op.for_each_operand_mut(|operand| *operand = self.get(*operand));
    }
}

impl Program {
    /// Applies `subst` to everything read in `body` and in the bodies inside it.
    pub fn substitute(&mut self, body: BodyId, subst: &Subst) {
        if subst.is_empty() {
            return;
        }
        let mut inner = Vec::new();
        let body = &mut self.bodies[body];
        for stmt in &mut body.stmts {
            subst.apply(&mut stmt.op);
            stmt.op.for_each_body(|id| inner.push(id));
        }
        for result in &mut body.results {
            *result = subst.get(*result);
        }
        for id in inner {
            self.substitute(id, subst);
        }
    }

    /// Applies `subst` to everything read in the whole program.
    pub fn substitute_everywhere(&mut self, subst: &Subst) {
        if let Some(entry) = self.entry {
            self.substitute(entry, subst);
        }
    }

    /// The program without what is assumed of indices, on which proofs rest and nothing that runs.
    pub fn without_assumptions(&self) -> Program {
        let mut program = self.clone();
        let mut subst = Subst::new();
        // Bodies that passes have left behind bind some of the same values, of others.
        for body in program.entry.map_or(Vec::new(), |entry| program.bodies_within(entry)) {
            program.bodies[body].stmts.retain(|stmt| match stmt.op {
                Op::AssumeIndex(index, _) => {
                    subst.insert(stmt.results[0], index);
                    false
                }
                _ => true,
            });
        }
        if !subst.is_empty() {
            program.substitute_everywhere(&subst);
        }
        program
    }

    /// Removes the merges into `sinks` from `body` and the bodies inside it; where the sinks were declared is the caller's.
    pub fn drop_merges(&mut self, body: BodyId, sinks: &[Sink]) {
        for body in self.bodies_within(body) {
            let is_dropped = |op: &Op| matches!(op, Op::Merge { sink, .. } if sinks.contains(sink));
            self.bodies[body].stmts.retain(|stmt| !is_dropped(&stmt.op));
        }
    }

    /// Takes the statements out of `body`; put them back with [`Program::put_stmts`].
    pub fn take_stmts(&mut self, body: BodyId) -> Vec<Stmt> {
        std::mem::take(&mut self.bodies[body].stmts)
    }

    /// Makes `stmts` the statements of `body`.
    pub fn put_stmts(&mut self, body: BodyId, stmts: Vec<Stmt>) {
        self.bodies[body].stmts = stmts;
    }

    /// A new body.
    pub fn add_body(&mut self, params: Vec<Value>, stmts: Vec<Stmt>, results: Vec<Value>) -> BodyId {
        self.bodies.push(Body { params, stmts, results })
    }
}

/// Copies statements and bodies within one program, with fresh values for what they bind and fresh sinks for
/// what they declare. What they read from outside is substituted as [`Copier::subst`] says.
#[derive(Clone, Debug, Default)]
pub struct Copier {
    /// What stands for what in the copies; binding statements extend it.
    pub subst: Subst,
    /// Which sink stands for which in the copies; declaring loops extend it.
    pub sinks: HashMap<Sink, Sink>,
}

impl Copier {
    /// A copier that only renames what is bound inside the copies.
    pub fn new() -> Copier {
        Copier::default()
    }

    /// A copy of `body`, parameters included.
    pub fn body(&mut self, program: &mut Program, body: BodyId) -> BodyId {
        let Body { params, stmts, results } = program.bodies[body].clone();
        let params = params.into_iter().map(|param| self.bind(program, param)).collect();
        let stmts = self.stmts(program, &stmts);
        let results = results.into_iter().map(|result| self.subst.get(result)).collect();
        program.add_body(params, stmts, results)
    }

    /// Copies of `stmts`, in order.
    pub fn stmts(&mut self, program: &mut Program, stmts: &[Stmt]) -> Vec<Stmt> {
        stmts.iter().map(|stmt| self.stmt(program, stmt)).collect()
    }

    /// A copy of `stmt`.
    pub fn stmt(&mut self, program: &mut Program, stmt: &Stmt) -> Stmt {
        let mut op = stmt.op.clone();
        self.subst.apply(&mut op);
        match &mut op {
            Op::Merge { sink, .. } => *sink = self.sinks.get(sink).copied().unwrap_or(*sink),
            Op::Loop(Loop { sinks, .. }) => {
                for decl in sinks {
                    let fresh = program.fresh_sink();
                    self.sinks.insert(decl.sink, fresh);
                    decl.sink = fresh;
                }
            }
            _ => {}
        }
        op.for_each_body_mut(|body| *body = self.body(program, *body));
        let results = stmt.results.iter().map(|&result| self.bind(program, result)).collect();
        Stmt { results, op, loc: stmt.loc }
    }

    fn bind(&mut self, program: &mut Program, value: Value) -> Value {
        let fresh = program.fresh(program.ty(value).clone());
        self.subst.insert(value, fresh);
        fresh
    }
}

/// The same program with compact ids, given in the order in which the text form binds them, and without
/// garbage. Two programs that differ only in names become equal.
pub fn renumber(program: &Program) -> Program {
    let mut renaming =
        Renaming { old: program, new: Program::default(), values: HashMap::new(), sinks: HashMap::new() };
    if let Some(entry) = program.entry {
        let entry = renaming.body(entry);
        renaming.new.entry = Some(entry);
    }
    renaming.new
}

struct Renaming<'a> {
    old: &'a Program,
    new: Program,
    values: HashMap<Value, Value>,
    sinks: HashMap<Sink, Sink>,
}

impl Renaming<'_> {
    fn value(&mut self, value: Value) -> Value {
        *self.values.entry(value).or_insert_with(|| self.new.values.push(self.old.values[value].clone()))
    }

    fn sink(&mut self, sink: Sink) -> Sink {
        *self.sinks.entry(sink).or_insert_with(|| {
            self.new.sinks += 1;
            Sink::from_index(self.new.sinks - 1)
        })
    }

    fn body(&mut self, id: BodyId) -> BodyId {
        let body = &self.old.bodies[id];
        let new = self.new.bodies.push(Body::default());
        let params = body.params.iter().map(|&param| self.value(param)).collect();
        let stmts = body.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        let results = body.results.iter().map(|&result| self.value(result)).collect();
        self.new.bodies[new] = Body { params, stmts, results };
        new
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let results = stmt.results.iter().map(|&result| self.value(result)).collect();
        let mut op = stmt.op.clone();
        if let Op::Loop(Loop { body, sinks, .. }) = &mut op {
            for &param in &self.old.bodies[*body].params {
                self.value(param);
            }
            for decl in sinks {
                decl.sink = self.sink(decl.sink);
            }
        }
        if let Op::Merge { sink, .. } = &mut op {
            *sink = self.sink(*sink);
        }
        op.for_each_operand_mut(|operand| *operand = self.value(*operand));
        op.for_each_body_mut(|body| *body = self.body(*body));
        Stmt { results, op, loc: stmt.loc }
    }
}
