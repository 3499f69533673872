//! Collecting vectors that only the program itself reads: their elements lie one after the other.
//!
//! A `Vec` for each row is an allocation for each, and what is read together is scattered. Here a task appends its rows to
//! *slabs*, and keeps a table of where each one is; the tasks' tables are put together, and no element moves. A row that is
//! as large as a slab stays where it is, as one of its own.

use std::ops::Index;

use super::growable::{push, reserve, with_capacity};
use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::vec::room;

/// Vectors that can be read, and no more than that.
#[derive(Debug)]
pub struct Ragged<T> {
    table: Vec<Place>,
    slabs: Vec<Vec<T>>,
}

/// Where a row is.
#[derive(Clone, Copy, Debug)]
struct Place {
    slab: u32,
    start: u32,
    len: usize,
}

/// The rows of one task of a loop.
#[derive(Debug)]
pub struct Part<T> {
    rows: Ragged<T>,
    /// The number of the slab that rows are appended to, if there is one.
    open: Option<usize>,
    /// The memory of a row that has been pushed, for the next one.
    released: Vec<T>,
}

/// The bytes of the first slab; each is twice as large as the one before, up to the largest.
const FIRST_SLAB: usize = 1 << 10;
const LARGEST_SLAB: usize = 1 << 16;

/// A row of so many bytes is a slab of its own.
const LARGE: usize = 1 << 14;

/// The most elements that so many bytes hold.
const fn elements<T>(bytes: usize) -> usize {
    match size_of::<T>() {
        0 => bytes,
        size => bytes.div_ceil(size),
    }
}

impl<T> Ragged<T> {
    /// The rows of these parts, in order.
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no memory for the table.
    pub fn join(cx: &Context, mut parts: Vec<Part<T>>) -> Result<Ragged<T>, Fault> {
        parts.retain(|part| !part.rows.is_empty());
        if parts.len() <= 1 {
            return Ok(parts.pop().unwrap_or_default().finish());
        }
        let len = parts.iter().map(|part| part.rows.len()).sum();
        let mut whole = Ragged { table: with_capacity(cx, len)?, slabs: Vec::new() };
        for part in parts {
            let Ragged { table, mut slabs } = part.finish();
            let before = whole.slabs.len() as u32;
            reserve(cx, &mut whole.slabs, slabs.len())?;
            whole.table.extend(table.iter().map(|place| Place { slab: place.slab + before, ..*place }));
            whole.slabs.append(&mut slabs);
            cx.discharge(room(&table) + room(&slabs));
        }
        Ok(whole)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
}

impl<T> Index<usize> for Ragged<T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, row: usize) -> &[T] {
        let Place { slab, start, len } = self.table[row];
        &self.slabs[slab as usize][start as usize..][..len]
    }
}

impl<T> Part<T> {
    /// No rows.
    pub fn new() -> Part<T> {
        Part { rows: Ragged { table: Vec::new(), slabs: Vec::new() }, open: None, released: Vec::new() }
    }

    /// Adds a row. The memory that it was made in is given out again by [`released`](Part::released).
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no room for it and none can be had.
    #[inline]
    pub fn push(&mut self, cx: &Context, mut row: Vec<T>) -> Result<(), Fault> {
        let len = row.len();
        let slabs = &mut self.rows.slabs;
        if len >= elements::<T>(LARGE) {
            let place = Place { slab: slabs.len() as u32, start: 0, len };
            push(cx, slabs, row)?;
            return push(cx, &mut self.rows.table, place);
        }
        let number = match self.open {
            Some(number) if len <= limit(&slabs[number]) - slabs[number].len() => number,
            before => *self.open.insert(open(cx, slabs, before, len)?),
        };
        let slab = &mut slabs[number];
        let place = Place { slab: number as u32, start: slab.len() as u32, len };
        slab.append(&mut row);
        push(cx, &mut self.rows.table, place)?;
        if row.capacity() > self.released.capacity() {
            std::mem::swap(&mut row, &mut self.released);
        }
        cx.discharge(room(&row));
        Ok(())
    }

    /// An empty vector for the next row, with the memory of the one before, if there is any.
    #[inline]
    pub fn released(&mut self) -> Vec<T> {
        std::mem::take(&mut self.released)
    }

    /// The same, with room for `len` elements.
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no such room and none can be had.
    #[inline]
    pub fn released_for(&mut self, cx: &Context, len: usize) -> Result<Vec<T>, Fault> {
        let mut released = self.released();
        if released.capacity() < len {
            reserve(cx, &mut released, len)?;
        }
        Ok(released)
    }

    /// The rows.
    pub fn finish(self) -> Ragged<T> {
        self.rows
    }
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Part::new()
    }
}

/// How many elements `slab` may hold, which a place can count.
fn limit<T>(slab: &Vec<T>) -> usize {
    slab.capacity().min(elements::<T>(LARGEST_SLAB))
}

/// Opens a slab with room for `len` elements after the one that was open; its number.
#[cold]
#[inline(never)]
fn open<T>(cx: &Context, slabs: &mut Vec<Vec<T>>, before: Option<usize>, len: usize) -> Result<usize, Fault> {
    let twice = before.map_or(0, |before| slabs[before].capacity().saturating_mul(2));
    let size = twice.clamp(elements::<T>(FIRST_SLAB), elements::<T>(LARGEST_SLAB)).max(len);
    let slab = with_capacity(cx, size)?;
    push(cx, slabs, slab)?;
    Ok(slabs.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

    /// Rows of these lengths, of two parts, with their numbers as elements.
    fn check<T: Copy + PartialEq + std::fmt::Debug>(lengths: &[usize], element: impl Fn(usize) -> T) {
        let cx = Context::ambient();
        let expected: Vec<Vec<T>> =
            lengths.iter().enumerate().map(|(row, &len)| vec![element(row); len]).collect();
        for cut in [0, lengths.len() / 3, lengths.len()] {
            let parts = [&expected[..cut], &expected[cut..]].map(|rows| {
                let mut part = Part::new();
                for row in rows {
                    let mut made = part.released_for(cx, row.len() / 2).unwrap();
                    assert!(made.is_empty());
                    made.extend_from_slice(row);
                    part.push(cx, made).unwrap();
                }
                part
            });
            let rows = Ragged::join(cx, parts.into()).unwrap();
            assert_eq!(rows.len(), expected.len());
            for (number, row) in expected.iter().enumerate() {
                assert_eq!(&rows[number], &row[..], "row {number}");
            }
        }
    }

    #[test]
    fn rows_of_every_length_are_found() {
        let short: Vec<usize> = (0..5000).map(|row| row % 7).collect();
        check(&short, |row| row as f64);
        check(&[0, 0, 0], |row| row);
        check(&[LARGE, 0, 3, LARGE - 1, LARGE / 8, LARGE / 8 - 1, 1], |row| row as u8);
        check(&[1, LARGE / 8 - 1, LARGE / 8, 100_000, 2], |row| row as i64);
        check(&(0..300).map(|row| row * 17 % 2100).collect::<Vec<_>>(), |row| row as i64);
        check(&[70_000, 3, 60_000, 60_000, 0], |_| ());
        check(&[1, 2, 0], |row| [row; 3000]);
    }

    #[test]
    fn what_is_held_is_counted_once() {
        let cx = Context::new(&Options::new().memory_limit(1 << 20));
        let mut part = Part::new();
        for _ in 0..10_000 {
            let mut row = part.released_for(&cx, 4).unwrap();
            row.extend([1.0, 2.0, 3.0, 4.0]);
            part.push(&cx, row).unwrap();
        }
        // 320 kB of elements, and a table of 16 bytes for each row, that may have room for twice as many.
        assert_eq!(part.finish().len(), 10_000);
        let mut part = Part::new();
        let mut push = || {
            let mut row = part.released_for(&cx, 1000)?;
            row.extend([0.0; 1000]);
            part.push(&cx, row)
        };
        let fault = (0..).find_map(|_| push().err()).unwrap();
        assert_eq!(fault.kind, crate::lang::fault::FaultKind::MemoryLimit);
    }
}
