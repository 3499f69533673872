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
///
/// ```
/// # use std::rc::Rc;
/// use weldment_core::infer::ty::{By, Ty};
/// use weldment_runtime::lang::reduce::ReduceOp;
/// let sum = Ty::Merger(Rc::new(Ty::I64), By::Op(ReduceOp::Add));
/// assert_eq!((sum.merged(), sum.built(), sum.to_value()), (Some(Ty::I64), Some(Ty::I64), None));
/// ```
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
///
/// ```
/// # use weldment_core::infer::ty::*;
/// # use weldment_runtime::lang::reduce::ReduceOp;
/// assert_eq!(By::Op(ReduceOp::Add).to_string(), "+");
/// assert_ne!(By::Op(ReduceOp::Add), By::Func);
/// ```
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
///
/// ```
/// # use weldment_core::infer::ty::*;
/// let mut unifier = Unifier::default();
/// let (a, b) = (unifier.fresh(), unifier.fresh());
/// assert!(matches!((&a, &b), (Ty::Var(x), Ty::Var(y)) if x != y));
/// ```
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
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// assert_eq!(Ty::vec(Ty::I64).to_value().unwrap().to_string(), "vec[i64]");
    /// ```
    pub fn vec(element: Ty) -> Ty {
        Ty::Vec(Rc::new(element))
    }

    /// `{fields}`
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// assert_eq!(Ty::structure([Ty::I64, Ty::BOOL]).to_value().unwrap().to_string(), "{i64,bool}");
    /// ```
    pub fn structure(fields: impl IntoIterator<Item = Ty>) -> Ty {
        Ty::Struct(fields.into_iter().collect())
    }

    /// Whether this is a builder, or a struct that holds one.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// # use std::rc::Rc;
    /// let appender = Ty::Appender(Rc::new(Ty::I64));
    /// assert!(Ty::structure([Ty::I64, appender]).has_builder() && !Ty::vec(Ty::I64).has_builder());
    /// ```
    pub fn has_builder(&self) -> bool {
        match self {
            Ty::Struct(fields) => fields.iter().any(Ty::has_builder),
            _ => self.is_builder(),
        }
    }

    /// Whether this is a builder.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// # use std::rc::Rc;
    /// let appender = Ty::Appender(Rc::new(Ty::I64));
    /// assert!(appender.is_builder() && !Ty::structure([appender]).is_builder());
    /// ```
    pub fn is_builder(&self) -> bool {
        matches!(
            self,
            Ty::Appender(_) | Ty::Merger(..) | Ty::DictMerger(..) | Ty::GroupMerger(..) | Ty::VecMerger(..)
        )
    }

    /// The type of values, if no variable and no builder is inside.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// assert!(Ty::vec(Ty::I64).to_value().is_some());
    /// assert!(Ty::vec(Unifier::default().fresh()).to_value().is_none());
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// # use std::rc::Rc;
    /// let groups = Ty::GroupMerger(Rc::new(Ty::I64), Rc::new(Ty::BOOL));
    /// assert_eq!(groups.built(), Some(Ty::Dict(Rc::new(Ty::I64), Rc::new(Ty::vec(Ty::BOOL)))));
    /// assert_eq!(Ty::I64.built(), None);
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// # use weldment_runtime::lang::reduce::ReduceOp;
    /// # use std::rc::Rc;
    /// let scatter = Ty::VecMerger(Rc::new(Ty::BOOL), ReduceOp::Max);
    /// assert_eq!(scatter.merged(), Some(Ty::structure([Ty::I64, Ty::BOOL]))); // index and value
    /// ```
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
