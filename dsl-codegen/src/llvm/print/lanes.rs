//! Scalars side by side: splats, and lanes taken apart and put together.

use weldment_core::ir::Const;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, is_literal, literal, wide};
use crate::llvm::layout::register;

impl Func<'_, '_> {
    /// `operand`, a scalar of LLVM's type `element`, in every lane.
    pub(super) fn splat(&mut self, operand: &str, element: &str, width: Width) -> Operand {
        if width == 1 {
            return operand.to_owned();
        }
        if is_literal(operand) {
            return format!("splat ({element} {operand})");
        }
        let ty = wide(element, width);
        let first = self.text.def(format_args!("insertelement {ty} poison, {element} {operand}, i64 0"));
        self.text.def(format_args!(
            "shufflevector {ty} {first}, {ty} poison, {} zeroinitializer",
            wide("i32", width)
        ))
    }

    /// A constant in every lane.
    pub(super) fn constant(&mut self, constant: Const, width: Width) -> Operand {
        self.splat(&literal(constant), register(constant.scalar()), width)
    }

    /// Lane `lane` of `operand`.
    pub(super) fn extract(&mut self, operand: &str, element: &str, width: Width, lane: Width) -> Operand {
        if width == 1 {
            return operand.to_owned();
        }
        self.text.def(format_args!("extractelement {} {operand}, i64 {lane}", wide(element, width)))
    }

    /// `parts`, one scalar for each lane, side by side.
    pub(super) fn gather_lanes(&mut self, parts: &[Operand], element: &str) -> Operand {
        if let [only] = parts {
            return only.clone();
        }
        let ty = wide(element, parts.len() as Width);
        let mut whole = "poison".to_owned();
        for (lane, part) in parts.iter().enumerate() {
            whole = self.text.def(format_args!("insertelement {ty} {whole}, {element} {part}, i64 {lane}"));
        }
        whole
    }

    /// The lanes from `first` on, `count` of them.
    pub(super) fn lanes_of(
        &mut self,
        operand: &str,
        element: &str,
        width: Width,
        first: Width,
        count: Width,
    ) -> Operand {
        if count == width {
            return operand.to_owned();
        }
        if count == 1 {
            return self.extract(operand, element, width, first);
        }
        let ty = wide(element, width);
        let mask: Vec<String> = (first..first + count).map(|lane| format!("i32 {lane}")).collect();
        self.text.def(format_args!(
            "shufflevector {ty} {operand}, {ty} poison, <{count} x i32> <{}>",
            mask.join(", ")
        ))
    }
}
