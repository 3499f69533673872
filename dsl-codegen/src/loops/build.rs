//! From IR to loop IR: the shape of the program, body by body.
//!
//! Assumes a program that the verifier accepts. What a loop becomes is decided here and in the two modules
//! that this calls on the way out of each loop: [`predicate`](super::predicate) turns branches into guards and
//! selects, [`decide`](super::decide) fixes blocks, lanes and lengths.

use std::collections::{BTreeSet, HashMap};

use weldment_core::analysis::counted::Counted;
use weldment_core::analysis::scans::{self, Scan};
use weldment_core::analysis::{cost, windows};
use weldment_core::ir::{
    self, BinaryOp, BodyId, Defs, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value, ValueInfo,
};
use weldment_runtime::lang::types::Type;

use super::collapse::collapse;
use super::facts::{self, Facts};
use super::order::Compared;
use super::scans::{SCANNED_COLUMNS, Scanned};
use super::windows::{WINDOW_CHUNK, settle};
use super::{
    Block, Function, Key, Keyed, Lane, Length, Loop, LoopProgram, Merge, Nest, Options, Order, Run, Schedule,
    Seen, Step, Store, StoreKind, decide, in_bounds, narrow, points, predicate, prefetch, ragged,
    shared_searches, versions,
};

/// The loop IR of `program`.
///
/// # Panics
/// If the program is not well formed.
pub fn build(program: &Program, options: &Options) -> LoopProgram {
    let windows = windows::of(program);
    let mut program = program.without_assumptions();
    collapse(&mut program, &windows);
    let program = &program;
    let entry = program.entry.expect("a program has an entry");
    let mut builder = Builder {
        program,
        defs: Defs::remembering_merges(program),
        options,
        facts: Facts {
            values: program.values.clone(),
            consts: HashMap::new(),
            sinks: HashMap::new(),
            refused: Vec::new(),
        },
        rows: ragged::find(program),
        scans: scans::of(program).into_iter().filter(|scan| Scanned::of(scan).is_some()).collect(),
        indices: Vec::new(),
        opened: HashMap::new(),
        depth: 0,
        nests: 0,
        sinks: program.sinks,
    };
    let mut body = builder.block(entry);
    let chunk = options.chunk.unwrap_or(WINDOW_CHUNK);
    LoopProgram {
        shared_searches: shared_searches::shared(&builder.facts.values, &body),
        in_bounds: in_bounds::slices(&body),
        values: builder.facts.values,
        params: program.bodies[entry].params.clone(),
        rows: builder.rows,
        windows: settle(windows, &mut body, chunk),
        body,
        nests: builder.nests,
        refused: builder.facts.refused,
    }
}

struct Builder<'a> {
    program: &'a Program,
    defs: Defs,
    options: &'a Options,
    facts: Facts,
    /// The vectors whose rows lie one after the other, which are no columns.
    rows: BTreeSet<Value>,
    /// The scans of which each column may run for itself.
    scans: Vec<Scan>,
    /// The indices of the loops around, outermost first.
    indices: Vec<Value>,
    /// How many of them are around the nest of each sink.
    opened: HashMap<Sink, usize>,
    /// How many loops, regions, `for`s and functions are around: a loop is split where there are none.
    depth: usize,
    nests: usize,
    sinks: usize,
}

impl Builder<'_> {
    /// The steps of `body`.
    fn block(&mut self, body: BodyId) -> Block {
        let program = self.program;
        let body = &program.bodies[body];
        let mut steps = Vec::with_capacity(body.stmts.len());
        for stmt in &body.stmts {
            if self.is_put_in_place(stmt) {
                continue;
            }
            match self.step(stmt) {
                Step::Bind { result, op: Op::Linearize(indices, extents), loc } => {
                    self.linearize(result, &indices, &extents, loc, &mut steps);
                }
                Step::Nest(nest) => {
                    steps.extend(versions::steps(&mut self.facts, nest, &mut self.sinks, &mut self.nests));
                }
                step => steps.push(step),
            }
        }
        Block { steps, results: body.results.clone() }
    }

    /// Whether `stmt` only puts the rows of a scan in order, or gives them their shape for that: the scan does so itself.
    fn is_put_in_place(&self, stmt: &Stmt) -> bool {
        let mut copied = self.scans.iter().filter_map(|scan| scan.copied.as_ref());
        copied.any(|copied| copied.copies.iter().chain(&copied.shaped).any(|of| stmt.results.contains(of)))
    }

    /// The position of an element, by Horner's rule.
    fn linearize(
        &mut self,
        result: Value,
        indices: &[Value],
        extents: &[Value],
        loc: ir::Loc,
        steps: &mut Vec<Step>,
    ) {
        let mut position = indices[0];
        for (axis, (&index, &extent)) in indices.iter().zip(extents).enumerate().skip(1) {
            let row = self.facts.values.push(ValueInfo { ty: Type::I64 });
            let is_last = axis + 1 == indices.len();
            let next = if is_last { result } else { self.facts.values.push(ValueInfo { ty: Type::I64 }) };
            steps.push(Step::Bind { result: row, op: Op::Binary(BinaryOp::Mul, position, extent), loc });
            steps.push(Step::Bind { result: next, op: Op::Binary(BinaryOp::Add, row, index), loc });
            position = next;
        }
    }

    fn step(&mut self, stmt: &Stmt) -> Step {
        let loc = stmt.loc;
        match &stmt.op {
            Op::If { cond, then, els } => Step::If {
                results: stmt.results.clone(),
                cond: *cond,
                then: self.block(*then),
                els: self.block(*els),
            },
            Op::Iterate { init, body } => Step::Iterate {
                results: stmt.results.clone(),
                init: init.clone(),
                params: self.program.bodies[*body].params.clone(),
                counted: Counted::exactly(self.program, &self.defs, *body),
                body: self.block(*body),
                loc,
            },
            Op::Sort { vector, comparator } => {
                Step::Sort { result: stmt.results[0], vector: *vector, order: self.order(*comparator), loc }
            }
            Op::Loop(inner) => Step::Nest(self.nest(inner, &stmt.results, loc)),
            Op::For { extent, body } => Step::For(self.run_over(&[*extent], *body, loc)),
            Op::Merge { sink, values } => {
                let lane = match self.indices[self.opened[sink]..].last() {
                    Some(&index) => Lane::Index(index),
                    None => Lane::Zero,
                };
                Step::Merge(Merge {
                    sink: *sink,
                    values: values.clone(),
                    lane,
                    guard: None,
                    compared: None,
                    loc,
                })
            }
            op => {
                if let Op::Const(constant) = op {
                    self.facts.consts.insert(stmt.results[0], *constant);
                }
                Step::Bind { result: stmt.results[0], op: op.clone(), loc }
            }
        }
    }

    /// A loop over `extents`, outermost first, as loops inside each other.
    fn run_over(&mut self, extents: &[Value], body: BodyId, loc: ir::Loc) -> Loop {
        self.depth += 1;
        let indices = &self.program.bodies[body].params;
        self.indices.extend(indices);
        let mut block = self.block(body);
        self.indices.truncate(self.indices.len() - indices.len());
        let mut outer = None;
        for (axis, (&index, &extent)) in indices.iter().zip(extents).enumerate().rev() {
            if let Some(inner) = outer.take() {
                block = Block { steps: vec![Step::For(inner)], results: Vec::new() };
            }
            let mut inner = Loop::new(index, extent, block, loc);
            block = Block::default();
            let around = self.indices.len() + axis;
            predicate::run(&mut self.facts, &mut inner, |sink| self.opened[&sink] == around);
            inner.columns = facts::columns(&inner, &self.rows);
            outer = Some(inner);
        }
        self.depth -= 1;
        outer.expect("a loop has an index")
    }

    fn function(&mut self, body: BodyId) -> Function {
        self.depth += 1;
        let params = &self.program.bodies[body].params;
        let params = [params[0], params[1]];
        let body = self.block(body);
        self.depth -= 1;
        Function { params, body }
    }

    /// Whether the function gives its second argument, whatever the first.
    fn gives_second(&self, body: BodyId) -> bool {
        let body = &self.program.bodies[body];
        body.stmts.is_empty() && body.results == body.params[1..]
    }

    fn order(&mut self, comparator: BodyId) -> Order {
        let Some(compared) = Compared::by(self.program, &self.defs, comparator) else {
            return Order::Comparator(self.function(comparator));
        };
        let steps = compared.stmts.iter().map(|stmt| self.step(stmt)).collect();
        let body = Block { steps, results: vec![compared.key] };
        let Compared { param, descending, costly, .. } = compared;
        Order::Key(Key { param, body, descending, costly })
    }

    fn nest(&mut self, inner: &ir::Loop, results: &[Value], loc: ir::Loc) -> Nest {
        let id = self.nests;
        self.nests += 1;
        let schedule = match (self.depth, inner.extents.is_empty()) {
            (0, false) => Schedule::Chunks {
                chunk: self.options.chunk.unwrap_or_else(|| cost::chunk_len(self.program, inner)),
                segment: self.options.segment,
            },
            _ => Schedule::Serial,
        };
        let scan = self.scans.iter().find(|scan| scan.made == results);
        let scanned = scan.and_then(Scanned::of);
        let copied = scan.and_then(|scan| scan.copied.clone());
        let results = copied.as_ref().map_or(results, |copied| &copied.copies);
        let mut stores: Vec<Store> =
            inner.sinks.iter().zip(results).map(|(decl, &result)| self.store(decl, result)).collect();
        if scanned.is_some() {
            // It is the loop over columns that fills them.
            let filled_at = self.indices.len() + inner.extents.len();
            self.opened.extend(inner.sinks.iter().map(|decl| (decl.sink, filled_at)));
        }
        let mut run = match inner.extents.as_slice() {
            [] => {
                self.depth += 1;
                let block = self.block(inner.body);
                self.depth -= 1;
                Run::Once(block)
            }
            extents => Run::Over(self.run_over(extents, inner.body, loc)),
        };
        decide::finish_stores(&mut stores, &run, &self.facts.consts);
        let fills = match (&mut run, schedule) {
            (Run::Over(outer), Schedule::Chunks { .. }) => points::fills(&mut self.facts, outer, &mut stores),
            _ => false,
        };
        let points = || self.options.chunk.unwrap_or_else(|| cost::chunk_of_points(self.program, inner));
        let schedule = match scanned {
            Some(scanned) if let Schedule::Chunks { chunk, .. } = schedule => {
                Schedule::Scans { chunk, scanned }
            }
            Some(scanned) => {
                let chunk = self.options.chunk.map_or(SCANNED_COLUMNS, |chunk| chunk.min(SCANNED_COLUMNS));
                Schedule::Columns { chunk, scanned }
            }
            None if fills => Schedule::Points { chunk: points() },
            None => decide::of_rows(schedule, &run, &stores),
        };
        if let (Run::Over(inner), Schedule::Chunks { chunk, .. }) = (&mut run, schedule) {
            narrow::sums(&mut self.facts, &mut stores, inner, chunk);
            decide::feed(&self.facts, inner);
            prefetch::read(&self.facts, inner, &stores);
        }
        let inputs = facts::inputs(&run, &stores);
        Nest { id, run, stores, schedule, inputs, loc }
    }

    /// The store of a sink, with everything undecided that depends on where merges stand.
    fn store(&mut self, decl: &SinkDecl, result: Value) -> Store {
        self.facts.sinks.insert(decl.sink, decl.kind.clone());
        self.opened.insert(decl.sink, self.indices.len());
        let kind = match &decl.kind {
            SinkKind::Collect { ty, hint, .. } => {
                StoreKind::Collect { ty: ty.clone(), length: Length::Unknown(*hint) }
            }
            SinkKind::Reduce { ty, reducer: Reducer::Op(op), init, empty, order } => StoreKind::Accumulate {
                op: *op,
                ty: ty.clone(),
                leaves: decide::leaves(*op, ty, *order),
                init: *init,
                empty: *empty,
                seen: Seen::NotNeeded,
            },
            SinkKind::Reduce { ty, reducer: Reducer::Func(body), init, empty, .. } => {
                StoreKind::Fold { ty: ty.clone(), func: self.function(*body), init: *init, empty: *empty }
            }
            SinkKind::BucketCollect { key, value } => StoreKind::Table {
                key: key.clone(),
                value: value.clone(),
                what: Keyed::Group,
                index: facts::index_of(key),
            },
            SinkKind::BucketReduce { key, value, reducer } => StoreKind::Table {
                key: key.clone(),
                value: value.clone(),
                what: match reducer {
                    Reducer::Op(op) => Keyed::Reduce(*op),
                    Reducer::Func(body) if self.gives_second(*body) => Keyed::Last,
                    Reducer::Func(body) => Keyed::Fold(self.function(*body)),
                },
                index: facts::index_of(key),
            },
            SinkKind::Scatter { ty, op, init } => StoreKind::Scatter { ty: ty.clone(), op: *op, init: *init },
        };
        Store { sink: decl.sink, result, kind, loc: decl.loc }
    }
}
