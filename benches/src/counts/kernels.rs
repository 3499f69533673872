//! The kernels that are counted, on inputs that stay in the caches.

use std::hint::black_box;

use weldment::{Arguments, Element, Kernel, weld};

/// A kernel.
pub(crate) struct Counted {
    pub(crate) name: &'static str,
    pub(crate) run: fn(On),
}

/// What runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// The Rust that `weld!` emitted.
    Rust,
    /// LLVM.
    Llvm,
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
    Counted { name: "count long words", run: count_long_words },
    Counted { name: "group by floats", run: group_by_floats },
    Counted { name: "groups of vectors", run: groups },
    Counted { name: "join", run: join },
    Counted { name: "join of close keys", run: join_of_close_keys },
    Counted { name: "join of words", run: join_of_words },
    Counted { name: "rows of a matrix", run: rows },
    Counted { name: "sort", run: sort },
];

fn numbers() -> Vec<f64> {
    (0..N).map(|i| (i * 7919 % 10_007) as f64 / 10_007.0).collect()
}

fn keys(distinct: usize) -> Vec<i64> {
    (0..N).map(|i| (i * 7919 % 10_007 % distinct) as i64).collect()
}

/// Calls `kernel`: once, for what happens once, and then twice in [`counted_calls`].
fn repeat<F, A: Arguments + Copy, R: Element>(
    on: On,
    kernel: &Kernel<F>,
    args: A,
    call: impl Fn(&Kernel<F>, A) -> R,
) {
    let twice = |call: &dyn Fn(A) -> R| {
        // Of what the compiler does not know.
        let call = || drop(black_box(call(black_box(args))));
        call();
        counted_calls(&call);
    };
    match on {
        On::Rust => twice(&|args| call(kernel, args)),
        On::Llvm => twice(&on_llvm(kernel)),
    }
}

/// The calls that are counted: callgrind collects inside of this function alone.
#[inline(never)]
fn counted_calls(call: &dyn Fn()) {
    call();
    call();
}

#[cfg(feature = "llvm")]
fn on_llvm<F, A: Arguments + Copy, R: Element>(kernel: &Kernel<F>) -> impl Fn(A) -> R {
    use weldment::{CompileOptions, ToProgram};

    let program = kernel.program().compile(&CompileOptions::default());
    let program = program.expect("LLVM compiles what `weld!` accepts");
    move |args| program.call::<A, R>(args).expect("the inputs are valid")
}

#[cfg(not(feature = "llvm"))]
fn on_llvm<F, A: Arguments + Copy, R: Element>(_: &Kernel<F>) -> impl Fn(A) -> R {
    |_| unreachable!("LLVM is not built in")
}

fn sum(on: On) {
    let kernel = weld!(|v: &[f64]| v.sum());
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}

fn map(on: On) {
    let kernel = weld!(|v: &[f64]| v.map(|x| x * 1.5 + 0.25));
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}

fn filter(on: On) {
    let kernel = weld!(|v: &[f64]| v.filter(|x| x < 0.5));
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}

fn filtered_sum(on: On) {
    let kernel = weld!(|v: &[f64]| v.filter(|x| x < 0.5).map(|x| x * x).sum());
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}

fn sines(on: On) {
    let kernel = weld!(|v: &[f64]| v.map(|x| x.sin()).sum());
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}

fn histogram(on: On) {
    let kernel = weld!(|v: &[f64], bins: &[i64]| {
        result(for(v, vecmerger[i64, +](bins), |b, i, x| merge(b, {i64(x * 64.0), 1L})))
    });
    let bins = vec![0; 64];
    repeat(on, &kernel, (&numbers()[..], &bins[..]), |kernel, (v, bins)| kernel(v, bins));
}

fn group_by_byte(on: On) {
    let kernel = weld!(|k: &[u8]| k.reduce_by(|k| k, |k| 1L, +));
    let keys: Vec<u8> = keys(100).into_iter().map(|key| key as u8).collect();
    repeat(on, &kernel, (&keys[..],), |kernel, (keys,)| kernel(keys));
}

fn group_by_number(on: On) {
    let kernel = weld!(|k: &[i64], v: &[f64]| zip(k, v).reduce_by(|(k, _)| k, |(_, v)| v, +));
    let keys = keys(1000);
    repeat(on, &kernel, (&keys[..], &numbers()[..]), |kernel, (keys, v)| kernel(keys, v));
}

fn count_words(on: On) {
    let kernel = weld!(|words: &[Vec<u8>]| words.reduce_by(|word| word, |_| 1L, +));
    let words: Vec<Vec<u8>> =
        keys(1000).into_iter().map(|key| format!("word number {key}").into_bytes()).collect();
    repeat(on, &kernel, (&words[..],), |kernel, (words,)| kernel(words));
}

fn count_long_words(on: On) {
    let kernel = weld!(|words: &[Vec<u8>]| words.reduce_by(|word| word, |_| 1L, +));
    let words: Vec<Vec<u8>> = keys(1000)
        .into_iter()
        .map(|key| format!("the long and winding word number {key}").into_bytes())
        .collect();
    repeat(on, &kernel, (&words[..],), |kernel, (words,)| kernel(words));
}

fn group_by_floats(on: On) {
    let kernel = weld!(|a: &[f64], b: &[f64]| zip(a, b).reduce_by(|(a, b)| (a, b), |_| 1L, +));
    let [a, b] =
        [1000, 10].map(|distinct| keys(distinct).into_iter().map(|key| key as f64).collect::<Vec<_>>());
    repeat(on, &kernel, (&a[..], &b[..]), |kernel, (a, b)| kernel(a, b));
}

fn groups(on: On) {
    let kernel = weld!(|k: &[i64], v: &[f64]| zip(k, v).group_by(|(k, _)| k));
    let keys = keys(1000);
    repeat(on, &kernel, (&keys[..], &numbers()[..]), |kernel, (keys, v)| kernel(keys, v));
}

/// Half of what is looked up is there.
fn join(on: On) {
    join_of(on, |key| (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as i64);
}

fn join_of_close_keys(on: On) {
    join_of(on, |key| 3 * key);
}

fn join_of(on: On, spread: fn(i64) -> i64) {
    let kernel = weld!(|keys: &[i64], values: &[f64], wanted: &[i64]| {
        let by_key = zip(keys, values).to_dict();
        wanted.filter(|k| keyexists(by_key, k)).map(|k| by_key[k]).sum()
    });
    let here: Vec<i64> = (0..1000).map(spread).collect();
    let wanted: Vec<i64> = keys(2000).into_iter().map(spread).collect();
    let args = (&here[..], &numbers()[..1000], &wanted[..]);
    repeat(on, &kernel, args, |kernel, (keys, values, wanted)| kernel(keys, values, wanted));
}

fn join_of_words(on: On) {
    let kernel = weld!(|keys: &[Vec<u8>], wanted: &[Vec<u8>]| {
        let by_key = zip(keys, keys.map(|word| len(word))).to_dict();
        wanted.filter(|k| keyexists(by_key, k)).map(|k| by_key[k]).sum()
    });
    let word = |key: i64| format!("word number {key}").into_bytes();
    let here: Vec<Vec<u8>> = (0..1000).map(word).collect();
    let wanted: Vec<Vec<u8>> = keys(2000).into_iter().map(word).collect();
    repeat(on, &kernel, (&here[..], &wanted[..]), |kernel, (keys, wanted)| kernel(keys, wanted));
}

fn rows(on: On) {
    let kernel = weld!(|m: &[Vec<f64>], v: &[f64]| m.map(|row| zip(row, v).map(|(a, b)| a * b).sum()));
    let rows: Vec<Vec<f64>> = numbers().chunks(100).map(<[f64]>::to_vec).collect();
    let vector = vec![0.5; 100];
    repeat(on, &kernel, (&rows[..], &vector[..]), |kernel, (rows, vector)| kernel(rows, vector));
}

fn sort(on: On) {
    let kernel = weld!(|v: &[f64]| v.sort_by_key(|x| x));
    repeat(on, &kernel, (&numbers()[..],), |kernel, (v,)| kernel(v));
}
