//! Compaction: those of several values that are kept, one behind the other, without a branch on any of them.

#![expect(unsafe_code, reason = "values are written before it is known which of them are kept")]

/// So many values are skipped at once if none of them is kept. That is common where few are; where many are, the branch is foreseen.
const PART: usize = 16;

/// Writes those of `values` to `to` for which `keep` holds, in order; gives how many they are.
///
/// # Safety
/// There is room for all `L` values at `to`, and nobody else uses it.
#[inline(always)]
pub(crate) unsafe fn compact<T: Copy, const L: usize>(to: *mut T, values: [T; L], keep: [bool; L]) -> usize {
    let (parts, rest) = values.as_chunks::<PART>();
    let (masks, rest_mask) = keep.as_chunks::<PART>();
    let mut len = 0;
    for (part, mask) in parts.iter().zip(masks) {
        let bits = bits(*mask);
        if bits == 0 {
            continue;
        }
        for (i, value) in part.iter().enumerate() {
            // SAFETY: no more values were kept before this one than stand before it, so that there is room for it.
            unsafe { to.add(len).write(*value) };
            len += usize::from(bits >> i & 1);
        }
    }
    for (value, keep) in rest.iter().zip(rest_mask) {
        // SAFETY: as above.
        unsafe { to.add(len).write(*value) };
        len += usize::from(*keep);
    }
    len
}

/// Which of `flags` are set, the first as the lowest bit. Where they come of a comparison of vectors, this is the mask that the CPU has
/// of it, which the compiler sees in this instruction, but not in a loop.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bits(flags: [bool; PART]) -> u16 {
    use std::arch::x86_64::{__m128i, _mm_movemask_epi8, _mm_slli_epi16};
    // SAFETY: the one is as many bytes as the other, and any bytes will do; every CPU of this kind has SSE2.
    unsafe {
        _mm_movemask_epi8(_mm_slli_epi16::<7>(std::mem::transmute::<[bool; PART], __m128i>(flags))) as u16
    }
}

/// Which of `flags` are set, the first as the lowest bit.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn bits(flags: [bool; PART]) -> u16 {
    flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u16::from(flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compacted<const L: usize>(keep: [bool; L]) -> Vec<usize> {
        let mut kept = Vec::with_capacity(L);
        // SAFETY: there is room for `L` values, and as many are initialised as were kept.
        unsafe {
            let len = compact(kept.as_mut_ptr(), std::array::from_fn(|i| i), keep);
            kept.set_len(len);
        }
        kept
    }

    fn check<const L: usize>() {
        let mut random = 1u64;
        for _ in 0..100 {
            // Few, half of them, or many.
            let keep: [bool; L] = std::array::from_fn(|i| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random as usize % 16 < [1, 8, 15][i / PART % 3]
            });
            let expected: Vec<usize> = (0..L).filter(|&i| keep[i]).collect();
            assert_eq!(compacted(keep), expected);
        }
        assert_eq!(compacted([false; L]), []);
        assert_eq!(compacted([true; L]).len(), L);
    }

    #[test]
    fn those_that_are_kept_stand_in_order() {
        check::<16>();
        check::<64>();
        check::<8>();
        check::<40>();
    }

    #[test]
    fn bits_are_flags() {
        for i in 0..PART {
            assert_eq!(bits(std::array::from_fn(|j| i == j)), 1 << i);
        }
        assert_eq!((bits([false; PART]), bits([true; PART])), (0, u16::MAX));
    }
}
