//! Sorts of structs become sorts of what the comparator reads, with the place that each element had; what else is
//! needed of the elements is then gathered. Fields that nobody reads are not sorted at all.
//!
//! ```text
//! s = sort v by (a, b) { … a.0 … b.0 … }                      … at s, j …
//! ```
//! ```text
//! n = len v
//! w = loop i < n { collect {(at v, i).0, i} }
//! t = sort w by (a, b) { … a.0 … b.0 … }                      … at v, check_index (at t, j).1, n …
//! ```

use std::collections::HashMap;

use weldment_runtime::types::Type;

use super::reads::{Survey, fields_read};
use crate::analysis::cost;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Const, Loc, Op, Program, Stmt, Value};

/// A sort that moves more than it must.
pub(super) struct WideSort {
    /// Where it stands.
    body: BodyId,
    index: usize,
    /// The fields to sort, those that the comparator reads among them.
    fields: Vec<u32>,
    /// Whether the rest is gathered.
    gathers: bool,
    /// The sorted vector and slices of it that somebody wants whole.
    kept: Vec<Value>,
}

impl WideSort {
    /// The first in the program.
    pub(super) fn find(program: &Program) -> Option<WideSort> {
        let bodies = program.bodies_within(program.entry?);
        // Most programs have none, and need no survey.
        let mut survey = None;
        bodies.into_iter().find_map(|body| {
            let mut stmts = program.bodies[body].stmts.iter().enumerate();
            stmts.find_map(|(index, stmt)| WideSort::extract(program, &mut survey, body, index, stmt))
        })
    }

    fn extract(
        program: &Program,
        survey: &mut Option<Survey>,
        body: BodyId,
        index: usize,
        stmt: &Stmt,
    ) -> Option<WideSort> {
        let Op::Sort { vector, comparator } = stmt.op else { return None };
        let ty = program.ty(vector).element()?;
        let all = ty.fields().filter(|_| ty.is_scalars())?;
        let keys = fields_read(program, comparator, &program.bodies[comparator].params)?;

        let survey = survey.get_or_insert_with(|| Survey::of(program));
        let sorted = survey.with_slices(stmt.results[0]);
        let mut read = keys.clone();
        let kept: Vec<Value> = sorted.iter().copied().filter(|&vector| survey.is_kept(vector)).collect();
        let mut whole = !kept.is_empty();
        match survey.fields(&survey.elements(&sorted)) {
            Some(fields) => read.extend(fields),
            None => whole = true,
        }
        if whole {
            read.extend(0..all.len() as u32);
        }
        let rest: u64 = read.difference(&keys).map(|&field| cost::bytes(&all[field as usize])).sum();
        let limit = if whole { cost::SORTED_WHOLE } else { cost::SORTED };
        let gathers = rest > limit;
        let fields: Vec<u32> = if gathers { keys } else { read }.into_iter().collect();
        let is_narrower = gathers || fields.len() < all.len();
        is_narrower.then_some(WideSort { body, index, fields, gathers, kept })
    }
}

impl WideSort {
    /// Sorts less.
    pub(super) fn split(self, program: &mut Program) {
        let Op::Sort { vector, comparator } = program.bodies[self.body].stmts[self.index].op else {
            unreachable!("a sort is found at a sort")
        };
        let mut splitting =
            Splitting { of: &self, vector, comparator, lists: HashMap::new(), gathered: Subst::new() };
        for body in program.bodies_within(program.entry.expect("a sort is found in a program")) {
            splitting.body(program, body);
        }
        let gathered = splitting.gathered;
        program.substitute_everywhere(&gathered);
    }
}

/// A rewrite of the program with a sort of less.
struct Splitting<'a> {
    of: &'a WideSort,
    /// What is sorted, and how.
    vector: Value,
    comparator: BodyId,
    /// For the sorted vector and its slices, what is sorted and sliced now.
    lists: HashMap<Value, Value>,
    /// The vectors that somebody wants whole.
    gathered: Subst,
}

impl Splitting<'_> {
    fn body(&mut self, program: &mut Program, body: BodyId) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            let loc = stmt.loc;
            match &mut stmt.op {
                Op::Sort { comparator, .. } if *comparator == self.comparator => {
                    let list = self.sort(program, loc, &mut stmts);
                    self.bind(program, stmt.results[0], list, loc, &mut stmts);
                    continue;
                }
                Op::Slice(of, start, size) if self.lists.contains_key(of) => {
                    let slice = Op::Slice(self.lists[of], *start, *size);
                    let list = program.append(slice, loc, &mut stmts);
                    self.bind(program, stmt.results[0], list, loc, &mut stmts);
                    continue;
                }
                Op::Len(of) => *of = self.lists.get(of).copied().unwrap_or(*of),
                Op::At(of, index) if self.lists.contains_key(of) => {
                    let op = self.element(program, self.lists[of], *index, loc, &mut stmts);
                    stmt.op = op;
                }
                _ => {}
            }
            stmts.push(stmt);
        }
        program.put_stmts(body, stmts);
    }

    /// Sorts what is to be sorted.
    fn sort(&self, program: &mut Program, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let fields = &self.of.fields;
        let extent = program.append(Op::Len(self.vector), loc, out);
        let list = program.append_collect(extent, loc, out, |program, index, out| {
            let element = program.append(Op::At(self.vector, index), loc, out);
            let mut parts: Vec<Value> =
                fields.iter().map(|&field| program.append(Op::Field(element, field), loc, out)).collect();
            parts.extend(self.of.gathers.then_some(index));
            Op::Struct(parts, None)
        });
        let ty = program.ty(list).element().expect("a vector").clone();

        let old = program.bodies[self.comparator].clone();
        let params: Vec<Value> = old.params.iter().map(|_| program.fresh(ty.clone())).collect();
        let comparator = program.add_body(params.clone(), old.stmts, old.results);
        for body in program.bodies_within(comparator) {
            for stmt in &mut program.bodies[body].stmts {
                if let Op::Field(of, field) = &mut stmt.op
                    && let Some(number) = old.params.iter().position(|param| param == of)
                {
                    (*of, *field) = (params[number], place(fields, *field).expect("a key"));
                }
            }
        }
        program.append(Op::Sort { vector: list, comparator }, loc, out)
    }

    /// Remembers what is sorted or sliced now in place of `old`, and gathers it if somebody wants it whole.
    fn bind(&mut self, program: &mut Program, old: Value, list: Value, loc: Loc, out: &mut Vec<Stmt>) {
        self.lists.insert(old, list);
        if self.of.kept.contains(&old) {
            let extent = program.append(Op::Len(list), loc, out);
            let whole = program.append_collect(extent, loc, out, |program, index, out| {
                self.element(program, list, index, loc, out)
            });
            self.gathered.insert(old, whole);
        }
    }

    /// The element that stands at `index` of `list`.
    fn element(&self, program: &mut Program, list: Value, index: Value, loc: Loc, out: &mut Vec<Stmt>) -> Op {
        let fields = &self.of.fields;
        let ty = program.ty(self.vector).element().expect("a vector").clone();
        let entry = program.append(Op::At(list, index), loc, out);
        let rest = self.of.gathers.then(|| {
            let place = program.append(Op::Field(entry, fields.len() as u32), loc, out);
            let len = program.append(Op::Len(self.vector), loc, out);
            let place = program.append(Op::CheckIndex(place, len), loc, out);
            program.append(Op::At(self.vector, place), loc, out)
        });
        let mut parts = Vec::new();
        for (number, ty) in (0..).zip(ty.fields().expect("a struct")) {
            parts.push(match (place(fields, number), rest) {
                (Some(place), _) => program.append(Op::Field(entry, place), loc, out),
                (None, Some(rest)) => program.append(Op::Field(rest, number), loc, out),
                // Nobody reads it.
                (None, None) => zero(program, ty, loc, out),
            });
        }
        Op::Struct(parts, ty.struct_name().cloned())
    }
}

/// The place of a field among those that are sorted.
fn place(fields: &[u32], field: u32) -> Option<u32> {
    fields.iter().position(|&sorted| sorted == field).map(|place| place as u32)
}

fn zero(program: &mut Program, ty: &Type, loc: Loc, out: &mut Vec<Stmt>) -> Value {
    program.append_constant(ty, |scalar| Const::from_i128(scalar, 0), loc, out).expect("made of scalars")
}
