//! Types while they are inferred: the types of values and builders, with variables for what is not known yet,
//! and their unification.

use std::fmt;
use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::types::{Scalar, Type};

use super::fields::{Fields, Named};

/// A type that may hold variables. After inference it holds none.
///
/// ```
/// # use std::rc::Rc;
/// use weldment_core::infer::ty::{By, Ty};
/// use weldment_runtime::reduce::ReduceOp;
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
/// # use weldment_runtime::reduce::ReduceOp;
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

/// What is known of a variable.
#[derive(Clone, Debug)]
enum State {
    Free,
    /// An integer literal without suffix: some integer type, i32 if nothing else decides.
    Literal(i128, Span),
    Bound(Ty),
}

/// Why two types do not unify.
///
/// ```
/// # use weldment_core::infer::ty::*;
/// let mut unifier = Unifier::default();
/// let var = unifier.fresh();
/// assert!(matches!(unifier.unify(&Ty::I64, &Ty::BOOL), Err(Mismatch::Types)));
/// assert!(matches!(unifier.unify(&var, &Ty::vec(var.clone())), Err(Mismatch::Infinite)));
/// ```
#[derive(Clone, Debug)]
pub enum Mismatch {
    /// They differ.
    Types,
    /// One would contain itself.
    Infinite,
    /// An integer literal stands where another type is needed.
    Literal(i128, Span),
}

/// All variables of a program, and what they are bound to.
///
/// ```
/// # use weldment_core::infer::ty::*;
/// let mut unifier = Unifier::default();
/// let element = unifier.fresh();
/// unifier.unify(&Ty::vec(element.clone()), &Ty::vec(Ty::I64)).unwrap();
/// assert_eq!(unifier.resolve(&element), Ty::I64);
/// ```
#[derive(Debug, Default)]
pub struct Unifier {
    vars: Vec<State>,
}

impl Ty {
    /// `bool`.
    pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
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
    /// # use weldment_runtime::reduce::ReduceOp;
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

impl Unifier {
    /// A new variable.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let var = unifier.fresh();
    /// assert_eq!(unifier.show(&var), "?");
    /// ```
    pub fn fresh(&mut self) -> Ty {
        self.vars.push(State::Free);
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of an integer literal without suffix.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let literal = unifier.literal(7, proc_macro2::Span::call_site());
    /// assert!(unifier.unify(&literal, &Ty::BOOL).is_err()); // some integer type
    /// assert!(unifier.unify(&literal, &Ty::I64).is_ok());
    /// ```
    pub fn literal(&mut self, value: i128, span: Span) -> Ty {
        self.vars.push(State::Literal(value, span));
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// `ty`, seen through bound variables at its outermost.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let (outer, inner) = (unifier.fresh(), unifier.fresh());
    /// unifier.unify(&outer, &Ty::vec(inner.clone())).unwrap();
    /// unifier.unify(&inner, &Ty::I64).unwrap();
    /// assert_eq!(unifier.shallow(&outer), Ty::vec(inner));
    /// ```
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(var) = ty {
            match &self.vars[var.0] {
                State::Bound(bound) => ty = bound.clone(),
                State::Free | State::Literal(..) => break,
            }
        }
        ty
    }

    /// Whether `ty` is the variable of an integer literal.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let literal = unifier.literal(7, proc_macro2::Span::call_site());
    /// assert!(unifier.is_literal(&literal));
    /// unifier.unify(&literal, &Ty::I64).unwrap();
    /// assert!(!unifier.is_literal(&literal)); // it is an i64 now
    /// ```
    pub fn is_literal(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(var) if matches!(self.vars[var.0], State::Literal(..)))
    }

    /// `ty`, seen through bound variables in full depth.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let (outer, inner) = (unifier.fresh(), unifier.fresh());
    /// unifier.unify(&outer, &Ty::vec(inner.clone())).unwrap();
    /// unifier.unify(&inner, &Ty::I64).unwrap();
    /// assert_eq!(unifier.resolve(&outer), Ty::vec(Ty::I64));
    /// ```
    pub fn resolve(&self, ty: &Ty) -> Ty {
        let deep = |ty: &Rc<Ty>| Rc::new(self.resolve(ty));
        match self.shallow(ty) {
            Ty::Vec(element) => Ty::Vec(deep(&element)),
            Ty::Struct(fields) => Ty::Struct(fields.map(|field| self.resolve(field))),
            Ty::Dict(key, value) => Ty::Dict(deep(&key), deep(&value)),
            Ty::Appender(value) => Ty::Appender(deep(&value)),
            Ty::Merger(value, by) => Ty::Merger(deep(&value), by),
            Ty::DictMerger(key, value, by) => Ty::DictMerger(deep(&key), deep(&value), by),
            Ty::GroupMerger(key, value) => Ty::GroupMerger(deep(&key), deep(&value)),
            Ty::VecMerger(value, op) => Ty::VecMerger(deep(&value), op),
            other => other,
        }
    }

    /// Binds the literals that nothing has decided to i32. Tells whether there were any.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let literal = unifier.literal(7, proc_macro2::Span::call_site());
    /// assert!(unifier.default_literals() && !unifier.default_literals());
    /// assert_eq!(unifier.resolve(&literal), Ty::I32);
    /// ```
    pub fn default_literals(&mut self) -> bool {
        let mut any = false;
        for state in &mut self.vars {
            if let State::Literal(..) = state {
                *state = State::Bound(Ty::I32);
                any = true;
            }
        }
        any
    }

    /// Makes two types equal by binding variables, or says why they cannot be.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let var = unifier.fresh();
    /// assert!(unifier.unify(&var, &Ty::I64).is_ok());
    /// assert!(unifier.unify(&var, &Ty::BOOL).is_err()); // it is an i64 already
    /// ```
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Mismatch> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => Ok(()),
            (Ty::Var(x), _) => self.bind(*x, &b),
            (_, Ty::Var(y)) => self.bind(*y, &a),
            (Ty::Vec(x), Ty::Vec(y)) | (Ty::Appender(x), Ty::Appender(y)) => self.unify(x, y),
            (Ty::Struct(x), Ty::Struct(y)) if x.len() == y.len() => {
                let of_one = |x: &Fields, y: &Fields| match (x.name(), y.name()) {
                    (Some(x), Some(y)) => x.name == y.name,
                    (x, y) => x.is_none() && y.is_none(),
                };
                if !of_one(x, y) {
                    return Err(Mismatch::Types);
                }
                let args = |fields: &Fields| fields.name().map_or(Vec::new(), |named| named.args.clone());
                args(x).iter().zip(&args(y)).try_for_each(|(x, y)| self.unify(x, y))?;
                x.iter().zip(y.iter()).try_for_each(|(x, y)| self.unify(x, y))
            }
            (Ty::Dict(k, v), Ty::Dict(l, w)) | (Ty::GroupMerger(k, v), Ty::GroupMerger(l, w)) => {
                self.unify(k, l)?;
                self.unify(v, w)
            }
            (Ty::Merger(x, p), Ty::Merger(y, q)) if p == q => self.unify(x, y),
            (Ty::VecMerger(x, p), Ty::VecMerger(y, q)) if p == q => self.unify(x, y),
            (Ty::DictMerger(k, v, p), Ty::DictMerger(l, w, q)) if p == q => {
                self.unify(k, l)?;
                self.unify(v, w)
            }
            _ if a == b => Ok(()),
            _ => Err(Mismatch::Types),
        }
    }

    fn bind(&mut self, var: Var, ty: &Ty) -> Result<(), Mismatch> {
        if let State::Literal(value, span) = self.vars[var.0] {
            match ty {
                Ty::Scalar(scalar) if scalar.is_integer() => {}
                Ty::Var(other) => {
                    let free = matches!(self.vars[other.0], State::Free);
                    let (from, to) = if free { (*other, var) } else { (var, *other) };
                    self.vars[from.0] = State::Bound(Ty::Var(to));
                    return Ok(());
                }
                _ => return Err(Mismatch::Literal(value, span)),
            }
        }
        if self.occurs(var, ty) {
            return Err(Mismatch::Infinite);
        }
        self.vars[var.0] = State::Bound(ty.clone());
        Ok(())
    }

    fn occurs(&self, var: Var, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(other) => other == var,
            Ty::Scalar(_) => false,
            Ty::Struct(fields) => fields.iter().any(|field| self.occurs(var, field)),
            Ty::Vec(x) | Ty::Appender(x) | Ty::Merger(x, _) | Ty::VecMerger(x, _) => self.occurs(var, &x),
            Ty::Dict(k, v) | Ty::DictMerger(k, v, _) | Ty::GroupMerger(k, v) => {
                self.occurs(var, &k) || self.occurs(var, &v)
            }
        }
    }

    /// The type as an error message shows it: in Weld's spelling, `?` for what is not known, `integer` for a
    /// literal that nothing has decided.
    ///
    /// ```
    /// # use weldment_core::infer::ty::*;
    /// let mut unifier = Unifier::default();
    /// let literal = unifier.literal(7, proc_macro2::Span::call_site());
    /// let row = Ty::structure([literal, unifier.fresh(), Ty::vec(Ty::BOOL)]);
    /// assert_eq!(unifier.show(&row), "{integer,?,vec[bool]}");
    /// ```
    pub fn show(&self, ty: &Ty) -> String {
        match self.shallow(ty) {
            Ty::Var(var) if matches!(self.vars[var.0], State::Literal(..)) => "integer".into(),
            Ty::Var(_) => "?".into(),
            Ty::Scalar(scalar) => scalar.to_string(),
            Ty::Vec(element) => format!("vec[{}]", self.show(&element)),
            Ty::Struct(fields) if fields.name().is_some() => {
                self.show_named(fields.name().expect("just seen"))
            }
            Ty::Struct(fields) => {
                format!("{{{}}}", fields.iter().map(|field| self.show(field)).collect::<Vec<_>>().join(","))
            }
            Ty::Dict(key, value) => format!("dict[{},{}]", self.show(&key), self.show(&value)),
            Ty::Appender(value) => format!("appender[{}]", self.show(&value)),
            Ty::Merger(value, by) => format!("merger[{},{by}]", self.show(&value)),
            Ty::DictMerger(key, value, by) => {
                format!("dictmerger[{},{},{by}]", self.show(&key), self.show(&value))
            }
            Ty::GroupMerger(key, value) => format!("groupmerger[{},{}]", self.show(&key), self.show(&value)),
            Ty::VecMerger(value, op) => format!("vecmerger[{},{op}]", self.show(&value)),
        }
    }

    fn show_named(&self, named: &Named) -> String {
        if named.args.is_empty() {
            return named.shown.clone();
        }
        let args: Vec<String> = named.args.iter().map(|arg| self.show(arg)).collect();
        format!("{}<{}>", named.shown, args.join(","))
    }
}
