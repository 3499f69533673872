//! Math functions: the operations that the runtime's [`math`](weldment_runtime::math) lists, as functions of the module.
//!
//! ```text
//! define internal <16 x double> @math.exp.v16f64(<16 x double> %x) alwaysinline nounwind willreturn memory(none) {
//!   %v0 = fcmp olt <16 x double> %x, splat (double 0xC087500000000000)
//!   …
//! ```
//!
//! They stand in the module once for each number of lanes, and LLVM puts them in where they are called: loops over one lane
//! become loops over several as if the operations stood there.

use weldment_core::ir::{Const, MathFn};
use weldment_runtime::lang::types::Scalar;
use weldment_runtime::math::trace::{Op, Operand as Place, Step, Trace};

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, integer, reg, suffix};

/// The names of the arguments.
const PARAMS: [&str; 2] = ["%x", "%y"];

/// What an operand is.
#[derive(Clone, Copy)]
enum Kind {
    Float,
    Bits,
    Test,
}

impl Func<'_, '_> {
    /// `function`, whose operations are `trace`, of `args`. Where the first of them is beyond the limit of the
    /// trace in any lane, the runtime computes all lanes.
    pub(super) fn traced(
        &mut self,
        function: MathFn,
        trace: &Trace,
        ty: Scalar,
        width: Width,
        args: &[&str],
    ) -> Operand {
        let Some(limit) = trace.limit else { return self.within_limit(function, trace, ty, width, args) };
        let (llvm, flags) = (reg(ty, width), reg(Scalar::Bool, width));
        let size = self.intrinsic(&format!("llvm.fabs.{}", suffix(ty, width)), &llvm, &[(&llvm, args[0])]);
        let limit = if ty == Scalar::F64 { Const::F64(limit) } else { Const::F32(limit as f32) };
        let limit = self.constant(limit, width);
        let mut is_beyond = self.text.def(format_args!("fcmp ugt {llvm} {size}, {limit}"));
        if width > 1 {
            let name = format!("llvm.vector.reduce.or.v{width}i1");
            is_beyond = self.intrinsic(&name, "i1", &[(&flags, &is_beyond)]);
        }
        let [beyond, within, end] = [0; 3].map(|_| self.text.label());
        self.text.branch_cold(&is_beyond, &beyond, &within);
        self.text.begin(&beyond);
        let slow = self.call_lanes(function.name(), ty, width, args);
        self.text.jump(&end);
        self.text.begin(&within);
        let fast = self.within_limit(function, trace, ty, width, args);
        self.text.jump(&end);
        self.text.begin(&end);
        self.text.def(format_args!("phi {llvm} [ {slow}, {beyond} ], [ {fast}, {within} ]"))
    }

    /// The function of the module. A float of 32 bits takes the way over 64.
    fn within_limit(
        &mut self,
        function: MathFn,
        trace: &Trace,
        ty: Scalar,
        width: Width,
        args: &[&str],
    ) -> Operand {
        let double = reg(Scalar::F64, width);
        let name = format!("math.{}.{}", function.name(), suffix(Scalar::F64, width));
        if !self.module.library.contains_key(&name) {
            let text = self.definition(&name, trace, width, args.len());
            self.module.library.insert(name.clone(), text);
        }
        let args: Vec<String> =
            args.iter().map(|arg| format!("{double} {}", self.cast(ty, Scalar::F64, width, arg))).collect();
        let result = self.text.def(format_args!("call {double} @{name}({})", args.join(", ")));
        self.cast(Scalar::F64, ty, width, &result)
    }

    fn definition(&mut self, name: &str, trace: &Trace, width: Width, arity: usize) -> String {
        let double = reg(Scalar::F64, width);
        let params: Vec<String> = PARAMS[..arity].iter().map(|param| format!("{double} {param}")).collect();
        let params = params.join(", ");
        let mut text = format!(
            "define internal {double} @{name}({params}) alwaysinline nounwind willreturn memory(none) {{\n"
        );
        for (number, step) in trace.steps.iter().enumerate() {
            let instruction = self.instruction(step, width);
            text.push_str(&format!("  %v{number} = {instruction}\n"));
        }
        text.push_str(&format!("  ret {double} {}\n}}\n", operand(trace.result, Kind::Float, width)));
        text
    }

    fn instruction(&mut self, step: &Step, width: Width) -> String {
        let (double, bits) = (reg(Scalar::F64, width), integer(Scalar::F64, width));
        let flags = reg(Scalar::Bool, width);
        let float = |i: usize| operand(step.operands[i], Kind::Float, width);
        let two = |name: &str, ty: &str, kind| {
            let [x, y] = [0, 1].map(|i| operand(step.operands[i], kind, width));
            format!("{name} {ty} {x}, {y}")
        };
        match step.op {
            Op::Add => two("fadd", &double, Kind::Float),
            Op::Sub => two("fsub", &double, Kind::Float),
            Op::Mul => two("fmul", &double, Kind::Float),
            Op::Div => two("fdiv", &double, Kind::Float),
            Op::Less => two("fcmp olt", &double, Kind::Float),
            Op::Equal => two("fcmp oeq", &double, Kind::Float),
            Op::Neg => format!("fneg {double} {}", float(0)),
            Op::Abs | Op::Sqrt => {
                let name = if step.op == Op::Abs { "fabs" } else { "sqrt" };
                let name = format!("llvm.{name}.{}", suffix(Scalar::F64, width));
                self.module.declare(&name, format!("declare {double} @{name}({double})"));
                format!("call {double} @{name}({double} {})", float(0))
            }
            Op::Both => two("and", &flags, Kind::Test),
            Op::Choose => {
                let test = operand(step.operands[0], Kind::Test, width);
                format!("select {flags} {test}, {double} {}, {double} {}", float(1), float(2))
            }
            Op::ToBits => format!("bitcast {double} {} to {bits}", float(0)),
            Op::FromBits => {
                let from = operand(step.operands[0], Kind::Bits, width);
                format!("bitcast {bits} {from} to {double}")
            }
            Op::BitsAdd => two("add", &bits, Kind::Bits),
            Op::BitsSub => two("sub", &bits, Kind::Bits),
            Op::BitsAnd => two("and", &bits, Kind::Bits),
            Op::BitsOr => two("or", &bits, Kind::Bits),
            Op::BitsXor => two("xor", &bits, Kind::Bits),
            Op::BitsShl => two("shl", &bits, Kind::Bits),
            Op::BitsShr => two("lshr", &bits, Kind::Bits),
        }
    }
}

/// An operand of an instruction.
fn operand(place: Place, kind: Kind, width: Width) -> Operand {
    let (element, literal) = match (place, kind) {
        (Place::Argument(number), _) => return PARAMS[number].to_owned(),
        (Place::Step(number), _) => return format!("%v{number}"),
        (Place::Constant(bits), Kind::Float) => ("double", format!("0x{bits:016X}")),
        (Place::Constant(bits), Kind::Bits) => ("i64", (bits as i64).to_string()),
        (Place::Constant(bits), Kind::Test) => ("i1", (bits != 0).to_string()),
    };
    if width == 1 { literal } else { format!("splat ({element} {literal})") }
}
