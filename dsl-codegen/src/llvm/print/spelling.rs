//! How LLVM writes types, literals and the suffixes of intrinsics, of one or several lanes.

use weldment_core::ir::Const;
use weldment_runtime::lang::types::Scalar;

use super::builder::Operand;
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
