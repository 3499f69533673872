//! The pairs of a dictionary, by the words of Rust: `d.iter()` and `d.to_vec()` are `d.tovec()`.

use std::rc::Rc;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed, quoted};
use crate::syntax::ast::{self, Ident};

/// What gives the pairs of a dictionary, and means nothing for a vector.
const WORDS: [&str; 3] = ["iter", "into_iter", "to_vec"];

impl Infer<'_> {
    /// The pairs of a dictionary; `None` if `name` is no word for them, or the argument is none.
    pub(super) fn pairs_call(&mut self, name: &Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        let [of] = &args[..] else { return Ok(None) };
        if !WORDS.contains(&name.name.as_str()) {
            return Ok(None);
        }
        let ty = self.peek(of).map(|ty| self.unifier.shallow(&ty));
        if !matches!(ty, Some(Ty::Dict(..))) {
            return Ok(None);
        }
        let mark = self.inner_mark();
        let pairs = quoted::call("tovec", vec![quoted::argument(args, 0)], mark, name.span);
        Ok(Some(self.expr(&pairs)))
    }
}
