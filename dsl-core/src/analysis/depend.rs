//! Which of many statements of one body depend on which.

use std::collections::HashMap;

use super::order::merged_sinks;
use crate::ir::{BodyId, Def, Defs, Program, Sink};

/// The dependences among some statements of one body: by a value that one statement binds and another reads, at any
/// depth, and by merges into the same sink of a loop around, as [`Meeting`](super::order::Meeting) has them. A snapshot,
/// for many questions.
///
/// ```
/// # use weldment_core::analysis::depend::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: i64) {
/// #     v1: i64 = neg v0
/// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
/// # let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
/// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
/// let dependences = Dependences::among(&program, &defs, body, &[0, 2, 3]);
/// assert!(dependences.keep_apart(1, 2)); // v4 needs v3
/// assert!(dependences.keep_apart(0, 2)); // by way of v2
/// ```
#[derive(Clone, Debug)]
pub struct Dependences {
    /// Of each of the statements those that keep it apart, as the bits of words.
    apart: Vec<Vec<u64>>,
    /// Of each all that come before it: those, and the ones that merged last into its sinks.
    before: Vec<Vec<u64>>,
}

impl Dependences {
    /// The dependences among the statements of `body` with these numbers, which ascend.
    ///
    /// ```
    /// # use weldment_core::analysis::depend::*;
    /// # use weldment_core::ir::*;
    /// let program = parse("weldment ir 1 program(v0: i64) { v1: i64 = neg v0 v2: i64 = neg v0 return v2 }").unwrap();
    /// let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
    /// assert!(!Dependences::among(&program, &defs, body, &[0, 1]).keep_apart(0, 1));
    /// ```
    pub fn among(program: &Program, defs: &Defs, body: BodyId, numbers: &[usize]) -> Dependences {
        let words = numbers.len().div_ceil(64);
        // What comes before each statement in any way.
        let mut before: Vec<Vec<u64>> = Vec::new();
        let (mut apart, mut asked_before) = (Vec::new(), Vec::new());
        // The last statement that merges into a sink: those that do so earlier come before it.
        let mut last: HashMap<Sink, usize> = HashMap::new();
        let place = |number: usize| numbers.binary_search(&number).ok();
        let end = numbers.last().map_or(0, |last| last + 1);
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate().take(end) {
            let mut all = vec![0; words];
            program.for_each_read_of(stmt, &mut |value| match defs.def(value) {
                Some(Def::Stmt { body: of, index: by, .. }) if of == body => {
                    add_all(&mut all, &before[by]);
                    place(by).into_iter().for_each(|place| add(&mut all, place));
                }
                _ => {}
            });
            let (mut direct, sinks) = (Vec::new(), merged_sinks(program, stmt));
            for by in sinks.iter().filter_map(|sink| last.get(sink)) {
                add_all(&mut all, &before[*by]);
                direct.extend(place(*by));
            }
            let is_asked = place(index).is_some();
            if is_asked {
                apart.push(all.clone());
            }
            direct.into_iter().for_each(|place| add(&mut all, place));
            if is_asked {
                asked_before.push(all.clone());
            }
            last.extend(sinks.into_iter().map(|sink| (sink, index)));
            before.push(all);
        }
        Dependences { apart, before: asked_before }
    }

    /// Whether the second of the statements reads what the first binds, or depends on it by way of another; both are
    /// counted among those that were asked about. Whether both merge into the same sink is left to the caller.
    ///
    /// ```
    /// # use weldment_core::analysis::depend::*;
    /// # use weldment_core::ir::*;
    /// let program = parse("weldment ir 1 program(v0: i64) { v1: i64 = neg v0 v2: i64 = neg v1 return v2 }").unwrap();
    /// let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
    /// assert!(Dependences::among(&program, &defs, body, &[0, 1]).keep_apart(0, 1));
    /// ```
    pub fn keep_apart(&self, first: usize, second: usize) -> bool {
        has(&self.apart[second], first)
    }

    /// Makes one statement of two that nothing keeps apart. Whatever depends on either depends on both from now on; the
    /// second is not to be asked about any more.
    ///
    /// ```
    /// # use weldment_core::analysis::depend::*;
    /// # use weldment_core::ir::*;
    /// let program = parse("weldment ir 1 program(v0: i64) {
    ///     v1: i64 = neg v0 v2: i64 = neg v0 v3: i64 = neg v2 return v3 }").unwrap();
    /// let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
    /// let mut dependences = Dependences::among(&program, &defs, body, &[0, 1, 2]);
    /// assert!(!dependences.keep_apart(0, 2));
    /// dependences.unite(0, 1);
    /// assert!(dependences.keep_apart(0, 2)); // v3 needs v2, which stands with v1 now
    /// ```
    pub fn unite(&mut self, first: usize, second: usize) {
        for bits in [&mut self.apart, &mut self.before] {
            let of_second = std::mem::take(&mut bits[second]);
            add_all(&mut bits[first], &of_second);
        }
        let both = self.before[first].clone();
        for (apart, before) in self.apart.iter_mut().zip(&mut self.before) {
            if before.is_empty() || !(has(before, first) || has(before, second)) {
                continue;
            }
            if has(apart, second) {
                add(apart, first);
            }
            add_all(apart, &both);
            add_all(before, &both);
            add(before, first);
        }
    }
}

fn has(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}

fn add(bits: &mut [u64], place: usize) {
    bits[place / 64] |= 1 << (place % 64);
}

fn add_all(bits: &mut [u64], others: &[u64]) {
    bits.iter_mut().zip(others).for_each(|(bits, others)| *bits |= others);
}
