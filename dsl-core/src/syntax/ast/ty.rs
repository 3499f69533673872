//! Types as they are written.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::{BuilderType, Ident};

/// `Point`, `geometry::Pair<f64>`
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let program = parse_text("|p: geometry::Pair<f64>| p").unwrap();
/// let TypeKind::Name(named) = &program.closure.params[0].ty.as_ref().unwrap().kind else { panic!() };
/// assert_eq!((&*named.name.name, named.args.len()), ("geometry::Pair", 1));
/// ```
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The path.
    pub name: Ident,
    /// What stands between `<` and `>`.
    pub args: Vec<Type>,
}

/// A type as written.
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let closure = parse_text("|v: &[f64]| v").unwrap().closure;
/// let ty = closure.params[0].ty.as_ref().unwrap();
/// assert!(matches!(&ty.kind, TypeKind::Vec(element) if matches!(element.kind, TypeKind::Scalar(_))));
/// ```
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it starts.
    pub span: Span,
}

/// The kinds of type. `&T` is read as `T`, `&[T]` and `Vec<T>` as `vec[T]`, tuples as structs.
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let ty = |text: &str| parse_text(text).unwrap().closure.params[0].ty.clone().unwrap().kind;
/// assert!(matches!(ty("|v: &[f64]| v"), TypeKind::Vec(_)));
/// assert!(matches!(ty("|v: vec[f64]| v"), TypeKind::Vec(_)));
/// assert!(matches!(ty("|r: (i64, i64)| r"), TypeKind::Struct(_)));
/// assert!(matches!(ty("|r: row| r"), TypeKind::Name(_))); // whatever it is
/// ```
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
