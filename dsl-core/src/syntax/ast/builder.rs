//! The table of builders: how each is written, and what it takes and gives.

use weldment_runtime::lang::reduce::ReduceOp;

use super::{Expr, Type};

/// The kinds of builder.
///
/// ```
/// # use weldment_core::syntax::ast::BuilderKind;
/// assert_eq!(BuilderKind::from_name("groupmerger"), Some(BuilderKind::GroupMerger));
/// assert_eq!(BuilderKind::ALL.map(BuilderKind::name)[0], "appender");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuilderKind {
    /// `appender[T](size)`: a vector.
    Appender,
    /// `merger[T, op](initial)`: one value.
    Merger,
    /// `dictmerger[K, V, op]`: a dictionary of values.
    DictMerger,
    /// `groupmerger[K, V]`: a dictionary of vectors.
    GroupMerger,
    /// `vecmerger[T, op](vector)`: a vector, by index.
    VecMerger,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    name: &'static str,
    /// How it is written.
    pub(crate) form: &'static str,
    /// What a value is merged with.
    pub(crate) under: Under,
    /// Whether an operator combines values.
    pub(crate) has_op: bool,
    pub(crate) start: Start,
    pub(crate) built: Built,
}

/// What a value is merged with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Under {
    Nothing,
    Key,
    Index,
}

/// What a builder starts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Nothing,
    /// A hint of its size, if any. The type of its elements may be left out.
    Size,
    /// A value, if any.
    Initial,
    /// A vector.
    Vector,
}

/// What `result` makes of values of one type.
#[derive(Clone, Copy)]
pub(crate) enum Built {
    Value,
    Vector,
    Dict,
    DictOfVectors,
}

impl BuilderKind {
    /// Every kind.
    pub const ALL: [BuilderKind; 5] = [
        BuilderKind::Appender,
        BuilderKind::Merger,
        BuilderKind::DictMerger,
        BuilderKind::GroupMerger,
        BuilderKind::VecMerger,
    ];

    #[rustfmt::skip]
    pub(crate) fn row(self) -> Row {
        let row = |name, form, under, has_op, start, built| Row { name, form, under, has_op, start, built };
        match self {
            BuilderKind::Appender => row(
                "appender", "appender[T]", Under::Nothing, false, Start::Size, Built::Vector),
            BuilderKind::Merger => row(
                "merger", "merger[T, op]", Under::Nothing, true, Start::Initial, Built::Value),
            BuilderKind::DictMerger => row(
                "dictmerger", "dictmerger[K, V, op]", Under::Key, true, Start::Nothing, Built::Dict),
            BuilderKind::GroupMerger => row(
                "groupmerger", "groupmerger[K, V]", Under::Key, false, Start::Nothing, Built::DictOfVectors),
            BuilderKind::VecMerger => row(
                "vecmerger", "vecmerger[T, op](vector)", Under::Index, true, Start::Vector, Built::Vector),
        }
    }

    /// Its name in the language.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<BuilderKind> {
        BuilderKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Start {
    /// The argument, as errors name it.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Start::Nothing => None,
            Start::Size => Some("size"),
            Start::Initial => Some("initial"),
            Start::Vector => Some("vector"),
        }
    }
}

/// The type of a builder. Types left out are `Type::Infer`.
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let body = parse_text("|| dictmerger[i64,f64,+]").unwrap().closure.body;
/// let ExprKind::Builder(Builder { ty, .. }) = body.kind else { panic!() };
/// assert!(ty.kind == BuilderKind::DictMerger && ty.key.is_some() && ty.op.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct BuilderType {
    /// Which one.
    pub kind: BuilderKind,
    /// Of the keys, if it has any.
    pub key: Option<Type>,
    /// Of what is merged, apart from keys and indices.
    pub value: Type,
    /// How two values become one.
    pub op: Option<ReduceOp>,
}

/// A new builder.
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let body = parse_text("|| merger[f64,+](1.5)").unwrap().closure.body;
/// assert!(matches!(body.kind, ExprKind::Builder(Builder { init: Some(_), .. })));
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    /// Its type.
    pub ty: BuilderType,
    /// What it starts with.
    pub init: Option<Box<Expr>>,
}

impl BuilderType {
    /// The types in it: of the keys, and of the values.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.key.iter().chain([&self.value])
    }

    /// The same of other types.
    pub(crate) fn map(&self, each: impl Fn(&Type) -> Type) -> BuilderType {
        BuilderType { key: self.key.as_ref().map(&each), value: each(&self.value), ..*self }
    }
}
