//! Types of `join` and its like: which elements of a dictionary an element of a vector is put beside.
//!
//! A dictionary has one element for a key, as `index_by` makes it, or a vector of them, as `group_by` does. Its type determines which of both;
//! what each becomes is sugar.

use std::rc::Rc;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Infer<'_> {
    /// A call of a join; `None` if `name` is none.
    pub(super) fn join_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let [of_one, of_groups] = match name.name.as_str() {
            "join" => ["join", "join_groups"],
            "left_join" => ["left_join", "left_join_groups"],
            "semi_join" | "anti_join" => [&name.name[..]; 2],
            "key_of" if !self.is_users(name) => return self.key_of(args).map(Some),
            _ => return Ok(None),
        };
        let has_groups = match &args[..] {
            [_, dict, _] => self.has_groups(dict)?,
            _ => false,
        };
        let table = if has_groups { of_groups } else { of_one };
        self.sugar_of(table, name, args, is_method).map(Some)
    }

    /// A key of a dictionary: one of another type is reported where it is computed.
    fn key_of(&mut self, args: &[ast::Expr]) -> Typed<Expr> {
        let [dict, key] = args else { unreachable!("the table of sugar calls it so") };
        let dict = self.expr(dict);
        let (wanted, _) = self.dict(&dict)?;
        Ok(self.typed(key, &wanted))
    }

    /// Whether a dictionary has vectors of elements. What is no dictionary is refused here, or where it is looked into.
    fn has_groups(&mut self, dict: &ast::Expr) -> Typed<bool> {
        let Some(ty) = self.peek(dict) else { return Ok(false) };
        match self.unifier.seen(&ty) {
            Ty::Dict(_, value) => match self.unifier.seen(&value) {
                // A literal is a number, whichever.
                literal if self.unifier.is_literal(&literal) => Ok(false),
                unknown @ Ty::Var(_) => Err(self.not_known(&unknown, dict.span)),
                value => Ok(matches!(value, Ty::Vec(_))),
            },
            vector @ Ty::Vec(_) => {
                let message = format!("expected a dictionary, found `{}`", self.unifier.show(&vector));
                Err(Diagnostic::new(Code::NeedsCollection, dict.span, message).help(
                    "make one by the key to be found: `w.index_by(|y| key)`, or `w.group_by(|y| key)` where a key has several \
                     elements",
                ))
            }
            _ => Ok(false),
        }
    }
}
