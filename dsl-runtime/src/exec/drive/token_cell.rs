//! A cell whose value whoever holds its token may change: permission apart from data, as in *GhostCell* (Yanovski, Dang, Jung, Dreyer,
//! ICFP 2021), but that a number compared at run time says which token belongs to which cell.
//!
//! The driver hands the token from thread to thread, and so there is no lock in what is compiled for each type of value. Locking a
//! mutex there was a sixth of the code that one loop hands to the back end.
//!
//! This file may use `unsafe` because a value is changed through a shared reference. What makes it sound: a number is given once, so
//! that one token alone opens a cell, and a value is borrowed no longer than its token is.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// A value that whoever has its token may change.
pub(super) struct TokenCell<T> {
    token: u64,
    value: UnsafeCell<T>,
}

/// The right to change the value of the one cell that it was made with.
pub(super) struct Token(u64);

// SAFETY: a shared reference gives its value only to whoever has a unique reference to its only token, which is one thread at a time; a
// token that goes to another thread does so by what orders the two. The value goes with it, and so must be `Send`.
unsafe impl<T: Send> Sync for TokenCell<T> {}

impl<T> TokenCell<T> {
    /// A cell, and its token.
    pub(super) fn new(value: T) -> (TokenCell<T>, Token) {
        let token = number();
        (TokenCell { token, value: UnsafeCell::new(value) }, Token(token))
    }

    /// The value, as long as the token is borrowed.
    ///
    /// # Panics
    /// If it is the token of another cell.
    pub(super) fn get<'t>(&'t self, token: &'t mut Token) -> &'t mut T {
        if self.token != token.0 {
            of_another_cell();
        }
        // SAFETY: `token` is the only one of this number, since none is given twice and a token cannot be copied; it is borrowed for
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
fn of_another_cell() -> ! {
    panic!("the token is that of another cell")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_a_value_one_after_the_other() {
        let (total, token) = TokenCell::new(0);
        let token = std::sync::Mutex::new(token);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        *total.get(&mut token.lock().unwrap()) += 1;
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 300);
    }

    #[test]
    #[should_panic(expected = "the token is that of another cell")]
    fn the_token_of_another_cell_opens_none() {
        let (one, _) = TokenCell::new(1);
        let (_, mut other) = TokenCell::new(2);
        one.get(&mut other);
    }
}
