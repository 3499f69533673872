//! Options: what has no value, what is done with one, and what is computed only where there is one.

use weldment::FaultKind;

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
