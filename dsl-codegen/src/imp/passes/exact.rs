//! `exact`: a vector of which it is known, when it is begun, how many elements are appended, has its memory from then on, and elements are
//! written by position.
//!
//! # Before / After
//! ```text
//! do open #0; do append #0, x; for p in 0..n { …; do append #0, y }; v = do finish #0
//! ```
//! ```text
//! c = add 1, n; do open #0, c; do put #0, 0, x; for p in 0..n { …; q = add 1, p; do put #0, q, y }; v = do finish #0
//! ```
//! So a prefix and a loop are no vector that grows and is copied as it does; and an `iterate` that makes such a vector in each step knows how
//! long the next one is (`release-states`).
//!
//! # Declines when
//! An element is appended under a condition or in a loop in a loop, or tasks fill the vector. Where a loop is there twice, as behind
//! `lockstep`, so is a vector in it, and must be known in both.
//!
//! # Order
//! Behind `count-steps`, of which such loops are, and before `strips`, which cuts them.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::Scalar;

use super::pass::{Pass, each_block};
use crate::imp::walk::Use;
use crate::imp::{Action, Block, For, Imp, Stmt, StoreId, Strategy, Target};

pub(super) const PASS: Pass = Pass { name: "exact", is_for: |target| target.count_steps, run };

fn run(imp: &mut Imp, _: &Target) {
    let mut known: BTreeMap<StoreId, bool> = BTreeMap::new();
    each_block(imp, &mut |imp, block| {
        for (open, stmt) in block.stmts.iter().enumerate() {
            if let Some(store) = grows(imp, stmt) {
                *known.entry(store).or_insert(true) &= Places::of(imp, &block.stmts[open..], store).is_some();
            }
        }
    });
    known.retain(|_, is_known| *is_known);
    each_block(imp, &mut |imp, block| {
        let mut open = 0;
        while let Some(stmt) = block.stmts.get(open) {
            if let Some(store) = grows(imp, stmt)
                && known.contains_key(&store)
            {
                let places =
                    Places::of(imp, &block.stmts[open..], store).expect("it is known wherever it begins");
                open += places.write(imp, block, open, store);
            }
            open += 1;
        }
    });
    for store in known.into_keys() {
        imp.stores[store].strategy = Strategy::Exact { each: 1 };
    }
}

/// The vector that `stmt` begins, if it grows and one task fills it.
fn grows(imp: &Imp, stmt: &Stmt) -> Option<StoreId> {
    let Stmt::Do { store, action: Action::Open, .. } = stmt else { return None };
    let of = &imp.stores[*store];
    (of.strategy == Strategy::Grow && !of.split && of.item.is_scalars()).then_some(*store)
}

/// Where elements are appended to a vector, in order.
struct Places(Vec<Place>);

/// A statement, by its number, that appends so many.
struct Place {
    at: usize,
    count: Count,
}

#[derive(Clone, Copy)]
enum Count {
    One,
    /// One for each iteration of a loop: a position.
    Known(Value),
    /// An i64, of which the loop makes that position.
    Cast(Value),
}

impl Places {
    /// Those of `store`, which the first of `stmts` begins, if all are known.
    fn of(imp: &Imp, stmts: &[Stmt], store: StoreId) -> Option<Places> {
        let mut places = Vec::new();
        let mut bound: BTreeSet<Value> = BTreeSet::new();
        for (at, stmt) in stmts.iter().enumerate().skip(1) {
            match stmt {
                Stmt::Do { store: of, action: Action::Finish, .. } if *of == store => {
                    return (!places.is_empty()).then_some(Places(places));
                }
                Stmt::Do { store: of, action: Action::Append, mask: None, .. } if *of == store => {
                    places.push(Place { at, count: Count::One });
                }
                Stmt::For(inner) if mentions(stmt, store) > 0 => {
                    let is_plain = inner.step == 1 && inner.end.is_none() && inner.exit.is_none();
                    let appends = inner.body.stmts.iter().any(|stmt| appends(stmt, store));
                    let is_whole = imp.known_position(inner.range[0]) == Some(0);
                    if !is_plain || !appends || !is_whole || mentions(stmt, store) > 1 {
                        return None;
                    }
                    let count = known_before(imp, stmts, &bound, inner)?;
                    places.push(Place { at, count });
                }
                stmt if mentions(stmt, store) > 0 => return None,
                stmt => bound.extend(stmt.values(Use::Bind)),
            }
        }
        None
    }

    /// Has `block` write by position what it appends to `store`, which the statement number `open` begins. Gives how many statements there are
    /// before it that were not.
    fn write(self, imp: &mut Imp, block: &mut Block, open: usize, store: StoreId) -> usize {
        let mut before = Block::default();
        let mut offset = imp.at(0);
        for Place { at, count } in self.0 {
            let stmt = &mut block.stmts[open + at];
            let count = match count {
                Count::One => imp.at(1),
                Count::Known(count) => count,
                Count::Cast(count) => {
                    let position = imp.position();
                    before.let_(position, Op::Cast(Scalar::U64, count), Loc::NONE);
                    position
                }
            };
            match stmt {
                Stmt::For(inner) => put_each(imp, inner, store, offset),
                stmt => put(stmt, offset),
            }
            offset = before.position(imp, BinaryOp::Add, offset, count);
        }
        let Stmt::Do { args, .. } = &mut block.stmts[open] else { unreachable!("it begins a vector") };
        *args = vec![offset];
        let added = before.stmts.len();
        block.stmts.splice(open..open, before.stmts);
        added
    }
}

/// The number of iterations of `inner` as it is known before the first of `stmts`, behind which these are `bound`.
fn known_before(imp: &Imp, stmts: &[Stmt], bound: &BTreeSet<Value>, inner: &For) -> Option<Count> {
    let count = inner.range[1];
    if imp.values[count].constant.is_some() || !bound.contains(&count) {
        return Some(Count::Known(count));
    }
    stmts.iter().find_map(|stmt| match *stmt {
        Stmt::Let { result, op: Op::Cast(Scalar::U64, number), .. }
            if result == count && !bound.contains(&number) =>
        {
            Some(Count::Cast(number))
        }
        _ => None,
    })
}

/// Whether `stmt` appends to `store` whenever it runs.
fn appends(stmt: &Stmt, store: StoreId) -> bool {
    matches!(stmt, Stmt::Do { store: of, action: Action::Append, mask: None, .. } if *of == store)
}

/// How many statements have to do with `store`, `stmt` and those in it.
fn mentions(stmt: &Stmt, store: StoreId) -> usize {
    let mut mentions = 0;
    stmt.for_each_store(|of, _| mentions += usize::from(of == store));
    stmt.for_each_block(|block| {
        mentions += block.stmts.iter().map(|stmt| self::mentions(stmt, store)).sum::<usize>()
    });
    mentions
}

fn put(stmt: &mut Stmt, position: Value) {
    let Stmt::Do { action, args, .. } = stmt else { unreachable!("it appends") };
    *action = Action::Put;
    args.insert(0, position);
}

/// Has each iteration of `inner` put its element behind `offset` others.
fn put_each(imp: &mut Imp, inner: &mut For, store: StoreId, offset: Value) {
    if let Some(hints) = &mut inner.hints {
        hints.reserve.retain(|&of| of != store);
    }
    let mut body = Block::default();
    for mut stmt in std::mem::take(&mut inner.body.stmts) {
        if appends(&stmt, store) {
            let position = body.position(imp, BinaryOp::Add, offset, inner.index);
            put(&mut stmt, position);
        }
        body.stmts.push(stmt);
    }
    inner.body = body;
}
