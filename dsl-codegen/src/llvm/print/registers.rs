//! Registers: on the stack, from where LLVM takes them into registers, or behind a parameter.

use weldment_core::ir::{Const, Loc, ReduceOp, Value};
use weldment_runtime::lang::types::Scalar;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, integer, is_literal, literal, reg, wide};
use crate::imp::{AccOp, Lane, RegId, open_ends};
use crate::llvm::layout::register;

/// The most lanes that are stored by one instruction: as many as the longest block has. A wider register is aligned for so many, of words at least.
const MOST_AT_ONCE: Width = 32;

impl Func<'_, '_> {
    /// Where a register is.
    pub(super) fn register(&mut self, id: RegId) -> Operand {
        if let Some(place) = self.registers.get(&id) {
            return place.clone();
        }
        let of = &self.module.imp.regs[id];
        let (ty, lanes) = (register(of.ty), of.lanes);
        let place = match lanes {
            1 => self.text.alloca_aligned(ty, of.ty.align().max(8) as u64),
            2..=MOST_AT_ONCE => self.text.alloca_wide(wide(ty, lanes)),
            _ => {
                let align = (MOST_AT_ONCE as usize * of.ty.size()).max(256);
                self.text.alloca_wide(format_args!("[{lanes} x {ty}], align {align}"))
            }
        };
        self.registers.insert(id, place.clone());
        place
    }

    pub(super) fn start(&mut self, id: RegId) {
        let imp = self.module.imp;
        let of = &imp.regs[id];
        let (element, width) = (register(of.ty), of.lanes.min(MOST_AT_ONCE));
        let (whole, start) = (self.register(id), self.constant(of.start, width));
        for first in (0..of.lanes).step_by(width as usize) {
            let place = match first {
                0 => whole.clone(),
                _ => {
                    self.text.def(format_args!("getelementptr inbounds {element}, ptr {whole}, i64 {first}"))
                }
            };
            self.text.line(format_args!("store {} {start}, ptr {place}", reg(of.ty, width)));
        }
    }

    pub(super) fn copy_register(&mut self, to: RegId, from: RegId) {
        let imp = self.module.imp;
        let ty = reg(imp.regs[from].ty, imp.regs[from].lanes);
        let (to, from) = (self.register(to), self.register(from));
        let all = self.text.def(format_args!("load {ty}, ptr {from}"));
        self.text.line(format_args!("store {ty} {all}, ptr {to}"));
    }

    /// What a register of one lane holds.
    pub(super) fn held(&mut self, id: RegId) -> Operand {
        let ty = register(self.module.imp.regs[id].ty);
        let place = self.register(id);
        self.text.def(format_args!("load {ty}, ptr {place}"))
    }

    /// The lane of a position.
    pub(super) fn lane(&mut self, id: RegId, position: Value) -> Operand {
        let ty = register(self.module.imp.regs[id].ty);
        let place = self.lane_place(id, position);
        self.text.def(format_args!("load {ty}, ptr {place}"))
    }

    /// Where the lane of a position is, or of the first of several.
    fn lane_place(&mut self, id: RegId, position: Value) -> Operand {
        let of = &self.module.imp.regs[id];
        let (element, lanes) = (register(of.ty), of.lanes);
        let whole = self.register(id);
        let position = match &self.get(position).first {
            Some(first) => first.clone(),
            None => self.leaf(position),
        };
        let lane = match lanes.is_power_of_two() {
            true => self.text.def(format_args!("and i64 {position}, {}", lanes - 1)),
            false => self.text.def(format_args!("urem i64 {position}, {lanes}")),
        };
        self.text.def(format_args!("getelementptr inbounds {element}, ptr {whole}, i64 {lane}"))
    }

    /// Puts `value` into a register of one lane.
    pub(super) fn put(&mut self, id: RegId, value: &str) {
        let ty = register(self.module.imp.regs[id].ty);
        let place = self.register(id);
        self.text.line(format_args!("store {ty} {value}, ptr {place}"));
    }

    /// The lanes, folded from lane 0 on; where the order does not matter, by halves.
    pub(super) fn folded(&mut self, id: RegId, fold: ReduceOp) -> Operand {
        let imp = self.module.imp;
        let of = &imp.regs[id];
        let (element, mut width) = (register(of.ty), of.lanes);
        if width == 1 {
            return self.held(id);
        }
        let place = self.register(id);
        let mut all = self.text.def(format_args!("load {}, ptr {place}", wide(element, width)));
        if !fold.is_exact(of.ty) {
            let mut sum = self.extract(&all, element, width, 0);
            for lane in 1..width {
                let next = self.extract(&all, element, width, lane);
                sum = self.binary(fold.binary(), of.ty, 1, &sum, &next, Loc::NONE);
            }
            return sum;
        }
        while width > 1 {
            width /= 2;
            let low = self.lanes_of(&all, element, 2 * width, 0, width);
            let high = self.lanes_of(&all, element, 2 * width, width, width);
            all = self.binary(fold.binary(), of.ty, width, &low, &high, Loc::NONE);
        }
        all
    }

    pub(super) fn accumulate(&mut self, id: RegId, lane: Lane, op: AccOp, value: Value, mask: Option<Value>) {
        let imp = self.module.imp;
        let width = match lane {
            Lane::Of(position) => self.get(position).width,
            Lane::Zero => 1,
        };
        let wide_value = self.get(value).width.max(mask.map_or(1, |mask| self.get(mask).width));
        let of = &imp.regs[id];
        match op {
            AccOp::Or | AccOp::Same(_) => self.flag(id, op, value, mask),
            AccOp::Reduce(reduce) if width == 1 && wide_value > 1 => {
                // One lane, for which all lanes of the block are folded in order.
                let values = self.masked(value, mask, wide_value, of.ty, of.start);
                for lane in 0..wide_value {
                    let part = self.extract_any(&values, register(of.ty), wide_value, lane);
                    let before = self.held(id);
                    let after = self.binary(reduce.binary(), of.ty, 1, &before, &part, Loc::NONE);
                    self.put(id, &after);
                }
            }
            _ if width > 1 => self.accumulate_lanes(id, lane, op, value, mask, width),
            _ => {
                let value = self.masked(value, mask, 1, of.ty, of.start);
                self.accumulate_one(id, lane, op, &value);
            }
        }
    }

    /// The value in so many lanes, or what changes nothing where it is not to be merged.
    fn masked(
        &mut self,
        value: Value,
        mask: Option<Value>,
        width: Width,
        ty: Scalar,
        neutral: Const,
    ) -> Operand {
        let values = self.spread(value, width).swap_remove(0);
        let Some(mask) = mask else { return values };
        let mask_width = self.get(mask).width;
        let mask = self.leaf(mask);
        let (llvm, neutral) = (reg(ty, width), self.constant(neutral, width));
        let flags = wide("i1", mask_width);
        self.text.def(format_args!("select {flags} {mask}, {llvm} {values}, {llvm} {neutral}"))
    }

    /// Into one lane, in memory.
    fn accumulate_one(&mut self, id: RegId, lane: Lane, op: AccOp, value: &str) {
        let imp = self.module.imp;
        let of = &imp.regs[id];
        let (element, whole) = (register(of.ty), self.register(id));
        let place = match (of.lanes, lane) {
            (1, _) | (_, Lane::Zero) => whole,
            (_, Lane::Of(position)) => self.lane_place(id, position),
        };
        let after = match op {
            AccOp::Set => value.to_owned(),
            AccOp::Better(op) => {
                let before = self.text.def(format_args!("load {element}, ptr {place}"));
                self.better(op, of.ty, 1, &before, value)
            }
            AccOp::Reduce(op) => {
                let before = self.text.def(format_args!("load {element}, ptr {place}"));
                self.binary(op.binary(), of.ty, 1, &before, value, Loc::NONE)
            }
            AccOp::Same(_) | AccOp::Or => return,
        };
        self.text.line(format_args!("store {element} {after}, ptr {place}"));
    }

    /// Into all lanes, in a register of the CPU; a block may have some times as many.
    fn accumulate_lanes(
        &mut self,
        id: RegId,
        lane: Lane,
        op: AccOp,
        value: Value,
        mask: Option<Value>,
        block: Width,
    ) {
        let imp = self.module.imp;
        let of = &imp.regs[id];
        let (element, lanes, place) = (register(of.ty), of.lanes, self.register(id));
        let values = self.masked(value, mask, block, of.ty, of.start);
        // Of a register that is wider than the block, the lanes at its position.
        let place = match lane {
            Lane::Of(position) if lanes > block => self.lane_place(id, position),
            _ => place,
        };
        let lanes = lanes.min(block);
        let llvm = wide(element, lanes);
        let mut sum = self.text.def(format_args!("load {llvm}, ptr {place}"));
        for first in (0..block).step_by(lanes as usize) {
            let part = match is_literal(&values) {
                // A splat of a literal is the same in every part.
                true => values.clone(),
                false => self.lanes_of(&values, element, block, first, lanes),
            };
            sum = match op {
                AccOp::Better(op) => self.better(op, of.ty, lanes, &sum, &part),
                AccOp::Reduce(op) => self.binary(op.binary(), of.ty, lanes, &sum, &part, Loc::NONE),
                AccOp::Set | AccOp::Same(_) | AccOp::Or => part,
            };
        }
        self.text.line(format_args!("store {llvm} {sum}, ptr {place}"));
    }

    /// Into a flag: whether the value is true, or has the bits of another, in any lane.
    fn flag(&mut self, id: RegId, op: AccOp, value: Value, mask: Option<Value>) {
        let width = self.get(value).width.max(mask.map_or(1, |mask| self.get(mask).width));
        let flags = wide("i1", width);
        let values = self.spread(value, width).swap_remove(0);
        let mut holds = match op {
            AccOp::Same(open) => {
                let ty = self.scalar_ty(value);
                let (llvm, bits) = (reg(ty, width), integer(ty, width));
                let values = self.text.def(format_args!("bitcast {llvm} {values} to {bits}"));
                let open = self.spread(open, width).swap_remove(0);
                let open = self.text.def(format_args!("bitcast {llvm} {open} to {bits}"));
                self.text.def(format_args!("icmp eq {bits} {values}, {open}"))
            }
            _ => values,
        };
        if let Some(mask) = mask {
            let mask = self.spread(mask, width).swap_remove(0);
            holds = self.text.def(format_args!("and {flags} {holds}, {mask}"));
        }
        if width > 1 {
            let name = format!("llvm.vector.reduce.or.v{width}i1");
            holds = self.intrinsic(&name, "i1", &[(&flags, &holds)]);
        }
        let before = self.held(id);
        let after = self.text.def(format_args!("or i1 {before}, {holds}"));
        self.put(id, &after);
    }

    /// `x` where it is better than `best`, which is no NaN.
    fn better(&mut self, op: ReduceOp, ty: Scalar, width: Width, best: &str, x: &str) -> Operand {
        let (llvm, flags) = (reg(ty, width), reg(Scalar::Bool, width));
        let compare = if op == ReduceOp::Min { "olt" } else { "ogt" };
        let is_better = self.text.def(format_args!("fcmp {compare} {llvm} {x}, {best}"));
        self.text.def(format_args!("select {flags} {is_better}, {llvm} {x}, {llvm} {best}"))
    }

    /// Merges the best of the lanes of `best` into `total`: whether there is a value that may have been merged as well and
    /// matters, and that. The runtime's `extremes` says why.
    pub(super) fn rescan(&mut self, total: RegId, best: RegId, op: ReduceOp) -> (Operand, Operand) {
        let imp = self.module.imp;
        let of = &imp.regs[best];
        let (ty, mut width) = (of.ty, of.lanes);
        let (llvm, bits) = (reg(ty, 1), integer(ty, 1));
        let neutral = literal(imp.regs[total].start);
        let place = self.register(best);
        let mut best = self.text.def(format_args!("load {}, ptr {place}", reg(ty, width)));
        while width > 1 {
            width /= 2;
            let low = self.lanes_of(&best, &llvm, 2 * width, 0, width);
            let high = self.lanes_of(&best, &llvm, 2 * width, width, width);
            best = self.better(op, ty, width, &low, &high);
        }
        let [start, zero] = open_ends(op, ty).map(literal);
        let is_start = self.text.def(format_args!("fcmp oeq {llvm} {best}, {start}"));
        let is_zero =
            self.text.def(format_args!("fcmp oeq {llvm} {best}, {}", literal(Const::from_i128(ty, 0))));
        let certain = self.text.def(format_args!("select i1 {is_start}, {llvm} {neutral}, {llvm} {best}"));
        let open = self.text.def(format_args!("select i1 {is_start}, {llvm} {start}, {llvm} {zero}"));
        let before = self.held(total);
        let after = self.binary(op.binary(), ty, 1, &before, &certain, Loc::NONE);
        self.put(total, &after);
        let possible = self.binary(op.binary(), ty, 1, &after, &open, Loc::NONE);
        let [possible_bits, after_bits] = [&possible, &after]
            .map(|operand| self.text.def(format_args!("bitcast {llvm} {operand} to {bits}")));
        let matters = self.text.def(format_args!("icmp ne {bits} {possible_bits}, {after_bits}"));
        let is_open = self.text.def(format_args!("or i1 {is_start}, {is_zero}"));
        (self.text.def(format_args!("and i1 {matters}, {is_open}")), open)
    }
}
