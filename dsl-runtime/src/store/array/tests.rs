//! What views and arrays have in common with plain loops over their points.

use super::{Array, ArrayView, ArrayViewMut};
use crate::lang::domain::{Domain, Range};

fn table() -> Array<i64, 3> {
    Array::from_fn([2, 3, 4], |[i, j, k]| 100 * i + 10 * j + k).unwrap()
}

fn range(lower: i64, step: i64, extent: u64) -> Range {
    Range::new(lower, step, extent).unwrap()
}

#[test]
fn elements_stand_row_by_row() {
    let table = table();
    assert_eq!(table.as_slice()[..6], [0, 1, 2, 3, 10, 11]);
    assert_eq!((table[[1, 2, 3]], table.get([1, 3, 0]), table.get([-1, 0, 0])), (123, None, None));
    assert_eq!(table.view().strides(), [12, 4, 1]);
    assert!(table.view().iter().eq(table.as_slice()));
    assert_eq!(table.view().as_slice(), Some(table.as_slice()));
}

#[test]
fn views_are_other_points_of_the_same_elements() {
    let table = table();
    let view = table.view();
    let permuted = view.permute([2, 0, 1]).unwrap();
    assert_eq!((permuted.shape(), permuted[[3, 1, 2]]), ([4, 2, 3], 123));
    assert_eq!((permuted.as_slice(), permuted.to_array()[[3, 1, 2]]), (None, 123));
    assert_eq!(view.transpose()[[3, 2, 1]], 123);
    assert!(view.permute([0, 0, 1]).is_none() && view.permute([0, 1, 3]).is_none());
    let reversed = view.reverse(2);
    assert_eq!((reversed.strides(), reversed[[1, 2, 0]], reversed[[0, 0, 3]]), ([12, 4, -1], 123, 0));
    assert!(reversed.reverse(2).iter().eq(view.iter()));
    let moved = view.move_to([5, -1, 0]).unwrap();
    assert_eq!((moved[[6, 1, 3]], moved.get([0, 0, 0])), (123, None));
    let part = Domain::new([range(1, 1, 1), range(0, 2, 2), range(1, 2, 2)]).unwrap();
    let restricted = view.restrict(part).unwrap();
    assert_eq!((restricted.strides(), restricted.domain()), ([12, 8, 2], &part));
    assert!(restricted.iter().eq(&[101, 103, 121, 123]));
    assert_eq!(restricted.reverse(1).restrict(part).unwrap()[[1, 2, 3]], 103);
    assert!(restricted.restrict(*view.domain()).is_none());
    assert_eq!(view.slice_axis(2, range(3, 1, 1)).unwrap().as_ptr(), &raw const table.as_slice()[3]);
    assert!(view.slice_axis(2, range(3, 1, 2)).is_none());
    let rows: ArrayView<'_, i64, 2> = reversed.index_axis(0, 1).unwrap();
    assert_eq!((rows.shape(), rows.strides(), rows[[2, 0]]), ([3, 4], [4, -1], 123));
    assert!(view.index_axis::<2>(1, 3).is_none());
    let nothing = Domain::new([range(7, 1, 0), range(0, 1, 3), range(0, 1, 4)]).unwrap();
    assert_eq!(view.restrict(nothing).unwrap().reverse(0).iter().count(), 0);
}

#[test]
fn views_are_equal_where_points_and_elements_are() {
    let table = table();
    let (view, copy) = (table.view(), table.view().transpose().to_array());
    assert_eq!(view, table);
    assert_eq!(table, view);
    assert_eq!(copy.view().transpose(), table);
    assert_ne!(view.move_to([0, 0, 1]).unwrap(), view);
    assert_ne!(view.reverse(1), table);
    assert_eq!(view.reverse(1).reverse(1), view);
    assert_eq!(format!("{:?}", view.transpose()), format!("{copy:?}"));
    let names = Array::from_fn([2, 2], |[i, j]| format!("{i}{j}")).unwrap();
    assert_eq!(names.view().transpose().to_array().as_slice(), ["00", "10", "01", "11"]);
}

#[test]
fn what_is_written_to_a_view_is_in_the_array() {
    let mut table = Array::new(vec![0i64; 6], [2, 3]).unwrap();
    let mut view = table.view_mut().transpose();
    view[[2, 0]] = 5;
    *view.get_mut([1, 1]).unwrap() = 7;
    assert_eq!(view.get_mut([0, 2]), None);
    assert_eq!(view[[2, 0]], 5);
    assert_eq!(table.as_slice(), [0, 0, 5, 0, 7, 0]);
    let part = Domain::new([range(0, 1, 2), range(0, 2, 2)]).unwrap();
    let mut odd = table.view_mut().restrict(part).unwrap();
    for point in part.points() {
        odd[point] += 1;
    }
    assert_eq!(table.as_slice(), [1, 0, 6, 1, 7, 1]);
    let mut column: ArrayViewMut<'_, i64, 1> = table.view_mut().index_axis(1, 0).unwrap();
    assert!(column.as_mut_slice().is_none());
    column.reborrow().reverse(0)[[0]] = 8;
    table.view_mut().slice_axis(0, range(0, 1, 1)).unwrap().as_mut_slice().unwrap()[1] = 9;
    assert_eq!(table.into_vec(), [1, 9, 6, 8, 7, 1]);
}

#[test]
fn shapes_are_checked() {
    let error = Array::new(vec![1, 2, 3], [2, 2]).unwrap_err();
    assert_eq!(error.to_string(), "an array of shape [2, 2] cannot be made of 3 elements");
    let error = ArrayView::new(&[0u8], [1 << 30, 1 << 30]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an array of shape [1073741824, 1073741824] has more than 281474976710656 elements"
    );
    assert!(ArrayViewMut::new(&mut [0u8; 4], [4, 1]).is_ok());
    assert_eq!(Array::<u8, 2>::default().shape(), [0, 0]);
    assert_eq!(Array::<u8, 0>::default().as_slice(), [0]);
}

#[test]
#[should_panic = "[2, 0] is outside of an array over 0..2 × 1..8 step 2"]
fn an_index_outside_is_a_panic_that_tells_the_domain() {
    let domain = Domain::new([range(0, 1, 2), range(1, 2, 4)]).unwrap();
    _ = Array::over(vec![0; 8], domain).unwrap()[[2, 0]];
}

#[test]
fn arrays_are_shown_as_their_rows() {
    let show = |array: &Array<f64, 2>| format!("{array:?}");
    assert_eq!(show(&Array::new(vec![1.0, -20.5], [1, 2]).unwrap()), "array([[  1.0, -20.5]])");
    assert_eq!(show(&Array::default()), "array([], shape [0, 0])");
    assert_eq!(format!("{:?}", Array::new(vec![7], []).unwrap()), "array(7)");
    assert_eq!(
        format!("{:?}", table()),
        "array([[[  0,   1,   2,   3],\n        [ 10,  11,  12,  13],\n        [ 20,  21,  22,  23]],\n\n       \
         [[100, 101, 102, 103],\n        [110, 111, 112, 113],\n        [120, 121, 122, 123]]])"
    );
    let large = Array::from_fn([100, 100], |[i, j]| 100 * i + j).unwrap();
    let text = format!("{large:?}");
    assert_eq!(text.lines().next(), Some("array([[   0,    1,    2, ...,   97,   98,   99],"));
    assert_eq!(text.lines().nth(3), Some("       ...,"));
    let long = Array::from_fn([60], |[i]| i).unwrap();
    assert!(format!("{long:?}").lines().all(|line| line.len() <= 101));
    assert_eq!(format!("{:.2?}", Array::new(vec![0.126, 3.0], [2]).unwrap()), "array([0.13, 3.00])");
}
