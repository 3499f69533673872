//! Deep programs, on the stack that the callers of the front end see to: what the limits allow compiles, and what they do not is an
//! error.

use weldment_core::diagnostic::Code;
use weldment_core::explain::optimise;
use weldment_core::front::{from_text, from_tokens};
use weldment_core::guard::on_large_stack;
use weldment_core::lower::Lowered;

/// `inner` in `n` times what `before` opens and `after` closes.
fn nested(n: usize, before: &str, inner: &str, after: &str) -> String {
    format!("{}{inner}{}", before.repeat(n), after.repeat(n))
}

fn maps(n: usize) -> String {
    format!("|v: vec[i64]| {}", nested(n, "map(zip(", "v", ", v), |x| x.$0 + x.$1)"))
}

/// The code of the only error of a program that is text, and of the same as tokens.
#[track_caller]
fn check_refused(text: &str) {
    let codes = on_large_stack(|| {
        // The lexer of text has brackets counted before.
        let tokens = if text.contains(&"(".repeat(10_000)) {
            from_text(text)
        } else {
            from_tokens(text.parse().expect("tokens"))
        };
        [from_text(text), tokens].map(|outcome| {
            let Err(errors) = outcome else { panic!("{text:.100}… is accepted") };
            errors.iter().map(|error| error.code).collect::<Vec<_>>()
        })
    });
    assert_eq!(codes, [[Code::TooDeep], [Code::TooDeep]], "{text:.100}…");
}

#[test]
fn a_thousand_maps_of_zips_in_each_other_compile() {
    on_large_stack(|| {
        let text = maps(1000);
        let mut lowered: Lowered = from_text(&text).expect("text");
        assert_eq!(from_tokens(text.parse().expect("tokens")).expect("tokens").program, lowered.program);
        optimise(&mut lowered.program, &lowered.positions).expect("sound passes");
    });
}

/// An index is looked at once for each number that it is made of, however often these are used; and so is what is to be stored.
#[test]
fn what_is_used_many_times_is_looked_at_once() {
    let doubled = "let j = (j + j) ^ j * j; ".repeat(100);
    let chosen = "let m = if n > 1 { m } else { if n > 2 { m } else { m.map(|x| x + 1.0) } }; ".repeat(30);
    for text in [
        format!(
            "|n: i64, w: &[f64], u: &[f64]| {{ let m = zip(w, u).map(|(x, y)| x * y); (0..n).map(|i| {{ let j = i; {doubled}m[j] }}).sum() }}"
        ),
        format!("|n: i64, w: &[f64]| {{ let m = w.map(|x| x * 2.0); {chosen}m.store().sum() }}"),
    ] {
        on_large_stack(|| {
            let mut lowered = from_text(&text).expect("a program");
            optimise(&mut lowered.program, &lowered.positions).expect("sound passes");
        });
    }
}

/// What is written does not count as what macros expand to.
#[test]
fn a_literal_of_many_elements_compiles() {
    let text = format!("|i: i64| [{}][i]", "1L, ".repeat(300_000));
    on_large_stack(|| from_text(&text).map(drop).map_err(|errors| errors[0].message.clone()))
        .expect("a program");
}

/// A sum of `n` sums of 450 numbers each: chains are as deep as they are long.
fn sums(n: usize) -> String {
    format!("|x: i64| {}", nested(n, "(", "x", &(" + 1L".repeat(450) + ")")))
}

#[test]
fn whatever_the_limits_allow_fits_the_stack() {
    let functions = nested(60, "map(v, |x| sum(", "v", "))");
    for text in [
        sums(27),
        format!("|x: i64| {}", nested(4000, "(", "x", ")")),
        format!("|x: bool| {}x", "!".repeat(4000)),
        format!("|v: vec[i64]| {functions}"),
        format!("|x: i64| {}", nested(600, "if(x > 0L, ", "x", ", 1L)")),
        format!("|x: bool| {}", nested(600, "(x && ", "x", ")")),
    ] {
        on_large_stack(|| {
            let lowered = from_text(&text);
            let mut lowered = lowered.unwrap_or_else(|errors| panic!("{text:.100}…: {}", errors[0]));
            optimise(&mut lowered.program, &lowered.positions).expect("sound passes");
        });
    }
}

#[test]
fn what_is_deeper_than_a_limit_is_refused() {
    check_refused(&maps(2500));
    check_refused(&sums(28));
    check_refused(&sums(100));
    check_refused(&format!("|x: i64| {}", nested(4000, "[", "x", "]")));
    check_refused(&format!("|x: i64| {}", nested(300, "{", "x", ", x}")));
    check_refused(&format!("|x: bool| {}x", "!".repeat(100_000)));
    check_refused(&format!("|x: i64| {}", nested(100_000, "(", "x", ")")));
    check_refused(&format!("|v: vec[i64]| {}", nested(100, "map(v, |x| sum(", "v", "))")));
    check_refused(&format!("|x: i64| {}", nested(1000, "if(x > 0L, ", "x", ", 1L)")));
    check_refused(&format!("|x: bool| {}", nested(1000, "(x && ", "x", ")")));
}
