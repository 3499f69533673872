//! Stores that are open: how what is merged is kept while a piece runs.

use weldment_core::ir::{Loc, ReduceOp, Value};
use weldment_runtime::types::Type;

use super::extremes::Asked;
use super::func::{Func, Val};
use super::lanes::{Width, is_literal, literal, wide};
use super::tables::TableSlot;
use super::text::Operand;
use crate::llvm::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind, leaves, register};
use crate::llvm::runtime::calls::Cause;
use crate::loops::{Function, Lane, Leaf, Merge};

/// How an open store is kept.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// One array of lanes on the stack for each leaf, and a flag.
    Accumulate(Accumulator),
    /// A flag that says whether there is a value, and the value, on the stack.
    Fold { func: Function, ty: Type, some: Operand, place: Operand },
    /// The block that element `index` goes to.
    Exact { ty: Type, block: Operand, index: Value },
    /// The block that every iteration merges several elements to; the number of the next one is on the stack.
    Several { ty: Type, block: Operand, next: Operand },
    /// A block that grows.
    Growing(Growing),
    /// A table.
    Table(TableSlot),
    /// Nothing: a loop runs again because of another store.
    Passed,
    /// What a loop that runs again is asked.
    Asked(Asked),
    /// Partial results, or the result itself.
    Scatter { ty: Type, op: ReduceOp, block: Operand, len: Operand },
}

/// A block that grows: where it is, its length and its capacity, on the stack.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    pub(super) ty: Type,
    pub(super) block: Operand,
    pub(super) len: Operand,
    pub(super) capacity: Operand,
    /// The index of a loop that merges once per iteration at most, and has made room before.
    pub(super) reserved: Option<Value>,
}

/// An accumulator on the stack.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pub(super) op: ReduceOp,
    pub(super) leaves: Vec<AccumulatorLeaf>,
    /// An `i1`: whether anything was merged, if it is asked.
    pub(super) seen: Option<Operand>,
}

#[derive(Clone, Debug)]
pub(super) struct AccumulatorLeaf {
    pub(super) leaf: Leaf,
    /// The lanes in memory.
    pub(super) lanes: Operand,
    /// While a blocked loop runs: the lanes in one register, and how many they are.
    pub(super) register: Option<(Operand, Width)>,
    /// While the first iterations are folded in order: the sum of them, on the stack.
    pub(super) in_order: Option<Operand>,
}

impl AccumulatorLeaf {
    pub(super) fn element(&self) -> &'static str {
        register(self.leaf.ty)
    }
}

impl Func<'_, '_> {
    /// An accumulator with every lane neutral.
    pub(super) fn open_accumulator(&mut self, op: ReduceOp, leaves: &[Leaf], seen: bool) -> Accumulator {
        let leaves = leaves.iter().map(|leaf| {
            let element = register(leaf.ty);
            let lanes = match leaf.lanes {
                1 => self.text.alloca(element),
                lanes => self.text.alloca_wide(format_args!("<{lanes} x {element}>")),
            };
            let neutral = self.constant(leaf.neutral, leaf.lanes);
            self.text.line(format_args!("store {} {neutral}, ptr {lanes}", wide(element, leaf.lanes)));
            AccumulatorLeaf { leaf: leaf.clone(), lanes, register: None, in_order: None }
        });
        let leaves = leaves.collect();
        let seen = seen.then(|| {
            let flag = self.text.alloca("i1");
            self.text.line(format_args!("store i1 false, ptr {flag}"));
            flag
        });
        Accumulator { op, leaves, seen }
    }

    /// The lanes of an accumulator folded, from lane 0 on.
    pub(super) fn fold_lanes(&mut self, accumulator: &Accumulator) -> Val {
        let folded = accumulator.leaves.iter().map(|leaf| {
            let (element, lanes) = (leaf.element(), leaf.leaf.lanes);
            let all = self.text.def(format_args!("load {}, ptr {}", wide(element, lanes), leaf.lanes));
            let mut sum = self.extract(&all, element, lanes, 0);
            for lane in 1..lanes {
                let next = self.extract(&all, element, lanes, lane);
                sum = self.binary(accumulator.op.binary(), leaf.leaf.ty, 1, &sum, &next, Loc::NONE);
            }
            sum
        });
        Val::scalar(folded.collect())
    }

    /// Emits a merge.
    pub(super) fn merge(&mut self, merge: &Merge) -> Result<(), EngineError> {
        let slot = self.slots.get(&merge.sink);
        let slot = slot.cloned().ok_or_else(|| EngineError::internal("a merge outside of its nest"))?;
        let vals: Vec<Val> = merge.values.iter().map(|&value| self.get(value).clone()).collect();
        match &slot {
            Slot::Accumulate(accumulator) => self.accumulate(accumulator, merge, &vals[0])?,
            Slot::Fold { func, ty, some, place } => self.fold(func, ty, some, place, vals[0].clone())?,
            Slot::Exact { ty, block, index } => {
                let at = self.get(*index).clone();
                match at.first {
                    Some(first) if at.width > 1 => {
                        let leaves = self.spread(merge.values[0], at.width);
                        self.store_lanes(ty, block, &first, &leaves, at.width);
                    }
                    _ => {
                        let place = self.element(block, &at.leaves[0], ty);
                        self.store(ty, &vals[0], &place);
                    }
                }
            }
            Slot::Several { ty, block, next } => {
                let number = self.text.def(format_args!("load i64, ptr {next}"));
                let place = self.element(block, &number, ty);
                self.store(ty, &vals[0], &place);
                let after = self.text.def(format_args!("add nuw nsw i64 {number}, 1"));
                self.text.line(format_args!("store i64 {after}, ptr {next}"));
            }
            Slot::Growing(growing) => match growing.reserved.map(|index| self.get(index).width) {
                None => self.push(growing, &vals[0]),
                Some(width) => self.compact(growing, merge, width),
            },
            Slot::Passed => {}
            Slot::Asked(asked) => {
                let block = self.block_width(merge, 1);
                self.ask(asked, merge, block);
            }
            Slot::Table(table) => self.merge_table(table, &vals[0], &vals[1], merge.loc)?,
            Slot::Scatter { ty, op, block, len } => {
                let index = &vals[0].leaves[0];
                let outside = self.text.def(format_args!("icmp uge i64 {index}, {len}"));
                self.raise_if(&outside, Cause::Index, merge.loc, &[index, len]);
                let place = self.element(block, index, ty);
                self.combine_at(*op, ty, &place, &vals[1], merge.loc);
            }
        }
        Ok(())
    }

    fn accumulate(&mut self, accumulator: &Accumulator, merge: &Merge, val: &Val) -> Result<(), EngineError> {
        let guard = merge.guard.map(|guard| self.get(guard).clone());
        if let Some(seen) = &accumulator.seen {
            let merges = match &guard {
                None => "true".to_owned(),
                Some(guard) if guard.width == 1 => guard.leaves[0].clone(),
                Some(guard) => {
                    let flags = wide("i1", guard.width);
                    let name = format!("llvm.vector.reduce.or.v{}i1", guard.width);
                    self.intrinsic(&name, "i1", &[(&flags, &guard.leaves[0])])
                }
            };
            let before = self.text.def(format_args!("load i1, ptr {seen}"));
            let after = self.text.def(format_args!("or i1 {before}, {merges}"));
            self.text.line(format_args!("store i1 {after}, ptr {seen}"));
        }
        for (i, leaf) in accumulator.leaves.iter().enumerate() {
            match &leaf.register {
                Some((place, width)) => {
                    self.accumulate_lanes(accumulator.op, leaf, place, *width, merge, i);
                }
                None => {
                    let mut value = val.leaves[i].clone();
                    if let Some(guard) = &guard {
                        let element = leaf.element();
                        let neutral = literal(leaf.leaf.neutral);
                        let guard = &guard.leaves[0];
                        value = self
                            .text
                            .def(format_args!("select i1 {guard}, {element} {value}, {element} {neutral}"));
                    }
                    self.accumulate_one(accumulator.op, leaf, merge.lane, &value);
                }
            }
        }
        Ok(())
    }

    /// Into one lane, in memory.
    fn accumulate_one(&mut self, op: ReduceOp, leaf: &AccumulatorLeaf, lane: Lane, value: &str) {
        let element = leaf.element();
        let place = match (leaf.leaf.lanes, lane) {
            (1, _) | (_, Lane::Zero) => leaf.lanes.clone(),
            (lanes, Lane::Index(index)) => {
                let position = self.position(index);
                let lane = match lanes.is_power_of_two() {
                    true => self.text.def(format_args!("and i64 {position}, {}", lanes - 1)),
                    false => self.text.def(format_args!("urem i64 {position}, {lanes}")),
                };
                self.text
                    .def(format_args!("getelementptr inbounds {element}, ptr {}, i64 {lane}", leaf.lanes))
            }
        };
        let sum = match &leaf.in_order {
            Some(sum) => {
                self.text.line(format_args!("store {element} {value}, ptr {place}"));
                sum
            }
            None => &place,
        };
        let before = self.text.def(format_args!("load {element}, ptr {sum}"));
        let after = self.binary(op.binary(), leaf.leaf.ty, 1, &before, value, Loc::NONE);
        self.text.line(format_args!("store {element} {after}, ptr {sum}"));
    }

    /// How far the loop of `index` is from where it started.
    fn position(&mut self, index: Value) -> Operand {
        let at = self.leaf(index);
        match self.starts.get(&index).cloned() {
            None => at,
            Some(start) if start == "0" => at,
            Some(start) => self.text.def(format_args!("sub i64 {at}, {start}")),
        }
    }

    /// Into all lanes, in a register.
    fn accumulate_lanes(
        &mut self,
        op: ReduceOp,
        leaf: &AccumulatorLeaf,
        place: &str,
        lanes: Width,
        merge: &Merge,
        number: usize,
    ) {
        let (element, ty) = (leaf.element(), leaf.leaf.ty);
        let guard = merge.guard.map(|guard| self.get(guard).clone());
        let block = self.block_width(merge, lanes);
        let mut values = self.spread(merge.values[0], block).swap_remove(number);
        if let Some(guard) = guard {
            let neutral = self.constant(leaf.leaf.neutral, block);
            let llvm = wide(element, block);
            let flags = wide("i1", guard.width);
            let guard = &guard.leaves[0];
            values = self.text.def(format_args!("select {flags} {guard}, {llvm} {values}, {llvm} {neutral}"));
        }
        let llvm = wide(element, lanes);
        let mut sum = self.text.def(format_args!("load {llvm}, ptr {place}"));
        for first in (0..block).step_by(lanes as usize) {
            let part = match is_literal(&values) {
                // A splat of a literal is the same in every part.
                true => values.clone(),
                false => self.lanes_of(&values, element, block, first, lanes),
            };
            sum = match merge.compared {
                Some(_) => self.better(op, ty, lanes, &sum, &part),
                None => self.binary(op.binary(), ty, lanes, &sum, &part, Loc::NONE),
            };
        }
        self.text.line(format_args!("store {llvm} {sum}, ptr {place}"));
    }

    /// The lanes of the block that a merge stands in.
    fn block_width(&self, merge: &Merge, lanes: Width) -> Width {
        match merge.lane {
            Lane::Index(index) => self.get(index).width.max(lanes),
            Lane::Zero => lanes,
        }
    }

    /// Takes the lanes of an accumulator into registers for a loop with blocks of `block` iterations.
    pub(super) fn lanes_to_registers(&mut self, accumulator: &mut Accumulator, merge: &Merge, block: Width) {
        for leaf in &mut accumulator.leaves {
            let element = leaf.element();
            // One lane only if the order does not matter: then any number of lanes will do.
            let width = if leaf.leaf.lanes == 1 { block } else { leaf.leaf.lanes };
            let llvm = wide(element, width);
            let place = self.text.alloca_wide(&llvm);
            let begin = match leaf.leaf.lanes {
                _ if merge.compared.is_some() => self.constant(accumulator.op.identity(leaf.leaf.ty), width),
                1 => self.constant(leaf.leaf.neutral, width),
                _ => self.text.def(format_args!("load {llvm}, ptr {}", leaf.lanes)),
            };
            self.text.line(format_args!("store {llvm} {begin}, ptr {place}"));
            leaf.register = Some((place, width));
        }
    }

    /// Puts the lanes back into memory.
    pub(super) fn lanes_to_memory(&mut self, accumulator: &mut Accumulator) {
        for leaf in &mut accumulator.leaves {
            let Some((place, mut width)) = leaf.register.take() else { continue };
            let element = leaf.element();
            let llvm = wide(element, width);
            let mut all = self.text.def(format_args!("load {llvm}, ptr {place}"));
            if leaf.leaf.lanes > 1 {
                self.text.line(format_args!("store {llvm} {all}, ptr {}", leaf.lanes));
                continue;
            }
            while width > 1 {
                width /= 2;
                let low = self.lanes_of(&all, element, 2 * width, 0, width);
                let high = self.lanes_of(&all, element, 2 * width, width, width);
                all = self.binary(accumulator.op.binary(), leaf.leaf.ty, width, &low, &high, Loc::NONE);
            }
            let before = self.text.def(format_args!("load {element}, ptr {}", leaf.lanes));
            let after = self.binary(accumulator.op.binary(), leaf.leaf.ty, 1, &before, &all, Loc::NONE);
            self.text.line(format_args!("store {element} {after}, ptr {}", leaf.lanes));
        }
    }

    /// Merges into a fold by a function.
    pub(super) fn fold(
        &mut self,
        func: &Function,
        ty: &Type,
        some: &str,
        place: &str,
        val: Val,
    ) -> Result<(), EngineError> {
        let is_some = self.text.def(format_args!("load i8, ptr {some}"));
        let is_some = self.text.def(format_args!("icmp ne i8 {is_some}, 0"));
        let (again, first, done) = (self.text.label(), self.text.label(), self.text.label());
        self.text.branch(&is_some, &again, &first);
        self.text.begin(&first);
        self.store(ty, &val, place);
        self.text.line(format_args!("store i8 1, ptr {some}"));
        self.text.jump(&done);
        self.text.begin(&again);
        let before = self.load(ty, place);
        let after = self.apply(func, before, val)?;
        self.store(ty, &after, place);
        self.text.begin(&done);
        Ok(())
    }

    /// Appends to a growing block.
    fn push(&mut self, growing: &Growing, val: &Val) {
        let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let room = self.text.def(format_args!("load i64, ptr {}", growing.capacity));
        let is_full = self.text.def(format_args!("icmp eq i64 {len}, {room}"));
        let (grow, push) = (self.text.label(), self.text.label());
        self.text.branch_cold(&is_full, &grow, &push);
        self.text.begin(&grow);
        self.grow(growing, &len, &room, "1");
        self.text.begin(&push);
        let elements = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let place = self.element(&elements, &len, &growing.ty);
        self.store(&growing.ty, val, &place);
        let longer = self.text.def(format_args!("add nuw nsw i64 {len}, 1"));
        self.text.line(format_args!("store i64 {longer}, ptr {}", growing.len));
    }

    /// Makes room for `more` elements and at least twice as many as there were.
    fn grow(&mut self, growing: &Growing, len: &str, room: &str, more: &str) {
        let wanted = self.text.def(format_args!("add i64 {len}, {more}"));
        let double = self.text.def(format_args!("shl i64 {room}, 1"));
        let larger = self.intrinsic("llvm.smax.i64", "i64", &[("i64", &double), ("i64", &wanted)]);
        let larger = self.intrinsic("llvm.smax.i64", "i64", &[("i64", &larger), ("i64", "16")]);
        let old = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let new = self.regrow(&growing.ty, &old, len, &larger);
        self.text.line(format_args!("store ptr {new}, ptr {}", growing.block));
        self.text.line(format_args!("store i64 {larger}, ptr {}", growing.capacity));
    }

    /// A block for exactly `each` elements for each of `extent` iterations, and how it is filled from iteration `lo` on.
    pub(super) fn open_exact(
        &mut self,
        ty: &Type,
        block: Operand,
        index: Value,
        each: u32,
        lo: &str,
    ) -> Slot {
        let ty = ty.clone();
        if each == 1 {
            return Slot::Exact { ty, block, index };
        }
        let next = self.text.alloca("i64");
        let first = self.text.def(format_args!("mul i64 {lo}, {each}"));
        self.text.line(format_args!("store i64 {first}, ptr {next}"));
        Slot::Several { ty, block, next }
    }

    /// `count * each`; where that does not fit, more than there is memory for.
    pub(super) fn times(&mut self, count: &str, each: u32) -> Operand {
        if each == 1 {
            return count.to_owned();
        }
        let product = "{ i64, i1 }";
        let args = [("i64", count), ("i64", &*each.to_string())];
        let pair = self.intrinsic("llvm.smul.with.overflow.i64", product, &args);
        let times = self.text.def(format_args!("extractvalue {product} {pair}, 0"));
        let too_large = self.text.def(format_args!("extractvalue {product} {pair}, 1"));
        self.text.def(format_args!("select i1 {too_large}, i64 {}, i64 {times}", i64::MAX))
    }

    /// Makes room for one element for each iteration from `lo` below `hi`.
    pub(super) fn reserve(&mut self, growing: &Growing, lo: &str, hi: &str) {
        let more = self.text.def(format_args!("sub i64 {hi}, {lo}"));
        let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let room = self.text.def(format_args!("load i64, ptr {}", growing.capacity));
        let free = self.text.def(format_args!("sub i64 {room}, {len}"));
        let is_short = self.text.def(format_args!("icmp slt i64 {free}, {more}"));
        let (grow, done) = (self.text.label(), self.text.label());
        self.text.branch_cold(&is_short, &grow, &done);
        self.text.begin(&grow);
        self.grow(growing, &len, &room, &more);
        self.text.begin(&done);
    }

    /// Appends where there is room: every lane is written behind the last one that stays, without a branch.
    fn compact(&mut self, growing: &Growing, merge: &Merge, width: Width) {
        let guard = merge.guard.map(|guard| self.get(guard).clone());
        let values = self.spread(merge.values[0], width);
        let done = self.text.label();
        // Blocks of which nothing stays are common where little does.
        let mask = match &guard {
            Some(guard) if guard.width > 1 => {
                let bits =
                    self.text.def(format_args!("bitcast <{width} x i1> {} to i{width}", guard.leaves[0]));
                let nothing = self.text.def(format_args!("icmp eq i{width} {bits}, 0"));
                let some = self.text.label();
                self.text.branch(&nothing, &done, &some);
                self.text.begin(&some);
                Some(bits)
            }
            _ => None,
        };
        let elements = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let mut len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let kinds = leaves(&growing.ty);
        for lane in 0..width {
            let parts = kinds.iter().zip(&values);
            let parts = parts.map(|(leaf, value)| self.extract_any(value, leaf.kind.register(), width, lane));
            let val = Val::scalar(parts.collect());
            let place = self.element(&elements, &len, &growing.ty);
            self.store(&growing.ty, &val, &place);
            let step = match (&mask, &guard) {
                (Some(bits), _) => {
                    let shifted = self.text.def(format_args!("lshr i{width} {bits}, {lane}"));
                    let bit = self.text.def(format_args!("and i{width} {shifted}, 1"));
                    self.text.def(format_args!("zext i{width} {bit} to i64"))
                }
                (None, Some(guard)) => self.text.def(format_args!("zext i1 {} to i64", guard.leaves[0])),
                (None, None) => "1".to_owned(),
            };
            len = self.text.def(format_args!("add nuw nsw i64 {len}, {step}"));
        }
        self.text.line(format_args!("store i64 {len}, ptr {}", growing.len));
        self.text.begin(&done);
    }

    /// Writes elements from `first` on, side by side.
    fn store_lanes(&mut self, ty: &Type, block: &str, first: &str, values: &[Operand], width: Width) {
        let start = self.element(block, first, ty);
        if let Type::Scalar(scalar) = ty {
            let kind = LeafKind::Scalar(*scalar);
            let memory = self.in_memory(kind, width, &values[0]);
            let llvm = wide(kind.memory(), width);
            self.text.line(format_args!("store {llvm} {memory}, ptr {start}, align {}", kind.size()));
            return;
        }
        let size = Layout::of(ty).size;
        for (leaf, value) in leaves(ty).into_iter().zip(values) {
            let memory = self.in_memory(leaf.kind, width, value);
            for lane in 0..width {
                let part = self.extract_any(&memory, leaf.kind.memory(), width, lane);
                let place = self.offset(&start, u64::from(lane) * size + leaf.offset);
                let (llvm, align) = (leaf.kind.memory(), leaf.kind.size());
                self.text.line(format_args!("store {llvm} {part}, ptr {place}, align {align}"));
            }
        }
    }
}
