//! Symbols of Rust's tokens.

/// Every symbol that Rust's tokens allow, each before its own prefixes.
#[rustfmt::skip]
pub(super) const SYMBOLS: [&str; 46] = [
    "<<=", ">>=", "..=", "...", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "..", "->", "=>", "::",
    "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&", "|", "!", "=", "<",
    ">", ".", ",", ":", ";", "#", "$", "?", "@", "~", "'",
];
