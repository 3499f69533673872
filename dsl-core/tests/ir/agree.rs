//! A program and what the optimizer makes of it agree: where the plain program gives a value, the optimized one
//! gives the same bits, but for the rounding of float sums; where it faults, the optimized one has one of its
//! faults; and it calls foreign functions no more often.
//!
//! The programs here use all they compute; generated ones, which do not, are in `tests/generated`.

use weldment_core::interp::InterpOptions;
use weldment_core::ir::Program;
use weldment_core::lower::Lowered;
use weldment_core::passes::{Options, optimize};
use weldment_runtime::lang::value::Value;

use crate::execute::{lower, run, run_with, values};
use crate::promise;

/// How far float sums may lie apart, relative to the larger.
const ROUNDING: f64 = 1e-12;

/// The arguments that every program takes, as expressions: of one length, of several, empty, with zeros.
const ARGUMENTS: &[&str] = &[
    "{[1L, 2L, 3L, 4L, 5L], [5L, -1L, 7L, 2L, 2L], [0.5, 1.25, -3.0, 0.1, 7.7], 2L}",
    "{[3L, 0L, 1L], [2L, 0L, -4L], [0.1, 0.2, 0.3], 0L}",
    "{[4L, 4L], [1L, 2L, 3L, 6L], [1.5], 1L}",
    "{slice([1L], 0L, 0L), slice([1L], 0L, 0L), slice([1.0], 0L, 0L), 3L}",
    "{[2L], slice([1L], 0L, 0L), [0.25], -1L}",
];

/// Programs that use all they compute, behind the parameters that [`ARGUMENTS`] fit.
const BODIES: &[&str] = &[
    // Faults in maps, filters and sums, before and behind guards.
    "xs.map(|x| 10L / x).map(|y| y + 1L)",
    "xs.filter(|x| x != 0L).map(|x| 10L / x).sum()",
    "{xs.map(|x| 10L / x), xs.map(|x| x + n)}",
    "xs.map(|x| if x == 0L { 0L } else { n / x })",
    "xs.map(|x| select(x == 0L, 0L, n / x))",
    "xs.map(|x| xs.map(|y| y / n).sum() + x)",
    "ys.map(|y| xs[y])",
    "ys.filter(|y| y >= 0L && y < len(xs)).map(|y| xs[y])",
    "{xs.min(), ys.max(), xs.filter(|x| x > 2L).min()}",
    "{xs.sum() / n, ys.map(|y| y % n)}",
    "xs.map(|x| if assert(x < 5L) { x } else { 0L })",
    "slice(xs.map(|x| x * 2L), n, 2L).map(|x| x + 1L)",
    "slice(xs.filter(|x| x > n), 1L, n).sum()",
    // Lengths that must be equal, and those that need not be.
    "zip(xs, ys).map(|(x, y)| x * y).sum()",
    "{zip(xs, ys).map(|(x, y)| x - y), zip(ys, xs).map(|(x, y)| x * y), xs.sum(), ys.sum()}",
    "zip(xs.filter(|x| x > 2L), ys.filter(|y| y > 2L)).map(|(x, y)| x + y)",
    "let f = xs.filter(|x| x % 2L == 0L); zip(f.map(|x| x + 1L), f.map(|x| x * 10L)).enumerate()",
    "let f = xs.filter(|x| x > n); {len(f), f.map(|x| x * len(f)), f.enumerate().map(|(i, x)| i * x)}",
    "zip(xs, xs.map(|x| x * x), xs.enumerate()).filter(|(x, y, z)| y > x + z.0).map(|(x, y, z)| y - z.1)",
    "let a = xs.map(|x| x + n); let b = zip(a, ys).map(|(x, y)| x + y); {a.sum(), b.sum(), zip(b, a).count()}",
    // Dependence by way of scalars, and of more than one vector.
    "let s = xs.map(|x| x + 1L).sum(); {s, xs.map(|x| x + s), xs.map(|x| x * s).sum()}",
    "let a = xs.map(|x| x + 1L); let m = a.max(); let b = a.map(|x| x - m); {b, a.filter(|x| x < m)}",
    "let a = xs.map(|x| cudf[f, i64](x)); let c = ys.map(|y| cudf[f, i64](y)); \
     {a.map(|x| x + c[0L]), c.map(|x| x + a[0L])}",
    "let a = xs.map(|x| x * 2L); {a.map(|x| x + a[0L]), a.enumerate().map(|(i, x)| x - a[len(a) - 1L - i])}",
    "let a = xs.map(|x| cudf[f, i64](x)); {a.filter(|x| x % 2L == 0L), a.sum(), a}",
    // Nested loops.
    "xs.flat_map(|x| ys.map(|y| x * y)).filter(|z| z > n).sum()",
    "xs.flat_map(|x| ys.filter(|y| y > x)).map(|y| y * 2L)",
    "xs.map(|x| ys.map(|y| y * 2L).sum() * x)",
    "xs.map(|x| ys.filter(|y| y > 1L).map(|y| y * x).sum())",
    "(0L..3L).flat_map(|i| (0L..i).map(|j| i * j)).map(|k| k + n)",
    "xs.flat_map(|x| if x > n { [x, x + 1L] } else { [x] }).enumerate()",
    "xs.flat_map(|x| if x > n { xs.filter(|z| z < x) } else { ys }).sum()",
    "(if n > 1L { xs.map(|x| x + 1L) } else { xs.filter(|x| x > 0L) }).map(|x| x * 2L)",
    "xs.flat_map(|x| [x, n]).flat_map(|x| [x, x * x])",
    // Builders that are fed before, inside and after loops.
    "result(merge(for(xs, merge(appender[i64], n), |b, i, x| if(x > n, merge(merge(b, x), i), b)), len(ys)))",
    "result(for(ys, for(xs.filter(|x| x > 1L), appender[i64], |b, i, x| merge(b, x)), |b, i, y| merge(b, y + i)))",
    "let b = for(xs, {appender[i64], merger[i64,+]}, |b, i, x| {merge(b.0, x + i), merge(b.1, x)}); \
     {result(b.0), result(b.1)}",
    "result(for(xs, vecmerger[i64,+](ys), |b, i, x| merge(b, {x % 2L, i}))).map(|y| y * 2L)",
    "result(for(xs.map(|x| x * x), merger[i64,min](ys.sum()), |b, i, x| merge(b, x)))",
    // Dictionaries.
    "let d = result(for(xs, dictmerger[i64,i64,+], |b, i, x| merge(b, {x % 3L, i}))); {tovec(d), len(d)}",
    "let d = result(for(xs, dictmerger[i64,i64,+], |b, i, x| merge(b, {x % 3L, 1L}))); ys.map(|y| lookup(d, y))",
    "let d = result(for(xs, groupmerger[i64,i64], |b, i, x| merge(b, {x % 2L, x}))); \
     tovec(d).map(|g| {g.0, g.1.sum(), len(g.1)})",
    "tovec(result(for(xs.filter(|x| x != 0L), dictmerger[i64,i64,max], |b, i, x| merge(b, {10L / x, x}))))",
    // Sums of floats, whose order may change.
    "{ws.sum(), ws.map(|w| w * w).sum(), ws.filter(|w| w > 0.2).sum(), ws.map(|w| w / 3.0)}",
    "{ws.min(), ws.map(|w| exp(w)).max(), ws.map(|w| w * f64(n)).product()}",
    "ws.map(|w| ws.map(|v| v * w).sum()).sum() / f64(len(ws))",
    "{sort(xs.map(|x| x - n), |a, b| compare(b, a)), sort(xs, |a, b| compare(a % 3L, b % 3L))}",
    "iterate({xs, 3L}, |s| {{s.0.map(|x| x * 2L).filter(|x| x < 40L), s.1 - 1L}, s.1 > 0L}).0",
];

#[test]
fn programs_keep_their_meaning() {
    for body in BODIES {
        let text = format!("|xs: vec[i64], ys: vec[i64], ws: vec[f64], n: i64| {body}");
        check(&text);
    }
}

/// Checks one program on each of [`ARGUMENTS`].
fn check(text: &str) {
    let plain = lower(text);
    let optimized = optimized(&plain, None);
    for arguments in ARGUMENTS {
        let args = values(arguments);
        if let Err(difference) = compare(&plain, &optimized, &args) {
            let fuel =
                (0..).find(|&fuel| compare(&plain, &self::optimized(&plain, Some(fuel)), &args).is_err());
            panic!(
                "{difference}\nfrom fuel {fuel:?}, on {arguments}\n{text}\n{}\n{optimized}",
                plain.program
            );
        }
    }
}

fn optimized(plain: &Lowered, fuel: Option<u64>) -> Program {
    let mut program = plain.program.clone();
    optimize(&mut program, &Options { fuel, ..Options::default() })
        .unwrap_or_else(|broken| panic!("{broken}\n{}\nof\n{}", broken.program, plain.program));
    program
}

fn compare(plain: &Lowered, optimized: &Program, args: &[Value]) -> Result<(), String> {
    let (before, calls_before) = run(&plain.program, plain, args);
    let (after, calls_after) = run(optimized, plain, args);
    match (&before, &after) {
        (Ok(before), Ok(after)) if calls_after > calls_before => {
            Err(format!("{calls_after} calls instead of {calls_before}, {before:?}, {after:?}"))
        }
        (Err(_), Ok(_)) => Err(format!("plain gives {before:?}, optimized {after:?}")),
        _ => promise::check(&after, &before, agree, |instead| {
            let options = InterpOptions { instead: Some(instead.clone()), ..InterpOptions::default() };
            run_with(&plain.program, plain, args, options).0
        })
        .map_err(|why| format!("{why}: plain gives {before:?}, optimized {after:?}")),
    }
}

/// Whether two values are the same, but for the rounding of floats.
fn agree(a: &Value, b: &Value) -> bool {
    let all =
        |xs: &[Value], ys: &[Value]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| agree(x, y));
    match (a, b) {
        (Value::F64(x), Value::F64(y)) => {
            x.to_bits() == y.to_bits()
                || (x.is_nan() && y.is_nan())
                || (x - y).abs() <= ROUNDING * x.abs().max(y.abs())
        }
        (Value::Vec(xs), Value::Vec(ys)) => all(xs, ys),
        (Value::Struct(xs), Value::Struct(ys)) => all(xs, ys),
        (Value::Dict(xs), Value::Dict(ys)) => {
            let alike = |((k, v), (l, w)): ((&Value, &Value), (&Value, &Value))| agree(k, l) && agree(v, w);
            xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(alike)
        }
        _ => a.same_bits(b),
    }
}
