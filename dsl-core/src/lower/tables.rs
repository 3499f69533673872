//! Cursors that go through tables, or to coordinates: where they stand, and how far that is for what is lifted.

use std::rc::Rc;

use super::cursor::{Cursor, Entry, Frame, Located, Of, Place, Rows, Slot, Way};
use super::reads::widen;
use super::view::{Axis, Number};
use super::{Lower, Term};
use crate::infer::typed::{CursorOp, Expr, Policy};
use crate::ir::{BinaryOp, Loc, Op, Value};

impl Lower {
    /// What goes through a table, or to coordinates; `None` of all else that is asked of a cursor.
    pub(super) fn of_table(
        &mut self,
        op: CursorOp,
        cursor: &Cursor,
        args: &[Expr],
        loc: Loc,
    ) -> Option<Term> {
        let mut cursor = cursor.clone();
        let axis = match op {
            CursorOp::Seek => {
                for (way, coordinate) in cursor.ways.iter_mut().zip(&args[1..]) {
                    let coordinate = self.value(coordinate);
                    let coordinate = self.index(coordinate, loc);
                    *way = Way { from: Place::Coordinate(coordinate), away: Number::ZERO };
                }
                return Some(Term::Cursor(Box::new(cursor)));
            }
            CursorOp::To(axis) | CursorOp::Slot(axis) | CursorOp::Entry(axis) => axis,
            _ => return None,
        };
        let table = self.array(&args[1]);
        let number = self.value(&args[2]);
        let number = self.index(number, loc);
        let number = match op {
            CursorOp::To(_) => Slot::Coordinate(number),
            _ => Slot::Position(number),
        };
        leave(&cursor, axis);
        let entry = Entry { table, at: cursor.at[axis], row: cursor.ways[axis].clone(), number };
        if let CursorOp::Entry(_) = op {
            let frame = cursor.of.frame().clone();
            return Some(Term::Value(self.entry(&frame, axis, &entry, loc)));
        }
        cursor.ways[axis] = Way { from: Place::Entry(Rc::new(entry)), away: Number::ZERO };
        Some(Term::Cursor(Box::new(cursor)))
    }

    /// What a table holds.
    pub(super) fn entry(&mut self, frame: &Frame, axis: usize, entry: &Entry, loc: Loc) -> Value {
        let [rows, columns] = [entry.table.axes[0], entry.table.axes[1]];
        let row = match (&entry.row.from, frame.policy) {
            (Place::Point, Policy::Domain) => self.row_from(frame, axis, &rows, entry.row.away, loc),
            (Place::Point, _) => {
                let position = self.position_inside(frame, axis, entry.at, entry.row.away, loc);
                let coordinate = self.coordinate(&frame.axes[axis], position, loc);
                self.position(&rows, coordinate, loc)
            }
            _ => self.far_position(frame, axis, &rows, &entry.row, loc),
        };
        let column = match entry.number {
            Slot::Coordinate(coordinate) => self.position(&columns, coordinate, loc),
            Slot::Position(position) => {
                let extent = self.extent_of(&columns, loc);
                self.assumed(position, extent, loc)
            }
        };
        let entry = self.element_at(&entry.table, &[row, column], loc);
        self.index(entry, loc)
    }

    /// The row of a table so far away from the point, of a stencil without a policy: inside once the domain is known.
    fn row_from(&mut self, frame: &Frame, axis: usize, rows: &Axis, away: Number, loc: Loc) -> Value {
        let away = away.get().expect("inference asks for constants where there is no policy");
        let known = frame.rows.borrow().iter().position(|known| known.axis == axis && known.of == *rows);
        let known = known.unwrap_or_else(|| {
            let point = frame.point[axis];
            let center = self.within(frame.inside, |this| this.unknown(point, loc));
            frame.rows.borrow_mut().push(Rows { axis, of: *rows, center, reach: None });
            frame.rows.borrow().len() - 1
        });
        widen(&mut frame.rows.borrow_mut()[known].reach, away);
        let center = frame.rows.borrow()[known].center;
        let position = self.number(Number::of(center).plus(away), loc);
        match rows.extent {
            Some(extent) => self.assumed(position, extent, loc),
            None => position,
        }
    }

    /// A value of which it is known later what it is.
    fn unknown(&mut self, of: Value, loc: Loc) -> Value {
        self.builder.binary(BinaryOp::Add, of, of, loc)
    }

    /// The position along an axis of what a table holds, or of a coordinate, or a fault.
    pub(super) fn far_position(
        &mut self,
        frame: &Frame,
        axis: usize,
        of: &Axis,
        way: &Way,
        loc: Loc,
    ) -> Value {
        let coordinate = match &way.from {
            Place::Entry(entry) => self.entry(frame, axis, entry, loc),
            Place::Coordinate(coordinate) => *coordinate,
            Place::Point => unreachable!("this is not far"),
        };
        if of.extent.is_none() {
            return self.builder.constant(0i64, loc);
        }
        let position = self.position(of, coordinate, loc);
        if way.away == Number::ZERO {
            return position;
        }
        let position = self.sum(Number::of(position), way.away, loc);
        let (position, extent) = (self.number(position, loc), self.extent_of(of, loc));
        self.builder.push(Op::CheckIndex(position, extent), loc)
    }

    /// The last position that is at a coordinate or before it.
    pub(super) fn floor_position(&mut self, of: &Axis, coordinate: Value, loc: Loc) -> Value {
        let away = self.difference(Number::of(coordinate), of.lower, loc);
        let away = self.number(away, loc);
        if of.step == Number::ONE {
            return away;
        }
        let step = self.number(of.step, loc);
        let rest = self.builder.binary(BinaryOp::Rem, away, step, loc);
        let rest = self.builder.binary(BinaryOp::Add, rest, step, loc);
        let rest = self.builder.binary(BinaryOp::Rem, rest, step, loc);
        let away = self.builder.binary(BinaryOp::Sub, away, rest, loc);
        self.builder.binary(BinaryOp::Div, away, step, loc)
    }

    /// The coordinate of a place.
    pub(super) fn coordinate_at(
        &mut self,
        frame: &Frame,
        axis: usize,
        at: Value,
        way: &Way,
        loc: Loc,
    ) -> Value {
        let of = match frame.policy {
            Policy::Domain => frame.views[0].axes[axis],
            _ => frame.axes[axis],
        };
        let from = match (&way.from, frame.policy) {
            (Place::Point, Policy::Domain) => {
                let position = self.sum(Number::of(frame.point[axis]), way.away, loc);
                return self.within(frame.inside, |this| {
                    let position = this.number(position, loc);
                    let scaled = this.unknown(position, loc);
                    let coordinate = this.unknown(scaled, loc);
                    frame.located.borrow_mut().push(Located { axis, position, scaled, coordinate });
                    coordinate
                });
            }
            (Place::Point, _) => {
                let position = self.sum(Number::of(at), way.away, loc);
                let position = self.number(position, loc);
                return self.coordinate(&of, position, loc);
            }
            (Place::Entry(entry), _) => self.entry(frame, axis, entry, loc),
            (Place::Coordinate(coordinate), _) => *coordinate,
        };
        let away = self.product(way.away, of.step, loc);
        let coordinate = self.sum(Number::of(from), away, loc);
        self.number(coordinate, loc)
    }

    /// Cursors that have gone from where they stood as the first of them has, which stands at `now`.
    pub(super) fn as_far(&mut self, cursors: &[Cursor], now: &[Way], loc: Loc) -> Vec<Cursor> {
        let mut moved = cursors.to_vec();
        for (axis, now) in now.iter().enumerate() {
            let first = &cursors[0].ways[axis];
            // The way back to where the first one stood.
            let (mut steps, mut before) = (Vec::new(), now);
            while before.from != first.from {
                steps.push(before);
                match &before.from {
                    Place::Entry(entry) => before = &entry.row,
                    _ => break,
                }
            }
            let is_there = before.from == first.from;
            let by = if is_there { self.difference(before.away, first.away, loc) } else { Number::ZERO };
            for cursor in &mut moved {
                let way = &mut cursor.ways[axis];
                way.away = self.sum(way.away, by, loc);
                for step in steps.iter().rev() {
                    let from = match &step.from {
                        Place::Entry(entry) => {
                            let (table, number) = (entry.table.clone(), entry.number);
                            let entry = Entry { table, at: cursor.at[axis], row: way.clone(), number };
                            Place::Entry(Rc::new(entry))
                        }
                        place => place.clone(),
                    };
                    *way = Way { from, away: step.away };
                }
            }
        }
        moved
    }
}

/// Notes that what a cursor reads is behind a table along this axis, and not around the point.
fn leave(cursor: &Cursor, axis: usize) {
    if cursor.ways[axis].from != Place::Point {
        return;
    }
    match &cursor.of {
        Of::Array(frame, number) => frame.is_far.borrow_mut()[*number][axis] = true,
        Of::Lifted(_, _, cursors) => cursors.iter().for_each(|cursor| leave(cursor, axis)),
    }
}
