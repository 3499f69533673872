//! Boxes of slices and of texts, which programs read where they lie: rows of what they take.

use std::rc::Rc;
use std::sync::Arc;

use crate::api::args::{Argument, Passed, Readable};
use crate::api::element::Element;
use crate::api::layout::{Field, Layout};
use crate::lang::types::Type;
use crate::lang::value::Value;

macro_rules! boxed {
    ($($owner:ident)*) => {$(
        impl<T: Readable> Argument for $owner<[T]> {
            fn ty() -> Type {
                <&[T]>::ty()
            }

            fn is(ty: &Type) -> bool {
                <&[T]>::is(ty)
            }

            fn to_value(&self) -> Value {
                Argument::to_value(&&**self)
            }

            fn passed(&self) -> Passed<'_> {
                Passed::of_layout(T::LAYOUT, self.as_ptr(), Some(self.len()))
            }
        }

        impl<T: Readable> Readable for $owner<[T]> {
            const LAYOUT: &'static Layout = &Layout::boxed_slice::<$owner<[T]>, T>(T::LAYOUT);
        }

        impl Argument for $owner<str> {
            fn ty() -> Type {
                <&str>::ty()
            }

            fn is(ty: &Type) -> bool {
                <&str>::is(ty)
            }

            fn to_value(&self) -> Value {
                Value::text(self)
            }

            fn passed(&self) -> Passed<'_> {
                Passed::of_layout(<$owner<str> as Readable>::LAYOUT, self, None)
            }
        }

        impl Readable for $owner<str> {
            const LAYOUT: &'static Layout = &Layout::structure::<$owner<str>>(&[Field::new(
                0,
                &Layout::boxed_text::<$owner<str>>(<u8 as Element>::LAYOUT),
            )]);
        }
    )*};
}

boxed! { Box Rc Arc }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::layout::Shape;

    fn check<T: Argument, U: Argument>(boxed: T, lent: U) {
        assert_eq!(T::ty(), U::ty());
        assert!(T::is(&U::ty()) && !T::is(&Type::I64));
        assert!(boxed.to_value().same_bits(&lent.to_value()));
    }

    #[test]
    fn boxes_are_what_they_hold() {
        let words: [Arc<str>; 2] = ["elm".into(), "é".into()];
        check(&words[..], &["elm", "é"][..]);
        let rows: [Box<[i64]>; 2] = [[1, 2].into(), [].into()];
        check(&rows[..], &[&[1i64, 2][..], &[]][..]);
        check::<Rc<str>, &str>("elm".into(), "elm");
        check::<Box<[Rc<str>]>, &[&str]>(["elm".into()].into(), &["elm"]);
    }

    #[test]
    fn they_are_read_where_they_lie() {
        let rows: [Arc<[f64]>; 1] = [[0.5, 1.5].into()];
        let lent = &rows[..];
        let passed = Argument::passed(&lent);
        let Shape::Vec(row) = passed.layout().shape() else { panic!("a row") };
        assert_eq!((passed.place(), passed.len()), (rows.as_ptr().cast(), Some(1)));
        // In an `Arc`, counts stand in front of the elements, so that no two words are where these are and how many.
        assert!(row.header().is_none() && row.element().size() == 8);
    }
}
