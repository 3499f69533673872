//! Iterations side by side: a loop for each phase, with registers of a lane for each iteration between them.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, Const, Loc, Op, Value};
use weldment_runtime::exec::context::ROWS_STRIP;

use super::plan::{Branch, Each, Phase, Plan, State, Steps};
use crate::imp::copy::copy_of;
use crate::imp::walk::{Use, free_values};
use crate::imp::{AccOp, Block, For, Imp, Known, Lane, Number, RegId, Stmt, Stride};

/// So many iterations go side by side: a value that is kept takes 2 KiB at most.
const WIDTH: u32 = ROWS_STRIP as u32;

/// Iterations side by side.
struct Panel<'p> {
    plan: &'p Plan,
    /// The number of an iteration, and that of the first.
    number: Option<Number>,
    /// How many they are, at most as many as there are lanes.
    count: Value,
    /// The parts of columns that they read.
    columns: BTreeMap<Value, Value>,
    /// Where values are kept.
    regs: BTreeMap<Value, RegId>,
    loc: Loc,
}

/// Puts into `out` what `outer` does, by panels.
pub(super) fn rewrite(imp: &mut Imp, mut outer: For, plan: &Plan, out: &mut Block) {
    let (first, end) = (imp.position(), imp.position());
    let mut body = Block::default();
    let length = body.position(imp, BinaryOp::Sub, end, first);
    // It changes nothing; but compilers see that no lane is out of bounds.
    let lanes = imp.at(WIDTH.into());
    let count = body.position(imp, BinaryOp::Min, length, lanes);
    let number = outer.number.map(|number| {
        let first = body.position(imp, BinaryOp::Add, number.first, first);
        Number { value: number.value, first }
    });
    let mut columns = BTreeMap::new();
    for &column in plan.loads.values() {
        columns.entry(column).or_insert_with(|| body.slice(imp, column, first, length));
    }
    let regs = regs_of(imp, plan);
    body.stmts.extend(regs.values().map(|&reg| Stmt::Start(reg)));
    let panel = Panel { plan, number, count, columns, regs, loc: outer.loc };
    panel.phases(imp, &plan.phases, &mut body);
    outer.body.stmts = panel.behind(imp, outer.index);
    outer.hints = None;
    let (range, loc) = (std::mem::replace(&mut outer.range, [first, end]), outer.loc);
    body.stmts.push(Stmt::For(outer));
    out.stmts.push(Stmt::For(For::in_strips([first, end], range, WIDTH, body, loc)));
}

/// A register for each value that is kept. A state has one, whatever it is called.
fn regs_of(imp: &mut Imp, plan: &Plan) -> BTreeMap<Value, RegId> {
    fn of_states(imp: &mut Imp, phases: &[Phase], regs: &mut BTreeMap<Value, RegId>) {
        for phase in phases {
            match phase {
                Phase::Once(_) | Phase::Each(_) => {}
                Phase::Iterate(steps) => {
                    for state in steps.states.iter().filter(|state| state.varies) {
                        let reg = reg(imp, state.param, imp.values[state.init].constant);
                        regs.extend([(state.param, reg), (state.result, reg)]);
                    }
                }
                Phase::If { then, els, .. } => {
                    [then, els].into_iter().for_each(|side| of_states(imp, &side.phases, regs));
                }
            }
        }
    }
    let mut regs = BTreeMap::new();
    of_states(imp, &plan.phases, &mut regs);
    for &value in &plan.kept {
        regs.entry(value).or_insert_with(|| reg(imp, value, None));
    }
    regs
}

fn reg(imp: &mut Imp, value: Value, start: Option<Const>) -> RegId {
    let ty = imp.values[value].ty.as_scalar().expect("what is kept is a scalar");
    imp.reg(ty, WIDTH, start.unwrap_or(Const::from_i128(ty, 0)))
}

impl Panel<'_> {
    fn phases(&self, imp: &mut Imp, phases: &[Phase], out: &mut Block) {
        for phase in phases {
            match phase {
                Phase::Once(stmt) => out.stmts.push(stmt.clone()),
                Phase::Each(each) => self.each(imp, each, out),
                Phase::Iterate(steps) => self.steps(imp, steps, out),
                Phase::If { results, cond, then, els, cold } => {
                    let is_same = |result: Value| !self.plan.varying.contains(&result);
                    let mut side = |branch: &Branch| {
                        let mut block = Block::default();
                        self.phases(imp, &branch.phases, &mut block);
                        let results = results.iter().zip(&branch.results);
                        let same = results.filter(|(result, _)| is_same(**result)).map(|(_, value)| *value);
                        block.results.extend(same);
                        block
                    };
                    let (then, els) = (side(then), side(els));
                    let results = results.iter().copied().filter(|&result| is_same(result)).collect();
                    out.stmts.push(Stmt::If { results, cond: *cond, then, els, cold: *cold });
                }
            }
        }
    }

    fn steps(&self, imp: &mut Imp, steps: &Steps, out: &mut Block) {
        let same = || steps.states.iter().filter(|state| !state.varies);
        let all = |of: fn(&State) -> Value| same().map(of).collect::<Vec<Value>>();
        let results = same().map(|state| state.next).chain([steps.again]).collect();
        let mut body = Block { stmts: steps.once.clone(), results };
        self.each(imp, &steps.each, &mut body);
        out.stmts.push(Stmt::Iterate {
            results: all(|state| state.result),
            init: all(|state| state.init),
            params: all(|state| state.param),
            counted: None,
            replaced: Vec::new(),
            body,
            loc: steps.loc,
        });
    }

    /// The loop over what iterations do: it reads what others keep, and keeps what others read.
    fn each(&self, imp: &mut Imp, each: &Each, out: &mut Block) {
        let position = imp.position();
        let mut body = Block { stmts: each.stmts.clone(), results: Vec::new() };
        for stmt in &mut body.stmts {
            by_vectors(stmt);
            if let Stmt::Load { column, index, .. } = stmt {
                (*column, *index) = (self.columns[column], position);
            }
        }
        let bound: Vec<Value> = body.stmts.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect();
        let own = bound.iter().filter(|value| self.plan.kept.contains(value)).map(|&value| [value, value]);
        for [kept, value] in own.chain(each.sets.iter().copied()) {
            let (reg, lane) = (self.regs[&kept], Lane::Of(position));
            body.stmts.push(Stmt::Accumulate { reg, lane, op: AccOp::Set, value, mask: None });
        }
        let mut number = None;
        let mut names = BTreeMap::new();
        let mut whole = Block::default();
        for value in free_values(imp, &body, &[position]) {
            if !self.plan.varying.contains(&value) {
                continue;
            }
            let result = imp.value(imp.values[value].ty.clone());
            names.insert(value, result);
            match self.number.filter(|number| number.value == value) {
                Some(Number { first, .. }) => number = Some(Number { value: result, first }),
                None => whole.stmts.push(self.again(value, result, position, &self.columns)),
            }
        }
        whole.stmts.extend(copy_of(imp, &body, names).stmts);
        let zero = imp.at(0);
        let side = For::over(position, [zero, self.count], 1, whole, self.loc);
        out.stmts.push(Stmt::For(For { number, ..side }));
    }

    /// Binds `result` to what `value` is for the iteration at `position`: from a column, or from where it is kept.
    fn again(&self, value: Value, result: Value, position: Value, columns: &BTreeMap<Value, Value>) -> Stmt {
        match self.plan.loads.get(&value) {
            Some(column) => {
                let column = columns.get(column).copied().unwrap_or(*column);
                Stmt::Load { result, column, index: position, stride: Stride::One }
            }
            None => Stmt::Pick { result, reg: self.regs[&value], position },
        }
    }

    /// What comes behind the last `iterate`, for the iteration at `position` of all.
    fn behind(&self, imp: &Imp, position: Value) -> Vec<Stmt> {
        let behind = Block { stmts: self.plan.behind.clone(), results: Vec::new() };
        let is_own = |value: &Value| {
            self.plan.varying.contains(value)
                && *value != position
                && self.number.is_none_or(|number| number.value != *value)
        };
        let read = free_values(imp, &behind, &[]).into_iter().filter(is_own);
        let again = read.map(|value| self.again(value, value, position, &BTreeMap::new()));
        again.chain(behind.stmts.iter().cloned()).collect()
    }
}

/// A selection that nothing foretells is one of vectors here, which has no branch anyway; and no vector of elements is read with one.
fn by_vectors(stmt: &mut Stmt) {
    match stmt {
        Stmt::Let { known: known @ Known::Unpredictable, .. } => *known = Known::Nothing,
        Stmt::Let { op: Op::At(..), known, .. } => *known = Known::InBounds,
        _ => {}
    }
}
