//! What programs that are compiled at run time are called with: Rust values, passed where they lie.

use std::fmt;
use std::iter;
use std::marker::PhantomData;
use std::ptr;

use crate::api::array::Strided;
use crate::api::element::Element;
use crate::api::layout::Layout;
use crate::key::hash::Key;
use crate::lang::tuples::for_tuples;
use crate::lang::types::Type;
use crate::lang::value::Value;
use crate::store::array::{Array, ArrayView};
use crate::store::dict::Dict;

/// A Rust type that a program takes as an argument: an [`Element`], a reference to a `Vec`, [`Dict`], [`Array`] or tuple, a
/// slice of what is [`Readable`], as are slices and `&str`s themselves, an [`ArrayView`], or a `&str`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of a program",
    note = "arguments are scalars, tuples, `Vec`s, `Array`s and `Dict`s of them, references to these, slices, views and strings"
)]
pub trait Argument {
    /// The type.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// assert_eq!(<&[i64]>::ty(), <&Vec<i64>>::ty());
    /// assert_eq!(<&str>::ty().to_string(), "str");
    /// ```
    fn ty() -> Type;

    /// Whether `ty` is the type; cheaper than to make one.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// # use weldment_runtime::lang::types::Type;
    /// assert!(<&[f64]>::is(&Type::vec(Type::F64)) && !<&[f64]>::is(&Type::F64));
    /// ```
    fn is(ty: &Type) -> bool;

    /// The argument, dynamically typed.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// assert_eq!(Argument::to_value(&"aé").to_string(), "([97, 195, 169],)"); // bytes in UTF-8
    /// ```
    fn to_value(&self) -> Value;

    /// Where the argument lies.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// let values = vec![1.0, 2.0];
    /// let slice = values.as_slice();
    /// assert_eq!(slice.passed().place(), values.as_ptr().cast());
    /// ```
    fn passed(&self) -> Passed<'_>;
}

/// What a program reads where it lies, as an element of a slice or a field of a struct that borrows: an [`Element`], a slice of such, or a
/// `&str`.
#[diagnostic::on_unimplemented(
    message = "programs do not read a `{Self}` in a slice or in a struct that borrows",
    note = "there they read `&[T]`, `&str`, and what kernels take by value: scalars, tuples, dates, vectors, dictionaries and such structs"
)]
pub trait Readable: Argument {
    /// How it lies in memory.
    const LAYOUT: &'static Layout;
}

impl<T: Element> Readable for T {
    const LAYOUT: &'static Layout = T::LAYOUT;
}

impl<T: Readable> Readable for &[T] {
    const LAYOUT: &'static Layout = &Layout::slice::<T>(T::LAYOUT);
}

/// A tuple of up to 24 [`Argument`]s: what a program is called with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of arguments of a program",
    note = "a single argument is passed as `(x,)`"
)]
pub trait Arguments {
    /// The types.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(<(&[f64], i64)>::types(), [Type::vec(Type::F64), Type::I64]);
    /// ```
    fn types() -> Vec<Type>;

    /// Whether `types` are the types; cheaper than to make them.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// # use weldment_runtime::lang::types::Type;
    /// assert!(<(f64, i64)>::are(&[Type::F64, Type::I64]));
    /// assert!(!<(f64, i64)>::are(&[Type::F64]) && !<(f64, i64)>::are(&[Type::I64, Type::F64]));
    /// ```
    fn are(types: &[Type]) -> bool;

    /// The arguments, dynamically typed.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// let values = (&[1i64, 2][..], 0.5).to_values();
    /// assert_eq!((values[0].to_string(), values[1].to_string()), ("[1, 2]".into(), "0.5".into()));
    /// ```
    fn to_values(&self) -> Vec<Value>;

    /// The argument with this number, dynamically typed.
    ///
    /// # Panics
    /// If there is none.
    ///
    /// ```
    /// use weldment_runtime::api::args::Arguments;
    /// assert_eq!((&[1i64, 2][..], 0.5).to_value_of(1).to_string(), "0.5");
    /// ```
    fn to_value_of(&self, number: usize) -> Value;

    /// Where the arguments lie.
    ///
    /// ```
    /// # use weldment_runtime::api::args::{Argument, Arguments};
    /// let args = (7i64, &[1.0, 2.0][..]);
    /// let passed = args.passed();
    /// assert_eq!((passed[0].len(), passed[1].len()), (None, Some(2)));
    /// ```
    fn passed(&self) -> Vec<Passed<'_>>;
}

/// An argument where it lies: one value, the elements of a slice, or those of a view.
#[derive(Clone, Copy)]
pub struct Passed<'a> {
    layout: &'static Layout,
    place: *const u8,
    /// Of a slice.
    len: Option<usize>,
    view: Option<&'a dyn Strided>,
    life: PhantomData<&'a ()>,
}

impl<'a> Passed<'a> {
    /// One value.
    pub fn value<T: Element>(value: &'a T) -> Passed<'a> {
        Passed {
            layout: T::LAYOUT,
            place: ptr::from_ref(value).cast(),
            len: None,
            view: None,
            life: PhantomData,
        }
    }

    /// A value of this layout at `place`, or as many as `len` says from there on, which outlive the borrow.
    pub(super) fn of_layout<T>(layout: &'static Layout, place: *const T, len: Option<usize>) -> Passed<'a> {
        Passed { layout, place: place.cast(), len, view: None, life: PhantomData }
    }

    fn view<T: Element, const N: usize>(view: &'a ArrayView<'_, T, N>) -> Passed<'a> {
        let place = view.as_ptr().cast();
        Passed { layout: T::LAYOUT, place, len: None, view: Some(view), life: PhantomData }
    }

    /// Of the value, or of the elements of the slice or view.
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// Where the value is, or the first element; good as long as the argument is borrowed.
    pub fn place(&self) -> *const u8 {
        self.place
    }

    /// The length of a slice; `None` for a value or a view.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> Option<usize> {
        self.len
    }

    /// The view, if this is one.
    pub fn strided(&self) -> Option<&'a dyn Strided> {
        self.view
    }
}

impl fmt::Debug for Passed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Passed { layout, place, len, view, .. } = self;
        let mut shown = f.debug_struct("Passed");
        shown.field("layout", layout).field("place", place).field("len", len);
        shown.field("view", &view.is_some()).finish()
    }
}

impl<T: Element> Argument for T {
    fn ty() -> Type {
        T::ty()
    }

    fn is(ty: &Type) -> bool {
        T::is(ty)
    }

    fn to_value(&self) -> Value {
        T::to_value(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::value(self)
    }
}

impl<T: Readable> Argument for &[T] {
    fn ty() -> Type {
        Type::vec(T::ty())
    }

    fn is(ty: &Type) -> bool {
        ty.element().is_some_and(T::is)
    }

    fn to_value(&self) -> Value {
        Value::vec(self.iter().map(T::to_value).collect())
    }

    fn passed(&self) -> Passed<'_> {
        Passed::of_layout(T::LAYOUT, self.as_ptr(), Some(self.len()))
    }
}

/// Implements [`Argument`] for a reference to an [`Element`].
macro_rules! reference {
    ([$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> Argument for &$ty {
            fn ty() -> Type {
                <$ty as Element>::ty()
            }

            fn is(ty: &Type) -> bool {
                <$ty as Element>::is(ty)
            }

            fn to_value(&self) -> Value {
                <$ty as Element>::to_value(self)
            }

            fn passed(&self) -> Passed<'_> {
                Passed::value(*self)
            }
        }
    };
}

reference!([T: Element] Vec<T>);
reference!([T: Element] Option<T>);
reference!([K: Element + Key, V: Element] Dict<K, V>);
reference!([T: Element, const N: usize] Array<T, N>);

impl<T: Element, const N: usize> Argument for ArrayView<'_, T, N> {
    fn ty() -> Type {
        Type::array(T::ty(), N)
    }

    fn is(ty: &Type) -> bool {
        <Array<T, N> as Element>::is(ty)
    }

    fn to_value(&self) -> Value {
        let elements = Value::vec(self.iter().map(T::to_value).collect());
        let numbers = (1..=3 * N).map(|field| Value::I64(self.domain().number(field)));
        Value::Array(iter::once(elements).chain(numbers).collect())
    }

    fn passed(&self) -> Passed<'_> {
        Passed::view(self)
    }
}

impl<T: Element, const N: usize> Argument for &[T; N] {
    fn ty() -> Type {
        <&[T]>::ty()
    }

    fn is(ty: &Type) -> bool {
        <&[T]>::is(ty)
    }

    fn to_value(&self) -> Value {
        Argument::to_value(&self.as_slice())
    }

    fn passed(&self) -> Passed<'_> {
        Passed::of_layout(T::LAYOUT, self.as_ptr(), Some(N))
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        reference!([$($name: Element),*] ($($name,)*));

        impl<$($name: Argument),*> Arguments for ($($name,)*) {
            fn types() -> Vec<Type> {
                vec![$($name::ty()),*]
            }

            fn are(types: &[Type]) -> bool {
                const FIELDS: &[usize] = &[$($index),*];
                types.len() == FIELDS.len() $(&& $name::is(&types[$index]))*
            }

            fn to_values(&self) -> Vec<Value> {
                vec![$(Argument::to_value(&self.$index)),*]
            }

            fn to_value_of(&self, number: usize) -> Value {
                match number {
                    $($index => Argument::to_value(&self.$index),)*
                    _ => panic!("there is no argument {number}"),
                }
            }

            fn passed(&self) -> Vec<Passed<'_>> {
                vec![$(Argument::passed(&self.$index)),*]
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    fn check<A: Argument>(argument: A, ty: &str, value: Value) {
        assert_eq!(A::ty().to_string(), ty);
        assert!(A::is(&A::ty()) && value.has_type(&A::ty()));
        assert!(argument.to_value().same_bits(&value));
    }

    #[test]
    fn arguments_have_types_and_values() {
        let ints = || Value::vec(vec![Value::I64(1), Value::I64(2)]);
        check(2.5, "f64", Value::F64(2.5));
        check(&[1i64, 2][..], "vec[i64]", ints());
        let pair = &[1i64, 2];
        check(pair, "vec[i64]", ints());
        check::<&Vec<i64>>(&vec![1, 2], "vec[i64]", ints());
        check(vec![1i64, 2], "vec[i64]", ints());
        check(&vec![vec![1i64, 2]][..], "vec[vec[i64]]", Value::vec(vec![ints()]));
        check(&(1i64, vec![1i64, 2]), "{i64,vec[i64]}", Value::structure(vec![Value::I64(1), ints()]));
        check("aé", "str", Value::text("aé"));
        check(&["elm", "é"][..], "vec[str]", Value::vec(vec![Value::text("elm"), Value::text("é")]));
        let array = Array::new(vec![1i64, 2], [1, 2]).unwrap();
        check(&array, "array[i64,2]", Element::to_value(&array));
        check(array.view(), "array[i64,2]", Element::to_value(&array));
        check(
            array.view().transpose(),
            "array[i64,2]",
            Element::to_value(&array.view().transpose().to_array()),
        );
        let dict: Dict<u8, bool> = [(1, true)].into_iter().collect();
        check(&dict, "dict[u8,bool]", Element::to_value(&dict));
    }

    #[test]
    fn other_types_are_refused() {
        assert!(!<&[f64]>::is(&Type::vec(Type::I64)));
        assert!(!<&[f64]>::is(&Type::F64));
        assert!(!<&(f64, i64)>::is(&Type::structure([Type::F64])));
        assert!(!<&Dict<i64, i64>>::is(&Type::dict(Type::I64, Type::F64)));
        let types = [Type::F64, Type::vec(Type::I64)];
        assert!(<(f64, &[i64])>::are(&types));
        assert!(
            !<(f64,)>::are(&types) && !<(f64, &[i64], f64)>::are(&types) && !<(&[i64], f64)>::are(&types)
        );
    }

    #[test]
    fn slices_are_passed_where_they_lie() {
        let rows = vec![(1u8, 0.5), (2, 1.5)];
        let args = (&rows[..], &rows, 7i64, "text");
        let passed = args.passed();
        assert_eq!((passed[0].place(), passed[0].len()), (rows.as_ptr().cast(), Some(2)));
        assert_eq!((passed[1].place(), passed[1].len()), (ptr::from_ref(&rows).cast(), None));
        assert_eq!((passed[2].place(), passed[2].len()), (ptr::from_ref(&args.2).cast(), None));
        assert_eq!((passed[3].place(), passed[3].len()), (ptr::from_ref(&args.3).cast(), None));
        let view = ArrayView::new(&rows, [1, 2]).unwrap().reverse(1);
        let passed = Argument::passed(&view);
        assert_eq!((passed.place(), passed.len()), (ptr::from_ref(&rows[1]).cast(), None));
        assert!(passed.strided().is_some_and(|view| view.elements().is_none() && view.len() == 2));
    }
}
