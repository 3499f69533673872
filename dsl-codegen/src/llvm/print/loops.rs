//! Loops on one thread, lanes, and prefetches.

use weldment_core::ir::Value;
use weldment_runtime::exec::cpu::{LINE, PREFETCH_DISTANCE, PREFETCHED_ROWS, WRITE_PREFETCH_DISTANCE};
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::func::Func;
use super::slots::Slot;
use super::spelling::{Width, wide};
use super::val::Val;
use crate::imp::walk::Use;
use crate::imp::{For, Lanes, Number, Prefetch};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::{Layout, header};

/// What is prefetched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Func<'_, '_> {
    pub(super) fn for_loop(&mut self, inner: &For) -> Result<(), EngineError> {
        let [from, to] = inner.range.map(|position| self.leaf(position));
        if let Some(end) = inner.end {
            return self.in_strips(&from, &to, inner.step, |this, lo, hi| {
                this.bind(inner.index, Val::one(lo));
                this.bind(end, Val::one(hi));
                this.scoped(inner.scoped, |this| this.block(&inner.body))
            });
        }
        self.scoped(inner.scoped, |this| this.iterations(inner, &from, &to))
    }

    /// Runs `body` in a scope of memory, if it is one.
    fn scoped(
        &mut self,
        is_scope: bool,
        body: impl FnOnce(&mut Self) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        if is_scope {
            self.call("weldment_enter", &["%frame"]);
        }
        body(self)?;
        if is_scope {
            self.call("weldment_leave", &["%frame"]);
        }
        Ok(())
    }

    /// A loop that is not one over strips.
    fn iterations(&mut self, inner: &For, from: &str, to: &str) -> Result<(), EngineError> {
        let hashes = self.hashes(&inner.body);
        if let Some((few, exit)) = &inner.exit {
            let [full, rest, done] = [(); 3].map(|()| self.text.label());
            self.counted(from, to, |this, i| {
                let go = this.text.label();
                let is_full = this.text.def(format_args!("icmp eq i64 {i}, {few}"));
                this.text.branch(&is_full, &full, &go);
                this.text.begin(&go);
                this.iteration(inner, i)
            })?;
            self.text.begin(&full);
            let goes_on = self.text.def(format_args!("icmp sgt i64 {to}, {few}"));
            self.text.branch(&goes_on, &rest, &done);
            self.text.begin(&rest);
            self.block(exit)?;
            self.text.begin(&done);
            return Ok(());
        }
        // Copies of the body would be compiled, and hardly run.
        let attributes = match (inner.tail || inner.short, inner.adds_up_wide(self.module.imp)) {
            (true, _) => self.module.never_unrolled(),
            (false, true) => self.module.never_in_lanes(),
            (false, false) => String::new(),
        };
        self.repeated(from, to, inner.step.into(), &attributes, |this, i| this.iteration(inner, i))?;
        self.forget_hashes(hashes);
        Ok(())
    }

    fn iteration(&mut self, inner: &For, i: &str) -> Result<(), EngineError> {
        self.bind(inner.index, Val::one(i));
        if let Some(Number { value, first }) = inner.number {
            let first = self.leaf(first);
            let number = self.sum(&first, i);
            self.bind(value, Val::one(number));
        }
        self.block(&inner.body)
    }

    /// `a + b`, of numbers that are not negative.
    fn sum(&mut self, a: &str, b: &str) -> Operand {
        match (a, b) {
            ("0", _) => b.to_owned(),
            (_, "0") => a.to_owned(),
            _ => self.text.def(format_args!("add nuw nsw i64 {a}, {b}")),
        }
    }

    pub(super) fn lanes(&mut self, lanes: &Lanes) -> Result<(), EngineError> {
        let first = self.leaf(lanes.first);
        if lanes.apart {
            return self.lanes_apart(lanes, &first);
        }
        let index = self.consecutive(&first, lanes.width);
        self.bind(lanes.index, index);
        if let Some(Number { value, first: start }) = lanes.number {
            let start = self.leaf(start);
            let number = self.sum(&start, &first);
            let number = self.consecutive(&number, lanes.width);
            self.bind(value, number);
        }
        self.block_width = lanes.width;
        let done = self.block(&lanes.body);
        self.block_width = 1;
        done
    }

    /// So many numbers from `first` on.
    fn consecutive(&mut self, first: &str, width: Width) -> Val {
        let lanes = self.splat(first, "i64", width);
        let steps: Vec<String> = (0..width).map(|lane| format!("i64 {lane}")).collect();
        let ty = wide("i64", width);
        let lanes = self.text.def(format_args!("add {ty} {lanes}, <{}>", steps.join(", ")));
        Val { first: Some(first.to_owned()), ..Val::lanes(vec![lanes], width) }
    }

    /// Each lane by instructions of its own; what they come to is taken one by one.
    fn lanes_apart(&mut self, lanes: &Lanes, first: &str) -> Result<(), EngineError> {
        let bound: Vec<Value> = lanes.body.stmts.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect();
        for lane in 0..lanes.width {
            let index = self.text.def(format_args!("add nsw i64 {first}, {lane}"));
            if let Some(Number { value, first: start }) = lanes.number {
                let start = self.leaf(start);
                let number = self.sum(&start, &index);
                self.bind(value, Val::one(number));
            }
            self.bind(lanes.index, Val::one(index));
            self.block(&lanes.body)?;
            let all =
                bound.iter().copied().chain([lanes.index]).chain(lanes.number.map(|number| number.value));
            for value in all {
                let val = self.get(value).clone();
                self.apart.entry(value).or_default().truncate(lane as usize);
                self.apart.entry(value).or_default().push(val);
            }
        }
        Ok(())
    }

    /// A loop with `i` from `lo` below `hi`.
    pub(super) fn counted(
        &mut self,
        lo: &str,
        hi: &str,
        body: impl FnOnce(&mut Self, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.repeated(lo, hi, 1, "", body)
    }

    /// A loop in steps, whose branch back has these attributes.
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

    /// Runs `body` on one strip of the numbers from `lo` below `hi` after another, and polls between them.
    pub(super) fn in_strips(
        &mut self,
        lo: &str,
        hi: &str,
        strip: u32,
        body: impl FnOnce(&mut Self, &str, &str) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.repeated(lo, hi, strip.into(), "", |this, start| {
            let end = this.text.def(format_args!("add nsw i64 {start}, {strip}"));
            let end = this.intrinsic("llvm.smin.i64", "i64", &[("i64", &end), ("i64", hi)]);
            body(this, start, &end)?;
            let (poll, go_on) = (this.text.label(), this.text.label());
            let more = this.text.def(format_args!("icmp slt i64 {end}, {hi}"));
            this.text.branch_cold(&more, &poll, &go_on);
            this.text.begin(&poll);
            this.poll();
            this.text.begin(&go_on);
            Ok(())
        })
    }

    /// Asks for memory, unless the CPU sees by itself what comes.
    pub(super) fn prefetch(&mut self, what: &Prefetch, index: Value) {
        let first = self.get(index).leaves.first().cloned().unwrap_or_default();
        match *what {
            Prefetch::Block { column, width } => {
                let element = self.ty(column).element().expect("the verifier has seen to it");
                if self.module.target.prefetches {
                    let start = self.leaf(column);
                    self.prefetch_lines(Access::Read, element, &start, &first, width);
                }
            }
            // A store that has to wait for its line holds up those behind it.
            Prefetch::Written { store, width } => {
                if self.module.target.prefetches
                    && let Some(Slot::Exact { block }) = self.slots.get(&store).cloned()
                {
                    let imp = self.module.imp;
                    self.prefetch_lines(Access::Write, &imp.stores[store].item, &block, &first, width);
                }
            }
            Prefetch::Element { column } => {
                let element = self.ty(column).element().expect("the verifier has seen to it");
                let start = self.leaf(column);
                self.prefetch_lines(Access::Read, element, &start, &first, 1);
            }
            Prefetch::Row { column } => self.prefetch_row(column, &first),
            Prefetch::Place { dict } => self.prefetch_place(dict, index),
            Prefetch::Found { dict } => self.prefetch_found(dict, index),
        }
    }

    fn prefetch_row(&mut self, column: Value, index: &str) {
        let element = self.ty(column).element().expect("the verifier has seen to it");
        let [start, len] = [0, 1].map(|leaf| self.get(column).leaves[leaf].clone());
        let ahead = self.text.def(format_args!("add nsw i64 {index}, {PREFETCHED_ROWS}"));
        let is_there = self.text.def(format_args!("icmp slt i64 {ahead}, {len}"));
        let row = self.text.def(format_args!("select i1 {is_there}, i64 {ahead}, i64 {index}"));
        let row = self.element(&start, &row, element);
        let place = self.offset(&row, header().elements as u64);
        let elements = self.text.def(format_args!("load ptr, ptr {place}, align 8"));
        self.prefetch_line(Access::Read, &elements);
    }

    /// Prefetches the cache lines of `vector` ahead of the `step` elements from `first` on.
    fn prefetch_lines(&mut self, access: Access, element: &Type, vector: &str, first: &str, step: Width) {
        let ahead = match access {
            Access::Read => PREFETCH_DISTANCE,
            Access::Write => WRITE_PREFETCH_DISTANCE,
        };
        let start = self.element(vector, first, element);
        for line in (0..u64::from(step) * Layout::of(element).size).step_by(LINE) {
            // It may be behind the vector's end.
            let ahead = ahead as u64 + line;
            let place = self.text.def(format_args!("getelementptr i8, ptr {start}, i64 {ahead}"));
            self.prefetch_line(access, &place);
        }
    }

    /// Prefetches the cache line of `place`, if there is one.
    pub(super) fn prefetch_line(&mut self, access: Access, place: &str) {
        let write = u8::from(access == Access::Write);
        self.declare_prefetch();
        self.text.line(format_args!("call void @llvm.prefetch.p0(ptr {place}, i32 {write}, i32 3, i32 1)"));
    }

    /// Declares the prefetch intrinsic.
    pub(super) fn declare_prefetch(&mut self) {
        let declared = "declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)";
        self.module.declare("llvm.prefetch.p0", declared.to_owned());
    }
}
