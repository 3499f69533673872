//! Arrays: where their elements are, and what is computed for each of their points.
//!
//! An array is a [`View`]: the coordinates along each axis, and which of the stored elements each position has. Views are composed
//! here and never reach the IR, which knows the vector of the elements, row by row, and numbers beside it. What is computed point
//! by point is a loop over positions, one index variable for each axis.

use weldment_runtime::lang::domain::MOST_POINTS;
use weldment_runtime::lang::types::{Name, Type};

use super::iters::Space;
use super::view::{Along, At, Axis, Elements, Map, Piece, Pieces, Place, Rest, Stored, View};
use super::{Lower, Term};
use crate::infer::typed::{ArrayOp, Expr, ExprKind, Iter, Local};
use crate::ir::{BinaryOp, Loc, Loop, Op, SinkDecl, SinkKind, Value};

impl Lower {
    /// `value` as a term: an array as a view.
    pub(super) fn bound(&mut self, value: Value, loc: Loc) -> Term {
        let Some((_, count)) = self.builder.ty(value).as_array() else { return Term::Value(value) };
        let elements = self.part_of(value, 0, loc);
        let extents: Vec<Value> =
            (1..=count).map(|axis| self.part_of(value, axis + 2 * count, loc)).collect();
        let vector = self.builder.push(Op::Shape(elements, extents.clone()), loc);
        self.array_of(value, vector, &extents, loc)
    }

    /// An argument of the program as a term. The extent of an array of one axis is the length of its vector, so that what is below the one is
    /// seen to be below the other.
    pub(super) fn argument(&mut self, value: Value, loc: Loc) -> Term {
        let Some((_, 1)) = self.builder.ty(value).as_array() else { return self.bound(value, loc) };
        let vector = self.part_of(value, 0, loc);
        let extent = self.builder.push(Op::Len(vector), loc);
        self.array_of(value, vector, &[extent], loc)
    }

    /// The array `value`, of which `vector` holds the elements.
    fn array_of(&mut self, value: Value, vector: Value, extents: &[Value], loc: Loc) -> Term {
        let count = extents.len();
        let axes = extents.iter().enumerate().map(|(axis, &extent)| {
            let [lower, step] = [axis + 1, axis + 1 + count].map(|number| self.part_of(value, number, loc));
            Axis::of_values(lower, step, extent)
        });
        let axes = axes.collect();
        // The array of a view is made where it is needed as a value.
        let whole = (!self.builder.ty(value).is_view()).then_some(value);
        Term::Array(View { whole, ..View::of_vector(vector, axes) })
    }

    fn part_of(&mut self, array: Value, number: usize, loc: Loc) -> Value {
        self.builder.push(Op::Field(array, number as u32), loc)
    }

    /// The value of an array.
    pub(super) fn array_value(&mut self, view: &View, loc: Loc) -> Value {
        if let Some(value) = view.whole {
            return value;
        }
        let mut parts = vec![self.flat(view, loc)];
        parts.extend(view.axes.iter().map(|axis| self.number(axis.lower, loc)));
        parts.extend(view.axes.iter().map(|axis| self.number(axis.step, loc)));
        parts.extend(view.axes.iter().map(|axis| self.extent_of(axis, loc)));
        self.builder.push(Op::Struct(parts, Some(Name::Array.into())), loc)
    }

    /// The elements of an array, row by row, as a vector.
    pub(super) fn flat(&mut self, view: &View, loc: Loc) -> Value {
        if let Some(vector) = view.vector() {
            return vector;
        }
        let mut axes = view.axes.clone();
        for axis in &mut axes {
            axis.extent = Some(self.extent_of(axis, loc));
        }
        let all = self.computed(axes, loc, |this, positions| this.element_at(view, positions, loc));
        all.vector().expect("it is computed row by row")
    }

    /// The extent of an axis; 1, if nothing gives it one.
    pub(super) fn extent_of(&mut self, axis: &Axis, loc: Loc) -> Value {
        axis.extent.unwrap_or_else(|| self.builder.constant(1i64, loc))
    }

    /// The element at these positions, each of which is below its extent.
    pub(super) fn element_at(&mut self, view: &View, positions: &[Value], loc: Loc) -> Value {
        let place = |stored: &Stored| match &stored.at {
            At::Axis(number, maps) => self.mapped(positions[*number], maps, loc),
            At::Fixed(position) => *position,
        };
        let places: Vec<Value> = view.stored.iter().map(place).collect();
        let vector = match &view.elements {
            Elements::Vector(vector) => *vector,
            Elements::Pieces(pieces) => return self.of_pieces(&pieces.clone(), &places, loc),
        };
        let extents = view.stored.iter().map(|stored| stored.extent).collect();
        let place = self.linear(places, extents, loc);
        self.builder.push(Op::At(vector, place), loc)
    }

    /// The place of positions, row by row.
    fn linear(&mut self, positions: Vec<Value>, extents: Vec<Value>, loc: Loc) -> Value {
        match positions[..] {
            [place] => place,
            _ => self.builder.push(Op::Linearize(positions, extents), loc),
        }
    }

    /// What maps make of a position, one after the other.
    pub(super) fn mapped(&mut self, mut position: Value, maps: &[Map], loc: Loc) -> Value {
        for map in maps {
            position = self.builder.binary(BinaryOp::Mul, position, map.scale, loc);
            position = self.builder.binary(BinaryOp::Add, map.offset, position, loc);
            if let Some(extent) = map.within {
                position = self.builder.binary(BinaryOp::Rem, position, extent, loc);
                position = self.builder.push(Op::CheckIndex(position, extent), loc);
            }
        }
        position
    }

    /// The array of the axes but `axis`, of which this position is read.
    pub(super) fn fixed(&mut self, view: View, axis: usize, position: Value, loc: Loc) -> View {
        let mut view = View { whole: None, ..view };
        view.axes.remove(axis);
        for number in 0..view.stored.len() {
            match view.stored[number].at.clone() {
                At::Axis(of, maps) if of == axis => {
                    view.stored[number].at = At::Fixed(self.mapped(position, &maps, loc));
                }
                At::Axis(of, maps) if of > axis => view.stored[number].at = At::Axis(of - 1, maps),
                _ => {}
            }
        }
        view
    }

    /// The array of the axes `along`, in this order, at these positions of the other axes.
    pub(super) fn line(&mut self, view: &View, along: &[usize], positions: &[Value], loc: Loc) -> View {
        let others: Vec<usize> = (0..view.axes.len()).filter(|axis| !along.contains(axis)).collect();
        let mut line = view.clone();
        for (&axis, &position) in others.iter().zip(positions).rev() {
            line = self.fixed(line, axis, position, loc);
        }
        let left = |axis: &usize| axis - others.iter().filter(|other| *other < axis).count();
        let order: Vec<usize> = along.iter().map(left).collect();
        Lower::permute_array(line, &order)
    }

    /// The coordinate at a position of an axis.
    pub(super) fn coordinate(&mut self, axis: &Axis, position: Value, loc: Loc) -> Value {
        if axis.is_plain() {
            return position;
        }
        let (lower, step) = (self.number(axis.lower, loc), self.number(axis.step, loc));
        let offset = self.builder.binary(BinaryOp::Mul, position, step, loc);
        self.builder.binary(BinaryOp::Add, lower, offset, loc)
    }

    /// The position of a coordinate of an axis, or a fault.
    pub(super) fn position(&mut self, axis: &Axis, coordinate: Value, loc: Loc) -> Value {
        let extent = self.extent_of(axis, loc);
        if axis.is_plain() {
            return self.builder.push(Op::CheckIndex(coordinate, extent), loc);
        }
        let (lower, step) = (self.number(axis.lower, loc), self.number(axis.step, loc));
        self.builder.push(Op::Position(coordinate, lower, step, extent), loc)
    }

    /// The numbers of an index: one, or those of a struct.
    pub(super) fn indices(&mut self, key: &Expr, loc: Loc) -> Vec<Value> {
        let indices = match &key.kind {
            ExprKind::Struct(indices) => indices.iter().map(|index| self.value(index)).collect(),
            _ => {
                let key = self.value(key);
                match self.builder.ty(key).fields().map(<[Type]>::len) {
                    Some(count) => (0..count as u32)
                        .map(|number| self.builder.push(Op::Field(key, number), loc))
                        .collect(),
                    None => vec![key],
                }
            }
        };
        indices.into_iter().map(|index: Value| self.index(index, loc)).collect()
    }

    /// The positions of coordinates along the first axes, or a fault.
    fn positions(&mut self, view: &View, coordinates: &[Value], loc: Loc) -> Vec<Value> {
        let axes = view.axes.iter().zip(coordinates);
        axes.map(|(axis, &coordinate)| self.position(axis, coordinate, loc)).collect()
    }

    /// `a.get(at, or)`
    fn get(&mut self, view: View, args: &[Expr], loc: Loc) -> Term {
        let indices = self.indices(&args[0], loc);
        let or = self.value(&args[1]);
        let mut places = Vec::new();
        for axis in &view.axes {
            let extent = self.extent_of(axis, loc);
            let (first, stride) = (axis.lower, axis.step);
            places.push(Some(Place { along: Along::Any, first, stride, extent }));
        }
        let pieces = Pieces { pieces: vec![Piece { view, places }], rest: Rest::Value(or) };
        let element = self.of_pieces(&pieces.into(), &indices, loc);
        self.bound(element, loc)
    }

    /// `array[key]`: an element, or the array that an index for some of the axes leaves.
    pub(super) fn indexed(&mut self, mut view: View, key: &Expr, loc: Loc) -> Term {
        let indices = self.indices(key, loc);
        let positions = self.positions(&view, &indices, loc);
        if positions.len() == view.axes.len() {
            let element = self.element_at(&view, &positions, loc);
            return self.bound(element, loc);
        }
        for &position in &positions {
            view = self.fixed(view, 0, position, loc);
        }
        Term::Array(view)
    }

    /// The array over `axes` of what `element` gives for positions.
    pub(super) fn computed(
        &mut self,
        mut axes: Vec<Axis>,
        loc: Loc,
        element: impl FnOnce(&mut Self, &[Value]) -> Value,
    ) -> View {
        // Along an axis that has no extent yet all elements are one.
        if axes.iter().all(|axis| axis.extent.is_none()) {
            axes[0].extent = Some(self.extent_of(&axes[0], loc));
        }
        let zero = self.builder.constant(0i64, loc);
        self.open();
        let position = |axis: &Axis| axis.extent.map_or(zero, |_| self.builder.add_param(Type::I64));
        let positions: Vec<Value> = axes.iter().map(position).collect();
        let value = element(self, &positions);
        let kind = SinkKind::collect(self.builder.ty(value).clone());
        let sink = self.builder.fresh_sink();
        self.builder.merge(sink, vec![value], loc);
        let body = self.close(Vec::new());
        let extents = axes.iter().filter_map(|axis| axis.extent).collect();
        let sinks = vec![SinkDecl { sink, kind, loc }];
        let vector = self.builder.push(Op::Loop(Loop { extents, body, sinks }), loc);
        let stored = axes.iter().copied().filter(|axis| axis.extent.is_some()).collect();
        let new = (0..axes.len()).filter(|&axis| axes[axis].extent.is_none());
        new.fold(View::of_vector(vector, stored), Lower::expand_array)
    }

    /// The array of what `body` gives for each point of iterators.
    pub(super) fn fill(&mut self, iters: &[Iter], params: &[Local; 2], body: &Expr, loc: Loc) -> View {
        let space = self.space(iters, loc);
        self.computed(space.axes.clone(), loc, |this, positions| {
            this.bind_point(&space, params, positions, loc);
            this.value(body)
        })
    }

    /// The array of the elements of a space.
    pub(super) fn gathered(&mut self, space: &Space, loc: Loc) -> View {
        self.computed(space.axes.clone(), loc, |this, positions| {
            let positions = positions.to_vec();
            this.elements(space, &positions, super::iters::Read::Proved, loc)
        })
    }

    /// One of the functions of arrays.
    pub(super) fn of_array(&mut self, op: &ArrayOp, args: &[Expr], axes: usize, loc: Loc) -> Term {
        if let Some(view) = self.of_vector(op, args, loc) {
            return Term::Array(view);
        }
        let Term::Array(view) = self.term(&args[0]) else { unreachable!("an array") };
        let args = &args[1..];
        Term::Array(match op {
            ArrayOp::Flat => return Term::Value(self.flat(&view, loc)),
            ArrayOp::Extent(axis) => return Term::Value(self.extent_of(&view.axes[*axis], loc)),
            ArrayOp::Lower(axis) => return Term::Value(self.number(view.axes[*axis].lower, loc)),
            ArrayOp::Shape => {
                let extents: Vec<Value> = view.axes.iter().map(|axis| self.extent_of(axis, loc)).collect();
                return Term::Value(match extents[..] {
                    [extent] => extent,
                    _ => self.builder.push(Op::Struct(extents, None), loc),
                });
            }
            ArrayOp::Shaped | ArrayOp::Cycled | ArrayOp::Restacked(_) | ArrayOp::Like => {
                unreachable!("these are of vectors")
            }
            ArrayOp::Get => return self.get(view, args, loc),
            ArrayOp::Place => {
                let indices = self.indices(&args[0], loc);
                let positions = self.positions(&view, &indices, loc);
                let extents = view.axes.iter().map(|axis| self.extent_of(axis, loc)).collect();
                return Term::Value(self.linear(positions, extents, loc));
            }
            ArrayOp::Slice(subscripts) => self.slice_array(view, subscripts, args, loc),
            ArrayOp::Take => self.take_array(view, args, false, loc),
            ArrayOp::Drop => self.take_array(view, args, true, loc),
            ArrayOp::Reverse(axes) => self.reverse_array(view, axes, loc),
            ArrayOp::Rotate => self.rotate_array(view, args, loc),
            ArrayOp::Permute(order) => Lower::permute_array(view, order),
            ArrayOp::Shift => self.shift_array(view, args, false, loc),
            ArrayOp::MoveTo => self.shift_array(view, args, true, loc),
            ArrayOp::Expand(axis) => Lower::expand_array(view, *axis),
            ArrayOp::Broadcast => self.broadcast_array(view, &args[0], loc),
            ArrayOp::Reference(coordinates) => self.reference_array(view, coordinates, args, axes, loc),
            ArrayOp::Checked(extents) => self.checked_array(view, extents, loc),
            ArrayOp::Spread => self.spread_array(view, args, loc),
            ArrayOp::Reshape => {
                let vector = self.flat(&view, loc);
                let extents = self.extents(&args[0], loc);
                self.shaped(vector, extents, loc)
            }
            ArrayOp::Diagonal => self.diagonal_array(view, loc),
        })
    }

    /// The extents that a shape says, as loops run over them: none is negative, and together they are no more points than an array may have.
    /// That holds where nobody needs the elements, too, and all else that is checked of the shape goes.
    pub(super) fn extents(&mut self, shape: &Expr, loc: Loc) -> Vec<Value> {
        let mut extents = self.indices(shape, loc);
        let constants: Vec<Option<u64>> =
            extents.iter().map(|&extent| self.constant_extent(extent)).collect();
        let points = constants.iter().try_fold(1_u64, |points, extent| points.checked_mul((*extent)?));
        if points.is_some_and(|points| points <= MOST_POINTS)
            || matches!(extents[..], [extent] if self.is_len(extent))
        {
            return extents;
        }
        let zero = self.builder.constant(0i64, loc);
        for (extent, constant) in extents.iter_mut().zip(&constants) {
            if constant.is_none() && !self.is_len(*extent) {
                *extent = self.builder.binary(BinaryOp::Max, *extent, zero, loc);
            }
        }
        // What stands for the extent that is checked is no constant, by which loops are planned: so it is one that is none anyway.
        let checked = constants.iter().position(Option::is_none).unwrap_or(0);
        extents.swap(0, checked);
        extents[0] = self.builder.push(Op::CheckExtents(extents.clone()), loc);
        extents.swap(0, checked);
        extents
    }

    /// The number that an extent is, if it is one and not negative.
    fn constant_extent(&self, extent: Value) -> Option<u64> {
        let Some(Op::Const(number)) = self.builder.op(extent) else { return None };
        u64::try_from(number.as_integer()?).ok()
    }

    /// Whether an extent is the length of a vector.
    fn is_len(&self, extent: Value) -> bool {
        matches!(self.builder.op(extent), Some(Op::Len(_)))
    }
}
