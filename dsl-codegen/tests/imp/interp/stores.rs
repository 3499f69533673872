//! Stores: what each action does, whatever the strategy is for.

use std::collections::BTreeMap;

use weldment_core::interp::{combine, neutral};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::value::{DictValue, Value};

use super::machine::{Frame, Machine};
use weldment_codegen::imp::{Action, Combine, Store, Strategy};

/// A store that is open.
#[derive(Clone, Debug)]
pub(super) struct Open<'a> {
    decl: &'a Store,
    /// What its function sees.
    captured: Frame,
    /// What was joined.
    total: Content,
    /// The part at hand.
    part: Option<Content>,
    /// The position that the next element is for.
    next: usize,
}

#[derive(Clone, Debug)]
enum Content {
    One(Option<Value>),
    Vector(Vec<Value>),
    Places(Vec<Option<Value>>),
    Dict(DictValue),
    /// By index, to be combined with what is there.
    Partials(BTreeMap<usize, Value>),
}

impl<'a> Open<'a> {
    /// The store `decl`, opened with `args` where `captured` is what is there.
    pub(super) fn new(decl: &'a Store, args: &[Value], captured: Frame) -> Open<'a> {
        let total = match decl.strategy {
            Strategy::Boxed => Content::One(args.first().cloned()),
            Strategy::Exact { each } => Content::Places(vec![None; natural(&args[0]) * each as usize]),
            Strategy::Columns { .. } => Content::Places(vec![None; natural(&args[0]) * natural(&args[1])]),
            Strategy::Ordered | Strategy::Grow | Strategy::Ragged => Content::Vector(Vec::new()),
            Strategy::InPlace | Strategy::Partial => Content::Vector(elements(&args[0]).to_vec()),
            _ => Content::Dict(DictValue::new()),
        };
        Open { decl, captured, total, part: None, next: 0 }
    }

    /// What is appended from here on is for positions from `first` on.
    pub(super) fn place(&mut self, first: usize) {
        if let Strategy::Exact { each } = self.decl.strategy {
            self.next = first * each as usize;
        }
    }

    fn begin(&mut self, args: &[Value]) {
        assert!(self.part.is_none(), "a part joins before the next one begins");
        self.part = match self.decl.strategy {
            Strategy::Boxed => Some(Content::One(None)),
            // Parts write to their places, and merge in place.
            Strategy::Exact { .. } => {
                if let Some(first) = args.first() {
                    self.place(natural(first));
                }
                None
            }
            Strategy::InPlace | Strategy::Columns { .. } => None,
            Strategy::Partial => Some(Content::Partials(BTreeMap::new())),
            Strategy::Ordered | Strategy::Grow | Strategy::Ragged => Some(Content::Vector(Vec::new())),
            _ => Some(Content::Dict(DictValue::new())),
        };
    }

    fn put(&mut self, at: usize, value: Value) {
        let Content::Places(places) = &mut self.total else { panic!("places are of exact vectors") };
        assert!(places[at].replace(value).is_none(), "element {at} is written twice");
    }

    /// What has been merged into an element so far.
    fn get(&self, at: usize) -> Value {
        match (&self.part, &self.total) {
            (Some(Content::Partials(partials)), _) => {
                let Combine::Op(op) = self.decl.combine else { panic!("merges by index are by an operator") };
                partials.get(&at).cloned().unwrap_or_else(|| neutral(op, &self.decl.item))
            }
            (None, Content::Vector(vector)) => vector[at].clone(),
            _ => panic!("elements are of vectors"),
        }
    }

    fn set(&mut self, at: usize, value: Value) {
        match (&mut self.part, &mut self.total) {
            (Some(Content::Partials(partials)), _) => _ = partials.insert(at, value),
            (None, Content::Vector(vector)) => vector[at] = value,
            _ => panic!("elements are of vectors"),
        }
    }

    fn append(&mut self, value: Value) {
        if let Content::Places(_) = self.total {
            self.next += 1;
            return self.put(self.next - 1, value);
        }
        let Content::Vector(vector) = self.part.as_mut().unwrap_or(&mut self.total) else {
            panic!("vectors are appended to");
        };
        vector.push(value);
    }

    fn merge(
        &mut self,
        run: &mut Machine<'a>,
        args: &[Value],
        at: weldment_core::ir::Loc,
    ) -> Result<(), Fault> {
        let (decl, value) = (self.decl, args.last().expect("a value is merged"));
        let fresh = || match decl.combine {
            Combine::Op(op) => combine(op, &neutral(op, &decl.item), value),
            _ => value.clone(),
        };
        let bounds = match &self.total {
            Content::Vector(vector) => Some(vector.len()),
            _ => None,
        };
        let index = |bounds: usize| {
            let index = args[0].as_integer().expect("an index");
            let place = usize::try_from(index).ok().filter(|&index| index < bounds);
            place.ok_or_else(|| Fault::index(index, bounds, run.position(at)))
        };
        match (self.part.take(), bounds) {
            (None, Some(bounds)) => {
                let index = index(bounds)?;
                let Content::Vector(vector) = &self.total else { unreachable!("it has bounds") };
                let combined = self.combined(run, &vector[index].clone(), value)?;
                let Content::Vector(vector) = &mut self.total else { unreachable!("it has bounds") };
                vector[index] = combined;
            }
            (Some(Content::Partials(mut partials)), Some(bounds)) => {
                let index = index(bounds)?;
                let combined = match partials.get(&index) {
                    Some(before) => self.combined(run, before, value)?,
                    None => fresh(),
                };
                partials.insert(index, combined);
                self.part = Some(Content::Partials(partials));
            }
            (Some(Content::One(before)), _) => {
                let value = match before {
                    Some(before) => self.combined(run, &before, value)?,
                    None => value.clone(),
                };
                self.part = Some(Content::One(Some(value)));
            }
            (Some(Content::Dict(mut part)), _) => {
                self.enter(run, &mut part, &args[0], value, fresh)?;
                self.part = Some(Content::Dict(part));
            }
            (None, _) => {
                let total = std::mem::replace(&mut self.total, Content::One(None));
                let Content::Dict(mut total) = total else { panic!("a box has a part") };
                self.enter(run, &mut total, &args[0], value, fresh)?;
                self.total = Content::Dict(total);
            }
            (Some(_), _) => panic!("vectors are not merged into"),
        }
        Ok(())
    }

    /// Merges `value` under `key`; `fresh` is what it is where the key is new.
    fn enter(
        &self,
        run: &mut Machine<'a>,
        dict: &mut DictValue,
        key: &Value,
        value: &Value,
        fresh: impl FnOnce() -> Value,
    ) -> Result<(), Fault> {
        if let Combine::Append = self.decl.combine {
            let Value::Vec(group) = dict.entry(key, || Value::vec(Vec::new())) else {
                panic!("a group is a vector")
            };
            std::sync::Arc::make_mut(group).push(value.clone());
            return Ok(());
        }
        let merged = match dict.get(key).cloned() {
            Some(before) => self.combined(run, &before, value)?,
            None => fresh(),
        };
        *dict.entry(key, || Value::Bool(false)) = merged;
        Ok(())
    }

    fn combined(&self, run: &mut Machine<'a>, a: &Value, b: &Value) -> Result<Value, Fault> {
        match self.decl.combine {
            Combine::Op(op) => Ok(combine(op, a, b)),
            Combine::Last => Ok(b.clone()),
            Combine::Func(func) => run
                .function(&self.captured, func, vec![a.clone(), b.clone()])
                .map(|mut results| results.remove(0)),
            Combine::Append => panic!("what is appended is not combined"),
        }
    }

    fn join(&mut self, run: &mut Machine<'a>) -> Result<(), Fault> {
        let total = std::mem::replace(&mut self.total, Content::One(None));
        self.total = match (total, self.part.take()) {
            (total, None) => total,
            (Content::One(before), Some(Content::One(part))) => Content::One(match (before, part) {
                (Some(before), Some(part)) => Some(self.combined(run, &before, &part)?),
                (before, part) => before.or(part),
            }),
            (Content::Vector(mut total), Some(Content::Vector(part))) => {
                total.extend(part);
                Content::Vector(total)
            }
            (Content::Vector(mut total), Some(Content::Partials(partials))) => {
                for (index, partial) in partials {
                    total[index] = self.combined(run, &total[index], &partial)?;
                }
                Content::Vector(total)
            }
            (Content::Dict(mut total), Some(Content::Dict(part))) => {
                for (key, value) in part.iter() {
                    if let (Combine::Append, Value::Vec(group)) = (self.decl.combine, value) {
                        for value in group.iter() {
                            self.enter(run, &mut total, key, value, || value.clone())?;
                        }
                    } else {
                        self.enter(run, &mut total, key, value, || value.clone())?;
                    }
                }
                Content::Dict(total)
            }
            (total, part) => panic!("{part:?} does not join {total:?}"),
        };
        Ok(())
    }

    fn finish(self, run: &Machine<'_>, at: weldment_core::ir::Loc) -> Result<Value, Fault> {
        assert!(self.part.is_none(), "a part joins before all is finished");
        Ok(match self.total {
            Content::One(Some(value)) => value,
            Content::One(None) => return Err(Fault::empty(run.position(at))),
            Content::Vector(vector) => Value::vec(vector),
            Content::Places(places) => {
                Value::vec(places.into_iter().map(|place| place.expect("every element is written")).collect())
            }
            Content::Dict(dict) => Value::Dict(dict.into()),
            Content::Partials(_) => unreachable!("partials are parts"),
        })
    }
}

/// An action on a store, with what it was given.
pub(super) struct Done<'s> {
    pub(super) action: Action,
    /// Where the iterations at hand begin.
    pub(super) first: usize,
    pub(super) args: &'s [Value],
    pub(super) loc: weldment_core::ir::Loc,
}

impl<'a> Machine<'a> {
    /// Does something with a store that is open, in a place where `frame` is what is there.
    pub(super) fn act(&mut self, frame: &Frame, store: usize, done: &Done<'_>) -> Result<Vec<Value>, Fault> {
        let Done { action, first, args, loc } = *done;
        let mut open = self.stores[store].take().expect("a store is open while something is done with it");
        match action {
            Action::Open => unreachable!("it is open"),
            Action::Begin => open.begin(args),
            Action::Expect | Action::Reserve | Action::HashAhead => {}
            Action::Append | Action::AppendReserved => open.append(args[0].clone()),
            Action::Extend => elements(&args[0]).iter().for_each(|value| open.append(value.clone())),
            Action::Put if matches!(open.decl.strategy, Strategy::Columns { .. }) => {
                open.put(natural(&args[0]), args[1].clone());
            }
            Action::Put => open.put(first + natural(&args[0]), args[1].clone()),
            Action::Fill(func) => {
                for position in 0..natural(&args[0]) {
                    let value = self.function(frame, func, vec![Value::U64(position as u64)])?;
                    open.put(first + position, value[0].clone());
                }
            }
            Action::Merge => open.merge(self, args, loc)?,
            Action::MergeEach(func) => {
                for position in 0..natural(&args[0]) {
                    let args = self.function(frame, func, vec![Value::U64(position as u64)])?;
                    open.merge(self, &args, loc)?;
                }
            }
            Action::MergeBlock => {
                let Content::Vector(vector) = &open.total else { panic!("blocks go into vectors") };
                let bounds = 0..vector.len() as i128;
                let indices = elements(&args[0]);
                // A value may be the same for all of them.
                let value = |lane: usize| match &args[1] {
                    Value::Vec(values) => values[lane].clone(),
                    value => value.clone(),
                };
                let is_inside = indices
                    .iter()
                    .all(|index| index.as_integer().is_some_and(|index| bounds.contains(&index)));
                if is_inside {
                    for (lane, index) in indices.iter().enumerate() {
                        open.merge(self, &[index.clone(), value(lane)], loc)?;
                    }
                }
                self.stores[store] = Some(open);
                return Ok(vec![Value::Bool(is_inside)]);
            }
            Action::Covers => {
                let Content::Vector(vector) = &open.total else { panic!("elements are of vectors") };
                let covers = natural(&args[0]) <= vector.len();
                self.stores[store] = Some(open);
                return Ok(vec![Value::Bool(covers)]);
            }
            Action::Get => {
                let value = open.get(natural(&args[0]));
                self.stores[store] = Some(open);
                return Ok(vec![value]);
            }
            Action::Set => open.set(natural(&args[0]), args[1].clone()),
            Action::Join => open.join(self)?,
            Action::Finish => return open.finish(self, loc).map(|value| vec![value]),
        }
        self.stores[store] = Some(open);
        Ok(Vec::new())
    }
}

pub(super) fn natural(value: &Value) -> usize {
    let number = value.as_integer().expect("a position");
    usize::try_from(number).expect("a position is not negative")
}

pub(super) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Vec(elements) => elements,
        other => panic!("{other:?} where a vector is needed"),
    }
}
