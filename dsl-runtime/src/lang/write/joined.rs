//! Parts one behind the other.

use super::written::Written;

/// What [`joined`] gives.
#[derive(Debug)]
pub struct Joined<'a, P> {
    parts: &'a [P],
    separator: &'a [u8],
}

/// [`WriteFn::Joined`](super::WriteFn::Joined)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, joined};
/// assert_eq!(joined(&["a", "", "b"], b", ").bytes(), b"a, , b");
/// assert_eq!(joined::<&[u8]>(&[], b", ").bytes(), b"");
/// ```
pub fn joined<'a, P: AsRef<[u8]>>(parts: &'a [P], separator: &'a [u8]) -> Joined<'a, P> {
    Joined { parts, separator }
}

impl<P: AsRef<[u8]>> Written for Joined<'_, P> {
    fn size(&self) -> usize {
        let parts: usize = self.parts.iter().map(|part| part.as_ref().len()).sum();
        parts + self.separator.len() * self.parts.len().saturating_sub(1)
    }

    fn write(&self, to: &mut impl FnMut(&[u8])) {
        for (number, part) in self.parts.iter().enumerate() {
            if number > 0 {
                to(self.separator);
            }
            to(part.as_ref());
        }
    }
}
