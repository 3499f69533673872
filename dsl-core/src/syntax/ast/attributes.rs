//! What a program says of its own optimisation.

use proc_macro2::Span;

/// The attributes of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    /// How many loops are expected to be left.
    pub loops: Option<Claim>,
    /// How many intermediates are expected to be written to memory.
    pub materialized: Option<Claim>,
    /// How many arrays are expected to be computed row by row where they are read.
    pub windows: Option<Claim>,
    /// Whether each intermediate in memory is to be warned of.
    pub warns: bool,
}

impl Attributes {
    /// Whether they ask for nothing.
    pub fn is_empty(&self) -> bool {
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
