//! Vectors whose rows lie one after the other: how they are held, filled and put together.
//!
//! | | |
//! |---|---|
//! | state of a unit | `s0: rows::Part<T>` |
//! | of all units | `t0: Vec<rows::Part<T>>` |
//! | value | `v7: Rows<T>`, as a parameter `&Rows<T>`; a row is `&v7[i][..]` |
//!
//! A row that a loop of the same run makes is made in the memory of the row before it:
//! ```text
//! let mut s1 = s0.spare_for(cx, v4 as usize)?;
//! …
//! s0.push(cx, v9)?;
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use weldment_core::ir::{Sink, Value};

use super::scope::Scope;
use super::{Emitter, names, types};

impl Emitter<'_> {
    /// The type of the elements of rows, if `sink` keeps its rows one after the other.
    pub(super) fn row_element(&self, sink: Sink) -> Option<TokenStream> {
        let value = self.store(sink).result;
        self.rows.contains(&value).then(|| self.element_of_rows(value))
    }

    fn element_of_rows(&self, value: Value) -> TokenStream {
        let element = self.ty(value).element().and_then(|row| row.element());
        types::owned(self.p, element.expect("rows are vectors"))
    }

    /// The type of a variable that owns `value`.
    pub(super) fn owned_type(&self, value: Value) -> TokenStream {
        if !self.rows.contains(&value) {
            return types::owned(self.p, self.ty(value));
        }
        let (rows, element) = (self.p.rows(), self.element_of_rows(value));
        quote!(#rows<#element>)
    }

    /// The type of a variable that borrows `value`, or holds a copy.
    pub(super) fn borrowed_type(&self, value: Value) -> TokenStream {
        if !self.rows.contains(&value) {
            return types::borrowed(self.p, self.ty(value));
        }
        let rows = self.owned_type(value);
        quote!(&#rows)
    }

    /// The parameters of a function that takes these values, copied or borrowed.
    pub(super) fn parameters(&self, values: &[Value]) -> Vec<TokenStream> {
        let parameter = |&value: &Value| {
            let (name, ty) = (names::value(value), self.borrowed_type(value));
            quote!(#name: #ty)
        };
        values.iter().map(parameter).collect()
    }

    /// The scope of a function that takes `inputs`, borrowed.
    pub(super) fn function_scope(&self, inputs: &[Value]) -> Scope {
        Scope::of_function(&self.consts, &self.rows, inputs, |value| self.ty(value).clone())
    }
}
