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

use weldment_runtime::lang::types::Type;

use super::reads::{Survey, fields_read};
use crate::analysis::cost;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Const, Loc, Op, Program, Stmt, Value};

/// A sort that moves more than it must.
pub(super) struct WideSort {
    /// What is sorted, and how.
    vector: Value,
    comparator: BodyId,
    /// The fields to sort, those that the comparator reads among them.
    fields: Vec<u32>,
    /// Whether the rest is gathered.
    gathers: bool,
    /// The sorted vector and slices of it that somebody wants whole.
    kept: Vec<Value>,
}

/// Those in the program.
pub(super) fn wide(program: &Program) -> Vec<WideSort> {
    // Most programs have none, and need no survey.
    let mut survey = None;
    let mut sorts = Vec::new();
    let Some(entry) = program.entry else { return sorts };
    program.for_each_body(entry, &mut |body| {
        let stmts = program.bodies[body].stmts.iter();
        sorts.extend(stmts.filter_map(|stmt| WideSort::extract(program, &mut survey, stmt)));
    });
    sorts
}

/// Sorts less in each of `sorts`. What one of them gives is read alike whatever becomes of the others: by its elements, or
/// as a whole.
pub(super) fn split(program: &mut Program, sorts: &[WideSort]) {
    let by_comparator = sorts.iter().map(|sort| (sort.comparator, sort)).collect();
    let mut splitting = Splitting { by_comparator, lists: HashMap::new(), gathered: Subst::new() };
    splitting.body(program, program.entry.expect("sorts are found in a program"));
    let gathered = splitting.gathered;
    program.substitute_everywhere(&gathered);
}

impl WideSort {
    fn extract(program: &Program, survey: &mut Option<Survey>, stmt: &Stmt) -> Option<WideSort> {
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
        let limit = if whole { cost::MAX_SORTED_WHOLE } else { cost::MAX_SORTED };
        let gathers = rest > limit;
        let fields: Vec<u32> = if gathers { keys } else { read }.into_iter().collect();
        let is_narrower = gathers || fields.len() < all.len();
        is_narrower.then_some(WideSort { vector, comparator, fields, gathers, kept })
    }

    /// Sorts what is to be sorted.
    fn sort(&self, program: &mut Program, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let fields = &self.fields;
        let extent = program.append(Op::Len(self.vector), loc, out);
        let list = program.append_collect(extent, loc, out, |program, index, out| {
            let element = program.append(Op::At(self.vector, index), loc, out);
            let mut parts: Vec<Value> =
                fields.iter().map(|&field| program.append(Op::Field(element, field), loc, out)).collect();
            parts.extend(self.gathers.then_some(index));
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

    /// The element that stands at `index` of `list`.
    fn element(&self, program: &mut Program, list: Value, index: Value, loc: Loc, out: &mut Vec<Stmt>) -> Op {
        let fields = &self.fields;
        let ty = program.ty(self.vector).element().expect("a vector").clone();
        let entry = program.append(Op::At(list, index), loc, out);
        let rest = self.gathers.then(|| {
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

/// A rewrite of the program with sorts of less.
struct Splitting<'a> {
    by_comparator: HashMap<BodyId, &'a WideSort>,
    /// For each sorted vector and its slices, what is sorted and sliced now, and by which sort.
    lists: HashMap<Value, (&'a WideSort, Value)>,
    /// The vectors that somebody wants whole.
    gathered: Subst,
}

impl<'a> Splitting<'a> {
    fn body(&mut self, program: &mut Program, body: BodyId) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            let loc = stmt.loc;
            // First what is inside: a comparator that is to be another one may read what is sorted before.
            stmt.op.for_each_body(|inner| self.body(program, inner));
            match &mut stmt.op {
                Op::Sort { comparator, .. } if self.by_comparator.contains_key(comparator) => {
                    let sort = self.by_comparator[comparator];
                    let list = sort.sort(program, loc, &mut stmts);
                    self.bind(program, sort, stmt.results[0], list, &mut stmts, loc);
                    continue;
                }
                Op::Slice(of, start, size) if self.lists.contains_key(of) => {
                    let (sort, list) = self.lists[of];
                    let list = program.append(Op::Slice(list, *start, *size), loc, &mut stmts);
                    self.bind(program, sort, stmt.results[0], list, &mut stmts, loc);
                    continue;
                }
                Op::Len(of) => *of = self.lists.get(of).map_or(*of, |&(_, list)| list),
                Op::At(of, index) if self.lists.contains_key(of) => {
                    let (sort, list) = self.lists[of];
                    stmt.op = sort.element(program, list, *index, loc, &mut stmts);
                }
                _ => {}
            }
            stmts.push(stmt);
        }
        program.put_stmts(body, stmts);
    }

    /// Remembers what is sorted or sliced now in place of `old`, and gathers it if somebody wants it whole.
    fn bind(
        &mut self,
        program: &mut Program,
        sort: &'a WideSort,
        old: Value,
        list: Value,
        out: &mut Vec<Stmt>,
        loc: Loc,
    ) {
        self.lists.insert(old, (sort, list));
        if sort.kept.contains(&old) {
            let extent = program.append(Op::Len(list), loc, out);
            let whole = program.append_collect(extent, loc, out, |program, index, out| {
                sort.element(program, list, index, loc, out)
            });
            self.gathered.insert(old, whole);
        }
    }
}

/// The place of a field among those that are sorted.
fn place(fields: &[u32], field: u32) -> Option<u32> {
    fields.iter().position(|&sorted| sorted == field).map(|place| place as u32)
}

fn zero(program: &mut Program, ty: &Type, loc: Loc, out: &mut Vec<Stmt>) -> Value {
    program.append_constant(ty, |scalar| Const::from_i128(scalar, 0), loc, out).expect("made of scalars")
}
