//! Prints low-level code for [`Target::default`](weldment::backend::imp::Target) as C11.
//!
//! A function of `imp` is a function of C that gives a status. A value is a constant of its type, in the block that binds it; a register
//! an array of its lanes; a position a `u64`. A store is what its strategy says:
//!
//! | strategy | in C |
//! |---|---|
//! | `Boxed` | `{ u8 some; T value; }`: what has joined, and the part at hand |
//! | `Exact` | the block, and with several elements for each iteration the number of the next |
//! | `Ordered`, `Grow`, `Ragged` | a growing vector; tasks append theirs in order |
//! | `InPlace`, `Partial` | the block; each task has one of its own, which is combined with the whole |
//!
//! Tables are not printed. What allocates, faults and polls calls the runtime, and so do split loops, whose blocks become four functions.

mod op;
mod split;
mod stmt;
mod stores;
mod types;

use std::collections::BTreeSet;

use weldment::backend::imp::{Func, FuncId, Imp, Param, RegId, Stmt};
use weldment::backend::ir::{Entity, Loc, Positions, Value};
use weldment::backend::{Callees, abi};
use weldment::{Scalar, Type};

use types::{Types, literal, scalar_name};

/// A module of C, and what it refers to.
pub(crate) struct Module {
    pub(crate) text: String,
    /// The types that the runtime is told of by number.
    pub(crate) types: Vec<Type>,
    /// What `weldment_link` is to be given, in order.
    pub(crate) links: Vec<Link>,
}

/// An address for the module.
#[derive(Clone, PartialEq)]
pub(crate) enum Link {
    /// A function of the runtime.
    Runtime(&'static str),
    /// A foreign function, or what calls it.
    Foreign(String),
    Shim(String),
}

/// A module under construction.
struct Printer<'a> {
    imp: &'a Imp,
    positions: &'a Positions,
    callees: &'a Callees,
    names: Types,
    functions: Vec<String>,
    printed: BTreeSet<FuncId>,
    types: Vec<Type>,
    links: Vec<Link>,
    splits: usize,
    sorts: usize,
}

/// A function of C under construction.
struct Code<'p, 'a> {
    p: &'p mut Printer<'a>,
    lines: Vec<String>,
    depth: usize,
    /// The registers that are there, and those that it has to declare.
    known: BTreeSet<RegId>,
    own: BTreeSet<RegId>,
}

/// The module of `imp`.
pub(crate) fn print(imp: &Imp, positions: &Positions, callees: &Callees) -> Module {
    let mut printer = Printer {
        imp,
        positions,
        callees,
        names: Types::default(),
        functions: Vec::new(),
        printed: BTreeSet::new(),
        types: Vec::new(),
        links: Vec::new(),
        splits: 0,
        sorts: 0,
    };
    printer.main();
    printer.finish()
}

impl<'a> Printer<'a> {
    /// The entry: the arguments are the fields of a struct.
    fn main(&mut self) {
        let imp = self.imp;
        let entry = &imp.funcs[imp.entry];
        let params: Vec<Value> = entry
            .params
            .iter()
            .filter_map(|param| match param {
                Param::Value(value) => Some(*value),
                _ => None,
            })
            .collect();
        let fields: String = params.iter().map(|&param| format!("{} {param}; ", self.ty(param))).collect();
        let fields = if fields.is_empty() { "u8 none; ".to_owned() } else { fields };
        let result = entry.body.results[0];
        let mut code = Code::new(self);
        for &param in &params {
            let ty = code.p.ty(param);
            code.line(format!("{ty} {param} = args->{param};"));
        }
        code.block(&entry.body);
        code.line(format!("*result = {};", code.p.value(result)));
        let result = code.p.ty(result);
        code.finish(&format!(
            "struct args {{ {fields}}};\n\
             i32 weldment_main(void *frame, const struct args *args, {result} *result)"
        ));
    }

    fn finish(self) -> Module {
        let vector = abi::vector();
        let mut words = vec!["u64 unused"; (vector.size / 8) as usize];
        words[(vector.elements / 8) as usize] = "void *elements";
        words[(vector.len / 8) as usize] = "i64 len";
        let words: String = words.iter().map(|word| format!("{word}; ")).collect();
        let mut links = String::new();
        let mut body = String::new();
        for (i, link) in self.links.iter().enumerate() {
            let name = link.name();
            links += &format!("static {};\n", link.declaration());
            body += &format!("    memcpy(&{name}, table + {i}, sizeof {name});\n");
        }
        let text = format!(
            "{}\ntypedef struct {{ {words}}} vec;\n{}{links}\
             void weldment_link(void *const *table) {{\n    (void)table;\n{body}}}\n{}",
            include_str!("prelude.h"),
            self.names.definitions,
            self.functions.concat(),
        );
        Module { text, types: self.types, links: self.links }
    }

    /// The type of a value.
    fn ty(&mut self, value: Value) -> String {
        let imp = self.imp;
        self.names.name(&imp.values[value].ty)
    }

    /// The type of the elements of a vector.
    fn element(&mut self, vector: Value) -> String {
        let imp = self.imp;
        self.names.name(imp.values[vector].ty.element().expect("a vector has elements"))
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.imp.values[value].ty.as_scalar().expect("the verifier has seen to it")
    }

    /// A value where it is read.
    fn value(&self, value: Value) -> String {
        self.imp.values[value].constant.map_or_else(|| value.to_string(), literal)
    }

    /// The number by which the runtime knows a type.
    fn type_number(&mut self, ty: &Type) -> usize {
        self.types.iter().position(|known| known == ty).unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        })
    }

    /// The name of what is linked.
    fn link(&mut self, link: Link) -> String {
        let name = link.name();
        if !self.links.contains(&link) {
            self.links.push(link);
        }
        name
    }

    fn runtime(&mut self, name: &str) -> String {
        let function = abi::function(name).unwrap_or_else(|| panic!("no function {name}"));
        self.link(Link::Runtime(function.name))
    }

    /// What the function takes of the values that it captures.
    fn captures(&mut self, func: &Func) -> Vec<String> {
        func.captures.iter().map(|&value| format!("{} {value}", self.ty(value))).collect()
    }

    /// Prints a function that is called by its name, once.
    fn func(&mut self, id: FuncId) {
        let imp = self.imp;
        let func = &imp.funcs[id];
        if !self.printed.insert(id) {
            return;
        }
        let mut params = vec!["void *frame".to_owned()];
        params.extend(self.captures(func));
        let mut known = BTreeSet::new();
        for param in &func.params {
            match *param {
                Param::Value(value) => params.push(format!("{} {value}", self.ty(value))),
                Param::Slice { column, .. } => params.push(format!("vec {column}")),
                Param::Reg(reg) => {
                    known.insert(reg);
                    params.push(format!("{} *{reg}", scalar_name(imp.regs[reg].ty)));
                }
                Param::Store(store) => params.extend(self.store_params(store)),
            }
        }
        for (i, &result) in func.body.results.iter().enumerate() {
            params.push(format!("{} *r{i}", self.ty(result)));
        }
        let mut code = Code { known, ..Code::new(self) };
        code.block(&func.body);
        for (i, &result) in func.body.results.iter().enumerate() {
            code.line(format!("*r{i} = {};", code.p.value(result)));
        }
        code.finish(&format!("static i32 {}({})", name_of(id), params.join(", ")));
    }

    /// The arguments for what a function captures.
    fn captured(&self, id: FuncId) -> Vec<String> {
        let captures = self.imp.funcs[id].captures.iter();
        std::iter::once("frame".to_owned()).chain(captures.map(|&value| self.value(value))).collect()
    }
}

/// The name of a function.
fn name_of(id: FuncId) -> String {
    format!("func{}", id.index())
}

impl Link {
    fn name(&self) -> String {
        match self {
            Link::Runtime(name) => (*name).to_owned(),
            Link::Foreign(name) => format!("foreign_{name}"),
            Link::Shim(name) => format!("shim_{name}"),
        }
    }

    fn declaration(&self) -> String {
        let name = self.name();
        let Link::Runtime(runtime) = self else { return format!("void *{name}") };
        let function = abi::function(runtime).expect("it was found before");
        let params: Vec<&str> = function.params.iter().map(|word| word_name(*word)).collect();
        format!("{} (*{name})({})", function.result.map_or("void", word_name), params.join(", "))
    }
}

fn word_name(word: abi::Word) -> &'static str {
    match word {
        abi::Word::Pointer => "void *",
        abi::Word::I32 => "i32",
        abi::Word::I64 => "i64",
        abi::Word::F32 => "f32",
        abi::Word::F64 => "f64",
    }
}

impl<'p, 'a> Code<'p, 'a> {
    fn new(p: &'p mut Printer<'a>) -> Code<'p, 'a> {
        Code { p, lines: Vec::new(), depth: 1, known: BTreeSet::new(), own: BTreeSet::new() }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push(format!("{}{}\n", "    ".repeat(self.depth), line.as_ref()));
    }

    fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// Ends the function, which gives 0.
    fn finish(self, header: &str) {
        let imp = self.p.imp;
        let own = self.own.iter().map(|&reg| {
            let of = &imp.regs[reg];
            format!("    {} {reg}[{}];\n", scalar_name(of.ty), of.lanes)
        });
        let text = format!(
            "{header} {{\n    (void)frame;\n{}{}    return 0;\n}}\n",
            own.collect::<String>(),
            self.lines.concat()
        );
        self.p.functions.push(text);
    }

    /// A register, which is declared unless it is there.
    fn reg(&mut self, reg: RegId) -> String {
        if !self.known.contains(&reg) {
            self.own.insert(reg);
        }
        reg.to_string()
    }

    /// Calls what gives a status.
    fn call(&mut self, name: &str, args: &[String]) {
        self.line(format!("if ({name}({})) return 1;", args.join(", ")));
    }

    fn call_runtime(&mut self, name: &str, args: &[&str]) {
        let name = self.p.runtime(name);
        self.line(format!("if ({name}({})) return 1;", args.join(", ")));
    }

    /// Declares `name` as memory of the run for `count` values of a type.
    fn allocate(&mut self, name: &str, ty: &str, count: &str) {
        let alloc = self.p.runtime("weldment_alloc");
        // A number too large for memory must not wrap to a small one.
        let bytes =
            format!("(u64)({count}) > (u64)INT64_MAX / sizeof({ty}) ? -1 : (i64)(({count}) * sizeof({ty}))");
        self.line(format!("{ty} *{name} = {alloc}(frame, {bytes}, _Alignof({ty}));"));
        self.line(format!("if (!{name}) return 1;"));
    }

    /// A fault where `bad` holds.
    fn fault_if(&mut self, bad: &str, cause: abi::Cause, numbers: &[&str], loc: Loc) {
        let raise = self.p.runtime("weldment_raise");
        let position = self.p.positions.get(loc);
        let mut all: Vec<String> = numbers.iter().map(|number| format!("(i64)({number})")).collect();
        all.resize(4, "0".to_owned());
        let (cause, line, column) = (cause as i32, position.line, position.column);
        self.line(format!(
            "if ({bad}) {{ {raise}(frame, {cause}, {}, {line}, {column}); return 1; }}",
            all.join(", ")
        ));
    }
}

/// What the printer does not print of `imp`, with the token of the first statement that has it, or of none.
pub(crate) fn refused(imp: &Imp) -> Option<(String, Loc)> {
    let mut found: Option<(String, Loc)> = None;
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| {
            let loc = match stmt {
                Stmt::Let { loc, .. }
                | Stmt::Do { loc, .. }
                | Stmt::Iterate { loc, .. }
                | Stmt::Sort { loc, .. } => *loc,
                Stmt::For(inner) => inner.loc,
                Stmt::Split(split) => split.loc,
                _ => Loc::NONE,
            };
            let mut what = matches!(stmt, Stmt::Lanes(_) | Stmt::Rescan { .. }).then_some("vector blocks");
            stmt.for_each_value(|_, value| what = what.or(refused_type(&imp.values[value].ty)));
            if let Some(what) = what
                && found.as_ref().is_none_or(|(_, known)| *known == Loc::NONE)
            {
                found = Some((what.to_owned(), loc));
            }
        });
    }
    // What no statement names is an argument that nobody reads, or there no more.
    let mut types = imp.funcs[imp.entry].params.iter().filter_map(|param| match param {
        Param::Value(value) => refused_type(&imp.values[*value].ty),
        _ => None,
    });
    found.or_else(|| types.next().map(|what| (what.to_owned(), Loc::NONE)))
}

fn refused_type(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Scalar(Scalar::I128) => Some("numbers of 128 bits"),
        Type::Scalar(_) => None,
        Type::Vec(element) => refused_type(element),
        Type::Struct(fields) if fields.is_empty() => Some("structs without fields"),
        Type::Struct(fields) => fields.iter().find_map(refused_type),
        Type::Dict(..) => Some("dictionaries"),
    }
}
