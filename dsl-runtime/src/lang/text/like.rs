//! Patterns of SQL's `LIKE`.

/// [`TextFn::Like`](super::TextFn::Like): whether the whole text is as the pattern says, in which `%` is any text, `_` one character, and `\\` makes a
/// character of the one behind it; at the end it is one itself.
///
/// ```
/// # use weldment_runtime::lang::text::like;
/// assert!(like("élan".as_bytes(), b"_l%") && like(b"10%", b"%\\%"));
/// assert!(!like(b"elan", b"l%") && !like(b"10", b"%\\%"));
/// ```
pub fn like(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut rest) = (0, pattern);
    // Where the last `%` has ended, in the text and in the pattern: what stands before it need not be looked at again.
    let mut last: Option<(usize, &[u8])> = None;
    loop {
        let (wanted, behind) = first(rest);
        let fits = match (wanted, text.get(at)) {
            (Wanted::End, None) => return true,
            (Wanted::Any, _) => {
                last = Some((at, behind));
                true
            }
            (Wanted::Character, Some(_)) => {
                at = behind_character(text, at);
                true
            }
            (Wanted::Byte(byte), Some(&found)) if byte == found => {
                at += 1;
                true
            }
            _ => false,
        };
        if fits {
            rest = behind;
            continue;
        }
        let Some((ended, after)) = last else { return false };
        if ended == text.len() {
            return false;
        }
        // One more character belongs to the `%`, or as many as there are before what has to come next.
        let next = behind_character(text, ended);
        at = match first(after).0 {
            Wanted::Byte(byte) => match memchr::memchr(byte, &text[next..]) {
                Some(more) => next + more,
                None => return false,
            },
            Wanted::End => return true,
            _ => next,
        };
        (last, rest) = (Some((at, after)), after);
    }
}

/// What a pattern wants of a text.
enum Wanted {
    Any,
    Character,
    Byte(u8),
    End,
}

/// What `pattern` wants first, and the rest of it.
fn first(pattern: &[u8]) -> (Wanted, &[u8]) {
    match pattern {
        [] => (Wanted::End, &[]),
        [b'%', rest @ ..] => (Wanted::Any, rest),
        [b'_', rest @ ..] => (Wanted::Character, rest),
        [b'\\', byte, rest @ ..] | [byte, rest @ ..] => (Wanted::Byte(*byte), rest),
    }
}

/// Where the character at `at` ends.
fn behind_character(text: &[u8], at: usize) -> usize {
    let more = text[at + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
    at + 1 + more
}

#[cfg(test)]
mod tests {
    use super::like;

    /// The same, said by the beginning of the pattern alone.
    fn is_like(text: &[char], pattern: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['%', rest @ ..] => (0..=text.len()).any(|from| is_like(&text[from..], rest)),
            ['_', rest @ ..] => !text.is_empty() && is_like(&text[1..], rest),
            ['\\', c, rest @ ..] | [c, rest @ ..] => text.first() == Some(c) && is_like(&text[1..], rest),
        }
    }

    /// All texts of at most `most` of these characters.
    fn all(characters: &str, most: u32) -> Vec<String> {
        let mut texts = vec![String::new()];
        let mut from = 0;
        for _ in 0..most {
            let (longest, to) = (from, texts.len());
            for at in longest..to {
                texts.extend(
                    characters
                        .chars()
                        .map(|c| texts[at].clone() + c.encode_utf8(&mut [0; 4]))
                        .collect::<Vec<_>>(),
                );
            }
            from = to;
        }
        texts
    }

    #[test]
    fn short_texts_are_like_short_patterns_as_the_definition_says() {
        let (texts, patterns) = (all("aé%\\", 4), all("aé%_\\", 4));
        for text in &texts {
            let characters: Vec<char> = text.chars().collect();
            for pattern in &patterns {
                let expected = is_like(&characters, &pattern.chars().collect::<Vec<_>>());
                assert_eq!(like(text.as_bytes(), pattern.as_bytes()), expected, "{text:?} like {pattern:?}");
            }
        }
    }

    #[test]
    fn long_texts_are_like_patterns_as_the_definition_says() {
        let texts = [
            "the special\npackages that request",
            "aaaaaaaaaaaaaaaaaaaaaaaab",
            "ábácábác – é_é",
            "100% of it",
        ];
        let patterns = [
            "%special%request%",
            "%a%a%a%b",
            "%a%a%c",
            "%á__ác – é\\_é",
            "_á%",
            "%\\% of%",
            "%é",
            "%%",
            "the%_t",
            "1__\\%%",
        ];
        for text in texts {
            for pattern in patterns {
                let [characters, wanted] = [text, pattern].map(|of| of.chars().collect::<Vec<_>>());
                assert_eq!(
                    like(text.as_bytes(), pattern.as_bytes()),
                    is_like(&characters, &wanted),
                    "{text:?} like {pattern:?}"
                );
            }
        }
    }
}
