//! What compiled code is told of keys of one word that lie close together: see [`weldment_runtime::builders::close`].

use std::ptr;

use weldment_runtime::builders::close::{Dense, Sieve, Span};
use weldment_runtime::fault::Fault;

use super::table::out_of_memory;
use crate::llvm::memory::Run;

/// Nothing is known.
pub(crate) const NOTHING: u64 = 0;

/// `words` are an array of `u32`: 0, or 1 more than the number of the entry.
pub(crate) const DENSE: u64 = 1;

/// `words` are bits.
pub(crate) const SIEVE: u64 = 2;

/// What is known; compiled code reads it.
#[repr(C)]
pub(crate) struct Close {
    pub(crate) kind: u64,
    /// The least key.
    pub(crate) least: u64,
    /// 1 more than how far the largest key is from the least.
    pub(crate) range: u64,
    pub(crate) words: *const u64,
    /// What `words` points to.
    owned: Owned,
}

#[derive(Default)]
enum Owned {
    #[default]
    Nothing,
    Dense(Dense),
    Sieve(Sieve),
}

impl Default for Close {
    fn default() -> Close {
        Close { kind: NOTHING, least: 0, range: 0, words: ptr::null(), owned: Owned::Nothing }
    }
}

impl Close {
    /// What is known of these keys, in the order of their entries.
    pub(super) fn of(run: &Run<'_>, keys: &[u64]) -> Result<Close, Fault> {
        let words = keys.iter().copied();
        let Some(span) = Span::of(words.clone()) else { return Ok(Close::default()) };
        let close = Close { least: span.least, range: span.len as u64, ..Close::default() };
        if span.is_dense(keys.len()) {
            run.charge((size_of::<u32>() * span.len) as u64)?;
            let mut dense = Dense::new(span).map_err(|_| out_of_memory())?;
            (0..).zip(words).for_each(|(entry, key)| dense.enter(key, entry));
            let words = dense.slots().as_ptr().cast();
            return Ok(Close { kind: DENSE, words, owned: Owned::Dense(dense), ..close });
        }
        if span.is_sieved(keys.len()) {
            run.charge((size_of::<u64>() * span.bit_words()) as u64)?;
            let sieve = Sieve::of(span, words).map_err(|_| out_of_memory())?;
            let words = sieve.bits().as_ptr();
            return Ok(Close { kind: SIEVE, words, owned: Owned::Sieve(sieve), ..close });
        }
        Ok(Close::default())
    }

    /// The bytes that this takes.
    pub(super) fn room(&self) -> usize {
        match &self.owned {
            Owned::Nothing => 0,
            Owned::Dense(dense) => size_of_val(dense.slots()),
            Owned::Sieve(sieve) => size_of_val(sieve.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weldment_runtime::context::Context;

    fn of(keys: &[u64]) -> Close {
        Close::of(&Run::new(Context::ambient(), &[]), keys).unwrap()
    }

    #[test]
    fn most_of_a_range_has_an_array() {
        let close = of(&[7, 3, 5]);
        assert_eq!((close.kind, close.least, close.range, close.room()), (DENSE, 3, 5, 20));
        let Owned::Dense(dense) = &close.owned else { panic!("an array") };
        assert_eq!((dense.slots(), close.words.cast()), (&[2, 0, 3, 0, 1][..], dense.slots().as_ptr()));
    }

    #[test]
    fn some_of_a_range_has_bits() {
        let keys: Vec<u64> = (0..10_000).map(|i| 10 + i * 60).collect();
        let close = of(&keys);
        assert_eq!((close.kind, close.least, close.range), (SIEVE, 10, 60 * 9_999 + 1));
        let Owned::Sieve(sieve) = &close.owned else { panic!("bits") };
        let is_set = |at: u64| sieve.bits()[at as usize / 64] >> (at % 64) & 1 == 1;
        assert!((0..close.range).all(|at| is_set(at) == (at % 60 == 0)));
        assert_eq!((close.words, close.room()), (sieve.bits().as_ptr(), size_of_val(sieve.bits())));
    }

    #[test]
    fn others_have_nothing() {
        assert_eq!(of(&[]).kind, NOTHING);
        assert_eq!(of(&[0, u64::MAX]).kind, NOTHING);
        assert_eq!(of(&[0, 1 << 40]).kind, NOTHING);
    }
}
