//! The context of one run of a program: what its options mean while it runs.

use crate::cpu::{Isa, Level};
use crate::fault::{Fault, FaultKind, Position};
use crate::options::{Options, Progress};

/// What a running program asks about its surroundings. Every entry of emitted code takes one.
///
/// ```
/// use weldment_runtime::context::Context;
/// use weldment_runtime::options::Options;
/// assert_eq!(Context::new(&Options::new().threads(3)).threads(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) options: Options,
}

impl Context {
    /// The context of a run with `options`.
    pub fn new(options: &Options) -> Context {
        Context { options: options.clone() }
    }

    /// The context of a plain call: the default options.
    #[inline]
    pub fn ambient() -> &'static Context {
        static AMBIENT: Context = Context { options: Options::new() };
        &AMBIENT
    }

    /// The number of threads that loops are split over.
    pub fn threads(&self) -> usize {
        match self.options.threads {
            0 => rayon::current_num_threads(),
            threads => threads,
        }
    }

    /// The number of threads that a pool of this run's own has, if it is to have one.
    pub(crate) fn own_threads(&self) -> Option<usize> {
        (self.options.threads > 0).then_some(self.options.threads)
    }

    /// The level that [`dispatch`](crate::cpu::dispatch) takes.
    #[inline]
    pub fn level(&self) -> Level {
        let level = Level::detect();
        match self.options.testing.isa {
            None => level,
            Some(cap) => self.capped(level, cap),
        }
    }

    #[cold]
    fn capped(&self, level: Level, cap: Isa) -> Level {
        level.at_most(cap)
    }

    /// The bytes that the run may allocate, if that is limited.
    pub fn memory_limit(&self) -> Option<u64> {
        self.options.memory_limit
    }

    /// Whether the run may go on; the fault Cancelled if the caller has cancelled it. Long loops ask this now
    /// and then; the driver asks before each piece.
    #[inline]
    pub fn poll(&self) -> Result<(), Fault> {
        match &self.options.cancel {
            Some(cancel) if cancel.is_cancelled() => {
                Err(Fault::new(FaultKind::Cancelled, "", Position::default()))
            }
            _ => Ok(()),
        }
    }

    /// Whether the caller gave a progress callback.
    #[inline]
    pub(crate) fn wants_progress(&self) -> bool {
        self.options.progress.is_some()
    }

    /// Tells the caller that `done` of `total` iterations are done.
    #[inline]
    pub(crate) fn report(&self, done: u64, total: u64) {
        if let Some(progress) = &self.options.progress {
            progress(Progress { done, total });
        }
    }
}
