//! Blocks, branches, loops and functions.

use std::collections::HashSet;

use weldment_core::ir::Value;
use weldment_runtime::context::{OUTER_STRIP, ROWS_STRIP, STRIP};
use weldment_runtime::cpu::{AHEAD, LINE, ROWS_AHEAD, WRITE_AHEAD};
use weldment_runtime::types::Type;

use super::func::{Func, Val};
use super::lanes::{Width, wide};
use super::stores::{Growing, Slot};
use super::text::{Label, Operand};
use crate::llvm::error::EngineError;
use crate::llvm::layout::{Layout, header, leaves};
use crate::loops::facts::{self, Strips};
use crate::loops::lives::Lives;
use crate::loops::{Block, Function, Loop, Merge, Step};

/// What the memory is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Func<'_, '_> {
    /// Emits the steps of `block`; its results are bound then.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), EngineError> {
        block.steps.iter().try_for_each(|step| self.step(step))
    }

    /// The same for the body of a program, which leaves the memory of vectors that it is done with to those that come.
    pub(super) fn program(&mut self, body: &Block, lives: &Lives) -> Result<(), EngineError> {
        self.temporaries = lives.temporaries();
        for (number, step) in body.steps.iter().enumerate() {
            self.step(step)?;
            for vector in lives.ending_at(number) {
                let block = self.get(vector).leaves[0].clone();
                self.call("weldment_release", &["%frame", &block]);
            }
        }
        Ok(())
    }

    pub(super) fn step(&mut self, step: &Step) -> Result<(), EngineError> {
        match step {
            Step::Bind { result, op, loc } => self.op(*result, op, *loc),
            Step::If { results, cond, then, els } => self.branches(results, *cond, then, els),
            Step::Iterate { results, init, params, body, .. } => self.iterate(results, init, params, body),
            Step::Sort { result, vector, order, .. } => self.sort(*result, *vector, order),
            Step::Nest(nest) => self.nest(nest),
            Step::For(inner) => {
                let extent = self.leaf(inner.extent);
                self.run_loop(inner, "0", &extent, true)
            }
            Step::Merge(merge) => self.merge(merge),
        }
    }

    fn branches(
        &mut self,
        results: &[Value],
        cond: Value,
        then: &Block,
        els: &Block,
    ) -> Result<(), EngineError> {
        let cond = self.leaf(cond);
        let labels = [self.text.label(), self.text.label()];
        let done = self.text.label();
        self.text.branch(&cond, &labels[0], &labels[1]);
        let mut sides = Vec::new();
        for (side, label) in [then, els].into_iter().zip(&labels) {
            self.text.begin(label);
            self.block(side)?;
            let vals: Vec<Val> = side.results.iter().map(|&result| self.get(result).clone()).collect();
            sides.push((vals, self.text.current()));
            self.text.jump(&done);
        }
        self.text.begin(&done);
        let [(then, from_then), (els, from_els)] = &sides[..] else {
            return Err(EngineError::internal("a branch has two sides"));
        };
        for (&result, (then, els)) in results.iter().zip(then.iter().zip(els)) {
            let ty = self.ty(result);
            let joined = self.join(ty, [(then, from_then), (els, from_els)]);
            self.bind(result, joined);
        }
        Ok(())
    }

    /// One of two values, by the side that control comes from.
    pub(super) fn join(&mut self, ty: &Type, sides: [(&Val, &Label); 2]) -> Val {
        let [(a, from_a), (b, from_b)] = sides;
        let joined = leaves(ty).into_iter().enumerate().map(|(i, leaf)| {
            let (a, b, register) = (&a.leaves[i], &b.leaves[i], leaf.kind.register());
            self.text.def(format_args!("phi {register} [ {a}, {from_a} ], [ {b}, {from_b} ]"))
        });
        Val::scalar(joined.collect())
    }

    fn iterate(
        &mut self,
        results: &[Value],
        init: &[Value],
        params: &[Value],
        body: &Block,
    ) -> Result<(), EngineError> {
        let tys: Vec<&Type> = params.iter().map(|&param| self.ty(param)).collect();
        let places: Vec<Operand> = tys.iter().map(|ty| self.room(ty)).collect();
        for ((&init, ty), place) in init.iter().zip(&tys).zip(&places) {
            let val = self.get(init).clone();
            self.store(ty, &val, place);
        }
        let (again, done) = (self.text.label(), self.text.label());
        self.text.begin(&again);
        self.call_status("weldment_poll", &["%frame"]);
        for ((&param, ty), place) in params.iter().zip(&tys).zip(&places) {
            let val = self.load(ty, place);
            self.bind(param, val);
        }
        self.block(body)?;
        let Some((&go_on, next)) = body.results.split_last() else {
            return Err(EngineError::internal("an iteration says whether to go on"));
        };
        let vals: Vec<Val> = next.iter().map(|&value| self.get(value).clone()).collect();
        for ((val, ty), place) in vals.iter().zip(&tys).zip(&places) {
            self.store(ty, val, place);
        }
        for (&result, val) in results.iter().zip(vals) {
            self.bind(result, val);
        }
        let go_on = self.leaf(go_on);
        self.text.branch(&go_on, &again, &done);
        self.text.begin(&done);
        Ok(())
    }

    /// What `func` gives on two values.
    pub(super) fn apply(&mut self, func: &Function, a: Val, b: Val) -> Result<Val, EngineError> {
        self.bind(func.params[0], a);
        self.bind(func.params[1], b);
        self.block(&func.body)?;
        Ok(self.get(func.body.results[0]).clone())
    }

    /// A loop with `i` from `lo` below `hi`.
    pub(super) fn counted(
        &mut self,
        lo: &str,
        hi: &str,
        body: impl FnOnce(&mut Self, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.stepped(lo, hi, 1, body)
    }

    /// A loop with `i` from `lo` below `hi` in steps of `step`.
    pub(super) fn stepped(
        &mut self,
        lo: &str,
        hi: &str,
        step: u64,
        body: impl FnOnce(&mut Self, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.repeated(lo, hi, step, "", body)
    }

    /// A loop whose branch back has these attributes.
    fn repeated(
        &mut self,
        lo: &str,
        hi: &str,
        step: u64,
        attributes: &str,
        body: impl FnOnce(&mut Self, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let [head, inside, latch, done] = [(); 4].map(|()| self.text.label());
        let before = self.text.current();
        let next = self.text.reserve();
        self.text.begin(&head);
        let i = self.text.def(format_args!("phi i64 [ {lo}, {before} ], [ {next}, {latch} ]"));
        let more = self.text.def(format_args!("icmp slt i64 {i}, {hi}"));
        self.text.branch(&more, &inside, &done);
        self.text.begin(&inside);
        body(self, &i)?;
        self.text.begin(&latch);
        self.text.line(format_args!("{next} = add nsw i64 {i}, {step}"));
        self.text.jump_back(&head, attributes);
        self.text.begin(&done);
        Ok(())
    }

    /// Runs a loop from `lo` below `hi`, in blocks if it has them; where nobody else does, it polls.
    pub(super) fn run_loop(
        &mut self,
        inner: &Loop,
        lo: &str,
        hi: &str,
        polls: bool,
    ) -> Result<(), EngineError> {
        self.starts.insert(inner.index, lo.to_owned());
        if !polls {
            return self.run_range(inner, lo, hi);
        }
        let strip = match inner.strips() {
            Strips::Long => STRIP,
            Strips::Rows => ROWS_STRIP,
            Strips::Short => OUTER_STRIP,
        };
        self.in_strips(lo, hi, strip, |this, lo, hi| this.run_range(inner, lo, hi))
    }

    /// Runs `body` on one strip of the numbers from `lo` below `hi` after another, and polls between them.
    pub(super) fn in_strips(
        &mut self,
        lo: &str,
        hi: &str,
        strip: usize,
        body: impl FnOnce(&mut Self, &str, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.stepped(lo, hi, strip as u64, |this, start| {
            let end = this.text.def(format_args!("add nsw i64 {start}, {strip}"));
            let end = this.intrinsic("llvm.smin.i64", "i64", &[("i64", &end), ("i64", hi)]);
            body(this, start, &end)?;
            let (poll, go_on) = (this.text.label(), this.text.label());
            let more = this.text.def(format_args!("icmp slt i64 {end}, {hi}"));
            this.text.branch_cold(&more, &poll, &go_on);
            this.text.begin(&poll);
            this.call_status("weldment_poll", &["%frame"]);
            this.text.begin(&go_on);
            Ok(())
        })
    }

    pub(super) fn run_range(&mut self, inner: &Loop, lo: &str, hi: &str) -> Result<(), EngineError> {
        let mut growing: Vec<Growing> = Vec::new();
        facts::for_each_merge(&inner.body, &mut |merge| match self.slots.get(&merge.sink) {
            Some(Slot::Growing(one))
                if one.reserved == Some(inner.index) && growing.iter().all(|known| known.len != one.len) =>
            {
                growing.push(one.clone());
            }
            _ => {}
        });
        growing.iter().for_each(|growing| self.reserve(growing, lo, hi));
        let Some(block) = inner.block.filter(|block| block.is_power_of_two()) else {
            return match inner.rows {
                Some(rows) => self.run_rows(inner, lo, hi, rows),
                None => self.run_one_by_one(inner, lo, hi),
            };
        };
        let middle = self.whole_blocks(lo, hi, block);
        self.each_accumulator(inner, |this, slot, merge| this.lanes_to_registers(slot, merge, block));
        self.run_blocks(inner, lo, &middle, block)?;
        self.settle_extremes(inner, lo, &middle, block)?;
        self.each_accumulator(inner, |this, slot, _| this.lanes_to_memory(slot));
        // Fewer than a block are left: copies of the body would be compiled, and hardly run.
        let attributes = self.module.never_unrolled();
        self.repeated(&middle, hi, 1, &attributes, |this, i| {
            this.bind(inner.index, Val::one(i));
            this.block(&inner.body)
        })
    }

    /// Where the whole blocks of the iterations from `lo` below `hi` end. Blocks have a power of two of iterations.
    pub(super) fn whole_blocks(&mut self, lo: &str, hi: &str, block: Width) -> Operand {
        let n = self.text.def(format_args!("sub i64 {hi}, {lo}"));
        let whole = self.text.def(format_args!("and i64 {n}, -{block}"));
        self.text.def(format_args!("add nsw i64 {lo}, {whole}"))
    }

    /// Runs a loop in blocks from `lo` below `hi`, which are whole blocks apart.
    pub(super) fn run_blocks(
        &mut self,
        inner: &Loop,
        lo: &str,
        hi: &str,
        block: Width,
    ) -> Result<(), EngineError> {
        self.stepped(lo, hi, u64::from(block), |this, i| {
            let lanes = this.splat(i, "i64", block);
            let steps: Vec<String> = (0..block).map(|lane| format!("i64 {lane}")).collect();
            let ty = wide("i64", block);
            let lanes = this.text.def(format_args!("add {ty} {lanes}, <{}>", steps.join(", ")));
            let index = Val { first: Some(i.to_owned()), ..Val::lanes(vec![lanes], block) };
            this.bind(inner.index, index);
            this.prefetch(inner, i, block);
            this.prefetch_places(inner, i, block);
            this.block(&inner.body)
        })
    }

    /// Asks the memory for what the step of `step` iterations at `first` will be followed by, unless the CPU does by itself.
    pub(super) fn prefetch(&mut self, inner: &Loop, first: &str, step: Width) {
        if !self.module.target.prefetches {
            return;
        }
        let program = self.module.program;
        for &vector in &inner.ahead {
            let Some(element) = program.values[vector].ty.element() else { continue };
            let start = self.leaf(vector);
            self.prefetch_lines(Access::Read, element, &start, first, step);
        }
    }

    /// The same for the places of vectors that the step writes next to each other: a store that has to wait for its line
    /// holds up those behind it. A step that writes less than half a line would ask for each several times.
    fn prefetch_places(&mut self, inner: &Loop, first: &str, step: Width) {
        if !self.module.target.prefetches {
            return;
        }
        let mut places = Vec::new();
        facts::for_each_merge(&inner.body, &mut |merge| match self.slots.get(&merge.sink) {
            Some(Slot::Exact { ty, block, index })
                if *index == inner.index && 2 * u64::from(step) * Layout::of(ty).size >= LINE as u64 =>
            {
                places.push((ty.clone(), block.clone()));
            }
            _ => {}
        });
        for (element, block) in places {
            self.prefetch_lines(Access::Write, &element, &block, first, step);
        }
    }

    /// Asks the memory for what stands in `vector` ahead of the `step` elements from `first` on.
    fn prefetch_lines(&mut self, access: Access, element: &Type, vector: &str, first: &str, step: Width) {
        let ahead = match access {
            Access::Read => AHEAD,
            Access::Write => WRITE_AHEAD,
        };
        let start = self.element(vector, first, element);
        for line in (0..u64::from(step) * Layout::of(element).size).step_by(LINE) {
            // It may be behind the vector's end.
            let ahead = ahead as u64 + line;
            let place = self.text.def(format_args!("getelementptr i8, ptr {start}, i64 {ahead}"));
            self.ask_for(access, &place);
        }
    }

    /// Asks the memory for what stands at `place`, if that is anything.
    pub(super) fn ask_for(&mut self, access: Access, place: &str) {
        let write = u8::from(access == Access::Write);
        self.declare_prefetch();
        self.text.line(format_args!("call void @llvm.prefetch.p0(ptr {place}, i32 {write}, i32 3, i32 1)"));
    }

    /// Has the module know the function that asks the memory.
    pub(super) fn declare_prefetch(&mut self) {
        let declared = "declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)";
        self.module.declare("llvm.prefetch.p0", declared.to_owned());
    }

    /// Runs one iteration after the other from `lo` below `hi`.
    pub(super) fn run_one_by_one(&mut self, inner: &Loop, lo: &str, hi: &str) -> Result<(), EngineError> {
        let hashes = self.hashes_ahead(inner);
        self.counted(lo, hi, |this, i| {
            this.bind(inner.index, Val::one(i));
            if inner.rows.is_none() {
                this.prefetch_one(inner, i, hi);
            }
            this.ask_for_keys(inner, &hashes, [lo, i, hi]);
            this.block(&inner.body)
        })?;
        self.forget_hashes(inner);
        Ok(())
    }

    /// Asks the memory for what columns have some iterations after `index`; where that are vectors, for what these hold, below
    /// `hi`.
    fn prefetch_one(&mut self, inner: &Loop, index: &str, hi: &str) {
        let program = self.module.program;
        for &vector in &inner.ahead {
            let Some(element) = program.values[vector].ty.element() else { continue };
            let start = self.leaf(vector);
            if !matches!(element, Type::Vec(_)) {
                self.prefetch_lines(Access::Read, element, &start, index, 1);
                continue;
            }
            let ahead = self.text.def(format_args!("add nsw i64 {index}, {ROWS_AHEAD}"));
            let is_there = self.text.def(format_args!("icmp slt i64 {ahead}, {hi}"));
            let row = self.text.def(format_args!("select i1 {is_there}, i64 {ahead}, i64 {index}"));
            let row = self.element(&start, &row, element);
            let place = self.offset(&row, header().elements as u64);
            let elements = self.text.def(format_args!("load ptr, ptr {place}, align 8"));
            self.ask_for(Access::Read, &elements);
        }
    }

    /// Does something to every accumulator that `inner` merges into, at the first merge.
    pub(super) fn each_accumulator(
        &mut self,
        inner: &Loop,
        mut act: impl FnMut(&mut Self, &mut super::stores::Accumulator, &Merge),
    ) {
        let mut done = HashSet::new();
        facts::for_each_merge(&inner.body, &mut |merge| {
            if done.insert(merge.sink)
                && let Some(Slot::Accumulate(mut accumulator)) = self.slots.get(&merge.sink).cloned()
            {
                act(self, &mut accumulator, merge);
                self.slots.insert(merge.sink, Slot::Accumulate(accumulator));
            }
        });
    }

    /// Values that another function must be handed, and those that it can name itself: literals and globals.
    pub(super) fn constants_apart(&self, values: &[Value]) -> (Vec<Value>, Vec<(Value, Val)>) {
        let (mut captured, mut constants) = (Vec::new(), Vec::new());
        for &value in values {
            let val = self.get(value);
            match val.leaves.iter().any(|leaf| leaf.starts_with('%')) {
                true => captured.push(value),
                false => constants.push((value, val.clone())),
            }
        }
        (captured, constants)
    }

    /// Values, and operands besides, on the stack for a function that unpacks them: every leaf in a word of its own.
    pub(super) fn pack(&mut self, values: &[Value], more: &[(&str, Operand)]) -> Operand {
        let mut operands: Vec<(&str, Operand)> = Vec::new();
        for &value in values {
            let val = self.get(value).clone();
            for (leaf, operand) in leaves(self.ty(value)).into_iter().zip(val.leaves) {
                operands.push((leaf.kind.register(), operand));
            }
        }
        operands.extend_from_slice(more);
        let block = self.text.alloca(format_args!("[{} x i64]", operands.len().max(1)));
        for (i, (ty, operand)) in operands.iter().enumerate() {
            let place = self.offset(&block, 8 * i as u64);
            self.text.line(format_args!("store {ty} {operand}, ptr {place}, align 8"));
        }
        block
    }

    /// Binds what [`Func::pack`] has packed at `%captures`; gives the operands besides.
    pub(super) fn unpack(&mut self, values: &[Value], more: &[&str]) -> Vec<Operand> {
        let mut number = 0;
        let mut next = |this: &mut Self, ty: &str| {
            let place = this.offset("%captures", 8 * number);
            number += 1;
            this.text.def(format_args!("load {ty}, ptr {place}, align 8, !invariant.load !1"))
        };
        for &value in values {
            let loaded = leaves(self.ty(value)).into_iter().map(|leaf| next(self, leaf.kind.register()));
            let val = Val::scalar(loaded.collect());
            self.bind(value, val);
        }
        more.iter().map(|ty| next(self, ty)).collect()
    }
}
