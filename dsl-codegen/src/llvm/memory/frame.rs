//! What one thread allocates in: small blocks, cut from slabs. Why that is sound, [`memory`](super) says.
#![allow(unsafe_code)]

use std::iter;
use std::ptr;
use std::sync::atomic::AtomicBool;

use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::mem::budget::Charge;
use weldment_runtime::store::partition::SharedPartitions;

use super::placed::Growing;
use super::{Run, Slab};

/// Blocks of this size and more belong to the run, each on its own.
const LARGE: usize = 1 << 14;

/// The sizes of small blocks that are powers of two.
const CLASSES: usize = LARGE.ilog2() as usize;

/// So many small blocks that were given up are at hand.
const SPARE: usize = 16;

/// The sizes of a frame's slabs: the first one, and the largest.
const SLABS: (usize, usize) = (1 << 12, 1 << 20);

/// What a compiled function is called with: where it allocates, and where it leaves its fault.
#[repr(C)]
pub(crate) struct Frame<'r> {
    /// Whether the caller has cancelled the run. Compiled code reads it where a loop polls, so it is the first field.
    pub(crate) cancelled: &'r AtomicBool,
    /// The run that this is part of.
    pub(crate) run: &'r Run<'r>,
    /// The fault that ended the function.
    pub(crate) fault: Option<Fault>,
    /// What the tables of the task that this is the frame of share with those of others, if they can wait.
    pub(crate) shared_partitions: Option<SharedPartitions>,
    /// The number of the loop that the task is of, or 0; each time that one runs it has another.
    pub(crate) of_loop: u64,
    next: *mut u8,
    end: *mut u8,
    slabs: Vec<Slab>,
    /// Small blocks that were given up: for who asks next.
    spare: Vec<(*mut u8, usize)>,
    /// Small blocks that groups have outgrown: by how often a byte is doubled to their size.
    outgrown: [Vec<*mut u8>; CLASSES],
    /// Those that have begun and not ended, outer before inner.
    scopes: Vec<Scope>,
    /// What was appended and is not yet where it belongs.
    pub(super) parts: Vec<Parts>,
}

/// Where a frame was when a scope began: what it has cut since is the scope's.
struct Scope {
    /// How many slabs there were.
    slabs: usize,
    next: *mut u8,
}

/// Vectors that become one.
pub(super) struct Parts {
    pub(super) whole: *mut Growing,
    pub(super) all: Vec<Growing>,
    /// Of an element, in bytes.
    pub(super) size: usize,
    pub(super) align: u64,
}

// SAFETY: the pointers are into the frame's own slabs or blocks of the run, and a frame is used by one thread at a time.
unsafe impl Send for Frame<'_> {}

impl<'r> Run<'r> {
    /// A frame of this run.
    pub(crate) fn frame(&'r self) -> Frame<'r> {
        self.frame_of(0)
    }

    /// A frame of a task of the loop with this number.
    pub(crate) fn frame_of(&'r self, of_loop: u64) -> Frame<'r> {
        Frame {
            cancelled: self.context.cancelled(),
            run: self,
            fault: None,
            shared_partitions: None,
            of_loop,
            next: ptr::null_mut(),
            end: ptr::null_mut(),
            slabs: Vec::new(),
            spare: Vec::new(),
            outgrown: [const { Vec::new() }; CLASSES],
            scopes: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl Frame<'_> {
    /// Memory for `size` bytes, not initialised. The address is aligned and not null, even of no bytes.
    #[inline]
    pub(crate) fn alloc(&mut self, size: u64, align: u64) -> Result<*mut u8, Fault> {
        if !self.spare.is_empty()
            && let Some(block) = self.again(size, align)
        {
            return Ok(block);
        }
        let offset = self.next.align_offset(align as usize);
        let room = self.end as usize - self.next as usize;
        match usize::try_from(size) {
            Ok(size) if size > 0 && offset <= room && size <= room - offset => {
                // SAFETY: offset and size stay within the slab.
                unsafe {
                    let block = self.next.add(offset);
                    self.next = block.add(size);
                    Ok(block)
                }
            }
            _ => self.alloc_slow(size, align),
        }
    }

    /// A block that was given up and has room, if there is one.
    fn again(&mut self, size: u64, align: u64) -> Option<*mut u8> {
        let has_room =
            |&(block, room): &(*mut u8, usize)| size > 0 && size <= room as u64 && is_aligned(block, align);
        let at = self.spare.iter().rposition(has_room)?;
        Some(self.spare.swap_remove(at).0)
    }

    /// Gives up a block of at least `size` bytes, which nobody refers to any more. Small ones stay in their slab, and the frame has so
    /// many of them at hand that a loop gets its own again.
    pub(crate) fn release(&mut self, block: *mut u8, size: u64) {
        // Of what the last slab has, nobody needs to ask the run.
        let is_cut = self.slabs.last().is_some_and(|slab| slab.range().contains(&(block as usize)));
        if size > 0 && (is_cut || !self.run.release(block)) {
            if self.spare.len() == SPARE {
                self.spare.remove(0);
            }
            self.spare.push((block, size as usize));
        }
    }

    /// Begins a scope.
    pub(crate) fn enter(&mut self) {
        self.scopes.push(Scope { slabs: self.slabs.len(), next: self.next });
    }

    /// Ends the scope that began last: nobody refers any more to the small blocks that have been cut since, which are cut anew.
    pub(crate) fn leave(&mut self) {
        let Some(Scope { slabs, next }) = self.scopes.pop() else { return };
        // What was left of the slab that was the last one then, and those that came behind it.
        let rest = slabs.checked_sub(1).map_or(0..0, |last| next as usize..self.slabs[last].range().end);
        let since: Vec<_> = iter::once(rest).chain(self.slabs[slabs..].iter().map(Slab::range)).collect();
        if self.slabs.len() > slabs {
            // The last one of all is the largest, and is cut from its start.
            let last = self.slabs.len() - 1;
            for slab in self.slabs.drain(slabs..last) {
                self.run.discharge(slab.layout.size());
            }
        }
        // Older blocks that were given up go on being at hand.
        let is_older = |block: *mut u8| !since.iter().any(|range| range.contains(&(block as usize)));
        self.spare.retain(|&(block, _)| is_older(block));
        self.outgrown.iter_mut().for_each(|blocks| blocks.retain(|&block| is_older(block)));
        self.next = match self.slabs.get(slabs) {
            Some(last) => last.start,
            None => next,
        };
    }

    /// The fault that a compiled function left when it gave a status other than 0.
    pub(crate) fn take_fault(&mut self) -> Fault {
        // A panic leaves none, and then nobody will see this one.
        self.fault.take().unwrap_or_else(|| Fault::new(FaultKind::Cancelled, "", Position::default()))
    }

    #[cold]
    fn alloc_slow(&mut self, size: u64, align: u64) -> Result<*mut u8, Fault> {
        if size == 0 {
            return Ok(ptr::without_provenance_mut(align as usize));
        }
        let layout = self.run.layout(size, align)?;
        if layout.size() >= LARGE {
            return self.run.large(layout);
        }
        let doubled = self.slabs.last().map_or(SLABS.0, |last| (2 * last.layout.size()).min(SLABS.1));
        let room = doubled.max(layout.size() + layout.align());
        let slab = self.run.layout(room as u64, 64)?;
        let start = self.run.obtain(slab)?;
        self.slabs.push(Slab { start, layout: slab });
        self.next = start;
        // SAFETY: the end of the slab.
        self.end = unsafe { start.add(room) };
        self.alloc(size, align)
    }

    /// Memory for `size` bytes that begins with the first `used` bytes of `block`, which is given up.
    pub(crate) fn regrow(
        &mut self,
        block: *mut u8,
        used: u64,
        size: u64,
        align: u64,
    ) -> Result<*mut u8, Fault> {
        if size as usize >= LARGE
            && let Some(resized) = self.run.resize(block, size as usize)
        {
            return resized;
        }
        let moved = self.alloc(size, align)?;
        if used > 0 {
            // SAFETY: both blocks have at least so many bytes, and a new block overlaps no other.
            unsafe { ptr::copy_nonoverlapping(block, moved, used as usize) };
        }
        Ok(moved)
    }

    /// The same for a group, to which nobody else refers, and of whose block at least half is used: of one that it has outgrown, another group may
    /// be made.
    pub(crate) fn regrow_group(
        &mut self,
        block: *mut u8,
        used: u64,
        size: u64,
        align: u64,
    ) -> Result<*mut u8, Fault> {
        let moved = match self.outgrown(size, align) {
            Some(outgrown) => {
                // SAFETY: both blocks have at least so many bytes, and nobody refers to the one that was outgrown.
                unsafe { ptr::copy_nonoverlapping(block, outgrown, used as usize) };
                outgrown
            }
            None => self.regrow(block, used, size, align)?,
        };
        // Up to half of that, it is no large block, which the run has given back.
        if used > 0 && used <= (LARGE / 2) as u64 {
            self.outgrown[used.ilog2() as usize].push(block);
        }
        Ok(moved)
    }

    /// A block that a group has outgrown, with room for `size` bytes.
    fn outgrown(&mut self, size: u64, align: u64) -> Option<*mut u8> {
        let class = size.checked_next_power_of_two()?.ilog2() as usize;
        let blocks = self.outgrown.get_mut(class)?;
        blocks.pop_if(|block| is_aligned(*block, align))
    }
}

/// Whether `block` is at a multiple of `align`, which is a power of two: by a division, this took half of the time of an allocation.
fn is_aligned(block: *mut u8, align: u64) -> bool {
    block as usize & (align as usize - 1) == 0
}

impl Drop for Frame<'_> {
    /// What the frame has allocated may be referred to by what others go on with.
    fn drop(&mut self) {
        // Of the last slab, scopes may have left nothing.
        if let Some(slab) = self.slabs.pop_if(|slab| slab.start == self.next) {
            self.run.discharge(slab.layout.size());
        }
        if !self.slabs.is_empty() {
            self.run.owned().slabs.append(&mut self.slabs);
        }
    }
}

#[cfg(test)]
mod tests {
    use weldment_runtime::exec::context::Context;
    use weldment_runtime::exec::options::Options;

    use super::*;

    #[test]
    fn groups_are_made_of_what_others_have_outgrown() {
        let context = Context::new(&Options::new());
        let run = Run::new(&context, &[]);
        let mut frame = run.frame();
        let first = frame.alloc(64, 8).unwrap();
        // SAFETY: the block has 64 bytes.
        unsafe { first.write_bytes(7, 64) };
        let moved = frame.regrow_group(first, 64, 128, 8).unwrap();
        // SAFETY: so many were copied.
        assert_eq!(unsafe { std::slice::from_raw_parts(moved, 64) }, [7; 64]);
        assert_ne!(moved, first);
        // One with less room is none, and each is there for one group.
        assert_ne!(frame.regrow_group(ptr::null_mut(), 0, 65, 8).unwrap(), first);
        assert_eq!(frame.regrow_group(ptr::null_mut(), 0, 33, 8).unwrap(), first);
        assert_ne!(frame.regrow_group(ptr::null_mut(), 0, 33, 8).unwrap(), first);
        // Of bytes, it may lie where no number does.
        let block = frame.alloc(65, 1).unwrap();
        let odd = block.wrapping_add(usize::from((block as usize).is_multiple_of(2)));
        frame.regrow_group(odd, 64, 128, 1).unwrap();
        assert_ne!(frame.regrow_group(ptr::null_mut(), 0, 64, 8).unwrap(), odd);
        assert_eq!(frame.regrow_group(ptr::null_mut(), 0, 64, 1).unwrap(), odd);
        // The run has given back a large one.
        let large = frame.alloc(LARGE as u64, 8).unwrap();
        frame.regrow_group(large, (LARGE / 2 + 8) as u64, 4 * LARGE as u64, 8).unwrap();
        assert!(frame.outgrown.iter().all(Vec::is_empty));
    }

    #[test]
    fn what_a_scope_has_cut_is_cut_anew() {
        let context = Context::new(&Options::new().memory_limit(200_000));
        let run = Run::new(&context, &[]);
        let mut frame = run.frame();
        let [before, given_up] = [64, 100].map(|size| frame.alloc(size, 8).unwrap());
        frame.release(given_up, 100);
        frame.enter();
        let first = frame.alloc(200, 8).unwrap();
        frame.release(first, 200);
        frame.leave();
        // One that is older is at hand, one of the scope is not.
        frame.enter();
        assert_eq!(frame.alloc(100, 8).unwrap(), given_up);
        assert_eq!(
            [frame.alloc(200, 8).unwrap(), frame.alloc(8, 8).unwrap()],
            [first, first.wrapping_add(200)]
        );
        frame.leave();
        // However much is cut, and in scopes inside of others, it stays within the limit, and what is older stays as it is.
        // SAFETY: the block has 64 bytes.
        unsafe { before.write_bytes(7, 64) };
        for _ in 0..100 {
            frame.enter();
            for size in [10_000, 3_000, 9_000] {
                frame.enter();
                for _ in 0..3 {
                    let block = frame.alloc(size, 8).unwrap();
                    // SAFETY: the block has so many bytes.
                    unsafe { block.write_bytes(1, size as usize) };
                }
                frame.leave();
            }
            let kept = frame.alloc(5_000, 8).unwrap();
            frame.enter();
            let others = [(); 4].map(|()| frame.alloc(9_000, 8).unwrap());
            assert!(others.iter().all(|&other| other.addr().abs_diff(kept.addr()) >= 5_000));
            frame.leave();
            frame.leave();
        }
        // SAFETY: so many were written, by this alone.
        assert_eq!(unsafe { std::slice::from_raw_parts(before, 64) }, [7; 64]);
    }

    #[test]
    fn blocks_are_counted_and_the_limit_holds() {
        let context = Context::new(&Options::new().memory_limit(100_000));
        let run = Run::new(&context, &[]);
        let rest = |bytes: usize| {
            assert!(run.charge(bytes + 1).is_err() && run.charge(bytes).is_ok());
            run.discharge(bytes);
        };
        let mut frame = run.frame();
        let small = frame.alloc(100, 8).unwrap();
        let slab = SLABS.0;
        rest(100_000 - slab);
        assert_eq!(small as usize % 8, 0);
        let large = frame.alloc(50_000, 8).unwrap();
        rest(50_000 - slab);
        let fault = frame.alloc(50_000, 8).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
        assert_eq!(frame.regrow(large, 50_000, 200_000, 8).unwrap_err().kind, FaultKind::MemoryLimit);
        run.release(large);
        rest(100_000 - slab);
        assert!(frame.alloc(50_000, 8).is_ok());
        assert_eq!(frame.alloc(u64::MAX, 8).unwrap_err().kind, FaultKind::MemoryLimit);
        assert!(Run::unlimited(&context, &[]).frame().alloc(200_000, 8).is_ok());
    }

    #[test]
    fn small_blocks_are_used_again() {
        let run = Run::new(Context::ambient(), &[]);
        let mut frame = run.frame();
        let [first, second] = [1000, 2000].map(|size| frame.alloc(size, 8).unwrap());
        frame.release(first, 1000);
        frame.release(second, 2000);
        assert_eq!(frame.alloc(1500, 8).unwrap(), second);
        let odd = frame.alloc(1, 1).unwrap();
        assert_eq!(odd, first, "what has room is taken");
        let third = frame.alloc(900, 8).unwrap();
        assert!(third != first && third != second);
        frame.release(third.wrapping_add(1), 800);
        assert_ne!(frame.alloc(700, 8).unwrap(), third.wrapping_add(1), "it is not aligned");
        // No more than some are kept.
        let all: Vec<_> = (0..3 * SPARE).map(|_| frame.alloc(100, 8).unwrap()).collect();
        all.iter().for_each(|&block| frame.release(block, 100));
        assert_eq!(frame.spare.len(), SPARE);
        frame.release(ptr::without_provenance_mut(8), 0);
        assert_eq!(frame.spare.len(), SPARE);
    }

    #[test]
    fn growing_keeps_what_was_there() {
        let run = Run::new(Context::ambient(), &[]);
        let mut frame = run.frame();
        let mut block = frame.alloc(4, 4).unwrap();
        let bytes = |block: *mut u8| unsafe { std::slice::from_raw_parts_mut(block, 4) };
        bytes(block).copy_from_slice(b"abcd");
        for size in [1 << 10, 1 << 13, 1 << 15, 1 << 20] {
            block = frame.regrow(block, 4, size, 4).unwrap();
            assert_eq!(bytes(block), b"abcd");
        }
        assert_eq!(frame.alloc(0, 8).unwrap() as usize % 8, 0);
    }
}
