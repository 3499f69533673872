//! Pulls done together: what is known of the program is found out once for all of them.
//!
//! A pull copies what computes an element to where the element is read. It does not matter to another pull, unless one of
//! them reads in the map of the other: `b = map of a` and `c = map of b` are pulled one after the other, so that what an element
//! costs is known each time. The later of two such pulls waits, and so does whatever it would matter to.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::pull::Pull;
use crate::ir::rewrite::{Copier, Subst};
use crate::ir::{BodyId, Defs, Op, Program, Stmt, Uses, Value};
use crate::passes::Cx;
use crate::passes::candidate::Candidate;

/// Does all pulls of maps that are made in `bodies`, but those that must wait for others. Whether there was one.
pub(super) fn pull_all(
    program: &mut Program,
    cx: &mut Cx,
    defs: &Defs,
    uses: &Uses,
    bodies: impl Iterator<Item = BodyId>,
) -> bool {
    let (mut pulls, mut taken) = (Pulls::default(), Taken::default());
    for body in bodies {
        for pull in Pull::candidates(program, defs, uses, body) {
            if cx.is_empty() {
                break;
            }
            if taken.matters_to(defs, &pull) {
                taken.add(defs, &pull);
                continue;
            }
            let plan = pull.plan(program, defs);
            if plan.is_ok() && pull.rests_on_checks(program, defs) && !cx.is_settled(pull.map.body) {
                continue;
            }
            if let Some(slice) = cx.judge(program, &pull, plan) {
                taken.add(defs, &pull);
                pulls.add(program, &pull, &slice);
                for site in &pull.sites {
                    around(defs, site.body).for_each(|body| cx.unsettle_body(body));
                }
            }
        }
    }
    pulls.apply(program)
}

/// Where pulls read and write that are done, or wait.
#[derive(Default)]
struct Taken {
    /// The bodies of the maps.
    maps: HashSet<BodyId>,
    /// The bodies in which elements are read, and those around them.
    sites: HashSet<BodyId>,
}

impl Taken {
    /// Whether one of the others reads in the map of `pull`, or the other way round.
    fn matters_to(&self, defs: &Defs, pull: &Pull) -> bool {
        let in_map = |body| around(defs, body).any(|body| self.maps.contains(&body));
        self.sites.contains(&pull.map.body) || pull.sites.iter().any(|site| in_map(site.body))
    }

    fn add(&mut self, defs: &Defs, pull: &Pull) {
        self.maps.insert(pull.map.body);
        for site in &pull.sites {
            for body in around(defs, site.body) {
                if !self.sites.insert(body) {
                    break;
                }
            }
        }
    }
}

/// `body`, and the bodies around it, inner before outer.
fn around(defs: &Defs, body: BodyId) -> impl Iterator<Item = BodyId> {
    std::iter::successors(Some(body), |&body| defs.holder(body).map(|(holder, _)| holder))
}

/// What pulls do to a program.
#[derive(Default)]
struct Pulls {
    elements: Vec<Element>,
    /// The number of the element that is read, and the index along each axis, by where it is read, of which vector, by which index.
    sites: HashMap<(BodyId, Value, Value), (usize, Vec<Value>)>,
    /// The bodies in which elements are read.
    bodies: BTreeSet<BodyId>,
}

/// How an element of a map is computed.
struct Element {
    indices: Vec<Value>,
    stmts: Vec<Stmt>,
    value: Value,
}

impl Pulls {
    fn add(&mut self, program: &Program, pull: &Pull, slice: &[usize]) {
        let stmts = &program.bodies[pull.map.body].stmts;
        let stmts = slice.iter().map(|&index| stmts[index].clone()).collect();
        for site in &pull.sites {
            let read = (self.elements.len(), site.at.clone());
            self.sites.insert((site.body, pull.vector, site.index), read);
            self.bodies.insert(site.body);
        }
        self.elements.push(Element { indices: pull.map.indices.clone(), stmts, value: pull.map.value });
    }

    /// Computes the elements where they are read. Whether there were any.
    fn apply(self, program: &mut Program) -> bool {
        let mut subst = Subst::new();
        for &body in &self.bodies {
            let mut stmts = Vec::new();
            for stmt in program.take_stmts(body) {
                let site = match stmt.op {
                    Op::At(vector, index) => self.sites.get(&(body, vector, index)),
                    _ => None,
                };
                let Some((number, at)) = site else {
                    stmts.push(stmt);
                    continue;
                };
                let element = &self.elements[*number];
                let mut copier = Copier::new();
                for (&index, &at) in element.indices.iter().zip(at) {
                    copier.subst.insert(index, at);
                }
                stmts.extend(copier.stmts(program, &element.stmts));
                subst.insert(stmt.results[0], copier.subst.get(element.value));
            }
            program.put_stmts(body, stmts);
        }
        program.substitute_everywhere(&subst);
        !self.elements.is_empty()
    }
}
