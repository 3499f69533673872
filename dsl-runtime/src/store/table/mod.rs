//! Tables that loops fill: from a key to accumulators, groups, or the last value.

#[doc(hidden)]
pub mod dense;
pub mod direct;
pub mod group;
mod hash_prefetch;
pub mod hashed;
pub(crate) mod index;
pub mod last_wins;
#[doc(hidden)]
pub mod open;
mod probe;
pub mod short_keys;
mod slots;
pub(crate) mod small;
#[doc(hidden)]
pub mod tagged;
