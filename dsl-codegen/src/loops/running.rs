//! How the loops of a program run, for the report.

use std::collections::{HashMap, HashSet};

use weldment_core::analysis::cost::bytes;
use weldment_core::analysis::scans;
use weldment_core::explain::{Explanation, Stage};
use weldment_core::history::History;
use weldment_core::ir::{self, Loc, Op, Sink, Value};
use weldment_core::report::{RunningLoop, Split};
use weldment_core::source::Positions;

use super::facts::for_each_block;
use super::{Block, Loop, LoopProgram, Nest, Options, Run, Schedule, Step, StoreKind, build};

/// The loop IR of `program`, which `explanation` tells of from now on.
pub fn build_and_explain(
    program: &ir::Program,
    positions: &Positions,
    explanation: &mut Explanation,
) -> LoopProgram {
    let loops = build(program, &Options::default());
    let refused = loops.refused.iter().map(|refused| refused.in_source(positions));
    explanation.report.refused.extend(refused);
    let running = running(program, &loops);
    explanation.report.running = running.iter().map(|one| one.map(|loc| positions.get(loc))).collect();
    explanation.stages.push(Stage { name: "loops", text: loops.to_string() });
    loops
}

/// The loop IR of `program`, whose way through the optimiser `history` tells: from now on also how its loops run.
pub fn build_and_follow(program: &ir::Program, positions: &Positions, history: &mut History) -> LoopProgram {
    let loops = build(program, &Options::default());
    let running = running(program, &loops);
    history.report.running = running.iter().map(|one| one.map(|loc| positions.get(loc))).collect();
    loops
}

/// Every loop of `loops`, outer before inner, in program order; they were made of `program`.
fn running(program: &ir::Program, loops: &LoopProgram) -> Vec<RunningLoop<Loc>> {
    let mut makes = HashMap::new();
    let entry = program.entry.expect("a program has an entry");
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Loop(inner) = &stmt.op {
            makes.extend(inner.sinks.iter().map(|decl| (decl.sink, decl.kind.to_string())));
        }
    });
    let starts = scans::of(program).into_iter().flat_map(|scan| scan.starts).collect();
    let (collects, running) = (HashMap::new(), Vec::new());
    let mut walk = Walk { program: loops, makes, starts, collects, loops: running, around: None };
    walk.block(&loops.body, 0);
    walk.loops
}

struct Walk<'a> {
    program: &'a LoopProgram,
    /// What each sink makes, in words.
    makes: HashMap<Sink, String>,
    /// What scans start with: the loops that make it are part of them.
    starts: HashSet<Value>,
    /// What the elements take of the vectors that are being made.
    collects: HashMap<Sink, u64>,
    loops: Vec<RunningLoop<Loc>>,
    /// How the region around is split.
    around: Option<Split>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, depth: usize) {
        for step in &block.steps {
            match step {
                Step::Nest(nest) => self.nest(nest, depth),
                Step::For(inner) => self.run(inner, None, depth),
                step => for_each_block(step, &mut |inner| self.block(inner, depth)),
            }
        }
    }

    fn nest(&mut self, nest: &Nest, depth: usize) {
        if nest.stores.iter().any(|store| self.starts.contains(&store.result)) {
            return;
        }
        for store in &nest.stores {
            if let StoreKind::Collect { ty, .. } = &store.kind {
                self.collects.insert(store.sink, bytes(ty));
            }
        }
        match &nest.run {
            Run::Once(block) => {
                if let Schedule::Columns { chunk, .. } = nest.schedule {
                    self.around = Some(Split { chunk, segment: None });
                }
                self.block(block, depth);
                self.around = None;
            }
            Run::Over(inner) => self.run(inner, Some(nest), depth),
        }
    }

    /// Notes a loop, that of `nest` or a `for`.
    fn run(&mut self, inner: &Loop, nest: Option<&Nest>, depth: usize) {
        // The version of a loop for few elements, whose sinks the program does not have, is not told of beside the other.
        if nest.is_some_and(|nest| nest.stores.iter().any(|store| !self.makes.contains_key(&store.sink))) {
            return;
        }
        let (mut read, mut written) = (0, 0);
        self.traffic(&inner.body, &mut read, &mut written);
        let split = nest.and_then(|nest| match nest.schedule {
            Schedule::Serial | Schedule::Few => self.around,
            Schedule::Chunks { chunk, segment } => Some(Split { chunk, segment }),
            Schedule::Points { chunk } | Schedule::Columns { chunk, .. } | Schedule::Scans { chunk, .. } => {
                Some(Split { chunk, segment: None })
            }
        });
        self.loops.push(RunningLoop {
            at: inner.loc,
            depth,
            split,
            makes: nest.map_or(Vec::new(), |nest| {
                nest.stores.iter().map(|store| self.makes[&store.sink].clone()).collect()
            }),
            lanes: inner.block.unwrap_or(1),
            read,
            written,
        });
        self.block(&inner.body, depth + 1);
    }

    /// Adds the bytes that `block` reads from vectors and appends to them, without the loops inside.
    fn traffic(&self, block: &Block, read: &mut u64, written: &mut u64) {
        for step in &block.steps {
            match step {
                Step::Bind { result, op: Op::At(..), .. } => *read += bytes(&self.program.values[*result].ty),
                Step::Merge(merge) => *written += self.collects.get(&merge.sink).unwrap_or(&0),
                Step::Nest(_) | Step::For(_) => {}
                step => for_each_block(step, &mut |inner| self.traffic(inner, read, written)),
            }
        }
    }
}
