//! `$` in what is told: a field, `x.$0`, in Weld's spelling. In the macro that tells it, `$` would be one of the macro's own.

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// What stands for it there.
const WORD: &str = "__weld_dollar";

/// `tokens` as a macro can tell them.
pub(super) fn hidden(tokens: TokenStream) -> TokenStream {
    let is_dollar = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '$');
    replaced(tokens, &is_dollar, &|dollar| Ident::new(WORD, dollar.span()).into())
}

/// The same as they were written.
pub(super) fn shown(tokens: TokenStream) -> TokenStream {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == WORD);
    let dollar = |word: TokenTree| {
        let mut dollar = Punct::new('$', Spacing::Alone);
        dollar.set_span(word.span());
        dollar.into()
    };
    replaced(tokens, &is_word, &dollar)
}

fn replaced(
    tokens: TokenStream,
    is_it: &dyn Fn(&TokenTree) -> bool,
    by: &dyn Fn(TokenTree) -> TokenTree,
) -> TokenStream {
    // Places of brackets are lost in a new group.
    if !has(&tokens, is_it) {
        return tokens;
    }
    let replace = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), replaced(group.stream(), is_it, by));
            new.set_span(group.span());
            new.into()
        }
        token if is_it(&token) => by(token),
        token => token,
    };
    tokens.into_iter().map(replace).collect()
}

fn has(tokens: &TokenStream, is_it: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.clone().into_iter().any(|token| match &token {
        TokenTree::Group(group) => has(&group.stream(), is_it),
        token => is_it(token),
    })
}
