//! Fusion by structure: programs of the language, the loops and intermediates that are left of them, and their
//! results, which must be those of the program as it stands.
//!
//! The numbers of the cases are those under which the rules of fusion are discussed; a letter tells variants.
//! Foreign functions stand for what is opaque: `f(i)` is i + 1, and its calls are counted.

use weldment_core::analysis::structure::Structure;
use weldment_core::ir::verify;
use weldment_core::passes::{Options, optimize};
use weldment_runtime::fault::FaultKind;

use crate::execute::{lower, run, value, values};

/// A program and what must be left of it.
struct Case {
    name: &'static str,
    program: &'static str,
    /// The arguments, as an expression that gives a struct of them; empty if there are none.
    args: &'static str,
    /// Loops and intermediates before and after.
    loops: (usize, usize),
    materialized: (usize, usize),
    /// The result, as an expression, or the kind of the fault.
    expected: Result<&'static str, FaultKind>,
    /// How often the foreign function is called in the end.
    calls: usize,
}

const XS: &str = "{[1L, 2L, 3L],}";

const CASES: &[Case] = &[
    Case {
        name: "1 map, map",
        program: "|xs: vec[i64]| xs.map(|x| x + 1).map(|x| x * 2)",
        args: XS,
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[4L, 6L, 8L]"),
        calls: 0,
    },
    Case {
        name: "2 map, filter, map, sum",
        program: "|xs: vec[i64]| xs.map(|x| x * x).filter(|x| x > 4).map(|x| x + 1).sum()",
        args: "{[1L, 2L, 3L, 4L, 5L],}",
        loops: (4, 1),
        materialized: (3, 0),
        expected: Ok("53L"),
        calls: 0,
    },
    Case {
        name: "3 a guard over a division",
        program: "|xs: vec[i64]| xs.filter(|i| i != 2).map(|i| i - 2).map(|y| 10 / y).sum()",
        args: "{[0L, 1L, 2L, 3L, 4L],}",
        loops: (4, 1),
        materialized: (3, 0),
        expected: Ok("0L"),
        calls: 0,
    },
    Case {
        name: "4 no double work",
        program: "|xs: vec[i64]| xs.map(|i| cudf[f, i64](i)).filter(|y| y % 2 == 0)",
        args: "{[0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L],}",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[2L, 4L, 6L, 8L, 10L]"),
        calls: 10,
    },
    Case {
        name: "5 a producer used twice",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2); {a.map(|x| x + 1), a.map(|x| x + 2)}",
        args: XS,
        loops: (3, 1),
        materialized: (1, 0),
        expected: Ok("{[3L, 5L, 7L], [4L, 6L, 8L]}"),
        calls: 0,
    },
    Case {
        name: "6 a diamond",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2);
            zip(a.map(|x| x + 1), a.map(|x| x + 2)).map(|(x, y)| x + y)",
        args: XS,
        loops: (4, 1),
        materialized: (3, 0),
        expected: Ok("[7L, 11L, 15L]"),
        calls: 0,
    },
    Case {
        name: "7 a producer that escapes",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2); {a, a.sum()}",
        args: XS,
        loops: (2, 1),
        materialized: (0, 0),
        expected: Ok("{[2L, 4L, 6L], 12L}"),
        calls: 0,
    },
    Case {
        name: "8 a diamond on a filter",
        program: "|xs: vec[i64]| let f = xs.filter(|x| x > 1); f64(f.sum()) / f64(f.count())",
        args: XS,
        loops: (3, 1),
        materialized: (1, 0),
        expected: Ok("2.5"),
        calls: 0,
    },
    Case {
        name: "9 a zip of two maps of one filter",
        program: "|xs: vec[i64]| let f = xs.filter(|x| x > 1);
            zip(f.map(|x| x + 1), f.map(|x| x * 10)).map(|(x, y)| x + y)",
        args: XS,
        loops: (4, 1),
        materialized: (3, 0),
        expected: Ok("[23L, 34L]"),
        calls: 0,
    },
    Case {
        name: "10a a zip of filters of two inputs does not fuse",
        program: "|xs: vec[i64], ys: vec[i64]|
            zip(xs.filter(|x| x % 2 == 1), ys.filter(|y| y > 2)).map(|(x, y)| x + y)",
        args: "{[1L, 2L, 3L, 4L, 5L], [1L, 2L, 3L, 4L, 5L]}",
        loops: (3, 3),
        materialized: (2, 2),
        expected: Ok("[4L, 7L, 10L]"),
        calls: 0,
    },
    Case {
        name: "10b filters of one input fuse, their zip does not",
        program: "|xs: vec[i64]|
            zip(xs.filter(|x| x % 2 == 1), xs.filter(|y| y > 2)).map(|(x, y)| x + y)",
        args: "{[1L, 2L, 3L, 4L, 5L],}",
        loops: (3, 2),
        materialized: (2, 2),
        expected: Ok("[4L, 7L, 10L]"),
        calls: 0,
    },
    Case {
        name: "11 flat map of flat map",
        program: "|xs: vec[i64]| xs.flat_map(|x| (0..x).map(|i| i)).flat_map(|y| [y, y + 10])",
        args: XS,
        loops: (5, 2),
        materialized: (2, 0),
        expected: Ok("[0L, 10L, 0L, 10L, 1L, 11L, 0L, 10L, 1L, 11L, 2L, 12L]"),
        calls: 0,
    },
    Case {
        name: "12 flat map, filter, sum",
        program: "|xs: vec[i64]| xs.flat_map(|x| (0..x).map(|j| x * j)).filter(|y| y % 2 == 0).sum()",
        args: XS,
        loops: (5, 2),
        materialized: (3, 0),
        expected: Ok("8L"),
        calls: 0,
    },
    Case {
        name: "13 group by, then a sum per group",
        program: "|kv: vec[{i64,i64}]| kv.group_by(|(k, _)| k).tovec().map(|(_, g)| g.map(|(_, x)| x).sum())",
        args: "{[{1L, 10L}, {2L, 20L}, {1L, 30L}],}",
        loops: (4, 2),
        materialized: (2, 1),
        expected: Ok("[40L, 20L]"),
        calls: 0,
    },
    Case {
        name: "13b group by, then a mean per group: one table",
        program: "|kv: vec[{i64,i64}]| kv.group_by(|(k, _)| k).tovec()
            .map(|(_, g)| f64(g.map(|(_, x)| x).sum()) / f64(g.len()))",
        args: "{[{1L, 10L}, {2L, 20L}, {1L, 30L}],}",
        loops: (4, 2),
        materialized: (2, 1),
        expected: Ok("[20.0, 20.0]"),
        calls: 0,
    },
    Case {
        name: "14a an index over a map",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2); a.enumerate().map(|(i, x)| x + i)",
        args: XS,
        loops: (3, 1),
        materialized: (2, 0),
        expected: Ok("[2L, 5L, 8L]"),
        calls: 0,
    },
    Case {
        name: "14b an index over a filter is the filter's own",
        program: "|xs: vec[i64]| xs.filter(|x| x > 1).enumerate().map(|(i, x)| x + i)",
        args: "{[5L, 1L, 7L],}",
        loops: (3, 2),
        materialized: (2, 1),
        expected: Ok("[5L, 8L]"),
        calls: 0,
    },
    Case {
        name: "15a the size of a map",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2); a.map(|x| x + a.len())",
        args: XS,
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[5L, 7L, 9L]"),
        calls: 0,
    },
    Case {
        name: "15b the size of a filter",
        program: "|xs: vec[i64]| let a = xs.filter(|x| x > 1); a.map(|x| x + a.len())",
        args: XS,
        loops: (2, 2),
        materialized: (1, 1),
        expected: Ok("[4L, 5L]"),
        calls: 0,
    },
    Case {
        name: "16 random access",
        program: "|xs: vec[i64]| let a = xs.map(|x| x * 2); a.map(|x| x + a[0])",
        args: XS,
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[4L, 6L, 8L]"),
        calls: 0,
    },
    Case {
        name: "17 an invariant inner loop",
        program: "|ws: vec[i64]| (0..3).map(|i| ws.map(|w| w * 2).sum() * i)",
        args: XS,
        loops: (3, 2),
        materialized: (1, 0),
        expected: Ok("[0L, 12L, 24L]"),
        calls: 0,
    },
    Case {
        name: "18 three reductions",
        program: "|xs: vec[i64]| {xs.sum(), xs.map(|x| x * x).sum(), xs.min()}",
        args: "{[3L, 1L, 2L],}",
        loops: (4, 1),
        materialized: (1, 0),
        expected: Ok("{6L, 14L, 1L}"),
        calls: 0,
    },
    Case {
        name: "19 columns of people, the costly one never computed",
        program: "|n: i64| let people = (0..n).map(|i| {cudf[f, i64](i), 10 * i, f64(i) + 0.5});
            {people.map(|p| p.2), people.filter(|p| p.1 > 15).map(|p| p.2)}",
        args: "{4L,}",
        loops: (4, 1),
        materialized: (2, 0),
        expected: Ok("{[0.5, 1.5, 2.5, 3.5], [2.5, 3.5]}"),
        calls: 0,
    },
    Case {
        name: "20 a column of opaque people, read anywhere",
        program: "|n: i64| let ps = (0..n).map(|i| {f64(i), cudf[f, i64](10 * i)}); (0..n).map(|i| ps[n - 1 - i].1)",
        args: "{4L,}",
        loops: (2, 2),
        materialized: (1, 1),
        expected: Ok("[31L, 21L, 11L, 1L]"),
        calls: 4,
    },
    Case {
        name: "20 a column of cheap people, read anywhere",
        program: "|n: i64| let ps = (0..n).map(|i| {f64(i), 10 * i}); (0..n).map(|i| ps[n - 1 - i].1)",
        args: "{4L,}",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[30L, 20L, 10L, 0L]"),
        calls: 0,
    },
    Case {
        name: "21 a field of an opaque nested struct",
        program: "|n: i64| let ps = (0..n).map(|i| {i, {i, cudf[f, i64](2 * i)}}); (0..n).map(|i| ps[n - 1 - i].1.1)",
        args: "{3L,}",
        loops: (2, 2),
        materialized: (1, 1),
        expected: Ok("[5L, 3L, 1L]"),
        calls: 3,
    },
    Case {
        name: "21 a field of a cheap nested struct",
        program: "|n: i64| let ps = (0..n).map(|i| {i, {i, 3 * i}}); (0..n).map(|i| ps[n - 1 - i].1.1)",
        args: "{3L,}",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[6L, 3L, 0L]"),
        calls: 0,
    },
    Case {
        name: "22 a dependence through a scalar",
        program: "|xs: vec[i64]| let s = xs.map(|x| x + 1).sum(); {s, xs.map(|x| x + s)}",
        args: XS,
        loops: (3, 2),
        materialized: (1, 0),
        expected: Ok("{9L, [10L, 11L, 12L]}"),
        calls: 0,
    },
    Case {
        name: "23 a cross dependence",
        program: "|| let a = (0..2).map(|i| cudf[f, i64](i)); let c = (0..4).map(|i| cudf[f, i64](i));
            let b = a.map(|x| x + c[0]); let d = c.map(|x| x + a[0]); {a, b, c, d}",
        args: "",
        loops: (4, 3),
        materialized: (0, 0),
        expected: Ok("{[1L, 2L], [2L, 3L], [1L, 2L, 3L, 4L], [2L, 3L, 4L, 5L]}"),
        calls: 6,
    },
    Case {
        name: "24 a minimum of nothing still faults",
        program: "|xs: vec[i64]| xs.filter(|x| x > 5).min()",
        args: "{[1L],}",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Err(FaultKind::EmptyReduction),
        calls: 0,
    },
    Case {
        name: "24 a sum of nothing is zero",
        program: "|xs: vec[i64]| xs.filter(|x| x > 5).sum()",
        args: "{[1L],}",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("0L"),
        calls: 0,
    },
    Case {
        name: "25 a partial range of what is opaque",
        program: "|| let a = (0..10).map(|i| cudf[f, i64](i)); (0..5).map(|i| a[i])",
        args: "",
        loops: (2, 2),
        materialized: (1, 1),
        expected: Ok("[1L, 2L, 3L, 4L, 5L]"),
        calls: 10,
    },
    Case {
        name: "25 a partial range of what is cheap",
        program: "|| let a = (0..10).map(|i| i + 1); (0..5).map(|i| a[i])",
        args: "",
        loops: (2, 1),
        materialized: (1, 0),
        expected: Ok("[1L, 2L, 3L, 4L, 5L]"),
        calls: 0,
    },
    Case {
        name: "26 out of range still faults",
        program: "|| let f = (0..4).filter(|i| i > 0); (0..4).map(|i| f[i] + 1)",
        args: "",
        loops: (2, 2),
        materialized: (1, 1),
        expected: Err(FaultKind::IndexOutOfBounds),
        calls: 0,
    },
    Case {
        name: "27 branches of literals",
        program: "|xs: vec[i64]| xs.flat_map(|x| if x > 2 { [x, x + 1] } else { [x] }).sum()",
        args: XS,
        loops: (3, 1),
        materialized: (1, 0),
        expected: Ok("10L"),
        calls: 0,
    },
    Case {
        name: "30 a dot product",
        program: "|xs: vec[i64], ys: vec[i64]|
            let a = (0..len(xs)).map(|i| xs[i] * 2); let b = (0..len(xs)).map(|i| ys[i] + 1);
            zip(a, b).map(|(x, y)| x * y).sum()",
        args: "{[1L, 2L, 3L], [4L, 5L, 6L]}",
        loops: (4, 1),
        materialized: (3, 0),
        expected: Ok("76L"),
        calls: 0,
    },
    Case {
        name: "buckets of a flat map take the key of each element",
        program: "|xs: vec[i64]| tovec(result(for(xs.flat_map(|x| (0..x).map(|j| x * j)),
            dictmerger[i64,i64,+], |b, i, y| merge(b, {y % 3, 1L}))))",
        args: XS,
        loops: (4, 2),
        materialized: (3, 1),
        expected: Ok("[{0L, 5L}, {2L, 1L}]"),
        calls: 0,
    },
    Case {
        name: "a key under its guard never faults",
        program: "|xs: vec[i64]| tovec(result(for(xs.filter(|x| x != 0),
            dictmerger[i64,i64,+], |b, i, x| merge(b, {10 / x, x}))))",
        args: "{[0L, 1L, 5L, 0L, 10L],}",
        loops: (2, 1),
        materialized: (2, 1),
        expected: Ok("[{10L, 1L}, {2L, 5L}, {1L, 10L}]"),
        calls: 0,
    },
    Case {
        name: "an inner loop that can fault stays in its outer loop, which runs zero times",
        program: "|xs: vec[i64], ys: vec[i64]| xs.map(|x| ys.map(|y| 1 / y).sum() + x)",
        args: "{slice([1L], 0L, 0L), [0L]}",
        loops: (3, 2),
        materialized: (1, 0),
        expected: Ok("slice([1L], 0L, 0L)"),
        calls: 0,
    },
    Case {
        name: "a sum for each key is a table of sums",
        program: "|ks: vec[i64], xs: vec[i64], cs: vec[i64]|
            cs.map(|c| zip(ks, xs).filter(|(k, x)| k == c).map(|(_, x)| x).sum())",
        args: "{[1L, 2L, 1L, 4L], [10L, 20L, 30L, 40L], [2L, 1L, 3L, 1L, 5L, 6L, 7L, 8L, 9L]}",
        loops: (4, 4),
        materialized: (2, 2),
        expected: Ok("[20L, 40L, 0L, 40L, 0L, 0L, 0L, 0L, 0L]"),
        calls: 0,
    },
    Case {
        name: "the largest for a key that no element has still faults",
        program: "|ks: vec[i64], xs: vec[i64], cs: vec[i64]|
            cs.map(|c| zip(ks, xs).filter(|(k, x)| k == c).map(|(_, x)| x).max())",
        args: "{[1L, 2L, 1L], [10L, 20L, 30L], [2L, 1L, 3L, 1L, 5L, 6L, 7L, 8L, 9L]}",
        loops: (4, 4),
        materialized: (2, 2),
        expected: Err(FaultKind::EmptyReduction),
        calls: 0,
    },
    Case {
        name: "without keys nobody compares the lengths of what would be summed for each",
        program: "|ks: vec[i64], xs: vec[i64], cs: vec[i64]|
            cs.map(|c| zip(ks, xs).filter(|(k, x)| k == c).map(|(_, x)| x).sum())",
        args: "{[1L], [10L, 20L], slice([1L], 0L, 0L)}",
        loops: (4, 4),
        materialized: (2, 2),
        expected: Ok("slice([1L], 0L, 0L)"),
        calls: 0,
    },
    Case {
        name: "a division for each key stays under its comparison",
        program: "|ks: vec[i64], cs: vec[i64]| cs.map(|c| ks.filter(|k| k == c).map(|k| 6 / k).sum())",
        args: "{[0L, 2L, 3L, 2L], [2L, 1L, 3L, 1L, 5L, 6L, 7L, 8L, 9L]}",
        loops: (4, 4),
        materialized: (2, 2),
        expected: Ok("[6L, 0L, 2L, 0L, 0L, 0L, 0L, 0L, 0L]"),
        calls: 0,
    },
    Case {
        name: "a division for a key that is wanted faults",
        program: "|ks: vec[i64], cs: vec[i64]| cs.map(|c| ks.filter(|k| k == c).map(|k| 6 / k).sum())",
        args: "{[0L, 2L, 3L, 2L], [1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 0L]}",
        loops: (4, 4),
        materialized: (2, 2),
        expected: Err(FaultKind::DivisionByZero),
        calls: 0,
    },
    Case {
        name: "columns are summed in blocks of eight, and one by one",
        program: "|xs: vec[i64], n: i64, m: i64| (0..m).map(|j| (0..n).map(|i| xs[i * m + j]).sum())",
        args: "{[0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L], 2L, 10L}",
        loops: (3, 4),
        materialized: (1, 1),
        expected: Ok("[10L, 12L, 14L, 16L, 18L, 20L, 22L, 24L, 26L, 28L]"),
        calls: 0,
    },
    Case {
        name: "a column that is not there faults in any block",
        program: "|xs: vec[i64], n: i64, m: i64| (0..m).map(|j| (0..n).map(|i| xs[i * m + j]).sum())",
        args: "{[0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L], 1L, 10L}",
        loops: (3, 4),
        materialized: (1, 1),
        expected: Err(FaultKind::IndexOutOfBounds),
        calls: 0,
    },
    Case {
        name: "TPC-H Q6",
        program: "|price: vec[f64], discount: vec[f64], quantity: vec[f64], ship: vec[i32]|
            zip(price, discount, quantity, ship)
                .filter(|(_, d, q, s)| s >= 8766 && s < 9131 && d >= 0.05 && d <= 0.07 && q < 24.0)
                .map(|(p, d, _, _)| p * d)
                .sum()",
        args: "{[10.0, 20.0, 40.0], [0.0625, 0.0625, 0.5], [1.0, 30.0, 1.0], [8800, 8800, 8800]}",
        loops: (3, 1),
        materialized: (2, 0),
        expected: Ok("0.625"),
        calls: 0,
    },
];

#[test]
fn cases_keep_their_results_and_leave_the_loops_they_should() {
    let failures: Vec<String> = CASES.iter().filter_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let plain = lower(case.program);
    let mut optimized = plain.program.clone();
    let report = optimize(&mut optimized, &Options::default())
        .map_err(|broken| format!("{broken}\n{}", broken.program))?;
    let context = || format!("{}\n{}\n{optimized}\n{report:?}", case.name, plain.program);
    if let Err(errors) = verify(&optimized) {
        return Err(format!("{errors:?}\n{}", context()));
    }
    let structure = |loops, materialized| Structure { loops, materialized };
    let before = structure(case.loops.0, case.materialized.0);
    let after = structure(case.loops.1, case.materialized.1);
    if Structure::of(&plain.program) != before || Structure::of(&optimized) != after {
        let found = (Structure::of(&plain.program), Structure::of(&optimized));
        return Err(format!("structure {found:?}\n{}", context()));
    }

    let args = values(case.args);
    let expected = case.expected.map(value);
    let mut calls = Vec::new();
    for program in [&plain.program, &optimized] {
        let (found, times) = run(program, &plain, &args);
        calls.push(times);
        let same = match (&found, &expected) {
            (Ok(found), Ok(expected)) => found.same_bits(expected),
            (Err(fault), Err(kind)) => fault.kind == *kind,
            _ => false,
        };
        if !same {
            return Err(format!("gives {found:?}\n{}", context()));
        }
    }
    if calls[1] != case.calls || calls[0] < case.calls {
        return Err(format!("calls {calls:?} times\n{}", context()));
    }
    Ok(())
}
