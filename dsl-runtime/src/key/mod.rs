//! Keys of tables: their bits, hashes and bytes.

mod bytes;
pub mod hash;
