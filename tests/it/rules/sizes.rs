//! `usize` and `isize`: parameters, fields and results of programs that have them as i64 inside.

use weldment::{Array, FaultKind, Weld, weld};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Edge {
    from: usize,
    to: Option<usize>,
    ends: [usize; 2],
    weight: f64,
}

#[derive(Clone, Debug, PartialEq, Weld)]
struct Node {
    neighbours: Vec<usize>,
    shift: (isize, f32),
}

fn edges() -> Vec<Edge> {
    (0..40usize)
        .map(|n| Edge {
            from: n * 7 % 11,
            to: (n % 3 > 0).then_some(n),
            ends: [n, 2 * n],
            weight: n as f64 / 4.0,
        })
        .collect()
}

#[test]
fn parameters_are_numbers_inside() {
    let at: Vec<usize> = vec![3, 0, 2, 2];
    let values = [0.5, 1.5, 2.5, 3.5];
    rule!(
        weld!(|v: &[usize], w: &[f64]| (v.map(|i| w[i]), v.sum(), v.max(), v.sort(), v.distinct(), v.contains(2)));
        (&at[..], &values) =>
            (vec![3.5, 0.5, 2.5, 2.5], 7i64, 3i64, vec![0i64, 2, 2, 3], vec![3i64, 0, 2], true),
        (&[4][..], &values) => Fault(FaultKind::IndexOutOfBounds, "[i]), v.sum()"),
    );
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |v: &[usize], w: &[f64]| v.map(|i| w[i] * 2.0).sum());
        (&at[..], &values) => 18.0,
    );
    rule!(
        weld!(|n: usize, k: isize, p: &[(usize, f64)], o: Option<usize>| {
            (n + 1, k * -1, p.map(|(i, x)| i as f64 + x).sum(), o.unwrap_or(n), (0..n).map(|i: usize| i as usize).len())
        });
        (5, -2, &[(1, 0.5), (2, 0.25)], None) => (6i64, 2i64, 3.75, 5i64, 5i64),
        (0, 3, &[], Some(9)) => (1i64, -3i64, 0.0, 9i64, 0i64),
    );
    rule!(
        weld!(|rows: &[Vec<usize>]| rows.map(|row| row.sum()));
        (&[vec![1, 2], vec![], vec![usize::MAX]]) => vec![3i64, 0, -1],
    );
}

#[test]
fn results_that_are_declared_are_sizes() {
    rule!(
        weld!(|v: &[f64]| -> Vec<usize> { v.argsort() });
        (&[2.5, 0.5, 1.5]) => vec![1usize, 2, 0],
    );
    rule!(
        weld!(|v: &[f64], n: usize| -> (usize, isize, Vec<(usize, f64)>, Option<usize>, [usize; 2]) {
            (v.len(), -1, v.enumerate(), v.position(|x| x > 1.0), [n, n + 1])
        });
        (&[0.5, 1.5], 7) => (2usize, -1isize, vec![(0usize, 0.5), (1, 1.5)], Some(1usize), [7usize, 8]),
        (&[], 0) => (0usize, -1isize, Vec::<(usize, f64)>::new(), None::<usize>, [0usize, 1]),
    );
    rule!(
        weld!(|rows: &[Vec<isize>]| -> Vec<Vec<usize>> { rows.map(|row| row.filter(|i| i != 0)) });
        (&[vec![1, 0, 2], vec![]]) => vec![vec![1usize, 2], vec![]],
    );
}

#[test]
fn fields_of_structs_are_numbers_where_they_are_read() {
    let edges = edges();
    rule!(
        weld!(|v: &[Edge]| (
            v.map(|e| e.from + e.ends[1] + e.to.unwrap_or(100)).sum(),
            v.reduce_by(|e| e.from, |e| e.weight, +).len(),
            v.filter(|Edge { from, to, .. }| to.is_some() && from > 5).count(),
            v.sort_by_key(|e| e.from).map(|e| e.ends[0]).first(),
        ));
        (&edges[..]) => (
            edges.iter().map(|e| (e.from + e.ends[1] + e.to.unwrap_or(100)) as i64).sum::<i64>(),
            11i64,
            edges.iter().filter(|e| e.to.is_some() && e.from > 5).count() as i64,
            Some(0i64),
        ),
    );
    rule!(
        weld!(|v: &[Edge], n: usize| v.map(|e| Edge { from: e.from * n, ends: [e.ends[1], 0], to: e.to.map(|t| t - 1), ..e }));
        (&edges[..], 3) => edges
            .iter()
            .map(|e| Edge { from: e.from * 3, ends: [e.ends[1], 0], to: e.to.map(|t| t - 1), ..*e })
            .collect::<Vec<_>>(),
    );
    let nodes =
        [Node { neighbours: vec![1, 2], shift: (-1, 0.5) }, Node { neighbours: vec![], shift: (4, 1.5) }];
    rule!(
        weld!(|v: &[Node]| (v.map(|n| n.neighbours.sum() + n.shift.0), v.flat_map(|n| n.neighbours), v.map(|n| Node { neighbours: n.neighbours.map(|i| i + 1), ..n })));
        (&nodes[..]) => (
            vec![2i64, 4],
            vec![1i64, 2],
            vec![Node { neighbours: vec![2, 3], ..nodes[0].clone() }, nodes[1].clone()],
        ),
    );
}

#[test]
fn structs_with_sizes_compare_and_are_keys() {
    let edges = edges();
    rule!(
        weld!(|v: &[Edge]| (v[0] == v[1], v.distinct().len(), v.sort()[0], v.max_by_key(|e| e.from).weight));
        (&edges[..]) => (false, 40i64, edges[0], edges[3].weight),
    );
}

#[test]
fn arrays_and_views_have_them_as_elements() {
    let at = Array::new(vec![1usize, 0, 2, 1], [2, 2]).expect("four elements");
    rule!(
        weld!(|a: &Array<usize, 2>, v: &[f64]| -> (Array<usize, 2>, f64) { (a.map(|i| i + 1), a.map(|i| v[i]).sum()) });
        (&at, &[0.5, 1.5, 2.5]) => (Array::new(vec![2usize, 1, 3, 2], [2, 2]).expect("four elements"), 6.0),
    );
    let columns = weld!(|a: ArrayView<usize, 2>, v: &[f64]| a.map(|i| v[i]).sum(0).flat());
    assert_eq!(columns(at.view().transpose(), &[0.5, 1.5, 2.5]), [2.0, 4.0]);
}
