//! What is expected where, and where errors at ends point.

use super::{check_advice, check_errors, rendered};
use crate::syntax::parse_tokens;

#[test]
fn ends() {
    check_errors(&[
        ("", "1:1 parse: a program is a closure"),
        ("|| 1 +", "1:6 parse: expected an expression, found the end of the program"),
        ("|x: i64|", "1:8 parse: expected an expression, found the end of the program"),
        ("|x: i64", "1:5 parse: expected `,` or `|`, found the end of the program"),
        ("|x:", "1:3 parse: expected a type, found the end of the program"),
        ("|", "1:1 parse: expected a pattern, found the end of the program"),
        ("|| let a = f(1)", "1:15 parse: expected `;`, found the end of the program"),
        ("|| let a = 1;", "1:13 parse: expected an expression, found the end of the program"),
        ("|| x.", "1:5 parse: expected a field, such as `0`, or a method, found the end of the program"),
        ("|| x.$", "1:6 parse: expected a field, such as `0`, or a method, found the end of the program"),
        ("|| x.$0.", "1:7 parse: expected a field, such as `0`, or a method, found the end of the program"),
        ("|| (1 +)", "1:8 parse: expected an expression, found `)`"),
        ("|| f(1, 2", "1:5 parse: this `(` is not closed"),
        ("|x: i64| { let a = x; }", "1:23 parse: expected an expression, found `}`"),
        ("|| {}", "1:5 parse: expected an expression, found `}`"),
        ("|| ()", "1:5 parse: expected an expression, found `)`"),
        ("|| v[]", "1:6 parse: expected an expression, found `]`"),
        ("|x: {}| x", "1:6 parse: expected a type, found `}`"),
        ("|x: ()| x", "1:6 parse: expected a type, found `)`"),
        ("|()| x", "1:3 parse: expected a pattern, found `)`"),
    ]);
}

#[test]
fn separators() {
    check_errors(&[
        ("|| f(a b)", "1:8 parse: expected `,` or `)`, found `b`"),
        ("|| [a b]", "1:7 parse: expected `,` or `]`, found `b`"),
        ("|| {a; b}", "1:6 parse: a block ends with its value"),
        ("|| f({a b})", "1:9 parse: expected `,` or `}`, found `b`"),
        ("|| f(, a)", "1:6 parse: expected an expression, found `,`"),
        ("|| v[a b]", "1:8 parse: expected `,` or `]`, found `b`"),
        ("|a b| a", "1:4 parse: expected `,` or `|`, found `b`"),
        ("|3| a", "1:2 parse: this pattern does not match every value"),
        ("|(a b)| a", "1:5 parse: expected `,` or `)`, found `b`"),
        ("|| a b", "1:6 parse: expected the end of the program, found `b`"),
        ("|| a => b", "1:6 parse: expected the end of the program, found `=>`"),
        ("|| a \"b\"", "1:6 parse: expected the end of the program, found `\"b\"`"),
        ("|| a {b}", "1:6 parse: expected the end of the program, found `{`"),
        ("|| let a 1; a", "1:10 parse: expected `=`, found `1`"),
        ("|| let = 1; a", "1:8 parse: expected a pattern, found `=`"),
        ("|| let a = 1 a", "1:14 parse: expected `;`, found `a`"),
        ("|| sum::<f64>", "1:13 parse: expected `(`, found the end of the program"),
        ("|| sum::<f64 v", "1:14 parse: expected `>`, found `v`"),
        ("|| i64::1", "1:9 parse: expected a name, found `1`"),
        ("|x: a::1| x", "1:8 parse: expected the name of a type, found `1`"),
        ("|x: Vec| x", "1:8 parse: expected `<`, found `|`"),
        ("|x: Dict<i64>| x", "1:13 parse: expected `,`, found `>`"),
        ("|x: 3| x", "1:5 parse: expected a type, found `3`"),
        ("|| @ 3", "1:6 parse: expected `(`, found `3`"),
        ("|| @(x) 3", "1:7 parse: expected `:`, found `)`"),
        ("|| @(1) 3", "1:6 parse: expected the name of an annotation, found `1`"),
        ("|| @(x:) 3", "1:8 parse: expected the value of an annotation, found `)`"),
        ("|| if c 1", "1:9 parse: expected an operator or `{`, found `1`"),
        ("|| if (c) 1", "1:11 parse: expected an operator or `{`, found `1`"),
        ("|| if c {1} else 2", "1:18 parse: expected `if` or `{`, found `2`"),
        ("|| merger[i64,-]", "1:15 parse: expected an operator: `+`, `*`, `min` or `max`, found `-`"),
        ("|| merger[i64,sum]", "1:15 parse: expected an operator: `+`, `*`, `min` or `max`, found `sum`"),
        (
            "|| vecmerger[i64,+]",
            "1:19 parse: expected `(` and the vector that `vecmerger` starts with, found the end of the program",
        ),
        ("|| for(zip(), b, f)", "1:12 parse: expected an iterator, found `)`"),
    ]);
}

#[test]
fn items() {
    check_errors(&[
        ("type x = i64 |a: x| a", "1:14 parse: expected `;`, found `|`"),
        ("type x i64; |a: x| a", "1:8 parse: expected `=`, found `i64`"),
        ("type = i64; |a: x| a", "1:6 parse: expected a name, found `=`"),
        ("macro m = 1; || 1", "1:9 parse: expected `(`, found `=`"),
        ("macro m(1) = 1; || 1", "1:9 parse: expected a name, found `1`"),
        ("macro m(a) = a", "1:14 parse: expected `;`, found the end of the program"),
        ("type x = i64;", "1:13 parse: a program is a closure"),
    ]);
    check_advice(&[
        (
            "a + 1",
            "1:1 parse: a program is a closure",
            "begin with its parameters, such as `|x: &[f64]|`, or with `||` if it has none",
        ),
        (
            "|| 1;",
            "1:5 parse: expected the end of the program, found `;`",
            "only `let` and items such as `type` and `const` end with `;`, and an expression follows them",
        ),
    ]);
}

#[test]
fn forms_are_quoted() {
    let form = |form: &str| format!("the form is `{form}`");
    check_advice(&[
        ("|| if(a, 1)", "1:11 parse: expected `,`, found `)`", &form("if(condition, then, else)")),
        ("|| if(a, 1, 2, 3)", "1:16 parse: expected `)`, found `3`", &form("if(condition, then, else)")),
        ("|| for(v, b)", "1:12 parse: expected `,`, found `)`", &form("for(vector, builder, |b, i, x| …)")),
        (
            "|| for(v, b, f, g)",
            "1:17 parse: expected `)`, found `g`",
            &form("for(vector, builder, |b, i, x| …)"),
        ),
        (
            "|| for(iter(v, 0), b, f)",
            "1:17 parse: expected `,`, found `)`",
            &form("iter(vector, start, end, stride)"),
        ),
        (
            "|| for(rangeiter(0, 1), b, f)",
            "1:22 parse: expected `,`, found `)`",
            &form("rangeiter(start, end, stride)"),
        ),
        ("|| merger", "1:4 parse: expected `[`, found the end of the program", &form("merger[T, op]")),
        ("|| merger[i64]", "1:14 parse: expected `,`, found `]`", &form("merger[T, op]")),
        ("|| dictmerger[i64,i64]", "1:22 parse: expected `,`, found `]`", &form("dictmerger[K, V, op]")),
        ("|| groupmerger[i64,i64,+]", "1:24 parse: expected `]`, found `+`", &form("groupmerger[K, V]")),
        ("|| vecmerger(v)", "1:13 parse: expected `[`, found `(`", &form("vecmerger[T, op](vector)")),
        ("|x: vec<i64>| x", "1:8 parse: expected `[`, found `<`", &form("vec[T]")),
        ("|x: dict[i64]| x", "1:13 parse: expected `,`, found `]`", &form("dict[K, V]")),
        ("|| deserialize(b)", "1:15 parse: expected `[`, found `(`", &form("deserialize[T](bytes)")),
        ("|| cudf[f](b)", "1:10 parse: expected `,`, found `]`", &form("cudf[symbol, T](arguments)")),
        (
            "|| dictmerger[i64,i64,+](d)",
            "1:25 parse: `dictmerger` takes no initial value",
            "merge the initial entries into it",
        ),
    ]);
}

#[test]
fn depth_and_length_are_bounded() {
    crate::guard::on_large_stack(depths_and_lengths);
}

fn depths_and_lengths() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("|| {}1{}", open.repeat(depth), close.repeat(depth));
    let cases: [(&str, &str); 10] = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("f(", ")"),
        ("-", ""),
        ("|x| ", ""),
        ("if(a, b, ", ")"),
        ("let a = ", "; a"),
        ("1 + (", ")"),
        ("v.map(|x| { ", " })"),
    ];
    for (open, close) in cases {
        assert!(super::shown(&nested(open, close, 60)).starts_with("(fn"), "{open}");
        let deep = super::shown(&nested(open, close, 20_000));
        assert!(deep.contains("parse: nested more than 4096 levels deep"), "{open}: {deep:.100}");
    }
    check_errors(&[
        (&format!("|x: {}i64| x", "&".repeat(5000)), "1:4100 parse: nested more than 4096 levels deep"),
        (&format!("|{}x| x", "&".repeat(5000)), "1:4097 parse: nested more than 4096 levels deep"),
    ]);
    for (first, more) in
        [("1", " + 1"), ("x", ".0.0"), ("x", ".$0"), ("x", "[0]"), ("if a {1} else ", "if a {1} else ")]
    {
        let chain = |length: usize| super::shown(&format!("|| {first}{}", more.repeat(length)));
        assert!(chain(20_000).contains("parse: more than 500 of these in a row"), "{more}");
    }
    assert!(super::shown(&format!("|| 1{}", " + 1".repeat(499))).starts_with("(fn"));
}

/// `macro_rules!` wraps its fragments in groups without delimiters.
#[test]
fn fragments_of_macros_are_transparent() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let fragment = |text: &str| TokenStream::from(TokenTree::from(Group::new(Delimiter::None, tokens(text))));
    let program = |parts: Vec<TokenStream>| match parse_tokens(parts.into_iter().collect()) {
        Ok(program) => super::show::program(&program),
        Err(errors) => rendered(&errors),
    };
    let sum = vec![tokens("|x: "), fragment("vec[i64]"), tokens("| 2 *"), fragment("x + 1"), tokens("* 3")];
    assert_eq!(program(sum), "(fn (x:vec[i64]) (* (* 2 (+ x 1)) 3))");
    let whole = vec![fragment("|x: i64| x")];
    assert_eq!(program(whole), "(fn (x:i64) x)");
    let name = vec![tokens("|"), fragment("x"), tokens("| -"), fragment("1"), tokens("+"), fragment("x")];
    assert_eq!(program(name), "(fn (x) (+ -1 x))");
    let broken = vec![tokens("|| 1 +"), fragment("2 +")];
    assert_eq!(program(broken), "1:1 parse: expected an expression, found the end of the fragment");
}
