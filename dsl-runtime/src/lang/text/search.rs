//! Searches for a part within texts. A program asks many short texts for the same few parts, and to make a part ready for a search takes
//! longer than to search a line: so each thread keeps the searches that it has made ready last.

use std::cell::RefCell;

use memchr::memmem::{self, Finder};

/// How many places a thread has, each of which keeps two searches.
const PLACES: usize = 8;

thread_local! {
    static READY: RefCell<[Place; PLACES]> = const { RefCell::new([const { Place::EMPTY }; PLACES]) };
}

/// Where the searches of all parts are kept that begin and end alike: those of two of them, lest two parts which a program looks for in turn
/// drive each other out.
struct Place {
    finders: [Option<Finder<'static>>; 2],
    /// What the parts that were last looked for in vain come to. Only what comes again soon is kept: parts that differ from text to text would
    /// be copied for nothing.
    missed: [u64; 2],
    /// Which of both has been there for longer.
    oldest: usize,
}

impl Place {
    const EMPTY: Place = Place { finders: [None, None], missed: [0; 2], oldest: 0 };
}

/// Where `part`, which is not empty, stands in `text` for the first time.
pub(in crate::lang) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let [first, .., last] = part else { return memchr::memchr(*part.first()?, text) };
    if text.len() < part.len() {
        return None;
    }
    let place = usize::from(*first) ^ usize::from(*last).rotate_left(1) ^ part.len();
    READY.with_borrow_mut(|ready| {
        let place = &mut ready[place % PLACES];
        match place.finders.iter().flatten().find(|finder| finder.needle() == part) {
            Some(finder) => finder.find(text),
            None => missed(place, text, part),
        }
    })
}

/// Where `part`, which is not empty, stands in `text` for the last time.
pub(super) fn find_last(text: &[u8], part: &[u8]) -> Option<usize> {
    match part {
        [byte] => memchr::memrchr(*byte, text),
        _ => memmem::rfind(text, part),
    }
}

#[cold]
fn missed(place: &mut Place, text: &[u8], part: &[u8]) -> Option<usize> {
    // FNV-1a
    let sum = part.iter().fold(0xCBF2_9CE4_8422_2325, |sum: u64, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    if !place.missed.contains(&sum) {
        place.missed = [sum, place.missed[0]];
        return memmem::find(text, part);
    }
    let finder = &mut place.finders[place.oldest];
    place.oldest = 1 - place.oldest;
    finder.insert(Finder::new(part).into_owned()).find(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every part is looked for several times, so that it is met missing, kept, and driven out by others.
    #[test]
    fn kept_searches_find_what_others_do() {
        let text = "zebra, abba, ahah, aba: alpha aqua aaa".repeat(5);
        let text = text.as_bytes();
        let parts: Vec<&[u8]> = vec![b"aba", b"abba", b"ahah", b"aqua", b"zz", b"a", b"ab", b"aa", b"za"];
        for round in 0..60 {
            let part = parts[round * round / 3 % parts.len()];
            for start in [0, 7, text.len() - 3, text.len()] {
                let rest = &text[start..];
                let expected = rest.windows(part.len()).position(|window| window == part);
                assert_eq!(find(rest, part), expected, "{part:?} from {start}");
                assert_eq!(find(rest, part), expected, "{part:?} from {start}, again");
            }
        }
        assert_eq!(find(text, &[b'a'; 4000]), None);
    }
}
