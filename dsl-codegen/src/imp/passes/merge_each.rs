//! `merge_each`: a loop that computes scalars and merges one of them under another is a call of its table, which goes from one row
//! to the next without a look at anything else.
//!
//! # Before / After
//! ```text
//! for p in 0..n { k = load c[p]; do merge #0, k, 1 }
//! ```
//! ```text
//! func row0(p) captures c { k = load c[p]; give k, 1 }
//! do merge_each #0, n by row0
//! ```
//!
//! # Declines when
//! The table is no small one.
//!
//! # Order
//! Behind `outline`: the table is a parameter then.

use super::pass::{Pass, each_for};
use crate::imp::{Action, Block, For, Imp, Stmt, StoreId, Strategy, Target};

pub(super) const PASS: Pass = Pass { name: "merge-each", is_for: |target| target.merge_each, run };

fn run(imp: &mut Imp, _: &Target) {
    let small: Vec<StoreId> = imp
        .stores
        .ids()
        .filter(|&store| matches!(imp.stores[store].strategy, Strategy::Small { .. }))
        .collect();
    let fed = |inner: &For| inner.hints.as_ref().and_then(|hints| hints.feeds);
    each_for(
        imp,
        |inner| fed(inner).is_some_and(|store| small.contains(&store)),
        |imp, mut inner, out| {
            let merge = inner.body.stmts.iter().position(|stmt| matches!(stmt, Stmt::Do { .. }));
            let Some(Stmt::Do { store, args, loc, .. }) = merge.map(|at| inner.body.stmts.remove(at)) else {
                return out.stmts.push(Stmt::For(inner));
            };
            let (count, body) = (inner.range[1], Block { stmts: Vec::new(), results: args });
            let row = super::pass::row(imp, inner, body);
            let (action, args) = (Action::MergeEach(row), vec![count]);
            out.stmts.push(Stmt::Do { results: Vec::new(), store, action, args, mask: None, loc });
        },
    );
}
