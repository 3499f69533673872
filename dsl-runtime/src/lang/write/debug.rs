//! Floats and texts as Rust's `{:?}` shows them: a float is told from an integer, and a text from what stands around it.

use std::fmt::Write;

use super::super::text;
use super::shown::{LONGEST_F32, LONGEST_F64, Shown};
use super::written::Written;

/// [`WriteFn::DebugF32`](super::WriteFn::DebugF32)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, debug_f32};
/// assert_eq!(debug_f32(1.0).bytes(), b"1.0");
/// ```
pub fn debug_f32(number: f32) -> Shown<LONGEST_F32> {
    Shown::of(|shown| write!(shown, "{number:?}"))
}

/// [`WriteFn::DebugF64`](super::WriteFn::DebugF64)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, debug_f64};
/// assert_eq!((debug_f64(-0.0).bytes(), debug_f64(1e300).bytes()), (b"-0.0".to_vec(), b"1e300".to_vec()));
/// ```
pub fn debug_f64(number: f64) -> Shown<LONGEST_F64> {
    Shown::of(|shown| write!(shown, "{number:?}"))
}

/// What [`quoted`] gives.
#[derive(Debug)]
pub struct Quoted(String);

/// [`WriteFn::Quoted`](super::WriteFn::Quoted): in quotes, with escapes for what would not be seen as it is.
///
/// ```
/// # use weldment_runtime::lang::write::{Written, quoted};
/// assert_eq!(quoted(b"a\tb \"c\"").bytes(), br#""a\tb \"c\"""#);
/// ```
pub fn quoted(bytes: &[u8]) -> Quoted {
    Quoted(format!("{:?}", text::of(bytes)))
}

impl Written for Quoted {
    fn size(&self) -> usize {
        self.0.len()
    }

    fn write(&self, to: &mut impl FnMut(&[u8])) {
        to(self.0.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_as_rust_shows_them() {
        let floats =
            [0.0, -0.0, 1.0, 0.1, 1e16, 1e15, 1e-5, 1e-4, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::NAN];
        for number in floats.into_iter().flat_map(|number| [number, -number]) {
            assert_eq!(debug_f64(number).bytes(), format!("{number:?}").as_bytes());
            assert_eq!(debug_f32(number as f32).bytes(), format!("{:?}", number as f32).as_bytes());
        }
    }
}
