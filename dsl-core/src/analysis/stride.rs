//! How far an index moves in a vector from one iteration of a loop to the next.

use std::collections::HashMap;

use weldment_runtime::lang::scalar::{BinaryOp, Const, UnaryOp};

use crate::ir::{Defs, Op, Program, Value};

/// By how much a value grows when an index variable grows by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// By this number.
    By(i64),
    /// By a number that is only known when the program runs, and is the same in each iteration.
    Fixed,
    /// Otherwise, or it is not known.
    Unknown,
}

/// The strides of values with respect to one index variable.
#[derive(Clone, Debug)]
pub struct Strides<'a> {
    program: &'a Program,
    defs: &'a Defs,
    known: HashMap<Value, Stride>,
}

impl<'a> Strides<'a> {
    /// Of values in the loop of which `variable` is an index.
    pub fn new(program: &'a Program, defs: &'a Defs, variable: Value) -> Strides<'a> {
        Strides { program, defs, known: HashMap::from([(variable, Stride::By(1))]) }
    }

    /// Of `value`. What is no number has a stride too: zero, if it does not change.
    pub fn of(&mut self, value: Value) -> Stride {
        if let Some(&stride) = self.known.get(&value) {
            return stride;
        }
        let stride = match self.defs.stmt(self.program, value) {
            None => Stride::By(0),
            Some(stmt) => match stmt.op {
                Op::Binary(BinaryOp::Add, x, y) => add(self.of(x), self.of(y)),
                Op::Binary(BinaryOp::Sub, x, y) => add(self.of(x), scale(self.of(y), Some(-1))),
                Op::Binary(BinaryOp::Mul, x, y) => match (self.of(x), self.of(y)) {
                    (Stride::By(0), other) => scale(other, self.constant(x)),
                    (other, Stride::By(0)) => scale(other, self.constant(y)),
                    _ => Stride::Unknown,
                },
                Op::Unary(UnaryOp::Neg, x) => scale(self.of(x), Some(-1)),
                Op::Cast(to, x) if to.is_integer() && self.is_integer(x) => self.of(x),
                // The length that is checked says nothing of the index.
                Op::CheckIndex(x, _) | Op::AssumeIndex(x, _) => self.of(x),
                _ => {
                    let mut changes = false;
                    self.program
                        .for_each_read_of(stmt, &mut |read| changes |= self.of(read) != Stride::By(0));
                    if changes { Stride::Unknown } else { Stride::By(0) }
                }
            },
        };
        self.known.insert(value, stride);
        stride
    }

    fn constant(&self, value: Value) -> Option<i64> {
        match self.defs.op(self.program, value) {
            Some(Op::Const(Const::I64(number))) => Some(*number),
            _ => None,
        }
    }

    fn is_integer(&self, value: Value) -> bool {
        self.program.ty(value).as_scalar().is_some_and(|scalar| scalar.is_integer())
    }
}

fn add(x: Stride, y: Stride) -> Stride {
    match (x, y) {
        (Stride::By(x), Stride::By(y)) => Stride::By(x.wrapping_add(y)),
        (Stride::Fixed, Stride::By(_)) | (Stride::By(_), Stride::Fixed) => Stride::Fixed,
        _ => Stride::Unknown,
    }
}

/// `stride` times a number that does not change, if it is known.
fn scale(stride: Stride, factor: Option<i64>) -> Stride {
    match (stride, factor) {
        (Stride::By(stride), Some(factor)) => Stride::By(stride.wrapping_mul(factor)),
        (Stride::By(0), None) => Stride::By(0),
        (Stride::By(_) | Stride::Fixed, _) => Stride::Fixed,
        (Stride::Unknown, _) => Stride::Unknown,
    }
}
