use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Point {
    x: f64,
    y: f64,
}

fn main() {
    let kernel = weld!(|points: &[Point], k: f64| {
        let moved = points.map(|p| Point { z: p.x + k, y: p.w, ..p });
        let Point { x, z } = moved[0];
        (moved.map(|p| Point { x: p.y }), moved.map(|p| Point(p.x, p.q)), z + moved.y)
    });
    let _ = kernel;
}
