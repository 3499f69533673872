//! `outline`: the loop of a chunk, and each loop that runs in blocks, is a function of its own, since the compiler knows of
//! parameters, and of nothing else, that they do not overlap.
//!
//! # Before / After
//! ```text
//! d = slice c, s, m
//! for p in 0..m { x = load d[p]; a0[p] += mul x, k }
//! ```
//! ```text
//! func loop3(a0: reg, d = slice of c) captures m, k { for p in 0..m { x = load d[p]; a0[p] += mul x, k } }
//! call loop3(a0, c[s x m])
//! ```
//! The function of a chunk is said to stream that does no more than there is to read and to write: it waits for memory, and vectors wider than those in
//! which the CPU at hand reaches that make it slower (8 % on Zen 4, benchmark `arrays`).
//! A length of a captured vector is told anew in the function, so that the compiler knows what a checked index is below.
//!
//! # Order
//! Behind `strips`, and before all that changes what a loop does.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{BinaryOp, Entity, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::pass::{Pass, each_block};
use crate::imp::walk::free_values;
use crate::imp::{
    Action, Arg, Block, For, Func, FuncId, Imp, Known, Param, RegId, Role, Stmt, StoreId, Strategy, Stride,
    Target,
};

pub(super) const PASS: Pass = Pass { name: "outline", is_for: |_| true, run };

fn run(imp: &mut Imp, target: &Target) {
    let lengths = lengths(imp);
    each_block(imp, &mut |imp, block| {
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::For(strips) if strips.end.is_some() => {
                    outline(imp, &mut strips.body, &lengths, |inner| inner.block().is_some(), None, false);
                }
                Stmt::Split(split) => {
                    chunk(imp, &mut split.update, &lengths, split.range[0], target.dispatch);
                }
                _ => {}
            }
        }
    });
}

/// Makes functions of the loops of a chunk that begins at `lo`, of their versions, and of what it computes before them.
fn chunk(imp: &mut Imp, block: &mut Block, lengths: &HashMap<Value, Value>, lo: Value, dispatch: bool) {
    outline(imp, block, lengths, |_| true, Some(lo), dispatch);
    for stmt in &mut block.stmts {
        if let Stmt::If { .. } = stmt {
            stmt.for_each_block_mut(|inner| chunk(imp, inner, lengths, lo, dispatch));
        }
    }
}

/// The vectors whose lengths values are.
fn lengths(imp: &Imp) -> HashMap<Value, Value> {
    let mut lengths = HashMap::new();
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| {
            if let Stmt::Let { result, op: Op::Len(vector), .. } = stmt
                && matches!(imp.values[*vector].ty, Type::Vec(_))
            {
                lengths.insert(*result, *vector);
            }
        });
    }
    lengths
}

/// Makes functions of the loops of `block` that are wanted; their stores begin at position `from`.
fn outline(
    imp: &mut Imp,
    block: &mut Block,
    lengths: &HashMap<Value, Value>,
    wanted: impl Fn(&For) -> bool,
    from: Option<Value>,
    dispatch: bool,
) {
    let mut cut: HashMap<Value, (Value, [Value; 2])> = HashMap::new();
    for stmt in &block.stmts {
        if let Stmt::Let { result, op: Op::Slice(vector, start, count), known: Known::InBounds, .. } = stmt
            && imp.values[*start].position
        {
            cut.insert(*result, (*vector, [*start, *count]));
        }
    }
    for stmt in &mut block.stmts {
        if !matches!(stmt, Stmt::For(inner) if wanted(inner)) {
            continue;
        }
        let Stmt::For(inner) = std::mem::replace(stmt, Stmt::Release(imp.at(0))) else { continue };
        let (func, args) = function(imp, inner, lengths, &cut, from, dispatch);
        *stmt = Stmt::Call { results: Vec::new(), func, args };
    }
    let mut read = HashSet::new();
    block.for_each_read(imp, &mut |value| _ = read.insert(value));
    block.stmts.retain(|stmt| !matches!(stmt, Stmt::Let { result, .. } if cut.contains_key(result) && !read.contains(result)));
}

fn function(
    imp: &mut Imp,
    inner: For,
    lengths: &HashMap<Value, Value>,
    cut: &HashMap<Value, (Value, [Value; 2])>,
    from: Option<Value>,
    dispatch: bool,
) -> (FuncId, Vec<Arg>) {
    let (loc, index) = (inner.loc, inner.index);
    // Where vectors are wider, the compiler takes apart what fits no lane all the same.
    let dispatch = dispatch && !inner.adds_up_wide(imp);
    // Not the loops inside of others, of which some are short.
    let streams = from.is_some() && streams(imp, &inner);
    let mut body = Block { stmts: vec![Stmt::For(inner)], results: Vec::new() };
    let (regs, stores) = outer(&body);
    let free = free_values(imp, &body, &[]);
    let (slices, captures): (Vec<Value>, Vec<Value>) = free.iter().partition(|value| cut.contains_key(value));
    let (told, captures): (Vec<Value>, Vec<Value>) =
        captures.iter().partition(|value| lengths.get(value).is_some_and(|vector| captures.contains(vector)));
    let told = told.iter().map(|&length| Stmt::Let {
        result: length,
        op: Op::Len(lengths[&length]),
        known: Known::Nothing,
        loc: Loc::NONE,
    });
    body.stmts.splice(0..0, told);
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for &reg in &regs {
        params.push(Param::Reg(reg));
        args.push(Arg::Reg(reg));
    }
    for &store in &stores {
        params.push(Param::Store(store));
        // Who appends goes on where the last one ended.
        let appends = matches!(imp.stores[store].strategy, Strategy::Exact { each } if each != 1);
        // What the chunk makes for itself begins with it.
        let from = if imp.stores[store].split { from } else { from.map(|_| imp.at(0)) };
        args.push(Arg::Store(store, from.filter(|_| !appends)));
    }
    for column in slices {
        let (of, range) = cut[&column];
        params.push(Param::Slice { column, of });
        args.push(Arg::Slice(of, range));
    }
    let name = format!("loop{}", index.index());
    let func = Func { role: Role::Loop, name, params, captures, body, dispatch, streams, loc };
    (imp.funcs.push(func), args)
}

/// Whether `inner` does no more for its elements than there are columns that it reads and vectors that it writes, one after the other.
fn streams(imp: &Imp, inner: &For) -> bool {
    let (mut moved, mut computed) = (0, 0);
    let is_plain = inner.body.stmts.iter().all(|stmt| match stmt {
        Stmt::Load { index, stride: Stride::One, .. } => {
            moved += 1;
            *index == inner.index
        }
        Stmt::Do { store, action: Action::Put, mask: None, .. } => {
            moved += 1;
            imp.stores[*store].strategy == Strategy::Exact { each: 1 }
        }
        Stmt::Let { result, op, .. } => {
            computed += 1;
            is_quick(op, imp.values[*result].ty.as_scalar())
        }
        _ => false,
    });
    is_plain && computed <= moved
}

/// Whether every CPU has an instruction for several such ops, which give a `scalar`, and begins one in each step of its clock.
fn is_quick(op: &Op, scalar: Option<Scalar>) -> bool {
    match op {
        Op::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
        Op::Binary(BinaryOp::Mul, ..) => scalar.is_some_and(Scalar::is_float),
        Op::Binary(..) | Op::Unary(..) | Op::Compare(..) | Op::Select(..) => scalar.is_some(),
        _ => false,
    }
}

/// The registers and stores that `body` fills and does not begin itself, in order of first use.
fn outer(body: &Block) -> (Vec<RegId>, Vec<StoreId>) {
    let (mut regs, mut stores) = (Vec::new(), Vec::new());
    let (mut own_regs, mut own_stores) = (HashSet::new(), HashSet::new());
    body.for_each_stmt(&mut |stmt| {
        match stmt {
            Stmt::Start(reg) => _ = own_regs.insert(*reg),
            Stmt::Do { store, action: Action::Open, .. } => _ = own_stores.insert(*store),
            _ => {}
        }
        stmt.for_each_reg(|reg, _| {
            if !own_regs.contains(&reg) && !regs.contains(&reg) {
                regs.push(reg);
            }
        });
        stmt.for_each_store(|store, _| {
            if !own_stores.contains(&store) && !stores.contains(&store) {
                stores.push(store);
            }
        });
    });
    (regs, stores)
}
