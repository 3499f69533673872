//! States of a loop, each of which is made of the one before.

use std::mem::replace;
use std::ops::Deref;

use crate::exec::context::Context;

/// A vector that a loop goes on from: lent by whoever has it, before the first step, and then made by the loop itself.
#[derive(Debug)]
pub enum State<'s, T> {
    /// What the loop starts from.
    Lent(&'s [T]),
    /// What a step has made.
    Made(Vec<T>),
}

impl<T> State<'_, T> {
    /// Takes the next state in place of this one, whose memory is for [states](Context::states) to come, if a step made it.
    pub fn step(&mut self, cx: &Context, next: Vec<T>) {
        if let State::Made(replaced) = replace(self, State::Made(next)) {
            cx.recycle(replaced);
        }
    }
}

impl<T> Deref for State<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            State::Lent(lent) => lent,
            State::Made(made) => made,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::allocate::Memory;
    use crate::exec::options::Options;

    #[test]
    fn two_blocks_suffice() {
        let cx = Context::new(&Options::new());
        let first = [1, 2, 3];
        let mut state = State::Lent(&first[..]);
        let mut places = Vec::new();
        for _ in 0..6 {
            let mut next = cx.states().vector(3).unwrap();
            next.extend(state.iter().map(|x| x * 2));
            places.push(next.as_ptr());
            state.step(&cx, next);
        }
        assert_eq!(*state, [64, 128, 192]);
        places.sort_unstable();
        places.dedup();
        assert_eq!((places.len(), first), (2, [1, 2, 3]));
    }
}
