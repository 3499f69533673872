//! Fields of reduced structs that nobody reads are not reduced: neither those of the result, nor those that the reducing
//! function needs only for them.
//!
//! ```text
//! r = loop … { sink #0 = reduce by (a, b) { {a.0 + b.0, max(a.1, b.1), a.2 * b.0} }   merge #0, {x, y, z} }   … r.2 …
//! ```
//! ```text
//! r = loop … { sink #0 = reduce by (a, b) { {a.0 + b.0, a.1 * b.0} }   merge #0, {x, z} }   … r.1 …
//! ```

use std::collections::BTreeSet;

use weldment_runtime::types::Type;

use super::reads::{Survey, fields_read};
use crate::analysis::effects::Effects;
use crate::ir::{BodyId, Const, Defs, Loc, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};

/// A reduction by a function, of structs with fields that are not needed.
pub(super) struct Idle {
    /// Where the loop stands.
    body: BodyId,
    index: usize,
    /// The number of the sink.
    number: usize,
    /// The fields that are needed.
    fields: Vec<u32>,
}

impl Idle {
    /// The first in the program.
    pub(super) fn find(program: &Program) -> Option<Idle> {
        let entry = program.entry?;
        let mut known = None;
        for body in program.bodies_within(entry) {
            for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
                let Op::Loop(inner) = &stmt.op else { continue };
                for (number, decl) in inner.sinks.iter().enumerate() {
                    let SinkKind::Reduce { ty, reducer: Reducer::Func(func), .. } = &decl.kind else {
                        continue;
                    };
                    let Some(all) = ty.fields().map(<[Type]>::len) else { continue };
                    let (defs, survey) =
                        known.get_or_insert_with(|| (Defs::of(program), Survey::of(program)));
                    let Some(read) = survey.fields(&[stmt.results[number]]) else { continue };
                    // What nobody reads at all is dead code.
                    let Some(needed) = needed(program, defs, *func, read.clone()) else { continue };
                    if !read.is_empty() && needed.len() < all {
                        return Some(Idle { body, index, number, fields: needed.into_iter().collect() });
                    }
                }
            }
        }
        None
    }

    /// Reduces what is needed.
    pub(super) fn narrow(self, program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let mut after = stmts.split_off(self.index + 1);
        let mut stmt = stmts.pop().expect("a reduction is found at a loop");
        let Op::Loop(inner) = &mut stmt.op else { unreachable!("a reduction is found at a loop") };
        let decl = &mut inner.sinks[self.number];
        let SinkKind::Reduce { ty: wide, reducer: Reducer::Func(func), init, empty } = decl.kind.clone()
        else {
            unreachable!("a reduction is found at a sink that reduces by a function")
        };
        let types = wide.fields().expect("a struct");
        let ty = Type::structure(self.fields.iter().map(|&field| types[field as usize].clone()));
        let init = init.map(|init| self.pack(program, init, decl.loc, &mut stmts));
        let func = self.function(program, func, &ty, decl.loc);
        let (old, sink) = (decl.sink, program.fresh_sink());
        let kind = SinkKind::Reduce { ty: ty.clone(), reducer: Reducer::Func(func), init, empty };
        *decl = SinkDecl { sink, kind, loc: decl.loc };
        let (loc, body) = (decl.loc, inner.body);
        let packed = program.fresh(ty);
        let whole = std::mem::replace(&mut stmt.results[self.number], packed);
        stmts.push(stmt);
        let unpacked = self.unpack(program, packed, &wide, loc, &mut stmts);
        stmts.push(Stmt { results: vec![whole], op: unpacked, loc });
        stmts.append(&mut after);
        program.put_stmts(self.body, stmts);
        self.merges(program, body, [old, sink]);
    }

    /// The fields that are needed of `whole`.
    fn pack(&self, program: &mut Program, whole: Value, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let fields = self.fields.iter().map(|&field| program.append(Op::Field(whole, field), loc, out));
        let fields = fields.collect();
        program.append(Op::Struct(fields, None), loc, out)
    }

    /// A struct of type `wide` whose needed fields are those of `packed`; nobody reads the others.
    fn unpack(&self, program: &mut Program, packed: Value, wide: &Type, loc: Loc, out: &mut Vec<Stmt>) -> Op {
        let mut parts = Vec::new();
        for (number, ty) in (0..).zip(wide.fields().expect("a struct")) {
            parts.push(match self.fields.iter().position(|&field| field == number) {
                Some(place) => program.append(Op::Field(packed, place as u32), loc, out),
                None => {
                    let zero = program.append_constant(ty, |scalar| Const::from_i128(scalar, 0), loc, out);
                    zero.expect("reductions are of scalars")
                }
            });
        }
        Op::Struct(parts, wide.struct_name().cloned())
    }

    /// The function on what is needed.
    fn function(&self, program: &mut Program, func: BodyId, ty: &Type, loc: Loc) -> BodyId {
        let old = program.bodies[func].clone();
        let mut stmts = Vec::new();
        let mut params = Vec::new();
        for param in old.params {
            let packed = program.fresh(ty.clone());
            let wide = program.ty(param).clone();
            let op = self.unpack(program, packed, &wide, loc, &mut stmts);
            stmts.push(Stmt { results: vec![param], op, loc });
            params.push(packed);
        }
        stmts.extend(old.stmts);
        let result = self.pack(program, old.results[0], loc, &mut stmts);
        program.add_body(params, stmts, vec![result])
    }

    /// Merges what is needed.
    fn merges(&self, program: &mut Program, body: BodyId, [old, sink]: [Sink; 2]) {
        for body in program.bodies_within(body) {
            let mut stmts = Vec::new();
            for mut stmt in program.take_stmts(body) {
                if stmt.op.merges_into(old)
                    && let Op::Merge { values, .. } = stmt.op
                {
                    let values = vec![self.pack(program, values[0], stmt.loc, &mut stmts)];
                    stmt.op = Op::Merge { sink, values };
                }
                stmts.push(stmt);
            }
            program.put_stmts(body, stmts);
        }
    }
}

/// The fields that `func`, a function on structs, needs of its arguments for the `read` fields of its results, and these
/// themselves. `None` if it needs more than fields, or nobody knows what for.
fn needed(program: &Program, defs: &Defs, func: BodyId, read: BTreeSet<u32>) -> Option<BTreeSet<u32>> {
    let body = &program.bodies[func];
    fields_read(program, func, &body.params)?;
    let Op::Struct(parts, _) = defs.op(program, body.results[0])? else { return None };
    let is_plain = program.ty(body.results[0]).is_scalars();
    if !is_plain || Effects::of_body(program, defs, func).asserts {
        return None;
    }
    let mut needed = read;
    let mut todo: Vec<Value> = needed.iter().map(|&field| parts[field as usize]).collect();
    let mut seen = BTreeSet::new();
    while let Some(value) = todo.pop() {
        let Some(stmt) = defs.stmt(program, value).filter(|_| seen.insert(value)) else { continue };
        match stmt.op {
            Op::Field(of, field) if body.params.contains(&of) => {
                if needed.insert(field) {
                    todo.push(parts[field as usize]);
                }
            }
            _ => program.for_each_read_of(stmt, &mut |operand| todo.push(operand)),
        }
    }
    Some(needed)
}
