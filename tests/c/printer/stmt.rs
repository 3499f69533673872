//! Statements.

use weldment::backend::abi::{self, Cause};
use weldment::backend::imp::{
    AccOp, Arg, Block, Cause as Why, For, FuncId, Known, Lane, Number, Param, SortBy, Stmt, Stride,
};
use weldment::backend::ir::{Loc, Op, ReduceOp, Value};

use super::op::vector;
use super::types::{literal, scalar_name};
use super::{Code, name_of};

impl Code<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { result, op, known, loc } => self.op(*result, op, *known, *loc),
            Stmt::Load { result, column, index, stride: Stride::One } => {
                self.op(*result, &Op::At(*column, *index), Known::Nothing, Loc::NONE);
            }
            Stmt::Load { result, column, index, stride } => {
                let (element, index) = (self.p.element(*column), self.p.value(*index));
                let index = match stride {
                    Stride::One => index,
                    Stride::Times(times) => format!("{index} * {times}"),
                    Stride::Parts { by, ahead } => format!("({index} + {ahead}) / {by}"),
                };
                let (ty, result) = (self.p.ty(*result), self.p.value(*result));
                let column = self.p.value(*column);
                self.line(format!("{ty} {result} = (({element} *){column}.elements)[{index}];"));
            }
            Stmt::If { results, cond, then, els, .. } => {
                results.iter().for_each(|&result| self.declare(result));
                self.open(format!("if ({}) {{", self.p.value(*cond)));
                for (side, end) in [(then, "} else {"), (els, "}")] {
                    self.block(side);
                    self.assign(results, &side.results);
                    self.depth -= 1;
                    self.line(end);
                    self.depth += usize::from(end != "}");
                }
            }
            Stmt::Iterate { results, init, params, body, .. } => self.iterate(results, init, params, body),
            Stmt::For(inner) => self.for_loop(inner),
            Stmt::Start(reg) => {
                let imp = self.p.imp;
                let (lanes, start) = (imp.regs[*reg].lanes, literal(imp.regs[*reg].start));
                let reg = self.reg(*reg);
                self.line(format!("for (int i = 0; i < {lanes}; i++) {reg}[i] = {start};"));
            }
            Stmt::Copy { to, from } => {
                let lanes = self.p.imp.regs[*from].lanes;
                let (to, from) = (self.reg(*to), self.reg(*from));
                self.line(format!("memcpy({to}, {from}, {lanes} * sizeof *{to});"));
            }
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                let imp = self.p.imp;
                let of = &imp.regs[*reg];
                let reg = self.reg(*reg);
                let place = match (of.lanes, lane) {
                    (1, _) | (_, Lane::Zero) => format!("{reg}[0]"),
                    (lanes, Lane::Of(position)) => format!("{reg}[{} % {lanes}]", self.p.value(*position)),
                };
                let value = self.p.value(*value);
                let after = match op {
                    AccOp::Reduce(op) => self.binary(op.binary(), of.ty, &place, &value),
                    AccOp::Better(op) => {
                        let sign = if *op == ReduceOp::Min { '<' } else { '>' };
                        format!("{value} {sign} {place} ? {value} : {place}")
                    }
                    AccOp::Same(other) => {
                        format!(
                            "{place} | same_{}({value}, {})",
                            scalar_name(self.p.scalar(*other)),
                            self.p.value(*other)
                        )
                    }
                    AccOp::Set => value,
                    AccOp::Or => format!("{place} | {value}"),
                };
                let guard = mask.map(|mask| format!("if ({}) ", self.p.value(mask))).unwrap_or_default();
                self.line(format!("{guard}{place} = {after};"));
            }
            Stmt::Read { result, reg, fold } => {
                let imp = self.p.imp;
                let of = &imp.regs[*reg];
                let reg = self.reg(*reg);
                let ty = self.p.ty(*result);
                self.line(format!("{ty} {result} = {reg}[0];"));
                let next = self.binary(fold.binary(), of.ty, &result.to_string(), &format!("{reg}[i]"));
                if of.lanes > 1 {
                    self.line(format!("for (int i = 1; i < {}; i++) {result} = {next};", of.lanes));
                }
            }
            Stmt::Pick { result, reg, position } => {
                let (lanes, reg) = (self.p.imp.regs[*reg].lanes, self.reg(*reg));
                let (ty, position) = (self.p.ty(*result), self.p.value(*position));
                self.line(format!("{ty} {result} = {reg}[{position} % {lanes}];"));
            }
            Stmt::Do { results, store, action, args, mask, loc } => {
                if let Some(mask) = mask {
                    self.open(format!("if ({}) {{", self.p.value(*mask)));
                }
                self.action(results, *store, *action, args, *loc);
                if mask.is_some() {
                    self.close("}");
                }
            }
            Stmt::Call { results, func, args } => self.call_func(results, *func, args),
            Stmt::Sort { result, vector, by, .. } => self.sort(*result, *vector, *by),
            Stmt::Fault { cond, cause: Why::Empty, loc } => {
                let cond = self.p.value(*cond);
                self.fault_if(&cond, Cause::Empty, &[], *loc);
            }
            Stmt::Split(split) => self.split(split),
            // Vectors are shared: nothing is written that somebody reads.
            Stmt::Clone { result, value } => {
                let (ty, value) = (self.p.ty(*result), self.p.value(*value));
                self.line(format!("{ty} {result} = {value};"));
            }
            Stmt::Release(vector) => {
                let release = self.p.runtime("weldment_release");
                let bytes = format!("{vector}.len * sizeof(*{vector}.elements)");
                self.line(format!("{release}(frame, {vector}.elements, {bytes});"));
            }
            Stmt::Prefetch { .. } => {}
            Stmt::Lanes(_) | Stmt::Rescan { .. } => unreachable!("vector blocks are refused"),
        }
    }

    pub(super) fn declare(&mut self, value: Value) {
        let ty = self.p.ty(value);
        self.line(format!("{ty} {value};"));
    }

    fn assign(&mut self, names: &[Value], values: &[Value]) {
        for (name, &value) in names.iter().zip(values) {
            self.line(format!("{name} = {};", self.p.value(value)));
        }
    }

    fn iterate(&mut self, results: &[Value], init: &[Value], params: &[Value], body: &Block) {
        let Some((go_on, next)) = body.results.split_last() else { unreachable!("it says whether to go on") };
        for &value in results.iter().chain(params) {
            self.declare(value);
        }
        self.assign(params, init);
        self.open("for (;;) {");
        self.call_runtime("weldment_poll", &["frame"]);
        self.block(body);
        // All at once: what comes next may be another part of the state.
        self.assign(results, next);
        self.line(format!("if (!{}) break;", self.p.value(*go_on)));
        self.assign(params, results);
        self.close("}");
    }

    fn for_loop(&mut self, inner: &For) {
        let [from, to] = inner.range.map(|end| self.p.value(end));
        let (i, step) = (inner.index, inner.step);
        self.open(format!("for (u64 {i} = {from}; {i} < {to}; {i} += {step}) {{"));
        if let Some((few, rest)) = &inner.exit {
            self.open(format!("if ({i} == {few}) {{"));
            self.block(rest);
            self.line("break;");
            self.close("}");
        }
        if let Some(end) = inner.end {
            self.line(format!("u64 {end} = {to} - {i} < {step} ? {to} : {i} + {step};"));
        }
        if let Some(Number { value, first }) = inner.number {
            self.line(format!("i64 {value} = (i64)({} + {i});", self.p.value(first)));
        }
        self.block(&inner.body);
        if inner.poll {
            let poll = self.p.runtime("weldment_poll");
            self.line(format!("if ({to} - {i} > {step} && {poll}(frame)) return 1;"));
        }
        self.close("}");
    }

    fn call_func(&mut self, results: &[Value], id: FuncId, args: &[Arg]) {
        self.p.func(id);
        let imp = self.p.imp;
        results.iter().for_each(|&result| self.declare(result));
        let mut given = self.p.captured(id);
        for (param, arg) in imp.funcs[id].params.iter().zip(args) {
            match (param, *arg) {
                (_, Arg::Value(value)) => given.push(self.p.value(value)),
                (_, Arg::Slice(whole, [start, count])) => {
                    let element = self.p.element(whole);
                    let [start, count] = [start, count].map(|value| self.p.value(value));
                    given.push(vector(
                        &format!("({element} *){whole}.elements + {start}"),
                        &format!("(i64){count}"),
                    ));
                }
                (_, Arg::Reg(reg)) => given.push(self.reg(reg)),
                (Param::Store(store), Arg::Store(_, from)) => {
                    let from = from.map(|from| self.p.value(from));
                    given.extend(self.store_args(*store, from));
                }
                (param, arg) => unreachable!("{arg:?} for {param:?}"),
            }
        }
        given.extend(results.iter().map(|result| format!("&{result}")));
        self.call(&name_of(id), &given);
    }

    fn sort(&mut self, result: Value, sorted: Value, by: SortBy) {
        let imp = self.p.imp;
        let (SortBy::Comparator(id) | SortBy::Key { func: id, .. }) = by;
        self.p.func(id);
        let func = &imp.funcs[id];
        let (number, element) = (self.p.sorts, self.p.element(sorted));
        self.p.sorts += 1;
        // The runtime calls with places; the function takes values.
        let fields: String = self.p.captures(func).iter().map(|capture| format!("{capture}; ")).collect();
        self.line(format!("struct sorted{number} {result}_captures = {{ {} }};", {
            let names: Vec<String> =
                func.captures.iter().map(|&value| self.p.value(value)).chain(["0".to_owned()]).collect();
            names.join(", ")
        }));
        let mut args = vec!["frame".to_owned()];
        args.extend(func.captures.iter().map(|value| format!("c->{value}")));
        let (params, places) = match by {
            SortBy::Comparator(_) => ("const void *a, const void *b", &["a", "b"][..]),
            SortBy::Key { .. } => ("const void *a", &["a"][..]),
        };
        args.extend(places.iter().map(|place| format!("*(const {element} *){place}")));
        args.push("to".to_owned());
        let key = func.body.results[0];
        let key_ty = self.p.ty(key);
        self.p.functions.push(format!(
            "struct sorted{number} {{ {fields}u8 none; }};\n\
             static i32 sort{number}(void *frame, const void *captures, {params}, {key_ty} *to) {{\n    \
             const struct sorted{number} *c = captures; (void)c;\n    return {}({});\n}}\n",
            name_of(id),
            args.join(", ")
        ));
        let whole = self.p.value(sorted);
        let mut args = format!(
            "frame, {whole}.elements, {whole}.len, sizeof({element}), _Alignof({element}), (void *)sort{number}, &{result}_captures"
        );
        let function = match by {
            SortBy::Comparator(_) => "weldment_sort",
            SortBy::Key { descending, .. } => {
                let number = self.p.type_number(&imp.values[key].ty);
                args += &format!(", {number}, {}, -1", i32::from(descending));
                "weldment_sort_by_key"
            }
        };
        debug_assert!(abi::function(function).is_some());
        let function = self.p.runtime(function);
        self.line(format!("void *{result}_block = {function}({args});"));
        self.line(format!("if (!{result}_block) return 1;"));
        self.line(format!("vec {result} = {};", vector(&format!("{result}_block"), &format!("{whole}.len"))));
    }
}
