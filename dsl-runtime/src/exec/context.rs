//! The context of one run of a program: what its options mean while it runs.

use std::sync::atomic::AtomicBool;

use crate::exec::cpu::Level;
use crate::exec::dbg::Dbg;
use crate::exec::options::{Options, Progress};
use crate::lang::fault::{Fault, FaultKind, Position};
use crate::mem::budget::{Budget, Charge};
use crate::mem::pool::Pool;

/// How many iterations a loop makes between two [`poll`](Context::poll)s, if it holds no other loops.
pub const STRIP: usize = 16384;

/// How many iterations a loop that holds other loops makes between two [`poll`](Context::poll)s.
pub const OUTER_STRIP: usize = 16;

/// How many iterations a loop makes between two [`poll`](Context::poll)s, if none of the loops that it holds makes more than
/// [`ROW_STRIP`] without one: for loops over rows that are mostly short, which strips of a few rows would slow down.
pub const ROWS_STRIP: usize = 256;

/// How many iterations a loop along such a row makes between two [`poll`](Context::poll)s.
pub const ROW_STRIP: usize = 1024;

/// What a running program asks about its surroundings. Every entry of emitted code takes one.
#[derive(Debug)]
pub struct Context {
    pub(crate) options: Options,
    /// The bytes that the run holds, if they are limited.
    held: Budget,
    /// What the caller gave for the result to be written to.
    pub(crate) results: Option<Pool>,
    /// Whether the elements of the result go elsewhere, so that its memory is that of vectors that the program is done with.
    pub(crate) passes_on: bool,
    /// What vectors of the run have left, if it keeps that.
    pub(crate) left: Option<Pool>,
}

impl Context {
    /// The context of a run with `options`.
    #[inline]
    pub fn new(options: &Options) -> Context {
        let mut context = const { Context::with_pools(None, Some(Pool::new(usize::MAX))) };
        context.options = options.clone();
        context
    }

    /// The context of a run with `options` whose result is written to memory that it is given.
    #[inline(always)]
    pub(crate) fn filling(options: &Options) -> Context {
        // A constant that is copied as a whole: put together from its parts it took a fifth of a call over 16 elements.
        let mut context =
            const { Context::with_pools(Some(Pool::new(usize::MAX)), Some(Pool::new(usize::MAX))) };
        context.options = options.clone();
        context
    }

    /// The context of a plain call: the default options.
    #[inline]
    pub fn ambient() -> &'static Context {
        static AMBIENT: Context = Context::with_pools(None, None);
        &AMBIENT
    }

    /// The context of a run with the default options that has these stocks.
    const fn with_pools(results: Option<Pool>, left: Option<Pool>) -> Context {
        Context { options: Options::new(), held: Budget::new(), results, passes_on: false, left }
    }

    /// The context of a run with `options` the elements of whose result are moved elsewhere; who does so recycles its memory.
    pub(crate) fn passing_on(options: &Options) -> Context {
        Context { passes_on: true, ..Context::new(options) }
    }

    /// A context for what the runtime does beside the program, as quick as it can: it is neither reported nor cancelled.
    pub(crate) fn unseen(&self) -> Context {
        let chosen = self.options.chosen();
        Context::new(&Options::new().threads(chosen.threads).testing(chosen.testing))
    }

    /// The number of threads that loops are split over.
    pub fn threads(&self) -> usize {
        match self.options.chosen().threads {
            0 => default_threads(),
            threads => threads,
        }
    }

    /// The number of threads that a pool of this run's own has, if it is to have one.
    pub(crate) fn own_threads(&self) -> Option<usize> {
        (self.options.chosen().threads > 0).then_some(self.options.chosen().threads)
    }

    /// The level that [`dispatch`](crate::exec::cpu::dispatch) takes.
    #[inline(never)]
    pub fn level(&self) -> Level {
        let level = Level::detect();
        match self.options.chosen().testing.isa {
            None => level,
            Some(cap) => level.at_most(cap),
        }
    }

    /// The same for a loop that does next to nothing for what it reads and writes.
    #[inline(never)]
    pub fn level_of_streams(&self) -> Level {
        self.level().of_streams()
    }

    /// The bytes that the run may allocate, if that is limited.
    pub fn memory_limit(&self) -> Option<u64> {
        self.options.chosen().memory_limit
    }

    /// Counts `bytes` that are about to be allocated; the fault MemoryLimit if the run may not hold so many more.
    /// Builders ask when they grow, which is seldom, and never per element.
    #[inline(never)]
    pub fn charge(&self, bytes: usize) -> Result<(), Fault> {
        match self.options.chosen().memory_limit {
            None => Ok(()),
            Some(limit) => self.held.charge(bytes as u64, limit),
        }
    }

    /// Counts `bytes` that were freed.
    #[inline(never)]
    pub fn discharge(&self, bytes: usize) {
        if self.options.chosen().memory_limit.is_some() {
            self.held.discharge(bytes as u64);
        }
    }

    /// Runs a loop of `n` iterations that holds no other loops: in strips of [`STRIP`], with a
    /// [`poll`](Context::poll) between them. `body` takes the first iteration of a strip, and their number. There is
    /// always one strip, if `n` is 0 an empty one.
    ///
    /// # Errors
    /// What `body` gives; the fault Cancelled.
    #[inline(always)]
    pub fn strips(&self, n: usize, body: impl FnMut(usize, usize) -> Result<(), Fault>) -> Result<(), Fault> {
        self.strips_of::<STRIP>(n, body)
    }

    /// As [`strips`](Context::strips), of [`OUTER_STRIP`] iterations: for a loop that holds others.
    ///
    /// # Errors
    /// As for [`strips`](Context::strips).
    #[inline(always)]
    pub fn outer_strips(
        &self,
        n: usize,
        body: impl FnMut(usize, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.strips_of::<OUTER_STRIP>(n, body)
    }

    /// As [`strips`](Context::strips), of [`ROWS_STRIP`] iterations: for a loop over rows that are mostly short.
    ///
    /// # Errors
    /// As for [`strips`](Context::strips).
    #[inline(always)]
    pub fn rows_strips(
        &self,
        n: usize,
        body: impl FnMut(usize, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.strips_of::<ROWS_STRIP>(n, body)
    }

    /// As [`strips`](Context::strips), of [`ROW_STRIP`] iterations: for what is left of such a row behind its first iterations.
    ///
    /// # Errors
    /// As for [`strips`](Context::strips).
    #[inline(always)]
    pub fn row_strips(
        &self,
        n: usize,
        body: impl FnMut(usize, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.strips_of::<ROW_STRIP>(n, body)
    }

    #[inline(always)]
    fn strips_of<const N: usize>(
        &self,
        n: usize,
        mut body: impl FnMut(usize, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut first = 0;
        loop {
            let rest = n - first;
            body(first, if rest > N { N } else { rest })?;
            if rest <= N {
                return Ok(());
            }
            self.poll()?;
            first += N;
        }
    }

    /// Whether the run may go on; the fault Cancelled if the caller has cancelled it. Long loops ask this now
    /// and then; the driver asks before each chunk.
    #[inline]
    pub fn poll(&self) -> Result<(), Fault> {
        match &self.options.chosen().cancel {
            Some(cancel) if cancel.is_cancelled() => Err(cancelled()),
            _ => Ok(()),
        }
    }

    /// The flag that [`poll`](Context::poll) looks at, of which one is that nobody sets.
    pub fn cancelled(&self) -> &AtomicBool {
        static NEVER: AtomicBool = AtomicBool::new(false);
        match &self.options.chosen().cancel {
            Some(cancel) => cancel.flag(),
            None => &NEVER,
        }
    }

    /// Whether the caller gave a progress callback.
    #[inline]
    pub(crate) fn wants_progress(&self) -> bool {
        self.options.chosen().progress.is_some()
    }

    /// Tells the caller that `done` of `total` iterations of a loop are done, if the caller wants to know. The driver does
    /// so after each chunk.
    #[inline]
    pub fn report(&self, done: u64, total: u64) {
        if let Some(progress) = &self.options.chosen().progress {
            progress(Progress { done, total });
        }
    }

    /// Shows what `dbg` at `position` is of: to the caller, if the caller wants it, or on stderr.
    #[cold]
    pub fn show(&self, file: &str, position: Position, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let dbg = Dbg::new(file, position, &text);
        match &self.options.chosen().dbg {
            Some(callback) => callback(&dbg),
            None => dbg.print(),
        }
    }
}

impl Charge for Context {
    #[inline]
    fn charge(&self, bytes: usize) -> Result<(), Fault> {
        self.charge(bytes)
    }

    #[inline]
    fn discharge(&self, bytes: usize) {
        self.discharge(bytes);
    }
}

/// The context of another run with the same options, which holds nothing yet.
impl Clone for Context {
    fn clone(&self) -> Context {
        Context::new(&self.options)
    }
}

/// The number of threads that a run uses whose options do not say.
fn default_threads() -> usize {
    if cfg!(miri) { 2 } else { rayon::current_num_threads() }
}

#[cold]
#[inline(never)]
fn cancelled() -> Fault {
    Fault::new(FaultKind::Cancelled, "", Position::default())
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use super::*;
    use crate::exec::options::Cancel;
    use crate::exec::options::Options;
    use crate::lang::fault::FaultKind;

    #[test]
    fn memory_is_counted_up_to_the_limit() {
        let cx = Context::new(&Options::new().memory_limit(100));
        assert!(cx.charge(60).is_ok());
        assert!(cx.charge(60).is_err());
        cx.discharge(30);
        assert!(cx.charge(71).is_err() && cx.charge(70).is_ok());
    }

    #[test]
    fn strips_end_where_the_loop_ends() {
        let mut strips = Vec::new();
        let mut note = |first, n| {
            strips.push((first, n));
            Ok(())
        };
        let cx = Context::ambient();
        cx.strips(STRIP + 5, &mut note).unwrap();
        cx.rows_strips(ROWS_STRIP + 5, &mut note).unwrap();
        cx.row_strips(ROW_STRIP + 5, &mut note).unwrap();
        let expected = [STRIP, ROWS_STRIP, ROW_STRIP].map(|strip| [(0, strip), (strip, 5)]);
        assert_eq!(strips, expected.concat());
    }

    #[test]
    fn a_run_is_cancelled_between_strips() {
        {
            let cancel = Cancel::new();
            let mut done = 0;
            let stopped = Context::new(&Options::new().cancel(&cancel)).outer_strips(100, |_, n| {
                done += n;
                cancel.cancel();
                Ok(())
            });
            assert_eq!((done, stopped.unwrap_err().kind), (16, FaultKind::Cancelled));
        }
        {
            let cancel = Cancel::new();
            let cx = Context::new(&Options::new().cancel(&cancel));
            assert!(cx.poll().is_ok());
            cancel.cancel();
            assert_eq!(cx.poll().unwrap_err().to_string(), "cancelled");
        }
    }

    #[test]
    fn progress_is_reported() {
        let done = Arc::new(AtomicU64::new(0));
        let seen = done.clone();
        let options = Options::new().progress(move |progress| seen.store(progress.done, Ordering::Relaxed));
        Context::new(&options).report(3, 10);
        assert_eq!(done.load(Ordering::Relaxed), 3);
    }
}
