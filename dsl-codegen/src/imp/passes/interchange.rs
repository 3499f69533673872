//! `interchange`: reductions in order of all points of a loop, each of which would walk down a column, go row by row side by side.
//!
//! # Preconditions
//! The loop over points starts registers of one lane, fills them in one loop inside, and does straight things with what they come
//! to. What differs from point to point inside is total, and reads vectors at places that move along with the point.
//!
//! # Before / After
//! ```text
//! for p number j in 0..n { start a0; for q number l in 0..m { i = mul l, n; k = add i, j; x = at v, k; a0 += x }; s = read a0 fold +; do put #0, p, s }
//! ```
//! ```text
//! for b to e in 0..n by 1024 poll {
//!   start a1                                  // of 1024 lanes
//!   for q number l in 0..m {
//!     i = mul l, n; k = add i, b; r = slice v, k, sub e, b
//!     for c in 0..min (sub e, b), 1024 { x = load r[c]; a1[c] += x }
//!   }
//!   for p number j in b..e { s = read a1[p]; do put #0, p, s }
//! }
//! ```
//! Four rows at a time go to the accumulators, so that these are read and written once for all of them, where there are so many.
//! Each register of the first loop is a lane of the second one's, so that the bits are the same. Faults are, too: those inside do not depend
//! on the point, and the first point of a block meets them in the same order.
//!
//! # Declines when
//! A read moves in another way than from one element to the next, or what happens in front of the inner loop depends on the point.
//!
//! # Order
//! First: `strips` cuts the loop inside. The innermost one stays as it is, for in blocks of lanes compilers would look across blocks and gather.

mod jam;

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, Op, Value};
use weldment_runtime::exec::context::{OUTER_STRIP, ROW_STRIP};
use weldment_runtime::lang::types::Type;

use super::moving::{Moving, needed};
use super::pass::{Pass, each_for};
use crate::imp::effects::of_op;
use crate::imp::walk::{Use, copy_of};
use crate::imp::{AccOp, Block, For, Hints, Imp, Lane, Number, RegId, Stmt, Target};
use jam::jammed;

pub(super) const PASS: Pass = Pass { name: "interchange", is_for: |target| target.interchange, run };

fn run(imp: &mut Imp, _: &Target) {
    each_for(
        imp,
        |inner| inner.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::For(_))),
        |imp, inner, out| match Columns::of(imp, &inner) {
            Some(columns) => columns.rewrite(imp, inner, out),
            None => out.stmts.push(Stmt::For(inner)),
        },
    );
}

/// A loop over points that each reduce a column.
struct Columns {
    /// Where the loop inside stands.
    at: usize,
    /// What it fills.
    regs: Vec<RegId>,
    /// The statements in it that are the same for all points, in order.
    rows: Vec<Stmt>,
    /// Those of each point.
    points: Vec<Stmt>,
    /// What differs from point to point, and what is read where the point moves to.
    moving: Moving,
}

impl Columns {
    fn of(imp: &Imp, outer: &For) -> Option<Columns> {
        let is_plain = outer.step == 1 && outer.end.is_none() && outer.exit.is_none() && !outer.tail;
        let keeps = outer.hints.as_ref().is_none_or(|hints| {
            **hints == Hints { strip: hints.strip, prefetch: hints.prefetch.clone(), ..Hints::default() }
        });
        if !is_plain || !keeps || imp.known_position(outer.range[0]) != Some(0) {
            return None;
        }
        let stmts = &outer.body.stmts;
        let at = stmts.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
        let Stmt::For(inner) = &stmts[at] else { return None };
        let moving = Moving::of(imp, outer);
        let mut started = BTreeSet::new();
        for stmt in &stmts[..at] {
            match stmt {
                Stmt::Start(reg) => _ = started.insert(*reg),
                Stmt::Let { .. } if moving.is_fixed(stmt) => {}
                _ => return None,
            }
        }
        let ends = stmts[at + 1..].iter().all(|stmt| {
            matches!(
                stmt,
                Stmt::Let { .. }
                    | Stmt::Load { .. }
                    | Stmt::Read { .. }
                    | Stmt::Do { .. }
                    | Stmt::Fault { .. }
            )
        });
        let is_inner = inner.step == 1
            && imp.known_position(inner.range[0]) == Some(0)
            && inner.end.is_none()
            && inner.exit.is_none()
            && inner.block().is_none()
            && inner.hints.as_ref().is_none_or(|hints| hints.prologue.is_none() && hints.compared.is_empty());
        let reads_point = |value: &Value| moving.varies(*value);
        if !ends || !is_inner || inner.range.iter().any(reads_point) {
            return None;
        }
        let mut columns = Columns { at, regs: Vec::new(), rows: Vec::new(), points: Vec::new(), moving };
        for stmt in &inner.body.stmts {
            columns.sort(imp, outer, stmt)?;
        }
        let all_started = columns.regs.iter().all(|reg| started.contains(reg));
        let is_used = !columns.moving.reads.is_empty() && started.len() == columns.regs.len();
        (all_started && is_used).then_some(columns)
    }

    /// Puts a statement of the loop inside to its like.
    fn sort(&mut self, imp: &Imp, outer: &For, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Reduce(_), .. }
                if imp.regs[*reg].lanes == 1 =>
            {
                if !self.regs.contains(reg) {
                    self.regs.push(*reg);
                }
                self.points.push(stmt.clone());
            }
            Stmt::Let { .. } | Stmt::Load { .. } if self.moving.is_fixed(stmt) => {
                self.rows.push(stmt.clone())
            }
            Stmt::Let { result, op: Op::At(..), .. } => {
                imp.values[*result].ty.as_scalar()?;
                self.moving.note_read(imp, stmt).then_some(())?;
            }
            Stmt::Load { result, column, index } if *index == outer.index && !self.moving.varies(*column) => {
                imp.values[*result].ty.as_scalar()?;
                self.moving.note(stmt);
                self.points.push(stmt.clone());
            }
            Stmt::Let { result, op, known, .. } => {
                let is_total =
                    !of_op(imp, op, *known).faults && !stmt.values(Use::Read).contains(&outer.index);
                if !is_total || imp.values[*result].ty.as_scalar().is_none() {
                    return None;
                }
                self.moving.note(stmt);
                self.points.push(stmt.clone());
            }
            _ => return None,
        }
        Some(())
    }

    fn rewrite(mut self, imp: &mut Imp, mut outer: For, out: &mut Block) {
        let loc = outer.loc;
        let (first, end) = (imp.position(), imp.position());
        let mut body = Block::default();
        let length = body.position(imp, BinaryOp::Sub, end, first);
        let mut behind = outer.body.stmts.split_off(self.at);
        let Stmt::For(mut inner) = behind.remove(0) else { unreachable!("the loop inside was found there") };
        let wide: BTreeMap<RegId, RegId> = self
            .regs
            .iter()
            .map(|&reg| {
                let own = imp.regs[reg].clone();
                (reg, imp.reg(own.ty, ROW_STRIP as u32, own.start))
            })
            .collect();
        let before = std::mem::take(&mut outer.body.stmts).into_iter();
        body.stmts.extend(before.filter(|stmt| !matches!(stmt, Stmt::Start(_))));
        body.stmts.extend(wide.values().map(|&reg| Stmt::Start(reg)));
        // The number of the first point of the block.
        let start = outer.number.map(|number| body.position(imp, BinaryOp::Add, number.first, first));

        let mut row = Block { stmts: std::mem::take(&mut self.rows), results: Vec::new() };
        let point = imp.position();
        let mut points = self.points(imp, &outer, start, [first, length], point, &mut row);
        for stmt in &mut points.stmts {
            if let Stmt::Accumulate { reg, lane, .. } = stmt {
                (*reg, *lane) = (wide[reg], Lane::Of(point));
            }
        }
        // A block has no more points than there are lanes, so this changes nothing; but the compiler sees that no lane is out of bounds.
        let (zero, lanes) = (imp.at(0), imp.at(ROW_STRIP as u64));
        let within = body.position(imp, BinaryOp::Min, length, lanes);
        let side = For::over(point, [zero, within], 1, Block::default(), loc);
        // The loop over results binds the number as well.
        let number = outer.number.zip(start).map(|(own, first)| {
            let value = imp.value(Type::I64);
            points = copy_of(imp, &points, BTreeMap::from([(own.value, value)]));
            Number { value, first }
        });
        let mut is_read = false;
        points.for_each_read(imp, &mut |value| is_read |= number.is_some_and(|number| number.value == value));
        row.stmts.push(Stmt::For(For { number: number.filter(|_| is_read), body: points, ..side }));
        inner.body = row;
        inner.hints = Some(Box::new(Hints { strip: Some(OUTER_STRIP as u32), ..Hints::default() }));
        jammed(imp, inner, &mut body);

        for stmt in &mut behind {
            if let Stmt::Read { result, reg, .. } = *stmt
                && let Some(&reg) = wide.get(&reg)
            {
                *stmt = Stmt::Pick { result, reg, position: outer.index };
            }
        }
        let range = std::mem::replace(&mut outer.range, [first, end]);
        let results = Block { stmts: behind, results: Vec::new() };
        body.stmts.push(Stmt::For(For { body: results, hints: None, ..outer }));
        out.stmts.push(Stmt::For(For::in_strips([first, end], range, ROW_STRIP as u32, body, loc)));
    }

    /// What is done for each point of a block, at position `point` of it; `start` is the number of the first one. What it reads is cut at
    /// the end of `row`.
    fn points(
        &mut self,
        imp: &mut Imp,
        outer: &For,
        start: Option<Value>,
        [first, length]: [Value; 2],
        point: Value,
        row: &mut Block,
    ) -> Block {
        let start = start.unwrap_or(first);
        let mut loads = self.moving.loads(imp, row, outer, [start, length, point]);
        let mut stmts = needed(imp, std::mem::take(&mut self.points));
        for stmt in &mut stmts {
            if let Stmt::Load { column, index, .. } = stmt {
                (*column, *index) = (row.slice(imp, *column, first, length), point);
            }
        }
        loads.append(&mut stmts);
        Block { stmts: loads, results: Vec::new() }
    }
}
