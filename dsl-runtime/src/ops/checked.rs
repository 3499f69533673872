//! Operations that can fault, as emitted code calls them: the check inline, the fault out of line.
//!
//! Each takes the line and column of the user's token last.

use std::borrow::Borrow;

use crate::key::hash::Key;
use crate::key::parts::Parts;
use crate::lang::domain::{self, MOST_POINTS};
use crate::lang::fault::{Fault, FaultKind, Position, outside};
use crate::lang::num::Integer;
use crate::store::dict::Dict;

/// `x / y`, truncated.
#[inline(always)]
pub fn div<T: Integer + Into<i128>>(x: T, y: T, line: u32, column: u32) -> Result<T, Fault> {
    match x.checked_quotient(y) {
        Ok(quotient) => Ok(quotient),
        Err(kind) => Err(division(kind, x, y, line, column)),
    }
}

/// `x % y`, with the sign of `x`.
#[inline(always)]
pub fn rem<T: Integer + Into<i128>>(x: T, y: T, line: u32, column: u32) -> Result<T, Fault> {
    match x.checked_remainder(y) {
        Ok(remainder) => Ok(remainder),
        Err(kind) => Err(division(kind, x, y, line, column)),
    }
}

#[cold]
#[inline(never)]
fn division<T: Into<i128>>(kind: FaultKind, x: T, y: T, line: u32, column: u32) -> Fault {
    Fault::division(kind, x.into(), y.into(), Position { line, column })
}

/// `index`, if a vector of `length` has an element there.
///
/// # Errors
/// [`FaultKind::IndexOutOfBounds`], at `line` and `column`.
#[inline(always)]
pub fn index(index: i64, length: i64, line: u32, column: u32) -> Result<i64, Fault> {
    // As one comparison: what is negative is very large without a sign.
    if (index as u64) < length as u64 {
        Ok(index)
    } else {
        Err(outside(index, length as usize, line, column))
    }
}

/// The `size` elements of `vector` from `start` on, or as many as there are.
#[inline]
pub fn slice<T, I, J>(vector: &[T], start: I, size: J, line: u32, column: u32) -> Result<&[T], Fault>
where
    I: Integer + TryInto<usize> + Into<i128>,
    J: Integer + TryInto<usize> + Into<i128>,
{
    #[cold]
    #[inline(never)]
    fn fault(start: i128, size: i128, len: usize, line: u32, column: u32) -> Fault {
        Fault::slice(start, size, len, Position { line, column })
    }
    match (start.try_into(), size.try_into()) {
        (Ok(start), Ok(size)) if start <= vector.len() => {
            let rest = &vector[start..];
            Ok(&rest[..rest.len().min(size)])
        }
        _ => Err(fault(start.into(), size.into(), vector.len(), line, column)),
    }
}

/// The value of `key`.
#[inline]
pub fn value<'d, K, V, Q>(dict: &'d Dict<K, V>, key: &Q, line: u32, column: u32) -> Result<&'d V, Fault>
where
    K: Key + Borrow<Q>,
    Q: Key + ?Sized,
{
    found(dict.get(key), dict, line, column)
}

/// The value of a key by its parts.
///
/// # Errors
/// [`FaultKind::KeyNotFound`], at `line` and `column`.
#[inline]
pub fn value_by_parts<'d, P: Parts<Whole = K>, K: Key, V>(
    dict: &'d Dict<K, V>,
    key: &P,
    line: u32,
    column: u32,
) -> Result<&'d V, Fault> {
    found(dict.get_by_parts(key), dict, line, column)
}

/// What a search of `dict` has found.
///
/// # Errors
/// [`FaultKind::KeyNotFound`], at `line` and `column`.
#[inline]
pub fn found<'d, K, V>(
    found: Option<&'d V>,
    dict: &Dict<K, V>,
    line: u32,
    column: u32,
) -> Result<&'d V, Fault> {
    match found {
        Some(value) => Ok(value),
        None => Err(Fault::missing_key(dict.len(), Position { line, column })),
    }
}

/// The common value of the lengths of a zip, of which there is at least one.
#[inline]
pub fn zip_len(lens: &[i64], line: u32, column: u32) -> Result<i64, Fault> {
    #[cold]
    #[inline(never)]
    fn fault(first: i64, other: i64, line: u32, column: u32) -> Fault {
        Fault::zip(first, other, Position { line, column })
    }
    let first = lens[0];
    match lens.iter().find(|&&len| len != first) {
        None => Ok(first),
        Some(&other) => Err(fault(first, other, line, column)),
    }
}

/// The common value of the extents of axes that run together, of which there is at least one.
#[inline]
pub fn zip_extent(extents: &[i64], line: u32, column: u32) -> Result<i64, Fault> {
    let first = extents[0];
    match extents.iter().find(|&&extent| extent != first) {
        None => Ok(first),
        Some(&other) => Err(Fault::extents(first, other, Position { line, column })),
    }
}

/// The extent of an axis of an argument, which is the one that the type of the parameter says.
///
/// # Errors
/// [`FaultKind::BadArguments`] where it is not.
#[inline]
pub fn zip_argument(extents: &[i64], line: u32, column: u32) -> Result<i64, Fault> {
    let first = extents[0];
    match extents.iter().find(|&&extent| extent != first) {
        None => Ok(first),
        Some(&other) => Err(Fault::argument(first, other, Position { line, column })),
    }
}

/// How many keys a dictionary has, which is the number of elements that it was made of.
///
/// # Errors
/// [`FaultKind::DuplicateKey`] where it has fewer.
#[inline]
pub fn zip_keys(counts: &[i64], line: u32, column: u32) -> Result<i64, Fault> {
    let keys = counts[0];
    match counts.iter().find(|&&count| count != keys) {
        None => Ok(keys),
        Some(&elements) => Err(Fault::duplicate_key(keys, elements, Position { line, column })),
    }
}

/// How many points a shape has, if an array can have that; the extent to blame otherwise.
fn points(extents: &[i64]) -> Result<i64, i64> {
    if let Some(&none) = extents.iter().find(|&&extent| !(0..=MOST_POINTS as i64).contains(&extent)) {
        return Err(none);
    }
    let product =
        |points: i128, &extent: &i64| (points * i128::from(extent)).min(i128::from(MOST_POINTS) + 1);
    let points = extents.iter().fold(1, product) as i64;
    if points > MOST_POINTS as i64 { Err(extents[0]) } else { Ok(points) }
}

/// The first of the extents of an array that is to be, if it can be.
///
/// # Errors
/// [`FaultKind::ShapeMismatch`] where one is negative, or where there are too many points.
#[inline]
pub fn extents(extents: &[i64], line: u32, column: u32) -> Result<i64, Fault> {
    match points(extents) {
        Ok(_) => Ok(extents[0]),
        Err(extent) => Err(Fault::no_shape(extent, Position { line, column })),
    }
}

/// `vector`, if it has an element for each point of a shape.
///
/// # Errors
/// [`FaultKind::ShapeMismatch`] where it has not.
#[inline]
pub fn shape<'v, T>(vector: &'v [T], extents: &[i64], line: u32, column: u32) -> Result<&'v [T], Fault> {
    let (elements, position) = (vector.len() as i64, Position { line, column });
    match points(extents) {
        Ok(points) if points == elements => Ok(vector),
        Ok(points) => Err(Fault::shape(elements, points, position)),
        Err(extent) => Err(Fault::no_shape(extent, position)),
    }
}

/// How many coordinates there are from `start` on, in strides, before `end`, all of which are on an axis.
///
/// # Errors
/// [`FaultKind::IndexOutOfBounds`] where one is not, or where the stride is below 1.
#[inline]
pub fn span_len(span: [i64; 6], line: u32, column: u32) -> Result<i64, Fault> {
    let [start, _, stride, lower, step, extent] = span;
    let position = Position { line, column };
    let Some(count) = domain::span_len(span) else { return Err(Fault::no_stride(stride, position)) };
    if count > 0 {
        // Counted so, the last one is before the end, and no `i64` overflows.
        let last = start + (count - 1) * stride;
        for at in [start, last] {
            coordinate(at, lower, step, extent, line, column)?;
        }
        if count > 1 && stride % step != 0 {
            return Err(Fault::coordinate(start + stride, [lower, step, extent], position));
        }
    }
    Ok(count)
}

/// The position of the first coordinate of a span.
#[inline]
pub fn span_start([start, _, _, lower, step, _]: [i64; 6]) -> i64 {
    start.wrapping_sub(lower).wrapping_div(step)
}

/// How many positions lie between the coordinates of a span.
#[inline]
pub fn span_stride([_, _, stride, _, step, _]: [i64; 6]) -> i64 {
    stride.wrapping_div(step)
}

/// The position of a coordinate on an axis of `extent` coordinates from `lower` on in steps of `step`.
///
/// # Errors
/// [`FaultKind::IndexOutOfBounds`] where it is none of them.
#[inline]
pub fn coordinate(
    coordinate: i64,
    lower: i64,
    step: i64,
    extent: i64,
    line: u32,
    column: u32,
) -> Result<i64, Fault> {
    #[cold]
    #[inline(never)]
    fn fault(coordinate: i64, range: [i64; 3], line: u32, column: u32) -> Fault {
        Fault::coordinate(coordinate, range, Position { line, column })
    }
    // A difference that wraps is beyond every extent.
    let distance = coordinate.wrapping_sub(lower);
    let position = if step == 1 { distance } else { distance.div_euclid(step) };
    if (position as u64) < extent as u64 && (step == 1 || distance == position * step) {
        Ok(position)
    } else {
        Err(fault(coordinate, [lower, step, extent], line, column))
    }
}

/// So many units of a decimal number with `digits` digits behind the point, which an i64 holds.
#[inline]
pub fn units(units: i128, digits: i64, line: u32, column: u32) -> Result<i64, Fault> {
    match i64::try_from(units) {
        Ok(units) => Ok(units),
        Err(_) => Err(Fault::units(units, digits, Position { line, column })),
    }
}

/// The steps of `iter(v, start, end, stride)` over a vector of length `len`: 0 ≤ start ≤ end ≤ len, and a
/// positive stride that divides end − start.
#[inline]
pub fn iter_len(len: i64, start: i64, end: i64, stride: i64, line: u32, column: u32) -> Result<i64, Fault> {
    match steps(start, end, stride) {
        Some(steps) if start >= 0 && end <= len => Ok(steps),
        _ => Err(Fault::iter(start, end, stride, len, Position { line, column })),
    }
}

/// The steps of `rangeiter(start, end, stride)`: start ≤ end, and a positive stride that divides end − start.
#[inline]
pub fn range_len(start: i64, end: i64, stride: i64, line: u32, column: u32) -> Result<i64, Fault> {
    match steps(start, end, stride) {
        Some(steps) => Ok(steps),
        None => Err(Fault::range(start, end, stride, Position { line, column })),
    }
}

/// The steps from `start` to `end`, if the stride fits.
#[inline]
fn steps(start: i64, end: i64, stride: i64) -> Option<i64> {
    if start > end || stride <= 0 {
        return None;
    }
    // The difference wraps to its exact value as an unsigned number.
    let distance = end.wrapping_sub(start) as u64;
    let stride = stride as u64;
    if !distance.is_multiple_of(stride) {
        return None;
    }
    i64::try_from(distance / stride).ok()
}

/// True, if `condition` is.
#[inline(always)]
pub fn assert(condition: bool, line: u32, column: u32) -> Result<bool, Fault> {
    if condition { Ok(true) } else { Err(Fault::assertion(Position { line, column })) }
}

/// The value of a reduction, which faults if nothing was merged.
#[inline(always)]
pub fn not_empty<T>(value: Option<T>, line: u32, column: u32) -> Result<T, Fault> {
    match value {
        Some(value) => Ok(value),
        None => Err(Fault::empty(Position { line, column })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_outside_shows_as_it_was() {
        assert_eq!(index(2, 3, 1, 1), Ok(2));
        let text = |at| index(at, 3, 1, 1).unwrap_err().detail.clone();
        assert_eq!(text(3), "index 3 of a vector of 3");
        assert_eq!(text(i64::MIN), "index -9223372036854775808 of a vector of 3");
        assert_eq!(index(0, 0, 1, 1).unwrap_err().detail, "index 0 of a vector of 0");
    }

    #[test]
    fn steps_never_overflow() {
        assert_eq!(steps(i64::MIN, i64::MAX, i64::MAX), None);
        assert_eq!(steps(i64::MIN, i64::MAX, 3), Some(6148914691236517205));
        assert_eq!(steps(i64::MIN, -1, i64::MAX), Some(1));
        assert_eq!(steps(5, 4, 1), None);
        assert_eq!(steps(4, 4, 0), None);
        assert_eq!(steps(i64::MAX, i64::MAX, 9), Some(0));
    }

    #[test]
    fn an_iterator_must_lie_inside_its_vector() {
        assert!(iter_len(10, -2, 8, 2, 1, 1).is_err());
        assert!(iter_len(10, 8, 2, 1, 1, 1).is_err());
        assert!(iter_len(10, 0, 10, 0, 1, 1).is_err());
        assert!(iter_len(10, 0, 10, -1, 1, 1).is_err());
        assert!(iter_len(10, 0, 10, 3, 1, 1).is_err());
        assert_eq!(iter_len(0, 0, 0, 1, 1, 1), Ok(0));
    }
}
