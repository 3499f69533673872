//! What is read by cursors: where it is, by the policy of the stencil, and what functions give that are lifted.

use std::rc::Rc;

use super::cursor::{Cursor, Frame, KeyPart, LiftKey, Of, Place, Reach, Way};
use super::view::Number;
use super::{Lower, Term};
use crate::infer::typed::{CursorOp, Expr, Lifted, Policy, is_near};
use crate::ir::{BinaryOp, BodyId, CompareOp, Loc, Op, Value};
use weldment_runtime::lang::domain::MOST_POINTS;
use weldment_runtime::lang::types::Type;

impl Lower {
    pub(super) fn cursor(&mut self, expr: &Expr) -> Cursor {
        let Term::Cursor(cursor) = self.term(expr) else { unreachable!("a cursor") };
        *cursor
    }

    /// What is asked of a cursor.
    pub(super) fn of_cursor(&mut self, op: CursorOp, args: &[Expr], loc: Loc) -> Term {
        let mut cursor = self.cursor(&args[0]);
        let policy = cursor.of.frame().policy;
        if let Some(term) = self.of_table(op, &cursor, args, loc) {
            return term;
        }
        for (way, offset) in cursor.ways.iter_mut().zip(&args[1..]) {
            let offset = match offset.offset() {
                Some(offset) => Number::known(offset),
                None => {
                    let offset = self.value(offset);
                    let offset = self.index(offset, loc);
                    let known = self.known(offset).filter(|&offset| is_near(offset));
                    known.map_or_else(|| Number::of(self.bounded(policy, offset, loc)), Number::known)
                }
            };
            way.away = self.sum(way.away, offset, loc);
        }
        match op {
            CursorOp::Shift => Term::Cursor(Box::new(cursor)),
            CursorOp::Deref => {
                let element = self.dereferenced(&cursor, loc);
                self.bound(element, loc)
            }
            CursorOp::Exists => {
                let frame = cursor.of.frame().clone();
                let inside = self.inside(&frame, &cursor, true, loc);
                Term::Value(inside.unwrap_or_else(|| self.builder.constant(true, loc)))
            }
            CursorOp::At => Term::Value(self.coordinates(&cursor, loc)),
            CursorOp::To(_) | CursorOp::Slot(_) | CursorOp::Entry(_) | CursorOp::Seek => {
                unreachable!("these are no offsets")
            }
        }
    }

    /// An offset that is known when the program runs. Farther than an array has points it is outside in any case: then sums of
    /// offsets do not wrap. Around an array it goes as far as it says.
    fn bounded(&mut self, policy: Policy, offset: Value, loc: Loc) -> Value {
        if policy == Policy::Wrap {
            return offset;
        }
        let [least, most] = [-1, 1].map(|sign| self.builder.constant(sign * MOST_POINTS as i64, loc));
        let offset = self.builder.binary(BinaryOp::Max, offset, least, loc);
        self.builder.binary(BinaryOp::Min, offset, most, loc)
    }

    /// The cursor, where these stand, on what a function gives.
    pub(super) fn lifted(&mut self, function: &Rc<Lifted>, cursors: &[Expr]) -> Term {
        let cursors: Vec<Cursor> = cursors.iter().map(|cursor| self.cursor(cursor)).collect();
        let Cursor { of, at, ways } = cursors[0].clone();
        let of = Of::Lifted(of.frame().clone(), function.clone(), cursors);
        Term::Cursor(Box::new(Cursor { of, at, ways }))
    }

    /// The coordinates at which a cursor stands.
    fn coordinates(&mut self, cursor: &Cursor, loc: Loc) -> Value {
        let frame = cursor.of.frame().clone();
        let mut coordinates = Vec::new();
        for (axis, (&at, way)) in cursor.at.iter().zip(&cursor.ways).enumerate() {
            coordinates.push(self.coordinate_at(&frame, axis, at, way, loc));
        }
        match coordinates[..] {
            [coordinate] => coordinate,
            _ => self.builder.push(Op::Struct(coordinates, None), loc),
        }
    }

    /// The element where a cursor stands.
    fn dereferenced(&mut self, cursor: &Cursor, loc: Loc) -> Value {
        let frame = cursor.of.frame().clone();
        match (&cursor.of, frame.policy) {
            (Of::Array(_, number), Policy::Domain) => {
                let positions = self.positions_from(&frame, *number, &cursor.ways, loc);
                self.element_at(&frame.views[*number], &positions, loc)
            }
            (Of::Lifted(_, function, cursors), Policy::Domain) => {
                let moved = self.as_far(cursors, &cursor.ways, loc);
                self.applied(function, moved, loc)
            }
            (Of::Array(_, number), _) => {
                let positions = self.positions_inside(&frame, Some(*number), cursor, loc);
                let element = |this: &mut Self| this.element_at(&frame.views[*number], &positions, loc);
                self.or_padded(&frame, cursor, element, loc)
            }
            (Of::Lifted(_, function, cursors), _) => {
                let mut moved = self.as_far(cursors, &cursor.ways, loc);
                for of in &mut moved {
                    of.at = self.positions_inside(&frame, None, of, loc).into();
                    for way in &mut of.ways {
                        if !matches!(way.from, Place::Entry(_)) {
                            *way = Way { from: Place::Point, away: Number::ZERO };
                        }
                    }
                }
                let function = function.clone();
                let element = |this: &mut Self| this.applied(&function, moved, loc);
                self.or_padded(&frame, cursor, element, loc)
            }
        }
    }

    /// What a function gives for cursors. It is computed once for the same ones.
    fn applied(&mut self, function: &Rc<Lifted>, cursors: Vec<Cursor>, loc: Loc) -> Value {
        let key = self.key_of(function, &cursors);
        if let Some(key) = &key {
            let known = self.scopes.iter().flat_map(|scope| &scope.lifted).find(|(known, _)| known == key);
            if let Some((_, value)) = known {
                return *value;
            }
        }
        for (&param, cursor) in function.params.iter().zip(cursors) {
            self.terms.insert(param, Term::Cursor(Box::new(cursor)));
        }
        let term = self.term(&function.body);
        let value = self.as_value(term, &function.body.ty, loc);
        if let Some(key) = key {
            self.scopes.last_mut().expect("a scope is open").lifted.push((key, value));
        }
        value
    }

    fn key_of(&self, function: &Rc<Lifted>, cursors: &[Cursor]) -> Option<LiftKey> {
        let capture = |local| match self.terms.get(local)? {
            Term::Value(value) => Some(KeyPart::Value(*value)),
            Term::Cursor(cursor) => cursor.key(),
            _ => None,
        };
        let captured = function.captures.iter().map(capture);
        let of = captured.chain(cursors.iter().map(Cursor::key)).collect::<Option<_>>()?;
        Some(LiftKey { function: Rc::as_ptr(function), of })
    }

    /// An element, or the value of the policy where the cursor is outside.
    fn or_padded(
        &mut self,
        frame: &Frame,
        cursor: &Cursor,
        element: impl FnOnce(&mut Self) -> Value,
        loc: Loc,
    ) -> Value {
        let Some(pad) = frame.pad else { return element(self) };
        let Some(inside) = self.inside(frame, cursor, false, loc) else { return element(self) };
        if let (Of::Array(..), Type::Scalar(_)) = (&cursor.of, self.builder.ty(pad)) {
            let element = element(self);
            return self.builder.push(Op::Select(inside, element, pad), loc);
        }
        self.open();
        let element = element(self);
        let then = self.close(vec![element]);
        self.open();
        let els = self.close(vec![pad]);
        self.builder.branch(inside, then, els, loc)[0]
    }

    /// A position that has been computed to be inside.
    pub(super) fn assumed(&mut self, position: Value, extent: Value, loc: Loc) -> Value {
        self.builder.push(Op::AssumeIndex(position, extent), loc)
    }

    /// Positions so far away from where the point is in an array, which are inside once the domain is known.
    fn positions_from(&mut self, frame: &Frame, number: usize, ways: &[Way], loc: Loc) -> Vec<Value> {
        let mut positions = Vec::new();
        for (axis, way) in ways.iter().enumerate() {
            let of = frame.views[number].axes[axis];
            if way.from != Place::Point {
                positions.push(self.far_position(frame, axis, &of, way, loc));
                continue;
            }
            let away = way.away.get().expect("inference asks for constants where there is no policy");
            widen(&mut frame.reach.borrow_mut()[number][axis], away);
            let center = frame.centers[number][axis];
            let position = self.number(Number::of(center).plus(away), loc);
            positions.push(match of.extent {
                Some(extent) => self.assumed(position, extent, loc),
                None => position,
            });
        }
        positions
    }

    /// Where a cursor reads, by the policy: positions that are inside in any case. Of an array, those of what tables hold, too.
    fn positions_inside(
        &mut self,
        frame: &Frame,
        number: Option<usize>,
        cursor: &Cursor,
        loc: Loc,
    ) -> Vec<Value> {
        let mut positions = Vec::new();
        for (axis, (&at, way)) in cursor.at.iter().zip(&cursor.ways).enumerate() {
            positions.push(match (&way.from, number) {
                (Place::Entry(_), Some(number)) => {
                    let of = frame.views[number].axes[axis];
                    self.far_position(frame, axis, &of, way, loc)
                }
                (Place::Entry(_), None) => at,
                (Place::Point, _) => self.position_inside(frame, axis, at, way.away, loc),
                (Place::Coordinate(coordinate), _) => {
                    let place = self.floor_position(&frame.axes[axis], *coordinate, loc);
                    // From the first one, that many away.
                    let zero = self.builder.constant(0i64, loc);
                    let away = self.sum(Number::of(place), way.away, loc);
                    let away = self.number(away, loc);
                    self.position_inside(frame, axis, zero, Number::of(away), loc)
                }
            });
        }
        positions
    }

    /// The position so far away from a point, by the policy.
    pub(super) fn position_inside(
        &mut self,
        frame: &Frame,
        axis: usize,
        at: Value,
        away: Number,
        loc: Loc,
    ) -> Value {
        let extent = self.extent_of(&frame.axes[axis], loc);
        let position = match (frame.policy, away.get()) {
            (_, Some(0)) => return at,
            (Policy::Wrap, _) => self.wrapped(frame, at, away, extent, loc),
            (_, Some(away)) => {
                let position = self.number(Number::of(at).plus(away), loc);
                if away < 0 {
                    let zero = self.builder.constant(0i64, loc);
                    self.builder.binary(BinaryOp::Max, position, zero, loc)
                } else {
                    let last = self.number(Number::of(extent).plus(-1), loc);
                    self.builder.binary(BinaryOp::Min, position, last, loc)
                }
            }
            (_, None) => {
                let away = self.number(away, loc);
                let position = self.builder.binary(BinaryOp::Add, at, away, loc);
                let last = self.number(Number::of(extent).plus(-1), loc);
                let position = self.builder.binary(BinaryOp::Min, position, last, loc);
                let zero = self.builder.constant(0i64, loc);
                self.builder.binary(BinaryOp::Max, position, zero, loc)
            }
        };
        self.assumed(position, extent, loc)
    }

    /// `(at + away) mod extent`
    fn wrapped(&mut self, frame: &Frame, at: Value, away: Number, extent: Value, loc: Loc) -> Value {
        let forward = |this: &mut Self| {
            // The same way round forward: below the extent, of which there is at least 1 where anything is read.
            let one = this.builder.constant(1i64, loc);
            let extent = this.builder.binary(BinaryOp::Max, extent, one, loc);
            let away = this.number(away, loc);
            let rest = this.builder.binary(BinaryOp::Rem, away, extent, loc);
            let rest = this.builder.binary(BinaryOp::Add, rest, extent, loc);
            this.builder.binary(BinaryOp::Rem, rest, extent, loc)
        };
        let forward = match away.get() {
            Some(_) => self.within(frame.outside, forward),
            None => forward(self),
        };
        let position = self.builder.binary(BinaryOp::Add, at, forward, loc);
        let is_inside = self.builder.compare(CompareOp::Lt, position, extent, loc);
        let around = self.builder.binary(BinaryOp::Sub, position, extent, loc);
        self.builder.push(Op::Select(is_inside, position, around), loc)
    }

    /// What `part` gives in a body that is still open, further out.
    pub(super) fn within<T>(&mut self, body: BodyId, part: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.builder.suspend(body);
        let result = part(self);
        self.builder.resume(inner);
        result
    }

    /// Whether a cursor is inside, where what tables hold counts if `of_tables`; `None` if it is in any case.
    fn inside(&mut self, frame: &Frame, cursor: &Cursor, of_tables: bool, loc: Loc) -> Option<Value> {
        let mut conditions = Vec::new();
        for (axis, (&at, way)) in cursor.at.iter().zip(&cursor.ways).enumerate() {
            let extent = self.extent_of(&frame.axes[axis], loc);
            let zero = self.builder.constant(0i64, loc);
            let (position, away) = match &way.from {
                Place::Point if way.away == Number::ZERO => continue,
                Place::Point => (self.sum(Number::of(at), way.away, loc), way.away.get()),
                Place::Entry(entry) => {
                    if of_tables {
                        let entry = self.entry(frame, axis, entry, loc);
                        conditions.push(self.builder.compare(CompareOp::Ge, entry, zero, loc));
                    }
                    continue;
                }
                Place::Coordinate(coordinate) => {
                    let of = frame.axes[axis];
                    let place = self.floor_position(&of, *coordinate, loc);
                    if of.step != Number::ONE {
                        let back = self.coordinate(&of, place, loc);
                        conditions.push(self.builder.compare(CompareOp::Eq, back, *coordinate, loc));
                    }
                    (self.sum(Number::of(place), way.away, loc), None)
                }
            };
            let position = self.number(position, loc);
            if away.is_none_or(|away| away < 0) {
                conditions.push(self.builder.compare(CompareOp::Ge, position, zero, loc));
            }
            if away.is_none_or(|away| away > 0) {
                conditions.push(self.builder.compare(CompareOp::Lt, position, extent, loc));
            }
        }
        conditions.into_iter().reduce(|x, y| self.builder.binary(BinaryOp::And, x, y, loc))
    }
}

/// Counts an offset that is read.
pub(super) fn widen(reach: &mut Reach, away: i64) {
    let (least, most) = reach.unwrap_or((away, away));
    *reach = Some((least.min(away), most.max(away)));
}
