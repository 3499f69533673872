//! What a program does with the groups of a dictionary.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::analysis::equal::places;
use crate::analysis::merges;
use crate::ir::{
    BodyId, Def, Defs, Empty, Loc, Loop, Op, Program, Reducer, Sink, SinkKind, Stmt, Uses, Value,
};
use crate::passes::candidate::{Candidate, Fusion, Reason};

const KEPT: Reason = Reason::new("{because|something} uses a group otherwise than element by element");
const RETURNED: Reason = Reason::new("the groups of {at|a dictionary} are part of what is returned");
const OTHERWISE: Reason =
    Reason::new("{because|something} uses the dictionary of groups otherwise than by its keys and groups");
const NOT_REDUCED: Reason =
    Reason::new("what is made of the elements of a group is not a reduction of each by itself");
const BY_INDEX: Reason =
    Reason::new("{because|something} reduces the elements of a group together with their index in it");
const PARTIAL: Reason =
    Reason::new("reducing an element can fault or call out, and not all groups are certain to be reduced");
const LATER: Reason = Reason::new("the reduction of a group needs what is computed after the groups");
const LARGE: Reason = Reason::new(
    "the reduction of a group costs {cost}, and {limit} is the limit where its elements are merged at several places",
);

/// A sink that groups values by key.
pub(super) struct Groups {
    pub(super) body: BodyId,
    pub(super) index: usize,
    /// The number of the sink.
    pub(super) number: usize,
    pub(super) dict: Value,
}

/// Everything that is done with the groups.
#[derive(Default)]
pub(super) struct Plan {
    /// Values that are a group.
    pub(super) groups: BTreeSet<Value>,
    /// What else holds groups, and changes its type: the lists of the dictionary, and their elements.
    pub(super) holders: BTreeSet<Value>,
    /// The reductions, in program order.
    pub(super) reductions: Vec<Reduction>,
    /// Whether the length of a group is used, or nothing at all of it.
    pub(super) is_counted: bool,
}

/// A loop that reduces the elements of a group.
pub(super) struct Reduction {
    /// What it gives.
    pub(super) results: Vec<Value>,
    pub(super) group: Value,
    pub(super) inner: Loop,
    /// The element at hand, as often as it is read.
    pub(super) elements: Vec<Value>,
}

impl Groups {
    /// The dictionaries of groups made in `body`, and used.
    pub(super) fn candidates(program: &Program, uses: &Uses, body: BodyId) -> Vec<Groups> {
        let mut candidates = Vec::new();
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
            let Op::Loop(Loop { sinks, .. }) = &stmt.op else { continue };
            for (number, decl) in sinks.iter().enumerate() {
                let dict = stmt.results[number];
                if matches!(decl.kind, SinkKind::BucketCollect { .. }) && !uses.is_unused(dict) {
                    candidates.push(Groups { body, index, number, dict });
                }
            }
        }
        candidates
    }

    pub(super) fn sink(&self, program: &Program) -> Sink {
        let Op::Loop(Loop { sinks, .. }) = &program.bodies[self.body].stmts[self.index].op else {
            unreachable!("groups are found at a loop")
        };
        sinks[self.number].sink
    }
}

impl Candidate for Groups {
    const RULE: &'static str = "group-by-reduce";
    type Plan = Plan;

    /// The place where they are grouped.
    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.index].loc
    }

    /// The builder of the groups.
    fn made(&self, program: &Program) -> Option<Loc> {
        let Op::Loop(Loop { sinks, .. }) = &program.bodies[self.body].stmts[self.index].op else {
            return None;
        };
        Some(sinks[self.number].loc)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Plan, Reason> {
        let mut survey = Survey {
            program,
            dict: self.dict,
            plan: Plan::default(),
            lengths: BTreeMap::new(),
            refused: None,
        };
        survey.find(self.body);
        survey.explain(self.body);
        let nothing = survey.plan.reductions.iter().all(|reduction| reduction.inner.sinks.is_empty());
        survey.plan.is_counted = nothing || survey.counts(&Uses::of(program));
        if let Some(reason) = survey.refused {
            return Err(reason);
        }
        let plan = survey.plan;
        let mut size = 0;
        for reduction in &plan.reductions {
            self.check(program, defs, reduction)?;
            size += cost::of_body(program, reduction.inner.body);
        }
        let mut merges = 0;
        let sink = self.sink(program);
        program.for_each_stmt(self.body, &mut |stmt| {
            merges += u64::from(stmt.op.merges_into(sink));
        });
        if merges > 1 && size > cost::PASTED {
            return Err(LARGE.costs(size, cost::PASTED));
        }
        Ok(plan)
    }
}

impl Fusion for Groups {
    fn apply(&self, plan: Plan, program: &mut Program) {
        super::rewrite::apply(self, plan, program);
    }
}

impl Groups {
    /// Whether `reduction` can be done where the groups are made.
    fn check(&self, program: &Program, defs: &Defs, reduction: &Reduction) -> Result<(), Reason> {
        let Loop { body, sinks, .. } = &reduction.inner;
        let mut merges = Effects::of_body(program, defs, *body).merges;
        sinks.iter().for_each(|decl| _ = merges.remove(&decl.sink));
        if !merges.is_empty() {
            return Err(NOT_REDUCED);
        }
        // What reads the elements goes.
        let elements = || reduction.elements.iter().copied().chain([reduction.group]);
        for decl in sinks {
            let SinkKind::Reduce { ty, reducer, init, empty } = &decl.kind else { return Err(NOT_REDUCED) };
            // What a guard leaves out is the neutral value, which only operators have.
            let has_neutral = match reducer {
                Reducer::Op(_) if ty.as_scalar().is_none() => return Err(NOT_REDUCED),
                Reducer::Op(_) => init.is_some() || *empty == Empty::Identity,
                Reducer::Func(func) => {
                    self.check_body(program, defs, *func, elements())?;
                    false
                }
            };
            let once = places(program, *body, decl.sink) == [(*body, 1)];
            let fits = once
                || has_neutral && merges::at_most(program, *body, decl.sink).is_some_and(|most| most <= 1);
            if !fits {
                return Err(NOT_REDUCED);
            }
        }
        self.check_body(program, defs, *body, elements())
    }

    /// Whether `body` is total, and reads nothing but its own and what is there before the groups are made.
    fn check_body(
        &self,
        program: &Program,
        defs: &Defs,
        body: BodyId,
        elements: impl Iterator<Item = Value>,
    ) -> Result<(), Reason> {
        let mut own: BTreeSet<Value> = elements.collect();
        let total =
            program.bodies[body].stmts.iter().all(|stmt| Effects::of_stmt(program, defs, stmt).is_total());
        if !total {
            return Err(PARTIAL);
        }
        program.for_each_body(body, &mut |inner| {
            own.extend(&program.bodies[inner].params);
            own.extend(program.bodies[inner].stmts.iter().flat_map(|stmt| &stmt.results));
        });
        let mut early = true;
        program.for_each_read(body, &mut |value| {
            early &= own.contains(&value) || self.is_before(program, defs, value)
        });
        if early { Ok(()) } else { Err(LATER) }
    }

    /// Whether `value` is bound before the groups are made, or is a constant.
    fn is_before(&self, program: &Program, defs: &Defs, value: Value) -> bool {
        match defs.def(value) {
            Some(Def::Param(body, _)) => defs.encloses(body, self.body),
            Some(Def::Stmt { body, index, .. }) => {
                let is_const = matches!(program.bodies[body].stmts[index].op, Op::Const(_));
                is_const || (defs.encloses(body, self.body) && index < self.place_in(defs, body))
            }
            None => false,
        }
    }

    /// The number of the statement of `body`, a body around, that holds the loop that groups.
    fn place_in(&self, defs: &Defs, body: BodyId) -> usize {
        let (mut at, mut index) = (self.body, self.index);
        while at != body {
            (at, index) = defs.holder(at).expect("a body around");
        }
        index
    }
}

/// The search for everything that is done with the groups.
struct Survey<'a> {
    program: &'a Program,
    dict: Value,
    plan: Plan,
    /// The lengths of groups, each with its group.
    lengths: BTreeMap<Value, Value>,
    refused: Option<Reason>,
}

impl Survey<'_> {
    /// Finds the groups, what holds them, and their lengths.
    fn find(&mut self, body: BodyId) {
        let Plan { groups, holders, .. } = &mut self.plan;
        self.program.for_each_stmt(body, &mut |stmt| match stmt.op {
            Op::ToVec(of) if of == self.dict => _ = holders.insert(stmt.results[0]),
            Op::Lookup(of, _) if of == self.dict => _ = groups.insert(stmt.results[0]),
            Op::At(of, _) if holders.contains(&of) => _ = holders.insert(stmt.results[0]),
            Op::Field(of, 1) if holders.contains(&of) => _ = groups.insert(stmt.results[0]),
            Op::Len(of) if groups.contains(&of) => _ = self.lengths.insert(stmt.results[0], of),
            _ => {}
        });
    }

    /// Looks at every use of them.
    fn explain(&mut self, body: BodyId) {
        let program = self.program;
        program.bodies[body].results.iter().for_each(|&result| self.keep(result, None));
        for stmt in &program.bodies[body].stmts {
            match stmt.op {
                Op::Lookup(_, key) | Op::KeyExists(_, key) => self.keep(key, Some(stmt.loc)),
                Op::At(of, _) | Op::Field(of, _) if self.plan.holders.contains(&of) => {}
                Op::ToVec(_) | Op::Len(_) => {}
                _ => stmt.op.for_each_operand(|operand| self.keep(operand, Some(stmt.loc))),
            }
            match self.reduction(stmt) {
                Some(reduction) => self.plan.reductions.push(reduction),
                None => stmt.op.for_each_body(|inner| self.explain(inner)),
            }
        }
    }

    /// Refuses to rewrite what uses `value` as a whole: what stands at `loc`, or else the end of a body.
    fn keep(&mut self, value: Value, loc: Option<Loc>) {
        let reason = if value == self.dict || self.plan.holders.contains(&value) {
            OTHERWISE
        } else if self.plan.groups.contains(&value) {
            KEPT
        } else {
            return;
        };
        self.refused.get_or_insert(loc.map_or(RETURNED, |loc| reason.at(loc)));
    }

    /// The loop over the elements of a group that `stmt` is.
    fn reduction(&mut self, stmt: &Stmt) -> Option<Reduction> {
        let Op::Loop(inner) = &stmt.op else { return None };
        let [extent] = inner.extents[..] else { return None };
        let group = *self.lengths.get(&extent)?;
        let program = self.program;
        let index = program.bodies[inner.body].params[0];
        let mut elements = Vec::new();
        program.for_each_stmt(inner.body, &mut |stmt| {
            if stmt.op == Op::At(group, index) {
                elements.push(stmt.results[0]);
            }
        });
        let (mut of_groups, mut of_index) = (0, 0);
        program.for_each_read(inner.body, &mut |value| {
            of_groups += usize::from(self.plan.groups.contains(&value));
            of_index += usize::from(value == index);
        });
        if of_groups > elements.len() {
            self.refused.get_or_insert(KEPT.at(stmt.loc));
        } else if of_index > elements.len() {
            self.refused.get_or_insert(BY_INDEX.at(stmt.loc));
        }
        Some(Reduction { results: stmt.results.clone(), group, inner: inner.clone(), elements })
    }

    /// Whether anything but the reductions asks for the length of a group.
    fn counts(&self, uses: &Uses) -> bool {
        self.lengths.keys().any(|length| {
            let loops = self.plan.reductions.iter().filter(|reduction| reduction.inner.extents[0] == *length);
            uses.count(*length) as usize > loops.count()
        })
    }
}
