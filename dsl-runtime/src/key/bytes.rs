//! Vectors of keys of eight bits, such as words: hashed and compared eight elements at a time, in line. Most are short, and a
//! call of the C library's `memcmp` for one takes as long as the rest of a look-up; so does a branch by their length that is
//! predicted wrongly.

use super::hash::Key;
use super::mixing::{mix, with_len};
use super::short::Short;

impl Short {
    /// The keys, if they are few.
    #[inline(always)]
    pub(super) fn of<T: Key>(keys: &[T]) -> Option<Short> {
        let len = keys.len() as u64;
        if let Some(words) = words(keys) {
            return Some(Short { words, len });
        }
        (keys.len() < 8).then(|| Short { words: [last(keys), 0, 0, 0], len })
    }
}

/// As [`Key::hash_after`].
#[inline]
pub(super) fn hash_after<T: Key>(keys: &[T], state: u64) -> u64 {
    if let Some(short) = Short::of(keys) {
        return short.hash_after(state);
    }
    let (chunks, rest) = keys.as_chunks();
    let state = with_len(state, keys.len() as u64);
    let state = chunks.iter().fold(state, |state, chunk| mix(state, eight(chunk)));
    if rest.is_empty() { state } else { mix(state, last(keys)) }
}

/// All of 8 to 32 keys in four words, which overlap: no branch depends on how many there are.
#[inline(always)]
fn words<T: Key>(keys: &[T]) -> Option<[u64; 4]> {
    let last = keys.len().checked_sub(8).filter(|last| *last <= 24)?;
    let at = |place: usize| keys.get(place.min(last)..).and_then(<[T]>::first_chunk).map_or(0, eight);
    Some([at(0), at(8), at(16), at(last)])
}

/// As [`Key::same`].
#[inline]
pub(super) fn same<T: Key>(keys: &[T], others: &[T]) -> bool {
    if keys.len() != others.len() {
        return false;
    }
    if let (Some(short), Some(other)) = (Short::of(keys), Short::of(others)) {
        return short.words == other.words;
    }
    let ((chunks, rest), (other_chunks, _)) = (keys.as_chunks(), others.as_chunks());
    chunks.iter().zip(other_chunks).all(|(chunk, other)| eight(chunk) == eight(other))
        && (rest.is_empty() || last(keys) == last(others))
}

/// The last eight of some keys, or all of fewer: a word that is the same for no other keys of the same number.
#[inline(always)]
fn last<T: Key>(keys: &[T]) -> u64 {
    if let Some(chunk) = keys.last_chunk() {
        return eight(chunk);
    }
    if let (Some(first), Some(last)) = (keys.first_chunk(), keys.last_chunk()) {
        return four(first) | four(last) << 32;
    }
    let bits = |number: usize| keys.get(number).map_or(0, Key::bits);
    bits(0) | bits(1) << 8 | bits(2) << 16
}

/// Eight keys as a word, which compilers make one load.
#[inline(always)]
fn eight<T: Key>(keys: &[T; 8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|number| keys[number].bits() as u8))
}

#[inline(always)]
fn four<T: Key>(keys: &[T; 4]) -> u64 {
    u64::from(u32::from_le_bytes(std::array::from_fn(|number| keys[number].bits() as u8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_counts_at_every_length() {
        for len in 0..40 {
            let keys: Vec<i8> = (0..len).map(|number| (number * 37 + 5) as i8).collect();
            let hash = hash_after(&keys, 7);
            assert!(same(&keys, &keys.clone()) && hash == hash_after(&keys.clone(), 7), "{len}");
            for number in 0..keys.len() {
                for bit in 0..8 {
                    let mut other = keys.clone();
                    other[number] ^= (1u8 << bit) as i8;
                    assert!(!same(&keys, &other) && hash != hash_after(&other, 7), "{len}: {number}");
                }
            }
            let longer = [&keys[..], &[0]].concat();
            assert!(
                !same(&keys, &longer) && !same(&longer, &keys) && hash != hash_after(&longer, 7),
                "{len}"
            );
        }
    }

    #[test]
    fn structs_of_eight_bits_are_bytes_too() {
        let keys: Vec<(u8,)> = (0..20).map(|number| (number,)).collect();
        let bytes: Vec<u8> = (0..20).collect();
        assert_eq!(hash_after(&keys, 7), hash_after(&bytes, 7));
        assert!(same(&keys, &keys.clone()) && !same(&keys, &keys[1..]));
    }
}
