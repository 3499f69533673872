//! Joins: which elements stand side by side, in which order, and what a key is that comes twice.

use std::collections::HashMap;

use weldment::{Dict, FaultKind};

use super::rule;
use crate::every_way::agree;
use crate::pairs::Outcome::Fault;

#[test]
fn an_index_has_one_element_for_each_key() {
    rule!(
        weld!(|v: &[(i64, f64)]| v.index_by(|r| r.0));
        (&[(7, 0.5), (-3, 2.0)][..]) => Dict::from_iter([(7i64, (7i64, 0.5)), (-3, (-3, 2.0))]),
        (&[][..]) => Dict::<i64, (i64, f64)>::new(),
        (&[(7, 0.5), (-3, 2.0), (7, 0.5)][..]) => Fault(FaultKind::DuplicateKey, "index_by"),
    );
    rule!(
        weld!(|v: &[f64]| v.filter(|x| x > -1.0).index_by(|x| x).len());
        (&[-5.0, 1.0, -5.0, 2.0][..]) => 2i64,
        (&[0.0, -0.0][..]) => Fault(FaultKind::DuplicateKey, "index_by"),
    );
}

#[test]
fn a_key_that_comes_twice_is_a_fault_wherever_it_is_and_whoever_reads_it() {
    rule!(
        weld!(|rows: &[Vec<i64>]| rows.map(|row| row.index_by(|x| x % 10).keys().sum()));
        (&[vec![11, 22], vec![], vec![5]][..]) => vec![3i64, 0, 5],
        (&[vec![11, 22], vec![12, 22]][..]) => Fault(FaultKind::DuplicateKey, "index_by"),
    );
    rule!(
        weld!(|v: &[i64]| { let _ = v.index_by(|x| x); v.len() });
        (&[1, 2][..]) => 2i64,
        (&[1, 1][..]) => Fault(FaultKind::DuplicateKey, "index_by"),
    );
}

#[test]
fn a_join_is_in_the_order_of_the_left_side() {
    rule!(
        weld!(|v: &[i64], w: &[i64]| {
            let one = w.index_by(|y| y % 10);
            (v.join(one, |x| x), v.left_join(one, |x| x), v.semi_join(one, |x| x), v.anti_join(one, |x| x))
        });
        (&[2, 1, 5, 2][..], &[11, 42][..]) => (
            vec![(2i64, 42i64), (1, 11), (2, 42)],
            vec![(2i64, Some(42i64)), (1, Some(11)), (5, None), (2, Some(42))],
            vec![2i64, 1, 2],
            vec![5i64],
        ),
        (&[2, 1][..], &[][..]) => (Vec::<(i64, i64)>::new(), vec![(2i64, None::<i64>), (1, None)], Vec::<i64>::new(), vec![2i64, 1]),
        (&[][..], &[1, 2][..]) =>
            (Vec::<(i64, i64)>::new(), Vec::<(i64, Option<i64>)>::new(), Vec::<i64>::new(), Vec::<i64>::new()),
    );
    rule!(
        weld!(|v: &[i64], w: &[i64]| {
            let groups = w.group_by(|y| y % 10);
            (v.join(groups, |x| x), v.left_join(groups, |x| x), v.semi_join(groups, |x| x), v.anti_join(groups, |x| x))
        });
        (&[2, 1, 5][..], &[11, 42, 21][..]) => (
            vec![(2i64, 42i64), (1, 11), (1, 21)],
            vec![(2i64, Some(42i64)), (1, Some(11)), (1, Some(21)), (5, None)],
            vec![2i64, 1],
            vec![5i64],
        ),
        (&[2][..], &[][..]) => (Vec::<(i64, i64)>::new(), vec![(2i64, None::<i64>)], Vec::<i64>::new(), vec![2i64]),
    );
}

#[test]
fn any_dictionary_is_joined_and_a_group_of_nothing_is_no_match() {
    let rows = Dict::from_iter([(1i64, vec![0.5, 1.5]), (2, vec![])]);
    rule!(
        weld!(|v: &[i64], d: &Dict<i64, Vec<f64>>| (v.join(d, |x| x), v.left_join(d, |x| x), v.semi_join(d, |x| x)));
        (&[2, 1][..], &rows) =>
            (vec![(1i64, 0.5), (1, 1.5)], vec![(2i64, None), (1, Some(0.5)), (1, Some(1.5))], vec![2i64, 1]),
    );
    rule!(
        weld!(|words: &[Vec<u8>], d: &Dict<Vec<u8>, u32>| (words.join(d, |w| w).map(|(w, n)| (len(w), n)), d.get([98u8])));
        (&[vec![97u8], vec![], vec![97]][..], &Dict::from_iter([(vec![97u8], 4u32)])) => (vec![(1i64, 4u32), (1, 4)], None::<u32>),
    );
}

#[test]
fn what_is_joined_is_what_a_hash_map_finds() {
    let left: Vec<(i64, f64)> = (0..3000).map(|i| (i * 7919 % 1200, i as f64 * 0.5)).collect();
    let right: Vec<(i64, f64)> = (0..1000).map(|i| (i * 31 % 1000, i as f64)).collect();
    let map: HashMap<i64, f64> = right.iter().copied().collect();
    let one = agree!(&left[..], &right[..];
        #[expect(loops = 2, materialized = 1)]
        |v: &[(i64, f64)], w: &[(i64, f64)]| v.join(w.index_by(|y| y.0), |x| x.0).filter(|(_, y)| y.1 > 9.0).map(|(x, y)| x.1 * y.1));
    let expected = left.iter().filter_map(|x| map.get(&x.0).filter(|y| **y > 9.0).map(|y| x.1 * y));
    assert!(one.into_iter().eq(expected));
    let missing = agree!(&left[..], &right[..];
        #[expect(loops = 2, materialized = 1)]
        |v: &[(i64, f64)], w: &[(i64, f64)]| v.left_join(w.index_by(|y| y.0), |x| x.0).filter(|(_, y)| y.is_none()).count());
    assert_eq!(missing as usize, left.iter().filter(|x| !map.contains_key(&x.0)).count());
    let sum = agree!(&left[..], &right[..];
        #[expect(loops = 3, materialized = 1)]
        |v: &[(i64, f64)], w: &[(i64, f64)]| v.join(w.group_by(|y| y.0 / 3), |x| x.0).map(|(x, y)| x.1 * y.1).sum());
    let of_group = |key: i64| right.iter().filter(move |y| y.0 / 3 == key).map(|y| y.1);
    let expected: f64 = left.iter().flat_map(|x| of_group(x.0).map(move |y| x.1 * y)).sum();
    assert_eq!(sum, expected, "halves, which add up exactly");
}

#[test]
fn searches_of_many_keys_look_ahead_and_find_what_they_found() {
    let spread = |key: i64| key.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64);
    let keys: Vec<i64> = (0..40_000).map(spread).collect();
    // Every second one is there; fewer rows than are looked ahead, and more.
    for count in [0, 1, 20, 1000] {
        let wanted: Vec<i64> = (0..count).map(|n| spread(n * 80)).collect();
        let numbers = wanted.iter().map(|&key| keys.iter().position(|&other| other == key));
        let numbers: Vec<i64> = numbers.map(|found| found.map_or(-1, |at| at as i64)).collect();
        rule!(
            weld!(|keys: &[i64], wanted: &[i64]| {
                let number = zip(keys, 0..keys.len()).to_dict();
                wanted.map(|key| number.get(key).unwrap_or(-1))
            });
            (&keys[..], &wanted[..]) => numbers.clone(),
            (&keys[..0], &wanted[..]) => vec![-1i64; wanted.len()],
        );
        // Keys that are close, of two parts, and of which some are computed.
        let close: Vec<i64> = (0..count).map(|n| n * 80 - 40).collect();
        let at = |key: i64| if (0..40_000).contains(&key) { key } else { -1 };
        rule!(
            weld!(|keys: &[i64], wanted: &[i64]| {
                let close = (0..keys.len()).map(|i| (i, i)).to_dict();
                let both = zip(keys, 0..keys.len()).map(|(key, i)| ((i, key), i)).to_dict();
                wanted.enumerate().map(|(i, n)| {
                    let by_both = if keyexists(both, (i, keys[i])) { both[(i, keys[i])] } else { -1 };
                    (close.get(n).unwrap_or(-1), both.get((n + i, n)).is_some(), by_both)
                })
            });
            (&keys[..], &close[..]) =>
                close.iter().enumerate().map(|(i, &n)| (at(n), false, i as i64)).collect::<Vec<_>>(),
        );
    }
}
