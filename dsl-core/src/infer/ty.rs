//! Types while they are inferred: the types of values and builders, with variables for what is not known yet.

mod unify;

mod show;

use std::fmt;
use std::rc::Rc;

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::fields::Fields;
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
    /// `{A, B}`, or a struct with a name; one without may hold builders.
    Struct(Fields),
    /// `dict[K, V]`
    Dict(Rc<Ty>, Rc<Ty>),
    /// `appender[T]`
    Appender(Rc<Ty>),
    /// `merger[T, op]`
    Merger(Rc<Ty>, By),
    /// `dictmerger[K, V, op]`
    DictMerger(Rc<Ty>, Rc<Ty>, By),
    /// `groupmerger[K, V]`
    GroupMerger(Rc<Ty>, Rc<Ty>),
    /// `vecmerger[T, op]`
    VecMerger(Rc<Ty>, ReduceOp),
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

    /// `{fields}`
    pub fn structure(fields: impl IntoIterator<Item = Ty>) -> Ty {
        Ty::Struct(fields.into_iter().collect())
    }

    /// Whether this is a builder, or a struct that holds one.
    pub fn has_builder(&self) -> bool {
        match self {
            Ty::Struct(fields) => fields.iter().any(Ty::has_builder),
            _ => self.is_builder(),
        }
    }

    /// Whether this is a builder.
    pub fn is_builder(&self) -> bool {
        matches!(
            self,
            Ty::Appender(_) | Ty::Merger(..) | Ty::DictMerger(..) | Ty::GroupMerger(..) | Ty::VecMerger(..)
        )
    }

    /// The type of values, if no variable and no builder is inside.
    pub fn to_value(&self) -> Option<Type> {
        Some(match self {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Vec(element) => Type::vec(element.to_value()?),
            Ty::Struct(fields) => Type::Struct(fields.to_value()?),
            Ty::Dict(key, value) => Type::dict(key.to_value()?, value.to_value()?),
            _ => return None,
        })
    }

    /// The type of what `result` gives, of a builder.
    pub fn built(&self) -> Option<Ty> {
        Some(match self {
            Ty::Appender(element) | Ty::VecMerger(element, _) => Ty::Vec(element.clone()),
            Ty::Merger(value, _) => (**value).clone(),
            Ty::DictMerger(key, value, _) => Ty::Dict(key.clone(), value.clone()),
            Ty::GroupMerger(key, value) => Ty::Dict(key.clone(), Rc::new(Ty::Vec(value.clone()))),
            _ => return None,
        })
    }

    /// The type of what `merge` takes, of a builder.
    pub fn merged(&self) -> Option<Ty> {
        Some(match self {
            Ty::Appender(value) | Ty::Merger(value, _) => (**value).clone(),
            Ty::DictMerger(key, value, _) | Ty::GroupMerger(key, value) => {
                Ty::structure([(**key).clone(), (**value).clone()])
            }
            Ty::VecMerger(value, _) => Ty::structure([Ty::I64, (**value).clone()]),
            _ => return None,
        })
    }
}

impl From<&Type> for Ty {
    fn from(ty: &Type) -> Ty {
        match ty {
            Type::Scalar(scalar) => Ty::Scalar(*scalar),
            Type::Vec(element) => Ty::vec(Ty::from(&**element)),
            Type::Struct(fields) => Ty::structure(fields.iter().map(Ty::from)),
            Type::Dict(key, value) => Ty::Dict(Rc::new(Ty::from(&**key)), Rc::new(Ty::from(&**value))),
        }
    }
}
