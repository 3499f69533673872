//! Keys of dictionaries: equality, hashes, and the bits of short keys.
//!
//! As keys, 0.0 and −0.0 are one, and so are all NaNs. Any type that holds no dictionary is a key.

pub use super::bytes::Short;

use crate::lang::tuples::for_tuples;
use crate::mem::heap::Heap;

/// A type whose values are keys.
pub trait Key: Heap {
    /// The number of low bits of [`Key::bits`] that make out a key; [`WIDE`] for one that a word does not hold.
    const BITS: u32;

    /// A word that is the same for equal keys only, if there are few enough bits; else 0.
    fn bits(&self) -> u64;

    /// The hash of a key after what `state` stands for.
    fn hash_after(&self, state: u64) -> u64;

    /// Whether the two are one key.
    fn same(&self, other: &Self) -> bool;

    /// What tells it from all keys of its type, if it is a vector of few elements of eight bits, such as a word.
    #[inline(always)]
    fn short(&self) -> Option<Short> {
        None
    }

    /// The hash of a key, the same on every machine and in every run.
    #[inline(always)]
    fn hash(&self) -> u64 {
        if Self::BITS <= 64 { mix(SEED, self.bits()) } else { self.hash_after(SEED) }
    }
}

/// The number of bits of keys that do not fit a word.
pub const WIDE: u32 = u32::MAX;

/// The state that a hash begins with: compiled code does the same.
#[doc(hidden)]
pub const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// What each word is multiplied with.
#[doc(hidden)]
pub const FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// What the second and the third word of some bytes are multiplied with: compiled code does the same.
#[doc(hidden)]
pub const BYTES: [u64; 2] = super::bytes::FACTORS;

/// The state after a word, of which every bit reaches every bit of the hash.
#[inline(always)]
pub(super) fn mix(state: u64, word: u64) -> u64 {
    fold(state ^ word, FACTOR)
}

/// The two halves of a product as one.
#[inline(always)]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product as u64) ^ (product >> 64) as u64
}

macro_rules! scalar {
    ($($ty:ty, $bits:expr, $x:ident => $word:expr;)*) => {$(
        impl Key for $ty {
            const BITS: u32 = $bits;

            #[inline(always)]
            fn bits(&self) -> u64 {
                let $x = *self;
                $word
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                mix(state, self.bits())
            }

            #[inline(always)]
            fn same(&self, other: &$ty) -> bool {
                self.bits() == other.bits()
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    (Truth $ty:ident $bits:ident) => { scalar! { $ty, 1, x => x as u64; } };
    // Adding 0.0 makes the two zeros one.
    (Float $ty:ident $bits:ident) => {
        scalar! { $ty, $bits::BITS, x => (if x.is_nan() { $ty::NAN } else { x + 0.0 }).to_bits() as u64; }
    };
    ($kind:ident $ty:ident $bits:ident) => { scalar! { $ty, $bits::BITS, x => x as $bits as u64; } };
}

crate::scalar_types!(each);

impl<T: Key> Key for [T] {
    const BITS: u32 = WIDE;

    #[inline(always)]
    fn bits(&self) -> u64 {
        0
    }

    #[inline]
    fn hash_after(&self, state: u64) -> u64 {
        if T::BITS == 8 {
            return super::bytes::hash_after(self, state);
        }
        let mut state = mix(state, self.len() as u64);
        if T::BITS > 32 {
            return self.iter().fold(state, |state, element| element.hash_after(state));
        }
        // As many elements as fit make one word.
        for elements in self.chunks(64 / T::BITS.max(1) as usize) {
            state = mix(state, elements.iter().fold(0, |word, element| word << T::BITS | element.bits()));
        }
        state
    }

    #[inline]
    fn same(&self, other: &[T]) -> bool {
        if T::BITS == 8 {
            return super::bytes::same(self, other);
        }
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        if T::BITS == 8 { Short::of(self) } else { None }
    }
}

impl<T: Key> Key for Vec<T> {
    const BITS: u32 = WIDE;

    #[inline(always)]
    fn bits(&self) -> u64 {
        0
    }

    #[inline]
    fn hash_after(&self, state: u64) -> u64 {
        self.as_slice().hash_after(state)
    }

    #[inline]
    fn same(&self, other: &Vec<T>) -> bool {
        self.as_slice().same(other)
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        self.as_slice().short()
    }
}

impl<T: Key + ?Sized> Key for &T {
    const BITS: u32 = T::BITS;

    #[inline(always)]
    fn bits(&self) -> u64 {
        (**self).bits()
    }

    #[inline(always)]
    fn hash_after(&self, state: u64) -> u64 {
        (**self).hash_after(state)
    }

    #[inline(always)]
    fn same(&self, other: &&T) -> bool {
        (**self).same(other)
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        (**self).short()
    }
}

/// The bits of a struct: those of its fields, if they fit a word together.
#[doc(hidden)]
pub const fn sum(fields: &[u32]) -> u32 {
    let (mut i, mut bits) = (0, 0u32);
    while i < fields.len() {
        bits = bits.saturating_add(fields[i]);
        i += 1;
    }
    if bits <= 64 { bits } else { WIDE }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        #[allow(unused_variables, clippy::unused_unit)]
        impl<$($name: Key),*> Key for ($($name,)*) {
            const BITS: u32 = sum(&[$($name::BITS),*]);

            #[inline(always)]
            fn bits(&self) -> u64 {
                if Self::BITS > 64 {
                    return 0;
                }
                #[allow(unused_mut)]
                let mut word = 0;
                // A field of 64 bits is the only one that has any.
                $(word = word << ($name::BITS & 63) | self.$index.bits();)*
                word
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                if Self::BITS <= 64 {
                    return mix(state, self.bits());
                }
                $(let state = self.$index.hash_after(state);)*
                state
            }

            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                if Self::BITS <= 64 {
                    return self.bits() == other.bits();
                }
                true $(&& self.$index.same(&other.$index))*
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    fn check_one<K: Key + ?Sized>(a: &K, b: &K) {
        assert!(a.same(b) && b.same(a));
        assert_eq!((a.bits(), a.hash(), a.hash_after(7)), (b.bits(), b.hash(), b.hash_after(7)));
    }

    fn check_two<K: Key + ?Sized>(a: &K, b: &K) {
        assert!(!a.same(b) && !b.same(a));
        assert_ne!(a.hash(), b.hash());
    }

    #[test]
    fn zeros_are_one_key_and_so_are_nans() {
        check_one(&0.0f64, &-0.0);
        check_one(&f64::NAN, &-f64::NAN);
        check_one(&f32::NAN, &f32::from_bits(0x7FC0_0001));
        check_one(&(1u8, -0.0f32), &(1u8, 0.0));
        check_one(&vec![0.0], &vec![-0.0]);
        check_two(&0.0, &f64::MIN_POSITIVE);
        check_two(&f64::NAN, &f64::INFINITY);
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        check_two(&(1u8, 0u8), &(0u8, 1u8));
        check_two(&(-1i8, 0i8), &(0i8, -1i8));
        check_two(&(0u32, 1u32), &(1u32, 0u32));
        check_two(&(vec![1u8], vec![2u8, 3]), &(vec![1u8, 2], vec![3u8]));
        check_two(&vec![0u8], &vec![0u8, 0]);
        check_two(&(1i64, 2i64), &(2i64, 1i64));
        check_one(&((), 5i64), &((), 5i64));
        check_two(&(5i64, ()), &(6i64, ()));
    }

    #[test]
    fn the_number_of_bits_is_known_where_it_is_small() {
        assert_eq!(<(u8, u8)>::BITS, 16);
        assert_eq!(<()>::BITS, 0);
        assert_eq!(<(bool, (i8, i32))>::BITS, 41);
        assert_eq!(<(i64,)>::BITS, 64);
        assert_eq!(<(i64, bool)>::BITS, WIDE);
        assert_eq!(<(u8, Vec<u8>)>::BITS, WIDE);
        assert_eq!((0xABu8, 0xCDu8).bits(), 0xABCD);
    }

    #[test]
    fn borrowed_keys_hash_as_owned_ones() {
        let text: Vec<i8> = (0..100).map(|i| (i * 37) as i8).collect();
        for len in 0..100 {
            assert_eq!(text[..len].hash(), text[..len].to_vec().hash());
            assert_eq!((&text[..len], 1).hash(), (text[..len].to_vec(), 1).hash());
        }
    }

    #[test]
    fn keys_that_differ_in_high_bits_only_spread() {
        let mut tops: Vec<u64> = (0..1000u64).map(|id| (id << 44).hash() >> 54).collect();
        tops.sort();
        tops.dedup();
        assert!(tops.len() > 500, "{} of 1024 places for 1000 keys", tops.len());
    }
}
