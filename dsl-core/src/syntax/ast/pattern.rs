//! Patterns, and the `match` that chooses by them.

use proc_macro2::Span;

use super::{Expr, Ident};

/// What a value is bound to, and what it has to be for that. `&pattern` is read as `pattern`. What `let` and parameters bind
/// is bound in any case: only arms of a `match` and `if let` have the patterns from `Value` on.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A name.
    Name(Ident),
    /// `_`
    Ignore(Span),
    /// `(a, b)`: the fields of a struct.
    Struct(Vec<Pattern>, Span),
    /// `[a, b]`: the elements of a fixed array.
    Elements(Vec<Pattern>, Span),
    /// `Point { x, y: b, .. }`, `Pair(a, b)`: fields of a struct with a name; all of them, unless `..` says so.
    Named(Box<NamedPattern>),
    /// `name @ pattern`
    At(Ident, Box<Pattern>),
    /// `0`, `-1`, `true`, `b"x"`, `RATE`: what is equal to that.
    Value(Box<Expr>),
    /// `a..=b`, `a..b`, `a..`, `..=b`
    Range(Box<RangePattern>),
    /// `Some(pattern)`, or `None`.
    Option(Option<Box<Pattern>>, Span),
    /// `A | B`: two at least.
    Or(Vec<Pattern>),
}

/// `Point { x, y: b, .. }`
#[derive(Clone, Debug)]
pub struct NamedPattern {
    /// The struct.
    pub name: Ident,
    /// Fields and what each is bound to.
    pub fields: Vec<(Ident, Pattern)>,
    /// Whether there is a `..`.
    pub is_partial: bool,
}

/// `a..=b`: integers from a to b. One of both is there.
#[derive(Clone, Debug)]
pub struct RangePattern {
    /// The first.
    pub start: Option<Expr>,
    /// The last, or the first behind it.
    pub end: Option<Expr>,
    /// Whether the end is one of them.
    pub is_closed: bool,
    /// The dots.
    pub span: Span,
}

impl RangePattern {
    /// The expressions in it.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        [&self.start, &self.end].into_iter().flatten()
    }
}

impl Pattern {
    /// The token to blame: a name, a literal, an opening parenthesis, the dots of a range.
    pub fn span(&self) -> Span {
        match self {
            Pattern::Name(name) | Pattern::At(name, _) => name.span,
            Pattern::Named(named) => named.name.span,
            Pattern::Ignore(span)
            | Pattern::Struct(_, span)
            | Pattern::Elements(_, span)
            | Pattern::Option(_, span) => *span,
            Pattern::Value(value) => value.span,
            Pattern::Range(range) => range.span,
            Pattern::Or(alternatives) => alternatives[0].span(),
        }
    }
}

/// `match of { pattern if guard => body, … }`
#[derive(Clone, Debug)]
pub struct Match {
    /// What is looked at.
    pub of: Expr,
    /// The arms, of which the first that matches is taken.
    pub arms: Vec<Arm>,
    /// Whether it is an `if let`, whose `else` is the second arm.
    pub is_if_let: bool,
}

/// `pattern if guard => body`
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it is for.
    pub pattern: Pattern,
    /// What has to hold besides.
    pub guard: Option<Expr>,
    /// What it gives.
    pub body: Expr,
}
