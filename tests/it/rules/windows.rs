//! Arrays of which the loop that reads them computes rows by itself.

use weldment::Array;

use super::arrays::over;
use super::rule;

/// What is dear to compute, of a number.
fn dear(x: i64) -> i64 {
    x * x % 1013 + x * 3
}

/// The number at a point.
fn at(i: i64, j: i64) -> i64 {
    i * 131 + j * 17 % 29
}

/// A table of numbers.
fn numbers(n: i64, m: i64) -> Array<i64, 2> {
    each([n, m], at)
}

/// What `f` gives for each point of a table of that shape.
fn each([n, m]: [i64; 2], f: impl Fn(i64, i64) -> i64) -> Array<i64, 2> {
    Array::from_fn([n as usize, m as usize], |[i, j]| f(i, j)).expect("few points")
}

#[test]
fn rows_around_are_computed_by_the_reader() {
    let clamped = |n: i64, m: i64| {
        let read = move |i: i64, j: i64| dear(at(i.clamp(0, n - 1), j.clamp(0, m - 1)));
        each([n, m], move |i, j| read(i - 1, j) * 2 + read(i + 2, j + 1) - read(i, j - 1))
    };
    rule!(
        weld!(#[expect(materialized = 0, windows = 1)] |p: &Array<i64, 2>| {
            let r = p.map(|x| x * x % 1013 + x * 3);
            r.stencil(clamp, |c| c[-1, 0] * 2 + c[2, 1] - c[0, -1])
        });
        (&numbers(1, 1)) => clamped(1, 1),
        (&numbers(2, 3)) => clamped(2, 3),
        (&numbers(9, 1)) => clamped(9, 1),
        (&numbers(13, 37)) => clamped(13, 37),
        (&numbers(0, 5)) => each([0, 5], at),
        (&numbers(5, 0)) => each([5, 0], at),
    );
}

#[test]
fn rows_that_are_inside_are_read_where_they_are() {
    let inside = |n: i64, m: i64| {
        let sums = each([n - 3, m], |i, j| dear(at(i, j)) - dear(at(i + 3, j)));
        over([(3, 1, n as u64 - 3), (0, 1, m as u64)], sums.as_slice().to_vec())
    };
    rule!(
        weld!(#[expect(materialized = 0, windows = 1)] |p: &Array<i64, 2>| p.map(|x| x * x % 1013 + x * 3).stencil(|c| c[-3, 0] - c[0, 0]));
        (&numbers(4, 3)) => inside(4, 3),
        (&numbers(23, 11)) => inside(23, 11),
        (&numbers(2, 3)) => over([(3, 1, 0), (0, 1, 3)], Vec::<i64>::new()),
    );
}

#[test]
fn several_arrays_of_one_loop_go_together() {
    let both = |n: i64, m: i64| {
        each([n, m], |i, j| dear(at((i - 1).max(0), j)) + dear(at((i + 1).min(n - 1), j) + 5) * 3)
    };
    rule!(
        weld!(#[expect(materialized = 0, windows = 1)] |p: &Array<i64, 2>| {
            let r = p.map(|x| x * x % 1013 + x * 3);
            let s = p.map(|y| { let x = y + 5; x * x % 1013 + x * 3 });
            stencil((r, s), clamp, |r, s| r[-1, 0] + s[1, 0] * 3)
        });
        (&numbers(1, 2)) => both(1, 2),
        (&numbers(17, 6)) => both(17, 6),
    );
}

#[test]
fn arrays_of_several_loops_are_read_together() {
    let sums = |n: i64, m: i64| {
        each([n, m], |i, j| {
            let below = (i + 2).min(n - 1);
            dear(at((i - 1).max(0), j)) - dear(at(below, j) * 3)
                + dear(at(i, (j + 1).min(m - 1))) * dear(at(i, j) * 3)
        })
    };
    rule!(
        weld!(#[expect(materialized = 0, windows = 2)] |p: &Array<i64, 2>, q: &Array<i64, 2>| {
            let r = p.map(|x| x * x % 1013 + x * 3);
            let s = q.map(|x| x * x % 1013 + x * 3);
            stencil((r, s), clamp, |r, s| r[-1, 0] - s[2, 0] + r[0, 1] * s[0, 0])
        });
        (&numbers(1, 1), &each([1, 1], |i, j| at(i, j) * 3)) => sums(1, 1),
        (&numbers(12, 7), &each([12, 7], |i, j| at(i, j) * 3)) => sums(12, 7),
        (&numbers(5, 41), &each([5, 41], |i, j| at(i, j) * 3)) => sums(5, 41),
    );
}

#[test]
fn of_a_row_of_stencils_every_second_is_in_memory() {
    let kernel = weldment::weld!(|p: &Array<f64, 2>| {
        let a = p.map(|x| exp(x) / 3.0);
        let b = a.stencil(clamp, |c| sqrt(c[-1, 0] + c[1, 0]) / 5.0);
        b.stencil(clamp, |c| c[-1, 0] / c[1, 0])
    });
    let report = kernel.explain();
    for line in [
        "intermediates in memory: 2 before, 1 after",
        "rows are computed where they are read, 1 behind and 1 ahead",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn of_three_axes_slabs_are_computed() {
    let cube = |shape: [i64; 3], f: &dyn Fn(i64, i64, i64) -> i64| -> Array<i64, 3> {
        Array::from_fn(shape.map(|extent| extent as usize), |at| {
            let [i, j, k] = at;
            f(i, j, k)
        })
        .expect("few points")
    };
    let number = |i: i64, j: i64, k: i64| at(i, j) + k * 7;
    let sums = |[n, m, l]: [i64; 3]| {
        cube([n, m, l], &|i, j, k| {
            dear(number((i - 1).max(0), j, k)) - dear(number(i, (j + 1).min(m - 1), k)) * 2
        })
    };
    rule!(
        weld!(#[expect(materialized = 0, windows = 1)] |p: &Array<i64, 3>| {
            let r = p.map(|x| x * x % 1013 + x * 3);
            r.stencil(clamp, |c| c[-1, 0, 0] - c[0, 1, 0] * 2)
        });
        (&cube([1, 1, 1], &number)) => sums([1, 1, 1]),
        (&cube([6, 5, 4], &number)) => sums([6, 5, 4]),
        (&cube([5, 2, 31], &number)) => sums([5, 2, 31]),
    );
}
