//! From loop IR to the low-level code: what each loop merges into, what its parts are, and what comes of them.
//!
//! Loops are as they stand in the loop IR: one iteration after the other, with the hints of what is to become of them, which the
//! passes carry out. What a loop reads at its own index are slices, cut to the iterations that run.

mod columns;
mod context;
mod control;
mod leaves;
mod nest;
mod points;
mod split;
mod stores;
mod unpredictable;
mod windows;

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{Arena, BinaryOp, Loc, Op, Sink, Value};
use weldment_runtime::lang::types::Type;

use super::{Block, Func, FuncId, Imp, Info, Known, Param, Role, Stmt, StoreId, Stride, Target};
use crate::loops::facts;
use crate::loops::liveness::Liveness;
use crate::loops::{self, LoopProgram, Step, shared_searches};

use context::{Filled, Lower};

/// The low-level code of `program` for `target`.
pub fn build(program: &LoopProgram, target: Target) -> Imp {
    build_with(program, target, &mut |_, _| {})
}

/// As [`build`]; shows the code before the first pass, as `lowered`, and behind each, under its name.
pub fn build_with(program: &LoopProgram, target: Target, show: &mut dyn FnMut(&'static str, &Imp)) -> Imp {
    let mut imp = lower(program, target);
    show("lowered", &imp);
    super::passes::run(&mut imp, &target, show);
    imp
}

/// The same before any pass.
fn lower(program: &LoopProgram, target: Target) -> Imp {
    let mut values: Arena<Value, Info> = Arena::new();
    for value in program.values.ids() {
        values.push(Info::of(program.values[value].ty.clone()));
    }
    let mut searches: HashMap<Value, Value> = HashMap::new();
    for (&other, &first) in &program.shared_searches {
        searches.insert(other, first);
        searches.insert(first, first);
    }
    let mut imp =
        Imp { values, regs: Arena::new(), stores: Arena::new(), funcs: Arena::new(), entry: entity_zero() };
    let mut searched: Vec<&Type> = Vec::new();
    facts::for_each_step(&program.body, &mut |step| {
        let Step::Bind { result, op, .. } = step else { return };
        if let Op::Const(constant) = op {
            imp.values[*result].constant = Some(*constant);
        }
        if let Some((dict, _)) = shared_searches::searched(&program.values, op)
            && !searched.contains(&&program.values[dict].ty)
        {
            searched.push(&program.values[dict].ty);
        }
    });
    let mut lower = Lower {
        program,
        target,
        imp,
        searches,
        searched,
        liveness: Liveness::of(program),
        is_in_loop: false,
        unpredictable: HashSet::new(),
        makers: loops::ragged::makers(program),
        filled: HashMap::new(),
        lowered: HashSet::new(),
        positions: HashMap::new(),
        columns: HashMap::new(),
        own: HashMap::new(),
        appends_once: HashMap::new(),
        dispatched: !target.dispatch,
        slabs: HashMap::new(),
        apart: None,
    };
    let body = lower.block(&program.body);
    let func = Func {
        role: Role::Entry,
        name: "run".into(),
        params: program.params.iter().map(|&param| Param::Value(param)).collect(),
        captures: Vec::new(),
        body,
        dispatch: false,
        streams: false,
        loc: Loc::NONE,
    };
    lower.imp.entry = lower.imp.funcs.push(func);
    lower.imp
}

fn entity_zero() -> FuncId {
    weldment_core::ir::Entity::from_index(0)
}

impl Lower<'_> {
    /// The steps of `block`, and what it gives. What nothing refers to any more is given back; in loops there is other memory.
    fn block(&mut self, block: &loops::Block) -> Block {
        let mut out = Block { stmts: Vec::with_capacity(block.steps.len()), results: block.results.clone() };
        let mut ended = vec![Vec::new(); block.steps.len()];
        if !self.is_in_loop {
            let ends = self.liveness.ends(self.program, block);
            ends.into_iter().for_each(|(vector, end)| ended[end].push(vector));
        }
        for (step, ended) in block.steps.iter().zip(ended) {
            self.step(&mut out, step);
            out.stmts.extend(ended.into_iter().map(Stmt::Release));
        }
        out
    }

    /// Lowers what is in a loop.
    fn in_loop(&mut self, lower: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.is_in_loop, true);
        lower(self);
        self.is_in_loop = around;
    }

    fn step(&mut self, out: &mut Block, step: &Step) {
        match step {
            Step::Bind { op: Op::Const(_), .. } => {}
            Step::Bind { result, op: Op::At(vector, index), .. }
                if self.columns.contains_key(&(*vector, *index)) =>
            {
                let (column, index) = (self.columns[&(*vector, *index)], self.positions[index]);
                out.stmts.push(Stmt::Load { result: *result, column, index, stride: Stride::One });
            }
            Step::Bind { result, op: Op::Shape(vector, _), loc } if self.is_local(*vector) => {
                self.shaped_apart(out, *result, *vector, *loc);
            }
            Step::Bind { result, op, loc } => {
                let known = match op {
                    Op::Slice(..) if self.program.in_bounds.contains(result) => Known::InBounds,
                    Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor)
                        if facts::divides_safely(self.imp.values[*divisor].constant.as_ref()) =>
                    {
                        Known::Divides
                    }
                    Op::Select(..) if self.unpredictable.contains(result) => Known::Unpredictable,
                    _ => self.searches.get(result).map_or(Known::Nothing, |&first| Known::Shared(first)),
                };
                out.stmts.push(Stmt::Let { result: *result, op: op.clone(), known, loc: *loc });
            }
            Step::If { results, cond, then, els } => {
                let (then, els) = (self.block(then), self.block(els));
                out.stmts.push(Stmt::If { results: results.clone(), cond: *cond, then, els, cold: None });
            }
            Step::Iterate { results, init, params, counted, body, loc } => {
                self.unpredictable.extend(unpredictable::selections(body));
                let body = self.block(body);
                let (results, init, params) = (results.clone(), init.clone(), params.clone());
                out.stmts.push(Stmt::Iterate {
                    results,
                    init,
                    params,
                    counted: *counted,
                    replaced: Vec::new(),
                    body,
                    loc: *loc,
                });
            }
            Step::Sort { result, vector, order, loc } => {
                let by = self.order(order);
                out.stmts.push(Stmt::Sort { result: *result, vector: *vector, by, taken: false, loc: *loc });
            }
            Step::Nest(nest) => self.in_loop(|this| this.nest(out, nest)),
            Step::For(inner) => self.in_loop(|this| this.inner(out, inner)),
            Step::Merge(merge) => self.merge(out, merge),
        }
    }

    /// The store that a sink fills, if it is none of registers.
    fn store(&self, sink: Sink) -> Option<StoreId> {
        match self.filled.get(&sink)? {
            Filled::Store(store) => Some(*store),
            Filled::Regs(_) => None,
        }
    }
}
