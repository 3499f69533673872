//! What arrays must agree in that are computed or put together by their coordinates.

use super::Lower;
use super::view::{Axis, Number};
use crate::ir::{CompareOp, Loc, Op, Value, Zip};

impl Lower {
    /// The axis that all of these are, of which the extents are known: they must have the same coordinates.
    ///
    /// Whoever reads the elements asks for the extent alone, so that what is checked is part of it.
    pub(super) fn agreed_axis(&mut self, axes: &[Axis], loc: Loc) -> Axis {
        let (axis, others) = (axes[0], &axes[1..]);
        let mut checked = Vec::new();
        for other in others {
            for (number, of) in [(axis.lower, other.lower), (axis.step, other.step)] {
                if number != of {
                    checked.push(self.agreed(number, of, loc));
                }
            }
        }
        let mut extents: Vec<Value> = axes.iter().filter_map(|axis| axis.extent).collect();
        extents.dedup();
        let extent = extents[0];
        for number in checked {
            // It is, but only of a number that there is.
            let (number, least) = (self.number(number, loc), self.builder.constant(i64::MIN, loc));
            let is_number = self.builder.compare(CompareOp::Ge, number, least, loc);
            let none = self.builder.constant(-1i64, loc);
            extents.push(self.builder.push(Op::Select(is_number, extent, none), loc));
        }
        let extent = match extents[..] {
            [extent] => extent,
            _ => self.builder.push(Op::ZipLen(Zip::Extents, extents), loc),
        };
        Axis { extent: Some(extent), ..axis }
    }

    /// The one of two numbers that must be equal.
    pub(super) fn agreed(&mut self, x: Number, y: Number, loc: Loc) -> Number {
        if x == y {
            return x;
        }
        let both = vec![self.number(x, loc), self.number(y, loc)];
        Number::of(self.builder.push(Op::ZipLen(Zip::Extents, both), loc))
    }
}
