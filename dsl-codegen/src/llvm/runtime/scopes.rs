//! Scopes of memory, as compiled code calls them.

use crate::llvm::memory::Frame;

/// Begins a scope.
pub(super) extern "C" fn enter(frame: &mut Frame<'_>) {
    frame.enter();
}

/// Ends the scope that began last: nobody refers to what was allocated since.
pub(super) extern "C" fn leave(frame: &mut Frame<'_>) {
    frame.leave();
}
