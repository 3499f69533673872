//! `reserve`: a vector that grows has room for what a loop may append before the loop begins, so that appending asks nothing.
//!
//! # Before / After
//! ```text
//! for p in 0..n { … do append #0, x if g }
//! ```
//! ```text
//! do reserve #0, n
//! for p in 0..n { … do append_reserved #0, x if g }
//! ```
//!
//! # Declines when
//! An iteration may append more than one element.
//!
//! # Order
//! Behind `strips`, so that it is room for a strip; before `blocks`.

use weldment_core::ir::Loc;

use super::pass::{Pass, each_for};
use crate::imp::{Action, For, Imp, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "reserve", is_for: |target| target.reserve, run };

fn run(imp: &mut Imp, _: &Target) {
    let appends = |inner: &For| inner.hints.as_ref().is_some_and(|hints| !hints.reserve.is_empty());
    each_for(imp, appends, |_, mut inner, out| {
        let stores = inner.hints.as_mut().map(|hints| std::mem::take(&mut hints.reserve));
        for store in stores.unwrap_or_default() {
            inner.body.for_each_stmt_mut(&mut |stmt| match stmt {
                Stmt::Do { store: to, action, .. } if *to == store && *action == Action::Append => {
                    *action = Action::AppendReserved;
                }
                _ => {}
            });
            let (action, args) = (Action::Reserve, vec![inner.range[1]]);
            out.stmts.push(Stmt::Do { results: Vec::new(), store, action, args, mask: None, loc: Loc::NONE });
        }
        out.stmts.push(Stmt::For(inner));
    });
}
