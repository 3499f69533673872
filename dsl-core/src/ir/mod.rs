//! The loop IR in the MultiCollect style: loops that merge into sinks.

pub mod entity;
pub mod op;

pub use entity::{Arena, BodyId, Entity, Loc, Sink, Value};
pub use op::*;
