//! Statements: branches, iterations, calls, sorts.

use std::iter;

use weldment_core::ir::{Op, Value};
use weldment_runtime::lang::types::Type;

use super::builder::{Label, Operand};
use super::func::Func;
use super::val::Val;
use crate::imp::{Arg, Block, Cause, FuncId, Known, Param, Side, SortBy, Stmt, Stride};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind, leaves};
use crate::llvm::runtime::calls;

/// The attributes of a function that takes vectors of 256 bits, though there are wider ones. What is inlined is as wide as whoever calls it.
const NARROW: &str = " noinline \"prefer-vector-width\"=\"256\" \"min-legal-vector-width\"=\"256\"";

impl Func<'_, '_> {
    /// Prints the statements of `block`; its results are bound then.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), EngineError> {
        block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Result<(), EngineError> {
        match stmt {
            Stmt::Let { result, op, known, loc } => return self.op(*result, op, *known, *loc),
            Stmt::Load { result, column, index, stride: Stride::One } => {
                return self.op(
                    *result,
                    &Op::At(*column, *index),
                    Known::Nothing,
                    weldment_core::ir::Loc::NONE,
                );
            }
            Stmt::Load { result, column, index, stride } => {
                let val = self.load_stride(*column, *index, *stride);
                self.bind(*result, val);
            }
            Stmt::If { results, cond, then, els, cold } => {
                return self.branches(results, *cond, then, els, *cold);
            }
            Stmt::Iterate { results, init, params, body, .. } => {
                return self.iterate(results, init, params, body);
            }
            Stmt::For(inner) => return self.for_loop(inner),
            Stmt::Lanes(lanes) => return self.lanes(lanes),
            Stmt::Start(reg) => self.start(*reg),
            Stmt::Copy { to, from } => self.copy_register(*to, *from),
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                self.accumulate(*reg, *lane, *op, *value, *mask);
            }
            Stmt::Read { result, reg, fold } => {
                let folded = self.folded(*reg, *fold);
                self.bind(*result, Val::one(folded));
            }
            Stmt::Pick { result, reg, position } => {
                let held = self.lane(*reg, *position);
                self.bind(*result, Val::one(held));
            }
            Stmt::Rescan { wanted, open, total, best, op } => {
                let (is_wanted, value) = self.rescan(*total, *best, *op);
                self.bind(*wanted, Val::one(is_wanted));
                self.bind(*open, Val::one(value));
            }
            Stmt::Do { results, store, action, args, mask, loc } => {
                return self.action(results, *store, *action, args, *mask, *loc);
            }
            Stmt::Call { func, args, .. } => return self.call_function(*func, args),
            Stmt::Sort { result, vector, by, .. } => return self.sort(*result, *vector, by),
            Stmt::Prefetch { what, index } => self.prefetch(what, *index),
            Stmt::Fault { cond, cause, loc } => {
                let cond = self.leaf(*cond);
                let cause = match cause {
                    Cause::Empty => calls::Cause::Empty,
                };
                self.raise_if(&cond, cause, *loc, &[]);
            }
            Stmt::Split(split) => return self.split(split),
            // Vectors are shared: nothing is written that somebody reads.
            Stmt::Clone { result, value } => {
                let val = self.get(*value).clone();
                self.bind(*result, val);
            }
            Stmt::Release(vector) => {
                let [block, len] = [0, 1].map(|leaf| self.get(*vector).leaves[leaf].clone());
                let item = self.ty(*vector).element().expect("what is given back is a vector");
                self.release(item, &block, &len);
            }
        }
        Ok(())
    }

    fn branches(
        &mut self,
        results: &[Value],
        cond: Value,
        then: &Block,
        els: &Block,
        cold: Option<Side>,
    ) -> Result<(), EngineError> {
        let cond = self.leaf(cond);
        let labels = [self.text.label(), self.text.label()];
        let done = self.text.label();
        match cold {
            None => self.text.branch(&cond, &labels[0], &labels[1]),
            Some(Side::Then) => self.text.branch_cold(&cond, &labels[0], &labels[1]),
            Some(Side::Else) => {
                let not = self.text.def(format_args!("xor i1 {cond}, true"));
                self.text.branch_cold(&not, &labels[1], &labels[0]);
            }
        }
        let mut sides = Vec::new();
        for (side, label) in [then, els].into_iter().zip(&labels) {
            self.text.begin(label);
            self.block(side)?;
            let vals: Vec<Val> = side.results.iter().map(|&result| self.get(result).clone()).collect();
            sides.push((vals, self.text.current()));
            self.text.jump(&done);
        }
        self.text.begin(&done);
        let [(then, from_then), (els, from_els)] = &sides[..] else {
            return Err(EngineError::internal("a branch has two sides"));
        };
        for (&result, (then, els)) in results.iter().zip(then.iter().zip(els)) {
            let ty = self.ty(result);
            let joined = self.join(ty, [(then, from_then), (els, from_els)]);
            self.bind(result, joined);
        }
        Ok(())
    }

    /// One of two values, by the side that control comes from.
    pub(super) fn join(&mut self, ty: &Type, sides: [(&Val, &Label); 2]) -> Val {
        let [(a, from_a), (b, from_b)] = sides;
        let joined = leaves(ty).into_iter().enumerate().map(|(i, leaf)| {
            let (a, b, register) = (&a.leaves[i], &b.leaves[i], leaf.kind.register());
            self.text.def(format_args!("phi {register} [ {a}, {from_a} ], [ {b}, {from_b} ]"))
        });
        Val::scalar(joined.collect())
    }

    fn iterate(
        &mut self,
        results: &[Value],
        init: &[Value],
        params: &[Value],
        body: &Block,
    ) -> Result<(), EngineError> {
        let tys: Vec<&Type> = params.iter().map(|&param| self.ty(param)).collect();
        let places: Vec<Operand> = tys.iter().map(|ty| self.room(ty)).collect();
        for ((&init, ty), place) in init.iter().zip(&tys).zip(&places) {
            let val = self.get(init).clone();
            self.store(ty, &val, place);
        }
        let [header, latch, done] = [self.text.label(), self.text.label(), self.text.label()];
        self.text.begin(&header);
        for ((&param, ty), place) in params.iter().zip(&tys).zip(&places) {
            let val = self.load(ty, place);
            self.bind(param, val);
        }
        self.block(body)?;
        let Some((&go_on, next)) = body.results.split_last() else {
            return Err(EngineError::internal("an iteration says whether to go on"));
        };
        let vals: Vec<Val> = next.iter().map(|&value| self.get(value).clone()).collect();
        for ((val, ty), place) in vals.iter().zip(&tys).zip(&places) {
            self.store(ty, val, place);
        }
        for (&result, val) in results.iter().zip(vals) {
            self.bind(result, val);
        }
        let go_on = self.leaf(go_on);
        self.text.branch(&go_on, &latch, &done);
        self.text.begin(&latch);
        self.poll();
        self.text.jump(&header);
        self.text.begin(&done);
        Ok(())
    }

    /// What the function gives on two values; it stands where it is called.
    pub(super) fn apply(&mut self, func: FuncId, a: Val, b: Val) -> Result<Val, EngineError> {
        let imp = self.module.imp;
        let func = &imp.funcs[func];
        let [Param::Value(first), Param::Value(second)] = func.params[..] else {
            return Err(EngineError::internal("a function that combines takes two values"));
        };
        self.bind(first, a);
        self.bind(second, b);
        self.block(&func.body)?;
        Ok(self.get(func.body.results[0]).clone())
    }

    /// Calls a loop as a function: what it reads and writes is known not to overlap only where it is a parameter.
    fn call_function(&mut self, id: FuncId, args: &[Arg]) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let func = &imp.funcs[id];
        let (captured, constants) = self.constants_apart(&func.captures);
        let mut operands = vec!["ptr %frame".to_owned()];
        let mut params = vec!["ptr %frame".to_owned()];
        let mut bound: Vec<(Value, Vec<Operand>)> = Vec::new();
        let mut number = 0;
        let mut param = |llvm: &str, attributes: &str, operand: &str| {
            number += 1;
            let name = format!("%p{number}");
            operands.push(format!("{llvm} {operand}"));
            params.push(format!("{llvm}{attributes} {name}"));
            name
        };
        let of_leaf = |kind: LeafKind| if kind == LeafKind::Elements { " noalias readonly" } else { "" };
        let by_value = func.params.iter().zip(args).filter_map(|(param, arg)| match (param, arg) {
            (Param::Value(value), Arg::Value(arg)) => Some((*value, *arg)),
            _ => None,
        });
        for (value, arg) in captured.iter().map(|&value| (value, value)).chain(by_value) {
            let val = self.get(arg).clone();
            let names = leaves(self.ty(value))
                .into_iter()
                .zip(&val.leaves)
                .map(|(leaf, operand)| param(leaf.kind.register(), of_leaf(leaf.kind), operand));
            bound.push((value, names.collect()));
        }
        let (mut registers, mut stores) = (Vec::new(), Vec::new());
        for (of, arg) in func.params.iter().zip(args) {
            match (of, arg) {
                (Param::Slice { column, .. }, Arg::Slice(vector, [start, count])) => {
                    let element = self.ty(*vector).element().expect("the verifier has seen to it");
                    let (whole, start, count) = (self.leaf(*vector), self.leaf(*start), self.leaf(*count));
                    let first = self.element(&whole, &start, element);
                    let names = vec![param("ptr", " noalias readonly", &first), param("i64", "", &count)];
                    bound.push((*column, names));
                }
                (Param::Value(_), Arg::Value(_)) => {}
                (Param::Reg(reg), Arg::Reg(_)) => {
                    let place = self.register(*reg);
                    registers.push((*reg, param("ptr", " noalias", &place)));
                }
                (Param::Store(store), Arg::Store(_, from)) => {
                    let from = from.map(|from| self.leaf(from));
                    let handed = self.hand_over(*store, from.as_deref());
                    let names: Vec<Operand> = handed
                        .iter()
                        .map(|(llvm, operand)| {
                            param(llvm, if *llvm == "ptr" { " noalias" } else { "" }, operand)
                        })
                        .collect();
                    stores.push((*store, names));
                }
                _ => return Err(EngineError::internal("an argument of another kind than its parameter")),
            }
        }
        let params = params.join(", ");
        let known = constants.iter().map(|(value, val)| format!("{value} {}", val.leaves.join(" ")));
        let known = iter::once(params.clone()).chain(known).collect::<Vec<_>>().join(", ");
        let (name, is_new) = self.module.loop_function(id, known);
        let status = self.text.def(format_args!("call i32 @{name}({})", operands.join(", ")));
        let failed = self.text.def(format_args!("icmp ne i32 {status}, 0"));
        self.text.fault_if(&failed, |_| ());
        if !is_new {
            return Ok(());
        }

        let is_narrow = func.streams && self.module.target.halves_vectors;
        let width = if is_narrow { NARROW } else { "" };
        let header = format!("define internal i32 @{name}({params}) nounwind{width}");
        let mut inner = Func::new(self.module, header);
        inner.values.extend(constants);
        for (value, names) in bound {
            inner.bind(value, Val::scalar(names));
        }
        inner.registers.extend(registers);
        let mut left = Vec::new();
        for (store, names) in stores {
            left.extend(inner.take_over(store, &names));
        }
        inner.block(&func.body)?;
        left.iter().for_each(|left| inner.leave(left));
        inner.finish();
        Ok(())
    }

    fn sort(&mut self, result: Value, vector: Value, by: &SortBy) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let ty = self.ty(vector).element().expect("the verifier has seen to it");
        let (SortBy::Comparator(func) | SortBy::Key { func, .. }) = by;
        let func = &imp.funcs[*func];
        let (captured, constants) = self.constants_apart(&func.captures);
        let captures = self.pack(&captured, &[]);
        let (about, params) = match by {
            SortBy::Comparator(_) => ("comparator", "ptr %a, ptr %b, ptr %to"),
            SortBy::Key { .. } => ("key", "ptr %a, ptr %to"),
        };
        let name = self.module.function_name(about);
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, {params}) nounwind"
        );
        let mut inner = Func::new(self.module, header);
        inner.unpack(&captured, &[]);
        inner.values.extend(constants);
        let mut first = None;
        for (param, place) in func.params.iter().zip(["%a", "%b"]) {
            let Param::Value(param) = param else { continue };
            let element = inner.load(ty, place);
            inner.bind(*param, element);
            first = first.or(Some(*param));
        }
        inner.block(&func.body)?;
        let key = func.body.results[0];
        let (key_ty, key) = (inner.ty(key), inner.get(key).clone());
        // A key that is part of the element is read there, without a call.
        let part =
            first.and_then(|param| inner.get(param).leaves.iter().position(|leaf| *leaf == key.leaves[0]));
        inner.store(key_ty, &key, "%to");
        inner.finish();

        let val = self.get(vector).clone();
        let layout = Layout::of(ty);
        let function = format!("@{name}");
        let (size, align) = (layout.size.to_string(), layout.align.to_string());
        let args = ["%frame", &val.leaves[0], &val.leaves[1], &size, &align, &function, &captures];
        let sorted = match by {
            SortBy::Comparator(_) => self.call_or_null("weldment_sort", &args),
            SortBy::Key { descending, .. } => {
                let number = self.module.type_number(key_ty).to_string();
                let descending = i32::from(*descending).to_string();
                let offset = part.map_or("-1".to_owned(), |part| leaves(ty)[part].offset.to_string());
                let about_key = [&number[..], &descending, &offset];
                self.call_or_null("weldment_sort_by_key", &[&args[..], &about_key].concat())
            }
        };
        self.bind(result, Val::scalar(vec![sorted, val.leaves[1].clone()]));
        Ok(())
    }

    /// Values that another function must be handed, and those that it can name itself: literals and globals.
    pub(super) fn constants_apart(&self, values: &[Value]) -> (Vec<Value>, Vec<(Value, Val)>) {
        let (mut captured, mut constants) = (Vec::new(), Vec::new());
        for &value in values {
            let val = self.get(value);
            match val.leaves.iter().any(|leaf| leaf.starts_with('%')) {
                true => captured.push(value),
                false => constants.push((value, val.clone())),
            }
        }
        (captured, constants)
    }

    /// Values, and operands besides, on the stack for a function that unpacks them: every leaf in words of its own.
    pub(super) fn pack(&mut self, values: &[Value], more: &[(&'static str, Operand)]) -> Operand {
        let mut operands: Vec<(&str, Operand)> = Vec::new();
        for &value in values {
            let val = self.get(value).clone();
            for (leaf, operand) in leaves(self.ty(value)).into_iter().zip(val.leaves) {
                operands.push((leaf.kind.register(), operand));
            }
        }
        operands.extend(more.iter().cloned());
        let count: u64 = operands.iter().map(|(ty, _)| words(ty)).sum();
        let block = self.text.alloca(format_args!("[{} x i64]", count.max(1)));
        let mut number = 0;
        for (ty, operand) in &operands {
            let place = self.offset(&block, 8 * number);
            number += words(ty);
            self.text.line(format_args!("store {ty} {operand}, ptr {place}, align 8"));
        }
        block
    }

    /// Binds what [`Func::pack`] has packed at `%captures`; gives the operands besides.
    pub(super) fn unpack(&mut self, values: &[Value], more: &[&str]) -> Vec<Operand> {
        let mut number = 0;
        let mut next = |this: &mut Self, ty: &str| {
            let place = this.offset("%captures", 8 * number);
            number += words(ty);
            this.text.def(format_args!("load {ty}, ptr {place}, align 8, !invariant.load !1"))
        };
        for &value in values {
            let loaded = leaves(self.ty(value)).into_iter().map(|leaf| next(self, leaf.kind.register()));
            let val = Val::scalar(loaded.collect());
            self.bind(value, val);
        }
        more.iter().map(|ty| next(self, ty)).collect()
    }
}

/// How many words a leaf of this type takes among captures.
fn words(ty: &str) -> u64 {
    if ty == "i128" { 2 } else { 1 }
}
