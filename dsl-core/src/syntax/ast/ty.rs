//! Types as they are written.

use std::slice::{from_mut, from_ref};

use proc_macro2::Span;
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::types::{Pointer, Scalar, Size, Type as ValueType};

use super::{BuilderType, Ident};

/// `Point`, `geometry::Pair<f64>`
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The path.
    pub name: Ident,
    /// What stands between `<` and `>`.
    pub args: Vec<Type>,
}

/// The axes of an array, as they are written.
#[derive(Clone, Debug)]
pub struct Axes {
    /// How many there are.
    pub count: usize,
    /// What each one is, if that is said.
    pub names: Option<Vec<AxisName>>,
    /// Whether it is `array[…]`, and not `Array<…>`.
    pub is_bracketed: bool,
}

/// What an axis is.
#[derive(Clone, Debug)]
pub enum AxisName {
    /// One that an item declares.
    Axis(Ident),
    /// One of so many elements.
    Extent(i64),
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it starts.
    pub span: Span,
}

/// The kinds of type. `&[T]` and `Vec<T>` are `vec[T]`, tuples are structs, and `&T` is `T` where it is no part of another type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `?`, or left out.
    Infer,
    /// `i64`
    Scalar(Scalar),
    /// `usize` or `isize`
    Size(Size),
    /// `str` or `String`
    Text,
    /// `Fixed<2>`; or the number alone, behind the name of a method: `x.rescale::<2>()`.
    Fixed(Scale),
    /// `&T`, as a part of another type; or `Box<[T]>` and the like.
    Reference {
        /// T
        of: Box<Type>,
        /// Which of these it is.
        by: Pointer,
        /// Whether a kernel takes it: what it refers to is read where it lies. To all else it is T.
        is_taken: bool,
    },
    /// `vec[T]`
    Vec(Box<Type>),
    /// `[T; N]`
    FixedArray(Box<Type>, usize),
    /// `Option<T>`
    Option(Box<Type>),
    /// `dict[K, V]`
    Dict(Box<Type>, Box<Type>),
    /// `array[T, N]`, `array[T; Cell, 3]`
    Array(Box<Type>, Axes),
    /// `ArrayView<T, N>`
    View(Box<Type>, Axes),
    /// `{A, B}`
    Struct(Vec<Type>),
    /// A struct, an alias, or a type that the language does not know.
    Name(Box<NamedType>),
    /// `appender[T]` and the like.
    Builder(Box<BuilderType>),
    /// `impl Fn(A, B) -> C`: the types of the parameters, and that of the result.
    Function(Vec<Type>, Box<Type>),
}

impl Type {
    /// The types that it is made of, as they are written: of an element, of fields, of keys and values, between `<` and `>`.
    ///
    /// ```
    /// # use weldment_core::syntax::{ast::*, parse_text};
    /// let params = parse_text("|d: dict[i64,vec[?]]| 0").unwrap().closure.params;
    /// let ty = params[0].ty.as_ref().unwrap();
    /// assert!(matches!(ty.parts().nth(1), Some(Type { kind: TypeKind::Vec(_), .. })));
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &Type> {
        let (first, then) = match &self.kind {
            TypeKind::Infer
            | TypeKind::Scalar(_)
            | TypeKind::Size(_)
            | TypeKind::Text
            | TypeKind::Fixed(_) => (&[][..], None),
            TypeKind::Reference { of: part, .. }
            | TypeKind::Vec(part)
            | TypeKind::FixedArray(part, _)
            | TypeKind::Option(part)
            | TypeKind::Array(part, _)
            | TypeKind::View(part, _) => (from_ref(&**part), None),
            TypeKind::Dict(key, value) => (from_ref(&**key), Some(&**value)),
            TypeKind::Struct(fields) => (&fields[..], None),
            TypeKind::Name(named) => (&named.args[..], None),
            TypeKind::Builder(of) => (of.key.as_slice(), Some(&of.value)),
            TypeKind::Function(params, result) => (&params[..], Some(&**result)),
        };
        first.iter().chain(then)
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Type> {
        let (first, then) = match &mut self.kind {
            TypeKind::Infer
            | TypeKind::Scalar(_)
            | TypeKind::Size(_)
            | TypeKind::Text
            | TypeKind::Fixed(_) => (&mut [][..], None),
            TypeKind::Reference { of: part, .. }
            | TypeKind::Vec(part)
            | TypeKind::FixedArray(part, _)
            | TypeKind::Option(part)
            | TypeKind::Array(part, _)
            | TypeKind::View(part, _) => (from_mut(&mut **part), None),
            TypeKind::Dict(key, value) => (from_mut(&mut **key), Some(&mut **value)),
            TypeKind::Struct(fields) => (&mut fields[..], None),
            TypeKind::Name(named) => (&mut named.args[..], None),
            TypeKind::Builder(of) => (of.key.as_mut_slice(), Some(&mut of.value)),
            TypeKind::Function(params, result) => (&mut params[..], Some(&mut **result)),
        };
        first.iter_mut().chain(then)
    }

    /// Says of the references inside that a kernel takes them.
    pub fn take_references(&mut self) {
        if let TypeKind::Reference { is_taken, .. } = &mut self.kind {
            *is_taken = true;
        }
        self.parts_mut().for_each(Type::take_references);
    }

    /// The type of values that it spells, where `named` tells what names mean; `None` if it leaves something out, or is that of
    /// a builder or a function.
    ///
    /// ```
    /// # use weldment_core::syntax::parse_text;
    /// let params = parse_text("|d: dict[i64,vec[f64]], v: vec[?]| 0").unwrap().closure.params;
    /// let ty = |number: usize| params[number].ty.as_ref().unwrap().to_value(&|_| None);
    /// assert_eq!(ty(0).unwrap().to_string(), "dict[i64,vec[f64]]");
    /// assert_eq!(ty(1), None);
    /// ```
    pub fn to_value(&self, named: &dyn Fn(&NamedType) -> Option<ValueType>) -> Option<ValueType> {
        let part = |ty: &Type| ty.to_value(named);
        Some(match &self.kind {
            TypeKind::Scalar(scalar) => ValueType::Scalar(*scalar),
            TypeKind::Size(size) => ValueType::size(*size),
            TypeKind::Text => ValueType::text(),
            TypeKind::Fixed(scale) => ValueType::fixed(*scale),
            TypeKind::Reference { of, by, is_taken: true } => ValueType::lent(*by, part(of)?),
            TypeKind::Reference { of, is_taken: false, .. } => part(of)?,
            TypeKind::Vec(element) => ValueType::vec(part(element)?),
            TypeKind::FixedArray(element, len) => ValueType::fixed_array(part(element)?, *len),
            TypeKind::Option(value) => ValueType::option(part(value)?),
            TypeKind::Dict(key, value) => ValueType::dict(part(key)?, part(value)?),
            TypeKind::Array(element, axes) => ValueType::array(part(element)?, axes.count),
            TypeKind::View(element, axes) => ValueType::view(part(element)?, axes.count),
            TypeKind::Struct(fields) => {
                ValueType::structure(fields.iter().map(part).collect::<Option<Vec<_>>>()?)
            }
            TypeKind::Name(name) => named(name)?,
            TypeKind::Infer | TypeKind::Builder(_) | TypeKind::Function(..) => return None,
        })
    }
}
