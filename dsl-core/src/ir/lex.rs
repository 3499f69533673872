//! Tokens of IR text, with their places.

use std::fmt;

/// What a token is.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, a value id (`v7`), a keyword or a type.
    Word,
    /// A number, with its sign.
    Number,
    /// A string in quotes, escapes and all.
    Text,
    /// `->` or one other character.
    Mark,
    /// Behind the last token.
    End,
}

/// A token: its text, and its place, from 1.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub line: u32,
    pub column: u32,
}

/// Why a text is no program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What was expected and found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The tokens of `source`, the last of which is [`Kind::End`].
#[doc(hidden)]
pub fn tokens(source: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut place = Place { line: 1, column: 1 };
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            '"' => match closing_quote(rest) {
                Some(length) => (Some(Kind::Text), length),
                None => return Err(place.error("a string that does not end")),
            },
            'a'..='z' | 'A'..='Z' | '_' => {
                (Some(Kind::Word), run(rest, |c| c.is_ascii_alphanumeric() || c == '_'))
            }
            '-' if rest.starts_with("->") => (Some(Kind::Mark), 2),
            '-' if rest[1..].starts_with("inf") => (Some(Kind::Number), 4),
            '-' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Some(Kind::Number), number(rest)),
            '0'..='9' => (Some(Kind::Number), number(rest)),
            _ => (Some(Kind::Mark), first.len_utf8()),
        };
        let (text, after) = rest.split_at(length);
        if let Some(kind) = kind {
            tokens.push(Token { kind, text, line: place.line, column: place.column });
        }
        place.advance(text);
        rest = after;
    }
    tokens.push(Token { kind: Kind::End, text: "the end", line: place.line, column: place.column });
    Ok(tokens)
}

struct Place {
    line: u32,
    column: u32,
}

impl Place {
    fn advance(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
    }

    fn error(&self, message: &str) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.to_owned() }
    }
}

/// The length of the run of characters at the start of `text` that satisfy `holds`.
fn run(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

/// The length of the number at the start of `text`: sign, digits, fraction, exponent.
fn number(text: &str) -> usize {
    let digits = |from: usize| from + run(&text[from..], |c| c.is_ascii_digit());
    let mut end = digits(usize::from(text.starts_with('-')));
    // Two points stand between the ends of a range.
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with('e') {
        let sign = usize::from(text[end + 1..].starts_with('-'));
        end = digits(end + 1 + sign);
    }
    end
}

/// The length of the string at the start of `text`, quotes included.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
