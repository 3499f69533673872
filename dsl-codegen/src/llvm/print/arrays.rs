//! What is checked of arrays: shapes, coordinates, and spans of coordinates.

use weldment_core::ir::{Loc, Value};
use weldment_runtime::lang::domain::MOST_POINTS;

use super::builder::Operand;
use super::func::Func;
use crate::llvm::runtime::calls::Cause;

impl Func<'_, '_> {
    /// How many points there are in an array of these extents, if it can be one.
    pub(super) fn points(&mut self, extents: &[Value], loc: Loc) -> Operand {
        let most = MOST_POINTS;
        let extents: Vec<Operand> = extents.iter().map(|&extent| self.leaf(extent)).collect();
        let mut points: Option<Operand> = None;
        for extent in &extents {
            let none = self.text.def(format_args!("icmp ugt i64 {extent}, {most}"));
            self.raise_if(&none, Cause::NoShape, loc, &[extent]);
            points = Some(match points {
                None => extent.clone(),
                Some(points) => {
                    let wide = [&points, extent].map(|x| self.text.def(format_args!("zext i64 {x} to i128")));
                    let product = self.text.def(format_args!("mul i128 {}, {}", wide[0], wide[1]));
                    let beyond = most + 1;
                    let is_beyond = self.text.def(format_args!("icmp ugt i128 {product}, {most}"));
                    let number = self.text.def(format_args!("trunc i128 {product} to i64"));
                    self.text.def(format_args!("select i1 {is_beyond}, i64 {beyond}, i64 {number}"))
                }
            });
        }
        let points = points.expect("an array has axes");
        let too_many = self.text.def(format_args!("icmp ugt i64 {points}, {most}"));
        self.raise_if(&too_many, Cause::NoShape, loc, &[&extents[0]]);
        points
    }

    /// The numbers of a span.
    pub(super) fn numbers(&mut self, numbers: &[Value]) -> [Operand; 6] {
        std::array::from_fn(|number| self.leaf(numbers[number]))
    }

    /// How many coordinates there are in a span, all of which have to be on its axis.
    pub(super) fn span_len(&mut self, numbers: &[Value], loc: Loc) -> Operand {
        let [start, end, stride, lower, step, extent] = self.numbers(numbers);
        let none = self.text.def(format_args!("icmp slt i64 {stride}, 1"));
        self.raise_if(&none, Cause::NoStride, loc, &[&stride]);
        let some = self.text.def(format_args!("icmp sgt i64 {end}, {start}"));
        let distance = self.text.def(format_args!("sub i64 {end}, {start}"));
        // Strides before the last coordinate: without a sign, the distance is right whatever wraps.
        let before = self.text.def(format_args!("sub i64 {distance}, 1"));
        let before = self.text.def(format_args!("udiv i64 {before}, {stride}"));
        let count = self.text.def(format_args!("add i64 {before}, 1"));
        let count = self.text.def(format_args!("select i1 {some}, i64 {count}, i64 0"));
        let too_many = self.text.def(format_args!("icmp slt i64 {count}, 0"));
        self.raise_if(&too_many, Cause::NoStride, loc, &[&stride]);
        let to_last = self.text.def(format_args!("mul i64 {before}, {stride}"));
        let last = self.text.def(format_args!("add i64 {start}, {to_last}"));
        let several = self.text.def(format_args!("icmp sgt i64 {count}, 1"));
        let next = self.text.def(format_args!("add i64 {start}, {stride}"));
        for (at, is_one) in [(&start, &some), (&last, &some), (&next, &several)] {
            let [outside, _] = self.outside([at, &lower, &step, &extent]);
            let bad = self.text.def(format_args!("and i1 {is_one}, {outside}"));
            self.raise_if(&bad, Cause::Coordinate, loc, &[at, &lower, &step, &extent]);
        }
        count
    }

    /// The position of a coordinate along an axis, of which lower bound, step and extent follow.
    pub(super) fn axis_position(&mut self, [at, lower, step, extent]: [&str; 4], loc: Loc) -> Operand {
        let [outside, position] = self.outside([at, lower, step, extent]);
        self.raise_if(&outside, Cause::Coordinate, loc, &[at, lower, step, extent]);
        position
    }

    /// Whether a coordinate is none of an axis, and its position if it is one.
    fn outside(&mut self, [at, lower, step, extent]: [&str; 4]) -> [Operand; 2] {
        // A difference that wraps is beyond every extent.
        let distance = self.text.def(format_args!("sub i64 {at}, {lower}"));
        let before = self.text.current();
        let (divide, divided) = (self.text.label(), self.text.label());
        let one = self.text.def(format_args!("icmp eq i64 {step}, 1"));
        self.text.branch_often(&one, &divided, &divide);
        self.text.begin(&divide);
        let quotient = self.text.def(format_args!("sdiv i64 {distance}, {step}"));
        let back = self.text.def(format_args!("mul i64 {quotient}, {step}"));
        let uneven = self.text.def(format_args!("icmp ne i64 {back}, {distance}"));
        self.text.jump(&divided);
        self.text.begin(&divided);
        let position =
            self.text.def(format_args!("phi i64 [ {distance}, {before} ], [ {quotient}, {divide} ]"));
        let between = self.text.def(format_args!("phi i1 [ false, {before} ], [ {uneven}, {divide} ]"));
        let beyond = self.text.def(format_args!("icmp uge i64 {position}, {extent}"));
        [self.text.def(format_args!("or i1 {between}, {beyond}")), position]
    }
}
