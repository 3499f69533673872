//! Types of `k_smallest` and its like: the elements that stand first in an order, in that order.
//!
//! Where the keys are numbers, the key of the last one is selected, without sorting the others; then few are left to sort. Other keys are sorted.

use std::rc::Rc;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed, bind, quoted};
use crate::syntax::ast;

/// The functions: how the pairs of keys and elements are made, which of the table takes the first of them if the keys are numbers, and
/// which if they are not.
const WORDS: [(&str, &str, &str, &str); 4] = [
    ("k_smallest", "paired", "smallest_numbers", "smallest_keys"),
    ("k_smallest_by_key", "keyed_pairs", "smallest_numbers", "smallest_keys"),
    ("k_largest", "paired", "largest_numbers", "largest_keys"),
    ("k_largest_by_key", "keyed_pairs", "largest_numbers", "largest_keys"),
];

impl Infer<'_> {
    /// What `name` selects; `None` if it is no such function.
    pub(super) fn selection(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let Some((_, pairs, of_numbers, of_keys)) = WORDS.iter().find(|(word, ..)| *word == name.name) else {
            return Ok(None);
        };
        let form: &[&str] = if *pairs == "paired" { &["v", "k"] } else { &["v", "k", "|x| …"] };
        self.expect_args(name, args, form, is_method)?;
        // The vector, and its key.
        let paired: Rc<[ast::Expr]> =
            (0..args.len()).filter(|at| *at != 1).map(|at| quoted::argument(args, at)).collect();
        let pairs = self.sugar_of(pairs, name, &paired, is_method)?;
        let is_of_numbers = matches!(
            self.unifier.seen(&self.element_of(&pairs)),
            Ty::Struct(pair) if self.unifier.is_number(&pair[0])
        );
        let table = if is_of_numbers { of_numbers } else { of_keys };
        let mut named = self.named(name.span);
        let mark = self.scope.enter();
        let pairs = named.name(self, pairs);
        let call = quoted::call(table, vec![pairs, quoted::argument(args, 1)], named.mark, name.span);
        let selected = self.expr(&call);
        self.scope.leave(mark);
        Ok(Some(bind::wrap(named.parts, selected)))
    }
}
