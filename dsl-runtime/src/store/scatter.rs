//! Merging into a vector by index.
//!
//! The result is the initial vector with the *partial* of each task folded in, in order. A task whose range of the
//! loop is as long as the vector or longer has one place per element; a shorter one keeps a table of the elements
//! it meets, so that a long vector is not copied per task. With an operator that does not round, the first task
//! works on the vector itself, and if it is the only one, that is all there is to do.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::exec::context::Context;
use crate::lang::fault::{Fault, outside};
use crate::lang::num::Integer;
use crate::mem::vec::{reserve_anew, room};
use crate::store::combine::Combine;
use crate::store::reduce::lanes::Operator;
use crate::store::table::hashed::Table;

/// A vector that is being merged into.
#[derive(Debug)]
pub struct Scatter<T, O> {
    op: O,
    len: usize,
    rounding: Rounding,
    /// Not here while the first task works on it.
    vector: Mutex<Option<Vec<T>>>,
}

/// Whether the order of folding can change a bit of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// It cannot: integers, `min` and `max`.
    Exact,
    /// It can: `+` and `*` of floats. Then tasks must be segments.
    Rounds,
}

/// What one task merges into.
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// Of the vector.
    len: usize,
    /// One per element of the vector, or none.
    dense: Vec<T>,
    /// The elements met, if there is no `dense`.
    sparse: Table<u64, T>,
    what: What,
}

/// What the elements of a part are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The vector itself.
    Whole,
    /// Partials of a task.
    Partials,
}

impl<T: Clone, O: Operator<T>> Scatter<T, O> {
    /// Merging into `vector` by `op`.
    pub fn new(op: O, vector: Vec<T>, rounding: Rounding) -> Scatter<T, O> {
        Scatter { op, len: vector.len(), rounding, vector: Mutex::new(Some(vector)) }
    }

    /// The part for a task of the loop. What has no room for one place per element keeps a table too.
    pub fn part(&self, cx: &Context, task: Range<usize>) -> Part<T> {
        let neutral = self.op.neutral();
        let whole = match task.start == 0 && self.rounding == Rounding::Exact {
            true => self.vector().take(),
            false => None,
        };
        let (dense, what) = match whole {
            Some(vector) => (vector, What::Whole),
            None => {
                let mut dense = Vec::new();
                if self.len <= task.len() && reserve_anew(cx, &mut dense, self.len).is_ok() {
                    dense.resize(self.len, neutral.clone());
                }
                (dense, What::Partials)
            }
        };
        Part { len: self.len, dense, sparse: Table::new(neutral), what }
    }

    /// Folds in the part of the task that comes next.
    pub fn merge(&self, cx: &Context, part: Part<T>) {
        let mut vector = self.vector();
        if part.what == What::Whole {
            *vector = Some(part.dense);
            return;
        }
        let freed = room(&part.dense) + part.sparse.room();
        let vector = vector.as_mut().expect("the first task is merged first");
        for (element, partial) in vector.iter_mut().zip(part.dense) {
            *element = self.op.apply(element.clone(), partial);
        }
        for (index, partial) in part.sparse.into_dict() {
            let element = &mut vector[index as usize];
            *element = self.op.apply(element.clone(), partial);
        }
        cx.discharge(freed);
    }

    /// The vector with everything merged.
    pub fn finish(self) -> Vec<T> {
        let vector = self.vector.into_inner().unwrap_or_else(PoisonError::into_inner);
        vector.expect("every task is merged")
    }

    fn vector(&self) -> MutexGuard<'_, Option<Vec<T>>> {
        self.vector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Part<T> {
    /// What a loop merges by.
    #[inline(always)]
    pub fn cursor(&mut self) -> Cursor<'_, T> {
        Cursor { len: self.len, dense: &mut self.dense, sparse: &mut self.sparse }
    }

    /// As [`Cursor::places`].
    #[inline(always)]
    pub fn places(&mut self) -> &mut [T] {
        &mut self.dense
    }

    /// As [`Cursor::at`], for a merge that is alone.
    ///
    /// # Errors
    /// As for [`Cursor::at`].
    #[inline(always)]
    pub fn at<I>(&mut self, cx: &Context, index: I, line: u32, column: u32) -> Result<&mut T, Fault>
    where
        I: Integer + Into<i128>,
    {
        element(&mut self.dense, &mut self.sparse, self.len, cx, index, (line, column))
    }
}

/// A part while a loop merges into it: where its elements are stands in registers, as no merge can change that.
#[derive(Debug)]
pub struct Cursor<'p, T> {
    len: usize,
    dense: &'p mut [T],
    sparse: &'p mut Table<u64, T>,
}

impl<T: Clone> Cursor<'_, T> {
    /// What is merged into at `index`, which is of any integer type: the element, or the partial of it.
    ///
    /// # Errors
    /// IndexOutOfBounds, at `line` and `column`, if there is no such element; MemoryLimit.
    #[inline(always)]
    pub fn at<I>(&mut self, cx: &Context, index: I, line: u32, column: u32) -> Result<&mut T, Fault>
    where
        I: Integer + Into<i128>,
    {
        element(self.dense, self.sparse, self.len, cx, index, (line, column))
    }

    /// What has been merged into each element so far, if this has places for all of them; else of none.
    #[inline(always)]
    pub fn places(&mut self) -> &mut [T] {
        self.dense
    }

    /// Merges `rows`, each an index and a value, if all indices are of elements that this has places for; gives whether they are. If
    /// not, none is merged: each is to be merged [by itself](Cursor::at).
    #[inline(always)]
    pub fn all<I, const N: usize>(&mut self, rows: [(I, T); N], combine: impl Combine<T>) -> bool
    where
        I: Integer + Into<i128>,
    {
        // One question for all of them: then no row waits to see whether the one before it goes to the same place.
        let all = rows.iter().all(|&(index, _)| place(index) < self.dense.len());
        if all {
            for (index, value) in rows {
                combine.combine(&mut self.dense[place(index)], value);
            }
        }
        all
    }
}

/// Where `index` is: as a number without a sign, so that a negative one is outside of every vector.
#[inline(always)]
fn place<I: Integer + Into<i128>>(index: I) -> usize {
    let index: i128 = index.into();
    usize::try_from(index as u64).unwrap_or(usize::MAX)
}

#[inline(always)]
fn element<'p, T: Clone, I>(
    dense: &'p mut [T],
    sparse: &'p mut Table<u64, T>,
    len: usize,
    cx: &Context,
    index: I,
    (line, column): (u32, u32),
) -> Result<&'p mut T, Fault>
where
    I: Integer + Into<i128>,
{
    let place = place(index);
    if place < dense.len() {
        return Ok(&mut dense[place]);
    }
    if place >= len {
        return Err(outside(index, len, line, column));
    }
    met(sparse, cx, place)
}

#[inline(never)]
fn met<'p, T: Clone>(sparse: &'p mut Table<u64, T>, cx: &Context, place: usize) -> Result<&'p mut T, Fault> {
    sparse.entry(cx, &(place as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::reduce::lanes::{Add, Min};

    /// The merges of (index, value), in tasks of `task` merges.
    fn scatter<O: Operator<f64>>(
        op: O,
        init: &[f64],
        merges: &[(i64, f64)],
        task: usize,
        r: Rounding,
    ) -> Vec<f64> {
        let scatter = Scatter::new(op, init.to_vec(), r);
        for start in (0..merges.len()).step_by(task) {
            let range = start..merges.len().min(start + task);
            let mut part = scatter.part(Context::ambient(), range.clone());
            for &(index, value) in &merges[range] {
                let element = part.at(Context::ambient(), index, 1, 1).unwrap();
                *element = op.apply(*element, value);
            }
            scatter.merge(Context::ambient(), part);
        }
        scatter.finish()
    }

    #[test]
    fn partials_of_segments_fold_in_order_however_they_are_kept() {
        let merges: Vec<(i64, f64)> = (0..97).map(|i| (i * 7 % 10, 1.0 / (i + 1) as f64)).collect();
        let init = [0.1; 10];
        // Tasks of 8 keep tables, as the vector is longer; both follow the rule, which is written out here.
        for task in [8, 10, 50, 97] {
            let mut expected = init;
            for segment in merges.chunks(task) {
                let mut partials = [-0.0; 10];
                segment.iter().for_each(|&(index, value)| partials[index as usize] += value);
                expected.iter_mut().zip(partials).for_each(|(element, partial)| *element += partial);
            }
            assert_eq!(scatter(Add, &init, &merges, task, Rounding::Rounds), expected);
        }
    }

    #[test]
    fn what_nothing_is_merged_into_keeps_its_bits() {
        for task in [1, 3, 6] {
            let merges = [(1, 2.0), (1, 1.0), (2, f64::INFINITY), (1, 3.0), (4, 5.0), (4, -1.0)];
            let init = [f64::NAN, 9.0, f64::NAN, -0.0, f64::NAN];
            for rounding in [Rounding::Exact, Rounding::Rounds] {
                let result = scatter(Min, &init, &merges, task, rounding);
                assert!(result[0].is_nan() && result[3].is_sign_negative());
                assert_eq!((result[1], result[2], result[4]), (1.0, f64::INFINITY, -1.0));
            }
            let result = scatter(Add, &[-0.0, 1.0], &[(1, 1.0)], task, Rounding::Rounds);
            assert!(result[0].is_sign_negative());
        }
    }

    #[test]
    fn an_index_outside_faults() {
        for len in [0, 3, 100] {
            let scatter = Scatter::new(Add, vec![0; len], Rounding::Exact);
            for task in [0..10, 10..20] {
                let cx = Context::ambient();
                let mut part = scatter.part(cx, task);
                let fault = part.at(cx, -1, 7, 8).unwrap_err();
                assert_eq!(
                    fault.to_string(),
                    format!("index out of bounds: index -1 of a vector of {len} (at 7:8)")
                );
                assert!(part.at(cx, len as u64, 1, 1).is_err());
                assert_eq!(part.at(cx, 2u8, 1, 1).is_ok(), len > 2);
                scatter.merge(cx, part);
            }
            assert_eq!(scatter.finish().len(), len);
        }
    }
}
