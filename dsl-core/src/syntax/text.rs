//! From text to tokens: comments are blanked, the rest is lexed as Rust.
//!
//! Comments become spaces, one for each character, so that lines and columns stay. Besides Rust's there are
//! Weld's, which begin with `#`; `#[` is left for the parser to complain about. Doc comments are blanked with the
//! others, as they would become attributes.

use std::str::FromStr;

use proc_macro2::{Span, TokenStream};

use super::input::{MAX_DEPTH, Parsed, too_deep};
use crate::diagnostic::{Code, Diagnostic};

/// The tokens of `text`.
pub(super) fn lex(text: &str) -> Parsed<TokenStream> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let blanked = blank_comments(text).map_err(|open| {
        let message = "this comment does not end";
        Diagnostic::new(Code::NoTokens, span_at(&text[..open]), message).help("close it with `*/`")
    })?;
    // The lexer's trees are walked by recursion, before the parser could complain.
    if let Err(deepest) = open_brackets(&blanked) {
        return Err(too_deep(span_at(&blanked[..deepest])));
    }
    TokenStream::from_str(&blanked).map_err(|error| lexing_error(&blanked, error.span()))
}

/// `text` with spaces in place of comments, or where the comment begins that does not end.
fn blank_comments(text: &str) -> Result<String, usize> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let before = out.chars().next_back();
        // `r#type` is a name.
        if rest.starts_with("r#") && !is_word(before) && is_word(rest[2..].chars().next()) {
            out.push_str("r#");
            at += 2;
            continue;
        }
        let (length, is_comment) = match comment_length(rest) {
            Some(Some(length)) => (length, true),
            Some(None) => return Err(at),
            None => (plain_length(rest, before), false),
        };
        if is_comment {
            out.extend(rest[..length].chars().map(|c| if c == '\n' || c == '\r' { c } else { ' ' }));
        } else {
            out.push_str(&rest[..length]);
        }
        at += length;
    }
    Ok(out)
}

/// The length of the comment that `text` begins with; the inner `None` is one without end.
fn comment_length(text: &str) -> Option<Option<usize>> {
    let to_line_end = || Some(text.find('\n').unwrap_or(text.len()));
    if text.starts_with("//") {
        return Some(to_line_end());
    }
    if text.starts_with('#') && !text.starts_with("#[") {
        return Some(to_line_end());
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['/', '*']) {
        at += found;
        let opens = text[at..].starts_with("/*");
        let closes = text[at..].starts_with("*/");
        depth = depth + opens as i32 - closes as i32;
        at += if opens || closes { 2 } else { 1 };
        if depth == 0 {
            return Some(Some(at));
        }
    }
    Some(None)
}

/// Whether `c` can be part of a name.
fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c == '_' || c.is_alphanumeric())
}

/// The length of what must be copied as one: a string, a character, or any other single character.
fn plain_length(text: &str, before: Option<char>) -> usize {
    let in_word = is_word(before);
    if text.starts_with('"') {
        return quoted_length(text, '"');
    }
    if text.starts_with('\'') {
        return character_length(text);
    }
    let raw = if in_word { None } else { text.strip_prefix('b').unwrap_or(text).strip_prefix('r') };
    if let Some(raw) = raw {
        let hashes = raw.bytes().take_while(|byte| *byte == b'#').count();
        if raw[hashes..].starts_with('"') {
            let closing = format!("\"{}", "#".repeat(hashes));
            let start = text.len() - raw.len() + hashes + 1;
            return text[start..].find(&closing).map_or(text.len(), |end| start + end + closing.len());
        }
    }
    text.chars().next().map_or(0, char::len_utf8)
}

/// The length of a string or character up to its closing `quote`, escapes considered.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of `'x'` or `'\n'`; of the quote alone where it begins a lifetime.
fn character_length(text: &str) -> usize {
    let mut chars = text.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => quoted_length(text, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1,
    }
}

/// The error where lexing stopped.
fn lexing_error(text: &str, span: Span) -> Diagnostic {
    let start = span.start();
    let line: usize = text.split_inclusive('\n').take(start.line.saturating_sub(1)).map(str::len).sum();
    let column: usize = text[line..].chars().take(start.column).map(char::len_utf8).sum();
    let (before, rest) = text.split_at(line + column);
    let message = match rest.chars().next() {
        Some(bracket @ ('(' | '[' | '{')) => format!("this `{bracket}` is not closed"),
        Some(bracket @ (')' | ']' | '}')) => match open_brackets(before).unwrap_or_default().last() {
            Some(open) => format!("this `{bracket}` does not close the `{open}` that is open"),
            None => format!("this `{bracket}` closes nothing"),
        },
        Some(c) if c.is_ascii_digit() => "this is not a number".to_string(),
        Some('"' | '\'' | 'b' | 'r') => {
            "this literal does not end, or has an escape that does not exist".to_string()
        }
        Some(c) => format!("`{c}` has no meaning here"),
        None => "the text cannot be read as tokens".to_string(),
    };
    Diagnostic::new(Code::NoTokens, span, message)
}

/// The brackets in `text`, which has no comments, that are not closed; or where there are too many at once.
fn open_brackets(text: &str) -> Result<Vec<char>, usize> {
    let mut open = Vec::new();
    let mut before = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '(' | '[' | '{' if open.len() == MAX_DEPTH => return Err(at),
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
        at += plain_length(&text[at..], before);
        before = Some(c);
    }
    Ok(open)
}

/// The span of what stands behind `before`, which has not been lexed.
fn span_at(before: &str) -> Span {
    let blank: String = before.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    let mark = TokenStream::from_str(&(blank + "_")).ok().and_then(|tokens| tokens.into_iter().next());
    mark.map_or_else(Span::call_site, |token| token.span())
}
