//! Ends a loop when its results are known: `any`, once one is, and `position`, once there is a first.
//!
//! The loop runs in blocks of iterations, each twice as long as the one before, up to a limit: as a search by galloping (Bentley and
//! Yao, "An almost optimal algorithm for unbounded searching", 1976) it computes at most as much behind the last iteration that counts as
//! it did before. Within a block nothing asks, so that it runs in lanes and on all threads as any loop does.
//!
//! **Preconditions**: none. Each iteration is total, so that nobody can tell which of them ran.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: i32 = const 0
//!   v4: i32 = loop v5 < v2 {
//!     sink #0 = reduce max i32 init v3
//!     v6: f64 = at v0, v5
//!     v7: bool = lt v6, v1
//!     v8: i32 = cast v7
//!     merge #0, v8
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: i32 = const 0
//!   v4: i64 = const 0
//!   v5: i64 = const 4096
//!   v6: i64 = const 2
//!   v7: i64 = const 1048576
//!   v8: i32 = const 1
//!   v9: i64, v10: i64, v11: i32 = iterate (v12: i64 = v4, v13: i64 = v5, v14: i32 = v3) {
//!     v15: i64 = sub v2, v12
//!     v16: i64 = min v13, v15
//!     v17: i64 = add v12, v16
//!     v18: i64 = mul v13, v6
//!     v19: i64 = min v18, v7
//!     v20: i32 = loop v21 < v16 {
//!       sink #0 = reduce max i32 init v14
//!       v22: i64 = add v12, v21
//!       v23: i64 = assume_index v22, v2
//!       v24: f64 = at v0, v23
//!       v25: bool = lt v24, v1
//!       v26: i32 = cast v25
//!       merge #0, v26
//!     }
//!     v27: bool = lt v17, v2
//!     v28: bool = lt v20, v8
//!     v29: bool = and v27, v28
//!     yield v17, v19, v20, v29
//!   }
//!   return v11
//! }
//! ```
//!
//! **Declines when** an iteration can fault, calls a foreign function or merges into a loop around; when a result is none that stays
//! as it is from some iteration on; when the loop has several indices, or so few iterations that they are one block.
//!
//! **Order**: after the fixpoint, when every loop has all the results that it will have. The report counts the loop once.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::{Scalar, Type};

use super::{Changed, Pass};
use crate::analysis::cost::{self, Blocks};
use crate::analysis::effects::Effects;
use crate::ir::{
    BodyId, Defs, Empty, Loc, Loop, Op, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value,
};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "early-exit",
    summary: "end a loop when its results are known",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut found = Vec::new();
        find(program, &Defs::of(program), entry, Place::Split, &mut found);
        let mut changed = Changed::No;
        for Found { body, number, search } in found {
            if !cx.allows() {
                break;
            }
            let mut stmts = program.take_stmts(body);
            let behind = stmts.split_off(number + 1);
            let stmt = stmts.pop().expect("the loop that was found");
            cx.decide("ends when its results are known".to_owned(), stmt.loc);
            search.apply(program, &stmt, &mut stmts);
            stmts.extend(behind);
            program.put_stmts(body, stmts);
            changed = Changed::Yes;
        }
        changed
    },
};

/// Where a loop stands.
#[derive(Clone, Copy)]
enum Place {
    /// Where its iterations are divided among threads.
    Split,
    /// In another loop, or in a function.
    Inside,
}

/// A loop that may end early, and where it is.
struct Found {
    body: BodyId,
    number: usize,
    search: Search,
}

/// Appends what may end early in `body`: inner loops before outer ones, and of one body the last first, so that the places stay
/// what they are while loops are replaced in this order.
fn find(program: &Program, defs: &Defs, body: BodyId, place: Place, found: &mut Vec<Found>) {
    for (number, stmt) in program.bodies[body].stmts.iter().enumerate().rev() {
        let inside = match &stmt.op {
            Op::If { .. } | Op::Iterate { .. } => place,
            Op::Loop(inner) if inner.extents.is_empty() => place,
            _ => Place::Inside,
        };
        stmt.op.for_each_body(|inner| find(program, defs, inner, inside, found));
        found.extend(Search::of(program, defs, stmt, place).map(|search| Found { body, number, search }));
    }
}

/// A loop whose results stay as they are from some iteration on.
struct Search {
    inner: Loop,
    /// Until when each may change.
    results: Vec<Open>,
    /// In what blocks it runs.
    blocks: Blocks,
}

/// Until when a result may change.
struct Open {
    /// What it begins with.
    begins: Begins,
    /// It may where `result test than`.
    test: CompareOp,
    than: Begins,
}

/// A value that is bound before the loop, or a constant.
#[derive(Clone, Copy)]
enum Begins {
    Bound(Value),
    Constant(Const),
}

impl Search {
    fn of(program: &Program, defs: &Defs, stmt: &Stmt, place: Place) -> Option<Search> {
        let Op::Loop(inner) = &stmt.op else { return None };
        let &[extent] = &inner.extents[..] else { return None };
        let merges = defs.merges(program, inner);
        let index = program.bodies[inner.body].params[0];
        let facts = Facts { program, defs, index };
        let open = |decl: &SinkDecl| Open::of(&facts, decl, merges.values(decl.sink));
        let results = inner.sinks.iter().map(open).collect::<Option<Vec<_>>>()?;
        if results.is_empty() {
            return None;
        }
        let blocks = match place {
            Place::Split => cost::blocks_of_split(program, inner),
            Place::Inside => cost::blocks_inside(program, inner),
        };
        let extent = defs.op(program, extent);
        if matches!(extent, Some(Op::Const(Const::I64(extent))) if *extent <= blocks.first) {
            return None;
        }
        let effects = Effects::of_body(program, defs, inner.body);
        let is_own = |sink: &Sink| inner.sinks.iter().any(|decl| decl.sink == *sink);
        let may_not_run = effects.is_total() && effects.merges.iter().all(is_own);
        may_not_run.then(|| Search { inner: inner.clone(), results, blocks })
    }

    /// Appends what runs in place of `stmt`, the loop, and gives its results.
    fn apply(self, program: &mut Program, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let (loc, extent) = (stmt.loc, self.inner.extents[0]);
        let mut begin = |program: &mut Program, value: Begins| match value {
            Begins::Bound(value) => value,
            Begins::Constant(constant) => program.append(Op::Const(constant), loc, out),
        };
        let mut init = [0, self.blocks.first].map(|number| begin(program, constant(number))).to_vec();
        init.extend(self.results.iter().map(|open| begin(program, open.begins)));
        let [two, longest] = [2, self.blocks.last].map(|number| begin(program, constant(number)));
        let than: Vec<Value> = self.results.iter().map(|open| begin(program, open.than)).collect();

        let state: Vec<Value> = init.iter().map(|&value| program.fresh(program.ty(value).clone())).collect();
        let (done, block) = (state[0], state[1]);
        let mut stmts = Vec::new();
        let mut binary =
            |program: &mut Program, op, x, y| program.append(Op::Binary(op, x, y), loc, &mut stmts);
        let left = binary(program, BinaryOp::Sub, extent, done);
        let now = binary(program, BinaryOp::Min, block, left);
        let next = binary(program, BinaryOp::Add, done, now);
        let twice = binary(program, BinaryOp::Mul, block, two);
        let longer = binary(program, BinaryOp::Min, twice, longest);
        let results = self.block(program, now, &state, loc, &mut stmts);

        let compare = |op, x, y| Op::Compare(op, x, y);
        let mut goes_on = program.append(compare(CompareOp::Lt, next, extent), loc, &mut stmts);
        let mut open = None;
        for ((of, &result), than) in self.results.iter().zip(&results).zip(than) {
            let is_open = program.append(compare(of.test, result, than), loc, &mut stmts);
            open = Some(match open {
                Some(open) => program.append(Op::Binary(BinaryOp::Or, open, is_open), loc, &mut stmts),
                None => is_open,
            });
        }
        if let Some(open) = open {
            goes_on = program.append(Op::Binary(BinaryOp::And, goes_on, open), loc, &mut stmts);
        }
        let yields = [&[next, longer], &results[..], &[goes_on]].concat();
        let body = program.add_body(state, stmts, yields);
        let mut results: Vec<Value> = [(); 2].map(|()| program.fresh(Type::I64)).to_vec();
        results.extend(&stmt.results);
        out.push(Stmt { results, op: Op::Iterate { init, body }, loc });
    }

    /// Appends the loop over the next `now` iterations behind `state`, and gives its results.
    fn block(
        &self,
        program: &mut Program,
        now: Value,
        state: &[Value],
        loc: Loc,
        out: &mut Vec<Stmt>,
    ) -> Vec<Value> {
        let mut inner = self.inner.clone();
        let position = program.fresh(Type::I64);
        let [index] = program.bodies[inner.body].params[..] else { unreachable!("one index") };
        let mut stmts = Vec::new();
        let moved = program.append(Op::Binary(BinaryOp::Add, state[0], position), loc, &mut stmts);
        let op = Op::AssumeIndex(moved, inner.extents[0]);
        stmts.push(Stmt { results: vec![index], op, loc });
        stmts.extend(program.take_stmts(inner.body));
        program.put_stmts(inner.body, stmts);
        program.bodies[inner.body].params = vec![position];
        inner.extents = vec![now];
        for (decl, &value) in inner.sinks.iter_mut().zip(&state[2..]) {
            decl.kind.begin_with(Some(value));
        }
        let block = program.stmt(Op::Loop(inner), loc);
        let results = block.results.clone();
        out.push(block);
        results
    }
}

fn constant(number: i64) -> Begins {
    Begins::Constant(Const::I64(number))
}

struct Facts<'a> {
    program: &'a Program,
    defs: &'a Defs,
    /// Of the loop.
    index: Value,
}

impl Open {
    /// Until when what `decl` makes of the `merged` values may change, if it does not until the end.
    fn of(facts: &Facts<'_>, decl: &SinkDecl, merged: &[Value]) -> Option<Open> {
        let SinkKind::Reduce { ty: Type::Scalar(scalar), reducer: Reducer::Op(op), init, empty, .. } =
            &decl.kind
        else {
            return None;
        };
        if !scalar.is_integer() || init.is_none() && *empty == Empty::Fault {
            return None;
        }
        let identity = Begins::Constant(op.identity(*scalar));
        let begins = init.map_or(identity, Begins::Bound);
        let is_short_of = match op {
            ReduceOp::Min => CompareOp::Gt,
            ReduceOp::Max => CompareOp::Lt,
            ReduceOp::Add | ReduceOp::Mul => return None,
        };
        let bounds = merged.iter().map(|&value| facts.bound(*op, value)).collect::<Option<Vec<_>>>();
        if let Some(bounds) = bounds {
            let bound = bounds.into_iter().reduce(|x, y| farther(*op, x, y))?;
            return Some(Open { begins, test: is_short_of, than: Begins::Constant(bound) });
        }
        // Whatever it would begin with might be more than the first index, and less than the identity.
        let is_first = *op == ReduceOp::Min
            && init.is_none()
            && merged.iter().all(|&value| facts.is_index_or_nothing(value));
        is_first.then_some(Open { begins, test: CompareOp::Eq, than: identity })
    }
}

/// The one of two integers that a reduction by `op` keeps.
fn farther(op: ReduceOp, x: Const, y: Const) -> Const {
    let is_more = x.as_integer() > y.as_integer();
    if is_more == (op == ReduceOp::Max) { x } else { y }
}

impl Facts<'_> {
    /// A constant that `value` does not go beyond, in the direction in which `op` goes.
    fn bound(&self, op: ReduceOp, value: Value) -> Option<Const> {
        let scalar = self.program.ty(value).as_scalar()?;
        match self.defs.op(self.program, value)? {
            Op::Const(constant) => Some(*constant),
            Op::Cast(_, x) if self.program.ty(*x).as_scalar() == Some(Scalar::Bool) => {
                Some(Const::from_i128(scalar, i128::from(op == ReduceOp::Max)))
            }
            Op::Select(_, x, y) => Some(farther(op, self.bound(op, *x)?, self.bound(op, *y)?)),
            _ => None,
        }
    }

    /// Whether `value` is the index of the loop, or else the identity of `min`.
    fn is_index_or_nothing(&self, value: Value) -> bool {
        value == self.index
            || match self.defs.op(self.program, value) {
                Some(Op::Const(constant)) => *constant == ReduceOp::Min.identity(constant.scalar()),
                Some(Op::Select(_, x, y)) => self.is_index_or_nothing(*x) && self.is_index_or_nothing(*y),
                _ => false,
            }
    }
}
