//! What compiled code is told of keys of one word that lie close together: see [`weldment_runtime::store::table::dense`].

use std::ptr;

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::store::table::dense::{Bitmap, DenseRange, Span};

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
pub(crate) struct DenseKeys {
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
    DenseRange(DenseRange),
    Bitmap(Bitmap),
}

impl Default for DenseKeys {
    fn default() -> DenseKeys {
        DenseKeys { kind: NOTHING, least: 0, range: 0, words: ptr::null(), owned: Owned::Nothing }
    }
}

impl DenseKeys {
    /// What is known of these keys, in the order of their entries.
    pub(super) fn of(run: &Run<'_>, keys: &[u64]) -> Result<DenseKeys, Fault> {
        let words = keys.iter().copied();
        let Some(span) = Span::of(words.clone()) else { return Ok(DenseKeys::default()) };
        let close = DenseKeys { least: span.least, range: span.len as u64, ..DenseKeys::default() };
        if span.is_dense(keys.len()) {
            run.charge((size_of::<u32>() * span.len) as u64)?;
            let mut dense = DenseRange::new(span).map_err(|_| out_of_memory())?;
            (0..).zip(words).for_each(|(entry, key)| dense.enter(key, entry));
            let words = dense.slots().as_ptr().cast();
            return Ok(DenseKeys { kind: DENSE, words, owned: Owned::DenseRange(dense), ..close });
        }
        if span.has_bitmap(keys.len()) {
            run.charge((size_of::<u64>() * span.bit_words()) as u64)?;
            let bitmap = Bitmap::of(span, words).map_err(|_| out_of_memory())?;
            let words = bitmap.bits().as_ptr();
            return Ok(DenseKeys { kind: SIEVE, words, owned: Owned::Bitmap(bitmap), ..close });
        }
        Ok(DenseKeys::default())
    }

    /// The bytes that this takes.
    pub(super) fn room(&self) -> usize {
        match &self.owned {
            Owned::Nothing => 0,
            Owned::DenseRange(dense) => size_of_val(dense.slots()),
            Owned::Bitmap(bitmap) => size_of_val(bitmap.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weldment_runtime::exec::context::Context;

    fn of(keys: &[u64]) -> DenseKeys {
        DenseKeys::of(&Run::new(Context::ambient(), &[]), keys).unwrap()
    }

    #[test]
    fn most_of_a_range_has_an_array() {
        let close = of(&[7, 3, 5]);
        assert_eq!((close.kind, close.least, close.range, close.room()), (DENSE, 3, 5, 20));
        let Owned::DenseRange(dense) = &close.owned else { panic!("an array") };
        assert_eq!((dense.slots(), close.words.cast()), (&[2, 0, 3, 0, 1][..], dense.slots().as_ptr()));
    }

    #[test]
    fn some_of_a_range_has_bits() {
        let keys: Vec<u64> = (0..10_000).map(|i| 10 + i * 60).collect();
        let close = of(&keys);
        assert_eq!((close.kind, close.least, close.range), (SIEVE, 10, 60 * 9_999 + 1));
        let Owned::Bitmap(bitmap) = &close.owned else { panic!("bits") };
        let is_set = |at: u64| bitmap.bits()[at as usize / 64] >> (at % 64) & 1 == 1;
        assert!((0..close.range).all(|at| is_set(at) == (at % 60 == 0)));
        assert_eq!((close.words, close.room()), (bitmap.bits().as_ptr(), size_of_val(bitmap.bits())));
    }

    #[test]
    fn others_have_nothing() {
        assert_eq!(of(&[]).kind, NOTHING);
        assert_eq!(of(&[0, u64::MAX]).kind, NOTHING);
        assert_eq!(of(&[0, 1 << 40]).kind, NOTHING);
    }
}
