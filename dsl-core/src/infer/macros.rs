//! Calls of the macros that a program defines.

use std::rc::Rc;

use super::typed::Expr;
use super::{Infer, Typed, expand};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl<'a> Infer<'a> {
    /// `name(args)`, whose value is that of the macro's body.
    pub(super) fn macro_call(
        &mut self,
        definition: &ast::Macro,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        match self.expanded(definition, name, args, is_method) {
            Ok(Some(body)) => Ok(self.expr(&body)),
            Err(error) if error.code == Code::Recursive => {
                self.refuse(&name.name, error);
                Ok(self.hole(name.span))
            }
            Ok(None) => Ok(self.hole(name.span)),
            Err(error) => Err(error),
        }
    }

    /// The macro of the program that `name` calls, if it calls one.
    pub(super) fn find_macro(&self, name: &ast::Ident) -> Option<&'a ast::Macro> {
        self.macros
            .get(name.name.as_str())
            .copied()
            .filter(|_| self.is_users(name) && !self.scope.is_in_welded())
    }

    /// The body of a macro with `args` in place of its parameters. Nothing if a limit forbids it, which has been told.
    pub(super) fn expanded(
        &mut self,
        definition: &ast::Macro,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<ast::Expr>> {
        if self.is_within(&name.name, name.mark) {
            let message = format!("the macro `{}` is recursive", name.name);
            return Err(Diagnostic::new(Code::Recursive, name.span, message)
                .help("macros are expanded in place; for repetition use `for` or `iterate`"));
        }
        let params: Vec<_> = definition.params.iter().map(|param| param.name.as_str()).collect();
        self.expect_args(name, args, &params, is_method)?;
        self.mark += 1;
        self.expansions.insert(self.mark, (name.name.clone(), name.mark));
        let (body, nodes) = expand::expand(definition, args, self.mark, None);
        Ok(self.spend(nodes, name.span).then_some(body))
    }

    /// Whether the user wrote this name: those in the bodies of sugar mean what the language says, whatever the items of
    /// the program are called.
    pub(super) fn is_users(&self, name: &ast::Ident) -> bool {
        name.mark == 0 || self.expansions.contains_key(&name.mark)
    }

    /// Whether a name with this mark stands in the body of the macro `name`, or of one that is called there. What
    /// stands in an argument has the mark of its own place: `f(f(x))` is no recursion.
    fn is_within(&self, name: &str, mark: u32) -> bool {
        let Some((around, outer)) = self.expansions.get(&mark) else { return false };
        around == name || self.is_within(name, *outer)
    }
}
