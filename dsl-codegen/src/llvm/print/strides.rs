//! Loads of every second element, or of each for some iterations: few whole loads, and one shuffle.

use weldment_core::ir::Value;
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, wide};
use super::val::Val;
use crate::imp::Stride;
use crate::llvm::layout::{Layout, LeafKind, alone};

impl Func<'_, '_> {
    /// The element of `column` that `stride` says of `index`: one, or one for each lane.
    pub(super) fn load_stride(&mut self, column: Value, index: Value, stride: Stride) -> Val {
        let ty = self.ty(column).element().expect("the verifier has seen to it");
        let (elements, at) = (self.get(column).leaves[0].clone(), self.get(index).clone());
        let width = at.width;
        match at.first {
            Some(first) if width > 1 => {
                // A block begins at a multiple of its width, which is one of `by`.
                let first = self.strided(&first, stride, 0);
                self.load_lanes_apart(ty, &elements, &first, stride, width)
            }
            _ => {
                let ahead = if let Stride::Parts { ahead, .. } = stride { ahead } else { 0 };
                let element = self.strided(&at.leaves[0], stride, ahead);
                let place = self.element(&elements, &element, ty);
                self.load(ty, &place)
            }
        }
    }

    /// The element of an iteration, `ahead` of where it is.
    fn strided(&mut self, position: &str, stride: Stride, ahead: u32) -> Operand {
        match stride {
            Stride::One => position.to_owned(),
            Stride::Times(times) => self.text.def(format_args!("mul nuw nsw i64 {position}, {times}")),
            Stride::Parts { by, .. } => {
                let at = match ahead {
                    0 => position.to_owned(),
                    _ => self.text.def(format_args!("add nuw nsw i64 {position}, {ahead}")),
                };
                self.text.def(format_args!("lshr i64 {at}, {}", by.trailing_zeros()))
            }
        }
    }

    /// The elements that the lanes of a block load, of which the first is `first`.
    fn load_lanes_apart(
        &mut self,
        ty: &Type,
        elements: &str,
        first: &str,
        stride: Stride,
        width: Width,
    ) -> Val {
        let start = self.element(elements, first, ty);
        let of_lane = |lane: Width| stride.element(lane.into());
        let Some(scalar) = alone(ty) else {
            let size = Layout::of(ty).size;
            let steps: Vec<String> = (0..width).map(|lane| format!("i64 {}", of_lane(lane))).collect();
            let pointers = self.text.def(format_args!(
                "getelementptr [{size} x i8], ptr {start}, <{width} x i64> <{}>",
                steps.join(", ")
            ));
            return self.gather_leaves(ty, &pointers, width);
        };
        // From the first element on, and up to the last: nothing behind it may be read.
        let kind = LeafKind::Scalar(scalar);
        let span = stride.span(width.into());
        let part = 1 << span.ilog2();
        let memory = wide(kind.memory(), part);
        let mut load = |from: u64| {
            let place = self.offset(&start, from * kind.size());
            self.text.def(format_args!("load {memory}, ptr {place}, align {}", kind.align()))
        };
        let low = load(0);
        let behind = span - u64::from(part);
        let high = if behind > 0 { load(behind) } else { "poison".to_owned() };
        let lane_of = |element: u64| match element {
            at if at < part.into() => at,
            at => at - behind + u64::from(part),
        };
        let mask: Vec<String> = (0..width).map(|lane| format!("i32 {}", lane_of(of_lane(lane)))).collect();
        let lanes = self.text.def(format_args!(
            "shufflevector {memory} {low}, {memory} {high}, <{width} x i32> <{}>",
            mask.join(", ")
        ));
        let leaf = self.in_register(kind, width, lanes);
        Val::lanes(vec![leaf], width)
    }
}
