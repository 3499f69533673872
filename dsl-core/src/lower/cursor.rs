//! Cursors: the place of the point at hand in arrays, from which a stencil reads.

use std::cell::RefCell;
use std::rc::Rc;

use super::view::{Axis, Number, View};
use crate::infer::typed::{Lifted, Policy};
use crate::ir::{BodyId, Value};

/// A cursor.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    pub(super) of: Of,
    /// Positions that are inside.
    pub(super) at: Rc<[Value]>,
    /// How it stands from there along each axis.
    pub(super) ways: Vec<Way>,
}

/// Where a cursor stands along an axis: so many elements away from a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub(super) from: Place,
    pub(super) away: Number,
}

/// A place along an axis.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// The point of the stencil.
    Point,
    /// What a table holds.
    Entry(Rc<Entry>),
    /// A coordinate.
    Coordinate(Value),
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::Point, Place::Point) => true,
            (Place::Entry(x), Place::Entry(y)) => Rc::ptr_eq(x, y),
            (Place::Coordinate(x), Place::Coordinate(y)) => x == y,
            _ => false,
        }
    }
}

/// An entry of a table. It is read where the cursor is, so that what is missing harms nobody else.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) table: View,
    /// Of the cursor that went through it: the position of the point, and where it stood from there.
    pub(super) at: Value,
    pub(super) row: Way,
    /// Which one of the row.
    pub(super) number: Slot,
}

/// Which entry of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// By its coordinate, which is checked.
    Coordinate(Value),
    /// By its position, which is one of the row.
    Position(Value),
}

/// The rows of tables that are read at the points of a stencil without a policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// The axis of the points.
    pub(super) axis: usize,
    /// The first axis of the tables.
    pub(super) of: Axis,
    /// The position of the point among them.
    pub(super) center: Value,
    pub(super) reach: Reach,
}

/// The coordinate of a point of a stencil without a policy: what is to become of a position that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) axis: usize,
    pub(super) position: Value,
    /// That times the step, and with the lower bound.
    pub(super) scaled: Value,
    pub(super) coordinate: Value,
}

/// What a cursor reads.
#[derive(Clone, Debug)]
pub(super) enum Of {
    /// An array of its stencil, by number.
    Array(Rc<Frame>, usize),
    /// What a function gives for cursors.
    Lifted(Rc<Frame>, Rc<Lifted>, Vec<Cursor>),
}

/// The least and the greatest offset that is read along an axis, if anything is.
pub(super) type Reach = Option<(i64, i64)>;

/// A stencil while its body is lowered.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) views: Vec<View>,
    pub(super) policy: Policy,
    /// What is read outside, of the policy that has a value.
    pub(super) pad: Option<Value>,
    /// Where the arrays are; of the policy `Domain` each has its own.
    pub(super) axes: Vec<Axis>,
    /// Of the policy `Domain`: the position in each array along each axis.
    pub(super) centers: Vec<Vec<Value>>,
    /// Of the policy `Domain`: how far from there is read, least and most, of each array along each axis.
    pub(super) reach: RefCell<Vec<Vec<Reach>>>,
    /// Of the policy `Domain`: from where tables are read.
    pub(super) rows: RefCell<Vec<Rows>>,
    /// Of the policy `Domain`: the coordinates of points that are asked for.
    pub(super) located: RefCell<Vec<Located>>,
    /// Of the policy `Domain`: which arrays are read through a table along each axis. Unless they are read around the point, too, it
    /// need not be inside of them.
    pub(super) is_far: RefCell<Vec<Vec<bool>>>,
    /// The position of the point along each axis.
    pub(super) point: Vec<Value>,
    /// The body around the loop of the stencil.
    pub(super) outside: BodyId,
    /// The body of that loop.
    pub(super) inside: BodyId,
}

/// What a lifted function was computed for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LiftKey {
    pub(super) function: *const Lifted,
    pub(super) of: Vec<KeyPart>,
}

/// What a function was lifted to, or has read from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KeyPart {
    Value(Value),
    /// On an array of a stencil.
    Cursor {
        frame: *const Frame,
        array: usize,
        at: Rc<[Value]>,
        away: Vec<Number>,
    },
}

impl Of {
    pub(super) fn frame(&self) -> &Rc<Frame> {
        match self {
            Of::Array(frame, _) | Of::Lifted(frame, ..) => frame,
        }
    }
}

impl Cursor {
    /// What tells this from others; none for one on what is lifted, or behind a table.
    pub(super) fn key(&self) -> Option<KeyPart> {
        let Of::Array(frame, array) = &self.of else { return None };
        let (frame, array, at) = (Rc::as_ptr(frame), *array, self.at.clone());
        let away = |way: &Way| (way.from == Place::Point).then_some(way.away);
        Some(KeyPart::Cursor { frame, array, at, away: self.ways.iter().map(away).collect::<Option<_>>()? })
    }
}
