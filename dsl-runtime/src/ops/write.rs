//! New texts, in memory of the run: what `lang/write.rs` writes.

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::lang::write::{self, Written};
use crate::store::vector::growable::with_capacity;

/// The bytes of `written`; the fault MemoryLimit if they cannot be had.
#[inline]
fn new(cx: &Context, written: &impl Written) -> Result<Vec<u8>, Fault> {
    let mut bytes = with_capacity(cx, written.size())?;
    written.write(&mut |part| bytes.extend_from_slice(part));
    Ok(bytes)
}

macro_rules! functions {
    ($($name:ident($($param:ident: $ty:ty),*);)*) => {$(
        #[doc = concat!("The bytes of [`write::", stringify!($name), "()`].")]
        ///
        /// # Errors
        /// The fault MemoryLimit, if they cannot be had.
        pub fn $name(cx: &Context, $($param: $ty),*) -> Result<Vec<u8>, Fault> {
            new(cx, &write::$name($($param),*))
        }
    )*};
}

functions! {
    replaced(text: &[u8], part: &[u8], by: &[u8]);
    lowercase(text: &[u8]);
    uppercase(text: &[u8]);
    shown_i64(number: i64);
    shown_u64(number: u64);
    shown_i128(number: i128);
    shown_f32(number: f32);
    shown_f64(number: f64);
    shown_date(days: i32);
    shown_timestamp(micros: i64);
    shown_span(micros: i64);
    shown_fixed(units: i64, digits: i64);
    debug_f32(number: f32);
    debug_f64(number: f64);
    quoted(text: &[u8]);
}

/// The bytes of [`write::joined()`].
///
/// # Errors
/// The fault MemoryLimit, if they cannot be had.
pub fn joined<P: AsRef<[u8]>>(cx: &Context, parts: &[P], separator: &[u8]) -> Result<Vec<u8>, Fault> {
    new(cx, &write::joined(parts, separator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;
    use crate::lang::fault::FaultKind;

    #[test]
    fn texts_count_and_are_refused_beyond_the_limit() {
        let cx = Context::new(&Options::new().memory_limit(10));
        assert_eq!(shown_i64(&cx, 1234567).unwrap(), b"1234567");
        assert_eq!(shown_i64(&cx, 1234567).unwrap_err().kind, FaultKind::MemoryLimit);
        let text = [b'a'; 1 << 20];
        assert_eq!(replaced(&cx, &text, b"a", &text).unwrap_err().kind, FaultKind::MemoryLimit);
    }
}
