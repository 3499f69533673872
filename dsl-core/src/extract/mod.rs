//! Shapes of loops, recognised: a struct named after the shape, with `extract(..) -> Option<Self>`.

mod loops;

pub use loops::{IdentityLoop, MapLoop};
