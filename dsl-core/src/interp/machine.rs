//! The machine: what each value is bound to, and how bodies and control statements run.

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::options::InterpOptions;
use super::sinks::OpenSink;
use super::writes::bytes_of;
use super::{loops, memory, ops, sort};
use crate::ir::{self, BodyId, Entity, Op, Program, Stmt};
use crate::source::Positions;

/// A run of a program.
pub(super) struct Machine<'a> {
    pub(super) cx: &'a Context,
    pub(super) program: &'a Program,
    pub(super) options: &'a InterpOptions,
    positions: &'a Positions,
    /// By value id. A body that runs again binds its values again.
    values: Vec<Option<Value>>,
    /// By sink id: the sinks of the loops under way.
    pub(super) open: Vec<Option<OpenSink>>,
    /// Where each loop index under way stands, outermost first: counted from the start of its chunk or `for`.
    pub(super) counters: Vec<u64>,
    /// How many loops, `for`s and functions are under way; a loop is split where there are none.
    pub(super) depth: usize,
    /// How many steps have run.
    steps: u64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        cx: &'a Context,
        program: &'a Program,
        positions: &'a Positions,
        options: &'a InterpOptions,
    ) -> Self {
        Machine {
            cx,
            program,
            options,
            positions,
            values: vec![None; program.values.len()],
            open: (0..program.sinks).map(|_| None).collect(),
            counters: Vec::new(),
            depth: 0,
            steps: 0,
        }
    }

    /// Runs `body` on `args` and gives its results. Every iteration, step, comparison and call of a function comes
    /// through here, so this is where the run asks whether it may go on.
    pub(super) fn body(&mut self, body: BodyId, args: &[Value]) -> Result<Vec<Value>, Fault> {
        let body = &self.program.bodies[body];
        self.cx.poll()?;
        self.count_steps(1 + body.stmts.len() as u64)?;
        assert_eq!(body.params.len(), args.len(), "a body takes as many values as it has parameters");
        for (&param, arg) in body.params.iter().zip(args) {
            self.bind(param, arg.clone());
        }
        for stmt in &body.stmts {
            let results = self.stmt(stmt)?;
            assert_eq!(stmt.results.len(), results.len(), "{:?} binds what it gives", stmt.op);
            for (&name, value) in stmt.results.iter().zip(results) {
                self.bind(name, value);
            }
        }
        Ok(body.results.iter().map(|&result| self.get(result).clone()).collect())
    }

    /// Counts `steps` that are about to run; the fault Cancelled if that is too many.
    fn count_steps(&mut self, steps: u64) -> Result<(), Fault> {
        self.steps += steps;
        match self.options.steps {
            Some(limit) if self.steps > limit => {
                let detail = format!("after {limit} steps");
                Err(Fault::new(FaultKind::Cancelled, detail, Position::default()))
            }
            _ => Ok(()),
        }
    }

    /// Runs a body of one result that is called once per element or merge: a comparator or a reducing
    /// function. Loops inside it are not split.
    pub(super) fn function(&mut self, body: BodyId, args: &[Value]) -> Result<Value, Fault> {
        self.depth += 1;
        let mut results = self.body(body, args)?;
        self.depth -= 1;
        assert_eq!(results.len(), 1, "a function has one result");
        Ok(results.remove(0))
    }

    /// What `stmt` gives, one value per result.
    fn stmt(&mut self, stmt: &'a Stmt) -> Result<Vec<Value>, Fault> {
        match &stmt.op {
            Op::If { cond, then, els } => {
                let branch = if self.truth(*cond) { then } else { els };
                self.body(*branch, &[])
            }
            Op::Iterate { init, body } => {
                let mut state = self.all(init);
                loop {
                    state = self.body(*body, &state)?;
                    let again = state.pop().expect("the body of an `iterate` says whether to go on");
                    if !is_true(&again) {
                        return Ok(state);
                    }
                }
            }
            Op::Loop(looped) => loops::run(self, looped),
            Op::For { extent, body } => {
                self.depth += 1;
                for i in 0..self.extent(*extent) {
                    self.counters.push(i);
                    self.body(*body, &[Value::I64(i as i64)])?;
                    self.counters.pop();
                }
                self.depth -= 1;
                Ok(Vec::new())
            }
            Op::Merge { sink, values } => {
                let values = self.all(values);
                let mut open = self.open[sink.index()].take().expect("merges stand in their sink's loop");
                let outcome = open.merge(self, values, stmt.loc);
                self.open[sink.index()] = Some(open);
                outcome.map(|()| Vec::new())
            }
            Op::Sort { vector, comparator } => {
                let vector = self.get(*vector).clone();
                let vector = ops::elements(&vector);
                let element = self.program.ty(stmt.results[0]).element().expect("sorts give vectors");
                let bytes = memory::bytes(vector.len(), element);
                // The halves of a merge are there until it is done.
                self.cx.charge(bytes.saturating_mul(2))?;
                let mut after = |a: &Value, b: &Value| {
                    let order = self.function(*comparator, &[a.clone(), b.clone()])?;
                    Ok(order.as_integer().expect("a comparator gives an i32") > 0)
                };
                let sorted = sort::merge_sort(vector, &mut after)?;
                self.cx.discharge(bytes);
                Ok(vec![Value::vec(sorted)])
            }
            Op::Call(symbol, args) => {
                let foreign = self.options.foreign.as_deref().filter(|foreign| foreign.has(symbol));
                let foreign =
                    foreign.unwrap_or_else(|| panic!("the foreign function `{symbol}` is not known"));
                let ty = &self.program.values[stmt.results[0]].ty;
                let value = foreign.call(symbol, &self.all(args), ty);
                assert!(
                    value.has_type(ty),
                    "the foreign function `{symbol}` gives {value:?} instead of a {ty}"
                );
                Ok(vec![value])
            }
            Op::Dbg(text) => {
                self.cx.show("", self.position(stmt.loc), &bytes_of(self.get(*text)));
                Ok(vec![Value::Bool(true)])
            }
            op => {
                let ty = &self.program.values[stmt.results[0]].ty;
                if let Some(value) = self.instead_of_element(op, ty) {
                    return Ok(vec![value]);
                }
                memory::charge_made(self.cx, op, ty, |value| self.get(value))?;
                let value = ops::evaluate(op, ty, |value| self.get(value));
                let value = value.or_else(|cause| {
                    let fault = cause.at(self.position(stmt.loc));
                    match op {
                        Op::Shape(vector, extents) => self.instead_of_elements(fault, *vector, extents, ty),
                        _ => self.instead_of(fault, ty),
                    }
                })?;
                if matches!(op, Op::Deserialize(_)) {
                    memory::charge_copy(self.cx, &value, ty)?;
                }
                Ok(vec![value])
            }
        }
    }

    /// What stands for a value of type `ty` that faults, where the run goes on.
    ///
    /// # Errors
    /// The fault, if the run ends with it.
    pub(super) fn instead_of(&self, fault: Fault, ty: &Type) -> Result<Value, Fault> {
        match &self.options.instead {
            Some(instead) => Ok(instead.of_fault(fault, ty)),
            None => Err(fault),
        }
    }

    /// What stands for the elements of `vector`, which have not the shape `extents`: as many as their length is taken for, by
    /// [`Lengths`](crate::analysis::equal::Lengths). Who asks for the length alone needs none of them, and so no fault.
    fn instead_of_elements(
        &self,
        fault: Fault,
        vector: ir::Value,
        extents: &[ir::Value],
        ty: &Type,
    ) -> Result<Value, Fault> {
        let Some(instead) = &self.options.instead else { return Err(fault) };
        let length = match extents {
            [extent] => self.get(*extent).as_integer().and_then(|extent| usize::try_from(extent).ok()),
            _ => Some(ops::elements(self.get(vector)).len()),
        };
        Ok(instead.of_elements(fault, length, ty))
    }

    /// What stands for an element that is not there, or for its position, behind a fault that said so.
    fn instead_of_element(&self, op: &Op, ty: &Type) -> Option<Value> {
        let instead = self.options.instead.as_ref()?;
        match op {
            Op::At(vector, index) => {
                let vector = ops::elements(self.get(*vector));
                ops::checked_index(self.get(*index), vector.len()).is_err().then(|| instead.value(ty))
            }
            Op::Cut(vector, start, end) => {
                let integer = |value: &ir::Value| self.get(*value).as_integer().expect("an integer");
                let part = ops::cut(ops::elements(self.get(*vector)), integer(start), integer(end));
                part.is_none().then(|| instead.value(ty))
            }
            Op::AssumeIndex(index, length) => {
                let length = self.get(*length).as_integer().and_then(|length| usize::try_from(length).ok());
                let is_inside =
                    length.is_some_and(|length| ops::checked_index(self.get(*index), length).is_ok());
                (!is_inside).then_some(Value::I64(-1))
            }
            Op::Linearize(indices, extents) => {
                let integer = |value: ir::Value| self.get(value).as_integer().expect("an integer");
                let is_inside = |(&index, &extent)| (0..integer(extent)).contains(&integer(index));
                (!indices.iter().zip(extents).all(is_inside)).then_some(Value::I64(-1))
            }
            _ => None,
        }
    }

    fn bind(&mut self, name: ir::Value, value: Value) {
        let ty = &self.program.values[name].ty;
        // Only as deep as is free: a vector may be bound in every iteration.
        debug_assert_eq!(value.scalar(), ty.as_scalar(), "{name} is a {ty} and is bound to {value:?}");
        self.values[name.index()] = Some(value);
    }

    /// What `name` is bound to.
    pub(super) fn get(&self, name: ir::Value) -> &Value {
        self.values[name.index()].as_ref().expect("values are bound before they are used")
    }

    fn all(&self, names: &[ir::Value]) -> Vec<Value> {
        names.iter().map(|&name| self.get(name).clone()).collect()
    }

    fn truth(&self, name: ir::Value) -> bool {
        is_true(self.get(name))
    }

    /// The number of iterations that `extent` stands for.
    pub(super) fn extent(&self, extent: ir::Value) -> u64 {
        let extent = self.get(extent).as_integer().expect("an extent is an integer");
        u64::try_from(extent).expect("an extent is not negative")
    }

    /// The place that `loc` names.
    pub(super) fn position(&self, loc: ir::Loc) -> Position {
        self.positions.get(loc)
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        _ => panic!("{value:?} where a bool is needed"),
    }
}
