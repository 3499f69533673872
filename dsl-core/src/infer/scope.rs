//! Names in scope.

use crate::infer::typed::Local;
use crate::syntax::ast::Ident;

/// The variables in scope, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope {
    names: Vec<(String, u32, Local)>,
}

impl Scope {
    /// Brings `local` into scope under the name of `ident`.
    pub(super) fn bind(&mut self, ident: &Ident, local: Local) {
        self.names.push((ident.name.clone(), ident.mark, local));
    }

    /// The variable that `ident` means.
    pub(super) fn find(&self, ident: &Ident) -> Option<Local> {
        let bound =
            self.names.iter().rev().find(|(name, mark, _)| *mark == ident.mark && *name == ident.name)?;
        Some(bound.2)
    }

    /// How much is in scope, to go back to with [`Scope::leave`].
    pub(super) fn enter(&self) -> usize {
        self.names.len()
    }

    /// Drops what came into scope since `mark` was taken.
    pub(super) fn leave(&mut self, mark: usize) {
        self.names.truncate(mark);
    }

    /// Makes every name that means `old` mean `new`, by binding it again.
    pub(super) fn rebind(&mut self, old: Local, new: Local) {
        let mut again = Vec::new();
        for (i, (name, mark, local)) in self.names.iter().enumerate() {
            let hidden = self.names[i + 1..].iter().any(|(n, m, _)| n == name && m == mark);
            if *local == old && !hidden {
                again.push((name.clone(), *mark, new));
            }
        }
        self.names.extend(again);
    }

    /// The names that the user wrote and that are in scope.
    pub(super) fn user_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|(_, mark, _)| *mark == 0).map(|(name, ..)| name.as_str())
    }
}
