//! Who binds what: the parameter or statement behind each value, and which body lies inside which.
//!
//! [`Defs`] is a snapshot: it describes the program at the moment it was taken.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::entity::{BodyId, Entity, Value};
use super::merges::Merges;
use super::op::{Loop, Op, Program, Stmt};

/// Where a value is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// The parameter with this number of a body.
    Param(BodyId, usize),
    /// A result of a statement.
    Stmt {
        /// The body that holds the statement.
        body: BodyId,
        /// The number of the statement in it.
        index: usize,
        /// The number of the result.
        result: usize,
    },
}

/// Where each value is bound, and which statement holds each body.
#[derive(Clone, Debug)]
pub struct Defs {
    values: Vec<Option<Def>>,
    holders: Vec<Option<(BodyId, usize)>>,
    /// Where loops merge, by their bodies, where that is remembered.
    merges: Option<RefCell<HashMap<BodyId, Rc<Merges>>>>,
}

impl Defs {
    /// The bindings of the whole program.
    pub fn of(program: &Program) -> Defs {
        let mut defs = Defs {
            values: vec![None; program.values.len()],
            holders: vec![None; program.bodies.len()],
            merges: None,
        };
        if let Some(entry) = program.entry {
            defs.add(program, entry);
        }
        defs
    }

    /// Makes this right again after something has been done inside of `body`, and of the bodies in it.
    pub fn update(&mut self, program: &Program, body: BodyId) {
        self.values.resize(program.values.len(), None);
        self.holders.resize(program.bodies.len(), None);
        self.add(program, body);
    }

    /// Makes this right again after statements of the program have been put at the end of `body`, the first of them with the
    /// number `from`; what is inside of them is as it was.
    pub(crate) fn appended(&mut self, program: &Program, body: BodyId, from: usize) {
        self.moved(program, body, from..program.bodies[body].stmts.len());
    }

    /// Makes this right again after statements of `body` have been moved among those with these numbers, or put there; what
    /// is inside of them is as it was.
    pub(crate) fn moved(&mut self, program: &Program, body: BodyId, numbers: Range<usize>) {
        for index in numbers {
            self.add_stmt(body, index, &program.bodies[body].stmts[index]);
        }
    }

    /// Makes this right again after the statements of `body` have been put in another order, and some have come or gone;
    /// what is inside of them is as it was.
    pub(crate) fn reordered(&mut self, program: &Program, body: BodyId) {
        self.values.resize(program.values.len(), None);
        self.holders.resize(program.bodies.len(), None);
        self.appended(program, body, 0);
    }

    fn add(&mut self, program: &Program, id: BodyId) {
        let body = &program.bodies[id];
        for (number, &param) in body.params.iter().enumerate() {
            self.values[param.index()] = Some(Def::Param(id, number));
        }
        for (index, stmt) in body.stmts.iter().enumerate() {
            self.add_stmt(id, index, stmt);
            stmt.op.for_each_body(|inner| self.add(program, inner));
        }
    }

    fn add_stmt(&mut self, body: BodyId, index: usize, stmt: &Stmt) {
        for (result, &value) in stmt.results.iter().enumerate() {
            self.values[value.index()] = Some(Def::Stmt { body, index, result });
        }
        stmt.op.for_each_body(|inner| self.holders[inner.index()] = Some((body, index)));
    }

    /// The bindings of the whole program, which remember what has been found out of the merges of its loops: for as long as
    /// no merge or loop comes or goes.
    pub fn remembering_merges(program: &Program) -> Defs {
        Defs { merges: Some(RefCell::default()), ..Defs::of(program) }
    }

    /// Makes this right again after a merge has come or gone, or a loop.
    pub(crate) fn forget_merges(&mut self) {
        if let Some(merges) = &mut self.merges {
            merges.get_mut().clear();
        }
    }

    /// Where `inner`, a loop of the program, merges into its sinks.
    pub(crate) fn merges(&self, program: &Program, inner: &Loop) -> Rc<Merges> {
        let find = || Rc::new(Merges::of(program, inner));
        match &self.merges {
            Some(known) => known.borrow_mut().entry(inner.body).or_insert_with(find).clone(),
            None => find(),
        }
    }

    /// As [`Defs::merges`], where that is remembered.
    pub(crate) fn remembered_merges(&self, program: &Program, inner: &Loop) -> Option<Rc<Merges>> {
        self.merges.is_some().then(|| self.merges(program, inner))
    }

    /// Makes what is remembered right again when the loop `absorbed` is to become part of `inner`, its sinks behind those of that.
    pub(crate) fn unite_merges(&mut self, program: &Program, inner: &Loop, absorbed: &Loop) {
        let [into, added] = [inner, absorbed].map(|inner| self.merges(program, inner));
        if let Some(merges) = &mut self.merges {
            let merges = merges.get_mut();
            merges.remove(&absorbed.body);
            merges.remove(&inner.body);
            let (mut into, added) = (Rc::unwrap_or_clone(into), Rc::unwrap_or_clone(added));
            into.add(added, inner.sinks.len());
            merges.insert(inner.body, Rc::new(into));
        }
    }

    /// From now on nothing is known of `values`: the statement that bound them is about to go.
    pub fn forget(&mut self, values: &[Value]) {
        for value in values {
            if let Some(def) = self.values.get_mut(value.index()) {
                *def = None;
            }
        }
    }

    /// Where `value` is bound.
    pub fn def(&self, value: Value) -> Option<Def> {
        self.values.get(value.index()).copied().flatten()
    }

    /// The statement that binds `value`, unless a parameter does, or the statement has been moved since.
    pub fn stmt<'a>(&self, program: &'a Program, value: Value) -> Option<&'a Stmt> {
        match self.def(value)? {
            Def::Param(..) => None,
            Def::Stmt { body, index, result } => {
                let stmt = program.bodies[body].stmts.get(index);
                stmt.filter(|stmt| stmt.results.get(result) == Some(&value))
            }
        }
    }

    /// The op that binds `value`, unless a parameter does.
    pub fn op<'a>(&self, program: &'a Program, value: Value) -> Option<&'a Op> {
        self.stmt(program, value).map(|stmt| &stmt.op)
    }

    /// The body and number of the statement that holds `body`; none for the entry.
    pub fn holder(&self, body: BodyId) -> Option<(BodyId, usize)> {
        self.holders.get(body.index()).copied().flatten()
    }

    /// The body in which `value` is bound.
    pub fn body_of(&self, value: Value) -> Option<BodyId> {
        match self.def(value)? {
            Def::Param(body, _) | Def::Stmt { body, .. } => Some(body),
        }
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub fn encloses(&self, outer: BodyId, inner: BodyId) -> bool {
        let mut body = inner;
        loop {
            if body == outer {
                return true;
            }
            match self.holder(body) {
                Some((holder, _)) => body = holder,
                None => return false,
            }
        }
    }
}
