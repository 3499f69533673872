//! Views of arrays: which positions of another array they read.

use super::Lower;
use super::view::{At, Axis, Grid, Map, Number, View};
use crate::infer::typed::{Expr, Subscript};
use crate::ir::{BinaryOp, CompareOp, Loc, Op, SpanPart, Value, Zip};

impl Lower {
    /// The array in which `axis` is as `into`, whose positions are `map`ped to those of now.
    pub(super) fn along(&self, view: View, axis: usize, into: Axis, map: Option<Map>) -> View {
        let mut view = View { whole: None, ..view };
        view.axes[axis] = into;
        for stored in &mut view.stored {
            if let At::Axis(number, maps) = &mut stored.at
                && *number == axis
            {
                maps.splice(0..0, map.clone());
            }
        }
        view
    }

    /// An argument along some of whose axes there must be so many elements.
    ///
    /// Loops run over the numbers that are wanted. That their reads are inside the vector is what its shape by these numbers says; that the
    /// argument has these extents is checked before, and always.
    pub(super) fn checked_array(&mut self, view: View, extents: &[Option<i64>], loc: Loc) -> View {
        let vector = view.vector();
        let mut axes = view.axes.clone();
        for (axis, wanted) in axes.iter_mut().zip(extents) {
            let Some(wanted) = *wanted else { continue };
            let extent = self.extent_of(axis, loc);
            let wanted = self.builder.constant(wanted, loc);
            let checked = self.builder.push(Op::ZipLen(Zip::Arguments, vec![extent, wanted]), loc);
            axis.extent = Some(if vector.is_some() { wanted } else { checked });
        }
        let Some(vector) = vector else { return View { whole: None, axes, ..view } };
        let extents = axes.iter().filter_map(|axis| axis.extent).collect();
        let vector = self.builder.push(Op::Shape(vector, extents), loc);
        View { whole: view.whole, ..View::of_vector(vector, axes) }
    }

    /// The positions of a span, whose numbers are start, end, and stride, of an axis.
    pub(super) fn spanned(
        &mut self,
        view: View,
        axis: usize,
        [start, end, stride]: [Value; 3],
        loc: Loc,
    ) -> View {
        let of = view.axes[axis];
        let extent = self.extent_of(&of, loc);
        let (lower, step) = (self.number(of.lower, loc), self.number(of.step, loc));
        let numbers = vec![start, end, stride, lower, step, extent];
        let count = self.builder.push(Op::SpanLen(numbers.clone()), loc);
        let (offset, scale) = if of.is_plain() {
            (start, stride)
        } else {
            let mut part = |part| self.builder.push(Op::Span(part, numbers.clone()), loc);
            (part(SpanPart::Start), part(SpanPart::Stride))
        };
        let (lower, step) = (self.number_of(start), self.step_of(stride, count, loc));
        let grid = self.part_of_grid(&of, lower, [offset, scale], loc);
        let into = Axis { lower, step, extent: Some(count), grid };
        self.along(view, axis, into, Some(Map { offset, scale, within: None }))
    }

    /// Of an axis the positions `offset + k * scale`, the first of which has the coordinate `lower`.
    fn part_of_grid(&mut self, of: &Axis, lower: Number, [offset, scale]: [Value; 2], loc: Loc) -> Grid {
        let (offset, scale) = (self.number_of(offset), self.number_of(scale));
        let stride = self.product(of.grid.stride, scale, loc);
        let first = if of.grid.of.is_none() {
            lower
        } else {
            let offset = self.product(of.grid.stride, offset, loc);
            self.sum(of.grid.first, offset, loc)
        };
        Grid { of: of.grid.of, first, stride }
    }

    /// The step of an axis of so many coordinates: one coordinate has no next one.
    pub(super) fn step_of(&mut self, stride: Value, count: Value, loc: Loc) -> Number {
        if self.known(stride) == Some(1) {
            return Number::ONE;
        }
        let one = self.builder.constant(1i64, loc);
        let several = self.builder.compare(CompareOp::Gt, count, one, loc);
        Number::of(self.builder.push(Op::Select(several, stride, one), loc))
    }

    /// The numbers of the first axes, each with the axis, its number and its extent.
    pub(super) fn of_axes(
        &mut self,
        view: &View,
        numbers: &[Expr],
        loc: Loc,
    ) -> Vec<(usize, Axis, Value, Value)> {
        let mut all = Vec::new();
        for (axis, number) in numbers.iter().enumerate() {
            let number = self.value(number);
            let number = self.index(number, loc);
            let of = view.axes[axis];
            all.push((axis, of, number, self.extent_of(&of, loc)));
        }
        all
    }

    /// `a[lo..hi step s, i, ..]`, of the numbers that are written.
    pub(super) fn slice_array(
        &mut self,
        mut view: View,
        subscripts: &[Subscript],
        numbers: &[Expr],
        loc: Loc,
    ) -> View {
        let mut numbers = numbers.iter();
        let mut next = |this: &mut Self| {
            let number = this.value(numbers.next().expect("as many as are written"));
            this.index(number, loc)
        };
        let mut fixed = Vec::new();
        for (axis, subscript) in subscripts.iter().enumerate() {
            match *subscript {
                Subscript::At => fixed.push((axis, next(self))),
                Subscript::Range { start: false, end: false, step: false } => {}
                Subscript::Range { start, end, step } => {
                    let of = view.axes[axis];
                    let start = if start { next(self) } else { self.number(of.lower, loc) };
                    let end = if end { next(self) } else { self.behind(&of, loc) };
                    let stride = if step { next(self) } else { self.builder.constant(1i64, loc) };
                    view = self.spanned(view, axis, [start, end, stride], loc);
                }
            }
        }
        for (axis, coordinate) in fixed.into_iter().rev() {
            let position = self.position(&view.axes[axis], coordinate, loc);
            view = self.fixed(view, axis, position, loc);
        }
        view
    }

    /// The coordinate behind the last one of an axis.
    pub(super) fn behind(&mut self, axis: &Axis, loc: Loc) -> Value {
        let extent = self.extent_of(axis, loc);
        if axis.is_plain() {
            return extent;
        }
        // `lower + step * (extent - 1) + 1`, which is right of no coordinates, too: nothing is behind the lower bound.
        let one = self.builder.constant(1i64, loc);
        let last = self.builder.binary(BinaryOp::Sub, extent, one, loc);
        let last = self.coordinate(axis, last, loc);
        self.builder.binary(BinaryOp::Add, last, one, loc)
    }

    /// The first positions of the first axes, as many as the numbers say, or the last ones where they are negative; or all but
    /// these, if `drops`.
    pub(super) fn take_array(&mut self, mut view: View, numbers: &[Expr], drops: bool, loc: Loc) -> View {
        for (axis, of, number, extent) in self.of_axes(&view, numbers, loc) {
            let zero = self.builder.constant(0i64, loc);
            let is_negative = self.builder.compare(CompareOp::Lt, number, zero, loc);
            // Of n coordinates the first k, or those from n - k on: never more than there are.
            let least = self.builder.unary(crate::ir::UnaryOp::Neg, extent, loc);
            let clamped = self.builder.binary(BinaryOp::Max, number, least, loc);
            let clamped = self.builder.binary(BinaryOp::Min, clamped, extent, loc);
            let from_end = self.builder.binary(BinaryOp::Add, extent, clamped, loc);
            let split = self.builder.push(Op::Select(is_negative, from_end, clamped), loc);
            let (low, high) = (zero, extent);
            let takes_high = if drops {
                self.builder.unary(crate::ir::UnaryOp::Not, is_negative, loc)
            } else {
                is_negative
            };
            let start = self.builder.push(Op::Select(takes_high, split, low), loc);
            let end = self.builder.push(Op::Select(takes_high, high, split), loc);
            // In positions: where the axis begins does not matter.
            let one = self.builder.constant(1i64, loc);
            let numbers = vec![start, end, one, zero, one, extent];
            let count = self.builder.push(Op::SpanLen(numbers), loc);
            let lower = if of.is_plain() { start } else { self.coordinate(&of, start, loc) };
            let lower = self.number_of(lower);
            let step = self.number(of.step, loc);
            let step = self.step_of(step, count, loc);
            let grid = self.part_of_grid(&of, lower, [start, one], loc);
            let into = Axis { lower, step, extent: Some(count), grid };
            view = self.along(view, axis, into, Some(Map { offset: start, scale: one, within: None }));
        }
        view
    }

    /// These axes the other way round.
    pub(super) fn reverse_array(&mut self, mut view: View, axes: &[usize], loc: Loc) -> View {
        for &axis in axes {
            let of = view.axes[axis];
            let extent = self.extent_of(&of, loc);
            let one = self.builder.constant(1i64, loc);
            let offset = self.builder.binary(BinaryOp::Sub, extent, one, loc);
            let scale = self.builder.constant(-1i64, loc);
            view = self.along(view, axis, of, Some(Map { offset, scale, within: None }));
        }
        view
    }

    /// The first axes turned: position i is i + n of now, and what would be behind the end is at the beginning.
    pub(super) fn rotate_array(&mut self, mut view: View, numbers: &[Expr], loc: Loc) -> View {
        for (axis, of, number, extent) in self.of_axes(&view, numbers, loc) {
            // An axis without coordinates is not read.
            let one = self.builder.constant(1i64, loc);
            let some = self.builder.binary(BinaryOp::Max, extent, one, loc);
            let rest = self.builder.binary(BinaryOp::Rem, number, some, loc);
            let rest = self.builder.binary(BinaryOp::Add, rest, some, loc);
            let offset = self.builder.binary(BinaryOp::Rem, rest, some, loc);
            view = self.along(view, axis, of, Some(Map { offset, scale: one, within: Some(extent) }));
        }
        view
    }

    /// Axis k is `order[k]` of now.
    pub(super) fn permute_array(view: View, order: &[usize]) -> View {
        let mut view = View { whole: None, ..view };
        view.axes = order.iter().map(|&axis| view.axes[axis]).collect();
        for stored in &mut view.stored {
            if let At::Axis(number, _) = &mut stored.at {
                *number = order.iter().position(|axis| axis == number).expect("each axis is there");
            }
        }
        view
    }

    /// The first axes with other coordinates: moved by the numbers, or from them on in steps of 1, if `anew`.
    pub(super) fn shift_array(&mut self, mut view: View, numbers: &[Expr], anew: bool, loc: Loc) -> View {
        for (axis, of, number, extent) in self.of_axes(&view, numbers, loc) {
            let number = self.number_of(number);
            let into = if anew {
                Axis::from(number, Some(extent))
            } else {
                let lower = self.sum(of.lower, number, loc);
                if of.step == Number::ONE {
                    Axis::from(lower, Some(extent))
                } else {
                    let lower = self.number(lower, loc);
                    Axis { step: of.step, ..Axis::of_values(lower, lower, extent) }
                }
            };
            view = self.along(view, axis, into, None);
        }
        view
    }

    /// With a new axis, which takes its extent from what it is computed with.
    pub(super) fn expand_array(view: View, axis: usize) -> View {
        let mut view = View { whole: None, ..view };
        view.axes.insert(axis, Axis::from(Number::ZERO, None));
        for stored in &mut view.stored {
            if let At::Axis(number, _) = &mut stored.at {
                *number += usize::from(*number >= axis);
            }
        }
        view
    }

    /// With the axes of extent 1 as long as the shape says.
    pub(super) fn broadcast_array(&mut self, mut view: View, shape: &Expr, loc: Loc) -> View {
        let extents = self.extents(shape, loc);
        for (axis, wanted) in extents.into_iter().enumerate() {
            let of = view.axes[axis];
            let Some(extent) = of.extent else {
                view = self.along(view, axis, Axis { extent: Some(wanted), ..of }, None);
                continue;
            };
            // Extents agree, or that of now is 1: then `one` stands for what is wanted.
            let one = self.builder.constant(1i64, loc);
            let is_one = self.builder.compare(CompareOp::Eq, extent, one, loc);
            let agreed = self.builder.push(Op::Select(is_one, wanted, extent), loc);
            let into = self.builder.push(Op::ZipLen(Zip::Extents, vec![agreed, wanted]), loc);
            let zero = self.builder.constant(0i64, loc);
            let scale = self.builder.push(Op::Select(is_one, zero, one), loc);
            let step = match of.step {
                Number::ONE => Number::ONE,
                step => {
                    let step = self.number(step, loc);
                    Number::of(self.builder.push(Op::Select(is_one, one, step), loc))
                }
            };
            let map = Map { offset: zero, scale, within: Some(extent) };
            view = self.along(view, axis, Axis { step, extent: Some(into), ..of }, Some(map));
        }
        view
    }

    /// The elements where the first two axes have the same position.
    pub(super) fn diagonal_array(&mut self, view: View, loc: Loc) -> View {
        let mut view = View { whole: None, ..view };
        let (first, second) = (view.axes.remove(0), view.axes[0]);
        let extents = [self.extent_of(&first, loc), self.extent_of(&second, loc)];
        let extent = self.builder.binary(BinaryOp::Min, extents[0], extents[1], loc);
        let step = match first.step {
            Number::ONE => Number::ONE,
            step => {
                let step = self.number(step, loc);
                self.step_of(step, extent, loc)
            }
        };
        view.axes[0] = Axis { step, extent: Some(extent), ..first };
        for stored in &mut view.stored {
            if let At::Axis(number, _) = &mut stored.at {
                *number = number.saturating_sub(1);
            }
        }
        view
    }
}
