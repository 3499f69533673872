//! Arrays of N dimensions, as kernels are to take and give them.

mod debug;
mod meaning;
mod owned;
mod shape;
mod view;

pub use owned::Array;
pub use shape::ShapeError;
pub use view::{ArrayView, ArrayViewMut};

#[cfg(test)]
mod tests;
