//! Items in which others go by names that no other item has: tokens, of which the paths of those are exchanged.

use std::collections::HashMap;

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};

/// Whether `token` is this symbol.
pub(crate) fn is(token: &TokenTree, symbol: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == symbol)
}

/// Where `word` stands in `tokens`.
pub(super) fn find(tokens: &TokenStream, word: &str) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident),
        TokenTree::Group(group) => find(&group.stream(), word),
        _ => None,
    })
}

/// What stands for each path, as the parser of the language spells it.
pub(super) type Renaming = HashMap<String, TokenStream>;

/// A path as the parser of the language spells it.
pub(super) fn spelt(path: &TokenStream) -> String {
    path.to_string().replace(' ', "").replace("r#", "")
}

/// `tokens`, where others stand for the paths that `renaming` has. What is no path stays: a field, `x.name` and `name: x`. No
/// variable has such a name, for it would not have been asked.
pub(super) fn renamed(tokens: TokenStream, renaming: &Renaming) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = path_end(&tokens, at);
        let path: TokenStream = tokens[at..end].iter().cloned().collect();
        // Of a variant, the path of its enum.
        let inner = variant(&tokens[at..end]);
        let found = renaming.get(&spelt(&path)).map(|name| (name, end));
        let found = found.or_else(|| {
            let of: TokenStream = tokens[at..end - inner?].iter().cloned().collect();
            Some((renaming.get(&spelt(&of))?, end - inner?))
        });
        match found {
            Some((name, end)) if end > at && !is_field(&tokens, at, end) => {
                let span = tokens[end - 1].span();
                out.extend(name.clone().into_iter().map(|mut token| {
                    token.set_span(span);
                    token
                }));
                at = end;
            }
            _ if end > at => {
                out.extend(path);
                at = end;
            }
            _ => {
                out.extend([inside(&tokens[at], renaming)]);
                at += 1;
            }
        }
    }
    out
}

/// How many tokens the last name of a path takes with the `::` before it; `None` if it is its only name.
fn variant(path: &[TokenTree]) -> Option<usize> {
    let before = path.len().checked_sub(3)?;
    (before > 0 && is(&path[before], ':')).then_some(3)
}

/// Whether `path` stands in `tokens`, as the parser of the language spells it.
pub(super) fn has_path(tokens: &TokenStream, path: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let end = path_end(&tokens, at);
        let found: TokenStream = tokens[at..end].iter().cloned().collect();
        let is_inside = matches!(&tokens[at], TokenTree::Group(group) if has_path(&group.stream(), path));
        if is_inside || end > at && spelt(&found) == path {
            return true;
        }
        at = end.max(at + 1);
    }
    false
}

fn inside(token: &TokenTree, renaming: &Renaming) -> TokenTree {
    match token {
        TokenTree::Group(group) if names_any(group.stream(), renaming) => {
            let mut renamed = Group::new(group.delimiter(), renamed(group.stream(), renaming));
            renamed.set_span(group.span());
            renamed.into()
        }
        // With the places of its ends, which a new one does not have.
        token => token.clone(),
    }
}

/// Whether the last name of a path is somewhere in `tokens`.
fn names_any(tokens: TokenStream, renaming: &Renaming) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names_any(group.stream(), renaming),
        TokenTree::Ident(name) => {
            let name = name.to_string();
            renaming.keys().any(|path| path.rsplit("::").next() == Some(name.trim_start_matches("r#")))
        }
        _ => false,
    })
}

/// Where the path ends that begins at `at`; there if none does.
fn path_end(tokens: &[TokenTree], at: usize) -> usize {
    let is_name = |at: usize| matches!(tokens.get(at), Some(TokenTree::Ident(_)));
    let mut end = if is_colons(tokens, at) && is_name(at + 2) { at + 2 } else { at };
    if !is_name(end) {
        return at;
    }
    end += 1;
    while is_colons(tokens, end) && is_name(end + 2) {
        end += 3;
    }
    end
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let is_first = matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
    is_first && tokens.get(at + 1).is_some_and(|token| is(token, ':'))
}

/// Whether what stands from `at` to `end` is the name of a field.
fn is_field(tokens: &[TokenTree], at: usize, end: usize) -> bool {
    let is_dot = |back: usize| at >= back && is(&tokens[at - back], '.');
    let is_taken = is_dot(1) && !is_dot(2);
    let is_given = tokens.get(end).is_some_and(|token| is(token, ':')) && !is_colons(tokens, end);
    is_taken || is_given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_whole() {
        let tokens = "|p: &[a::Point]| p.map(|p| f(p.tax))".parse().expect("tokens");
        let found = ["a::Point", "Point", "f", "a", "map"].map(|path| has_path(&tokens, path));
        assert_eq!(found, [true, false, true, false, true]);
    }

    #[test]
    fn paths_are_renamed_and_fields_are_not() {
        let renaming = [("tax", "T"), ("shop::rate", "R"), ("Point", "P"), ("::a::f", "F")];
        let renaming = renaming.map(|(path, name)| (path.to_owned(), name.parse().expect("tokens"))).into();
        for (text, expected) in [
            ("tax(x) + p.tax + (0..tax(y))", "T (x) + p . tax + (0 .. T (y))"),
            ("v.map(shop::rate).sum() + rate(1)", "v . map (R) . sum () + rate (1)"),
            ("Point { tax: tax(x), ..p }", "P { tax : T (x) , .. p }"),
            ("|p: &[Point<f64>]| -> Vec<Point<f64>>", "| p : & [P < f64 >] | -> Vec < P < f64 >>"),
            ("::a::f(x) + a::f(x) + tax::<f64>(x)", "F (x) + a :: f (x) + T ::< f64 > (x)"),
        ] {
            assert_eq!(renamed(text.parse().expect("tokens"), &renaming).to_string(), expected);
        }
    }
}
