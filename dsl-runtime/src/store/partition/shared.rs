//! How many keys are many, and what the segments of a loop share.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::slab::{FreeList, Regions, Slab};
use crate::exec::context::Context;
use crate::lang::fault::Fault;

/// The number of keys from which on they are many. Miri would take an hour for as many.
pub(super) const PARTITION_THRESHOLD: usize = if cfg!(miri) { 100 } else { 1 << 17 };

/// How many slabs are taken at a time.
const TAKEN: usize = 16;

/// The number of keys from which on a run keeps merges in buckets.
#[inline]
pub fn partition_threshold(cx: &Context) -> usize {
    cx.options.chosen().testing.partition_threshold.unwrap_or(PARTITION_THRESHOLD)
}

/// What the segments of a loop share: whether one of them has met many keys, so that those that begin after it do not begin
/// with a table that they are going to outgrow; how large their tables became otherwise; and what one is done with and another can
/// use: room for merges that wait, look-ups, and tables of few keys. No result depends on it.
#[derive(Clone, Debug)]
pub struct SharedPartitions(Arc<State>);

#[derive(Debug, Default)]
struct State {
    met: AtomicBool,
    /// The most slots that a table of few keys had in the end.
    slots: AtomicUsize,
    regions: Mutex<Regions>,
    idle: Mutex<Vec<Box<dyn Idle>>>,
}

/// What nobody is at, and another may go on with.
pub(crate) trait Idle: Any + Send {
    /// The bytes that it takes.
    fn room(&self) -> usize;
}

impl fmt::Debug for dyn Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.room())
    }
}

// Not derived: what is derived is compiled with each kernel.
#[expect(clippy::derivable_impls, reason = "it is compiled once")]
impl Default for SharedPartitions {
    fn default() -> SharedPartitions {
        SharedPartitions(Arc::default())
    }
}

// What has no type parameter here is compiled once; the tables of each kind of keys and values are not.
impl SharedPartitions {
    /// Whether one has.
    pub fn met(&self) -> bool {
        self.0.met.load(Ordering::Relaxed)
    }

    /// Says that one has.
    pub fn meet(&self) {
        self.0.met.store(true, Ordering::Relaxed);
    }

    pub(crate) fn slots(&self) -> usize {
        self.0.slots.load(Ordering::Relaxed)
    }

    /// Says how many slots a table had in the end.
    pub(crate) fn had(&self, slots: usize) {
        self.0.slots.fetch_max(slots, Ordering::Relaxed);
    }

    /// What was put here last of this type.
    pub(crate) fn take<T: Idle>(&self) -> Option<Box<T>> {
        let idle: Box<dyn Any> = self.take_any(TypeId::of::<T>())?;
        idle.downcast().ok()
    }

    fn take_any(&self, of: TypeId) -> Option<Box<dyn Idle>> {
        let mut idle = self.idle();
        let last = idle.iter().rposition(|idle| (**idle).type_id() == of)?;
        Some(idle.swap_remove(last))
    }

    /// Leaves it to who [takes](SharedPartitions::take) it.
    pub(crate) fn put(&self, idle: Box<dyn Idle>) {
        self.idle().push(idle);
    }

    /// Where slabs come from, once it [is said](SharedPartitions::cut_slabs) how large they are.
    fn regions(&self) -> MutexGuard<'_, Regions> {
        self.0.regions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Slabs are to hold so many bytes, unless there are some already.
    pub(crate) fn cut_slabs(&self, bytes: usize) {
        let mut regions = self.regions();
        if !regions.is_cut() {
            *regions = Regions::of(bytes);
        }
        assert!(regions.bytes() >= bytes, "slabs for rows of another table");
    }

    /// A slab, whose rows are forgotten.
    pub(crate) fn slab(&self, cx: &Context) -> Result<Slab, Fault> {
        self.regions().slab(cx)
    }

    /// A slab, after `free_list` got some.
    pub(crate) fn slabs(&self, cx: &Context, free_list: &mut FreeList) -> Result<Slab, Fault> {
        let mut regions = self.regions();
        regions.fill(cx, free_list, TAKEN)?;
        regions.slab(cx)
    }

    /// Takes slabs that nobody uses, for others.
    pub(crate) fn release(&self, free_list: FreeList) {
        self.regions().release(free_list);
    }

    /// Frees what nobody uses.
    pub(crate) fn free(&self, cx: &Context) {
        self.regions().free(cx);
        cx.discharge(self.idle().drain(..).map(|idle| idle.room()).sum());
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Idle>>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
