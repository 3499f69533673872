//! `release-states`: an `iterate` gives back the memory of a vector of its state when the next step has taken its place, so that any
//! number of steps takes the memory of two.
//!
//! # Before / After
//! ```text
//! r = iterate (p = v) { …; n = do finish #0; yield n, go_on }
//! ```
//! ```text
//! r, _ = iterate (p = v, again = false) { …; n = do finish #0; if again { release p }; yield n, true, go_on }
//! ```
//! The first state is the caller's, who may read it later.
//!
//! # Declines when
//! Something else may hold the vector, or what a step makes of it: it is part of another value, or given to a store. Vectors of vectors are
//! left alone.
//!
//! # Order
//! Last. Where values have owners (pass `ownership`), the owner frees them.

use std::collections::HashSet;

use weldment_core::ir::{Const, Op, Value};
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_block};
use crate::imp::walk::Use;
use crate::imp::{Action, Arg, Block, FuncId, Imp, Memory, Param, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "release-states", is_for: |target| !target.owned, run };

fn run(imp: &mut Imp, _: &Target) {
    each_block(imp, &mut |imp, block| {
        for stmt in &mut block.stmts {
            let Stmt::Iterate { results, init, params, body, .. } = stmt else { continue };
            let replaced = replaced(imp, params, body);
            if replaced.is_empty() {
                continue;
            }
            let again = imp.value(Type::BOOL);
            init.push(imp.constant(Const::Bool(false)));
            params.push(again);
            results.push(imp.value(Type::BOOL));
            body.results.insert(body.results.len() - 1, imp.constant(Const::Bool(true)));
            let then =
                Block { stmts: replaced.into_iter().map(Stmt::Release).collect(), results: Vec::new() };
            let (results, els) = (Vec::new(), Block::default());
            body.stmts.push(Stmt::If { results, cond: again, then, els, cold: None });
        }
    });
}

/// The vectors of the state that nothing holds when a step has made the next one.
fn replaced(imp: &Imp, params: &[Value], body: &Block) -> Vec<Value> {
    let reach = Reach::of(imp, body);
    let state = params.iter().zip(&body.results).enumerate();
    let replaced = state.filter(|&(number, (&param, &next))| {
        let is_flat = |value: Value| match &imp.values[value].ty {
            Type::Vec(element) => element.is_scalars(),
            _ => false,
        };
        let others = body.results.iter().enumerate().filter(|&(other, _)| other != number);
        let others: Vec<Value> = others.map(|(_, &value)| value).collect();
        is_flat(param)
            && made(imp, body, next).is_some_and(|made| {
                reach.stays(imp, made).is_some_and(|names| others.iter().all(|other| !names.contains(other)))
            })
            && reach
                .stays(imp, param)
                .is_some_and(|names| body.results.iter().all(|value| !names.contains(value)))
    });
    replaced.map(|(_, (&param, _))| param).collect()
}

/// The vector that `body` itself makes in memory of the run, of which `value` is the whole.
fn made(imp: &Imp, body: &Block, value: Value) -> Option<Value> {
    body.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Do { results, store, action: Action::Finish, .. } if results.contains(&value) => {
            (imp.stores[*store].memory == Memory::Run).then_some(value)
        }
        Stmt::Let { result, op: Op::Shape(vector, _), .. } if *result == value => made(imp, body, *vector),
        _ => None,
    })
}

/// What runs in a block, in functions that it calls too.
struct Reach<'i> {
    stmts: Vec<&'i Stmt>,
    /// What blocks inside give to what holds them.
    given: HashSet<Value>,
}

impl<'i> Reach<'i> {
    fn of(imp: &'i Imp, body: &'i Block) -> Reach<'i> {
        let mut reach = Reach { stmts: Vec::new(), given: HashSet::new() };
        let (mut open, mut called) = (vec![body], HashSet::new());
        while let Some(block) = open.pop() {
            let mut funcs: Vec<FuncId> = Vec::new();
            block.for_each_stmt(&mut |stmt| {
                reach.stmts.push(stmt);
                stmt.for_each_block(|inner| reach.given.extend(&inner.results));
                stmt.for_each_func(imp, |func| funcs.push(func));
            });
            for func in funcs.into_iter().filter(|&func| called.insert(func)) {
                let of = &imp.funcs[func].body;
                reach.given.extend(&of.results);
                open.push(of);
            }
        }
        reach
    }

    /// The names that parts of `vector` have, if nothing but these refers to it.
    fn stays(&self, imp: &Imp, vector: Value) -> Option<HashSet<Value>> {
        let mut names = HashSet::from([vector]);
        loop {
            let before = names.len();
            for stmt in &self.stmts {
                if !name(imp, stmt, &mut names) {
                    return None;
                }
            }
            if names.len() == before {
                return names.is_disjoint(&self.given).then_some(names);
            }
        }
    }
}

/// Whether `stmt` does no more with what has one of `names` than to read of it, or to name a part of it, which becomes one of them.
fn name(imp: &Imp, stmt: &Stmt, names: &mut HashSet<Value>) -> bool {
    match stmt {
        Stmt::Let { result, op, .. } => {
            let mut is_read = false;
            op.for_each_operand(|value| is_read |= names.contains(&value));
            match op {
                _ if !is_read => true,
                Op::Shape(..) | Op::Slice(..) => {
                    names.insert(*result);
                    true
                }
                Op::At(..) | Op::Len(..) => imp.values[*result].ty.is_scalars(),
                _ => false,
            }
        }
        Stmt::Load { .. } | Stmt::Prefetch { .. } => true,
        // What a function captures has the same name there.
        Stmt::Call { func, args, .. } => imp.funcs[*func].params.iter().zip(args).all(|pair| match pair {
            (Param::Slice { column, .. }, Arg::Slice(vector, _)) => {
                if names.contains(vector) {
                    names.insert(*column);
                }
                true
            }
            (_, Arg::Value(value)) => !names.contains(value),
            _ => true,
        }),
        stmt => stmt.values(Use::Read).iter().all(|value| !names.contains(value)),
    }
}
