//! Arrays that are read in strides: every second point, or each point for some of another grid, where a row is cut anywhere.

use proptest::prelude::*;
use weldment::{Array, Element, Options, Value, weld};

use crate::executors::as_plain;

fn argument([rows, columns]: [usize; 2], seed: i64) -> Value {
    let element = |[i, j]: [i64; 2]| ((i * 31 + j) * 17 + seed) % 41 - 20;
    Array::from_fn([rows, columns], element).expect("a small array").to_value()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn points_between_points_are_where_they_are(
        of in prop::sample::select(vec!["p", "p.move_to(0, 0)", "p.shift(2, -5)", "p[.., .. step 2]", "p.reverse()"]),
        over in prop::sample::select(vec!["domain(q)", "domain(q.shift(-3, -9))", "(extent(q, 0), 2 * extent(q, 1))"]),
        element in prop::sample::select(vec![
            "r.get((i / 2, j / 2 + A), 3) + r.get((i, (j + A) % 2 + (j + A) / 2), 5) * 3",
            "if (i + j + A) % 2 == 0 { r.get((i, (j + B) / 4), 1) } else { r.get((i, j), 4) + (j + B) % 4 }",
            "(j + A) / 2 * 5 + (j + B) % 2 - (i + j) / 4 + r.get((i, (i + j) / 2), 2)",
            "r.get((i, (j + A) / 4 + (j + A) % 4), 1) - r.get((i, (j + A) / 2 + (j + B) % 2), 2)",
            "{ let k = (j - A) / 2; if j > 3 { r.get((i, k), 0) - r.get((i, k + 1), 6) } else { r.get((i, 2 * j), 8) } }",
            "r.get((i, min(max((j + A) / 4, lower(r, 1)), 4)), 1) + r.get((i / 2 + i % 2, 2 * (j / 2)), j)",
            "if j % 2 == 0 { if i % 2 == 0 { r.get((i, j / 2), 1) } else { A } } else { r.get((i, j / 2 + 1), 2) }",
            "if j % 4 < 2 { r.get((i, 2 * j + B), 1) + j / 4 } else { r.get((i, 4 * j), j % 2) }",
        ]),
        offsets in prop::array::uniform2(-5i64..=5),
        shapes in prop::collection::vec([0usize..5, 0usize..90], 3),
        chunk in 1u64..60,
    ) {
        let element = element.replace('A', &offsets[0].to_string()).replace('B', &offsets[1].to_string());
        let program = format!(
            "|p: array[i64, 2], q: array[i64, 2]| {{ let r = {of}; array({over}, |i, j| {element}) }}"
        );
        let calls: Vec<Vec<Value>> =
            shapes.iter().map(|&shape| [1, 2].map(|seed| argument(shape, seed)).into()).collect();
        as_plain(&program, &calls, chunk)?;
    }

    #[test]
    fn what_is_interleaved_is_in_its_places(
        program in prop::sample::select(vec![
            "fuse(e.spread(1, 2), e.map(|x| 3 - x).spread(1, 2).shift(0, 1))",
            "fuse(e.spread(2, 1), (e * 2).spread(2, 1).shift(1, 0)).stencil(clamp, |c| c[0, 0] - c[1, -1])",
            "overwrite(q, e.spread(2, 2))",
            "overwrite(q, e[.., .. step 2] + 1)",
            "q.stencil(clamp, |c| c[0, -1] + c[1, 0])[.., .. step 2]",
            "q.spread(1, 4).drop(0, 1) + 1",
        ]),
        shape in [1usize..5, 1usize..80],
        chunk in 1u64..60,
    ) {
        let program = format!("|p: array[i64, 2], q: array[i64, 2]| {{ let e = p.move_to(0, 0); {program} }}");
        as_plain(&program, &[[1, 2].map(|seed| argument(shape, seed)).into()], chunk)?;
    }
}

#[test]
fn emitted_loops_in_strides_give_what_the_program_means() {
    type Grid = Array<i64, 2>;
    let finer = weld!(|u: &Array<i64, 2>, e: &Array<i64, 2>| array(domain(u), |i, j| {
        let (k, l) = (i / 2, j / 2);
        u[i, j] + 3 * e[k, l] - e[k, l + j % 2] * e[k + i % 2, l]
    }));
    let coarser =
        weld!(|u: &Array<i64, 2>| array(((extent(u, 0) + 1) / 2, (extent(u, 1) + 3) / 4), |i, j| {
            u.get((2 * i, 4 * j - 1), 7) - 2 * u.get((2 * i - 1, 4 * j + 2), 5)
        }));
    let checkered = weld!(|u: &Array<i64, 2>| {
        array(domain(u), |i, j| if (i + j) % 2 == 0 { u[i, j] } else { u.get((i, j - 1), 0) + u.get((i, j + 1), 0) })
    });
    for shape in [[1, 1], [3, 2], [4, 17], [7, 64], [5, 131], [300, 777]] {
        let [n, m] = shape.map(|extent: usize| extent as i64);
        let u: Grid = Array::from_fn(shape, |[i, j]| (i * 37 + j * 11) % 101).expect("it fits");
        let coarse = shape.map(|extent| extent / 2 + 1);
        let e: Grid = Array::from_fn(coarse, |[i, j]| (i * 5 + j * 3) % 17).expect("it fits");
        let get = |i: i64, j: i64, or: i64| {
            if (0..n).contains(&i) && (0..m).contains(&j) { u[[i, j]] } else { or }
        };
        let each =
            |shape: [usize; 2], of: &dyn Fn([i64; 2]) -> i64| Array::from_fn(shape, of).expect("it fits");
        let expected = [
            each(shape, &|[i, j]| {
                let (k, l) = (i / 2, j / 2);
                u[[i, j]] + 3 * e[[k, l]] - e[[k, l + j % 2]] * e[[k + i % 2, l]]
            }),
            each([shape[0].div_ceil(2), shape[1].div_ceil(4)], &|[i, j]| {
                get(2 * i, 4 * j - 1, 7) - 2 * get(2 * i - 1, 4 * j + 2, 5)
            }),
            each(shape, &|[i, j]| match (i + j) % 2 {
                0 => u[[i, j]],
                _ => get(i, j - 1, 0) + get(i, j + 1, 0),
            }),
        ];
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            let got = [
                finer.with(&options).call(&u, &e),
                coarser.with(&options).call(&u),
                checkered.with(&options).call(&u),
            ];
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!(got.as_ref(), Ok(expected), "{shape:?}, {threads} threads");
            }
        }
    }
}
