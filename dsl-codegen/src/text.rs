//! The text of a kernel, from its tokens: what `Kernel::source` gives, and what is parsed again at run time.
//!
//! Tokens know where they stand, so lines and indentation are those of the user; comments are gone. Tokens that a macro of
//! the user's has brought together from several places are set apart by spaces. What a fragment of such a macro holds
//! together by invisible delimiters, parentheses hold together in a text.

use std::collections::HashMap;

use proc_macro2::{Delimiter, LineColumn, Spacing, Span, TokenStream, TokenTree};
use weldment_runtime::lang::fault::Position;

/// A token that is no group, or one end of a group.
struct Leaf {
    text: String,
    /// Where it begins and ends; `None` if it stands nowhere.
    place: Option<(LineColumn, LineColumn)>,
    /// Whether the next is part of the same operator, as `>` in `->`.
    is_joint: bool,
}

/// A text, and where in it the tokens stand that stood elsewhere.
pub(crate) struct Text {
    pub(crate) text: String,
    /// From where a token was written to where it is in the text.
    pub(crate) places: HashMap<Position, Position>,
}

impl Text {
    /// The same text with `head` in front.
    pub(crate) fn behind(self, head: &str) -> Text {
        let start = end_of(head, Position { line: 1, column: 1 });
        let moved = |at: Position| Position {
            line: at.line + start.line - 1,
            column: if at.line == 1 { at.column + start.column - 1 } else { at.column },
        };
        let places = self.places.into_iter().map(|(from, to)| (from, moved(to))).collect();
        Text { text: format!("{head}{}", self.text), places }
    }
}

/// `tokens` as a text that is lexed to the same tokens.
pub(crate) fn text(tokens: TokenStream) -> Text {
    let mut leaves = Vec::new();
    flatten(tokens, &mut leaves);
    let laid_out = write(&leaves, &as_written(&leaves));
    // Places can lie where macros are at work; spaces cannot.
    if is_lexed_to(&laid_out.text, &leaves) { laid_out } else { write(&leaves, &apart(&leaves)) }
}

fn flatten(tokens: TokenStream, leaves: &mut Vec<Leaf>) {
    let place = |span: Span| Some((span.start(), span.end()));
    for token in tokens {
        let (text, span, is_joint) = match token {
            TokenTree::Group(group) => {
                let inside = group.stream();
                let is_alone = inside.clone().into_iter().nth(1).is_none();
                let (open, close, is_seen) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")", true),
                    Delimiter::Brace => ("{", "}", true),
                    Delimiter::Bracket => ("[", "]", true),
                    Delimiter::None if is_alone => ("", "", false),
                    Delimiter::None => ("(", ")", false),
                };
                let end = |text: &str, span: Span| {
                    let place = if is_seen { place(span) } else { None };
                    (!text.is_empty()).then_some(Leaf { text: text.to_owned(), place, is_joint: false })
                };
                let ends = [end(open, group.span_open()), end(close, group.span_close())];
                let [open, close] = ends;
                leaves.extend(open);
                flatten(inside, leaves);
                leaves.extend(close);
                continue;
            }
            TokenTree::Punct(punct) => (punct.to_string(), punct.span(), punct.spacing() == Spacing::Joint),
            TokenTree::Ident(ident) => (ident.to_string(), ident.span(), false),
            TokenTree::Literal(literal) => (literal.to_string(), literal.span(), false),
        };
        leaves.push(Leaf { text, place: place(span), is_joint });
    }
}

/// The leaves, with what stands in front of each but the first.
fn write(leaves: &[Leaf], gaps: &[Gap]) -> Text {
    let starts = gaps.iter().zip(leaves.iter().skip(1)).filter_map(|(gap, leaf)| match gap {
        Gap::Line(column) => Some((*column, !leaf.text.starts_with(['}', ')', ']']))),
        _ => None,
    });
    // What closes the program stands under where it was opened, and anything else further in.
    let margin =
        starts.min().map_or(0, |(column, is_inside)| column.saturating_sub(if is_inside { 4 } else { 0 }));
    let mut text = String::new();
    let mut places = HashMap::new();
    let mut at = Position { line: 1, column: 1 };
    let before = std::iter::once(&Gap::None).chain(gaps);
    for (leaf, gap) in leaves.iter().zip(before) {
        match gap {
            Gap::None => {}
            Gap::Space => {
                text.push(' ');
                at.column += 1;
            }
            Gap::Line(column) => {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', column - margin));
                at = Position { line: at.line + 1, column: (column - margin) as u32 + 1 };
            }
        }
        if let Some((start, _)) = leaf.place {
            let written = Position { line: start.line as u32, column: start.column as u32 + 1 };
            places.insert(written, at);
        }
        text.push_str(&leaf.text);
        at = end_of(&leaf.text, at);
    }
    Text { text, places }
}

/// Where `text` ends that begins at `at`: a string may have several lines.
fn end_of(text: &str, at: Position) -> Position {
    let lines = text.matches('\n').count() as u32;
    let last = text.rsplit('\n').next().unwrap_or(text).chars().count() as u32;
    Position { line: at.line + lines, column: if lines == 0 { at.column + last } else { last + 1 } }
}

/// Lines and indentation as they were.
fn as_written(leaves: &[Leaf]) -> Vec<Gap> {
    leaves.windows(2).map(|pair| gap(&pair[0], &pair[1])).collect()
}

/// Every token by itself, but for those that are one operator.
fn apart(leaves: &[Leaf]) -> Vec<Gap> {
    leaves.windows(2).map(|pair| if pair[0].is_joint { Gap::None } else { Gap::Space }).collect()
}

/// What stands between two tokens.
enum Gap {
    None,
    Space,
    /// The end of a line, and where the next begins.
    Line(usize),
}

fn gap(before: &Leaf, after: &Leaf) -> Gap {
    if before.is_joint {
        return Gap::None;
    }
    let (Some((_, end)), Some((start, _))) = (before.place, after.place) else { return Gap::Space };
    if start.line > end.line {
        Gap::Line(start.column)
    } else if start == end {
        Gap::None
    } else {
        Gap::Space
    }
}

/// Whether `text` is lexed to `leaves`.
fn is_lexed_to(text: &str, leaves: &[Leaf]) -> bool {
    let Ok(tokens) = text.parse() else { return false };
    let mut again = Vec::new();
    flatten(tokens, &mut again);
    let is_same = |(a, b): (&Leaf, &Leaf)| a.text == b.text && a.is_joint == b.is_joint;
    again.len() == leaves.len() && again.iter().zip(leaves).all(is_same)
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Group, Ident};
    use quote::quote;

    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn a_text_is_as_it_was_written() {
        for written in [
            "|v: &[f64]| v.map(|x| x * x)\n    .sum()",
            "|a: i64, b: &[(u8, f64)]| -> i64 {\n    let c = a >= 1 && a != -2;\n    if c { a<<1 } else { 1.5e3 as i64 }\n}",
            "|| 'x'",
        ] {
            assert_eq!(text(tokens(written)).text, written);
        }
    }

    #[test]
    fn comments_and_the_margin_go() {
        let written = "|v: &[f64]| // all\n        v.sum()   /* of\n them */ + 1.0";
        assert_eq!(text(tokens(written)).text, "|v: &[f64]|\n    v.sum()\n     + 1.0");
        assert_eq!(text(tokens("        || {\n            1\n        }")).text, "|| {\n    1\n}");
        assert_eq!(text(TokenStream::new()).text, "");
    }

    #[test]
    fn tokens_from_several_places_do_not_run_together() {
        let name = Ident::new("x", Span::call_site());
        let of_macros = quote!(|#name: i64| #name as i64 - -#name);
        let again = text(of_macros.clone()).text;
        assert_eq!(tokens(&again).to_string(), of_macros.to_string());
    }

    #[test]
    fn what_is_held_together_invisibly_gets_parentheses() {
        let sum = TokenTree::Group(Group::new(Delimiter::None, quote!(a + b)));
        assert_eq!(tokens(&text(quote!(#sum * c)).text).to_string(), quote!((a + b) * c).to_string());
        let one = TokenTree::Group(Group::new(Delimiter::None, quote!(a)));
        assert_eq!(tokens(&text(quote!(#one * c)).text).to_string(), quote!(a * c).to_string());
    }

    #[test]
    fn places_lead_to_the_text() {
        let Text { text, places } = text(tokens("\n\n   |s: &[f64]|\n       s.map(|x| x + 1.0)\n   .sum()"));
        assert_eq!(text, "|s: &[f64]|\n       s.map(|x| x + 1.0)\n   .sum()");
        let place = |line, column| Position { line, column };
        assert_eq!(places[&place(3, 4)], place(1, 1));
        assert_eq!(places[&place(4, 10)], place(2, 10));
        assert_eq!(places[&place(5, 5)], place(3, 5));
        let behind = super::text(tokens("|x: i64|\nx")).behind("struct A;\nstruct B; ");
        assert_eq!(behind.text, "struct A;\nstruct B; |x: i64|\nx");
        assert_eq!((behind.places[&place(1, 1)], behind.places[&place(2, 1)]), (place(2, 11), place(3, 1)));
        assert_eq!(end_of("\"a\nbc\"", place(7, 3)), place(8, 4));
    }
}
