//! Arrays of N dimensions, as kernels take and give them.

mod copy;
mod debug;
mod meaning;
#[cfg(feature = "ndarray")]
mod ndarray;
mod owned;
mod places;
mod shape;
mod units;
mod view;
mod views;

pub use owned::Array;
pub use shape::ShapeError;
pub use view::{ArrayView, ArrayViewMut, Rows};

#[cfg(test)]
mod tests;
