//! The fields of structs while types are inferred, and which struct it is that has them.

use std::ops::Deref;
use std::rc::Rc;

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::{self as value, Column, Pointer, Scalar, Size};

use super::ty::Ty;
use crate::syntax::ast::Origin;

/// The types of the fields of a struct, and which struct it is, if it has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    types: Rc<[Ty]>,
    named: Option<Rc<Named>>,
}

/// A struct with a name, as a type: the definition, applied to arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name of its definition, unlike that of any other.
    pub name: String,
    /// The name that errors show.
    pub shown: String,
    /// What its parameters are.
    pub args: Vec<Ty>,
    /// The names of its fields.
    pub members: Rc<[String]>,
    /// The variants of an enum, and their numbers.
    pub variants: Option<value::Variants>,
    /// Whose it is.
    pub origin: Origin,
}

/// The name of texts.
const TEXT: &str = "str";

/// The name of options.
const OPTION: &str = "Option";

/// The name of fixed arrays.
const FIXED_ARRAY: &str = "[T; N]";

/// The names of references and boxes, by what refers.
const LENT: [(Pointer, &str); 3] = [(Pointer::Ref, "&T"), (Pointer::Box, "Box<T>"), (Pointer::Arc, "Arc<T>")];

impl Named {
    /// As the name of a type of values.
    pub(super) fn to_value(&self) -> Option<value::UserName> {
        let args = self.args.iter().map(Ty::to_value).collect::<Option<_>>()?;
        Some(value::UserName { of: self.name.clone(), args })
    }

    /// A struct of the language, which has no fields to its users.
    fn of_language(name: &str, args: Vec<Ty>) -> Named {
        Named {
            name: name.to_owned(),
            shown: name.to_owned(),
            args,
            members: Rc::new([]),
            variants: None,
            origin: Origin::Language,
        }
    }
}

impl Fields {
    /// Of the struct `named`.
    pub fn named(types: impl IntoIterator<Item = Ty>, named: Named) -> Fields {
        Fields { types: types.into_iter().collect(), named: Some(Rc::new(named)) }
    }

    /// Of an option: whether there is a value, and it, which is zero where there is none. So it compares, and is a key, as the
    /// struct that it is.
    pub fn option(value: Ty) -> Fields {
        let named = Named::of_language(OPTION, vec![value.clone()]);
        Fields::named([Ty::BOOL, value], named)
    }

    /// The type of the value, if these are the fields of an option.
    pub fn as_option(&self) -> Option<&Ty> {
        self.of_language(OPTION)?.args.first()
    }

    /// Of a fixed array: its elements, as which it compares and is a key.
    pub fn fixed_array(element: Ty, len: usize) -> Fields {
        let named = Named::of_language(FIXED_ARRAY, vec![element.clone()]);
        Fields::named(std::iter::repeat_n(element, len), named)
    }

    /// The type of the elements and their number, if these are the fields of a fixed array.
    pub fn as_fixed_array(&self) -> Option<(&Ty, usize)> {
        let element = self.of_language(FIXED_ARRAY)?.args.first()?;
        Some((element, self.len()))
    }

    /// Of a size: the i64 of its bits.
    pub fn size(size: Size) -> Fields {
        Fields::named([Ty::I64], Named::of_language(size.name(), Vec::new()))
    }

    /// Which size, if these are the fields of one.
    pub fn as_size(&self) -> Option<Size> {
        let named = self.name().filter(|named| named.origin == Origin::Language)?;
        Size::from_name(&named.name)
    }

    /// Of a reference or a box: what it refers to.
    pub fn lent(by: Pointer, of: Ty) -> Fields {
        let (_, name) = LENT.iter().find(|(pointer, _)| *pointer == by).expect("each has a name");
        let named = Named::of_language(name, vec![of.clone()]);
        Fields::named([of], named)
    }

    /// By what it refers to something, and to what, if these are the fields of a reference or a box.
    pub fn as_lent(&self) -> Option<(Pointer, &Ty)> {
        let (by, named) = LENT.iter().find_map(|(by, name)| Some((*by, self.of_language(name)?)))?;
        Some((by, named.args.first()?))
    }

    /// Of a column: what it is made of.
    pub fn column(column: Column) -> Fields {
        let (name, args) = match column {
            Column::Strings(Scalar::I64) => (Column::STRINGS, vec![]),
            Column::Strings(arg) => (Column::STRINGS, vec![Ty::Scalar(arg)]),
            Column::Nullable(arg) => (Column::NULLABLE, vec![Ty::Scalar(arg)]),
        };
        Fields::named(column.parts().iter().map(Ty::from), Named::of_language(name, args))
    }

    /// Which column, if these are the fields of one.
    pub fn as_column(&self) -> Option<Column> {
        let named = self.name().filter(|named| named.origin == Origin::Language)?;
        match (named.name.as_str(), &named.args[..]) {
            (Column::STRINGS, []) => Some(Column::Strings(Scalar::I64)),
            (Column::STRINGS, [Ty::Scalar(offset)]) => Some(Column::Strings(*offset)),
            (Column::NULLABLE, [Ty::Scalar(value)]) => Some(Column::Nullable(*value)),
            _ => None,
        }
    }

    /// Which struct it is, if it is that one of the language.
    fn of_language(&self, name: &str) -> Option<&Named> {
        self.name().filter(|named| named.origin == Origin::Language && named.name == name)
    }

    /// Of a text: its bytes, as which it compares and is a key.
    pub fn text() -> Fields {
        Fields::named([Ty::vec(Ty::Scalar(Scalar::U8))], Named::of_language(TEXT, Vec::new()))
    }

    /// Whether these are the fields of a text.
    pub fn is_text(&self) -> bool {
        self.of_language(TEXT).is_some()
    }

    /// Of a date or a time: its number, as which it compares and is a key.
    pub fn temporal(temporal: Temporal) -> Fields {
        let named = Named::of_language(temporal.name(), Vec::new());
        Fields::named([Ty::Scalar(temporal.number())], named)
    }

    /// Which date or time, if these are the fields of one.
    pub fn as_temporal(&self) -> Option<Temporal> {
        let named = self.name().filter(|named| named.origin == Origin::Language)?;
        Temporal::from_name(&named.name)
    }

    /// Of a decimal number: its units, as which it compares and is a key.
    pub fn fixed(scale: Scale) -> Fields {
        Fields::named([Ty::I64], Named::of_language(scale.name(), Vec::new()))
    }

    /// How many digits it has behind the point, if these are the fields of a decimal number.
    pub fn as_fixed(&self) -> Option<Scale> {
        let named = self.name().filter(|named| named.origin == Origin::Language)?;
        Scale::from_name(&named.name)
    }

    /// Of a float of 16 bits: these.
    pub fn half(half: Half) -> Fields {
        Fields::named([Ty::Scalar(Scalar::U16)], Named::of_language(half.name(), Vec::new()))
    }

    /// Which one, if these are the fields of a float of 16 bits.
    pub fn as_half(&self) -> Option<Half> {
        let named = self.name().filter(|named| named.origin == Origin::Language)?;
        Half::from_name(&named.name)
    }

    /// The variants, if these are the fields of an enum.
    pub fn as_enum(&self) -> Option<&value::Variants> {
        self.name()?.variants.as_ref()
    }

    /// Which struct it is; `None` if it has no name.
    pub fn name(&self) -> Option<&Named> {
        self.named.as_deref()
    }

    /// What the parameters of the struct are, if it has a name.
    pub(super) fn args(&self) -> &[Ty] {
        self.name().map_or(&[], |named| &named.args)
    }

    /// The number of the field with this name.
    pub fn member(&self, name: &str) -> Option<usize> {
        self.name()?.members.iter().position(|member| member == name)
    }

    /// Whether the fields have names, and no numbers.
    pub fn has_members(&self) -> bool {
        self.name().is_some_and(|named| !named.members.contains(&"0".to_owned()))
    }

    /// How advice writes the first field of a value.
    pub(super) fn first(&self) -> &str {
        self.name().and_then(|named| named.members.first()).map_or("0", String::as_str)
    }

    /// These fields and arguments, each as `each` says.
    pub(super) fn map(&self, each: impl Fn(&Ty) -> Ty) -> Fields {
        let named = self.named.as_ref().map(|named| {
            let args = named.args.iter().map(&each).collect();
            Rc::new(Named { args, ..(**named).clone() })
        });
        Fields { types: self.types.iter().map(each).collect(), named }
    }

    /// As a type of values. Options, texts, dates and times, decimal numbers, floats of 16 bits, fixed arrays, sizes, enums, and structs of Rust keep their names: of others, one is as good as a tuple.
    pub(super) fn to_value(&self) -> Option<value::Fields> {
        let types: value::Fields = self.types.iter().map(Ty::to_value).collect::<Option<_>>()?;
        if self.as_option().is_some() {
            return Some(types.named(Some(value::Name::Option.into())));
        }
        if self.is_text() {
            return Some(types.named(Some(value::Name::Text.into())));
        }
        if let Some(temporal) = self.as_temporal() {
            return Some(types.named(Some(value::Name::Temporal(temporal).into())));
        }
        if let Some(scale) = self.as_fixed() {
            return Some(types.named(Some(value::Name::Fixed(scale).into())));
        }
        if let Some(half) = self.as_half() {
            return Some(types.named(Some(value::Name::Half(half).into())));
        }
        if let Some(size) = self.as_size() {
            return Some(types.named(Some(value::Name::Size(size).into())));
        }
        if let Some(column) = self.as_column() {
            return Some(types.named(Some(value::Name::Column(column).into())));
        }
        if self.as_fixed_array().is_some() {
            return Some(types.named(Some(value::Name::FixedArray.into())));
        }
        if let Some((by, _)) = self.as_lent() {
            return Some(types.named(Some(value::Name::Lent(by).into())));
        }
        let Some(named) = self.name().filter(|named| named.origin == Origin::Rust) else {
            let name = self.as_enum().map(|variants| value::Name::Enum(variants.clone()).into());
            return Some(types.named(name));
        };
        Some(types.named(Some(value::Name::User(named.to_value()?).into())))
    }
}

impl Deref for Fields {
    type Target = [Ty];

    fn deref(&self) -> &[Ty] {
        &self.types
    }
}

impl FromIterator<Ty> for Fields {
    fn from_iter<I: IntoIterator<Item = Ty>>(types: I) -> Fields {
        Fields { types: types.into_iter().collect(), named: None }
    }
}
