//! The laws of arrays, on arrays of many shapes.

use weldment::Array;

use super::arrays::{array, over};
use super::rule;

/// Vectors of several extents, at other coordinates, too.
fn lines() -> Vec<Array<i64, 1>> {
    let mut lines: Vec<Array<i64, 1>> = [0, 1, 2, 3, 4, 7, 70]
        .map(|n: usize| array([n], (0..n as i64).map(|i| i * i % 23 - 7).collect()))
        .into();
    lines.push(over([(-3, 1, 5)], vec![3, 1, 4, 1, 5]));
    lines.push(over([(2, 3, 4)], vec![2, 7, 1, 8]));
    lines
}

/// Matrices of several shapes.
fn tables() -> Vec<Array<i64, 2>> {
    let shapes = [[0, 0], [0, 3], [1, 1], [1, 5], [4, 3], [7, 2], [3, 41]];
    let mut tables: Vec<Array<i64, 2>> = shapes
        .map(|shape| Array::from_fn(shape, |[i, j]| i * 31 % 17 - j * 7 % 13).expect("few points"))
        .into();
    tables.push(over([(1, 2, 2), (-1, 1, 3)], vec![1, 2, 3, 4, 5, 6]));
    tables
}

#[test]
fn views_compose() {
    for a in &tables() {
        rule!(
            weld!(|a: &Array<i64, 2>| (
                a.drop(1).drop(2).flat() == a.drop(3).flat(),
                a.drop(1).drop(0, 1) == a.drop(1, 1),
                a.transpose().transpose() == a,
                a.reverse(0).reverse(1) == a.reverse(),
                a.map(|x| x * x).transpose() == a.transpose().map(|x| x * x),
                a.rotate(1).rotate(0, 1) == a.rotate(1, 1),
                a.rotate(2).rotate(-2) == a,
            ));
            (a) => (true, true, true, true, true, true, true),
        );
        rule!(
            weld!(|a: &Array<i64, 2>, k: i64| (
                a.shift(k).shift(-k) == a,
                a.shift(k, 1).shift(k, 2) == a.shift(2 * k, 3),
                a.shift(k).flat() == a.flat(),
                stack(0, a, a).take(extent(a, 0)).flat() == a.flat(),
                overwrite(a, a) == a,
                pad(a, (1, 2), 0).drop(1, 2).drop(-1, -2).flat() == a.flat(),
            ));
            (a, 5) => (true, true, true, true, true, true),
        );
    }
}

#[test]
fn shifts_of_cursors_add_up() {
    for u in &lines() {
        rule!(
            weld!(|u: &Array<i64, 1>, k: i64| (
                u.stencil(wrap, |c| c.shift(1).shift(2)[0]) == u.stencil(wrap, |c| c[3]),
                u.stencil(wrap, |c| c.shift(k).shift(1)[-2]) == u.stencil(wrap, |c| c[k - 1]),
                u.stencil(clamp, |c| c.shift(2).shift(-1)[1]) == u.stencil(clamp, |c| c[2]),
                u.stencil(pad(9), |c| c.shift(2).shift(-1)[1]) == u.stencil(pad(9), |c| c[2]),
                u.stencil(|c| c.shift(2).shift(-1)[-1]) == u,
            ));
            (u, 4) => (true, true, true, true, true),
        );
    }
}

#[test]
fn what_is_lifted_is_what_a_stencil_gives() {
    for u in &lines() {
        rule!(
            weld!(|u: &Array<i64, 1>| {
                let g = |x| x[1] - x[-1];
                (u.stencil(|c| lift(g, c)[0]) == u.stencil(g),
                 u.stencil(|c| lift(g, c)[1]) == u.stencil(g).stencil(|c| c[1]),
                 u.stencil(wrap, |c| lift(g, c)[1]) == u.stencil(wrap, g).stencil(wrap, |c| c[1]),
                 u.stencil(clamp, |c| lift(g, c)[-2]) == u.stencil(clamp, g).stencil(clamp, |c| c[-2]),
                 u.stencil(pad(0), |c| lift(g, c)[1]) == u.stencil(pad(0), g).stencil(pad(0), |c| c[1]))
            });
            (u) => (true, true, true, true, true),
        );
        // Of a function of what is lifted.
        rule!(
            weld!(|u: &Array<i64, 1>| {
                let g = |x| 2 * x[1] - x[0];
                let h = |x| x[-1] * x[1];
                (u.stencil(|c| lift(|x| h(lift(g, x)), c)[1]) == u.stencil(g).stencil(h).stencil(|c| c[1]),
                 u.stencil(wrap, |c| lift(|x| h(lift(g, x)), c)[1]) == u.stencil(wrap, g).stencil(wrap, h).stencil(wrap, |c| c[1]))
            });
            (u) => (true, true),
        );
    }
}

#[test]
fn steps_add_up() {
    for u in &lines() {
        rule!(
            weld!(|u: &Array<i64, 1>, m: i64, n: i64| {
                let step = |u| u.stencil(wrap, |c| c[-1] + c[1]);
                (times(m + n, u, step) == times(m, times(n, u, step), step), times(0, u, step) == u)
            });
            (u, 2, 3) => (true, true),
        );
    }
}
