//! Reductions to one value: the operators, and the lanes that they run in.

pub mod lanes;
pub mod min_max;
pub mod row;
