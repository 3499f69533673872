//! The expansion of real kernels: what `weld!` takes of a build.

use std::hint::black_box;
use std::time::{Duration, Instant};

use proc_macro2::{TokenStream, TokenTree};
use weldment_codegen::expand::weld;

/// The queries of the example.
const TPCH: &str = include_str!("../../../examples/tpch/kernels.rs");

/// Programs of the size that people write.
const KERNELS: &[(&str, &str)] = &[
    ("sum of squares", "|v: &[f64]| v.map(|x| x * x).sum()"),
    (
        "mean and variance",
        "|v: &[f64]| {
            let n = v.len() as f64;
            let mean = v.sum() / n;
            (mean, v.map(|x| (x - mean) * (x - mean)).sum() / n)
        }",
    ),
    (
        "nearest",
        "|points: &[(f64, f64)], at: (f64, f64)| {
            points.map(|(x, y)| (x - at.0) * (x - at.0) + (y - at.1) * (y - at.1)).argmin()
        }",
    ),
    (
        "sparse times vector",
        "|rows: &[i64], columns: &[i64], values: &[f64], x: &[f64]| {
            (0..rows.len() - 1).map(|row| {
                (rows[row]..rows[row + 1]).map(|at| values[at] * x[columns[at]]).sum()
            })
        }",
    ),
    (
        "join by key",
        "|keys: &[i64], values: &[f64], wanted: &[i64]| {
            let by_key = zip(keys, values).group_by(|(k, _)| k);
            wanted.filter(|k| keyexists(by_key, k)).map(|k| by_key[k].map(|(_, v)| v).sum())
        }",
    ),
];

/// Query 1 of functions of two crates, which have told their tokens: the second of two expansions.
const BY_FUNCTIONS: &str = "@weld1 [
        { is__weld_1 [{ is__weld_1 is { fn is__weld_1(day: i32, by: i32) -> bool { day <= by } } }] }
        { group__weld_2 [{ group__weld_2 group { fn group__weld_2(f: u8, s: u8) -> (u8, u8) { (f, s) } } }] }
        { sums__weld_6 [
            { net__weld_3 net { fn net__weld_3(p: f64, d: f64) -> f64 { p * (1.0 - d) } } }
            { taxed__weld_4 taxed { fn taxed__weld_4(p: f64, t: f64) -> f64 { p * (1.0 + t) } } }
            { gross__weld_5 gross { fn gross__weld_5(p: f64, d: f64, t: f64) -> f64 { taxed__weld_4(net__weld_3(p, d), t) } } }
            { sums__weld_6 sums { fn sums__weld_6(q: f64, p: f64, d: f64, t: f64) -> (f64, f64, f64, f64, f64, i64) {
                (q, p, net__weld_3(p, d), gross__weld_5(p, d, t), d, 1)
            } } }
        ] }
    ] [] [{ shop::is } { group } { sums }]
    ::weldment;
    #[expect(loops = 1, materialized = 0)]
    |flag: &[u8], status: &[u8], quantity: &[f64], price: &[f64], discount: &[f64], tax: &[f64], day: &[i32]| {
        zip(flag, status, quantity, price, discount, tax, day)
            .filter(|(_, _, _, _, _, _, day)| shop::is(day, 10471))
            .reduce_by(|(f, s, _, _, _, _, _)| group(f, s), |(_, _, q, p, d, t, _)| sums(q, p, d, t), +)
    }";

/// For how long each is repeated.
const ENOUGH: Duration = Duration::from_millis(600);

/// Prints how long each expansion takes.
pub(crate) fn print() {
    println!("\n== kernels: expansions of `weld!`\n{:24}{:>13}{:>13}{:>10}", "", "first", "least", "tokens");
    let tpch = programs_in(TPCH.parse().expect("Rust"));
    let tpch = ["tpch, query 6", "tpch, query 1"].into_iter().zip(tpch);
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let written = KERNELS.iter().map(|(name, text)| (*name, tokens(text)));
    let calls = tpch.chain(written).map(|(name, program)| (name, tokens(&format!("::weldment; {program}"))));
    for (name, call) in calls.chain([("query 1 of functions", tokens(BY_FUNCTIONS))]) {
        let mut times = Vec::new();
        let begin = Instant::now();
        let mut emitted = 0;
        while times.is_empty() || begin.elapsed() < ENOUGH {
            let call = call.clone();
            let now = Instant::now();
            let kernel = black_box(weld(call));
            assert!(times.len() > 1 || !kernel.to_string().contains("compile_error"), "{name}");
            times.push(now.elapsed());
            emitted = count(kernel);
        }
        let least = times.iter().min().expect("one time at least");
        let [first, least] = [times[0], *least].map(|time| time.as_secs_f64() * 1e3);
        println!("{name:24}{first:>10.3} ms{least:>10.3} ms{emitted:>10}");
    }
}

/// What stands in each `weld!(…)`.
fn programs_in(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut programs = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_weld = index >= 2 && tokens[index - 2].to_string() == "weld";
        match is_weld {
            true => programs.push(group.stream()),
            false => programs.extend(programs_in(group.stream())),
        }
    }
    programs
}

fn count(tokens: TokenStream) -> usize {
    let count_one = |token| match token {
        TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(count_one).sum()
}
