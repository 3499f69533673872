//! Arrays whose last axes go together, pictures of pixels of any number of channels and levels of grids; and every second point of
//! them. Cut anywhere.

use proptest::prelude::*;
use weldment::{Array, Element, Options, Value, weld};

use crate::executors::as_plain;

/// What is done with a picture `p` of one shape with `q`, rows, columns and channels of each of which offsets are wanted.
const PROGRAMS: [&str; 7] = [
    "p.stencil(A |c| c[@] * 3 - c[@] + c[@])",
    "p.stencil(A |c| if c[@] > 0 { c[@] } else { c[@] - 7 })",
    "stencil((p, q), A |c, d| c[@] * d[@] - d[@])",
    "stencil((p, q), A |c, d| (c[@] + d[@], c[@] - 2)).map(|x| x.0 * x.1)",
    "p.stencil(A |c| c[@] - c[@]).stencil(A |c| c[@] + 5 * c[@])",
    "array(domain(p), |i, j, k| if 1 <= i && j < extent(p, 1) - 1 { p[i, j + 1, k] - q[i - 1, j, k] } else { q[i, j, k] })",
    "overwrite(p, p.stencil(A |c| c[@] + 2 * c[@]))",
];

#[derive(Clone, Debug)]
struct Picture {
    program: usize,
    policy: &'static str,
    offsets: Vec<[i64; 2]>,
}

impl Picture {
    fn text(&self) -> String {
        let program = PROGRAMS[self.program].replace('A', self.policy);
        let mut text = String::new();
        for (number, piece) in program.split('@').enumerate() {
            if number > 0 {
                let [i, j] = self.offsets[number - 1];
                text += &format!("{i}, {j}, 0");
            }
            text += piece;
        }
        format!("|p: array[i64, 3], q: array[i64, 3]| {text}")
    }
}

fn pictures() -> impl Strategy<Value = Picture> {
    let policy = prop::sample::select(vec!["", "clamp,", "wrap,", "pad(4),"]);
    let offsets = prop::collection::vec(prop::array::uniform2(-2i64..=2), 6);
    (0..PROGRAMS.len(), policy, offsets).prop_map(|(program, policy, offsets)| Picture {
        program,
        policy,
        offsets,
    })
}

fn argument(shape: [usize; 3], seed: i64) -> Value {
    let element = |at: [i64; 3]| at.iter().fold(seed, |sum, index| sum * 31 + index) % 41 - 20;
    Array::from_fn(shape, element).expect("a small array").to_value()
}

/// Runs a program with two arrays of each of these shapes.
fn check(text: &str, shapes: &[[usize; 3]], chunk: u64) -> Result<(), TestCaseError> {
    let calls: Vec<Vec<Value>> =
        shapes.iter().map(|&shape| [1, 2].map(|seed| argument(shape, seed)).into()).collect();
    as_plain(text, &calls, chunk)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn pixels_of_all_channels_are_what_each_is(
        picture in pictures(),
        shapes in prop::collection::vec([0usize..7, 0usize..12, 0usize..6], 3),
        chunk in 1u64..40,
    ) {
        check(&picture.text(), &shapes, chunk)?;
    }

    #[test]
    fn grids_are_scanned_level_by_level(
        scan in prop::sample::select(vec![
            "p.scan(0, 1, |s, x| s * 3 + x)",
            "p.scan_back(0, 0, |s, x| x - 2 * s)",
            "zip(p, q).scan(0, (1, 0), |(s, t), (x, y)| (s * 2 + x, t - y * s)).map(|x| x.0 - x.1)",
            "p.cumsum(0) + q.cumsum(1) - q.cumsum(2)",
            "p.scan(1, 1, |s, x| s * 3 + x)",
            "zip(p, q).scan_back(1, (1, 0), |(s, t), (x, y)| (s * 2 + x, t - y * s)).map(|x| x.0 - x.1)",
            "p.transpose().scan(1, 1, |s, x| s * 3 + x).stencil(clamp, |c| c[-1, 0, 0] + c[0, 1, 0])",
            "p.scan(0, 1, |s, x| s * 3 + x).stencil(clamp, |c| c[-1, 0, 0] + c[0, 1, 0])",
        ]),
        shapes in prop::collection::vec([0usize..7, 0usize..12, 0usize..6], 3),
        chunk in 1u64..40,
    ) {
        check(&format!("|p: array[i64, 3], q: array[i64, 3]| {scan}"), &shapes, chunk)?;
    }

    #[test]
    fn every_second_point_is_where_it_is(
        of in prop::sample::select(vec!["p", "p.move_to(0, 0, 0)", "p.shift(1, -2, 3)", "p[.., .. step 2, .. step 3]", "p.reverse()"]),
        read in prop::sample::select(vec![
            "r.get((i, 2 * j + A, 2 * k + B), 3) - 2 * r.get((i - 1, j * 4, k * 2), 5)",
            "if 2 * k + A < extent(r, 2) && j > 0 { r.get((i, j, 2 * k + B), 7) } else { k }",
            "r.get((i, j, min(max(2 * k + A, lower(r, 2)), 4)), 1) + r.get((i, j, k * 4 + B), k)",
            "r.get((i, j, k - 2 * k + A), 1) + r.get((i, 2 * j, 2 * (k + A)), 0) / 2",
            "{ let s = max(q.get((i, j, k), 1), 1); (2 * k + A) / s - (2 * k + A) % s + r.get((i, j, k / s), 3) }",
            "{ let s = max(extent(q, 1), 1); (k + A) / s - (k + A) % s + r.get((i, j, 2 * k), 3) * (k % s - k / s) }",
        ]),
        offsets in prop::array::uniform2(-3i64..=3),
        shapes in prop::collection::vec([0usize..4, 0usize..7, 0usize..33], 3),
        chunk in 1u64..40,
    ) {
        let read = read.replace('A', &offsets[0].to_string()).replace('B', &offsets[1].to_string());
        let extents = "((extent(r, 0) + 1, extent(r, 1), (extent(r, 2) + 1) / 2))";
        let program = format!("let r = {of}; array({extents}, |i, j, k| {read} + q.get((i, j, k), 0))");
        check(&format!("|p: array[i64, 3], q: array[i64, 3]| {{ {program} }}"), &shapes, chunk)?;
    }
}

#[test]
fn emitted_loops_over_pixels_give_what_the_program_means() {
    type Picture = Array<i64, 3>;
    let clamped = weld!(|p: &Array<i64, 3>| p.stencil(clamp, |c| c[-1, -1, 0] * 3 - c[0, 1, 0] + c[1, 0, 0]));
    let wrapped = weld!(|p: &Array<i64, 3>| p.stencil(wrap, |c| c[0, -1, 0] * 3 - c[0, 2, 0] + c[-1, 0, 0]));
    let inside = weld!(|p: &Array<i64, 3>| {
        overwrite(p, p.stencil(|c| c[0, -1, 0] + c[0, 1, 0] - c[1, 0, 0] * c[-1, 0, 0]))
    });
    let scanned = weld!(|p: &Array<i64, 3>| p.scan(0, 1, |s, x| s * 3 + x));
    let scanned_between = weld!(|p: &Array<i64, 3>| p.scan(1, 1, |s, x| s * 3 + x));
    let around = |p: &Picture, [i, j, k]: [i64; 3], by: [i64; 2], wraps: bool| {
        let [n, m, _] = p.shape().map(|extent| extent as i64);
        let place = |at: i64, by: i64, count: i64| match wraps {
            true => (at + by).rem_euclid(count),
            false => (at + by).clamp(0, count - 1),
        };
        p[[place(i, by[0], n), place(j, by[1], m), k]]
    };
    for shape in
        [[4, 9, 3], [3, 0, 4], [0, 5, 4], [1, 1, 4], [5, 2, 1], [3, 70, 0], [70, 33, 4], [200, 301, 3]]
    {
        let p = Array::from_fn(shape, |[i, j, k]| (i * 37 + j * 11 + k * 5) % 101).expect("it fits");
        let each = |of: &dyn Fn([i64; 3]) -> i64| Array::from_fn(shape, of).expect("it fits");
        let at = |at, by, wraps| around(&p, at, by, wraps);
        let expected = [
            each(&|k| at(k, [-1, -1], false) * 3 - at(k, [0, 1], false) + at(k, [1, 0], false)),
            each(&|k| at(k, [0, -1], true) * 3 - at(k, [0, 2], true) + at(k, [-1, 0], true)),
            each(&|k| {
                let is_inside = (0..2).all(|axis| 0 < k[axis] && k[axis] + 1 < shape[axis] as i64);
                let up = at(k, [1, 0], false) * at(k, [-1, 0], false);
                if is_inside { at(k, [0, -1], false) + at(k, [0, 1], false) - up } else { p[k] }
            }),
            each(&|[i, j, k]| (0..=i).fold(1i64, |s, i| s.wrapping_mul(3).wrapping_add(p[[i, j, k]]))),
            each(&|[i, j, k]| (0..=j).fold(1i64, |s, j| s.wrapping_mul(3).wrapping_add(p[[i, j, k]]))),
        ];
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            let got = [
                clamped.with(&options).call(&p),
                wrapped.with(&options).call(&p),
                inside.with(&options).call(&p),
                scanned.with(&options).call(&p),
                scanned_between.with(&options).call(&p),
            ];
            for (number, (got, expected)) in got.iter().zip(&expected).enumerate() {
                assert_eq!(got.as_ref(), Ok(expected), "{number}: {shape:?}, {threads}");
            }
        }
    }
}
