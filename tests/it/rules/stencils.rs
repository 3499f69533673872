//! Stencils: which points they have, what they read outside, and functions that are lifted to them.

use weldment::{Array, FaultKind};

use super::arrays::{array, over, table};
use super::rule;
use crate::pairs::Outcome::Fault;

/// What `f` gives for each point of an array, with what reads its elements.
fn each(shape: [i64; 2], f: impl Fn(i64, i64) -> i64) -> Array<i64, 2> {
    Array::from_fn(shape.map(|extent| extent as usize), |[i, j]| f(i, j)).expect("few points")
}

/// A table of so many rows and columns.
fn numbers(n: i64, m: i64) -> Array<i64, 2> {
    each([n, m], |i, j| i * 31 + j * 7 % 13)
}

#[test]
fn without_a_policy_there_are_the_points_from_which_all_is_inside() {
    rule!(
        weld!(|u: &Array<i64, 2>| u.stencil(|c| c[-1, 0] + 10 * c[0, 2] - c[0, 0]));
        (&table()) => over([(1, 1, 2), (0, 1, 2)], vec![3i64 + 10 * -2 - 5, -1 + 10 * 6 - 9, 5 + 10 * 5 - 5, 9 + 10 * -8 - 3]),
        (&array([1, 4], vec![1, 2, 3, 4])) => over([(1, 1, 0), (0, 1, 2)], Vec::<i64>::new()),
        (&array([3, 1], vec![1, 2, 3])) => over([(1, 1, 2), (0, 1, 0)], Vec::<i64>::new()),
        (&array([0, 0], vec![])) => over([(1, 1, 0), (0, 1, 0)], Vec::<i64>::new()),
        (&over([(5, 1, 2), (-3, 1, 3)], vec![1, 2, 3, 4, 5, 6])) => over([(6, 1, 1), (-3, 1, 1)], vec![1 + 60 - 4i64]),
    );
    // Offsets are in steps of the array, and those of both branches count.
    rule!(
        weld!(|u: &Array<i64, 1>| u.stencil(|c| if c[1] > 2 { c[2] } else { c[-1] }));
        (&over([(4, 3, 5)], vec![1, 2, 3, 4, 5])) => over([(7, 3, 2)], vec![4i64, 5]),
        (&array([2], vec![1, 2])) => over([(1, 1, 0)], Vec::<i64>::new()),
    );
    // A point that reads only beside itself may lie outside.
    rule!(
        weld!(|u: &Array<i64, 1>| (u.stencil(|c| c[1]), u.stencil(|c| c[2] + c[3]), u.stencil(|_| 7L)));
        (&array([4], vec![1, 2, 3, 4])) =>
            (over([(-1, 1, 4)], vec![1i64, 2, 3, 4]), over([(-2, 1, 3)], vec![3i64, 5, 7]), array([4], vec![7i64; 4])),
    );
}

#[test]
fn several_arrays_are_read_at_their_common_points() {
    rule!(
        weld!(|u: &Array<i64, 2>, f: &Array<i64, 2>| stencil((u, f), |u, f| u[0, 1] - u[0, -1] + 100 * f[1, 0]));
        (&numbers(4, 5), &numbers(4, 5)) => {
            let a = numbers(4, 5);
            over([(0, 1, 3), (1, 1, 3)], each([3, 3], |i, j| a[[i, j + 2]] - a[[i, j]] + 100 * a[[i + 1, j + 1]]).into_vec())
        },
        (&over([(2, 1, 2), (0, 1, 4)], vec![1, 2, 3, 4, 5, 6, 7, 8]), &over([(1, 1, 3), (1, 1, 2)], vec![1, 2, 3, 4, 5, 6])) =>
            over([(2, 1, 1), (1, 1, 2)], vec![3 - 1 + 500i64, 4 - 2 + 600]),
        (&over([(9, 1, 1), (0, 1, 3)], vec![1, 2, 3]), &array([2, 2], vec![1, 2, 3, 4])) =>
            over([(9, 1, 0), (1, 1, 1)], Vec::<i64>::new()),
        (&over([(0, 2, 3), (0, 1, 3)], vec![1, 2, 3, 4, 5, 6, 7, 8, 9]), &over([(0, 1, 2), (0, 1, 2)], vec![1, 2, 3, 4])) =>
            Fault(FaultKind::ShapeMismatch, "stencil"),
    );
    // With a policy they must have the same ones.
    rule!(
        weld!(|u: &Array<i64, 1>, f: &Array<i64, 1>| stencil((u, f), clamp, |u, f| 10 * u[-1] + f[1]));
        (&array([3], vec![1, 2, 3]), &array([3], vec![4, 5, 6])) => array([3], vec![15i64, 16, 26]),
        (&array([3], vec![1, 2, 3]), &array([2], vec![4, 5])) => Fault(FaultKind::ShapeMismatch, "stencil"),
        (&array([2], vec![1, 2]), &over([(1, 1, 2)], vec![4, 5])) => Fault(FaultKind::ShapeMismatch, "stencil"),
    );
    // Also where nobody asks for the coordinates.
    rule!(
        weld!(|u: &Array<i64, 1>, f: &Array<i64, 1>| stencil((u, f), clamp, |u, f| 10 * u[-1] + f[1]).sum());
        (&array([2], vec![1, 2]), &array([2], vec![4, 5])) => 30i64,
        (&array([2], vec![1, 2]), &over([(1, 1, 2)], vec![4, 5])) => Fault(FaultKind::ShapeMismatch, "stencil"),
        (&array([2], vec![1, 2]), &over([(0, 3, 2)], vec![4, 5])) => Fault(FaultKind::ShapeMismatch, "stencil"),
    );
}

#[test]
fn a_policy_says_what_is_outside() {
    let clamp = |at: i64, n: i64| at.clamp(0, n - 1);
    for (n, m) in [(0, 0), (1, 1), (1, 5), (2, 3), (4, 6), (3, 40)] {
        let a = &numbers(n, m);
        rule!(
            weld!(|u: &Array<i64, 2>| u.stencil(clamp, |c| c[-1, -2] + 10 * c[0, 0] + 100 * c[3, 1]));
            (a) => each([n, m], |i, j| a[[clamp(i - 1, n), clamp(j - 2, m)]] + 10 * a[[i, j]] + 100 * a[[clamp(i + 3, n), clamp(j + 1, m)]]),
        );
        rule!(
            weld!(|u: &Array<i64, 2>| u.stencil(wrap, |c| c[-1, -2] + 10 * c[0, 0] + 100 * c[3, 1]));
            (a) => each([n, m], |i, j| {
                let at = |i: i64, j: i64| a[[i.rem_euclid(n), j.rem_euclid(m)]];
                at(i - 1, j - 2) + 10 * at(i, j) + 100 * at(i + 3, j + 1)
            }),
        );
        rule!(
            weld!(|u: &Array<i64, 2>, v: i64| u.stencil(pad(v), |c| c[-1, -2] + 10 * c[0, 0] + 100 * c[3, 1]));
            (a, 7) => each([n, m], |i, j| {
                let inside = |i: i64, j: i64| (0..n).contains(&i) && (0..m).contains(&j);
                let at = |i: i64, j: i64| if inside(i, j) { a[[i, j]] } else { 7 };
                at(i - 1, j - 2) + 10 * at(i, j) + 100 * at(i + 3, j + 1)
            }),
        );
    }
    // What is padded may be of any type.
    rule!(
        weld!(|u: &Array<(i64, f64), 1>| u.stencil(pad((0, 0.5)), |c| (c[-1].0 + c[1].0, c[1].1)));
        (&array([3], vec![(1, 1.0), (2, 2.0), (3, 3.0)])) => array([3], vec![(2i64, 2.0), (4, 3.0), (2, 0.5)]),
    );
}

#[test]
fn offsets_may_be_known_at_run_time_where_a_policy_is() {
    rule!(
        weld!(|u: &Array<i64, 1>, k: i64| (
            u.stencil(clamp, |c| c.shift(k)[0]),
            u.stencil(wrap, |c| c[k]),
            u.stencil(pad(-1), |c| { let d = c.shift(k); if d.exists(0) { d[0] } else { -2 } }),
        ));
        (&array([3], vec![1, 2, 3]), 1) => (array([3], vec![2i64, 3, 3]), array([3], vec![2i64, 3, 1]), array([3], vec![2i64, 3, -2])),
        (&array([3], vec![1, 2, 3]), -2) => (array([3], vec![1i64, 1, 1]), array([3], vec![2i64, 3, 1]), array([3], vec![-2i64, -2, 1])),
        (&array([3], vec![1, 2, 3]), i64::MAX) => (array([3], vec![3i64, 3, 3]), array([3], vec![2i64, 3, 1]), array([3], vec![-2i64, -2, -2])),
        (&array([0], vec![]), 5) =>
            (array([0], Vec::<i64>::new()), array([0], Vec::<i64>::new()), array([0], Vec::<i64>::new())),
    );
}

#[test]
fn offsets_beyond_any_array_are_outside() {
    rule!(
        weld!(|u: &Array<i64, 1>| (
            u.stencil(clamp, |c| c[9223372036854775807]),
            u.stencil(clamp, |c| c.shift(-9223372036854775807)[-9223372036854775807]),
            u.stencil(pad(7), |c| c[9223372036854775807] + c[4294967297]),
            u.stencil(wrap, |c| c[4294967296]),
            u.stencil(|c| c[4294967296] - c[-4294967296]),
        ));
        (&array([3], vec![1, 2, 3])) => (
            array([3], vec![3i64, 3, 3]),
            array([3], vec![1i64, 1, 1]),
            array([3], vec![14i64, 14, 14]),
            array([3], vec![2i64, 3, 1]),
            over([(4294967296, 1, 0)], Vec::<i64>::new()),
        ),
    );
    // Of what is lifted, each point is computed once where there is no policy, however often it is read.
    rule!(
        weld!(|u: &Array<i64, 1>| {
            let f = |x| x[1] + x[-1];
            let g = |x| { let l = lift(f, x); l[1] + l[-1] };
            let h = |x| { let l = lift(g, x); l[1] + l[-1] };
            u.stencil(|c| { let l = lift(h, c); l[1] + l[-1] })
        });
        (&array([10], vec![1, 0, 0, 0, 5, 0, 0, 0, 1, 1])) => over([(4, 1, 2)], vec![1 + 6 * 5 + 1, 1i64]),
    );
}

#[test]
fn a_cursor_knows_where_it_stands() {
    rule!(
        weld!(|u: &Array<i64, 2>| (
            u.stencil(|c| c.at().0 * 100 + c.at().1 * 10 + c[0, 1]),
            u.stencil(wrap, |c| { let (i, j) = c.shift(1, -1).at(); i * 10 + j + 0 * c[0, 0] }),
            u.stencil(pad(0), |c| i64(c.exists(-1, 0)) + 2 * i64(c.exists(0, 1)) + 4 * i64(c.exists(0, 0))),
        ));
        (&over([(3, 1, 2), (0, 2, 2)], vec![1, 2, 3, 4])) => (
            over([(3, 1, 2), (-2, 2, 2)], vec![281i64, 302, 383, 404]),
            over([(3, 1, 2), (0, 2, 2)], vec![38i64, 40, 48, 50]),
            over([(3, 1, 2), (0, 2, 2)], vec![6i64, 4, 7, 5]),
        ),
    );
}

#[test]
fn functions_are_lifted_to_cursors() {
    // The second difference is the difference of differences.
    rule!(
        weld!(|u: &Array<i64, 1>| {
            let d = |c| c[1] - c[0];
            (u.stencil(|c| lift(d, c)[1] - lift(d, c)[0]), u.stencil(d).stencil(d), u.stencil(|c| lift(|x| lift(d, x)[2], c)[-1]))
        });
        (&array([6], vec![1, 4, 9, 17, 30, 2])) => (
            array([4], vec![2i64, 3, 5, -41]),
            array([4], vec![2i64, 3, 5, -41]),
            over([(-1, 1, 5)], vec![3i64, 5, 8, 13, -28]),
        ),
    );
    // With a policy, what is lifted follows it, too: that is two passes.
    rule!(
        weld!(|u: &Array<i64, 1>| {
            let d = |c| c[1] - 3 * c[-2];
            (u.stencil(clamp, |c| lift(d, c)[1] - lift(d, c)[-1]) == u.stencil(clamp, d).stencil(clamp, |c| c[1] - c[-1]),
             u.stencil(wrap, |c| lift(d, c)[1] - lift(d, c)[-1]) == u.stencil(wrap, d).stencil(wrap, |c| c[1] - c[-1]),
             u.stencil(pad(5), |c| lift(d, c)[1] - lift(d, c)[-1]) == u.stencil(pad(5), d).stencil(pad(5), |c| c[1] - c[-1]))
        });
        (&array([6], vec![1, 4, 9, 17, 30, 2])) => (true, true, true),
        (&array([1], vec![4])) => (true, true, true),
        (&array([0], vec![])) => (true, true, true),
    );
    // Several cursors, and what stands around.
    rule!(
        weld!(|u: &Array<f64, 1>, w: &Array<f64, 1>, k: f64| {
            let flux = |x, y| k * x[1] * y[0] + x[0];
            stencil((u, w), |u, w| { let own = u[0]; lift(|x, y| flux(x, y) * own, (u, w))[1] - u.map(|x| x * 0.5)[1] })
        });
        (&array([4], vec![1.0, 2.0, 3.0, 4.0]), &array([4], vec![0.5, 1.5, 2.5, 3.5]), 2.0) => array([2], vec![
            (2.0 * 3.0 * 1.5 + 2.0) * 1.0 - 1.0,
            (2.0 * 4.0 * 2.5 + 3.0) * 2.0 - 1.5,
        ]),
    );
}

#[test]
fn sweeps_repeat() {
    rule!(
        weld!(|u: &Array<f64, 2>, n: i64| times(n, u, |u| overwrite(u, u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])))));
        (&array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 0.0, 16.0, 2.0, 4.0, 4.0, 0.0, 8.0]), 1) =>
            array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 6.25, 2.5, 2.0, 4.0, 4.0, 0.0, 8.0]),
        (&array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 0.0, 16.0, 2.0, 4.0, 4.0, 0.0, 8.0]), 0) =>
            array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 0.0, 16.0, 2.0, 4.0, 4.0, 0.0, 8.0]),
        (&array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 0.0, 16.0, 2.0, 4.0, 4.0, 0.0, 8.0]), -3) =>
            array([3, 4], vec![0.0, 4.0, 8.0, 0.0, 1.0, 0.0, 16.0, 2.0, 4.0, 4.0, 0.0, 8.0]),
        (&array([1, 2], vec![1.0, 2.0]), 5) => array([1, 2], vec![1.0, 2.0]),
        (&over([(2, 1, 3), (7, 1, 3)], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), 2) =>
            over([(2, 1, 3), (7, 1, 3)], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
    );
}
