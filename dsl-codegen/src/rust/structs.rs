//! The structs that a program can name, and their aliases in emitted code.

use std::cell::RefCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use weldment_core::syntax::ast;
use weldment_runtime::lang::types::{Type, UserName};

/// The definitions of all structs that a program can name.
#[derive(Clone, Debug, Default)]
pub struct Structs {
    definitions: Vec<Definition>,
    /// Those that emitted code names so far; the alias of each has its number.
    used: RefCell<Vec<(UserName, Type)>>,
}

/// A struct of the user.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it holds.
    pub of: ast::Struct,
    /// Where the user finds it, if the program says so, without arguments.
    pub path: Option<TokenStream>,
    /// Where that stands.
    pub span: Span,
}

impl Structs {
    /// These structs, each with a name of its own.
    pub fn new(definitions: Vec<Definition>) -> Structs {
        Structs { definitions, used: RefCell::default() }
    }

    /// The definitions, each after those of its fields.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The struct of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Definition> {
        self.definitions.iter().find(|definition| definition.of.name.name == name)
    }

    /// The struct whose alias has this number, if so many are named by now.
    pub(super) fn named(&self, number: usize) -> Option<(UserName, Type)> {
        self.used.borrow().get(number).cloned()
    }

    /// The alias of the struct `ty`.
    pub(super) fn alias(&self, name: &UserName, ty: &Type) -> Ident {
        let mut used = self.used.borrow_mut();
        let number = used.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            used.push((name.clone(), ty.clone()));
            used.len() - 1
        });
        format_ident!("__Struct{number}")
    }
}
