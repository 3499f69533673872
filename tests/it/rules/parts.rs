//! Parts of vectors, and vectors one after the other: how many elements there are where fewer stand than are asked for, and in which order.

use weldment::FaultKind;

use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn the_first_and_the_last_are_taken_and_skipped() {
    let v = [3i64, -1, 4, 1];
    let all = || v.to_vec();
    let none = Vec::<i64>::new;
    rule!(
        weld!(|v: &[i64], n: i64| (v.take(n), v.skip(n), v.drop(n).sum(), v.map(|x| x * 2).take(n).sum()));
        (&v[..], 0) => (none(), all(), 7i64, 0i64),
        (&v[..], 1) => (vec![3i64], vec![-1i64, 4, 1], 4i64, 6i64),
        (&v[..], 4) => (all(), none(), 0i64, 14i64),
        (&v[..], 5) => (all(), none(), 0i64, 14i64),
        (&v[..], i64::MAX) => (all(), none(), 0i64, 14i64),
        (&v[..], -1) => (vec![1i64], vec![3i64, -1, 4], 6i64, 2i64),
        (&v[..], -4) => (all(), none(), 0i64, 14i64),
        (&v[..], i64::MIN) => (all(), none(), 0i64, 14i64),
        (&[][..], 2) => (none(), none(), 0i64, 0i64),
        (&[][..], -2) => (none(), none(), 0i64, 0i64),
    );
    rule!(
        weld!(|v: &[i64], n: u8| (v.filter(|x| x > 0).take(n), (0..n as i64).skip(1), zip(v, v.rev()).take(n).len()));
        (&v[..], 2) => (vec![3i64, 4], vec![1i64], 2i64),
        (&v[..], 255) => (vec![3i64, 4, 1], (1..255).collect::<Vec<i64>>(), 4i64),
        (&[][..], 1) => (none(), none(), 0i64),
    );
    rule!(
        weld!(|v: &[Vec<i64>], n: i64| v.take(n).flatten().rev());
        (&[vec![1i64, 2], vec![], vec![3]][..], 2) => vec![2i64, 1],
        (&[vec![1i64, 2], vec![], vec![3]][..], -2) => vec![3i64],
    );
}

#[test]
fn neighbours_are_two_parts_of_one_length() {
    rule!(
        weld!(|v: &[i64]| zip(v.take(len(v) - 1), v.skip(1)).map(|(a, b)| b - a));
        (&[3i64, -1, 4, 1][..]) => vec![-4i64, 5, -3],
        (&[3i64][..]) => Vec::<i64>::new(),
        (&[][..]) => Vec::<i64>::new(),
    );
    rule!(
        weld!(|v: &[i64]| zip(v, v.skip(1)).map(|(a, b)| b - a));
        (&[3i64, 4][..]) => Fault(FaultKind::ZipLengthMismatch, "map"),
        (&[][..]) => Vec::<i64>::new(),
    );
}

#[test]
fn steps_and_reverse_order() {
    let v = [3i64, -1, 4, 1, 5];
    let no_step = || Fault(FaultKind::IndexOutOfBounds, "step_by");
    rule!(
        weld!(|v: &[i64], n: i64| v.step_by(n));
        (&v[..], 1) => v.to_vec(),
        (&v[..], 2) => vec![3i64, 4, 5],
        (&v[..], 3) => vec![3i64, 1],
        (&v[..], 5) => vec![3i64],
        (&v[..], i64::MAX) => vec![3i64],
        (&[][..], 2) => Vec::<i64>::new(),
        (&v[..], 0) => no_step(),
        (&v[..], -1) => no_step(),
        (&[][..], i64::MIN) => no_step(),
    );
    rule!(
        weld!(|v: &[i64], n: i64| (v.rev(), v.reverse().step_by(n), v.step_by(n).rev().map(|x| x * 10), v.rev().skip(1).enumerate()));
        (&v[..], 2) => (
            vec![5i64, 1, 4, -1, 3],
            vec![5i64, 4, 3],
            vec![50i64, 40, 30],
            vec![(0i64, 1i64), (1, 4), (2, -1), (3, 3)],
        ),
        (&[7i64][..], 2) => (vec![7i64], vec![7i64], vec![70i64], Vec::<(i64, i64)>::new()),
        (&[][..], 2) => (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i64>::new(), Vec::<(i64, i64)>::new()),
    );
}

#[test]
fn one_vector_follows_another() {
    let v = [3i64, -1, 4];
    rule!(
        weld!(|v: &[i64], w: &[i64]| (v.chain(w), v.map(|x| x * 2).chain(w.filter(|x| x > 0)).sum(), (0..2).chain(v).len()));
        (&v[..], &[5i64, -9][..]) => (vec![3i64, -1, 4, 5, -9], 17i64, 5i64),
        (&[][..], &v[..]) => (v.to_vec(), 7i64, 2i64),
        (&v[..], &[][..]) => (v.to_vec(), 12i64, 5i64),
        (&[][..], &[][..]) => (Vec::<i64>::new(), 0i64, 2i64),
    );
    rule!(
        weld!(|v: &[Vec<u8>], w: &[u8]| v.chain([w]));
        (&[vec![1u8], vec![]][..], &[2u8, 3][..]) => vec![vec![1u8], vec![], vec![2, 3]],
    );
}
