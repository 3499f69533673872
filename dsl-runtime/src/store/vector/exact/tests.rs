//! Tests of vectors that are filled in place.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::*;
use crate::lang::fault::FaultKind;

fn panics(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

#[test]
fn parts_are_filled_in_any_order_and_from_any_thread() {
    let whole = Exact::new(Context::ambient(), 1000).unwrap();
    std::thread::scope(|scope| {
        for task in (0..10).rev() {
            let whole = &whole;
            scope.spawn(move || {
                let mut part = whole.part(task * 100..(task + 1) * 100);
                let mut cursor = part.cursor();
                cursor.push_block([task * 100, task * 100 + 1]);
                (task * 100 + 2..(task + 1) * 100 - 1).for_each(|i| cursor.push(i));
                drop(cursor);
                part.cursor().push(task * 100 + 99);
                part.done();
            });
        }
    });
    assert_eq!(whole.finish(), (0..1000).collect::<Vec<_>>());
}

#[test]
fn parts_that_are_not_full_move_down() {
    for len in [1, 3, 7, 100] {
        let whole = AtMost::new(Context::ambient(), 100).unwrap();
        let mut parts: Vec<_> =
            (0..100).step_by(len).map(|i| whole.part(Context::ambient(), i..100.min(i + len))).collect();
        for part in parts.iter_mut().rev() {
            let kept = part.range.clone().filter(|i| i % 3 == 0 || *i > 90).map(|i| i.to_string());
            let mut cursor = part.cursor();
            kept.for_each(|i| cursor.push(i));
        }
        parts.into_iter().for_each(|part| whole.merge(part));
        let expected: Vec<_> = (0..100).filter(|i| i % 3 == 0 || *i > 90).map(|i| i.to_string()).collect();
        assert_eq!(whole.finish(Context::ambient()), expected);
    }
}

#[test]
fn kept_values_stay_in_order() {
    let whole: AtMost<usize> = AtMost::new(Context::ambient(), 1600).unwrap();
    let mut part = whole.part(Context::ambient(), 0..1600);
    let mut cursor = part.cursor();
    for block in 0..100 {
        let values: [usize; 16] = std::array::from_fn(|i| block * 16 + i);
        cursor.push_kept(values, values.map(|value| value % 3 == 0));
    }
    drop(cursor);
    whole.merge(part);
    assert_eq!(whole.finish(Context::ambient()), (0..1600).filter(|i| i % 3 == 0).collect::<Vec<_>>());
}

#[test]
fn nothing_and_elements_without_size_work() {
    assert_eq!(Exact::<String>::new(Context::ambient(), 0).unwrap().finish(), Vec::<String>::new());
    assert_eq!(
        AtMost::<String>::new(Context::ambient(), 10).unwrap().finish(Context::ambient()),
        Vec::<String>::new()
    );
    let tasks = Exact::new(Context::ambient(), 3).unwrap();
    let mut part = tasks.part(0..3);
    part.cursor().push_block([(), ()]);
    part.cursor().push(());
    part.done();
    assert_eq!(tasks.finish().len(), 3);
}

#[test]
fn what_cannot_be_had_is_a_fault() {
    assert_eq!(Exact::<f64>::new(Context::ambient(), i64::MAX).unwrap_err().kind, FaultKind::MemoryLimit);
    assert_eq!(AtMost::<f64>::new(Context::ambient(), i64::MAX).unwrap_err().kind, FaultKind::MemoryLimit);
}

#[test]
fn overlapping_parts_are_refused() {
    let whole = Exact::<i32>::new(Context::ambient(), 10).unwrap();
    let _part = whole.part(2..5);
    for range in [0..3, 4..6, 3..4, 0..10, 5..11] {
        assert!(panics(|| drop(whole.part(range))));
    }
    whole.part(5..10);
    whole.part(3..3);
}

#[test]
fn parts_are_not_merged_out_of_order_or_elsewhere() {
    let (whole, other) = (
        AtMost::<Box<i32>>::new(Context::ambient(), 4).unwrap(),
        AtMost::<Box<i32>>::new(Context::ambient(), 4).unwrap(),
    );
    let cx = Context::ambient();
    let (first, mut second) = (whole.part(cx, 0..2), whole.part(cx, 2..4));
    second.append(vec![Box::new(3), Box::new(4)]);
    assert!(panics(|| whole.merge(second)));
    assert!(panics(|| other.merge(whole.part(cx, 2..2))));
    whole.merge(first);
    assert_eq!(whole.finish(Context::ambient()), []);
}

#[test]
fn too_many_and_too_few_values_are_refused() {
    let whole = Exact::new(Context::ambient(), 3).unwrap();
    let mut part = whole.part(0..3);
    part.cursor().push(1);
    assert!(panics(|| part.cursor().push_block([1, 2, 3])));
    assert!(panics(|| part.cursor().push_kept([1, 2, 3], [false; 3])));
    assert!(panics(|| part.append(vec![1, 2, 3])));
    part.append(vec![2, 3]);
    assert!(panics(|| part.cursor().push(4)));
    part.done();
    assert_eq!(whole.finish(), [1, 2, 3]);
    let whole = Exact::new(Context::ambient(), 3).unwrap();
    whole.part(0..2).append(vec![1, 2]);
    assert!(panics(|| whole.part(2..3).done()));
    assert!(panics(|| drop(whole.finish())));
}

#[test]
fn what_is_given_up_drops_every_element_once() {
    let counted = Arc::new(());
    let whole = Exact::new(Context::ambient(), 10).unwrap();
    let mut full = whole.part(4..7);
    full.append(vec![counted.clone(), counted.clone()]);
    full.cursor().push(counted.clone());
    full.done();
    let mut open = whole.part(0..4);
    open.cursor().push(counted.clone());
    assert_eq!(Arc::strong_count(&counted), 5);
    drop(open);
    assert_eq!(Arc::strong_count(&counted), 4);
    drop(whole);
    assert_eq!(Arc::strong_count(&counted), 1);

    let whole = AtMost::new(Context::ambient(), 10).unwrap();
    for range in [0..2, 2..5] {
        let mut merged = whole.part(Context::ambient(), range);
        merged.cursor().push(counted.clone());
        whole.merge(merged);
    }
    whole.part(Context::ambient(), 5..7).append(vec![counted.clone(), counted.clone()]);
    assert_eq!(Arc::strong_count(&counted), 3, "a full part that is not merged is given up");
    drop(whole);
    assert_eq!(Arc::strong_count(&counted), 1);
}
