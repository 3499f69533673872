//! How a table is kept, by the types of its keys and values.

use std::alloc::Layout;

use weldment_core::ir::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::{Packing, Strategy, Target};
use crate::loops::{Index, Keyed, facts};

/// The most words that a packed key and a packed value may have.
const MAX_WORDS: [u64; 2] = [2, 4];

/// The strategy of a table that hashes its keys.
pub(crate) fn of_table(key: &Type, value: &Type, what: &Keyed, target: Target) -> Strategy {
    let of_scalars = key.is_scalars();
    match what {
        Keyed::Group => Strategy::Groups,
        Keyed::Fold(_) => Strategy::Hashed,
        Keyed::Last if target.packed_keys => match packing(key, value, what) {
            Some(packing) => Strategy::LastWins { packing: Some(packing) },
            None => Strategy::Hashed,
        },
        Keyed::Reduce(_) if target.packed_keys => match packing(key, value, what) {
            Some(packing) => Strategy::Small { packing: Some(packing) },
            None => Strategy::Hashed,
        },
        Keyed::Last if of_scalars && value.is_scalars() => Strategy::LastWins { packing: None },
        Keyed::Reduce(_) if of_scalars => Strategy::Small { packing: None },
        Keyed::Last | Keyed::Reduce(_) => Strategy::Hashed,
    }
}

/// How keys and values are packed, if they are few words. The words of a float do not tell which of the keys that are one it was, and
/// no word holds an i128.
fn packing(key: &Type, value: &Type, what: &Keyed) -> Option<Packing> {
    let (keys, values) = (key.leaves()?, value.leaves()?);
    if keys.is_empty() || keys.iter().any(|leaf| leaf.is_float() || leaf.size() > 8) {
        return None;
    }
    let (mut words, mut used) = (1u64, 0u64);
    for leaf in &keys {
        let bits = if *leaf == Scalar::Bool { 1 } else { 8 * leaf.size() as u64 };
        if used + bits > 64 {
            (words, used) = (words + 1, 0);
        }
        used += bits;
    }
    let size = size_of(value).div_ceil(8);
    let fits = words <= MAX_WORDS[0] && (1..=MAX_WORDS[1]).contains(&size);
    let is_word = |leaf: &Scalar| matches!(leaf, Scalar::I64 | Scalar::U64 | Scalar::F64);
    let sum = matches!(what, Keyed::Reduce(ReduceOp::Add)) && values.iter().all(is_word);
    fits.then_some(Packing { key: words as u8, narrow: words == 1 && used <= 32, value: size as u8, sum })
}

/// Whether tables of such keys, unless they come from outside, have a slot for each key there could be ([`Strategy::Direct`]).
pub(crate) fn is_direct(key: &Type) -> bool {
    facts::index_of(key) != Index::Hash
}

/// The bytes that a value takes in memory, as C lays it out; vectors and dictionaries in it count as a `Vec` of Rust.
pub(crate) fn size_of(ty: &Type) -> u64 {
    ty.layout(|_| Layout::new::<Vec<u8>>()).size() as u64
}
