//! Low-level code before the first pass and behind each: the verifier accepts it, and it comes to the same.

use weldment_codegen::imp::{self, Imp, Target, verify};
use weldment_codegen::loops::{self, Options};
use weldment_core::ir::Program;
use weldment_core::{front, interp, passes};
use weldment_runtime::lang::value::Value;

use crate::interp::{InterpOptions, run};

/// Programs of a vector of f64, one of i64 and a number, each of which some pass changes.
const PROGRAMS: [&str; 58] = [
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| y * x).sum()",
    "|v: &[f64], k: &[i64], x: f64| v.filter(|y| y > x).map(|y| exp(y) + exp(y * x))",
    "|v: &[f64], k: &[i64], x: f64| (v.map(|y| y * x), v.max(), v.min())",
    "|v: &[f64], k: &[i64], x: f64| zip(k, v).group_by(|p| p.0)",
    "|v: &[f64], k: &[i64], x: f64| result(for(zip(k, v), dictmerger[i64,f64,+], |b, i, p| merge(b, {p.0, p.1})))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,+](v), |b, i, j| merge(b, {j, x})))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,+](slice(v, 0, 6)), |b, i, n| for(slice(v, 7, 6), b, |b, j, y| merge(b, {j, y * f64(n)}))))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,+](slice(v, 0, 6)), |b, i, n| { let z = 7 / (n - 8); for(slice(v, 7, if x > 0.2 { 0 } else { 3 }), b, |b, j, y| merge(b, {j, y * f64(z)})) }))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[i64,max](slice(k, 0, 9)), |b, i, n| for(slice(k, i, 5), b, |b, j, m| merge(b, {j, m * n}))))",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,*](slice(v, 0, 6)), |b, i, n| for(slice(v, 7, 5 + n / 8), b, |b, j, y| merge(b, {j, y}))))",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6));
        result(for(k, vecmerger[f64,+](slice(v, 0, 5)), |b, i, n| for(slice(v, 1, 6), b, |b, j, y| merge(b, {j, a[n, j] * y * x})))) }",
    "|v: &[f64], k: &[i64], x: f64| k.map(|n| (0..n).map(|i| v[0] * x).sum())",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| sin(y) + cos(y * x))",
    "|v: &[f64], k: &[i64], x: f64| v.reduce(|a, b| a * x + b)",
    "|v: &[f64], k: &[i64], x: f64| (v.filter(|y| k.reduce(|a, b| if y > x { a + b } else { a - b }) > 0), v.filter(|y| sin(sin(y)) < y * x))",
    "|v: &[f64], k: &[i64], x: f64| v.shaped((1, 67)).sum(0)",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 63).shaped((3, 21)); (a.sum(0), a.max(0), a.map(|y| y * x).product(0)) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 63).shaped((3, 21)); a.filter(|y| y > x).len() + k.shaped((67, 1)).sum(0)[0] }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 64).shaped((2, 4, 8)); (a.sum(0), a.sum(1), a.sum((0, 1)), a.transpose().sum(2)) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 1, 60).shaped((3, 20)), slice(v, 1, 60).shaped((20, 3))); (a.expand(2) * b.expand(0)).sum(1) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 60).shaped((6, 10)), slice(v, 3, 60).shaped((10, 6))); inner(a, b) * x }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 66).shaped((11, 6)), slice(v, 3, 60).shaped((6, 10))); inner(a, b).filter(|y| y > x) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 65).shaped((13, 5)), slice(v, 2, 65).shaped((5, 13)));
        array((13, 13), |i, j| { let l = k[i]; (zip(a[i], b.transpose()[j]).map(|(y, z)| y * z).sum() + x, (0..5).map(|l| b[l, j]).max(), l / (i - 11)) }) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 65).shaped((13, 5)), slice(v, 2, 65).shaped((5, 13)));
        array((13, 13), |i, j| { let (s, n) = zip(a[i], b.transpose()[j]).map(|(y, z)| (y * z, 1)).sum(); s / n as f64 + i as f64 }) }",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 60).shaped((12, 5)), slice(v, 7, 60).shaped((5, 12)));
        (0..12).flat_map(|i| zip(0..12, slice(k, 1, if x > 0.2 { 12 } else { 11 })).map(|(j, _)| (0..5).map(|l| a[i, l] * b[l, j]).sum())) }",
    "|v: &[f64], k: &[i64], x: f64| slice(v, 0, 66).shaped((6, 11)).scan(0, 0.5, |s, y| s * x + y)",
    "|v: &[f64], k: &[i64], x: f64| { let (a, b) = (slice(v, 0, 66).shaped((6, 11)), slice(k, 1, 66).shaped((6, 11)));
        zip(a, b).scan_back(0, (0.5, 3), |(s, n), (y, m)| if y > x { (s * x + y, n) } else { (s - y, n + m) }).map(|(s, n)| s / n as f64) }",
    "|v: &[f64], k: &[i64], x: f64| slice(v, 0, 66).shaped((33, 2)).cumsum(0)",
    "|v: &[f64], k: &[i64], x: f64| (iterate((v, 0), |(u, i)| ((u.map(|y| y * x), i + 1), i < 3)).0, v.sum())",
    "|v: &[f64], k: &[i64], x: f64| { let c = slice(v, 3, 9); zip(v, k).map(|(y, n)| zip(c, slice(v, 20, 9)).map(|(a, b)| (y - a) * (y - a) + (x - b) * (x - b) * n as f64).argmin()) }",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| slice(v, 0, 7).reduce(|s, c| s * y + c) + y)",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| zip(slice(k, 0, 6), slice(v, 9, 6)).map(|(n, c)| (n, c * y)).reduce(|(m, a), (n, b)| if a < b { (m + n, b) } else { (m, a - b) }))",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| slice(v, 0, if x > 0.2 { 0 } else { 3 }).map(|c| c * y).argmax())",
    "|v: &[f64], k: &[i64], x: f64| zip(v, k).map(|(y, n)| zip(slice(v, 0, 5), slice(k, n, 5)).map(|(c, m)| c * y / m as f64).argmin())",
    "|v: &[f64], k: &[i64], x: f64| slice(v, 0, 15).map(|y| slice(v, 20, 40).map(|c| c * y).argmin())",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6)); k.map(|i| exp((0..6).map(|j| a[i, j] * v[j]).sum())) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6)); (0..11).map(|i| exp((0..6).map(|j| a[i, j] * x).sum()) - v[i]) }",
    "|v: &[f64], k: &[i64], x: f64| k.enumerate().map(|(i, n)| { let s = (0..n).map(|j| v[j] * x).sum(); (log(s * s + v[i]), s, i) }).filter(|(e, _, i)| e > 0.0 || i % 3 == 1)",
    "|v: &[f64], k: &[i64], x: f64| k.map(|n| sin((0..n).map(|j| v[j + 60] * x).sum())).sum()",
    "|v: &[f64], k: &[i64], x: f64| zip(k, v).map(|(n, y)| { let s = exp((0..n).map(|j| v[j] * y).sum()); v[i64(s) + n / (n - 8)] * s })",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 64).shaped((2, 32)); k.map(|i| (0..32 - i).map(|j| a[i % 2, j + i] * v[j]).sum()) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 64).shaped((2, 32)); k.map(|i| (0..32).map(|j| a[j / 32, j + i] * v[j]).sum()) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6)).reverse(1); k.map(|i| (0..6 * (i / 8)).map(|j| a[i + 9, j] * v[j]).sum()) }",
    "|v: &[f64], k: &[i64], x: f64| (v.min_by_key(|y| abs(y - x)), x)",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| sqrt(y)).argmax()",
    "|v: &[f64], k: &[i64], x: f64| zip(k, v).max_by_key(|(n, y)| n * 3 % 7)",
    "|v: &[f64], k: &[i64], x: f64| k.flat_map(|n| slice(v, n, if n > 3 { 20 } else { 0 }).chain([x]))",
    "|v: &[f64], k: &[i64], x: f64| { let s = slice(v, 0, 40).sort(); v.map(|y| s.partition_point(|z| z <= y) + slice(k, 0, if x > 0.2 { 0 } else { 9 }).search_sorted(3)) }",
    "|v: &[f64], k: &[i64], x: f64| v.map(|y| { let z = y * x; let (a, b, _) = iterate((y, z, 0), |(a, b, n)| ((b, a * x + z, n + 1), n < 4)); a - b + z }).sum()",
    "|v: &[f64], k: &[i64], x: f64| zip(k, v).enumerate().map(|(i, (n, y))| v[iterate((n, 0), |(m, c)| ((if m > i { m - i } else { m + i }, c + 1), c < 2)).0] + y)",
    "|v: &[f64], k: &[i64], x: f64| k.map(|n| iterate((n, 0), |(m, c)| ((m / 2, c + 1), m > 1)).1)",
    "|v: &[f64], k: &[i64], x: f64| iterate((v, v, 0), |(a, b, i)| ((a.map(|y| y * x + b[0]), a, i + 1), i < 3)).1",
    "|v: &[f64], k: &[i64], x: f64| v.scan(0.0, |a, y| a * x + y).filter(|y| y > x)",
    "|v: &[f64], k: &[i64], x: f64| [x].chain(v.scan(x, |a, y| min(a, y)))",
    // Rows that come to an exponential, by which their elements are merged; some of them outside, in either part; those that are no rows of a matrix.
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6)).reverse(1);
        result(for(slice(k, 0, 11), vecmerger[f64,+](slice(v, 3, 6)), |b, i, n| { let s = exp((0..6).map(|j| a[i, j] * v[j]).sum() * x) - v[i];
            for(slice(v, 7, 6), b, |b, j, y| merge(b, {j, a[i, j] * s + y})) })) }",
    "|v: &[f64], k: &[i64], x: f64| { let a = slice(v, 0, 66).shaped((11, 6)).reverse(1);
        result(for(slice(k, 0, 11), vecmerger[f64,+](slice(v, 3, 6)), |b, i, n| { let s = exp((0..5 + n / 8).map(|j| a[i + n / 7, j] * v[j]).sum() * x) - v[i];
            for(slice(v, 7, 6), b, |b, j, y| merge(b, {j + n / 5, a[i, j] * s + y})) })) }",
    "|v: &[f64], k: &[i64], x: f64| result(for(k, vecmerger[f64,max](slice(v, 3, 6)), |b, i, n| { let s = exp(slice(v, 0, n).map(|y| y * x).sum());
            for(slice(v, 7, 6), b, |b, j, y| merge(b, {j, y * s + f64(i)})) }))",
    "|v: &[f64], k: &[i64], x: f64| k.fold(v, |row, n| [row[0] + f64(n)].chain(zip(row, row.drop(1)).map(|(a, b)| a * x + b)))",
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

/// The code that is made of `text` for LLVM.
fn code(text: &str) -> String {
    let mut program = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    imp::build(&loops::build(&program, &Options::default()), Target::LLVM).to_string()
}

#[test]
fn steps_that_are_as_many_are_taken_side_by_side() {
    let panels =
        |of: &str| code(&format!("|v: &[f64], k: &[i64], n: i64| {of}")).matches(" x 256 = ").count();
    assert_eq!(panels("v.map(|x| iterate((x, 0), |(y, i)| ((y * x, i + 1), i < n)).0)"), 1);
    // One for the search, and one for what the sides of the condition around it come to; the search for n is made once.
    assert_eq!(panels("v.map(|x| v.partition_point(|y| y <= x) - k.partition_point(|m| m < n)).sum()"), 2);
    // The index that is searched for is computed once, too, for each iteration.
    assert_eq!(
        panels("v.map(|x| v.partition_point(|y| y <= x) - k.partition_point(|m| m < i64(x))).sum()"),
        5
    );
    // What counts the steps, or what they do, is another for each iteration.
    assert_eq!(panels("v.map(|x| iterate((x, 0), |(y, i)| ((y * x, i + 1), y < 9.0)).1)"), 0);
    assert_eq!(panels("k.map(|m| iterate((m, 0), |(y, i)| ((y / m, i + 1), i < n)).0)"), 0);
    assert_eq!(panels("v.map(|x| iterate((x, 0), |(y, i)| ((v.map(|z| z * y).sum(), i + 1), i < n)).0)"), 0);
}

#[test]
fn long_functions_of_what_rows_come_to_go_side_by_side() {
    let panels =
        |of: &str| code(&format!("|v: &[f64], k: &[i64], n: i64| {of}")).matches(" x 256 = ").count();
    // What the row comes to, and what is made of it.
    assert_eq!(panels("k.map(|m| exp((0..m).map(|j| v[j]).sum()) + 1.0)"), 2);
    assert_eq!(
        panels("k.map(|m| { let s = (0..m).map(|j| v[j]).sum(); (s, exp(s)) }).filter(|(_, e)| e < 2.0)"),
        2
    );
    // Nothing is long behind the rows, or it is in front of them.
    assert_eq!(panels("k.map(|m| sqrt((0..m).map(|j| v[j]).sum()))"), 0);
    assert_eq!(panels("v.map(|x| { let e = exp(x); (0..n).map(|j| v[j] * e).sum() })"), 0);
    // A row can fault, and what follows can as well: the first fault is to stay the first.
    assert_eq!(panels("k.map(|m| k[i64(exp((0..m).map(|j| v[j]).sum()))])"), 0);
}

#[test]
fn rows_that_are_merged_by_index_go_to_registers() {
    let versions =
        |of: &str| code(&format!("|v: &[f64], w: &[f64], k: &[i64]| {of}")).matches(" covers ").count();
    let merged = |row: &str, merge: &str| {
        format!("result(for(k, vecmerger[f64,+](v), |b, i, n| for({row}, b, |b, j, y| merge(b, {merge}))))")
    };
    assert_eq!(versions(&merged("w", "{j, y * f64(n)}")), 1);
    // Into another element than that of its index; a row of another length each time; rows of which one element can fault.
    assert_eq!(versions(&merged("w", "{j + n, y}")), 0);
    assert_eq!(versions(&merged("slice(w, 0, n)", "{j, y}")), 0);
    assert_eq!(versions(&merged("w", "{j, y + f64(n / k[j])}")), 0);
}

#[test]
fn keys_are_looked_for_some_iterations_ahead() {
    let asks = |of: &str| {
        code(&format!("|d: dict[i64, f64], t: dict[vec[u8], f64], k: &[i64], w: &[Vec<u8>]| {of}"))
            .matches(" place")
            .count()
    };
    assert_eq!(asks("k.filter(|n| keyexists(d, n)).map(|n| d[n]).sum()"), 1);
    assert_eq!(asks("k.enumerate().map(|(i, n)| d[n * 2 + i] + d[n]).sum()"), 2);
    // A search that a condition stands before, of a key that can fault, and of a vector.
    assert_eq!(asks("k.map(|n| if n > 3 { d[n] } else { 0.5 }).sum()"), 0);
    assert_eq!(asks("k.map(|n| d[k[n]]).sum()"), 0);
    assert_eq!(asks("w.map(|x| t[x]).sum()"), 0);
}

#[test]
fn elements_that_are_appended_one_by_one_are_copied() {
    let copies = |of: &str| {
        code(&format!("|v: &[f64], w: &[Vec<f64>], t: &[String], n: i64| {of}")).matches(" extend ").count()
    };
    assert_eq!(copies("w.flat_map(|r| r)"), 1);
    assert_eq!(copies("t.join(\", \")"), 2);
    assert_eq!(copies("w.flat_map(|r| r.map(|x| x * 2.0))"), 0);
    assert_eq!(copies("w.flat_map(|r| r.filter(|x| x > 0.5))"), 0);
    // These are more than scalars.
    assert_eq!(copies("w.flat_map(|r| if n > 3 { t } else { t.skip(1) })"), 0);
}

/// How many vectors are given back in it.
fn released(text: &str) -> usize {
    code(text).matches("release ").count()
}

#[test]
fn rows_that_read_the_same_columns_go_together() {
    let tiles = |program: &str| {
        let code = code(&format!("|a: &Array<f64, 2>, b: &Array<f64, 2>, c: &Array<f64, 3>| {program}"));
        code.contains(" x 256 = ").then(|| code.matches(" start ").count())
    };
    // Each of four rows, and each row that is left.
    assert_eq!(tiles("inner(a, b)"), Some(5));
    assert_eq!(tiles("inner(a, b, max, |x, y| x + y) / 2.0"), Some(5));
    let summed = |of: &str| {
        tiles(&format!(
            "array((extent(a, 0), extent(b, 1)), |i, j| (0..extent(b, 0)).map(|l| {of}).sum() / a[i, j])"
        ))
    };
    // Where all indices are inside; where they are not, as it was.
    assert_eq!(summed("a[i, l] * b[l, j]"), Some(6));
    assert_eq!(summed("b[i, l] * a[l, j] / f64(i)"), Some(6));
    assert_eq!(summed("a[l, i] * b[j, l]"), None, "rows are not columns");
    assert_eq!(
        summed("f64((i * l) / i) * b[l, j]"),
        None,
        "a row may end in a fault, and so do those behind it"
    );
    assert_eq!(tiles("inner(a, b).map(|x| x + 1.0).sum()"), None, "nothing is stored");
    assert_eq!(tiles("a.sum(0)"), None, "there is one row");
    assert_eq!(tiles("c.sum(1)"), None, "each row has columns of its own");
    assert!(code("|c: &Array<f64, 3>| c.sum(1)").contains(" x 1024 = "), "which are side by side");
}

#[test]
fn columns_of_scans_run_apart() {
    let runs_apart = |scan: &str| {
        let code = code(&format!("|a: &Array<i64, 2>, b: &Array<i64, 2>, c: &Array<i64, 3>| {scan}"));
        code.contains("func columns")
    };
    assert!(runs_apart("a.scan(0, 1, |s, x| s * x)") && runs_apart("a.scan_back(0, 1, |s, x| s * x)"));
    assert!(
        runs_apart("a.cumsum(0)") && runs_apart("zip(a, b).scan(0, (0, 1), |(s, n), (x, y)| (s + x, n * y))")
    );
    assert!(!runs_apart("a.scan(1, 1, |s, x| s * x)"), "rows are scanned one by one");
    assert!(!runs_apart("a.scan(0, 1, |s, x| s / x)"), "the first fault is that of the first row");
    assert!(runs_apart("c.cumsum(0)"), "the points along all other axes are its columns");
    assert!(!runs_apart("c.cumsum(1)"), "columns do not lie side by side");
    let are_whole = |scan: &str| code(&format!("|c: &Array<i64, 3>| {scan}")).contains("func scans");
    assert!(are_whole("c.cumsum(1)") && are_whole("c.scan_back(1, 1, |s, x| s * x)"));
    assert!(
        !are_whole("c.scan(1, 1, |s, x| s / x)") && !are_whole("c.cumsum(0)") && !are_whole("c.cumsum(2)")
    );
    // Nothing but such a scan: its steps are counted, there is none where no row is wanted, and the row that is checked is there.
    let mut program = front::from_text("|a: &Array<i64, 2>| a.cumsum(0)").expect("a program").program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let text = program.to_string();
    let runs_apart = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        let program = weldment_core::ir::parse(&text.replace(from, to)).expect("a program");
        loops::build(&program, &Options::default()).to_string().contains(" columns of ")
    };
    assert!(runs_apart("= lt ", "= lt "));
    assert!(
        !runs_apart("= lt ", "= le ") && !runs_apart("= eq ", "= le ") && !runs_apart("= add ", "= sub ")
    );
    // How many elements whole scans have in all is known to be a number because there is an array of them.
    let mut program = front::from_text("|c: &Array<i64, 3>| c.cumsum(1)").expect("a program").program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let are_whole =
        |program: &Program| loops::build(program, &Options::default()).to_string().contains(" scans of ");
    assert!(are_whole(&program));
    let unshaped = program.to_string().replace("= shape v1[v2, v3, v4]", "= shape v1[v2, v4, v3]");
    assert!(!are_whole(&weldment_core::ir::parse(&unshaped).expect("a program")));
}

/// Loops that wait for memory: no more ops than columns and results, and quick ones.
#[test]
fn loops_that_only_move_elements_stream() {
    let streams = |body: &str| {
        let code = code(&format!("|v: &[f64], w: &[f64], n: &[i64]| {body}"));
        assert!(code.contains(" loop "), "{code}");
        code.contains(" loop streams ")
    };
    assert!(streams("v.map(|x| x * 2.0 + 1.0)") && streams("zip(v, w).map(|(x, y)| x * 2.0 + y)"));
    assert!(streams("n.map(|x| x + 1)") && streams("zip(v, w).map(|(x, y)| if x > y { x } else { y })"));
    assert!(!streams("v.map(|x| (x * 2.0 + 1.0) * x)") && !streams("v.map(|x| 1.0 / x)"), "more, or slower");
    assert!(!streams("n.map(|x| x * 3)"), "few CPUs multiply several such numbers");
    assert!(!streams("v.map(|x| sqrt(x))") && !streams("v.sum()") && !streams("v.filter(|x| x > 0.0)"));
    assert!(!streams("n.map(|i| v[i])"), "not one after the other");
}

#[test]
fn rows_scanned_back_are_put_in_place() {
    let in_place = |then: &str| {
        let text = format!(
            "|a: &Array<i64, 2>, c: &Array<i64, 3>| {{ let s = a.scan_back(0, 1, |s, x| s * x); {then} }}"
        );
        let code = code(&text);
        assert!(code.contains("func columns"), "{code}");
        code.contains(" columns upwards ")
    };
    assert!(in_place("s") && in_place("(s, a)") && in_place("s.move_to(0, 0)"));
    assert!(in_place("c.scan_back(0, 1, |s, x| s * x)"), "the points along all other axes are its columns");
    assert!(!in_place("a.cumsum(0)"), "a scan forward");
    assert!(
        !in_place("s.reverse(0)") && !in_place("s.reverse(1)") && !in_place("s.transpose()"),
        "other orders"
    );
    assert!(!in_place("s.take(1, 0)"), "some of its rows");
    assert!(!in_place("(s, s[0])") && !in_place("(s, s.map(|x| x + 1))"), "more readers");
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

#[test]
fn what_a_step_makes_is_given_back_with_its_last_reader() {
    let steps = |read: &str| {
        released(&format!(
            "|v: &[f64], k: &[i64]| iterate((v, 0), |(s, n)| {{ let w = s.map(|x| x * 2.0).store(); (({read}, n + 1), n < 3) }}).0"
        ))
    };
    // The state that is replaced, and w.
    assert_eq!(steps("k.map(|i| w[i])"), 2);
    assert_eq!(steps("k.map(|i| slice(w, i, 2).sum())"), 1);
}

#[test]
fn reductions_by_a_function_go_side_by_side() {
    let by_columns =
        |program: &str| code(&format!("|v: &[f64], c: &[f64], n: i64| {program}")).contains(" x 1024 = ");
    assert!(by_columns("v.map(|y| c.map(|z| (y - z) * (y - z)).argmin())"));
    assert!(by_columns("v.map(|y| c.reduce(|s, z| s * y + z))"));
    assert!(
        !by_columns("v.map(|y| c.map(|z| (i64(y) / n) as f64 * z).argmin())"),
        "a point may end in a fault"
    );
    assert!(
        !by_columns("v.map(|y| c.filter(|z| z > y).reduce(|s, z| s * y + z))"),
        "not every row is reduced"
    );
    assert!(
        !by_columns("v.map(|y| c.map(|z| y * z).sum())"),
        "a sum has lanes, which are added in an order of their own"
    );
}
