//! The words that users of iterators, of NumPy and of data frames look for, in every way to run them.

use weldment::{Array, Fault, FaultKind};

use crate::every_way::agree;

fn numbers() -> Vec<f64> {
    let mut v: Vec<f64> = (0..50).map(|i| f64::from(i * i % 23) * 0.5 - 3.0).collect();
    v[7] = f64::NAN;
    v[20] = -0.0;
    v
}

#[test]
fn dot_is_the_sum_of_products() {
    let (v, w) = (numbers(), numbers());
    agree!(&v[..], &w[..]; #[expect(loops = 1, materialized = 0)] |v: &[f64], w: &[f64]| (v.dot(w), v.map(|x| x * 2.0).dot(w)));
    assert_eq!(agree!(&[1i64, 2, 3][..]; |v: &[i64]| v.dot(v.map(|x| x * 10))), 140);
    let kernel = weldment::weld!(|v: &[i64], w: &[i64]| v.dot(w));
    assert_eq!(kernel.try_call(&[1], &[]).unwrap_err().kind, FaultKind::ZipLengthMismatch);
}

#[test]
fn clamp_keeps_what_is_between() {
    let v = numbers();
    let clamped = agree!(&v[..], -1.0, 2.5; |v: &[f64], low: f64, high: f64| v.map(|x| x.clamp(low, high)));
    let expected: Vec<f64> = v.iter().map(|x| x.clamp(-1.0, 2.5)).collect();
    assert!(
        clamped.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()),
        "as std has it, NaN included"
    );
    assert_eq!(agree!(&[-9i32, 4, 99][..]; |v: &[i32]| v.map(|x| clamp(x, 0, 10))), [0, 4, 10]);
}

#[test]
fn partition_and_unzip_are_one_loop() {
    let v: Vec<(i64, f64)> = numbers().into_iter().enumerate().map(|(i, x)| (i as i64, x)).collect();
    let (positive, others) = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[(i64, f64)]| v.partition(|(_, x)| x > 0.0));
    assert_eq!(positive.len() + others.len(), 50);
    assert!(positive.iter().all(|row| row.1 > 0.0) && !others.iter().any(|row| row.1 > 0.0));
    let (indices, values) =
        agree!(&v[..]; #[expect(loops = 1, materialized = 0)] |v: &[(i64, f64)]| v.unzip());
    assert!(indices.into_iter().eq(0..50) && values.len() == 50);
    let (even, odd) = agree!(&v[..]; |v: &[(i64, f64)]| v.map(|row| row.0 * 3).partition(|i| i % 2 == 0));
    assert_eq!((even.len(), odd.len()), (25, 25));
}

#[test]
fn windows_and_chunks_are_those_of_slices() {
    let v = numbers();
    let bits = |v: Vec<f64>| v.into_iter().map(f64::to_bits).collect::<Vec<u64>>();
    let steps =
        agree!(&v[..]; #[expect(loops = 1, materialized = 0)] |v: &[f64]| v.windows(2).map(|w| w[1] - w[0]));
    assert_eq!(bits(steps), bits(v.windows(2).map(|w| w[1] - w[0]).collect()));
    let sums = agree!(&v[..]; #[expect(loops = 1, materialized = 0)] |v: &[f64]| v.windows(3).map(|w| w.sum() + w[0]));
    assert_eq!(bits(sums), bits(v.windows(3).map(|w| w[0] + w[1] + w[2] + w[0]).collect()));
    let of_map = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[f64]| v.map(|x| x * 0.5).windows(4).map(|w| w.max() - w.min()).sum());
    assert!(of_map > 0.0);
    let rows: Vec<i64> = (0..47).collect();
    for n in [1, 2, 3, 7, 46, 47, 48, i64::MAX] {
        let (windows, chunks, sums) = agree!(&rows[..], n;
            |v: &[i64], n: i64| (v.windows(n), v.chunks(n), v.chunks(n).map(|c| (c.len(), c.sum()))));
        let size = usize::try_from(n).unwrap();
        assert!(windows.iter().map(|row| &row[..]).eq(rows.windows(size)), "{n}");
        assert!(chunks.iter().map(|row| &row[..]).eq(rows.chunks(size)), "{n}");
        let expected = rows.chunks(size).map(|row| (row.len() as i64, row.iter().sum()));
        assert!(sums.into_iter().eq(expected), "{n}");
    }
    let nothing = agree!(&[0i64; 0][..]; |v: &[i64]| (v.windows(1), v.chunks(5), v.windows(9).map(|w| w[8])));
    assert_eq!(nothing, (vec![], vec![], vec![]));
    for n in [0, -1, i64::MIN] {
        let windows = weldment::weld!(|v: &[i64], n: i64| v.windows(n).map(|w| w.sum()));
        let chunks = weldment::weld!(|v: &[i64], n: i64| v.chunks(n).map(|c| c.sum()));
        for rows in [&rows[..], &[]] {
            assert_eq!(windows.try_call(rows, n).unwrap_err().kind, FaultKind::BadIterator);
            assert_eq!(chunks.try_call(rows, n).unwrap_err().kind, FaultKind::BadIterator);
        }
    }
}

#[test]
fn quantiles_are_those_of_the_sorted_vector() {
    let numbers: Vec<f64> = (0..700).map(|i| f64::from(i * 7919 % 997) * 0.25 - 60.0).chain([-0.0]).collect();
    let of = |v: &[f64], q: f64| {
        let mut sorted = v.to_vec();
        sorted.sort_by(|a, b| {
            a.is_nan().cmp(&b.is_nan()).then(a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
        });
        let at = q * (v.len() - 1) as f64;
        let (x, y) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
        if at == at.floor() { x } else { x + (y - x) * at.fract() }
    };
    for q in [0.0, 0.1, 0.25, 0.5, 0.999, 1.0] {
        let (all, positive) = agree!(&numbers[..], q;
            |v: &[f64], q: f64| (v.quantile(q), v.filter(|x| x > 0.0).map(|x| x * 0.5).quantile(q)));
        assert_eq!(all, of(&numbers, q));
        let halves: Vec<f64> = numbers.iter().filter(|x| **x > 0.0).map(|x| x * 0.5).collect();
        assert_eq!(positive, of(&halves, q));
    }
    let medians = agree!(&[4i64, i64::MIN, 7, i64::MAX][..], &[3u8, 255][..], &[1.5f32, f32::NAN, -2.0][..];
        |a: &[i64], b: &[u8], c: &[f32]| (a.median(), b.median(), c.median(), c.quantile(1.0).is_nan()));
    assert_eq!(medians, (5.5, 129.0, 1.5f32, true));
    let signs = agree!(&[-0.0, 0.0, -0.0, -f64::INFINITY, f64::INFINITY, -f64::NAN][..];
        |v: &[f64]| (v.quantile(0.2), v.median(), v.quantile(0.8), v.quantile(1.0)));
    assert_eq!(signs.0.to_bits(), 0);
    assert_eq!((signs.1, signs.2, signs.3.to_bits()), (0.0, f64::INFINITY, f64::NAN.to_bits()));
    let groups = agree!(&[(1i64, 3.0), (2, 5.0), (1, 1.0), (1, 2.0)][..];
        |rows: &[(i64, f64)]| rows.group_by(|r| r.0).tovec().map(|(k, g)| (k, g.map(|r| r.1).median())));
    assert_eq!(groups, [(1, 2.0), (2, 5.0)]);
    let quantile = weldment::weld!(|v: &[f64], q: f64| v.quantile(q));
    assert_eq!(quantile.try_call(&[], 0.5).unwrap_err().kind, FaultKind::EmptyReduction);
    for q in [-0.1, 1.1, f64::NAN] {
        assert_eq!(quantile.try_call(&[1.0], q).unwrap_err().kind, FaultKind::AssertionFailed);
    }
}

#[test]
fn the_first_of_an_order_are_those_of_sorting() {
    let rows: Vec<(i64, f64)> =
        (0..500).map(|i| (i * 7919 % 23, [f64::NAN, -0.0, 0.0, 1.5, -2.0][i as usize % 5])).collect();
    // What sorting by a key gives first: ascending, or descending where equal ones keep their order as well.
    let first = |rows: &[(i64, f64)], key: fn(&(i64, f64)) -> i64, k: usize| {
        let mut sorted = rows.to_vec();
        sorted.sort_by_key(key);
        sorted.truncate(k);
        sorted.iter().map(|(n, x)| (*n, x.to_bits())).collect::<Vec<_>>()
    };
    for (length, k) in
        [(0usize, 3i64), (1, 1), (7, 0), (7, -2), (7, 3), (500, 40), (500, 499), (500, 500), (500, 501)]
    {
        let v = &rows[..length];
        let (small, large, floats, pairs) = agree!(v, k;
        |v: &[(i64, f64)], k: i64| (
            v.k_smallest_by_key(k, |r| r.0),
            v.k_largest_by_key(k, |r| r.0),
            v.k_smallest_by_key(k, |r| r.1),
            v.k_largest_by_key(k, |r| (r.0, 1)),
        ));
        let bits =
            |rows: Vec<(i64, f64)>| rows.into_iter().map(|(n, x)| (n, x.to_bits())).collect::<Vec<_>>();
        let count = k.max(0) as usize;
        assert_eq!(bits(small), first(v, |r| r.0, count));
        assert_eq!(bits(large), first(v, |r| -r.0, count));
        // −0.0 is 0.0, and NaN greater than all.
        assert_eq!(
            bits(floats),
            first(v, |r| if r.1.is_nan() { i64::MAX } else { (r.1 * 2.0) as i64 }, count)
        );
        assert_eq!(bits(pairs), first(v, |r| -r.0, count));
    }
    let texts: Vec<String> = ["elm", "ash", "", "oak", "ash"].map(str::to_owned).into();
    let (first, last) = agree!(&texts[..], 2u8; |v: &[String], k: u8| (v.k_smallest(k), v.k_largest(k)));
    assert_eq!(
        (first, last),
        (vec![String::new(), "ash".to_owned()], vec!["oak".to_owned(), "elm".to_owned()])
    );
    let days =
        agree!(3i64; |k: i64| (0..10).map(|i| Date(2024, 2, 28) + Span::from_days(i * 7 % 10)).k_largest(k));
    let days: Vec<String> = days.iter().map(ToString::to_string).collect();
    assert_eq!(days, ["2024-03-08", "2024-03-07", "2024-03-06"]);
    let groups = agree!(&rows[..50]; |v: &[(i64, f64)]| v.group_by(|r| r.0 % 3).tovec().map(|(k, g)| (k, g.map(|r| r.0).k_largest(2))));
    assert_eq!(groups[0], (0, vec![21, 21]));
}

#[test]
fn places_in_order_are_those_of_slices() {
    let (ascending, mixed): (Vec<i64>, Vec<i64>) = (0..100).map(|i| (i * i / 7, i * 7919 % 101)).unzip();
    let wanted = [i64::MIN, -1, 0, 1, 2, 5, 9, 100, 1300, 1399, 1400, i64::MAX];
    for length in [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 100] {
        let v = &ascending[..length];
        let places = agree!(v, &wanted[..];
            |v: &[i64], wanted: &[i64]| wanted.map(|x| (v.search_sorted(x), v.partition_point(|y| y <= x))));
        let of_slices =
            |x: i64| (v.partition_point(|&y| y < x) as i64, v.partition_point(|&y| y <= x) as i64);
        assert_eq!(places, wanted.map(of_slices));
    }
    let places = agree!(&mixed[..], &wanted[..];
        |v: &[i64], wanted: &[i64]| wanted.map(|x| v.search_sorted(x)));
    assert!(places.iter().all(|place| (0..=100).contains(place)));
    let floats = agree!(&[-1.0, -0.0, 0.0, 2.5, f64::NAN][..];
        |v: &[f64]| (v.search_sorted(0.0), v.search_sorted(f64::INFINITY), v.search_sorted(f64::NAN)));
    assert_eq!(floats, (1, 4, 0));
    let rows = agree!(&[(1i64, 2.0), (1, 3.0), (4, 1.0)][..];
        |rows: &[(i64, f64)]| (rows.partition_point(|r| r.0 < 4), rows.search_sorted((1, 2.5))));
    assert_eq!(rows, (2, 1));
}

#[test]
fn by_key_the_first_of_equals_wins_and_nan_loses() {
    let rows = [(3u8, 2.0), (1, f64::NAN), (9, 1.0), (2, 4.0), (4, 1.0), (5, 4.0)];
    let (least, most, by_name) = agree!(&rows[..];
        |rows: &[(u8, f64)]| (rows.min_by_key(|r| r.1), rows.max_by_key(|r| r.1), rows.max_by_key(|(name, _)| name).0));
    assert_eq!((least, most, by_name), ((9, 1.0), (2, 4.0), 9));
    let kernel = weldment::weld!(|v: &[i64]| v.min_by_key(|x| x * x));
    assert_eq!(kernel(&[3, -2, 2]), -2);
    assert_eq!(kernel.try_call(&[]).map_err(|fault: Fault| fault.kind), Err(FaultKind::EmptyReduction));
}

/// What decides the type of a literal may stand behind it.
#[test]
fn literals_are_scanned_and_selected() {
    let (least, all, product) = agree!(7i32, 2.5f32; |x: i32, y: f32| {
        let least = [3, 1, 2].cummin();
        let product = [2.0, 3.0].cumprod();
        (least[2] + x, [5, 4, 6].k_smallest(2).map(|z| z * x), product[1] * y)
    });
    assert_eq!((least, all, product), (8, vec![28, 35], 15.0));
}

#[test]
fn encoded_columns_are_decoded() {
    let words = ["Rome", "Oslo", "Rome", "Bern", "Oslo"].map(str::to_owned);
    let (codes, different, again) = agree!(&words[..]; |words: &[String]| {
        let (codes, different) = words.encode();
        (codes, different, codes.map(|code| different[code]))
    });
    assert_eq!(codes, [0, 1, 0, 2, 1]);
    assert_eq!(different, ["Rome", "Oslo", "Bern"]);
    assert_eq!(again, words);
    let (codes, different) = agree!(&[0.5, -0.0, f64::NAN, 0.0, -f64::NAN][..]; |v: &[f64]| encode(v));
    assert_eq!(codes, [0, 1, 2, 1, 2]);
    assert!(different[..2] == [0.5, 0.0] && different[2].is_nan() && different.len() == 3);
    let empty: &[i64] = &[];
    assert_eq!(agree!(empty; |v: &[i64]| v.map(|x| x + 1).encode()), (vec![], vec![]));
}

#[test]
fn distinct_keeps_first_occurrences() {
    let words = ["one", "two", "one", "three", "two"].map(|word| word.as_bytes().to_vec());
    let (distinct, unique) = agree!(&words[..]; |words: &[Vec<u8>]| (words.distinct(), words.n_unique()));
    assert_eq!((distinct, unique), (vec![b"one".to_vec(), b"two".to_vec(), b"three".to_vec()], 3));
    let (distinct, unique) =
        agree!(&[4i64, 1, 7, 4, 10][..]; |v: &[i64]| (v.map(|x| x % 3).distinct(), v.n_unique()));
    assert_eq!((distinct, unique), (vec![1], 4));
    // As keys compare: one zero, and one NaN.
    let (distinct, unique) =
        agree!(&[0.0, -0.0, f64::NAN, -f64::NAN][..]; |v: &[f64]| (v.distinct(), n_unique(v)));
    assert!(distinct[0] == 0.0 && distinct[1].is_nan());
    assert_eq!(unique, 2);
}

#[test]
fn dictionaries_have_keys_and_values() {
    let v: Vec<i64> = (0..40).map(|i| i * 7 % 5).collect();
    let (keys, total, is_empty) = agree!(&v[..]; |v: &[i64]| {
        let counts = v.reduce_by(|x| x, |_| 1, +);
        (counts.keys(), counts.values().sum(), (counts.is_empty(), v.filter(|x| x > 9).is_empty()))
    });
    assert_eq!((keys, total, is_empty), (vec![0, 2, 4, 1, 3], 40, (false, true)));
}

#[test]
fn parts_of_vectors_are_read_where_they_lie() {
    let v: Vec<i64> = (0..100).map(|i| i * i % 37).collect();
    let rest =
        agree!(&v[..]; #[expect(loops = 1, materialized = 0)] |v: &[i64]| v.skip(1).map(|x| x * 3).sum());
    assert_eq!(rest, v.iter().skip(1).map(|x| x * 3).sum());
    let first = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[i64]| v.map(|x| x * 3).take(10).filter(|x| x % 2 == 0).count());
    assert_eq!(first, v.iter().map(|x| x * 3).take(10).filter(|x| x % 2 == 0).count() as i64);
    let turned = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[i64]| v.rev().step_by(7).map(|x| x + 1).max());
    assert_eq!(turned, v.iter().rev().step_by(7).map(|x| x + 1).max().unwrap());
    let steps = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[i64]| zip(v.take(len(v) - 1), v.skip(1)).map(|(a, b)| max(a - b, b - a)).sum());
    assert_eq!(steps, v.windows(2).map(|w| (w[0] - w[1]).abs()).sum());
    let several = agree!(&v[..];
        #[expect(loops = 1, materialized = 0)]
        |v: &[i64]| { let w = v.skip(3); (w.sum(), w.max(), w[2], len(w)) });
    assert_eq!(several, (v[3..].iter().sum(), *v[3..].iter().max().unwrap(), v[5], 97));
}

#[test]
fn histogram_is_one_loop_over_the_elements() {
    let v: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) * 0.25 - 4.0).collect();
    let bins = agree!(&v[..]; #[expect(loops = 1, materialized = 0)] |v: &[f64]| v.map(|x| x + 1.0).histogram(0.0, 10.0, 16));
    let mut expected = vec![0; 16];
    for x in v.iter().map(|x| x + 1.0).filter(|x| (0.0..10.0).contains(x)) {
        expected[(x * 1.6) as usize] += 1;
    }
    assert_eq!(bins, expected);
}

#[test]
fn chained_vectors_are_fused_with_what_makes_them() {
    let v: Vec<i64> = (0..100).map(|i| i * i % 37).collect();
    let total = agree!(&v[..];
        #[expect(loops = 2, materialized = 0)]
        |v: &[i64]| v.map(|x| x + 1).chain(v.filter(|x| x > 9)).map(|x| x * 3).sum());
    let expected =
        v.iter().map(|x| x + 1).chain(v.iter().copied().filter(|&x| x > 9)).map(|x| x * 3).sum::<i64>();
    assert_eq!(total, expected);
}

#[test]
fn an_aggregate_is_one_loop_and_one_dictionary() {
    let rows: Vec<(i64, f64)> = numbers().into_iter().enumerate().map(|(i, x)| (i as i64 % 7, x)).collect();
    let together = agree!(&rows[..];
        #[expect(loops = 1, materialized = 0)]
        |rows: &[(i64, f64)]| rows.aggregate(|r| r.0, |g| (g.sum(|r| r.1), g.count(), g.max(|r| r.1))));
    let by_hand = agree!(&rows[..]; |rows: &[(i64, f64)]| {
        rows.reduce_by(|r| r.0, |r| (r.1, 1i64, r.1), |a, b| (a.0 + b.0, a.1 + b.1, max(a.2, b.2)))
    });
    let bits =
        |(key, (sum, count, max)): &(i64, (f64, i64, f64))| (*key, sum.to_bits(), *count, max.to_bits());
    assert!(together.to_vec().iter().map(bits).eq(by_hand.to_vec().iter().map(bits)));
    // What is computed of the results is a loop over the groups.
    let means = agree!(&rows[..];
        #[expect(loops = 2, materialized = 1)]
        |rows: &[(i64, f64)]| rows.aggregate(|r| r.0, |g| (g.mean(|r| r.1), g.count())));
    assert!(together.iter().all(|(key, (sum, count, _))| {
        let mean = sum / *count as f64;
        means[key].1 == *count && (means[key].0 == mean || mean.is_nan())
    }));
}

#[test]
fn arrays_are_stored_and_inlined_as_vectors_are() {
    let grid = Array::from_fn([5, 4], |[i, j]| (i * 4 + j) as f64).unwrap();
    let (all, row, sums) = agree!(&grid;
    #[expect(loops = 5, materialized = 1)]
    |a: &Array<f64, 2>| {
        let stored = a.map(|x| x * 2.0).store();
        (stored.sum(), stored[1, ..].inline().map(|x| x + 1.0), stored.sum(1))
    });
    assert_eq!(all, 380.0);
    assert_eq!(row.as_slice(), [9.0, 11.0, 13.0, 15.0]);
    assert_eq!(sums.as_slice(), [12.0, 44.0, 76.0, 108.0, 140.0]);
    // Its rows would be computed where they are read.
    let added = agree!(&grid;
        #[expect(loops = 2, materialized = 1, windows = 0)]
        |a: &Array<f64, 2>| a.map(|x| sqrt(x)).store().stencil(clamp, |c| c[-1, 0] + c[1, 0]));
    assert_eq!(added.as_slice()[0], 2.0);
}
