//! Whatever the tokens are, the parser answers: it neither panics nor hangs, and blames a place.

use super::super::{parse_text, parse_tokens, show};

/// A small generator of pseudo-random numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "|", "||", "|x|", "|a: i64|", "(", ")", "[", "]", "{", "}", ",", ";", ":", "::", "::<f64>", ".", "..", "..=", "$0",
    "$", "0.", "1", "1L", "2.5", "0x1fsi", "-", "!", "*", "&", "+", "/", "%", "^", "<", ">", "<=", "==", "!=", "&&",
    "<<", ">>", "=", "+=", "=>", "->", "?", "@", "@(a: b)", "#", "'a", "'x'", "b'x'", "\"s\"", "b\"s\"", "x", "f", "_",
    "let", "let a = 1;", "if", "else", "for", "zip", "iter", "rangeiter", "appender", "merger", "[i64,+]", "vecmerger",
    "dictmerger", "groupmerger", "vec", "dict", "Vec", "Dict", "i64", "f64::MAX", "std", "usize", "type", "macro", "cudf",
    "deserialize", "simd", "true", "match", "mut", "as", "as i64", "in", "min", "len", "// c\n", "/* c */", "\n", "é",
    "fn", "fn f(x: i64) -> i64", "const K: i64 = 1;", "impl", "Fn", "~", "\\", "\u{0}", "r#\"", "\"",
];

fn soup(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let mut open = Vec::new();
    for _ in 0..1 + numbers.below(24) {
        let token = numbers.pick(TOKENS);
        // Most brackets are closed, or nearly all soups would end in the lexer.
        match token {
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            ")" | "]" | "}" => match open.pop() {
                Some(close) => {
                    text += close;
                    continue;
                }
                None if numbers.below(20) > 0 => continue,
                None => {}
            },
            "\\" | "\u{0}" | "r#\"" | "\"" if numbers.below(10) > 0 => continue,
            _ => {}
        }
        text += token;
        text += numbers.pick(&[" ", " ", ""]);
    }
    text.extend(open.into_iter().rev());
    text
}

#[test]
fn soups_of_tokens_are_answered() {
    let mut numbers = Numbers(7);
    let mut programs = 0;
    for _ in 0..8000 {
        let text = soup(&mut numbers);
        for text in [format!("|x: i64| {text}"), text] {
            match parse_text(&text) {
                Ok(program) => {
                    show::program(&program);
                    programs += 1;
                }
                Err(errors) => {
                    let place = errors[0].position();
                    let lines = text.split('\n').count();
                    assert!(place.line >= 1 && place.line as usize <= lines, "{text}: {place}");
                    assert!(!errors[0].message.is_empty(), "{text}");
                }
            }
        }
        if numbers.below(50) == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
    }
    assert!(programs > 100, "only {programs} of the soups are programs");
}

/// One token less, one twice, or two exchanged: what a user's slip gives.
#[test]
fn slips_are_answered() {
    let programs = [
        "type row = {i64, f64}; macro twice(x) = (x + x); |v: vec[row], k: i64| -> vec[f64] \
         result(for(zip(v, iter(v, 0L, k, 1L)), appender[f64](k), |b, i, e| if(e.$0.$1 > 2.5f, merge(b, twice(e.1.0)), b)))",
        "|v: &[(f64, Vec<i64>)], d: &Dict<i64, f64>| { let (s, _) = v[0]; v.iter().filter(|&(a, b)| *a < s && b.len() > 3) \
         .map(|x| if x.0 as i64 == 1 { lookup(d, x.1[0]) } else { -f64::consts::PI }).collect::<Vec<_>>() }",
        "const K: f64 = 0.5; fn f<T: Float, U>(x: T, g: impl Fn(T, U) -> bool) -> (T, i64) { let y = x; (y, 1) } \
         |v: &[f64]| { fn g(x: f64) -> f64 { x * K } v.map(g) }",
    ];
    for text in programs {
        let tokens: Vec<proc_macro2::TokenTree> =
            text.parse::<proc_macro2::TokenStream>().expect("tokens").into_iter().collect();
        assert!(parse_text(text).is_ok());
        for at in 0..tokens.len() - 1 {
            let mut lost = tokens.clone();
            lost.remove(at);
            let mut doubled = tokens.clone();
            doubled.insert(at, tokens[at].clone());
            let mut exchanged = tokens.clone();
            exchanged.swap(at, at + 1);
            for slip in [lost, doubled, exchanged] {
                let _ = parse_tokens(slip.into_iter().collect());
            }
        }
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let _ = parse_text(&text[..at]);
        }
    }
}
