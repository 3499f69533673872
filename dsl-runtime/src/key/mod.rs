//! Keys of tables: their bits, hashes and bytes.

mod bytes;
pub mod hash;
mod keys;
mod mixing;
pub mod parts;
mod short;
