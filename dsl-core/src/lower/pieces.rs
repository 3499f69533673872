//! Arrays of pieces: what is put together is read where it is, by the piece that has a position.

use std::rc::Rc;

use super::view::{Along, Axis, Number, Piece, Pieces, Place, Rest, View};
use super::{Lower, Term};
use crate::infer::typed::{Expr, PiecesOp};
use crate::ir::{BinaryOp, CompareOp, Loc, Op, Value};

impl Lower {
    /// One of the functions that put arrays together.
    pub(super) fn pieces(&mut self, op: &PiecesOp, args: &[Expr], loc: Loc) -> Term {
        Term::Array(match op {
            PiecesOp::Stack(axis) => {
                let views = args.iter().map(|arg| self.array(arg)).collect();
                self.stacked(views, *axis, loc)
            }
            PiecesOp::Pad => {
                let view = self.array(&args[0]);
                let widths = self.indices(&args[1], loc);
                let value = self.value(&args[2]);
                self.padded(view, &widths, value, loc)
            }
            PiecesOp::Fuse => {
                let views = args.iter().map(|arg| self.array(arg)).collect();
                self.fused(views, loc)
            }
            PiecesOp::Overwrite => {
                let (whole, part) = (self.array(&args[0]), self.array(&args[1]));
                self.overwritten(whole, part, loc)
            }
        })
    }

    /// An argument that is an array.
    pub(super) fn array(&mut self, expr: &Expr) -> View {
        let Term::Array(view) = self.term(expr) else { unreachable!("an array") };
        view
    }

    /// The element at these positions of an array of pieces.
    pub(super) fn of_pieces(&mut self, pieces: &Rc<Pieces>, positions: &[Value], loc: Loc) -> Value {
        self.of_piece(pieces, 0, positions, loc)
    }

    /// That of the pieces from `number` on.
    fn of_piece(&mut self, pieces: &Rc<Pieces>, number: usize, positions: &[Value], loc: Loc) -> Value {
        let Some(piece) = pieces.pieces.get(number) else {
            return match &pieces.rest {
                Rest::Array(view) => self.element_at(view, positions, loc),
                Rest::Last(piece) => {
                    let places = piece.places.iter().zip(positions);
                    let distance = |(place, &position): (&Option<Place>, &Value)| {
                        let place = place.as_ref()?;
                        let measured = self.measured(place, position, loc);
                        let first = self.number(place.first, loc);
                        Some(self.builder.binary(BinaryOp::Sub, measured, first, loc))
                    };
                    let distances = places.map(distance).collect();
                    self.at_distances(piece, distances, positions, loc)
                }
                Rest::Value(value) => *value,
            };
        };
        let mut inside = None;
        let mut distances = Vec::new();
        for (place, &position) in piece.places.iter().zip(positions) {
            distances.push(place.as_ref().map(|place| self.distance(place, position, &mut inside, loc)));
        }
        let Some(inside) = inside else { return self.element_at(&piece.view, positions, loc) };
        self.open();
        let element = self.at_distances(piece, distances, positions, loc);
        let then = self.close(vec![element]);
        self.open();
        let element = self.of_piece(pieces, number + 1, positions, loc);
        let els = self.close(vec![element]);
        self.builder.branch(inside, then, els, loc)[0]
    }

    /// The element of a piece so far from its first positions.
    fn at_distances(
        &mut self,
        piece: &Piece,
        distances: Vec<Option<Value>>,
        positions: &[Value],
        loc: Loc,
    ) -> Value {
        let mut own = Vec::new();
        for ((place, distance), &position) in piece.places.iter().zip(distances).zip(positions) {
            own.push(match (place, distance) {
                (Some(place), Some(distance)) => {
                    let position = match place.stride {
                        Number::ONE => distance,
                        stride => {
                            let stride = self.number(stride, loc);
                            self.builder.binary(BinaryOp::Div, distance, stride, loc)
                        }
                    };
                    // What a branch reads depends on the check, so that nothing reads it elsewhere.
                    self.builder.push(Op::CheckIndex(position, place.extent), loc)
                }
                _ => position,
            });
        }
        self.element_at(&piece.view, &own, loc)
    }

    /// The position of the whole, as a place counts.
    fn measured(&mut self, place: &Place, position: Value, loc: Loc) -> Value {
        match &place.along {
            Along::Position | Along::Any => position,
            Along::Coordinate(axis) => self.coordinate(axis, position, loc),
        }
    }

    /// How far a position is from the first one of a piece; that it is one of the piece's comes to what has to be `inside`.
    fn distance(&mut self, place: &Place, position: Value, inside: &mut Option<Value>, loc: Loc) -> Value {
        let measured = self.measured(place, position, loc);
        let mut and = |this: &mut Self, condition| {
            *inside = Some(match *inside {
                Some(before) => this.builder.binary(BinaryOp::And, before, condition, loc),
                None => condition,
            });
        };
        let first = self.number(place.first, loc);
        // No position is below 0; a coordinate may be.
        let least = match &place.along {
            Along::Position => Some(0),
            Along::Any => None,
            Along::Coordinate(axis) => axis.lower.get(),
        };
        let is_behind = place.first.get().zip(least).is_some_and(|(first, least)| first <= least);
        if !is_behind {
            let condition = self.builder.compare(CompareOp::Ge, measured, first, loc);
            and(self, condition);
        }
        let distance = match place.first {
            Number::ZERO => measured,
            _ => self.builder.binary(BinaryOp::Sub, measured, first, loc),
        };
        let length = self.product(Number::of(place.extent), place.stride, loc);
        let end = self.sum(place.first, length, loc);
        let end = self.number(end, loc);
        let condition = self.builder.compare(CompareOp::Lt, measured, end, loc);
        and(self, condition);
        if place.stride != Number::ONE {
            let stride = self.number(place.stride, loc);
            let rest = self.builder.binary(BinaryOp::Rem, distance, stride, loc);
            let zero = self.builder.constant(0i64, loc);
            let condition = self.builder.compare(CompareOp::Eq, rest, zero, loc);
            and(self, condition);
        }
        distance
    }

    /// Where along `whole` the positions of `part` are.
    fn place_of(&mut self, part: &Axis, whole: &Axis, loc: Loc) -> Option<Place> {
        let extent = part.extent?;
        if part == whole {
            return None;
        }
        if part.grid.of == whole.grid.of && whole.grid.stride == Number::ONE {
            let first = self.difference(part.grid.first, whole.grid.first, loc);
            return Some(Place { along: Along::Position, first, stride: part.grid.stride, extent });
        }
        let along = Along::Coordinate(*whole);
        Some(Place { along, first: part.lower, stride: part.step, extent })
    }

    /// `overwrite(whole, part)`
    fn overwritten(&mut self, whole: View, part: View, loc: Loc) -> View {
        let mut whole = whole;
        for axis in &mut whole.axes {
            axis.extent = Some(self.extent_of(axis, loc));
        }
        let axes = whole.axes.clone();
        let places =
            part.axes.iter().zip(&axes).map(|(part, whole)| self.place_of(part, whole, loc)).collect();
        View::of_pieces(vec![Piece { view: part, places }], Rest::Array(whole), axes)
    }

    /// `pad(a, widths, value)`
    fn padded(&mut self, view: View, widths: &[Value], value: Value, loc: Loc) -> View {
        let (mut axes, mut places) = (Vec::new(), Vec::new());
        for (of, &width) in view.axes.iter().zip(widths) {
            let extent = self.extent_of(of, loc);
            let zero = self.builder.constant(0i64, loc);
            let width = self.builder.binary(BinaryOp::Max, width, zero, loc);
            let twice = self.builder.binary(BinaryOp::Add, width, width, loc);
            let wider = self.builder.binary(BinaryOp::Add, extent, twice, loc);
            let width = self.number_of(width);
            let moved = self.product(of.step, width, loc);
            let lower = self.difference(of.lower, moved, loc);
            axes.push(match of.step {
                Number::ONE => Axis::from(lower, Some(wider)),
                step => {
                    let lower = self.number(lower, loc);
                    Axis { step, ..Axis::of_values(lower, lower, wider) }
                }
            });
            places.push(Some(Place { along: Along::Position, first: width, stride: Number::ONE, extent }));
        }
        self.check_extents(&mut axes, loc);
        View::of_pieces(vec![Piece { view, places }], Rest::Value(value), axes)
    }

    /// Checks that there are not too many points along axes that are made longer.
    fn check_extents(&mut self, axes: &mut [Axis], loc: Loc) {
        let extents = axes.iter().filter_map(|axis| axis.extent).collect();
        axes[0].extent = Some(self.builder.push(Op::CheckExtents(extents), loc));
    }

    /// `stack(axis, a, b, …)`
    fn stacked(&mut self, views: Vec<View>, along: usize, loc: Loc) -> View {
        let mut axes = views[0].axes.clone();
        for (number, axis) in axes.iter_mut().enumerate() {
            if number == along {
                continue;
            }
            let mut of = Vec::new();
            for view in &views {
                let extent = self.extent_of(&view.axes[number], loc);
                of.push(Axis { extent: Some(extent), ..view.axes[number] });
            }
            *axis = self.agreed_axis(&of, loc);
        }
        let count = views.len();
        let mut first = Number::ZERO;
        let (mut pieces, mut rest) = (Vec::new(), None);
        for (number, view) in views.into_iter().enumerate() {
            let extent = self.extent_of(&view.axes[along], loc);
            let mut places = vec![None; axes.len()];
            places[along] = Some(Place { along: Along::Position, first, stride: Number::ONE, extent });
            if number + 1 == count {
                rest = Some(Rest::Last(Piece { view, places }));
            } else {
                pieces.push(Piece { view, places });
            }
            first = self.sum(first, Number::of(extent), loc);
        }
        axes[along].extent = Some(self.number(first, loc));
        self.check_extents(&mut axes, loc);
        View::of_pieces(pieces, rest.expect("one array at least"), axes)
    }
}
