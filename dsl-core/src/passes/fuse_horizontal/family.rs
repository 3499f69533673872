//! The loops and `for`s of one body, fused one after the other. What is known of the body is found out once, and its
//! statements are put in order once, in the end: until then they stand where they stood.

use std::collections::HashMap;

use super::facts::{Extent, Facts};
use super::loops::{Member, Siblings};
use super::sharing::{Sharing, fit};
use crate::analysis::cost;
use crate::analysis::depend::Dependences;
use crate::analysis::equal::Lengths;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Op, Program, Stmt, Value, Zip};
use crate::passes::Cx;
use crate::passes::candidate::{Candidate, TOLD};

/// Those of one body.
pub(super) struct Family {
    body: BodyId,
    /// In the order of the body, what was fused where the last of it stood.
    members: Vec<Option<Member>>,
    dependences: Dependences,
    sharing: Sharing,
    /// What is to be computed before a statement, by its number.
    computed_before: HashMap<usize, Vec<Stmt>>,
}

impl Family {
    /// Those of `body`, if there are two at least.
    pub(super) fn of(program: &Program, defs: &Defs, body: BodyId) -> Option<Family> {
        let lengths = Lengths::new(program, defs);
        let stmts = program.bodies[body].stmts.iter().enumerate();
        let known = stmts.filter_map(|(number, stmt)| Some((number, Facts::of(&lengths, stmt)?)));
        let (numbers, facts): (Vec<usize>, Vec<Facts>) = known.unzip();
        if numbers.len() < 2 {
            return None;
        }
        let dependences = Dependences::among(program, defs, body, &numbers);
        let members = numbers.into_iter().zip(facts).enumerate();
        let members = members.map(|(place, (number, facts))| Some(Member { number, place, facts }));
        Some(Family {
            body,
            members: members.collect(),
            dependences,
            sharing: Sharing::default(),
            computed_before: HashMap::new(),
        })
    }

    /// Fuses all that can be; whether there were any. Each is compared with those before it that it may fit, once, in order,
    /// and so is what has been fused: a pair that is refused stays refused, for a fusion makes no dependence less.
    pub(super) fn fuse(mut self, program: &mut Program, cx: &mut Cx, defs: &mut Defs) -> bool {
        let mut fused = false;
        for second in 0..self.members.len() {
            while let Some((first, extents)) = self.partner(program, cx, defs, second) {
                self.unite(program, defs, [first, second], &extents);
                fused = true;
            }
            if let Some(member) = &self.members[second] {
                self.sharing.add(second, &member.facts);
            }
        }
        if fused {
            self.put_in_order(program, defs);
        }
        fused
    }

    /// The first member before `second` that it is to be fused with, and the extents of both together.
    fn partner(
        &self,
        program: &Program,
        cx: &mut Cx,
        defs: &Defs,
        second: usize,
    ) -> Option<(usize, Vec<Extent>)> {
        let other = self.members[second].as_ref()?;
        let is_told = |&first: &usize| {
            self.members[first].as_ref().is_some_and(|first| !fit(&first.facts, &other.facts))
        };
        // Of those that do not fit, the first are looked at for the report alone.
        let fitting = self.sharing.fitting(&other.facts).take(cost::MAX_SIBLINGS);
        let others = self.sharing.with(&other.facts).take(TOLD).filter(is_told);
        for first in fitting.chain(others) {
            let Some(one) = &self.members[first] else { continue };
            let Some(extents) = one.facts.common_extents(&other.facts) else { continue };
            // What has been fused behind it may be what it needs.
            if self.dependences.keep_apart(other.place, one.place) || cx.is_empty() {
                continue;
            }
            let is_dependent = self.dependences.keep_apart(one.place, other.place);
            let siblings = Siblings { body: self.body, first: one, second: other, is_dependent };
            let plan = siblings.plan(program, defs);
            if cx.judge(program, &siblings, plan).is_some() {
                return Some((first, extents));
            }
        }
        None
    }

    /// Fuses two members: the first stands for both, where the second stands.
    fn unite(
        &mut self,
        program: &mut Program,
        defs: &mut Defs,
        [first, second]: [usize; 2],
        extents: &[Extent],
    ) {
        let (Some(one), Some(other)) = (self.members[first].take(), self.members[second].take()) else {
            unreachable!("a partner is a member");
        };
        self.sharing.remove(first, &one.facts);
        let absorbed = program.bodies[self.body].stmts[other.number].clone();
        let mut before = self.computed_before.remove(&one.number).unwrap_or_default();
        before.extend(self.computed_before.remove(&other.number).unwrap_or_default());
        let mut common = |extent: &Extent| match *extent {
            Extent::Value(extent) => extent,
            Extent::Common(a, b) => {
                program.append(Op::ZipLen(Zip::Lengths, vec![a, b]), absorbed.loc, &mut before)
            }
        };
        let extents: Vec<Value> = extents.iter().map(&mut common).collect();
        self.computed_before.insert(one.number, before);

        let fused = &mut program.bodies[self.body].stmts[one.number];
        match (&mut fused.op, absorbed.op) {
            (Op::Loop(fused_loop), Op::Loop(absorbed_loop)) => {
                fused_loop.extents.clone_from(&extents);
                fused_loop.sinks.extend(absorbed_loop.sinks);
                fused.results.extend(absorbed.results);
            }
            (Op::For { extent, .. }, _) => *extent = extents[0],
            _ => {}
        }
        let end = append_body(program, one.facts.body, other.facts.body);
        defs.appended(program, one.facts.body, end);
        self.dependences.unite(one.place, other.place);
        let facts = one.facts.united(other.facts, &extents);
        self.members[second] = Some(Member { facts, ..one });
    }

    fn put_in_order(mut self, program: &mut Program, defs: &mut Defs) {
        let order = self.dependences.order(program, self.body);
        let mut stmts: Vec<Option<Stmt>> = program.take_stmts(self.body).into_iter().map(Some).collect();
        let mut ordered = Vec::with_capacity(order.len());
        for number in order {
            ordered.extend(self.computed_before.remove(&number).unwrap_or_default());
            ordered.extend(stmts[number].take());
        }
        program.put_stmts(self.body, ordered);
        defs.reordered(program, self.body);
    }
}

/// Appends the statements of `from` to `into`, with the indices of `into`. How many there were before.
fn append_body(program: &mut Program, into: BodyId, from: BodyId) -> usize {
    let mut subst = Subst::new();
    subst.insert_all(&program.bodies[from].params.clone(), &program.bodies[into].params.clone());
    program.substitute(from, &subst);
    let mut stmts = program.take_stmts(from);
    let end = program.bodies[into].stmts.len();
    program.bodies[into].stmts.append(&mut stmts);
    end
}
