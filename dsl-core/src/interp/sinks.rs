//! The sinks of a loop under way: what has been merged, and how it becomes the loop's result.

use std::collections::BTreeMap;
use std::sync::Arc;

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::{DictValue, Value};

use super::cause::Cause;
use super::fold::{self, Fold};
use super::machine::Machine;
use super::{memory, ops};
use crate::ir::{BodyId, Empty, Loc, Reducer, SinkKind};

/// A sink of a loop under way.
#[derive(Debug)]
pub(super) struct OpenSink {
    /// How many loop indices are around the sink's loop: only those inside it count for lanes.
    outer_counters: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Collect {
        collected: Vec<Value>,
        ty: Type,
        /// How many values are counted, those to come included.
        counted: usize,
    },
    /// A fold by an operator.
    Fold { fold: Fold, init: Option<Value>, empty: Empty, is_empty: bool },
    /// A fold by a function: the chunk under way, and the totals of the chunks done that merged anything.
    FoldBy {
        body: BodyId,
        init: Option<Value>,
        chunk: Option<Value>,
        totals: Vec<Value>,
        /// The bytes of a total.
        total: usize,
    },
    /// Groups by key, each a vector.
    BucketCollect {
        groups: DictValue,
        /// The bytes of a key and the header of its group.
        group: usize,
        /// The bytes of a value.
        value: usize,
    },
    /// Partials by key: those of the segment under way, and of the segments done.
    BucketReduce {
        reducer: Reducer,
        ty: Type,
        /// The bytes of a key and a value.
        entry: usize,
        segment: DictValue,
        done: Vec<DictValue>,
    },
    /// Partials by index: those of the segment under way, and of the segments done.
    Scatter { op: ReduceOp, ty: Type, init: Value, segment: Partials, done: Vec<Partials> },
}

type Partials = BTreeMap<usize, Value>;

impl OpenSink {
    /// The sink of a loop that starts now.
    ///
    /// # Errors
    /// The fault MemoryLimit.
    pub(super) fn new(machine: &Machine<'_>, kind: &SinkKind) -> Result<OpenSink, Fault> {
        let value = |name: &crate::ir::Value| machine.get(*name).clone();
        let state = match kind {
            SinkKind::Collect { ty, .. } => {
                State::Collect { collected: Vec::new(), ty: ty.clone(), counted: 0 }
            }
            SinkKind::Reduce { ty, reducer: Reducer::Op(op), init, empty, order } => State::Fold {
                fold: Fold::new(*op, ty, *order),
                init: init.as_ref().map(value),
                empty: *empty,
                is_empty: true,
            },
            SinkKind::Reduce { ty, reducer: Reducer::Func(body), init, .. } => State::FoldBy {
                body: *body,
                init: init.as_ref().map(value),
                chunk: None,
                totals: Vec::new(),
                total: memory::stored(ty),
            },
            SinkKind::BucketCollect { key, value } => State::BucketCollect {
                groups: DictValue::new(),
                group: memory::stored(key) + size_of::<Vec<u8>>(),
                value: memory::stored(value),
            },
            SinkKind::BucketReduce { key, value: ty, reducer } => State::BucketReduce {
                reducer: reducer.clone(),
                ty: ty.clone(),
                entry: memory::stored(key) + memory::stored(ty),
                segment: DictValue::new(),
                done: Vec::new(),
            },
            SinkKind::Scatter { ty, op, init } => {
                let init = value(init);
                machine.cx.charge(memory::bytes(ops::elements(&init).len(), ty))?;
                let (segment, done) = (Partials::new(), Vec::new());
                State::Scatter { op: *op, ty: ty.clone(), init, segment, done }
            }
        };
        Ok(OpenSink { outer_counters: machine.counters.len(), state })
    }

    /// Makes room for `merges` values that are known to come, if they are collected.
    ///
    /// # Errors
    /// The fault MemoryLimit, if so many may not be held, or cannot.
    pub(super) fn reserve(&mut self, machine: &Machine<'_>, merges: usize) -> Result<(), Fault> {
        if let State::Collect { collected, ty, counted } = &mut self.state {
            let bytes = memory::bytes(merges, ty);
            machine.cx.charge(bytes)?;
            collected.try_reserve(merges).map_err(|_| Fault::memory(bytes))?;
            *counted = merges;
        }
        Ok(())
    }

    /// Merges `values`: a value, or a key or index and a value.
    pub(super) fn merge(
        &mut self,
        machine: &mut Machine<'_>,
        values: Vec<Value>,
        loc: Loc,
    ) -> Result<(), Fault> {
        let mut values = values.into_iter();
        let mut next = || values.next().expect("as many values as the sink takes");
        match &mut self.state {
            State::Collect { collected, ty, counted } => {
                if collected.len() == *counted {
                    machine.cx.charge(memory::stored(ty))?;
                    *counted += 1;
                }
                push(collected, next())?;
            }
            State::Fold { fold, is_empty, .. } => {
                // The innermost index of the sink's own loop; in a region outside any `for` there is none.
                let inner = &machine.counters[self.outer_counters..];
                fold.merge(inner.last().copied().unwrap_or(0), &next());
                *is_empty = false;
            }
            State::FoldBy { body, chunk, .. } => {
                *chunk = Some(match chunk.take() {
                    Some(before) => machine.function(*body, &[before, next()])?,
                    None => next(),
                });
            }
            State::BucketCollect { groups, group, value } => {
                let (key, merged) = (next(), next());
                let is_new = groups.get(&key).is_none();
                machine.cx.charge(*value + if is_new { *group } else { 0 })?;
                let values = groups.entry(&key, || Value::vec(Vec::new()));
                let Value::Vec(values) = values else { unreachable!("groups are vectors") };
                Arc::make_mut(values).push(merged);
            }
            State::BucketReduce { reducer, ty, entry, segment, .. } => {
                let (key, value) = (next(), next());
                if segment.get(&key).is_none() {
                    machine.cx.charge(*entry)?;
                }
                let partial = match (segment.get(&key), &*reducer) {
                    (Some(before), reducer) => combine(machine, reducer, &before.clone(), &value)?,
                    (None, Reducer::Op(op)) => fold::combine(*op, &fold::neutral(*op, ty), &value),
                    (None, Reducer::Func(_)) => value,
                };
                set(segment, &key, partial);
            }
            State::Scatter { op, ty, init, segment, .. } => {
                let (index, value) = (next(), next());
                let index = match ops::checked_index(&index, ops::elements(init).len()) {
                    Ok(index) => index,
                    // Whatever stands for what is merged there, it is not there.
                    Err(cause) => return machine.instead_of(cause.at(machine.position(loc)), ty).map(drop),
                };
                if !segment.contains_key(&index) {
                    machine.cx.charge(memory::stored(ty))?;
                }
                let partial = segment.entry(index).or_insert_with(|| fold::neutral(*op, ty));
                *partial = fold::combine(*op, partial, &value);
            }
        }
        Ok(())
    }

    /// Ends a chunk.
    ///
    /// # Errors
    /// The fault MemoryLimit, if the totals of so many chunks may not be held.
    pub(super) fn end_chunk(&mut self, cx: &Context) -> Result<(), Fault> {
        match &mut self.state {
            State::Fold { fold, .. } => fold.end_chunk(),
            State::FoldBy { chunk, totals, total, .. } => {
                if let Some(chunk) = chunk.take() {
                    cx.charge(*total)?;
                    push(totals, chunk)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends a segment.
    pub(super) fn end_segment(&mut self) {
        match &mut self.state {
            State::BucketReduce { segment, done, .. } => done.push(std::mem::take(segment)),
            State::Scatter { segment, done, .. } => done.push(std::mem::take(segment)),
            _ => {}
        }
    }

    /// The result, of type `ty`, after the last chunk and segment have ended.
    pub(super) fn finish(self, machine: &mut Machine<'_>, ty: &Type, loc: Loc) -> Result<Value, Fault> {
        match self.state {
            State::Collect { collected, .. } => Ok(Value::vec(collected)),
            State::Fold { init: None, empty: Empty::Fault, is_empty: true, .. } => {
                machine.instead_of(Cause::empty().at(machine.position(loc)), ty)
            }
            // The identity of `min` and `max` would hide that there were NaNs alone.
            State::Fold { fold, init: None, empty: Empty::Fault, .. } => Ok(fold.total()),
            State::Fold { fold, init, .. } => Ok(fold.finish(init.as_ref())),
            State::FoldBy { body, init, totals, total, .. } => {
                machine.cx.discharge(total * totals.len());
                let mut parts = init.into_iter().chain(totals);
                // A function has no identity, so without an initial value nothing is always a fault.
                let first = parts.next().ok_or_else(|| Cause::empty().at(machine.position(loc)));
                let mut folded = first.or_else(|fault| machine.instead_of(fault, ty))?;
                for part in parts {
                    folded = machine.function(body, &[folded, part])?;
                }
                Ok(folded)
            }
            State::BucketCollect { groups, .. } => Ok(Value::Dict(groups.into())),
            State::BucketReduce { reducer, entry, done, .. } => {
                let mut dict = DictValue::new();
                for segment in done {
                    for (key, partial) in segment.iter() {
                        let folded = match dict.get(key) {
                            Some(before) => {
                                machine.cx.discharge(entry);
                                combine(machine, &reducer, &before.clone(), partial)?
                            }
                            // The entry that was counted moves over.
                            None => partial.clone(),
                        };
                        set(&mut dict, key, folded);
                    }
                }
                Ok(Value::Dict(dict.into()))
            }
            State::Scatter { op, ty, init, done, .. } => {
                let mut elements = ops::elements(&init).to_vec();
                for (index, partial) in done.into_iter().flatten() {
                    machine.cx.discharge(memory::stored(&ty));
                    elements[index] = fold::combine(op, &elements[index], &partial);
                }
                Ok(Value::vec(elements))
            }
        }
    }
}

/// Appends `value`; the fault MemoryLimit if there is no room for it.
fn push(values: &mut Vec<Value>, value: Value) -> Result<(), Fault> {
    values.try_reserve(1).map_err(|_| Fault::memory(size_of_val(&values[..])))?;
    values.push(value);
    Ok(())
}

fn combine(machine: &mut Machine<'_>, reducer: &Reducer, a: &Value, b: &Value) -> Result<Value, Fault> {
    match reducer {
        Reducer::Op(op) => Ok(fold::combine(*op, a, b)),
        Reducer::Func(body) => machine.function(*body, &[a.clone(), b.clone()]),
    }
}

/// Sets the value of `key`, which keeps its place if it was there.
fn set(dict: &mut DictValue, key: &Value, value: Value) {
    *dict.entry(key, || Value::Bool(false)) = value;
}
