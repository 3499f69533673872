//! In which order a loop reduces: in order where it walks down the columns of an array, or goes from one neighbour to the next.
//!
//! The elements of an array are stored row by row. A reduction that is computed for each point of a loop around, and reads an
//! array at a position along its last stored axis that the loop around moves, while its own index moves another axis, reads no
//! two neighbours one after the other: neighbours are what the next points of the loop around read. Lanes of one reduction would gather what
//! lies far apart, where lanes over the points around read whole vectors. So such a reduction folds one value after the other, and executors run
//! points side by side.
//!
//! A reduction that reads where the elements of a row of an array say, as that of a table of neighbours, folds in order, too: rows of tables
//! are short, what they point at lies anywhere, and more lanes than there are neighbours take longer to fold than to fill.
//!
//! It is decided here, once, of how the program is written.

use std::collections::{HashMap, HashSet};

use super::Lower;
use crate::ir::{BodyId, Op, Order, Program, Value};

impl Lower {
    /// The order of the reductions of a loop with this body, which stands in the bodies that are open.
    pub(super) fn order_of(&self, body: BodyId) -> Order {
        let program = self.builder.program();
        let [_, around @ ..] = self.builder.open_bodies() else { return Order::Lanes };
        let stmts = around.iter().flat_map(|&body| &program.bodies[body].stmts);
        let made = stmts.filter_map(|stmt| match &stmt.op {
            Op::Loop(made) => Some(stmt.results.iter().map(|&result| (result, made.body))),
            _ => None,
        });
        let mut reads = Reads { made: made.flatten().collect(), ..Reads::default() };
        reads.visit(program, body);
        if reads.follows_rows && !around.is_empty() {
            return Order::InOrder;
        }
        if reads.fixed.is_empty() {
            return Order::Lanes;
        }
        // What moves with a loop around: the entry is in none.
        let mut moving = HashSet::new();
        for &around in around {
            moving.extend(&program.bodies[around].params);
            spread(program, around, &mut moving);
        }
        for body in reads.visited {
            spread(program, body, &mut moving);
        }
        if reads.fixed.is_disjoint(&moving) { Order::Lanes } else { Order::InOrder }
    }
}

/// How a loop reads arrays.
#[derive(Default)]
struct Reads {
    /// The bodies of the loops that make vectors for a point of a loop around, such as that of `map`: what they read is read by
    /// whoever reads the vector.
    made: HashMap<Value, BodyId>,
    /// The bodies that were looked at.
    visited: Vec<BodyId>,
    /// What depends on its indices.
    own: HashSet<Value>,
    /// The positions that points of arrays have along their last axis, by the position among all elements, where the loop moves along another
    /// axis only.
    places: HashMap<Value, Value>,
    /// Those of them at which elements are read.
    fixed: HashSet<Value>,
    /// The positions of elements of arrays that the loop goes to along the last axis.
    along_rows: HashSet<Value>,
    /// The elements that are read there, and what is computed of them.
    elements: HashSet<Value>,
    /// The vectors that hold such elements.
    listed: HashSet<Value>,
    /// Whether an element is read at such an element.
    follows_rows: bool,
}

impl Reads {
    /// Whether what the body merges is computed of elements of rows.
    fn visit(&mut self, program: &Program, body: BodyId) -> bool {
        if self.visited.contains(&body) {
            return false;
        }
        let mut merges_rows = false;
        self.visited.push(body);
        self.own.extend(&program.bodies[body].params);
        for stmt in &program.bodies[body].stmts {
            match &stmt.op {
                Op::For { body, .. } => merges_rows |= self.visit(program, *body),
                Op::If { then, els, .. } => {
                    for side in [*then, *els] {
                        merges_rows |= self.visit(program, side);
                    }
                }
                Op::Merge { values, .. } => {
                    merges_rows |= values.iter().any(|value| self.elements.contains(value));
                }
                Op::Linearize(positions, _) => {
                    let last = positions[positions.len() - 1];
                    if !self.own.contains(&last)
                        && positions.iter().any(|position| self.own.contains(position))
                    {
                        self.places.insert(stmt.results[0], last);
                    }
                    if positions.len() > 1 && self.own.contains(&last) {
                        self.along_rows.insert(stmt.results[0]);
                    }
                }
                Op::At(vector, index) => {
                    self.fixed.extend(self.places.get(index));
                    if let Some(&made) = self.made.get(vector)
                        && self.visit(program, made)
                    {
                        self.listed.insert(*vector);
                    }
                    self.follows_rows |= self.elements.contains(index);
                    if self.along_rows.contains(index) || self.listed.contains(vector) {
                        self.elements.insert(stmt.results[0]);
                    }
                }
                _ => {}
            }
            mark(program, stmt, &mut self.own);
            if !matches!(stmt.op, Op::At(..)) {
                mark(program, stmt, &mut self.elements);
            }
        }
        merges_rows
    }
}

/// Adds what depends on `values` in `body`.
fn spread(program: &Program, body: BodyId, values: &mut HashSet<Value>) {
    for stmt in &program.bodies[body].stmts {
        mark(program, stmt, values);
    }
}

fn mark(program: &Program, stmt: &crate::ir::Stmt, values: &mut HashSet<Value>) {
    let mut depends = false;
    program.for_each_read_of(stmt, &mut |value| depends |= values.contains(&value));
    if depends {
        values.extend(&stmt.results);
    }
}
