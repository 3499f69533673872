//! `count-steps`: an `iterate` whose steps are counted, of scalars, becomes a loop whose state is in registers.
//!
//! So what it reads one element behind the other is a slice, it asks between strips of steps whether the run is cancelled, and a vector
//! that each step appends to has room for all.
//!
//! # Before / After
//! ```text
//! r, k = iterate (s = s0, i = 0) counts i to n { j = check_index i, n; x = at v, j; t = add s, x; l = add i, 1; yield t, l, lt l, n }
//! ```
//! ```text
//! start a0; a0 = s0
//! for p number i in 0..n { s = read a0; x = at v, i; t = add s, x; a0 = t }
//! r = read a0; k = n
//! ```
//! Each step computes what it did, in the same order.
//!
//! # Declines when
//! A state besides the count is no scalar, or a step gives another count than the next one.
//!
//! # Order
//! Behind `lockstep`, which takes steps of many iterations side by side, and before `strips`, `contiguous` and `reserve`.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, Op, ReduceOp, Value};
use weldment_runtime::exec::context::{OUTER_STRIP, STRIP};
use weldment_runtime::lang::types::{Scalar, Type};

use super::moving::needed;
use super::pass::{Pass, each_block};
use crate::imp::effects::of_stmt;
use crate::imp::make::set;
use crate::imp::{
    AccOp, Action, Arg, Block, For, Hints, Imp, Number, RegId, Stmt, StoreId, Strategy, Target,
};

pub(super) const PASS: Pass = Pass { name: "count-steps", is_for: |target| target.count_steps, run };

fn run(imp: &mut Imp, _: &Target) {
    let zeros = zeros(imp);
    each_block(imp, &mut |imp, block| {
        let is_counted = |stmt: &Stmt| matches!(stmt, Stmt::Iterate { counted: Some(_), .. });
        if !block.stmts.iter().any(is_counted) {
            return;
        }
        let mut out = Block { stmts: Vec::new(), results: std::mem::take(&mut block.results) };
        for stmt in std::mem::take(&mut block.stmts) {
            match Steps::of(imp, stmt) {
                Ok(steps) => steps.in_loop(imp, &mut out),
                Err(stmt) => out.stmts.push(*stmt),
            }
        }
        *block = out;
    });
    each_block(imp, &mut |imp, block| {
        let mut stmts = Vec::new();
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::If { results, cond, then, els, .. }
                    if results.is_empty()
                        && then == Block::default()
                        && is_nothing(imp, &els, zeros.get(&cond)) =>
                {
                    stmts.extend(els.stmts);
                }
                stmt => stmts.push(stmt),
            }
        }
        block.stmts = stmts;
    });
}

/// The conditions that a number is 0, and the number.
fn zeros(imp: &Imp) -> BTreeMap<Value, Value> {
    let mut zeros = BTreeMap::new();
    let zero = Some(Const::I64(0));
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| match *stmt {
            Stmt::Let { result, op: Op::Compare(CompareOp::Eq, number, of), .. }
                if imp.values[of].constant == zero =>
            {
                zeros.insert(result, number);
            }
            _ => {}
        });
    }
    zeros
}

/// Whether `block` does nothing where `steps` is 0: it is a loop of so many, and what computes values for it.
fn is_nothing(imp: &Imp, block: &Block, steps: Option<&Value>) -> bool {
    let mut counts = BTreeSet::new();
    let mut is_loop = false;
    let all = block.stmts.iter().all(|stmt| match stmt {
        Stmt::Let { result, op: Op::Cast(Scalar::U64, number), .. } if Some(number) == steps => {
            counts.insert(*result)
        }
        Stmt::For(inner) => {
            is_loop = true;
            counts.contains(&inner.range[1]) && imp.known_position(inner.range[0]) == Some(0)
        }
        Stmt::Start(_) | Stmt::Accumulate { op: AccOp::Set, .. } | Stmt::Read { .. } => true,
        Stmt::Let { .. } => !of_stmt(imp, stmt).faults,
        _ => false,
    });
    all && is_loop
}

/// Steps that are counted, one by one.
struct Steps {
    counted: Counted,
    /// Besides the count: what it is at first, in a step, behind it, and behind all of them.
    states: Vec<State>,
    /// What is bound to the count behind the last step.
    last: Value,
    body: Block,
    loc: Loc,
}

struct State {
    ty: Scalar,
    init: Value,
    param: Value,
    next: Value,
    result: Value,
}

impl Steps {
    /// Those of `stmt`; which is given back, without a count, if it is something else.
    fn of(imp: &Imp, stmt: Stmt) -> Result<Steps, Box<Stmt>> {
        let Stmt::Iterate { results, init, params, counted: Some(counted), replaced, body, loc } = stmt
        else {
            return Err(Box::new(stmt));
        };
        let (mut states, mut last) = (Vec::new(), None);
        let mut are_scalars = replaced.is_empty();
        for (((&result, &init), &param), &next) in results.iter().zip(&init).zip(&params).zip(&body.results) {
            match imp.values[param].ty {
                _ if param == counted.index => last = Some(result),
                Type::Scalar(ty) => states.push(State { ty, init, param, next, result }),
                _ => are_scalars = false,
            }
        }
        match last {
            Some(last) if are_scalars => {
                Ok(Steps { counted, states, last, body: Block { results: Vec::new(), ..body }, loc })
            }
            _ => Err(Box::new(Stmt::Iterate { results, init, params, counted: None, replaced, body, loc })),
        }
    }

    fn in_loop(self, imp: &mut Imp, out: &mut Block) {
        let Steps { counted: Counted { index, steps }, states, last, body, loc } = self;
        let count = imp.position();
        out.let_(count, Op::Cast(Scalar::U64, steps), Loc::NONE);
        let regs: Vec<RegId> =
            states.iter().map(|state| imp.reg(state.ty, 1, ReduceOp::Max.neutral(state.ty))).collect();
        for (state, &reg) in states.iter().zip(&regs) {
            out.stmts.extend([Stmt::Start(reg), set(reg, state.init)]);
        }
        let read = |&reg: &RegId, result: Value| Stmt::Read { result, reg, fold: ReduceOp::Max };
        let mut stmts: Vec<Stmt> =
            states.iter().zip(&regs).map(|(state, reg)| read(reg, state.param)).collect();
        stmts.extend(body.stmts.into_iter().map(|stmt| without_check(imp, stmt, index, steps)));
        // Several states may take the place of each other.
        stmts.extend(states.iter().zip(&regs).map(|(state, &reg)| set(reg, state.next)));
        let position = imp.position();
        let zero = imp.at(0);
        let body = Block { stmts: needed(imp, stmts), results: Vec::new() };
        let hints = Hints { strip: Some(strip(&body)), reserve: appended(imp, &body), ..Hints::default() };
        let mut inner = For::over(position, [zero, count], 1, body, loc);
        inner.number = Some(Number { value: index, first: zero });
        inner.hints = Some(Box::new(hints));
        out.stmts.push(Stmt::For(inner));
        out.stmts.extend(states.iter().zip(&regs).map(|(state, reg)| read(reg, state.result)));
        out.let_(last, Op::Cast(Scalar::I64, count), Loc::NONE);
    }
}

/// `stmt`, which checks nothing if it asks whether `index` is below the number of steps.
fn without_check(imp: &mut Imp, stmt: Stmt, index: Value, steps: Value) -> Stmt {
    match stmt {
        Stmt::Let { result, op: Op::CheckIndex(checked, length), known, loc }
            if (checked, length) == (index, steps) =>
        {
            let zero = imp.constant(Const::I64(0));
            Stmt::Let { result, op: Op::Binary(BinaryOp::Add, index, zero), known, loc }
        }
        stmt => stmt,
    }
}

/// After how many steps a loop asks whether the run is cancelled: what holds loops may take long.
fn strip(body: &Block) -> u32 {
    let mut holds_loops = false;
    body.for_each_stmt(&mut |stmt| {
        holds_loops |= matches!(
            stmt,
            Stmt::For(_) | Stmt::Iterate { .. } | Stmt::Call { .. } | Stmt::Sort { .. } | Stmt::Split(_)
        );
    });
    (if holds_loops { OUTER_STRIP } else { STRIP }) as u32
}

/// The vectors to which a step appends one element at most.
fn appended(imp: &Imp, body: &Block) -> Vec<StoreId> {
    let mut appends: BTreeMap<StoreId, usize> = BTreeMap::new();
    let mut opened = BTreeSet::new();
    count_appends(body, 1, &mut appends, &mut opened);
    appends.retain(|store, count| {
        *count == 1 && !opened.contains(store) && imp.stores[*store].strategy == Strategy::Grow
    });
    appends.into_keys().collect()
}

/// Adds up the places where `body` appends to each store, each as `times`, and what it opens.
fn count_appends(
    body: &Block,
    times: usize,
    appends: &mut BTreeMap<StoreId, usize>,
    opened: &mut BTreeSet<StoreId>,
) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::Do { store, action: Action::Append, .. } => *appends.entry(*store).or_default() += times,
            Stmt::Do { store, action: Action::Open, .. } => _ = opened.insert(*store),
            // A function that is called has stores as arguments.
            Stmt::Call { args, .. } => {
                for arg in args {
                    if let Arg::Store(store, _) = arg {
                        *appends.entry(*store).or_default() += 2;
                    }
                }
            }
            _ => {}
        }
        let times = if matches!(stmt, Stmt::If { .. }) { times } else { 2 };
        stmt.for_each_block(|inner| count_appends(inner, times, appends, opened));
    }
}
