//! Linear probing (Knuth, *The Art of Computer Programming*, volume 3, section 6.4, algorithm L), which all tables with open addressing
//! search by. `tables/probe.rs` of the LLVM printer has the same loop for compiled code.

use std::ops::ControlFlow;

/// Probes place after place, from the one that `hash` names on and around behind the last, until `look` breaks off with what it has found.
/// There are `mask` + 1 places, a power of two; where there are none, `look` is given any number.
#[inline(always)]
pub(super) fn probe<R>(mask: usize, hash: u64, mut look: impl FnMut(usize) -> ControlFlow<R>) -> R {
    let mut place = hash as usize & mask;
    loop {
        if let ControlFlow::Break(found) = look(place) {
            return found;
        }
        place = (place + 1) & mask;
    }
}
