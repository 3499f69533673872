//! How often a value is shown.

use super::shows;

#[test]
fn each_evaluation_is_shown_once() {
    let numbers = [3, 1, 2];
    // Whether its value is used, how often, or not at all; two of the same are two.
    shows!(
        weld!(|n: i64| {
            let unused = dbg(n);
            let a = dbg(n + 1);
            let b = dbg(n + 1);
            a * b * a
        });
        (2) => ["n = 2", "n + 1 = 3", "n + 1 = 3"],
    );
    // What is read several times is computed once, though it is cheap; of a vector that nobody reads, its length is known without.
    shows!(
        weld!(|v: &[i64]| {
            let a = v.map(|x| dbg(x * 2));
            (a.sum::<i64>(), a[0] + a[0], zip(a.take(2), a.skip(1)).map(|(x, y)| x - y), v.map(|x| dbg(x)).len())
        });
        (&numbers[..]) => ["x * 2 = 6", "x * 2 = 2", "x * 2 = 4", "x = 3", "x = 1", "x = 2"],
    );
    // What does not change stays in its loop; a loop over constants is not done while compiling.
    shows!(
        weld!(|v: &[i64], n: i64| (v.map(|x| x + dbg(n)).sum::<i64>(), [1, 2].map(|x| dbg(x)).sum::<i64>()));
        (&numbers[..], 5) => ["n = 5", "n = 5", "n = 5", "x = 1", "x = 2"],
        (&numbers[..0], 5) => ["x = 1", "x = 2"],
    );
    // As a function, which has no name for what it takes.
    shows!(
        weld!(|v: &[i64]| v.map(dbg).map(|x| x.dbg() + 1).sum::<i64>());
        (&numbers[..]) => ["3", "1", "2", "x = 3", "x = 1", "x = 2"],
    );
    // A branch that is not taken shows nothing.
    shows!(
        weld!(|v: &[i64]| {
            v.map(|x| if x > 1 { dbg(x) } else { 0 }).filter(|x| dbg(x) > 2 && dbg(x + 1) > 0).sum::<i64>()
        });
        (&numbers[..]) => ["x = 3", "x = 2", "x = 3", "x = 0", "x = 2", "x + 1 = 4"],
    );
    // A search asks no further than it must.
    shows!(
        weld!(|v: &[i64]| (v.any(|x| dbg(x) == 1), v.position(|x| dbg(x + 1) == 4)));
        (&numbers[..]) => ["x = 3", "x = 1", "x + 1 = 4"],
        (&numbers[..0]) => [],
    );
}

#[test]
fn steps_and_builders_show_once() {
    let numbers = [3, 1, 2];
    shows!(
        weld!(|n: i64| iterate(n, |k| (dbg(k) / 2, k > 3)));
        (9) => ["k = 9", "k = 4", "k = 2"],
    );
    // Values and merges of the same steps, and of the same branches.
    shows!(
        weld!(|n: i64| {
            let (b, k) = iterate((appender[i64], n), |s| {
                let (b, k) = s;
                ((merge(b, dbg(k)), k - 1), k > 1)
            });
            (result(b), k)
        });
        (2) => ["k = 2", "k = 1"],
    );
    shows!(
        weld!(|n: i64| {
            let b = merger[i64, +];
            let (b, k) = if n > 0 { (merge(b, dbg(n)), dbg(n + 1)) } else { (merge(b, 1), n) };
            (result(b), k)
        });
        (2) => ["n = 2", "n + 1 = 3"],
        (0) => [],
    );
    shows!(
        weld!(|v: &[i64]| {
            let (a, b) = for(v, (appender[i64], merger[i64, +]), |bs, i, x| (merge(bs.0, dbg(x)), merge(bs.1, dbg(i))));
            (result(a), result(b))
        });
        (&numbers[..]) => ["x = 3", "i = 0", "x = 1", "i = 1", "x = 2", "i = 2"],
    );
    shows!(
        weld!(|v: &[i64]| (v.fold(0, |sum, x| dbg(sum + x)), v.fold(0.0, |sum, x| sum + dbg(x as f64))));
        (&numbers[..]) => [
            "sum + x = 3", "sum + x = 4", "sum + x = 6", "x as f64 = 3.0", "x as f64 = 1.0", "x as f64 = 2.0",
        ],
    );
}

/// What reduces and what compares is called as often as the interpreter calls it, which is part of what a program means.
#[test]
fn functions_show_each_call() {
    let numbers = [3, 1, 2];
    shows!(
        weld!(|v: &[i64]| (v.reduce(|a, b| dbg(a + b)), v.sort_by(|a, b| compare(dbg(a), dbg(b)))));
        (&numbers[..]) => [
            "a + b = 4", "a + b = 6", "a = 1", "b = 2", "a = 3", "b = 1", "a = 3", "b = 2",
        ],
    );
    shows!(
        weld!(
            fn half<T: Float>(x: T) -> T { dbg(x) / 2.0 }
            macro twice(x) = x + x;
            |v: &[f64]| v.map(|x| twice(half(x)))
        );
        (&[1.0]) => ["x = 1.0", "x = 1.0"],
    );
}

#[test]
fn a_fault_ends_what_is_shown() {
    shows!(
        weld!(|n: i64| {
            let checked = dbg(n / (n - 1));
            checked
        });
        (1) => [],
        (2) => ["n / (n - 1) = 2"],
    );
}
