//! Fields of reduced structs that nobody reads are not reduced: neither those of the result, nor those that the reducing
//! function needs only for them.
//!
//! ```text
//! r = loop … { sink #0 = reduce by (a, b) { {a.0 + b.0, max(a.1, b.1), a.2 * b.0} }   merge #0, {x, y, z} }   … r.2 …
//! ```
//! ```text
//! r = loop … { sink #0 = reduce by (a, b) { {a.0 + b.0, a.1 * b.0} }   merge #0, {x, z} }   … r.1 …
//! ```

use std::collections::{BTreeSet, HashMap};

use weldment_runtime::lang::types::Type;

use super::reads::{Survey, fields_read};
use crate::analysis::effects::Effects;
use crate::ir::{BodyId, Const, Defs, Loc, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};

/// A reduction by a function, of structs with fields that are not needed.
pub(super) struct Idle {
    sink: Sink,
    /// The fields that are needed.
    fields: Vec<u32>,
}

/// Those in the program.
pub(super) fn idle(program: &Program) -> Vec<Idle> {
    let mut idle = Vec::new();
    let Some(entry) = program.entry else { return idle };
    // Most programs have none, and need no survey.
    let mut known = None;
    program.for_each_stmt(entry, &mut |stmt| {
        let Op::Loop(inner) = &stmt.op else { return };
        for (decl, &result) in inner.sinks.iter().zip(&stmt.results) {
            let SinkKind::Reduce { ty, reducer: Reducer::Func(func), .. } = &decl.kind else { continue };
            let Some(all) = ty.fields().map(<[Type]>::len) else { continue };
            let (defs, survey) = known.get_or_insert_with(|| (Defs::of(program), Survey::of(program)));
            let Some(read) = survey.fields(&[result]) else { continue };
            // What nobody reads at all is dead code.
            let Some(needed) = needed(program, defs, *func, read.clone()) else { continue };
            if !read.is_empty() && needed.len() < all {
                idle.push(Idle { sink: decl.sink, fields: needed.into_iter().collect() });
            }
        }
    });
    idle
}

/// Reduces what is needed of each of `idle`.
pub(super) fn narrow(program: &mut Program, idle: &[Idle]) {
    let mut narrowing =
        Narrowing { idle: idle.iter().map(|idle| (idle.sink, idle)).collect(), sinks: HashMap::new() };
    narrowing.body(program, program.entry.expect("reductions are found in a program"));
}

/// A rewrite of the program with narrower reductions.
struct Narrowing<'a> {
    idle: HashMap<Sink, &'a Idle>,
    /// The sink in place of each.
    sinks: HashMap<Sink, Sink>,
}

impl Narrowing<'_> {
    fn body(&mut self, program: &mut Program, body: BodyId) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            let mut unpacked = Vec::new();
            match &mut stmt.op {
                Op::Loop(inner) => {
                    for (decl, result) in inner.sinks.iter_mut().zip(&mut stmt.results) {
                        if let Some(&idle) = self.idle.get(&decl.sink) {
                            let old = decl.sink;
                            idle.declare(program, decl, result, &mut stmts, &mut unpacked);
                            self.sinks.insert(old, decl.sink);
                        }
                    }
                }
                Op::Merge { sink, values } if self.sinks.contains_key(sink) => {
                    values[0] = self.idle[sink].pack(program, values[0], stmt.loc, &mut stmts);
                    *sink = self.sinks[sink];
                }
                _ => {}
            }
            // Functions are new bodies now, with what may have to be narrower inside.
            stmt.op.for_each_body(|inner| self.body(program, inner));
            stmts.push(stmt);
            stmts.append(&mut unpacked);
        }
        program.put_stmts(body, stmts);
    }
}

impl Idle {
    /// Makes a sink for what is needed of `decl`, with what it needs in `before`, and of its `result` what it was, in
    /// `after`.
    fn declare(
        &self,
        program: &mut Program,
        decl: &mut SinkDecl,
        result: &mut Value,
        before: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) {
        let SinkKind::Reduce { ty: wide, reducer: Reducer::Func(func), init, empty, order } =
            decl.kind.clone()
        else {
            unreachable!("a reduction is found at a sink that reduces by a function")
        };
        let types = wide.fields().expect("a struct");
        let ty = Type::structure(self.fields.iter().map(|&field| types[field as usize].clone()));
        let init = init.map(|init| self.pack(program, init, decl.loc, before));
        let func = self.function(program, func, &ty, decl.loc);
        let sink = program.fresh_sink();
        let kind = SinkKind::Reduce { ty: ty.clone(), reducer: Reducer::Func(func), init, empty, order };
        *decl = SinkDecl { sink, kind, loc: decl.loc };
        let whole = std::mem::replace(result, program.fresh(ty));
        let op = self.unpack(program, *result, &wide, decl.loc, after);
        after.push(Stmt { results: vec![whole], op, loc: decl.loc });
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
}

/// The fields that `func`, a function on structs, needs of its arguments for the `read` fields of its results, and these
/// themselves. `None` if it needs more than fields, or nobody knows what for.
fn needed(program: &Program, defs: &Defs, func: BodyId, read: BTreeSet<u32>) -> Option<BTreeSet<u32>> {
    let body = &program.bodies[func];
    fields_read(program, func, &body.params)?;
    let Op::Struct(parts, _) = defs.op(program, body.results[0])? else { return None };
    let is_plain = program.ty(body.results[0]).is_scalars();
    if !is_plain || Effects::of_body(program, defs, func).is_never_dead() {
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
