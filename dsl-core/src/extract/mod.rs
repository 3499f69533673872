//! Shapes of loops, recognised: a struct named after the shape, with `extract(..) -> Option<Self>`.

mod loops;
mod nested;

pub use loops::{IdentityLoop, MapLoop};
pub use nested::NestedReduction;
