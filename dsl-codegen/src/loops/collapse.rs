//! Coalescing: a loop over all points of an array that knows nothing of a point but where its elements are, all of which lie as the points
//! do, is a loop over elements. Rows may be short then, and what runs is what would for a vector.
//!
//! ```text
//! v5 = loop i < n, j < m { sink #0 = collect f64; k = linearize [i, j] [n, m]; x = at v, k; merge #0, …x… }
//! ```
//! ```text
//! t = mul n, m
//! v5 = loop k < t { sink #0 = collect f64; x = at v, k; merge #0, …x… }
//! ```
//! Only loops that collect: the order of sums is by rows.

use weldment_core::analysis::equal::Lengths;
use weldment_core::analysis::windows::Window;
use weldment_core::ir::rewrite::Subst;
use weldment_core::ir::{BinaryOp, BodyId, Defs, Loop, Op, Program, SinkKind, Stmt, Value, ValueInfo};
use weldment_runtime::lang::types::Type;

/// Coalesces all loops of `program` that can be, but for those that make `windows`, of which rows are wanted.
pub(super) fn collapse(program: &mut Program, windows: &[Window]) {
    let entry = program.entry.expect("a program has an entry");
    let defs = Defs::of(program);
    let mut found: Vec<(BodyId, usize, Points)> = Vec::new();
    for body in program.bodies_within(entry) {
        let stmts = program.bodies[body].stmts.iter().enumerate();
        let flat = stmts.filter_map(|(number, stmt)| match &stmt.op {
            Op::Loop(_) if windows.iter().any(|window| window.made == stmt.results) => None,
            Op::Loop(inner) => Some((body, number, Points::of(program, &defs, inner)?)),
            _ => None,
        });
        found.extend(flat);
    }
    // From behind, so that numbers stay what they are.
    for (body, number, points) in found.into_iter().rev() {
        points.flatten(program, body, number);
    }
}

/// The points of a loop that uses its indices for elements only that lie as they do.
struct Points {
    indices: Vec<Value>,
    extents: Vec<Value>,
    /// What is done for a point.
    body: BodyId,
}

impl Points {
    fn of(program: &Program, defs: &Defs, inner: &Loop) -> Option<Points> {
        let mut body = inner.body;
        let mut indices = program.bodies[body].params.clone();
        let mut extents = inner.extents.clone();
        // Loops that hold nothing but another one.
        while let [Stmt { op: Op::For { extent, body: within }, .. }] = program.bodies[body].stmts[..]
            && !indices.contains(&extent)
        {
            extents.push(extent);
            indices.extend(&program.bodies[within].params);
            body = within;
        }
        let collects = inner.sinks.iter().all(|decl| matches!(decl.kind, SinkKind::Collect { .. }));
        let is_nest = extents.len() > 1 && !inner.extents.is_empty() && collects;
        let points = Points { indices, extents, body };
        // As many points as an array has can be counted, and so can those of a loop that makes one.
        let are_counted = inner.extents.len() > 1 || points.reads_elements(program);
        (is_nest && are_counted && points.are_elements(program, defs)).then_some(points)
    }

    fn reads_elements(&self, program: &Program) -> bool {
        let bodies = program.bodies_within(self.body);
        let mut stmts = bodies.iter().flat_map(|&body| &program.bodies[body].stmts);
        stmts.any(|stmt| matches!(&stmt.op, Op::Linearize(at, _) if *at == self.indices))
    }

    fn are_elements(&self, program: &Program, defs: &Defs) -> bool {
        let bodies = program.bodies_within(self.body);
        let reads = |value: &Value| self.indices.contains(value);
        let mut stmts = bodies.iter().flat_map(|&body| &program.bodies[body].stmts);
        let are_elements = stmts.all(|stmt| match &stmt.op {
            Op::Linearize(at, extents) if *at == self.indices => {
                // How many rows there are has no part in where an element is.
                extents.iter().zip(&self.extents).skip(1).all(|(&own, &of)| is_same(program, defs, own, of))
            }
            op => {
                let mut is_read = false;
                op.for_each_operand(|operand| is_read |= reads(&operand));
                !is_read
            }
        });
        are_elements && !bodies.iter().any(|&body| program.bodies[body].results.iter().any(reads))
    }

    fn flatten(self, program: &mut Program, body: BodyId, number: usize) {
        let mut stmts = program.take_stmts(body);
        let loc = stmts[number].loc;
        let Op::Loop(inner) = &mut stmts[number].op else { unreachable!("a loop was found there") };
        let mut before = Vec::new();
        let total = self
            .extents
            .into_iter()
            .reduce(|rows, extent| program.append(Op::Binary(BinaryOp::Mul, rows, extent), loc, &mut before));
        inner.extents = total.into_iter().collect();
        inner.body = self.body;
        let index = program.values.push(ValueInfo { ty: Type::I64 });
        program.bodies[self.body].params = vec![index];
        let mut subst = Subst::new();
        for within in program.bodies_within(self.body) {
            program.bodies[within].stmts.retain(|stmt| match &stmt.op {
                Op::Linearize(at, _) if *at == self.indices => {
                    subst.insert(stmt.results[0], index);
                    false
                }
                _ => true,
            });
        }
        program.substitute(self.body, &subst);
        stmts.splice(number..number, before);
        program.put_stmts(body, stmts);
    }
}

/// Whether an array has the extent `own` where a loop runs below `extent`, which may have been checked to be equal to it.
fn is_same(program: &Program, defs: &Defs, own: Value, extent: Value) -> bool {
    if Lengths::new(program, defs).equal(own, extent) {
        return true;
    }
    match defs.op(program, extent) {
        Some(Op::ZipLen(_, extents)) => extents.iter().any(|&one| is_same(program, defs, own, one)),
        _ => false,
    }
}
