//! A value that threads change in turn.
//!
//! Like a mutex, it lends its value to one thread at a time. Who that is, the [`Turn`] says, of which there is one for each
//! value; handing it from thread to thread is left to whoever has it. So all that is compiled for each type of value is a comparison:
//! locking a mutex in generic code was a sixth of what emitted code of one loop hands to the back end.
//!
//! This file may use `unsafe` because a value is changed through a shared reference. What makes it sound: a number is given once, so
//! that one turn alone opens a value, and a value is borrowed no longer than its turn is.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// A value that whoever has its turn may change.
pub(super) struct InTurn<T> {
    turn: u64,
    value: UnsafeCell<T>,
}

/// The right to change the one value that it was made with.
pub(super) struct Turn(u64);

// SAFETY: a shared reference gives its value only to whoever has a unique reference to its only turn, which is one thread at a time; a
// turn that goes to another thread does so by what orders the two. The value goes with it, and so must be `Send`.
unsafe impl<T: Send> Sync for InTurn<T> {}

impl<T> InTurn<T> {
    pub(super) fn new(value: T) -> (InTurn<T>, Turn) {
        let turn = number();
        (InTurn { turn, value: UnsafeCell::new(value) }, Turn(turn))
    }

    /// The value, as long as the turn is borrowed.
    ///
    /// # Panics
    /// If it is the turn of another value.
    pub(super) fn get<'t>(&'t self, turn: &'t mut Turn) -> &'t mut T {
        if self.turn != turn.0 {
            foreign();
        }
        // SAFETY: `turn` is the only one of this number, since none is given twice and a turn cannot be copied; it is borrowed for
        // as long as the value is, so that there is no other reference to it.
        unsafe { &mut *self.value.get() }
    }

    pub(super) fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

/// A number that was not given before.
#[inline(never)]
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[cold]
#[inline(never)]
fn foreign() -> ! {
    panic!("the turn is that of another value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_a_value_in_turn() {
        let (total, turn) = InTurn::new(0);
        let turn = std::sync::Mutex::new(turn);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        *total.get(&mut turn.lock().unwrap()) += 1;
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 300);
    }

    #[test]
    #[should_panic(expected = "the turn is that of another value")]
    fn the_turn_of_another_value_opens_none() {
        let (one, _) = InTurn::new(1);
        let (_, mut other) = InTurn::new(2);
        one.get(&mut other);
    }
}
