//! Facts about programs. Analyses change nothing; passes and the verifier ask them.

pub(crate) mod assumptions;
pub mod bounds;
pub mod counted;
pub mod equal;

pub mod depend;
pub mod effects;
pub mod footprints;
pub(crate) mod guarded;
pub mod merges;
pub mod order;
pub mod scans;
pub mod stencils;
pub mod stride;
pub mod windows;

pub mod cost;
pub(crate) mod evaluate;
pub mod graph;
pub(crate) mod rounding;
pub mod structure;
