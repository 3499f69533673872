//! Names in scope.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::infer::typed::Local;
use crate::syntax::ast::{Expr, Ident};

/// The variables in scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// What each name means, the innermost last.
    meanings: HashMap<Rc<str>, Vec<Meaning>>,
    /// The names of each variable.
    names: HashMap<Local, Vec<(Rc<str>, u32)>>,
    /// What came into scope, in order.
    bound: Vec<(Rc<str>, Local)>,
    /// What of it the function at hand does not see: what came into scope between its definition and its call.
    hidden: Rc<[Range<usize>]>,
}

/// What a name means.
#[derive(Debug)]
struct Meaning {
    /// The mark of those who wrote it.
    mark: u32,
    local: Local,
    /// Its place among what came into scope.
    at: usize,
}

/// What a function sees: the names in scope where it is defined.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    bound: usize,
    hidden: Rc<[Range<usize>]>,
}

/// A function with a name.
#[derive(Clone)]
pub(super) struct Function {
    /// The closure.
    pub(super) form: Rc<Expr>,
    pub(super) sight: Sight,
}

impl Scope {
    /// Brings `local` into scope under the name of `ident`.
    pub(super) fn bind(&mut self, ident: &Ident, local: Local) {
        self.add(ident.name.as_str().into(), ident.mark, local);
    }

    fn add(&mut self, name: Rc<str>, mark: u32, local: Local) {
        let meaning = Meaning { mark, local, at: self.bound.len() };
        self.meanings.entry(name.clone()).or_default().push(meaning);
        self.names.entry(local).or_default().push((name.clone(), mark));
        self.bound.push((name, local));
    }

    /// The variable that `ident` means.
    pub(super) fn find(&self, ident: &Ident) -> Option<Local> {
        self.meaning(&ident.name, ident.mark)
    }

    fn meaning(&self, name: &str, wanted: u32) -> Option<Local> {
        let meanings = self.meanings.get(name)?;
        let mut seen = meanings.iter().rev().filter(|meaning| self.is_seen(meaning.at));
        seen.find(|meaning| meaning.mark == wanted).map(|meaning| meaning.local)
    }

    fn is_seen(&self, at: usize) -> bool {
        !self.hidden.iter().any(|hidden| hidden.contains(&at))
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

    /// What a function that is defined here sees.
    pub(super) fn sight(&self) -> Sight {
        Sight { bound: self.bound.len(), hidden: self.hidden.clone() }
    }

    /// From here on names mean what a function sees, and what comes into scope. Gives what is to be seen again afterwards,
    /// by [`Scope::see_again`].
    pub(super) fn see(&mut self, sight: &Sight) -> Rc<[Range<usize>]> {
        let since = sight.bound..self.bound.len();
        let hidden = sight.hidden.iter().cloned().chain([since]).collect();
        std::mem::replace(&mut self.hidden, hidden)
    }

    /// Ends what [`Scope::see`] began.
    pub(super) fn see_again(&mut self, hidden: Rc<[Range<usize>]>) {
        self.hidden = hidden;
    }

    /// Makes every name that means `old` mean `new`, by binding it again.
    pub(super) fn rebind(&mut self, old: Local, new: Local) {
        let mut again = self.names.get(&old).cloned().unwrap_or_default();
        again.retain(|(name, mark)| self.meaning(name, *mark) == Some(old));
        again.into_iter().for_each(|(name, mark)| self.add(name, mark, new));
    }

    /// The names that the user wrote and that are in scope.
    pub(super) fn user_names(&self) -> impl Iterator<Item = &str> {
        let by_user = |meaning: &Meaning| meaning.mark == 0 && self.is_seen(meaning.at);
        self.meanings
            .iter()
            .filter(move |(_, meanings)| meanings.iter().any(by_user))
            .map(|(name, _)| &**name)
    }
}
