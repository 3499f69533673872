//! A place in the tokens: looking at what comes next, taking it, and saying what was expected instead.
//!
//! This is a thin layer over syn's [`Cursor`]. A bracketed group has an input of its own that knows its closing
//! bracket, so that an error at an end points at that bracket, or at the program's last token, and never at
//! the whole macro call. Groups without delimiters, which `macro_rules!` leaves around its fragments, are
//! transparent, except to those who ask for them with [`Input::enter_invisible`].

use std::cell::{Cell, RefCell};

use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Literal, Spacing, Span, TokenStream};
use syn::buffer::Cursor;

use super::symbols::SYMBOLS;
use super::words;
use crate::diagnostic::{Code, Diagnostic};

/// What a parsing function gives.
pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// How deep expressions, types and patterns may nest: more than any program of a generator, and safe on the stack that the
/// compiler makes for itself.
pub(super) const MAX_DEPTH: usize = 4096;

/// How many operators, members or `else if`s may follow each other.
const MAX_CHAIN: usize = 500;

/// How high a tree may be, of which chains make up as much as they are long: what walks trees does so by recursion.
const MAX_HEIGHT: usize = 1 << 14;

/// What is known of all that was parsed.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The height of what was parsed since the expression began that is being parsed, or little less.
    height: Cell<usize>,
    /// Braces around one expression, behind a closure's bars: to Weld they are a struct.
    blocks_of_one: RefCell<Vec<Span>>,
    /// Whether what comes next is the closure that is the program.
    is_before_program: Cell<bool>,
    /// The parameters of the program that are declared `const`: their numbers, and the word.
    wanted: RefCell<Vec<(usize, Span)>>,
}

impl Seen {
    /// The braces behind a closure's bars that hold one expression.
    pub(super) fn into_blocks_of_one(self) -> Vec<Span> {
        self.blocks_of_one.into_inner()
    }
}

/// The tokens that are left between two brackets, or in the whole program.
#[derive(Clone)]
pub(super) struct Input<'a> {
    cursor: Cursor<'a>,
    closing: Option<Delimiter>,
    end: Span,
    depth: usize,
    seen: &'a Seen,
    /// Whether a `{` comes after what is parsed now, as in `if c {`: it makes no struct.
    before_block: bool,
}

impl<'a> Input<'a> {
    /// A whole program; `end` is its last token.
    pub(super) fn whole(cursor: Cursor<'a>, end: Span, seen: &'a Seen) -> Input<'a> {
        Input { cursor, closing: None, end, depth: 0, seen, before_block: false }
    }

    /// The next token, or the end.
    pub(super) fn span(&self) -> Span {
        if let Some((ident, _)) = self.cursor.ident() {
            ident.span()
        } else if let Some((punct, _)) = self.cursor.punct() {
            punct.span()
        } else if let Some((literal, _)) = self.cursor.literal() {
            literal.span()
        } else if let Some((_, span)) = self.bracket() {
            span
        } else if let Some((tree, _)) = self.cursor.token_tree() {
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
    pub(super) fn symbol(&self) -> Option<&'static str> {
        let mut here = [b' '; 3];
        let mut cursor = self.cursor;
        for place in &mut here {
            let Some((punct, rest)) = cursor.punct() else { break };
            *place = punct.as_char() as u8;
            if punct.spacing() == Spacing::Alone {
                break;
            }
            cursor = rest;
        }
        let begins_here =
            |symbol: &&&str| symbol.as_bytes()[0] == here[0] && here.starts_with(symbol.as_bytes());
        SYMBOLS.iter().find(begins_here).copied()
    }

    /// Whether the longest symbol here is `symbol`.
    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        self.symbol() == Some(symbol)
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

    /// Takes a comma or fails, with the form of the whole construct as advice.
    pub(super) fn comma_in(&mut self, form: &str) -> Parsed<()> {
        if self.take(",").is_some() {
            return Ok(());
        }
        Err(self.unexpected("`,`").help(format!("the form is `{form}`")))
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

    /// The tokens from here to `end`, which stands between the same two brackets.
    pub(super) fn tokens_to(&self, end: &Input<'a>) -> TokenStream {
        let mut cursor = self.cursor;
        let next = || {
            let (token, rest) = cursor.token_tree().filter(|_| cursor < end.cursor)?;
            cursor = rest;
            Some(token)
        };
        std::iter::from_fn(next).collect()
    }

    /// The opening bracket that comes next.
    fn bracket(&self) -> Option<(Delimiter, Span)> {
        [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket]
            .into_iter()
            .find_map(|delimiter| self.cursor.group(delimiter).map(|(_, span, _)| (delimiter, span.open())))
    }

    /// Whether a group in these brackets comes next.
    pub(super) fn at_group(&self, delimiter: Delimiter) -> bool {
        self.cursor.group(delimiter).is_some()
    }

    /// Takes a group in these brackets.
    pub(super) fn enter(&mut self, delimiter: Delimiter) -> Option<(Input<'a>, DelimSpan)> {
        let (inside, span, rest) = self.cursor.group(delimiter)?;
        self.cursor = rest;
        Some((self.inside(inside, delimiter, span), span))
    }

    /// Takes a group in these brackets or fails.
    pub(super) fn expect_group(&mut self, delimiter: Delimiter) -> Parsed<(Input<'a>, DelimSpan)> {
        self.enter(delimiter).ok_or_else(|| self.unexpected(&format!("`{}`", opening(delimiter))))
    }

    /// Takes a group without delimiters: a fragment of a `macro_rules!` macro.
    pub(super) fn enter_invisible(&mut self) -> Option<Input<'a>> {
        let (inside, span, rest) = self.cursor.group(Delimiter::None)?;
        self.cursor = rest;
        Some(self.inside(inside, Delimiter::None, span))
    }

    fn inside(&self, cursor: Cursor<'a>, delimiter: Delimiter, span: DelimSpan) -> Input<'a> {
        let (closing, end) = (Some(delimiter), span.close());
        Input { cursor, closing, end, before_block: false, ..*self }
    }

    /// Parses what a block follows: outside of brackets, a name before `{` is a name and no struct.
    pub(super) fn before_block<T>(&mut self, parse: impl FnOnce(&mut Input<'a>) -> Parsed<T>) -> Parsed<T> {
        let around = std::mem::replace(&mut self.before_block, true);
        let result = parse(self);
        self.before_block = around;
        result
    }

    /// Whether a name before `{` begins a struct here.
    pub(super) fn makes_structs(&self) -> bool {
        !self.before_block
    }

    /// The items up to the end, with commas between them and perhaps after the last.
    pub(super) fn list<T>(mut self, mut item: impl FnMut(&mut Input<'a>) -> Parsed<T>) -> Parsed<Vec<T>> {
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

    /// As [`Input::expect_last`], with the form of the whole construct as advice.
    pub(super) fn last_in(&mut self, form: &str) -> Parsed<()> {
        self.expect_last().map_err(|error| error.help(format!("the form is `{form}`")))
    }

    /// Parses one level deeper, and fails beyond the deepest.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Input<'a>) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(too_deep(self.span()));
        }
        self.depth += 1;
        let around = self.seen.height.replace(0);
        let result = parse(self);
        self.seen.height.set(around.max(self.seen.height.get() + 1));
        self.depth -= 1;
        result
    }

    /// Remembers that the closure that is the program comes next.
    pub(super) fn begin_program(&self) {
        self.seen.is_before_program.set(true);
    }

    /// Whether the closure that is the program begins here, which it does once.
    pub(super) fn begins_program(&self) -> bool {
        self.seen.is_before_program.take()
    }

    /// Remembers that a parameter of the program is declared `const`.
    pub(super) fn note_wanted(&self, number: usize, word: Span) {
        self.seen.wanted.borrow_mut().push((number, word));
    }

    /// The parameters of the program that are declared `const`, behind the program.
    pub(super) fn take_wanted(&self) -> Vec<(usize, Span)> {
        self.seen.wanted.take()
    }

    /// Remembers braces around one expression, behind a closure's bars.
    pub(super) fn note_block_of_one(&self, braces: Span) {
        self.seen.blocks_of_one.borrow_mut().push(braces);
    }

    /// Fails if a chain has grown to `length` links, as it would make a tree too deep to work on.
    pub(super) fn check_chain(&self, length: usize) -> Parsed<()> {
        // The first link is not known to be one before it is there; there are few of them in one expression.
        self.seen.height.set(self.seen.height.get() + usize::from(length > 0));
        if self.seen.height.get() > MAX_HEIGHT {
            let message = format!("nested more than {MAX_HEIGHT} levels deep, chains included");
            return Err(
                Diagnostic::new(Code::TooDeep, self.span(), message).help("name the parts with `let`")
            );
        }
        if length < MAX_CHAIN {
            return Ok(());
        }
        let message = format!("more than {MAX_CHAIN} of these in a row");
        Err(Diagnostic::new(Code::TooDeep, self.span(), message)
            .help("name the parts with `let`, or use a vector"))
    }

    /// The error that something else was expected here, or a better one where the token is a well known habit
    /// from Rust.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        if let Some(error) = words::foreign(self) {
            return error;
        }
        let message = format!("expected {expected}, found {}", self.found());
        // Where a construct was to begin, the symbol is only the one after what is missing.
        let ended = ["`", "the end", "an operator or"].iter().any(|what| expected.starts_with(what));
        let error = |code| Diagnostic::new(code, self.span(), &message);
        match self.symbol() {
            Some(symbol) if ended && words::is_assignment(symbol) => {
                error(Code::NoMutation).help(words::ASSIGNMENT)
            }
            Some(";") if ended => error(Code::Expected).help(words::SEMICOLON),
            None if ended && self.at_group(Delimiter::Brace) => error(Code::Expected).help(words::BLOCKS),
            // In front of these stands a pattern, which has no operators.
            symbol if ended && !matches!(expected, "`=>`" | "`=`") => {
                let word = self.word().map(|(word, _)| word);
                match word.as_deref().or(symbol).and_then(words::operator_elsewhere) {
                    Some(advice) => error(Code::Expected).help(advice),
                    None => error(Code::Expected),
                }
            }
            _ => error(Code::Expected),
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
        } else if let Some((delimiter, _)) = self.bracket() {
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

    /// Takes a lifetime if one comes next: one of the parameters of a struct that borrows, or of its arguments.
    pub(super) fn take_lifetime(&mut self) -> bool {
        let Some((_, behind)) = self.cursor.lifetime() else { return false };
        self.cursor = behind;
        true
    }

    fn end_name(&self) -> String {
        match self.closing {
            Some(Delimiter::None) => "the end of the fragment".to_string(),
            Some(delimiter) => format!("`{}`", closing(delimiter)),
            None => "the end of the program".to_string(),
        }
    }
}

/// The error for what is nested more than [`MAX_DEPTH`] levels deep.
pub(super) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested more than {MAX_DEPTH} levels deep");
    Diagnostic::new(Code::TooDeep, span, message).help("name the parts with `let`")
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
