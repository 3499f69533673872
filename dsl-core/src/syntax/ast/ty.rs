//! Types as they are written.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::{BuilderType, Ident};

/// `Point`, `geometry::Pair<f64>`
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The path.
    pub name: Ident,
    /// What stands between `<` and `>`.
    pub args: Vec<Type>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it starts.
    pub span: Span,
}

/// The kinds of type. `&T` is read as `T`, `&[T]` and `Vec<T>` as `vec[T]`, tuples as structs.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `?`, or left out.
    Infer,
    /// `i64`
    Scalar(Scalar),
    /// `vec[T]`
    Vec(Box<Type>),
    /// `dict[K, V]`
    Dict(Box<Type>, Box<Type>),
    /// `{A, B}`
    Struct(Vec<Type>),
    /// A struct, an alias, or a type that the language does not know.
    Name(Box<NamedType>),
    /// `appender[T]` and the like.
    Builder(Box<BuilderType>),
}
