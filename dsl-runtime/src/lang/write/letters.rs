//! Texts in lower and in upper case, as Unicode has them.

use super::super::text;
use super::written::Written;

/// What [`lowercase`] gives.
#[derive(Debug)]
pub struct Lowercase<'a>(Letters<'a>);

/// What [`uppercase`] gives.
#[derive(Debug)]
pub struct Uppercase<'a>(Letters<'a>);

/// A text, and whether it is one of ASCII, which most are: then letters are bytes.
#[derive(Debug)]
enum Letters<'a> {
    Ascii(&'a [u8]),
    Other(&'a str),
}

impl Letters<'_> {
    fn of(bytes: &[u8]) -> Letters<'_> {
        if bytes.is_ascii() { Letters::Ascii(bytes) } else { Letters::Other(text::of(bytes)) }
    }

    /// How many bytes the text takes where each of its characters takes `of`.
    fn size(&self, of: impl Fn(char) -> usize) -> usize {
        match self {
            Letters::Ascii(text) => text.len(),
            Letters::Other(text) => text.chars().map(of).sum(),
        }
    }
}

/// [`WriteFn::Lowercase`](super::WriteFn::Lowercase), as [`str::to_lowercase`].
///
/// ```
/// # use weldment_runtime::lang::write::{Written, lowercase};
/// assert_eq!(lowercase("ÉLAN ΟΔΟΣ".as_bytes()).bytes(), "élan οδος".as_bytes());
/// ```
pub fn lowercase(bytes: &[u8]) -> Lowercase<'_> {
    Lowercase(Letters::of(bytes))
}

/// [`WriteFn::Uppercase`](super::WriteFn::Uppercase), as [`str::to_uppercase`].
///
/// ```
/// # use weldment_runtime::lang::write::{Written, uppercase};
/// assert_eq!(uppercase("straße".as_bytes()).bytes(), b"STRASSE");
/// ```
pub fn uppercase(bytes: &[u8]) -> Uppercase<'_> {
    Uppercase(Letters::of(bytes))
}

/// The one letter whose lower case depends on what stands around it: at the end of a word it is another. Both take two bytes.
const SIGMA: char = 'Σ';

impl Written for Lowercase<'_> {
    fn size(&self) -> usize {
        self.0.size(|c| c.to_lowercase().map(char::len_utf8).sum())
    }

    fn write(&self, to: &mut impl FnMut(&[u8])) {
        let text = match self.0 {
            Letters::Ascii(text) => return write_ascii(text, <[u8]>::make_ascii_lowercase, to),
            Letters::Other(text) => text,
        };
        if !text.contains(SIGMA) {
            return write_each(text, char::to_lowercase, to);
        }
        // What is around a letter ends at a space, so that a text is never copied as a whole.
        for part in text.split_inclusive(' ') {
            match part.contains(SIGMA) {
                true => to(part.to_lowercase().as_bytes()),
                false => write_each(part, char::to_lowercase, to),
            }
        }
    }
}

impl Written for Uppercase<'_> {
    fn size(&self) -> usize {
        self.0.size(|c| c.to_uppercase().map(char::len_utf8).sum())
    }

    fn write(&self, to: &mut impl FnMut(&[u8])) {
        match self.0 {
            Letters::Ascii(text) => write_ascii(text, <[u8]>::make_ascii_uppercase, to),
            Letters::Other(text) => write_each(text, char::to_uppercase, to),
        }
    }
}

/// Hands over what `change` makes of ASCII, by blocks.
fn write_ascii(text: &[u8], change: impl Fn(&mut [u8]), to: &mut impl FnMut(&[u8])) {
    let mut block = [0; 128];
    for part in text.chunks(block.len()) {
        let block = &mut block[..part.len()];
        block.copy_from_slice(part);
        change(block);
        to(block);
    }
}

/// Hands over what `change` makes of each character.
fn write_each<I: Iterator<Item = char>>(text: &str, change: impl Fn(char) -> I, to: &mut impl FnMut(&[u8])) {
    let mut bytes = [0; 4];
    for changed in text.chars().flat_map(change) {
        to(changed.encode_utf8(&mut bytes).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let (lower, upper) = (lowercase(text.as_bytes()), uppercase(text.as_bytes()));
        let expected = text.to_lowercase();
        assert_eq!((lower.size(), lower.bytes()), (expected.len(), expected.into_bytes()), "{text:?}");
        let expected = text.to_uppercase();
        assert_eq!((upper.size(), upper.bytes()), (expected.len(), expected.into_bytes()), "{text:?}");
    }

    #[test]
    fn letters_are_those_of_rust() {
        for c in '\0'..=char::MAX {
            check(c.encode_utf8(&mut [0; 4]));
        }
        for text in [
            "",
            "ΑΣ",
            "Σ",
            "ΑΣ Σ ΑΣ. ΑΣΑ Σ'Α ΑΣ' Α",
            "ὈΔΥΣΣΕΎΣ\nΑΣ\u{301} b",
            "İSTANBUL ŉ ǅ ﬁ",
            &"aB".repeat(100),
        ] {
            check(text);
        }
    }
}
