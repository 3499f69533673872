//! A text with another part in place of each of its parts.

use super::super::text::search;
use super::written::Written;

/// What [`replaced`] gives.
#[derive(Debug)]
pub struct Replaced<'a> {
    text: &'a [u8],
    part: &'a [u8],
    by: &'a [u8],
    /// Where the first ones stand, which need not be looked for once more.
    first: [usize; KNOWN],
    count: usize,
}

/// So many places are kept between counting and writing.
const KNOWN: usize = 16;

/// [`WriteFn::Replaced`](super::WriteFn::Replaced): from left to right, each `part` that begins behind the one before, as [`str::replace`] does. A
/// part of no bytes stands nowhere.
///
/// ```
/// # use weldment_runtime::lang::write::{Written, replaced};
/// assert_eq!(replaced(b"aaa, b", b"aa", b"-").bytes(), b"-a, b");
/// ```
pub fn replaced<'a>(text: &'a [u8], part: &'a [u8], by: &'a [u8]) -> Replaced<'a> {
    let (mut first, mut count) = ([0; KNOWN], 0);
    let mut found = |at| {
        if let Some(place) = first.get_mut(count) {
            *place = at;
        }
        count += 1;
    };
    if let [byte] = part {
        // Of one byte there are often many close together: one search goes from each to the next.
        memchr::memchr_iter(*byte, text).for_each(found);
    } else {
        let mut from = 0;
        while let Some(at) = next(text, part, from) {
            found(at);
            from = at + part.len();
        }
    }
    Replaced { text, part, by, first, count }
}

/// Where `part` stands next at `from` or behind.
fn next(text: &[u8], part: &[u8], from: usize) -> Option<usize> {
    if part.is_empty() {
        return None;
    }
    search::find(&text[from..], part).map(|at| from + at)
}

impl Written for Replaced<'_> {
    fn size(&self) -> usize {
        let left = self.text.len() - self.count * self.part.len();
        // What no memory holds is refused by who asks for it.
        left.saturating_add(self.count.saturating_mul(self.by.len()))
    }

    fn write(&self, to: &mut impl FnMut(&[u8])) {
        let mut from = 0;
        for number in 0..self.count {
            let known = self.first.get(number).copied();
            let Some(at) = known.or_else(|| next(self.text, self.part, from)) else { break };
            to(&self.text[from..at]);
            to(self.by);
            from = at + self.part.len();
        }
        to(&self.text[from..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_replaced_as_by_rust() {
        let texts = [
            "",
            "a",
            "aaaa",
            "a,b,,c",
            "é–é",
            "xx".repeat(40).leak(),
            "one, two, three, four, five, six, seven, eight, nine, ten",
        ];
        for text in texts {
            for part in ["a", "aa", ",", ", ", "é", "xx", "xxx", "none of it"] {
                for by in ["", "b", "aa", " – "] {
                    let replaced = replaced(text.as_bytes(), part.as_bytes(), by.as_bytes());
                    let expected = text.replace(part, by);
                    assert_eq!((replaced.size(), replaced.bytes()), (expected.len(), expected.into_bytes()));
                }
            }
        }
    }
}
