//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use crate::context::Context;
use crate::fault::Fault;
use crate::key::Key;

use super::chunk::{Chunk, Slabs};
use super::held::Held;
use super::lookup::Lookup;

/// A merge that waits. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(super) struct Row<K: Copy, V: Copy> {
    pub(super) key: K,
    pub(super) value: V,
    /// Where it stands among all, after where its part begins to count.
    pub(super) at: u32,
}

/// Merges of one segment that wait, in order.
#[derive(Debug)]
pub(super) struct Part<K: Copy, V: Copy> {
    pub(super) rows: Chunk<Row<K, V>>,
    /// What their places are counted from.
    pub(super) base: usize,
    pub(super) segment: u32,
}

/// A key, and what is held of its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, H> {
    pub(super) key: K,
    pub(super) held: H,
}

/// Entries, and where the key of each was first merged.
pub(super) type Entries<K, H> = (Chunk<Entry<K, H>>, Chunk<usize>);

/// The keys whose hashes begin alike.
///
/// Keys lie in order of first insertion, since merges keep their order on the way.
#[derive(Debug)]
pub(super) struct Bucket<K: Copy, V: Copy, H> {
    /// Merges that wait, after those that are in `entries`.
    parts: Vec<Part<K, V>>,
    waiting: usize,
    pub(super) entries: Chunk<Entry<K, H>>,
    /// Where each of their keys was first merged.
    pub(super) firsts: Chunk<usize>,
}

/// Room for what buckets hold.
pub(super) struct Room<K: Copy, V: Copy, H> {
    pub(super) rows: Slabs<Row<K, V>>,
    entries: Slabs<Entry<K, H>>,
    firsts: Slabs<usize>,
    /// Those that nobody is at.
    lookups: Vec<Lookup<K, H>>,
}

impl<K: Copy, V: Copy, H: Copy> Bucket<K, V, H> {
    /// Nothing yet.
    pub(super) fn new() -> Bucket<K, V, H> {
        Bucket { parts: Vec::new(), waiting: 0, entries: Chunk::NONE, firsts: Chunk::NONE }
    }

    /// The number of merges that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Lets `part` wait, after all that is there.
    pub(super) fn keep(&mut self, part: Part<K, V>) {
        self.waiting += part.rows.len();
        self.parts.push(part);
    }

    /// What waits.
    pub(super) fn take_parts(&mut self) -> Vec<Part<K, V>> {
        self.waiting = 0;
        std::mem::take(&mut self.parts)
    }
}

impl<K: Key + Copy, V: Copy, H: Held<V>> Bucket<K, V, H> {
    /// Combines what waits, by a look-up that holds nothing. `free` gets the chunks, and `room` is what gives room for the
    /// entries.
    pub(super) fn work_off(
        &mut self,
        cx: &Context,
        lookup: &mut Lookup<K, H>,
        combine: impl Fn(&mut V, V) + Copy,
        mut free: impl FnMut(Chunk<Row<K, V>>),
        room: impl FnOnce(usize) -> Result<Entries<K, H>, Fault>,
    ) -> Result<(), Fault> {
        if self.waiting == 0 {
            return Ok(());
        }
        lookup.begin(cx, self.entries.values(), self.firsts.values(), self.waiting)?;
        for part in self.take_parts() {
            lookup.merge(cx, &part, combine)?;
            free(part.rows);
        }
        // Before there is room for the new ones, these are given back.
        (self.entries, self.firsts) = (Chunk::NONE, Chunk::NONE);
        (self.entries, self.firsts) = room(lookup.entries.len())?;
        self.entries.extend(&lookup.entries);
        self.firsts.extend(&lookup.firsts);
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(super) fn entries_wait(
        &mut self,
        cx: &Context,
        span: usize,
        combine: impl Fn(&mut V, V) + Copy,
        rows: &mut Slabs<Row<K, V>>,
    ) -> Result<(), Fault> {
        let after = self.take_parts();
        let mut entries = self.entries.values();
        let mut kept = Vec::new();
        for firsts in self.firsts.values().chunk_by(|a, b| a / span == b / span) {
            let base = firsts[0] / span * span;
            let mut chunk = rows.cut(cx, firsts.len())?;
            let (these, others) = entries.split_at(firsts.len());
            entries = others;
            for (entry, first) in these.iter().zip(firsts) {
                let row = Row { key: entry.key, value: entry.held.total(combine), at: (first - base) as u32 };
                chunk.extend(&[row]);
            }
            kept.push(Part { rows: chunk, base, segment: 0 });
        }
        (self.entries, self.firsts) = (Chunk::NONE, Chunk::NONE);
        kept.into_iter().chain(after).for_each(|part| self.keep(part));
        Ok(())
    }
}

impl<K: Copy, V: Copy, H: Copy> Room<K, V, H> {
    /// Room for exactly so many entries, and for where they were first merged.
    pub(super) fn entries(&mut self, cx: &Context, len: usize) -> Result<Entries<K, H>, Fault> {
        Ok((self.entries.cut(cx, len)?, self.firsts.cut(cx, len)?))
    }

    /// A look-up that nobody is at.
    pub(super) fn lookup(&mut self) -> Lookup<K, H> {
        self.lookups.pop().unwrap_or_default()
    }

    /// Takes a look-up back.
    pub(super) fn done(&mut self, lookup: Lookup<K, H>) {
        self.lookups.push(lookup);
    }

    /// Frees what nobody uses.
    pub(super) fn free(&mut self, cx: &Context) {
        self.rows.free(cx);
        self.entries.free(cx);
        self.firsts.free(cx);
        cx.discharge(self.lookups.drain(..).map(|lookup| lookup.room()).sum());
    }
}

impl<K: Copy, V: Copy, H> Default for Room<K, V, H> {
    fn default() -> Room<K, V, H> {
        Room {
            rows: Slabs::default(),
            entries: Slabs::default(),
            firsts: Slabs::default(),
            lookups: Vec::new(),
        }
    }
}
