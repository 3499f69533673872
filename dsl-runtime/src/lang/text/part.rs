//! Parts that stand in the program and are looked for in its texts.

use std::sync::OnceLock;

use memchr::memmem::Finder;

/// A part that is the same for all texts: what searches for it is made ready once, by whoever looks for it first.
///
/// ```
/// use weldment_runtime::lang::text::{Part, find};
/// static PART: Part = Part::new(b"elm");
/// for (text, from) in [("elm elm", 1), ("oak", 0), ("elm", -5)] {
///     assert_eq!(PART.find(text.as_bytes(), from), find(text.as_bytes(), b"elm", from));
/// }
/// ```
#[derive(Debug)]
pub struct Part {
    bytes: &'static [u8],
    /// Of several bytes.
    finder: OnceLock<Finder<'static>>,
}

impl Part {
    /// That of these bytes.
    pub const fn new(bytes: &'static [u8]) -> Part {
        Part { bytes, finder: OnceLock::new() }
    }

    /// What [`find`](super::find) gives.
    #[inline]
    pub fn find(&self, text: &[u8], from: i64) -> i64 {
        super::find_by(text, from, |rest| match self.bytes {
            [] => Some(0),
            [byte] => memchr::memchr(*byte, rest),
            bytes => self.finder.get_or_init(|| Finder::new(bytes)).find(rest),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::text::find;

    #[test]
    fn parts_of_any_length_are_found_where_others_are() {
        static PARTS: [Part; 4] =
            [Part::new(b""), Part::new(b"l"), Part::new(b"lm"), Part::new(b"elm elm e")];
        let text = b"elm elm elm";
        for part in &PARTS {
            for from in -1..=text.len() as i64 + 1 {
                assert_eq!(part.find(text, from), find(text, part.bytes, from), "{part:?} from {from}");
            }
        }
    }
}
