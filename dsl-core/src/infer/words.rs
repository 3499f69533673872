//! Which names of functions are the language's, and which are likely slips for these: what neither is, may be a function of the user's.

use weldment_runtime::lang::scalar::MathFn;

use super::{arrays, builtins, columns, cursors, dbg, forms, habits, sugar, texts};
use crate::syntax::KEYWORDS;

/// The functions of the language.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    let math = MathFn::ALL.iter().map(|function| function.name());
    builtins::names().chain(sugar::NAMES).chain(arrays::names()).chain(math).chain([dbg::WORD])
}

/// Whether `name` is one of the functions of the language, or a keyword.
pub fn is_function(name: &str) -> bool {
    let forms = forms::TRANSPARENT
        .into_iter()
        .chain(texts::WORDS)
        .chain(cursors::OF_TABLES)
        .chain([arrays::DOMAIN, columns::ROWS])
        .chain(KEYWORDS);
    functions().chain(forms).any(|word| word == name)
}

/// Whether the language has something to say to a call of `name`: it is one of its functions, or likely a slip for one, or a habit from
/// elsewhere. Anything else is a function of the user's: `tax` is no `max`, and `cost` no `cos`.
pub fn is_word(name: &str) -> bool {
    is_function(name)
        || habits::instead_of(name, false).is_some()
        || functions().any(|word| is_slip(name, word))
}

/// Whether `name` is `word` but for a letter inside that is missing, a letter that is twice there, or two that are swapped.
fn is_slip(name: &str, word: &str) -> bool {
    let without = |of: &str, at: usize| format!("{}{}", &of[..at], &of[at + 1..]);
    let is_missing = || word.len() > 3 && (1..word.len() - 1).any(|at| without(word, at) == name);
    let bytes = name.as_bytes();
    let is_twice = |at: usize| bytes[at] == bytes[at - 1] && without(name, at) == word;
    let is_swapped = |at: usize| {
        let mut swapped = bytes.to_vec();
        swapped.swap(at - 1, at);
        swapped == word.as_bytes()
    };
    name.is_ascii() && (is_missing() || (1..bytes.len()).any(|at| is_twice(at) || is_swapped(at)))
}
