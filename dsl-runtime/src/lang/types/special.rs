//! Structs that have a meaning of their own, which their names tell: options, enums, texts, dates and times, decimal numbers, floats of 16 bits, fixed arrays, sizes, arrays and views of arrays.

use std::iter;

use super::{Fields, Name, Scalar, Size, Type, Variants};
use crate::lang::calendar::Temporal;
use crate::lang::decimal::Scale;
use crate::lang::half::Half;

impl Fields {
    /// The element type and the number of axes, if these are the fields of an array.
    pub fn as_array(&self) -> Option<(&Type, usize)> {
        let (elements, numbers) = self.types.split_first()?;
        let is_array = matches!(self.name.as_deref(), Some(Name::Array | Name::View));
        if is_array { Some((elements.element()?, numbers.len() / 3)) } else { None }
    }

    /// The type of the value, if these are the fields of an option.
    pub fn as_option(&self) -> Option<&Type> {
        if matches!(self.name.as_deref(), Some(Name::Option)) { self.types.get(1) } else { None }
    }

    /// The variants, if these are the fields of an enum.
    pub fn as_enum(&self) -> Option<&Variants> {
        if let Some(Name::Enum(variants)) = self.name.as_deref() { Some(variants) } else { None }
    }

    /// The element type and the number of elements, if these are the fields of a fixed array.
    pub fn as_fixed_array(&self) -> Option<(&Type, usize)> {
        let is_fixed = matches!(self.name.as_deref(), Some(Name::FixedArray));
        if is_fixed { self.types.first().map(|element| (element, self.types.len())) } else { None }
    }
}

impl Temporal {
    /// Of which type the integer is.
    ///
    /// ```
    /// # use weldment_runtime::lang::{calendar::Temporal, types::Scalar};
    /// assert_eq!((Temporal::Date.number(), Temporal::Span.number()), (Scalar::I32, Scalar::I64));
    /// ```
    pub fn number(self) -> Scalar {
        match self {
            Temporal::Date => Scalar::I32,
            Temporal::Timestamp | Temporal::Span => Scalar::I64,
        }
    }
}

impl Type {
    /// The option of `value`: whether there is a value, and the value, which is zero where there is none.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// let option = Type::option(Type::F64);
    /// assert_eq!((option.to_string(), option.as_option()), ("option[f64]".to_owned(), Some(&Type::F64)));
    /// assert_eq!(option.fields(), Some(&[Type::BOOL, Type::F64][..]));
    /// ```
    pub fn option(value: Type) -> Type {
        let fields: Fields = [Type::BOOL, value].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Option.into())))
    }

    /// The type of the value, if this is an option.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::BOOL, Type::F64]).as_option(), None);
    /// ```
    pub fn as_option(&self) -> Option<&Type> {
        if let Type::Struct(fields) = self { fields.as_option() } else { None }
    }

    /// The enum of these variants: the struct of the number that says which it is.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// let side = Type::enumeration(Scalar::U8, [("Buy".to_owned(), 0), ("Sell".to_owned(), 1)].into());
    /// assert_eq!(side.fields(), Some(&[Type::Scalar(Scalar::U8)][..]));
    /// assert_eq!(side.as_enum().map(|variants| variants.len()), Some(2));
    /// ```
    pub fn enumeration(number: Scalar, variants: Variants) -> Type {
        let fields: Fields = [Type::Scalar(number)].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Enum(variants).into())))
    }

    /// The variants, if this is an enum.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// assert_eq!(Type::structure([Type::Scalar(Scalar::U8)]).as_enum(), None);
    /// ```
    pub fn as_enum(&self) -> Option<&Variants> {
        if let Type::Struct(fields) = self { fields.as_enum() } else { None }
    }

    /// A text: the struct of its bytes, which are UTF-8.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// let text = Type::text();
    /// assert_eq!((text.to_string(), text.is_text()), ("str".to_owned(), true));
    /// assert_eq!(text.fields(), Some(&[Type::vec(Scalar::U8.into())][..]));
    /// ```
    pub fn text() -> Type {
        let fields: Fields = [Type::vec(Scalar::U8.into())].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Text.into())))
    }

    /// Whether this is a [`Type::text`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// assert!(!Type::structure([Type::vec(Scalar::U8.into())]).is_text());
    /// ```
    pub fn is_text(&self) -> bool {
        matches!(self.struct_name().map(|name| &**name), Some(Name::Text))
    }

    /// A date, a moment or a length of time: the struct of its number.
    ///
    /// ```
    /// # use weldment_runtime::lang::{calendar::Temporal, types::{Scalar, Type}};
    /// let date = Type::temporal(Temporal::Date);
    /// assert_eq!((date.to_string(), date.as_temporal()), ("Date".to_owned(), Some(Temporal::Date)));
    /// assert_eq!(date.fields(), Some(&[Type::Scalar(Scalar::I32)][..]));
    /// ```
    pub fn temporal(temporal: Temporal) -> Type {
        let fields: Fields = [Type::Scalar(temporal.number())].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Temporal(temporal).into())))
    }

    /// What it counts, if this is a [`Type::temporal`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64]).as_temporal(), None);
    /// ```
    pub fn as_temporal(&self) -> Option<Temporal> {
        match self.struct_name()?.as_ref() {
            Name::Temporal(temporal) => Some(*temporal),
            _ => None,
        }
    }

    /// A decimal number with so many digits behind the point: the struct of its units.
    ///
    /// ```
    /// # use weldment_runtime::lang::{decimal::Scale, types::Type};
    /// let price = Type::fixed(Scale::new(2).expect("a scale"));
    /// assert_eq!((price.to_string(), price.as_fixed()), ("Fixed<2>".to_owned(), Scale::new(2)));
    /// assert_eq!(price.fields(), Some(&[Type::I64][..]));
    /// ```
    pub fn fixed(scale: Scale) -> Type {
        let fields: Fields = [Type::I64].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Fixed(scale).into())))
    }

    /// How many digits it has behind the point, if this is a [`Type::fixed`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64]).as_fixed(), None);
    /// ```
    pub fn as_fixed(&self) -> Option<Scale> {
        match self.struct_name()?.as_ref() {
            Name::Fixed(scale) => Some(*scale),
            _ => None,
        }
    }

    /// A float of 16 bits: the struct of these.
    ///
    /// ```
    /// # use weldment_runtime::lang::{half::Half, types::{Scalar, Type}};
    /// let weight = Type::half(Half::F16);
    /// assert_eq!((weight.to_string(), weight.as_half()), ("f16".to_owned(), Some(Half::F16)));
    /// assert_eq!(weight.fields(), Some(&[Type::Scalar(Scalar::U16)][..]));
    /// ```
    pub fn half(half: Half) -> Type {
        let fields: Fields = [Type::Scalar(Scalar::U16)].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Half(half).into())))
    }

    /// Which one, if this is a [`Type::half`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// assert_eq!(Type::structure([Type::Scalar(Scalar::U16)]).as_half(), None);
    /// ```
    pub fn as_half(&self) -> Option<Half> {
        match self.struct_name()?.as_ref() {
            Name::Half(half) => Some(*half),
            _ => None,
        }
    }

    /// `[T; N]` of Rust: the struct of its elements, of which there is one at least, and [`MOST_FIXED`](super::MOST_FIXED) at most.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// let point = Type::fixed_array(Type::F64, 2);
    /// assert_eq!((point.to_string(), point.as_fixed_array()), ("[f64; 2]".to_owned(), Some((&Type::F64, 2))));
    /// assert_eq!(point.fields(), Some(&[Type::F64, Type::F64][..]));
    /// ```
    pub fn fixed_array(element: Type, len: usize) -> Type {
        let fields: Fields = iter::repeat_n(element, len).collect();
        Type::Struct(fields.named(Some(Name::FixedArray.into())))
    }

    /// The element type and the number of elements, if this is a [`Type::fixed_array`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::F64, Type::F64]).as_fixed_array(), None);
    /// ```
    pub fn as_fixed_array(&self) -> Option<(&Type, usize)> {
        if let Type::Struct(fields) = self { fields.as_fixed_array() } else { None }
    }

    /// An integer that is as wide as an address: the struct of it, an i64.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Size, Type};
    /// let size = Type::size(Size::Usize);
    /// assert_eq!((size.to_string(), size.as_size()), ("usize".to_owned(), Some(Size::Usize)));
    /// assert_eq!(size.fields(), Some(&[Type::I64][..]));
    /// ```
    pub fn size(size: Size) -> Type {
        let fields: Fields = [Type::I64].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Size(size).into())))
    }

    /// Which one, if this is a [`Type::size`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64]).as_size(), None);
    /// ```
    pub fn as_size(&self) -> Option<Size> {
        match self.struct_name()?.as_ref() {
            Name::Size(size) => Some(*size),
            _ => None,
        }
    }

    /// The array of `element`s of so many axes, at most [`MOST_AXES`](super::MOST_AXES); without axes it is the element.
    ///
    /// To what compiles and runs programs an array is a struct: the elements row by row, and of all axes the lower bounds, then
    /// the steps, then the extents.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// let array = Type::array(Type::F64, 2);
    /// assert_eq!(array.to_string(), "array[f64,2]");
    /// assert_eq!(array.fields().map(|fields| fields[..2].to_vec()), Some(vec![Type::vec(Type::F64), Type::I64]));
    /// assert_eq!(Type::array(Type::F64, 0), Type::F64);
    /// ```
    pub fn array(element: Type, axes: usize) -> Type {
        if axes == 0 {
            return element;
        }
        let numbers = iter::repeat_n(Type::I64, 3 * axes);
        let fields: Fields = iter::once(Type::vec(element)).chain(numbers).collect();
        Type::Struct(fields.named(Some(Name::Array.into())))
    }

    /// As [`Type::array`], of a parameter that kernels take as an `ArrayView`. There are no other values of this type: an array
    /// that is made of its parts is one of its own.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// let view = Type::view(Type::F64, 2);
    /// assert_eq!((view.to_string(), view.as_array()), ("array[f64,2]".to_owned(), Some((&Type::F64, 2))));
    /// assert!(view.is_view() && view != Type::array(Type::F64, 2));
    /// ```
    pub fn view(element: Type, axes: usize) -> Type {
        match Type::array(element, axes) {
            Type::Struct(fields) if axes > 0 => Type::Struct(fields.named(Some(Name::View.into()))),
            element => element,
        }
    }

    /// Whether this is a [`Type::view`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert!(!Type::array(Type::F64, 2).is_view());
    /// ```
    pub fn is_view(&self) -> bool {
        matches!(self.struct_name().map(|name| &**name), Some(Name::View))
    }

    /// The element type and the number of axes, if this is an array.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::array(Type::F64, 2).as_array(), Some((&Type::F64, 2)));
    /// assert_eq!(Type::vec(Type::F64).as_array(), None);
    /// ```
    pub fn as_array(&self) -> Option<(&Type, usize)> {
        if let Type::Struct(fields) = self { fields.as_array() } else { None }
    }
}
