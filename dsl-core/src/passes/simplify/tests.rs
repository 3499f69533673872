//! Every scalar rule, in every form that it applies to: on all pairs of numbers of 8 bits, and on the edges of the other
//! types, both sides of its equation must be one value, bit for bit.

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, UnaryOp, cast, largest, smallest};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value as Datum;

use super::scalar::{RULES, To};
use crate::interp::{InterpOptions, run};
use crate::ir::local::Facts;
use crate::ir::{Builder, Defs, Loc, Op, Program, Value, typing};
use crate::source::Positions;

/// `program(x: T, y: T, c: bool)`, which binds everything that the ops below may be made of.
struct Operands {
    program: Program,
    of_type: Vec<Value>,
    bools: Vec<Value>,
    /// x and y by each comparison.
    compared: Vec<Value>,
}

impl Operands {
    fn new(ty: Scalar) -> Operands {
        let mut builder = Builder::new();
        let (x, y) = (builder.add_param(ty.into()), builder.add_param(ty.into()));
        let c = builder.add_param(Type::BOOL);
        let mut of_type = vec![x, y];
        of_type.extend(constants(ty).into_iter().map(|constant| builder.constant(constant, Loc::NONE)));
        let negation = if ty == Scalar::Bool { UnaryOp::Not } else { UnaryOp::Neg };
        of_type.push(builder.push(Op::Unary(negation, x), Loc::NONE));
        if ty.is_integer() {
            of_type.push(builder.push(Op::Unary(UnaryOp::Not, x), Loc::NONE));
        }
        let mut bools = vec![c, builder.push(Op::Unary(UnaryOp::Not, c), Loc::NONE)];
        bools.extend([true, false].map(|b| builder.constant(b, Loc::NONE)));
        let compared = CompareOp::ALL.map(|op| builder.compare(op, x, y, Loc::NONE)).to_vec();
        Operands { program: builder.finish(c), of_type, bools, compared }
    }

    /// Every op on them that there is.
    fn ops(&self) -> Vec<Op> {
        let ty = self.program.ty(self.of_type[0]).as_scalar().expect("a scalar");
        let mut ops: Vec<Op> =
            self.compared.iter().map(|&compared| Op::Unary(UnaryOp::Not, compared)).collect();
        for (values, ty) in [(&self.of_type, ty), (&self.bools, Scalar::Bool)] {
            for &a in values {
                ops.extend(UnaryOp::ALL.map(|op| Op::Unary(op, a)));
                ops.push(Op::Cast(ty, a));
                for &b in values {
                    ops.extend(BinaryOp::ALL.map(|op| Op::Binary(op, a, b)));
                    ops.extend(CompareOp::ALL.map(|op| Op::Compare(op, a, b)));
                    ops.extend(self.bools.iter().map(|&c| Op::Select(c, a, b)));
                }
            }
        }
        ops.retain(|op| typing::infer(&self.program, op).is_ok());
        ops
    }

    /// The program that gives what `to` is.
    fn giving(&self, to: &To) -> Program {
        let mut program = self.program.clone();
        let entry = program.entry.expect("an entry");
        let result = match to {
            To::Value(value) => *value,
            To::Op(op) => {
                let stmt = program.stmt(op.clone(), Loc::NONE);
                let result = stmt.results[0];
                program.bodies[entry].stmts.push(stmt);
                result
            }
        };
        program.bodies[entry].results = vec![result];
        program
    }
}

/// The constants that some rule looks for, and another.
fn constants(ty: Scalar) -> Vec<Const> {
    match ty {
        Scalar::Bool => vec![Const::Bool(false), Const::Bool(true)],
        _ if ty.is_float() => [0.0, -0.0, 1.0, 2.0].map(|x| cast(ty, Const::F64(x))).to_vec(),
        _ => [0, 1, -1, 2].map(|x| Const::from_i128(ty, x)).to_vec(),
    }
}

/// All values of 8 bits, and the edges of what has more.
fn values(ty: Scalar) -> Vec<Datum> {
    let numbers: Vec<Const> = match ty {
        Scalar::Bool => vec![Const::Bool(false), Const::Bool(true)],
        Scalar::I8 | Scalar::U8 => (0..256).map(|x| Const::from_i128(ty, x)).collect(),
        _ if ty.is_float() => {
            let edges =
                [0.0, 1.0, 0.1, 1.5, 2.0, 4503599627370497.5, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN];
            let both = edges.iter().flat_map(|&x| [x, -x]).map(|x| cast(ty, Const::F64(x)));
            both.chain([largest(ty), smallest(ty)]).collect()
        }
        _ => {
            let near = [-2, -1, 0, 1, 2, 3, 7, 64, 100].map(|x| Const::from_i128(ty, x));
            let bits = 8 * ty.size() as u32;
            let powers = [bits - 1, bits - 2, bits / 2].map(|bit| 1i128 << bit);
            let powers = powers
                .into_iter()
                .flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_neg()])
                .map(|x| Const::from_i128(ty, x));
            near.into_iter().chain(powers).chain([largest(ty), smallest(ty)]).collect()
        }
    };
    numbers.into_iter().map(Datum::from).collect()
}

/// Checks that both sides are one value whatever the parameters are. Only those that some side needs are varied.
fn check(equation: &str, sides: [&Program; 2], ty: Scalar) {
    let entry = sides[0].entry.expect("an entry");
    let params = &sides[0].bodies[entry].params;
    let is_needed: Vec<bool> =
        params.iter().map(|&param| sides.iter().any(|side| needs(side, param))).collect();
    let of = |number: usize, ty: Scalar, step: usize| -> Vec<Datum> {
        let count = if is_needed[number] { usize::MAX } else { 1 };
        values(ty).into_iter().step_by(step).take(count).collect()
    };
    // Where there is a choice besides, not all pairs.
    let step = if is_needed == [true; 3] && ty.size() == 1 && ty != Scalar::Bool { 15 } else { 1 };
    let needed = [of(0, ty, 1), of(1, ty, step), of(2, Scalar::Bool, 1)];
    for x in &needed[0] {
        for y in &needed[1] {
            for c in &needed[2] {
                let args = [x.clone(), y.clone(), c.clone()];
                let [left, right] =
                    sides.map(|side| run(side, &Positions::default(), &args, &InterpOptions::default()));
                let same = match (&left, &right) {
                    (Ok(left), Ok(right)) => left.same_bits(right),
                    (left, right) => left.as_ref().err() == right.as_ref().err(),
                };
                assert!(
                    same,
                    "{equation}: {left:?} is not {right:?} for {args:?}\n{}\n{}",
                    sides[0], sides[1]
                );
            }
        }
    }
}

/// Whether the result of `program` needs the parameter.
fn needs(program: &Program, param: Value) -> bool {
    let body = &program.bodies[program.entry.expect("an entry")];
    let mut needed: BTreeSet<Value> = body.results.iter().copied().collect();
    for stmt in body.stmts.iter().rev() {
        if stmt.results.iter().any(|result| needed.contains(result)) {
            stmt.op.for_each_operand(|operand| _ = needed.insert(operand));
        }
    }
    needed.contains(&param)
}

/// Drops what the result does not need.
fn trimmed(mut program: Program) -> Program {
    let entry = program.entry.expect("an entry");
    let mut needed: BTreeSet<Value> = program.bodies[entry].results.iter().copied().collect();
    let mut stmts = program.take_stmts(entry);
    stmts.reverse();
    stmts.retain(|stmt| {
        let used = needed.contains(&stmt.results[0]);
        if used {
            stmt.op.for_each_operand(|operand| _ = needed.insert(operand));
        }
        used
    });
    stmts.reverse();
    program.put_stmts(entry, stmts);
    program
}

#[test]
fn both_sides_of_each_scalar_equation_are_one_value() {
    let mut applied = BTreeSet::new();
    for ty in Scalar::ALL {
        let operands = Operands::new(ty);
        let defs = Defs::of(&operands.program);
        let facts = Facts { program: &operands.program, defs: &defs };
        for op in operands.ops() {
            for (equation, rule) in RULES {
                if let Some(to) = rule(&facts, &op) {
                    applied.insert(*equation);
                    let sides = [To::Op(op.clone()), to].map(|side| trimmed(operands.giving(&side)));
                    check(equation, [&sides[0], &sides[1]], ty);
                }
            }
        }
    }
    let never: Vec<&str> =
        RULES.iter().map(|rule| rule.0).filter(|equation| !applied.contains(equation)).collect();
    assert!(never.is_empty(), "no form here is one for {never:?}");
}
