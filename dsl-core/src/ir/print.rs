//! The text form of programs.
//!
//! Printing then [parsing](super::parse()) gives the same program: the same statements, with the same ids of
//! values and sinks. Ids of bodies are not written, for a body stands where it is used.
//!
//! ```text
//! weldment ir 1
//! program(v0: vec[f64], v1: vec[i32]) {
//!   v2: i64 = len v0
//!   v9: f64, v10: vec[i64] = loop v3 < v2 {
//!     sink #0 = reduce + f64
//!     sink #1 = collect i64
//!     v4: f64 = at v0, v3
//!     v5: f64 = const 1.5
//!     v6: bool = lt v4, v5
//!     if v6 {
//!       merge #0, v4
//!     }
//!   }
//!   return v9
//! }
//! ```
//!
//! | text | op |
//! |---|---|
//! | `const 1.5`, `neg v1`, `add v1, v2`, `lt v1, v2`, `order v1, v2`, `exp v1`, `cast v1` | scalars; the type is the one bound |
//! | `select c, a, b` · `struct {a, b}` · `field s, 0` · `vector [a, b]` · `len v` | |
//! | `at v, i` · `lookup v, i` · `slice v, start, size` · `to_vec d` · `key_exists d, k` · `opt_lookup d, k` | |
//! | `sort v by (a: T, b: T) { … return c }` · `serialize x` · `deserialize b` · `assert c` · `call "f"(x)` | |
//! | `find s, part, from`, `to_i64 s` · `shown_i64 x`, `replaced s, part, by` | functions of texts, and those that give new ones |
//! | `iter_len len, start, end, stride` · `range_len start, end, stride` · `units n, digits` · `f32_to_f16 x` · `zip_len n, m` | |
//! | `if c { … yield a } else { … yield b }` · `iterate (s: T = init) { … yield next, go }` | |
//! | `loop i < n, j < m { sink #0 = … }` · `region { sink #0 = … }` (a loop without indices) | |
//! | `for i < n { … }` · `merge #0, x` | |
//!
//! Sinks: `collect T [hint n]`, `reduce R T [init x] [or fault]`, `bucket_collect K -> V`,
//! `bucket_reduce R K -> V`, `scatter + T init v`; R is an operator or `by (a: T, b: T) { … return c }`.
//! With locations, each statement has `@7` after its operands, and each sink at its end. `//` begins a comment.

use std::fmt::{self, Write};

use weldment_runtime::lang::types::Type;

use super::entity::{BodyId, Loc, Value};
use super::lines::{Line, mark_lines};
use super::op::{Const, Empty, Keep, Loop, Op, Order, Program, Reducer, SinkDecl, SinkKind, Stmt};
use super::ops::Writing;

/// The version of the text form, on its first line.
pub const VERSION: u32 = 1;

/// Whether the text tells the source locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locations {
    /// Each statement that has one ends its first line with it.
    Shown,
    /// None is written.
    Hidden,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, Locations::Hidden))
    }
}

/// The text of `program`.
pub fn print(program: &Program, locations: Locations) -> String {
    Printer::whole(program, locations).text
}

/// The text of `program` by lines, each with the location of the statement or sink that begins there.
pub fn print_lines(program: &Program) -> Vec<Line<Loc>> {
    let printer = Printer::whole(program, Locations::Hidden);
    mark_lines(&printer.text, &printer.marks)
}

/// The first line of a statement, as messages quote it.
pub fn print_head(program: &Program, stmt: &Stmt) -> String {
    let mut printer = Printer::new(program, Locations::Hidden);
    printer.stmt(stmt);
    let head = printer.text.lines().next().unwrap_or_default().trim_end_matches('{').trim();
    head.to_owned()
}

/// The text of an op without bodies, where `operand` says how operands are written.
#[doc(hidden)]
pub fn print_op(op: &Op, operand: impl Fn(Value) -> String) -> String {
    let mut out = Writing::new(op.name(), &operand);
    op.write(&mut out);
    out.text
}

struct Printer<'a> {
    program: &'a Program,
    locations: Locations,
    text: String,
    /// The locations so far, whether written or not, and where in the text they belong.
    marks: Vec<(usize, Loc)>,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, locations: Locations) -> Printer<'a> {
        Printer { program, locations, text: String::new(), marks: Vec::new(), depth: 0 }
    }

    fn whole(program: &'a Program, locations: Locations) -> Printer<'a> {
        let mut printer = Printer::new(program, locations);
        printer.put(format_args!("weldment ir {VERSION}\n"));
        if let Some(entry) = program.entry {
            printer.text.push_str("program");
            printer.function(entry);
            printer.text.push('\n');
        }
        printer
    }
}

impl Printer<'_> {
    fn put(&mut self, args: fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(args);
    }

    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.program.ty(value).clone()
    }

    /// `(v0: T, …) { … return v }`.
    fn function(&mut self, body: BodyId) {
        self.text.push('(');
        for (i, &param) in self.program.bodies[body].params.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let ty = self.ty(param);
            self.put(format_args!("{comma}{param}: {ty}"));
        }
        self.text.push_str(") ");
        self.block(body, "return", &[]);
    }

    /// `{ … }`, with `sinks` before the statements and `keyword` before the results.
    fn block(&mut self, body: BodyId, keyword: &str, sinks: &[SinkDecl]) {
        let body = &self.program.bodies[body];
        if body.stmts.is_empty() && body.results.is_empty() && sinks.is_empty() {
            self.text.push_str("{}");
            return;
        }
        self.text.push('{');
        self.depth += 1;
        for SinkDecl { sink, kind, loc } in sinks {
            self.line();
            self.put(format_args!("sink {sink} = "));
            self.sink(kind);
            self.loc(*loc);
        }
        for stmt in &body.stmts {
            self.line();
            self.stmt(stmt);
        }
        if !body.results.is_empty() {
            self.line();
            self.put(format_args!("{keyword} "));
            self.list(&body.results);
        }
        self.depth -= 1;
        self.line();
        self.text.push('}');
    }

    fn list(&mut self, values: &[Value]) {
        for (i, value) in values.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            self.put(format_args!("{comma}{value}"));
        }
    }

    fn sink(&mut self, kind: &SinkKind) {
        match kind {
            SinkKind::Collect { ty, hint, keep } => {
                self.text.push_str("collect ");
                if let Some((word, _)) = Keep::ASKED.iter().find(|(_, asked)| asked == keep) {
                    self.put(format_args!("{word} "));
                }
                self.put(format_args!("{ty}"));
                if let Some(hint) = hint {
                    self.put(format_args!(" hint {hint}"));
                }
            }
            SinkKind::Reduce { ty, reducer, init, empty, order } => {
                self.text.push_str("reduce ");
                self.reducer(reducer);
                if *order == Order::InOrder {
                    self.text.push_str(" in order");
                }
                self.put(format_args!(" {ty}"));
                if let Some(init) = init {
                    self.put(format_args!(" init {init}"));
                }
                if *empty == Empty::Fault {
                    self.text.push_str(" or fault");
                }
            }
            SinkKind::BucketCollect { key, value } => {
                self.put(format_args!("bucket_collect {key} -> {value}"));
            }
            SinkKind::BucketReduce { key, value, reducer } => {
                self.text.push_str("bucket_reduce ");
                self.reducer(reducer);
                self.put(format_args!(" {key} -> {value}"));
            }
            SinkKind::Scatter { ty, op, init } => self.put(format_args!("scatter {op} {ty} init {init}")),
        }
    }

    fn reducer(&mut self, reducer: &Reducer) {
        match reducer {
            Reducer::Op(op) => self.put(format_args!("{op}")),
            Reducer::Func(body) => {
                self.text.push_str("by ");
                self.function(*body);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        for (i, &result) in stmt.results.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let ty = self.ty(result);
            self.put(format_args!("{comma}{result}: {ty}"));
        }
        if !stmt.results.is_empty() {
            self.text.push_str(" = ");
        }
        self.head(&stmt.op);
        self.loc(stmt.loc);
        self.tail(&stmt.op);
    }

    fn loc(&mut self, loc: Loc) {
        self.marks.push((self.text.len(), loc));
        if self.locations == Locations::Shown && loc != Loc::NONE {
            self.put(format_args!(" {loc}"));
        }
    }

    /// The op without its bodies.
    fn head(&mut self, op: &Op) {
        match op {
            Op::Sort { vector, .. } => self.put(format_args!("sort {vector}")),
            Op::If { cond, .. } => self.put(format_args!("if {cond}")),
            Op::Iterate { init, body } => {
                self.text.push_str("iterate (");
                for (i, (&param, init)) in self.program.bodies[*body].params.iter().zip(init).enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    let ty = self.ty(param);
                    self.put(format_args!("{comma}{param}: {ty} = {init}"));
                }
                self.text.push(')');
            }
            Op::Loop(Loop { extents, body, .. }) => {
                self.text.push_str(if extents.is_empty() { "region" } else { "loop" });
                self.indices(*body, extents);
            }
            Op::For { extent, body } => {
                self.text.push_str("for");
                self.indices(*body, &[*extent]);
            }
            Op::Merge { sink, values } => {
                self.put(format_args!("merge {sink}, "));
                self.list(values);
            }
            _ => self.text.push_str(&print_op(op, |operand| operand.to_string())),
        }
    }

    fn indices(&mut self, body: BodyId, extents: &[Value]) {
        for (i, (param, extent)) in self.program.bodies[body].params.iter().zip(extents).enumerate() {
            let comma = if i > 0 { "," } else { "" };
            self.put(format_args!("{comma} {param} < {extent}"));
        }
    }

    /// The bodies of the op.
    fn tail(&mut self, op: &Op) {
        match op {
            Op::Sort { comparator, .. } => {
                self.text.push_str(" by ");
                self.function(*comparator);
            }
            Op::If { then, els, .. } => {
                self.text.push(' ');
                self.block(*then, "yield", &[]);
                let els_body = &self.program.bodies[*els];
                if !els_body.stmts.is_empty() || !els_body.results.is_empty() {
                    self.text.push_str(" else ");
                    self.block(*els, "yield", &[]);
                }
            }
            Op::Iterate { body, .. } | Op::For { body, .. } => {
                self.text.push(' ');
                self.block(*body, "yield", &[]);
            }
            Op::Loop(Loop { body, sinks, .. }) => {
                self.text.push(' ');
                self.block(*body, "yield", sinks);
            }
            _ => {}
        }
    }
}

impl Op {
    /// The word that begins the op in IR text.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Sort { .. } => "sort",
            Op::If { .. } => "if",
            Op::Iterate { .. } => "iterate",
            Op::Loop(inner) if inner.extents.is_empty() => "region",
            Op::Loop(_) => "loop",
            Op::Merge { .. } => "merge",
            Op::For { .. } => "for",
            straight => straight.word(),
        }
    }
}

/// A constant as it stands in IR text, which tells its type elsewhere.
#[doc(hidden)]
#[derive(Debug)]
pub struct Literal(pub Const);

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Const::Bool(x) => write!(f, "{x}"),
            Const::F32(x) if x.is_nan() => f.write_str("nan"),
            Const::F64(x) if x.is_nan() => f.write_str("nan"),
            Const::F32(x) => write!(f, "{x:?}"),
            Const::F64(x) => write!(f, "{x:?}"),
            integer => write!(f, "{}", integer.as_integer().unwrap_or_default()),
        }
    }
}
