//! What code does besides giving values: whether it can fault, whether it allocates, and whether it needs the context of the run.
//!
//! | | faults | allocates |
//! |---|---|---|
//! | divisions, checks, look-ups, slices, `assert`, lengths of iterations | unless known | |
//! | `vector`, `to_vec`, `serialize`, `deserialize`, a look-up that copies what it finds | | yes |
//! | loops that poll, `iterate`, sorts, `split` | where the run is cancelled | sorts, `split` |
//! | `dbg` | if who is shown the text ends the run | |
//! | `fault` | yes | |
//! | `clone` of what is more than scalars | | yes |
//! | actions | see [`of_action`] | |
//!
//! What allocates faults, too, for there may be no memory. The context is needed to allocate, to give memory back, to ask whether
//! the run is cancelled, to tell it of an index that is outside, and to show what `dbg` is of.
//!
//! The emitter of Rust goes by this: a function that faults gives a `Result`, and one that uses the context takes it.

use weldment_core::ir::Op;
use weldment_runtime::lang::types::Type;

use super::{Action, Block, Combine, FuncId, Imp, Known, Stmt, Store, Strategy};

/// What code does besides giving values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// It can end the run.
    pub faults: bool,
    /// It can allocate.
    pub allocates: bool,
    /// It uses the context of the run.
    pub context: bool,
}

const NONE: Effects = Effects { faults: false, allocates: false, context: false };
const FAULTS: Effects = Effects { faults: true, ..NONE };
const FAULTS_IN_CONTEXT: Effects = Effects { context: true, ..FAULTS };
const ALLOCATES: Effects = Effects { faults: true, allocates: true, context: true };

impl Effects {
    /// Of both.
    #[must_use]
    pub fn and(self, other: Effects) -> Effects {
        Effects {
            faults: self.faults | other.faults,
            allocates: self.allocates | other.allocates,
            context: self.context | other.context,
        }
    }

    fn when(self, holds: bool) -> Effects {
        if holds { self } else { NONE }
    }
}

/// Whether running `stmt`, with the functions that it calls, shows what a `dbg` is of: then it runs as often as it is written to.
pub fn shows(imp: &Imp, stmt: &Stmt) -> bool {
    let is_dbg = matches!(stmt, Stmt::Let { op: Op::Dbg(_), .. });
    let any = |block: &Block| block.stmts.iter().any(|stmt| shows(imp, stmt));
    let mut found = is_dbg;
    stmt.for_each_func(imp, |func| found = found || any(&imp.funcs[func].body));
    stmt.for_each_block(|block| found = found || any(block));
    found
}

/// What calling `func` does.
pub fn of_func(imp: &Imp, func: FuncId) -> Effects {
    of_block(imp, &imp.funcs[func].body)
}

/// What running `block` does.
pub fn of_block(imp: &Imp, block: &Block) -> Effects {
    block.stmts.iter().fold(NONE, |effects, stmt| effects.and(of_stmt(imp, stmt)))
}

/// What `stmt` does, with the blocks that it holds and the functions that it calls.
pub fn of_stmt(imp: &Imp, stmt: &Stmt) -> Effects {
    let mut effects = match stmt {
        Stmt::Let { op, known, .. } => of_op(imp, op, *known),
        Stmt::Iterate { .. } => FAULTS_IN_CONTEXT,
        Stmt::For(inner) => FAULTS_IN_CONTEXT.when(inner.poll),
        Stmt::Do { store, action, .. } => of_action(&imp.stores[*store], *action),
        Stmt::Sort { .. } | Stmt::Split(_) => ALLOCATES,
        Stmt::Fault { .. } => FAULTS,
        Stmt::Clone { value, .. } => ALLOCATES.when(!imp.values[*value].ty.is_scalars()),
        Stmt::Release(_) => Effects { context: true, ..NONE },
        _ => NONE,
    };
    let is_combining = |action: Action| {
        matches!(
            action,
            Action::Merge | Action::MergeEach(_) | Action::MergeBlock | Action::Join | Action::Finish
        )
    };
    match stmt {
        Stmt::Do { store, action, .. } => {
            if let Action::Fill(func) | Action::MergeEach(func) = action {
                effects = effects.and(of_func(imp, *func));
            }
            if let Combine::Func(func) = imp.stores[*store].combine
                && is_combining(*action)
            {
                effects = effects.and(of_func(imp, func));
            }
        }
        _ => stmt.for_each_func(imp, |func| effects = effects.and(of_func(imp, func))),
    }
    stmt.for_each_block(|block| effects = effects.and(of_block(imp, block)));
    effects
}

/// What computing `op` does.
pub fn of_op(imp: &Imp, op: &Op, known: Known) -> Effects {
    let ty = |value| &imp.values[value].ty;
    match op {
        Op::Binary(op, x, _) => {
            let x = &imp.values[*x];
            let can_fault = x.ty.as_scalar().is_some_and(|ty| op.can_fault(ty));
            FAULTS.when(can_fault && known != Known::Divides && !x.position)
        }
        Op::Slice(..) if known == Known::InBounds => NONE,
        Op::OptLookup(dict, _) if matches!(ty(*dict), Type::Dict(_, value) if value.is_scalars()) => NONE,
        Op::Dbg(_) => FAULTS_IN_CONTEXT,
        op if op.allocates() => ALLOCATES,
        op => FAULTS.when(op.can_fault()),
    }
}

/// What doing `action` with `store` does, without the functions that it calls.
pub fn of_action(store: &Store, action: Action) -> Effects {
    use Strategy::{Boxed, Columns, Exact, InPlace, Ordered};
    match (action, store.strategy) {
        (Action::Fill(_) | Action::HashAhead, _) => NONE,
        // What a task writes to is there before it begins.
        (Action::Put | Action::Append | Action::AppendReserved, Exact { .. } | Ordered | Columns { .. }) => {
            ALLOCATES.when(!store.split)
        }
        (Action::Open | Action::Begin | Action::Merge | Action::Join, Boxed) => NONE,
        (Action::Begin | Action::Join, Exact { .. } | InPlace | Columns { .. }) => NONE,
        // The index can be outside; the context is handed over to say so.
        (Action::Merge, InPlace) => FAULTS_IN_CONTEXT,
        (Action::MergeBlock | Action::Covers | Action::Get | Action::Set, _) => NONE,
        (Action::Finish, Boxed) => FAULTS,
        (Action::Finish, Exact { .. } | InPlace | Columns { .. }) => NONE,
        _ => ALLOCATES,
    }
}
