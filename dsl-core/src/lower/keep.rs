//! `store` and `inline`: what the user says of whether a vector is written to memory becomes part of the sink that collects it.

use super::{Lower, Term};
use crate::infer::typed::Expr;
use crate::ir::{Def, Defs, Keep, Loc, Op, Program, SinkKind, Value};

impl Lower {
    /// The vector or array `of`, of which `keep` is noted. An array is a value then, with elements of its own.
    pub(super) fn kept(&mut self, keep: Keep, of: &Expr, loc: Loc) -> Term {
        let term = self.term(of);
        let value = self.as_value(term, &of.ty, loc);
        self.kept.push((value, keep));
        Term::Value(value)
    }
}

/// Marks the sinks that collect what is `kept`. What lies in memory anyway, such as a parameter, has none.
pub(super) fn mark(program: &mut Program, kept: Vec<(Value, Keep)>) {
    if kept.is_empty() {
        return;
    }
    let defs = Defs::of(program);
    let mut next = kept;
    while let Some((value, keep)) = next.pop() {
        let Some(Def::Stmt { body, index, result }) = defs.def(value) else { continue };
        match &mut program.bodies[body].stmts[index].op {
            Op::Loop(inner) => {
                if let SinkKind::Collect { keep: of, .. } = &mut inner.sinks[result].kind {
                    *of = keep;
                }
            }
            Op::Struct(fields, _) => next.extend(fields.iter().map(|&field| (field, keep))),
            Op::Field(of, _) | Op::Shape(of, _) => next.push((*of, keep)),
            Op::If { then, els, .. } => {
                let sides = [*then, *els];
                next.extend(sides.map(|side| (program.bodies[side].results[result], keep)));
            }
            _ => {}
        }
    }
}
