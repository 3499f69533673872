//! How the loops of a program run, for the report.

use std::collections::HashMap;

use weldment_core::ir::{Loc, Op, ReduceOp, Sink};
use weldment_core::report::{Report, Running, Split};
use weldment_core::source::Positions;
use weldment_runtime::types::Type;

use super::facts::for_each_block;
use super::{Block, Keyed, Loop, LoopProgram, Nest, Run, Schedule, Step, StoreKind};

/// Adds to `report` what is known now: how every loop of `program` runs, outer before inner, in program order, and what
/// was decided against on the way to it.
///
/// ```
/// # use weldment_codegen::loops::*;
/// # use weldment_core::front::from_text;
/// use weldment_core::report::Report;
/// let lowered = from_text("|v: &[f64]| v.filter(|x| x > 0.5)").unwrap();
/// let mut report = Report::default();
/// complete(&mut report, &build(&lowered.program, &Options::default()), &lowered.positions);
/// let running = &report.running[0];
/// assert_eq!((running.at.to_string(), &running.makes[0][..]), ("1:15".into(), "vec[f64]"));
/// assert_eq!((running.read, running.written), (8, 8));
/// assert_eq!(running.split.unwrap().piece, 16384);
/// ```
pub fn complete(report: &mut Report, program: &LoopProgram, positions: &Positions) {
    report.refused.extend(program.refused.iter().map(|refused| refused.in_source(positions)));
    report.running = running(program).iter().map(|one| one.map(|loc| positions.get(loc))).collect();
}

fn running(program: &LoopProgram) -> Vec<Running<Loc>> {
    let mut walk = Walk { program, collects: HashMap::new(), loops: Vec::new() };
    walk.block(&program.body, 0);
    walk.loops
}

struct Walk<'a> {
    program: &'a LoopProgram,
    /// What the elements take of the vectors that are being made.
    collects: HashMap<Sink, u64>,
    loops: Vec<Running<Loc>>,
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
        for store in &nest.stores {
            if let StoreKind::Collect { ty, .. } = &store.kind {
                self.collects.insert(store.sink, size(ty));
            }
        }
        match &nest.run {
            Run::Once(block) => self.block(block, depth),
            Run::Over(inner) => self.run(inner, Some(nest), depth),
        }
    }

    /// Notes a loop, that of `nest` or a `for`.
    fn run(&mut self, inner: &Loop, nest: Option<&Nest>, depth: usize) {
        let (mut read, mut written) = (0, 0);
        self.traffic(&inner.body, &mut read, &mut written);
        let split = nest.and_then(|nest| match nest.schedule {
            Schedule::Serial => None,
            Schedule::Pieces { piece, segment } => Some(Split { piece, segment }),
        });
        self.loops.push(Running {
            at: inner.loc,
            depth,
            split,
            makes: nest
                .map_or(Vec::new(), |nest| nest.stores.iter().map(|store| describe(&store.kind)).collect()),
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
                Step::Bind { result, op: Op::At(..), .. } => *read += size(&self.program.values[*result].ty),
                Step::Merge(merge) => *written += self.collects.get(&merge.sink).unwrap_or(&0),
                Step::Nest(_) | Step::For(_) => {}
                step => for_each_block(step, &mut |inner| self.traffic(inner, read, written)),
            }
        }
    }
}

/// What a value takes in a vector, in bytes: of vectors and dictionaries only what refers to them.
fn size(ty: &Type) -> u64 {
    match ty {
        Type::Scalar(scalar) => scalar.size() as u64,
        Type::Struct(fields) => fields.iter().map(size).sum(),
        Type::Vec(_) => 16,
        Type::Dict(..) => 8,
    }
}

/// What a store makes, as the report says it of sinks.
fn describe(kind: &StoreKind) -> String {
    let by = |op: &ReduceOp| op.to_string();
    match kind {
        StoreKind::Accumulate { op, ty, .. } => format!("{ty} by {}", by(op)),
        StoreKind::Fold { ty, .. } => format!("{ty} by a function"),
        StoreKind::Collect { ty, .. } => Type::vec(ty.clone()).to_string(),
        StoreKind::Scatter { ty, op, .. } => format!("{} by index and {}", Type::vec(ty.clone()), by(op)),
        StoreKind::Table { key, value, what, .. } => match what {
            Keyed::Group => Type::dict(key.clone(), Type::vec(value.clone())).to_string(),
            Keyed::Reduce(op) => format!("{} by {}", Type::dict(key.clone(), value.clone()), by(op)),
            Keyed::Fold(_) => format!("{} by a function", Type::dict(key.clone(), value.clone())),
        },
    }
}
