//! `interchange`: reductions in order of all points of a loop, each of which would walk down a column, go row by row side by side.
//!
//! # Preconditions
//! The loop over points starts registers of one lane, fills them in one loop inside, and does straight things with what they come
//! to. What differs from point to point inside is total, and reads vectors at places that move along with the point.
//!
//! # Before / After
//! ```text
//! for p number j in 0..n { start a0; for q number l in 0..m { i = mul l, n; k = add i, j; x = at v, k; a0 += x }; s = read a0 fold +; do put #0, p, s }
//! ```
//! ```text
//! for b to e in 0..n by 1024 poll {
//!   start a1                                  // of 1024 lanes
//!   for q number l in 0..m {
//!     i = mul l, n; k = add i, b; r = slice v, k, sub e, b
//!     for c in 0..min (sub e, b), 1024 { x = load r[c]; a1[c] += x }
//!   }
//!   for p number j in b..e { s = read a1[p]; do put #0, p, s }
//! }
//! ```
//! Four rows at a time go to the accumulators, so that these are read and written once for all of them, where there are so many.
//! Each register of the first loop is a lane of the second one's, so that the bits are the same. Faults are, too: those inside do not depend
//! on the point, and the first point of a block meets them in the same order.
//!
//! Checks of places that move are made once before the loop; it stays as it is beside, for where they do not hold. Reductions by a function
//! go to registers first, see `folds`.
//!
//! # Declines when
//! A read moves in another way than from one element to the next, or what happens in front of the inner loop depends on the point; or a
//! `dbg` shows what the same loop computes for each point.
//!
//! # Order
//! First: `strips` cuts the loop inside. The innermost one stays as it is, for in blocks of lanes compilers would look across blocks and gather.

mod columns;
mod copies;
mod folds;
mod jam;
pub(super) mod merged_rows;
mod tile;

use std::collections::BTreeSet;

use super::guard::versions;
use super::pass::{Pass, each_for};
use crate::imp::{Imp, Stmt, Target};
use columns::Columns;
pub(super) use copies::{Varying, hoistable};
use tile::Tiles;

pub(super) const PASS: Pass = Pass { name: "interchange", is_for: |target| target.interchange, run };

fn run(imp: &mut Imp, _: &Target) {
    // Loops over points that stay as they are, for the case that a tile is not for.
    let mut plain = BTreeSet::new();
    each_for(imp, tile::may_be_tiled, |imp, rows, out| {
        let points = rows.body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::For(points) => Some(points.index),
            _ => None,
        });
        if versions(imp, rows, out, Tiles::of, Tiles::rewrite) {
            plain.extend(points);
        }
    });
    each_for(
        imp,
        |inner| columns::may_reduce(inner) && !plain.contains(&inner.index),
        |imp, inner, out| {
            if let Some(inner) = folds::versions(imp, inner, out) {
                versions(imp, inner, out, Columns::of, Columns::rewrite);
            }
        },
    );
}
