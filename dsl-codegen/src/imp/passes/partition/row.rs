//! What is known of a loop over a row of points before it is cut.

use std::collections::HashSet;

use weldment_core::ir::{BinaryOp, Op, Value};

use super::fact::Offset;
use super::groups::Groups;
use crate::imp::{Action, For, Imp, Stmt, StoreId};

/// A part of a row.
pub(super) struct Row {
    /// Where an iteration puts its elements, a position, and where the first one does.
    pub(super) place: Value,
    pub(super) start: Value,
    pub(super) stores: Vec<StoreId>,
    /// The number of the first iteration, a position.
    pub(super) first: Value,
    pub(super) count: Value,
    /// What all numbers are below.
    pub(super) uppers: Vec<Offset>,
    /// What no row has many iterations behind.
    pub(super) ends: HashSet<Value>,
    pub(super) groups: Option<Groups>,
}

impl Row {
    pub(super) fn of(
        imp: &mut Imp,
        inner: &For,
        uppers: Vec<Offset>,
        ends: HashSet<Value>,
        groups: Option<Groups>,
    ) -> Option<Row> {
        let mut places = Vec::new();
        let mut stores = Vec::new();
        for stmt in &inner.body.stmts {
            match stmt {
                Stmt::Let { result, op: Op::Binary(BinaryOp::Add, start, index), .. }
                    if *index == inner.index =>
                {
                    places.push((*result, *start));
                }
                Stmt::Do { store, action: Action::Put, .. } => stores.push(*store),
                _ => {}
            }
        }
        let first = inner.number.map_or_else(|| imp.at(0), |number| number.first);
        match places[..] {
            [(place, start)] => {
                Some(Row { place, start, stores, first, count: inner.range[1], uppers, ends, groups })
            }
            _ => None,
        }
    }
}
