//! What arrays are while they are lowered: where their elements are, and at which coordinates.

use std::rc::Rc;

use crate::ir::Value;

/// An array.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The coordinates along each axis.
    pub(super) axes: Vec<Axis>,
    pub(super) elements: Elements,
    /// The axes along which the elements lie.
    pub(super) stored: Vec<Stored>,
    /// The value that this is, if there is one.
    pub(super) whole: Option<Value>,
}

/// What the elements of an array are, by positions along axes.
#[derive(Clone, Debug)]
pub(super) enum Elements {
    /// Row by row in a vector.
    Vector(Value),
    /// Those of the first piece that has the position.
    Pieces(Rc<Pieces>),
}

/// Arrays that are put together.
#[derive(Debug)]
pub(super) struct Pieces {
    pub(super) pieces: Vec<Piece>,
    /// What is where no piece is.
    pub(super) rest: Rest,
}

/// An array, and where it is.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) view: View,
    /// Along each axis; `None` where positions are those of the whole.
    pub(super) places: Vec<Option<Place>>,
}

/// Which positions of the whole the piece has: of `k` that where `along` is `first + k * stride`.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Of what the numbers are.
    pub(super) along: Along,
    pub(super) first: Number,
    pub(super) stride: Number,
    /// Of so many positions.
    pub(super) extent: Value,
}

/// How a position of an axis is measured.
#[derive(Clone, Debug)]
pub(super) enum Along {
    Position,
    /// By a number that may be any: there need be no such position.
    Any,
    /// By its coordinate.
    Coordinate(Axis),
}

/// What is where no piece is.
#[derive(Debug)]
pub(super) enum Rest {
    Array(View),
    /// That of the last piece, which has all other positions.
    Last(Piece),
    Value(Value),
}

/// The coordinates along an axis: `lower + position * step`, for positions below the extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) lower: Number,
    pub(super) step: Number,
    /// None of an axis that takes it from what it is computed with.
    pub(super) extent: Option<Value>,
    /// Which positions of another axis these are, to compare it with others of them.
    pub(super) grid: Grid,
}

/// The positions `first + position * stride` of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// The lower bound of that axis, which is a parameter of unknown step; or none, where it has all integers.
    pub(super) of: Option<Value>,
    pub(super) first: Number,
    pub(super) stride: Number,
}

/// An axis along which elements are stored.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) extent: Value,
    pub(super) at: At,
}

/// The position along a stored axis that a view reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum At {
    /// What these make, one after the other, of the position along this axis of the view.
    Axis(usize, Vec<Map>),
    /// Always this one.
    Fixed(Value),
}

/// The position `offset + position * scale`; if that is said, modulo an extent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map {
    pub(super) offset: Value,
    pub(super) scale: Value,
    pub(super) within: Option<Value>,
}

/// `base + plus`, or `plus` alone: as much as lowering knows of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) base: Option<Value>,
    pub(super) plus: i64,
}

impl Number {
    pub(super) const ZERO: Number = Number::known(0);
    pub(super) const ONE: Number = Number::known(1);

    pub(super) const fn known(number: i64) -> Number {
        Number { base: None, plus: number }
    }

    pub(super) fn of(value: Value) -> Number {
        Number { base: Some(value), plus: 0 }
    }

    /// The number, if it is known.
    pub(super) fn get(self) -> Option<i64> {
        if self.base.is_none() { Some(self.plus) } else { None }
    }

    pub(super) fn plus(self, number: i64) -> Number {
        Number { plus: self.plus.wrapping_add(number), ..self }
    }
}

impl Axis {
    /// The coordinates `0..extent`.
    pub(super) fn of_extent(extent: Value) -> Axis {
        Axis::from(Number::ZERO, Some(extent))
    }

    /// The coordinates from `lower` on, in steps of 1.
    pub(super) fn from(lower: Number, extent: Option<Value>) -> Axis {
        let grid = Grid { of: None, first: lower, stride: Number::ONE };
        Axis { lower, step: Number::ONE, extent, grid }
    }

    /// An axis of which nothing is known.
    pub(super) fn of_values(lower: Value, step: Value, extent: Value) -> Axis {
        let grid = Grid { of: Some(lower), first: Number::ZERO, stride: Number::ONE };
        Axis { lower: Number::of(lower), step: Number::of(step), extent: Some(extent), grid }
    }

    pub(super) fn is_plain(&self) -> bool {
        (self.lower, self.step) == (Number::ZERO, Number::ONE)
    }
}

impl View {
    /// What `vector` holds row by row.
    pub(super) fn of_vector(vector: Value, axes: Vec<Axis>) -> View {
        View::of(Elements::Vector(vector), axes)
    }

    /// The array of these elements, at the positions that they have.
    pub(super) fn of(elements: Elements, axes: Vec<Axis>) -> View {
        let extents = axes.iter().map(|axis| axis.extent.expect("a stored axis has an extent"));
        let stored =
            extents.enumerate().map(|(axis, extent)| Stored { extent, at: At::Axis(axis, Vec::new()) });
        View { stored: stored.collect(), axes, elements, whole: None }
    }

    /// What pieces make.
    pub(super) fn of_pieces(pieces: Vec<Piece>, rest: Rest, axes: Vec<Axis>) -> View {
        View::of(Elements::Pieces(Rc::new(Pieces { pieces, rest })), axes)
    }

    /// The vector that holds exactly the elements of this, in order, if there is one.
    pub(super) fn vector(&self) -> Option<Value> {
        let Elements::Vector(vector) = self.elements else { return None };
        let mut axes = self.stored.iter().enumerate();
        let is_all = self.stored.len() == self.axes.len()
            && axes.all(|(number, stored)| {
                stored.at == At::Axis(number, Vec::new()) && Some(stored.extent) == self.axes[number].extent
            });
        is_all.then_some(vector)
    }
}
