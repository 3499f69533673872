//! How keys of scalars become words, in memory; compiled code does the same in registers.
//!
//! The leaves are packed from the low end of a word up, a bool as 1 bit and every other scalar in its own size;
//! one that does not fit begins the next word.

use weldment_runtime::key::hash::{Key, SEED};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::scalar_types;

use crate::llvm::layout::{Layout, LeafKind, leaves};

/// Where a leaf stands in the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Its type.
    pub(crate) scalar: Scalar,
    /// Its place in the key's memory, in bytes.
    pub(crate) offset: u64,
    /// The word.
    pub(crate) word: usize,
    /// The lowest bit.
    pub(crate) shift: u32,
}

/// The leaves of a key of scalars, packed; `None` if it holds a vector, or a scalar that is wider than a word.
pub(crate) fn pack(key: &Type) -> Option<Vec<Packed>> {
    let (mut word, mut used) = (0, 0);
    leaves(key)
        .into_iter()
        .map(|leaf| {
            let LeafKind::Scalar(scalar) = leaf.kind else { return None };
            let bits = bits(scalar);
            if bits > u64::BITS {
                return None;
            }
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            let packed = Packed { scalar, offset: leaf.offset, word, shift: used };
            used += bits;
            Some(packed)
        })
        .collect()
}

/// The words of the key at `place`, which has these leaves.
///
/// # Safety
/// They are the leaves of a key at `place`.
pub(crate) unsafe fn words(packed: &[Packed], place: *const u8) -> impl Iterator<Item = u64> {
    packed.chunk_by(|a, b| a.word == b.word).map(move |leaves| {
        // SAFETY: as the caller promises.
        leaves.iter().fold(0, |word, leaf| word | unsafe { leaf.read(place) } << leaf.shift)
    })
}

/// The hash of the key at `place`, which has these leaves: that of a tuple of its words.
///
/// # Safety
/// As for [`words`].
pub(crate) unsafe fn hash(packed: &[Packed], place: *const u8) -> u64 {
    // SAFETY: as the caller promises.
    hash_of_words(unsafe { words(packed, place) })
}

/// The hash of a key of these words.
#[inline(always)]
pub(crate) fn hash_of_words(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(SEED, |state, word| word.hash_after(state))
}

impl Packed {
    /// The bits of the leaf of the key at `place`, from the lowest on.
    ///
    /// # Safety
    /// It is a leaf of a key at `place`.
    pub(crate) unsafe fn read(self, place: *const u8) -> u64 {
        // SAFETY: as the caller promises.
        unsafe {
            let place = place.add(self.offset as usize);
            macro_rules! by_type {
                ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
                    match self.scalar { $(Scalar::$variant => by_type!($kind $ty $bits),)* }
                };
                (Signed i128 $bits:ident) => { unreachable!("no word holds an i128") };
                (Float $ty:ident $bits:ident) => {
                    match place.cast::<$ty>().read() {
                        x if x.is_nan() => $ty::NAN.to_bits() as u64,
                        x => (x + 0.0).to_bits() as u64,
                    }
                };
                ($kind:ident $ty:ident $bits:ident) => { place.cast::<$bits>().read() as u64 };
            }
            scalar_types!(by_type)
        }
    }

    /// The first bit above it.
    pub(crate) fn end(self) -> u32 {
        self.shift + bits(self.scalar)
    }

    /// Writes the leaf, which is no float, to the key at `place`.
    ///
    /// # Safety
    /// There is room for the key that it is a leaf of, whose words these are.
    pub(crate) unsafe fn unpack(self, words: &[u64], place: *mut u8) {
        let size = self.scalar.size();
        let bits = words[self.word] >> self.shift & (u64::MAX >> (u64::BITS - bits(self.scalar)));
        // SAFETY: as the caller promises; the low bytes come first.
        unsafe {
            place.add(self.offset as usize).copy_from_nonoverlapping(bits.to_le_bytes().as_ptr(), size)
        };
    }
}

/// Whether the upper half of the only word of a key of these leaves is always 0.
pub(crate) fn is_narrow(packed: &[Packed]) -> bool {
    packed.last().is_none_or(|leaf| leaf.word == 0 && leaf.end() <= u64::BITS / 2)
}

/// Whether the words of a key are its memory.
pub(crate) fn is_plain(key: &Type) -> bool {
    pack(key).is_some_and(|packed| {
        let whole = packed.last().is_some_and(|last| Layout::of(key).size == 8 * (last.word as u64 + 1));
        whole && packed.iter().all(stands_in_place)
    })
}

/// Whether a leaf has the same bits in the words as in memory.
fn stands_in_place(leaf: &Packed) -> bool {
    let is_there = leaf.offset * 8 == leaf.word as u64 * 64 + leaf.shift as u64;
    is_there && leaf.scalar != Scalar::Bool && !leaf.scalar.is_float()
}

/// The bits that a scalar takes in a word.
pub(crate) fn bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bool => 1,
        _ => 8 * scalar.size() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_that_do_not_fit_begin_the_next_word() {
        let key = Type::structure([Type::I32, Type::BOOL, Type::I32, Type::I64]);
        let places: Vec<(usize, u32)> = pack(&key).unwrap().iter().map(|p| (p.word, p.shift)).collect();
        assert_eq!(places, [(0, 0), (0, 32), (1, 0), (2, 0)]);
        assert_eq!(pack(&Type::structure([])), Some(Vec::new()));
        assert_eq!(pack(&Type::vec(Type::I64)), None);
        assert_eq!(pack(&Type::structure([Type::I64, Scalar::I128.into()])), None);
    }
}
