//! A loop over keys with a loop inside that reduces the elements of each, and whether one table serves all keys.

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::Const;

use super::survey;
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::analysis::equal::places;
use crate::analysis::stride::{Stride, Strides};
use crate::extract::NestedReduction;
use crate::ir::{BodyId, CompareOp, Defs, Loc, Loop, Op, Program, Value};
use crate::passes::candidate::{Candidate, Reason};

const UNGUARDED: Reason =
    Reason::new("more is reduced than the elements for which this comparison with the loop around holds");
const FLOATS: Reason = Reason::new("floats are compared, and a dictionary finds NaN where `==` does not");
const VARIES: Reason =
    Reason::new("what is reduced depends on the loop around by more than the comparison with it");
const COSTLY: Reason =
    Reason::new("what the elements are compared with is costly, and would be computed twice");
const ASSERTS: Reason = Reason::new("an assertion depends on the comparison");
const SHOWS: Reason = Reason::new("`dbg` shows what is compared each time, and would show it once");
const FUNCTION: Reason = Reason::new("the function that folds the elements can fault or call out");
const FEW: Reason =
    Reason::new("the loop around has few iterations: comparing every element is faster than a table");

/// A loop that reduces what compares as equal with something of the loop around.
pub(super) struct Scan {
    /// The loop around, and the reduction in it.
    pub(super) nest: NestedReduction,
    /// The comparisons of something of the loop around with something of the elements.
    tests: Vec<Test>,
}

/// A comparison.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub(super) result: Value,
    /// What is compared of the element: the key of the table.
    pub(super) key: Value,
    /// What it is compared with.
    pub(super) wanted: Value,
    loc: Loc,
}

/// How to reduce by key.
pub(super) struct Rewrite {
    pub(super) test: Test,
    /// The numbers of the sinks of each table.
    pub(super) tables: Vec<Vec<usize>>,
    /// The numbers of the statements in the loop around that the reduction needs, and that do not change there.
    pub(super) setup: BTreeSet<usize>,
    /// The numbers of those that compute what is compared with.
    pub(super) wanted: BTreeSet<usize>,
}

impl Scan {
    /// The loops inside a loop of `body` that compare as this wants it.
    pub(super) fn candidates(program: &Program, defs: &Defs, body: BodyId) -> Vec<Scan> {
        let mut candidates = Vec::new();
        for nest in NestedReduction::all(program, body) {
            let tests = tests(program, defs, nest.outer, nest.reduction(program).body);
            if !tests.is_empty() {
                candidates.push(Scan { nest, tests });
            }
        }
        candidates
    }
}

/// The comparisons in `inner` of a value that is bound in `outer`, the body around, and changes there, with one that changes
/// with the elements.
fn tests(program: &Program, defs: &Defs, outer: BodyId, inner: BodyId) -> Vec<Test> {
    let mut tests = Vec::new();
    program.for_each_stmt(inner, &mut |stmt| {
        let Op::Compare(CompareOp::Eq, x, y) = stmt.op else { return };
        for (key, wanted) in [(x, y), (y, x)] {
            let is_inner = defs.body_of(key).is_some_and(|body| defs.encloses(inner, body));
            if is_inner && defs.body_of(wanted) == Some(outer) {
                tests.push(Test { result: stmt.results[0], key, wanted, loc: stmt.loc });
            }
        }
    });
    let changes = |body: BodyId, value: Value| {
        let mut params = program.bodies[body].params.iter();
        params.any(|&param| Strides::new(program, defs, param).of(value) != Stride::By(0))
    };
    tests.retain(|test| changes(inner, test.key) && changes(outer, test.wanted));
    tests
}

impl Candidate for Scan {
    const RULE: &'static str = "conditional-reduce";
    type Rewrite = Rewrite;

    /// The place of the reduction.
    fn loc(&self, program: &Program) -> Loc {
        self.nest.loc(program)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Rewrite, Reason> {
        let inner = self.nest.reduction(program);
        let guards = |test: &&Test| survey::all_guarded(program, defs, inner, test.result);
        let Some(&test) = self.tests.iter().find(guards) else {
            return Err(UNGUARDED.at(self.tests[0].loc));
        };
        if program.ty(test.key).has_floats() {
            return Err(FLOATS.at(test.loc));
        }
        if let Some(Op::Const(Const::I64(few))) = defs.op(program, self.nest.extent)
            && *few <= cost::MAX_COMPARED_KEYS
        {
            return Err(FEW);
        }
        let Some(setup) = survey::setup(program, defs, &self.nest, test.wanted) else {
            return Err(VARIES.at(test.loc));
        };
        let wanted = survey::behind(program, defs, self.nest.outer, test.wanted);
        let computed = || wanted.iter().map(|&number| &program.bodies[self.nest.outer].stmts[number]);
        let effects = Effects::of_stmts(program, defs, computed());
        if effects.calls
            || !effects.merges.is_empty()
            || cost::of_stmts(program, computed()) > cost::MAX_PASTED
        {
            return Err(COSTLY.at(test.loc));
        }
        if Effects::of_body(program, defs, inner.body).shows {
            return Err(SHOWS.at(test.loc));
        }
        if survey::asserts(program, defs, inner, test.result) {
            return Err(ASSERTS.at(test.loc));
        }
        if !survey::folds_are_total(program, defs, inner) {
            return Err(FUNCTION);
        }
        Ok(Rewrite { test, tables: tables(program, inner), setup, wanted })
    }
}

/// The numbers of the sinks of each table: those share one that are merged into at one place, so that a key is found once
/// for all.
fn tables(program: &Program, inner: &Loop) -> Vec<Vec<usize>> {
    let mut tables: Vec<(Option<BodyId>, Vec<usize>)> = Vec::new();
    for (number, decl) in inner.sinks.iter().enumerate() {
        let place = match places(program, inner.body, decl.sink)[..] {
            [(body, 1)] => Some(body),
            _ => None,
        };
        match tables.iter_mut().find(|(other, _)| place.is_some() && *other == place) {
            Some((_, table)) => table.push(number),
            None => tables.push((place, vec![number])),
        }
    }
    tables.into_iter().map(|(_, table)| table).collect()
}
