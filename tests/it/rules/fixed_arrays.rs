//! Fixed arrays: read where they lie, taken apart and made, keys, reduced, and as vectors of their elements.

use weldment::{Dict, FaultKind, Weld};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Body {
    at: [f64; 3],
    mass: f32,
    tags: [[u8; 2]; 2],
}

fn points() -> Vec<[f64; 3]> {
    (0..70).map(|i| [f64::from(i), f64::from(i * 7 % 11) - 5.0, -0.0]).collect()
}

#[test]
fn elements_are_read_by_constants_and_by_numbers() {
    let points = points();
    for i in [0, 1, 2] {
        rule!(
            weld!(|v: &[[f64; 3]], i: i64| v.map(|p| (p[0] + p[2], p[i])));
            (&points[..], i) => points.iter().map(|p| (p[0] + p[2], p[i as usize])).collect::<Vec<_>>(),
        );
    }
    rule!(
        weld!(|v: &[[f64; 3]], i: i64| v.map(|p| p[i]).sum());
        (&points[..], 3) => Fault(FaultKind::IndexOutOfBounds, "[i]).sum()"),
        (&points[..], -1) => Fault(FaultKind::IndexOutOfBounds, "[i]).sum()"),
    );
    // More of them than are selected.
    let wide: [i32; 64] = std::array::from_fn(|n| n as i32 * n as i32);
    rule!(
        weld!(|p: [i32; 64], v: &[i32]| v.map(|i| p[i]));
        (wide, &[0, 63, 17]) => vec![0, 63 * 63, 17 * 17],
    );
    rule!(
        weld!(|v: &[[Vec<i64>; 2]], i: i64| v.map(|p| (p[i].sum(), p[1])));
        (&[[vec![1, 2], vec![5]], [vec![], vec![]]], 0) => vec![(3i64, vec![5i64]), (0, vec![])],
        (&[[vec![], vec![5]]], 1) => vec![(5i64, vec![5i64])],
    );
}

#[test]
fn patterns_take_them_apart_and_literals_make_them() {
    let points = points();
    rule!(
        weld!(|v: &[[f64; 3]]| -> Vec<[f64; 2]> { v.map(|[x, y, _]| [y, x]) });
        (&points[..]) => points.iter().map(|&[x, y, _]| [y, x]).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[[i64; 2]]| v.map(|p| match p { [0, 0] => "origin".to_string(), [_, 0] | [0, _] => "axis", [_, _] => "plane" }));
        (&[[0, 0], [0, 3], [4, 0], [-1, 0], [1, 1]]) =>
            ["origin", "axis", "axis", "axis", "plane"].map(str::to_owned).to_vec(),
    );
    rule!(
        weld!(|a: f32, b: f32| { let p: [f32; 2] = [a, b]; (p, [a, b] == p, [[a, b], p]) });
        (1.5, -2.0) => ([1.5f32, -2.0], true, vec![[1.5f32, -2.0]; 2]),
    );
    let bodies = [Body { at: [1.0, 2.0, 3.0], mass: 0.5, tags: [[1, 2], [3, 4]] }; 3];
    rule!(
        weld!(|v: &[Body], by: [f64; 3]| v.map(|b| Body { at: zip(b.at, by).map(|(x, d)| x + d), tags: [b.tags[1], [9, 9]], ..b }));
        (&bodies, [0.5, 0.0, -1.0]) =>
            vec![Body { at: [1.5, 2.0, 2.0], mass: 0.5, tags: [[3, 4], [9, 9]] }; 3],
    );
}

#[test]
fn words_of_vectors_take_their_elements() {
    let points = points();
    // As a sum of a vector is: zero first.
    let sum = |p: &[f64; 3]| 0.0 + (p[0] + p[1] + p[2]);
    rule!(
        weld!(|v: &[[f64; 3]], c: [f64; 3]| v.map(|p| (p.sum(), p.max(), p.len(), zip(p, c).map(|(a, b)| a - b).map(|x| x * x).sum())));
        (&points[..], [1.0, 2.0, 3.0]) => points
            .iter()
            .map(|p| {
                let d = [p[0] - 1.0, p[1] - 2.0, p[2] - 3.0].map(|x| x * x);
                (sum(p), p[0].max(p[1]).max(p[2]), 3i64, sum(&d))
            })
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |v: &[[f64; 3]], c: [f64; 3]| v.map(|p| zip(p, c).map(|(a, b)| (a - b) * (a - b)).sum()).min());
        (&points[..], [2.0, 0.0, 1.0]) => points
            .iter()
            .map(|p| sum(&[p[0] - 2.0, p[1], p[2] - 1.0].map(|x| x * x)))
            .fold(f64::INFINITY, f64::min),
    );
    rule!(
        weld!(|p: [i64; 4], q: [i64; 4]| (p.to_vec(), p.sort(), p.iter().rev().collect::<Vec<i64>>(), p.dot(q), p.contains(3), [p, q].map(|r| r.filter(|x| x > 1)).flatten()));
        ([3, 1, 2, 0], [1, 0, 0, 5]) =>
            (vec![3i64, 1, 2, 0], vec![0i64, 1, 2, 3], vec![0i64, 2, 1, 3], 3i64, true, vec![3i64, 2, 5]),
    );
    rule!(
        weld!(|v: &[[String; 2]]| v.map(|p| (p.join("-"), p.concat(), ["x", p[0]].concat())));
        (&[["a".to_owned(), "b".to_owned()]]) => vec![("a-b".to_owned(), "ab".to_owned(), "xa".to_owned())],
    );
    rule!(
        weld!(|v: &[[f64; 16]]| (v.map(|p| p.sum()), v.map(|p| p.min())));
        (&[[0.1; 16]]) => (
            vec![0.0 + [0.1f64; 16].into_iter().reduce(|a, b| a + b).expect("some")],
            vec![0.1],
        ),
    );
}

#[test]
fn they_are_keys_and_reduced_element_by_element() {
    let pairs = [[1i32, 2], [0, 7], [1, 2], [0, 7], [1, 2], [3, -1]];
    let counted: Dict<[i32; 2], i64> = [([1, 2], 3), ([0, 7], 2), ([3, -1], 1)].into_iter().collect();
    rule!(
        weld!(|v: &[[i32; 2]]| (v.reduce_by(|p| p, |_| 1i64, +), v.sum(), v.sort(), v.distinct(), v.max()));
        (&pairs) => (
            counted,
            [6i32, 19],
            vec![[0, 7], [0, 7], [1, 2], [1, 2], [1, 2], [3, -1]],
            vec![[1, 2], [0, 7], [3, -1]],
            [3i32, 7],
        ),
    );
    let far = [[0.0f64, f64::NAN], [-0.0, f64::NAN], [1.0, 2.0]];
    rule!(
        weld!(|v: &[[f64; 2]]| v.reduce_by(|p| p, |_| 1i64, +).values());
        (&far) => vec![2i64, 1],
    );
    rule!(
        weld!(|d: &Dict<[i32; 2], f64>, v: &[[i32; 2]]| v.map(|p| d.get(p).unwrap_or(0.5)));
        (&[([1, 2], 4.0)].into_iter().collect::<Dict<_, _>>(), &pairs[..2]) => vec![4.0, 0.5],
    );
}

#[test]
fn they_are_options_and_in_them_and_in_bytes() {
    rule!(
        weld!(|v: &[Option<[f64; 2]>], w: [Option<i64>; 2]| (v.flatten().map(|p| p.sum()).sum(), w.to_vec().flatten()));
        (&[None, Some([1.0, 2.0])], [Some(7), None]) => (3.0, vec![7i64]),
    );
    rule!(
        weld!(|p: [i16; 3]| (deserialize[[i16; 3]](serialize(p)) == p, serialize(p)));
        ([1, -1, 256]) => (true, vec![1u8, 0, 255, 255, 0, 1]),
    );
}
