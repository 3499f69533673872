//! The same by the arrays of the runtime, and their views where they have the same operation.

use weldment::{Array, ArrayView, Domain, Element, FaultKind, Range, Value};

use super::model::{Axis, Model};
use super::op::{Number, Op, Part};

/// The array as a value.
pub(crate) fn value(array: &Model) -> Value {
    match array.axes.len() {
        1 => owned::<1>(array).to_value(),
        2 => owned::<2>(array).to_value(),
        3 => owned::<3>(array).to_value(),
        _ => owned::<4>(array).to_value(),
    }
}

/// Views of the runtime come to the same, `after`, as far as there are such.
pub(crate) fn check(before: &Model, op: &Op, after: &Result<Model, FaultKind>) {
    match before.axes.len() {
        1 => same(&owned::<1>(before).view(), op, after),
        2 => {
            same(&owned::<2>(before).view(), op, after);
            row::<2, 1>(&owned(before).view(), op, after);
        }
        3 => {
            same(&owned::<3>(before).view(), op, after);
            row::<3, 2>(&owned(before).view(), op, after);
        }
        _ => {
            same(&owned::<4>(before).view(), op, after);
            row::<4, 3>(&owned(before).view(), op, after);
        }
    }
}

fn range(axis: &Axis) -> Range {
    Range::new(axis.lower, axis.step, axis.extent as u64).expect("small numbers")
}

fn domain<const N: usize>(axes: &[Axis]) -> Domain<N> {
    let ranges: Vec<Range> = axes.iter().map(range).collect();
    Domain::new(ranges.try_into().expect("as many axes")).expect("few points")
}

fn owned<const N: usize>(array: &Model) -> Array<i64, N> {
    Array::over(array.elements.clone(), domain(&array.axes)).expect("an element for each point")
}

/// Views with as many axes.
fn same<const N: usize>(view: &ArrayView<'_, i64, N>, op: &Op, after: &Result<Model, FaultKind>) {
    let got = match op {
        Op::Permute(order) => {
            let order: [usize; N] = order.clone().try_into().expect("all axes");
            if order.iter().rev().copied().eq(0..N) {
                compare(&view.permute(order).expect("all axes"), after);
                Some(view.transpose())
            } else {
                view.permute(order)
            }
        }
        Op::Reverse(axes) => {
            let all: Vec<usize> = (0..N).collect();
            let axes = if axes.is_empty() { &all } else { axes };
            Some(axes.iter().fold(*view, |view, &axis| view.reverse(axis)))
        }
        Op::MoveTo(numbers) if numbers.len() == N => {
            let lower: [i64; N] = std::array::from_fn(|axis| numbers[axis].0);
            view.move_to(lower)
        }
        Op::Slice(parts) => {
            let ranges = view.domain().ranges().iter().zip(parts);
            let ranges: Option<Vec<Range>> = ranges.map(|(of, part)| sliced(*of, part)).collect();
            let Some(ranges) = ranges else { return };
            let mut axes = ranges.iter().enumerate();
            let one_by_one = axes.try_fold(*view, |view, (axis, &range)| view.slice_axis(axis, range));
            let ranges: [Range; N] = ranges.try_into().expect("one for each axis");
            let domain = Domain::new(ranges).expect("few points");
            // No points are inside, whatever their ranges; a slice has each range inside.
            if domain.is_empty() && after.is_err() {
                return;
            }
            let at_once = view.restrict(domain);
            assert_eq!(at_once.is_some(), one_by_one.is_some(), "{op:?}");
            if let Some(view) = at_once {
                compare(&view, after);
            }
            one_by_one
        }
        _ => return,
    };
    match got {
        Some(view) => compare(&view, after),
        None => assert!(after.is_err(), "{op:?} is refused, instead of {after:?}"),
    }
}

/// The coordinates that a range between brackets is; `None` where it is none.
fn sliced(of: Range, part: &Part) -> Option<Range> {
    let Part::Range(low, high, step) = part else {
        return if matches!(part, Part::All) { Some(of) } else { None };
    };
    let number = |number: &Option<Number>, or: i64| number.map_or(or, |number| number.0);
    let behind = of.lower() + of.step() * (of.extent() as i64 - 1) + 1;
    let (low, high, step) = (number(low, of.lower()), number(high, behind), number(step, 1));
    if step < 1 {
        return None;
    }
    let extent = if low < high { (high - low + step - 1) / step } else { 0 };
    Range::new(low, step, extent as u64)
}

/// One coordinate of an axis, and all of the others.
fn row<const N: usize, const M: usize>(
    view: &ArrayView<'_, i64, N>,
    op: &Op,
    after: &Result<Model, FaultKind>,
) {
    let Op::Slice(parts) = op else { return };
    let fixed = parts.iter().enumerate().filter_map(|(axis, part)| match part {
        Part::At(number) => Some((axis, number.0)),
        _ => None,
    });
    let fixed: Vec<(usize, i64)> = fixed.collect();
    let rest = parts.iter().filter(|part| matches!(part, Part::All)).count();
    let [(axis, coordinate)] = fixed[..] else { return };
    if rest != M {
        return;
    }
    match view.index_axis::<M>(axis, coordinate) {
        Some(row) => compare(&row, after),
        None => assert!(after.is_err(), "{op:?} is refused, instead of {after:?}"),
    }
}

fn compare<const N: usize>(got: &ArrayView<'_, i64, N>, wanted: &Result<Model, FaultKind>) {
    let Ok(wanted) = wanted else { panic!("{got:?}\ninstead of {wanted:?}") };
    assert_eq!(got.domain(), &domain::<N>(&wanted.axes));
    assert!(got.iter().eq(&wanted.elements), "{got:?}\ninstead of {wanted:?}");
}
