//! The invariants of low-level code.
//!
//! 1. One function is the entry: it takes values, captures nothing and gives one result. Names of functions are unique.
//! 2. A value is bound once in each function, before it is read and where it can be seen: in the block at hand or one around, or in
//!    lanes before in the same block. Constants are bound nowhere. What a function captures can be seen where it is called, and what
//!    the function of a store captures where the store is opened.
//! 3. What lanes bind has their width, and all else the width 1. A statement reads values of width 1; in lanes of their width, too;
//!    and `merge_block` takes lanes. The width of lanes is a power of two.
//! 4. Lanes hold ops that cannot fault, loads, accumulates, and puts and appends, one for each store; they give nothing. The lanes
//!    of a register that is accumulated in by position divide the width, or the width divides them.
//! 5. The index of a load is the position of a loop or of lanes, or a parameter of a row function; or the least of any and the last position of a loop
//!    around.
//! 6. A call has an argument for each parameter, of its kind and type, and hands each register and store over once.
//! 7. Actions fit the strategy of their store, and come in order: opened, begun, filled, joined, finished. A store is in the same
//!    state behind a block as before it. A function only fills stores that it is handed.
//! 8. A register of several lanes is accumulated in by position where the operator rounds.
//! 9. Each part of a split loop begins in `init` and joins in `merge`; each store among its totals begins in `update` and joins in
//!    `add`; a total in a register is written in `update`, and read in `add`.
//! 10. Operands and results have the types that the statement wants. A loop has a step of at least 1, and an exit only with a step
//!     of 1. What divides has a constant divisor, neither 0 nor −1.
//!
//! Not checked: that a loop that does not poll is short or stands in one that does, since how long a loop is shows in the loop IR
//! alone; that ranges of loads lie within their columns; and that no value is read after it moved, since `roots` say what is
//! borrowed, and not what takes a value.

mod stores;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use weldment_core::ir::{self, BinaryOp, Loc, Op, Value};

use super::effects::of_op;
use super::print::print_head;
use super::walk::{Access, Use};
use super::{
    AccOp, Action, Block, Combine, For, Func, FuncId, Imp, Lane, Lanes, Param, Role, Split, Stmt, StoreId,
    Stride, Total,
};

/// A broken invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    /// What is wrong.
    pub message: String,
    /// The name of the function.
    pub func: String,
    /// The first line of the statement; empty if it is none.
    pub stmt: String,
    /// The place of the function.
    pub loc: Loc,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, in `{}`", self.message, self.func)?;
        if self.stmt.is_empty() { Ok(()) } else { write!(f, ": `{}`", self.stmt) }
    }
}

impl std::error::Error for VerifyError {}

/// Checks all invariants.
///
/// # Errors
/// Those that are broken, in order.
pub fn verify(imp: &Imp) -> Result<(), Vec<VerifyError>> {
    let values = ir::Program {
        values: {
            let mut values = ir::Arena::new();
            for value in imp.values.ids() {
                values.push(ir::ValueInfo { ty: imp.values[value].ty.clone() });
            }
            values
        },
        ..ir::Program::default()
    };
    let mut names = BTreeSet::new();
    let mut errors = Vec::new();
    for id in imp.funcs.ids() {
        let func = &imp.funcs[id];
        let mut verifier = Verifier {
            imp,
            values: &values,
            func,
            stmt: None,
            bound: BTreeSet::new(),
            visible: BTreeSet::new(),
            indices: BTreeMap::new(),
            ends: Vec::new(),
            lasts: BTreeSet::new(),
            lanes: None,
            states: BTreeMap::new(),
            errors: Vec::new(),
        };
        if !names.insert(&func.name) {
            verifier.error(format!("there are two functions `{}`", func.name));
        }
        verifier.func(id);
        errors.append(&mut verifier.errors);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What a store is ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A part may begin, or all be finished.
    Open,
    /// A part is filled.
    Part,
    /// It is the caller's, and filled.
    Lent,
}

struct Verifier<'a> {
    imp: &'a Imp,
    /// Their types.
    values: &'a ir::Program,
    func: &'a Func,
    stmt: Option<&'a Stmt>,
    /// Values bound anywhere so far in the function.
    bound: BTreeSet<Value>,
    /// Values bound in the blocks around.
    visible: BTreeSet<Value>,
    /// Positions of loops and lanes, and how many behind each of them are there, too.
    indices: BTreeMap<Value, u64>,
    /// Where the loops around end.
    ends: Vec<Value>,
    /// The last positions of loops around.
    lasts: BTreeSet<Value>,
    /// The width of the lanes around.
    lanes: Option<u32>,
    /// Stores that are open, or that the function is handed.
    states: BTreeMap<StoreId, State>,
    errors: Vec<VerifyError>,
}

impl<'a> Verifier<'a> {
    fn error(&mut self, message: impl Into<String>) {
        let stmt = self.stmt.map(|stmt| print_head(self.imp, stmt)).unwrap_or_default();
        let (func, loc) = (self.func.name.clone(), self.func.loc);
        self.errors.push(VerifyError { message: message.into(), func, stmt, loc });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.error(message());
        }
    }

    fn bind(&mut self, value: Value) {
        let info = &self.imp.values[value];
        self.require(info.constant.is_none(), || format!("the constant {value} is bound"));
        let fresh = self.bound.insert(value);
        self.require(fresh, || format!("{value} is bound twice"));
        let width = self.lanes.unwrap_or(1);
        self.require(info.width == width, || format!("{value} has the width {}, not {width}", info.width));
        self.visible.insert(value);
    }

    fn sees(&mut self, value: Value) {
        let is_there = self.imp.values[value].constant.is_some() || self.visible.contains(&value);
        self.require(is_there, || format!("{value} is read where it is not bound"));
    }

    fn read(&mut self, value: Value) {
        self.sees(value);
        let width = self.imp.values[value].width;
        let takes_lanes = matches!(self.stmt, Some(Stmt::Do { action: Action::MergeBlock, .. }));
        let fits = width == 1 || self.lanes == Some(width) || takes_lanes;
        self.require(fits, || format!("{value} has lanes here"));
    }

    fn func(&mut self, id: FuncId) {
        let func = self.func;
        if func.role == Role::Entry || id == self.imp.entry {
            let plain = func.params.iter().all(|param| matches!(param, Param::Value(_)));
            let is_one = func.role == Role::Entry && id == self.imp.entry;
            let fits = plain && is_one && func.captures.is_empty() && func.body.results.len() == 1;
            self.require(fits, || "the entry takes values, captures nothing and gives one result".to_owned());
        }
        self.visible.extend(&func.captures);
        self.bound.extend(&func.captures);
        for param in &func.params {
            match *param {
                Param::Value(value) => {
                    self.bind(value);
                    if func.role == Role::Row {
                        self.indices.insert(value, 0);
                    }
                }
                Param::Slice { column, .. } => self.bind(column),
                Param::Reg(_) => {}
                Param::Store(store) => _ = self.states.insert(store, State::Lent),
            }
        }
        self.block(&func.body);
    }

    /// What `block` binds can be seen in it alone; stores are as they were behind it.
    fn block(&mut self, block: &'a Block) {
        let (visible, states) = (self.visible.clone(), self.states.clone());
        self.open_block(block);
        self.visible = visible;
        self.require(self.states == states, || "a store is left in another state than it was in".to_owned());
        self.states = states;
    }

    fn open_block(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            let around = self.stmt.replace(stmt);
            self.check(stmt);
            self.stmt = around;
        }
        block.results.iter().for_each(|&value| self.read(value));
    }

    fn check(&mut self, stmt: &'a Stmt) {
        if self.lanes.is_some() {
            self.in_lanes(stmt);
        }
        stmt.for_each_value(|how, value| {
            if how == Use::Read {
                self.read(value);
            }
        });
        self.captures(stmt);
        self.types(stmt);
        match stmt {
            Stmt::Let { result, op: Op::Binary(BinaryOp::Add, a, b), .. } => self.note_index(*result, *a, *b),
            Stmt::Let { result, op: Op::Binary(op @ (BinaryOp::Sub | BinaryOp::Min), a, b), .. } => {
                self.note_last(*result, *op, *a, *b);
            }
            Stmt::Load { index, stride, .. } => {
                let is_index = self.indices.contains_key(index);
                self.require(is_index, || format!("{index} is no position of a loop"));
                let is_stride = match *stride {
                    Stride::One => true,
                    Stride::Times(times) => times > 0,
                    Stride::Parts { by, ahead } => by.is_power_of_two() && ahead < by,
                };
                self.require(is_stride, || format!("{stride:?} is no stride"));
            }
            Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Reduce(op), .. } => {
                let decl = &self.imp.regs[*reg];
                let fits = decl.lanes == 1 || op.is_exact(decl.ty);
                self.require(fits, || format!("`{op}` rounds, and has no lane"));
            }
            Stmt::Iterate { params, body, .. } => {
                params.iter().for_each(|&param| self.bind(param));
                self.block(body);
            }
            Stmt::For(inner) => self.for_loop(inner),
            Stmt::Lanes(lanes) => self.side_by_side(lanes),
            Stmt::Do { store, action, args, .. } => self.action(*store, *action, args),
            Stmt::Call { args, .. } => self.lend(args),
            Stmt::Split(split) => self.split(split),
            _ => stmt.for_each_block(|block| self.block(block)),
        }
        stmt.values(Use::Bind).into_iter().for_each(|value| self.bind(value));
    }

    /// Notes that `a + b` is a position of a loop: of an iteration that goes together with that at `a`; or of a loop that is cut, where `a` is of its
    /// strips and `b` of a strip.
    fn note_index(&mut self, result: Value, a: Value, b: Value) {
        let room = match (self.indices.get(&a), self.indices.get(&b), self.imp.known_position(b)) {
            (Some(_), Some(&room), _) => room,
            (Some(&room), None, Some(ahead)) if ahead <= room => 0,
            _ => return,
        };
        self.indices.insert(result, room);
    }

    /// Notes that `a - b` is the last position of a loop around, or that the least of `a` and `b`, which is that, is a position of the loop.
    fn note_last(&mut self, result: Value, op: BinaryOp, a: Value, b: Value) {
        if op == BinaryOp::Sub && self.ends.contains(&a) && self.imp.known_position(b) == Some(1) {
            self.lasts.insert(result);
        } else if op == BinaryOp::Min && self.lasts.contains(&b) {
            self.indices.insert(result, 0);
        }
    }

    fn captures(&mut self, stmt: &Stmt) {
        let called = match stmt {
            Stmt::Do { store, action: Action::Open, .. } => match self.imp.stores[*store].combine {
                Combine::Func(func) => Some(func),
                _ => None,
            },
            Stmt::Do { action: Action::Fill(func) | Action::MergeEach(func), .. } => Some(*func),
            Stmt::Do { .. } => None,
            _ => {
                let mut called = None;
                stmt.for_each_func(self.imp, |func| called = Some(func));
                called
            }
        };
        for &value in called.iter().flat_map(|&func| &self.imp.funcs[func].captures) {
            self.sees(value);
        }
    }

    fn in_lanes(&mut self, stmt: &Stmt) {
        let fits = match stmt {
            Stmt::Let { op, known, .. } => !of_op(self.imp, op, *known).faults,
            Stmt::Load { .. } | Stmt::Accumulate { .. } => true,
            Stmt::Do { action, .. } => {
                matches!(action, Action::Put | Action::Append | Action::AppendReserved)
            }
            _ => false,
        };
        self.require(fits, || "no such statement stands in lanes".to_owned());
        if let (Stmt::Load { stride: Stride::Parts { by, .. }, .. }, Some(width)) = (stmt, self.lanes) {
            self.require(width.is_multiple_of(*by), || format!("{by} do not divide {width} lanes"));
        }
        if let (Stmt::Accumulate { reg, lane: Lane::Of(_), .. }, Some(width)) = (stmt, self.lanes) {
            let lanes = self.imp.regs[*reg].lanes;
            let fits = lanes > 0 && (width.is_multiple_of(lanes) || lanes.is_multiple_of(width));
            self.require(fits, || format!("{lanes} lanes of {reg} do not divide {width}, nor {width} them"));
        }
    }

    fn for_loop(&mut self, inner: &'a For) {
        let fits = inner.step > 0 && (inner.exit.is_none() || inner.step == 1);
        self.require(fits, || "a step is at least 1, and 1 where there is an exit".to_owned());
        let seen = self.visible.clone();
        self.bind(inner.index);
        // The iterations that it takes together are there as well.
        self.indices.insert(inner.index, u64::from(inner.step.saturating_sub(1)));
        inner.number.iter().for_each(|number| self.bind(number.value));
        inner.end.iter().for_each(|&end| self.bind(end));
        self.ends.push(inner.range[1]);
        self.block(&inner.body);
        self.ends.pop();
        self.visible = seen;
        self.require(inner.body.results.is_empty(), || "a loop gives nothing".to_owned());
        inner.exit.iter().for_each(|(_, block)| self.block(block));
    }

    /// What lanes bind can be seen behind them.
    fn side_by_side(&mut self, lanes: &'a Lanes) {
        self.require(lanes.width.is_power_of_two(), || format!("{} is no power of two", lanes.width));
        self.require(self.lanes.is_none(), || "lanes stand in lanes".to_owned());
        let around = self.lanes.replace(lanes.width);
        self.bind(lanes.index);
        self.indices.insert(lanes.index, 0);
        lanes.number.iter().for_each(|number| self.bind(number.value));
        self.open_block(&lanes.body);
        self.lanes = around;
        self.require(lanes.body.results.is_empty(), || "lanes give nothing".to_owned());
        let mut filled = BTreeSet::new();
        for stmt in &lanes.body.stmts {
            if let Stmt::Do { store, .. } = stmt {
                let is_first = filled.insert(*store);
                self.require(is_first, || format!("{store} is filled twice"));
            }
        }
    }

    fn split(&mut self, split: &'a Split) {
        let (visible, states) = (self.visible.clone(), self.states.clone());
        split.range.iter().for_each(|&end| self.bind(end));
        let bounds = self.visible.clone();
        for (block, sees_range) in
            [(&split.init, true), (&split.update, true), (&split.add, false), (&split.merge, false)]
        {
            self.visible = if sees_range { bounds.clone() } else { visible.clone() };
            self.open_block(block);
            self.require(block.results.is_empty(), || "a split loop gives nothing".to_owned());
        }
        self.visible = visible;
        self.require(self.states == states, || "a store is left in another state than it was in".to_owned());
        self.states = states;
        let does = |block: &Block, store: StoreId, wanted: Action| {
            let mut does = false;
            block.for_each_stmt(&mut |stmt| {
                does |= matches!(stmt, Stmt::Do { store: of, action, .. } if *of == store && *action == wanted);
            });
            does
        };
        for &part in &split.parts {
            let fits = does(&split.init, part, Action::Begin) && does(&split.merge, part, Action::Join);
            self.require(fits, || format!("the part of {part} begins in `init` and joins in `merge`"));
            self.require(self.imp.stores[part].split, || format!("{part} is of no split loop"));
        }
        for total in &split.totals {
            match *total {
                Total::Store(store) => {
                    let fits =
                        does(&split.update, store, Action::Begin) && does(&split.add, store, Action::Join);
                    self.require(fits, || format!("{store} begins in `update` and joins in `add`"));
                }
                Total::Reg { chunk, all } => {
                    let uses = |block: &Block, reg, wanted| {
                        let mut uses = false;
                        block.for_each_stmt(&mut |stmt| {
                            stmt.for_each_reg(|of, how| uses |= of == reg && how == wanted);
                        });
                        uses
                    };
                    let fits = uses(&split.update, chunk, Access::Write)
                        && uses(&split.add, chunk, Access::Read)
                        && uses(&split.add, all, Access::Write);
                    self.require(fits, || format!("`update` writes {chunk}, and `add` reads it into {all}"));
                    let is_one = self.imp.regs[chunk].lanes == 1 && self.imp.regs[all].lanes == 1;
                    self.require(is_one, || format!("{chunk} and {all} have one lane"));
                }
            }
        }
    }
}
