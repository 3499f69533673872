//! How large a program may become: macros, aliases and structs of structs multiply what is written, and every stage
//! walks what comes out by recursion.

use proc_macro2::Span;

use super::context::MAX_NODES;
use super::context::{Infer, Typed};
use super::ty::{MAX_PARTS, Ty, Unifier};
use crate::diagnostic::{Code, Diagnostic};

/// How deep expressions may nest once macros are expanded. A chain of operators or methods nests, too, as deep
/// as it is long. What is this deep takes some 100 MB of stack where the compiler is compiled without optimisation, which has
/// one of its own.
const MAX_DEPTH: usize = 12 << 10;

/// How deep functions may nest: loops in loops. A `map` and the like are two, as its own loop has one.
const MAX_FUNCTIONS: usize = 128;

/// How deep branches may nest. An `else if` is in the one before it.
const MAX_BRANCHES: usize = 640;

/// How many levels more an expansion of sugar counts, by what it takes of the stack.
const SUGAR: usize = 4;

/// How deep written types may nest once aliases and structs are expanded.
const MAX_TYPE_DEPTH: usize = 256;

/// What begins, counts and measures says whether the limits allow it.
impl Infer<'_> {
    /// Begins an expression.
    pub(super) fn enter(&mut self, span: Span) -> bool {
        self.deeper(1, 1, span)
    }

    /// Ends the expression that was begun last.
    pub(super) fn leave(&mut self) {
        self.limits.depth -= 1;
    }

    /// Begins an expansion of sugar to `nodes` nodes.
    pub(super) fn enter_sugar(&mut self, nodes: usize, span: Span) -> bool {
        self.deeper(SUGAR, nodes, span)
    }

    /// Ends the expansion that was begun last.
    pub(super) fn leave_sugar(&mut self) {
        self.limits.depth -= SUGAR;
    }

    /// Begins a row of `operators`, of which an expression as deep may be made.
    pub(super) fn enter_row(&mut self, operators: usize, span: Span) -> bool {
        self.deeper(operators, operators, span)
    }

    /// Ends the row that was begun last.
    pub(super) fn leave_row(&mut self, operators: usize) {
        self.limits.depth -= operators;
    }

    /// Begins the body of a function.
    pub(super) fn enter_function(&mut self, span: Span) -> bool {
        if self.limits.functions == MAX_FUNCTIONS {
            return self
                .exceed(too_deep(format!("functions nest more than {MAX_FUNCTIONS} levels deep"), span));
        }
        self.limits.functions += 1;
        true
    }

    /// Ends the body that was begun last.
    pub(super) fn leave_function(&mut self) {
        self.limits.functions -= 1;
    }

    /// Begins what depends on a condition.
    pub(super) fn enter_branch(&mut self, span: Span) -> bool {
        if self.limits.branches == MAX_BRANCHES {
            return self
                .exceed(too_deep(format!("branches nest more than {MAX_BRANCHES} levels deep"), span));
        }
        self.limits.branches += 1;
        true
    }

    /// Ends the branch that was begun last.
    pub(super) fn leave_branch(&mut self) {
        self.limits.branches -= 1;
    }

    /// Begins a type that is written, or that one of its names stands for.
    pub(super) fn enter_type(&mut self, span: Span) -> bool {
        if self.limits.type_depth >= MAX_TYPE_DEPTH {
            let message = format!(
                "types nest more than {MAX_TYPE_DEPTH} levels deep, those that names stand for included"
            );
            return self.exceed(Diagnostic::new(Code::TooDeep, span, message).help("use fewer levels"));
        }
        let is_allowed = self.spend(1, span);
        self.limits.type_depth += usize::from(is_allowed);
        is_allowed
    }

    /// Ends the type that was begun last.
    pub(super) fn leave_type(&mut self) {
        self.limits.type_depth -= 1;
    }

    fn deeper(&mut self, levels: usize, nodes: usize, span: Span) -> bool {
        if self.limits.depth + levels > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep, macros and chains included");
            return self.exceed(too_deep(message, span));
        }
        let is_allowed = self.spend(nodes, span);
        if is_allowed {
            self.limits.depth += levels;
        }
        is_allowed
    }

    /// Counts `nodes` more.
    pub(super) fn spend(&mut self, nodes: usize, span: Span) -> bool {
        if self.limits.is_exceeded || nodes > self.limits.most - self.limits.nodes {
            let message = format!(
                "functions, macros and types expand to {MAX_NODES} expressions more than are written"
            );
            let error = Diagnostic::new(Code::TooLarge, span, message);
            return self.exceed(error.help("a call is a copy of its function, and a macro's of its arguments, too: name what repeats with `let`"));
        }
        self.limits.nodes += nodes;
        true
    }

    /// Whether a type is not too large.
    pub(super) fn allows(&mut self, ty: &Ty, span: Span) -> bool {
        match check_size(&self.unifier, ty, span) {
            Ok(()) => true,
            Err(error) => self.exceed(error),
        }
    }

    /// Tells whether all types that unification has met were not too large; the last of them stands at `span`.
    pub(super) fn check_growth(&mut self, span: Span) -> bool {
        !self.unifier.is_overgrown() || self.exceed(too_many_parts(span))
    }

    /// Tells that a limit is exceeded, once.
    pub(super) fn exceed(&mut self, error: Diagnostic) -> bool {
        if !std::mem::replace(&mut self.limits.is_exceeded, true) {
            self.errors.push(error);
        }
        false
    }
}

fn too_deep(message: String, span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, span, message).help("name the parts with `let`")
}

/// Refuses a type that is too large.
pub(super) fn check_size(unifier: &Unifier, ty: &Ty, span: Span) -> Typed<()> {
    if unifier.is_too_large(ty) {
        return Err(too_many_parts(span));
    }
    if unifier.is_deeper(ty, MAX_TYPE_DEPTH + 1) {
        let message = format!("this type nests more than {MAX_TYPE_DEPTH} levels deep");
        return Err(Diagnostic::new(Code::TooDeep, span, message).help("use fewer levels"));
    }
    Ok(())
}

fn too_many_parts(span: Span) -> Diagnostic {
    let message = format!("this type is made of more than {MAX_PARTS} parts");
    Diagnostic::new(Code::TooManyParts, span, message).help("vectors hold many values of one type")
}
