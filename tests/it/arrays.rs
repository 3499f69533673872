//! Arrays where they go in and out of programs: views with any strides, and what results are written to.

use std::fmt;

#[cfg(feature = "ndarray")]
use weldment::ArrayViewMut;
use weldment::{
    Arguments, Array, ArrayView, Domain, Element, Fault, FaultKind, Kernel, Options, Range, ToProgram, Weld,
    weld,
};

use crate::calls::executables;
use crate::every_way::agree;

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

#[test]
fn kernels_take_views() {
    static MEANS: Kernel<fn(ArrayView<'_, f64, 2>) -> Array<f64, 1>> =
        weld!(|a: ArrayView<f64, 2>| a.sum(1) * 2.0 / a.extent(1) as f64);
    let table = Array::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]).expect("six elements");
    let means = |view| MEANS(view).into_vec();
    assert_eq!(means(table.view()), [4.0, 10.0]);
    assert_eq!(means(table.view().transpose()), [5.0, 7.0, 9.0]);
    assert_eq!(means((&table).into()), [4.0, 10.0]);
    assert_eq!(means(ArrayView::new(table.as_slice(), [3, 2]).expect("six elements")), [3.0, 7.0, 11.0]);
    assert_eq!(MEANS.program().params()[0].to_string(), "array[f64,2]");
}

#[test]
fn views_are_the_same_arrays_in_every_way() {
    for shape in [[2, 3, 4], [20, 3, 31]] {
        let table = Array::from_fn(shape, |[i, j, k]| 10_000 * i + 100 * j + k).expect("not too many");
        for view in views(&table) {
            let rows = view.to_array();
            assert_eq!(agree!(view; |a: ArrayView<i64, 3>| a), rows);
            let (_, flat, product) =
                agree!(view, 3i64; |a: &ArrayView<i64, 3>, k: i64| (a.transpose().sum(1), a.flat(), a * k));
            assert_eq!((flat, product.domain()), (rows.as_slice().to_vec(), rows.domain()));
        }
    }
}

#[test]
fn views_are_read_where_they_lie() {
    let first = weld!(|a: ArrayView<f64, 2>, b: ArrayView<f64, 1>| a[0, 0] + b.sum());
    let data = vec![1.5; 100];
    let a = ArrayView::new(&data, [10, 10]).expect("a hundred elements");
    // A run that may not allocate copies nothing.
    let none = Options::new().memory_limit(0);
    assert_eq!(first.with(&none).call(a, a.index_axis(0, 3).expect("a row")), Ok(16.5));
    let fault = first.with(&none).call(a, a.index_axis(1, 3).expect("a column")).expect_err("no memory");
    assert_eq!(fault.kind, FaultKind::MemoryLimit);
    assert_eq!(first(a.transpose(), a.index_axis(1, 3).expect("a column")), 16.5);
    let unread = weld!(|_a: ArrayView<f64, 2>, x: f64| x + 1.0);
    assert_eq!(unread.with(&none).call(a.transpose(), 2.0), Ok(3.0));
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Point {
    x: f64,
    at: i32,
}

#[test]
fn views_of_structs_and_of_vectors() {
    let points = Array::from_fn([2, 3], |[i, j]| Point { x: i as f64, at: j as i32 }).expect("six points");
    let moved = weld!(|p: ArrayView<Point, 2>, by: f64| p.map(|p| Point { x: p.x + by, ..p }));
    let expected =
        Array::from_fn([3, 2], |[j, i]| Point { x: i as f64 + 0.5, at: j as i32 }).expect("six points");
    assert_eq!(moved(points.view().transpose(), 0.5), expected);
    let rows = Array::from_fn([2, 2], |[i, j]| vec![i; j as usize]).expect("four rows");
    let turned = rows.view().transpose();
    assert_eq!(agree!(turned; |a: ArrayView<Vec<i64>, 2>| (a.map(|row| row.sum()), a)).1, turned.to_array());
}

/// Writes the result of a program of one argument to `out` in every way, with a check of each.
macro_rules! into_every_way {
    ($out:expr, $arg:expr, $arg_ty:ty; $check:expr; $($program:tt)*) => {{
        let kernel = weld!($($program)*);
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            let result = kernel.with(&options).call_into($out, $arg);
            $check(result, &format!("emitted, {threads} threads"));
            for executable in executables(kernel.source()) {
                let result = executable.call_into_with::<($arg_ty,), _>(&options, $out, ($arg,));
                $check(result, &format!("{threads} threads of {executable:?}"));
            }
        }
    }};
}

#[test]
fn results_go_to_views() {
    for [rows, columns] in [[2, 3], [50, 60], [300, 401]] {
        let table =
            Array::from_fn([rows, columns], |[i, j]| i as f64 * 0.5 - j as f64).expect("not too many");
        let expected = Array::from_fn([columns, rows], |[j, i]| table[[i, j]] * 2.0).expect("as many");
        let view = || table.view();
        let mut plain = Array::from_fn([columns, rows], |_| 0.0).expect("as many");
        let written = |result: Result<(), Fault>, plain: &mut Array<f64, 2>, way: &str| {
            assert_eq!((result, &*plain), (Ok(()), &expected), "{way}");
            plain.as_mut_slice().fill(0.0);
        };
        into_every_way!(&mut plain.view_mut(), view(), ArrayView<'_, f64, 2>;
            |result, way: &str| written(result, &mut plain, way);
            |a: ArrayView<f64, 2>| a.transpose() * 2.0);

        let mut turned = Array::from_fn([rows, columns], |_| 0.0).expect("as many");
        let written = |result: Result<(), Fault>, turned: &mut Array<f64, 2>, way: &str| {
            assert_eq!((result, turned.view().transpose()), (Ok(()), expected.view()), "{way}");
            turned.as_mut_slice().fill(0.0);
        };
        into_every_way!(&mut turned.view_mut().transpose(), view(), ArrayView<'_, f64, 2>;
            |result, way: &str| written(result, &mut turned, way);
            |a: ArrayView<f64, 2>| a.transpose() * 2.0);

        // Every other column, and nothing between them.
        let mut wide = Array::from_fn([columns, 2 * rows + 1], |_| -1.0).expect("not too many");
        let odd = Range::new(1, 2, rows as u64).expect("a range");
        let written = |result: Result<(), Fault>, wide: &mut Array<f64, 2>, way: &str| {
            assert_eq!(result, Ok(()), "{way}");
            assert!(wide.view().slice_axis(1, odd).expect("points").iter().eq(expected.as_slice()), "{way}");
            let even = Range::new(0, 2, rows as u64 + 1).expect("a range");
            assert!(wide.view().slice_axis(1, even).expect("points").iter().all(|x| *x == -1.0), "{way}");
            wide.as_mut_slice().fill(-1.0);
        };
        into_every_way!(&mut wide.view_mut().slice_axis(1, odd).expect("points"), view(), ArrayView<'_, f64, 2>;
            |result, way: &str| written(result, &mut wide, way);
            |a: ArrayView<f64, 2>| a.transpose() * 2.0);
    }
}

#[test]
fn what_a_result_does_not_fit_is_not_written() {
    let table = Array::from_fn([4, 3], |[i, j]| i * 3 + j).expect("not too many");
    let before = Array::from_fn([4, 4], |[i, j]| i - j).expect("not too many");
    let mut out = before.clone();
    let other_shape = |result: Result<(), Fault>, way: &str| {
        let message = "shape mismatch: a result of shape [4, 3], to be written to a shape of [4, 4]";
        assert_eq!(result.expect_err(way).to_string(), message, "{way}");
    };
    into_every_way!(&mut out.view_mut(), table.view(), ArrayView<'_, i64, 2>; other_shape;
        |a: ArrayView<i64, 2>| a + 1);
    let outside = |result: Result<(), Fault>, way: &str| {
        assert_eq!(result.expect_err(way).kind, FaultKind::IndexOutOfBounds, "{way}");
    };
    into_every_way!(&mut out.view_mut(), table.view(), ArrayView<'_, i64, 2>; outside;
        |a: ArrayView<i64, 2>| array((4, 4), |i, j| a[i, j]));
    assert_eq!(out, before);
}

#[test]
fn vectors_go_to_slices() {
    let v: Vec<i64> = (0..70_000).collect();
    let mut out = vec![0; 70_001];
    let written = |result: Result<(), Fault>, out: &mut [i64], way: &str| {
        assert_eq!(result, Ok(()), "{way}");
        assert!(out[1..].iter().zip(&v).all(|(out, x)| *out == 2 * x) && out[0] == 0, "{way}");
        out.fill(0);
    };
    into_every_way!(&mut out[1..], &v[..], &[i64]; |result, way: &str| written(result, &mut out, way);
        |v: &[i64]| v.map(|x| x * 2));
    let too_long = |result: Result<(), Fault>, way: &str| {
        assert_eq!(result.expect_err(way).kind, FaultKind::ShapeMismatch, "{way}");
    };
    into_every_way!(&mut out[..], &v[..], &[i64]; too_long; |v: &[i64]| v.map(|x| x * 2));
    assert!(out.iter().all(|x| *x == 0));
}

#[test]
fn memory_of_arrays_is_used_again() {
    let double = weld!(|a: ArrayView<f64, 2>| a * 2.0);
    let tables = [[100, 90], [30, 300], [80, 80]]
        .map(|shape| Array::from_fn(shape, |[i, j]| i as f64 - j as f64).expect("not too many"));
    let mut out = Array::default();
    let mut place = None;
    for table in &tables {
        double.call_into(&mut out, table.view()).expect("nothing can fault");
        assert_eq!(out, Array::from_fn(table.shape(), |point| table[point] * 2.0).expect("as many"));
        assert_eq!(*place.get_or_insert(out.as_slice().as_ptr()), out.as_slice().as_ptr());
    }
    #[cfg(feature = "llvm")]
    for executable in executables(double.source()).into_iter().skip(1) {
        let mut out = Array::default();
        let mut place = None;
        for table in &tables {
            executable.call_into::<(&Array<f64, 2>,), _>(&mut out, (table,)).expect("nothing can fault");
            assert_eq!(out, Array::from_fn(table.shape(), |point| table[point] * 2.0).expect("as many"));
            assert_eq!(*place.get_or_insert(out.as_slice().as_ptr()), out.as_slice().as_ptr());
        }
    }
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray_go_in_and_out() {
    use ndarray::{Array2, Axis, Slice};

    let table = Array2::from_shape_fn((30, 40), |(i, j)| (i * 100 + j) as f64);
    let double = weld!(|a: ArrayView<f64, 2>| a * 2.0);
    let backwards = table.slice_axis(Axis(0), Slice::new(0, None, -2));
    let column = table.slice_axis(Axis(1), Slice::from(2..3));
    for part in [table.view(), table.t(), backwards, column] {
        let view = || ArrayView::<f64, 2>::try_from(part).expect("two axes");
        let expected = &part * 2.0;
        assert_eq!(Array2::from(double(view())), expected);
        for executable in executables(double.source()) {
            let result: Array<f64, 2> = executable.call((view(),)).expect("nothing can fault");
            assert_eq!(Array2::from(result), expected);
        }
        let mut out = Array2::zeros(part.t().raw_dim());
        let mut into = ArrayViewMut::<f64, 2>::try_from(out.view_mut().reversed_axes()).expect("two axes");
        double.call_into(&mut into, view()).expect("shapes agree");
        assert_eq!(out.t(), expected);
    }
}

/// In Weld's spelling, which has no references, a kernel takes any view.
#[test]
fn arrays_in_brackets_are_views() {
    let sums = weldment::weld!(|a: array[f64, 2]| a.sum(1));
    let view: ArrayView<'_, f64, 2> = (&[1.0, 2.0, 3.0, 4.0][..], [2, 2]).into();
    assert_eq!(sums(view), Array::new(vec![3.0, 7.0], [2]).unwrap());
    assert_eq!(sums(view.transpose()).iter().sum::<f64>(), 10.0);
    assert_eq!(sums(view.transpose()).lower(), [0]);
}
