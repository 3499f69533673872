//! Structs that borrow what they hold: parameters of programs, one for each of their fields.
//!
//! This file may use `unsafe` because a layout is taken at its word: the macro of `derive(Weld)` writes it from the definition.

#![expect(unsafe_code, reason = "compiled programs read memory as the fields say")]

use crate::api::args::Passed;
use crate::api::layout::{Field, Layout};

/// A struct with a lifetime whose fields are each [`Readable`](crate::api::args::Readable). `derive(Weld)` implements it.
///
/// # Safety
/// [`FIELDS`](Borrowing::FIELDS) are all fields of the struct, with their offsets and their layouts.
pub unsafe trait Borrowing {
    /// Where the fields lie.
    const FIELDS: &'static [Field];
}

/// Where a struct that borrows lies.
#[doc(hidden)]
pub fn passed<T: Borrowing>(lent: &T) -> Passed<'_> {
    Passed::of_layout(const { &Layout::structure::<T>(T::FIELDS) }, lent, None)
}

/// Implements what a parameter of a program needs for a struct that borrows: `[generics] (type) (the same, of 'weld) [parameters] [bounds]
/// { field: type, … }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __lent {
    (
        [$($generics:tt)*] ($name:ident $($args:tt)*) ($($of:tt)*) [$($param:ident)*] [$($bounds:tt)*]
        { $($field:tt: $column:ty,)* }
    ) => {
        impl<$($generics)*> $crate::api::structure::Known for $name $($args)*
        where $($param: $crate::api::element::Element + 'static,)* $($bounds)* {}

        impl<$($generics)*> $crate::api::param::Param for $name $($args)*
        where $($param: $crate::api::element::Element + 'static,)* $($bounds)*
        {
            type Of<'weld> = $($of)*;
        }

        // SAFETY: `offset_of!` says where a field lies, its type says how, and none is missing, since the fields are taken apart below.
        unsafe impl<$($generics)*> $crate::api::lent::Borrowing for $name $($args)*
        where $($param: $crate::api::element::Element + 'static,)* $($bounds)*
        {
            const FIELDS: &'static [$crate::api::layout::Field] = &[$(
                $crate::api::layout::Field::new(
                    ::core::mem::offset_of!(Self, $field),
                    <$column as $crate::api::args::Readable>::LAYOUT,
                ),
            )*];
        }

        impl<$($generics)*> $crate::api::args::Argument for &$name $($args)*
        where $($param: $crate::api::element::Element + 'static,)* $($bounds)*
        {
            fn ty() -> $crate::lang::types::Type {
                $crate::lang::types::Type::structure([$(<$column as $crate::api::args::Argument>::ty()),*])
            }

            fn is(ty: &$crate::lang::types::Type) -> bool {
                let ::core::option::Option::Some(types) = ty.fields() else { return false };
                let mut types = types.iter();
                $(types.next().is_some_and(<$column as $crate::api::args::Argument>::is) &&)* types.next().is_none()
            }

            fn to_value(&self) -> $crate::lang::value::Value {
                let $name { $($field: _),* } = **self;
                $crate::lang::value::Value::structure(
                    ::std::vec![$($crate::api::args::Argument::to_value(&self.$field)),*],
                )
            }

            fn passed(&self) -> $crate::api::args::Passed<'_> {
                $crate::api::lent::passed(*self)
            }
        }
    };
}

#[cfg(test)]
#[expect(unsafe_code, reason = "the macro says of each struct how it lies in memory")]
mod tests {
    use super::*;
    use crate::api::args::Argument;
    use crate::api::layout::Shape;

    struct Sales<'a, T> {
        shop: &'a str,
        price: &'a [T],
        rate: f64,
        day: &'a [i32],
        tags: Vec<u8>,
    }

    __lent! { ['a, T] (Sales<'a, T>) (Sales<'weld, T>) [T] [] { shop: &'a str, price: &'a [T], rate: f64, day: &'a [i32], tags: Vec<u8>, } }

    #[test]
    fn a_struct_that_borrows_is_the_tuple_of_its_columns() {
        let sales = Sales { shop: "elm", price: &[1.5, 2.5], rate: 0.5, day: &[1, 2], tags: vec![7] };
        let tuple = ("elm".to_owned(), vec![1.5, 2.5], 0.5, vec![1, 2], vec![7u8]);
        assert_eq!(<&Sales<'_, f64>>::ty(), <&(String, Vec<f64>, f64, Vec<i32>, Vec<u8>)>::ty());
        assert!(<&Sales<'_, f64>>::is(&<&(String, Vec<f64>, f64, Vec<i32>, Vec<u8>)>::ty()));
        assert!(!<&Sales<'_, f32>>::is(&<&(String, Vec<f64>, f64, Vec<i32>, Vec<u8>)>::ty()));
        assert!(!<&Sales<'_, f64>>::is(&<&(String, Vec<f64>)>::ty()));
        assert!(Argument::to_value(&&sales).same_bits(&Argument::to_value(&&tuple)));
    }

    #[test]
    fn its_columns_are_read_where_they_lie() {
        let (price, day) = ([1.5, 2.5], [1, 2, 3]);
        let sales = Sales { shop: "elm", price: &price, rate: 0.5, day: &day, tags: vec![7] };
        let lent = &sales;
        let passed = Argument::passed(&lent);
        let Shape::Struct(fields) = passed.layout().shape() else { panic!("a struct") };
        let parts = |field: &Field| {
            let Shape::Vec(vector) = field.layout().shape() else { panic!("a column") };
            // SAFETY: the place is that of the struct, and the field one of its layout.
            let parts = unsafe { vector.parts(passed.place().add(field.offset())) };
            let header = vector.header().expect("pointer and length differ");
            // SAFETY: as above; a header is where the two lie.
            let read = |at: usize| unsafe { passed.place().add(field.offset() + at).cast::<usize>().read() };
            assert_eq!((parts.0.addr(), parts.1), (read(header.elements), read(header.len)));
            parts
        };
        assert_eq!(parts(&fields[1]), (price.as_ptr().cast(), 2));
        assert_eq!(parts(&fields[3]), (day.as_ptr().cast(), 3));
        assert_eq!(parts(&fields[4]), (sales.tags.as_ptr(), 1));
        assert_eq!(sales.shop.len(), 3);
    }
}
