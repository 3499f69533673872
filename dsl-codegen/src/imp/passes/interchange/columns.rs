//! Loops over points that each reduce a column, and panels: some such points side by side.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, Op, Value};
use weldment_runtime::exec::context::{OUTER_STRIP, ROW_STRIP};
use weldment_runtime::lang::types::Type;

use super::jam::jammed;
use crate::imp::copy::copy_of;
use crate::imp::effects::{of_op, of_stmt, shows};
use crate::imp::passes::moving::{Moving, needed};
use crate::imp::walk::Use;
use crate::imp::{AccOp, Action, Block, For, Hints, Imp, Lane, Number, RegId, Stmt, Stride};

/// Points side by side, from `strip[0]` to `strip[1]`.
pub(super) struct Panel {
    pub(super) strip: [Value; 2],
    /// What comes before the rows.
    pub(super) body: Block,
    /// For each register of a point, that whose lanes are the points.
    pub(super) regs: BTreeMap<RegId, RegId>,
    /// Each ends with the loop over the points.
    pub(super) rows: For,
}

/// A loop over points that each reduce a column.
pub(super) struct Columns {
    /// Where the loop inside stands.
    pub(super) at: usize,
    /// What it fills.
    regs: Vec<RegId>,
    /// What a point computes for itself before the loop inside: loads, and what is cheap to compute for each row again.
    own: Vec<Stmt>,
    /// What it puts into its registers before: what is there of a store.
    seeds: Vec<Stmt>,
    /// The statements in it that are the same for all points, in order.
    rows: Vec<Stmt>,
    /// Those of each point.
    points: Vec<Stmt>,
    /// What differs from point to point, and what is read where the point moves to.
    pub(super) moving: Moving,
}

/// Whether `outer` starts registers, or opens stores, and holds a loop.
pub(super) fn may_reduce(outer: &For) -> bool {
    let has = |is: fn(&Stmt) -> bool| outer.body.stmts.iter().any(is);
    has(|stmt| matches!(stmt, Stmt::Start(_) | Stmt::Do { action: Action::Open, .. }))
        && has(|stmt| matches!(stmt, Stmt::For(_)))
}

impl Columns {
    pub(super) fn of(imp: &Imp, outer: &For) -> Option<Columns> {
        let is_plain = outer.step == 1 && outer.end.is_none() && outer.exit.is_none() && !outer.tail;
        let keeps = outer.hints.as_ref().is_none_or(|hints| {
            **hints == Hints { strip: hints.strip, prefetch: hints.prefetch.clone(), ..Hints::default() }
        });
        if !is_plain || !keeps || imp.known_position(outer.range[0]) != Some(0) {
            return None;
        }
        let stmts = &outer.body.stmts;
        // What is the same for all points would be shown once.
        if stmts.iter().any(|stmt| shows(imp, stmt)) {
            return None;
        }
        let at = stmts.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
        let Stmt::For(inner) = &stmts[at] else { return None };
        let mut moving = Moving::of(imp, outer);
        let mut started = BTreeSet::new();
        let (mut own, mut seeds) = (Vec::new(), Vec::new());
        for stmt in &stmts[..at] {
            match stmt {
                Stmt::Start(reg) => _ = started.insert(*reg),
                Stmt::Let { .. } if moving.is_fixed(stmt) => {}
                Stmt::Do { action: Action::Get, args, .. } if args[0] == outer.index => {
                    moving.note(stmt);
                    seeds.push(stmt.clone());
                }
                Stmt::Accumulate { op: AccOp::Set, lane: Lane::Zero, .. } => seeds.push(stmt.clone()),
                Stmt::Load { .. } | Stmt::Let { .. } if is_own(imp, outer, &moving, stmt) => {
                    moving.note(stmt);
                    own.push(stmt.clone());
                }
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
        let points = own.clone();
        let mut columns = Columns { at, regs: Vec::new(), own, seeds, rows: Vec::new(), points, moving };
        for stmt in &inner.body.stmts {
            columns.sort(imp, outer, stmt)?;
        }
        let all_started = columns.regs.iter().all(|reg| started.contains(reg));
        let is_read =
            !columns.moving.reads.is_empty() || !columns.own.is_empty() || !columns.seeds.is_empty();
        let is_used = is_read && started.len() == columns.regs.len();
        (all_started && is_used).then_some(columns)
    }

    /// Whether points read what the loop inside reads, and no more.
    pub(super) fn is_plain(&self) -> bool {
        self.own.is_empty()
    }

    /// Puts a statement of the loop inside to its like.
    fn sort(&mut self, imp: &Imp, outer: &For, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Pick { reg, .. } if imp.regs[*reg].lanes == 1 => {
                self.moving.note(stmt);
                self.points.push(stmt.clone());
            }
            Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Reduce(_) | AccOp::Set, .. }
                if imp.regs[*reg].lanes == 1 =>
            {
                if !self.regs.contains(reg) {
                    self.regs.push(*reg);
                }
                self.points.push(stmt.clone());
            }
            Stmt::Let { .. } | Stmt::Load { .. } | Stmt::Pick { .. } if self.moving.is_fixed(stmt) => {
                self.rows.push(stmt.clone())
            }
            Stmt::Let { result, op: Op::At(..), .. } => {
                imp.values[*result].ty.as_scalar()?;
                self.moving.note_read(imp, stmt).then_some(())?;
            }
            Stmt::Load { result, column, index, stride: Stride::One }
                if *index == outer.index && !self.moving.varies(*column) =>
            {
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

    pub(super) fn rewrite(mut self, imp: &mut Imp, mut outer: For, out: &mut Block) {
        let mut panel = self.panel(imp, &mut outer, ROW_STRIP as u32);
        jammed(imp, panel.rows, &mut panel.body);
        let behind = std::mem::take(&mut outer.body.stmts);
        let mut behind = needed(imp, self.own.drain(..).chain(behind).collect());
        for stmt in &mut behind {
            if let Stmt::Read { result, reg, .. } = *stmt
                && let Some(&reg) = panel.regs.get(&reg)
            {
                *stmt = Stmt::Pick { result, reg, position: outer.index };
            }
        }
        let range = std::mem::replace(&mut outer.range, panel.strip);
        let (results, loc) = (Block { stmts: behind, results: Vec::new() }, outer.loc);
        panel.body.stmts.push(Stmt::For(For { body: results, hints: None, ..outer }));
        out.stmts.push(Stmt::For(For::in_strips(panel.strip, range, ROW_STRIP as u32, panel.body, loc)));
    }

    /// The first `width` points of `outer` from some point on, side by side. Their results stay in `outer`.
    pub(super) fn panel(&mut self, imp: &mut Imp, outer: &mut For, width: u32) -> Panel {
        let loc = outer.loc;
        let (first, end) = (imp.position(), imp.position());
        let mut body = Block::default();
        let length = body.position(imp, BinaryOp::Sub, end, first);
        let mut behind = outer.body.stmts.split_off(self.at);
        let Stmt::For(mut inner) = behind.remove(0) else { unreachable!("the loop inside was found there") };
        let regs: BTreeMap<RegId, RegId> = self
            .regs
            .iter()
            .map(|&reg| {
                let own = imp.regs[reg].clone();
                (reg, imp.reg(own.ty, width, own.start))
            })
            .collect();
        let before = std::mem::replace(&mut outer.body.stmts, behind).into_iter();
        let is_own = |stmt: &Stmt| self.own.contains(stmt) || self.seeds.contains(stmt);
        body.stmts.extend(before.filter(|stmt| !matches!(stmt, Stmt::Start(_)) && !is_own(stmt)));
        body.stmts.extend(regs.values().map(|&reg| Stmt::Start(reg)));
        self.seed(imp, outer, [first, end], &regs, &mut body);
        // The number of the first point of the panel.
        let start = outer.number.map(|number| body.position(imp, BinaryOp::Add, number.first, first));

        let mut row = Block { stmts: std::mem::take(&mut self.rows), results: Vec::new() };
        let point = imp.position();
        let mut points = self.points(imp, outer, start, [first, length], point, &mut row);
        for stmt in &mut points.stmts {
            match stmt {
                Stmt::Accumulate { reg, lane, .. } => (*reg, *lane) = (regs[reg], Lane::Of(point)),
                Stmt::Pick { reg, position, .. } => (*reg, *position) = (regs[reg], point),
                _ => {}
            }
        }
        if !self.own.is_empty() {
            // What is behind the rows computes them as well.
            points = copy_of(imp, &points, BTreeMap::new());
        }
        // A panel has no more points than there are lanes, so this changes nothing; but the compiler sees that no lane is out of bounds.
        let (zero, lanes) = (imp.at(0), imp.at(width.into()));
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
        // Rows that read lanes are a panel of rows themselves: a strip of it would not know which lanes these are.
        let are_panel = row.stmts.iter().any(|stmt| matches!(stmt, Stmt::Pick { .. }));
        let hints = Hints { strip: Some(OUTER_STRIP as u32), ..Hints::default() };
        inner.hints = (!are_panel).then(|| Box::new(hints));
        inner.body = row;
        Panel { strip: [first, end], body, regs, rows: inner }
    }

    /// Puts into each lane of `regs` what its point does.
    fn seed(
        &self,
        imp: &mut Imp,
        outer: &For,
        range: [Value; 2],
        regs: &BTreeMap<RegId, RegId>,
        out: &mut Block,
    ) {
        if self.seeds.is_empty() {
            return;
        }
        let point = imp.position();
        let seeds = Block { stmts: self.seeds.clone(), results: Vec::new() };
        let mut seeds = copy_of(imp, &seeds, BTreeMap::from([(outer.index, point)]));
        for stmt in &mut seeds.stmts {
            if let Stmt::Accumulate { reg, lane, .. } = stmt {
                (*reg, *lane) = (regs[reg], Lane::Of(point));
            }
        }
        out.stmts.push(Stmt::For(For::over(point, range, 1, seeds, outer.loc)));
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

/// Whether a point of `outer` has `stmt` for itself, and may have it again for each row.
fn is_own(imp: &Imp, outer: &For, moving: &Moving, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Load { result, column, index, stride: Stride::One } => {
            *index == outer.index && !moving.varies(*column) && imp.values[*result].ty.as_scalar().is_some()
        }
        Stmt::Let { result, op: Op::Unary(..) | Op::Binary(..) | Op::Cast(..), .. } => {
            imp.values[*result].ty.as_scalar().is_some()
                && !of_stmt(imp, stmt).faults
                && !stmt.values(Use::Read).contains(&outer.index)
        }
        _ => false,
    }
}
