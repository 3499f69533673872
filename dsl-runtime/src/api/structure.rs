//! Structs of Rust that are structs of the language.
//!
//! Such a struct keeps the layout that Rust gives it. To programs it is the tuple of its fields, in the order in which
//! they are written; every trait here means for it what it means for that tuple.
//!
//! This file may use `unsafe` because a layout is taken at its word: the macro of `derive(Weld)` (`derive.rs`) writes it from the
//! definition.

#![expect(unsafe_code, reason = "compiled programs read memory as the fields say")]

use crate::api::layout::Field;
use crate::lang::types::Fields;
use crate::lang::value::Value;

/// A struct that derives `Weld`: one that owns its data, or one that borrows it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to programs",
    label = "no struct that derives `Weld`",
    note = "where it is defined, add `#[derive(weldment::Weld)]`; a program has scalars, tuples, vectors, dictionaries and such structs"
)]
pub trait Known {}

#[diagnostic::do_not_recommend]
impl<T: Structure> Known for T {}

/// A struct with named or numbered fields, each an [`Element`](crate::api::element::Element). `derive(Weld)` implements it.
///
/// # Safety
/// [`FIELDS`](Structure::FIELDS) are all fields of the struct, with their offsets and their layouts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to programs",
    label = "no struct that derives `Weld`",
    note = "where it is defined, add `#[derive(weldment::Weld)]`; one that borrows, `struct Sales<'a>`, is a parameter of its own and no field"
)]
pub unsafe trait Structure: Sized {
    /// Where the fields lie.
    const FIELDS: &'static [Field];

    /// The types of the fields.
    fn types() -> Fields;

    /// Whether `types` are those of the fields.
    fn are(types: &Fields) -> bool;

    /// The struct of fields that are [zero](crate::api::element::Element::zero).
    fn zeros() -> Self;

    /// The fields, dynamically typed.
    fn to_values(&self) -> Vec<Value>;

    /// The struct of these fields, if they are of the right types.
    fn from_values(fields: &[Value]) -> Option<Self>;

    /// The value of these fields.
    #[doc(hidden)]
    fn value_of(fields: Vec<Value>) -> Value {
        Value::structure(fields)
    }

    /// The fields of `value`, if it can be one of this type.
    #[doc(hidden)]
    fn fields_of(value: &Value) -> Option<&[Value]> {
        match value {
            Value::Struct(fields) => Some(fields),
            _ => None,
        }
    }
}

/// The type that field types of a struct hold in place `N`, which emitted code cannot name: the derive numbers them.
pub trait Part<const N: usize> {
    /// The type.
    type Type;
}

/// A struct whose values emitted code copies: one that holds scalars only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Copy`",
    label = "a kernel copies values of scalars",
    note = "add `#[derive(Clone, Copy)]` to the struct"
)]
pub trait Plain {}

impl<T: Copy> Plain for T {}

/// A struct whose values emitted code clones, where they are stored and needed again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Clone`",
    label = "a kernel clones values that it stores and still needs",
    note = "add `#[derive(Clone)]` to the struct"
)]
pub trait Cloned {}

impl<T: Clone> Cloned for T {}
