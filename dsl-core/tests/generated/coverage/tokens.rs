//! Which tokens programs have held: each form of literal, the spellings of types, and what is noise in Rust.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::{Coverage, want};

/// What numbers end in.
const SUFFIXES: [&str; 18] = [
    "L", "l", "c", "C", "si", "f", "F", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "f32",
    "f64",
];

/// Forms of literals.
const FORMS: [&str; 9] =
    ["without suffix", "hexadecimal", "binary", "underscore", "exponent", "float", "string", "bytes", "byte"];

/// Tokens that stand behind each other where something is spelt in one way or the other.
const WRITTEN: [&str; 27] = [
    "vec [",
    "Vec <",
    "Vec < _ >",
    "dict [",
    "Dict <",
    ": & [",
    ": & (",
    ": & Dict",
    ") as",
    ". 0",
    ". $",
    "else if",
    "else {",
    "| {",
    "| - >",
    "deserialize :: <",
    "deserialize [",
    "@ (",
    "let _ =",
    "[ ?",
    "[ _",
    "[ ]",
    ":: MAX",
    ":: MIN",
    ":: consts",
    "std ::",
    "| _",
];

/// What [`Coverage::tokens`] should count.
pub(super) fn wanted(wanted: &mut BTreeSet<String>) {
    want(wanted, "suffix", SUFFIXES);
    want(wanted, "literal", FORMS);
    want(wanted, "written", WRITTEN.into_iter().chain(["a comment"]));
}

impl Coverage {
    /// Counts the tokens of the program `text`.
    pub(super) fn tokens(&mut self, text: &str) {
        let tokens: TokenStream = text.parse().expect("it has been parsed");
        let mut flat = Vec::new();
        flatten(tokens, &mut flat);
        let all = format!(" {} ", flat.join(" ")).replace(": :", "::");
        for written in WRITTEN.into_iter().filter(|written| all.contains(&format!(" {written} "))) {
            self.count("written", written);
        }
        if text.contains("/*") {
            self.count("written", "a comment");
        }
        flat.iter().for_each(|token| self.literal(token));
    }

    fn literal(&mut self, token: &str) {
        let first = token.chars().next().unwrap_or(' ');
        match token {
            _ if token.starts_with("b\"") => return self.count("literal", "bytes"),
            _ if token.starts_with("b'") => return self.count("literal", "byte"),
            _ if first == '"' => return self.count("literal", "string"),
            _ if !first.is_ascii_digit() => return,
            _ => {}
        }
        let is_hexadecimal = token.starts_with("0x");
        let is_digit = |suffix: &str| is_hexadecimal && suffix.chars().all(|c| c.is_ascii_hexdigit());
        let suffixes = SUFFIXES.iter().filter(|suffix| token.ends_with(**suffix) && !is_digit(suffix));
        let suffix = suffixes.max_by_key(|suffix| suffix.len());
        self.count("suffix", suffix.copied().unwrap_or("none"));
        let number = token.strip_suffix(suffix.copied().unwrap_or_default()).unwrap_or(token);
        let forms = [
            (suffix.is_none(), "without suffix"),
            (is_hexadecimal, "hexadecimal"),
            (token.starts_with("0b"), "binary"),
            (number.contains('_'), "underscore"),
            (!is_hexadecimal && number.contains('e'), "exponent"),
            (number.contains('.'), "float"),
        ];
        forms.into_iter().filter(|(is_so, _)| *is_so).for_each(|(_, form)| self.count("literal", form));
    }
}

/// The tokens, groups opened.
fn flatten(tokens: TokenStream, flat: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                flat.push(open.to_owned());
                flatten(group.stream(), flat);
                flat.push(close.to_owned());
            }
            other => flat.push(other.to_string()),
        }
    }
}
