//! Branches on the same condition.

use std::collections::HashMap;
use std::mem;

use crate::analysis::footprints::Footprints;
use crate::analysis::order::{Meeting, close_holes, hole};
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Op, Program, Stmt, Value};
use crate::passes::Cx;

/// Makes one `if` of those in `body` that are on the same condition and can be brought together. Whether there were any;
/// `defs` are those of the program, if they are known.
pub(super) fn fuse_guards(program: &mut Program, cx: &mut Cx, defs: &mut Option<Defs>, body: BodyId) -> bool {
    let mut conditions: HashMap<Value, usize> = HashMap::new();
    let conds = program.bodies[body].stmts.iter().filter_map(|stmt| Some(branches(stmt)?.0));
    conds.for_each(|cond| *conditions.entry(cond).or_default() += 1);
    conditions.retain(|_, count| *count > 1);
    if conditions.is_empty() {
        return false;
    }
    let defs = defs.get_or_insert_with(|| Defs::of(program));
    let mut guards = Guards { body, before: HashMap::new(), footprints: Footprints::default() };
    let mut fused = false;
    for second in 0..program.bodies[body].stmts.len() {
        let Some((cond, then, _)) = branches(&program.bodies[body].stmts[second]) else { continue };
        if !conditions.contains_key(&cond) {
            continue;
        }
        if cx.is_empty() || !guards.fuse_into_first(program, defs, cond, second) {
            guards.before.entry(cond).or_default().push(then);
            continue;
        }
        cx.allows();
        fused = true;
    }
    if fused {
        close_holes(program, body);
        defs.update(program, body);
    }
    fused
}

/// The `if`s of one body that have been looked at.
struct Guards {
    body: BodyId,
    /// By their conditions, in order: each by the body of its first branch.
    before: HashMap<Value, Vec<BodyId>>,
    footprints: Footprints,
}

impl Guards {
    /// Makes one of the statement `second` and the first before it on the same condition that it can be brought together
    /// with, if there is one. What the second reads of the first, it reads inside the branch.
    fn fuse_into_first(
        &mut self,
        program: &mut Program,
        defs: &mut Defs,
        cond: Value,
        second: usize,
    ) -> bool {
        let meet = |&then: &BodyId| {
            let (_, first) = defs.holder(then)?;
            let pair = [first, second];
            Some((pair, Meeting::arrange(program, defs, &self.footprints, self.body, pair, &[])?))
        };
        let before = self.before.get(&cond).map_or(&[][..], Vec::as_slice);
        let Some((pair, meeting)) = before.iter().find_map(meet) else { return false };

        let mut stmts = program.take_stmts(self.body);
        let [mut fused, other] = pair.map(|number| mem::replace(&mut stmts[number], hole()));
        self.footprints.unite(program, &fused, &other);
        let (Some((_, then, els)), Some((_, then_too, els_too))) = (branches(&fused), branches(&other))
        else {
            unreachable!("guards are branches");
        };
        for (branch, moved) in [(then, then_too), (els, els_too)] {
            let mut subst = Subst::new();
            subst.insert_all(&fused.results, &program.bodies[branch].results);
            program.substitute(moved, &subst);
            let mut stmts = program.take_stmts(moved);
            program.bodies[branch].stmts.append(&mut stmts);
            let mut results = mem::take(&mut program.bodies[moved].results);
            program.bodies[branch].results.append(&mut results);
        }
        fused.results.extend(other.results);
        let moved = meeting.apply(&mut stmts, pair, fused);
        program.put_stmts(self.body, stmts);
        defs.moved(program, self.body, moved);
        true
    }
}

/// The condition and the branches of an `if`.
fn branches(stmt: &Stmt) -> Option<(Value, BodyId, BodyId)> {
    match stmt.op {
        Op::If { cond, then, els } => Some((cond, then, els)),
        _ => None,
    }
}
