//! Names in scope.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::infer::ty::Ty;
use crate::infer::typed::Local;
use crate::syntax::ast::{self, Expr, Ident};

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
    /// The item that is looked at.
    item: Option<Rc<Inside>>,
}

/// An item whose body is looked at, for one of its uses.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) name: String,
    /// Whether it is a library's, which sees nothing of the program.
    pub(super) is_welded: bool,
    /// What its type parameters are.
    pub(super) types: Vec<(String, Ty)>,
    /// The one that uses it.
    pub(super) outer: Option<Rc<Inside>>,
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
    item: Option<Rc<Inside>>,
}

/// An item of the program that stands for a value or a function.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Function(&'a ast::Function),
    Constant(&'a ast::Constant),
    /// A constant from outside.
    Outside(Local),
}

impl Item<'_> {
    /// Whether it is a library's.
    pub(super) fn is_welded(&self) -> bool {
        match self {
            Item::Function(of) => of.is_welded,
            Item::Constant(of) => of.is_welded,
            Item::Outside(_) => false,
        }
    }
}

/// What was seen before something else is looked at.
pub(super) struct Seen {
    hidden: Rc<[Range<usize>]>,
    item: Option<Rc<Inside>>,
}

/// A function with a name.
#[derive(Clone)]
pub(super) struct Function {
    /// The closure.
    pub(super) form: Rc<Expr>,
    pub(super) sight: Sight,
    /// What the parameter says that it was given for.
    pub(super) signature: Option<Rc<Signature>>,
}

/// `impl Fn(A, B) -> C`: what is said of a function.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) params: Vec<Ty>,
    pub(super) result: Ty,
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
        Sight { bound: self.bound.len(), hidden: self.hidden.clone(), item: self.item.clone() }
    }

    /// What the item `name` sees: none of the variables. It is used from here, with these types for its type parameters.
    pub(super) fn sight_of_item(&self, name: &Ident, is_welded: bool, types: Vec<(String, Ty)>) -> Sight {
        let item = Inside { name: name.name.clone(), is_welded, types, outer: self.item.clone() };
        Sight { bound: 0, hidden: Rc::default(), item: Some(Rc::new(item)) }
    }

    /// From here on names mean what a function sees, and what comes into scope. Gives what is to be seen again afterwards,
    /// by [`Scope::see_again`].
    pub(super) fn see(&mut self, sight: &Sight) -> Seen {
        let since = sight.bound..self.bound.len();
        let hidden = sight.hidden.iter().cloned().chain([since]).collect();
        let hidden = std::mem::replace(&mut self.hidden, hidden);
        Seen { hidden, item: std::mem::replace(&mut self.item, sight.item.clone()) }
    }

    /// Ends what [`Scope::see`] began.
    pub(super) fn see_again(&mut self, seen: Seen) {
        (self.hidden, self.item) = (seen.hidden, seen.item);
    }

    /// Whether the body of the item `name` is looked at, or that of one that it uses.
    pub(super) fn is_inside(&self, name: &str) -> bool {
        let mut item = self.item.as_deref();
        while let Some(inside) = item {
            if inside.name == name {
                return true;
            }
            item = inside.outer.as_deref();
        }
        false
    }

    /// Whether a body of an item is looked at, which sees no variables of the program.
    pub(super) fn is_in_item(&self) -> bool {
        self.item.is_some()
    }

    /// Whether a body of an item of a library is looked at.
    pub(super) fn is_in_welded(&self) -> bool {
        self.item.as_ref().is_some_and(|item| item.is_welded)
    }

    /// What the type parameter `name` of the item that is looked at stands for.
    pub(super) fn type_param(&self, name: &str) -> Option<Ty> {
        let (_, ty) = self.item.as_ref()?.types.iter().find(|(param, _)| param == name)?;
        Some(ty.clone())
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
