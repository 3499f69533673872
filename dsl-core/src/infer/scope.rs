//! Names in scope.

use std::collections::HashMap;
use std::rc::Rc;

use crate::infer::typed::Local;
use crate::syntax::ast::Ident;

/// The variables in scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// What each name means, the innermost last, by the marks of those who wrote it.
    meanings: HashMap<Rc<str>, Vec<(u32, Local)>>,
    /// The names of each variable.
    names: HashMap<Local, Vec<(Rc<str>, u32)>>,
    /// What came into scope, in order.
    bound: Vec<(Rc<str>, Local)>,
}

impl Scope {
    /// Brings `local` into scope under the name of `ident`.
    pub(super) fn bind(&mut self, ident: &Ident, local: Local) {
        self.add(ident.name.as_str().into(), ident.mark, local);
    }

    fn add(&mut self, name: Rc<str>, mark: u32, local: Local) {
        self.meanings.entry(name.clone()).or_default().push((mark, local));
        self.names.entry(local).or_default().push((name.clone(), mark));
        self.bound.push((name, local));
    }

    /// The variable that `ident` means.
    pub(super) fn find(&self, ident: &Ident) -> Option<Local> {
        self.meaning(&ident.name, ident.mark)
    }

    fn meaning(&self, name: &str, wanted: u32) -> Option<Local> {
        let meanings = self.meanings.get(name)?;
        meanings.iter().rev().find(|(mark, _)| *mark == wanted).map(|(_, local)| *local)
    }

    /// How much is in scope, to go back to with [`Scope::leave`].
    pub(super) fn enter(&self) -> usize {
        self.bound.len()
    }

    /// Drops what came into scope since `mark` was taken.
    pub(super) fn leave(&mut self, mark: usize) {
        for (name, local) in self.bound.drain(mark..).rev() {
            self.meanings.get_mut(&name).expect("what is in scope has a meaning").pop();
            self.names.get_mut(&local).expect("what is in scope has a name").pop();
        }
    }

    /// Makes every name that means `old` mean `new`, by binding it again.
    pub(super) fn rebind(&mut self, old: Local, new: Local) {
        let mut again = self.names.get(&old).cloned().unwrap_or_default();
        again.retain(|(name, mark)| self.meaning(name, *mark) == Some(old));
        again.into_iter().for_each(|(name, mark)| self.add(name, mark, new));
    }

    /// The names that the user wrote and that are in scope.
    pub(super) fn user_names(&self) -> impl Iterator<Item = &str> {
        let by_user = |meanings: &[(u32, Local)]| meanings.iter().any(|(mark, _)| *mark == 0);
        self.meanings.iter().filter(move |(_, meanings)| by_user(meanings)).map(|(name, _)| &**name)
    }
}
