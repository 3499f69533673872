//! Calls that are repeated, since one takes too little to be measured.

use std::hint::black_box;

/// How often.
pub(crate) const CALLS: usize = 1000;

/// The last of the results of a thousand calls.
pub(crate) fn thousandfold<R>(call: impl Fn() -> R) -> R {
    (1..CALLS).for_each(|_| _ = black_box(call()));
    call()
}
