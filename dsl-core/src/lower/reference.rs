//! Views whose coordinates are affine in those of other arrays: `reference` and `spread`.

use super::Lower;
use super::view::{At, Axis, Map, Number, View};
use crate::infer::typed::{Coordinate, Expr};
use crate::ir::{BinaryOp, CompareOp, Loc, Op, Value, Zip};

/// The greatest step that spreading makes.
const MOST_SPREAD: i64 = 1 << 62;

impl Lower {
    /// The array that has at each point what this has at these coordinates, at all points where it has them.
    pub(super) fn reference_array(
        &mut self,
        mut view: View,
        coordinates: &[Coordinate],
        offsets: &[Expr],
        axes: usize,
        loc: Loc,
    ) -> View {
        let mut offsets = offsets.iter();
        let mut fixed = Vec::new();
        for (axis, coordinate) in coordinates.iter().enumerate() {
            let mut plus = Number::known(coordinate.plus);
            if coordinate.is_moved {
                let offset = self.value(offsets.next().expect("as many as are moved"));
                let offset = self.index(offset, loc);
                plus = self.sum(plus, Number::of(offset), loc);
            }
            match coordinate.index {
                Some(_) => view = self.unmapped(view, axis, plus, coordinate.scale, loc),
                None => fixed.push((axis, plus)),
            }
        }
        // The axes of the result, in the order of the indices.
        let mut found: Vec<Option<usize>> = vec![None; axes];
        let mut onto: Vec<usize> = vec![0; coordinates.len()];
        for (axis, coordinate) in coordinates.iter().enumerate() {
            let Some(index) = coordinate.index else { continue };
            onto[axis] = index;
            // What no extent limits joins what one does.
            match found[index] {
                Some(other) if view.axes[axis].extent.is_some() && view.axes[other].extent.is_some() => {
                    view = self.with_common(view, other, axis, loc);
                }
                Some(_) if view.axes[axis].extent.is_none() => {}
                _ => found[index] = Some(axis),
            }
        }
        let none = || Axis::from(Number::ZERO, None);
        let mut into: Vec<Axis> =
            found.iter().map(|axis| axis.map_or_else(none, |axis| view.axes[axis])).collect();
        for (axis, plus) in fixed {
            let limited = into.iter().position(|axis| axis.extent.is_some());
            onto[axis] = limited.unwrap_or(0);
            view = match limited {
                Some(limited) => self.fixed_inside(view, axis, plus, &mut into[limited], loc),
                // Nothing can tell that there are no points.
                None => self.fixed_or_fault(view, axis, plus, loc),
            };
        }
        for stored in &mut view.stored {
            if let At::Axis(number, _) = &mut stored.at {
                *number = onto[*number];
            }
        }
        View { axes: into, whole: None, ..view }
    }

    /// The view along whose axis i is what was at the coordinate `plus + i * scale`.
    fn unmapped(&mut self, mut view: View, axis: usize, plus: Number, scale: i64, loc: Loc) -> View {
        let of = view.axes[axis];
        if of.extent.is_none() || (plus, scale) == (Number::ZERO, 1) {
            return view;
        }
        let factor = scale.abs();
        let mut stride = of.step;
        if factor != 1 {
            let (start, end, step) = self.multiples(&of, plus, factor, loc);
            stride = self.quotient(self.number_of(step), factor, loc);
            view = self.spanned(view, axis, [start, end, step], loc);
        }
        if scale < 0 {
            view = self.reverse_array(view, &[axis], loc);
        }
        let of = view.axes[axis];
        let extent = self.extent_of(&of, loc);
        let first = if scale < 0 {
            let one = self.builder.constant(1i64, loc);
            let last = self.builder.binary(BinaryOp::Sub, extent, one, loc);
            let last = self.coordinate(&of, last, loc);
            self.difference(plus, self.number_of(last), loc)
        } else {
            self.difference(of.lower, plus, loc)
        };
        let lower = self.quotient(first, factor, loc);
        let step = match stride {
            Number::ONE => Number::ONE,
            stride if factor == 1 => stride,
            stride => {
                let stride = self.number(stride, loc);
                self.step_of(stride, extent, loc)
            }
        };
        let into = self.axis_from(lower, step, extent, loc);
        self.along(view, axis, into, None)
    }

    /// An axis of which no other one has the positions.
    fn axis_from(&mut self, lower: Number, step: Number, extent: Value, loc: Loc) -> Axis {
        if step == Number::ONE {
            return Axis::from(lower, Some(extent));
        }
        let begin = self.number(lower, loc);
        Axis { lower, step, ..Axis::of_values(begin, begin, extent) }
    }

    /// `number / by`, which leaves no rest.
    fn quotient(&mut self, number: Number, by: i64, loc: Loc) -> Number {
        match number.get() {
            _ if by == 1 => number,
            // Of no coordinates the first one need not be a multiple.
            Some(known) => Number::known(known.div_euclid(by)),
            None => {
                let (number, by) = (self.number(number, loc), self.builder.constant(by, loc));
                Number::of(self.builder.binary(BinaryOp::Div, number, by, loc))
            }
        }
    }

    /// Of the coordinates of an axis those of the form `plus + i * factor`: the first of them, what is behind the last coordinate, and
    /// the distance from one of them to the next.
    fn multiples(&mut self, of: &Axis, plus: Number, factor: i64, loc: Loc) -> (Value, Value, Value) {
        let end = self.behind(of, loc);
        let away = self.difference(plus, of.lower, loc);
        let lower = self.number(of.lower, loc);
        if of.step == Number::ONE {
            let away = self.modulo(away, factor, loc);
            let start = self.sum(of.lower, away, loc);
            return (self.number(start, loc), end, self.builder.constant(factor, loc));
        }
        // Of `lower + step * k` those where `step * k` is `away` modulo the factor: every `factor / g` positions one, where g is the
        // greatest common divisor of both, if `away` is a multiple of that.
        let step = self.number(of.step, loc);
        let rest = self.modulo(of.step, factor, loc);
        let (divisor, inverse) = self.euclid(factor, rest, loc);
        let factor = self.builder.constant(factor, loc);
        let period = self.builder.binary(BinaryOp::Div, factor, divisor, loc);
        let away = self.number(away, loc);
        let rest = self.builder.binary(BinaryOp::Rem, away, divisor, loc);
        let away = self.builder.binary(BinaryOp::Div, away, divisor, loc);
        let away = self.remainder(away, period, loc);
        let inverse = self.remainder(inverse, period, loc);
        let position = self.builder.binary(BinaryOp::Mul, away, inverse, loc);
        let position = self.builder.binary(BinaryOp::Rem, position, period, loc);
        let start = self.builder.binary(BinaryOp::Mul, position, step, loc);
        let start = self.builder.binary(BinaryOp::Add, lower, start, loc);
        let stride = self.builder.binary(BinaryOp::Mul, step, period, loc);
        let zero = self.builder.constant(0i64, loc);
        let is_multiple = self.builder.compare(CompareOp::Eq, rest, zero, loc);
        let end = self.builder.push(Op::Select(is_multiple, end, start), loc);
        (start, end, stride)
    }

    /// A number modulo a positive one, from 0 on.
    fn modulo(&mut self, number: Number, by: i64, loc: Loc) -> Number {
        if let Some(known) = number.get() {
            return Number::known(known.rem_euclid(by));
        }
        let (number, by) = (self.number(number, loc), self.builder.constant(by, loc));
        Number::of(self.remainder(number, by, loc))
    }

    fn remainder(&mut self, number: Value, by: Value, loc: Loc) -> Value {
        let rest = self.builder.binary(BinaryOp::Rem, number, by, loc);
        let rest = self.builder.binary(BinaryOp::Add, rest, by, loc);
        self.builder.binary(BinaryOp::Rem, rest, by, loc)
    }

    /// The greatest common divisor of a constant and a number below it that is not negative, and what times the number is that divisor,
    /// modulo the constant. As many steps as such numbers can take are written one after the other.
    fn euclid(&mut self, factor: i64, number: Number, loc: Loc) -> (Value, Value) {
        let (zero, one) = (self.builder.constant(0i64, loc), self.builder.constant(1i64, loc));
        let mut rests = (self.builder.constant(factor, loc), self.number(number, loc));
        let mut inverses = (zero, one);
        // Fibonacci numbers take the most.
        let mut fibonacci = (1i64, 2i64);
        while fibonacci.0 < factor {
            fibonacci = (fibonacci.1, fibonacci.0 + fibonacci.1);
            let goes_on = self.builder.compare(CompareOp::Gt, rests.1, zero, loc);
            let divisor = self.builder.binary(BinaryOp::Max, rests.1, one, loc);
            let quotient = self.builder.binary(BinaryOp::Div, rests.0, divisor, loc);
            let next = |this: &mut Self, (first, second): (Value, Value)| {
                let product = this.builder.binary(BinaryOp::Mul, quotient, second, loc);
                let rest = this.builder.binary(BinaryOp::Sub, first, product, loc);
                let mut chosen = |x, y| this.builder.push(Op::Select(goes_on, x, y), loc);
                (chosen(second, first), chosen(rest, second))
            };
            (rests, inverses) = (next(self, rests), next(self, inverses));
        }
        // Of a constant of 1 more steps would be none; where the last rest is not 0, it is the divisor.
        let goes_on = self.builder.compare(CompareOp::Gt, rests.1, zero, loc);
        let mut chosen = |x, y| self.builder.push(Op::Select(goes_on, x, y), loc);
        (chosen(rests.1, rests.0), chosen(inverses.1, inverses.0))
    }

    /// Where an index stands for two coordinates: both axes with the coordinates that both have, of equal steps.
    fn with_common(&mut self, mut view: View, first: usize, second: usize, loc: Loc) -> View {
        let (x, y) = (view.axes[first], view.axes[second]);
        if (x.lower, x.step, x.extent) == (y.lower, y.step, y.extent) {
            return view;
        }
        let step = self.agreed(x.step, y.step, loc);
        let lowers = [x.lower, y.lower].map(|lower| self.number(lower, loc));
        let mut start = self.builder.binary(BinaryOp::Max, lowers[0], lowers[1], loc);
        if step != Number::ONE {
            let away = self.difference(y.lower, x.lower, loc);
            let (away, step) = (self.number(away, loc), self.number(step, loc));
            let rest = self.builder.binary(BinaryOp::Rem, away, step, loc);
            let rest = self.agreed(Number::ZERO, Number::of(rest), loc);
            let rest = self.number(rest, loc);
            start = self.builder.binary(BinaryOp::Add, start, rest, loc);
        }
        let ends = [self.behind(&x, loc), self.behind(&y, loc)];
        let end = self.builder.binary(BinaryOp::Min, ends[0], ends[1], loc);
        let stride = self.number(step, loc);
        for axis in [first, second] {
            view = self.spanned(view, axis, [start, end, stride], loc);
        }
        let counts = [first, second].map(|axis| self.extent_of(&view.axes[axis], loc));
        let extent = self.builder.push(Op::ZipLen(Zip::Extents, counts.into()), loc);
        view.axes[first].extent = Some(extent);
        for stored in &mut view.stored {
            if let At::Axis(number, _) = &mut stored.at
                && *number == second
            {
                *number = first;
            }
        }
        view
    }

    /// The coordinate `at` of an axis, where it has that; without it there are no points along `limited`.
    fn fixed_inside(&mut self, view: View, axis: usize, at: Number, limited: &mut Axis, loc: Loc) -> View {
        let of = view.axes[axis];
        let Some(extent) = of.extent else { return view };
        let zero = self.builder.constant(0i64, loc);
        let away = self.difference(at, of.lower, loc);
        let (away, step) = (self.number(away, loc), self.number(of.step, loc));
        let position = self.builder.binary(BinaryOp::Div, away, step, loc);
        let rest = self.builder.binary(BinaryOp::Rem, away, step, loc);
        let inside = [
            self.builder.compare(CompareOp::Ge, away, zero, loc),
            self.builder.compare(CompareOp::Lt, position, extent, loc),
            self.builder.compare(CompareOp::Eq, rest, zero, loc),
        ];
        let inside = inside.into_iter().reduce(|x, y| self.builder.binary(BinaryOp::And, x, y, loc));
        let all = self.builder.constant(i64::MAX, loc);
        let most = self.builder.push(Op::Select(inside.expect("three conditions"), all, zero), loc);
        let points = self.extent_of(limited, loc);
        let points = self.builder.binary(BinaryOp::Min, points, most, loc);
        if limited.step != Number::ONE {
            let step = self.number(limited.step, loc);
            limited.step = self.step_of(step, points, loc);
        }
        limited.extent = Some(points);
        let map = Map { offset: position, scale: zero, within: Some(extent) };
        self.along(view, axis, of, Some(map))
    }

    fn fixed_or_fault(&mut self, mut view: View, axis: usize, at: Number, loc: Loc) -> View {
        let of = view.axes[axis];
        if of.extent.is_none() {
            return view;
        }
        let at = self.number(at, loc);
        let position = self.position(&of, at, loc);
        for number in 0..view.stored.len() {
            let At::Axis(found, maps) = view.stored[number].at.clone() else { continue };
            if found == axis {
                view.stored[number].at = At::Fixed(self.mapped(position, &maps, loc));
            }
        }
        view
    }

    /// The first axes with coordinates that are multiplied.
    pub(super) fn spread_array(&mut self, mut view: View, numbers: &[Expr], loc: Loc) -> View {
        for (axis, of, number, extent) in self.of_axes(&view, numbers, loc) {
            let is_near = |known: &i64| (1..=MOST_SPREAD).contains(known);
            let factor = match (self.known(number).filter(is_near), of.step) {
                (Some(known), Number::ONE) => Number::known(known),
                _ => {
                    // At least 1, and so that steps are numbers.
                    let one = self.builder.constant(1i64, loc);
                    let (most, step) = (self.builder.constant(MOST_SPREAD, loc), self.number(of.step, loc));
                    let most = self.builder.binary(BinaryOp::Div, most, step, loc);
                    let fits = self.builder.binary(BinaryOp::Min, number, most, loc);
                    let fits = self.builder.binary(BinaryOp::Max, fits, one, loc);
                    self.agreed(Number::of(number), Number::of(fits), loc)
                }
            };
            if of.extent.is_none() || factor == Number::ONE {
                continue;
            }
            let (lower, step) = (self.product(of.lower, factor, loc), self.product(of.step, factor, loc));
            let step = self.number(step, loc);
            let step = self.step_of(step, extent, loc);
            let into = self.axis_from(lower, step, extent, loc);
            view = self.along(view, axis, into, None);
        }
        view
    }
}
