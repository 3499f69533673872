//! What generated programs have held: everything that the language has must occur.
//!
//! What can be read off the IR is counted there ([`ir`]), and what only the text tells, in its tree ([`surface`]) and its
//! tokens ([`tokens`]). A new variant of an enum, and a new line in the table of sugar, are wanted without further ado. Each
//! pass must have changed a program, and of those with several rules each rule ([`rules`]).

mod ir;
mod places;
mod rules;
mod surface;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::Program;
use weldment_core::passes::{PASSES, Pass};
use weldment_core::syntax::parse_text;
use weldment_runtime::lang::fault::{Fault, FaultKind};

use crate::program::Generated;

/// A name for each variant of an enum, and the list of them: a new variant has no name, and does not compile.
macro_rules! names {
    ($all:ident, $name:ident($ty:ty): $($word:literal $pattern:pat,)*) => {
        pub(super) const $all: &[&str] = &[$($word),*];
        fn $name(of: &$ty) -> &'static str {
            match of {
                $($pattern => $word,)*
            }
        }
    };
}
pub(crate) use names;

/// How often each thing has occurred.
#[derive(Debug, Default)]
pub(crate) struct Coverage(BTreeMap<String, usize>);

impl Coverage {
    fn count(&mut self, kind: &str, name: &str) {
        *self.0.entry(format!("{kind} {name}")).or_default() += 1;
    }

    /// Counts what a program holds, of which `lowered` is the IR.
    ///
    /// # Panics
    /// It is no program.
    pub(crate) fn program(&mut self, generated: &Generated, lowered: &Program) {
        self.ir(lowered);
        self.places(lowered);
        let text = generated.text();
        self.surface(&parse_text(&text).expect("it has been lowered"));
        self.tokens(&text);
        for (place, types) in
            [("parameter", &generated.params[..]), ("result", std::slice::from_ref(&generated.result))]
        {
            types.iter().for_each(|ty| self.named(place, ty));
        }
    }

    /// Counts that a pass has changed a program from `before` to `after`.
    pub(crate) fn pass(&mut self, pass: &Pass, before: &Program, after: &Program) {
        self.count("pass", pass.name);
        self.rules(pass, before, after);
    }

    /// Counts how a run ended.
    pub(crate) fn fault(&mut self, fault: &Fault) {
        self.count("fault", fault.kind.name());
    }

    /// Asserts that everything has occurred.
    ///
    /// # Panics
    /// With what has not.
    pub(crate) fn assert_complete(&self) {
        let mut wanted = BTreeSet::new();
        ir::wanted(&mut wanted);
        places::wanted(&mut wanted);
        surface::wanted(&mut wanted);
        tokens::wanted(&mut wanted);
        rules::wanted(&mut wanted);
        want(&mut wanted, "pass", PASSES.iter().map(|pass| pass.name));
        // The interpreter has no limits, and nobody cancels it.
        let own = |kind: &&FaultKind| {
            !matches!(kind, FaultKind::MemoryLimit | FaultKind::Cancelled | FaultKind::BadArguments)
        };
        want(&mut wanted, "fault", FaultKind::ALL.iter().filter(own).map(|kind| kind.name()));

        let missing: Vec<&String> = wanted.iter().filter(|name| !self.0.contains_key(*name)).collect();
        assert!(missing.is_empty(), "no generated program held {missing:?}; there were {:#?}", self.0);
    }
}

/// Wants things of one kind.
fn want<'n>(wanted: &mut BTreeSet<String>, kind: &str, names: impl IntoIterator<Item = &'n str>) {
    wanted.extend(names.into_iter().map(|name| format!("{kind} {name}")));
}
