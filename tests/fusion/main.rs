//! Fusion: one table of programs, how many loops and intermediates are left of each, what it comes to on every
//! executor, and what a run allocates. `docs/src/fusion.md` is the same table, for people.

#[path = "../alloc/allocator.rs"]
mod allocator;
// Shared with other tests, which use more of it.
#[allow(dead_code)]
#[path = "../it/executors.rs"]
mod executors;

mod size;

mod table;

mod cases;

mod allocations;
mod measure;
mod opaque;
mod page;
mod results;
mod structure;

use opaque::foreign;
