//! Scalars side by side: types, literals and splats of one or several lanes.

use weldment_core::ir::Const;
use weldment_runtime::lang::types::Scalar;

use super::builder::Operand;
use super::func::Func;
use crate::llvm::layout::{memory, register};

/// How many lanes an operand has; 1 is a scalar.
pub(super) type Width = u32;

/// LLVM's type of `element`s side by side.
pub(super) fn wide(element: &str, width: Width) -> String {
    if width == 1 { element.to_owned() } else { format!("<{width} x {element}>") }
}

/// LLVM's type of a scalar in a register.
pub(super) fn reg(scalar: Scalar, width: Width) -> String {
    wide(register(scalar), width)
}

/// The suffix of an intrinsic that works on a scalar: `f64`, `v16i8`.
pub(super) fn suffix(scalar: Scalar, width: Width) -> String {
    let element = match scalar {
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
        _ => memory(scalar),
    };
    if width == 1 { element.to_owned() } else { format!("v{width}{element}") }
}

/// The integer type of the scalar's size.
pub(super) fn integer(scalar: Scalar, width: Width) -> String {
    wide(&format!("i{}", 8 * scalar.size()), width)
}

/// A constant as a literal.
pub(super) fn literal(constant: Const) -> Operand {
    match constant {
        Const::Bool(x) => x.to_string(),
        // LLVM writes every float as the bits of a double.
        Const::F32(x) if x.is_nan() => format!("0x{:016X}", f64::NAN.to_bits()),
        Const::F32(x) => format!("0x{:016X}", (x as f64).to_bits()),
        Const::F64(_) => format!("0x{:016X}", constant.bits()),
        _ => constant.as_integer().expect("not a float").to_string(),
    }
}

/// Whether an operand is a literal.
pub(super) fn is_literal(operand: &str) -> bool {
    !operand.starts_with('%') && !operand.starts_with('@')
}

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
