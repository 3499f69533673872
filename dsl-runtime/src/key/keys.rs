//! The types of keys.

use super::bytes;
use super::hash::{Key, Short, WIDE, sum};
use super::mixing::mix;
use crate::lang::tuples::for_tuples;

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

/// Scalars that a word does not hold.
macro_rules! wide {
    ($($ty:ty)*) => {$(
        impl Key for $ty {
            const BITS: u32 = WIDE;

            #[inline(always)]
            fn bits(&self) -> u64 {
                0
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                mix(mix(state, *self as u64), (*self >> 64) as u64)
            }

            #[inline(always)]
            fn same(&self, other: &$ty) -> bool {
                self == other
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    (Signed i128 $bits:ident) => { wide! { i128 } };
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
            return bytes::hash_after(self, state);
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
            return bytes::same(self, other);
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
        check_one(&(i128::MIN, 1u8), &(i128::MIN, 1u8));
        check_two(&1i128, &(1i128 << 64));
        check_two(&-1i128, &(u64::MAX as i128));
        check_two(&(5i64, ()), &(6i64, ()));
    }

    #[test]
    fn the_number_of_bits_is_known_where_it_is_small() {
        assert_eq!(<(u8, u8)>::BITS, 16);
        assert_eq!(<()>::BITS, 0);
        assert_eq!(<(bool, (i8, i32))>::BITS, 41);
        assert_eq!(<(i64,)>::BITS, 64);
        assert_eq!(<(i64, bool)>::BITS, WIDE);
        assert_eq!((i128::BITS, <i128 as Key>::BITS, <(i128,)>::BITS), (128, WIDE, WIDE));
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
