//! Types while they are inferred: the types of values and builders, with variables for what is not known yet.

mod unify;

mod show;

use std::fmt;
use std::rc::Rc;
use std::slice::from_ref;

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Column, Pointer, Scalar, Size, Type};

use super::fields::Fields;
use crate::syntax::ast::{BuilderKind, Built, Under};
pub(super) use unify::MAX_PARTS;
pub use unify::{Mismatch, Unifier};

/// A type that may hold variables. After inference it holds none.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// Not known yet.
    Var(Var),
    /// A scalar.
    Scalar(Scalar),
    /// `vec[T]`
    Vec(Rc<Ty>),
    /// `array[T, N]`, of one axis at least.
    Array(Rc<Ty>, Axes),
    /// `{A, B}`, or a struct with a name; one without may hold builders.
    Struct(Fields),
    /// `dict[K, V]`
    Dict(Rc<Ty>, Rc<Ty>),
    /// `appender[T]` and the like.
    Builder(Rc<BuilderTy>),
    /// A place in an array, from which a stencil reads.
    Cursor(Rc<CursorTy>),
    /// What an axis is: a part of the types of arrays and cursors, until inference ends.
    Axis(AxisTy),
}

/// The axes of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// How many there are.
    pub count: usize,
    /// What they are, as a struct, if anything is said of that. Unknown ones agree with all.
    pub names: Option<Rc<Ty>>,
}

/// What an axis is.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisTy {
    /// One that the program declares.
    Named(Rc<str>),
    /// One of so many elements.
    Extent(i64),
}

/// The type of a cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct CursorTy {
    /// Of what it reads.
    pub element: Ty,
    /// Of how many axes the arrays of its stencil are.
    pub axes: usize,
    /// Whether something is read outside of the arrays, too.
    pub has_policy: bool,
    /// The type of the value that is read there, if it is one.
    pub pad: Option<Ty>,
    /// Of how many expressions reading an element is made.
    pub nodes: usize,
    /// At which axes it stands, as a struct; nothing once inference has ended.
    pub at: Option<Ty>,
    /// Of which axes what it reads is.
    pub of: Option<Ty>,
    /// Whether it has gone through a table, or to coordinates.
    pub is_far: bool,
}

/// The type of a builder.
///
/// ```
/// # use weldment_core::infer::ty::*;
/// use weldment_core::syntax::ast::BuilderKind;
/// let Ty::Builder(groups) = Ty::builder(BuilderKind::GroupMerger, Some(Ty::I64), Ty::BOOL, None) else { panic!() };
/// assert_eq!((&groups.key, &groups.value), (&Some(Ty::I64), &Ty::BOOL));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BuilderTy {
    /// Which one.
    pub kind: BuilderKind,
    /// Of the keys, if it has any.
    pub key: Option<Ty>,
    /// Of what is merged, apart from keys and indices.
    pub value: Ty,
    /// How two values become one.
    pub by: Option<By>,
}

/// How a builder combines two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By an operator.
    Op(ReduceOp),
    /// By a function, which is that of the builder. Only sugar makes such builders, and ends them itself.
    Func,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Op(op) => op.fmt(f),
            By::Func => f.write_str("|a, b| …"),
        }
    }
}

/// A type variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var(usize);

impl Ty {
    /// `bool`.
    pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
    /// `f64`.
    pub const F64: Ty = Ty::Scalar(Scalar::F64);
    /// `i64`.
    pub const I64: Ty = Ty::Scalar(Scalar::I64);
    /// `i32`.
    pub const I32: Ty = Ty::Scalar(Scalar::I32);

    /// `vec[element]`
    pub fn vec(element: Ty) -> Ty {
        Ty::Vec(Rc::new(element))
    }

    /// `Option<value>`
    pub fn option(value: Ty) -> Ty {
        Ty::Struct(Fields::option(value))
    }

    /// `str`
    pub fn text() -> Ty {
        Ty::Struct(Fields::text())
    }

    /// Whether this is the type of texts.
    pub fn is_text(&self) -> bool {
        matches!(self, Ty::Struct(fields) if fields.is_text())
    }

    /// `Date`, `Timestamp` or `Span`
    pub fn temporal(temporal: Temporal) -> Ty {
        Ty::Struct(Fields::temporal(temporal))
    }

    /// Which date or time, if this is the type of one.
    pub fn as_temporal(&self) -> Option<Temporal> {
        if let Ty::Struct(fields) = self { fields.as_temporal() } else { None }
    }

    /// `Fixed<2>`
    pub fn fixed(scale: Scale) -> Ty {
        Ty::Struct(Fields::fixed(scale))
    }

    /// How many digits there are behind the point, if this is the type of decimal numbers.
    pub fn as_fixed(&self) -> Option<Scale> {
        if let Ty::Struct(fields) = self { fields.as_fixed() } else { None }
    }

    /// `f16` or `bf16`
    pub fn half(half: Half) -> Ty {
        Ty::Struct(Fields::half(half))
    }

    /// Which float of 16 bits, if this is the type of one.
    pub fn as_half(&self) -> Option<Half> {
        if let Ty::Struct(fields) = self { fields.as_half() } else { None }
    }

    /// The type of the value, if this is that of an option.
    pub fn as_option(&self) -> Option<&Ty> {
        if let Ty::Struct(fields) = self { fields.as_option() } else { None }
    }

    /// A column as Arrow has it.
    pub fn column(column: Column) -> Ty {
        Ty::Struct(Fields::column(column))
    }

    /// Which column, if this is the type of one.
    pub fn as_column(&self) -> Option<Column> {
        if let Ty::Struct(fields) = self { fields.as_column() } else { None }
    }

    /// `usize` or `isize`
    pub fn size(size: Size) -> Ty {
        Ty::Struct(Fields::size(size))
    }

    /// Which size, if this is the type of one.
    pub fn as_size(&self) -> Option<Size> {
        if let Ty::Struct(fields) = self { fields.as_size() } else { None }
    }

    /// `&of`
    pub fn lent(by: Pointer, of: Ty) -> Ty {
        Ty::Struct(Fields::lent(by, of))
    }

    /// What it refers to, if this is the type of a reference.
    pub fn as_lent(&self) -> Option<(Pointer, &Ty)> {
        if let Ty::Struct(fields) = self { fields.as_lent() } else { None }
    }

    /// `[element; len]`
    pub fn fixed_array(element: Ty, len: usize) -> Ty {
        Ty::Struct(Fields::fixed_array(element, len))
    }

    /// The type of the elements and their number, if this is that of a fixed array.
    pub fn as_fixed_array(&self) -> Option<(&Ty, usize)> {
        if let Ty::Struct(fields) = self { fields.as_fixed_array() } else { None }
    }

    /// `array[element, axes]`; without axes it is the element.
    pub fn array(element: Ty, axes: usize) -> Ty {
        Ty::named(element, axes, None)
    }

    /// The same, where the axes have names.
    pub fn named(element: Ty, count: usize, names: Option<Rc<Ty>>) -> Ty {
        if count == 0 { element } else { Ty::Array(Rc::new(element), Axes { count, names }) }
    }

    /// `{fields}`
    pub fn structure(fields: impl IntoIterator<Item = Ty>) -> Ty {
        Ty::Struct(fields.into_iter().collect())
    }

    /// The type of a builder.
    pub fn builder(kind: BuilderKind, key: Option<Ty>, value: Ty, by: Option<By>) -> Ty {
        Ty::Builder(Rc::new(BuilderTy { kind, key, value, by }))
    }

    /// The types that this is made of, the parameters of a struct aside.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// assert_eq!(Ty::structure([Ty::I64, Ty::BOOL]).parts().count(), 2);
    /// assert_eq!(Ty::I64.parts().count(), 0);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &Ty> {
        let none = [None; 3];
        let (first, then) = match self {
            Ty::Var(_) | Ty::Scalar(_) | Ty::Axis(_) => (&[][..], none),
            Ty::Vec(element) => (from_ref(&**element), none),
            Ty::Array(element, axes) => (from_ref(&**element), [axes.names.as_deref(), None, None]),
            Ty::Cursor(of) => (from_ref(&of.element), [of.pad.as_ref(), of.at.as_ref(), of.of.as_ref()]),
            Ty::Struct(fields) => (&fields[..], none),
            Ty::Dict(key, value) => (from_ref(&**key), [Some(&**value), None, None]),
            Ty::Builder(of) => (of.key.as_slice(), [Some(&of.value), None, None]),
        };
        first.iter().chain(then.into_iter().flatten())
    }

    /// What the parameters of a struct are.
    fn args(&self) -> &[Ty] {
        if let Ty::Struct(fields) = self { fields.args() } else { &[] }
    }

    /// How many axes an array of this type has; 0 of anything else.
    pub fn axes(&self) -> usize {
        if let Ty::Array(_, axes) = self { axes.count } else { 0 }
    }

    /// The same of other types.
    pub(super) fn map(&self, each: impl Fn(&Ty) -> Ty) -> Ty {
        match self {
            Ty::Var(_) | Ty::Scalar(_) | Ty::Axis(_) => self.clone(),
            Ty::Vec(element) => Ty::vec(each(element)),
            Ty::Array(element, axes) => {
                Ty::named(each(element), axes.count, axes.names.as_deref().map(|names| Rc::new(each(names))))
            }
            Ty::Struct(fields) => Ty::Struct(fields.map(each)),
            Ty::Dict(key, value) => Ty::Dict(Rc::new(each(key)), Rc::new(each(value))),
            Ty::Cursor(of) => {
                let part = |part: &Option<Ty>| part.as_ref().map(&each);
                let (element, pad, at, of_) = (each(&of.element), part(&of.pad), part(&of.at), part(&of.of));
                Ty::Cursor(Rc::new(CursorTy { element, pad, at, of: of_, ..**of }))
            }
            Ty::Builder(of) => Ty::builder(of.kind, of.key.as_ref().map(&each), each(&of.value), of.by),
        }
    }

    /// The same without the names of axes, which values do not have.
    pub fn without_names(&self) -> Ty {
        match self {
            Ty::Array(element, axes) => Ty::array(element.without_names(), axes.count),
            Ty::Cursor(of) => {
                let (element, pad) = (of.element.without_names(), of.pad.as_ref().map(Ty::without_names));
                Ty::Cursor(Rc::new(CursorTy { element, pad, at: None, of: None, ..**of }))
            }
            _ => self.map(Ty::without_names),
        }
    }

    /// Whether this is a builder, or a struct that holds one.
    pub fn has_builder(&self) -> bool {
        match self {
            Ty::Struct(fields) => fields.iter().any(Ty::has_builder),
            _ => self.is_builder(),
        }
    }

    /// Whether this is a struct of what lowering keeps apart: a builder, an array or a cursor in it.
    pub fn is_compound(&self) -> bool {
        let is_apart =
            |ty: &Ty| matches!(ty, Ty::Array(..) | Ty::Cursor(_) | Ty::Builder(_)) || ty.is_compound();
        matches!(self, Ty::Struct(fields) if fields.iter().any(is_apart))
    }

    /// Whether this is a builder.
    pub fn is_builder(&self) -> bool {
        matches!(self, Ty::Builder(_))
    }

    /// The type of values, if no variable and no builder is inside.
    pub fn to_value(&self) -> Option<Type> {
        Some(match self {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Vec(element) => Type::vec(element.to_value()?),
            Ty::Array(element, axes) => Type::array(element.to_value()?, axes.count),
            Ty::Struct(fields) => Type::Struct(fields.to_value()?),
            Ty::Dict(key, value) => Type::dict(key.to_value()?, value.to_value()?),
            _ => return None,
        })
    }

    /// The type of what `result` gives, of a builder.
    pub fn built(&self) -> Option<Ty> {
        let Ty::Builder(of) = self else { return None };
        let value = of.value.clone();
        let dict = |value| Some(Ty::Dict(Rc::new(of.key.clone()?), Rc::new(value)));
        match of.kind.row().built {
            Built::Value => Some(value),
            Built::Vector => Some(Ty::vec(value)),
            Built::Dict => dict(value),
            Built::DictOfVectors => dict(Ty::vec(value)),
        }
    }

    /// The type of what `merge` takes, of a builder.
    pub fn merged(&self) -> Option<Ty> {
        let Ty::Builder(of) = self else { return None };
        let under = match of.kind.row().under {
            Under::Nothing => return Some(of.value.clone()),
            Under::Key => of.key.clone()?,
            Under::Index => Ty::I64,
        };
        Some(Ty::structure([under, of.value.clone()]))
    }
}

impl From<&Type> for Ty {
    fn from(ty: &Type) -> Ty {
        match ty {
            Type::Scalar(scalar) => Ty::Scalar(*scalar),
            Type::Vec(element) => Ty::vec(Ty::from(&**element)),
            Type::Struct(_) if ty.is_text() => Ty::text(),
            Type::Struct(_) if let Some(scale) = ty.as_fixed() => Ty::fixed(scale),
            Type::Struct(_) if let Some(half) = ty.as_half() => Ty::half(half),
            Type::Struct(_) if let Some(size) = ty.as_size() => Ty::size(size),
            Type::Struct(_) if let Some(column) = ty.as_column() => Ty::column(column),
            Type::Struct(_) if let Some((by, of)) = ty.as_lent() => Ty::lent(by, Ty::from(of)),
            Type::Struct(fields) if let Some((element, len)) = fields.as_fixed_array() => {
                Ty::fixed_array(Ty::from(element), len)
            }
            Type::Struct(fields) => match (fields.as_array(), fields.as_option()) {
                (Some((element, axes)), _) => Ty::array(Ty::from(element), axes),
                (None, Some(value)) => Ty::option(Ty::from(value)),
                (None, None) => match ty.as_temporal() {
                    Some(temporal) => Ty::temporal(temporal),
                    None => Ty::structure(fields.iter().map(Ty::from)),
                },
            },
            Type::Dict(key, value) => Ty::Dict(Rc::new(Ty::from(&**key)), Rc::new(Ty::from(&**value))),
        }
    }
}
