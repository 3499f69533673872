//! `scopes`: the memory of what a strip of a loop makes for itself is given back when the strip ends, and that of a loop without strips, as a
//! chunk is one, when the loop ends. So a program takes no more of it the longer it runs.
//!
//! It is region-based memory management (Tofte and Talpin, "Region-Based Memory Management", 1997) with one region for each.
//!
//! # Before / After
//! ```text
//! for s in 0..n by 16 to e poll { …; do open #0; …; v = do finish #0; x = at v, i; do put #1, p, x }
//! ```
//! ```text
//! for s in 0..n by 16 to e poll scoped { …; do open #0; …; v = do finish #0; x = at v, i; do put #1, p, x }
//! ```
//!
//! # Declines when
//! Something else than scalars may leave the loop, or a vector that was begun before grows in it: then its own memory is from there, too. Where
//! values have owners, these free them.
//!
//! # Order
//! Last: strips and functions are what they stay.

use std::collections::HashSet;

use weldment_core::ir::Op;

use super::pass::Pass;
use crate::imp::{Action, Block, Combine, For, FuncId, Imp, Memory, Stmt, StoreId, Strategy, Target};

pub(super) const PASS: Pass = Pass { name: "scopes", is_for: |target| target.scopes, run };

fn run(imp: &mut Imp, _: &Target) {
    let funcs: Vec<FuncId> = imp.funcs.ids().collect();
    for func in funcs {
        let mut body = std::mem::take(&mut imp.funcs[func].body);
        scope_in(imp, &mut body);
        imp.funcs[func].body = body;
    }
}

/// Marks the outermost loops of `block` that may be scopes.
fn scope_in(imp: &Imp, block: &mut Block) {
    for stmt in &mut block.stmts {
        match stmt {
            Stmt::For(inner) if is_scope(imp, inner) => inner.scoped = true,
            stmt => stmt.for_each_block_mut(|inner| scope_in(imp, inner)),
        }
    }
}

/// Whether `inner` allocates, and nobody refers later to what it has allocated.
fn is_scope(imp: &Imp, inner: &For) -> bool {
    let mut strip = Strip { imp, opened: HashSet::new(), called: HashSet::new(), allocates: false };
    strip.keeps_its_own(&inner.body) && strip.allocates
}

/// What is found out about a loop.
struct Strip<'i> {
    imp: &'i Imp,
    /// The stores that are begun in it.
    opened: HashSet<StoreId>,
    /// The functions that have been looked at.
    called: HashSet<FuncId>,
    allocates: bool,
}

impl Strip<'_> {
    /// Whether nothing but scalars leaves it by what `block` does, or by what it calls.
    fn keeps_its_own(&mut self, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| {
            let mut keeps = match stmt {
                Stmt::Split(_) => false,
                Stmt::Do { store, action: Action::Open, .. } => {
                    self.opened.insert(*store);
                    self.allocates |= self.imp.stores[*store].key.is_none();
                    true
                }
                Stmt::Do { store, action, .. } => {
                    self.opened.contains(store) || self.takes_scalars(*store, *action)
                }
                Stmt::Sort { .. } => {
                    self.allocates = true;
                    true
                }
                Stmt::Let { op, .. } => {
                    self.allocates |= allocates(op);
                    true
                }
                _ => true,
            };
            let mut funcs = Vec::new();
            stmt.for_each_func(self.imp, |func| funcs.push(func));
            for func in funcs {
                let imp = self.imp;
                keeps &= !self.called.insert(func) || self.keeps_its_own(&imp.funcs[func].body);
            }
            stmt.for_each_block(|inner| keeps = keeps && self.keeps_its_own(inner));
            keeps
        })
    }

    /// Whether a store that was begun before takes nothing by `action` but scalars, into memory that it has or that is no frame's.
    fn takes_scalars(&self, store: StoreId, action: Action) -> bool {
        let of = &self.imp.stores[store];
        let are_scalars = of.item.is_scalars() && of.key.as_ref().is_none_or(|key| key.is_scalars());
        let is_row = matches!(of.memory, Memory::Row(_));
        // Tables own their memory, but that of groups, however they are found by their keys, grows in the frame.
        let has_memory = (of.key.is_some() && of.combine != Combine::Append)
            || matches!(
                of.strategy,
                Strategy::Exact { .. }
                    | Strategy::Columns { .. }
                    | Strategy::InPlace
                    | Strategy::Partial
                    | Strategy::Boxed
            );
        let merges = matches!(
            action,
            Action::Put
                | Action::Append
                | Action::Merge
                | Action::MergeBlock
                | Action::Set
                | Action::Get
                | Action::Covers
                | Action::HashAhead
                | Action::Expect
        );
        are_scalars && !is_row && has_memory && merges
    }
}

/// Whether what `op` gives is in memory of its own.
fn allocates(op: &Op) -> bool {
    matches!(op, Op::Vector(_) | Op::Write(..) | Op::ToVec(_) | Op::Serialize(..) | Op::Deserialize(..))
}
