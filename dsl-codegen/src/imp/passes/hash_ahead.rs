//! `hash_ahead`: the keys of the next rows are hashed together, and the places where they are looked for prefetched.
//!
//! # Before / After
//! ```text
//! for p in 0..n { k = load c[p]; do merge #0, k, 1 }
//! ```
//! ```text
//! for p in 0..n { do hash_ahead #0, c, p; k = load c[p]; do merge #0, k, 1 }
//! ```
//!
//! # Declines when
//! The loop IR did not ask for it: keys are no short vectors of bytes, or not the only ones of their table.

use weldment_core::ir::Loc;

use super::pass::{Pass, each_for};
use crate::imp::{Action, For, Imp, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "hash-ahead", is_for: |_| true, run };

fn run(imp: &mut Imp, _: &Target) {
    let hashes = |inner: &For| inner.hints.as_ref().is_some_and(|hints| !hints.hash_ahead.is_empty());
    each_for(imp, hashes, |_, mut inner, out| {
        let keys = inner.hints.as_mut().map(|hints| std::mem::take(&mut hints.hash_ahead));
        let index = inner.index;
        let asks = keys.unwrap_or_default().into_iter().map(|(column, store)| {
            let (action, args) = (Action::HashAhead, vec![column, index]);
            Stmt::Do { results: Vec::new(), store, action, args, mask: None, loc: Loc::NONE }
        });
        inner.body.stmts.splice(0..0, asks);
        out.stmts.push(Stmt::For(inner));
    });
}
