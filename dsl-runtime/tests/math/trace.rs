//! The lists of operations, carried out one by one, give what the functions give.

use weldment_runtime::lang::scalar::{Const, MathFn, math};
use weldment_runtime::math::trace::{Op, Operand, Step, Trace, trace};

/// What a trace gives for `x` and `y`: floats and bits both as bits, tests as 0 and 1.
fn run(trace: &Trace, args: [f64; 2]) -> f64 {
    let mut values: Vec<u64> = Vec::new();
    let value = |values: &[u64], operand: Operand| match operand {
        Operand::Argument(number) => args[number].to_bits(),
        Operand::Step(number) => values[number],
        Operand::Constant(bits) => bits,
    };
    for Step { op, operands } in &trace.steps {
        let [x, y, z] = operands.map(|operand| value(&values, operand));
        let (u, v) = (f64::from_bits(x), f64::from_bits(y));
        values.push(match op {
            Op::Add => (u + v).to_bits(),
            Op::Sub => (u - v).to_bits(),
            Op::Mul => (u * v).to_bits(),
            Op::Div => (u / v).to_bits(),
            Op::Neg => (-u).to_bits(),
            Op::Abs => u.abs().to_bits(),
            Op::Sqrt => u.sqrt().to_bits(),
            Op::Less => u64::from(u < v),
            Op::Equal => u64::from(u == v),
            Op::Both => x & y,
            Op::Choose => [z, y][x as usize],
            Op::ToBits | Op::FromBits => x,
            Op::BitsAdd => x.wrapping_add(y),
            Op::BitsSub => x.wrapping_sub(y),
            Op::BitsAnd => x & y,
            Op::BitsOr => x | y,
            Op::BitsXor => x ^ y,
            Op::BitsShl => x << y,
            Op::BitsShr => x >> y,
        });
    }
    f64::from_bits(value(&values, trace.result))
}

#[test]
fn a_trace_computes_what_its_function_computes() {
    let mut arguments = vec![0.0, 0.5, 1.0, 1.5, 6.0, 1e-320, 1e-10, 700.0, 1e300, f64::INFINITY, f64::NAN];
    arguments.extend((0..100).map(|i| f64::from(i) * 0.73));
    arguments.extend(arguments.clone().iter().map(|x| -x));
    let mut traced = 0;
    for &function in MathFn::ALL {
        let Some(trace) = trace(function) else { continue };
        traced += 1;
        for &x in arguments.iter().filter(|x| trace.limit.is_none_or(|limit| x.abs() <= limit)) {
            let seconds = if function.arity() == 1 { &[0.0] } else { &arguments[..] };
            for &y in seconds {
                let args = [Const::F64(x), Const::F64(y)];
                let Const::F64(expected) = math(function, &args[..function.arity()]) else {
                    panic!("not a float")
                };
                let got = run(&trace, [x, y]);
                let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
                assert!(same, "{}({x:e}, {y:e}) = {got:e}, not {expected:e}", function.name());
            }
        }
    }
    assert!(traced >= 19);
}
