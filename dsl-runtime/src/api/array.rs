//! Arrays as values of programs.
//!
//! This file may use `unsafe` because it says where an array has its fields: the offsets are those that the compiler tells.

#![expect(unsafe_code, reason = "compiled programs read memory as the fields say")]

use std::mem::offset_of;

use crate::api::element::Element;
use crate::api::layout::{Field, Layout};
use crate::api::structure::Structure;
use crate::exec::context::Context;
use crate::lang::domain::{Domain, Range};
use crate::lang::types::{Fields, MOST_AXES, Type};
use crate::lang::value::Value;
use crate::store::array::{Array, ArrayView};

impl<T: Element, const N: usize> Array<T, N> {
    /// The elements, and of all axes the lower bounds, then the steps, then the extents; fields beyond those of `N` axes are
    /// not used.
    const ALL: [Field; 1 + 3 * MOST_AXES] = {
        assert!(N >= 1 && N <= MOST_AXES, "the arrays of programs have 1 to 8 axes");
        let mut fields = [Field::new(Self::DATA, Vec::<T>::LAYOUT); 1 + 3 * MOST_AXES];
        let mut axis = 0;
        while axis < N {
            let range = Self::DOMAIN + offset_of!(Domain<N>, ranges) + axis * size_of::<Range>();
            let offsets = [offset_of!(Range, lower), offset_of!(Range, step), offset_of!(Range, extent)];
            let mut number = 0;
            while number < offsets.len() {
                // An extent is below 2^63, so that it has the same bits.
                fields[1 + number * N + axis] = Field::new(range + offsets[number], i64::LAYOUT);
                number += 1;
            }
            axis += 1;
        }
        fields
    };
}

// SAFETY: `ALL` has the elements and the three numbers of each of the `N` axes, of which the array and its domain consist,
// each at its offset.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const N: usize> Structure for Array<T, N> {
    const FIELDS: &'static [Field] = Self::ALL.split_at(1 + 3 * N).0;

    fn types() -> Fields {
        match Type::array(T::ty(), N) {
            Type::Struct(fields) => fields,
            _ => unreachable!("an array has axes"),
        }
    }

    fn are(types: &Fields) -> bool {
        types.as_array().is_some_and(|(element, axes)| axes == N && T::is(element))
    }

    fn zeros() -> Array<T, N> {
        Array::over(Vec::new(), Domain::of_shape([0; N]).expect("no points")).expect("no elements")
    }

    fn to_values(&self) -> Vec<Value> {
        let ranges = self.domain().ranges();
        let numbers = [Range::lower, Range::step, |range: Range| range.extent() as i64];
        let numbers = numbers.iter().flat_map(|of| ranges.iter().map(|&range| Value::I64(of(range))));
        let elements = self.as_slice().iter().map(T::to_value).collect();
        [Value::vec(elements)].into_iter().chain(numbers).collect()
    }

    fn from_values(fields: &[Value]) -> Option<Array<T, N>> {
        let (elements, numbers) = fields.split_first()?;
        let number = |at: usize| match numbers.get(at) {
            Some(Value::I64(number)) => Some(*number),
            _ => None,
        };
        if numbers.len() != 3 * N {
            return None;
        }
        let mut ranges = [Range::of_extent(0)?; N];
        for (axis, range) in ranges.iter_mut().enumerate() {
            let extent = u64::try_from(number(2 * N + axis)?).ok()?;
            *range = Range::new(number(axis)?, number(N + axis)?, extent)?;
        }
        Array::over(Vec::from_value(elements)?, Domain::new(ranges)?).ok()
    }

    fn value_of(fields: Vec<Value>) -> Value {
        Value::Array(fields.into())
    }

    fn fields_of(value: &Value) -> Option<&[Value]> {
        match value {
            Value::Array(fields) => Some(fields),
            _ => None,
        }
    }
}

/// An array whose elements are borrowed, with any strides.
#[allow(clippy::len_without_is_empty)]
pub trait Strided {
    /// Of the elements.
    fn layout(&self) -> &'static Layout;

    /// The number of axes.
    fn axes(&self) -> usize;

    /// The number of elements.
    fn len(&self) -> usize;

    /// Where the elements are, if they stand row by row without gaps.
    fn elements(&self) -> Option<*const u8>;

    /// Lower bound, step or extent of an axis, by the number of its field in [`Type::array`].
    fn number(&self, field: usize) -> i64;

    /// Copies the elements to `to`, row by row, bit by bit: those of both are not to be dropped.
    ///
    /// # Safety
    /// There is room for them all, which nobody else uses.
    unsafe fn copy_to(&self, cx: &Context, to: *mut u8);
}

impl<T: Element, const N: usize> Strided for ArrayView<'_, T, N> {
    fn layout(&self) -> &'static Layout {
        T::LAYOUT
    }

    fn axes(&self) -> usize {
        N
    }

    fn len(&self) -> usize {
        self.domain().len()
    }

    fn elements(&self) -> Option<*const u8> {
        self.as_slice().map(|elements| elements.as_ptr().cast())
    }

    fn number(&self, field: usize) -> i64 {
        self.domain().number(field)
    }

    unsafe fn copy_to(&self, cx: &Context, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { ArrayView::copy_to(self, cx, to.cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::layout::Shape;

    #[test]
    fn arrays_come_back_from_dynamic_values() {
        let ranges = [Range::new(-1, 2, 2).unwrap(), Range::new(5, 1, 3).unwrap()];
        let array = Array::over(vec![1.5, 2.0, 3.0, 4.0, 5.0, 6.0], Domain::new(ranges).unwrap()).unwrap();
        let value = array.to_value();
        assert!(
            value.has_type(&Type::array(Type::F64, 2)) && Array::<f64, 2>::is(&Type::array(Type::F64, 2))
        );
        assert_eq!(Array::from_value(&value), Some(array));
        assert_eq!(Array::<f64, 1>::from_value(&value), None);
        assert_eq!(Array::<f32, 2>::from_value(&value), None);
        assert_eq!(<(Vec<f64>, i64, i64, i64)>::from_value(&Array::<f64, 1>::zero().to_value()), None);
    }

    #[test]
    fn values_of_arrays_print_as_arrays() {
        for shape in [[2, 3], [0, 3], [40, 50]] {
            let array = Array::from_fn(shape, |[i, j]| i * 100 + j).unwrap();
            assert_eq!(array.to_value().to_string(), format!("{array:?}"));
        }
    }

    #[test]
    fn fields_are_where_the_layout_says() {
        let ranges = [Range::new(-1, 2, 2).unwrap(), Range::new(5, 1, 3).unwrap()];
        let array = Array::over(vec![0u8; 6], Domain::new(ranges).unwrap()).unwrap();
        let Shape::Struct(fields) = Array::<u8, 2>::LAYOUT.shape() else { panic!("an array is a struct") };
        let number = |field: &Field| {
            assert_eq!(field.layout().size(), 8);
            // SAFETY: an `i64` of the array stands there.
            unsafe { std::ptr::from_ref(&array).byte_add(field.offset()).cast::<i64>().read() }
        };
        assert_eq!(fields[1..].iter().map(number).collect::<Vec<_>>(), [-1, 5, 2, 1, 2, 3]);
        // SAFETY: the vector of the array stands there.
        let data = unsafe { &*std::ptr::from_ref(&array).byte_add(fields[0].offset()).cast::<Vec<u8>>() };
        assert_eq!(data[..], *array.as_slice());
    }
}
