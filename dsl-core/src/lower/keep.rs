//! `store` and `inline`: what the user says of whether a vector is written to memory becomes part of the sink that collects it.

use std::collections::HashSet;

use super::{Lower, Term};
use crate::infer::typed::Expr;
use crate::ir::{Def, Defs, Keep, Loc, Op, Program, SinkKind, Value};

impl Lower {
    /// The vector or array `of`, of which `keep` is noted. An array is a value then, with elements of its own.
    pub(super) fn kept(&mut self, keep: Keep, of: &Expr, loc: Loc) -> Term {
        let term = self.term(of);
        let value = self.as_value(term, &of.ty, loc);
        self.kept.push((value, keep));
        self.bound(value, loc)
    }
}

/// Marks the sinks that collect what is `kept`. What lies in memory anyway, such as a parameter, has none.
pub(super) fn mark(program: &mut Program, kept: Vec<(Value, Keep)>) {
    if kept.is_empty() {
        return;
    }
    let defs = Defs::of(program);
    // Of what is part of a struct, where it is in that.
    let mut next: Vec<_> = kept.into_iter().map(|(value, keep)| (value, Vec::new(), keep)).collect();
    let mut seen = HashSet::new();
    while let Some((value, mut path, keep)) = next.pop() {
        let Some(Def::Stmt { body, index, result }) = defs.def(value) else { continue };
        if !seen.insert((value, path.clone(), keep)) {
            continue;
        }
        match &mut program.bodies[body].stmts[index].op {
            Op::Loop(inner) => {
                if let SinkKind::Collect { keep: of, .. } = &mut inner.sinks[result].kind {
                    *of = keep;
                }
            }
            Op::Struct(fields, _) => match path.pop() {
                Some(number) => next.push((fields[number], path, keep)),
                // An array, of which the elements are a vector.
                None => next.extend(fields.iter().map(|&field| (field, Vec::new(), keep))),
            },
            Op::Field(of, number) => {
                path.push(*number as usize);
                next.push((*of, path, keep));
            }
            Op::Shape(of, _) => next.push((*of, path, keep)),
            Op::If { then, els, .. } => {
                let sides = [*then, *els];
                next.extend(sides.map(|side| (program.bodies[side].results[result], path.clone(), keep)));
            }
            _ => {}
        }
    }
}
