//! Which vectors are part of a program's result, and which the program is done with before it ends.
//!
//! The memory of the first can be the caller's. That of the others, if a loop of the program has collected them, is left
//! to vectors that come later: they are scalars in one block, and are read by index only, so that nothing refers to
//! them.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{Op, Value};
use weldment_runtime::lang::types::Type;

use super::{Block, LoopProgram, Step, StoreKind, facts};

/// What becomes of the vectors of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness {
    /// The values that are the result, or a part of it.
    results: BTreeSet<Value>,
    /// The vectors that nothing refers to after a step of the block that makes them, of the blocks so far.
    temporary: BTreeSet<Value>,
}

impl Liveness {
    pub(crate) fn of(program: &LoopProgram) -> Liveness {
        let mut liveness = Liveness::default();
        liveness.find_results(&program.body, &program.body.results);
        liveness
    }

    /// The vectors that loops of `block` make, which is in no loop, and that nothing refers to after a step of it, with that step's number.
    pub(crate) fn ends(&mut self, program: &LoopProgram, block: &Block) -> BTreeMap<Value, usize> {
        let mut ends = BTreeMap::new();
        for step in &block.steps {
            let Step::Nest(nest) = step else { continue };
            for store in &nest.stores {
                let is_block = matches!(&store.kind, StoreKind::Collect { ty, .. } if is_plain(ty));
                let is_kept = program.rows.contains(&store.result)
                    || self.results.contains(&store.result)
                    || block.results.contains(&store.result);
                if is_block && !is_kept {
                    ends.insert(store.result, End::None);
                }
            }
        }
        if ends.is_empty() {
            return BTreeMap::new();
        }
        for (number, step) in block.steps.iter().enumerate() {
            let number = again(program, block, step).unwrap_or(number);
            for_each_read(step, &mut |value, read| {
                if let Some(end) = ends.get_mut(&value) {
                    *end = match (*end, read) {
                        (End::Never, _) | (_, Read::Otherwise) => End::Never,
                        (End::At(known), Read::ByIndex) => End::At(known.max(number)),
                        (End::None, Read::ByIndex) => End::At(number),
                    };
                }
            });
        }
        let known = ends.into_iter().filter_map(|(vector, end)| match end {
            End::At(number) => Some((vector, number)),
            End::None | End::Never => None,
        });
        let ends: BTreeMap<Value, usize> = known.collect();
        self.temporary.extend(ends.keys());
        ends
    }

    /// Whether `value` is the result, or a part of it.
    pub(crate) fn is_result(&self, value: Value) -> bool {
        self.results.contains(&value)
    }

    /// Whether `value` is a vector whose memory is left to others when the program is done with it.
    pub(crate) fn is_temporary(&self, value: Value) -> bool {
        self.temporary.contains(&value)
    }

    /// Adds `values`, which `block` gives, and what they are made of.
    fn find_results(&mut self, block: &Block, values: &[Value]) {
        self.results.extend(values);
        for step in block.steps.iter().rev() {
            match step {
                Step::Bind { result, op: Op::Struct(fields, _), .. } if self.results.contains(result) => {
                    self.results.extend(fields);
                }
                Step::Bind { result, op: Op::Shape(vector, _), .. } if self.results.contains(result) => {
                    self.results.insert(*vector);
                }
                Step::If { results, then, els, .. } => {
                    for (i, result) in results.iter().enumerate() {
                        if self.results.contains(result) {
                            self.find_results(then, &then.results[i..=i]);
                            self.find_results(els, &els.results[i..=i]);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The number of the later step of `block` that does what `step` does once more, since it computes what it reads of it.
fn again(program: &LoopProgram, block: &Block, step: &Step) -> Option<usize> {
    let gives = |step: &Step, results: &[Value]| match step {
        Step::Nest(nest) => nest.stores.iter().map(|store| store.result).eq(results.iter().copied()),
        _ => false,
    };
    let window = program.windows.iter().find(|window| gives(step, &window.made))?;
    block.steps.iter().position(|step| gives(step, &window.reader))
}

/// Whether vectors of these are one block without references. Elements without size have none.
fn is_plain(ty: &Type) -> bool {
    ty.leaves().is_some_and(|leaves| !leaves.is_empty())
}

/// When nothing refers to a vector any more.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Nothing has read it.
    None,
    /// After this step.
    At(usize),
    /// Something may refer to it until the program ends.
    Never,
}

/// How a vector is read.
#[derive(Clone, Copy, Debug)]
enum Read {
    ByIndex,
    Otherwise,
}

/// Calls `visit` with what `step` reads, itself and in the blocks it holds, and how.
fn for_each_read(step: &Step, visit: &mut impl FnMut(Value, Read)) {
    let is_by_index = matches!(step, Step::Bind { op: Op::At(..) | Op::Len(_), .. } | Step::Sort { .. });
    let read = if is_by_index { Read::ByIndex } else { Read::Otherwise };
    facts::for_each_operand(step, &mut |value| visit(value, read));
    facts::for_each_block(step, &mut |block| {
        block.steps.iter().for_each(|step| for_each_read(step, visit));
        block.results.iter().for_each(|&result| visit(result, Read::Otherwise));
    });
}

#[cfg(test)]
mod tests {
    use weldment_core::front::from_text;

    use super::super::{Options, build};
    use super::*;

    /// How many parts of the result loops collect, and after which steps memory is left, in a program that is not fused.
    fn check(text: &str, results: usize, ends: &[usize]) {
        let program = build(&from_text(text).unwrap().program, &Options::default());
        let mut liveness = Liveness::of(&program);
        let mut collected = 0;
        facts::for_each_step(&program.body, &mut |step| {
            if let Step::Nest(nest) = step {
                collected += nest.stores.iter().filter(|store| liveness.is_result(store.result)).count();
            }
        });
        assert_eq!(collected, results, "{text}");
        let found: Vec<usize> = liveness.ends(&program, &program.body).into_values().collect();
        assert_eq!(found, ends, "{text}: {program}");
    }

    #[test]
    fn what_is_returned_is_a_result() {
        check("|v: &[f64]| v.map(|x| x * 2.0)", 1, &[]);
        check("|v: &[f64]| (v.map(|x| x * 2.0), (v.filter(|x| x > 1.0), v.sum()))", 3, &[]);
        check("|v: &[f64], c: bool| if(c, v.map(|x| x * 2.0), v)", 1, &[]);
        check("|v: &[f64]| v.map(|x| x * 2.0).sum()", 1, &[3]);
        check("|a: &Array<f64, 2>| a.cumsum(0)", 1, &[]);
    }

    #[test]
    fn what_is_read_by_index_ends_with_its_last_reader() {
        check("|v: &[f64]| { let w = v.map(|x| x * 2.0); (w.sum(), w.max()) }", 2, &[5]);
        check("|v: &[f64], k: &[i64]| { let w = v.map(|x| x * 2.0); k.map(|i| w[i]) }", 1, &[3]);
        // The last stencil computes the rows of the one before it that it reads, for which it reads those before that.
        let text = "|p: array[f64, 2]| { let a = p.map(|x| exp(x)); let b = a.stencil(clamp, |c| exp(c[1, 0] + c[0, 0])); \
                    b.stencil(clamp, |c| c[-1, 0] + c[0, 0]) }";
        let program = build(&from_text(text).unwrap().program, &Options::default());
        let (mut liveness, last) = (Liveness::of(&program), program.body.steps.len() - 1);
        let ends = liveness.ends(&program, &program.body);
        let ends: Vec<usize> = ends.values().map(|&end| last - end).collect();
        assert_eq!((program.windows.len(), ends), (1, vec![1, 1]), "{program}");
    }

    #[test]
    fn what_a_step_of_an_iterate_makes_ends_within_it() {
        let text = "|v: &[f64], k: &[i64]| iterate((v.map(|x| x), 0), |(s, n)| { \
                    let w = s.map(|x| x * 2.0); ((k.map(|i| w[i]), n + 1), n < 3) }).0.sum()";
        let program = build(&from_text(text).unwrap().program, &Options::default());
        let is_iterate = |step: &&Step| matches!(step, Step::Iterate { .. });
        let Some(Step::Iterate { body, .. }) = program.body.steps.iter().find(is_iterate) else {
            panic!("{program}")
        };
        let makes = |value: Value| {
            let is_it = |step: &Step| matches!(step, Step::Nest(nest) if nest.stores[0].result == value);
            body.steps.iter().position(is_it).expect("a loop")
        };
        let ends = Liveness::of(&program).ends(&program, body);
        let (&vector, &end) = ends.first_key_value().expect("w is read by one loop");
        assert_eq!(ends.len(), 1, "{program}");
        assert!(makes(vector) < end && matches!(body.steps[end], Step::Nest(_)), "{program}");
    }

    #[test]
    fn what_may_be_referred_to_never_ends() {
        check("|v: &[f64]| slice(v.map(|x| x * 2.0), 1, 3).sum()", 1, &[]);
        check("|v: &[f64]| { let w = v.map(|x| x * 2.0); v.map(|x| slice(w, 0, 2)) }", 1, &[]);
        check("|v: &[f64]| { let w = v.map(|x| [x]); w.map(|r| r.sum()) }", 1, &[]);
    }
}
