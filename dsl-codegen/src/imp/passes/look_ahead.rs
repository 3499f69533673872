//! `look_ahead`: a loop that searches a dictionary asks for what the searches of later iterations will read.
//!
//! A search reads where its key says, which is in no near cache if there are many keys; whether the key is there decides a branch, which is
//! often foretold wrongly, and then what the CPU had begun for the next iterations is lost.
//!
//! # Before / After
//! ```text
//! for p in 0..n { k = load c[p]; x = lookup d, k; … }
//! ```
//! ```text
//! m = len d; far = le 32768, m
//! for p in 0..n {
//!   if far {
//!     e = sub n, 1; i = add p, 32; q = min i, e; k1 = load c[q]; prefetch d[k1] place
//!     j = add p, 16; r = min j, e; k2 = load c[r]; prefetch d[k2] found
//!   } cold else
//!   k = load c[p]; x = lookup d, k; …
//! }
//! ```
//! The place where the search begins is asked for first; some iterations later it is there, and says where key and value stand.
//!
//! # Declines when
//! The search is not made in each iteration; the key is a vector, or has few bits; or what computes it can fault, or is long.
//!
//! # Order
//! Behind `outline`, so that the range of the loop is that of a strip.
//!
//! # Source
//! Chen, Ailamaki, Gibbons and Mowry, Improving Hash Join Performance through Prefetching, ICDE 2004: software-pipelined prefetching.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Op, Value};
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_for};
use crate::imp::copy::copy_of;
use crate::imp::effects::{of_stmt, shows};
use crate::imp::strategy::is_direct;
use crate::imp::walk::Use;
use crate::imp::{Block, For, Imp, Known, Prefetch, Side, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "look-ahead", is_for: |target| target.look_ahead, run };

/// So many keys have an index that is larger than the second cache of most CPUs.
const FAR_KEYS: i64 = 1 << 15;

/// So many iterations ahead a place is asked for.
const PLACES_AHEAD: u64 = 32;

/// So many iterations ahead what stands there is.
const FOUND_AHEAD: u64 = 16;

/// A key is computed by so many statements at most, in each iteration twice more.
const MOST_STMTS: usize = 8;

/// So many dictionaries at most are searched ahead in one loop.
const MOST_DICTS: usize = 4;

fn run(imp: &mut Imp, _: &Target) {
    each_for(
        imp,
        |inner| inner.step == 1 && inner.end.is_none() && !inner.tail && inner.block().is_none(),
        |imp, mut inner, out| {
            let searches = Search::all(imp, &inner);
            if !searches.is_empty() {
                let asks: Vec<Stmt> =
                    searches.into_iter().map(|search| search.ask(imp, &inner, out)).collect();
                inner.body.stmts.splice(0..0, asks);
            }
            out.stmts.push(Stmt::For(inner));
        },
    );
}

/// A search that each iteration makes.
struct Search {
    dict: Value,
    /// What computes the key, and the key.
    key: Block,
}

impl Search {
    /// Those of `inner`, in order.
    fn all(imp: &Imp, inner: &For) -> Vec<Search> {
        let mut bound: BTreeSet<Value> = [inner.index].into_iter().collect();
        bound.extend(inner.number.map(|number| number.value));
        let mut searches = Vec::new();
        for (at, stmt) in inner.body.stmts.iter().enumerate() {
            if let Stmt::Let { result, op, known, .. } = stmt
                && let Op::KeyExists(dict, key) | Op::Lookup(dict, key) | Op::OptLookup(dict, key) = *op
                && !matches!(known, Known::Shared(first) if first != result)
                && !bound.contains(&dict)
                && searches.len() < MOST_DICTS
                && let Some(key) = key_of(imp, inner, &inner.body.stmts[..at], key, &bound)
                && may_be_far(imp, dict)
            {
                searches.push(Search { dict, key });
            }
            bound.extend(stmt.values(Use::Bind));
        }
        searches
    }

    /// The statement that asks, and what it asks for `before` the loop.
    fn ask(self, imp: &mut Imp, inner: &For, before: &mut Block) -> Stmt {
        let keys = before.bind(imp, Type::I64, Op::Len(self.dict));
        let least = imp.constant(Const::I64(FAR_KEYS));
        let is_far = before.bind(imp, Type::BOOL, Op::Compare(CompareOp::Le, least, keys));
        let mut then = Block::default();
        let (dict, one) = (self.dict, imp.at(1));
        let last = then.position(imp, BinaryOp::Sub, inner.range[1], one);
        for (ahead, what) in
            [(PLACES_AHEAD, Prefetch::Place { dict }), (FOUND_AHEAD, Prefetch::Found { dict })]
        {
            let ahead = imp.at(ahead);
            let position = then.position(imp, BinaryOp::Add, inner.index, ahead);
            let position = then.position(imp, BinaryOp::Min, position, last);
            let mut names = BTreeMap::from([(inner.index, position)]);
            if let Some(number) = inner.number {
                let at = then.position(imp, BinaryOp::Add, number.first, position);
                let value =
                    then.bind(imp, Type::I64, Op::Cast(weldment_runtime::lang::types::Scalar::I64, at));
                names.insert(number.value, value);
            }
            let key = copy_of(imp, &self.key, names);
            then.stmts.extend(key.stmts);
            then.stmts.push(Stmt::Prefetch { what, index: key.results[0] });
        }
        let (results, els) = (Vec::new(), Block::default());
        Stmt::If { results, cond: is_far, then, els, cold: Some(Side::Else) }
    }
}

/// What of `before` computes `key`, which is no vector, if it is short and cannot fault.
fn key_of(imp: &Imp, inner: &For, before: &[Stmt], key: Value, bound: &BTreeSet<Value>) -> Option<Block> {
    if !bound.contains(&key) || !imp.values[key].ty.is_scalars() {
        return None;
    }
    let mut wanted = BTreeSet::from([key]);
    let mut stmts = Vec::new();
    for stmt in before.iter().rev() {
        if !stmt.values(Use::Bind).iter().any(|value| wanted.contains(value)) {
            continue;
        }
        let is_plain = match stmt {
            Stmt::Load { .. } => true,
            Stmt::Let { known, .. } => {
                !matches!(known, Known::Shared(_))
                    && !of_stmt(imp, stmt).faults
                    && !shows(imp, stmt)
                    && !stmt.values(Use::Read).contains(&inner.index)
            }
            _ => false,
        };
        if !is_plain || stmts.len() == MOST_STMTS {
            return None;
        }
        wanted.extend(stmt.values(Use::Read));
        stmts.push(stmt.clone());
    }
    stmts.reverse();
    Some(Block { stmts, results: vec![key] })
}

/// Whether a dictionary can have so many keys that its index is far: such of few bits are looked up in a short array.
fn may_be_far(imp: &Imp, dict: Value) -> bool {
    matches!(&imp.values[dict].ty, Type::Dict(key, _) if !is_direct(key))
}
