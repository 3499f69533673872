//! Stencils: a loop over the points of arrays, whose body reads around them.

use std::cell::RefCell;
use std::rc::Rc;

use super::cursor::{Cursor, Frame, Of, Place, Reach, Way};
use super::view::{Axis, Grid, Number, View};
use super::{Lower, Term};
use crate::infer::typed::{Expr, Local, Policy};
use crate::ir::{BinaryOp, BodyId, Loc, Loop, Op, SinkDecl, SinkKind, Value};
use weldment_runtime::lang::types::Type;

impl Lower {
    /// The array of what `body` gives, with a cursor on each array.
    pub(super) fn stencil(
        &mut self,
        arrays: &[Expr],
        policy: Policy,
        pad: Option<&Expr>,
        params: &[Local],
        body: &Expr,
        loc: Loc,
    ) -> View {
        let views: Vec<View> = arrays.iter().map(|array| self.array(array)).collect();
        let pad = pad.map(|pad| self.value(pad));
        let count = views[0].axes.len();
        let axes = if policy == Policy::Domain { Vec::new() } else { self.common(&views, loc) };
        let outside = self.builder.current();
        self.open();
        let inside = self.builder.current();
        let at: Vec<Value> = (0..count).map(|_| self.builder.add_param(Type::I64)).collect();
        let centers = match policy {
            Policy::Domain => {
                // Where the domain begins in each array is known when the body is: until then they are sums of no meaning.
                let mut center = |&at: &Value| self.builder.binary(BinaryOp::Add, at, at, loc);
                views.iter().map(|_| at.iter().map(&mut center).collect()).collect()
            }
            _ => Vec::new(),
        };
        let reach = RefCell::new(vec![vec![None; count]; views.len()]);
        let is_far = RefCell::new(vec![vec![false; count]; views.len()]);
        let (rows, located) = Default::default();
        let point = at.clone();
        let frame = Rc::new(Frame {
            views,
            policy,
            pad,
            axes,
            centers,
            reach,
            rows,
            located,
            is_far,
            point,
            outside,
            inside,
        });
        for (number, &param) in params.iter().enumerate() {
            let of = Of::Array(frame.clone(), number);
            let ways = vec![Way { from: Place::Point, away: Number::ZERO }; count];
            let cursor = Cursor { of, at: at.clone().into(), ways };
            self.terms.insert(param, Term::Cursor(Box::new(cursor)));
        }
        let value = self.value(body);
        let ty = self.builder.ty(value).clone();
        let sink = self.builder.fresh_sink();
        self.builder.merge(sink, vec![value], loc);
        let body = self.close(Vec::new());
        let axes = match policy {
            Policy::Domain => self.domain(&frame, &at, body, loc),
            _ => frame.axes.clone(),
        };
        let extents = axes.iter().map(|axis| axis.extent.expect("each is known")).collect();
        let sinks = vec![SinkDecl { sink, kind: SinkKind::collect(ty), loc }];
        let vector = self.builder.push(Op::Loop(Loop { extents, body, sinks }), loc);
        View::of_vector(vector, axes)
    }

    /// The axes of arrays that are to have the same points.
    fn common(&mut self, views: &[View], loc: Loc) -> Vec<Axis> {
        let mut axes = Vec::new();
        for number in 0..views[0].axes.len() {
            let known: Vec<Axis> =
                views.iter().map(|view| view.axes[number]).filter(|axis| axis.extent.is_some()).collect();
            if known.is_empty() {
                let one = self.builder.constant(1i64, loc);
                axes.push(Axis { extent: Some(one), ..views[0].axes[number] });
                continue;
            }
            axes.push(self.agreed_axis(&known, loc));
        }
        axes
    }

    /// The points from which all that is read is inside, now that it is known what is; makes the positions in the body those of
    /// these points.
    fn domain(&mut self, frame: &Frame, at: &[Value], body: BodyId, loc: Loc) -> Vec<Axis> {
        let mut axes = Vec::new();
        for (number, &at) in at.iter().enumerate() {
            let mut sources = sources_along(frame, number).into_iter();
            let Some((of, reach, center)) = sources.next() else {
                let one = self.builder.constant(1i64, loc);
                axes.push(Axis { extent: Some(one), ..frame.views[0].axes[number] });
                continue;
            };
            // In positions of the first one.
            let mut starts = vec![(center, Number::ZERO)];
            let (mut begin, mut end) = self.reached(&of, reach, Number::ZERO, loc);
            for (other, reach, center) in sources {
                let start = self.start_in(&other, &of, loc);
                let (first, last) = self.reached(&other, reach, start, loc);
                begin = self.greater(begin, first, BinaryOp::Max, loc);
                end = self.greater(end, last, BinaryOp::Min, loc);
                starts.push((center, start));
            }
            let zero = self.builder.constant(0i64, loc);
            let extent = self.difference(end, begin, loc);
            let extent = match extent {
                Number { base: Some(value), plus: 0 } if Some(value) == of.extent => value,
                extent => {
                    let extent = self.number(extent, loc);
                    self.builder.binary(BinaryOp::Max, extent, zero, loc)
                }
            };
            for (center, start) in starts {
                let base = self.difference(begin, start, loc);
                let base = self.number(base, loc);
                self.redefine(body, center, Op::Binary(BinaryOp::Add, at, base));
            }
            axes.push(self.moved(&of, begin, extent, loc));
        }
        for located in frame.located.borrow().iter() {
            let Axis { lower, step, .. } = axes[located.axis];
            let (lower, step) = (self.number(lower, loc), self.number(step, loc));
            self.redefine(body, located.scaled, Op::Binary(BinaryOp::Mul, located.position, step));
            self.redefine(body, located.coordinate, Op::Binary(BinaryOp::Add, lower, located.scaled));
        }
        axes
    }

    /// The first point from which this reach is inside of an axis that begins at `start`, and the one behind the last.
    fn reached(&mut self, axis: &Axis, reach: Reach, start: Number, loc: Loc) -> (Number, Number) {
        let (least, most) = reach.unwrap_or((0, 0));
        let end = self.sum(start, Number::of(axis.extent.expect("a known axis")), loc);
        (start.plus(least.wrapping_neg()), end.plus(most.wrapping_neg()))
    }

    fn greater(&mut self, x: Number, y: Number, op: BinaryOp, loc: Loc) -> Number {
        if x.base == y.base {
            let plus = if op == BinaryOp::Max { x.plus.max(y.plus) } else { x.plus.min(y.plus) };
            return Number { plus, ..x };
        }
        let (x, y) = (self.number(x, loc), self.number(y, loc));
        Number::of(self.builder.binary(op, x, y, loc))
    }

    /// The position of `whole` at which `part` begins; they must have points in common places.
    fn start_in(&mut self, part: &Axis, whole: &Axis, loc: Loc) -> Number {
        let same = part.grid.of == whole.grid.of && part.grid.stride == whole.grid.stride;
        if same && whole.grid.stride == Number::ONE {
            return self.difference(part.grid.first, whole.grid.first, loc);
        }
        let step = self.agreed(whole.step, part.step, loc);
        let away = self.difference(part.lower, whole.lower, loc);
        if step == Number::ONE {
            return away;
        }
        let (away, step) = (self.number(away, loc), self.number(step, loc));
        let rest = self.builder.binary(BinaryOp::Rem, away, step, loc);
        let rest = self.agreed(Number::ZERO, Number::of(rest), loc);
        let start = self.builder.binary(BinaryOp::Div, away, step, loc);
        self.sum(Number::of(start), rest, loc)
    }

    /// The positions of an axis from `begin` on.
    fn moved(&mut self, of: &Axis, begin: Number, extent: Value, loc: Loc) -> Axis {
        let by = self.product(of.step, begin, loc);
        let lower = self.sum(of.lower, by, loc);
        let first = self.product(of.grid.stride, begin, loc);
        let first = self.sum(of.grid.first, first, loc);
        Axis { lower, extent: Some(extent), grid: Grid { first, ..of.grid }, ..*of }
    }

    /// Makes `value`, which a closed body defines, what `op` gives.
    fn redefine(&mut self, body: BodyId, value: Value, op: Op) {
        let stmts = &mut self.builder.program_mut().bodies[body].stmts;
        let stmt = stmts.iter_mut().find(|stmt| stmt.results == [value]);
        stmt.expect("the body defines it").op = op;
    }
}

/// What limits the points along an axis: arrays, unless they are read behind tables only, and rows of tables. With how far from the
/// point they are read, and the position of the point.
fn sources_along(frame: &Frame, number: usize) -> Vec<(Axis, Reach, Value)> {
    let (reach, is_far) = (frame.reach.borrow(), frame.is_far.borrow());
    let arrays = frame.views.iter().enumerate().filter_map(|(array, view)| {
        let (axis, reach) = (view.axes[number], reach[array][number]);
        let limits = axis.extent.is_some() && (reach.is_some() || !is_far[array][number]);
        limits.then(|| (axis, reach, frame.centers[array][number]))
    });
    let rows = frame.rows.borrow();
    let rows = rows.iter().filter(|rows| rows.axis == number && rows.of.extent.is_some());
    arrays.chain(rows.map(|rows| (rows.of, rows.reach, rows.center))).collect()
}
