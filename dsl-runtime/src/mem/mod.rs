//! Memory: what a run may hold, vectors, the pool of used blocks, and large pages.

pub mod budget;
pub mod heap;
pub mod huge_pages;
pub mod pool;
#[doc(hidden)]
pub mod vec;
