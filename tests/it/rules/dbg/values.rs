//! What values look like.

use weldment::{Date, Timestamp, Weld};

use super::shows;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[repr(u8)]
enum Side {
    Buy,
    Sell = 5,
    Hold,
}

#[test]
fn values_are_shown_as_rust_shows_them() {
    shows!(
        weld!(|n: i64, x: f64| {
            let small = dbg(n as u8);
            let single = dbg(x as f32);
            let both = dbg((n + 1, x * 2.0));
            (small, single, both, dbg(n > 0), (x,).dbg(), dbg(x.is_nan()))
        });
        (3, 0.5) => [
            "n as u8 = 3", "x as f32 = 0.5", "(n + 1, x * 2.0) = (4, 1.0)", "n > 0 = true", "(x,) = (0.5,)", "x.is_nan() = false",
        ],
        (-1, f64::NAN) => [
            "n as u8 = 255", "x as f32 = NaN", "(n + 1, x * 2.0) = (0, NaN)", "n > 0 = false", "(x,) = (NaN,)", "x.is_nan() = true",
        ],
    );
    let texts = ["a\t\"é\"".to_owned(), String::new()];
    shows!(
        weld!(|v: &[String], s: &str| {
            let first = dbg(v.first());
            let none = dbg(v.find(|t| t == s));
            (dbg(s + "!"), dbg(v), first, none)
        });
        (&texts[..], "it's") => [
            r#"s + "!" = "it's!""#,
            r#"v = ["a\t\"é\"", ""]"#,
            r#"v.first() = Some("a\t\"é\"")"#,
            r#"v.find(|t| t == s) = None"#,
        ],
    );
    let (day, moment) = (Date::from_epoch_days(19_782), Timestamp::from_epoch_micros(-500_000));
    shows!(
        weld!(|d: Date, t: Timestamp| {
            let both = dbg((d, t));
            dbg(t - both.1)
        });
        (day, moment) => ["(d, t) = (2024-02-29, 1969-12-31T23:59:59.5Z)", "t - both.1 = 0s"],
    );
}

#[test]
fn structs_and_enums_are_shown_by_their_names() {
    shows!(
        weld!(
            struct Point { x: f64, y: f64 }
            struct Pair(i64, bool);
            |x: f64, n: i64, side: Side| {
                let p = dbg(Point { x, y: x + 1.0 });
                let pair = dbg(Pair(n, n > 1));
                (p.x, pair.0, dbg(side), dbg(Some(Side::Buy)))
            }
        );
        (1.0, 0, Side::Sell) => [
            "Point { x, y: x + 1.0 } = Point { x: 1.0, y: 2.0 }",
            "Pair(n, n > 1) = Pair(0, false)",
            "side = Sell",
            "Some(Side::Buy) = Some(Buy)",
        ],
        (0.0, 7, Side::Hold) => [
            "Point { x, y: x + 1.0 } = Point { x: 0.0, y: 1.0 }",
            "Pair(n, n > 1) = Pair(7, true)",
            "side = Hold",
            "Some(Side::Buy) = Some(Buy)",
        ],
    );
}

#[test]
fn of_vectors_the_first_elements_are_shown() {
    let numbers: Vec<i64> = (0..100).collect();
    shows!(
        weld!(|v: &[i64], a: [f64; 3], m: Array<i64, 2>| {
            (dbg(v), dbg(a), dbg(v.map(|x| [x, x])).len(), dbg(m), dbg(v.filter(|x| x < 0)))
        });
        (&numbers[..16], [1.0, 2.5, -0.0], &weldment::Array::new(vec![1_i64, 2, 3, 4], [2, 2]).unwrap()) => [
            "v = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
            "a = [1.0, 2.5, -0.0]",
            "v.map(|x| [x, x]) = [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7], [8, 8], [9, 9], [10, 10], \
             [11, 11], [12, 12], [13, 13], [14, 14], [15, 15]]",
            "m = [1, 2, 3, 4] of 2 x 2",
            "v.filter(|x| x < 0) = []",
        ],
    );
    shows!(
        weld!(|v: &[i64]| dbg(v).sum::<i64>());
        (&numbers[..]) => ["v = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, … 100 in all]"],
    );
}

#[cfg(feature = "half")]
#[test]
fn floats_of_16_bits_are_shown_as_the_f32_that_they_are() {
    let v = [0.1, -2.0, f32::NAN].map(weldment::f16::from_f32);
    shows!(
        weld!(|v: &[f16], x: bf16| (len(dbg(v)), dbg(Some(x))));
        (&v[..], weldment::bf16::ONE) => ["v = [0.099975586, -2.0, NaN]", "Some(x) = Some(1.0)"],
    );
}
