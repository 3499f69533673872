//! Loops over the points of arrays, whose rows are cut into edges and an interior: on arrays of many shapes, with and without lower bounds
//! and steps, so that there are rows without an interior, rows of nothing else, and faults in each part.

use weldment_codegen::imp::{self, Target};
use weldment_codegen::loops::{self, Options};
use weldment_core::{front, passes};
use weldment_runtime::lang::value::Value;

use crate::judge::Judge;

/// Programs of an array of f64 and two numbers, and whether some row of them runs in blocks.
const PROGRAMS: [(&str, bool); 46] = [
    // Point by point.
    ("|u: &Array<f64, 2>, n: i64, k: i64| u * 2.0 + u", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((n, 3), |i, j| i * 10 + j)", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| zip(u, u).map(|(a, b)| (a + b, a))", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.transpose() + 1.0", true),
    // Checked reads, which may fault in any row and column.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| array((max(extent(u, 0) - 2, 0), max(extent(u, 1) - 2, 0)), |i, j|
            0.25 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2]))",
        true,
    ),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((n, 9), |i, j| u[i, j])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, n), |i, j| u[i, j + k] + u[i + k, j])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array(domain(u), |i, j| u[i, j] + u[i, lower(u, 1)])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((3, n), |i, j| u[j + 9223372036854775807, j])", false),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((3, 4), |i, j| u[i, j + k * 4611686018427387904])", true),
    // Slices.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| if extent(u, 0) > 2 && extent(u, 1) > 2 && lower(u, 0) == 0 && lower(u, 1) == 0 {
            (u.drop(0, 2).take(-1, -1).move_to(0, 0) + u.drop(0, 1).move_to(0, 0).take(-1, -1)).flat() } else { u.flat() }",
        true,
    ),
    ("|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); v[.., 0..extent(u, 1) step 2] * 2.0 }", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); v[.., 0..n] + v[.., 0..n] }", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.reverse(1) + u", true),
    // Clamped, padded and wrapped.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); let (n, m) = (extent(u, 0), extent(u, 1)); array((n, m), |i, j| {
            let a = max(i - 1, 0); let b = min(i + 1, n - 1); let l = max(j - 1, 0); let r = min(j + 1, m - 1);
            v[a, j] + v[b, j] + v[i, l] + v[i, r] }) }",
        true,
    ),
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); let (n, m) = (extent(u, 0), extent(u, 1)); array((n, m), |i, j| {
            let inside = j + k >= 0 && j + k < m; let l = min(max(j + k, 0), m - 1); select(inside, v[i, l], 7.0) }) }",
        true,
    ),
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); let (n, m) = (extent(u, 0), extent(u, 1)); array((n, m), |i, j| {
            let s = if k < 0 { m - 1 } else { 1 }; let t = j + s; let w = select(t < m, t, t - m); v[i, w] + v[i, j] }) }",
        true,
    ),
    // A border that stays.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); let (n, m) = (extent(u, 0), extent(u, 1)); array((n, m), |i, j|
            if 1 <= i && i < n - 1 && 1 <= j && j < m - 1 { 0.25 * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1]) } else { v[i, j] }) }",
        true,
    ),
    // Triangles and bands, which end anywhere in a row.
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((5, 70), |i, j| if j >= i * 9 + k { 1.5 } else { j as f64 })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array(domain(u), |i, j| if j < i + k { u[i, j] } else { 0.0 })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((n, 50), |i, j| if k <= j && j < n { i * 100 + j } else { -j })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((5, 70), |i, j| if j > n { if n >= j { 1 } else { 2 } } else { if j <= n { 3 } else { 4 } })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((5, 70), |i, j| if i > k && j >= n { if j == n { 1 } else { j } } else { i + j })", true),
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); array((extent(u, 0), extent(u, 1)), |i, j|
            if i > k && j >= k && k >= 0 { let factor = v[i, k] / v[k, k]; if j == k { factor } else { v[i, j] - factor * v[k, j] } }
            else { v[i, j] }) }",
        true,
    ),
    // Stencils, and pieces of them.
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]))", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.stencil(clamp, |c| c[-1, -1] + c[0, 0] + c[1, 2])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.stencil(wrap, |c| c[-1, -2] + c[1, 1])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.stencil(pad(0.5), |c| c[-1, 0] + c[0, 2])", true),
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| overwrite(u, u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])))",
        true,
    ),
    // Conditions of other forms.
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| if j == k { 1.5 } else { j as f64 })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| if j != 3 && j > k { 1.5 } else { 2.5 })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| if k <= j { 10 / (j - 30) } else { i })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| if j < 2 { i } else { j / k })", false),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| if !(j < n) { i } else { min(j, k) })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((2, 40), |i, j| (j < n, if j > 20 { i } else { j }))", true),
    // Branches on what is read.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| array((2, n), |i, j| { let a = u[i, j + 1] - u[i, j]; if a > 0.0 { u[i, j] } else { a } })",
        true,
    ),
    // Columns, which are reduced side by side where all indices are inside.
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((extent(u, 1), extent(u, 1)), |i, j| (0..extent(u, 0)).map(|l| u[l, i] * u[l, j]).sum())", false),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((5, n), |i, j| (0..extent(u, 0)).map(|l| u[l, i + k] * u[l, j - k]).sum() / u[i, 1])", false),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array(n, |j| (0..extent(u, 0)).map(|l| u[l, j + k]).max() + u[0, j])", true),
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| { let v = u.move_to(0, 0); array((n, extent(u, 1)), |i, j| (0..extent(u, 0)).map(|l| v[l, j] + v[l, i]).sum()) }",
        false,
    ),
    // Points between those of another grid, and every second one.
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((extent(u, 0), 2 * extent(u, 1)), |i, j| u[i + lower(u, 0), j / 2 + lower(u, 1)])", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((3, n), |i, j| u.get((i, (j - k) / 2), 0.5) + u.get((i, (j - k) / 2 + (j - k) % 2), 1.5))", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((3, 2 * n), |i, j| if (i + j) % 2 == 0 { u.get((i, j / 4), 2.5) } else { f64(j % 4) })", true),
    ("|u: &Array<f64, 2>, n: i64, k: i64| array((3, n), |i, j| u.get((i, 2 * j + k), 0.5) + u.get((i, 4 * j - 1), 1.5) + u[i, (j + 5) / 4])", true),
    // More axes, and rows of them.
    (
        "|u: &Array<f64, 2>, n: i64, k: i64| array((2, 3, 50), |h, i, j| h * 1000 + i * 100 + j + select(j >= 2, j - 2, j + 3))",
        true,
    ),
    ("|u: &Array<f64, 2>, n: i64, k: i64| u.expand(1).broadcast((extent(u, 0), 2, extent(u, 1))) + 1.0", false),
];

fn array(shape: [i64; 2], lower: [i64; 2], step: [i64; 2]) -> Value {
    let elements = (0..shape[0] * shape[1]).map(|i| Value::F64((i % 13) as f64 * 0.75 - 2.0));
    let numbers = lower.into_iter().chain(step).chain(shape).map(Value::I64);
    Value::structure([Value::vec(elements.collect())].into_iter().chain(numbers).collect())
}

#[test]
fn rows_come_to_the_same() {
    let mut arrays = Vec::new();
    for shape in [[0, 0], [3, 0], [1, 1], [2, 2], [3, 4], [5, 41], [2, 70]] {
        arrays.push(array(shape, [0, 0], [1, 1]));
    }
    arrays.push(array([4, 37], [-1, 2], [1, 1]));
    arrays.push(array([3, 20], [0, 0], [1, 2]));
    arrays.push(array([3, 20], [i64::MIN, i64::MAX - 19], [1, 1]));
    let mut failures = Vec::new();
    for (nth, (program, _)) in PROGRAMS.into_iter().enumerate() {
        let lowered = front::from_text(program).unwrap_or_else(|errors| panic!("{program}: {errors:?}"));
        let judge = Judge::of(lowered).unwrap_or_else(|failure| panic!("{program}: {failure}"));
        for (at, array) in arrays.iter().enumerate() {
            // Two of four, and the others of the next array and program.
            let numbers = [(0, 0), (2, 1), (3, -1), (35, 40)].into_iter().skip((nth + at) % 2).step_by(2);
            for (n, k) in numbers {
                let args = [array.clone(), Value::I64(n), Value::I64(k)];
                if let Err(failure) = judge.check(&args) {
                    failures.push(format!("{program} on {args:?}: {failure}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} fail\n{}", failures.len(), failures[0]);
}

#[test]
fn interiors_run_in_blocks() {
    let mut others = Vec::new();
    for (program, is_blocked) in PROGRAMS {
        let mut program_of = front::from_text(program).expect("a program").program;
        passes::optimize(&mut program_of, &passes::Options::default()).expect("sound passes");
        let looped = loops::build(&program_of, &Options::default());
        let code = imp::build(&looped, Target::LLVM).to_string();
        if code.contains("lanes ") != is_blocked {
            others.push(format!("{program}\n{code}"));
        }
    }
    assert!(others.is_empty(), "{} are not as they say\n{}", others.len(), others.join("\n"));
}

#[test]
fn rows_outside_of_a_border_run_in_one_piece() {
    let border = PROGRAMS.iter().map(|program| program.0).find(|program| program.contains("1 <= i"));
    let mut program = front::from_text(border.expect("a border")).expect("a program").program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let looped = loops::build(&program, &Options::default());
    let code = imp::build(&looped, Target::LLVM).to_string();
    assert_eq!(code.matches("func interior").count(), 2, "{code}");
    // All indices of the interior are below what they are checked against.
    let interiors: Vec<&str> = code.split("func ").filter(|func| func.starts_with("interior")).collect();
    assert!(interiors.iter().all(|func| !func.contains("check_index") && !func.contains("= at ")), "{code}");
}

/// The calls of functions of this kind in what is made of the first program that holds `of`.
fn pieces(of: &str) -> usize {
    let program = PROGRAMS.iter().map(|program| program.0).find(|program| program.contains(of));
    let mut program = front::from_text(program.expect("such a program")).expect("a program").program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let looped = loops::build(&program, &Options::default());
    imp::build(&looped, Target::LLVM).to_string().matches("call interior").count()
}

#[test]
fn both_sides_of_a_triangle_run_in_blocks() {
    assert_eq!(pieces("j >= i * 9 + k"), 2);
    // Rows outside of it, and both sides in others.
    assert_eq!(pieces("i > k && j >= n"), 3);
    // A border is not long.
    assert_eq!(pieces("1 <= i"), 2);
}

#[test]
fn points_that_lie_as_their_elements_are_one_loop() {
    let is_flat = |program: &str| {
        let text = format!("|a: &Array<f64, 2>, b: &Array<f64, 2>, c: &Array<f64, 3>| {program}");
        let mut program = front::from_text(&text).expect("a program").program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        let looped = loops::build(&program, &Options::default()).to_string();
        !looped.contains(" points ") && !looped.contains(" for v")
    };
    assert!(is_flat("a * 2.0 + b") && is_flat("c.map(|x| if x > 0.0 { x } else { x / 2.0 })"));
    assert!(
        is_flat("a.filter(|x| x > 0.0)")
            && is_flat("array((extent(c, 0), extent(c, 1), extent(c, 2)), |i, j, k| 1.5)")
    );
    assert!(!is_flat("a.transpose() + 1.0") && !is_flat("a + a.reverse()"), "elements lie otherwise");
    assert!(is_flat("a.filter(|x| x > 0.0)"));
    assert!(!is_flat("c + a.expand(0)"), "rows are read again");
    assert!(
        !is_flat("(0..extent(a, 0)).flat_map(|i| (0..extent(b, 0)).map(|j| 1.0))"),
        "they may be more than can be counted"
    );
    assert!(!is_flat("a.map(|x| x * x).sum()"), "rows are summed by themselves");
    assert!(!is_flat("array(domain(a), |i, j| f64(i) + a[i, j])"), "a number of a row is read");
    assert!(
        !is_flat("stencil((a, b), |x, y| x[0, 0] + y[0, 0])"),
        "rows may be longer than what is read of them"
    );
}

#[test]
fn rows_of_pixels_are_one() {
    let code = |program: &str| {
        let text = format!("|p: &Array<i64, 3>, q: &Array<i64, 3>, m: &Array<i64, 2>| {program}");
        let mut program = front::from_text(&text).expect("a program").program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        let looped = loops::build(&program, &Options::default());
        (looped.to_string(), imp::build(&looped, Target::LLVM).to_string())
    };
    let is_grouped = |program: &str| {
        let (looped, imp) = code(program);
        let is_grouped = looped.contains(": i64 = rem v");
        // Nothing is divided for a point.
        let divides = imp.split("func ").any(|func| func.contains(" loop ") && func.contains(": i64 = rem"));
        assert!(!is_grouped || imp.contains("call interior") && !divides, "{program}: {imp}");
        is_grouped
    };
    assert!(is_grouped("p.stencil(clamp, |c| c[-1, 1, 0] - c[0, 0, 0])"));
    assert!(is_grouped("p.stencil(wrap, |c| c[-1, 1, 0] - c[0, -1, 0])"));
    assert!(is_grouped(
        "stencil((p, q), pad(3), |c, d| if c[0, 1, 0] > 0 { d[0, 0, 0] } else { c[0, -1, 0] })"
    ));
    assert!(is_grouped("overwrite(p, p.stencil(|c| c[0, -1, 0] + c[1, 1, 0]))"));
    assert!(is_grouped("p.stencil(|c| c[0, 1, 0] - c[0, 0, 0])"), "rows are shorter than those they read");
    assert!(
        !is_grouped("p.stencil(clamp, |c| c[-1, 0, 0] - c[0, 0, 0])"),
        "two axes go together as they are"
    );
    assert!(!is_grouped("p.stencil(clamp, |c| c[0, 1, 1] - c[0, 0, 0])"), "channels are mixed");
    assert!(!is_grouped("array(domain(p), |i, j, k| p[i, j, k] * m[i, j])"), "all channels read one number");
    assert!(
        !is_grouped("array(domain(p), |i, j, k| p[i, min(j + 1, 9), k] + j)"),
        "a number of a pixel is used"
    );
    assert!(!is_grouped("p.stencil(clamp, |c| c[0, 1, 0]).filter(|x| x > 0)"), "some points give nothing");
    assert!(!is_grouped("p.stencil(clamp, |c| c[0, 1, 0]).sum()"), "sums go by rows");
}

#[test]
fn points_between_points_divide_nothing() {
    for element in [
        "u[i, j] + r[i, j / 2] - r[i, j / 2 + j % 2]",
        "r[i, (j + 3) / 4] * u[i, j]",
        "u[i, j] - r[i, (i + j) / 2]",
        "if j % 2 == 0 { u[i, j] } else { r[i, j / 2 + 1] }",
        "if (i + j) % 2 == 0 { u.get((i, j - 1), 0.0) } else { u[i, j] }",
    ] {
        let program = format!(
            "{{ let u = a.move_to(0, 0); let r = a.move_to(0, 0); array(domain(u), |i, j| {element}) }}"
        );
        let row = interior(&program);
        let divides = [" if ", "check_index", "position ", ": i64 = rem", "= at "];
        assert!(divides.iter().all(|word| !row.contains(word)), "{element}: {row}");
        assert!(
            ["lanes", " by 2", " by 4", " and "].iter().any(|word| row.contains(word)),
            "{element}: {row}"
        );
    }
}

/// The last interior of a program of an array `a`, that of the rows inside of it.
fn interior(program: &str) -> String {
    let text = format!("|a: &Array<f64, 2>| {program}");
    let mut program = front::from_text(&text).expect("a program").program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let looped = loops::build(&program, &Options::default());
    let imp = imp::build(&looped, Target::LLVM).to_string();
    let row = imp.split("func ").filter(|func| func.starts_with("interior")).last().map(str::to_owned);
    row.unwrap_or_else(|| panic!("no interior: {imp}"))
}

#[test]
fn every_second_point_is_read_without_conditions() {
    for of in ["a", "a.move_to(0, 0)"] {
        let program = format!(
            "{{ let r = {of}; array((extent(r, 0) / 2, extent(r, 1) / 2), |i, j| r.get((2 * i, 2 * j - 1), 0.5) + r.get((i, 4 * j), 1.5)) }}"
        );
        let row = interior(&program);
        assert!(
            [" if ", "check_index", ": i64 = rem", "= at "].iter().all(|word| !row.contains(word)),
            "{row}"
        );
        assert!(["lanes", " times 2", " times 4"].iter().all(|word| row.contains(word)), "{row}");
    }
    for sliced in ["a[.., .. step 2]", "a.stencil(clamp, |c| c[0, -1] + c[1, 1])[.. step 4, .. step 2]"] {
        let row = interior(sliced);
        assert!(
            !row.contains("= at ") && [" lanes", " times 2"].iter().all(|word| row.contains(word)),
            "{row}"
        );
    }
}
