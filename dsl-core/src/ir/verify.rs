//! What every program keeps to, on the way from lowering to the emitters.
//!
//! **Shape**
//! * The program has an entry body with exactly one result.
//! * Bodies form a tree: each is held by one op. Ids name things that exist.
//! * A value is bound once, by a parameter or a statement, before it is read and in a body around the reader.
//!   What a loop's extents, sinks and reducing functions read stands before the loop.
//!
//! **Types**
//! * Every op has operands of the types it wants, and binds as many values as it gives, of those types
//!   ([`infer`]). In particular: branches of an `if` give the same types, `iterate` gives its
//!   state and a bool, loops and `for` have bodies without results and one `i64` parameter per extent,
//!   comparators and reducing functions take two values of one type.
//! * A function without identity reduces only with `init` or `or fault`.
//! * Keys and what is compared hold no dictionaries.
//!
//! **Sinks**
//! * Each sink is declared by one loop.
//! * `merge` names a sink of a loop around it, with one value of its type, or key and value, or index and
//!   value. A comparator or reducing function does not merge into sinks outside of it.
//! * `for` stands inside a loop.
//!
//! **Bounds**
//! * `at v, i` is in bounds by construction, as [`bounds`] proves.

use std::fmt;

use super::defs::Defs;
use super::entity::{BodyId, Entity, Loc, Sink, Value};
use super::op::{Loop, Op, Program, SinkKind, Stmt};
use super::print::print_head;
use super::typing::{Typing, infer};
use crate::analysis::bounds;

/// Something that a program does not keep to.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    /// What is wrong.
    pub message: String,
    /// The statement, as the text form writes its first line; empty if it is none.
    pub stmt: String,
    /// The place of the statement.
    pub loc: Loc,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.stmt.is_empty() {
            write!(f, ", in `{}`", self.stmt)?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyError {}

/// Checks all invariants; the errors come in program order.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let error =
        |message: &str| VerifyError { message: message.to_owned(), stmt: String::new(), loc: Loc::NONE };
    let Some(entry) = program.entry else {
        return Err(vec![error("the program has no entry")]);
    };
    if let Err(message) = check_tree(program, entry, &mut vec![false; program.bodies.len()]) {
        return Err(vec![error(&message)]);
    }
    let mut verifier = Verifier {
        program,
        bound: vec![false; program.values.len()],
        visible: vec![false; program.values.len()],
        declared: vec![false; program.sinks],
        open: Vec::new(),
        loops: 0,
        errors: Vec::new(),
    };
    verifier.body(entry);
    if program.bodies[entry].results.len() != 1 {
        verifier.errors.push(error("the program has not exactly one result"));
    }
    if verifier.errors.is_empty() {
        check_bounds(program, entry, &Defs::remembering_merges(program), &mut verifier.errors);
    }
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

/// That ids name things that exist and that no body is held twice.
fn check_tree(program: &Program, id: BodyId, seen: &mut [bool]) -> Result<(), String> {
    match seen.get_mut(id.index()) {
        None => return Err(format!("{id} does not exist")),
        Some(seen) if *seen => return Err(format!("{id} is held by two ops")),
        Some(seen) => *seen = true,
    }
    let body = &program.bodies[id];
    let mut missing = None;
    let mut check = |value: Value| {
        if program.values.get(value).is_none() {
            missing = Some(value);
        }
    };
    body.params.iter().chain(&body.results).copied().for_each(&mut check);
    for stmt in &body.stmts {
        stmt.results.iter().copied().for_each(&mut check);
        stmt.op.for_each_operand(&mut check);
    }
    if let Some(value) = missing {
        return Err(format!("{value} does not exist"));
    }
    for stmt in &body.stmts {
        for inner in stmt.op.bodies() {
            check_tree(program, inner, seen)?;
        }
    }
    Ok(())
}

fn check_bounds(program: &Program, body: BodyId, defs: &Defs, errors: &mut Vec<VerifyError>) {
    program.for_each_stmt(body, &mut |stmt| {
        if let Op::At(vector, index) = stmt.op
            && !bounds::in_bounds(program, defs, vector, index)
        {
            errors.push(VerifyError {
                message: format!("{index} is not an index of {vector} by construction"),
                stmt: print_head(program, stmt),
                loc: stmt.loc,
            });
        }
    });
}

struct Verifier<'a> {
    program: &'a Program,
    /// Values bound anywhere so far.
    bound: Vec<bool>,
    /// Values bound in the bodies around.
    visible: Vec<bool>,
    /// Sinks declared so far.
    declared: Vec<bool>,
    /// Sinks of the loops around, up to the function that we are in.
    open: Vec<(Sink, &'a SinkKind)>,
    /// How many loops are around, up to that function: a loop need not have sinks.
    loops: usize,
    errors: Vec<VerifyError>,
}

impl<'a> Verifier<'a> {
    fn error(&mut self, stmt: Option<&Stmt>, message: String) {
        let (stmt, loc) = match stmt {
            Some(stmt) => (print_head(self.program, stmt), stmt.loc),
            None => (String::new(), Loc::NONE),
        };
        self.errors.push(VerifyError { message, stmt, loc });
    }

    fn bind(&mut self, stmt: Option<&Stmt>, value: Value) {
        if std::mem::replace(&mut self.bound[value.index()], true) {
            self.error(stmt, format!("{value} is bound twice"));
        }
        self.visible[value.index()] = true;
    }

    fn read(&mut self, stmt: Option<&Stmt>, value: Value) {
        if !self.visible[value.index()] {
            self.error(stmt, format!("{value} is read where it is not bound"));
        }
    }

    fn body(&mut self, id: BodyId) {
        let body = &self.program.bodies[id];
        for &param in &body.params {
            self.bind(None, param);
        }
        for stmt in &body.stmts {
            self.stmt(stmt);
            for &result in &stmt.results {
                self.bind(Some(stmt), result);
            }
        }
        for &result in &body.results {
            self.read(None, result);
        }
        for &value in body.params.iter().chain(body.stmts.iter().flat_map(|stmt| &stmt.results)) {
            self.visible[value.index()] = false;
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        stmt.op.for_each_operand(|operand| self.read(Some(stmt), operand));
        self.types(stmt);
        match &stmt.op {
            Op::Loop(inner) => self.sinks(stmt, inner),
            Op::Sort { comparator, .. } => self.function(*comparator),
            Op::Merge { sink, values } => self.merge(stmt, *sink, values),
            Op::For { body, .. } => {
                if self.loops == 0 {
                    self.error(Some(stmt), "`for` stands in no loop".to_owned());
                }
                self.body(*body);
            }
            op => op.for_each_body(|body| self.body(body)),
        }
    }

    fn types(&mut self, stmt: &Stmt) {
        let found: Vec<_> = stmt.results.iter().map(|&result| self.program.ty(result).clone()).collect();
        match infer(self.program, &stmt.op) {
            Err(message) => self.error(Some(stmt), message),
            Ok(Typing::Known(types)) if types != found => {
                let types: Vec<_> = types.iter().map(ToString::to_string).collect();
                self.error(Some(stmt), format!("binds values of types ({})", types.join(", ")));
            }
            Ok(Typing::Declared) if found.len() != 1 => {
                self.error(Some(stmt), "binds one value".to_owned());
            }
            Ok(Typing::Declared) if matches!(stmt.op, Op::Vector(_)) && found[0].element().is_none() => {
                self.error(Some(stmt), format!("{} is not a vector", found[0]));
            }
            Ok(_) => {}
        }
    }

    fn sinks(&mut self, stmt: &Stmt, inner: &'a Loop) {
        let around = self.open.len();
        for decl in &inner.sinks {
            match self.declared.get_mut(decl.sink.index()) {
                None => self.error(Some(stmt), format!("{} does not exist", decl.sink)),
                Some(declared) if *declared => {
                    self.error(Some(stmt), format!("{} is declared twice", decl.sink));
                }
                Some(declared) => *declared = true,
            }
            if let Some(&body) = decl.kind.function() {
                self.function(body);
            }
        }
        self.open.extend(inner.sinks.iter().map(|decl| (decl.sink, &decl.kind)));
        self.loops += 1;
        self.body(inner.body);
        self.loops -= 1;
        self.open.truncate(around);
    }

    fn function(&mut self, body: BodyId) {
        let (open, loops) = (std::mem::take(&mut self.open), std::mem::take(&mut self.loops));
        self.body(body);
        (self.open, self.loops) = (open, loops);
    }

    fn merge(&mut self, stmt: &Stmt, sink: Sink, values: &[Value]) {
        let Some(&(_, kind)) = self.open.iter().rev().find(|(open, _)| *open == sink) else {
            return self.error(Some(stmt), format!("{sink} is not a sink of a loop around"));
        };
        let wanted = kind.merge_types();
        let found: Vec<_> = values.iter().map(|&value| self.program.ty(value).clone()).collect();
        if wanted != found {
            let wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
            self.error(Some(stmt), format!("{sink} takes values of types ({})", wanted.join(", ")));
        }
    }
}
