//! The text form of low-level code: registers, stores and functions in order.
//!
//! [Parsing](super::parse()) reads it back: the same statements with the same ids of values, but that constants stand where they
//! are read, so that their ids are told anew, and that the names of structs are not written.
//!
//! ```text
//! weldment imp 1
//! reg a0: f64 x 16 = -0.0
//! store #0 direct 8 u8 -> f64 reduce + order segments memory run split gives v9
//! func main(v0: vec[f64]) entry { … return v3 }
//! ```
//!
//! | text | statement |
//! |---|---|
//! | `v2: i64 = add v0, 1i64` · `… in_bounds` · `… shared v7` · `… near` · `… taken` | an op of the IR, and what is known of it |
//! | `v3: f64 = load v0[v2]` | |
//! | `v4: T, … = if v1 cold else { … yield v2 } else { … yield v3 }` | |
//! | `v5: T = iterate (v6: T = v0) { … yield v7, v8 }` | |
//! | `for v7 in 0..v3 by 16 poll tail short scoped { … } exit 16 { … }` | `for v7 to v8` names the end of a strip, `number v9 from v2` the number of the iteration; `hints (block 16, rows 8, …)` |
//! | `lanes v8 at v7 x 16 apart { … }` | |
//! | `start a0` · `copy a1 from a0` · `v3: f64 = read a0 fold +` | |
//! | `a0[v8] += v9 where v10` · `a0 min= v9` · `a0[v8] better max= v9` · `a0 same v3 \|= v9` · `a0 = v9` · `a0 \|= v9` | accumulates |
//! | `v1: bool, v2: f64 = rescan a0 from a1 by min` | |
//! | `v3: T = do merge #0, v1, v2 where v4` · `do fill #0 by row0, v2` | actions |
//! | `v3: T = call loop0(v1, v0[v2 x v4], a0, #0 at v2)` | |
//! | `v3: T = sort v0 by comparator order0` · `by key key0 descending once` · `… taken` | |
//! | `prefetch v0[v7] x 16 read` · `#0[v7] x 16 written` · `v0[v7] element` · `v0[v7] row` | |
//! | `fault empty if v3` · `v2: T = clone v1` · `release v1` | |
//! | `split v1 chunk 16384 task any range v2..v3 totals (a1 into a0, #1) parts (#0) { init { … } update { … } add { … } merge { … } }` | |
//!
//! A position has the type `pos`, a borrowed value `vec[f64] borrows v0`, a struct of references `{str,str} parts v0 v1`. Numbers without a type are positions; others end in it:
//! `0.5f64`, `-inf_f32`. With locations, `@7` stands behind what is in a statement's head. `//` begins a comment.

mod hints;

use std::fmt::{self, Write};

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::print::{Literal, print_op};
use weldment_core::ir::{Const, Line, Loc, Locations, Value, mark_lines};

use super::{
    AccOp, Action, Arg, Block, Cause, Combine, For, Func, Imp, Info, Known, Lane, Lanes, Memory, Number,
    Ordering, Packing, Param, Plan, Prefetch, Side, SortBy, Split, Stmt, Store, Strategy, Stride, Task,
    Total,
};

/// The version of the text form, on its first line.
pub(super) const VERSION: u32 = 1;

impl fmt::Display for Imp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, Locations::Hidden))
    }
}

/// The text of `imp`.
pub fn print(imp: &Imp, locations: Locations) -> String {
    Printer::whole(imp, locations).text
}

/// The text of `imp` by lines, each with the place of what begins there.
pub fn print_lines(imp: &Imp) -> Vec<Line<Loc>> {
    let printer = Printer::whole(imp, Locations::Hidden);
    mark_lines(&printer.text, &printer.marks)
}

/// The first line of a statement, as messages quote it.
pub fn print_head(imp: &Imp, stmt: &Stmt) -> String {
    let mut printer =
        Printer { imp, locations: Locations::Hidden, text: String::new(), marks: Vec::new(), depth: 0 };
    printer.stmt(stmt);
    printer.text.trim_start().lines().next().unwrap_or_default().trim_end_matches('{').trim_end().to_owned()
}

struct Printer<'a> {
    imp: &'a Imp,
    locations: Locations,
    text: String,
    marks: Vec<(usize, Loc)>,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn whole(imp: &'a Imp, locations: Locations) -> Printer<'a> {
        let mut printer = Printer { imp, locations, text: String::new(), marks: Vec::new(), depth: 0 };
        printer.line(format_args!("weldment imp {VERSION}"));
        for id in imp.regs.ids() {
            let reg = &imp.regs[id];
            printer.line(format_args!("reg {id}: {} x {} = {}", reg.ty, reg.lanes, Literal(reg.start)));
        }
        for id in imp.stores.ids() {
            let head = format!("store {id} {}", printer.store(&imp.stores[id]));
            printer.line_at(head, imp.stores[id].loc);
        }
        for id in imp.funcs.ids() {
            printer.func(&imp.funcs[id]);
        }
        printer
    }
}

impl Printer<'_> {
    fn put(&mut self, text: impl fmt::Display) {
        write!(self.text, "{text}").expect("writing to a string does not fail");
    }

    fn line(&mut self, text: impl fmt::Display) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.put(text);
        self.text.push('\n');
    }

    /// A line about `loc`.
    fn line_at(&mut self, text: impl fmt::Display, loc: Loc) {
        self.marks.push((self.text.len(), loc));
        let loc = self.place(loc);
        self.line(format_args!("{text}{loc}"));
    }

    fn place(&self, loc: Loc) -> String {
        let is_written = self.locations == Locations::Shown && loc != Loc::NONE;
        if is_written { format!(" {loc}") } else { String::new() }
    }

    /// `head { … end results }`, and ` tail` where more follows on the last line.
    fn braces(&mut self, head: impl fmt::Display, block: &Block, end: &str) {
        self.line(format_args!("{head} {{"));
        self.inside(block, end);
        self.line("}");
    }

    fn inside(&mut self, block: &Block, end: &str) {
        self.depth += 1;
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        if !block.results.is_empty() {
            self.line(format_args!("{end} {}", self.list(&block.results)));
        }
        self.depth -= 1;
    }

    /// ` word { … }` behind the brace that was printed last.
    fn behind(&mut self, head: impl fmt::Display, block: &Block) {
        self.text.truncate(self.text.len() - 1);
        self.put(format_args!(" {head} {{\n"));
        self.inside(block, "yield");
        self.line("}");
    }

    // Values.

    fn info(&self, value: Value) -> &Info {
        &self.imp.values[value]
    }

    fn value(&self, value: Value) -> String {
        let info = self.info(value);
        let Some(constant) = info.constant else { return value.to_string() };
        let literal = Literal(constant);
        match constant {
            Const::Bool(_) => literal.to_string(),
            _ if info.position => literal.to_string(),
            Const::F64(x) if !x.is_finite() => format!("{literal}_f64"),
            Const::F32(x) if !x.is_finite() => format!("{literal}_f32"),
            _ => format!("{literal}{}", constant.scalar()),
        }
    }

    fn list(&self, values: &[Value]) -> String {
        values.iter().map(|&value| self.value(value)).collect::<Vec<_>>().join(", ")
    }

    fn typed(&self, value: Value) -> String {
        let info = self.info(value);
        let ty = if info.position { "pos".to_owned() } else { info.ty.to_string() };
        let Some(roots) = &info.roots else { return format!("{value}: {ty}") };
        let roots: String = roots.iter().map(|root| format!(" {root}")).collect();
        let how = if info.in_parts { "parts" } else { "borrows" };
        format!("{value}: {ty} {how}{roots}")
    }

    fn binding(&self, results: &[Value]) -> String {
        let typed: Vec<_> = results.iter().map(|&result| self.typed(result)).collect();
        if typed.is_empty() { String::new() } else { format!("{} = ", typed.join(", ")) }
    }

    fn number(&self, number: Option<Number>) -> String {
        let text = |number: Number| format!(" number {} from {}", number.value, self.value(number.first));
        number.map(text).unwrap_or_default()
    }

    fn mask(&self, mask: Option<Value>) -> String {
        mask.map(|mask| format!(" where {}", self.value(mask))).unwrap_or_default()
    }

    // What stands on top.

    fn store(&self, store: &Store) -> String {
        let strategy = match store.strategy {
            Strategy::Exact { each } => format!("exact {each}"),
            Strategy::Columns { upwards: true } => "columns upwards".to_owned(),
            Strategy::Direct { bits } => format!("direct {bits}"),
            Strategy::Small { packing } => format!("small{}", packed(packing)),
            Strategy::LastWins { packing } => format!("last_wins{}", packed(packing)),
            plain => plain.name().to_owned(),
        };
        let key = store.key.as_ref().map(|key| format!("{key} -> ")).unwrap_or_default();
        let combine = match store.combine {
            Combine::Append => "append".to_owned(),
            Combine::Op(op) => format!("reduce {op}"),
            Combine::Func(func) => format!("reduce by {}", self.imp.funcs[func].name),
            Combine::Last => "last".to_owned(),
        };
        let order = match store.ordering {
            Ordering::Any => "any",
            Ordering::Segments => "segments",
        };
        let memory = match store.memory {
            Memory::Run => "run".to_owned(),
            Memory::Result => "result".to_owned(),
            Memory::Temporary => "temporary".to_owned(),
            Memory::State => "state".to_owned(),
            Memory::Row(of) => format!("row {of}"),
        };
        let split = if store.split { " split" } else { "" };
        let searched = if store.searched { " searched" } else { "" };
        let (item, result) = (&store.item, store.result);
        format!(
            "{strategy} {key}{item} {combine} order {order} memory {memory}{split}{searched} gives {result}"
        )
    }

    fn func(&mut self, func: &Func) {
        let param = |param: &Param| match param {
            Param::Value(value) => self.typed(*value),
            Param::Slice { column, of } => format!("{} = slice of {of}", self.typed(*column)),
            Param::Reg(reg) => reg.to_string(),
            Param::Store(store) => store.to_string(),
        };
        let params: Vec<_> = func.params.iter().map(param).collect();
        let dispatch = if func.dispatch { " dispatch" } else { "" };
        let streams = if func.streams { " streams" } else { "" };
        let captures = match func.captures.as_slice() {
            [] => String::new(),
            captures => format!(" captures {}", self.list(captures)),
        };
        let head = format!(
            "func {}({}) {}{dispatch}{streams}{captures}",
            func.name,
            params.join(", "),
            func.role.word()
        );
        self.marks.push((self.text.len(), func.loc));
        let loc = self.place(func.loc);
        self.braces(format_args!("{head}{loc}"), &func.body, "return");
    }

    // Statements.

    fn stmt(&mut self, stmt: &Stmt) {
        let value = |value: &Value| self.value(*value);
        match stmt {
            Stmt::Let { result, op, known, loc } => {
                let known = match known {
                    Known::Nothing => String::new(),
                    Known::InBounds => " in_bounds".to_owned(),
                    Known::Divides => " divides".to_owned(),
                    Known::Shared(first) => format!(" shared {first}"),
                    Known::Unpredictable => " unpredictable".to_owned(),
                    Known::Near => " near".to_owned(),
                    Known::Taken => " taken".to_owned(),
                };
                let op = print_op(op, |operand| self.value(operand));
                self.line_at(format_args!("{}{op}{known}", self.binding(&[*result])), *loc);
            }
            Stmt::Load { result, column, index, stride } => {
                let result = self.binding(&[*result]);
                let stride = match stride {
                    Stride::One => String::new(),
                    Stride::Times(times) => format!(" times {times}"),
                    Stride::Parts { by, ahead } => format!(" by {by} ahead {ahead}"),
                };
                self.line(format_args!("{result}load {}[{}]{stride}", value(column), value(index)));
            }
            Stmt::If { results, cond, then, els, cold } => {
                let cold = match cold {
                    None => "",
                    Some(Side::Then) => " cold then",
                    Some(Side::Else) => " cold else",
                };
                let head = format!("{}if {}{cold}", self.binding(results), value(cond));
                self.braces(head, then, "yield");
                if *els != Block::default() {
                    self.behind("else", els);
                }
            }
            Stmt::Iterate { results, init, params, counted, replaced, body, loc } => {
                let state = |(&param, init): (&Value, &Value)| {
                    format!("{} = {}", self.typed(param), self.value(*init))
                };
                let state: Vec<_> = params.iter().zip(init).map(state).collect();
                let replaces = if replaced.is_empty() { "" } else { " replaces " };
                let (binding, state, replaced) =
                    (self.binding(results), state.join(", "), self.list(replaced));
                let counts = counted.map_or(String::new(), |Counted { index, steps }| {
                    format!(" counts {} to {}", value(&index), value(&steps))
                });
                let head = format!("{binding}iterate ({state}){counts}{replaces}{replaced}");
                self.marks.push((self.text.len(), *loc));
                let loc = self.place(*loc);
                self.braces(format_args!("{head}{loc}"), body, "yield");
            }
            Stmt::For(inner) => self.for_loop(inner),
            Stmt::Lanes(Lanes { index, number, first, width, apart, body }) => {
                let number = self.number(*number);
                let apart = if *apart { " apart" } else { "" };
                let head = format!("lanes {index}{number} at {} x {width}{apart}", value(first));
                self.braces(head, body, "yield");
            }
            Stmt::Start(reg) => self.line(format_args!("start {reg}")),
            Stmt::Copy { to, from } => self.line(format_args!("copy {to} from {from}")),
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                let lane = match lane {
                    Lane::Zero => String::new(),
                    Lane::Of(position) => format!("[{}]", self.value(*position)),
                };
                let op = match op {
                    AccOp::Reduce(op) => format!("{op}="),
                    AccOp::Better(op) => format!("better {op}="),
                    AccOp::Same(other) => format!("same {} |=", self.value(*other)),
                    AccOp::Set => "=".to_owned(),
                    AccOp::Or => "|=".to_owned(),
                };
                let (value, mask) = (self.value(*value), self.mask(*mask));
                self.line(format_args!("{reg}{lane} {op} {value}{mask}"));
            }
            Stmt::Read { result, reg, fold } => {
                self.line(format_args!("{}read {reg} fold {fold}", self.binding(&[*result])));
            }
            Stmt::Pick { result, reg, position } => {
                let position = self.value(*position);
                self.line(format_args!("{}read {reg}[{position}]", self.binding(&[*result])));
            }
            Stmt::Rescan { wanted, open, total, best, op } => {
                let results = self.binding(&[*wanted, *open]);
                self.line(format_args!("{results}rescan {total} from {best} by {op}"));
            }
            Stmt::Do { results, store, action, args, mask, loc } => {
                let func = match action {
                    Action::Fill(func) | Action::MergeEach(func) => {
                        format!(" by {}", self.imp.funcs[*func].name)
                    }
                    _ => String::new(),
                };
                let args: String = args.iter().map(|arg| format!(", {}", self.value(*arg))).collect();
                let (results, mask) = (self.binding(results), self.mask(*mask));
                self.line_at(format_args!("{results}do {} {store}{func}{args}{mask}", action.name()), *loc);
            }
            Stmt::Call { results, func, args } => {
                let arg = |arg: &Arg| match arg {
                    Arg::Value(value) => self.value(*value),
                    Arg::Slice(vector, [start, count]) => {
                        format!("{}[{} x {}]", self.value(*vector), self.value(*start), self.value(*count))
                    }
                    Arg::Reg(reg) => reg.to_string(),
                    Arg::Store(store, None) => store.to_string(),
                    Arg::Store(store, Some(from)) => format!("{store} at {}", self.value(*from)),
                };
                let args: Vec<_> = args.iter().map(arg).collect();
                let (results, name) = (self.binding(results), &self.imp.funcs[*func].name);
                self.line(format_args!("{results}call {name}({})", args.join(", ")));
            }
            Stmt::Sort { result, vector, by, taken, loc } => {
                let by = match by {
                    SortBy::Comparator(func) => format!("comparator {}", self.imp.funcs[*func].name),
                    SortBy::Key { func, descending, once } => {
                        let descending = if *descending { " descending" } else { "" };
                        let once = if *once { " once" } else { "" };
                        format!("key {}{descending}{once}", self.imp.funcs[*func].name)
                    }
                };
                let taken = if *taken { " taken" } else { "" };
                let head = format!("{}sort {} by {by}{taken}", self.binding(&[*result]), value(vector));
                self.line_at(head, *loc);
            }
            Stmt::Prefetch { what, index } => {
                let index = value(index);
                match what {
                    Prefetch::Block { column, width } => {
                        self.line(format_args!("prefetch {}[{index}] x {width} read", value(column)));
                    }
                    Prefetch::Written { store, width } => {
                        self.line(format_args!("prefetch {store}[{index}] x {width} written"));
                    }
                    Prefetch::Element { column } => {
                        self.line(format_args!("prefetch {}[{index}] element", value(column)));
                    }
                    Prefetch::Row { column } => {
                        self.line(format_args!("prefetch {}[{index}] row", value(column)));
                    }
                    Prefetch::Place { dict } => {
                        self.line(format_args!("prefetch {}[{index}] place", value(dict)));
                    }
                    Prefetch::Found { dict } => {
                        self.line(format_args!("prefetch {}[{index}] found", value(dict)));
                    }
                }
            }
            Stmt::Fault { cond, cause: Cause::Empty, loc } => {
                self.line_at(format_args!("fault empty if {}", value(cond)), *loc);
            }
            Stmt::Split(split) => self.split(split),
            Stmt::Clone { result, value } => {
                self.line(format_args!("{}clone {}", self.binding(&[*result]), self.value(*value)));
            }
            Stmt::Release(value) => self.line(format_args!("release {}", self.value(*value))),
        }
    }

    fn for_loop(&mut self, inner: &For) {
        let For {
            index,
            number,
            end,
            range: [lo, hi],
            step,
            poll,
            tail,
            short,
            scoped,
            exit,
            body,
            hints,
            loc,
        } = inner;
        let end = end.map(|end| format!(" to {end}")).unwrap_or_default();
        let number = self.number(*number);
        let step = if *step == 1 { String::new() } else { format!(" by {step}") };
        let poll = if *poll { " poll" } else { "" };
        let tail = if *tail { " tail" } else { "" };
        let short = if *short { " short" } else { "" };
        let scoped = if *scoped { " scoped" } else { "" };
        let hints = hints.as_ref().map(ToString::to_string).unwrap_or_default();
        let (lo, hi) = (self.value(*lo), self.value(*hi));
        self.marks.push((self.text.len(), *loc));
        let loc = self.place(*loc);
        let head =
            format!("for {index}{end}{number} in {lo}..{hi}{step}{poll}{tail}{short}{scoped}{hints}{loc}");
        self.braces(head, body, "yield");
        if let Some((count, block)) = exit {
            self.behind(format_args!("exit {count}"), block);
        }
    }

    fn split(&mut self, split: &Split) {
        let Split { extent, plan: Plan { chunk, task }, range: [lo, hi], totals, parts, loc, .. } = split;
        let task = match task {
            Task::Any => "any".to_owned(),
            Task::Short => "short".to_owned(),
            Task::Open => "open".to_owned(),
            Task::Segments(None) => "segments".to_owned(),
            Task::Segments(Some(length)) => format!("segments {length}"),
        };
        let total = |total: &Total| match total {
            Total::Reg { chunk, all } => format!("{chunk} into {all}"),
            Total::Store(store) => store.to_string(),
        };
        let totals: Vec<_> = totals.iter().map(total).collect();
        let parts: Vec<_> = parts.iter().map(ToString::to_string).collect();
        let (extent, totals, parts) = (self.value(*extent), totals.join(", "), parts.join(", "));
        let head = format!(
            "split {extent} chunk {chunk} task {task} range {lo}..{hi} totals ({totals}) parts ({parts})"
        );
        self.line_at(format_args!("{head}"), *loc);
        self.text.truncate(self.text.len() - 1);
        self.put(" {\n");
        self.depth += 1;
        for (word, block) in
            [("init", &split.init), ("update", &split.update), ("add", &split.add), ("merge", &split.merge)]
        {
            self.braces(word, block, "yield");
        }
        self.depth -= 1;
        self.line("}");
    }
}

/// ` packed 1 narrow + 2 sum`.
fn packed(packing: Option<Packing>) -> String {
    let text = |Packing { key, narrow, value, sum }| {
        let (narrow, sum) = (if narrow { " narrow" } else { "" }, if sum { " sum" } else { "" });
        format!(" packed {key}{narrow} + {value}{sum}")
    };
    packing.map(text).unwrap_or_default()
}
