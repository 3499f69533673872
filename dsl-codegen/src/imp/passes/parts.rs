//! The parts of a loop that runs in blocks: the lanes of a block, where the whole blocks end, and the tail.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, Value};

use crate::imp::copy::copy_of;
use crate::imp::walk::Use;
use crate::imp::{Block, For, Imp, Lanes, Number, Stmt};

/// `width` iterations of `inner` from `first` on.
pub(super) fn side_by_side(imp: &mut Imp, inner: For, first: Value, width: u32) -> Lanes {
    let For { index, mut number, body, .. } = inner;
    // Another version of the loop may bind the same values one at a time.
    let mut names = BTreeMap::new();
    if let Some(number) = &mut number {
        let own = imp.values.push(imp.values[number.value].clone());
        names.insert(std::mem::replace(&mut number.value, own), own);
    }
    let body = copy_of(imp, &body, names);
    let mut wide = vec![index];
    wide.extend(number.map(|Number { value, .. }| value));
    body.stmts.iter().for_each(|stmt| wide.extend(stmt.values(Use::Bind)));
    wide.into_iter().for_each(|value| imp.values[value].width = width);
    Lanes { index, number, first, width, apart: false, body }
}

/// Where the whole blocks among `count` iterations end.
pub(super) fn whole(imp: &mut Imp, out: &mut Block, count: Value, width: u32) -> Value {
    let width = imp.at(width.into());
    let rest = out.position(imp, BinaryOp::Rem, count, width);
    out.position(imp, BinaryOp::Sub, count, rest)
}

/// The iterations of `inner` in `range`, fewer than a block, one after the other.
pub(super) fn again(imp: &mut Imp, inner: &For, range: [Value; 2]) -> Stmt {
    let mut whole = inner.clone();
    (whole.hints, whole.tail) = (None, true);
    let whole = Block { stmts: vec![Stmt::For(whole)], results: Vec::new() };
    let mut copy = copy_of(imp, &whole, BTreeMap::new());
    let Some(Stmt::For(again)) = copy.stmts.first_mut() else { unreachable!("a copy of a loop is a loop") };
    again.range = range;
    copy.stmts.remove(0)
}
