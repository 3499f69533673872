//! `for`: iterators become an extent and reads by index, the function becomes a body.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::control::survey;
use super::view::{Axis, View};
use super::{Lower, Term};
use crate::infer::typed::{Expr, Iter, IterKind, Local};
use crate::ir::{BinaryOp, Loc, Op, Value, Zip};
use weldment_runtime::lang::types::Type;

/// What a loop runs over.
pub(super) struct Space {
    /// The coordinates along each axis; a vector has one.
    pub(super) axes: Vec<Axis>,
    /// Of each iterator.
    pub(super) accesses: Vec<Access>,
}

/// How the elements of an iterator come from the positions of the loop.
pub(super) enum Access {
    /// `array[…]`
    Array(View),
    /// The arrays of these axes.
    Lines(View, Rc<[usize]>),
    /// The coordinates.
    Points,
    /// `vector[i]`
    Whole(Value),
    /// `vector[start + i * stride]`
    Strided { vector: Value, start: Value, stride: Value },
    /// `start + i * stride`
    Range { start: Value, stride: Value },
}

/// How an element is read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Read {
    /// At the index of a loop, whose extent proves the bounds.
    Proved,
    /// At any index, which is checked.
    Checked,
}

impl Lower {
    /// `for(iters, builder, |builder, index, element| body)`
    pub(super) fn for_loop(
        &mut self,
        iters: &[Iter],
        builder: &Expr,
        params: &[Local; 3],
        body: &Expr,
        loc: Loc,
    ) -> Term {
        let space = self.space(iters, loc);
        let term = self.term(builder);
        let extents: Vec<Value> = space.axes.iter().map(|axis| self.extent_of(axis, loc)).collect();
        let mut positions = Vec::new();
        for _ in &space.axes {
            self.open();
            positions.push(self.builder.add_param(Type::I64));
        }
        self.terms.insert(params[0], term.clone());
        self.bind_point(&space, &[params[1], params[2]], &positions, loc);
        self.term(body);
        let mut sinks = BTreeSet::new();
        survey(&term, &mut sinks, &mut Vec::new());
        for &extent in extents.iter().rev() {
            let body = self.close(Vec::new());
            self.record(Op::For { extent, body }, sinks.clone(), loc);
        }
        term
    }

    /// Binds point and element of a space at these positions.
    pub(super) fn bind_point(&mut self, space: &Space, params: &[Local; 2], positions: &[Value], loc: Loc) {
        let point = self.point(space, positions, loc);
        self.terms.insert(params[0], Term::Value(point));
        let mut line = |access: &Access| match access {
            Access::Lines(view, along) => Some(Term::Array(self.line(view, along, positions, loc))),
            _ => None,
        };
        let lines: Vec<Term> = space.accesses.iter().filter_map(&mut line).collect();
        let element = match &lines[..] {
            [line] if space.accesses.len() == 1 => line.clone(),
            _ if lines.len() > 1 && lines.len() == space.accesses.len() => Term::Struct(lines),
            _ => {
                let element = self.elements(space, positions, Read::Proved, loc);
                self.bound(element, loc)
            }
        };
        self.terms.insert(params[1], element);
    }

    /// The points of iterators that run together, and how each one's elements are found.
    pub(super) fn space(&mut self, iters: &[Iter], loc: Loc) -> Space {
        let mut spaces = Vec::new();
        let mut accesses = Vec::new();
        for iter in iters {
            let (axes, access) = self.iter(iter);
            spaces.push(axes);
            accesses.push(access);
        }
        let mut axes = spaces[0].clone();
        if spaces.len() > 1 {
            let is_array = |iter: &Iter| matches!(iter.kind, IterKind::Array(_));
            let zip = if iters.iter().any(is_array) { Zip::Extents } else { Zip::Lengths };
            for (number, axis) in axes.iter_mut().enumerate() {
                // The coordinates are those of the first array that has any along this axis.
                let known = || spaces.iter().map(|axes| axes[number]).filter(|axis| axis.extent.is_some());
                let Some(first) = known().next() else { continue };
                let extents: Vec<Value> = known().filter_map(|axis| axis.extent).collect();
                let extent = match extents[..] {
                    [extent] => extent,
                    _ => self.builder.push(Op::ZipLen(zip, extents), loc),
                };
                *axis = Axis { extent: Some(extent), ..first };
            }
        }
        Space { axes, accesses }
    }

    /// As [`Lower::space`], with one axis: the elements of arrays are a vector.
    pub(super) fn sequence(&mut self, iters: &[Iter], loc: Loc) -> (Value, Space) {
        let space = self.space(iters, loc);
        let is_array =
            |access: &Access| matches!(access, Access::Array(_) | Access::Lines(..) | Access::Points);
        if !space.accesses.iter().any(is_array) {
            let extent = self.extent_of(&space.axes[0], loc);
            return (extent, space);
        }
        let all = self.gathered(&space, loc);
        let vector = self.flat(&all, loc);
        let extent = self.builder.push(Op::Len(vector), loc);
        (extent, Space { axes: vec![Axis::of_extent(extent)], accesses: vec![Access::Whole(vector)] })
    }

    /// The coordinates at these positions: a number, or a struct of some.
    fn point(&mut self, space: &Space, positions: &[Value], loc: Loc) -> Value {
        let mut coordinate = |(axis, &position): (&Axis, &Value)| self.coordinate(axis, position, loc);
        let coordinates: Vec<Value> = space.axes.iter().zip(positions).map(&mut coordinate).collect();
        match &coordinates[..] {
            [coordinate] => *coordinate,
            _ => self.builder.push(Op::Struct(coordinates, None), loc),
        }
    }

    /// The element of iterators at these positions: a struct, where there are several.
    pub(super) fn elements(&mut self, space: &Space, positions: &[Value], read: Read, loc: Loc) -> Value {
        let mut elements = Vec::new();
        for access in &space.accesses {
            elements.push(match access {
                Access::Array(view) => self.element_at(view, positions, loc),
                Access::Lines(view, along) => {
                    let line = self.line(view, along, positions, loc);
                    self.array_value(&line, loc)
                }
                Access::Points => self.point(space, positions, loc),
                _ => self.element(access, positions[0], read, loc),
            });
        }
        match &elements[..] {
            [element] => *element,
            _ => self.builder.push(Op::Struct(elements, None), loc),
        }
    }

    /// The type of what [`Lower::elements`] gives.
    pub(super) fn element_type(&self, accesses: &[Access]) -> Type {
        let ty = |access: &Access| match access {
            Access::Whole(vector) | Access::Strided { vector, .. } => {
                self.builder.ty(*vector).element().expect("a vector").clone()
            }
            Access::Range { .. } => Type::I64,
            Access::Array(_) | Access::Lines(..) | Access::Points => unreachable!("a sequence has none"),
        };
        match accesses {
            [access] => ty(access),
            _ => Type::Struct(accesses.iter().map(ty).collect()),
        }
    }

    fn iter(&mut self, iter: &Iter) -> (Vec<Axis>, Access) {
        let loc = self.loc(iter.span);
        let (extent, access) = match &iter.kind {
            IterKind::Array(of) | IterKind::Domain(of) => {
                let Term::Array(view) = self.term(of) else { unreachable!("an array") };
                let is_array = matches!(iter.kind, IterKind::Array(_));
                return (view.axes.clone(), if is_array { Access::Array(view) } else { Access::Points });
            }
            IterKind::Lines(of, along) => {
                let Term::Array(view) = self.term(of) else { unreachable!("an array") };
                let others = (0..view.axes.len()).filter(|axis| !along.contains(axis));
                return (others.map(|axis| view.axes[axis]).collect(), Access::Lines(view, along.clone()));
            }
            IterKind::Points(shape) => {
                let extents = self.extents(shape, loc);
                return (extents.into_iter().map(Axis::of_extent).collect(), Access::Points);
            }
            IterKind::All(vector) => {
                let vector = self.value(vector);
                (self.builder.push(Op::Len(vector), loc), Access::Whole(vector))
            }
            IterKind::Strided { vector, start, end, stride } => {
                let vector = self.value(vector);
                let (start, end, stride) = (self.value(start), self.value(end), self.value(stride));
                let len = self.builder.push(Op::Len(vector), loc);
                let extent = self.builder.push(Op::IterLen(len, start, end, stride), loc);
                (extent, Access::Strided { vector, start, stride })
            }
            IterKind::Range { start, end, stride } => {
                let (start, end, stride) = (self.value(start), self.value(end), self.value(stride));
                (self.builder.push(Op::RangeLen(start, end, stride), loc), Access::Range { start, stride })
            }
            IterKind::Span { start, end } => {
                let (start, end) = (self.value(start), self.value(end));
                let end = self.builder.binary(BinaryOp::Max, start, end, loc);
                let stride = self.builder.constant(1i64, loc);
                (self.builder.push(Op::RangeLen(start, end, stride), loc), Access::Range { start, stride })
            }
        };
        (vec![Axis::of_extent(extent)], access)
    }

    fn element(&mut self, access: &Access, index: Value, read: Read, loc: Loc) -> Value {
        match *access {
            Access::Whole(vector) => self.read(vector, index, read, loc),
            Access::Strided { vector, start, stride } => {
                let at = self.affine(start, stride, index, loc);
                self.read(vector, at, read, loc)
            }
            Access::Range { start, stride } => self.affine(start, stride, index, loc),
            Access::Array(_) | Access::Lines(..) | Access::Points => {
                unreachable!("these are found by positions")
            }
        }
    }

    /// The element of `vector` at `index`.
    pub(super) fn read(&mut self, vector: Value, mut index: Value, read: Read, loc: Loc) -> Value {
        if read == Read::Checked {
            let length = self.builder.push(Op::Len(vector), loc);
            index = self.builder.push(Op::CheckIndex(index, length), loc);
        }
        self.builder.push(Op::At(vector, index), loc)
    }

    /// `start + index * stride`
    fn affine(&mut self, start: Value, stride: Value, index: Value, loc: Loc) -> Value {
        let offset = self.builder.binary(BinaryOp::Mul, index, stride, loc);
        self.builder.binary(BinaryOp::Add, start, offset, loc)
    }
}
