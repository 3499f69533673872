//! The types of values: what a program takes, computes and returns.
//!
//! Builders are not here: they exist only while a program is compiled. Names of types print in Weld's
//! spelling (`vec[i64]`, `{i32,f64}`, `dict[i64,f64]`), which every part of the system reads and writes.

mod column;
mod lent;
mod parts;
mod show;
mod special;

use std::ops::Deref;
use std::sync::Arc;

use super::calendar::Temporal;
use super::decimal::Scale;
use super::half::Half;
pub use super::pointer::Pointer;

/// Hands the table of scalar types to the macro `$with`, behind what else it is to be given: of each the variant, the type of
/// Rust, the kind, and the unsigned type of as many bits.
#[doc(hidden)]
#[macro_export]
macro_rules! scalar_types {
    ($with:ident $($given:tt)*) => {
        $with! {
            [$($given)*]
            Bool bool Truth u8;
            I8 i8 Signed u8;
            I16 i16 Signed u16;
            I32 i32 Signed u32;
            I64 i64 Signed u64;
            I128 i128 Signed u128;
            U8 u8 Unsigned u8;
            U16 u16 Unsigned u16;
            U32 u32 Unsigned u32;
            U64 u64 Unsigned u64;
            F32 f32 Float u32;
            F64 f64 Float u64;
        }
    };
}

macro_rules! define {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        /// A scalar type.
        ///
        /// ```
        /// use weldment_runtime::lang::types::Scalar;
        /// assert_eq!(Scalar::from_name("f32"), Some(Scalar::F32));
        /// assert_eq!((Scalar::F32.to_string(), Scalar::F32.size()), ("f32".to_string(), 4));
        /// assert!(Scalar::U8.is_integer() && !Scalar::U8.is_signed());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Scalar { $($variant,)* }

        impl Scalar {
            /// Every scalar type, in the order of the language's grammar.
            pub const ALL: [Scalar; [$(Scalar::$variant),*].len()] = [$(Scalar::$variant),*];

            /// The name, which is the same in Weld and in Rust.
            ///
            /// ```
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!(Scalar::F64.name(), "f64");
            /// ```
            pub fn name(self) -> &'static str {
                match self { $(Scalar::$variant => stringify!($ty),)* }
            }

            /// The size in bytes.
            ///
            /// ```
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!((Scalar::Bool.size(), Scalar::F64.size()), (1, 8));
            /// ```
            pub fn size(self) -> usize {
                match self { $(Scalar::$variant => size_of::<$ty>(),)* }
            }

            /// The alignment in bytes: that of Rust's type.
            ///
            /// ```
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!((Scalar::I128.align(), Scalar::U16.align()), (align_of::<i128>(), 2));
            /// ```
            pub fn align(self) -> usize {
                match self { $(Scalar::$variant => align_of::<$ty>(),)* }
            }

            fn kind(self) -> Kind {
                match self { $(Scalar::$variant => Kind::$kind,)* }
            }
        }
    };
}

scalar_types!(define);

/// The kinds of scalar type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Signed,
    Unsigned,
    Float,
}

/// An array has no more axes.
pub const MOST_AXES: usize = 8;

/// A [fixed array](Type::fixed_array) has no more elements, for each is a field.
pub const MOST_FIXED: usize = 64;

/// The type of a value. Cheap to clone.
///
/// ```
/// use weldment_runtime::lang::types::{Scalar, Type};
/// let row = Type::structure([Type::I64, Type::vec(Type::F64)]);
/// assert_eq!(row.to_string(), "{i64,vec[f64]}");
/// assert_eq!(row.fields().map(|fields| fields.len()), Some(2));
/// assert_eq!(Type::dict(Type::from(Scalar::U8), row).to_string(), "dict[u8,{i64,vec[f64]}]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number or a truth value.
    Scalar(Scalar),
    /// A vector of elements of one type.
    Vec(Arc<Type>),
    /// A struct (a tuple in Rust): its fields in order. The empty struct is the unit.
    Struct(Fields),
    /// A dictionary from keys to values, in order of first insertion.
    Dict(Arc<Type>, Arc<Type>),
}

/// The types of the fields of a struct, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    types: Arc<[Type]>,
    name: Option<Arc<Name>>,
}

/// The name of a struct that is no tuple.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A struct of the user.
    User(UserName),
    /// An [array](Type::array).
    Array,
    /// An array that is [lent](Type::view), with any strides.
    View,
    /// An [option](Type::option).
    Option,
    /// An [enum](Type::enumeration): its variants, and the number of each.
    Enum(Variants),
    /// A [text](Type::text).
    Text,
    /// A [date or a time](Type::temporal).
    Temporal(Temporal),
    /// A [decimal number](Type::fixed).
    Fixed(Scale),
    /// A [float of 16 bits](Type::half).
    Half(Half),
    /// A [fixed array](Type::fixed_array), whose fields are its elements.
    FixedArray,
    /// A [size](Type::size).
    Size(Size),
    /// What is [lent](Type::lent).
    Lent(Pointer),
    /// A [column](Type::column).
    Column(Column),
}

/// A column as Arrow has it, which is a vector inside of a program.
///
/// ```
/// use weldment_runtime::lang::types::{Column, Scalar};
/// assert_eq!(Column::Strings(Scalar::I64).to_string(), "Strings");
/// assert_eq!(Column::Nullable(Scalar::F64).to_string(), "Nullable<f64>");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Texts, as the bytes of all of them, and where each begins and ends in these: an `i32` or an `i64`.
    Strings(Scalar),
    /// Values of this type, and of each a bit that says whether it is there.
    Nullable(Scalar),
}

/// Integers of Rust that are as wide as addresses: only what goes in and out of programs has these types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// `usize`
    Usize,
    /// `isize`
    Isize,
}

impl Size {
    /// Each of them.
    pub const ALL: [Size; 2] = [Size::Usize, Size::Isize];

    /// The name, as in Rust.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Size;
    /// assert_eq!(Size::Usize.name(), "usize");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Size::Usize => "usize",
            Size::Isize => "isize",
        }
    }

    /// The one with this name.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Size;
    /// assert_eq!((Size::from_name("isize"), Size::from_name("i64")), (Some(Size::Isize), None));
    /// ```
    pub fn from_name(name: &str) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.name() == name)
    }
}

/// The variants of an enum, and the number of each, in the order in which they are written.
pub type Variants = Arc<[(String, i128)]>;

/// The name of a struct of the user.
///
/// Types have such names only while `weld!` compiles a program, for emitted code has to name the types of the user; they do
/// not print.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserName {
    /// Its definition.
    pub of: String,
    /// What the parameters of that are.
    pub args: Vec<Type>,
}

impl Fields {
    /// These fields, as those of the struct `name`. A struct with a name and one without are different types; values
    /// are the same.
    pub fn named(self, name: Option<Arc<Name>>) -> Fields {
        Fields { name, ..self }
    }

    /// The name of the struct, if it has one.
    pub fn name(&self) -> Option<&Arc<Name>> {
        self.name.as_ref()
    }
}

impl Deref for Fields {
    type Target = [Type];

    fn deref(&self) -> &[Type] {
        &self.types
    }
}

impl FromIterator<Type> for Fields {
    fn from_iter<I: IntoIterator<Item = Type>>(types: I) -> Fields {
        Fields { types: types.into_iter().collect(), name: None }
    }
}

impl Scalar {
    /// The scalar type with this name.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Scalar;
    /// assert_eq!(Scalar::from_name("u8"), Some(Scalar::U8));
    /// assert_eq!(Scalar::from_name("usize"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// Whether this is `f32` or `f64`.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Scalar;
    /// assert!(Scalar::F32.is_float() && !Scalar::I32.is_float());
    /// ```
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }

    /// Whether this is one of the integer types.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Scalar;
    /// assert!(Scalar::U8.is_integer() && !Scalar::Bool.is_integer());
    /// ```
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// Whether this is a signed integer type.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Scalar;
    /// assert!(Scalar::I8.is_signed() && !Scalar::U8.is_signed());
    /// ```
    pub fn is_signed(self) -> bool {
        self.kind() == Kind::Signed
    }
}

impl Type {
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    /// `i32`.
    pub const I32: Type = Type::Scalar(Scalar::I32);
    /// `i64`, the type of lengths and of loop indices.
    pub const I64: Type = Type::Scalar(Scalar::I64);
    /// `f32`.
    pub const F32: Type = Type::Scalar(Scalar::F32);
    /// `f64`.
    pub const F64: Type = Type::Scalar(Scalar::F64);

    /// The vector of `element`.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::vec(Type::F64).to_string(), "vec[f64]");
    /// ```
    pub fn vec(element: Type) -> Type {
        Type::Vec(Arc::new(element))
    }

    /// The struct of `fields`.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64, Type::F64]).to_string(), "{i64,f64}");
    /// ```
    pub fn structure(fields: impl IntoIterator<Item = Type>) -> Type {
        Type::Struct(fields.into_iter().collect())
    }

    /// The dictionary from `key` to `value`.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::dict(Type::I64, Type::F64).to_string(), "dict[i64,f64]");
    /// ```
    pub fn dict(key: Type, value: Type) -> Type {
        Type::Dict(Arc::new(key), Arc::new(value))
    }

    /// The scalar type, if this is one.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// assert_eq!(Type::F64.as_scalar(), Some(Scalar::F64));
    /// assert_eq!(Type::vec(Type::F64).as_scalar(), None);
    /// ```
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The element type, if this is a vector.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::vec(Type::F64).element(), Some(&Type::F64));
    /// ```
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Vec(element) => Some(element),
            _ => None,
        }
    }

    /// The name of the struct, if this is one that has a name.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Fields, Name, Type, UserName};
    /// let fields: Fields = [Type::I64].into_iter().collect();
    /// let name = Name::User(UserName { of: "Id".to_string(), args: vec![] });
    /// let id = Type::Struct(fields.named(Some(name.clone().into())));
    /// assert_eq!(id.struct_name().map(|name| &**name), Some(&name));
    /// assert_eq!(Type::I64.struct_name(), None);
    /// ```
    pub fn struct_name(&self) -> Option<&Arc<Name>> {
        match self {
            Type::Struct(fields) => fields.name(),
            _ => None,
        }
    }

    /// The name that the user gave the struct, if this is one that has such a name.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::array(Type::F64, 2).user_name(), None);
    /// ```
    pub fn user_name(&self) -> Option<&UserName> {
        match self.struct_name()?.as_ref() {
            Name::User(name) => Some(name),
            Name::Array
            | Name::View
            | Name::Option
            | Name::Enum(_)
            | Name::Text
            | Name::Temporal(_)
            | Name::Fixed(_)
            | Name::Half(_)
            | Name::FixedArray
            | Name::Size(_)
            | Name::Lent(_)
            | Name::Column(_) => None,
        }
    }

    /// The fields, if this is a struct.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64]).fields(), Some(&[Type::I64][..]));
    /// ```
    pub fn fields(&self) -> Option<&[Type]> {
        match self {
            Type::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// Whether values of this type consist of scalars only, through structs.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert!(Type::structure([Type::I64, Type::F64]).is_scalars());
    /// assert!(!Type::structure([Type::vec(Type::I64)]).is_scalars());
    /// ```
    pub fn is_scalars(&self) -> bool {
        match self {
            Type::Scalar(_) => true,
            // What is lent lies elsewhere.
            Type::Struct(fields) => self.as_lent().is_none() && fields.iter().all(Type::is_scalars),
            Type::Vec(_) | Type::Dict(..) => false,
        }
    }

    /// The scalar leaves of a struct of scalars, in order; `None` if a vector or dictionary is inside.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Scalar, Type};
    /// let pair = Type::structure([Type::I64, Type::structure([Type::F64])]);
    /// assert_eq!(pair.leaves(), Some(vec![Scalar::I64, Scalar::F64]));
    /// assert_eq!(Type::vec(Type::I64).leaves(), None);
    /// ```
    pub fn leaves(&self) -> Option<Vec<Scalar>> {
        fn walk(ty: &Type, leaves: &mut Vec<Scalar>) -> bool {
            match ty {
                Type::Scalar(scalar) => {
                    leaves.push(*scalar);
                    true
                }
                Type::Struct(fields) => {
                    ty.as_lent().is_none() && fields.iter().all(|field| walk(field, leaves))
                }
                Type::Vec(_) | Type::Dict(..) => false,
            }
        }
        let mut leaves = Vec::new();
        walk(self, &mut leaves).then_some(leaves)
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_stop_at_vectors() {
        let pair = Type::structure([Type::I64, Type::structure([Type::F64, Type::BOOL])]);
        assert_eq!(pair.leaves(), Some(vec![Scalar::I64, Scalar::F64, Scalar::Bool]));
        assert_eq!(Type::structure([Type::vec(Type::I64)]).leaves(), None);
    }
}
