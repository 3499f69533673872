//! What the tasks of a loop have collected of which it is known how much that is at most: it is placed in one block as tasks end, as the
//! runtime does it in emitted Rust.
#![allow(unsafe_code)]

use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

use weldment_runtime::exec::context::Context;
use weldment_runtime::store::vector::ordered::OrderedOutput;

/// A vector that grows, as compiled code has it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Growing {
    pub(crate) block: *mut u8,
    pub(crate) len: i64,
    /// How many elements there is room for.
    pub(crate) capacity: i64,
}

/// A block in which what tasks collect is placed. Compiled code reads where it is.
#[repr(C)]
pub(crate) struct PlacedBlock {
    block: *mut u8,
    placing: OrderedOutput,
}

// SAFETY: the block is used as `OrderedOutput` says, and that may be done on any thread.
unsafe impl Send for PlacedBlock {}

impl PlacedBlock {
    /// Room for what the task of these iterations collects.
    ///
    /// # Safety
    /// No other task has any of them.
    pub(crate) unsafe fn room(&self, cx: &Context, lo: i64, hi: i64) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { self.placing.room(cx, lo as usize..hi as usize) }
    }

    /// Places what the next task has collected.
    ///
    /// # Safety
    /// It is the next one, `part` is in its room, with as much capacity as it has iterations, and is not used any more.
    pub(crate) unsafe fn place(&self, part: &Growing) {
        let start = self.placing.next();
        // SAFETY: as the caller promises.
        unsafe { self.placing.place(start..start + part.capacity as usize, part.block, part.len as usize) };
    }
}

/// The blocks of a run. Boxed: compiled code holds their addresses while the list grows.
#[derive(Default)]
#[allow(clippy::vec_box)]
pub(crate) struct PlacedBlocks(Mutex<Vec<Box<PlacedBlock>>>);

impl PlacedBlocks {
    /// Begins to place elements of that size and alignment in `block`, which is kept until [`PlacedBlocks::end`].
    ///
    /// # Safety
    /// The block has room for an element of each iteration, and nobody else uses it until then.
    pub(crate) unsafe fn begin(&self, block: *mut u8, size: usize, align: usize) -> *mut PlacedBlock {
        // SAFETY: as the caller promises.
        let placing = unsafe { OrderedOutput::new(block, size, align) };
        let mut placed = Box::new(PlacedBlock { block, placing });
        let address = ptr::from_mut(&mut *placed);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(placed);
        address
    }

    /// Ends that; gives how many elements there are, all at their place.
    ///
    /// # Safety
    /// These blocks have `placed`, and nobody uses it any more.
    pub(crate) unsafe fn end(&self, cx: &Context, placed: NonNull<PlacedBlock>) -> i64 {
        // SAFETY: as the caller promises.
        let len = unsafe { placed.as_ref() }.placing.finish(cx);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| !ptr::eq(&raw const **one, placed.as_ptr()));
        len as i64
    }
}
