//! Which of many statements of one body depend on which.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::footprints::merged_sinks;
use crate::ir::{BodyId, Def, Defs, Program, Sink};

/// The dependences among some statements of one body: by a value that one statement binds and another reads, at any
/// depth, and by merges into the same sink of a loop around, as [`Meeting`](super::order::Meeting) has them. A snapshot,
/// for many questions.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// The numbers of the statements that were asked about.
    numbers: Vec<usize>,
    /// Which of them each has been made one with: itself, if with none.
    one_with: Vec<usize>,
    /// Of each statement of the body up to the last of them, those that it must stand behind.
    behind: Vec<Vec<usize>>,
    /// Of each of the statements those that keep it apart, as the bits of words.
    apart: Vec<Vec<u64>>,
    /// Of each all that come before it: those, and the ones that merged last into its sinks.
    before: Vec<Vec<u64>>,
}

impl Dependences {
    /// The dependences among the statements of `body` with these numbers, which ascend.
    pub fn among(program: &Program, defs: &Defs, body: BodyId, numbers: &[usize]) -> Dependences {
        let words = numbers.len().div_ceil(64);
        // What comes before each statement in any way.
        let mut before: Vec<Vec<u64>> = Vec::new();
        let (mut apart, mut asked_before, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        // The last statement that merges into a sink: those that do so earlier come before it.
        let mut last: HashMap<Sink, usize> = HashMap::new();
        let place = |number: usize| numbers.binary_search(&number).ok();
        let end = numbers.last().map_or(0, |last| last + 1);
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate().take(end) {
            let mut needed = Vec::new();
            program.for_each_read_of(stmt, &mut |value| match defs.def(value) {
                Some(Def::Stmt { body: of, index: by, .. }) if of == body => needed.push(by),
                _ => {}
            });
            needed.sort_unstable();
            needed.dedup();
            let mut all = vec![0; words];
            for &by in &needed {
                add_all(&mut all, &before[by]);
                place(by).into_iter().for_each(|place| add(&mut all, place));
            }
            let (mut direct, sinks) = (Vec::new(), merged_sinks(program, stmt));
            for by in sinks.iter().filter_map(|sink| last.get(sink)) {
                add_all(&mut all, &before[*by]);
                direct.extend(place(*by));
                needed.push(*by);
            }
            behind.push(needed);
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
        let one_with = (0..numbers.len()).collect();
        Dependences { numbers: numbers.to_vec(), one_with, behind, apart, before: asked_before }
    }

    /// Whether the second of the statements reads what the first binds, or depends on it by way of another; both are
    /// counted among those that were asked about. Whether both merge into the same sink is left to the caller.
    pub fn keep_apart(&self, first: usize, second: usize) -> bool {
        has(&self.apart[second], first)
    }

    /// Makes one statement of two that nothing keeps apart. Whatever depends on either depends on both from now on; the
    /// second is not to be asked about any more.
    pub fn unite(&mut self, first: usize, second: usize) {
        self.one_with[second] = first;
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

    /// The numbers of the statements of the body in an order that keeps to the dependences: as they stand, but what has been
    /// made one stands where the last of it did, under the number of the first, and what depends on it behind it.
    ///
    /// It is the topological order by Kahn's algorithm (A. B. Kahn, Topological sorting of large networks, 1962) that takes
    /// what stands first where there is a choice.
    pub fn order(&self, program: &Program, body: BodyId) -> Vec<usize> {
        let count = self.behind.len();
        // Under which number each statement stands, and where.
        let (mut under, mut at): (Vec<usize>, Vec<usize>) = (0..count).map(|number| (number, number)).unzip();
        for (place, &number) in self.numbers.iter().enumerate() {
            let mut one = place;
            while self.one_with[one] != one {
                one = self.one_with[one];
            }
            under[number] = self.numbers[one];
            at[under[number]] = number;
        }
        let (mut waiting_for, mut followers) = (vec![0; count], vec![Vec::new(); count]);
        for (number, behind) in self.behind.iter().enumerate() {
            for &by in behind.iter().filter(|&&by| under[by] != under[number]) {
                waiting_for[under[number]] += 1;
                followers[under[by]].push(under[number]);
            }
        }
        let free = (0..count).filter(|&number| under[number] == number && waiting_for[number] == 0);
        let mut free: BinaryHeap<_> = free.map(|number| Reverse((at[number], number))).collect();
        let mut order = Vec::with_capacity(count);
        while let Some(Reverse((_, number))) = free.pop() {
            order.push(number);
            for &follower in &followers[number] {
                waiting_for[follower] -= 1;
                if waiting_for[follower] == 0 {
                    free.push(Reverse((at[follower], follower)));
                }
            }
        }
        order.extend(count..program.bodies[body].stmts.len());
        order
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::*;

    #[test]
    fn what_needs_another_by_way_of_a_third_stays_behind_it() {
        let program = parse(
            "weldment ir 1 program(v0: i64) {
            v1: i64 = neg v0
            v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }",
        )
        .unwrap();
        let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
        // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
        let dependences = Dependences::among(&program, &defs, body, &[0, 2, 3]);
        assert!(dependences.keep_apart(1, 2)); // v4 needs v3
        assert!(dependences.keep_apart(0, 2)); // by way of v2
    }

    #[test]
    fn what_needs_one_of_two_that_stand_together_stays_behind_both() {
        let program = parse(
            "weldment ir 1 program(v0: i64) {
            v1: i64 = neg v0 v2: i64 = neg v0 v3: i64 = neg v2 return v3 }",
        )
        .unwrap();
        let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
        let mut dependences = Dependences::among(&program, &defs, body, &[0, 1, 2]);
        assert!(!dependences.keep_apart(0, 2));
        dependences.unite(0, 1);
        assert!(dependences.keep_apart(0, 2)); // v3 needs v2, which stands with v1 now
    }
}
