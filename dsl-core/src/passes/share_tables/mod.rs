//! Dictionaries that one loop fills by the same key become one, of all their values: each key is then hashed and
//! looked for once.
//!
//! **Preconditions**: equal keys are one value (`common-subexpressions`).
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,i64], v4: dict[i64,i64] = loop v5 < v2 {
//!     sink #0 = bucket_reduce + i64 -> i64
//!     sink #1 = bucket_reduce max i64 -> i64
//!     v6: i64 = at v0, v5
//!     v7: i64 = rem v6, v1
//!     merge #0, v7, v6
//!     merge #1, v7, v5
//!   }
//!   v8: i64 = lookup v3, v1
//!   v9: i64 = lookup v4, v1
//!   v10: i64 = add v8, v9
//!   return v10
//! }
//! ```
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,{i64,i64}] = loop v4 < v2 {
//!     sink #0 = bucket_reduce by (v5: {i64,i64}, v6: {i64,i64}) {
//!       v7: i64 = field v5, 0
//!       v8: i64 = field v6, 0
//!       v9: i64 = add v7, v8
//!       v10: i64 = field v5, 1
//!       v11: i64 = field v6, 1
//!       v12: i64 = max v10, v11
//!       v13: {i64,i64} = struct {v9, v12}
//!       return v13
//!     } i64 -> {i64,i64}
//!     v14: i64 = at v0, v4
//!     v15: i64 = rem v14, v1
//!     v16: {i64,i64} = struct {v14, v4}
//!     merge #0, v15, v16
//!   }
//!   v17: {i64,i64} = lookup v3, v1
//!   v18: i64 = field v17, 0
//!   v19: {i64,i64} = lookup v3, v1
//!   v20: i64 = field v19, 1
//!   v21: i64 = add v18, v20
//!   return v21
//! }
//! ```
//!
//! **Declines when** a dictionary is more than looked up, measured and listed: a part of the result, an element of
//! something else, the state of an `iterate`; when some merges have another key, or another guard.
//!
//! Many values are kept in structs of structs, so that no struct is very wide or nested deep (`layout.rs`).
//!
//! **Order**: after `fuse-horizontal`, which brings the dictionaries into one loop, and `group-by-reduce`, which makes
//! more of them. `common-subexpressions` then makes one of the lookups of one key.

mod layout;
mod rewrite;

use std::collections::HashMap;

use weldment_runtime::lang::types::Type;

use self::rewrite::Group;
use super::candidate::{Candidate, Reason, fuse_all};
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Loc, Loop, Op, Program, Sink, SinkKind, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "share-tables",
    summary: "make one dictionary of those that a loop fills by the same key",
    run: |program, cx| fuse_all(program, cx, share_all),
};

const KEPT: Reason = Reason::new("a dictionary is used otherwise than by its keys and values");

/// Shares all tables that can be shared. Whether there were any.
fn share_all(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let pairs: Vec<Pair> = bodies.iter().flat_map(|&body| Pair::candidates(program, body)).collect();
    if pairs.is_empty() {
        return false;
    }
    let defs = Defs::of(program);
    let kept = Kept::of(program);
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = HashMap::new();
    for pair in pairs {
        if cx.is_empty() {
            break;
        }
        let Pair { body, index, numbers: [first, second] } = pair;
        if cx.accept(program, &defs, &Sharing { pair, kept: &kept }).is_some() {
            let group = *group_of.entry((body, index, first)).or_insert_with(|| {
                groups.push(Group { body, index, numbers: vec![first] });
                groups.len() - 1
            });
            groups[group].numbers.push(second);
        }
    }
    rewrite::share(program, &groups);
    !groups.is_empty()
}

/// Two dictionaries that one loop fills by the same key.
struct Pair {
    body: BodyId,
    /// The number of the loop among the statements.
    index: usize,
    /// The numbers of the sinks.
    numbers: [usize; 2],
}

impl Pair {
    /// Those of the loops that stand in `body`: each with the first that has its key.
    fn candidates(program: &Program, body: BodyId) -> Vec<Pair> {
        let mut candidates = Vec::new();
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
            let Op::Loop(inner) = &stmt.op else { continue };
            let is_table = |kind: &SinkKind| matches!(kind, SinkKind::BucketReduce { .. });
            if inner.sinks.iter().filter(|decl| is_table(&decl.kind)).nth(1).is_none() {
                continue;
            }
            let mut keys = keys(program, inner.body);
            let mut first_of = HashMap::new();
            for (second, decl) in inner.sinks.iter().enumerate().filter(|(_, decl)| is_table(&decl.kind)) {
                // Of tables into which nothing is merged not even the types of keys need be the same.
                let Some(key) = keys.remove(&decl.sink) else { continue };
                let first = *first_of.entry(key).or_insert(second);
                if first != second {
                    candidates.push(Pair { body, index, numbers: [first, second] });
                }
            }
        }
        candidates
    }

    fn parts<'a>(&self, program: &'a Program) -> (&'a Stmt, &'a Loop) {
        let stmt = &program.bodies[self.body].stmts[self.index];
        let Op::Loop(inner) = &stmt.op else { unreachable!("tables are found at a loop") };
        (stmt, inner)
    }
}

/// The key of each merge in `body` and the bodies inside it, in program order, with its place, by the sink.
fn keys(program: &Program, body: BodyId) -> HashMap<Sink, Vec<(BodyId, Value)>> {
    let mut keys: HashMap<Sink, Vec<(BodyId, Value)>> = HashMap::new();
    program.for_each_body(body, &mut |body| {
        for stmt in &program.bodies[body].stmts {
            if let Op::Merge { sink, values } = &stmt.op {
                keys.entry(*sink).or_default().push((body, values[0]));
            }
        }
    });
    keys
}

/// A pair, and what is known of all dictionaries.
struct Sharing<'a> {
    pair: Pair,
    kept: &'a Kept,
}

impl Candidate for Sharing<'_> {
    const RULE: &'static str = "same key";
    type Rewrite = ();

    fn loc(&self, program: &Program) -> Loc {
        self.pair.parts(program).1.sinks[self.pair.numbers[1]].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(self.pair.parts(program).1.sinks[self.pair.numbers[0]].loc)
    }

    fn plan(&self, program: &Program, _: &Defs) -> Result<(), Reason> {
        let (stmt, inner) = self.pair.parts(program);
        match self.kept.first_of(self.pair.numbers.map(|number| stmt.results[number])) {
            Some(loc) => Err(KEPT.at(loc.unwrap_or(inner.sinks[self.pair.numbers[0]].loc))),
            None => Ok(()),
        }
    }
}

/// The dictionaries that are used otherwise than by their keys and values: when each is first in a walk of the program, and
/// where, if it is not a result.
struct Kept(HashMap<Value, (usize, Option<Loc>)>);

impl Kept {
    fn of(program: &Program) -> Kept {
        let mut kept = HashMap::new();
        let mut visit = |value: Value, loc: Option<Loc>| {
            if matches!(program.ty(value), Type::Dict(..)) {
                let time = kept.len();
                kept.entry(value).or_insert((time, loc));
            }
        };
        let Some(entry) = program.entry else { return Kept(kept) };
        program.for_each_body(entry, &mut |body| {
            for stmt in &program.bodies[body].stmts {
                match stmt.op {
                    Op::Len(_) | Op::ToVec(_) => {}
                    Op::Lookup(_, key) | Op::KeyExists(_, key) | Op::OptLookup(_, key) => {
                        visit(key, Some(stmt.loc));
                    }
                    _ => stmt.op.for_each_operand(|operand| visit(operand, Some(stmt.loc))),
                }
            }
            program.bodies[body].results.iter().for_each(|&result| visit(result, None));
        });
        Kept(kept)
    }

    /// The place where the first of `dicts` is used so, if one is.
    fn first_of(&self, dicts: [Value; 2]) -> Option<Option<Loc>> {
        let used = dicts.iter().filter_map(|dict| self.0.get(dict));
        used.min_by_key(|(time, _)| *time).map(|&(_, loc)| loc)
    }
}
