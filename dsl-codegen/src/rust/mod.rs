//! The Rust printer: the low-level code of a program as tokens.
//!
//! What is computed, in which order and by which stores is in the code ([`crate::imp`]); the printer decides nothing
//! but how values are owned: vectors, dictionaries and the structs that hold them are borrowed where they are read,
//! moved where they are used last, and cloned only where they are stored and needed again.
//!
//! A program becomes one expression, a constant of type `Kernel<fn(…) -> R>`:
//!
//! ```text
//! {
//!     mod kernel {
//!         fn run(cx: &Context, v0: &[f64]) -> Result<f64, Fault> { … }
//!         fn call(v0: &[f64]) -> f64 { unwrap(run(Context::ambient(), v0)) }
//!         static INFO: KernelInfo = KernelInfo::new("source", "explanation");
//!         pub(super) const KERNEL: Kernel<fn(&[f64]) -> f64> =
//!             Signature::<(Ref<[f64]>,), f64>::kernel(call, run, &INFO);
//!     }
//!     kernel::KERNEL
//! }
//! ```
//!
//! where every name from outside is an absolute path (see [`Paths`]). The module is what keeps users' types, traits
//! and constants from being found where a type, a method or a variable is meant. A program that calls foreign functions
//! or names structs has no such module, for it must find them where the macro stands; its block imports what it names
//! without a path. So it is of one that reads constants of Rust, or is bound to what it captures (`outside`).

mod aliases;
mod kernel;
mod outside;
mod paths;
mod primitive;
mod structs;
mod taken;
mod types;
mod values;
mod written;

mod foreign;
mod printer;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;

use weldment_core::ir::Loc;

pub(crate) use kernel::stand_in;
pub use kernel::{About, Version, Versions, emit, function};
pub use outside::Outside;
pub use paths::Paths;
pub use structs::{Definition, Structs};
pub(crate) use taken::{Lent, Taken};
pub(crate) use types::lends;

/// Something that cannot be emitted yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The user's token.
    pub loc: Loc,
    /// What it is, as in "not supported yet: …".
    pub what: String,
    /// What there is instead.
    pub help: &'static str,
}

/// What stands before a function of that many parameters, so that clippy does not count them: programs take as many
/// as they need. Nothing is allowed without need, for users may forbid it.
fn allow_parameters(count: usize) -> Option<TokenStream> {
    const CLIPPYS_LIMIT: usize = 7;
    (count > CLIPPYS_LIMIT).then(|| quote!(#[allow(clippy::too_many_arguments)]))
}
