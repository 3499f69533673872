//! Arrays where they go in and out of programs: views with any strides, and what results are written to.

use std::fmt;

use weldment::{Arguments, Array, ArrayView, Domain, Element, Options, Range};

use crate::calls::executables;

/// What `program` gives on every executor, on several numbers of threads.
#[track_caller]
fn check<A: Arguments + Copy, R: Element + PartialEq + fmt::Debug>(program: &str, args: A, expected: &R) {
    for executable in executables(program) {
        for threads in [1, 2, 7] {
            let got = executable.call_with::<A, R>(&Options::new().threads(threads), args);
            assert_eq!(got.as_ref(), Ok(expected), "{program}\n{executable:?}");
        }
    }
}

/// Views of a few elements and of many, each of them otherwise.
fn views(table: &Array<i64, 3>) -> Vec<ArrayView<'_, i64, 3>> {
    let view = table.view();
    let range = |extent: usize| Range::new(1, 2, extent as u64 / 2).expect("a range");
    let part = Domain::new(view.shape().map(range)).expect("a domain");
    vec![
        view,
        view.transpose(),
        view.permute([1, 2, 0]).expect("all axes"),
        view.reverse(2),
        view.reverse(0).transpose(),
        view.restrict(part).expect("points of the table"),
        view.slice_axis(0, Range::from_bounds(1, 2).expect("a range")).expect("a plane"),
        view.slice_axis(1, Range::from_bounds(2, 2).expect("a range")).expect("nothing"),
    ]
}

#[test]
fn views_of_any_strides_are_arrays_to_programs() {
    for shape in [[2, 3, 4], [30, 40, 50]] {
        let table = Array::from_fn(shape, |[i, j, k]| 10_000 * i + 100 * j + k).expect("not too many");
        for view in views(&table) {
            let rows = view.to_array();
            check("|a: array[i64, 3]| a", (view,), &rows);
            check("|a: array[i64, 3]| (a.flat(), a.lower(1), a.sum())", (view,), &{
                (
                    rows.as_slice().to_vec(),
                    rows.domain().ranges()[1].lower(),
                    rows.as_slice().iter().sum::<i64>(),
                )
            });
        }
    }
}

#[test]
fn elements_of_views_are_of_any_type() {
    let pairs = Array::from_fn([3, 2], |[i, j]| (i as u8, j as f64, i == j)).expect("not too many");
    let turned = pairs.view().transpose();
    check("|a: array[{u8, f64, bool}, 2]| a", (turned,), &turned.to_array());
    let rows = Array::from_fn([3, 2], |[i, j]| vec![i; j as usize]).expect("not too many");
    let turned = rows.view().transpose();
    check("|a: array[vec[i64], 2], k: i64| (a, a[1, k])", (turned, 2i64), &(turned.to_array(), vec![2i64]));
}

#[test]
fn types_of_views_are_those_of_arrays() {
    for executable in executables("|a: array[f64, 2]| a.sum()") {
        assert!(executable.check::<(ArrayView<'_, f64, 2>,), f64>().is_ok());
        assert!(executable.check::<(&Array<f64, 2>,), f64>().is_ok());
        assert!(executable.check::<(ArrayView<'_, f64, 1>,), f64>().is_err());
        assert!(executable.check::<(ArrayView<'_, f32, 2>,), f64>().is_err());
    }
}
