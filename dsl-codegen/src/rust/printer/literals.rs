//! Vectors of constants, which are part of the program.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::{Const, Value};

use super::Printer;
use crate::rust::types;

impl Printer<'_> {
    /// A vector of constants; one of bytes is shown as a string of them.
    pub(super) fn literal(&mut self, result: Value, elements: &[Value]) -> TokenStream {
        let constants: Vec<Const> = elements.iter().filter_map(|&of| self.info(of).constant).collect();
        let byte = |constant: &Const| match constant {
            Const::U8(byte) => Some(*byte),
            _ => None,
        };
        if let Some(bytes) = constants.iter().map(byte).collect::<Option<Vec<u8>>>()
            && !bytes.is_empty()
        {
            let literal = Literal::byte_string(&bytes);
            self.literals.insert(result, bytes);
            return quote!(#literal);
        }
        let constants = constants.into_iter().map(types::constant);
        match elements {
            [] => quote!(&[]),
            _ => quote!(const { &[#(#constants),*] }),
        }
    }

    /// The text of bytes that are part of the program, unless it is to be owned.
    pub(super) fn literal_text(&self, text: Value, bytes: Value) -> Option<String> {
        let bytes = self.literals.get(&bytes).filter(|_| self.ty(text).is_text() && !self.is_owned(text))?;
        String::from_utf8(bytes.clone()).ok()
    }
}
