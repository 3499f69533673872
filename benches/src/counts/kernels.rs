//! The kernels that are counted, on inputs that stay in the caches.

use std::hint::black_box;

use weldment::weld;

/// A kernel, to be run so many times.
pub(crate) struct Counted {
    pub(crate) name: &'static str,
    pub(crate) run: fn(u32),
}

/// How many elements there are.
const N: usize = 10_000;

pub(crate) const KERNELS: &[Counted] = &[
    Counted { name: "sum", run: sum },
    Counted { name: "map", run: map },
    Counted { name: "filter", run: filter },
    Counted { name: "filtered sum", run: filtered_sum },
    Counted { name: "sines", run: sines },
    Counted { name: "histogram", run: histogram },
    Counted { name: "group by u8", run: group_by_byte },
    Counted { name: "group by i64", run: group_by_number },
    Counted { name: "count words", run: count_words },
    Counted { name: "rows of a matrix", run: rows },
    Counted { name: "sort", run: sort },
];

fn numbers() -> Vec<f64> {
    (0..N).map(|i| (i * 7919 % 10_007) as f64 / 10_007.0).collect()
}

fn keys(distinct: usize) -> Vec<i64> {
    (0..N).map(|i| (i * 7919 % 10_007 % distinct) as i64).collect()
}

/// `call` so many times, on what the compiler does not know.
fn repeat<A: ?Sized, R>(times: u32, argument: &A, call: impl Fn(&A) -> R) {
    for _ in 0..times {
        black_box(call(black_box(argument)));
    }
}

fn sum(times: u32) {
    let kernel = weld!(|v: &[f64]| v.sum());
    repeat(times, &numbers()[..], *kernel);
}

fn map(times: u32) {
    let kernel = weld!(|v: &[f64]| v.map(|x| x * 1.5 + 0.25));
    repeat(times, &numbers()[..], *kernel);
}

fn filter(times: u32) {
    let kernel = weld!(|v: &[f64]| v.filter(|x| x < 0.5));
    repeat(times, &numbers()[..], *kernel);
}

fn filtered_sum(times: u32) {
    let kernel = weld!(|v: &[f64]| v.filter(|x| x < 0.5).map(|x| x * x).sum());
    repeat(times, &numbers()[..], *kernel);
}

fn sines(times: u32) {
    let kernel = weld!(|v: &[f64]| v.map(|x| x.sin()).sum());
    repeat(times, &numbers()[..], *kernel);
}

fn histogram(times: u32) {
    let kernel = weld!(|v: &[f64], bins: &[i64]| {
        result(for(v, vecmerger[i64, +](bins), |b, i, x| merge(b, {i64(x * 64.0), 1L})))
    });
    let bins = vec![0; 64];
    repeat(times, &numbers()[..], |v| kernel(v, &bins));
}

fn group_by_byte(times: u32) {
    let kernel = weld!(|k: &[u8]| k.reduce_by(|k| k, |k| 1L, +));
    let keys: Vec<u8> = keys(100).into_iter().map(|key| key as u8).collect();
    repeat(times, &keys[..], *kernel);
}

fn group_by_number(times: u32) {
    let kernel = weld!(|k: &[i64], v: &[f64]| zip(k, v).reduce_by(|(k, _)| k, |(_, v)| v, +));
    let keys = keys(1000);
    repeat(times, &numbers()[..], |v| kernel(&keys, v));
}

fn count_words(times: u32) {
    let kernel = weld!(|words: &[Vec<u8>]| words.reduce_by(|word| word, |_| 1L, +));
    let words: Vec<Vec<u8>> =
        keys(1000).into_iter().map(|key| format!("word number {key}").into_bytes()).collect();
    repeat(times, &words[..], *kernel);
}

fn rows(times: u32) {
    let kernel = weld!(|m: &[Vec<f64>], v: &[f64]| m.map(|row| zip(row, v).map(|(a, b)| a * b).sum()));
    let rows: Vec<Vec<f64>> = numbers().chunks(100).map(<[f64]>::to_vec).collect();
    let vector = vec![0.5; 100];
    repeat(times, &rows[..], |m| kernel(m, &vector));
}

fn sort(times: u32) {
    let kernel = weld!(|v: &[f64]| v.sort_by_key(|x| x));
    repeat(times, &numbers()[..], *kernel);
}
