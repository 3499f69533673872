//! The types of what statements read and bind.

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::typing::{Typing, infer};
use weldment_core::ir::{BinaryOp, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::Verifier;
use crate::imp::{AccOp, Action, Arg, Block, FuncId, Known, Lane, Param, Stmt};

/// What positions are computed by.
const COUNTS: [BinaryOp; 7] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem, BinaryOp::Min, BinaryOp::Max];

impl<'a> Verifier<'a> {
    fn ty(&self, value: Value) -> &'a Type {
        &self.imp.values[value].ty
    }

    fn want(&mut self, value: Value, wanted: &Type) {
        let found = self.ty(value);
        self.require(found == wanted, || format!("{value} is a {found}, not a {wanted}"));
    }

    fn position(&mut self, value: Value) {
        let is_position = self.imp.values[value].position;
        self.require(is_position, || format!("{value} is no position"));
    }

    fn all(&mut self, values: &[Value], wanted: &[&Type]) {
        let fits = values.len() == wanted.len();
        self.require(fits, || format!("{} values instead of {}", values.len(), wanted.len()));
        values.iter().zip(wanted).for_each(|(&value, wanted)| self.want(value, wanted));
    }

    fn gives(&mut self, block: &Block, results: &[Value]) {
        let types: Vec<&Type> = results.iter().map(|&result| self.ty(result)).collect();
        self.all(&block.results, &types);
    }

    fn divides(&self, op: &Op) -> bool {
        let Op::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) = op else { return false };
        let number = self.imp.values[*divisor].constant.and_then(|constant| constant.as_integer());
        number.is_some_and(|number| number != 0 && number != -1)
    }

    pub(super) fn types(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Let { result, op: Op::Slice(vector, start, count), known: Known::InBounds, .. }
                if self.imp.values[*start].position =>
            {
                self.position(*count);
                self.want(*vector, self.ty(*result));
            }
            Stmt::Let { result, op: Op::Binary(op, ..), .. }
                if self.imp.values[*result].position && !COUNTS.contains(op) =>
            {
                self.error(format!("positions have no {op:?}"));
            }
            Stmt::Let { result, op, known, .. } => match infer(self.values, op) {
                _ if *known == Known::Divides && !self.divides(op) => {
                    self.error(format!("{result} is no quotient that is always there"));
                }
                _ if *known == Known::Unpredictable && !matches!(op, Op::Select(..)) => {
                    self.error(format!("{result} chooses nothing"));
                }
                Err(message) => self.error(message),
                Ok(Typing::Known(types)) => self.all(&[*result], &types.iter().collect::<Vec<_>>()),
                Ok(Typing::Declared) => {}
            },
            Stmt::Load { result, column, .. } => {
                let element = self.ty(*column).element() == Some(self.ty(*result));
                self.require(element, || format!("{result} is no element of {column}"));
            }
            Stmt::If { results, cond, then, els, .. } => {
                self.want(*cond, &Type::BOOL);
                self.gives(then, results);
                self.gives(els, results);
            }
            Stmt::Iterate { results, init, params, counted, replaced, body, .. } => {
                if let Some(Counted { index, steps }) = counted {
                    self.require(params.contains(index), || "what counts the steps is no state".to_owned());
                    self.want(*steps, &Type::I64);
                }
                let are_states = replaced.iter().all(|value| params.contains(value));
                self.require(are_states, || "what is replaced is no state".to_owned());
                let state: Vec<&Type> = init.iter().map(|&value| self.ty(value)).collect();
                self.all(params, &state);
                self.all(results, &state);
                let given: Vec<&Type> = state.into_iter().chain([&Type::BOOL]).collect();
                self.all(&body.results, &given);
            }
            Stmt::For(inner) => {
                inner.range.iter().for_each(|&end| self.position(end));
                self.position(inner.index);
                inner.number.iter().for_each(|number| self.position(number.first));
            }
            Stmt::Lanes(lanes) => {
                self.position(lanes.first);
                self.position(lanes.index);
                lanes.number.iter().for_each(|number| self.position(number.first));
            }
            Stmt::Copy { to, from } => {
                let (to, from) = (&self.imp.regs[*to], &self.imp.regs[*from]);
                let fits = (to.ty, to.lanes) == (from.ty, from.lanes);
                self.require(fits, || "a copy has the type and lanes of what it copies".to_owned());
            }
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                if let Lane::Of(position) = lane {
                    self.position(*position);
                }
                mask.iter().for_each(|&mask| self.want(mask, &Type::BOOL));
                let ty: Type = self.imp.regs[*reg].ty.into();
                match op {
                    AccOp::Same(other) => {
                        self.require(ty == Type::BOOL, || format!("{reg} is no flag"));
                        self.want(*value, self.ty(*other));
                    }
                    AccOp::Or => {
                        self.require(ty == Type::BOOL, || format!("{reg} is no flag"));
                        self.want(*value, &ty);
                    }
                    AccOp::Reduce(_) | AccOp::Set | AccOp::Better(_) => self.want(*value, &ty),
                }
            }
            Stmt::Read { result, reg, .. } => self.want(*result, &self.imp.regs[*reg].ty.into()),
            Stmt::Pick { result, reg, position } => {
                self.want(*result, &self.imp.regs[*reg].ty.into());
                self.position(*position);
            }
            Stmt::Rescan { wanted, open, total, .. } => {
                self.want(*wanted, &Type::BOOL);
                self.want(*open, &self.imp.regs[*total].ty.into());
            }
            Stmt::Do { results, store, action, args, mask, .. } => {
                mask.iter().for_each(|&mask| self.want(mask, &Type::BOOL));
                let store = &self.imp.stores[*store];
                match (action, &args[..]) {
                    (Action::Append | Action::AppendReserved, [value]) => self.want(*value, &store.item),
                    (Action::Extend, [vector]) => self.want(*vector, &Type::vec(store.item.clone())),
                    (Action::Put | Action::Set, [position, value]) => {
                        self.position(*position);
                        self.want(*value, &store.item);
                    }
                    (Action::Merge | Action::MergeBlock, [.., value]) => {
                        self.want(*value, &store.item);
                        if let ([under, _], Action::Merge) = (&args[..], action) {
                            self.want(*under, store.key.as_ref().unwrap_or(&Type::I64));
                        }
                    }
                    (
                        Action::Fill(_)
                        | Action::MergeEach(_)
                        | Action::Expect
                        | Action::Reserve
                        | Action::Covers
                        | Action::Get,
                        [count],
                    ) => {
                        self.position(*count);
                    }
                    (Action::Begin, [lo, hi]) => {
                        self.position(*lo);
                        self.position(*hi);
                    }
                    _ => {}
                }
                match action {
                    Action::Finish => self.all(results, &[self.ty(store.result)]),
                    Action::MergeBlock | Action::Covers => self.all(results, &[&Type::BOOL]),
                    Action::Get => self.all(results, &[&store.item]),
                    _ => self.all(results, &[]),
                }
            }
            Stmt::Call { results, func, args } => self.call(results, *func, args),
            Stmt::Sort { result, vector, .. } => self.want(*vector, self.ty(*result)),
            Stmt::Fault { cond, .. } => self.want(*cond, &Type::BOOL),
            Stmt::Split(split) => {
                let is_count = *self.ty(split.extent) == Type::Scalar(Scalar::I64);
                self.require(is_count, || format!("{} is no i64", split.extent));
                split.range.iter().for_each(|&end| self.position(end));
            }
            Stmt::Clone { result, value } => self.want(*value, self.ty(*result)),
            Stmt::Start(_) | Stmt::Prefetch { .. } | Stmt::Release(_) => {}
        }
    }

    fn call(&mut self, results: &[Value], func: FuncId, args: &[Arg]) {
        let func = &self.imp.funcs[func];
        self.gives(&func.body, results);
        let fits = func.params.len() == args.len();
        self.require(fits, || format!("`{}` takes {} arguments", func.name, func.params.len()));
        for (param, arg) in func.params.iter().zip(args) {
            match (*param, *arg) {
                (Param::Value(param), Arg::Value(value)) => self.want(value, self.ty(param)),
                (Param::Slice { column, .. }, Arg::Slice(vector, range)) => {
                    self.want(vector, self.ty(column));
                    range.iter().for_each(|&end| self.position(end));
                }
                (Param::Reg(param), Arg::Reg(reg)) => {
                    let (param, given) = (&self.imp.regs[param], &self.imp.regs[reg]);
                    let fits = (param.ty, param.lanes) == (given.ty, given.lanes);
                    self.require(fits, || format!("{reg} is no register as `{}` takes", func.name));
                }
                (Param::Store(param), Arg::Store(store, _)) => {
                    let (param, given) = (&self.imp.stores[param], &self.imp.stores[store]);
                    let fits = param.strategy == given.strategy && param.item == given.item;
                    self.require(fits, || format!("{store} is no store as `{}` takes", func.name));
                }
                _ => self.error(format!("`{}` takes an argument of another kind", func.name)),
            }
        }
    }
}
