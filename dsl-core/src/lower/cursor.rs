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
    /// How far from there it stands.
    pub(super) away: Vec<Number>,
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
    /// The body around the loop of the stencil.
    pub(super) outside: BodyId,
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
    /// What tells this from others; none for one on what is lifted.
    pub(super) fn key(&self) -> Option<KeyPart> {
        let Of::Array(frame, array) = &self.of else { return None };
        let (frame, array, at) = (Rc::as_ptr(frame), *array, self.at.clone());
        Some(KeyPart::Cursor { frame, array, at, away: self.away.clone() })
    }
}
