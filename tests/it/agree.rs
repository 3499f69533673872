//! Emitted Rust and LLVM give what the interpreter gives, bit for bit: on any number of threads, for any CPU, and
//! however loops are cut.

use weldment::{Argument, Buffers, Element, Fault, Options, Program, Value};

use crate::executors::{self, Cut};

const CUTS: [Cut; 5] = [Cut::of(3, 3), Cut::of(3, 6), Cut::of(5, 7), Cut::of(16, 16), Cut::COST];
#[cfg(feature = "llvm")]
const COMPILED: [Cut; 2] = [Cut::of(3, 6), Cut::COST];

fn check<R: Element>(
    source: &str,
    args: &[Value],
    run: impl Fn(&Options) -> Result<R, Fault>,
    run_into: impl Fn(&Options, &mut R) -> Result<(), Fault>,
) {
    let program = Program::parse(source).expect("the program is well formed");
    let (mut out, buffers) = (R::zero(), Buffers::new(1 << 24));
    for cut in CUTS {
        let expected = executors::interpreted(&program, cut, args);
        for way in executors::emitted_ways(cut) {
            // In memory of its own, and in that of the result before.
            let fresh = run(&way).map(|value| value.to_value());
            let again = run_into(&way.clone().buffers(&buffers), &mut out).map(|()| out.to_value());
            for mut got in [fresh, again] {
                // A kernel's places are those in this file.
                if let (Err(got), Err(expected)) = (&mut got, &expected) {
                    *got = got.clone().at(expected.position);
                }
                assert!(
                    executors::same(&got, &expected),
                    "{source}\n{way:?}\n     got {got:?}\nexpected {expected:?}"
                );
            }
        }
        // Compiling takes far longer than running: a cut of each sort is enough, and one of the program as it is written.
        #[cfg(feature = "llvm")]
        if cut == COMPILED[0] {
            executors::as_written(&program, cut, args, |way, got, expected| {
                assert!(
                    executors::same(&got, expected),
                    "LLVM, as written: {source}\n{way:?}\n     got {got:?}\nexpected {expected:?}"
                );
            });
        }
        #[cfg(feature = "llvm")]
        if COMPILED.contains(&cut) {
            executors::compiled(&program, cut, args, |way, got| {
                assert!(
                    executors::same(&got, &expected),
                    "LLVM: {source}\n{way:?}\n     got {got:?}\nexpected {expected:?}"
                );
            });
        }
    }
}

/// `agree!(args; program)`
macro_rules! agree {
    ($($arg:expr),*; $($program:tt)*) => {{
        let kernel = weldment::weld!($($program)*);
        let args = [$(Argument::to_value(&$arg)),*];
        check(
            stringify!($($program)*),
            &args,
            |options| kernel.with(options).call($($arg),*),
            |options, out| kernel.with(options).call_into(out, $($arg),*),
        );
    }};
}

/// Numbers whose sum depends on the order in which they are added.
fn rough(n: usize) -> Vec<f64> {
    let mut x = 0.1f64;
    (0..n)
        .map(|i| {
            x = (x * 3.7 * (1.0 - x)).abs() % 1.0;
            (x - 0.5) * 10f64.powi((i % 13) as i32)
        })
        .collect()
}

fn integers(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919) % 101 - 50).collect()
}

/// What comparing leaves open: which zero there was, and whether there was any number.
#[test]
fn extremes_of_zeros_infinities_and_nans() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let long = |value: f64, rare: f64| {
        let mut v = vec![value; 70];
        v[41] = rare;
        v
    };
    for x in [
        vec![nan; 70],
        vec![inf; 70],
        vec![-inf; 70],
        vec![0.0; 70],
        vec![-0.0; 70],
        long(0.0, -0.0),
        long(-0.0, 0.0),
        long(-nan, inf),
        long(nan, -inf),
        long(nan, -0.0),
        long(nan, 0.0),
        long(1.0, -0.0),
        long(-1.0, 0.0),
        long(inf, nan),
    ] {
        let (x, narrow) = (&x[..], &x.iter().map(|&x| x as f32).collect::<Vec<_>>()[..]);
        agree!(x; |x: &[f64]| (x.min(), x.max(), x.sum()));
        agree!(narrow; |x: &[f32]| (x.max(), x.min()));
        agree!(x; |x: &[f64]| x.map(|x| x * 0.5).max());
        agree!(x, 1i64; |x: &[f64], step: i64| {
            let both = for(x, {merger[f64,min], merger[f64,max]}, |b, i, x|
                if(i % 3L < step, {merge(b.$0, x), merge(b.$1, x)}, b));
            (result(both.$0), result(both.$1))
        });
        agree!(x, -0.0; |x: &[f64], from: f64| result(for(x, merger[f64,min](from), |b, i, x| merge(b, x))));
        let rows = &[x.to_vec(), x[..40].to_vec(), x[30..45].to_vec()][..];
        agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| (row.min(), row.max(), row.sum())));
        agree!(rows; |rows: &[Vec<f64>]| result(for(rows, merger[f64,max], |b, i, row|
            for(row, b, |b, j, x| merge(b, x)))));
    }
}

/// With no more elements than lanes, and with more.
#[test]
fn sums_of_rows_of_any_length() {
    let all = rough(40);
    let rows = &(0..40).map(|n| all[..n].to_vec()).collect::<Vec<_>>()[..];
    agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| row.sum()));
    agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| (row.filter(|x| x > 0.0).sum(), row.map(|x| x as f32).product())));
    agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| {
        let both = for(row, {merger[f64,+](1.5), merger[i64,+]}, |b, i, x| {merge(b.$0, x * x), merge(b.$1, i)});
        (result(both.$0), result(both.$1))
    }));
    let ends = &(0..40i64).map(|n| n * (n + 1) / 2 % 40).collect::<Vec<_>>()[..];
    let all = &all[..];
    agree!(all, ends; |all: &[f64], ends: &[i64]| ends.map(|end| (0..end).map(|at| all[at]).sum()));
}

#[test]
fn merges_into_a_vector_by_index() {
    for n in [0, 1, 7, 8, 9, 70] {
        let (x, bins) = (&rough(n)[..], &(0..n as i64).map(|i| i * i % 7).collect::<Vec<_>>()[..]);
        let none = &[0.25; 7][..];
        agree!(bins, none; |bins: &[i64], none: &[f64]| result(for(bins, vecmerger[f64,+](none), |b, i, bin|
            merge(b, (bin, 1.0)))));
        agree!(bins, x, none; |bins: &[i64], x: &[f64], none: &[f64]| result(for(zip(bins, x), vecmerger[f64,max](none),
            |b, i, (bin, x)| merge(b, (bin, x * 2.0)))));
        // The first of those outside is the fault.
        agree!(bins, none; |bins: &[i64], none: &[f64]| result(for(bins, vecmerger[f64,+](none), |b, i, bin|
            merge(b, (bin * (1 - bin), 1.0)))));
    }
}

#[test]
fn float_reductions() {
    let (x, n) = (&rough(100)[..], &integers(100)[..]);
    agree!(x; |x: &[f64]| x.sum());
    agree!(x; |x: &[f64]| x.map(|x| x * x).sum());
    agree!(x; |x: &[f64]| x.filter(|x| x > 0.0).map(|x| x * 1.5).sum());
    agree!(x; |x: &[f64]| (x.sum(), x.min(), x.max(), x.count()));
    agree!(x; |x: &[f64]| x.map(|x| x as f32).sum());
    agree!(x, n; |x: &[f64], n: &[i64]| zip(x, n).filter(|(_, n)| n % 3 == 1).map(|(x, _)| x).max());
    agree!(&[0.0f64; 0][..]; |x: &[f64]| x.sum());
    agree!(&[0.0f64; 0][..]; |x: &[f64]| x.max());
    agree!(x; |x: vec[f64]| result(for(x, merger[{f64,f32,i64},+]({1.0, 2.0f, 3L}), |b, i, e| if(e > 0.0, merge(b, {e, f32(e), i}), b))));
    agree!(x; |x: vec[f64]| result(for(x, merger[f64,*], |b, i, e| if(i < 7L, merge(b, e), b))));
}

#[test]
fn collects() {
    let (x, n) = (&rough(100)[..], &integers(100)[..]);
    agree!(x; |x: &[f64]| x.map(|x| x + 1.0));
    agree!(n; |n: &[i64]| n.filter(|n| n > 10));
    agree!(n; |n: &[i64]| n.filter(|n| n > 10).map(|n| (n, n * n)));
    agree!(n; |n: &[i64]| n.filter(|n| n > 0).flat_map(|n| (0..n % 5).map(|i| i * n)));
    agree!(n, x; |n: &[i64], x: &[f64]| (n.map(|n| n + 1), x.filter(|x| x < 0.0), x.sum()));
    agree!(n; |n: &[i64]| n.enumerate().map(|(i, n)| i * 2 + n));
    agree!(n; |n: &[i64]| n.map(|n| (0..3).map(|i| i + n)));
    agree!(n; |n: &[i64]| n.map(|n| n / 3 + n % 7));
}

#[test]
fn nested_loops() {
    let rows: Vec<Vec<f64>> = (0..20).map(|i| rough(i * 3)).collect();
    let (rows, x) = (&rows[..], &rough(40)[..]);
    agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| row.sum()));
    agree!(rows; |rows: &[Vec<f64>]| rows.map(|row| row.map(|x| x * 2.0)));
    agree!(rows; |rows: &[Vec<f64>]| rows.flat_map(|row| row).sum());
    agree!(rows; |rows: &[Vec<f64>]| rows.filter(|row| row.len() > 9).map(|row| (row.len(), row)));
    agree!(x; |x: &[f64]| x.map(|a| x.map(|b| a * b).sum()));
    agree!(x; |x: vec[f64]| result(for(x, merger[f64,+], |b, i, a| for(x, b, |c, j, e| merge(c, a * e)))));
    agree!(x; |x: vec[f64]| let b = for(x, merger[f64,+], |b, i, a| merge(b, a)); result(for(x, merge(b, 0.1), |b, i, a| if(a > 0.0, merge(b, a), b))));
}

#[test]
fn dictionaries() {
    let (x, n) = (&rough(100)[..], &integers(100)[..]);
    agree!(x, n; |x: vec[f64], n: vec[i64]| result(for(zip(n, x), dictmerger[i64,f64,+], |b, i, e| merge(b, {e.$0 % 7L, e.$1}))));
    agree!(x, n; |x: vec[f64], n: vec[i64]| result(for(zip(n, x), dictmerger[{u8,bool},{f64,i64},+], |b, i, e| if(e.$1 > 0.0, merge(b, {{u8(e.$0), e.$0 > 3L}, {e.$1, 1L}}), b))));
    agree!(x, n; |x: vec[f64], n: vec[i64]| tovec(result(for(zip(n, x), groupmerger[i64,f64], |b, i, e| merge(b, {e.$0 % 7L, e.$1})))));
    agree!(n; |n: vec[i64]| result(for(n, groupmerger[i64,i64], |b, i, e| merge(b, {e % 5L, e}))));
    agree!(n; |n: &[i64]| { let d = result(for(n, groupmerger[i64,i64], |b, i, e| merge(b, {e % 5L, e}))); (lookup(d, 3), keyexists(d, 9), optlookup(d, 9), len(d)) });
    agree!(n; |n: &[i64]| result(for(n.map(|n| [n % 3, n % 2]), groupmerger[vec[i64],vec[i64]], |b, i, e| merge(b, {e, e}))));
    agree!(n; |n: &[i64]| lookup(result(for(n, groupmerger[i64,i64], |b, i, e| merge(b, {e % 5L, e}))), 100));
}

/// So many that their values do not fit into one struct.
#[test]
fn many_dictionaries_of_one_key() {
    macro_rules! of_factors {
        ($n:ident; $($factor:tt)*) => {
            agree!($n; |n: &[i64]| [
                $(n.reduce_by(|k| k % 7, |k| k * $factor, +)[3] + n.reduce_by(|k| k % 7, |k| k * $factor, max)[5]),*
            ])
        };
    }
    let n = &integers(100)[..];
    of_factors!(n; 1 2 3 4 5 6 7 8 9 10);
}

#[test]
fn control_and_faults() {
    let n = &integers(100)[..];
    agree!(27i64; |n: i64| iterate((n, 0), |(n, steps)| (((if n % 2 == 0 { n / 2 } else { 3 * n + 1 }), steps + 1), n > 2)));
    agree!(n; |n: &[i64]| n.map(|x| 10 / x));
    agree!(n; |n: &[i64]| n.filter(|x| x != 0).map(|x| 10 / x).sum());
    agree!(n; |n: &[i64]| n.map(|i| lookup(n, (i + 50) % 100)));
    agree!(n; |n: &[i64]| n.map(|i| lookup(n, i)));
    agree!(n, 700i64; |n: &[i64], k: i64| { let rows = n.map(|k| n.filter(|x| x > k)); (rows[1], rows[k]) });
    agree!(n; |n: &[i64]| { let rows = n.map(|k| n.map(|x| x / (k - 3))); (rows.map(|r| r.sum()), rows.map(|r| r.max()).sum()) });
    agree!(n, 3i64; |n: &[i64], k: i64| if k > 2 { n } else { n.map(|x| x + 1) });
    agree!(n, 3i64; |n: &[i64], k: i64| slice(n, k, 5));
    agree!(n, &[1i64, 2][..]; |a: &[i64], b: &[i64]| zip(a, b).map(|(a, b)| a + b));
    agree!(n; |n: &[i64]| { let a = [1, 2]; let s = (a, n.sum()); (s.0, s.1, s) });
    agree!(n; |n: &[i64]| iterate((n.map(|x| x + 0), 0), |(v, i)| ((v.map(|x| x * 2 % 1000), i + 1), i < 5)));
    // What the state begins with is read by each step.
    agree!(n; |n: &[i64]| { let first = n.map(|x| x * 3); iterate((first, 0), |(v, i)| ((first, i + 1), v.len() + i < 50)).0 });
    agree!(n; |n: &[i64]| {
        let first = n.map(|x| x * 3);
        iterate((first, 0), |(v, i)| ((v.map(|x| x + first[0]), i + 1), i < 5)).0
    });
    // Nothing says how long the columns of a state are, also where there may be no step.
    agree!(n; |n: &[i64]| fold(iter([1.0, 2.0], 0L, 2L, 2L), [(1L, 0L), (2L, 0L)], |s, x| n.map(|y| (y, 1L))).map(|p| p.0));
    agree!(&(1i64, vec![2i64, 3]), &vec![vec![1i64]]; |a: &(i64, Vec<i64>), b: &[Vec<i64>]| (a.1, b, a));
}

#[test]
fn scatters() {
    let (x, n) = (&rough(100)[..], &integers(100)[..]);
    let bins = &rough(7)[..];
    agree!(x, n, bins; |x: vec[f64], n: vec[i64], bins: vec[f64]| result(for(zip(n, x), vecmerger[f64,+](bins), |b, i, e| merge(b, {(e.$0 + 50L) % 7L, e.$1}))));
    agree!(x, n, bins; |x: vec[f64], n: vec[i64], bins: vec[f64]| result(for(zip(n, x), vecmerger[f64,min](bins), |b, i, e| if(e.$1 > 0.0, merge(b, {(e.$0 + 50L) % 5L, e.$1}), b))));
    agree!(n; |n: vec[i64]| result(for(n, vecmerger[i64,+](result(for(rangeiter(0L, 150L, 1L), appender[i64], |b, i, e| merge(b, e)))), |b, i, e| merge(merge(b, {e + 50L, i}), {i, e}))));
    agree!(n, &[(1i64, 0.5f64); 4][..]; |n: vec[i64], v: vec[{i64,f64}]| result(for(n, vecmerger[{i64,f64},*](v), |b, i, e| merge(b, {i % 4L, {e, f64(e) / 7.0}}))));
    agree!(n, &[0i64; 60][..]; |n: vec[i64], v: vec[i64]| result(for(n, vecmerger[i64,+](v), |b, i, e| merge(b, {e, 1L}))));
    agree!(n, &[9u8; 3][..]; |n: vec[i64], v: vec[u8]| { let b = vecmerger[u8,max](v); result(merge(for(n, merge(b, {0L, 200u8}), |b, i, e| merge(b, {i % 3L, u8(e)})), {2L, 77u8})) });
    agree!(n; |n: &[i64]| n.map(|k| result(for(n, vecmerger[i64,+]([0L, k]), |b, i, e| merge(b, {i % 2L, e})))));
}

#[test]
fn sorts() {
    let (x, n) = (&rough(100)[..], &integers(100)[..]);
    let pairs: Vec<(i64, f64)> = n.iter().copied().zip(x.iter().copied()).collect();
    let rows: Vec<Vec<i64>> = (0..20).map(|i| integers(i * 7 % 5)).collect();
    let (pairs, rows) = (&pairs[..], &rows[..]);
    agree!(x; |x: vec[f64]| sort(x, |a, b| compare(a, b)));
    agree!(pairs; |x: vec[{i64,f64}]| sort(x, |a, b| compare(b.$0 % 7L, a.$0 % 7L)));
    agree!(rows; |x: vec[vec[i64]]| sort(x, |a, b| compare(a, b)));
    agree!(rows, 3i64; |x: vec[vec[i64]], k: i64| sort(x, |a, b| compare(len(a) % k, len(b) % k)));
    agree!(n, x; |n: vec[i64], x: vec[f64]| sort(n, |a, b| compare(lookup(x, a + 50L), lookup(x, b + 50L))));
    agree!(n, x; |n: vec[i64], x: vec[f64]| sort(n, |a, b| compare(lookup(x, a), lookup(x, b))));
    agree!(rows; |x: vec[vec[i64]]| x.map(|row| sort(row, |a, b| compare(b, a))));
    agree!(n; |n: vec[i64]| sort(n.filter(|n| n > 0), |a, b| 0));
    agree!(rows; |x: vec[vec[i64]]| sort(x, |a, b| compare(a.map(|x| x % 3).sum(), b.map(|x| x % 3).sum())));
}

#[test]
fn bytes() {
    let (x, n) = (&rough(40)[..], &integers(40)[..]);
    let rows: Vec<(u8, Vec<(i16, bool)>)> =
        (0..9).map(|i| (i, vec![(i as i16 - 4, i % 2 == 0); i as usize])).collect();
    agree!(x; |x: vec[f64]| serialize(x));
    agree!(&rows[..]; |x: vec[{u8,vec[{i16,bool}]}]| serialize(x));
    agree!(&rows[..]; |x: vec[{u8,vec[{i16,bool}]}]| deserialize[vec[{u8,vec[{i16,bool}]}]](serialize(x)));
    agree!(n; |n: vec[i64]| serialize(result(for(n, dictmerger[i64,i64,+], |b, i, e| merge(b, {e % 5L, e})))));
    agree!(n; |n: vec[i64]| deserialize[dict[i64,i64]](serialize(result(for(n, dictmerger[i64,i64,max], |b, i, e| merge(b, {e % 5L, e}))))));
    agree!(n; |n: vec[i64]| n.map(|n| deserialize[{i64,i64}](serialize({n, n * 2L}))));
    agree!(n; |n: vec[i64]| deserialize[vec[f32]](serialize(n)));
    agree!(&[1u8, 2, 3][..]; |bytes: vec[u8]| deserialize[i64](bytes));
    agree!(&[1u8, 2, 3][..]; |bytes: vec[u8]| bytes.map(|b| deserialize[{u8,vec[u8]}](bytes).$0 + b));
}

#[test]
fn constants_stand_where_they_are_used() {
    let (x, n) = (&rough(40)[..], &integers(40)[..]);
    agree!(n; |n: &[i64]| n.map(|n| (-7 - n) * -3 + (n >> 2) + n.abs() % -9));
    agree!(x; |x: &[f64]| x.map(|x| x * -0.0 - -1.5e-300 + f64::INFINITY.min(x)).sum());
    agree!(n; |n: &[i64]| n.map(|n| i64::MIN + n).max());
    agree!(n; |n: &[i64]| (0..3).map(|i| [5, 6, 7][i] * n.len()));
    agree!(n; |n: &[i64]| result(for(n, merger[i64,+](-4L), |b, i, e| merge(b, -1L))));
    agree!(x; |x: &[f64]| x.map(|x| (if x > 0.0 { -1i8 } else { 3i8 }) as f32));
    agree!(n; |n: &[i64]| result(merge(merge(appender[i64], -1L), n.sum())));
}
