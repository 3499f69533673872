//! Named axes, and what goes through tables of neighbours.

use weldment::{Array, FaultKind};

use super::arrays::{array, over};
use super::rule;
use crate::pairs::Outcome::Fault;

/// Of five vertices the edges: of one only the second, of another none.
fn edges() -> Array<i32, 2> {
    array([5, 3], vec![0, 3, -1, 0, 1, 4, -1, 2, -1, 2, 3, 4, -1, -1, -1])
}

fn field() -> Array<f64, 1> {
    array([5], vec![1.5, 2.0, 4.0, 8.0, 0.25])
}

#[test]
fn neighbours_that_are_missing_are_left_out() {
    rule!(
        weld!(axis Vertex; axis Edge; |t: &Array<i32; Vertex, 3>, f: &Array<f64; Edge>| array(extent(t, 0), |v| (
            neighbours(t, v).map(|e| f[e]).sum(),
            neighbours(t, v).count(),
            neighbours(t, v).fold(1.0, |s, e| s * 0.5 + f[e]),
            zip(neighbours(t, v), [1.0, 2.0, 3.0]).map(|(e, w)| f[e] * w).sum(),
        )));
        (&edges(), &field()) => array([5], vec![
            (9.5, 2i64, 9.0, 17.5), (3.75, 3, 1.75, 6.25), (4.0, 1, 4.5, 8.0), (12.25, 3, 5.375, 20.75), (0.0, 0, 1.0, 0.0),
        ]),
        (&array([1, 3], vec![0, 5, -1]), &field()) => Fault(FaultKind::IndexOutOfBounds, "["),
        (&array([1, 2], vec![0, 1]), &field()) => Fault(FaultKind::BadArguments, "t"),
    );
    // Cursors are the same.
    rule!(
        weld!(axis Vertex; axis Edge; |t: &Array<i32; Vertex, 3>, w: &Array<f64; Vertex, 3>, f: &Array<f64; Edge>| f.stencil(|c| (
            neighbours(t, c).map(|e| e[0]).sum(),
            neighbours(t, c).count(),
            neighbours(t, c).fold(1.0, |s, e| s * 0.5 + e[0]),
            zip(neighbours(t, c), w[c.at()]).map(|(e, w)| e[0] * w).sum(),
            zip(w[c.at()], neighbours(t, c).map(|e| e[0])).map(|(w, x)| x * w).sum(),
            zip(w[c.at()], neighbours(t, c.at())).fold(0.0, |s, (w, e)| s + w * f[e]),
        )));
        (&edges(), &Array::from_fn([5, 3], |[_, k]| k as f64 + 1.0).unwrap(), &field()) => array([5], vec![
            (9.5, 2i64, 9.0, 17.5, 17.5, 17.5), (3.75, 3, 1.75, 6.25, 6.25, 6.25), (4.0, 1, 4.5, 8.0, 8.0, 8.0), (12.25, 3, 5.375, 20.75, 20.75, 20.75),
            (0.0, 0, 1.0, 0.0, 0.0, 0.0),
        ]),
    );
}

#[test]
fn cursors_go_through_tables() {
    let cells = &array([2, 3], vec![0, 1, 2, 2, 3, 4]);
    let edges = &array([5, 2], vec![0, 1, 1, 2, 2, 0, 2, 3, 3, 0]);
    let points = &array([4], vec![1.0, 2.0, 8.0, 4.0]);
    rule!(
        weld!(axis Cell; axis Edge; axis Vertex; |c2e: &Array<i32; Cell, 3>, e2v: &Array<i32; Edge, 2>, p: &Array<f64; Vertex>| {
            let mean = |x| 0.5 * (x.to(e2v, 0)[0] + x.to(e2v, 1)[0]);
            (p.stencil(|c| neighbours(c2e, lift(mean, c)).map(|e| e[0]).sum()), p.stencil(|c| lift(mean, c).to(c2e, 1)[0]), p.stencil(mean))
        });
        (cells, edges, points) => (array([2], vec![11.0, 13.0]), array([2], vec![5.0, 6.0]), array([5], vec![1.5, 5.0, 4.5, 6.0, 2.5])),
        (cells, &array([5, 2], vec![0, 1, 1, 2, 2, 0, 2, 3, 3, -1]), points) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
    // What limits the points: what is read around them, and the rows of tables.
    rule!(
        weld!(|t: &Array<i64, 2>, f: &Array<i64, 1>, k: i64| (
            f.stencil(|c| c[1] * 100 + c.to(t, k)[0]),
            f.stencil(|c| (c.shift(1).to(t, 0)[0], c.at())),
            f.stencil(|c| c.to(t, 0).to(t, 1)[0]),
            f.stencil(|c| (c.to(t, 0).at(), c.to(t, 1).shift(-1).at())),
            stencil((f, f.map(|x| -x)), |c, d| lift(|c, d| c.to(t, 0)[0] * 100 + d[0], (c, d))[0]),
        ));
        (&array([3, 2], vec![0, 1, 1, 2, 2, 0]), &array([3], vec![1, 2, 3]), 1) => (
            array([2], vec![202i64, 303]),
            over([(-1, 1, 3)], vec![(1i64, -1i64), (2, 0), (3, 1)]),
            array([3], vec![2i64, 3, 1]),
            array([3], vec![(0i64, 0i64), (1, 1), (2, -1)]),
            array([3], vec![99i64, 198, 297]),
        ),
        (&over([(5, 1, 2), (0, 1, 2)], vec![5, 6, 6, 6]), &over([(5, 1, 2)], vec![7, 8]), 0) => (
            over([(5, 1, 1)], vec![807i64]),
            over([(4, 1, 2)], vec![(7i64, 4i64), (8, 5)]),
            over([(5, 1, 2)], vec![8i64, 8]),
            over([(5, 1, 2)], vec![(5i64, 5i64), (6, 5)]),
            over([(5, 1, 2)], vec![693i64, 792]),
        ),
        (&array([3, 2], vec![0, 1, 1, 2, 2, 0]), &array([3], vec![1, 2, 3]), 2) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
    // A missing one harms where it is read, and nowhere else.
    rule!(
        weld!(|t: &Array<i32, 2>, f: &Array<i64, 1>| f.stencil(|c| { let e = c.to(t, 0); if t[c.at(), 0] < 0 { -1 } else { e[0] } }));
        (&array([3, 1], vec![1, -1, 0]), &array([2], vec![7, 8])) => array([3], vec![8i64, -1, 7]),
    );
    rule!(
        weld!(|t: &Array<i32, 2>, f: &Array<i64, 1>| f.stencil(|c| c.to(t, 0)[0]));
        (&array([3, 1], vec![1, -1, 0]), &array([2], vec![7, 8])) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn policies_hold_where_tables_are_read() {
    rule!(
        weld!(|t: &Array<i32, 2>, f: &Array<i64, 1>| (
            f.stencil(clamp, |c| c[1] * 100 + c.shift(1).to(t, 0)[0]),
            f.stencil(wrap, |c| lift(|x| x.to(t, 1)[0] - x[0], c)[1]),
            f.stencil(pad(-1), |c| (lift(|x| x.to(t, 1)[0], c)[1], c.to(t, 0).exists(0))),
        ));
        (&array([3, 2], vec![0, 1, 1, 2, 2, 0]), &array([3], vec![1, 2, 3])) => (
            array([3], vec![202i64, 303, 303]),
            array([3], vec![1i64, -2, 1]),
            array([3], vec![(3i64, true), (1, true), (-1, true)]),
        ),
        (&array([3, 2], vec![0, 1, -1, 2, 0, 0]), &array([3], vec![1, 2, 3])) => Fault(FaultKind::IndexOutOfBounds, "["),
        (&array([2, 2], vec![0, 1, 1, 0]), &array([3], vec![1, 2, 3])) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn cursors_seek_coordinates() {
    rule!(
        weld!(|f: &Array<i64, 2>| (
            f.stencil(|c| c.seek(|i, j| (i, lower(f, 1)))[0, 0]),
            f.stencil(clamp, |c| c.seek(|i, j| (2 * i, j - 1))[0, 0]),
            f.stencil(wrap, |c| c.seek(|i, j| (2 * i, j - 1))[0, 0]),
            f.stencil(pad(-1), |c| (c.seek(|i, j| (2 * i, j - 1))[0, 0], c.shift(0, 1).seek(|p| p)[0, -1], lift(|x| x[0, 0] * 10, c).seek(|p| p)[0, 0])),
        ));
        (&array([2, 2], vec![1, 2, 3, 4])) => (
            array([2, 2], vec![1i64, 1, 3, 3]),
            array([2, 2], vec![1i64, 1, 3, 3]),
            array([2, 2], vec![2i64, 1, 2, 1]),
            array([2, 2], vec![(-1i64, 1i64, 10i64), (1, 2, 20), (-1, 3, 30), (-1, 4, 40)]),
        ),
        (&over([(0, 2, 2), (4, 1, 1)], vec![1, 2])) => (
            over([(0, 2, 2), (4, 1, 1)], vec![1i64, 2]),
            over([(0, 2, 2), (4, 1, 1)], vec![1i64, 2]),
            over([(0, 2, 2), (4, 1, 1)], vec![1i64, 1]),
            over([(0, 2, 2), (4, 1, 1)], vec![(-1i64, 1i64, 10i64), (-1, 2, 20)]),
        ),
    );
    rule!(
        weld!(|f: &Array<i64, 1>| f.stencil(|c| c.seek(|i| i + 1)[0]));
        (&array([2], vec![1, 2])) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn views_keep_the_names_of_axes() {
    rule!(
        weld!(axis Cell; axis K; |a: &Array<i64; Cell, K>, b: &Array<i64; K, Cell>, w: &Array<i64; K>, k: i64| (
            a + b.transpose(), a[0] * w, a[.., 1..].sum(1), zip(a, a.reverse()).map(|(x, y)| x - y)[k, 0], array(domain(a), |i, j| a[i, j] * w[j]) - a,
        ));
        (&array([1, 2], vec![1, 2]), &array([2, 1], vec![10, 20]), &array([2], vec![3, 4]), 0) => (
            array([1, 2], vec![11i64, 22]), array([2], vec![3i64, 8]), array([1], vec![2i64]), -1i64, array([1, 2], vec![2i64, 6]),
        ),
    );
}

#[test]
fn tables_lead_from_the_axis_of_their_name() {
    rule!(
        weld!(axis V; axis E; axis K; |t: &Array<i32; V, 2>, s: &Array<i32; E, 1>, f: &Array<f64; E, K>, g: &Array<f64; K, E>| (
            f.stencil(|c| neighbours(t, c).map(|e| e[0, 1] - e[0, 0]).sum()),
            g.stencil(|c| c.to(s, 0)[1, 0] - c[0, 0]),
        ));
        (&array([2, 2], vec![0, 1, 1, -1]), &array([2, 1], vec![1, 0]), &array([2, 3], vec![1.0, 2.0, 4.0, 4.0, 5.0, 9.0]), &array([2, 2], vec![1.0, 2.0, 4.0, 9.0])) =>
            (array([2, 2], vec![2.0, 6.0, 1.0, 4.0]), array([1, 2], vec![8.0, 2.0])),
    );
}

#[test]
fn macros_go_from_neighbour_to_neighbour() {
    rule!(
        weld!(macro around(u, t) = (u.stencil(|c| neighbours(t, c).map(|e| e[0]).sum()));
            |t: &Array<i32, 2>, u: &Array<f64, 1>| (around(u, t), u.stencil(|c| neighbours(t, c).map(|e| e[0])[0])));
        (&array([2, 2], vec![0, 1, 1, -1]), &array([2], vec![1.0, 2.0])) =>
            (array([2], vec![3.0, 2.0]), array([2], vec![1.0, 2.0])),
        (&array([2, 2], vec![-1, 1, 1, -1]), &array([2], vec![1.0, 2.0])) =>
            (array([2], vec![2.0, 2.0]), array([2], vec![2.0, 2.0])),
    );
}
