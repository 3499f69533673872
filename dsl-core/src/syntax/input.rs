//! A place in the tokens: looking at what comes next, taking it, and saying what was expected instead.
//!
//! This is a thin layer over syn's [`Cursor`]. A bracketed group has an input of its own that knows its closing
//! bracket, so that an error at an end points at that bracket, or at the program's last token, and never at
//! the whole macro call. Groups without delimiters, which `macro_rules!` leaves around its fragments, are
//! transparent, except to those who ask for them with [`Input::enter_invisible`].

use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Literal, Spacing, Span};
use syn::buffer::Cursor;

use super::words;
use crate::diagnostic::{Diagnostic, Kind};

/// What a parsing function gives.
pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// How deep expressions, types and patterns may nest: enough for any program, and safe on a thread's default
/// stack.
const MAX_DEPTH: usize = 128;

/// Symbols of more than one character, each before its own prefixes.
const LONG_SYMBOLS: [&str; 24] = [
    "<<=", ">>=", "..=", "...", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "..", "->", "=>", "::", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=",
];

/// The tokens that are left between two brackets, or in the whole program.
#[derive(Clone)]
pub(super) struct Input<'a> {
    cursor: Cursor<'a>,
    closing: Option<Delimiter>,
    end: Span,
    depth: usize,
}

impl<'a> Input<'a> {
    /// A whole program; `end` is its last token.
    pub(super) fn whole(cursor: Cursor<'a>, end: Span) -> Input<'a> {
        Input { cursor, closing: None, end, depth: 0 }
    }

    /// The next token, or the end.
    pub(super) fn span(&self) -> Span {
        let token = self.cursor;
        if let Some((ident, _)) = token.ident() {
            ident.span()
        } else if let Some((punct, _)) = token.punct() {
            punct.span()
        } else if let Some((literal, _)) = token.literal() {
            literal.span()
        } else if let Some((delimiter, _)) = self.group() {
            self.cursor.group(delimiter).map_or(self.end, |(_, span, _)| span.open())
        } else if let Some((tree, _)) = token.token_tree() {
            tree.span()
        } else {
            self.end
        }
    }

    /// Whether nothing is left.
    pub(super) fn is_end(&self) -> bool {
        self.cursor.eof()
    }

    /// Whether the next token begins with `symbol`: `&` and `&&` both begin with `&`.
    pub(super) fn at(&self, symbol: &str) -> bool {
        self.after(symbol).is_some()
    }

    /// The longest symbol here; `None` before a word, a literal, a bracket or the end.
    pub(super) fn symbol(&self) -> Option<String> {
        let (punct, _) = self.cursor.punct()?;
        let long = LONG_SYMBOLS.iter().find(|symbol| self.at(symbol));
        Some(long.map_or_else(|| punct.as_char().to_string(), |symbol| symbol.to_string()))
    }

    /// Whether the longest symbol here is `symbol`.
    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        self.at(symbol)
            && !LONG_SYMBOLS
                .iter()
                .any(|long| long.len() > symbol.len() && long.starts_with(symbol) && self.at(long))
    }

    /// Takes `symbol`, which may be the beginning of a longer one.
    pub(super) fn take(&mut self, symbol: &str) -> Option<Span> {
        let (span, rest) = self.after(symbol)?;
        self.cursor = rest;
        Some(span)
    }

    /// Takes `symbol` or fails.
    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<Span> {
        self.take(symbol).ok_or_else(|| self.unexpected(&format!("`{symbol}`")))
    }

    fn after(&self, symbol: &str) -> Option<(Span, Cursor<'a>)> {
        let mut cursor = self.cursor;
        let mut first = None;
        let mut joint = true;
        for expected in symbol.chars() {
            let (punct, rest) = cursor.punct()?;
            if punct.as_char() != expected || !joint {
                return None;
            }
            first.get_or_insert(punct.span());
            joint = punct.spacing() == Spacing::Joint;
            cursor = rest;
        }
        Some((first?, cursor))
    }

    /// Whether the next token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.cursor.ident().is_some_and(|(ident, _)| ident == word)
    }

    /// The next token, if it is a word.
    pub(super) fn word(&self) -> Option<(String, Span)> {
        let (ident, _) = self.cursor.ident()?;
        Some((ident.to_string(), ident.span()))
    }

    /// Takes this word.
    pub(super) fn take_word(&mut self, word: &str) -> Option<Span> {
        let (ident, rest) = self.cursor.ident().filter(|(ident, _)| ident == word)?;
        self.cursor = rest;
        Some(ident.span())
    }

    /// Takes any word.
    pub(super) fn take_any_word(&mut self) -> Option<(String, Span)> {
        let (ident, rest) = self.cursor.ident()?;
        self.cursor = rest;
        Some((ident.to_string(), ident.span()))
    }

    /// Takes a literal.
    pub(super) fn take_literal(&mut self) -> Option<Literal> {
        let (literal, rest) = self.cursor.literal()?;
        self.cursor = rest;
        Some(literal)
    }

    /// Takes a token of whatever kind.
    pub(super) fn skip(&mut self) -> bool {
        let Some((_, rest)) = self.cursor.token_tree() else { return false };
        self.cursor = rest;
        true
    }

    fn group(&self) -> Option<(Delimiter, Cursor<'a>)> {
        [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket]
            .into_iter()
            .find_map(|delimiter| self.cursor.group(delimiter).map(|(_, _, rest)| (delimiter, rest)))
    }

    /// Whether a group in these brackets comes next.
    pub(super) fn at_group(&self, delimiter: Delimiter) -> bool {
        self.cursor.group(delimiter).is_some()
    }

    /// Takes a group in these brackets.
    pub(super) fn enter(&mut self, delimiter: Delimiter) -> Option<(Input<'a>, DelimSpan)> {
        let (inside, span, rest) = self.cursor.group(delimiter)?;
        self.cursor = rest;
        Some((Input { cursor: inside, closing: Some(delimiter), end: span.close(), depth: self.depth }, span))
    }

    /// Takes a group in these brackets or fails.
    pub(super) fn expect_group(&mut self, delimiter: Delimiter) -> Parsed<(Input<'a>, DelimSpan)> {
        self.enter(delimiter).ok_or_else(|| self.unexpected(&format!("`{}`", opening(delimiter))))
    }

    /// Takes a group without delimiters: a fragment of a `macro_rules!` macro.
    pub(super) fn enter_invisible(&mut self) -> Option<Input<'a>> {
        let (inside, span, rest) = self.cursor.group(Delimiter::None)?;
        self.cursor = rest;
        Some(Input { cursor: inside, closing: None, end: span.close(), depth: self.depth })
    }

    /// The items up to the end, with commas between them and perhaps after the last.
    pub(super) fn list<T>(mut self, item: impl Fn(&mut Input<'a>) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.is_end() {
            items.push(item(&mut self)?);
            self.comma_or_end()?;
        }
        Ok(items)
    }

    /// Takes a comma; gives whether there was one, which it must unless the end is here.
    pub(super) fn comma_or_end(&mut self) -> Parsed<bool> {
        if self.take(",").is_some() {
            return Ok(true);
        }
        if self.is_end() { Ok(false) } else { Err(self.unexpected(&format!("`,` or {}", self.end_name()))) }
    }

    /// Fails unless nothing is left.
    pub(super) fn expect_end(&self) -> Parsed<()> {
        if self.is_end() { Ok(()) } else { Err(self.unexpected(&self.end_name())) }
    }

    /// Takes the comma that may stand before the end, and fails unless nothing is left then.
    pub(super) fn expect_last(&mut self) -> Parsed<()> {
        self.take(",");
        self.expect_end()
    }

    /// Parses one level deeper, and fails beyond the deepest.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Input<'a>) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::new(Kind::Parse, self.span(), message).help("name the parts with `let`"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// The error that something else was expected here, or a better one where the token is a well known habit
    /// from Rust.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        if let Some(error) = words::foreign(self) {
            return error;
        }
        let message = format!("expected {expected}, found {}", self.found());
        let error = Diagnostic::new(Kind::Parse, self.span(), message);
        // Where a construct was to begin, the symbol is only the one after what is missing.
        let ended = expected.starts_with('`') || expected.starts_with("the end");
        match self.symbol().filter(|_| ended).and_then(|symbol| words::hint(&symbol)) {
            Some(advice) => error.help(advice),
            None => error,
        }
    }

    /// What comes next, as errors name it.
    pub(super) fn found(&self) -> String {
        if let Some((word, _)) = self.word() {
            format!("`{word}`")
        } else if let Some(symbol) = self.symbol() {
            format!("`{symbol}`")
        } else if let Some((literal, _)) = self.cursor.literal() {
            format!("`{literal}`")
        } else if let Some((delimiter, _)) = self.group() {
            format!("`{}`", opening(delimiter))
        } else if self.cursor.lifetime().is_some() {
            "a lifetime".to_string()
        } else if self.is_end() {
            self.end_name()
        } else {
            "a stray token".to_string()
        }
    }

    /// Whether a lifetime such as `'a` comes next.
    pub(super) fn at_lifetime(&self) -> bool {
        self.cursor.lifetime().is_some()
    }

    fn end_name(&self) -> String {
        match self.closing {
            Some(delimiter) => format!("`{}`", closing(delimiter)),
            None => "the end of the program".to_string(),
        }
    }
}

fn opening(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Parenthesis => "(",
        Delimiter::Brace => "{",
        Delimiter::Bracket => "[",
        Delimiter::None => "",
    }
}

fn closing(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Parenthesis => ")",
        Delimiter::Brace => "}",
        Delimiter::Bracket => "]",
        Delimiter::None => "",
    }
}
