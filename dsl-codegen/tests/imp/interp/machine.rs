//! The machine: what values are bound to where a function runs, and how statements run.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::interp::{evaluate, merge_sort};
use weldment_core::ir::{self, Const, Entity, Loc, Op};
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::{Fault, Position};
use weldment_runtime::lang::value::Value;

use super::InterpOptions;
use super::accumulators::{accumulate, fold, is_true, rescan};
use super::stores::{Done, Open, elements, natural};
use weldment_codegen::imp::{
    AccOp, Action, Arg, Block, Cause, For, FuncId, Imp, Lane, Lanes, Number, Param, RegId, SortBy, Split,
    Stmt, StoreId, Task,
};

/// A run.
pub(super) struct Machine<'a> {
    imp: &'a Imp,
    positions: &'a Positions,
    options: &'a InterpOptions,
    /// By value id.
    constants: Vec<Option<Value>>,
    /// The registers of all functions under way.
    regs: Vec<Vec<Const>>,
    /// Their stores, while they are open.
    pub(super) stores: Vec<Option<Open<'a>>>,
}

/// What a function that runs sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    values: BTreeMap<ir::Value, Bound>,
    regs: BTreeMap<RegId, usize>,
    /// Of each, where the iterations at hand begin.
    stores: BTreeMap<StoreId, (usize, usize)>,
    /// Those that the function was handed.
    lent: BTreeSet<StoreId>,
    /// The lane that runs.
    lane: Option<usize>,
}

#[derive(Clone, Debug)]
enum Bound {
    One(Value),
    Lanes(Vec<Value>),
}

type Outcome<T> = Result<T, Fault>;

impl<'a> Machine<'a> {
    pub(super) fn new(imp: &'a Imp, positions: &'a Positions, options: &'a InterpOptions) -> Machine<'a> {
        let constants = imp.values.ids().map(|value| imp.values[value].constant.map(Value::from)).collect();
        Machine { imp, positions, options, constants, regs: Vec::new(), stores: Vec::new() }
    }

    pub(super) fn entry(&mut self, args: &[Value]) -> Outcome<Value> {
        let mut results = self.function(&Frame::default(), self.imp.entry, args.to_vec())?;
        assert_eq!(results.len(), 1, "a program has one result");
        Ok(results.remove(0))
    }

    pub(super) fn position(&self, loc: Loc) -> Position {
        self.positions.get(loc)
    }

    // Values.

    fn get<'f>(&'f self, frame: &'f Frame, value: ir::Value) -> &'f Value {
        if let Some(constant) = &self.constants[value.index()] {
            return constant;
        }
        match (frame.values.get(&value), frame.lane) {
            (Some(Bound::One(value)), _) => value,
            (Some(Bound::Lanes(lanes)), Some(lane)) => &lanes[lane],
            (Some(Bound::Lanes(_)), None) => panic!("{value} has lanes, and none is at hand"),
            (None, _) => panic!("{value} is read where it is not bound"),
        }
    }

    /// What an action takes: the value, or all its lanes as a vector.
    fn argument(&self, frame: &Frame, value: ir::Value) -> Value {
        match (frame.values.get(&value), frame.lane) {
            (Some(Bound::Lanes(lanes)), None) => Value::vec(lanes.clone()),
            _ => self.get(frame, value).clone(),
        }
    }

    fn all(&self, frame: &Frame, values: &[ir::Value]) -> Vec<Value> {
        values.iter().map(|&value| self.get(frame, value).clone()).collect()
    }

    fn natural(&self, frame: &Frame, value: ir::Value) -> usize {
        natural(self.get(frame, value))
    }

    fn scalar(&self, frame: &Frame, value: ir::Value) -> Const {
        self.get(frame, value).as_const().expect("a scalar")
    }

    fn holds(&self, frame: &Frame, value: ir::Value) -> bool {
        is_true(self.scalar(frame, value))
    }

    fn bind(&self, frame: &mut Frame, name: ir::Value, value: Value) {
        let ty = &self.imp.values[name].ty;
        assert_eq!(value.scalar(), ty.as_scalar(), "{name} is a {ty} and is bound to {value:?}");
        match (frame.lane, frame.values.get_mut(&name)) {
            (None, _) => _ = frame.values.insert(name, Bound::One(value)),
            (Some(lane), Some(Bound::Lanes(lanes))) if lane > 0 => {
                assert_eq!(lanes.len(), lane, "lanes run in order");
                lanes.push(value);
            }
            _ => _ = frame.values.insert(name, Bound::Lanes(vec![value])),
        }
    }

    fn bind_position(&self, frame: &mut Frame, name: ir::Value, position: usize) {
        self.bind(frame, name, Value::U64(position as u64));
    }

    fn bind_number(&self, frame: &mut Frame, number: Option<Number>, position: usize) {
        if let Some(Number { value, first }) = number {
            let number = self.natural(frame, first) + position;
            self.bind(frame, value, Value::I64(number as i64));
        }
    }

    fn reg(&mut self, frame: &mut Frame, reg: RegId) -> usize {
        let decl = &self.imp.regs[reg];
        *frame.regs.entry(reg).or_insert_with(|| {
            self.regs.push(vec![decl.start; decl.lanes as usize]);
            self.regs.len() - 1
        })
    }

    fn store(&mut self, frame: &mut Frame, store: StoreId) -> (usize, usize) {
        *frame.stores.entry(store).or_insert_with(|| {
            self.stores.push(None);
            (self.stores.len() - 1, 0)
        })
    }

    // Functions.

    /// What `func` gives on `args`, where it sees of `around` what it captures.
    pub(super) fn function(&mut self, around: &Frame, func: FuncId, args: Vec<Value>) -> Outcome<Vec<Value>> {
        let func = &self.imp.funcs[func];
        let mut frame = captured(around, &func.captures);
        assert_eq!(func.params.len(), args.len(), "{} takes so many", func.name);
        for (param, arg) in func.params.iter().zip(args) {
            let Param::Value(name) = param else { panic!("{} takes more than values", func.name) };
            self.bind(&mut frame, *name, arg);
        }
        self.body(frame, &func.body)
    }

    fn body(&mut self, mut frame: Frame, body: &'a Block) -> Outcome<Vec<Value>> {
        let (regs, stores) = (self.regs.len(), self.stores.len());
        let results = self.block(&mut frame, body)?;
        self.regs.truncate(regs);
        self.stores.truncate(stores);
        Ok(results)
    }

    fn call(&mut self, frame: &mut Frame, func: FuncId, args: &[Arg]) -> Outcome<Vec<Value>> {
        let func = &self.imp.funcs[func];
        let mut inner = captured(frame, &func.captures);
        assert_eq!(func.params.len(), args.len(), "{} takes so many", func.name);
        for (param, arg) in func.params.iter().zip(args) {
            match (*param, *arg) {
                (Param::Value(name), Arg::Value(value)) => {
                    let value = self.get(frame, value).clone();
                    self.bind(&mut inner, name, value);
                }
                (Param::Slice { column, .. }, Arg::Slice(vector, [start, count])) => {
                    let (start, count) = (self.natural(frame, start), self.natural(frame, count));
                    let part = elements(self.get(frame, vector))[start..start + count].to_vec();
                    self.bind(&mut inner, column, Value::vec(part));
                }
                (Param::Reg(reg), Arg::Reg(given)) => {
                    let cell = self.reg(frame, given);
                    inner.regs.insert(reg, cell);
                }
                (Param::Store(store), Arg::Store(given, from)) => {
                    let (cell, mut first) = self.store(frame, given);
                    if let Some(from) = from {
                        // A function counts from where its own begins, and a chunk from the first of all.
                        first = if frame.lent.contains(&given) { first } else { 0 };
                        first += self.natural(frame, from);
                        self.stores[cell]
                            .as_mut()
                            .expect("a store is open where it is handed over")
                            .place(first);
                    }
                    inner.stores.insert(store, (cell, first));
                    inner.lent.insert(store);
                }
                (param, arg) => panic!("{arg:?} for {param:?}"),
            }
        }
        self.body(inner, &func.body)
    }

    // Statements.

    fn block(&mut self, frame: &mut Frame, block: &'a Block) -> Outcome<Vec<Value>> {
        for stmt in &block.stmts {
            self.stmt(frame, stmt)?;
        }
        Ok(self.all(frame, &block.results))
    }

    fn bind_all(&self, frame: &mut Frame, names: &[ir::Value], values: Vec<Value>) {
        assert_eq!(names.len(), values.len(), "as many values as names");
        names.iter().zip(values).for_each(|(&name, value)| self.bind(frame, name, value));
    }

    fn stmt(&mut self, frame: &mut Frame, stmt: &'a Stmt) -> Outcome<()> {
        match stmt {
            Stmt::Let { result, op, loc, .. } => {
                let ty = &self.imp.values[*result].ty;
                let value = match op {
                    Op::Call(symbol, args) => {
                        let foreign = self.options.foreign.as_ref().filter(|foreign| foreign.has(symbol));
                        foreign.expect("a foreign function is known").call(symbol, &self.all(frame, args), ty)
                    }
                    _ => evaluate(op, ty, self.position(*loc), |value| self.get(frame, value))?,
                };
                self.bind(frame, *result, value);
            }
            Stmt::Load { result, column, index, stride } => {
                let index = stride.element(self.natural(frame, *index) as u64) as usize;
                let value = elements(self.get(frame, *column))[index].clone();
                self.bind(frame, *result, value);
            }
            Stmt::If { results, cond, then, els, .. } => {
                let chosen = if self.holds(frame, *cond) { then } else { els };
                let values = self.block(frame, chosen)?;
                self.bind_all(frame, results, values);
            }
            Stmt::Iterate { results, init, params, body, .. } => {
                let mut state = self.all(frame, init);
                loop {
                    self.bind_all(frame, params, state);
                    state = self.block(frame, body)?;
                    let go_on = state.pop().and_then(|go_on| go_on.as_const()).expect("whether to go on");
                    if !is_true(go_on) {
                        break;
                    }
                }
                self.bind_all(frame, results, state);
            }
            Stmt::For(inner) => self.for_loop(frame, inner)?,
            Stmt::Lanes(Lanes { index, number, first, width, body, .. }) => {
                let first = self.natural(frame, *first);
                for lane in 0..*width as usize {
                    frame.lane = Some(lane);
                    self.bind_position(frame, *index, first + lane);
                    self.bind_number(frame, *number, first + lane);
                    self.block(frame, body)?;
                }
                frame.lane = None;
            }
            Stmt::Start(reg) => {
                let (cell, start) = (self.reg(frame, *reg), self.imp.regs[*reg].start);
                self.regs[cell].fill(start);
            }
            Stmt::Copy { to, from } => {
                let (to, from) = (self.reg(frame, *to), self.reg(frame, *from));
                assert_eq!(self.regs[to].len(), self.regs[from].len(), "a copy has as many lanes");
                self.regs[to] = self.regs[from].clone();
            }
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                if mask.is_none_or(|mask| self.holds(frame, mask)) {
                    let position = match lane {
                        Lane::Zero => 0,
                        Lane::Of(position) => self.natural(frame, *position),
                    };
                    let other = match op {
                        AccOp::Same(other) => Some(self.scalar(frame, *other)),
                        _ => None,
                    };
                    let (cell, value) = (self.reg(frame, *reg), self.scalar(frame, *value));
                    let lanes = self.regs[cell].len();
                    let lane = &mut self.regs[cell][position % lanes];
                    let before = lane.scalar();
                    *lane = accumulate(*op, *lane, value, other);
                    assert_eq!(lane.scalar(), before, "{reg} has a type");
                }
            }
            Stmt::Read { result, reg, fold: op } => {
                let cell = self.reg(frame, *reg);
                self.bind(frame, *result, fold(*op, &self.regs[cell]).into());
            }
            Stmt::Pick { result, reg, position } => {
                let (cell, position) = (self.reg(frame, *reg), self.natural(frame, *position));
                let lanes = &self.regs[cell];
                self.bind(frame, *result, lanes[position % lanes.len()].into());
            }
            Stmt::Rescan { wanted, open, total, best, op } => {
                let (total, best) = (self.reg(frame, *total), self.reg(frame, *best));
                let (after, asked) = rescan(*op, self.regs[total][0], &self.regs[best]);
                self.regs[total][0] = after;
                self.bind(frame, *wanted, Value::Bool(asked.is_some()));
                self.bind(frame, *open, asked.unwrap_or(after).into());
            }
            Stmt::Do { results, store, action, args, mask, loc } => {
                if mask.is_none_or(|mask| self.holds(frame, mask)) {
                    let args: Vec<Value> = args.iter().map(|&arg| self.argument(frame, arg)).collect();
                    let (cell, first) = self.store(frame, *store);
                    if *action == Action::Open {
                        let decl = &self.imp.stores[*store];
                        assert!(self.stores[cell].is_none(), "{store} is opened twice");
                        let seen = match decl.combine {
                            weldment_codegen::imp::Combine::Func(func) => {
                                captured(frame, &self.imp.funcs[func].captures)
                            }
                            _ => Frame::default(),
                        };
                        self.stores[cell] = Some(Open::new(decl, &args, seen));
                        return Ok(());
                    }
                    let done = Done { action: *action, first, args: &args, loc: *loc };
                    let values = self.act(frame, cell, &done)?;
                    self.bind_all(frame, results, values);
                }
            }
            Stmt::Call { results, func, args } => {
                let values = self.call(frame, *func, args)?;
                self.bind_all(frame, results, values);
            }
            Stmt::Sort { result, vector, by, .. } => {
                let vector = elements(self.get(frame, *vector)).to_vec();
                let sorted = self.sort(frame, &vector, *by)?;
                self.bind(frame, *result, Value::vec(sorted));
            }
            Stmt::Prefetch { .. } => {}
            Stmt::Fault { cond, cause: Cause::Empty, loc } => {
                if self.holds(frame, *cond) {
                    return Err(Fault::empty(self.position(*loc)));
                }
            }
            Stmt::Split(split) => self.split(frame, split)?,
            Stmt::Clone { result, value } => {
                let value = self.get(frame, *value).clone();
                self.bind(frame, *result, value);
            }
            Stmt::Release(value) => _ = frame.values.remove(value),
        }
        Ok(())
    }

    fn sort(&mut self, frame: &Frame, vector: &[Value], by: SortBy) -> Outcome<Vec<Value>> {
        match by {
            SortBy::Comparator(func) => merge_sort(vector, &mut |a: &Value, b: &Value| {
                let order = self.function(frame, func, vec![a.clone(), b.clone()])?;
                Ok(order[0].as_integer().expect("a comparator gives an i32") > 0)
            }),
            SortBy::Key { func, descending, .. } => {
                let mut keyed = Vec::new();
                for element in vector {
                    keyed.push((
                        self.function(frame, func, vec![element.clone()])?.remove(0),
                        element.clone(),
                    ));
                }
                keyed.sort_by(|(a, _), (b, _)| if descending { b.total_order(a) } else { a.total_order(b) });
                Ok(keyed.into_iter().map(|pair| pair.1).collect())
            }
        }
    }

    fn for_loop(&mut self, frame: &mut Frame, inner: &'a For) -> Outcome<()> {
        let [mut at, last] = inner.range.map(|end| self.natural(frame, end));
        let (step, mut done) = (inner.step as usize, 0);
        while at < last {
            if let Some((count, block)) = &inner.exit
                && done == *count
            {
                return self.block(frame, block).map(|_| ());
            }
            self.bind_position(frame, inner.index, at);
            self.bind_number(frame, inner.number, at);
            match inner.end {
                Some(end) => self.bind_position(frame, end, last.min(at + step)),
                None => assert!(at + step <= last, "a step divides the range"),
            }
            self.block(frame, &inner.body)?;
            (at, done) = (at + step, done + 1);
        }
        Ok(())
    }

    fn split(&mut self, frame: &mut Frame, split: &'a Split) -> Outcome<()> {
        let n = self.natural(frame, split.extent);
        let planned = split.plan.chunk as usize;
        let chunk = self.options.chunk.map_or(planned, |chunk| planned.min(chunk as usize)).max(1);
        let task = match split.plan.task {
            Task::Segments(given) => {
                let given = self.options.segment.or(given);
                let segment = given.map_or((1 << 18).max(n / 64), |given| given as usize);
                segment.max(1).div_ceil(chunk).saturating_mul(chunk)
            }
            _ => {
                self.options.chunks_of_task.map_or(usize::MAX, |chunks| chunk.saturating_mul(chunks as usize))
            }
        };
        let mut first = 0;
        while first < n {
            let last = n.min(first.saturating_add(task));
            if split.plan.task == Task::Open {
                split.range.iter().for_each(|end| _ = frame.values.remove(end));
            } else {
                self.bind_position(frame, split.range[0], first);
                self.bind_position(frame, split.range[1], last);
            }
            self.block(frame, &split.init)?;
            for lo in (first..last).step_by(chunk) {
                self.bind_position(frame, split.range[0], lo);
                self.bind_position(frame, split.range[1], last.min(lo + chunk));
                for &part in &split.parts {
                    let (cell, _) = self.store(frame, part);
                    frame.stores.insert(part, (cell, lo));
                }
                self.block(frame, &split.update)?;
                self.block(frame, &split.add)?;
            }
            self.block(frame, &split.merge)?;
            first = last;
        }
        Ok(())
    }
}

/// What a function sees that captures `captures` of `frame`.
fn captured(frame: &Frame, captures: &[ir::Value]) -> Frame {
    let values = captures.iter().filter_map(|value| Some((*value, frame.values.get(value)?.clone())));
    Frame { values: values.collect(), ..Frame::default() }
}
