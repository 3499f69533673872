//! Options: what has no value, what is done with one, and what is computed only where there is one.

use weldment::{Dict, FaultKind, Weld};

use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn the_ends_of_a_vector_may_be_missing() {
    rule!(
        weld!(|v: &[f64], w: &[Vec<i64>]| {
            (v.first().unwrap_or(-1.0), v.last().unwrap_or(-1.0), w.last().unwrap_or([7]), w.first().is_none())
        });
        (&[1.0, 2.0, 3.0][..], &[vec![], vec![4i64, 5]][..]) => (1.0f64, 3.0f64, vec![4i64, 5], false),
        (&[-0.0][..], &[vec![]][..]) => (-0.0f64, -0.0f64, Vec::<i64>::new(), false),
        (&[][..], &[][..]) => (-1.0f64, -1.0f64, vec![7i64], true),
    );
}

#[test]
fn an_arm_is_computed_only_where_it_is_taken() {
    rule!(
        weld!(|v: &[i64], d: i64| {
            (
                match v.first() { Some(x) => 10 / x, None => 0 },
                if let Some(x) = v.last() { x } else { 10 / d },
                v.first().unwrap_or(10 / d),
                v.first().or(Some(10 / d)).map(|x| x + 1).unwrap_or(0),
            )
        });
        (&[2, 3][..], 0) => (5i64, 3i64, 2i64, 3i64),
        (&[][..], 5) => (0i64, 2i64, 2i64, 3i64),
        (&[][..], 0) => Fault(FaultKind::DivisionByZero, "/"),
        (&[0][..], 1) => Fault(FaultKind::DivisionByZero, "/"),
    );
}

#[test]
fn what_is_not_there_is_a_fault_where_it_is_asked_for() {
    rule!(
        weld!(|v: &[f64], x: f64| v.filter(|y| y > x).first().or_fault());
        (&[1.0, 2.0, 3.0][..], 1.5) => 2.0f64,
        (&[1.0, f64::NAN][..], 1.5) => Fault(FaultKind::AssertionFailed, "or_fault"),
    );
    rule!(
        weld!(|v: &[i64]| { let _ = v.first().or_fault(); v.len() });
        (&[1][..]) => 1i64,
        (&[][..]) => Fault(FaultKind::AssertionFailed, "or_fault"),
    );
}

#[test]
fn methods_go_on_where_there_is_a_value() {
    rule!(
        weld!(|v: &[i64]| {
            let o = v.first();
            (
                (o.map(|x| x * 2).unwrap_or(-1), o.and_then(|x| if x > 5 { None } else { Some(x + 1) }).unwrap_or(-2)),
                (o.filter(|x| x > 5).is_some(), o.or(Some(3)).or_fault(), Some(o).flatten().unwrap_or(-3)),
                (o.is_some(), o.is_none(), (None: Option<i64>).or(o).unwrap_or(-4)),
            )
        });
        (&[6][..]) => ((12i64, -2i64), (true, 6i64, 6i64), (true, false, 6i64)),
        (&[2, 9][..]) => ((4i64, 3i64), (false, 2i64, 2i64), (true, false, 2i64)),
        (&[][..]) => ((-1i64, -2i64), (false, 3i64, -3i64), (false, true, -4i64)),
    );
}

#[test]
fn of_a_vector_of_options_those_are_left_that_are_there() {
    rule!(
        weld!(|v: &[f64]| {
            let o = v.map(|x| if x < 0.0 { None } else { Some(sqrt(x)) });
            (o.flatten(), o.map(|x| x.unwrap_or(-1.0)), v.filter_map(|x| if x > 1.0 { Some(x as i64) } else { None }), o.flatten().sum())
        });
        (&[4.0, -1.0, 9.0, 0.0, -0.0][..]) =>
            (vec![2.0f64, 3.0, 0.0, -0.0], vec![2.0f64, -1.0, 3.0, 0.0, -0.0], vec![4i64, 9], 5.0f64),
        (&[-1.0, -2.0][..]) => (Vec::<f64>::new(), vec![-1.0f64, -1.0], Vec::<i64>::new(), 0.0f64),
    );
    rule!(
        weld!(|v: &[Vec<u8>]| {
            let longest = v.fold(None, |best, x| match best {
                Some(y) => if len(x) > len(y) { Some(x) } else { best }
                None => Some(x),
            });
            (longest.unwrap_or([]), v.map(|x| x.first()).filter(|o| o.is_some()).len())
        });
        (&[b"ab".to_vec(), vec![], b"cde".to_vec(), b"fgh".to_vec()][..]) => (b"cde".to_vec(), 3i64),
        (&[vec![]][..]) => (Vec::<u8>::new(), 0i64),
        (&[][..]) => (Vec::<u8>::new(), 0i64),
    );
}

#[test]
fn none_is_equal_to_itself_and_less_than_every_value() {
    rule!(
        weld!(|v: &[i64], w: &[i64]| {
            let (a, b) = (v.first(), w.first());
            (a == b, a != b, a < b, a <= b, compare(a, b))
        });
        (&[][..], &[][..]) => (true, false, false, true, 0i32),
        (&[][..], &[-5][..]) => (false, true, true, true, -1i32),
        (&[-5][..], &[][..]) => (false, true, false, false, 1i32),
        (&[2][..], &[3][..]) => (false, true, true, true, -1i32),
        (&[3][..], &[3][..]) => (true, false, false, true, 0i32),
    );
    rule!(
        weld!(|v: &[f64]| (v.first() == v.first(), v.first() != v.last()));
        (&[f64::NAN][..]) => (false, true),
        (&[-0.0, 0.0][..]) => (true, false),
        (&[][..]) => (true, false),
    );
}

#[test]
fn none_is_a_key_and_a_group_and_the_first_in_order() {
    rule!(
        weld!(|v: &[i64]| {
            let o = v.map(|x| if x < 0 { None } else { Some(x % 2) });
            let groups = zip(o, v).group_by(|(o, _)| o).tovec().map(|(o, all)| (o.unwrap_or(-1), all.map(|(_, x)| x)));
            let sorted = zip(o, v).sort_by_key(|p| p).map(|(_, x)| x);
            (groups, o.n_unique(), sorted, o.reduce_by(|o| o, |_| 1, +)[None])
        });
        (&[3, -1, 2, -5, 1][..]) =>
            (vec![(1i64, vec![3i64, 1]), (-1, vec![-1, -5]), (0, vec![2])], 3i64, vec![-5i64, -1, 2, 1, 3], 2i32),
    );
}

#[test]
fn options_come_in_and_go_out() {
    rule!(
        weld!(|v: &[Option<f64>], o: Option<i64>| (v.map(|x| x.map(|y| y * 2.0)), v.flatten().sum(), o, v.last()));
        (&[Some(1.5), None, Some(-0.0)][..], Some(3)) =>
            (vec![Some(3.0f64), None, Some(-0.0)], 1.5f64, Some(3i64), Some(Some(-0.0f64))),
        (&[][..], None) => (Vec::<Option<f64>>::new(), 0.0f64, None::<i64>, None::<Option<f64>>),
        (&[None][..], None) => (vec![None::<f64>], 0.0f64, None::<i64>, Some(None::<f64>)),
    );
    rule!(
        weld!(|v: &[Option<u8>], k: i64| (v[k], v, len(v), v.map(|x| x.is_none())));
        (&[None, Some(0u8), Some(255)][..], 1) =>
            (Some(0u8), vec![None, Some(0u8), Some(255)], 3i64, vec![true, false, false]),
        (&[None::<u8>][..], 1) => Fault(FaultKind::IndexOutOfBounds, "[k]"),
    );
}

#[test]
fn options_hold_vectors_and_structs() {
    rule!(
        weld!(|v: &[Option<Vec<u8>>], o: &Option<Vec<i64>>| {
            (v.filter(|x| x.is_some()), v.map(|x| x.map(|y| len(y))), o.unwrap_or([7]), o, v.first())
        });
        (&[Some(b"ab".to_vec()), None, Some(vec![])][..], &Some(vec![1, 2])) => (
            vec![Some(b"ab".to_vec()), Some(vec![])],
            vec![Some(2i64), None, Some(0)],
            vec![1i64, 2],
            Some(vec![1i64, 2]),
            Some(Some(b"ab".to_vec())),
        ),
        (&[None][..], &None) => (
            Vec::<Option<Vec<u8>>>::new(),
            vec![None::<i64>],
            vec![7i64],
            None::<Vec<i64>>,
            Some(None::<Vec<u8>>),
        ),
    );
    rule!(
        weld!(|v: &[Option<(i64, Vec<u8>)>]| {
            (v.map(|o| match o { Some((k, w)) => (k, w, false), None => (-1, b"none", true) }), v.filter_map(|o| o.map(|(k, _)| k)), v.last())
        });
        (&[Some((5, b"x".to_vec())), None][..]) => (
            vec![(5i64, b"x".to_vec(), false), (-1, b"none".to_vec(), true)],
            vec![5i64],
            Some(None::<(i64, Vec<u8>)>),
        ),
    );
    rule!(
        weld!(|v: &[(i32, Option<f64>)]| (v.filter(|(_, x)| x.is_none()), v.map(|(k, x)| (x, k))));
        (&[(1, Some(0.5)), (2, None)][..]) =>
            (vec![(2i32, None::<f64>)], vec![(Some(0.5f64), 1i32), (None, 2)]),
    );
}

#[test]
fn options_from_outside_are_keys_and_have_an_order() {
    rule!(
        weld!(|v: &[Option<i64>], d: &Dict<Option<i64>, f64>, k: Option<i64>| {
            (v.group_by(|x| x), sort(v, |a, b| compare(a, b)), v.distinct(), keyexists(d, k), d[k])
        });
        (
            &[Some(2), None, Some(-7), None, Some(2)][..],
            &[(None, 0.5), (Some(0), 1.5)].into_iter().collect::<Dict<Option<i64>, f64>>(),
            None
        ) => (
            [(Some(2), vec![Some(2), Some(2)]), (None, vec![None, None]), (Some(-7), vec![Some(-7)])]
                .into_iter()
                .collect::<Dict<Option<i64>, Vec<Option<i64>>>>(),
            vec![None, None, Some(-7i64), Some(2), Some(2)],
            vec![Some(2i64), None, Some(-7)],
            true,
            0.5f64,
        ),
    );
    rule!(
        weld!(|v: &[Option<Vec<u8>>], w: &[Option<f64>]| {
            (v.reduce_by(|x| x, |_| 1, +).tovec(), w.sort_by_key(|x| x), w.max_by_key(|x| x), v.n_unique(), w.argmin())
        });
        (
            &[Some(b"a".to_vec()), None, Some(vec![]), None][..],
            &[Some(f64::NAN), Some(-0.0), None, Some(-1.0)][..]
        ) => (
            vec![(Some(b"a".to_vec()), 1i32), (None, 2), (Some(vec![]), 1)],
            vec![None, Some(-1.0f64), Some(-0.0), Some(f64::NAN)],
            Some(-0.0f64),
            3i64,
            2i64,
        ),
    );
}

#[test]
fn bytes_of_an_option_are_those_of_the_pair() {
    rule!(
        weld!(|o: Option<i16>| (serialize(o), deserialize[Option<i16>](serialize(o))));
        (Some(-2)) => (vec![1u8, 254, 255], Some(-2i16)),
        (None) => (vec![0u8, 0, 0], None::<i16>),
    );
    rule!(
        weld!(|b: &[u8]| { let o = deserialize[Option<i16>](b); (o, o == None, o.unwrap_or(9)) });
        (&[0, 5, 0][..]) => (None::<i16>, true, 9i16),
        (&[1, 5, 0][..]) => (Some(5i16), false, 5i16),
        (&[0][..]) => Fault(FaultKind::DeserializeError, "deserialize"),
    );
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Order {
    price: f64,
    discount: Option<f64>,
    kind: u8,
}

#[test]
fn structs_of_rust_have_options_and_are_in_them() {
    let of = |price, discount, kind| Order { price, discount, kind };
    rule!(
        weld!(|orders: &[Order], best: Option<Order>| {
            let paid = orders.map(|o| o.price * (1.0 - o.discount.unwrap_or(0.0))).sum();
            let free = orders.map(|o| Order { discount: o.discount.filter(|d| d < 0.5), ..o });
            (paid, free, orders.last(), best.or(orders.first()), best.map(|o| o.kind))
        });
        (&[of(10.0, None, 1), of(20.0, Some(0.5), 2)][..], None) => (
            20.0f64,
            vec![of(10.0, None, 1), of(20.0, None, 2)],
            Some(of(20.0, Some(0.5), 2)),
            Some(of(10.0, None, 1)),
            None::<u8>,
        ),
        (&[][..], Some(of(1.0, Some(0.25), 3))) => (
            0.0f64,
            Vec::<Order>::new(),
            None::<Order>,
            Some(of(1.0, Some(0.25), 3)),
            Some(3u8),
        ),
    );
}
