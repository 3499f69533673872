//! Where the ops of a program stand in its source.
//!
//! The IR names places by opaque [`Loc`]s; the front end fills this table with what they mean, and it is
//! looked at only when a fault is reported or a stage is explained.

use weldment_runtime::fault::Position;

use crate::ir::{Entity, Loc};

/// The place of each [`Loc`].
///
/// ```
/// # use weldment_core::ir::Entity;
/// # use weldment_core::source::Positions;
/// # use weldment_runtime::fault::Position;
/// let mut positions = Positions::new();
/// let loc = positions.push(Position { line: 3, column: 7 });
/// assert_eq!(positions.get(loc).to_string(), "3:7");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions(Vec<Position>);

impl Positions {
    /// The empty table.
    ///
    /// ```
    /// # use weldment_core::ir::Entity;
    /// # use weldment_core::source::Positions;
    /// assert!(Positions::new().is_empty());
    /// ```
    pub fn new() -> Positions {
        Positions::default()
    }

    /// Adds a place and gives its name.
    ///
    /// ```
    /// # use weldment_core::ir::Entity;
    /// # use weldment_core::source::Positions;
    /// # use weldment_runtime::fault::Position;
    /// let mut positions = Positions::new();
    /// let place = Position { line: 3, column: 7 };
    /// assert_ne!(positions.push(place), positions.push(place)); // a name each
    /// ```
    pub fn push(&mut self, position: Position) -> Loc {
        self.0.push(position);
        Loc::from_index(self.0.len() - 1)
    }

    /// The place of `loc`; line 0 if it is not in the table, as [`Loc::NONE`] never is.
    ///
    /// ```
    /// # use weldment_core::ir::{Entity, Loc};
    /// # use weldment_core::source::Positions;
    /// assert_eq!(Positions::new().get(Loc::NONE).line, 0);
    /// ```
    pub fn get(&self, loc: Loc) -> Position {
        self.0.get(loc.index()).copied().unwrap_or_default()
    }

    /// The number of places.
    ///
    /// ```
    /// # use weldment_core::ir::Entity;
    /// # use weldment_core::source::Positions;
    /// # use weldment_runtime::fault::Position;
    /// let mut positions = Positions::new();
    /// positions.push(Position::default());
    /// assert_eq!(positions.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no places.
    ///
    /// ```
    /// # use weldment_core::ir::Entity;
    /// # use weldment_core::source::Positions;
    /// assert!(Positions::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_place_has_line_zero() {
        let mut positions = Positions::new();
        let place = Position { line: 3, column: 7 };
        let loc = positions.push(place);
        assert_eq!(positions.get(loc), place);
        assert_eq!(positions.get(Loc::NONE), Position::default());
    }
}
