//! Arithmetic, comparisons, casts and math functions, on one or several lanes.
//!
//! Every function says in LLVM what [`weldment_runtime::lang::num`] says in Rust. No operation carries fast-math flags,
//! and only those intrinsics are used that are exact by the standard: they give the same bits on every CPU.

use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, MathFn, UnaryOp};
use weldment_runtime::lang::scalar::smallest;
use weldment_runtime::lang::types::Scalar;
use weldment_runtime::math::trace::trace;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, integer, reg, suffix};
use crate::llvm::layout::{LeafKind, register};
use crate::llvm::runtime::calls::Cause;

impl Func<'_, '_> {
    /// `op x`.
    pub(super) fn unary(&mut self, op: UnaryOp, ty: Scalar, width: Width, x: &str) -> Operand {
        let llvm = reg(ty, width);
        match op {
            UnaryOp::Neg if ty.is_float() => self.text.def(format_args!("fneg {llvm} {x}")),
            UnaryOp::Neg => {
                let zero = self.constant(Const::from_i128(ty, 0), width);
                self.text.def(format_args!("sub {llvm} {zero}, {x}"))
            }
            UnaryOp::Not => {
                let ones = self.ones(ty, width);
                self.text.def(format_args!("xor {llvm} {x}, {ones}"))
            }
        }
    }

    /// All bits set.
    fn ones(&mut self, ty: Scalar, width: Width) -> Operand {
        match ty {
            Scalar::Bool => self.constant(Const::Bool(true), width),
            _ => self.constant(Const::from_i128(ty, -1), width),
        }
    }

    /// `x op y`. Division of integers is checked, which only one lane can be.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        width: Width,
        x: &str,
        y: &str,
        loc: Loc,
    ) -> Operand {
        if op.can_fault(ty) && width == 1 {
            self.check_division(ty, x, y, loc);
        }
        self.unchecked(op, ty, width, x, y)
    }

    /// `x op y`, which does not fault.
    pub(super) fn unchecked(&mut self, op: BinaryOp, ty: Scalar, width: Width, x: &str, y: &str) -> Operand {
        let llvm = reg(ty, width);
        let name = match (op, ty.is_float(), ty.is_signed()) {
            (BinaryOp::Add, true, _) => "fadd",
            (BinaryOp::Sub, true, _) => "fsub",
            (BinaryOp::Mul, true, _) => "fmul",
            (BinaryOp::Div, true, _) => "fdiv",
            (BinaryOp::Rem, true, _) => return self.call_lanes("remainder", ty, width, &[x, y]),
            (BinaryOp::Add, ..) => "add",
            (BinaryOp::Sub, ..) => "sub",
            (BinaryOp::Mul, ..) => "mul",
            (BinaryOp::Div, _, true) => "sdiv",
            (BinaryOp::Div, ..) => "udiv",
            (BinaryOp::Rem, _, true) => "srem",
            (BinaryOp::Rem, ..) => "urem",
            (BinaryOp::And, ..) => "and",
            (BinaryOp::Or, ..) => "or",
            (BinaryOp::Xor, ..) => "xor",
            (BinaryOp::Shl | BinaryOp::Shr, ..) => return self.shift(op, ty, width, x, y),
            (BinaryOp::Min | BinaryOp::Max, ..) => return self.extreme(op == BinaryOp::Min, ty, width, x, y),
        };
        self.text.def(format_args!("{name} {llvm} {x}, {y}"))
    }

    fn check_division(&mut self, ty: Scalar, x: &str, y: &str, loc: Loc) {
        let llvm = reg(ty, 1);
        let cause = if ty.is_signed() { Cause::Division } else { Cause::UnsignedDivision };
        let zero = self.text.def(format_args!("icmp eq {llvm} {y}, 0"));
        self.raise_division(&zero, cause, ty, x, y, loc);
        if ty.is_signed() {
            let least = self.constant(smallest(ty), 1);
            let is_least = self.text.def(format_args!("icmp eq {llvm} {x}, {least}"));
            let is_minus = self.text.def(format_args!("icmp eq {llvm} {y}, -1"));
            let both = self.text.def(format_args!("and i1 {is_least}, {is_minus}"));
            self.raise_division(&both, Cause::Overflow, ty, x, y, loc);
        }
    }

    fn raise_division(&mut self, bad: &str, cause: Cause, ty: Scalar, x: &str, y: &str, loc: Loc) {
        let is_wide = ty == Scalar::I128;
        let cause = match cause {
            Cause::Division if is_wide => Cause::WideDivision,
            Cause::Overflow if is_wide => Cause::WideOverflow,
            cause => cause,
        };
        let raise = self.raise(cause, loc);
        let extend = if ty.is_signed() { "sext" } else { "zext" };
        let llvm = reg(ty, 1);
        let (x, y) = (x.to_owned(), y.to_owned());
        self.text.fault_if(bad, |text| {
            if is_wide {
                let mut halves = |operand: &str| {
                    let above = text.def(format_args!("lshr i128 {operand}, 64"));
                    [operand, &above].map(|half| text.def(format_args!("trunc i128 {half} to i64")))
                };
                let ([x_low, x_high], [y_low, y_high]) = (halves(&x), halves(&y));
                text.line(raise.with(&[&x_low, &x_high, &y_low, &y_high]));
                return;
            }
            let mut wide = |operand: &str| match ty.size() {
                8 => operand.to_owned(),
                _ => text.def(format_args!("{extend} {llvm} {operand} to i64")),
            };
            let (x, y) = (wide(&x), wide(&y));
            text.line(raise.with(&[&x, &y]));
        });
    }

    /// An i128 as an i64, which has room for it.
    pub(super) fn units(&mut self, units: &str, digits: &str, loc: Loc) -> Operand {
        let low = self.text.def(format_args!("trunc i128 {units} to i64"));
        let again = self.text.def(format_args!("sext i64 {low} to i128"));
        let differs = self.text.def(format_args!("icmp ne i128 {again}, {units}"));
        let raise = self.raise(Cause::Units, loc);
        self.text.fault_if(&differs, |text| {
            let above = text.def(format_args!("lshr i128 {units}, 64"));
            let high = text.def(format_args!("trunc i128 {above} to i64"));
            text.line(raise.with(&[&low, &high, digits]));
        });
        low
    }

    fn shift(&mut self, op: BinaryOp, ty: Scalar, width: Width, x: &str, y: &str) -> Operand {
        let llvm = reg(ty, width);
        let mask = self.constant(Const::from_i128(ty, 8 * ty.size() as i128 - 1), width);
        let count = self.text.def(format_args!("and {llvm} {y}, {mask}"));
        let name = match (op, ty.is_signed()) {
            (BinaryOp::Shl, _) => "shl",
            (_, true) => "ashr",
            (_, false) => "lshr",
        };
        self.text.def(format_args!("{name} {llvm} {x}, {count}"))
    }

    /// The smaller or the larger one. Equal floats differ at most in the sign of zero, and then their bits decide.
    fn extreme(&mut self, least: bool, ty: Scalar, width: Width, x: &str, y: &str) -> Operand {
        let (llvm, flags) = (reg(ty, width), reg(Scalar::Bool, width));
        if !ty.is_float() {
            let better = match (least, ty.is_signed()) {
                (true, true) => "slt",
                (true, false) => "ult",
                (false, true) => "sgt",
                (false, false) => "ugt",
            };
            let other = self.text.def(format_args!("icmp {better} {llvm} {y}, {x}"));
            return self.text.def(format_args!("select {flags} {other}, {llvm} {y}, {llvm} {x}"));
        }
        let bits = integer(ty, width);
        let (compare, join) = if least { ("olt", "or") } else { ("ogt", "and") };
        let text = &mut self.text;
        let (x_bits, y_bits) = (
            text.def(format_args!("bitcast {llvm} {x} to {bits}")),
            text.def(format_args!("bitcast {llvm} {y} to {bits}")),
        );
        let joined = text.def(format_args!("{join} {bits} {x_bits}, {y_bits}"));
        let equal = text.def(format_args!("bitcast {bits} {joined} to {llvm}"));
        let first = text.def(format_args!("fcmp {compare} {llvm} {x}, {y}"));
        let better = text.def(format_args!("select {flags} {first}, {llvm} {x}, {llvm} {y}"));
        let same = text.def(format_args!("fcmp oeq {llvm} {x}, {y}"));
        let number = text.def(format_args!("select {flags} {same}, {llvm} {equal}, {llvm} {better}"));
        let alone = text.def(format_args!("fcmp uno {llvm} {y}, {y}"));
        text.def(format_args!("select {flags} {alone}, {llvm} {x}, {llvm} {number}"))
    }

    /// `x op y`, as IEEE says for floats.
    pub(super) fn compare(&mut self, op: CompareOp, ty: Scalar, width: Width, x: &str, y: &str) -> Operand {
        let llvm = reg(ty, width);
        let name = match op {
            CompareOp::Eq => "eq",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        };
        let (kind, prefix) = match (ty.is_float(), op, ty.is_signed()) {
            (true, CompareOp::Ne, _) => ("fcmp", "u"),
            (true, ..) => ("fcmp", "o"),
            (false, CompareOp::Eq | CompareOp::Ne, _) => ("icmp", ""),
            (false, _, true) => ("icmp", "s"),
            (false, _, false) => ("icmp", "u"),
        };
        self.text.def(format_args!("{kind} {prefix}{name} {llvm} {x}, {y}"))
    }

    /// `x` as another scalar type.
    pub(super) fn cast(&mut self, from: Scalar, to: Scalar, width: Width, x: &str) -> Operand {
        let (source, target) = (reg(from, width), reg(to, width));
        let name = match (from, to) {
            _ if from == to => return x.to_owned(),
            (_, Scalar::Bool) => {
                let zero = self.constant(Const::from_i128(from, 0), width);
                return self.text.def(format_args!("icmp ne {source} {x}, {zero}"));
            }
            (Scalar::F32, Scalar::F64) => "fpext",
            (Scalar::F64, Scalar::F32) => "fptrunc",
            _ if from.is_float() => {
                let kind = if to.is_signed() { "fptosi" } else { "fptoui" };
                let name = format!("llvm.{kind}.sat.{}.{}", suffix(to, width), suffix(from, width));
                return self.intrinsic(&name, &target, &[(&source, x)]);
            }
            _ if to.is_float() => {
                if from.is_signed() {
                    "sitofp"
                } else {
                    "uitofp"
                }
            }
            (Scalar::Bool, _) => "zext",
            _ if to.size() < from.size() => "trunc",
            _ if to.size() == from.size() => return x.to_owned(),
            _ => {
                if from.is_signed() {
                    "sext"
                } else {
                    "zext"
                }
            }
        };
        self.text.def(format_args!("{name} {source} {x} to {target}"))
    }

    /// A math function of as many operands as its arity says.
    pub(super) fn math(&mut self, function: MathFn, ty: Scalar, width: Width, args: &[&str]) -> Operand {
        if let (true, Some(trace)) = (ty.is_float(), trace(function)) {
            return self.traced(function, &trace, ty, width, args);
        }
        let llvm = reg(ty, width);
        let flags = reg(Scalar::Bool, width);
        let x = args[0];
        if !ty.is_float() {
            return self.integer_math(function, ty, width, args);
        }
        let exact = match function {
            MathFn::Sqrt => "sqrt",
            MathFn::Abs => "fabs",
            MathFn::Floor => "floor",
            MathFn::Ceil => "ceil",
            MathFn::Trunc | MathFn::Fract => "trunc",
            MathFn::Round => "round",
            MathFn::MulAdd => "fma",
            MathFn::Signum => {
                let one = self.constant(Const::from_i128(ty, 1), width);
                let name = format!("llvm.copysign.{}", suffix(ty, width));
                let task = self.intrinsic(&name, &llvm, &[(&llvm, &one), (&llvm, x)]);
                let nan = self.text.def(format_args!("fcmp uno {llvm} {x}, {x}"));
                return self.text.def(format_args!("select {flags} {nan}, {llvm} {x}, {llvm} {task}"));
            }
            MathFn::IsNan => return self.text.def(format_args!("fcmp uno {llvm} {x}, {x}")),
            _ => unreachable!("{} is exact, or has a trace", function.name()),
        };
        let operands: Vec<(&str, &str)> = args.iter().map(|&arg| (llvm.as_str(), arg)).collect();
        let name = format!("llvm.{exact}.{}", suffix(ty, width));
        let result = self.intrinsic(&name, &llvm, &operands);
        match function {
            MathFn::Fract => self.text.def(format_args!("fsub {llvm} {x}, {result}")),
            _ => result,
        }
    }

    fn integer_math(&mut self, function: MathFn, ty: Scalar, width: Width, args: &[&str]) -> Operand {
        let (llvm, flags) = (reg(ty, width), reg(Scalar::Bool, width));
        let x = args[0];
        let zero = self.constant(Const::from_i128(ty, 0), width);
        match function {
            MathFn::Pow if ty == Scalar::I128 => self.wide_power(width, args),
            MathFn::Pow => {
                let base = if ty.is_signed() { Scalar::I64 } else { Scalar::U64 };
                let wide: Vec<Operand> = args.iter().map(|arg| self.cast(ty, base, width, arg)).collect();
                let power = self.call_lanes("power", base, width, &[&wide[0], &wide[1]]);
                self.cast(base, ty, width, &power)
            }
            MathFn::Abs if ty.is_signed() => {
                let minus = self.text.def(format_args!("sub {llvm} {zero}, {x}"));
                let negative = self.text.def(format_args!("icmp slt {llvm} {x}, {zero}"));
                self.text.def(format_args!("select {flags} {negative}, {llvm} {minus}, {llvm} {x}"))
            }
            MathFn::Abs => x.to_owned(),
            // Only `signum` is left: the verifier lets nothing else work on integers.
            _ => {
                let nonzero = self.text.def(format_args!("icmp ne {llvm} {x}, {zero}"));
                let task = self.text.def(format_args!("zext {flags} {nonzero} to {llvm}"));
                if !ty.is_signed() {
                    return task;
                }
                let ones = self.ones(ty, width);
                let negative = self.text.def(format_args!("icmp slt {llvm} {x}, {zero}"));
                self.text.def(format_args!("select {flags} {negative}, {llvm} {ones}, {llvm} {task}"))
            }
        }
    }

    /// The power of an i128, lane by lane. It goes through memory: how C passes 128 bits by value differs from platform to platform.
    fn wide_power(&mut self, width: Width, args: &[&str]) -> Operand {
        let (ty, llvm) = (Scalar::I128.into(), register(Scalar::I128));
        let kind = LeafKind::Scalar(Scalar::I128);
        let places = [(); 3].map(|()| self.room(&ty));
        let mut parts = Vec::with_capacity(width as usize);
        for lane in 0..width {
            for (arg, place) in args.iter().zip(&places) {
                let part = self.extract_any(arg, llvm, width, lane);
                self.store_leaf(kind, &part, place);
            }
            self.call("weldment_power_i128", &[&places[0], &places[1], &places[2]]);
            parts.push(self.load_leaf(kind, &places[2]));
        }
        self.gather_lanes(&parts, llvm)
    }

    /// A function of the runtime on scalars of one type, lane by lane.
    pub(super) fn call_lanes(&mut self, name: &str, ty: Scalar, width: Width, args: &[&str]) -> Operand {
        let llvm = reg(ty, 1);
        let name = format!("weldment_{name}_{}", ty.name());
        let mut parts = Vec::with_capacity(width as usize);
        for lane in 0..width {
            let args: Vec<Operand> =
                args.iter().map(|arg| self.extract_any(arg, &llvm, width, lane)).collect();
            parts.push(self.call(&name, &args));
        }
        self.gather_lanes(&parts, &llvm)
    }

    /// As [`Func::extract`], also of a splat literal.
    pub(super) fn extract_any(&mut self, operand: &str, element: &str, width: Width, lane: Width) -> Operand {
        let literal = operand.strip_prefix("splat (").and_then(|rest| rest.strip_suffix(')'));
        match literal.and_then(|literal| literal.split_once(' ')) {
            Some((_, literal)) => literal.to_owned(),
            None => self.extract(operand, element, width, lane),
        }
    }
}
