//! The loop that puts the rows of a scan in order: a scan upwards goes from the last row to the first, and gives them so.
//!
//! ```text
//! v1 = region { … }                              // a scan of n rows
//! v2 = shape v1[n, m]
//! v3 = loop i < n, j < m { merge at v2, (linearize [n - 1 - i, j] [n, m]) }
//! ```
//! Nothing else reads `v1`: whoever runs the scan may put each row where it belongs, and `v3` is what it makes.

use std::collections::HashMap;

use weldment_runtime::lang::scalar::BinaryOp;

use crate::analysis::bounds::is_last;
use crate::analysis::effects::can_fault;
use crate::ir::local::Facts;
use crate::ir::{Defs, Loop, Op, Program, SinkDecl, Stmt, Uses, Value};

/// A loop that copies all that a scan makes, the last row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The copies, in the order of what is copied.
    pub copies: Vec<Value>,
    /// The values through which they are read: what is copied, with its shape.
    pub shaped: Vec<Value>,
}

/// The loop among `behind`, what follows on a scan that makes `made`, rows of columns with these extents, that copies all that, the last row
/// first.
pub(super) fn copied(
    (program, defs, uses): (&Program, &Defs, &Uses),
    made: &[Value],
    extents: Vec<Value>,
    behind: &[Stmt],
) -> Option<Copied> {
    let finder = Finder { facts: Facts { program, defs }, uses, made, extents };
    behind.iter().find_map(|stmt| match &stmt.op {
        Op::Loop(inner) => finder.copied(inner, &stmt.results),
        _ => None,
    })
}

struct Finder<'a> {
    facts: Facts<'a>,
    uses: &'a Uses,
    made: &'a [Value],
    extents: Vec<Value>,
}

impl Finder<'_> {
    fn copied(&self, copy: &Loop, results: &[Value]) -> Option<Copied> {
        let Facts { program, defs } = self.facts;
        if copy.extents != self.extents || copy.sinks.len() != self.made.len() {
            return None;
        }
        let indices = &program.bodies[copy.body].params;
        let (mut read, mut copies) = (HashMap::new(), HashMap::new());
        for stmt in &program.bodies[copy.body].stmts {
            match &stmt.op {
                &Op::At(vector, position) => {
                    let Some(Op::Linearize(at, of)) = self.facts.op(position) else { return None };
                    let is_turned =
                        of == &copy.extents && self.is_turned(at[0], indices[0]) && at[1..] == indices[1..];
                    is_turned.then(|| read.insert(stmt.results[0], vector))?;
                }
                Op::Merge { sink, values } => {
                    let number = copy.sinks.iter().position(|decl| decl.sink == *sink)?;
                    let &vector = read.get(&values[0])?;
                    copies.insert(vector, results[number]);
                }
                op if op.holds_bodies() || can_fault(program, defs, op) => return None,
                _ => {}
            }
        }
        if !copy.sinks.iter().all(SinkDecl::collects_scalars) {
            return None;
        }
        let mut copied = Copied { copies: Vec::new(), shaped: Vec::new() };
        for &made in self.made {
            let (&vector, &to) = copies.iter().find(|(vector, _)| self.is_shaped(**vector, made))?;
            copied.copies.push(to);
            copied.shaped.extend((vector != made).then_some(vector));
        }
        Some(copied)
    }

    /// Whether `vector` is `made`, with its shape maybe, and read once.
    fn is_shaped(&self, vector: Value, made: Value) -> bool {
        let is_once = |value: Value| self.uses.count(value) == 1;
        let is_made = match self.facts.op(vector) {
            Some(&Op::Shape(of, _)) => of == made && is_once(made),
            _ => vector == made,
        };
        is_made && is_once(vector)
    }

    /// Whether `row` is as far from the last row as `index` is from the first.
    fn is_turned(&self, row: Value, index: Value) -> bool {
        let Facts { program, defs } = self.facts;
        let is_last = |value: Value| is_last(program, defs, value, self.extents[0]);
        let is_index_back = |value: Value| match self.facts.op(value) {
            Some(&Op::Binary(BinaryOp::Mul, x, y)) => x == index && self.facts.integer(y) == Some(-1),
            _ => false,
        };
        match self.facts.op(row) {
            Some(&Op::Binary(BinaryOp::Add, x, y)) => is_last(x) && is_index_back(y),
            Some(&Op::Binary(BinaryOp::Sub, x, y)) => is_last(x) && y == index,
            _ => false,
        }
    }
}
