//! Tokens as text, with spaces where people write them, whatever stood between them in the source.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use weldment_runtime::lang::fault::Position;

use crate::diagnostic::position;
use crate::syntax::symbols::SYMBOLS;

/// A text, and its tokens in order, brackets included.
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
}

/// A token of the text.
pub(super) struct Token {
    /// Where it stands in the source; brackets around fragments of macros stand nowhere.
    pub(super) place: Option<Position>,
    /// Where it stands in the text.
    pub(super) text: Range<usize>,
    /// The number of the opening bracket around it.
    pub(super) around: Option<usize>,
    /// How many brackets are around it.
    pub(super) depth: usize,
    /// The number of the bracket that closes it; its own, if it opens none.
    pub(super) close: usize,
}

/// The text of `tokens`, with its tokens.
pub(super) fn print(tokens: TokenStream) -> Printed {
    let mut printer =
        Printer { printed: Printed { text: String::new(), tokens: Vec::new() }, open: Vec::new() };
    printer.tokens(tokens, &mut Last::default());
    printer.printed
}

/// The text of `tokens`.
pub(in crate::syntax) fn text(tokens: TokenStream) -> String {
    print(tokens).text
}

struct Printer {
    printed: Printed,
    /// The brackets that are open.
    open: Vec<usize>,
}

/// What was printed last between two brackets.
#[derive(Default)]
struct Last {
    /// Whether a space goes before what comes next, unless that refuses it.
    spaced: bool,
    /// Whether an operand has ended: an operator now has two sides.
    operand: bool,
    /// Whether brackets now are those of a call or an index.
    callee: bool,
    /// Whether a brace now opens a block.
    block: bool,
    /// Whether the parameters of a closure are open.
    bars: bool,
    /// Whether `<` now opens a list of types, and how many are open.
    generic: bool,
    generics: usize,
}

impl Last {
    fn set(&mut self, spaced: bool, operand: bool, callee: bool, block: bool) {
        (self.spaced, self.operand, self.callee, self.block) = (spaced, operand, callee, block);
        self.generic = false;
    }

    fn operand(&mut self) {
        self.set(true, true, true, true);
    }

    /// Something that needs its right side, with a space between or without.
    fn infix(&mut self, spaced: bool) {
        self.set(spaced, false, false, false);
    }
}

impl Printer {
    fn tokens(&mut self, tokens: TokenStream, last: &mut Last) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut next = 0;
        while let Some(token) = tokens.get(next) {
            next += 1;
            match token {
                TokenTree::Ident(ident) => self.word(&ident.to_string(), position(ident.span()), last),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    self.put(&text, Some(position(literal.span())), last.spaced);
                    match text.ends_with('.') {
                        true => last.infix(false),
                        false => last.operand(),
                    }
                }
                TokenTree::Group(group) => self.group(group, last),
                TokenTree::Punct(_) => next += self.symbol(&tokens[next - 1..], last) - 1,
            }
        }
    }

    fn word(&mut self, word: &str, place: Position, last: &mut Last) {
        self.put(word, Some(place), last.spaced);
        match word {
            "let" | "as" | "in" | "macro" | "type" | "struct" => last.infix(true),
            "else" => last.set(true, false, false, true),
            _ => last.operand(),
        }
        last.generic = word.starts_with(char::is_uppercase);
    }

    fn group(&mut self, group: &Group, last: &mut Last) {
        let inside = group.stream();
        let (opening, closing) = match group.delimiter() {
            Delimiter::None if inside.clone().into_iter().nth(1).is_none() => {
                return self.tokens(inside, last);
            }
            Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => ("{", "}"),
        };
        let place = |span| (group.delimiter() != Delimiter::None).then(|| position(span));
        let is_brace = group.delimiter() == Delimiter::Brace;
        let is_block = is_brace && last.block && !inside.is_empty();
        self.put(opening, place(group.span_open()), last.spaced && (is_brace || !last.callee));
        let open = self.printed.tokens.len() - 1;
        self.open.push(open);
        self.tokens(inside, &mut Last { spaced: is_block, ..Last::default() });
        self.open.pop();
        self.put(closing, place(group.span_close()), is_block);
        self.printed.tokens[open].close = self.printed.tokens.len() - 1;
        last.operand();
    }

    /// Prints the symbol that `tokens` begin with; gives how many they are.
    fn symbol(&mut self, tokens: &[TokenTree], last: &mut Last) -> usize {
        let puncts = joint(tokens);
        let here: String = puncts.iter().map(|punct| punct.as_char()).collect();
        let symbol = SYMBOLS.into_iter().find(|symbol| here.starts_with(symbol)).unwrap_or(&here);
        let is_prefix = !last.operand;
        let is_end_of_types = matches!(symbol, ">" | ">>") && last.generics >= symbol.len();
        let is_type_list = symbol == "<" && last.generic;
        let is_macro = symbol == "!" && !is_prefix;
        let is_tight = is_macro || matches!(symbol, "," | ";" | ":" | "." | "::" | "..");
        let ends_bars = symbol == "|" && last.bars;
        let spaced = last.spaced && !(is_tight || is_end_of_types || is_type_list || ends_bars);
        for (number, punct) in puncts.iter().take(symbol.len()).enumerate() {
            let text = punct.as_char().to_string();
            self.put(&text, Some(position(punct.span())), spaced && number == 0);
        }
        match symbol {
            _ if is_end_of_types => {
                last.generics -= symbol.len();
                last.operand();
            }
            _ if is_type_list => {
                last.generics += 1;
                last.infix(false);
            }
            "," | ";" | ":" => last.infix(true),
            "." | ".." | "!" | "$" | "#" => last.infix(false),
            "::" => {
                last.infix(false);
                last.generic = true;
            }
            "|" if ends_bars || is_prefix => {
                last.bars = !ends_bars;
                last.set(ends_bars, false, false, ends_bars);
            }
            "||" if is_prefix => last.set(true, false, false, true),
            _ => last.infix(!is_prefix),
        }
        symbol.len()
    }

    fn put(&mut self, text: &str, place: Option<Position>, spaced: bool) {
        if spaced && !self.printed.text.is_empty() {
            self.printed.text.push(' ');
        }
        let start = self.printed.text.len();
        self.printed.text.push_str(text);
        self.printed.tokens.push(Token {
            place,
            text: start..self.printed.text.len(),
            around: self.open.last().copied(),
            depth: self.open.len(),
            close: self.printed.tokens.len(),
        });
    }
}

/// The symbols at the beginning of `tokens` that stand without a space between them, at most three.
fn joint(tokens: &[TokenTree]) -> Vec<&Punct> {
    let mut puncts = Vec::new();
    for token in tokens.iter().take(3) {
        let TokenTree::Punct(punct) = token else { break };
        puncts.push(punct);
        if punct.spacing() == Spacing::Alone {
            break;
        }
    }
    puncts
}
