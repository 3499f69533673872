//! `ownership`: a value that is no copy of scalars has one owner, and what takes it moves it where it is read for the last time.
//! Anything else that takes it gets a [`Stmt::Clone`].
//!
//! A value is *owned* by its variable, or *borrowed* from values that it is rooted in, which [`Info::roots`](super::super::Info) tells.
//! Fields, elements, slices, what is looked up, and texts of bytes that are not moved are borrowed; so are parameters, but for those of
//! functions that combine two values, and results of branches of which both sides give what refers to nothing that is bound there.
//! An owned value is moved if it is bound in the same run of the same loop body, and neither it nor anything rooted in it is read
//! later. What refers to a vector whose shape was checked is that vector where it is taken. A vector of constants is part of the program,
//! and borrowed from nothing; a struct that is only looked at is borrowed from its parts, see `parts`.
//!
//! # Before / After
//! ```text
//! v1 = struct v0, v0
//! ```
//! ```text
//! v2 = clone v0
//! v1 = struct v2, v0
//! ```
//! A merge of what is read once more, as a row whose length is summed, comes behind that, so that it can be moved.
//!
//! # Order
//! Last.

mod parts;

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{Op, Value};
use weldment_runtime::lang::types::{Name, Type};

use super::pass::Pass;
use crate::imp::walk::Use;
use crate::imp::{Action, Block, Imp, Known, Param, Role, SortBy, Stmt, Strategy, Target};

pub(super) const PASS: Pass = Pass { name: "ownership", is_for: |target| target.owned, run };

fn run(imp: &mut Imp, _: &Target) {
    let funcs: Vec<_> = imp.funcs.ids().collect();
    for func in funcs {
        let of = &imp.funcs[func];
        // What it captures has an owner elsewhere, and is not moved, since it is not bound here.
        let captured = of.captures.clone();
        let (mut borrowed, mut owned) = (Vec::new(), Vec::new());
        for param in &of.params {
            match param {
                Param::Value(value) if of.role == Role::Reducer => owned.push(*value),
                Param::Value(value) => borrowed.push(*value),
                Param::Slice { column, .. } => borrowed.push(*column),
                Param::Reg(_) | Param::Store(_) => {}
            }
        }
        let takes = matches!(of.role, Role::Entry | Role::Loop | Role::Reducer);
        let mut body = std::mem::take(&mut imp.funcs[func].body);
        let mut owners = Owners {
            looked_at: parts::looked_at(imp, &body),
            imp,
            here: HashSet::new(),
            live: HashSet::new(),
            bound: HashSet::new(),
            checked: HashMap::new(),
        };
        owners.bound.extend(captured);
        borrowed.into_iter().for_each(|value| owners.borrow(value, &[]));
        owned.into_iter().for_each(|value| owners.own(value));
        owners.block(&mut body, if takes { Results::Taken } else { Results::Read });
        imp.funcs[func].body = body;
    }
}

struct Owners<'i> {
    imp: &'i mut Imp,
    /// The structs that are only looked at.
    looked_at: HashSet<Value>,
    /// What is owned and may be moved: it is bound in the loop body at hand.
    here: HashSet<Value>,
    /// What is read behind the statement at hand.
    live: HashSet<Value>,
    /// What is bound so far.
    bound: HashSet<Value>,
    /// The vectors that others are, whose lengths were checked.
    checked: HashMap<Value, Value>,
}

/// What becomes of the results of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Results {
    Taken,
    Read,
}

impl Owners<'_> {
    fn is_copied(&self, value: Value) -> bool {
        self.imp.values[value].ty.is_scalars()
    }

    fn are_constants(&self, values: &[Value]) -> bool {
        values.iter().all(|&value| self.imp.values[value].constant.is_some())
    }

    fn is_copied_by_element(&self, vector: Value) -> bool {
        self.imp.values[vector].ty.element().is_some_and(Type::is_scalars)
    }

    /// Binds a value that its variable owns, or a copy.
    fn own(&mut self, value: Value) {
        self.bound.insert(value);
        self.here.insert(value);
    }

    /// Binds a value that refers to others, or a copy.
    fn borrow(&mut self, value: Value, from: &[Value]) {
        self.bound.insert(value);
        if self.is_copied(value) {
            return;
        }
        let mut roots = Vec::new();
        for &other in from {
            match &self.imp.values[other].roots {
                Some(further) => roots.extend(further.iter().copied()),
                None => roots.push(other),
            }
        }
        roots.sort_unstable();
        roots.dedup();
        self.imp.values[value].roots = Some(roots);
    }

    fn block(&mut self, block: &mut Block, results: Results) {
        let read_later: Vec<Value> =
            block.results.iter().copied().filter(|&value| self.live.insert(value)).collect();
        self.put_off(block);
        let last = last_reads(self.imp, &block.stmts, &mut self.live);
        let mut out = Vec::with_capacity(block.stmts.len());
        for (mut stmt, dead) in std::mem::take(&mut block.stmts).into_iter().zip(last) {
            dead.iter().for_each(|value| _ = self.live.remove(value));
            self.stmt(&mut stmt, &mut out);
            out.push(stmt);
        }
        read_later.iter().for_each(|value| _ = self.live.remove(value));
        if results == Results::Taken {
            self.take_all(&mut block.results, &mut out, |_| true);
        }
        block.stmts = out;
    }

    /// A block whose bindings are forgotten behind it.
    fn inside(&mut self, block: &mut Block, results: Results) {
        let (here, bound) = (self.here.clone(), self.bound.clone());
        self.block(block, results);
        (self.here, self.bound) = (here, bound);
    }

    /// The body of a loop, which may move nothing from outside: that is read again in the next round.
    fn body(&mut self, block: &mut Block, results: Results, params: &[Value]) {
        let (here, live) = (std::mem::take(&mut self.here), std::mem::take(&mut self.live));
        let bound = self.bound.clone();
        params.iter().for_each(|&param| self.own(param));
        self.block(block, results);
        (self.here, self.live, self.bound) = (here, live, bound);
    }

    fn stmt(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { result, op, known, .. } => {
                match op {
                    Op::Vector(elements) if self.are_constants(elements) => return self.borrow(*result, &[]),
                    Op::Struct(parts, _) if self.looked_at.contains(result) => {
                        let from: Vec<Value> =
                            parts.iter().copied().filter(|&part| !self.is_copied(part)).collect();
                        self.imp.values[*result].in_parts = true;
                        return self.borrow(*result, &from);
                    }
                    _ => {}
                }
                if let Some(bytes) = self.lends(op) {
                    return self.borrow(*result, &[bytes]);
                }
                match op {
                    Op::Struct(parts, _) | Op::Vector(parts) => self.take_all(parts, out, |_| true),
                    Op::Shape(vector, _) => {
                        let whole = self.checked.get(vector).copied().unwrap_or(*vector);
                        self.checked.insert(*result, whole);
                    }
                    Op::ToVec(dict) if self.moves(*dict, &[*dict], 0, &|_| true) => *known = Known::Taken,
                    _ => {}
                }
                match *op {
                    Op::Field(x, _)
                    | Op::At(x, _)
                    | Op::Lookup(x, _)
                    | Op::Slice(x, ..)
                    | Op::Cut(x, ..)
                    | Op::Shape(x, _) => {
                        self.borrow(*result, &[x]);
                    }
                    Op::Select(_, x, y) => self.borrow(*result, &[x, y]),
                    _ => self.own(*result),
                }
            }
            Stmt::Load { result, column, .. } => self.borrow(*result, &[*column]),
            Stmt::If { results, then, els, .. } => self.branch(results, [then, els]),
            Stmt::Iterate { results, init, params, body, .. } => {
                // What the body reads as well is read behind the init.
                let mut again = HashSet::new();
                body.for_each_read(self.imp, &mut |value| _ = again.insert(value));
                again.retain(|&value| self.live.insert(value));
                self.take_all(init, out, |_| true);
                again.iter().for_each(|value| _ = self.live.remove(value));
                let params = params.clone();
                let go_on = body.results.pop();
                // Whether to go on is read behind the state, and is a bool.
                self.body(body, Results::Taken, &params);
                body.results.extend(go_on);
                results.iter().for_each(|&result| self.own(result));
            }
            Stmt::Do { results, store, action, args, .. } => {
                let strategy = self.imp.stores[*store].strategy;
                let borrows_key = matches!(action, Action::Merge) && args.len() == 2;
                let is_taken = |number: usize| !(borrows_key && number == 0);
                if takes(*action, strategy) {
                    // What comes first is borrowed while the other is taken.
                    self.take_all(args, out, is_taken);
                }
                results.iter().for_each(|&result| self.own(result));
            }
            Stmt::Call { results, .. } => results.iter().for_each(|&result| self.own(result)),
            Stmt::Sort {
                result,
                vector,
                by: SortBy::Comparator(func) | SortBy::Key { func, .. },
                taken,
                ..
            } => {
                let mut read = vec![*vector];
                read.extend(&self.imp.funcs[*func].captures);
                *taken = !self.is_copied_by_element(*vector) && self.moves(*vector, &read, 0, &|_| true);
                self.own(*result);
            }
            Stmt::Read { result, .. } | Stmt::Pick { result, .. } | Stmt::Clone { result, .. } => {
                self.own(*result)
            }
            Stmt::Rescan { wanted, open, .. } => {
                [*wanted, *open].into_iter().for_each(|value| self.own(value))
            }
            Stmt::For(inner) => {
                let mut params = vec![inner.index];
                params.extend(inner.end.iter().chain(inner.number.as_ref().map(|number| &number.value)));
                self.body(&mut inner.body, Results::Read, &params);
                if let Some((_, exit)) = &mut inner.exit {
                    self.inside(exit, Results::Read);
                }
            }
            // What lanes bind is read behind them.
            Stmt::Lanes(lanes) => {
                self.own(lanes.index);
                self.block(&mut lanes.body, Results::Read);
            }
            Stmt::Split(split) => {
                let range = split.range;
                for part in [&mut split.init, &mut split.update, &mut split.add, &mut split.merge] {
                    self.body(part, Results::Read, &range);
                }
            }
            Stmt::Start(_)
            | Stmt::Copy { .. }
            | Stmt::Accumulate { .. }
            | Stmt::Prefetch { .. }
            | Stmt::Fault { .. }
            | Stmt::Release(_) => {}
        }
    }

    /// A branch, whose sides take their results, unless both give what refers to nothing that is bound in them: then the result does.
    fn branch(&mut self, results: &[Value], mut sides: [&mut Block; 2]) {
        let inside = sides.each_mut().map(|side| {
            let outside = (self.here.clone(), self.bound.clone());
            self.block(side, Results::Read);
            self.go(outside)
        });
        let is_lent: Vec<bool> = (0..results.len())
            .map(|number| sides.iter().all(|side| self.is_from_outside(side.results[number])))
            .collect();
        for (side, inside) in sides.iter_mut().zip(inside) {
            let lent = side.results.iter().zip(&is_lent).filter(|&(_, &is_lent)| is_lent);
            let lent: Vec<Value> = lent.map(|(&value, _)| value).collect();
            let kept: Vec<Value> = lent.into_iter().filter(|&value| self.live.insert(value)).collect();
            let outside = self.go(inside);
            let (mut results, mut stmts) =
                (std::mem::take(&mut side.results), std::mem::take(&mut side.stmts));
            self.take_all(&mut results, &mut stmts, |number| !is_lent[number]);
            (side.results, side.stmts) = (results, stmts);
            self.go(outside);
            kept.iter().for_each(|value| _ = self.live.remove(value));
        }
        for (number, &result) in results.iter().enumerate() {
            if is_lent[number] {
                self.borrow(result, &[sides[0].results[number], sides[1].results[number]]);
            } else {
                self.own(result);
            }
        }
    }

    /// Puts what is bound elsewhere in the place of what is bound here, which it gives.
    fn go(&mut self, (here, bound): (HashSet<Value>, HashSet<Value>)) -> (HashSet<Value>, HashSet<Value>) {
        (std::mem::replace(&mut self.here, here), std::mem::replace(&mut self.bound, bound))
    }

    /// Whether a value, which a side of a branch gives, refers to nothing that is bound there.
    fn is_from_outside(&self, value: Value) -> bool {
        let info = &self.imp.values[value];
        let is_rooted = |roots: &Vec<Value>| roots.iter().all(|root| self.bound.contains(root));
        self.bound.contains(&value) || info.constant.is_some() || info.roots.as_ref().is_some_and(is_rooted)
    }

    /// Takes those of `values` that are taken, one after the other: each is moved, or a clone is.
    fn take_all(&mut self, values: &mut [Value], out: &mut Vec<Stmt>, is_taken: impl Fn(usize) -> bool) {
        for number in (0..values.len()).filter(|&number| is_taken(number)) {
            let value = values[number];
            if self.is_copied(value) || self.moves(value, values, number, &is_taken) {
                continue;
            }
            if let Some(&whole) = self.checked.get(&value)
                && self.moves(whole, values, number, &is_taken)
            {
                values[number] = whole;
                continue;
            }
            let result = self.imp.value(self.imp.values[value].ty.clone());
            self.own(result);
            out.push(Stmt::Clone { result, value });
            values[number] = result;
        }
    }

    /// The bytes of a text that refers to them, as they cannot be moved there.
    fn lends(&self, op: &Op) -> Option<Value> {
        match op {
            Op::Struct(parts, Some(name)) if **name == Name::Text => {
                (!self.moves(parts[0], parts, 0, &|_| true)).then_some(parts[0])
            }
            _ => None,
        }
    }

    /// Whether the value at `number` of `values` may be moved.
    fn moves(
        &self,
        value: Value,
        values: &[Value],
        number: usize,
        is_taken: &impl Fn(usize) -> bool,
    ) -> bool {
        let reads = |other: Value| {
            let roots = &self.imp.values[other].roots;
            other == value || roots.as_ref().is_some_and(|roots| roots.contains(&value))
        };
        let mut others = values.iter().enumerate().filter(|&(other, _)| other > number || !is_taken(other));
        self.imp.values[value].roots.is_none()
            && self.here.contains(&value)
            && !self.live.iter().any(|&other| reads(other))
            && !others.any(|(_, &other)| reads(other))
    }

    /// Puts what is collected, and read once more, behind that, unless something else goes to the same store before.
    fn put_off(&self, block: &mut Block) {
        for number in (0..block.stmts.len()).rev() {
            let Stmt::Do { store, action: Action::Append | Action::Put, args, mask: None, .. } =
                &block.stmts[number]
            else {
                continue;
            };
            let (store, value) = (*store, args[args.len() - 1]);
            if self.is_copied(value) || block.results.contains(&value) {
                continue;
            }
            let after = &block.stmts[number + 1..];
            let is_read = |stmt: &Stmt| reads_of(self.imp, stmt).contains(&value);
            let fills = |stmt: &Stmt| {
                let mut found = false;
                let whole = Block { stmts: vec![stmt.clone()], results: Vec::new() };
                whole.for_each_stmt(&mut |stmt| stmt.for_each_store(|other, _| found |= other == store));
                found
            };
            if let Some(last) = after.iter().rposition(is_read)
                && !after[..=last].iter().any(fills)
            {
                block.stmts[number..=number + 1 + last].rotate_left(1);
            }
        }
    }
}

/// Whether an action takes its arguments; else it reads them.
fn takes(action: Action, strategy: Strategy) -> bool {
    match action {
        Action::Append | Action::AppendReserved | Action::Put | Action::Merge => true,
        Action::Open => matches!(strategy, Strategy::Boxed | Strategy::InPlace | Strategy::Partial),
        _ => false,
    }
}

/// What a statement reads, itself and in the blocks that it holds.
fn reads_of(imp: &Imp, stmt: &Stmt) -> HashSet<Value> {
    let mut reads = HashSet::new();
    stmt.for_each_value(|of, value| {
        if of == Use::Read {
            reads.insert(value);
        }
    });
    stmt.for_each_func(imp, |func| reads.extend(&imp.funcs[func].captures));
    stmt.for_each_block(|block| block.for_each_read(imp, &mut |value| _ = reads.insert(value)));
    reads
}

/// For each statement the values that it is the last to read, none of them in `live`, which are read later. Adds these to `live`.
fn last_reads(imp: &Imp, stmts: &[Stmt], live: &mut HashSet<Value>) -> Vec<Vec<Value>> {
    let mut last: Vec<Vec<Value>> = stmts
        .iter()
        .rev()
        .map(|stmt| reads_of(imp, stmt).into_iter().filter(|&value| live.insert(value)).collect())
        .collect();
    last.reverse();
    last
}
