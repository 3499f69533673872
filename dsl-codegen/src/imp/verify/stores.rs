//! Which actions a store takes, and when.

use std::collections::BTreeSet;

use super::{State, Verifier};
use crate::imp::{Action, Arg, Store, StoreId, Strategy};
use weldment_core::ir::Value;

impl Verifier<'_> {
    /// An action comes when the store is ready for it, and with as many arguments as it takes.
    pub(super) fn action(&mut self, id: StoreId, action: Action, args: &[Value]) {
        let store = &self.imp.stores[id];
        let fits = takes(store, action).contains(&args.len());
        self.require(fits, || {
            format!("`{}` of a store of strategy `{}`", action.name(), store.strategy.name())
        });
        let state = self.states.get(&id).copied();
        let (is_ready, next) = match action {
            Action::Open => (state.is_none(), Some(State::Open)),
            // A task has chunks of columns.
            Action::Begin if matches!(store.strategy, Strategy::Columns { .. }) => {
                (matches!(state, Some(State::Open | State::Part)), Some(State::Part))
            }
            Action::Begin => (state == Some(State::Open), Some(State::Part)),
            Action::Join => (state == Some(State::Part), Some(State::Open)),
            Action::Finish => (state == Some(State::Open), None),
            Action::Expect | Action::Reserve | Action::HashAhead => (state.is_some(), state),
            _ => (self.is_filled(id), state),
        };
        self.require(is_ready, || format!("{id} is not ready for `{}`", action.name()));
        match next {
            Some(next) => _ = self.states.insert(id, next),
            None => _ = self.states.remove(&id),
        }
    }

    fn is_filled(&self, id: StoreId) -> bool {
        let store = &self.imp.stores[id];
        let has_parts =
            store.split || matches!(store.strategy, Strategy::Boxed | Strategy::InPlace | Strategy::Partial);
        match self.states.get(&id) {
            Some(State::Lent) => true,
            Some(State::Part) => has_parts,
            Some(State::Open) => !has_parts,
            None => false,
        }
    }

    /// What a call hands over, it hands over once, while it is filled.
    pub(super) fn lend(&mut self, args: &[Arg]) {
        let (mut regs, mut stores) = (BTreeSet::new(), BTreeSet::new());
        for arg in args {
            match *arg {
                Arg::Reg(reg) => {
                    let is_first = regs.insert(reg);
                    self.require(is_first, || format!("{reg} is handed over twice"));
                }
                Arg::Store(store, _) => {
                    let is_first = stores.insert(store);
                    self.require(is_first, || format!("{store} is handed over twice"));
                    let is_filled = self.is_filled(store);
                    self.require(is_filled, || format!("{store} is handed over where it is not filled"));
                }
                Arg::Value(_) | Arg::Slice(..) => {}
            }
        }
    }
}

/// How many arguments `action` takes for such a store; none at all where it is not for it.
fn takes(store: &Store, action: Action) -> &'static [usize] {
    use Strategy::{Boxed, Columns, Exact, Grow, InPlace, LastWins, Ordered, Partial, Ragged, Small};
    let strategy = store.strategy;
    let is_keyed = store.key.is_some();
    match (action, strategy) {
        (Action::Open, Boxed | Grow | Ragged) => &[0, 1],
        (Action::Open, Exact { .. } | Ordered | InPlace | Partial) => &[1],
        (Action::Open, Columns { .. }) => &[2],
        (Action::Open, _) => &[0],
        (Action::Begin, _) => &[0, 2],
        (Action::Expect, Small { .. } | LastWins { .. }) => &[1],
        (Action::Reserve, Grow | Ragged | Ordered) => &[1],
        (Action::Append, Exact { .. } | Ordered | Grow | Ragged) => &[1],
        (Action::AppendReserved, Grow | Ragged | Ordered) => &[1],
        (Action::Extend, Grow) if store.item.is_scalars() => &[1],
        (Action::Put, Exact { each: 1 } | Columns { .. }) => &[2],
        (Action::Fill(_), Exact { each: 1 }) => &[1],
        (Action::Merge, Boxed) => &[1],
        (Action::Merge, InPlace | Partial) => &[2],
        (Action::Merge, _) if is_keyed => &[2],
        (Action::MergeEach(_), Small { .. }) => &[1],
        (Action::HashAhead, _) if is_keyed => &[2],
        (Action::MergeBlock | Action::Set, InPlace | Partial) => &[2],
        (Action::Covers | Action::Get, InPlace | Partial) => &[1],
        (Action::Join | Action::Finish, _) => &[0],
        _ => &[],
    }
}
