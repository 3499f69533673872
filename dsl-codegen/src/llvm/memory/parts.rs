//! What the tasks of a loop have collected of which it is not known how much that is at most: each has a vector of its own until the loop
//! is done. Then they are put together at once, on all threads.
#![allow(unsafe_code)]

use std::ptr;

use weldment_runtime::exec::threads;
use weldment_runtime::lang::fault::Fault;

use super::Run;
use super::frame::{Frame, Parts};
use super::placed::Growing;

/// A part, and where its bytes belong.
struct Move {
    from: *mut u8,
    to: *mut u8,
    bytes: usize,
}

// SAFETY: whoever has it has both blocks alone.
unsafe impl Send for Move {}

/// From so many bytes on, they are moved on several threads.
const PARALLEL_BYTES: usize = 1 << 20;

impl Run<'_> {
    /// Gives back what `whole` has no elements in.
    ///
    /// # Safety
    /// Nobody else uses the block. Elements have so many bytes.
    pub(crate) unsafe fn shrink(&self, whole: &mut Growing, size: usize) {
        let bytes = whole.len as usize * size;
        match bytes {
            0 => {
                self.release(whole.block);
                whole.block = ptr::null_mut();
            }
            _ => whole.block = self.cut(whole.block, bytes),
        }
        whole.capacity = whole.len;
    }
}

impl Frame<'_> {
    /// Puts `part` behind what `whole` has and those before it, once the loop is done. Elements have this size and alignment.
    ///
    /// # Safety
    /// Both are vectors of such elements; nobody else uses `part` any more, nor `whole` before [`Frame::join`].
    pub(crate) unsafe fn append(&mut self, whole: *mut Growing, part: Growing, size: u64, align: u64) {
        let known = self.parts.iter().position(|parts| ptr::eq(parts.whole, whole));
        let number = known.unwrap_or_else(|| {
            // SAFETY: as the caller promises.
            let all = vec![unsafe { *whole }];
            self.parts.push(Parts { whole, all, size: size as usize, align });
            self.parts.len() - 1
        });
        self.parts[number].all.push(part);
    }

    /// Puts together what was appended.
    ///
    /// # Safety
    /// The vectors that were appended to are still there.
    pub(crate) unsafe fn join(&mut self) -> Result<(), Fault> {
        for parts in std::mem::take(&mut self.parts) {
            // SAFETY: as the caller promises, and as those who appended did.
            unsafe { *parts.whole = self.joined(&parts)? };
        }
        Ok(())
    }

    /// All parts as one; those that are empty leave theirs.
    ///
    /// # Safety
    /// As for [`Frame::join`].
    unsafe fn joined(&mut self, parts: &Parts) -> Result<Growing, Fault> {
        let (mut some, none): (Vec<Growing>, Vec<Growing>) =
            parts.all.iter().copied().partition(|part| part.len > 0);
        none.iter().filter(|part| !part.block.is_null()).for_each(|part| _ = self.run.release(part.block));
        let len: i64 = some.iter().map(|part| part.len).sum();
        if some.len() < 2 {
            return Ok(some.pop().unwrap_or(Growing { block: ptr::null_mut(), len: 0, capacity: 0 }));
        }
        let bytes = len as usize * parts.size;
        let block = self.alloc(bytes as u64, parts.align)?;
        let mut to = block;
        let place = |part: Growing| {
            let part = Move { from: part.block, to, bytes: part.len as usize * parts.size };
            to = to.wrapping_add(part.bytes);
            part
        };
        let moves: Vec<Move> = some.into_iter().map(place).collect();
        let run = self.run;
        let all = |part: Move| {
            // SAFETY: the parts are whole, as the caller promises, and the block has room for all of them.
            unsafe { part.carry_out(run) };
            Ok(())
        };
        match bytes < PARALLEL_BYTES {
            true => moves.into_iter().try_for_each(all)?,
            false => threads::each(run.context, moves, &all)?,
        }
        Ok(Growing { block, len, capacity: len })
    }
}

impl Move {
    /// Moves the part, and frees it.
    ///
    /// # Safety
    /// Both blocks have so many bytes, and nobody else uses them.
    unsafe fn carry_out(self, run: &Run<'_>) {
        // SAFETY: as the caller promises; two blocks do not overlap.
        unsafe { ptr::copy_nonoverlapping(self.from, self.to, self.bytes) };
        run.release(self.from);
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use weldment_runtime::exec::context::Context;
    use weldment_runtime::exec::options::Options;
    use weldment_runtime::mem::budget::Charge;

    use super::*;

    /// A vector of `len` numbers, the first of which is `first`.
    fn growing(frame: &mut Frame<'_>, first: u64, len: u64) -> Growing {
        let block = frame.alloc(8 * len, 8).unwrap();
        // SAFETY: the block has room for them.
        (0..len).for_each(|i| unsafe { block.cast::<u64>().add(i as usize).write(first + i) });
        Growing { block, len: len as i64, capacity: len as i64 }
    }

    #[test]
    fn parts_become_one_in_order_and_are_freed() {
        for (threads, lens) in
            [(2, vec![100_000, 0, 1, 90_000]), (2, vec![0, 5, 7]), (1, vec![0, 0]), (3, vec![3000, 200_000])]
        {
            let context = Context::new(&Options::new().threads(threads).memory_limit(4_000_000));
            let run = Run::new(&context, &[]);
            let mut frame = run.frame();
            let mut whole = Growing { block: ptr::null_mut(), len: 0, capacity: 0 };
            let mut other = growing(&mut frame, 7, 1);
            let mut first = 0;
            for len in lens {
                let part = growing(&mut frame, first, len);
                first += len;
                // SAFETY: nobody else has them.
                unsafe { frame.append(&raw mut whole, part, 8, 8) };
            }
            // SAFETY: they are still there.
            unsafe {
                let part = growing(&mut frame, 8, 2);
                frame.append(&raw mut other, part, 8, 8);
                frame.join().unwrap();
                assert_eq!(
                    std::slice::from_raw_parts(other.block.cast::<u64>(), other.len as usize),
                    [7, 8, 9]
                );
                assert_eq!(whole.len as u64, first);
                let all = (0..first).all(|i| whole.block.cast::<u64>().add(i as usize).read() == i);
                assert!(all, "{threads} threads");
            }
            // Nothing but the whole is left, and some small blocks.
            assert!(run.charge(4_000_000 - 8 * first as usize - 100_000).is_ok());
        }
    }

    #[test]
    fn what_does_not_fit_the_limit_is_a_fault() {
        let context = Context::new(&Options::new().memory_limit(100_000));
        let run = Run::new(&context, &[]);
        let mut frame = run.frame();
        let mut whole = Growing { block: ptr::null_mut(), len: 0, capacity: 0 };
        for _ in 0..2 {
            let part = growing(&mut frame, 0, 4000);
            // SAFETY: nobody else has them.
            unsafe { frame.append(&raw mut whole, part, 8, 8) };
        }
        // SAFETY: they are still there.
        assert!(unsafe { frame.join() }.is_err());
    }

    #[test]
    fn parts_of_one_block_are_placed_and_what_is_free_is_given_back() {
        for (lens, bytes) in [([30_000, 0, 20_000], 400_000), ([0, 0, 7], 56), ([0; 3], 0)] {
            let context = Context::new(&Options::new().memory_limit(2_000_000));
            let run = Run::new(&context, &[]);
            let mut frame = run.frame();
            let block = frame.alloc(8 * 100_000, 8).unwrap();
            let mut whole = Growing { block, len: 0, capacity: 100_000 };
            // SAFETY: the block has so much room, nobody else uses it, and each task has other iterations than the others.
            unsafe {
                let placed = NonNull::new(run.placed.begin(block, 8, 8)).unwrap();
                let task =
                    |number: i64| placed.as_ref().room(&context, number * 33_000, (number + 1) * 33_000);
                let rooms: Vec<*mut u8> = (0..3).map(task).collect();
                for (number, (room, len)) in rooms.into_iter().zip(lens).enumerate() {
                    let numbers = room.cast::<u64>();
                    (0..len as usize).for_each(|i| numbers.add(i).write((100_000 * number + i) as u64));
                    placed.as_ref().place(&Growing { block: room, len, capacity: 33_000 });
                }
                whole.len = run.placed.end(&context, placed);
                run.shrink(&mut whole, 8);
            }
            let expected =
                (0..).zip(lens).flat_map(|(number, len)| (0..len as u64).map(move |i| 100_000 * number + i));
            // SAFETY: so many are there.
            let is = |i: usize| unsafe { whole.block.cast::<u64>().add(i).read() };
            assert!((0..whole.len as usize).map(is).eq(expected));
            assert_eq!((whole.capacity, whole.block.is_null()), (whole.len, bytes == 0));
            assert!(run.charge(2_000_000 - bytes).is_ok() && run.charge(1).is_err());
        }
    }
}
