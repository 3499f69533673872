//! A function as the list of its operations.
//!
//! ```
//! use weldment_runtime::math::trace::{Op, trace};
//! use weldment_runtime::math::functions::MathFn;
//! let exp = trace(MathFn::Exp).unwrap();
//! assert!(exp.steps.iter().any(|step| step.op == Op::Mul));
//! assert!(trace(MathFn::Sqrt).is_none()); // an instruction of its own
//! ```

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Bits, Real, Test};
use crate::math::functions::MathFn;

/// The operations of a function of floats, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The operations.
    pub steps: Vec<Step>,
    /// What the function gives.
    pub result: Operand,
    /// The largest argument, by its absolute value, for which it gives that.
    pub limit: Option<f64>,
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which one.
    pub op: Op,
    /// As many operands as it has; the rest are 0.
    pub operands: [Operand; 3],
}

/// What an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The argument of this number.
    Argument(usize),
    /// What the step of this number gives.
    Step(usize),
    /// A float, by its bits; or a number that is added to or masks bits, or counts a shift.
    Constant(u64),
}

/// The operations: of floats, of their bits, and of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `x + y`.
    Add,
    /// `x - y`.
    Sub,
    /// `x * y`.
    Mul,
    /// `x / y`.
    Div,
    /// `-x`.
    Neg,
    /// `|x|`.
    Abs,
    /// The square root.
    Sqrt,
    /// Whether `x < y`.
    Less,
    /// Whether `x == y`.
    Equal,
    /// Whether both tests hold.
    Both,
    /// By a test, one of two floats.
    Choose,
    /// The bits of a float.
    ToBits,
    /// The float of bits.
    FromBits,
    /// The sum of bits.
    BitsAdd,
    /// The difference of bits.
    BitsSub,
    /// The bits that both have.
    BitsAnd,
    /// The bits that either has.
    BitsOr,
    /// The bits that one of two has.
    BitsXor,
    /// Bits shifted to the left.
    BitsShl,
    /// Bits shifted to the right.
    BitsShr,
}

/// The operations of `function`, if it is one of those written as such a list.
pub fn trace(function: MathFn) -> Option<Trace> {
    let tape = Tape::default();
    let [x, y] = [0, 1].map(|number| Traced { tape: &tape, operand: Operand::Argument(number) });
    let result = written(function, x, y)?.operand;
    let limit = function.is_of_angle().then_some(super::LARGEST_ANGLE);
    Some(Trace { steps: tape.steps.into_inner(), result, limit })
}

macro_rules! define {
    ([] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        /// What `function` gives, written down. `None` of a few instructions.
        fn written<R: Real>(function: MathFn, x: R, y: R) -> Option<R> {
            match function { $(MathFn::$variant => written!($how $arity $name x y),)* }
        }
    };
}

macro_rules! written {
    (exact $arity:tt $name:ident $x:ident $y:ident) => {
        None
    };
    ($how:ident 1 $name:ident $x:ident $y:ident) => {
        Some(super::$name($x))
    };
    ($how:ident 2 $name:ident $x:ident $y:ident) => {
        Some(super::$name($x, $y))
    };
}

crate::math_functions!(define);

#[derive(Debug, Default)]
struct Tape {
    steps: RefCell<Vec<Step>>,
}

/// A float, its bits or a test: what an operation gave. To compute with it is to write down the operation.
#[derive(Clone, Copy, Debug)]
struct Traced<'t> {
    tape: &'t Tape,
    operand: Operand,
}

impl<'t> Traced<'t> {
    fn push<const N: usize>(self, op: Op, others: [Operand; N]) -> Traced<'t> {
        let mut operands = [Operand::Constant(0); 3];
        operands[0] = self.operand;
        operands[1..=N].copy_from_slice(&others);
        let mut steps = self.tape.steps.borrow_mut();
        steps.push(Step { op, operands });
        Traced { operand: Operand::Step(steps.len() - 1), ..self }
    }

    fn unary(self, op: Op) -> Traced<'t> {
        self.push(op, [])
    }

    fn binary(self, op: Op, other: Traced<'t>) -> Traced<'t> {
        self.push(op, [other.operand])
    }

    fn by_number(self, op: Op, number: u64) -> Traced<'t> {
        self.push(op, [Operand::Constant(number)])
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident)*) => {$(
        impl<'t> $trait for Traced<'t> {
            type Output = Traced<'t>;
            fn $method(self, other: Traced<'t>) -> Traced<'t> {
                self.binary(Op::$op, other)
            }
        }
        impl<'t> $trait<f64> for Traced<'t> {
            type Output = Traced<'t>;
            fn $method(self, other: f64) -> Traced<'t> {
                self.by_number(Op::$op, other.to_bits())
            }
        }
    )*};
}

operators!(Add add Add Sub sub Sub Mul mul Mul Div div Div);

impl<'t> Neg for Traced<'t> {
    type Output = Traced<'t>;
    fn neg(self) -> Traced<'t> {
        self.unary(Op::Neg)
    }
}

impl<'t> Real for Traced<'t> {
    type Bits = Traced<'t>;
    type Test = Traced<'t>;

    fn constant(self, value: f64) -> Traced<'t> {
        Traced { operand: Operand::Constant(value.to_bits()), ..self }
    }
    fn absolute(self) -> Traced<'t> {
        self.unary(Op::Abs)
    }
    fn root(self) -> Traced<'t> {
        self.unary(Op::Sqrt)
    }
    fn is_less(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::Less, other)
    }
    fn is_equal(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::Equal, other)
    }
    fn bits(self) -> Traced<'t> {
        self.unary(Op::ToBits)
    }
}

impl<'t> Bits for Traced<'t> {
    type Real = Traced<'t>;

    fn plus(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::BitsAdd, other)
    }
    fn minus(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::BitsSub, other)
    }
    fn plus_number(self, number: u64) -> Traced<'t> {
        self.by_number(Op::BitsAdd, number)
    }
    fn and_number(self, number: u64) -> Traced<'t> {
        self.by_number(Op::BitsAnd, number)
    }
    fn or_number(self, number: u64) -> Traced<'t> {
        self.by_number(Op::BitsOr, number)
    }
    fn or(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::BitsOr, other)
    }
    fn xor(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::BitsXor, other)
    }
    fn shift_left(self, count: u32) -> Traced<'t> {
        self.by_number(Op::BitsShl, u64::from(count))
    }
    fn shift_right(self, count: u32) -> Traced<'t> {
        self.by_number(Op::BitsShr, u64::from(count))
    }
    fn real(self) -> Traced<'t> {
        self.unary(Op::FromBits)
    }
}

impl<'t> Test for Traced<'t> {
    type Real = Traced<'t>;

    fn and(self, other: Traced<'t>) -> Traced<'t> {
        self.binary(Op::Both, other)
    }
    fn choose(self, yes: Traced<'t>, no: Traced<'t>) -> Traced<'t> {
        self.push(Op::Choose, [yes.operand, no.operand])
    }
}
