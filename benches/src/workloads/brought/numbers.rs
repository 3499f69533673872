//! Numbers: a polynomial, π by chance, the tokens of a text.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use super::answers::{TARGET, floats, integers};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::random;

/// Where it is evaluated, and the coefficients, that of the highest power first.
type Polynomial = fn(&[f64], &[f64]) -> Vec<f64>;

const POLYNOMIAL: Kernel<Polynomial> =
    weld!(|v: &[f64], c: &[f64]| v.map(|x| c.fold((0.0,), |acc, k| (acc.0 * x + k,)).0));

/// How many points are drawn from a square; how many are in the circle.
type Circle = fn(i64) -> i64;

const CIRCLE: Kernel<Circle> = weld!(|n: i64| {
    let mixed = |z| {
        let z = (z ^ (z >> 29)) * 0x3F58476D1CE4E5B9;
        (z ^ (z >> 32)) & 0xFFFFFFFF
    };
    let unit = |i| mixed(i * 0x1E3779B97F4A7C15) as f64 / 4294967296.0;
    (0..n)
        .filter(|i| {
            let (x, y) = (unit(2 * i), unit(2 * i + 1));
            x * x + y * y < 1.0
        })
        .count()
});

/// Bytes; how many tokens they are: words, numbers, and signs alone.
type Tokens = fn(&[u8]) -> i64;

const TOKENS: Kernel<Tokens> = weld!(|text: &[u8]| {
    let kind = |c: u8| {
        if c >= b'0' && c <= b'9' || c >= b'a' && c <= b'z' || c == b'.' || c == b'_' {
            1
        } else if c == b' ' || c == b'\n' {
            0
        } else {
            2
        }
    };
    (0..text.len())
        .filter(|i| {
            let this = kind(text[i]);
            this == 2 || this == 1 && (i == 0 || kind(text[max(i - 1, 0)]) != 1)
        })
        .count()
});

pub(super) fn run(bench: &mut Bench<'_>) {
    if bench.wants("polynomial of degree 10") {
        let n = bench.rows(5_000_000);
        let v = random::floats(n, 51, -1.0, 1.0);
        let c = random::floats(11, 52, -1.0, 1.0);
        let (v, c) = (&v[..], &c[..]);
        let at = |x: &f64| c.iter().fold(0.0, |acc, k| acc * x + k);
        let by_hand = move || v.par_iter().map(at).collect::<Vec<f64>>();
        let contest = Contest::new("polynomial of degree 10", 16 * n, TARGET)
            .with("hand", by_hand, floats)
            .ours(&POLYNOMIAL, (v, c), |kernel, (v, c)| kernel(v, c), floats);
        bench.contest(&contest);
    }
    let one = |count| integers(vec![count]);
    if bench.wants("π by chance") {
        let n = bench.rows(10_000_000) as i64;
        let mixed = |z: i64| {
            let z = (z ^ (z >> 29)).wrapping_mul(0x3F58_476D_1CE4_E5B9);
            (z ^ (z >> 32)) & 0xFFFF_FFFF
        };
        let unit = move |i: i64| mixed(i.wrapping_mul(0x1E37_79B9_7F4A_7C15)) as f64 / 4_294_967_296.0;
        let is_inside = move |i: &i64| {
            let (x, y) = (unit(2 * i), unit(2 * i + 1));
            x * x + y * y < 1.0
        };
        let by_hand = move || (0..n).into_par_iter().filter(is_inside).count() as i64;
        let contest = Contest::new("π by chance", 0, TARGET).with("hand", by_hand, one).ours(
            &CIRCLE,
            (n,),
            |kernel, (n,)| kernel(n),
            one,
        );
        bench.contest(&contest);
    }
    if bench.wants("tokens of a text") {
        let n = bench.rows(50_000_000);
        let signs = b"abcdefghij 0123 , { } : \n \"kind\" 17.5";
        let text = &random::column(n, 53, |rng| signs[rng.usize(0..signs.len())])[..];
        let by_hand = move || {
            let kind = |c: u8| match c {
                b'0'..=b'9' | b'a'..=b'z' | b'.' | b'_' => 1,
                b' ' | b'\n' => 0,
                _ => 2,
            };
            let begins = |w: &[u8]| kind(w[1]) == 2 || kind(w[1]) == 1 && kind(w[0]) != 1;
            text.par_windows(2).filter(|w| begins(w)).count() as i64 + i64::from(kind(text[0]) != 0)
        };
        let contest = Contest::new("tokens of a text", n, TARGET).with("hand", by_hand, one).ours(
            &TOKENS,
            (text,),
            |kernel, (text,)| kernel(text),
            one,
        );
        bench.contest(&contest);
    }
}
