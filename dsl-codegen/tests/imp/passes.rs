//! Low-level code before the first pass and behind each: the verifier accepts it, and it comes to the same.

use weldment_codegen::imp::{self, Imp, Target, verify};
use weldment_codegen::loops::{self, Options};
use weldment_core::{front, interp, passes};
use weldment_runtime::lang::value::Value;

use crate::interp::{InterpOptions, run};

/// Programs of a vector of f64, one of i64 and a number, each of which some pass changes.
const PROGRAMS: [&str; 16] = [
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| y * x).sum()",
    "|v: &[f64], k: &[i64], x: f64| v.filter(|y| y > x).map(|y| exp(y) + exp(y * x))",
    "|v: &[f64], k: &[i64], x: f64| (v.map(|y| y * x), v.max(), v.min())",
    "|v: &[f64], k: &[i64], x: f64| zip(k, v).group_by(|p| p.0)",
    "|v: &[f64], k: &[i64], x: f64| result(for(zip(k, v), dictmerger[i64,f64,+], |b, i, p| merge(b, {p.0, p.1})))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,+](v), |b, i, j| merge(b, {j, x})))",
    "|v: &[f64], k: &[i64], x: f64| k.map(|n| (0..n).map(|i| v[0] * x).sum())",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| sin(y) + cos(y * x))",
    "|v: &[f64], k: &[i64], x: f64| v.reduce(|a, b| a * x + b)",
    "|v: &[f64], k: &[i64], x: f64| v.shaped((1, 67)).sum(0)",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 63).shaped((3, 21)); (a.sum(0), a.max(0), a.map(|y| y * x).product(0)) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 63).shaped((3, 21)); a.filter(|y| y > x).len() + k.shaped((67, 1)).sum(0)[0] }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 64).shaped((2, 4, 8)); (a.sum(0), a.sum(1), a.sum((0, 1)), a.transpose().sum(2)) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 1, 60).shaped((3, 20)), slice(v, 1, 60).shaped((20, 3))); (a.expand(2) * b.expand(0)).sum(1) }",
    "|v: &[f64], k: &[i64], x: f64| (iterate((v, 0), |(u, i)| ((u.map(|y| y * x), i + 1), i < 3)).0, v.sum())",
    "|v: &[f64], k: &[i64], x: f64| iterate((v, v, 0), |(a, b, i)| ((a.map(|y| y * x + b[0]), a, i + 1), i < 3)).1",
];

#[test]
fn no_pass_changes_what_a_program_comes_to() {
    let v: Vec<Value> = (0..67).map(|i| Value::F64(f64::from(i % 11) * 0.7 - 2.0)).collect();
    let k: Vec<Value> = (0..67).map(|i| Value::I64(i % 9)).collect();
    let args = [Value::vec(v), Value::vec(k), Value::F64(0.3)];
    let mut changed = 0;
    for text in PROGRAMS {
        let lowered = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let mut program = lowered.program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        let looped = loops::build(&program, &Options::default());
        for target in [Target::RUST, Target::LLVM] {
            let mut before = String::new();
            imp::build_with(&looped, target, &mut |pass, code: &Imp| {
                let now = code.to_string();
                if now == before {
                    return;
                }
                if let Err(errors) = verify(code) {
                    panic!("{text}, {pass}: {}\n{now}", errors[0]);
                }
                for chunk in [None, Some(1), Some(3)] {
                    let options = InterpOptions { chunk, ..InterpOptions::default() };
                    let cut = interp::InterpOptions { chunk, ..Default::default() };
                    let got = run(code, &lowered.positions, &args, &options);
                    let expected = interp::run(&program, &lowered.positions, &args, &cut);
                    let is_same = match (&got, &expected) {
                        (Ok(got), Ok(expected)) => got.same_bits(expected),
                        (got, expected) => got.is_err() && format!("{got:?}") == format!("{expected:?}"),
                    };
                    assert!(is_same, "{text}, {pass}: {got:?} instead of {expected:?}\n{now}");
                }
                (before, changed) = (now, changed + 1);
            });
        }
    }
    assert!(changed > 60, "passes change programs only {changed} times");
}

/// How many vectors are given back in what is made of `text` for LLVM.
fn released(text: &str) -> usize {
    let mut program = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    imp::build(&loops::build(&program, &Options::default()), Target::LLVM)
        .to_string()
        .matches("release ")
        .count()
}

#[test]
fn states_are_given_back_where_nothing_else_holds_them() {
    let steps = "i + 1L}, i < 3L}";
    let with = |state: &str, next: &str| {
        released(&format!(
            "|v: vec[f64], x: f64| iterate({{v, {state}, 0L}}, |s| let i = s.$2; let w = map(s.$0, |y| y * x); {{{{w, {next}, {steps}).$1"
        ))
    };
    assert_eq!(with("x", "s.$1 + w[0L]"), 1);
    assert_eq!(with("v", "map(s.$1, |y| y + 1.0)"), 2);
    // What was the one is the other, and the other is one twice.
    assert_eq!(with("v", "s.$0"), 0);
    assert_eq!(with("v", "w"), 0);
    // A vector of vectors holds each of them, before a step and behind it.
    let rows = |row: &str| {
        released(&format!(
            "|v: vec[f64], x: f64| result(iterate({{v, appender[vec[f64]], 0L}}, |s| let i = s.$2; let w = map(s.$0, |y| y * x); {{{{w, merge(s.$1, {row}), {steps}).$1)"
        ))
    };
    assert_eq!(rows("w"), 0);
    assert_eq!(rows("s.$0"), 0);
    assert_eq!(rows("[x]"), 1);
}
