//! How hashes are mixed: the state after one word more.

/// The state that a hash begins with: compiled code does the same.
#[doc(hidden)]
pub const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// What each word is multiplied with.
#[doc(hidden)]
pub const FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// What the second and the third word of some bytes are multiplied with, odd and without any order: compiled code does the same.
#[doc(hidden)]
pub const BYTES: [u64; 2] = [FACTOR, SEED];

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

/// The state after the length, of which there are few: what comes next is mixed, which need not wait for a mix of this.
#[inline(always)]
pub(super) fn with_len(state: u64, len: u64) -> u64 {
    state.wrapping_add(len.wrapping_add(1).wrapping_mul(FACTOR))
}
