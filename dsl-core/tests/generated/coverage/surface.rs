//! What the trees of programs have held: every kind of expression, builder, pattern and type, every function, and structs
//! with names wherever a struct can be.

use std::collections::BTreeSet;

use weldment_core::infer::{builtins, fixed, times};
use weldment_core::syntax::ast::{
    AxisName, Builder, BuilderKind, BuilderType, Closure, Expr, ExprKind, Iter, IterKind, Outside, Pattern,
    Program, Struct, Type, TypeKind,
};
use weldment_runtime::lang::types::{self, Column};

use super::{Coverage, names, want};

/// The sugar, whose names the census takes from the table itself.
const SUGAR: &str = include_str!("../../../src/infer/sugar.weld");

/// Sugar that is not called by its name.
const INTERNAL: [&str; 67] = [
    "texts_of_column",
    "options_of_column",
    "column_of_texts",
    "column_of_options",
    "parse_fixed",
    "paired",
    "keyed_pairs",
    "smallest_numbers",
    "smallest_keys",
    "largest_numbers",
    "largest_keys",
    "parse_date",
    "parse_moment",
    "floored",
    "civil",
    "civil_days",
    "month_days",
    "text_len",
    "text_is_empty",
    "text_find",
    "text_contains",
    "text_slice",
    "text_behind",
    "texts_joined",
    "like_by",
    "like_whole",
    "like_start",
    "like_next",
    "like_found",
    "like_end",
    "text_join",
    "text_concat",
    "bytes_of_char",
    "is_cut",
    "parse_i64",
    "parse_u64",
    "parse_i128",
    "parse_f32",
    "parse_f64",
    "parse_small",
    "parse_bool",
    "any_point",
    "least",
    "greatest",
    "collected",
    "sorted",
    "sorted_by_key",
    "argsorted",
    "along_one",
    "power",
    "each_line",
    "scanned",
    "scan_lines",
    "scan_rows",
    "scan_vector",
    "scan_vector_back",
    "row_entries",
    "summed",
    "present",
    "option_map",
    "option_filter",
    "option_flatten",
    "flatten_options",
    "join_groups",
    "left_join_groups",
    "splitmix",
    "few_windows",
];

/// What is called as a function only.
const CALLED: [&str; 6] = ["select", "iterate", "assert", "zip", "iter", "rangeiter"];

/// What claims something of a vector that need not be so.
const CLAIMS: [&str; 1] = ["inline"];

/// What is no sugar, and is called as a function or a method.
fn functions() -> impl Iterator<Item = &'static str> {
    builtins::names().filter(|name| !CALLED.contains(name) && !CLAIMS.contains(name)).chain(["dbg"])
}

/// Methods that mean nothing.
const NOISE: [&str; 6] = ["iter", "into_iter", "copied", "cloned", "collect", "to_vec"];

names! { EXPRS, expr_name(ExprKind):
    // By an alias, a constant is a path.
    "const" ExprKind::Const(_) | ExprKind::Path(..),
    "integer" ExprKind::Integer(_),
    "float" ExprKind::Float(_),
    "operator" ExprKind::Operator(_),
    "bytes" ExprKind::Bytes(..),
    // No parser gives an argument in the place of a name.
    "name" ExprKind::Name(_) | ExprKind::Argument(..),
    "let" ExprKind::Let(..),
    "closure" ExprKind::Closure(_),
    "unary" ExprKind::Unary(..),
    "binary" ExprKind::Binary(..),
    // A row is comparisons without the parentheses that Rust needs.
    "compare" ExprKind::Compare(..) | ExprKind::Mixed(_),
    "and" ExprKind::And(..),
    "or" ExprKind::Or(..),
    "range" ExprKind::Range(..),
    "slice" ExprKind::Slice(_),
    "ascribe" ExprKind::Ascribe(..),
    "cast" ExprKind::Cast(..),
    "if" ExprKind::If { .. },
    "some" ExprKind::Option(Some(_)),
    "none" ExprKind::Option(None),
    "match" ExprKind::Match(_),
    "struct" ExprKind::Struct(_),
    "vector" ExprKind::Vector(_),
    "named" ExprKind::Named { rest: None, .. },
    "named from another" ExprKind::Named { rest: Some(_), .. },
    "field" ExprKind::Field(..),
    "member" ExprKind::Member(..),
    "index" ExprKind::Index(..),
    "apply" ExprKind::Apply(..),
    "call" ExprKind::Call { turbofish: None, .. },
    "call with a type" ExprKind::Call { turbofish: Some(_), .. },
    "builder" ExprKind::Builder(_),
    "for" ExprKind::For { .. },
    "deserialize" ExprKind::Deserialize(..),
    "cudf" ExprKind::Cudf { .. },
}

/// What a builder is called here: whether it starts with anything counts where it need not.
fn builder_name(builder: &Builder) -> String {
    let name = builder.ty.kind.name();
    match (builder.ty.kind, &builder.ty.value.kind, &builder.init) {
        (BuilderKind::Appender, TypeKind::Infer, _) => name.to_owned(),
        (BuilderKind::Appender, _, None) => format!("{name} of a type"),
        (BuilderKind::Appender | BuilderKind::Merger, _, Some(_)) => format!("{name} from a value"),
        _ => name.to_owned(),
    }
}

names! { PATTERNS, pattern_name(Pattern):
    "name" Pattern::Name(_),
    "ignore" Pattern::Ignore(_),
    "struct" Pattern::Struct(..),
    "elements" Pattern::Elements(..),
    "named" Pattern::Named(_),
    "at" Pattern::At(..),
    "value" Pattern::Value(_),
    "range" Pattern::Range(_),
    "option" Pattern::Option(..),
    "or" Pattern::Or(_),
}

names! { ITERS, iter_name(IterKind):
    "all" IterKind::All(_),
    "strided" IterKind::Strided { .. },
    "range" IterKind::Range { .. },
}

/// Items, and what is said of builders and of closures.
const SAID: [&str; 26] = [
    "axis",
    "array along named axes",
    "array along an axis of an extent",
    "alias",
    "macro",
    "function",
    "welded function",
    "foreign function by its signature",
    "constant from outside",
    "capture",
    "size from outside",
    "vector of sizes from outside",
    "column of texts from outside",
    "column of values from outside",
    "struct",
    "enum",
    "tuple struct",
    "generic struct",
    "struct in a struct",
    "struct of vectors",
    "loop names the builder it was given",
    "several iterators",
    "closure with a result",
    "closure with a result",
    "let with a type",
    "let without one",
];

/// Where structs with names are used.
const NAMED: [&str; 9] = [
    "as parameter",
    "in a vector of parameter",
    "as result",
    "in a vector of result",
    "as key",
    "as value",
    "merged",
    "appended",
    "scattered",
];

/// What [`Coverage::surface`] should count.
pub(super) fn wanted(wanted: &mut BTreeSet<String>) {
    want(wanted, "expr", EXPRS.iter().copied());
    want(wanted, "builder", BuilderKind::ALL.map(BuilderKind::name));
    want(wanted, "builder", ["appender of a type", "appender from a value", "merger from a value"]);
    want(wanted, "pattern", PATTERNS.iter().copied());
    want(wanted, "iter", ITERS.iter().copied());
    want(wanted, "said", SAID);
    want(wanted, "named struct", NAMED);
    want(wanted, "function", functions().chain(CALLED).chain(sugar()));
    want(
        wanted,
        "method",
        functions().chain(NOISE).chain(sugar()).chain(times::methods()).chain(fixed::methods()),
    );
}

fn sugar() -> impl Iterator<Item = &'static str> {
    let names = SUGAR.lines().filter_map(|line| line.strip_prefix("macro ")?.split('(').next());
    let is_of_types = |name: &&str| ["date_", "moment_", "fixed_"].iter().any(|of| name.starts_with(of));
    names.filter(|name| !INTERNAL.contains(name)).filter(move |name| !is_of_types(name))
}

impl Coverage {
    pub(super) fn surface(&mut self, program: &Program) {
        program.structs.iter().for_each(|definition| self.definition(definition));
        program.axes.iter().for_each(|_| self.count("said", "axis"));
        program.aliases.iter().for_each(|_| self.count("said", "alias"));
        for definition in &program.macros {
            self.count("said", "macro");
            self.expr(&definition.body);
        }
        for function in &program.functions {
            self.count("said", if function.is_welded { "welded function" } else { "function" });
            self.closure(&function.closure);
        }
        program.externs.iter().for_each(|_| self.count("said", "foreign function by its signature"));
        for outside in &program.outside {
            self.count(
                "said",
                match outside {
                    Outside::Constant => "constant from outside",
                    Outside::Capture(_) => "capture",
                },
            );
        }
        for param in program.closure.params.iter().filter_map(|param| param.ty.as_ref()) {
            match &param.kind {
                TypeKind::Size(_) => self.count("said", "size from outside"),
                TypeKind::Vec(element) if matches!(element.kind, TypeKind::Size(_)) => {
                    self.count("said", "vector of sizes from outside");
                }
                TypeKind::Name(named) if named.name.name == Column::STRINGS => {
                    self.count("said", "column of texts from outside");
                }
                TypeKind::Name(named) if named.name.name == Column::NULLABLE => {
                    self.count("said", "column of values from outside");
                }
                _ => {}
            }
        }
        self.closure(&program.closure);
    }

    fn definition(&mut self, definition: &Struct) {
        if !definition.variants.is_empty() {
            return self.count("said", "enum");
        }
        let types = || definition.fields.iter().map(|(_, ty)| &ty.kind);
        let is_param = |name: &str| definition.params.iter().any(|param| param.name == name);
        let is_tuple = definition.fields.iter().all(|(name, _)| name.name.parse::<usize>().is_ok());
        self.count("said", if is_tuple { "tuple struct" } else { "struct" });
        let parts = [
            (!definition.params.is_empty(), "generic struct"),
            (
                types().any(|ty| matches!(ty, TypeKind::Name(of) if !is_param(&of.name.name))),
                "struct in a struct",
            ),
            (types().any(|ty| matches!(ty, TypeKind::Vec(_))), "struct of vectors"),
        ];
        parts.into_iter().filter(|(is_so, _)| *is_so).for_each(|(_, part)| self.count("said", part));
    }

    /// Counts the structs with names of a parameter or result.
    pub(super) fn named(&mut self, place: &str, ty: &types::Type) {
        match ty {
            types::Type::Struct(fields) if fields.name().is_some() => {
                self.count("named struct", &format!("as {place}"));
            }
            types::Type::Vec(element) if element.struct_name().is_some() => {
                self.count("named struct", &format!("in a vector of {place}"));
            }
            _ => {}
        }
    }

    fn built_of(&mut self, ty: &Type, place: &str) {
        if let TypeKind::Name(name) = &ty.kind
            && name.name.name.starts_with('S')
        {
            self.count("named struct", place);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.count("pattern", pattern_name(pattern));
        match pattern {
            Pattern::Name(_) | Pattern::Ignore(_) | Pattern::Value(_) | Pattern::Range(_) => {}
            Pattern::At(_, pattern) => self.pattern(pattern),
            Pattern::Option(value, _) => value.iter().for_each(|value| self.pattern(value)),
            Pattern::Or(parts) | Pattern::Struct(parts, _) | Pattern::Elements(parts, _) => {
                parts.iter().for_each(|part| self.pattern(part))
            }
            Pattern::Named(named) => named.fields.iter().for_each(|(_, field)| self.pattern(field)),
        }
    }

    fn closure(&mut self, closure: &Closure) {
        for param in &closure.params {
            self.pattern(&param.pattern);
            if param.ty.is_some() {
                self.count("said", "parameter with a type");
            }
        }
        if closure.result.is_some() {
            self.count("said", "closure with a result");
        }
        self.expr(&closure.body);
    }

    fn expr(&mut self, expr: &Expr) {
        self.count("expr", expr_name(&expr.kind));
        match &expr.kind {
            ExprKind::Let(bindings, _) => {
                for binding in bindings {
                    self.pattern(&binding.pattern);
                    if let Some(TypeKind::Array(_, axes)) = binding.ty.as_ref().map(|ty| &ty.kind) {
                        for name in axes.names.iter().flatten() {
                            let of = match name {
                                AxisName::Axis(_) => "array along named axes",
                                AxisName::Extent(_) => "array along an axis of an extent",
                            };
                            self.count("said", of);
                        }
                    }
                    self.count(
                        "said",
                        if binding.ty.is_some() { "let with a type" } else { "let without one" },
                    );
                }
            }
            ExprKind::Closure(closure) => return self.closure(closure),
            ExprKind::Match(choice) => choice.arms.iter().for_each(|arm| self.pattern(&arm.pattern)),
            ExprKind::Call { name, is_method, .. } => {
                self.count(if *is_method { "method" } else { "function" }, &name.name);
            }
            ExprKind::Builder(builder) => self.builder(builder),
            ExprKind::For { iters, builder, function } => {
                iters.iter().for_each(|iter| self.iter(iter));
                if iters.len() > 1 {
                    self.count("said", "several iterators");
                }
                if let (ExprKind::Name(_), ExprKind::Closure(closure)) = (&builder.kind, &function.kind)
                    && matches!(closure.params[0].pattern, Pattern::Ignore(_))
                {
                    self.count("said", "loop names the builder it was given");
                }
            }
            _ => {}
        }
        expr.parts().into_iter().for_each(|inner| self.expr(inner));
    }

    fn builder(&mut self, builder: &Builder) {
        self.count("builder", &builder_name(builder));
        let BuilderType { kind, key, value, .. } = &builder.ty;
        key.iter().for_each(|key| self.built_of(key, "as key"));
        self.built_of(
            value,
            match kind {
                BuilderKind::Appender => "appended",
                BuilderKind::Merger => "merged",
                BuilderKind::VecMerger => "scattered",
                BuilderKind::DictMerger | BuilderKind::GroupMerger => "as value",
            },
        );
    }

    fn iter(&mut self, iter: &Iter) {
        self.count("iter", iter_name(&iter.kind));
        match &iter.kind {
            // Inside `zip(…)` these are calls.
            IterKind::Strided { .. } => self.count("function", "iter"),
            IterKind::Range { .. } => self.count("function", "rangeiter"),
            IterKind::All(_) => {}
        }
    }
}
