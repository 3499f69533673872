//! Arrays of which a loop reads the rows around its own: they need not be there as a whole.
//!
//! What is too dear to be computed where it is read, and is read by one later loop at constant offsets of the outermost index, is computed a
//! few rows at a time by whoever runs over these: overlapped tiling (Krishnamoorthy et al., "Effective automatic parallelization
//! of stencil computations", 2007), with tiles of whole rows. Rows at the edges of tiles are computed twice, with the same bits. The array is never
//! written to memory.

use std::collections::HashSet;

use weldment_runtime::lang::scalar::BinaryOp;

use super::{bounds, cost, guarded};
use crate::ir::local::Facts;
use crate::ir::{BodyId, Defs, Keep, Loc, Loop, Op, Program, SinkDecl, SinkKind, Stmt, Uses, Value};

/// So many rows behind or ahead are looked at.
const MOST: i64 = 8;

/// Extents that differ by so many are those of rows of about one length.
const FEW: i128 = 64;

/// An array that is computed row by row, for the rows around those of another loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the loop makes whose elements are computed so.
    pub made: Vec<Value>,
    /// What the loop makes that reads them.
    pub reader: Vec<Value>,
    /// How many rows before its own that loop reads.
    pub behind: u64,
    /// How many rows after its own.
    pub ahead: u64,
    /// Where the array is made.
    pub at: Loc,
}

/// The windows of `program`, outer bodies before inner.
pub fn of(program: &Program) -> Vec<Window> {
    let (Some(entry), defs, uses) = (program.entry, Defs::of(program), Uses::of(program)) else {
        return Vec::new();
    };
    let mut finder = Finder { facts: Facts { program, defs: &defs }, uses, found: Vec::new() };
    finder.body(entry);
    finder.found
}

struct Finder<'a> {
    facts: Facts<'a>,
    uses: Uses,
    found: Vec<Window>,
}

/// How far an index is from that of a loop, at least and at most.
type Offsets = (i64, i64);

impl Finder<'_> {
    /// Those in `body`, and in its branches and steps: what loops and functions hold runs on one thread.
    fn body(&mut self, body: BodyId) {
        let stmts = &self.facts.program.bodies[body].stmts;
        // What is computed by a reader has no readers of its own: the last loops choose first.
        let mut taken = HashSet::new();
        for (number, stmt) in stmts.iter().enumerate().rev() {
            if taken.contains(&number) || self.filled(stmt).is_none() {
                continue;
            }
            for before in (0..number).rev() {
                if let Some(window) = self.window(&stmts[before], stmt) {
                    taken.insert(before);
                    self.found.push(window);
                }
            }
        }
        for stmt in stmts {
            if let Op::If { .. } | Op::Iterate { .. } = stmt.op {
                stmt.op.bodies().into_iter().for_each(|inner| self.body(inner));
            }
        }
    }

    /// The loop that `stmt` is, if it gives each of its results one element for each of its points, and computes no more than that.
    fn filled<'s>(&self, stmt: &'s Stmt) -> Option<&'s Loop> {
        let Op::Loop(inner) = &stmt.op else { return None };
        let program = self.facts.program;
        let mut left: HashSet<_> = inner.sinks.iter().map(|decl| decl.sink).collect();
        let all_collect = inner.sinks.iter().all(|decl| match &decl.kind {
            SinkKind::Collect { ty, .. } => ty.leaves().is_some_and(|leaves| !leaves.is_empty()),
            _ => false,
        });
        let is_plain = program.bodies[inner.body].stmts.iter().all(|stmt| match &stmt.op {
            Op::Merge { sink, .. } => left.remove(sink),
            op => is_plain(program, op),
        });
        (inner.extents.len() > 1 && all_collect && is_plain && left.is_empty()).then_some(inner)
    }

    /// The window of what `made` makes, in the loop `reader`.
    fn window(&self, made: &Stmt, reader: &Stmt) -> Option<Window> {
        let Facts { program, defs } = self.facts;
        let (of, by) = (self.filled(made)?, self.filled(reader)?);
        let is_stored = |decl: &SinkDecl| matches!(decl.kind, SinkKind::Collect { keep: Keep::Stored, .. });
        if of.sinks.iter().any(is_stored) || !self.are_as_long(&of.extents, &by.extents) {
            return None;
        }
        let read = made.results.iter().map(|&vector| self.offsets(vector, by, of.extents.len()));
        let all: Vec<Offsets> = read.collect::<Option<_>>()?;
        let behind = all.iter().map(|offsets| -offsets.0).max()?.max(0);
        let ahead = all.iter().map(|offsets| offsets.1).max()?.max(0);
        let stmts = &program.bodies[of.body].stmts;
        let computes = stmts.iter().filter(|stmt| !matches!(stmt.op, Op::Merge { .. }));
        // The row in which a part begins may be computed twice as well.
        let cost = cost::of_body(program, of.body).saturating_mul((behind + ahead) as u64 + 1);
        let is_worth = behind <= MOST && ahead <= MOST && cost <= cost::MAX_AROUND;
        let window = Window {
            made: made.results.clone(),
            reader: reader.results.clone(),
            behind: behind as u64,
            ahead: ahead as u64,
            at: made.loc,
        };
        (is_worth && guarded::are_total(program, defs, computes)).then_some(window)
    }

    /// Whether rows of both have some elements more or less, so that parts of some points of the reader have rows for all threads.
    fn are_as_long(&self, made: &[Value], reader: &[Value]) -> bool {
        let Facts { program, defs } = self.facts;
        let is_near = |(&made, &reader): (&Value, &Value)| {
            let numbers = [made, reader].map(|extent| self.facts.integer(extent));
            match numbers {
                [Some(made), Some(reader)] => made <= reader.saturating_mul(2),
                // Of arrays that are read together, extents have been checked to be equal.
                _ => bounds::implied(program, defs, self.beside(reader)).contains(&self.beside(made)),
            }
        };
        made.len() == reader.len() && made.iter().zip(reader).skip(1).all(is_near)
    }

    /// What an extent is some more or less than.
    fn beside(&self, mut extent: Value) -> Value {
        let is_near =
            |value: Value| self.facts.integer(value).is_some_and(|number| (-FEW..=FEW).contains(&number));
        while let Some(&Op::Binary(op, x, y)) = self.facts.op(extent) {
            extent = match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Max if is_near(y) => x,
                BinaryOp::Add | BinaryOp::Max if is_near(x) => y,
                _ => break,
            };
        }
        extent
    }

    /// How far from the outermost index of `reader` it reads `vector`, an array of so many axes, if nothing else reads that.
    fn offsets(&self, vector: Value, reader: &Loop, axes: usize) -> Option<Offsets> {
        let mut offsets: Option<Offsets> = None;
        let (mut reads, mut all) = (0, true);
        self.facts.program.for_each_stmt(reader.body, &mut |stmt| {
            let Op::At(read, index) = stmt.op else { return };
            if read != vector {
                return;
            }
            reads += 1;
            let at = match self.facts.op(index) {
                Some(Op::Linearize(indices, _)) if indices.len() == axes => self.around(indices[0], reader),
                _ => None,
            };
            match at {
                Some((least, most)) => {
                    let (behind, ahead) = offsets.unwrap_or((least, most));
                    offsets = Some((behind.min(least), ahead.max(most)));
                }
                None => all = false,
            }
        });
        offsets.filter(|_| all && reads == self.uses.count(vector) as usize)
    }

    /// How far `index` is from the outermost index of `reader`, wherever that stands.
    fn around(&self, index: Value, reader: &Loop) -> Option<Offsets> {
        let outermost = self.facts.program.bodies[reader.body].params[0];
        if index == outermost {
            return Some((0, 0));
        }
        let near = |value: Value| {
            let number = self.facts.integer(value)?;
            i64::try_from(number).ok().filter(|number| number.abs() <= MOST)
        };
        match *self.facts.op(index)? {
            Op::CheckIndex(of, _) | Op::AssumeIndex(of, _) => self.around(of, reader),
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) => {
                let (of, by) = match (near(x), near(y), op) {
                    (_, Some(by), BinaryOp::Add) => (x, by),
                    (_, Some(by), _) => (x, -by),
                    (Some(by), _, BinaryOp::Add) => (y, by),
                    _ => return None,
                };
                let (least, most) = self.around(of, reader)?;
                Some((least + by, most + by))
            }
            // No index is below 0, so that 0 is no further ahead.
            Op::Binary(BinaryOp::Max, x, y) => {
                let of = if self.facts.integer(y) == Some(0) { x } else { y };
                let other = if of == x { y } else { x };
                (self.facts.integer(other) == Some(0)).then_some(())?;
                let (least, most) = self.around(of, reader)?;
                Some((least, most.max(0)))
            }
            // Nor above the last one, so that this is no further behind.
            Op::Binary(BinaryOp::Min, x, y) => {
                let of = if self.is_last(y, reader) { x } else { y };
                let other = if of == x { y } else { x };
                self.is_last(other, reader).then_some(())?;
                let (least, most) = self.around(of, reader)?;
                Some((least.min(0), most))
            }
            _ => None,
        }
    }

    /// Whether `value` is the last of the outermost indices of `reader`, whose extent is an extent of an array.
    fn is_last(&self, value: Value, reader: &Loop) -> bool {
        bounds::is_last(self.facts.program, self.facts.defs, value, reader.extents[0])
    }
}

/// Whether an op computes, and neither loops nor merges.
fn is_plain(program: &Program, op: &Op) -> bool {
    match op {
        Op::If { then, els, .. } => [then, els]
            .into_iter()
            .all(|body| program.bodies[*body].stmts.iter().all(|stmt| is_plain(program, &stmt.op))),
        Op::Merge { .. } | Op::Call(..) => false,
        op => !op.holds_bodies(),
    }
}
