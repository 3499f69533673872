//! The text form of the loop IR: for people, golden tests and `emit`; it is not read back.
//!
//! ```text
//! program(v0: vec[f64]) {
//!   v1: i64 = len v0
//!   nest 0 in chunks of 16384 {
//!     store #0 -> v5: accumulate + f64 in 16 lanes
//!     over v2 < v1 by 16 columns v0 {
//!       v3: f64 = at v0, v2
//!       merge #0, v3 lane v2
//!     }
//!   }
//!   return v5
//! }
//! ```

use std::fmt::{self, Write};

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::{self, Empty, Line, Loc, Stmt, Value, mark_lines};

use super::{
    Block, Function, HashPrefetch, Index, Keyed, Lane, Length, Loop, LoopProgram, Nest, Order, Run, Schedule,
    Seen, Step, Store, StoreKind,
};

impl fmt::Display for LoopProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(self).0)
    }
}

/// The text of `program` by lines, each with the place of the loop, store, merge or op that begins there.
pub fn print_lines(program: &LoopProgram) -> Vec<Line<Loc>> {
    let (text, marks) = printed(program);
    mark_lines(&text, &marks)
}

/// The text of `program`, and where in it what is told of each place.
fn printed(program: &LoopProgram) -> (String, Vec<(usize, Loc)>) {
    let names = ir::Program { values: program.values.clone(), ..ir::Program::default() };
    let mut printer = Printer { program, names: &names, text: String::new(), marks: Vec::new(), indent: 0 };
    printer.program(program);
    (printer.text, printer.marks)
}

struct Printer<'a> {
    program: &'a LoopProgram,
    /// Only for the types of values.
    names: &'a ir::Program,
    text: String,
    marks: Vec<(usize, Loc)>,
    indent: usize,
}

impl Printer<'_> {
    fn put(&mut self, text: impl fmt::Display) {
        write!(self.text, "{text}").expect("writing to a string does not fail");
    }

    fn line(&mut self, text: impl fmt::Display) {
        self.start();
        self.put(text);
        self.text.push('\n');
    }

    fn start(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.indent));
    }

    /// What comes next is about `loc`.
    fn mark(&mut self, loc: Loc) {
        self.marks.push((self.text.len(), loc));
    }

    /// `head {`, then what `body` puts, then `}`.
    fn braces(&mut self, head: impl fmt::Display, body: impl FnOnce(&mut Self)) {
        self.line(format_args!("{head} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    fn typed(&self, values: &[Value]) -> String {
        let typed: Vec<_> =
            values.iter().map(|&value| format!("{value}: {}", self.names.ty(value))).collect();
        typed.join(", ")
    }

    fn binding(&self, results: &[Value]) -> String {
        if results.is_empty() { String::new() } else { format!("{} = ", self.typed(results)) }
    }

    fn program(&mut self, program: &LoopProgram) {
        let head = format!("program({})", self.typed(&program.params));
        self.braces(head, |printer| printer.block(&program.body, "return"));
    }

    fn block(&mut self, block: &Block, end: &str) {
        for step in &block.steps {
            self.step(step);
        }
        if !block.results.is_empty() {
            self.line(format_args!("{end} {}", list(&block.results)));
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Bind { result, op, loc } => {
                self.mark(*loc);
                let stmt = Stmt { results: vec![*result], op: op.clone(), loc: *loc };
                let head = ir::print::print_head(self.names, &stmt);
                match self.program.shared_searches.get(result) {
                    Some(first) => self.line(format_args!("{head} found by {first}")),
                    None if self.program.in_bounds.contains(result) => {
                        self.line(format_args!("{head} within"))
                    }
                    None => self.line(head),
                }
            }
            Step::If { results, cond, then, els } => {
                let head = format!("{}if {cond}", self.binding(results));
                self.braces(head, |printer| printer.block(then, "yield"));
                if !els.steps.is_empty() || !els.results.is_empty() {
                    self.text.truncate(self.text.len() - 1);
                    self.text.push_str(" else {\n");
                    self.indent += 1;
                    self.block(els, "yield");
                    self.indent -= 1;
                    self.line("}");
                }
            }
            Step::Iterate { results, init, params, counted, body, loc } => {
                self.mark(*loc);
                let state: Vec<_> = params.iter().zip(init).map(|(p, i)| format!("{p} = {i}")).collect();
                let counts = counted
                    .map_or(String::new(), |Counted { index, steps }| format!(" counts {index} to {steps}"));
                let head = format!("{}iterate ({}){counts}", self.binding(results), state.join(", "));
                self.braces(head, |printer| printer.block(body, "yield"));
            }
            Step::Sort { result, vector, order, loc } => {
                self.mark(*loc);
                let head = format!("{}sort {vector}", self.binding(&[*result]));
                match order {
                    Order::Comparator(function) => self.function(&head, function),
                    Order::Key(key) => {
                        let way = if key.descending { "descending " } else { "" };
                        let params = self.typed(&[key.param]);
                        let head = format!("{head} by {way}key ({params})");
                        self.braces(head, |printer| printer.block(&key.body, "return"));
                    }
                }
            }
            Step::Nest(nest) => self.nest(nest),
            Step::For(inner) => self.run_over("for", inner),
            Step::Merge(merge) => {
                self.mark(merge.loc);
                let lane = match merge.lane {
                    Lane::Index(index) => format!(" lane {index}"),
                    Lane::Zero => String::new(),
                };
                let guard = merge.guard.map(|guard| format!(" if {guard}")).unwrap_or_default();
                let compared =
                    merge.compared.map(|lanes| format!(" compared in {lanes}")).unwrap_or_default();
                let values = list(&merge.values);
                self.line(format_args!("merge {}, {values}{lane}{guard}{compared}", merge.sink));
            }
        }
    }

    fn function(&mut self, head: &str, function: &Function) {
        let params = self.typed(&function.params);
        self.braces(format_args!("{head} by ({params})"), |printer| printer.block(&function.body, "return"));
    }

    fn nest(&mut self, nest: &Nest) {
        let schedule = match nest.schedule {
            Schedule::Serial => "serial".to_owned(),
            Schedule::Few => "of few".to_owned(),
            Schedule::Points { chunk } => format!("in chunks of {chunk} points"),
            Schedule::Scans { chunk, scanned } => {
                format!("in chunks of {chunk} scans of {}", scanned)
            }
            Schedule::Columns { chunk, scanned } => format!("in chunks of {chunk} columns of {}", scanned),
            Schedule::Chunks { chunk, segment: None } => format!("in chunks of {chunk}"),
            Schedule::Chunks { chunk, segment: Some(segment) } => {
                format!("in chunks of {chunk} and segments of {segment}")
            }
        };
        self.mark(nest.loc);
        self.braces(format_args!("nest {} {schedule}", nest.id), |printer| {
            for store in &nest.stores {
                printer.store(store);
            }
            match &nest.run {
                Run::Once(block) => printer.braces("once", |printer| printer.block(block, "yield")),
                Run::Over(inner) => printer.run_over("over", inner),
            }
        });
    }

    fn run_over(&mut self, word: &str, inner: &Loop) {
        let by = inner.block.map(|block| format!(" by {block}")).unwrap_or_default();
        let rows = inner.rows.map(|rows| format!(" {rows} rows at a time")).unwrap_or_default();
        let in_order = inner.prologue.map(|few| format!(" the first {few} in order")).unwrap_or_default();
        let feeds = inner.feeds.map(|sink| format!(" feeds {sink}")).unwrap_or_default();
        let prefetch = match inner.prefetch.as_slice() {
            [] => String::new(),
            prefetch => format!(" prefetch {}", list(prefetch)),
        };
        let of_keys = |keys: &HashPrefetch| format!(" prefetch keys {} of {}", keys.column, keys.sink);
        let keys: String = inner.hash_prefetch.iter().map(of_keys).collect();
        let columns = match inner.columns.as_slice() {
            [] => String::new(),
            columns => format!(" columns {}", list(columns)),
        };
        self.mark(inner.loc);
        let head = format!(
            "{word} {} < {}{by}{in_order}{feeds}{rows}{columns}{prefetch}{keys}",
            inner.index, inner.extent
        );
        self.braces(head, |printer| printer.block(&inner.body, "yield"));
    }

    fn store(&mut self, store: &Store) {
        self.mark(store.loc);
        let head = format!("store {} -> {}: ", store.sink, store.result);
        match &store.kind {
            StoreKind::Accumulate { op, ty, leaves, init, empty, seen } => {
                let lanes: Vec<_> = leaves.iter().map(|leaf| leaf.lanes.to_string()).collect();
                let seen = match seen {
                    Seen::NotNeeded => "",
                    Seen::Extent => " by extent",
                    Seen::Flag => " by flag",
                };
                let (init, empty) = ends(*init, *empty);
                let narrow = leaves.iter().find(|leaf| leaf.ty != leaf.total);
                let narrow = narrow.map(|leaf| format!(" of {}", leaf.ty)).unwrap_or_default();
                let lanes = lanes.join(", ");
                self.line(format_args!(
                    "{head}accumulate {op} {ty} in {lanes} lanes{narrow}{init}{empty}{seen}"
                ));
            }
            StoreKind::Fold { ty, func, init, empty } => {
                let (init, empty) = ends(*init, *empty);
                self.function(&format!("{head}fold {ty}{init}{empty}"), func);
            }
            StoreKind::Collect { ty, length } => {
                let length = match length {
                    Length::Exact { each: 1 } => " exact".to_owned(),
                    Length::Exact { each } => format!(" exact {each} each"),
                    Length::AtMost => " at most".to_owned(),
                    Length::Unknown(hint) => hint.map(|hint| format!(" hint {hint}")).unwrap_or_default(),
                };
                let rows = if self.program.rows.contains(&store.result) { "rows " } else { "" };
                self.line(format_args!("{head}collect {rows}{ty}{length}"));
            }
            StoreKind::Table { key, value, what, index } => {
                let index = match index {
                    Index::Direct { bits } => format!("direct {bits}"),
                    Index::Hash => "hash".to_owned(),
                };
                let head = format!("{head}table {index} {key} -> {value}");
                match what {
                    Keyed::Reduce(op) => self.line(format_args!("{head} reduce {op}")),
                    Keyed::Group => self.line(format_args!("{head} group")),
                    Keyed::Last => self.line(format_args!("{head} last")),
                    Keyed::Fold(function) => self.function(&format!("{head} fold"), function),
                }
            }
            StoreKind::Scatter { ty, op, init } => {
                self.line(format_args!("{head}scatter {op} {ty} init {init}"));
            }
        }
    }
}

fn ends(init: Option<Value>, empty: Empty) -> (String, &'static str) {
    let init = init.map(|init| format!(" init {init}")).unwrap_or_default();
    (init, if empty == Empty::Fault { " or fault" } else { "" })
}

fn list(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}
