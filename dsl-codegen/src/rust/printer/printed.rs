//! What the printer remembers of functions: its own and foreign ones.

use proc_macro2::{Ident, TokenStream};
use weldment_core::ir::Loc;
use weldment_runtime::lang::types::Type;

/// A function as it is printed.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    pub(super) item: TokenStream,
    pub(super) name: Ident,
    pub(super) faults: bool,
    pub(super) takes_context: bool,
}

/// A foreign function, as it is called.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rust) struct Foreign {
    pub(in crate::rust) symbol: String,
    pub(in crate::rust) args: Vec<Type>,
    pub(in crate::rust) result: Type,
    /// The user's token at its first call.
    pub(in crate::rust) loc: Loc,
}
