//! Structs of Rust as elements: read by name, made by name, returned as themselves.

use weldment::{Kernel, Weld, weld};

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Segment {
    a: Point,
    b: Point,
    id: i64,
}

static LENGTHS: Kernel<fn(&[Segment]) -> f64> = weld!(|s: &[Segment]| s
    .map(|s| ((s.a.x - s.b.x) * (s.a.x - s.b.x) + (s.a.y - s.b.y) * (s.a.y - s.b.y)).sqrt())
    .sum());

#[test]
fn first() {
    let p = Point { x: 1.0, y: 2.0 };
    let q = Point { x: 4.0, y: 6.0 };
    assert_eq!(LENGTHS(&[Segment { a: p, b: q, id: 1 }]), 5.0);
    let moved = weld!(|p: &[Point], dx: f64| p.map(|p| Point { x: p.x + dx, ..p }));
    assert_eq!(moved(&[p, q], 1.0), [Point { x: 2.0, y: 2.0 }, Point { x: 5.0, y: 6.0 }]);
}
