//! The memory of a run: everything that compiled code allocates belongs to the run and is freed when it ends.
//!
//! Small blocks are cut from slabs that belong to a [`Frame`], which one thread uses at a time; large blocks and
//! tables belong to the [`Run`], so that any thread may grow them. Every byte is counted before it is
//! asked for, and a request that fails is a fault, not an abort.
//!
//! This file may use `unsafe` because it is an allocator. What makes it sound: a block's layout is kept with it
//! and is the one it is freed with; slabs outlive their frame by moving into the run; and nothing in the run
//! is freed, except by [`Run::resize`] and [`Run::release`], and what a [scope](Frame::leave) has cut when it ends, before the run itself is
//! dropped. What is freed is left to the
//! context, which may keep it for who asks next.
#![allow(unsafe_code)]

mod frame;
mod parts;
pub(crate) mod placed;
mod tables;

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::any::Any;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::mem::budget::Charge;
use weldment_runtime::mem::huge_pages;

pub(crate) use self::frame::Frame;
use self::placed::PlacedBlocks;
use self::tables::Tables;

/// One run of a compiled program.
pub(crate) struct Run<'r> {
    /// Threads, cancellation, progress.
    pub(crate) context: &'r Context,
    /// The types that the code refers to by number.
    pub(crate) types: &'r [Type],
    /// Whether what is allocated counts for the context's limit.
    counts: bool,
    /// How many loops have run.
    loops: AtomicU64,
    owned: Mutex<Owned>,
    /// The tables that it keeps.
    pub(crate) tables: Tables,
    /// The blocks in which tasks place what they collect.
    pub(crate) placed: PlacedBlocks,
    panic: Mutex<Option<Panic>>,
}

/// What a panic carries.
type Panic = Box<dyn Any + Send>;

/// What the run frees.
#[derive(Default)]
struct Owned {
    /// By address.
    blocks: HashMap<usize, Layout>,
    slabs: Vec<Slab>,
}

/// A chunk of memory that is cut into small blocks.
struct Slab {
    start: *mut u8,
    layout: Layout,
}

impl Slab {
    /// Its addresses.
    fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.layout.size()
    }
}

// SAFETY: a slab owns its memory.
unsafe impl Send for Slab {}

impl Charge for Run<'_> {
    fn charge(&self, bytes: usize) -> Result<(), Fault> {
        if self.counts { self.context.charge(bytes) } else { Ok(()) }
    }

    fn discharge(&self, bytes: usize) {
        if self.counts {
            self.context.discharge(bytes);
        }
    }
}

impl<'r> Run<'r> {
    /// A run that has allocated nothing, and may allocate as much as `context` says.
    pub(crate) fn new(context: &'r Context, types: &'r [Type]) -> Run<'r> {
        Run {
            context,
            types,
            counts: true,
            loops: AtomicU64::new(0),
            owned: Mutex::default(),
            tables: Tables::default(),
            placed: PlacedBlocks::default(),
            panic: Mutex::default(),
        }
    }

    /// As [`Run::new`], for what is no memory of the program.
    pub(crate) fn unlimited(context: &'r Context, types: &'r [Type]) -> Run<'r> {
        let mut run = Run::new(context, types);
        run.counts = false;
        run
    }

    /// A number for a loop that begins, which no other has.
    pub(crate) fn next_loop(&self) -> u64 {
        1 + self.loops.fetch_add(1, Ordering::Relaxed)
    }

    /// Memory of `layout`, of any size but 0, counted.
    fn obtain(&self, layout: Layout) -> Result<*mut u8, Fault> {
        let bytes = layout.size();
        self.charge(bytes)?;
        // SAFETY: the size is not 0.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            self.discharge(bytes);
            return Err(Fault::memory(bytes));
        }
        huge_pages::advise_large(block, layout.size());
        Ok(block)
    }

    /// Memory of that alignment and at least that size, of what the run may use again or anew; with its layout.
    fn reuse(&self, layout: Layout) -> Result<(*mut u8, Layout), Fault> {
        if let Some((block, layout)) = self.take_spare(layout) {
            return Ok((block, layout));
        }
        Ok((self.obtain(layout)?, layout))
    }

    /// A block of that alignment and at least that size, if there is one that may be used again and the limit allows it.
    pub(crate) fn take_spare(&self, layout: Layout) -> Option<(*mut u8, Layout)> {
        if !self.counts {
            return None;
        }
        let (block, layout) = self.context.take_block(layout)?;
        if self.charge(layout.size()).is_err() {
            // SAFETY: the block was just taken.
            unsafe { dealloc(block.as_ptr(), layout) };
            return None;
        }
        Some((block.as_ptr(), layout))
    }

    /// Leaves a block that nobody uses any more.
    ///
    /// # Safety
    /// The block was allocated with `layout`, and is no longer the run's.
    unsafe fn leave(&self, block: *mut u8, layout: Layout) {
        if let Some(block) = NonNull::new(block) {
            // SAFETY: as the caller promises; no block is without size.
            unsafe { self.context.release_block(block, layout) };
        }
    }

    fn large(&self, layout: Layout) -> Result<*mut u8, Fault> {
        let (block, layout) = self.reuse(layout)?;
        self.owned().blocks.insert(block as usize, layout);
        Ok(block)
    }

    /// Makes the large block at `block` as large as `size` says; `None` if it is no large block of this run.
    fn resize(&self, block: *mut u8, size: usize) -> Option<Result<*mut u8, Fault>> {
        let old = self.owned().blocks.remove(&(block as usize))?;
        let keep = |block: *mut u8, layout: Layout| self.owned().blocks.insert(block as usize, layout);
        let grown = self.grown(block, old, size);
        match grown {
            Ok((moved, layout)) => {
                keep(moved, layout);
                Some(Ok(moved))
            }
            Err(fault) => {
                keep(block, old);
                Some(Err(fault))
            }
        }
    }

    fn grown(&self, block: *mut u8, old: Layout, size: usize) -> Result<(*mut u8, Layout), Fault> {
        let layout = self.layout(size as u64, old.align() as u64)?;
        if size > old.size()
            && let Some((moved, layout)) = self.take_spare(layout)
        {
            // SAFETY: both blocks have so many bytes, the old one is not in the list any more, and nobody will use it.
            unsafe {
                ptr::copy_nonoverlapping(block, moved, old.size());
                self.leave(block, old);
            }
            self.discharge(old.size());
            return Ok((moved, layout));
        }
        let more = size.saturating_sub(old.size());
        self.charge(more)?;
        // SAFETY: the block was allocated with `old`, and the new size is neither 0 nor too large.
        let moved = unsafe { realloc(block, old, size) };
        if moved.is_null() {
            self.discharge(more);
            return Err(Fault::memory(more));
        }
        huge_pages::advise_large(moved, size);
        Ok((moved, layout))
    }

    /// Frees all but the first `size` bytes, of which there are some, of the large block at `block`, if it is one; gives where they are.
    fn cut(&self, block: *mut u8, size: usize) -> *mut u8 {
        let Some(old) = self.owned().blocks.remove(&(block as usize)) else { return block };
        // SAFETY: the block was allocated with this layout, and is not in the list any more; the new size is less, and not 0.
        let moved = if size < old.size() { unsafe { realloc(block, old, size) } } else { block };
        let (kept, layout) = match Layout::from_size_align(size, old.align()) {
            Ok(layout) if size < old.size() && !moved.is_null() => (moved, layout),
            _ => (block, old),
        };
        self.discharge(old.size() - layout.size());
        self.owned().blocks.insert(kept as usize, layout);
        kept
    }

    /// Frees the large block at `block`, if it is one.
    pub(crate) fn release(&self, block: *mut u8) -> bool {
        let Some(layout) = self.owned().blocks.remove(&(block as usize)) else { return false };
        self.discharge(layout.size());
        // SAFETY: the block was allocated with this layout, and is not in the list any more.
        unsafe { self.leave(block, layout) };
        true
    }

    /// Hands the large block at `block` over to the caller, who frees it with the layout, if it is one that
    /// `fits`.
    pub(crate) fn take_if(&self, block: *mut u8, fits: impl FnOnce(Layout) -> bool) -> Option<Layout> {
        let mut owned = self.owned();
        let layout = *owned.blocks.get(&(block as usize))?;
        if !fits(layout) {
            return None;
        }
        owned.blocks.remove(&(block as usize))
    }

    /// Takes over the memory of `words`, which is counted already, as a block.
    pub(crate) fn adopt(&self, words: Vec<u64>) -> *mut u8 {
        let mut words = ManuallyDrop::new(words);
        let block = words.as_mut_ptr().cast::<u8>();
        if let Ok(layout) = Layout::array::<u64>(words.capacity())
            && layout.size() > 0
        {
            self.owned().blocks.insert(block as usize, layout);
        }
        block
    }

    /// Whether there is a large block at `block`, and it `fits`.
    pub(crate) fn is_block(&self, block: *const u8, fits: impl FnOnce(Layout) -> bool) -> bool {
        self.owned().blocks.get(&(block as usize)).is_some_and(|layout| fits(*layout))
    }

    /// Whether the bytes that the run may allocate are limited.
    pub(crate) fn has_limit(&self) -> bool {
        self.counts && self.context.memory_limit().is_some()
    }

    /// Keeps what a callback of the user's panicked with, until the compiled code has returned.
    pub(crate) fn panicked(&self, payload: Panic) {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }

    /// What a callback panicked with.
    pub(crate) fn take_panic(&self) -> Option<Panic> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn layout(&self, size: u64, align: u64) -> Result<Layout, Fault> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Layout::from_size_align(size, align as usize).map_err(|_| Fault::memory(size))
    }

    fn owned(&self) -> MutexGuard<'_, Owned> {
        self.owned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let blocks = std::mem::take(&mut self.owned().blocks);
        for (block, layout) in blocks {
            // SAFETY: the block was allocated with this layout and nobody uses it after the run.
            unsafe { self.leave(ptr::with_exposed_provenance_mut(block), layout) };
        }
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: the slab was allocated with this layout and nobody uses it after the run.
        unsafe { dealloc(self.start, self.layout) };
    }
}
