//! How many loops the programs that arrays are for become, and how many arrays are in memory between them. A loop within another counts.

use weldment::Program;

/// Programs, loops, and intermediates.
const PROGRAMS: [(&str, &str, usize, usize); 10] = [
    (
        // Two sweeps at a time, and an odd one.
        "sweeps",
        "|u: array[f64, 2], n: i64| times(n, u, |u| overwrite(u, u.stencil(|c| c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])))",
        2,
        0,
    ),
    (
        "a blur",
        "|p: array[u8, 2]| p.stencil(clamp, |c| u8((i32(c[-1, -1]) + i32(c[0, 0]) + i32(c[1, 1])) / 3))",
        1,
        0,
    ),
    (
        // Rows between are computed where they are read.
        "a blur in two passes",
        "|p: array[u8, 2]| p.stencil(clamp, |c| i32(c[0, -1]) + i32(c[0, 0]) + i32(c[0, 1]))
            .stencil(clamp, |c| u8((c[-1, 0] + c[0, 0] + c[1, 0]) / 9))",
        2,
        0,
    ),
    (
        "fluxes of fluxes",
        "|u: array[f64, 2], a: array[f64, 2]| {
            let lap = |x| 4.0 * x[0, 0] - (x[1, 0] + x[-1, 0] + x[0, 1] + x[0, -1]);
            let along_i = |x| { let l = lift(lap, x); l[1, 0] - l[0, 0] };
            let along_j = |x| { let l = lift(lap, x); l[0, 1] - l[0, 0] };
            stencil((u, a), |u, a| {
                let (p, q) = (lift(along_i, u), lift(along_j, u));
                u[0, 0] - a[0, 0] * (p[0, 0] - p[-1, 0] + q[0, 0] - q[0, -1])
            }) }",
        1,
        0,
    ),
    ("a product", "|a: array[f64, 2], b: array[f64, 2]| inner(a, b)", 2, 0),
    (
        "to a coarse grid",
        "|u: array[f64, 2]| array(((extent(u, 0) + 1) / 2, (extent(u, 1) + 1) / 2), |i, j|
            0.5 * u.get((2 * i, 2 * j), 0.0) + 0.25 * (u.get((2 * i, 2 * j - 1), 0.0) + u.get((2 * i - 1, 2 * j), 0.0)))",
        1,
        0,
    ),
    (
        "from a coarse grid",
        "|v: array[f64, 2], n: i64| array((n, n), |i, j| if j % 2 == 0 { v[i / 2, j / 2] } else {
            0.5 * (v[i / 2, j / 2] + v[i / 2 + i % 2, j / 2 + 1]) })",
        1,
        0,
    ),
    (
        "four grids put together",
        "|v: array[f64, 2]| { let e = v.move_to(0, 0).spread(2, 2);
            fuse(e, (e * 2.0).shift(0, 1), (e * 3.0).shift(1, 0), (e * 4.0).shift(1, 1)) }",
        1,
        0,
    ),
    (
        "every second point of a stencil",
        "|u: array[f64, 2]| u.stencil(clamp, |c| c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])[.. step 2, .. step 2]",
        1,
        0,
    ),
    (
        "sums over edges",
        "axis Vertex; axis Edge; |v2e: array[i32; Vertex, 6], f: array[f64; Edge]|
            array(extent(v2e, 0), |v| neighbours(v2e, v).map(|e| f[e]).sum())",
        2,
        0,
    ),
];

#[test]
fn programs_are_as_few_loops_as_by_hand() {
    for (name, text, loops, stored) in PROGRAMS {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = program.explain().expect("sound passes").report;
        let after = [report.loops.after, report.materialized.after];
        assert_eq!(after, [loops, stored], "{name}: {report}");
    }
}
