//! How many keys are many, and what the segments of a loop share.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::exec::context::Context;

/// The number of keys from which on they are many. Miri would take an hour for as many.
pub(super) const PARTITION_THRESHOLD: usize = if cfg!(miri) { 100 } else { 1 << 17 };

/// The number of keys from which on a run keeps merges in buckets.
#[inline]
pub fn partition_threshold(cx: &Context) -> usize {
    cx.options.chosen().testing.partition_threshold.unwrap_or(PARTITION_THRESHOLD)
}

/// What the segments of a loop share: whether one of them has met many keys, so that those that begin after it do not begin
/// with a table that they are going to outgrow; how large their tables became otherwise; and what one is done with and another can
/// use: room for merges that wait, and tables of few keys. No result depends on it.
#[derive(Clone, Debug, Default)]
pub struct SharedPartitions(Arc<State>);

#[derive(Debug, Default)]
struct State {
    met: AtomicBool,
    /// The most slots that a table of few keys had in the end.
    slots: AtomicUsize,
    /// One for each kind of keys and values.
    rooms: Mutex<Vec<Box<dyn Any + Send>>>,
}

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

    /// What `work` gives of the room of this kind, which it has to itself.
    pub(crate) fn with<Room: Default + Send + 'static, R>(&self, work: impl FnOnce(&mut Room) -> R) -> R {
        let mut rooms = self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        match rooms.iter_mut().find_map(|room| room.downcast_mut::<Room>()) {
            Some(room) => work(room),
            None => {
                let mut room = Room::default();
                let result = work(&mut room);
                rooms.push(Box::new(room));
                result
            }
        }
    }
}
