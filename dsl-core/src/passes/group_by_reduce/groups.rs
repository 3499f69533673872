//! What a program does with the groups of a dictionary.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::analysis::equal::places;
use crate::analysis::merges;
use crate::ir::{
    BodyId, Def, Defs, Empty, Loc, Loop, Op, Program, Reducer, Sink, SinkKind, Stmt, Uses, Value,
};
use crate::passes::candidate::{Candidate, Reason};

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
    /// At how many places something is merged into it.
    merges: usize,
    /// Everything that is done with the groups, or why it cannot be something else.
    found: Result<Rewrite, Reason>,
}

/// Everything that is done with the groups.
#[derive(Clone, Default)]
pub(super) struct Rewrite {
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
#[derive(Clone)]
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
        let mut made = Vec::new();
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
            let Op::Loop(Loop { sinks, .. }) = &stmt.op else { continue };
            for (number, decl) in sinks.iter().enumerate() {
                let dict = stmt.results[number];
                if matches!(decl.kind, SinkKind::BucketCollect { .. }) && !uses.is_unused(dict) {
                    made.push((index, number, dict, decl.sink));
                }
            }
        }
        if made.is_empty() {
            return Vec::new();
        }
        let mut merges: HashMap<Sink, usize> = HashMap::new();
        program.for_each_stmt(body, &mut |stmt| {
            if let Op::Merge { sink, .. } = stmt.op {
                *merges.entry(sink).or_default() += 1;
            }
        });
        let found = Survey::of(program, uses, body, made.iter().map(|&(_, _, dict, _)| dict));
        let candidates = made.into_iter().zip(found).map(|((index, number, dict, sink), found)| {
            let merges = merges.get(&sink).copied().unwrap_or(0);
            Groups { body, index, number, dict, merges, found }
        });
        candidates.collect()
    }

    /// What holds the groups, if it is known: the dictionary, they themselves and lists of them.
    pub(super) fn holders(&self) -> HashSet<Value> {
        let plan = self.found.as_ref().ok();
        let holders =
            plan.into_iter().flat_map(|plan| plan.groups.iter().chain(&plan.holders).chain([&self.dict]));
        holders.copied().collect()
    }

    /// What is read by the reductions of the groups, if they are known.
    pub(super) fn reads(&self, program: &Program) -> HashSet<Value> {
        let mut reads = HashSet::new();
        for reduction in self.found.iter().flat_map(|plan| &plan.reductions) {
            program.for_each_read(reduction.inner.body, &mut |value| _ = reads.insert(value));
        }
        reads
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
    type Rewrite = Rewrite;

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

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Rewrite, Reason> {
        let plan = self.found.clone()?;
        let mut size = 0;
        for reduction in &plan.reductions {
            self.check(program, defs, reduction)?;
            size += cost::of_body(program, reduction.inner.body);
        }
        if self.merges > 1 && size > cost::MAX_PASTED {
            return Err(LARGE.costs(size, cost::MAX_PASTED));
        }
        Ok(plan)
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
            let SinkKind::Reduce { ty, reducer, init, empty, .. } = &decl.kind else {
                return Err(NOT_REDUCED);
            };
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
            // Into which nothing is merged is for `simplify`.
            let fits = once || has_neutral && merges::at_most(program, *body, decl.sink) == Some(1);
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

/// The search for everything that is done with the groups of all dictionaries that are made in a body.
struct Survey<'a> {
    program: &'a Program,
    /// What holds groups of which dictionary, and how.
    held: HashMap<Value, (usize, Held)>,
    /// The lengths of groups, each with its group.
    lengths: HashMap<Value, Value>,
    plans: Vec<Rewrite>,
    refused: Vec<Option<Reason>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Held {
    Dict,
    /// The lists of the dictionary, and their elements.
    Holder,
    Group,
}

impl<'a> Survey<'a> {
    /// What is done with the groups of each of `dicts`, or why they have to be.
    fn of(
        program: &'a Program,
        uses: &Uses,
        body: BodyId,
        dicts: impl ExactSizeIterator<Item = Value>,
    ) -> Vec<Result<Rewrite, Reason>> {
        let count = dicts.len();
        let mut survey = Survey {
            program,
            held: dicts.enumerate().map(|(number, dict)| (dict, (number, Held::Dict))).collect(),
            lengths: HashMap::new(),
            plans: (0..count).map(|_| Rewrite::default()).collect(),
            refused: vec![None; count],
        };
        survey.find(body);
        survey.explain(body, &mut HashSet::new());
        survey.count(uses);
        let found = survey.plans.into_iter().zip(survey.refused);
        found.map(|(plan, refused)| refused.map_or(Ok(plan), Err)).collect()
    }

    /// Finds the groups, what holds them, and their lengths.
    fn find(&mut self, body: BodyId) {
        self.program.for_each_stmt(body, &mut |stmt| {
            let (of, from, to) = match stmt.op {
                Op::ToVec(of) => (of, Held::Dict, Held::Holder),
                Op::Lookup(of, _) => (of, Held::Dict, Held::Group),
                Op::At(of, _) => (of, Held::Holder, Held::Holder),
                Op::Field(of, 1) => (of, Held::Holder, Held::Group),
                Op::Len(of) => {
                    if let Some((_, Held::Group)) = self.held.get(&of) {
                        self.lengths.insert(stmt.results[0], of);
                    }
                    return;
                }
                _ => return,
            };
            if let Some(&(number, held)) = self.held.get(&of)
                && held == from
            {
                self.held.insert(stmt.results[0], (number, to));
                let Rewrite { groups, holders, .. } = &mut self.plans[number];
                let values = if to == Held::Group { groups } else { holders };
                values.insert(stmt.results[0]);
            }
        });
    }

    /// Looks at every use of them, but not for the dictionaries in whose reductions this is: there, everything is looked at.
    fn explain(&mut self, body: BodyId, inside: &mut HashSet<usize>) {
        let program = self.program;
        program.bodies[body].results.iter().for_each(|&result| self.keep(result, None, inside));
        for stmt in &program.bodies[body].stmts {
            match stmt.op {
                Op::Lookup(_, key) | Op::KeyExists(_, key) => self.keep(key, Some(stmt.loc), inside),
                Op::At(of, _) | Op::Field(of, _) if matches!(self.held.get(&of), Some((_, Held::Holder))) => {
                }
                Op::ToVec(_) | Op::Len(_) => {}
                _ => stmt.op.for_each_operand(|operand| self.keep(operand, Some(stmt.loc), inside)),
            }
            let reduces = self.reduction(stmt, inside);
            let entered = reduces.is_some_and(|number| inside.insert(number));
            stmt.op.for_each_body(|inner| self.explain(inner, inside));
            if let (Some(number), true) = (reduces, entered) {
                inside.remove(&number);
            }
        }
    }

    /// Refuses to rewrite what uses `value` as a whole: what stands at `loc`, or else the end of a body.
    fn keep(&mut self, value: Value, loc: Option<Loc>, inside: &HashSet<usize>) {
        let Some(&(number, held)) = self.held.get(&value) else { return };
        if inside.contains(&number) {
            return;
        }
        let reason = if held == Held::Group { KEPT } else { OTHERWISE };
        self.refused[number].get_or_insert(loc.map_or(RETURNED, |loc| reason.at(loc)));
    }

    /// Adds the loop over the elements of a group that `stmt` is. The number of the dictionary.
    fn reduction(&mut self, stmt: &Stmt, inside: &HashSet<usize>) -> Option<usize> {
        let Op::Loop(inner) = &stmt.op else { return None };
        let [extent] = inner.extents[..] else { return None };
        let group = *self.lengths.get(&extent)?;
        let (number, _) = self.held[&group];
        if inside.contains(&number) {
            return None;
        }
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
            of_groups += usize::from(self.plans[number].groups.contains(&value));
            of_index += usize::from(value == index);
        });
        if of_groups > elements.len() {
            self.refused[number].get_or_insert(KEPT.at(stmt.loc));
        } else if of_index > elements.len() {
            self.refused[number].get_or_insert(BY_INDEX.at(stmt.loc));
        }
        let (results, inner) = (stmt.results.clone(), inner.clone());
        self.plans[number].reductions.push(Reduction { results, group, inner, elements });
        Some(number)
    }

    /// Finds out whether anything but the reductions asks for the length of a group.
    fn count(&mut self, uses: &Uses) {
        let mut loops: HashMap<Value, usize> = HashMap::new();
        for plan in &mut self.plans {
            plan.is_counted = plan.reductions.iter().all(|reduction| reduction.inner.sinks.is_empty());
            for reduction in &plan.reductions {
                *loops.entry(reduction.inner.extents[0]).or_default() += 1;
            }
        }
        for (length, group) in &self.lengths {
            if uses.count(*length) as usize > loops.get(length).copied().unwrap_or(0) {
                self.plans[self.held[group].0].is_counted = true;
            }
        }
    }
}
