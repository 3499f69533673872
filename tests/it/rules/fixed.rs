//! Decimal numbers: exact arithmetic and its faults, rounding, keys, reductions, and texts.

use weldment::{Dict, FaultKind, Fixed, Weld, welded};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Line {
    account: i64,
    price: Fixed<2>,
    tax: Option<Fixed<4>>,
}

fn cents(units: i64) -> Fixed<2> {
    Fixed::from_raw(units)
}

/// Numbers of all sizes, and what lies between two of fewer digits.
fn spread() -> Vec<Fixed<2>> {
    let ends = [i64::MIN, i64::MIN + 1, i64::MAX, 0, 1, -1, 50, 150, 250, -50, -150, 149, 151];
    ends.into_iter().chain((-300..300).map(|n| n * 77_777_777_777_777 + n)).map(cents).collect()
}

/// Those that can be added, and multiplied by hundreds.
fn small() -> Vec<Fixed<2>> {
    (-300..300).map(|n| cents(n * 7_777_777_777 + n)).collect()
}

#[test]
fn arithmetic_is_exact() {
    let v = small();
    rule!(
        weld!(|v: &[Fixed<2>], y: Fixed<2>, n: i64| v.map(|x| (x + y, x - y, -x, x.abs(), x * n, n * x, min(x, y), max(x, y))));
        (&v[..], cents(-1234), -300) => v
            .iter()
            .map(|&x| {
                let y = cents(-1234);
                (x + y, x - y, -x, cents(x.raw().abs()), x * -300, x * -300, x.min(y), x.max(y))
            })
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Fixed<2>], y: Fixed<2>| v.map(|x| (x < y, x == y, x.raw(), Fixed::<2>::from_raw(x.raw()))));
        (&v[..], v[3]) => v.iter().map(|&x| (x < v[3], x == v[3], x.raw(), x)).collect::<Vec<_>>(),
    );
    // A price of cents, times a rate of four digits.
    rule!(
        weld!(|v: &[Fixed<2>], rate: Fixed<4>| v.map(|x| x * rate));
        (&v[..], Fixed::<4>::from_raw(825)) => v.iter().map(|x| Fixed::<6>::from_raw(x.raw() * 825)).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|x: Fixed<2>, a: i8, b: u32| (x * a, b * x, x * 3));
        (cents(-150), -2, 7) => (cents(300), cents(-1050), cents(-450)),
    );
}

#[test]
fn what_is_too_large_faults() {
    let overflow = |token| Fault(FaultKind::Overflow, token);
    rule!(
        weld!(|x: Fixed<2>, y: Fixed<2>| (x + y).raw());
        (Fixed::MAX, cents(0)) => i64::MAX,
        (Fixed::MAX, cents(1)) => overflow("+"),
        (Fixed::MIN, cents(-1)) => overflow("+"),
    );
    rule!(
        weld!(|x: Fixed<2>, y: Fixed<2>| x - y);
        (Fixed::MIN, cents(0)) => Fixed::<2>::MIN,
        (Fixed::MIN, cents(1)) => overflow("- y"),
        (cents(0), Fixed::MIN) => overflow("- y"),
    );
    rule!(
        weld!(|x: Fixed<2>, n: i64| x * n);
        (cents(1 << 62), -2) => Fixed::<2>::MIN,
        (cents(1 << 62), 2) => overflow("* n"),
        (Fixed::MIN, -1) => overflow("* n"),
    );
    rule!(
        weld!(|x: Fixed<9>, y: Fixed<9>| x * y);
        (Fixed::from_raw(3_000_000_000), Fixed::from_raw(-3_000_000_000)) => Fixed::<18>::from_raw(-9_000_000_000_000_000_000),
        (Fixed::from_raw(4_000_000_000), Fixed::from_raw(3_000_000_000)) => overflow("* y"),
    );
    rule!(
        weld!(|x: Fixed<2>| -x);
        (Fixed::MAX) => cents(-i64::MAX),
        (Fixed::MIN) => overflow("-"),
    );
    rule!(
        weld!(|x: Fixed<2>| x.abs());
        (Fixed::MIN) => overflow("abs"),
    );
    // The first of many, on every thread.
    let mut v = small();
    v[100] = Fixed::MAX;
    v[500] = Fixed::MIN;
    rule!(
        weld!(|v: &[Fixed<2>], y: Fixed<2>| v.map(|x| x + y));
        (&v[..], cents(1)) => overflow("+ y"),
        (&v[..100], cents(1)) => v[..100].iter().map(|&x| x + cents(1)).collect::<Vec<_>>(),
    );
}

#[test]
fn totals_are_tested_where_they_end() {
    let overflow = || Fault(FaultKind::Overflow, "sum");
    let v = small();
    let total = cents(v.iter().map(|x| x.raw()).sum());
    rule!(
        weld!(|v: &[Fixed<2>]| v.sum());
        (&v[..]) => total,
        (&[][..]) => cents(0),
        (&[Fixed::MAX, cents(1)][..]) => overflow(),
        // On the way it is more than there is room for.
        (&[Fixed::MAX, Fixed::MAX, Fixed::MIN, cents(-5)][..]) => cents(i64::MAX - 6),
        (&[Fixed::MIN, cents(-1), cents(1)][..]) => Fixed::<2>::MIN,
    );
    rule!(
        weld!(|v: &[Fixed<2>]| (v.min(), v.max(), v.filter(|x| x > Fixed::<2>("0.00")).map(|x| x * 2).sum()));
        (&v[..]) => (
            v[0],
            v[599],
            cents(v.iter().map(|x| x.raw()).filter(|&x| x > 0).sum::<i64>() * 2),
        ),
    );
    let line = |account, units, tax: Option<i64>| Line {
        account,
        price: cents(units),
        tax: tax.map(Fixed::from_raw),
    };
    let lines = [line(2, 1050, Some(825)), line(1, 5, None), line(2, -50, Some(1)), line(1, 7, Some(2))];
    let by: Dict<i64, (Fixed<2>, Fixed<2>, i64)> =
        [(2, (cents(1000), cents(-50), 2)), (1, (cents(12), cents(5), 2))].into_iter().collect();
    rule!(
        weld!(|v: &[Line]| v.aggregate(|l| l.account, |g| (g.sum(|l| l.price), g.min(|l| l.price), g.count())));
        (&lines[..]) => by,
        (&[line(1, i64::MAX, None), line(1, 1, None)][..]) => overflow(),
    );
    rule!(
        weld!(|v: &[Line]| v.filter_map(|l| l.tax).sum());
        (&lines[..]) => Fixed::<4>::from_raw(828),
    );
}

#[test]
fn quotients_and_scales_are_rounded_to_the_even_one() {
    let v = spread();
    for n in [1, 3, -7, 8, 100, -2, i64::MAX, i64::MIN] {
        let inner: Vec<Fixed<2>> = v.iter().copied().filter(|x| x.checked_div_round(n).is_some()).collect();
        rule!(
            weld!(|v: &[Fixed<2>], n: i64| v.map(|x| x.div_round(n)));
            (&inner[..], n) => inner.iter().filter_map(|x| x.checked_div_round(n)).collect::<Vec<_>>(),
        );
    }
    rule!(
        weld!(|x: Fixed<2>, n: i64| x.div_round(n));
        (cents(25), 10) => cents(2),
        (cents(35), 10) => cents(4),
        (cents(-25), 10) => cents(-2),
        (cents(1), 0) => Fault(FaultKind::DivisionByZero, "div_round"),
        (Fixed::MIN, -1) => Fault(FaultKind::Overflow, "div_round"),
    );
    rule!(
        weld!(|v: &[Fixed<2>]| v.map(|x| (x.rescale::<2>(), x.rescale::<1>(), x.rescale::<0>(), x.rescale::<Fixed<1>>())));
        (&v[..]) => v
            .iter()
            .map(|&x| {
                let [one, none] = [x.rescale::<1>().map(Fixed::raw), x.rescale::<0>().map(Fixed::raw)];
                let [one, none] = [one, none].map(|units| units.expect("it is smaller"));
                (x, Fixed::<1>::from_raw(one), Fixed::<0>::from_raw(none), Fixed::<1>::from_raw(one))
            })
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|x: Fixed<2>| x.rescale::<4>());
        (cents(-1234)) => Fixed::<4>::from_raw(-123_400),
        (cents(i64::MAX / 100)) => Fixed::<4>::from_raw(i64::MAX / 100 * 100),
        (cents(i64::MAX / 100 + 1)) => Fault(FaultKind::Overflow, "rescale"),
    );
}

#[test]
fn numbers_become_decimal() {
    let small = [
        1.005,
        0.125,
        0.375,
        -0.375,
        2.5,
        -0.0,
        1e-300,
        5e-324,
        1e15,
        -123.456,
        0.015_625,
        90_000_000_000_000_000.0,
    ];
    let spread = (-400..400).map(|n| f64::from(n) * 0.3 + 1e-9).chain((0..90).map(|n| 1.5 / 2f64.powi(n)));
    let floats: Vec<f64> = small.into_iter().chain(spread).collect();
    let read = |x: &f64| Fixed::<2>::from_f64(*x).expect("it has room");
    rule!(
        weld!(|v: &[f64]| v.map(|x| Fixed::<2>::from(x)));
        (&floats[..]) => floats.iter().map(read).collect::<Vec<_>>(),
    );
    let fractions: Vec<f64> = floats.iter().map(|x| x % 1.0).collect();
    rule!(
        weld!(|v: &[f64]| v.map(|x| (Fixed::<18>::from(x), Fixed::<0>::from(x))));
        (&fractions[..]) => fractions
            .iter()
            .map(|&x| (Fixed::<18>::from_f64(x).expect("below 1"), Fixed::<0>::from_f64(x).expect("below 1")))
            .collect::<Vec<_>>(),
    );
    let overflow = || Fault(FaultKind::Overflow, "Fixed");
    rule!(
        weld!(|x: f64| Fixed::<2>::from(x));
        (1.005) => cents(100),
        (-9e16) => cents(-9_000_000_000_000_000_000),
        (1e17) => overflow(),
        (f64::NAN) => overflow(),
        (f64::NEG_INFINITY) => overflow(),
    );
    rule!(
        weld!(|x: f64| Fixed::<0>::from(x));
        (i64::MIN as f64) => Fixed::<0>::MIN,
        (i64::MAX as f64) => overflow(),
    );
    rule!(
        weld!(|n: i64, m: u8, x: f32| (Fixed::<2>::from(n), Fixed::<3>::from(m), Fixed::<1>::from(x)));
        (-12, 255, 0.25) => (cents(-1200), Fixed::<3>::from_raw(255_000), Fixed::<1>::from_raw(2)),
        (i64::MAX, 0, 0.0) => overflow(),
    );
    let v = self::spread();
    rule!(
        weld!(|v: &[Fixed<2>]| v.map(|x| (x.to_f64(), x as f64)));
        (&v[..]) => v.iter().map(|x| (x.to_f64(), x.to_f64())).collect::<Vec<_>>(),
    );
}

#[test]
fn they_are_keys_and_sort() {
    let v = spread();
    let mut sorted = v.clone();
    sorted.sort();
    let twice: Vec<Fixed<2>> = v.iter().chain(&v).copied().collect();
    let mut unique = Vec::new();
    v.iter().for_each(|x| {
        if !unique.contains(x) {
            unique.push(*x);
        }
    });
    let count = |x: &Fixed<2>| 2 * v.iter().filter(|y| *y == x).count() as i64;
    let counts: Dict<Fixed<2>, i64> = unique.iter().map(|x| (*x, count(x))).collect();
    rule!(
        weld!(|v: &[Fixed<2>]| (v.sort(), v.distinct()));
        (&v[..]) => (sorted, unique),
    );
    rule!(
        weld!(|v: &[Fixed<2>]| v.reduce_by(|x| x, |x| 1L, +));
        (&twice[..]) => counts,
    );
    rule!(
        weld!(|v: &[(Fixed<2>, i64)]| (v.min_by_key(|p| p.0), v.max_by_key(|p| p.0), v.sort_by_key(|p| p.0).map(|p| p.1)));
        (&[(cents(5), 1), (cents(-7), 2), (cents(9), 3)][..]) => ((cents(-7), 2i64), (cents(9), 3i64), vec![2i64, 1, 3]),
    );
}

#[test]
fn they_are_read_from_texts_and_written() {
    let v = spread();
    rule!(
        weld!(|v: &[Fixed<2>]| v.map(|x| (x.to_string(), x.to_string().parse::<Fixed<2>>().map(|read| read == x).unwrap_or(false))));
        (&v[..]) => v.iter().map(|x| (x.to_string(), true)).collect::<Vec<_>>(),
    );
    let texts = ["-12.34", "12.345", "12.340", "5", "+0.5", "", "1e2", "92233720368547758.08", "abc", ".5"]
        .map(str::to_owned);
    rule!(
        weld!(|v: &[String]| v.map(|s| s.parse::<Fixed<2>>()));
        (&texts[..]) => texts.iter().map(|text| text.parse::<Fixed<2>>().ok()).collect::<Vec<_>>(),
    );
    rule!(
        weld!(type Money = Fixed<2>; |x: Money| (x + Money("0.01"), Money::from(3), Fixed::<0>("-7"), Fixed::<18>("1.5")));
        (cents(1)) => (cents(2), cents(300), Fixed::<0>::from_raw(-7), Fixed::<18>::from_raw(1_500_000_000_000_000_000)),
    );
}

/// With tax, to the cent.
#[welded]
fn taxed(price: Fixed<2>, rate: Fixed<4>) -> Fixed<2> {
    price + (price * rate).rescale::<2>()
}

#[test]
fn functions_of_decimal_numbers_are_functions_of_rust() {
    let rate = Fixed::<4>::from_raw(825);
    assert_eq!(taxed(cents(1000), rate), cents(1082));
    rule!(
        weld!(|v: &[Fixed<2>], rate: Fixed<4>| v.map(|x| taxed(x, rate)));
        (&[cents(1000), cents(-10)][..], rate) => vec![cents(1082), cents(-11)],
    );
}
