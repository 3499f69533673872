//! `fuse`: arrays that have no point in common, and all points of some ranges together.
//!
//! Along an axis the coordinates of all arrays are a range: it begins at the least of them, ends at the greatest, and its step is the
//! distance from the least one to the next, which is the first or the second coordinate of some array. That arrays are on that range, that no
//! two of them have a point in common, and that they have as many points as the product of these ranges, is checked once: then each
//! point is one of exactly one array. What has no points takes no part.

use super::Lower;
use super::view::{Along, Axis, Number, Piece, Place, Rest, View};
use crate::ir::{BinaryOp, CompareOp, Loc, Op, Value, Zip};

/// What is known of an axis of one array.
#[derive(Clone, Copy)]
struct Part {
    lower: Value,
    step: Value,
    last: Value,
    extent: Value,
    /// Whether there is a second coordinate.
    several: Value,
}

impl Lower {
    /// `fuse(a, b, …)`
    pub(super) fn fused(&mut self, views: Vec<View>, loc: Loc) -> View {
        let count = views[0].axes.len();
        let (zero, one) = (self.builder.constant(0i64, loc), self.builder.constant(1i64, loc));
        let mut parts: Vec<Vec<Part>> = Vec::new();
        let mut points = Vec::new();
        for view in &views {
            let axes: Vec<Part> = view.axes.iter().map(|axis| self.part(axis, loc)).collect();
            let extents = axes.iter().map(|part| part.extent);
            let all = extents.reduce(|x, y| self.builder.binary(BinaryOp::Mul, x, y, loc));
            points.push(all.expect("an axis at least"));
            parts.push(axes);
        }
        let there: Vec<Value> =
            points.iter().map(|&points| self.builder.compare(CompareOp::Gt, points, zero, loc)).collect();
        let covered = points.iter().copied().reduce(|x, y| self.builder.binary(BinaryOp::Add, x, y, loc));
        let covered = covered.expect("two arrays at least");
        let is_some = self.builder.compare(CompareOp::Gt, covered, zero, loc);

        // The ranges, and whether all arrays are on them.
        let mut is_wrong = self.builder.constant(false, loc);
        let mut axes = Vec::new();
        for axis in 0..count {
            let of: Vec<Axis> = views.iter().map(|view| view.axes[axis]).collect();
            if of.iter().all(|other| other == &of[0] && other.extent.is_some()) {
                axes.push(of[0]);
                continue;
            }
            let along: Vec<Part> = parts.iter().map(|parts| parts[axis]).collect();
            let [lower, step, last] = self.range_of(&along, &there, loc);
            for (part, &there) in along.iter().zip(&there) {
                let away = self.builder.binary(BinaryOp::Sub, part.lower, lower, loc);
                let rest = self.builder.binary(BinaryOp::Rem, away, step, loc);
                let begins = self.builder.compare(CompareOp::Ne, rest, zero, loc);
                let rest = self.builder.binary(BinaryOp::Rem, part.step, step, loc);
                let goes_on = self.builder.compare(CompareOp::Ne, rest, zero, loc);
                let goes_on = self.builder.binary(BinaryOp::And, goes_on, part.several, loc);
                let is_off = self.builder.binary(BinaryOp::Or, begins, goes_on, loc);
                let is_off = self.builder.binary(BinaryOp::And, is_off, there, loc);
                is_wrong = self.builder.binary(BinaryOp::Or, is_wrong, is_off, loc);
            }
            let away = self.builder.binary(BinaryOp::Sub, last, lower, loc);
            let extent = self.builder.binary(BinaryOp::Div, away, step, loc);
            let extent = self.builder.binary(BinaryOp::Add, extent, one, loc);
            let mut or_first = |value, first| self.builder.push(Op::Select(is_some, value, first), loc);
            let lower = or_first(lower, along[0].lower);
            let extent = or_first(extent, along[0].extent);
            let step = or_first(step, along[0].step);
            let several = self.builder.compare(CompareOp::Gt, extent, one, loc);
            let step = self.builder.push(Op::Select(several, step, one), loc);
            axes.push(Axis::of_values(lower, step, extent));
        }
        for (number, part) in parts.iter().enumerate() {
            for (other, before) in parts[..number].iter().enumerate() {
                let mut meet = self.builder.binary(BinaryOp::And, there[number], there[other], loc);
                for axis in 0..count {
                    if views[number].axes[axis] != views[other].axes[axis] {
                        let meets = self.meet(&part[axis], &before[axis], loc);
                        meet = self.builder.binary(BinaryOp::And, meet, meets, loc);
                    }
                }
                is_wrong = self.builder.binary(BinaryOp::Or, is_wrong, meet, loc);
            }
        }
        self.check_covered(&mut axes, &views, covered, is_wrong, loc);
        self.of_parts(views, axes, loc)
    }

    fn part(&mut self, axis: &Axis, loc: Loc) -> Part {
        let extent = self.extent_of(axis, loc);
        let one = self.builder.constant(1i64, loc);
        let last = self.builder.binary(BinaryOp::Sub, extent, one, loc);
        let last = self.coordinate(axis, last, loc);
        let several = self.builder.compare(CompareOp::Gt, extent, one, loc);
        Part { lower: self.number(axis.lower, loc), step: self.number(axis.step, loc), last, extent, several }
    }

    /// The least coordinate of those that are there, the distance to the next one, and the greatest.
    fn range_of(&mut self, parts: &[Part], there: &[Value], loc: Loc) -> [Value; 3] {
        let least = self.builder.constant(i64::MIN, loc);
        let greatest = self.builder.constant(i64::MAX, loc);
        let zero = self.builder.constant(0i64, loc);
        let (mut lower, mut last) = (greatest, least);
        for (part, &there) in parts.iter().zip(there) {
            let own = self.builder.push(Op::Select(there, part.lower, greatest), loc);
            lower = self.builder.binary(BinaryOp::Min, lower, own, loc);
            let own = self.builder.push(Op::Select(there, part.last, least), loc);
            last = self.builder.binary(BinaryOp::Max, last, own, loc);
        }
        let mut step = greatest;
        for (part, &there) in parts.iter().zip(there) {
            // The first coordinate of this array behind the least one, if there is any.
            let away = self.builder.binary(BinaryOp::Sub, part.lower, lower, loc);
            let is_first = self.builder.compare(CompareOp::Eq, away, zero, loc);
            let next = self.builder.push(Op::Select(part.several, part.step, greatest), loc);
            let away = self.builder.push(Op::Select(is_first, next, away), loc);
            let away = self.builder.push(Op::Select(there, away, greatest), loc);
            step = self.builder.binary(BinaryOp::Min, step, away, loc);
        }
        let one = self.builder.constant(1i64, loc);
        [lower, self.builder.binary(BinaryOp::Max, step, one, loc), last]
    }

    /// Whether two axes have a coordinate in common, of which one has a step that is a multiple of that of the other; else whether they
    /// may have one.
    fn meet(&mut self, x: &Part, y: &Part, loc: Loc) -> Value {
        let one = self.builder.constant(1i64, loc);
        let zero = self.builder.constant(0i64, loc);
        // A single coordinate has the step of the other axis.
        let [x_step, y_step] = [(x, y), (y, x)].map(|(part, other)| {
            let step = self.builder.push(Op::Select(part.several, part.step, other.step), loc);
            self.builder.binary(BinaryOp::Max, step, one, loc)
        });
        let less = self.builder.binary(BinaryOp::Min, x_step, y_step, loc);
        let more = self.builder.binary(BinaryOp::Max, x_step, y_step, loc);
        let rest = self.builder.binary(BinaryOp::Rem, more, less, loc);
        let is_multiple = self.builder.compare(CompareOp::Eq, rest, zero, loc);
        let away = self.builder.binary(BinaryOp::Sub, x.lower, y.lower, loc);
        let rest = self.builder.binary(BinaryOp::Rem, away, less, loc);
        let aligned = self.builder.compare(CompareOp::Eq, rest, zero, loc);
        // The first coordinate of the wider step from where both have begun, which has to be before either ends.
        let is_wide = self.builder.compare(CompareOp::Ge, x_step, y_step, loc);
        let begin = self.builder.push(Op::Select(is_wide, x.lower, y.lower), loc);
        let from = self.builder.binary(BinaryOp::Max, x.lower, y.lower, loc);
        let to = self.builder.binary(BinaryOp::Min, x.last, y.last, loc);
        let away = self.builder.binary(BinaryOp::Sub, from, begin, loc);
        let away = self.builder.binary(BinaryOp::Add, away, more, loc);
        let away = self.builder.binary(BinaryOp::Sub, away, one, loc);
        let steps = self.builder.binary(BinaryOp::Div, away, more, loc);
        let away = self.builder.binary(BinaryOp::Mul, steps, more, loc);
        let first = self.builder.binary(BinaryOp::Add, begin, away, loc);
        let exactly = self.builder.compare(CompareOp::Le, first, to, loc);
        let exactly = self.builder.binary(BinaryOp::And, exactly, aligned, loc);
        let about = self.builder.compare(CompareOp::Le, from, to, loc);
        self.builder.push(Op::Select(is_multiple, exactly, about), loc)
    }

    /// Checks that so many points are all that there are along these axes, and that nothing is wrong; all that runs along the axes
    /// depends on it.
    fn check_covered(
        &mut self,
        axes: &mut [Axis],
        views: &[View],
        covered: Value,
        is_wrong: Value,
        loc: Loc,
    ) {
        let (zero, one) = (self.builder.constant(0i64, loc), self.builder.constant(1i64, loc));
        let extents: Vec<Value> = axes.iter().map(|axis| self.extent_of(axis, loc)).collect();
        // No more than an array may have: their product does not wrap.
        let first = self.builder.push(Op::CheckExtents(extents.clone()), loc);
        let others = extents[1..].iter().copied();
        let points = others.fold(first, |x, y| self.builder.binary(BinaryOp::Mul, x, y, loc));
        // Of arrays with a common point one at least is missing elsewhere.
        let fewer = self.builder.binary(BinaryOp::Sub, points, one, loc);
        let fewer = self.builder.binary(BinaryOp::Min, covered, fewer, loc);
        let is_more = self.builder.compare(CompareOp::Gt, covered, points, loc);
        let fewer = self.builder.push(Op::Select(is_more, covered, fewer), loc);
        let found = self.builder.push(Op::Select(is_wrong, fewer, covered), loc);
        let checked = self.builder.push(Op::ZipLen(Zip::Extents, vec![found, points]), loc);
        let all = self.builder.constant(i64::MAX, loc);
        let is_checked = self.builder.compare(CompareOp::Ge, checked, zero, loc);
        let most = self.builder.push(Op::Select(is_checked, all, zero), loc);
        for (number, axis) in axes.iter_mut().enumerate() {
            let is_common = views.iter().all(|view| view.axes[number] == *axis);
            if !is_common || number == 0 {
                axis.extent = Some(self.builder.binary(BinaryOp::Min, extents[number], most, loc));
            }
        }
    }

    /// The array of these axes that has at each point what one of the views has there.
    fn of_parts(&mut self, views: Vec<View>, axes: Vec<Axis>, loc: Loc) -> View {
        let mut pieces: Vec<Piece> = Vec::new();
        let plain: Vec<bool> = (0..axes.len())
            .map(|axis| views.iter().all(|view| view.axes[axis].step == Number::ONE))
            .collect();
        for view in views {
            let mut places = Vec::new();
            for (number, (whole, part)) in axes.iter().zip(&view.axes).enumerate() {
                let extent = self.extent_of(part, loc);
                let is_same = (whole.lower, whole.step) == (part.lower, part.step) && whole.grid == part.grid;
                if is_same {
                    places.push(None);
                } else if plain[number] {
                    // Where there are several coordinates in steps of 1, those of the whole are in steps of 1, too.
                    let away = self.difference(part.lower, whole.lower, loc);
                    let (away, step) = (self.number(away, loc), self.number(whole.step, loc));
                    let first = Number::of(self.builder.binary(BinaryOp::Div, away, step, loc));
                    let along = Along::Position;
                    places.push(Some(Place { along, first, stride: Number::ONE, extent }));
                } else {
                    let stride = self.stride_of(part);
                    places.push(Some(Place {
                        along: Along::Coordinate(*whole),
                        first: part.lower,
                        stride,
                        extent,
                    }));
                }
            }
            pieces.push(Piece { view, places });
        }
        let last = pieces.pop().expect("two arrays at least");
        View::of_pieces(pieces, Rest::Last(last), axes)
    }

    /// The step of an axis, if it has several coordinates: of one any number is right.
    fn stride_of(&self, axis: &Axis) -> Number {
        let Some(step) = axis.step.base else { return axis.step };
        match self.builder.op(step) {
            Some(&Op::Select(is_several, several, one))
                if self.known(one) == Some(1)
                    && axis.step.plus == 0
                    && self.tells_several(is_several, axis) =>
            {
                self.number_of(several)
            }
            _ => axis.step,
        }
    }

    /// Whether this says that there are several coordinates along the axis, and not along one that it has the step of.
    fn tells_several(&self, is_several: Value, axis: &Axis) -> bool {
        match self.builder.op(is_several) {
            Some(&Op::Compare(CompareOp::Gt, extent, one)) => {
                axis.extent == Some(extent) && self.known(one) == Some(1)
            }
            _ => false,
        }
    }
}
