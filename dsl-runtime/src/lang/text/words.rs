//! The words of a text, which white space separates. A text of many words is asked for one after the other, so each search looks at the bytes that
//! it passes and at no others.

/// [`TextFn::Word`](super::TextFn::Word)
///
/// ```
/// # use weldment_runtime::lang::text::word;
/// let text = " elm\u{2003}é ".as_bytes();
/// assert_eq!((word(text, 0), word(text, 4), word(text, 9)), ((1, 4), (7, 9), (10, 10)));
/// ```
pub fn word(text: &[u8], from: i64) -> (i64, i64) {
    let mut start = usize::try_from(from).unwrap_or(0).min(text.len());
    while let Some(size) = white_space(&text[start..]) {
        start += size;
    }
    let mut end = start;
    for (at, &byte) in text.iter().enumerate().skip(start) {
        // Hardly a byte of a word may begin white space: the others are passed without a look at what follows.
        if (byte <= b' ' || (0xC2..=0xE3).contains(&byte)) && white_space(&text[at..]).is_some() {
            break;
        }
        end = at + 1;
    }
    (start as i64, end as i64)
}

/// How many bytes the white space takes with which `text` begins, if it does.
#[inline]
fn white_space(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b' ' | b'\t'..=b'\r' => Some(1),
        // With these begins all white space that is not ASCII.
        0xC2 | 0xE1..=0xE3 => {
            let size = if text[0] < 0xE0 { 2 } else { 3 };
            let first = str::from_utf8(text.get(..size)?).ok()?.chars().next()?;
            first.is_whitespace().then_some(size)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_that_of_unicode() {
        for c in '\0'..=char::MAX {
            let text = format!("{c}a");
            assert_eq!(white_space(text.as_bytes()).is_some(), c.is_whitespace(), "{c:?}");
        }
    }

    #[test]
    fn words_are_those_of_rust() {
        for text in
            ["", " ", "a", "\u{a0}élan\u{3000}ab\r\n\u{85}–c", "a  b", " é", "\u{2029}\u{1680}x\u{200b}y"]
        {
            let (mut words, mut from) = (Vec::new(), 0);
            loop {
                let (start, end) = word(text.as_bytes(), from);
                if start == end {
                    break;
                }
                words.push(&text[start as usize..end as usize]);
                from = end;
            }
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
