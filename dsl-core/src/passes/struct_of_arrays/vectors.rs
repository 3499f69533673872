//! Vectors of structs become columns: one vector per field, made by the same loop.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use weldment_runtime::lang::types::Type;

use crate::ir::{BodyId, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};

/// Vectors of structs that an `if` may give one for the other, an `iterate` hands on, or that share their memory, and so must be represented alike.
pub(super) struct Class {
    vectors: BTreeSet<Value>,
    /// The types of the fields.
    fields: Vec<Type>,
}

/// The classes that can be split.
pub(super) fn classes(program: &Program) -> Vec<Class> {
    let Some(entry) = program.entry else { return Vec::new() };
    let mut survey = Survey::default();
    survey.body(program, entry);
    for &value in program.bodies[entry].params.iter().chain(&program.bodies[entry].results) {
        survey.refuse(program, value);
    }
    let read: Vec<Value> = survey.of_no_length().intersection(&survey.read).copied().collect();
    survey.refused.extend(read);
    let refused: HashSet<Value> = survey.refused.iter().map(|&value| survey.class_of(value)).collect();
    let mut classes: Vec<Class> = Vec::new();
    let mut numbers = HashMap::new();
    for &vector in &survey.made {
        let class = survey.class_of(vector);
        if refused.contains(&class) {
            continue;
        }
        let number = *numbers.entry(class).or_insert_with(|| {
            let fields = fields(program, vector).expect("a vector of structs").to_vec();
            classes.push(Class { vectors: BTreeSet::new(), fields });
            classes.len() - 1
        });
        classes[number].vectors.insert(vector);
    }
    classes
}

/// Makes columns of the vectors of `classes`, everywhere.
pub(super) fn split(program: &mut Program, classes: &[Class]) {
    let mut columns = HashMap::new();
    for class in classes {
        for &vector in &class.vectors {
            let fresh = class.fields.iter().map(|field| program.fresh(Type::vec(field.clone())));
            columns.insert(vector, fresh.collect());
        }
    }
    let entry = program.entry.expect("classes are found in a program");
    Splitting { columns, sinks: HashMap::new() }.body(program, entry);
}

/// The fields of the elements, if `value` is a vector of structs that have some.
fn fields(program: &Program, value: Value) -> Option<&[Type]> {
    let fields = program.ty(value).element()?.fields()?;
    (!fields.is_empty()).then_some(fields)
}

/// What is known of the vectors of structs in a program.
#[derive(Default)]
struct Survey {
    /// Those that could be made as columns, in order.
    made: Vec<Value>,
    /// Those that cannot, or that are used as more than elements and a length.
    refused: HashSet<Value>,
    /// To another member of the class.
    links: BTreeMap<Value, Value>,
    /// Those that an `iterate` hands on.
    handed_on: HashSet<Value>,
    /// Those that an `if` gives, and what it gives on each side.
    chosen: Vec<(Value, [Value; 2])>,
    /// Those of which elements or the length are read.
    read: HashSet<Value>,
}

impl Survey {
    fn body(&mut self, program: &Program, id: BodyId) {
        for stmt in &program.bodies[id].stmts {
            self.uses(program, stmt);
            self.makes(program, stmt);
            match stmt.op {
                Op::If { .. } | Op::Iterate { .. } => {}
                _ => stmt.op.for_each_body(|inner| {
                    let body = &program.bodies[inner];
                    body.params.iter().chain(&body.results).for_each(|&value| self.refuse(program, value));
                }),
            }
            stmt.op.for_each_body(|inner| self.body(program, inner));
        }
    }

    /// Looks at the vectors that `stmt` reads.
    fn uses(&mut self, program: &Program, stmt: &Stmt) {
        match stmt.op {
            Op::At(vector, _) | Op::Len(vector) => _ = self.read.insert(vector),
            Op::Shape(..) | Op::Iterate { .. } => {}
            _ => stmt.op.for_each_operand(|operand| self.refuse(program, operand)),
        }
    }

    /// Looks at the vectors that `stmt` makes.
    fn makes(&mut self, program: &Program, stmt: &Stmt) {
        for (number, &result) in stmt.results.iter().enumerate() {
            if fields(program, result).is_none() {
                continue;
            }
            match &stmt.op {
                Op::Loop(inner) if matches!(inner.sinks[number].kind, SinkKind::Collect { .. }) => {}
                Op::Vector(_) => {}
                Op::If { then, els, .. } => {
                    let sides = [then, els].map(|side| program.bodies[*side].results[number]);
                    sides.iter().for_each(|&side| self.join(result, side));
                    self.chosen.push((result, sides));
                }
                Op::Shape(vector, _) => self.join(result, *vector),
                Op::Iterate { init, body } => {
                    let body = &program.bodies[*body];
                    for same in [init[number], body.params[number], body.results[number]] {
                        self.join(result, same);
                    }
                    self.made.push(body.params[number]);
                    self.handed_on.extend([body.params[number], result]);
                }
                _ => self.refuse(program, result),
            }
            self.made.push(result);
        }
    }

    /// Those of which nothing says that their columns are equally long: what an `iterate` hands on, also where an `if` gives it. What a
    /// shape is given has its length.
    fn of_no_length(&self) -> HashSet<Value> {
        let mut found = self.handed_on.clone();
        loop {
            let is_one = |(result, sides): &&(Value, [Value; 2])| {
                !found.contains(result) && sides.iter().any(|side| found.contains(side))
            };
            let more: Vec<Value> = self.chosen.iter().filter(is_one).map(|&(result, _)| result).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    fn refuse(&mut self, program: &Program, value: Value) {
        if fields(program, value).is_some() {
            self.refused.insert(value);
        }
    }

    fn class_of(&self, mut value: Value) -> Value {
        while let Some(&next) = self.links.get(&value) {
            value = next;
        }
        value
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.class_of(a), self.class_of(b));
        if a != b {
            self.links.insert(a, b);
        }
    }
}

/// A rewrite of the program with columns in place of vectors.
struct Splitting {
    columns: HashMap<Value, Vec<Value>>,
    /// The sinks of the columns, by that of the vector.
    sinks: HashMap<Sink, Vec<Sink>>,
}

impl Splitting {
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(id) {
            self.stmt(program, stmt, &mut stmts);
        }
        program.put_stmts(id, stmts);
    }

    fn stmt(&mut self, program: &mut Program, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        match &mut stmt.op {
            Op::At(vector, index) if self.columns.contains_key(vector) => {
                let (columns, index) = (&self.columns[vector], *index);
                return read(program, columns, index, stmt, out);
            }
            Op::Len(vector) => {
                if let Some(columns) = self.columns.get(vector) {
                    // Should nobody else read that one, `fuse-vertical` makes a count of it.
                    *vector = columns[0];
                }
            }
            Op::Vector(elements) if self.columns.contains_key(&stmt.results[0]) => {
                let elements = std::mem::take(elements);
                for number in 0..self.columns[&stmt.results[0]].len() {
                    let fields = elements
                        .iter()
                        .map(|&element| program.append(Op::Field(element, number as u32), stmt.loc, out))
                        .collect();
                    let results = vec![self.columns[&stmt.results[0]][number]];
                    out.push(Stmt { results, op: Op::Vector(fields), loc: stmt.loc });
                }
                return;
            }
            Op::Merge { sink, values } => {
                if let Some(sinks) = self.sinks.get(sink) {
                    for (number, &sink) in sinks.iter().enumerate() {
                        let value = program.append(Op::Field(values[0], number as u32), stmt.loc, out);
                        let op = Op::Merge { sink, values: vec![value] };
                        out.push(Stmt { results: Vec::new(), op, loc: stmt.loc });
                    }
                    return;
                }
            }
            Op::Shape(vector, extents) if self.columns.contains_key(vector) => {
                let of = &self.columns[vector];
                for (&column, &result) in of.iter().zip(&self.columns[&stmt.results[0]]) {
                    let op = Op::Shape(column, extents.clone());
                    out.push(Stmt { results: vec![result], op, loc: stmt.loc });
                }
                return;
            }
            Op::If { then, els, .. } => {
                for side in [*then, *els] {
                    let results = self.spliced(&program.bodies[side].results);
                    program.bodies[side].results = results;
                }
                stmt.results = self.spliced(&stmt.results);
            }
            Op::Iterate { init, body } => {
                *init = self.spliced(init);
                let states = &program.bodies[*body];
                let (params, results) = (self.spliced(&states.params), self.spliced(&states.results));
                let states = &mut program.bodies[*body];
                (states.params, states.results) = (params, results);
                stmt.results = self.spliced(&stmt.results);
            }
            Op::Loop(inner) => {
                self.sinks(program, &stmt.results, inner);
                stmt.results = self.spliced(&stmt.results);
            }
            _ => {}
        }
        stmt.op.for_each_body(|inner| self.body(program, inner));
        out.push(stmt);
    }

    /// Replaces the sinks that make vectors, whose values are `results`.
    fn sinks(&mut self, program: &mut Program, results: &[Value], inner: &mut Loop) {
        let old = std::mem::take(&mut inner.sinks);
        for (decl, result) in old.into_iter().zip(results) {
            let Some(columns) = self.columns.get(result) else {
                inner.sinks.push(decl);
                continue;
            };
            let SinkKind::Collect { hint, keep, .. } = decl.kind else {
                unreachable!("vectors are collected")
            };
            let fresh: Vec<Sink> = columns.iter().map(|_| program.fresh_sink()).collect();
            inner.sinks.extend(columns.iter().zip(&fresh).map(|(&column, &sink)| {
                let ty = program.ty(column).element().expect("a column is a vector").clone();
                SinkDecl { sink, kind: SinkKind::Collect { ty, hint, keep }, loc: decl.loc }
            }));
            self.sinks.insert(decl.sink, fresh);
        }
    }

    /// These values with each vector replaced by its columns.
    fn spliced(&self, values: &[Value]) -> Vec<Value> {
        let spliced = values.iter().flat_map(|value| match self.columns.get(value) {
            Some(columns) => columns.clone(),
            None => vec![*value],
        });
        spliced.collect()
    }
}

/// Reads an element field by field, in place of `stmt`; the struct of them has the name that the element had.
fn read(program: &mut Program, columns: &[Value], index: Value, stmt: Stmt, out: &mut Vec<Stmt>) {
    let mut parts = Vec::new();
    for &column in columns {
        let part = program.stmt(Op::At(column, index), stmt.loc);
        parts.push(part.results[0]);
        out.push(part);
    }
    let name = program.ty(stmt.results[0]).struct_name().cloned();
    out.push(Stmt { op: Op::Struct(parts, name), ..stmt });
}
