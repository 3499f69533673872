//! Maps over the rows, of which the reductions of columns read the element of their row and nobody reads anything else.
//!
//! Column by column, such a vector is read once for each column, so that it is stored. Row by row, its element is computed in the row that reads
//! it: rows are read once, and what is computed of them need not wait in memory until all are.

use std::collections::BTreeMap;

use crate::analysis::effects::Effects;
use crate::extract::{MapLoop, NestedReduction};
use crate::ir::rewrite::{Copier, Subst};
use crate::ir::{BodyId, Defs, Keep, Op, Program, Stmt, Uses, Value};

/// The map that makes a vector of an element for each row.
pub(super) struct RowMap {
    vector: Value,
    map: MapLoop,
}

impl RowMap {
    /// Those that nothing but the reduction of `nest` reads.
    pub(super) fn all(program: &Program, defs: &Defs, uses: &Uses, nest: &NestedReduction) -> Vec<RowMap> {
        let inner = nest.reduction(program);
        let row = program.bodies[inner.body].params[0];
        let mut reads: BTreeMap<Value, u32> = BTreeMap::new();
        program.for_each_stmt(inner.body, &mut |stmt| {
            if let Op::At(vector, at) = stmt.op
                && at == row
            {
                *reads.entry(vector).or_default() += 1;
            }
        });
        let read_here = reads.into_iter().filter(|&(vector, reads)| uses.count(vector) == reads);
        read_here.filter_map(|(vector, _)| RowMap::of(program, defs, nest, vector)).collect()
    }

    fn of(program: &Program, defs: &Defs, nest: &NestedReduction, vector: Value) -> Option<RowMap> {
        let map = MapLoop::extract(program, defs, vector)?;
        let (body, number) = map.place;
        let stmt = &program.bodies[body].stmts[number];
        let effects = Effects::of_stmt(program, defs, stmt);
        // It moves behind what stands between, which faults do not mind and lines that are shown would.
        let may_move = body == nest.body && effects.merges.is_empty() && !effects.shows;
        let is_of_rows = map.extents == nest.reduction(program).extents && stmt.results.len() == 1;
        (may_move && is_of_rows && map.keep != Keep::Stored).then_some(RowMap { vector, map })
    }

    /// The statements that compute the element of `row`, which `body` reads from then on in place of the vector.
    pub(super) fn compute(&self, program: &mut Program, row: Value, body: BodyId) -> Vec<Stmt> {
        let mut of_row = program.bodies[self.map.body].stmts.clone();
        of_row.remove(self.map.merge);
        let mut copier = Copier::new();
        copier.subst.insert(self.map.indices[0], row);
        let of_row = copier.stmts(program, &of_row);
        let element = copier.subst.get(self.map.value);
        let mut subst = Subst::new();
        for inner in program.bodies_within(body) {
            program.bodies[inner].stmts.retain(|stmt| match stmt.op {
                Op::At(vector, at) if vector == self.vector && at == row => {
                    subst.insert(stmt.results[0], element);
                    false
                }
                _ => true,
            });
        }
        program.substitute(body, &subst);
        of_row
    }

    /// The loop that makes the vector, once more, which `copier` knows from then on.
    pub(super) fn store(&self, program: &mut Program, copier: &mut Copier) -> Stmt {
        let (body, number) = self.map.place;
        let stmt = program.bodies[body].stmts[number].clone();
        copier.stmt(program, &stmt)
    }
}
