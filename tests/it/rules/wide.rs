//! Integers of 128 bits: what does not fit 64 of them, wherever an i128 may stand.

use weldment::{Dict, FaultKind};

use super::rule;
use crate::pairs::Outcome::Fault;

/// 2^64.
const HIGH: i128 = 1 << 64;

/// What is at the edges of i64, of u64 and of i128, and what differs in one half only.
fn edges() -> Vec<i128> {
    let near = |x: i128| [x.wrapping_sub(1), x, x.wrapping_add(1)];
    let edges = [0, 7, 1 << 63, HIGH, 7 * HIGH + 3, i128::MAX / 3, 1 << 126, i128::MAX];
    edges.iter().flat_map(|&x| near(x).into_iter().chain(near(x.wrapping_neg()))).collect()
}

fn pairs() -> Vec<(i128, i128)> {
    let edges = edges();
    edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect()
}

#[test]
fn arithmetic_wraps_and_bits_are_those_of_both_halves() {
    let pairs = pairs();
    let of = |&(a, b): &(i128, i128)| {
        let sums = (a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg());
        (sums, (a & b, a | b, a ^ b, !a), (a.min(b), a.max(b), a.wrapping_abs(), a.signum()))
    };
    rule!(
        weld!(|v: &[(i128, i128)]| v.map(|(a, b)|
            ((a + b, a - b, a * b, -a), (a & b, a | b, a ^ b, !a), (min(a, b), max(a, b), a.abs(), a.signum()))));
        (&pairs[..]) => pairs.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn comparisons_look_at_the_high_half_first() {
    let pairs = pairs();
    let of = |&(a, b): &(i128, i128)| ((a == b, a != b, a < b), (a <= b, a > b, a >= b), a.cmp(&b) as i32);
    rule!(
        weld!(|v: &[(i128, i128)]| v.map(|(a, b)| ((a == b, a != b, a < b), (a <= b, a > b, a >= b), compare(a, b))));
        (&pairs[..]) => pairs.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn counts_of_shifts_are_masked_to_128() {
    let counts = [0i128, 1, 63, 64, 65, 127, 128, 129, 200, -1, HIGH, HIGH + 3];
    let x = -7 * HIGH - 12_345;
    let of = |&n: &i128| (x.wrapping_shl(n as u32), x.wrapping_shr(n as u32), 5i128.wrapping_shl(n as u32));
    rule!(
        weld!(|x: i128, counts: &[i128]| counts.map(|n| (x << n, x >> n, 5i128 << n)));
        (x, &counts[..]) => counts.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn quotients_are_truncated_whatever_the_signs() {
    let pairs: Vec<(i128, i128)> =
        pairs().into_iter().filter(|&(a, b)| b != 0 && (a, b) != (i128::MIN, -1)).collect();
    rule!(
        weld!(|v: &[(i128, i128)]| v.map(|(a, b)| (a / b, a % b)));
        (&pairs[..]) => pairs.iter().map(|&(a, b)| (a / b, a % b)).collect::<Vec<_>>()
    );
    // By a constant, and of what is known not to be negative.
    rule!(
        weld!(|v: &[i128]| v.map(|x| (x / 1000, x % 1000, x / -7, (x & 0xff_ffff_ffff_ffff_ffff) / 10, x / 18446744073709551616)));
        (&edges()[..]) => edges().iter()
            .map(|&x| (x / 1000, x % 1000, x / -7, (x & 0xff_ffff_ffff_ffff_ffff) / 10, x / HIGH))
            .collect::<Vec<_>>()
    );
}

#[test]
fn division_faults_with_all_digits() {
    rule!(
        weld!(|v: &[i128], by: i128| v.map(|x| x / by).sum());
        (&[3 * HIGH, -HIGH][..], HIGH) => 2i128,
        (&[HIGH][..], 0) => Fault(FaultKind::DivisionByZero, "/ by"),
        (&[HIGH, i128::MIN][..], -1) => Fault(FaultKind::Overflow, "/ by"),
        (&[][..], 0) => 0i128,
    );
    rule!(
        weld!(|x: i128, by: i128| x % by);
        (3 * HIGH + 1, HIGH) => 1i128,
        (HIGH, 0) => Fault(FaultKind::DivisionByZero, "% by"),
        (i128::MIN, -1) => Fault(FaultKind::Overflow, "% by"),
    );
}

#[test]
fn powers_wrap() {
    let cases =
        [(3i128, 80i128), (-3, 79), (2, 127), (2, 128), (10, 38), (7, -1), (-1, -3), (1, i128::MIN), (0, 0)];
    let of = |&(a, b): &(i128, i128)| match (a, u32::try_from(b)) {
        (_, Ok(b)) => a.wrapping_pow(b),
        (1, _) => 1,
        (-1, _) => -1,
        _ => 0,
    };
    rule!(
        weld!(|v: &[(i128, i128)]| v.map(|(a, b)| a.pow(b)));
        (&cases[..]) => cases.iter().map(of).collect::<Vec<_>>()
    );
}

#[test]
fn sums_of_i64_do_not_wrap() {
    for n in [0, 1, 7, 100] {
        let v: Vec<i64> = (0..n).map(|i| if i % 3 == 0 { i64::MIN } else { i64::MAX - i }).collect();
        let wide = || v.iter().map(|&x| i128::from(x));
        rule!(
            weld!(|v: &[i64]| v.map(|x| i128(x)).sum());
            (&v[..]) => wide().sum::<i128>()
        );
        // Beside a sum that runs in lanes, and behind a filter.
        rule!(
            weld!(|v: &[i64]| (v.map(|x| x as i128).filter(|x| x > 0).sum(), v.map(|x| x as f64).sum() > 0.0, v.sum()));
            (&v[..]) => (
                wide().filter(|&x| x > 0).sum::<i128>(),
                wide().sum::<i128>() > 0,
                v.iter().fold(0i64, |sum, &x| sum.wrapping_add(x)),
            )
        );
        rule!(
            weld!(|v: &[i64]| v.map(|x| (i128(x) * i128(x), x > 0)).map(|(x, more)| if more { x } else { -x }).sum());
            (&v[..]) => wide().map(|x| if x > 0 { x * x } else { -(x * x) }).fold(0i128, |sum, x| sum.wrapping_add(x))
        );
    }
}

#[test]
fn reductions_start_with_the_extremes_of_the_type() {
    let edges = edges();
    rule!(
        weld!(|v: &[i128]| (v.min(), v.max(), v.map(|x| x | 1).product(), v.sum()));
        (&edges[..]) => (
            i128::MIN,
            i128::MAX,
            edges.iter().fold(1i128, |product, x| product.wrapping_mul(x | 1)),
            edges.iter().fold(0i128, |sum, &x| sum.wrapping_add(x)),
        ),
        (&[5 * HIGH, HIGH][..]) => (HIGH, 5 * HIGH, (5 * HIGH + 1).wrapping_mul(HIGH + 1), 6 * HIGH),
    );
    rule!(
        weld!(|v: &[i128]| (result(for(v, merger[i128,min], |b, i, x| merge(b, x))), result(for(v, merger[i128,max](5i128), |b, i, x| merge(b, x)))));
        (&[][..]) => (i128::MAX, 5i128),
        (&[-HIGH, HIGH][..]) => (-HIGH, HIGH),
    );
}

/// A struct with an i128 between smaller fields, as Rust lays it out.
#[derive(weldment::Weld, Clone, Copy, Debug, PartialEq)]
struct Entry {
    open: bool,
    cents: i128,
    count: i32,
    note: Option<i128>,
}

fn entries() -> Vec<Entry> {
    let entry = |i: i32| Entry {
        open: i % 3 == 0,
        cents: i128::from(i - 5) * (HIGH - 1),
        count: i,
        note: (i % 2 == 0).then_some(i128::from(i) << 100),
    };
    (0..20).map(entry).collect()
}

#[test]
fn structs_hold_them_between_smaller_fields() {
    let entries = entries();
    let open = || entries.iter().filter(|entry| entry.open);
    rule!(
        weld!(|v: &[Entry]| (
            v.filter(|e| e.open).map(|e| e.cents * i128(e.count)).sum(),
            v.filter(|e| e.open).map(|e| Entry { open: !e.open, cents: -e.cents, count: e.count + 1, note: e.note }),
            v.map(|e| e.note.unwrap_or(-1)).sum()
        ));
        (&entries[..]) => (
            open().map(|e| e.cents * i128::from(e.count)).sum::<i128>(),
            open().map(|e| Entry { open: !e.open, cents: -e.cents, count: e.count + 1, note: e.note }).collect::<Vec<_>>(),
            entries.iter().map(|e| e.note.unwrap_or(-1)).fold(0i128, |sum, x| sum.wrapping_add(x)),
        )
    );
    rule!(
        weld!(|e: (bool, i128, u8), rows: &[Vec<(i8, i128)>]|
            (if e.0 { (e.2, e.1) } else { (0u8, 0i128) }, rows.map(|row| row.map(|(k, x)| x << i128(k)).sum())));
        ((true, -HIGH, 7), &[vec![(1, HIGH), (2, 3)], vec![]][..]) => ((7u8, -HIGH), vec![2 * HIGH + 12, 0i128]),
    );
}

#[test]
fn options_and_vectors_of_them_go_in_and_out() {
    let v = [Some(HIGH), None, Some(i128::MIN)];
    rule!(
        weld!(|v: &[Option<i128>], o: Option<i128>| (v.map(|x| x.map(|x| x + 1)), o, v.filter_map(|x| x)));
        (&v[..], Some(-HIGH)) => (vec![Some(HIGH + 1), None, Some(i128::MIN + 1)], Some(-HIGH), vec![HIGH, i128::MIN]),
        (&[][..], None) => (Vec::<Option<i128>>::new(), None::<i128>, Vec::<i128>::new()),
    );
    rule!(
        weld!(|v: &[i128], i: i128| (v[i], v.skip(i - 1).first(), v.map(|x| x + i)[i - 1]));
        (&[HIGH, -HIGH, 5][..], 1) => (-HIGH, Some(HIGH), HIGH + 1),
        (&[HIGH, -HIGH, 5][..], HIGH) => Fault(FaultKind::IndexOutOfBounds, "[i]"),
        (&[HIGH, -HIGH, 5][..], -HIGH) => Fault(FaultKind::IndexOutOfBounds, "[i]"),
    );
}

#[test]
fn values_and_keys_of_dictionaries() {
    let keys: Vec<i128> = (0..60).map(|i| ((i % 4) << 64) - (i % 3)).collect();
    let mut sums: Vec<(i128, (i128, i64))> = Vec::new();
    for (&key, i) in keys.iter().zip(0i64..) {
        match sums.iter_mut().find(|(known, _)| *known == key) {
            Some((_, (sum, count))) => (*sum, *count) = (*sum + (i128::from(i) << 64), *count + 1),
            None => sums.push((key, (i128::from(i) << 64, 1))),
        }
    }
    rule!(
        weld!(|keys: &[i128]| keys.enumerate().reduce_by(|(i, k)| k, |(i, k)| (i128(i) << 64, 1i64), +));
        (&keys[..]) => sums.iter().copied().collect::<Dict<i128, (i128, i64)>>()
    );
    let dict: Dict<i128, i128> = sums.iter().map(|&(key, (sum, _))| (key, sum)).collect();
    rule!(
        weld!(|keys: &[i128], d: &Dict<i128, i128>| (keys.map(|k| d[k]).sum(), keyexists(d, keys[0] + 7), d.len()));
        (&keys[..], &dict) => (
            keys.iter().map(|key| dict.get(key).unwrap()).sum::<i128>(),
            false,
            dict.len() as i64,
        )
    );
    // Small keys, whose values have two words.
    let small: Vec<(u8, i64)> = (0..60).map(|i| ((i % 5) as u8, i64::MAX - i)).collect();
    let of = |key: u8| small.iter().filter(|row| row.0 == key).map(|row| i128::from(row.1)).sum::<i128>();
    rule!(
        weld!(|v: &[(u8, i64)]| v.reduce_by(|r| r.0, |r| i128(r.1), +));
        (&small[..]) => (0..5).map(|key| (key, of(key))).collect::<Dict<u8, i128>>()
    );
    let long: Vec<(i64, i64)> = small.iter().map(|&(key, x)| (i64::from(key) << 40, x)).collect();
    rule!(
        weld!(|v: &[(i64, i64)]| (
            v.reduce_by(|r| r.0, |r| i128(r.1), max),
            v.map(|(k, x)| (k, i128(x))).to_dict(),
            v.group_by(|r| i128(r.0) << 60).tovec().map(|(k, g)| (k, g.map(|r| i128(r.1)).sum()))
        ));
        (&long[..]) => (
            (0..5).map(|key| (key << 40, i128::from(i64::MAX - key))).collect::<Dict<i64, i128>>(),
            (0..5).map(|key| (key << 40, i128::from(i64::MAX - key - 55))).collect::<Dict<i64, i128>>(),
            (0..5u8).map(|key| (i128::from(key) << 100, of(key))).collect::<Vec<_>>(),
        )
    );
}

#[test]
fn sorts_are_by_all_bits() {
    let edges = edges();
    let sorted = || {
        let mut sorted = edges.clone();
        sorted.sort();
        sorted
    };
    let distinct = || {
        let mut distinct: Vec<i128> = Vec::new();
        edges.iter().for_each(|x| {
            if !distinct.contains(x) {
                distinct.push(*x)
            }
        });
        distinct
    };
    rule!(
        weld!(|v: &[i128]| (v.sort(), v.distinct(), v.k_smallest(3), v.argmax()));
        (&edges[..]) => (
            sorted(),
            distinct(),
            sorted()[..3].to_vec(),
            edges.iter().position(|&x| x == i128::MAX).unwrap() as i64,
        )
    );
    rule!(
        weld!(|v: &[(i128, i64)]| (v.sort_by_key(|r| -(r.0 / 2)), v.sort_by_key(|r| r.1).map(|r| r.0)));
        (&[(HIGH, 3), (-HIGH, 2), (5, 1)][..]) =>
            (vec![(HIGH, 3i64), (5, 1), (-HIGH, 2)], vec![5i128, -HIGH, HIGH])
    );
    rule!(
        weld!(|v: &[i128]| v.sort()[1]);
        (&[3 * HIGH, -HIGH, 2 * HIGH][..]) => 2 * HIGH,
        (&[HIGH][..]) => Fault(FaultKind::IndexOutOfBounds, "[1]"),
    );
}

#[test]
fn texts_are_read_and_shown() {
    let texts: Vec<String> = edges().iter().map(i128::to_string).collect();
    rule!(
        weld!(|v: &[i128]| v.map(|x| x.to_string()));
        (&edges()[..]) => texts.clone()
    );
    rule!(
        weld!(|v: &[String]| v.map(|s| s.parse::<i128>()));
        (&texts[..]) => edges().into_iter().map(Some).collect::<Vec<_>>(),
        (&["", "-", "1.5", "170141183460469231731687303715884105728"].map(String::from)[..]) => vec![None::<i128>; 4],
    );
}

#[test]
fn literals_of_any_size() {
    rule!(
        weld!(|x: i128| (x + 1i128, x < 100000000000000000000, -170141183460469231731687303715884105728i128, i128::MAX - x));
        (HIGH) => (HIGH + 1, true, i128::MIN, i128::MAX - HIGH)
    );
    rule!(
        weld!(|x: i128| match x { i128::MIN..=-1 => -1, 0 => 0, 1..=0x7fff_ffff_ffff_ffff_ffff_ffff_ffff_ffff => 1 });
        (i128::MIN) => -1i32,
        (0) => 0i32,
        (i128::MAX) => 1i32,
    );
}

/// Of many elements, so that chunks and tasks meet, and captures cross to other threads.
#[test]
fn what_loops_capture_has_both_halves() {
    let v: Vec<i64> = (0..1000).collect();
    rule!(
        weld!(|v: &[i64], by: i128, flag: bool, more: i128| v.map(|x| if flag { i128(x) * by } else { more }).filter(|x| x != more));
        (&v[..], HIGH, true, -5) => v.iter().map(|&x| i128::from(x) * HIGH).collect::<Vec<_>>(),
        (&v[..], HIGH, false, -5) => Vec::<i128>::new(),
    );
    rule!(
        weld!(|n: i64, by: i128| iterate({n, by}, |s| {{s.$0 - 1, s.$1 * 3i128 + i128(s.$0)}, s.$0 > 1L}).$1);
        (60, 1) => (1..=60).rev().fold(1i128, |x, n| x * 3 + n)
    );
    rule!(
        weld!(|v: &[i128], at: &[i64]| result(for(at, vecmerger[i128,+](v), |b, i, k| merge(b, (k, v[k] * i128(i))))));
        (&[HIGH, 0, -HIGH][..], &[2, 0, 2, 2][..]) => vec![2 * HIGH, 0i128, -6 * HIGH]
    );
    rule!(
        weld!(|v: &[i128]| (v.cumsum(), v.windows(2).map(|w| w[1] - w[0]), serialize(v).len(), deserialize::<Vec<i128>>(serialize(v))));
        (&[HIGH, -3, 5][..]) => (vec![HIGH, HIGH - 3, HIGH + 2], vec![-3 - HIGH, 8], 56i64, vec![HIGH, -3, 5])
    );
}

/// What runs side by side where the numbers have 64 bits.
#[test]
fn loops_inside_of_loops_and_arrays() {
    let v: Vec<i64> = (0..300).map(|i| i * 37 % 101 - 50).collect();
    let wide: Vec<i128> = v.iter().map(|&x| i128::from(x) << 62).collect();
    let rows: Vec<Vec<i128>> = wide.chunks(20).map(<[i128]>::to_vec).collect();
    rule!(
        weld!(|v: &[i64]| v.map(|x| iterate({i128(x), 0L}, |s| {{s.$0 * 5i128 - 1i128, s.$1 + 1L}, s.$1 < 40L}).$0));
        (&v[..]) => v.iter().map(|&x| (0..41).fold(i128::from(x), |x, _| x.wrapping_mul(5).wrapping_sub(1))).collect::<Vec<_>>()
    );
    rule!(
        weld!(|rows: &[Vec<i128>], w: &[i128]| (rows.map(|row| zip(row, w).map(|(x, y)| x * y).sum()), rows.map(|row| row.max())));
        (&rows[..], &wide[..20]) => (
            rows.iter()
                .map(|row| row.iter().zip(&wide).fold(0i128, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y))))
                .collect::<Vec<_>>(),
            rows.iter().map(|row| *row.iter().max().unwrap()).collect::<Vec<_>>(),
        )
    );
    let nearest = |x: i128| (0..7).min_by_key(|&c| ((x - wide[c]).abs(), c)).unwrap() as i64;
    rule!(
        weld!(|v: &[i128], centres: &[i128]| v.map(|x| centres.map(|c| (x - c).abs()).argmin()));
        (&wide[..], &wide[..7]) => wide.iter().map(|&x| nearest(x)).collect::<Vec<_>>()
    );
    let part = |from: i64, to: i64| {
        wide[from as usize..to as usize].iter().fold(0i128, |sum, &x| sum.wrapping_add(x))
    };
    let ends: Vec<i64> = (0..40).map(|n| n * 7).collect();
    rule!(
        weld!(|v: &[i128], ends: &[i64]| (
            ends.map(|end| (0..end).map(|at| v[at]).sum()),
            (0..20).map(|j| (0..15).map(|i| v[i * 20 + j]).sum()),
            v.windows(3).map(|w| w.sum())
        ));
        (&wide[..], &ends[..]) => (
            ends.iter().map(|&end| part(0, end)).collect::<Vec<_>>(),
            (0..20).map(|j| (0..15).fold(0i128, |sum, i| sum.wrapping_add(wide[i * 20 + j]))).collect::<Vec<_>>(),
            (0..298).map(|at| part(at, at + 3)).collect::<Vec<_>>(),
        )
    );
}
