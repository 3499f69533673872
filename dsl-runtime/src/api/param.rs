//! How kernels take their parameters: types without lifetimes that stand for types with one.

use std::marker::PhantomData;

use crate::lang::tuples::for_tuples;
use crate::store::array::ArrayView;

/// How a kernel takes a parameter, or a part of one: [`Own`], [`Ref`], [`View`], [`Slice`] or [`Lent`]; a struct that borrows stands for
/// itself, and tuples, options, vectors and arrays of these are taken as such.
///
/// ```
/// use weldment_runtime::api::param::{Own, Param, Ref, Slice};
/// fn same<'a>(rows: <Slice<(Ref<str>, Own<f64>)> as Param>::Of<'a>) -> &'a [(&'a str, f64)] { rows }
/// assert_eq!(same(&[("elm", 0.5)]), [("elm", 0.5)]);
/// ```
pub trait Param {
    /// The parameter's type, for a call that lasts `'a`.
    type Of<'a>: 'a;
}

/// Taken by value: `Own<f64>` is `f64`.
pub struct Own<T>(PhantomData<fn() -> T>);

/// Taken by reference: `Ref<[f64]>` is `&[f64]`.
pub struct Ref<T: ?Sized>(PhantomData<fn(&T)>);

/// Taken as a view: `View<f64, 2>` is `ArrayView<'_, f64, 2>`.
pub struct View<T, const N: usize>(PhantomData<fn(&T)>);

/// A slice of what borrows: `Slice<Ref<str>>` is `&[&str]`.
pub struct Slice<P>(PhantomData<fn() -> P>);

/// A reference to what borrows: `Lent<(Ref<str>, Own<f64>)>` is `&(&str, f64)`.
pub struct Lent<P>(PhantomData<fn() -> P>);

impl<T: 'static> Param for Own<T> {
    type Of<'a> = T;
}

impl<T: ?Sized + 'static> Param for Ref<T> {
    type Of<'a> = &'a T;
}

impl<T: 'static, const N: usize> Param for View<T, N> {
    type Of<'a> = ArrayView<'a, T, N>;
}

impl<P: Param> Param for Slice<P> {
    type Of<'a> = &'a [P::Of<'a>];
}

impl<P: Param> Param for Lent<P> {
    type Of<'a> = &'a P::Of<'a>;
}

impl<P: Param> Param for Option<P> {
    type Of<'a> = Option<P::Of<'a>>;
}

impl<P: Param> Param for Vec<P> {
    type Of<'a> = Vec<P::Of<'a>>;
}

impl<P: Param, const N: usize> Param for [P; N] {
    type Of<'a> = [P::Of<'a>; N];
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        impl<$($name: Param),*> Param for ($($name,)*) {
            type Of<'a> = ($($name::Of<'a>,)*);
        }
    };
}

for_tuples!(tuple);
