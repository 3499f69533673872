//! `match` and `if let`: which arm is taken, what it binds, and that no other is computed.

use weldment::{Dict, FaultKind, Weld};

use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn the_first_arm_that_matches_is_taken() {
    rule!(
        weld!(|v: &[i64]| {
            v.map(|x| match x {
                i64::MIN => 0,
                ..=-1 => 1,
                0 => 2,
                1 | 3 | 5 => 3,
                1..5 => 4,
                n @ 6..=9 if n % 2 == 0 => n,
                6.. => 5,
            })
        });
        (&[i64::MIN, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, i64::MAX][..]) =>
            vec![0i64, 1, 2, 3, 4, 3, 4, 3, 6, 5, 8, 5, 5, 5],
        (&[][..]) => Vec::<i64>::new(),
    );
    rule!(
        weld!(|v: &[u8], w: &[u64]| {
            (
                v.map(|x| match x { 0..=127 => 0, 128..=254 => 1, 255 => 2 }),
                w.map(|x| match x { 0 => 0, 1..=9_223_372_036_854_775_807 => 1, _ => 2 }),
            )
        });
        (&[0u8, 127, 128, 254, 255][..], &[0u64, 1, 1 << 63, u64::MAX][..]) =>
            (vec![0i32, 0, 1, 1, 2], vec![0i32, 1, 2, 2]),
    );
}

#[test]
fn an_arm_and_a_condition_are_computed_only_where_they_are_reached() {
    rule!(
        weld!(|x: i64, y: i64| match (x, y) {
            (0, 0) => 0,
            (_, 0) => -1,
            (a, b) if a / b > 10 => a,
            (a, b) => a % b,
        });
        (0, 0) => 0i64,
        (7, 0) => -1i64,
        (99, 2) => 99i64,
        (7, 2) => 1i64,
    );
    rule!(
        weld!(|x: i64, y: i64| match x { 0 => 0, n if n / y > 1 => 1, _ => 2 });
        (0, 0) => 0i32,
        (4, 2) => 1i32,
        (4, 4) => 2i32,
        (4, 0) => Fault(FaultKind::DivisionByZero, "/"),
    );
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Order {
    kind: u8,
    amount: Option<f64>,
    place: (i64, bool),
}

#[test]
fn structs_and_options_are_taken_apart_to_any_depth() {
    let order = |kind, amount, place| Order { kind, amount, place };
    let orders = [
        order(1, None, (1, true)),
        order(2, Some(2.0), (1, true)),
        order(3, Some(3.0), (0, false)),
        order(4, Some(4.0), (5, false)),
    ];
    rule!(
        weld!(|orders: &[Order]| {
            const SALE: u8 = 2;
            orders.map(|o| match o {
                Order { amount: None, kind, .. } => kind as f64,
                Order { kind: SALE, amount: Some(x), place: (_, true) } => -x,
                Order { amount: Some(x), place: (0, _), .. } => x * 10.0,
                Order { amount: Some(x), place: (n, false), .. } => x + n as f64,
                _ => 0.0,
            })
        });
        (&orders[..]) => vec![1.0f64, -2.0, 30.0, 9.0],
    );
    rule!(
        weld!(|v: &[Option<Option<i64>>]| v.map(|o| match o {
            Some(Some(n @ (1 | 2 | 9..))) => n,
            Some(Some(n)) => -n,
            Some(None) => 100,
            None => 200,
        }));
        (&[Some(Some(1)), Some(Some(5)), Some(Some(9)), Some(None), None][..]) => vec![1i64, -5, 9, 100, 200],
    );
}

#[test]
fn alternatives_bind_what_matches_first() {
    rule!(
        weld!(|v: &[(i64, i64)]| v.map(|p| match p {
            (0, n) | (n, 0) => n,
            (1, (2 | 3)) | (2, 4) => 100,
            whole @ (a, _) if a == whole.1 => a + whole.0,
            (a, b) => a * b,
        }));
        (&[(0, 5), (6, 0), (0, 0), (1, 3), (2, 4), (4, 4), (5, 7)][..]) => vec![5i64, 6, 0, 100, 100, 8, 35],
    );
}

#[test]
fn bytes_are_compared_whole() {
    rule!(
        weld!(|w: &[Vec<u8>]| w.map(|w| match w { b"ab" | b"a" => 1, b"" => 2, _ => 3 }));
        (&[b"ab".to_vec(), b"abc".to_vec(), vec![], b"a".to_vec()][..]) => vec![1i32, 3, 2, 1],
    );
    rule!(
        weld!(|w: &[Vec<u8>]| w.group_by(|w| match w { b"x" => (true, b"short"), _ => (false, w) }).len());
        (&[b"x".to_vec(), b"y".to_vec(), b"x".to_vec()][..]) => 2i64,
    );
}

#[test]
fn arms_merge_into_builders_and_give_states() {
    rule!(
        weld!(|v: &[i64]| {
            let odd = for(v, (appender[i64], merger[i64, +]), |b, i, x| match (b, x) {
                ((all, sum), 0) => (all, sum),
                ((all, sum), 1..=9) if x % 2 == 1 => (merge(all, x), merge(sum, x)),
                ((all, sum), _) => (all, merge(sum, 1)),
            });
            (result(odd.0), result(odd.1))
        });
        (&[0, 1, 2, 3, 11][..]) => (vec![1i64, 3], 6i64),
    );
    rule!(
        weld!(|n: i64| iterate((n, 0), |s| match s {
            (..=1, steps) => ((1, steps), false),
            (n, steps) if n % 2 == 0 => ((n / 2, steps + 1), true),
            (n, steps) => ((3 * n + 1, steps + 1), true),
        }).1);
        (1) => 0i32,
        (6) => 8i32,
        (27) => 111i32,
    );
}

#[test]
fn functions_macros_and_keys_choose_by_patterns() {
    rule!(
        weld!(
            fn size<T: Int>(x: T) -> T { match x { 0 => 0, 1..=99 => 1, _ => 2 } }
            macro least(x, y) = (match x < y { true => x, false => y });
            |v: &[i64], b: &[u8]| (v.map(|x| size(x)), b.map(|x| size(x)), v.map(|x| least(x, 7)))
        );
        (&[0, -1, 5][..], &[0u8, 99, 100][..]) => (vec![0i64, 2, 1], vec![0u8, 1, 2], vec![0i64, -1, 5]),
    );
    rule!(
        weld!(|v: &[i64], d: &Dict<i64, i64>| {
            let found = v.map(|x| if let (true, y) = optlookup(d, x) { y } else { -x });
            (found.reduce_by(|x| match x { ..0 => 0u8, _ => 1 }, |x| x, +).len(), found)
        });
        (&[1, 2][..], &[(1i64, 10i64)].into_iter().collect::<Dict<_, _>>()) => (2i64, vec![10i64, -2]),
    );
}
