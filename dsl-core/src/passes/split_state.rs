//! Keeps the fields of the state of an `iterate` apart, and takes out of it what every step hands on as it is.
//!
//! This is scalar replacement of aggregates for what goes from step to step, and the elimination of what does not change there. The
//! state of `times` is an array: its elements change, its bounds stay. Once the bounds are known to be those of before the first
//! step, indices are proven as in a loop that runs once, and an array of structs may become columns.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: {f64,i64}, v1: f64) {
//!   v2: {f64,i64} = iterate (v3: {f64,i64} = v0) {
//!     v4: f64 = field v3, 0
//!     v5: i64 = field v3, 1
//!     v6: f64 = mul v4, v4
//!     v7: {f64,i64} = struct {v6, v5}
//!     v8: bool = lt v6, v1
//!     yield v7, v8
//!   }
//!   return v2
//! }
//! ```
//! ```text
//! program(v0: {f64,i64}, v1: f64) {
//!   v2: f64 = field v0, 0
//!   v3: i64 = field v0, 1
//!   v4: f64, v5: i64 = iterate (v6: f64 = v2, v7: i64 = v3) {
//!     v8: {f64,i64} = struct {v6, v7}
//!     v9: f64 = field v8, 0
//!     v10: i64 = field v8, 1
//!     v11: f64 = mul v9, v9
//!     v12: {f64,i64} = struct {v11, v10}
//!     v13: bool = lt v11, v1
//!     v14: f64 = field v12, 0
//!     v15: i64 = field v12, 1
//!     yield v14, v15, v13
//!   }
//!   v16: {f64,i64} = struct {v4, v5}
//!   return v16
//! }
//! ```
//! Once `simplify` has taken the structs apart, the next run finds that `v7` is handed on as it is, and reads `v3` in its place.
//!
//! **Declines when** a step reads more of a state than its fields.
//!
//! **Order**: before `fuse-vertical` and `struct-of-arrays`; `simplify` takes the structs that are made and taken apart.

use super::struct_of_arrays::reads::fields_read;
use super::{Changed, Cx, Pass};
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Loc, Op, Program, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "split-state",
    summary: "keep the fields of the state of an iterate apart, and take out of it what stays the same",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut states = States { cx, same: Subst::new(), changed: false };
        states.body(program, entry);
        program.substitute_everywhere(&states.same);
        Changed::from(states.changed)
    },
};

struct States<'a> {
    cx: &'a mut Cx,
    /// States that stay as they are, and what they are before the first step.
    same: Subst,
    changed: bool,
}

impl States<'_> {
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(id) {
            stmt.op.for_each_body(|inner| self.body(program, inner));
            let mut behind = Vec::new();
            if let Op::Iterate { init, body } = &mut stmt.op {
                let mut iterate = Iterate { init, body: *body, results: &mut stmt.results, loc: stmt.loc };
                while let Some(state) = iterate.whole(program)
                    && self.allows()
                {
                    iterate.split(program, state, &mut stmts, &mut behind);
                }
                while let Some(state) = iterate.unchanged(program)
                    && self.allows()
                {
                    iterate.take_out(program, state, &mut self.same);
                }
            }
            stmts.push(stmt);
            behind.reverse();
            stmts.append(&mut behind);
        }
        program.put_stmts(id, stmts);
    }

    fn allows(&mut self) -> bool {
        let allows = self.cx.allows();
        self.changed |= allows;
        allows
    }
}

/// An `iterate` whose states change.
struct Iterate<'a> {
    init: &'a mut Vec<Value>,
    body: BodyId,
    results: &'a mut Vec<Value>,
    loc: Loc,
}

impl Iterate<'_> {
    /// The first state that is a struct of which steps read the fields.
    fn whole(&self, program: &Program) -> Option<usize> {
        let params = &program.bodies[self.body].params;
        params.iter().position(|&param| {
            program.ty(param).fields().is_some_and(|fields| !fields.is_empty())
                && fields_read(program, self.body, &[param]).is_some()
        })
    }

    /// Makes states of the fields of a state.
    fn split(&mut self, program: &mut Program, state: usize, before: &mut Vec<Stmt>, behind: &mut Vec<Stmt>) {
        let (whole, loc) = (program.bodies[self.body].params[state], self.loc);
        let ty = program.ty(whole).clone();
        let (fields, name) = (ty.fields().unwrap_or_default(), ty.struct_name().cloned());
        let count = fields.len();
        let fresh = |program: &mut Program| -> Vec<Value> {
            fields.iter().map(|field| program.fresh(field.clone())).collect()
        };
        let (params, results) = (fresh(program), fresh(program));
        let apart = |program: &mut Program, of: Value, out: &mut Vec<Stmt>| -> Vec<Value> {
            (0..count).map(|field| program.append(Op::Field(of, field as u32), loc, out)).collect()
        };
        let init = apart(program, self.init[state], before);
        self.init.splice(state..=state, init);

        let mut stmts = program.take_stmts(self.body);
        let next = apart(program, program.bodies[self.body].results[state], &mut stmts);
        let op = Op::Struct(params.clone(), name.clone());
        stmts.insert(0, Stmt { results: vec![whole], op, loc });
        program.put_stmts(self.body, stmts);
        let body = &mut program.bodies[self.body];
        body.params.splice(state..=state, params);
        body.results.splice(state..=state, next);

        let op = Op::Struct(results.clone(), name);
        behind.push(Stmt { results: vec![self.results[state]], op, loc });
        self.results.splice(state..=state, results);
    }

    /// The first state that a step hands on as it is.
    fn unchanged(&self, program: &Program) -> Option<usize> {
        let body = &program.bodies[self.body];
        // A common extent is each of those that it was made of, or there is none.
        let is_common = |next: Value, param: Value| {
            body.stmts.iter().any(|stmt| match &stmt.op {
                Op::ZipLen(_, extents) => stmt.results[0] == next && extents.contains(&param),
                _ => false,
            })
        };
        let mut states = body.params.iter().zip(&body.results);
        let unchanged = states.position(|(&param, &next)| next == param || is_common(next, param));
        unchanged.filter(|_| body.params.len() > 1)
    }

    /// Takes a state out, which is what it was before the first step.
    fn take_out(&mut self, program: &mut Program, state: usize, same: &mut Subst) {
        let init = self.init.remove(state);
        let body = &mut program.bodies[self.body];
        same.insert(body.params.remove(state), init);
        body.results.remove(state);
        same.insert(self.results.remove(state), init);
    }
}
