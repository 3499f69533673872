//! What a program says of how it is compiled.

use proc_macro2::Span;

use super::{Expr, Ident};

/// The attributes of a program.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// How many loops are expected to be left.
    pub loops: Option<Claim>,
    /// How many intermediates are expected to be written to memory.
    pub materialized: Option<Claim>,
    /// How many arrays are expected to be computed row by row where they are read.
    pub windows: Option<Claim>,
    /// Whether each intermediate in memory is to be warned of.
    pub warns: bool,
    /// The parameters whose values have versions of their own, and which these are.
    pub versions: Vec<Versions>,
}

impl Attributes {
    /// Whether they say nothing of the optimiser.
    pub fn claim_nothing(&self) -> bool {
        self.loops.is_none() && self.materialized.is_none() && self.windows.is_none() && !self.warns
    }
}

/// A number that is claimed.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The number.
    pub number: usize,
    /// Where it stands.
    pub span: Span,
}

/// `n = [3, 5]`: the values of a parameter that have versions of the program.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The name of the parameter.
    pub param: Ident,
    /// Literals: integers, or `true` and `false`.
    pub values: Vec<Expr>,
}
