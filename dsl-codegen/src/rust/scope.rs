//! What is known where a step is emitted: how each value is held, and which may be moved.
//!
//! A value of scalars is copied. Another one is *owned* by its variable (`v7: Vec<T>`) or *borrowed* (`v7: &[T]`)
//! from values that it is rooted in. An owned value is moved where it is stored, if it is bound in the same
//! run of the same loop body and neither it nor anything rooted in it is read later; otherwise it is cloned.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use weldment_core::ir::{Const, Sink, Value};
use weldment_runtime::types::Type;

use super::merge::Held;
use super::paths::Paths;
use crate::loops::{Block, Merge, Step, facts};

/// How a variable holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Copied,
    Owned,
    Borrowed,
}

/// What a variable holds.
#[derive(Debug)]
struct Binding {
    form: Form,
    /// For borrowed values, the owned ones that they refer to.
    roots: HashSet<Value>,
    /// How many bindings were there before it.
    number: usize,
}

/// The variables of one emitted function.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The constants, which need not be bound.
    consts: Rc<HashMap<Value, Const>>,
    /// The vectors whose rows lie one after the other.
    rows: Rc<BTreeSet<Value>>,
    bindings: HashMap<Value, Binding>,
    /// What was bound, in order, and as what it was bound before: a block forgets what was bound inside of it. A copy of what
    /// is known for each block would make a program of a thousand loops a matter of a million bindings.
    bound: Vec<(Value, Option<Binding>)>,
    /// The first binding in the loop body at hand: what is bound before must not be moved.
    body_starts: usize,
    /// What is read after the step at hand.
    pub(super) live: HashSet<Value>,
    /// The columns: vector and index of the loop around that it is read at.
    columns: HashSet<(Value, Value)>,
    /// The states that are somewhere else, and held by reference.
    by_reference: HashSet<Sink>,
    /// Whether this code is compiled for the CPU at hand already.
    pub(super) is_dispatched: bool,
}

impl Scope {
    /// The scope of a function that takes `inputs`, borrowed.
    pub(super) fn of_function(
        consts: &Rc<HashMap<Value, Const>>,
        rows: &Rc<BTreeSet<Value>>,
        inputs: &[Value],
        ty: impl Fn(Value) -> Type,
    ) -> Scope {
        let mut scope = Scope { consts: consts.clone(), rows: rows.clone(), ..Scope::default() };
        for &input in inputs {
            scope.bind_borrowed(input, &ty(input), []);
        }
        scope
    }

    /// Binds a value that its variable owns, or a copy.
    pub(super) fn bind(&mut self, value: Value, ty: &Type) {
        let form = if ty.is_scalars() { Form::Copied } else { Form::Owned };
        self.bind_as(value, form, HashSet::new());
    }

    /// Binds a value that refers to `others`, or a copy.
    pub(super) fn bind_borrowed(&mut self, value: Value, ty: &Type, others: impl IntoIterator<Item = Value>) {
        if ty.is_scalars() {
            self.bind_as(value, Form::Copied, HashSet::new());
            return;
        }
        let mut roots = HashSet::new();
        for other in others {
            match self.bindings.get(&other).filter(|binding| binding.form == Form::Borrowed) {
                Some(further) => roots.extend(further.roots.iter().copied()),
                None => {
                    roots.insert(other);
                }
            }
        }
        self.bind_as(value, Form::Borrowed, roots);
    }

    fn bind_as(&mut self, value: Value, form: Form, roots: HashSet<Value>) {
        let number = self.bound.len();
        let before = self.bindings.insert(value, Binding { form, roots, number });
        self.bound.push((value, before));
    }

    /// What `emit` gives for a block: what is bound in it is forgotten afterwards, and after it these `results` of it are read.
    pub(super) fn in_block<R>(
        &mut self,
        results: impl IntoIterator<Item = Value>,
        emit: impl FnOnce(&mut Scope) -> R,
    ) -> R {
        let start = self.bound.len();
        let read: Vec<Value> = results.into_iter().filter(|&result| self.live.insert(result)).collect();
        let emitted = emit(self);
        read.iter().for_each(|result| _ = self.live.remove(result));
        while self.bound.len() > start {
            let Some((value, before)) = self.bound.pop() else { break };
            match before {
                Some(before) => self.bindings.insert(value, before),
                None => self.bindings.remove(&value),
            };
        }
        emitted
    }

    /// What `emit` gives for a block of which nothing that is bound outside may be moved.
    pub(super) fn in_closure<R>(&mut self, emit: impl FnOnce(&mut Scope) -> R) -> R {
        let around = std::mem::replace(&mut self.body_starts, self.bound.len());
        let emitted = self.in_block([], emit);
        self.body_starts = around;
        emitted
    }

    /// What `emit` gives for the body of a loop, which may move nothing from outside: that is read again in the next round.
    pub(super) fn in_body<R>(&mut self, emit: impl FnOnce(&mut Scope) -> R) -> R {
        let live = std::mem::take(&mut self.live);
        let emitted = self.in_closure(emit);
        self.live = live;
        emitted
    }

    pub(super) fn is_bound(&self, value: Value) -> bool {
        self.bindings.contains_key(&value) || self.consts.contains_key(&value)
    }

    pub(super) fn form(&self, value: Value) -> Form {
        if self.consts.contains_key(&value) {
            return Form::Copied;
        }
        let binding = self.bindings.get(&value);
        binding.unwrap_or_else(|| panic!("{value} is used where it is not bound")).form
    }

    /// Declares `vectors` columns of the loop with `index`.
    pub(super) fn add_columns(&mut self, vectors: &[Value], index: Value) {
        self.columns.extend(vectors.iter().map(|&vector| (vector, index)));
    }

    pub(super) fn is_column(&self, vector: Value, index: Value) -> bool {
        self.columns.contains(&(vector, index))
    }

    /// The states of these stores are held by reference from here on.
    pub(super) fn hold_by_reference(&mut self, sinks: impl IntoIterator<Item = Sink>) {
        self.by_reference.extend(sinks);
    }

    /// How the variables of a state hold it.
    pub(super) fn held(&self, sink: Sink) -> Held {
        if self.by_reference.contains(&sink) { Held::ByReference } else { Held::Here }
    }

    /// The value by reference: `&[T]`, `&T`; also of scalars.
    pub(super) fn borrow(&self, value: Value, ty: &Type) -> TokenStream {
        let name = super::name(&self.consts, value);
        match self.form(value) {
            Form::Borrowed => quote!(#name),
            Form::Copied => quote!(&#name),
            Form::Owned if ty.element().is_some() && !self.rows.contains(&value) => quote!(&#name[..]),
            Form::Owned => quote!(&#name),
        }
    }

    /// The value as it is passed to a function that copies scalars and borrows others.
    pub(super) fn pass(&self, value: Value, ty: &Type) -> TokenStream {
        match self.form(value) {
            Form::Copied => super::name(&self.consts, value),
            _ => self.borrow(value, ty),
        }
    }

    /// The value, given away; a copy of it is counted, and can be a fault. `others` are read by the same step afterwards, or borrowed by it.
    pub(super) fn own(&self, p: &Paths, value: Value, ty: &Type, others: &[Value]) -> TokenStream {
        let (name, copy) = (super::name(&self.consts, value), p.copy());
        match self.form(value) {
            Form::Copied => name,
            Form::Borrowed if ty.element().is_some() => quote!(#copy::slice(cx, #name)?),
            Form::Borrowed => quote!(#copy::value(cx, #name)?),
            Form::Owned if self.is_last(value, others) => quote!(#name),
            Form::Owned => quote!(#copy::value(cx, &#name)?),
        }
    }

    fn is_last(&self, value: Value, others: &[Value]) -> bool {
        let reads = |other: &Value| {
            *other == value || self.bindings.get(other).is_some_and(|other| other.roots.contains(&value))
        };
        let is_here = |binding: &Binding| binding.form == Form::Owned && binding.number >= self.body_starts;
        self.bindings.get(&value).is_some_and(is_here)
            && !self.live.iter().any(reads)
            && !others.iter().any(reads)
    }
}

/// A place of type `ty` by reference, as a variable of the borrowed form holds it.
pub(super) fn borrow_place(ty: &Type, place: &TokenStream) -> TokenStream {
    if ty.element().is_some() { quote!(&#place[..]) } else { quote!(&#place) }
}

/// The steps of `block` in an order in which more values can be moved: what is collected and read once more, as a row whose
/// length is summed, is merged after that, unless another merge into `collects` comes before.
pub(super) fn steps_in_order(block: &Block, collects: impl Fn(&Merge) -> bool) -> Vec<&Step> {
    let mut steps: Vec<&Step> = block.steps.iter().collect();
    for number in (0..steps.len()).rev() {
        let Step::Merge(merge) = steps[number] else { continue };
        if !collects(merge) || block.results.contains(&merge.values[0]) {
            continue;
        }
        let is_read = |step: &&Step| {
            let mut reads = HashSet::new();
            reads_of(step, &mut reads);
            reads.contains(&merge.values[0])
        };
        let merges = |step: &&Step| {
            let mut found = matches!(step, Step::Merge(other) if other.sink == merge.sink);
            facts::for_each_block(step, &mut |inner| {
                facts::for_each_merge(inner, &mut |other| found |= other.sink == merge.sink);
            });
            found
        };
        let after = &steps[number + 1..];
        if let Some(last) = after.iter().rposition(is_read)
            && !after[..=last].iter().any(merges)
        {
            steps[number..=number + 1 + last].rotate_left(1);
        }
    }
    steps
}

/// For each step of `steps` the values that it is the last to read, none of them in `live`, which are read later. Adds
/// these to `live`.
pub(super) fn last_reads(steps: &[&Step], live: &mut HashSet<Value>) -> Vec<Vec<Value>> {
    let mut last: Vec<Vec<Value>> = steps
        .iter()
        .rev()
        .map(|step| {
            let mut reads = HashSet::new();
            reads_of(step, &mut reads);
            reads.into_iter().filter(|&value| live.insert(value)).collect()
        })
        .collect();
    last.reverse();
    last
}

/// Adds what `step` reads, itself and in the blocks it holds.
pub(super) fn reads_of(step: &Step, reads: &mut HashSet<Value>) {
    facts::for_each_operand(step, &mut |value| {
        reads.insert(value);
    });
    facts::for_each_block(step, &mut |block| {
        block.steps.iter().for_each(|step| reads_of(step, reads));
        reads.extend(&block.results);
    });
}
