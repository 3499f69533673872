//! Comparisons beside bitwise operators: what only Weld can mean by them, what Rust can, and how the other is written.

use crate::front::from_text;

/// The two programs lower to the same IR.
#[track_caller]
fn check_same(bare: &str, bracketed: &str) {
    let lowered = |text| match from_text(text) {
        Ok(lowered) => lowered.program.to_string(),
        Err(errors) => panic!("{text}: {}", errors[0]),
    };
    assert_eq!(lowered(bare), lowered(bracketed), "{bare}");
}

/// The only error is at this column, and gives this advice.
#[track_caller]
fn check_advice(text: &str, column: u32, advice: &str) {
    let Err(errors) = from_text(text) else { panic!("{text} is accepted") };
    let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
    assert_eq!(error.message.lines().last(), Some(format!("help: {advice}").as_str()), "{text}");
    assert_eq!((error.position().column, error.code.to_string()), (column, "W0109".into()), "{text}");
}

#[test]
fn where_only_weld_reads_a_row_that_is_what_it_means() {
    for (bare, bracketed) in [
        ("|x: i64| x >= 2L & x < 5L", "|x: i64| (x >= 2L) & (x < 5L)"),
        ("|x: i64| x >= 2L & x < 5L | x == 9L", "|x: i64| ((x >= 2L) & (x < 5L)) | (x == 9L)"),
        (
            "|x: i64| x >= 2L | x < 5L ^ x == 9L & x != 3L",
            "|x: i64| (x >= 2L) | ((x < 5L) ^ ((x == 9L) & (x != 3L)))",
        ),
        ("|x: i64, b: bool| b & x < 5L", "|x: i64, b: bool| b & (x < 5L)"),
        ("|x: i64, b: bool| x < 5L & b & {b, x}.$0", "|x: i64, b: bool| (x < 5L) & b & {b, x}.$0"),
        (
            "|x: f64, n: vec[i8]| x < 0.5 & len(n) + 1L > 2L",
            "|x: f64, n: vec[i8]| (x < 0.5) & (len(n) + 1L > 2L)",
        ),
        ("|v: vec[i64]| filter(v, |x| x > 1L & x < 3L)", "|v: vec[i64]| filter(v, |x| (x > 1L) & (x < 3L))"),
        (
            "|v: vec[i64]| if(len(v) > 1L & len(v) < 3L, 1, 2)",
            "|v: vec[i64]| if((len(v) > 1L) & (len(v) < 3L), 1, 2)",
        ),
        (
            "|v: vec[i8], w: vec[i8]| v == w & len(v) > 1L",
            "|v: vec[i8], w: vec[i8]| (v == w) & (len(v) > 1L)",
        ),
        ("macro in(a, b, x) = a <= x & x < b; |x: i64| in(0L, 3L, x)", "|x: i64| (0L <= x) & (x < 3L)"),
    ] {
        check_same(&bare.replace("in(", "within("), bracketed);
    }
}

#[test]
fn where_rust_reads_a_row_as_well_the_advice_is_both() {
    check_advice("|v: vec[bool], a: bool| a & a == a", 27, "write `(a & a) == a` or `a & (a == a)`");
    check_advice("|v: vec[bool], a: bool| a==!a|a", 30, "write `a == (!a | a)` or `(a == !a) | a`");
}

#[test]
fn where_only_rust_reads_a_row_the_advice_is_that() {
    check_advice("|v: vec[i64], x: i64| x & 1L == 0L", 25, "write `(x & 1L) == 0L`");
    check_advice("|v: &[i64]| v.filter(|x| x & (1+1) == 0)", 28, "write `(x & (1 + 1)) == 0`");
}

#[test]
fn in_the_spelling_of_rust_nothing_is_chosen() {
    check_advice("|x: &i64| x >= 2 & x < 5", 18, "write `(x >= 2) & (x < 5)`");
    check_advice("|x: i64, b: bool| b | x < 5", 21, "write `b | (x < 5)`");
}

#[test]
fn where_none_reads_a_row_the_advice_is_what_there_is() {
    check_advice("|v: vec[f64], x: f64| x & x < 5.0", 25, "write `(x & x) < 5.0` or `x & (x < 5.0)`");
    check_advice("|v: vec[f64], x: f64| x < x & x < x & x", 29, "write `(x < x) & (x < x) & x`");
}

#[test]
fn what_follows_from_a_mistake_in_a_row_is_not_told() {
    super::check_errors(&[
        ("|v: vec[i64]| unknown & 1L == 0L", &["15 W0201"]),
        ("|v: vec[i64], x: i64| x < 1.5 & x > 1L", &["23 W0301"]),
    ]);
}
