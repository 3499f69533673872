//! Sorting by a scalar key.

use std::mem::needs_drop;

use super::radix;
use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::lang::types::Scalar;
use crate::store::vector::growable::with_capacity;

/// A scalar by which rows can be sorted.
pub trait Key: Copy + Send + Sync {
    /// How many bytes of the digits count; the others are 0.
    const BYTES: usize;

    /// Whether [`digits_of_most`](Key::digits_of_most) gives the digits of all keys.
    const IS_PLAIN: bool;

    /// A number that is as much less than that of another key as the key is in the [total
    /// order](crate::lang::order::Order::total_order).
    fn digits(self) -> u64;

    /// The key of these [`digits`](Key::digits): of floats it is 0.0 for both zeros, and one NaN for all.
    fn of_digits(digits: u64) -> Self;

    /// The same as [`digits`](Key::digits), in less time, of a key that is neither NaN nor −0.0; of those it may be another number.
    fn digits_of_most(self) -> u64;
}

macro_rules! integer {
    ($($ty:ident $unsigned:ident)*) => {$(
        impl Key for $ty {
            const BYTES: usize = size_of::<$ty>();
            const IS_PLAIN: bool = true;

            #[inline(always)]
            fn digits(self) -> u64 {
                // The least value, which has the sign bit alone, becomes 0.
                u64::from(self as $unsigned ^ $ty::MIN as $unsigned)
            }

            #[inline(always)]
            fn of_digits(digits: u64) -> $ty {
                (digits as $unsigned ^ $ty::MIN as $unsigned) as $ty
            }

            #[inline(always)]
            fn digits_of_most(self) -> u64 {
                self.digits()
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    // Its digits do not fit a word.
    (Signed i128 $bits:ident) => {};
    (Signed $ty:ident $bits:ident) => { integer!($ty $bits); };
    (Unsigned $ty:ident $bits:ident) => { integer!($ty $bits); };
    ($kind:ident $ty:ident $bits:ident) => {};
}

crate::scalar_types!(each);

macro_rules! float {
    ($($ty:ident $signed:ident $unsigned:ident)*) => {$(
        impl Key for $ty {
            const BYTES: usize = size_of::<$ty>();
            const IS_PLAIN: bool = false;

            #[inline(always)]
            fn digits(self) -> u64 {
                // Zeros are equal, and so is every NaN to every NaN.
                (if self.is_nan() { $ty::NAN } else { self + 0.0 }).digits_of_most()
            }

            #[inline(always)]
            fn of_digits(digits: u64) -> $ty {
                let digits = digits as $unsigned;
                let is_negative = digits >> ($unsigned::BITS - 1) == 0;
                $ty::from_bits(if is_negative { !digits } else { digits ^ (1 << ($unsigned::BITS - 1)) })
            }

            #[inline(always)]
            fn digits_of_most(self) -> u64 {
                let bits = self.to_bits();
                // All bits of a negative number, which is the less the greater they are; of others the sign.
                let flipped = (bits as $signed >> ($unsigned::BITS - 1)) as $unsigned | 1 << ($unsigned::BITS - 1);
                u64::from(bits ^ flipped)
            }
        }
    )*};
}

float!(f32 i32 u32 f64 i64 u64);

/// Whether rows are sorted by the [digits](Key::digits) of such a key: all but those of an i128 fit a word.
///
/// ```
/// # use weldment_runtime::{lang::types::Scalar, ops::sort::has_digits};
/// assert!(has_digits(Scalar::F64) && !has_digits(Scalar::I128));
/// ```
pub fn has_digits(scalar: Scalar) -> bool {
    scalar.size() <= size_of::<u64>()
}

/// The bytes of the [digits](Key::digits) of a type, and what gives them of the bits of a value.
///
/// # Panics
/// If it [has none](has_digits).
pub fn digits_of(scalar: Scalar) -> (usize, fn(u64) -> u64) {
    fn of<K: Key>(digits: fn(u64) -> u64) -> (usize, fn(u64) -> u64) {
        (K::BYTES, digits)
    }
    macro_rules! by_type {
        ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
            match scalar { $(Scalar::$variant => by_type!($kind $ty $bits),)* }
        };
        (Truth $ty:ident $bits:ident) => { of::<$bits>(|bits| (bits as $bits).digits()) };
        (Signed i128 $bits:ident) => { unreachable!("rows are not sorted by the digits of an i128") };
        (Float $ty:ident $bits:ident) => { of::<$ty>(|bits| $ty::from_bits(bits as $bits).digits()) };
        ($kind:ident $ty:ident $bits:ident) => { of::<$ty>(|bits| (bits as $ty).digits()) };
    }
    crate::scalar_types!(by_type)
}

/// Elements of no more bytes are moved themselves, and not their numbers.
const MOVED: usize = 16;

/// Whether elements are moved themselves. It is asked in constants, so that what a type has no need of is not compiled for it.
const fn is_moved<T>() -> bool {
    size_of::<T>() <= MOVED && !needs_drop::<T>()
}

/// `vector`, sorted by what `key` gives for each element, or if `descending` against it. Elements of equal keys keep their
/// order. `key` may be computed several times for each element.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort_by_key<T: Clone + Send + Sync, K: Key>(
    cx: &Context,
    vector: &[T],
    descending: bool,
    key: impl Fn(&T) -> K + Copy + Sync,
) -> Result<Vec<T>, Fault> {
    let flip = flip(K::BYTES, descending);
    if const { is_moved::<T>() } {
        let mut sorted = with_capacity(cx, vector.len())?;
        sorted.extend_from_slice(vector);
        sort_by_key_into(cx, vector, &mut sorted, flip, key)?;
        return Ok(sorted);
    }
    sort_by_place(cx, vector, move |element| key(element).digits() ^ flip)
}

/// [`sort_by_key`] of keys by themselves.
///
/// ```
/// use weldment_runtime::{exec::context::Context, ops::sort::sort_keys};
/// assert_eq!(sort_keys(Context::ambient(), &[0.5, -1.0, 2.0], true), Ok(vec![2.0, 0.5, -1.0]));
/// ```
///
/// # Errors
/// The fault that memory is out or the run cancelled.
#[inline(never)]
pub fn sort_keys<K: Key>(cx: &Context, keys: &[K], descending: bool) -> Result<Vec<K>, Fault> {
    sort_by_key(cx, keys, descending, |&key| key)
}

type Sort<K> = fn(&Context, &[K], bool) -> Result<Vec<K>, Fault>;

/// The sorts of most kernels, which are compiled here and not with each of them: of what is not in line, rustc takes the instance of a
/// dependency.
#[used]
static COMMON: (Sort<i32>, Sort<i64>, Sort<f32>, Sort<f64>) = (sort_keys, sort_keys, sort_keys, sort_keys);

/// The same by a key that costs so much that it is computed once for each element, and kept.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort_by_kept_key<T: Clone + Send + Sync, K: Key>(
    cx: &Context,
    vector: &[T],
    descending: bool,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, Fault> {
    let flip = flip(K::BYTES, descending);
    let digits = move |element: &T| key(element).digits() ^ flip;
    if const { is_moved::<T>() } {
        let mut rows = with_capacity(cx, vector.len())?;
        rows.extend(vector.iter().map(|element| (digits(element), element.clone())));
        let sorted = sort_and_drop(cx, rows)?;
        return gathered(cx, sorted, |(_, element)| element.clone());
    }
    sort_by_place(cx, vector, digits)
}

/// `vector`, sorted by its digits: what is sorted are the numbers of its elements.
fn sort_by_place<T: Clone>(cx: &Context, vector: &[T], digits: impl Fn(&T) -> u64) -> Result<Vec<T>, Fault> {
    let places = sort_digits(cx, vector.len(), |place| digits(&vector[place]))?;
    gathered(cx, places, |&(_, place)| vector[place].clone())
}

/// Writes `vector` to `sorted`, of the same length, sorted by the digits of what `key` gives for each element, after an exclusive
/// or with `flip`. Elements of equal keys keep their order.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort_by_key_into<T: Clone + Send + Sync, K: Key>(
    cx: &Context,
    vector: &[T],
    sorted: &mut [T],
    flip: u64,
    key: impl Fn(&T) -> K + Copy + Sync,
) -> Result<(), Fault> {
    if const { K::IS_PLAIN }
        || radix::any_bits(cx, vector, |element| key(element).digits() ^ key(element).digits_of_most())? == 0
    {
        radix::sort_into(cx, vector, sorted, move |element| key(element).digits_of_most() ^ flip)
    } else {
        radix::sort_into(cx, vector, sorted, move |element| key(element).digits() ^ flip)
    }
}

/// What turns the order of digits of so many bytes around, in an exclusive or; or nothing.
pub fn flip(bytes: usize, descending: bool) -> u64 {
    if descending { u64::MAX >> (u64::BITS - u8::BITS * bytes as u32) } else { 0 }
}

/// The numbers below `len` in the order of the digits of each, with those digits.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort_digits(
    cx: &Context,
    len: usize,
    mut digits: impl FnMut(usize) -> u64,
) -> Result<Vec<(u64, usize)>, Fault> {
    let mut numbers = with_capacity(cx, len)?;
    numbers.extend((0..len).map(|number| (digits(number), number)));
    sort_numbers(cx, numbers)
}

/// The numbers, sorted by their digits: compiled once, whatever they number.
#[inline(never)]
fn sort_numbers(cx: &Context, numbers: Vec<(u64, usize)>) -> Result<Vec<(u64, usize)>, Fault> {
    sort_and_drop(cx, numbers)
}

/// The rows, sorted by their digits.
fn sort_and_drop<T: Clone + Send + Sync>(cx: &Context, rows: Vec<(u64, T)>) -> Result<Vec<(u64, T)>, Fault> {
    let sorted = radix::sort(cx, &rows, |row| row.0)?;
    cx.discharge(size_of_val(&rows[..]));
    Ok(sorted)
}

/// The elements that stand for the rows.
fn gathered<T, R>(cx: &Context, rows: Vec<R>, element: impl Fn(&R) -> T) -> Result<Vec<T>, Fault> {
    let mut sorted = with_capacity(cx, rows.len())?;
    sorted.extend(rows.iter().map(element));
    cx.discharge(size_of_val(&rows[..]));
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::order::Order;

    /// Compares with the library's stable sort by the total order.
    fn check<K: Key + Order>(keys: &[K], what: &str) {
        for len in [0, 1, 2, 5, 20, if cfg!(miri) { 50 } else { 1000 }] {
            let rows: Vec<(K, usize)> = (0..len).map(|row| (keys[row * 7 % keys.len()], row)).collect();
            for descending in [false, true] {
                let mut wanted = rows.clone();
                wanted.sort_by(|a, b| {
                    let order = a.0.total_order(&b.0);
                    if descending { order.reverse() } else { order }
                });
                let wanted: Vec<usize> = wanted.into_iter().map(|row| row.1).collect();
                for costly in [false, true] {
                    let cx = Context::ambient();
                    let sorted = match costly {
                        false => sort_by_key(cx, &rows, descending, |row| row.0).unwrap(),
                        true => sort_by_kept_key(cx, &rows, descending, |row| row.0).unwrap(),
                    };
                    let places: Vec<usize> = sorted.into_iter().map(|row| row.1).collect();
                    assert_eq!(
                        places, wanted,
                        "{what}, {len} rows, descending {descending}, costly {costly}"
                    );
                    // What is dropped is cloned from its place.
                    let words: Vec<(K, String)> = rows.iter().map(|row| (row.0, row.1.to_string())).collect();
                    let sorted = match costly {
                        false => sort_by_key(cx, &words, descending, |row| row.0).unwrap(),
                        true => sort_by_kept_key(cx, &words, descending, |row| row.0).unwrap(),
                    };
                    let places: Vec<usize> = sorted.into_iter().map(|row| row.1.parse().unwrap()).collect();
                    assert_eq!(
                        places, wanted,
                        "{what}, {len} words, descending {descending}, costly {costly}"
                    );
                }
            }
        }
    }

    #[test]
    fn keys_of_every_type_are_in_their_total_order() {
        check(&[0i8, -1, 1, i8::MIN, i8::MAX], "i8");
        check(&[0u8, 1, u8::MAX, 128], "u8");
        check(&[0i16, -1, 300, i16::MIN, i16::MAX], "i16");
        check(&[0u16, 257, u16::MAX], "u16");
        check(&[0i32, -1, 70_000, i32::MIN, i32::MAX], "i32");
        check(&[0u32, 70_000, u32::MAX], "u32");
        check(&[0i64, -1, 1 << 40, i64::MIN, i64::MAX], "i64");
        check(&[0u64, 1 << 40, u64::MAX], "u64");
        let floats = [0.0, -0.0, 1.5, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, 5e-324];
        check(&floats, "f64");
        check(&floats.map(|x| x as f32), "f32");
    }
}
