//! From the typed tree to the IR: the one module that knows both.
//!
//! Values are lowered where they stand. Builders are not values in the IR: a builder becomes a [`Sink`](crate::ir::Sink), and
//! what happens to it (merges, `for`s and `if`s that merge) is recorded as *actions* of the body at hand, in
//! program order. `result` emits the loop that performs the actions (see `actions`). This is sound because
//! everything but a merge is pure, so a merge may move down to where its builder's result is asked for.
//!
//! The program is type-checked and linear.

mod actions;
mod agree;
mod arrays;
mod choice;
mod context;
mod control;
mod cursor;
mod dbg;
mod expr;
mod fixed_arrays;
mod fold;
mod fuse;
mod halves;
mod iters;
mod keep;
mod numbers;
mod order;
mod pieces;
mod reads;
mod reference;
mod search;
mod shapes;
mod shown;
mod stencil;
mod tables;
mod view;
mod views;

use std::collections::HashMap;

use proc_macro2::Span;
use weldment_runtime::lang::types::UserName;

use crate::constants::Constant;
use crate::diagnostic::position;
use crate::infer::ty::Ty;
use crate::infer::typed::{self, LocalInfo};
use crate::ir::{Builder, Loc, Op, Program, Value};
use crate::source::Positions;
use context::{Lower, Scope, SinkInfo, Term};

/// A lowered program, and where its ops stand in the source.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Line and column of each place.
    pub positions: Positions,
    /// The token of each place, for messages of the macro.
    pub spans: Vec<Span>,
    /// Of the parameters that are written, by their numbers, the structs that borrow: the program has a parameter for each of their fields.
    pub lent: Vec<(usize, UserName)>,
    /// The versions that it asks for: the constants of each.
    pub versions: Vec<Vec<Constant>>,
}

/// Lowers a typed, linear program.
pub fn lower(source: &typed::Program) -> Lowered {
    let mut lower = Lower {
        builder: Builder::new(),
        terms: HashMap::new(),
        sinks: HashMap::new(),
        scopes: vec![Scope::default()],
        positions: Positions::new(),
        spans: Vec::new(),
        kept: Vec::new(),
        is_silent: false,
    };
    for (local, ty) in &source.params {
        let value = lower.builder.add_param(ty.clone());
        let LocalInfo { name, span, .. } = &source.locals[*local];
        let loc = lower.loc(*span);
        lower.positions.push_param(name, loc, source.constants.contains(local));
        let term = lower.argument(value, loc);
        lower.terms.insert(*local, term);
    }
    let result = lower.value(&source.body);
    let mut program = lower.builder.finish(result);
    keep::mark(&mut program, lower.kept);
    Lowered {
        program,
        positions: lower.positions,
        spans: lower.spans,
        lent: source.lent.clone(),
        versions: Vec::new(),
    }
}

impl Lower {
    fn loc(&mut self, span: Span) -> Loc {
        self.spans.push(span);
        self.positions.push(position(span))
    }

    /// The value of a term of type `ty`, which holds no builder.
    fn as_value(&mut self, term: Term, ty: &Ty, loc: Loc) -> Value {
        match term {
            Term::Value(value) => value,
            Term::Array(view) => self.array_value(&view, loc),
            Term::Struct(fields) => {
                let types: Vec<&Ty> = ty.parts().collect();
                let fields = fields.into_iter().zip(types).map(|(field, ty)| self.as_value(field, ty, loc));
                let fields = fields.collect();
                let name = value_type(ty).struct_name().cloned();
                self.builder.push(Op::Struct(fields, name), loc)
            }
            Term::Sink(_) => unreachable!("a builder where a value is needed"),
            Term::Cursor(_) => unreachable!("a cursor where a value is needed"),
        }
    }

    /// `term` with values in place of arrays, and of structs that hold no builders.
    fn stored(&mut self, term: Term, ty: &Ty, loc: Loc) -> Term {
        match term {
            Term::Sink(_) => term,
            Term::Struct(fields) if ty.has_builder() => {
                let fields = fields.into_iter().zip(ty.parts());
                Term::Struct(fields.map(|(field, ty)| self.stored(field, ty, loc)).collect())
            }
            term => Term::Value(self.as_value(term, ty, loc)),
        }
    }
}

/// The type of values that `ty` is.
fn value_type(ty: &Ty) -> weldment_runtime::lang::types::Type {
    ty.to_value().expect("inference has left neither variables nor builders here")
}
