//! How large a program may become: macros, aliases and structs of structs multiply what is written, and every stage
//! walks what comes out by recursion.

use proc_macro2::Span;

use super::ty::Ty;
use super::{Infer, Typed};
use crate::diagnostic::{Diagnostic, Kind};

/// How deep expressions may nest once macros are expanded. A chain of operators, methods or `let`s nests, too, as deep
/// as it is long. What is this deep takes some 5 MB of stack where the compiler is compiled without optimisation; rustc
/// gives macros 8 MB, and run-time programs are compiled on a stack of their own.
const MAX_DEPTH: usize = 640;

/// How many levels more an expansion of sugar counts, by what it takes of the stack.
const SUGAR: usize = 4;

/// How many expressions, types and copies of arguments a program may hold once macros and aliases are expanded.
const MAX_NODES: usize = 1 << 18;

/// How many scalars, vectors and structs a type may be made of.
const MAX_PARTS: usize = 1 << 12;

/// What a program has used of its limits.
#[derive(Debug, Default)]
pub(super) struct Limits {
    depth: usize,
    nodes: usize,
}

impl Limits {
    /// Begins an expression.
    pub(super) fn enter(&mut self, span: Span) -> Typed<()> {
        self.deeper(1, span)?;
        self.spend(1, span)
    }

    /// Ends the expression that was begun last.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Begins an expansion of sugar to `nodes` nodes.
    pub(super) fn enter_sugar(&mut self, nodes: usize, span: Span) -> Typed<()> {
        self.deeper(SUGAR, span)?;
        self.spend(nodes, span)
    }

    /// Ends the expansion that was begun last.
    pub(super) fn leave_sugar(&mut self) {
        self.depth -= SUGAR;
    }

    fn deeper(&mut self, levels: usize, span: Span) -> Typed<()> {
        if self.depth + levels > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep, macros and chains included");
            return Err(Diagnostic::new(Kind::Unsupported, span, message).help("name the parts with `let`"));
        }
        self.depth += levels;
        Ok(())
    }

    /// How many nodes there may still be.
    pub(super) fn left(&self) -> usize {
        MAX_NODES - self.nodes
    }

    /// Counts `nodes` more.
    pub(super) fn spend(&mut self, nodes: usize, span: Span) -> Typed<()> {
        if nodes > self.left() {
            let message = format!("macros and types expand to more than {MAX_NODES} expressions");
            let error = Diagnostic::new(Kind::Unsupported, span, message);
            return Err(error.help("a macro copies its arguments: name what repeats with `let`"));
        }
        self.nodes += nodes;
        Ok(())
    }
}

impl Infer<'_> {
    /// Refuses a type that is too large.
    pub(super) fn check_size(&self, ty: &Ty, span: Span) -> Typed<()> {
        let mut left = MAX_PARTS;
        if self.unifier.fits(ty, &mut left) {
            return Ok(());
        }
        let message = format!("this type is made of more than {MAX_PARTS} parts");
        Err(Diagnostic::new(Kind::Unsupported, span, message).help("vectors hold many values of one type"))
    }
}
