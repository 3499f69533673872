//! Reductions: what they begin with, how often, and in which order they fold.

use weldment::FaultKind;

use super::rule;
use crate::executors::{Cut, emitted_ways, interpreted, same};
use crate::pairs::Outcome::Fault;

/// The sum as the language defines it: lanes by the index within a chunk, lanes in order, chunks in order.
macro_rules! sum_in_lanes {
    ($ty:ident, $lanes:expr, $chunk:expr, $v:expr) => {{
        let mut total: $ty = -0.0;
        for chunk in $v.chunks($chunk) {
            let mut lanes: [$ty; $lanes] = [-0.0; $lanes];
            chunk.iter().enumerate().for_each(|(i, &x)| lanes[i % $lanes] += x);
            total += lanes.iter().fold(-0.0, |sum, lane| sum + lane);
        }
        0.0 + total
    }};
}

/// Numbers whose sum depends on the order in which they are added.
fn rough(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7919 + 13) % 1009) as f64 * 10f64.powi((i * 5 % 17) as i32 - 8) - 1.5).collect()
}

/// With the chunks of its cost, which are longer than these rows: a row, or a whole vector, is one chunk.
#[test]
fn sums_have_16_lanes_of_8_bytes_and_32_of_fewer() {
    let sum = weldment::weld!(|v: &[f64]| v.sum());
    let narrow_sum = weldment::weld!(|v: &[f32]| v.sum());
    let rows_of = weldment::weld!(|rows: &[Vec<f64>], narrow: &[Vec<f32>]| (
        rows.map(|row| row.sum()),
        narrow.map(|row| row.sum())
    ));
    let merged = weldment::weld!(|rows: &[Vec<f64>], narrow: &[Vec<f32>]| (
        result(for(rows, merger[f64,+], |b, _, row| for(row, b, |b, _, x| merge(b, x)))),
        result(for(narrow, merger[f32,+], |b, _, row| for(row, b, |b, _, x| merge(b, x)))),
    ));
    let lengths = [0, 1, 15, 16, 17, 31, 32, 33, 47, 64, 100, 1000];
    let rows: Vec<Vec<f64>> = lengths.iter().map(|&n| rough(n)).collect();
    let narrow: Vec<Vec<f32>> = rows.iter().map(|row| row.iter().map(|&x| x as f32).collect()).collect();
    let wide_sums: Vec<f64> = rows.iter().map(|row| sum_in_lanes!(f64, 16, 1 << 20, row)).collect();
    let narrow_sums: Vec<f32> = narrow.iter().map(|row| sum_in_lanes!(f32, 32, 1 << 20, row)).collect();
    for (row, expected) in rows.iter().zip(&wide_sums) {
        assert_eq!(sum(row).to_bits(), expected.to_bits());
    }
    for (row, expected) in narrow.iter().zip(&narrow_sums) {
        assert_eq!(narrow_sum(row).to_bits(), expected.to_bits());
    }
    assert_eq!(rows_of(&rows, &narrow), (wide_sums, narrow_sums));
    // Merged into a builder from around the loop, the lane is the index of the inner loop.
    let mut lanes = [-0.0f64; 16];
    rows.iter().for_each(|row| row.iter().enumerate().for_each(|(i, x)| lanes[i % 16] += x));
    let mut narrow_lanes = [-0.0f32; 32];
    narrow.iter().for_each(|row| row.iter().enumerate().for_each(|(i, x)| narrow_lanes[i % 32] += x));
    let folded = (lanes.iter().fold(-0.0, |a, b| a + b), narrow_lanes.iter().fold(-0.0, |a, b| a + b));
    assert_eq!(merged(&rows, &narrow), folded);
    // And the same by every executor, however cut.
    rule!(
        weld!(|rows: &[Vec<f64>], narrow: &[Vec<f32>]| (rows.map(|row| row.sum()), narrow.map(|row| row.sum())));
        (&rows[..], &narrow[..]) => rows_of(&rows, &narrow),
    );
}

/// Of rows that are looked up and can be short, the first values fold in order and fill the lanes, until it shows that there are more.
#[test]
fn rows_that_go_on_behind_the_lanes_have_the_bits_of_lanes() {
    let x = rough(1009);
    let lengths = [0, 1, 2, 15, 16, 17, 18, 31, 32, 33, 48, 49, 200, 5000];
    let rows: Vec<Vec<i32>> =
        lengths.iter().map(|&n| (0..n).map(|i: i32| (i * 31 + n) % 1009).collect()).collect();
    let looked_up = |row: &Vec<i32>| -> Vec<f64> { row.iter().map(|&at| x[at as usize]).collect() };
    let values: Vec<Vec<f64>> = rows.iter().map(looked_up).collect();
    let sums: Vec<f64> = values.iter().map(|row| sum_in_lanes!(f64, 16, 1 << 20, row)).collect();
    let positive =
        |row: &Vec<f64>| -> Vec<f64> { row.iter().map(|&x| if x > 0.0 { x } else { -0.0 }).collect() };
    let kept: Vec<f64> = values.iter().map(|row| sum_in_lanes!(f64, 16, 1 << 20, positive(row))).collect();
    let in_order: Vec<f64> = values.iter().map(|row| 0.0 + row.iter().fold(-0.0, |sum, x| sum + x)).collect();
    assert!(sums.iter().zip(&in_order).any(|(sum, other)| sum.to_bits() != other.to_bits()));
    let halves: Vec<f64> = values
        .iter()
        .map(|row| sum_in_lanes!(f64, 16, 1 << 20, row.iter().map(|x| x * 0.5).collect::<Vec<f64>>()))
        .collect();
    let from: Vec<f64> =
        values.iter().map(|row| 7.25 + (sum_in_lanes!(f64, 16, 1 << 20, row) - 0.0)).collect();
    let pairs: Vec<(f64, f64)> = sums.iter().copied().zip(halves).collect();
    rule!(
        weld!(|rows: &[Vec<i32>], x: &[f64]| (
            rows.map(|row| row.map(|at| x[i64(at)]).sum()),
            rows.map(|row| row.map(|at| x[i64(at)]).filter(|x| x > 0.0).sum()),
            rows.map(|row| result(for(row, merger[(f64, f64), +], |b, _, at|
                merge(b, (x[i64(at)], x[i64(at)] * 0.5))))),
            rows.map(|row| result(for(row, merger[f64, +](7.25), |b, _, at| merge(b, x[i64(at)])))),
        ));
        (&rows[..], &x[..]) => (sums.clone(), kept, pairs, from),
    );
    // The index that is outside stands among the first, or behind.
    let outside =
        |at: usize| -> Vec<i32> { (0..41).map(|i| if i == at as i32 { 1009 } else { i }).collect() };
    let [first, next, last] = [outside(3), outside(16), outside(40)];
    let fault = || Fault(FaultKind::IndexOutOfBounds, "[i64");
    rule!(
        weld!(|row: &[i32], x: &[f64]| (0L..2L).map(|_| row.map(|at| x[i64(at)]).sum()));
        (&first[..], &x[..]) => fault(),
        (&next[..], &x[..]) => fault(),
        (&last[..], &x[..]) => fault(),
    );
}

/// Longer than a chunk of its cost, by a part of a chunk.
#[test]
fn chunks_of_a_long_sum_are_16384_iterations() {
    let v = rough(3 * 16384 + 77);
    let expected = sum_in_lanes!(f64, 16, 16384, v);
    let sum = weldment::weld!(|v: &[f64]| v.sum());
    for threads in [1, 2, 7] {
        let got = sum.with(&weldment::Options::new().threads(threads)).call(&v).unwrap();
        assert_eq!(got.to_bits(), expected.to_bits(), "{threads} threads");
    }
    assert_ne!(expected.to_bits(), sum_in_lanes!(f64, 16, 1 << 20, v).to_bits());
}

#[test]
fn what_is_guarded_off_takes_its_lane_along() {
    let v = rough(200);
    let mut lanes = [-0.0f64; 16];
    v.iter().enumerate().for_each(|(i, &x)| {
        if x > 0.0 {
            lanes[i % 16] += x
        }
    });
    let kept = weldment::weld!(|v: &[f64]| v.filter(|x| x > 0.0).sum());
    assert_eq!(kept(&v).to_bits(), lanes.iter().fold(-0.0, |a: f64, b| a + b).to_bits());
}

#[test]
fn a_sum_begins_at_zero_and_a_given_value_keeps_its_sign() {
    let minus = vec![-0.0f64; 40];
    rule!(
        weld!(|v: &[f64], init: f64| (
            v.sum(),
            v.product(),
            result(for(v, merger[f64,+](init), |b, _, x| merge(b, x))),
            result(for(v, merger[f64,+](init), |b, _, x| if x > 0.0 { merge(b, x) } else { b })),
            v.map(|x| x as f32).sum(),
        ));
        (&minus[..], -0.0) => (0.0f64, 0.0f64, -0.0f64, -0.0f64, 0.0f32),
        (&minus[..1], -0.0) => (0.0f64, -0.0f64, -0.0f64, -0.0f64, 0.0f32),
        (&[][..], -0.0) => (0.0f64, 1.0f64, -0.0f64, -0.0f64, 0.0f32),
        (&[][..], f64::NAN) => (0.0f64, 1.0f64, f64::NAN, f64::NAN, 0.0f32),
        (&[2.0][..], 0.5) => (2.0f64, 2.0f64, 2.5f64, 2.5f64, 2.0f32),
    );
}

#[test]
fn initial_values_count_once_however_a_loop_is_cut() {
    let v: Vec<i64> = (0..50).collect();
    rule!(
        weld!(|v: &[i64], init: i64, bins: &[i64]| (
            result(for(v, merger[i64,+](init), |b, _, x| merge(b, x))),
            result(for(v, merger[(i64, f64),+]((init, 0.5)), |b, _, x| merge(b, (x, 1.0)))),
            v.fold(init, |acc, x| acc + x),
            result(for(v, vecmerger[i64,+](bins), |b, i, x| merge(b, (i % 3, x)))),
            result(for(v, vecmerger[i64,*](bins), |b, i, x| merge(b, (1, 1)))),
        ));
        (&v[..], 1000, &[100, 200, 300, 400][..]) =>
            (2225i64, (2225i64, 50.5f64), 2225i64, vec![508i64, 625, 692, 400], vec![100i64, 200, 300, 400]),
    );
}

#[test]
fn functions_fold_from_left_to_right() {
    let rows: Vec<Vec<i64>> = (0..30).map(|i| if i % 4 == 1 { vec![] } else { vec![i, -i] }).collect();
    rule!(
        weld!(|rows: &[Vec<i64>], first: &[i64]| (
            rows.reduce(|a, b| flatten([a, b])),
            rows.fold(first, |acc, row| flatten([acc, row])),
            rows.filter(|row| len(row) > 0).map(|row| row[0]).reduce(|a, b| b),
            rows.map(|row| len(row)).fold(7L, |acc, n| acc),
        ));
        (&rows[..], &[99, 98][..]) =>
            (rows.concat(), [vec![99, 98], rows.concat()].concat(), 28i64, 7i64),
    );
    rule!(
        weld!(|v: &[(u8, i64)]| v.reduce_by(|x| x.0, |x| [x.1], |a, b| flatten([a, b])).tovec());
        (&[(7, 1), (8, 2), (7, 3), (7, 4), (8, 5), (9, 6), (7, 7), (8, 8)][..]) =>
            vec![(7u8, vec![1i64, 3, 4, 7]), (8, vec![2, 5, 8]), (9, vec![6])],
    );
}

/// The same by the one who writes it twice: into a dictionary and a vector, in segments of whole chunks.
#[test]
fn keyed_sums_are_partials_of_segments_in_order() {
    // Segments of 5 are rounded up to two chunks of 3, or all is one.
    let v = rough(100);
    let expected = |segment: usize| {
        let mut sums = [0.0f64; 3];
        let mut is_first = [true; 3];
        for (s, part) in v.chunks(segment).enumerate() {
            let mut partials = [-0.0f64; 3];
            part.iter().enumerate().for_each(|(i, x)| partials[(s * segment + i) % 3] += x);
            for key in 0..3 {
                sums[key] = if is_first[key] { partials[key] } else { sums[key] + partials[key] };
                is_first[key] = false;
            }
        }
        sums.to_vec()
    };
    let kernel = weldment::weld!(|v: &[f64]| (
        result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, (i % 3, x)))).tovec().map(|e| e.1),
        result(for(v, vecmerger[f64,+]([-0.0, -0.0, -0.0]), |b, i, x| merge(b, (i % 3, x)))),
    ));
    for (cut, segment) in [(super::CUTS[0], 100), (super::CUTS[1], 6)] {
        for way in emitted_ways(cut) {
            let (dict, vector) = kernel.with(&way).call(&v).unwrap();
            assert_eq!((&dict, &vector), (&expected(segment), &expected(segment)), "{way:?}");
        }
    }
    assert_ne!(expected(100), expected(6));
}

/// Many merges for each key in a segment: later ones begin with its keys, of which some come again.
#[test]
fn segments_that_begin_with_the_keys_of_others_give_the_same() {
    let v = rough(12_000);
    let kernel = weldment::weld!(|v: &[f64]| (
        result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, {i * i % 23L, x}))).tovec(),
        result(for(v, dictmerger[i32,f64,+], |b, i, x| merge(b, {i32(i % 11L + i / 3000L % 4L), x}))).tovec(),
        result(for(v, dictmerger[{i32,i8},{f64,i64},+], |b, i, x| merge(b, {{i32(i % 3L), i8(i / 40L % 128L)}, {x, i}}))).tovec(),
        result(for(v, dictmerger[f64,f32,*], |b, i, x| merge(b, {-f64(i % 5L), f32(x)}))).tovec(),
    ));
    let (cut, args) = (Cut::of(100, 1000), [weldment::Argument::to_value(&v)]);
    let program = weldment::ToProgram::program(&kernel);
    let expected = interpreted(&program, cut, &args);
    for way in emitted_ways(cut) {
        let got = kernel.with(&way).call(&v).map(|value| weldment::Element::to_value(&value));
        assert!(same(&got, &expected), "{way:?}");
    }
    #[cfg(feature = "llvm")]
    crate::executors::compiled(&program, cut, &args, |way, got| {
        assert!(same(&got, &expected), "LLVM: {way:?}");
    });
}

/// Chunks add them up in 32 bits: as large as they can be, and in more chunks than one.
#[test]
fn sums_of_small_integers_do_not_overflow() {
    const N: usize = 40_000;
    let mixed = |i: usize| (i * 7919 % 256) as u8;
    for bytes in [vec![u8::MAX; N], (0..N).map(mixed).collect(), vec![7; 3], Vec::new()] {
        let sum: i64 = bytes.iter().map(|&x| i64::from(x)).sum();
        let squares: u64 = bytes.iter().filter(|&&x| x >= 100).map(|&x| u64::from(x) * u64::from(x)).sum();
        rule!(
            weld!(|v: &[u8]| (
                v.map(|x| i64(x)).sum(),
                v.filter(|x| x >= 100u8).map(|x| u64(x) * u64(x)).sum(),
            ));
            (&bytes[..]) => (sum, squares),
        );
        let less: i64 = bytes.iter().map(|&x| 3 - i64::from(x as i8)).sum();
        let signed: Vec<i8> = bytes.iter().map(|&x| x as i8).collect();
        rule!(weld!(|v: &[i8]| v.map(|x| 3 - i64(x)).sum()); (&signed[..]) => less);
        let wide: Vec<u16> = bytes.iter().map(|&x| u16::from(x) * 257).collect();
        let sum: i64 = wide.iter().map(|&x| i64::from(x)).sum();
        rule!(weld!(|v: &[u16]| v.map(|x| i64(x)).sum()); (&wide[..]) => sum);
        let lowest = vec![i16::MIN; bytes.len()];
        rule!(weld!(|v: &[i16]| v.map(|x| i64(x)).sum()); (&lowest[..]) => -32768 * bytes.len() as i64);
    }
}

/// A loop that does nothing else but run another one of few iterations asks nothing, and can end in no fault.
#[test]
fn a_loop_over_few_stands_in_one_that_nothing_stops() {
    rule!(
        weld!(|n: i64, doubles: bool, v: &[i64]| {
            (0L..len(v)).map(|i| (0L..3L).map(|_| if doubles && n % 3L == i { 2.0f32 } else { 1.0f32 }).product())
        });
        (5i64, true, &[7i64, 8, 9, 10][..]) => vec![1.0f32, 1.0, 8.0, 1.0],
        (5i64, false, &[7i64, 8, 9][..]) => vec![1.0f32; 3],
    );
}

#[test]
fn what_is_contained_is_equal() {
    rule!(
        weld!(|v: &[f64], x: f64, w: &[(i64, bool)]| (v.contains(x), w.contains((1, true)), v.map(|y| y * 2.0).contains(x)));
        (&[1.0, f64::NAN, 0.0][..], -0.0, &[(1, false), (1, true)][..]) => (true, true, true),
        (&[1.0, f64::NAN, 0.0][..], f64::NAN, &[(1, false)][..]) => (false, false, false),
        (&[][..], 1.0, &[][..]) => (false, false, false),
    );
}

#[test]
fn bins_are_closed_below_and_open_above() {
    let v =
        [0.0, -0.0, 0.5, 0.9999999999999999, 1.0, 2.5, 3.0, -0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    rule!(
        weld!(|v: &[f64], lo: f64, hi: f64, bins: i64| v.histogram(lo, hi, bins));
        (&v[..], 0.0, 3.0, 3) => vec![4i64, 1, 1],
        (&v[..], 0.0, 3.0, 1) => vec![6i64],
        (&v[..], 0.0, 1.0, 7) => vec![2i64, 0, 0, 1, 0, 0, 1],
        (&v[..], 3.0, 0.0, 2) => vec![0i64, 0],
        (&v[..], 1.0, 1.0, 2) => vec![0i64, 0],
        (&v[..], f64::NAN, 1.0, 2) => vec![0i64, 0],
        (&v[..], f64::MIN, f64::MAX, 2) => vec![8i64, 0],
        (&v[..], 0.0, 3.0, 0) => Vec::<i64>::new(),
        (&v[..], 0.0, 3.0, i64::MIN) => Vec::<i64>::new(),
        (&[][..], 0.0, 3.0, 2) => vec![0i64, 0],
    );
    // Integers and f32; bounds and numbers of bins of other types.
    rule!(
        weld!(|v: &[u8], w: &[f32], n: u8| (v.histogram(0, 256, n), w.histogram(0.0, 1.0, 4), v.map(|x| x as i64).histogram(-1, 1.5, 5)));
        (&[0u8, 63, 64, 255, 1][..], &[0.25f32, 0.2, 1.0][..], 4) => (vec![3i64, 1, 0, 1], vec![1i64, 1, 0, 0], vec![0i64, 0, 1, 0, 1]),
    );
}
