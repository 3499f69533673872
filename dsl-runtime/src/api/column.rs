//! Columns as Arrow has them, as parameters and results: read where they lie, and made of the vectors that a program gives.

use std::borrow::Cow;
use std::mem::offset_of;

use crate::api::args::{Argument, Passed};
use crate::api::element::{Element, sealed};
use crate::api::layout::{Field, Layout};
use crate::api::param::Param;
use crate::lang::types::{Column, Scalar, Type};
use crate::lang::value::Value;
use crate::store::column::{Nullable, Offset, Strings, nullable_of};

/// What the values of a [`Nullable`] are in programs: scalars.
#[diagnostic::on_unimplemented(
    message = "programs have no `Nullable<{Self}>`",
    note = "the values of a `Nullable` are scalars; of other values take a slice of options, `&[Option<T>]`"
)]
pub trait ColumnValue: Element + Clone + Default + 'static {
    /// Its name in programs.
    #[doc(hidden)]
    const SCALAR: Scalar;
}

macro_rules! scalar {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {$(
        impl ColumnValue for $ty {
            const SCALAR: Scalar = Scalar::$variant;
        }
    )*};
}

crate::scalar_types!(scalar);

/// Implements what parameters and results are for a column, which is `$column` in programs: of these fields, each with its layout, its value, and what the
/// column is of the values of all.
macro_rules! column {
    (
        [$($param:tt)*] $name:ident<$arg:ident> $column:expr,
        |$this:ident| { $($field:ident: $layout:expr => $value:expr,)* }
        [$($part:ident),*] => $made:expr
    ) => {
        impl<$($param)*> Param for $name<'static, $arg> {
            type Of<'a> = $name<'a, $arg>;
        }

        impl<$($param)*> sealed::Sealed for $name<'static, $arg> {}

        impl<$($param)*> Element for $name<'static, $arg> {
            const LAYOUT: &'static Layout = &Layout::structure::<Self>(&[
                $(Field::new(offset_of!(Self, $field), $layout),)*
            ]);

            fn is(ty: &Type) -> bool {
                ty.as_column() == Some($column)
            }

            fn ty() -> Type {
                Type::column($column)
            }

            fn zero() -> Self {
                Self::default()
            }

            fn to_value(&self) -> Value {
                Argument::to_value(&self)
            }

            fn from_value(value: &Value) -> Option<Self> {
                if !value.has_type(&Type::column($column)) {
                    return None;
                }
                match value.fields()? {
                    [$($part),*] => Some($made),
                    _ => None,
                }
            }
        }

        impl<$($param)*> Argument for &$name<'_, $arg> {
            fn ty() -> Type {
                Type::column($column)
            }

            fn is(ty: &Type) -> bool {
                ty.as_column() == Some($column)
            }

            fn to_value(&self) -> Value {
                let $this = *self;
                Value::structure(vec![$($value),*])
            }

            fn passed(&self) -> Passed<'_> {
                Passed::of_layout(<$name<'static, $arg> as Element>::LAYOUT, *self, None)
            }
        }
    };
}

column! {
    [O: Offset + Element] Strings<O> Column::Strings(O::SCALAR),
    |column| {
        offsets: &Layout::cow::<O>(O::LAYOUT) => vector(&column.offsets),
        bytes: &Layout::cow::<u8>(u8::LAYOUT) => vector(&column.bytes),
    }
    [offsets, bytes] => Strings {
        offsets: Cow::Owned(Vec::from_value(offsets)?),
        bytes: Cow::Owned(Vec::from_value(bytes)?),
    }
}

column! {
    [T: ColumnValue] Nullable<T> Column::Nullable(T::SCALAR),
    |column| {
        values: &Layout::cow::<T>(T::LAYOUT) => vector(&column.values),
        bits: &Layout::cow::<u8>(u8::LAYOUT) => vector(&column.bits),
        first: i64::LAYOUT => Value::I64(column.first),
    }
    [values, bits, first] => nullable_of(
        Vec::from_value(values)?,
        Vec::from_value(bits)?,
        i64::from_value(first)?,
    )
}

fn vector<T: Element>(elements: &[T]) -> Value {
    Value::vec(elements.iter().map(T::to_value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::layout::Shape;
    use crate::store::column::Bits;

    #[test]
    fn columns_come_back_from_values() {
        let names: Strings<'_> = ["elm", "", "é"].iter().collect();
        let value = Element::to_value(&names);
        assert!(
            value.has_type(&<Strings<'_> as Element>::ty())
                && <Strings<'_> as Element>::is(&Type::column(Column::Strings(Scalar::I64)))
        );
        assert_eq!(Strings::from_value(&value), Some(names));
        assert_eq!(<Strings<'_, i32> as Element>::from_value(&value), None);
        assert!(!<&Strings<'_, i32> as Argument>::is(&<Strings<'_> as Element>::ty()));
        let prices: Nullable<'_, i16> = [Some(1), None, Some(-3)].into_iter().collect();
        let value = Element::to_value(&prices);
        assert_eq!(value.to_string(), "([1, 0, -3], [5], 0)");
        assert_eq!(Nullable::from_value(&value), Some(prices));
        assert_eq!(Nullable::<i32>::from_value(&value), None);
        let torn = Value::structure(vec![Value::vec(vec![Value::I64(1), Value::I64(0)]), Value::vec(vec![])]);
        assert_eq!(Strings::<'_, i64>::from_value(&torn), None);
    }

    #[test]
    fn columns_are_read_where_they_lie() {
        let (values, bits) = ([1.5, 2.5], [6u8]);
        let column = Nullable::new(&values, Some(Bits::new(&bits, 1, 2).unwrap())).unwrap();
        let lent = &column;
        let passed = Argument::passed(&lent);
        let Shape::Struct([of_values, of_bits, first]) = passed.layout().shape() else { panic!("a struct") };
        let parts = |field: &Field| {
            let Shape::Vec(vector) = field.layout().shape() else { panic!("a vector") };
            assert!(vector.header().is_none());
            vector
        };
        assert_eq!((parts(of_values).element().size(), parts(of_bits).element().size()), (8, 1));
        assert_eq!((first.layout().size(), passed.layout().size()), (8, size_of::<Nullable<'_, f64>>()));
    }
}
