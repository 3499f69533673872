//! How many bytes a run holds, where they are limited.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::lang::fault::Fault;

/// What counts the bytes that are allocated and freed: a run.
pub trait Charge {
    /// Counts `bytes` that are about to be allocated; the fault MemoryLimit if there may not be so many more.
    ///
    /// # Errors
    /// MemoryLimit.
    fn charge(&self, bytes: usize) -> Result<(), Fault>;

    /// Counts `bytes` that were freed.
    fn discharge(&self, bytes: usize);
}

/// The bytes that a run holds.
#[derive(Debug)]
pub(crate) struct Budget {
    held: AtomicU64,
}

impl Budget {
    /// Nothing is held.
    pub(crate) const fn new() -> Budget {
        Budget { held: AtomicU64::new(0) }
    }

    /// Counts so many more, if they stay below `limit`.
    pub(crate) fn charge(&self, bytes: u64, limit: u64) -> Result<(), Fault> {
        let within = |held: u64| held.checked_add(bytes).filter(|&held| held <= limit);
        match self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within) {
            Ok(_) => Ok(()),
            Err(_) => Err(Fault::over_limit(bytes, limit)),
        }
    }

    /// Counts so many less.
    pub(crate) fn discharge(&self, bytes: u64) {
        let less = |held: u64| Some(held.saturating_sub(bytes));
        // It gives a value always, so that this cannot fail.
        let _ = self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}
