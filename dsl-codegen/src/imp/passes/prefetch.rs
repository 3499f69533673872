//! `prefetch`: a loop prefetches what its next blocks read, and on some targets what they write; or, in a
//! loop of single iterations, an element or what a row holds.
//!
//! # Before / After
//! ```text
//! for k in 0..m by 16 { lanes p at k x 16 { x = load c[p]; … } }
//! ```
//! ```text
//! for k in 0..m by 16 { prefetch c[k] x 16; lanes p at k x 16 { x = load c[p]; … } }
//! ```
//!
//! # Declines when
//! The loop IR found it not worth it. Of what is written: less than half a line of the cache in a block, which would be asked for
//! several times.
//!
//! # Order
//! Behind `blocks` and `scatter_rows`, which make the steps.

use weldment_runtime::exec::cpu::LINE;
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_for};
use crate::imp::strategy::size_of;
use crate::imp::{Action, For, Imp, Lanes, Prefetch, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "prefetch", is_for: |_| true, run };

fn run(imp: &mut Imp, target: &Target) {
    let written = target.prefetch_written;
    each_for(
        imp,
        |inner| inner.hints.is_some() || written && inner.step > 1,
        |imp, mut inner, out| {
            let columns = inner.hints.take().map(|hints| hints.prefetch).unwrap_or_default();
            let read =
                columns.into_iter().map(|column| match (inner.step, imp.values[column].ty.element()) {
                    (1, Some(Type::Vec(_))) => Prefetch::Row { column },
                    (1, _) => Prefetch::Element { column },
                    (width, _) => Prefetch::Block { column, width },
                });
            let mut asks: Vec<Prefetch> = read.collect();
            if written {
                asks.extend(writes(imp, &inner));
            }
            let index = inner.index;
            inner.body.stmts.splice(0..0, asks.into_iter().map(|what| Stmt::Prefetch { what, index }));
            out.stmts.push(Stmt::For(inner));
        },
    );
}

/// The vectors that a step of `inner` writes enough of.
fn writes(imp: &Imp, inner: &For) -> Vec<Prefetch> {
    let mut found = Vec::new();
    for stmt in &inner.body.stmts {
        let Stmt::Lanes(Lanes { width, body, .. }) = stmt else { continue };
        for stmt in &body.stmts {
            if let Stmt::Do { store, action: Action::Put, .. } = stmt
                && 2 * u64::from(*width) * size_of(&imp.stores[*store].item) >= LINE as u64
            {
                found.push(Prefetch::Written { store: *store, width: *width });
            }
        }
    }
    found
}
