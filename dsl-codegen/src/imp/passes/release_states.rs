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
//! The first state is the caller's, who may read it later. Where values have owners, an iterate says which states are replaced; the first of
//! them is not copied, and the next ones are made in [`Memory::State`].
//!
//! # Declines when
//! Something else may hold the vector, or what a step makes of it: it is part of another value, or given to a store. Vectors of vectors are
//! left alone; where values have owners, so are vectors whose length is not known before, which their owner frees.
//!
//! # Order
//! Last: behind `ownership`, which moves and copies.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{Const, Op, Value};
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_block};
use crate::imp::walk::Use;
use crate::imp::{Action, Arg, Block, FuncId, Imp, Memory, Param, Stmt, StoreId, Strategy, Target};

pub(super) const PASS: Pass = Pass { name: "release-states", is_for: |_| true, run };

fn run(imp: &mut Imp, target: &Target) {
    if target.owned {
        let entry = imp.entry;
        let mut body = std::mem::take(&mut imp.funcs[entry].body);
        replace_states(imp, &mut body);
        imp.funcs[entry].body = body;
    } else {
        each_block(imp, &mut release_in);
    }
}

fn release_in(imp: &mut Imp, block: &mut Block) {
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
        let stmts = replaced.into_iter().map(|(state, _)| Stmt::Release(state)).collect();
        let then = Block { stmts, results: Vec::new() };
        let (results, els) = (Vec::new(), Block::default());
        body.stmts.push(Stmt::If { results, cond: again, then, els, cold: None });
    }
}

/// Of states that have owners, outside of loops over threads: what these make, an allocator gives back as quickly.
fn replace_states(imp: &mut Imp, block: &mut Block) {
    let copies = block.stmts.iter().filter_map(|stmt| match *stmt {
        Stmt::Clone { result, value } => Some((result, value)),
        _ => None,
    });
    let (copies, mut lent): (HashMap<Value, Value>, _) = (copies.collect(), HashSet::new());
    for stmt in &mut block.stmts {
        if let Stmt::If { .. } | Stmt::Iterate { .. } = stmt {
            stmt.for_each_block_mut(|inner| replace_states(imp, inner));
        }
        let Stmt::Iterate { init, params, replaced: states, body, .. } = stmt else { continue };
        for (state, made) in replaced(imp, params, body) {
            if !made.is_of_known_length(imp) {
                continue;
            }
            made.stores.iter().for_each(|&store| imp.stores[store].memory = Memory::State);
            states.push(state);
            let number = params.iter().position(|&param| param == state).expect("it is a state");
            if let Some(&of) = copies.get(&init[number])
                && is_lent(imp, of, init)
            {
                lent.insert(std::mem::replace(&mut init[number], of));
            }
        }
    }
    block.stmts.retain(|stmt| !matches!(stmt, Stmt::Clone { result, .. } if lent.contains(result)));
}

/// Whether `value` refers to what has another owner, which none of the values that are taken is.
fn is_lent(imp: &Imp, value: Value, taken: &[Value]) -> bool {
    let roots = imp.values[value].roots.as_ref();
    roots.is_some_and(|roots| !taken.contains(&value) && !roots.iter().any(|of| taken.contains(of)))
}

/// The vectors of the state that nothing holds when a step has made the next one, and that one.
fn replaced(imp: &Imp, params: &[Value], body: &Block) -> Vec<(Value, Made)> {
    let reach = Reach::of(imp, body);
    let state = params.iter().zip(&body.results).enumerate();
    let replaced = state.filter_map(|(number, (&param, &next))| {
        let is_flat = match &imp.values[param].ty {
            Type::Vec(element) => element.is_scalars(),
            _ => false,
        };
        let made = Made::of(imp, body, next).filter(|_| is_flat)?;
        let names = reach.stays(imp, &made.names, &made.given)?;
        let mut others = body.results.iter().enumerate().filter(|&(other, _)| other != number);
        let is_apart = !others.any(|(_, value)| names.contains(value));
        let of_param = reach.stays(imp, &HashSet::from([param]), &HashSet::new())?;
        let is_replaced = body.results.iter().all(|value| !of_param.contains(value));
        (is_apart && is_replaced).then_some((param, made))
    });
    replaced.collect()
}

/// A vector that a step makes in memory of the run.
struct Made {
    /// What it is called, in the blocks that it comes out of as well.
    names: HashSet<Value>,
    /// The names by which these blocks give it, each once.
    given: HashSet<Value>,
    /// What makes it.
    stores: Vec<StoreId>,
}

impl Made {
    fn is_of_known_length(&self, imp: &Imp) -> bool {
        self.stores.iter().all(|&store| matches!(imp.stores[store].strategy, Strategy::Exact { .. }))
    }

    /// What `body` makes, if `value` is the whole of it: in each branch, where it is that of an `if`.
    fn of(imp: &Imp, body: &Block, value: Value) -> Option<Made> {
        body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Do { results, store, action: Action::Finish, .. } if results.contains(&value) => (imp
                .stores[*store]
                .memory
                == Memory::Run)
                .then(|| Made { names: HashSet::from([value]), given: HashSet::new(), stores: vec![*store] }),
            Stmt::Let { result, op: Op::Shape(vector, _), .. } if *result == value => {
                let mut made = Made::of(imp, body, *vector)?;
                made.names.insert(value);
                Some(made)
            }
            Stmt::If { results, then, els, .. } => {
                let number = results.iter().position(|&result| result == value)?;
                let mut made =
                    Made { names: HashSet::from([value]), given: HashSet::new(), stores: Vec::new() };
                for branch in [then, els] {
                    let inner = Made::of(imp, branch, branch.results[number])?;
                    made.given.insert(branch.results[number]);
                    made.names.extend(inner.names);
                    made.given.extend(inner.given);
                    made.stores.extend(inner.stores);
                }
                Some(made)
            }
            _ => None,
        })
    }
}

/// What runs in a block, in functions that it calls too.
struct Reach<'i> {
    stmts: Vec<&'i Stmt>,
    /// How often blocks inside give a value to what holds them.
    given: HashMap<Value, usize>,
}

impl<'i> Reach<'i> {
    fn of(imp: &'i Imp, body: &'i Block) -> Reach<'i> {
        let mut reach = Reach { stmts: Vec::new(), given: HashMap::new() };
        let (mut open, mut called) = (vec![body], HashSet::new());
        while let Some(block) = open.pop() {
            let mut funcs: Vec<FuncId> = Vec::new();
            block.for_each_stmt(&mut |stmt| {
                reach.stmts.push(stmt);
                stmt.for_each_block(|inner| reach.gives(inner));
                stmt.for_each_func(imp, |func| funcs.push(func));
            });
            for func in funcs.into_iter().filter(|&func| called.insert(func)) {
                let of = &imp.funcs[func].body;
                reach.gives(of);
                open.push(of);
            }
        }
        reach
    }

    fn gives(&mut self, block: &Block) {
        for &value in &block.results {
            *self.given.entry(value).or_default() += 1;
        }
    }

    /// The names that parts of a vector with these names have, if nothing but these refers to it, and blocks give it by those of `given`
    /// alone.
    fn stays(&self, imp: &Imp, names: &HashSet<Value>, given: &HashSet<Value>) -> Option<HashSet<Value>> {
        let mut names = names.clone();
        loop {
            let before = names.len();
            for stmt in &self.stmts {
                if !name(imp, stmt, &mut names) {
                    return None;
                }
            }
            if names.len() == before {
                let may_be_given = |name: &Value| usize::from(given.contains(name));
                let given = |name: &Value| self.given.get(name).copied().unwrap_or(0);
                return names.iter().all(|name| given(name) == may_be_given(name)).then_some(names);
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
                Op::Shape(..) | Op::Slice(..) | Op::Cut(..) => {
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
