//! Builders: what the sinks of a loop fill, unit by unit, and how the units become one result.

pub mod collect;
