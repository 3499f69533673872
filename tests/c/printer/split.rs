//! Loops over all threads: four functions, and the records that go between them.
//!
//! A record has a field for each register and each store of its: `totals` of those that chunks leave, `state` of the parts of tasks, and
//! `total` of what both have come to.

use std::collections::BTreeSet;

use weldment::backend::imp::walk::free_values;
use weldment::backend::imp::{Action, RegId, Split, Stmt, StoreId, Task, Total};
use weldment::backend::ir::Value;

use super::Code;
use super::stores::{Kind, box_of, name};
use super::types::scalar_name;

/// What the functions of one loop share.
struct Parts<'s> {
    split: &'s Split,
    number: usize,
    /// What they read from around, and what stands for it as parameters and as arguments.
    captured: Vec<Value>,
    /// Declarations of what each store captures.
    stores: Vec<String>,
}

impl Code<'_, '_> {
    pub(super) fn split(&mut self, split: &Split) {
        let imp = self.p.imp;
        let mut captured: Vec<Value> = Vec::new();
        for block in [&split.init, &split.update, &split.add, &split.merge] {
            for value in free_values(imp, block, &split.range) {
                if !captured.contains(&value) {
                    captured.push(value);
                }
            }
        }
        let mut stores = Vec::new();
        for &part in &split.parts {
            let (ty, name) = (self.p.item(part), name(part));
            match Kind::of(&imp.stores[part]) {
                Kind::Exact { .. } => stores.push(format!("{ty} *{name}")),
                Kind::Scatter => stores.push(format!("i64 {name}_len")),
                _ => {}
            }
        }
        let number = self.p.splits;
        self.p.splits += 1;
        let parts = Parts { split, number, captured, stores };
        let sizes = self.records(&parts);
        self.init(&parts);
        self.update(&parts);
        self.add(&parts);
        self.merge(&parts);
        self.drive(&parts, sizes);
    }

    /// Defines the records; gives the sizes of `state` and `totals`.
    fn records(&mut self, parts: &Parts<'_>) -> [String; 2] {
        let imp = self.p.imp;
        let (mut state, mut totals, mut total) = (String::new(), String::new(), String::new());
        for of in &parts.split.totals {
            match *of {
                Total::Reg { chunk, all } => {
                    let ty = scalar_name(imp.regs[all].ty);
                    totals += &format!("{ty} {chunk}[1]; ");
                    total += &format!("{ty} {all}[1]; ");
                }
                Total::Store(store) => {
                    let ty = self.p.item(store);
                    let field = format!("{} {}; ", box_of(&ty), name(store));
                    totals += &field;
                    total += &field;
                }
            }
        }
        for &part in &parts.split.parts {
            let (ty, name) = (self.p.item(part), name(part));
            let field = match Kind::of(&imp.stores[part]) {
                Kind::Growing => format!("growing {name}; "),
                Kind::Scatter => format!("{ty} *{name}; "),
                _ => String::new(),
            };
            state += &field;
            total += &field;
        }
        let mut captures: String =
            parts.captured.iter().map(|&value| format!("{} {value}; ", self.p.ty(value))).collect();
        captures.extend(parts.stores.iter().map(|field| format!("{field}; ")));
        let n = parts.number;
        let mut define = |what: &str, fields: &str| {
            let none = if fields.is_empty() { "u8 none; " } else { "" };
            self.p.functions.push(format!("struct {what}{n} {{ {fields}{none}}};\n"));
            if fields.is_empty() { "0".to_owned() } else { format!("sizeof(struct {what}{n})") }
        };
        define("captures", &captures);
        define("total", &total);
        [define("state", &state), define("totals", &totals)]
    }

    /// Prints a function of the four.
    fn part(
        &mut self,
        parts: &Parts<'_>,
        what: &str,
        params: &str,
        known: BTreeSet<RegId>,
        body: impl FnOnce(&mut Code<'_, '_>),
    ) {
        let mut code = Code { known, ..Code::new(self.p) };
        code.line(format!("const struct captures{} *c = captures; (void)c;", parts.number));
        for &value in &parts.captured {
            let ty = code.p.ty(value);
            code.line(format!("{ty} {value} = c->{value}; (void){value};"));
        }
        for store in &parts.stores {
            let name = store.rsplit([' ', '*']).next().unwrap_or_default();
            code.line(format!("{store} = c->{name}; (void){name};"));
        }
        body(&mut code);
        code.finish(&format!(
            "static i32 {what}{}(void *frame, const void *captures, {params})",
            parts.number
        ));
    }

    fn init(&mut self, parts: &Parts<'_>) {
        let imp = self.p.imp;
        let params = format!("struct state{} *state, i64 lo, i64 hi", parts.number);
        self.part(parts, "init", &params, BTreeSet::new(), |code| {
            code.line("(void)state; (void)lo; (void)hi;");
            for &part in &parts.split.parts {
                // What grows begins with nothing, as the record does.
                if Kind::of(&imp.stores[part]) == Kind::Scatter {
                    code.partial(part, &name(part));
                    code.line(format!("state->{0} = {0};", name(part)));
                }
            }
        });
    }

    fn update(&mut self, parts: &Parts<'_>) {
        let imp = self.p.imp;
        let (n, [lo, hi]) = (parts.number, parts.split.range);
        let params = format!("struct state{n} *state, struct totals{n} *totals, i64 lo, i64 hi");
        let regs = parts.split.totals.iter().filter_map(|total| match total {
            Total::Reg { chunk, .. } => Some(*chunk),
            Total::Store(_) => None,
        });
        self.part(parts, "update", &params, regs.clone().collect(), |code| {
            code.line("(void)state; (void)totals;");
            code.line(format!("u64 {lo} = (u64)lo, {hi} = (u64)hi; (void){lo}; (void){hi};"));
            regs.for_each(|chunk| code.field("totals", chunk));
            for total in &parts.split.totals {
                if let Total::Store(store) = total {
                    code.box_field("totals", *store, "");
                }
            }
            for &part in &parts.split.parts {
                let (ty, name) = (code.p.item(part), name(part));
                match Kind::of(&imp.stores[part]) {
                    Kind::Growing => code.line(format!("growing *{name} = &state->{name};")),
                    Kind::Scatter => code.line(format!("{ty} *{name} = state->{name};")),
                    Kind::Exact { each } if each > 1 => {
                        code.line(format!(
                            "i64 {name}_at = lo * {each}, *{name}_next = &{name}_at; (void){name}_next;"
                        ));
                    }
                    _ => {}
                }
            }
            // The record of totals is zeros: its boxes are empty.
            let is_begin = |stmt: &&Stmt| !matches!(stmt, Stmt::Do { action: Action::Begin, .. });
            parts.split.update.stmts.iter().filter(is_begin).for_each(|stmt| code.stmt(stmt));
        });
    }

    fn add(&mut self, parts: &Parts<'_>) {
        let n = parts.number;
        let params = format!("struct total{n} *total, struct totals{n} *totals");
        let mut known = BTreeSet::new();
        for total in &parts.split.totals {
            if let Total::Reg { chunk, all } = total {
                known.extend([*chunk, *all]);
            }
        }
        self.part(parts, "add", &params, known, |code| {
            code.line("(void)total; (void)totals;");
            for total in &parts.split.totals {
                match *total {
                    Total::Reg { chunk, all } => {
                        code.field("totals", chunk);
                        code.field("total", all);
                    }
                    Total::Store(store) => {
                        code.box_field("totals", store, "");
                        code.box_field("total", store, "joined_");
                    }
                }
            }
            code.block(&parts.split.add);
        });
    }

    fn merge(&mut self, parts: &Parts<'_>) {
        let imp = self.p.imp;
        let n = parts.number;
        let params = format!("struct total{n} *total, struct state{n} *state");
        self.part(parts, "merge", &params, BTreeSet::new(), |code| {
            code.line("(void)total; (void)state;");
            for &part in &parts.split.parts {
                let (ty, name) = (code.p.item(part), name(part));
                match Kind::of(&imp.stores[part]) {
                    Kind::Growing => {
                        let append = code.p.runtime("weldment_append");
                        code.line(format!(
                            "{append}(frame, &total->{name}, &state->{name}, sizeof({ty}), _Alignof({ty}));"
                        ));
                    }
                    Kind::Scatter => {
                        let [whole, own] = ["total", "state"].map(|record| format!("{record}->{name}"));
                        code.add_partial(&imp.stores[part], &whole, &own, &format!("{name}_len"));
                        let release = code.p.runtime("weldment_release");
                        code.line(format!("{release}(frame, {own}, {name}_len * sizeof({ty}));"));
                    }
                    _ => {}
                }
            }
        });
    }

    /// The call, and what is around it.
    fn drive(&mut self, parts: &Parts<'_>, [state, totals]: [String; 2]) {
        let imp = self.p.imp;
        let (n, split) = (parts.number, parts.split);
        let of = |count: u64| i64::try_from(count).unwrap_or(i64::MAX).max(1);
        let segment = match split.plan.task {
            Task::Segments(Some(length)) => of(length),
            _ => 0,
        };
        self.p.functions.push(format!(
            "static const struct {{ void *init, *update, *add, *merge; i64 state, totals, chunk, task, segment; }} split{n} =\n    \
             {{ (void *)init{n}, (void *)update{n}, (void *)add{n}, (void *)merge{n}, {state}, {totals}, {}, {}, {segment} }};\n",
            of(split.plan.chunk),
            split.plan.task.number()
        ));
        let names =
            parts.stores.iter().map(|store| store.rsplit([' ', '*']).next().unwrap_or_default().to_owned());
        let captured = parts.captured.iter().map(|&value| self.p.value(value)).chain(names);
        let captured: Vec<String> = captured.collect();
        let captured = if captured.is_empty() { "0".to_owned() } else { captured.join(", ") };
        self.line(format!("struct captures{n} captures{n} = {{ {captured} }};"));
        self.line(format!("struct total{n} total{n} = {{ 0 }};"));
        for total in &split.totals {
            match *total {
                Total::Reg { all, .. } => {
                    let reg = self.reg(all);
                    self.line(format!("total{n}.{reg}[0] = {reg}[0];"));
                }
                Total::Store(store) => {
                    let name = name(store);
                    self.line(format!(
                        "total{n}.{name}.some = {name}_own.some; total{n}.{name}.value = {name}_own.value;"
                    ));
                }
            }
        }
        for &part in &split.parts {
            if Kind::of(&imp.stores[part]) == Kind::Scatter {
                self.line(format!("total{n}.{0} = {0}_whole;", name(part)));
            }
        }
        let extent = self.p.value(split.extent);
        let args = [
            "frame",
            &format!("(void *)&split{n}"),
            &extent,
            &format!("&captures{n}"),
            &format!("&total{n}"),
        ];
        self.call_runtime("weldment_drive", &args);
        for total in &split.totals {
            match *total {
                Total::Reg { all, .. } => self.line(format!("{all}[0] = total{n}.{all}[0];")),
                Total::Store(store) => {
                    let name = name(store);
                    self.line(format!(
                        "{name}_own.some = total{n}.{name}.some; {name}_own.value = total{n}.{name}.value;"
                    ));
                }
            }
        }
        for &part in &split.parts {
            if Kind::of(&imp.stores[part]) == Kind::Growing {
                self.line(format!("*{0} = total{n}.{0};", name(part)));
            }
        }
    }

    /// A register that is in a record.
    fn field(&mut self, record: &str, reg: RegId) {
        let ty = scalar_name(self.p.imp.regs[reg].ty);
        self.line(format!("{ty} *{reg} = {record}->{reg};"));
    }

    /// A box that is in a record.
    fn box_field(&mut self, record: &str, store: StoreId, which: &str) {
        let (ty, name) = (self.p.item(store), name(store));
        self.line(format!("u8 *{name}_{which}some = &{record}->{name}.some; (void){name}_{which}some;"));
        self.line(format!("{ty} *{name}_{which}value = &{record}->{name}.value; (void){name}_{which}value;"));
    }
}
