//! How a kernel is to be run: threads, memory, cancellation, progress.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exec::cpu::Isa;
use crate::exec::dbg::{Dbg, DbgFn};
use crate::mem::pool::Buffers;

/// How to run a kernel; [`Kernel::with`](crate::api::kernel::Kernel::with) takes one.
///
/// The default is what a plain call uses: every thread of the rayon pool that the caller is in (the global
/// one outside of any), no limits. A result never depends on the options.
///
/// ```
/// use weldment_runtime::exec::options::{Cancel, Options};
/// let cancel = Cancel::new();
/// let options = Options::new().threads(4).cancel(&cancel);
/// ```
#[derive(Clone, Default)]
pub struct Options(Option<Arc<Chosen>>);

/// What was chosen. Options are a pointer to it, which each run copies, and none where nothing was.
#[derive(Clone, Default)]
pub(crate) struct Chosen {
    pub(crate) threads: usize,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) progress: Option<ProgressFn>,
    pub(crate) dbg: Option<DbgFn>,
    pub(crate) buffers: Option<Buffers>,
    pub(crate) testing: Testing,
}

/// Asks running kernels to stop. Clones are the same token; any thread may hold one.
///
/// ```
/// use weldment_runtime::exec::options::Cancel;
/// let cancel = Cancel::new();
/// let other = cancel.clone();
/// other.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// How far the loop that is running has come: what a progress callback is given.
///
/// ```
/// use weldment_runtime::exec::options::{Options, Progress};
/// let options = Options::new().progress(|Progress { done, total, .. }| println!("{done} of {total}"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The iterations that are done.
    pub done: u64,
    /// The iterations that the loop has in all.
    pub total: u64,
}

/// The most threads that a run may ask for.
const MAX_THREADS: usize = 512;

/// A progress callback.
pub(crate) type ProgressFn = Arc<dyn Fn(Progress) + Send + Sync>;

/// What tests change to reach every path with little data; no part of a program's meaning but `chunk` and
/// `segment`, which are part of the order in which floats are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Testing {
    /// Iterations per chunk, fewer than the plan's.
    pub chunk: Option<u64>,
    /// Iterations per segment, in place of the rule's; rounded up to whole chunks.
    pub segment: Option<u64>,
    /// Whether to split also what is too short to be worth it.
    pub force_parallel: bool,
    /// The highest instruction set to use.
    pub isa: Option<Isa>,
    /// The number of keys from which on a reduction by key uses buckets.
    pub partition_threshold: Option<usize>,
}

impl Options {
    /// The options a plain call uses.
    ///
    /// ```
    /// # use weldment_runtime::exec::options::*;
    /// use weldment_runtime::exec::context::Context;
    /// assert_eq!(Context::new(&Options::new()).memory_limit(), None);
    /// ```
    pub const fn new() -> Options {
        Options(None)
    }

    /// Runs on `threads` threads; 1 is the caller's own, 0 (the default) is as many as the rayon pool has that
    /// the caller is in. A pool is started for each number above 1 when it is first asked for, and kept. More than 512
    /// threads are 512. The interpreter runs on one, whatever the number.
    ///
    /// ```
    /// # use weldment_runtime::exec::options::*;
    /// use weldment_runtime::exec::context::Context;
    /// let sequential = Options::new().threads(1);
    /// assert_eq!(Context::new(&sequential).threads(), 1);
    /// ```
    pub fn threads(mut self, threads: usize) -> Options {
        self.choose().threads = threads.min(MAX_THREADS);
        self
    }

    /// Stops with the fault MemoryLimit before the builders of a kernel hold more than `bytes` bytes, results and
    /// intermediate vectors and dictionaries included, inputs excluded. Everything that was built is freed then.
    ///
    /// Memory is counted where builders grow, and each call begins at 0. A block that a builder leaves for a larger one,
    /// or that is merged into another, counts no more; a whole vector that a program is done with counts until the
    /// run ends. So a run never holds more than `bytes`, and one that makes many short-lived vectors can be stopped
    /// before it does. A filter makes room for all that it may keep before it begins. How much a run holds depends on the number of threads, and so can whether it is stopped. The
    /// interpreter counts what a run would hold as emitted Rust, without the room that builders have to spare.
    ///
    /// ```
    /// # use weldment_runtime::store::vector::growable::with_capacity; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
    /// # static INFO: KernelInfo = KernelInfo::new("", "");
    /// # let zeros = Signature::<(Own<i64>,), Vec<u8>>::kernel(
    /// #     |n| vec![0; n as usize], |cx, n| with_capacity(cx, n as usize), &INFO);
    /// let limited = Options::new().memory_limit(64 << 20); // 64 MiB
    /// assert!(zeros.with(&limited).call(1 << 20).is_ok());
    /// assert_eq!(zeros.with(&limited).call(1 << 30).unwrap_err().kind, FaultKind::MemoryLimit);
    /// ```
    pub fn memory_limit(mut self, bytes: u64) -> Options {
        self.choose().memory_limit = Some(bytes);
        self
    }

    /// Stops with the fault Cancelled soon after `cancel` was cancelled: it is looked at before a run begins, before
    /// each chunk of each loop, in each step of an `iterate`, and within long chunks and sorts.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
    /// # static INFO: KernelInfo = KernelInfo::new("", "");
    /// # let kernel = Signature::<(Own<i64>,), i64>::kernel(|n| n, |cx, n| cx.poll().map(|()| n), &INFO);
    /// let cancel = Cancel::new();
    /// let options = Options::new().cancel(&cancel);
    /// assert_eq!(kernel.with(&options).call(7), Ok(7));
    /// cancel.cancel(); // every run with `options` stops from now on
    /// assert_eq!(kernel.with(&options).call(7).unwrap_err().kind, FaultKind::Cancelled);
    /// ```
    pub fn cancel(mut self, cancel: &Cancel) -> Options {
        self.choose().cancel = Some(cancel.clone());
        self
    }

    /// Calls `callback` after chunks of each loop that is cut into chunks, from whichever thread did one, and never
    /// from two at once for the same loop. In each loop `done` rises from call to call, and is `total` in the
    /// last, unless a fault ends the loop. The callback should return quickly; it may run kernels itself. If it panics,
    /// the run ends and the panic goes on in whoever called the kernel, [`try_call`](crate::api::kernel::Kernel::try_call)
    /// and the like included.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::exec::drive::*; use weldment_runtime::exec::options::*;
    /// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
    /// let done = Arc::new(AtomicU64::new(0));
    /// let seen = done.clone();
    /// let options = Options::new().progress(move |progress| seen.store(progress.done, Ordering::Relaxed));
    /// # let plan = Plan { chunk: 16, task: Task::Any };
    /// # totals(&Context::new(&options), 1000, plan, (), |_| Ok(()), |_, ()| Ok(()))?;
    /// // … run a kernel over 1000 elements with these options …
    /// assert_eq!(done.load(Ordering::Relaxed), 1000);
    /// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
    /// ```
    pub fn progress(mut self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Options {
        self.choose().progress = Some(Arc::new(callback));
        self
    }

    /// Calls `callback` for each evaluation of `dbg(x)`, in place of a line on stderr. It is called by the thread that evaluates it,
    /// by several at once if there are several. A panic of it ends the run and goes on in whoever called the kernel, as one of a
    /// progress callback does.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::exec::options::*;
    /// use std::sync::{Arc, Mutex};
    /// let lines = Arc::new(Mutex::new(Vec::new()));
    /// let to = lines.clone();
    /// let options = Options::new().on_dbg(move |dbg| to.lock().unwrap().push(dbg.to_string()));
    /// # weldment_runtime::ops::dbg::show(&Context::new(&options), "src/main.rs", b"x + 1 = 4", 10, 20);
    /// // … run a kernel with `dbg(x + 1)` in it …
    /// assert_eq!(*lines.lock().unwrap(), ["[src/main.rs:10:20] x + 1 = 4"]);
    /// ```
    pub fn on_dbg(mut self, callback: impl Fn(&Dbg<'_>) + Send + Sync + 'static) -> Options {
        self.choose().dbg = Some(Arc::new(callback));
        self
    }

    /// Takes the memory of vectors that a program stores between its loops from `buffers`, and leaves it there when the
    /// program is done with it: a second run need not ask the system for memory, nor the system clear it. Runs at the same
    /// time may share buffers. Results are memory of their own: `call_into` writes to the caller's.
    ///
    /// What is kept in `buffers` is not counted for a [memory limit](Options::memory_limit); what a run takes from them
    /// is, until the run is done with it.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::exec::allocate::Memory; use weldment_runtime::exec::options::*; use weldment_runtime::mem::pool::Buffers;
    /// let buffers = Buffers::new(256 << 20);
    /// let options = Options::new().buffers(&buffers);
    /// # for _ in 0..2 {
    /// #     let cx = Context::new(&options);
    /// #     cx.recycle(cx.temporaries().vector::<f64>(1000)?);
    /// # }
    /// // … run a kernel that sorts what it maps, again and again …
    /// assert_eq!(buffers.held(), 8000); // of 1000 numbers, between runs
    /// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
    /// ```
    pub fn buffers(mut self, buffers: &Buffers) -> Options {
        self.choose().buffers = Some(buffers.clone());
        self
    }

    /// Changes what only tests change.
    #[doc(hidden)]
    pub fn testing(mut self, testing: Testing) -> Options {
        self.choose().testing = testing;
        self
    }

    fn choose(&mut self) -> &mut Chosen {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    #[inline]
    pub(crate) fn chosen(&self) -> &Chosen {
        static NOTHING: Chosen = Chosen {
            threads: 0,
            memory_limit: None,
            cancel: None,
            progress: None,
            dbg: None,
            buffers: None,
            testing: Testing {
                chunk: None,
                segment: None,
                force_parallel: false,
                isa: None,
                partition_threshold: None,
            },
        };
        self.0.as_deref().unwrap_or(&NOTHING)
    }
}

impl Cancel {
    /// A token that is not cancelled.
    ///
    /// ```
    /// # use weldment_runtime::exec::options::*;
    /// assert!(!Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks every run that was given this token to stop, now and later.
    ///
    /// ```
    /// # use weldment_runtime::exec::options::*;
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancel::cancel`] was called.
    ///
    /// ```
    /// # use weldment_runtime::exec::options::*;
    /// let cancel = Cancel::new();
    /// let seen = cancel.clone(); // the same token
    /// cancel.cancel();
    /// assert!(seen.is_cancelled());
    /// ```
    // A call in a loop, however seldom, keeps what the loop adds up in memory.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen = self.chosen();
        f.debug_struct("Options")
            .field("threads", &chosen.threads)
            .field("memory_limit", &chosen.memory_limit)
            .field("cancel", &chosen.cancel)
            .field("progress", &chosen.progress.as_ref().map(|_| "…"))
            .field("on_dbg", &chosen.dbg.as_ref().map(|_| "…"))
            .field("buffers", &chosen.buffers)
            .field("testing", &chosen.testing)
            .finish()
    }
}
