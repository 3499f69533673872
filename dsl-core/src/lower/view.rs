//! What arrays are while they are lowered: where their elements are stored, and at which coordinates they are.

use crate::ir::Value;

/// An array.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The coordinates along each axis.
    pub(super) axes: Vec<Axis>,
    /// The elements that are stored, row by row.
    pub(super) vector: Value,
    /// The axes along which they are stored.
    pub(super) stored: Vec<Stored>,
    /// The value that this is, if there is one.
    pub(super) whole: Option<Value>,
}

/// The coordinates along an axis: `lower + position * step`, for positions below the extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) lower: Number,
    pub(super) step: Number,
    /// None of an axis that takes it from what it is computed with.
    pub(super) extent: Option<Value>,
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

/// A number that lowering may know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Known(i64),
    Value(Value),
}

impl Axis {
    /// The coordinates `0..extent`.
    pub(super) fn of_extent(extent: Value) -> Axis {
        Axis { lower: Number::Known(0), step: Number::Known(1), extent: Some(extent) }
    }

    pub(super) fn is_plain(&self) -> bool {
        (self.lower, self.step) == (Number::Known(0), Number::Known(1))
    }
}

impl View {
    /// What `vector` holds row by row.
    pub(super) fn of_vector(vector: Value, axes: Vec<Axis>) -> View {
        let extents = axes.iter().map(|axis| axis.extent.expect("a stored axis has an extent"));
        let stored =
            extents.enumerate().map(|(axis, extent)| Stored { extent, at: At::Axis(axis, Vec::new()) });
        View { stored: stored.collect(), axes, vector, whole: None }
    }

    /// Whether the vector holds exactly the elements of this, in order.
    pub(super) fn is_all(&self) -> bool {
        let mut axes = self.stored.iter().enumerate();
        self.stored.len() == self.axes.len()
            && axes.all(|(number, stored)| {
                stored.at == At::Axis(number, Vec::new()) && Some(stored.extent) == self.axes[number].extent
            })
    }
}
