//! Memory: the pool of used blocks, and large pages.

pub mod huge_pages;
pub mod pool;
