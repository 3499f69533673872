//! What of a loop is the same for all of its iterations, and what each does for itself, between one `iterate` and the next.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::analysis::cost;
use weldment_core::ir::{Loc, Value};

use crate::imp::effects::{of_op, shows};
use crate::imp::walk::{Use, free_values};
use crate::imp::{Block, For, Imp, Known, Side, Stmt, Stride};

/// So many values are kept of each iteration at most: 24 KiB of registers in all, which are on the stack.
const MOST_KEPT: usize = 12;

/// A loop whose iterations go side by side up to its last `iterate`.
pub(super) struct Plan {
    pub(super) phases: Vec<Phase>,
    /// What comes behind the last `iterate`.
    pub(super) behind: Vec<Stmt>,
    /// What differs from iteration to iteration.
    pub(super) varying: BTreeSet<Value>,
    /// What is read of columns, and of which.
    pub(super) loads: BTreeMap<Value, Value>,
    /// What one phase computes for each iteration, and another reads.
    pub(super) kept: BTreeSet<Value>,
}

/// A part of what comes before.
pub(super) enum Phase {
    /// The same for all iterations.
    Once(Stmt),
    /// What each iteration does.
    Each(Each),
    /// Steps that are as many for all iterations.
    Iterate(Steps),
    /// A choice that is the same for all iterations.
    If { results: Vec<Value>, cond: Value, then: Branch, els: Branch, cold: Option<Side> },
}

/// What each iteration does.
#[derive(Default)]
pub(super) struct Each {
    pub(super) stmts: Vec<Stmt>,
    /// What others know by another name: that, and what it is here.
    pub(super) sets: Vec<[Value; 2]>,
}

/// An `iterate`: its results, its state and what the state is at first and next, each the same for all iterations or not.
pub(super) struct Steps {
    pub(super) states: Vec<State>,
    /// What each step does once.
    pub(super) once: Vec<Stmt>,
    pub(super) each: Each,
    /// Whether there is another step.
    pub(super) again: Value,
    pub(super) loc: Loc,
}

#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) result: Value,
    pub(super) init: Value,
    pub(super) param: Value,
    pub(super) next: Value,
    pub(super) varies: bool,
}

/// A side of an `if`.
pub(super) struct Branch {
    pub(super) phases: Vec<Phase>,
    pub(super) results: Vec<Value>,
}

/// Whether `stmt` is an `iterate`, or one `if` or several around one.
pub(super) fn iterates(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Iterate { .. } => true,
        Stmt::If { then, els, .. } => then.stmts.iter().chain(&els.stmts).any(iterates),
        _ => false,
    }
}

impl Plan {
    /// `None` if an iteration does something that has to stay in its place.
    pub(super) fn of(imp: &Imp, outer: &For) -> Option<Plan> {
        let stmts = &outer.body.stmts;
        let last = stmts.iter().rposition(iterates)?;
        let number = outer.number.map(|number| number.value);
        let mut planner = Planner {
            imp,
            index: outer.index,
            varying: number.into_iter().chain([outer.index]).collect(),
            loads: BTreeMap::new(),
        };
        let phases = planner.phases(&stmts[..=last])?;
        let Planner { varying, loads, .. } = planner;
        let behind = stmts[last + 1..].to_vec();
        let mut plan = Plan { phases, behind, varying, loads, kept: BTreeSet::new() };
        let rest = Block { stmts: plan.behind.clone(), results: Vec::new() };
        let mut kept = BTreeSet::new();
        kept.extend(free_values(imp, &rest, &[]));
        kept_by(imp, &plan.phases, &mut kept);
        kept.retain(|value| {
            plan.varying.contains(value)
                && !plan.loads.contains_key(value)
                && *value != outer.index
                && Some(*value) != number
        });
        let are_scalars = kept.iter().all(|&value| imp.values[value].ty.as_scalar().is_some());
        let are_few = kept.len() <= MOST_KEPT;
        plan.kept = kept;
        (are_scalars && are_few).then_some(plan)
    }
}

/// Adds to `kept` what phases read that they do not compute themselves.
fn kept_by(imp: &Imp, phases: &[Phase], kept: &mut BTreeSet<Value>) {
    let read = |each: &Each, kept: &mut BTreeSet<Value>| {
        kept.extend(each.sets.iter().map(|&[name, _]| name));
        let results = each.sets.iter().map(|&[_, value]| value).collect();
        kept.extend(free_values(imp, &Block { stmts: each.stmts.clone(), results }, &[]));
    };
    for phase in phases {
        match phase {
            Phase::Once(_) => {}
            Phase::Each(each) => read(each, kept),
            Phase::Iterate(steps) => {
                read(&steps.each, kept);
            }
            Phase::If { then, els, .. } => {
                [then, els].into_iter().for_each(|side| kept_by(imp, &side.phases, kept));
            }
        }
    }
}

#[derive(Clone)]
struct Planner<'i> {
    imp: &'i Imp,
    /// The position of the iteration.
    index: Value,
    varying: BTreeSet<Value>,
    loads: BTreeMap<Value, Value>,
}

impl Planner<'_> {
    fn varies(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    fn phases(&mut self, stmts: &[Stmt]) -> Option<Vec<Phase>> {
        let mut phases = Vec::new();
        let mut each = Each::default();
        for stmt in stmts {
            match stmt {
                stmt if self.is_fixed(stmt) => {
                    self.is_total(stmt).then(|| phases.push(Phase::Once(stmt.clone())))?;
                }
                Stmt::Iterate { .. } => {
                    let steps = self.steps(stmt)?;
                    // What depends on the iteration at first, it says itself.
                    let sets = steps.states.iter().filter(|state| self.is_set(state));
                    each.sets.extend(sets.map(|state| [state.param, state.init]));
                    self.end(&mut each, &mut phases);
                    phases.push(Phase::Iterate(steps));
                }
                Stmt::If { results, cond, then, els, cold } if iterates(stmt) => {
                    if self.varies(*cond) {
                        return None;
                    }
                    self.end(&mut each, &mut phases);
                    let (cond, cold) = (*cond, *cold);
                    let [then, els] = self.branches(results, [then, els])?;
                    phases.push(Phase::If { results: results.clone(), cond, then, els, cold });
                }
                stmt => {
                    self.note(stmt)?;
                    each.stmts.push(stmt.clone());
                }
            }
        }
        self.end(&mut each, &mut phases);
        Some(phases)
    }

    /// Puts what iterations do behind the phases so far.
    fn end(&self, each: &mut Each, phases: &mut Vec<Phase>) {
        let each = std::mem::take(each);
        if !each.stmts.is_empty() || !each.sets.is_empty() {
            phases.push(Phase::Each(each));
        }
    }

    /// Whether a state is put into its register by each iteration: a constant is there when the register starts.
    fn is_set(&self, state: &State) -> bool {
        state.varies && self.imp.values[state.init].constant.is_none()
    }

    /// Both sides of an `if`, which give `results`.
    fn branches(&mut self, results: &[Value], sides: [&Block; 2]) -> Option<[Branch; 2]> {
        let mut branches = Vec::new();
        for side in sides {
            let phases = self.phases(&side.stmts)?;
            branches.push(Branch { phases, results: side.results.clone() });
        }
        let [mut then, mut els] = <[Branch; 2]>::try_from(branches).ok()?;
        for (at, &result) in results.iter().enumerate() {
            let values = [then.results[at], els.results[at]];
            if !values.iter().any(|&value| self.varies(value)) {
                continue;
            }
            self.varying.insert(result);
            for (side, value) in [&mut then, &mut els].into_iter().zip(values) {
                match side.phases.last_mut() {
                    Some(Phase::Each(each)) => each.sets.push([result, value]),
                    _ => {
                        side.phases.push(Phase::Each(Each { stmts: Vec::new(), sets: vec![[result, value]] }))
                    }
                }
            }
        }
        Some([then, els])
    }

    fn steps(&mut self, stmt: &Stmt) -> Option<Steps> {
        let Stmt::Iterate { results, init, params, replaced, body, loc, .. } = stmt else { return None };
        let (again, next) = body.results.split_last()?;
        let ty = |value: &Value| &self.imp.values[*value].ty;
        // What fits no lane is sooner done one after the other.
        let fits = |value: &Value| ty(value).as_scalar().is_some() && !cost::has_wide(ty(value));
        if !replaced.is_empty() || !init.iter().all(fits) || body.stmts.iter().any(iterates) {
            return None;
        }
        let state = |at: usize| State {
            result: results[at],
            init: init[at],
            param: params[at],
            next: next[at],
            varies: self.varies(init[at]),
        };
        let mut states: Vec<State> = (0..params.len()).map(state).collect();
        // What depends on the iteration after a step, does so in the next.
        let (inside, once, stmts) = loop {
            let mut inside = self.clone();
            inside.varying.extend(states.iter().filter(|state| state.varies).map(|state| state.param));
            let (mut once, mut stmts) = (Vec::new(), Vec::new());
            for stmt in &body.stmts {
                if inside.is_fixed(stmt) {
                    inside.is_total(stmt).then(|| once.push(stmt.clone()))?;
                } else {
                    inside.note(stmt)?;
                    stmts.push(stmt.clone());
                }
            }
            let late = |state: &&mut State| !state.varies && inside.varies(state.next);
            let late: Vec<&mut State> = states.iter_mut().filter(late).collect();
            if late.is_empty() {
                break (inside, once, stmts);
            }
            late.into_iter().for_each(|state| state.varies = true);
        };
        let varying = states.iter().filter(|state| state.varies);
        let sets: Vec<[Value; 2]> = varying.clone().map(|state| [state.param, state.next]).collect();
        // Steps that nothing counts, or that nothing differs in, are none to take side by side.
        if inside.varies(*again) || sets.is_empty() || sets.len() == states.len() {
            return None;
        }
        let Planner { varying: inside, loads, .. } = inside;
        self.loads.extend(loads);
        self.varying.extend(inside);
        self.varying.extend(varying.map(|state| state.result));
        Some(Steps { states, once, each: Each { stmts, sets }, again: *again, loc: *loc })
    }

    /// Whether `stmt` is the same for all iterations.
    fn is_fixed(&self, stmt: &Stmt) -> bool {
        let whole = Block { stmts: vec![stmt.clone()], results: Vec::new() };
        !free_values(self.imp, &whole, &[]).iter().any(|&value| self.varies(value))
    }

    /// Notes a statement of each iteration; `None` if it does more than to compute.
    fn note(&mut self, stmt: &Stmt) -> Option<()> {
        match *stmt {
            Stmt::Load { result, column, index, stride: Stride::One } => {
                if index != self.index || self.varies(column) {
                    return None;
                }
                self.loads.insert(result, column);
            }
            _ => self.is_total(stmt).then_some(())?,
        }
        self.varying.extend(stmt.values(Use::Bind));
        Some(())
    }

    /// Whether `stmt` computes without faults, and of no position.
    fn is_total(&self, stmt: &Stmt) -> bool {
        let total = |block: &Block| block.stmts.iter().all(|stmt| self.is_total(stmt));
        !shows(self.imp, stmt)
            && !stmt.values(Use::Read).contains(&self.index)
            && match stmt {
                Stmt::Let { known: Known::Shared(_), .. } => false,
                Stmt::Let { op, known, .. } => !of_op(self.imp, op, *known).faults,
                Stmt::If { then, els, .. } => total(then) && total(els),
                Stmt::Iterate { replaced, body, .. } => replaced.is_empty() && total(body),
                _ => false,
            }
    }
}
