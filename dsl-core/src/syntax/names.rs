//! What a program names without defining it: structs and functions of the Rust around it.

mod language;

use std::collections::HashSet;

pub use self::language::{column, half, temporal};
pub(crate) use self::language::{fixed, of_fixed};
use super::ast::{
    Closure, Expr, ExprKind, Function, Ident, Iter, IterKind, Pattern, Program, Struct, Type, TypeKind,
    Welded,
};

/// What `program` names and finds neither in itself nor in the language: what `weld!` asks for its tokens. Each once, in
/// order of appearance. `is_word` says what the language, or advice of it, has as the name of a function.
pub fn undefined(program: &Program, is_word: &dyn Fn(&str) -> bool) -> Vec<Undefined> {
    Names::of(program).undefined(&Defined::of(program), is_word, false)
}

/// The constants of the Rust around it that `program` reads: names in capitals, and paths to such, where a value stands, that mean
/// nothing in the program. Each once, in order of appearance.
pub fn constants(program: &Program) -> Vec<Ident> {
    let names = Names::of(program);
    let defined = Defined::of(program);
    // `short::MAX` is one of the type that the program calls `short`.
    let first = |path: &str| path.split("::").next().is_some_and(|first| defined.0.contains(first));
    let is_outside = |path: &str| !names.bound.contains(path) && !defined.0.contains(path) && !first(path);
    let found = names.found.into_iter().filter(|(_, sorts)| sorts.contains(&Sort::Constant));
    found.map(|(path, _)| path).filter(|path| is_outside(&path.name)).collect()
}

/// The same of an item that stands alone. It is not known to itself: a function that calls itself is among what is found. A name in
/// capitals is a constant.
pub fn undefined_of_item(item: &Welded, is_word: &dyn Fn(&str) -> bool) -> Vec<Undefined> {
    let mut names = Names::default();
    let mut defined = Defined::default();
    match item {
        Welded::Function(function) => {
            names.closure(&function.closure);
            defined.0.extend(function.generics.iter().map(|param| param.name.name.as_str()));
        }
        Welded::Constant(constant) => {
            names.ty(&constant.ty);
            names.expr(&constant.value);
        }
    }
    names.undefined(&defined, is_word, true)
}

/// What a program names without defining it.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// Where it is found, at its first place.
    pub path: Ident,
    /// Whether it stands as a type without types of its own.
    pub is_alone: bool,
}

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// As a type without types of its own.
    Alone,
    /// As a type with such, or where a value of it is made.
    Type,
    /// Where it is called or handed on.
    Function,
    /// Where a value stands, in capitals.
    Constant,
    /// In a `use`.
    Used,
}

/// The names that a program gives.
#[derive(Default)]
struct Defined<'a>(HashSet<&'a str>);

impl<'a> Defined<'a> {
    fn of(program: &'a Program) -> Defined<'a> {
        let mut defined = Defined::default();
        program.structs.iter().for_each(|of| defined.add_struct(of));
        program.functions.iter().for_each(|of| defined.add_function(of));
        let others = program.aliases.iter().map(|alias| &alias.name);
        let others = others.chain(program.macros.iter().map(|definition| &definition.name));
        let others = others.chain(program.constants.iter().map(|constant| &constant.name));
        let others = others.chain(program.uses.iter().map(|of| &of.name));
        defined.0.extend(others.map(|name| name.name.as_str()));
        defined.0.extend(program.constants.iter().flat_map(|constant| &constant.paths).map(String::as_str));
        defined
    }

    fn add_struct(&mut self, of: &'a Struct) {
        self.0.insert(&of.name.name);
        self.0.extend(of.paths.iter().map(String::as_str));
        self.0.extend(of.params.iter().map(|param| param.name.as_str()));
    }

    fn add_function(&mut self, of: &'a Function) {
        self.0.insert(&of.name.name);
        self.0.extend(of.paths.iter().map(String::as_str));
        self.0.extend(of.generics.iter().map(|param| param.name.name.as_str()));
    }
}

/// Whether nothing is asked of the type `name`, which is the language's, or else Rust's or a slip, so that advice is given at once.
fn is_answered(name: &str) -> bool {
    RUST.contains(&name)
        || temporal(name).is_some()
        || fixed(name).is_some()
        || half(name).is_some()
        || column(name).is_some()
        || is_numeric(name)
        || is_of_library(name)
        || is_type_parameter(name)
}

/// Whether `path` is one of Rust's own library, none of whose types derives `Weld`.
pub(crate) fn is_of_library(path: &str) -> bool {
    let path = path.strip_prefix("::").unwrap_or(path);
    ["std::", "core::", "alloc::"].iter().any(|library| path.starts_with(library))
}

/// Whether the last name of `path` begins with a capital letter, as those of structs do.
pub(crate) fn is_capital(path: &str) -> bool {
    path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
}

/// Whether `path` is one of a function or a constant of a type, `Point::norm`: types hold no macros.
fn is_of_type(path: &str) -> bool {
    path.rsplit_once("::").is_some_and(|(of, _)| is_capital(of))
}

/// Whether `name` is one capital, as type parameters are called. So no struct can be that is asked for its fields.
pub(crate) fn is_type_parameter(name: &str) -> bool {
    matches!(name.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// Whether `path` ends in the name of a static, `NORM` or `L2_NORM`: what is called so is a kernel, and no struct. Of few
/// letters it could be a struct, `RGB`.
pub(crate) fn is_static(path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap_or(path);
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.chars().all(is_upper) && (name.len() > 3 || name.contains('_'))
}

/// Whether the last name of `path` is that of a constant, `RATE` or `K`.
pub(super) fn is_constant(path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap_or(path);
    is_capital(name) && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Names of Rust, and of what others call scalars, that are no structs of the user: what to write instead is said
/// without asking.
#[rustfmt::skip]
const RUST: [&str; 37] = [
    "Self", "String", "Box", "Rc", "Arc", "Some", "None", "Ok", "Err", "str", "char", "usize", "isize",
    "int", "float", "double", "string", "boolean", "Option", "Result", "Cow", "Cell", "RefCell", "Mutex",
    "RwLock", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap", "LinkedList",
    "PathBuf", "OsString", "CString", "SystemTime", "PhantomData",
];

/// Whether `name` is one letter and a number, as those of scalars are: `f65` is more likely a slip than a struct.
fn is_numeric(name: &str) -> bool {
    let digits = name.strip_prefix(['i', 'u', 'f']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What takes functions behind its first argument: a name that is not known there is one. Elsewhere it is likely a variable.
const TAKE_FUNCTIONS: [&str; 13] = [
    "map",
    "filter",
    "filter_map",
    "and_then",
    "flat_map",
    "any",
    "all",
    "group_by",
    "reduce_by",
    "sort_by_key",
    "partition",
    "min_by_key",
    "max_by_key",
];

/// What is found in a program.
#[derive(Default)]
struct Names {
    found: Vec<(Ident, Vec<Sort>)>,
    /// What patterns bind, anywhere: a name that is a variable somewhere is nothing to ask for.
    bound: HashSet<String>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let mut names = Names::default();
        program.uses.iter().for_each(|of| names.found(&of.path, Sort::Used));
        program.structs.iter().for_each(|of| names.definition(of));
        program.aliases.iter().for_each(|alias| names.ty(&alias.ty));
        program.macros.iter().for_each(|definition| {
            names.bound.extend(definition.params.iter().map(|param| param.name.clone()));
            names.expr(&definition.body);
        });
        program.functions.iter().for_each(|function| names.closure(&function.closure));
        for constant in &program.constants {
            names.ty(&constant.ty);
            names.expr(&constant.value);
        }
        names.closure(&program.closure);
        names
    }

    /// What is found and not `defined`. Of constants some ask, since they are told; to others they are those of Rust.
    fn undefined(
        self,
        defined: &Defined<'_>,
        is_word: &dyn Fn(&str) -> bool,
        asks_constants: bool,
    ) -> Vec<Undefined> {
        let Names { found, bound } = self;
        let is_free = |path: &str| !bound.contains(path) && !is_of_library(path) && !is_word(path);
        let is_asked = |path: &str, sort: Sort| match sort {
            Sort::Used => true,
            Sort::Alone | Sort::Type => !is_answered(path),
            Sort::Function => is_free(path),
            Sort::Constant => asks_constants && is_free(path),
        };
        let mut asked = Vec::new();
        for (path, sorts) in found {
            let is_new = sorts.contains(&Sort::Used) || !defined.0.contains(path.name.as_str());
            if is_new && sorts.iter().any(|sort| is_asked(&path.name, *sort)) {
                asked.push(Undefined { path, is_alone: sorts.contains(&Sort::Alone) });
            }
        }
        asked
    }

    fn definition(&mut self, of: &Struct) {
        of.fields.iter().for_each(|(_, ty)| self.ty(ty));
    }

    /// `name`, where a value is made or taken apart, if it looks like that of a struct.
    fn name(&mut self, name: &Ident) {
        if is_capital(&name.name) {
            self.found(name, Sort::Type);
        }
    }

    fn found(&mut self, path: &Ident, sort: Sort) {
        match self.found.iter_mut().find(|(known, _)| known.name == path.name) {
            Some((_, sorts)) => sorts.push(sort),
            None => self.found.push((path.clone(), vec![sort])),
        }
    }

    fn ty(&mut self, ty: &Type) {
        if let TypeKind::Name(named) = &ty.kind {
            self.found(&named.name, if named.args.is_empty() { Sort::Alone } else { Sort::Type });
        }
        ty.parts().for_each(|part| self.ty(part));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => {
                self.bound.insert(name.name.clone());
            }
            Pattern::Ignore(_) => {}
            Pattern::At(name, pattern) => {
                self.bound.insert(name.name.clone());
                self.pattern(pattern);
            }
            Pattern::Value(value) => self.expr(value),
            Pattern::Range(range) => range.parts().for_each(|bound| self.expr(bound)),
            Pattern::Option(value, _) => value.iter().for_each(|value| self.pattern(value)),
            Pattern::Or(parts) | Pattern::Struct(parts, _) | Pattern::Elements(parts, _) => {
                parts.iter().for_each(|part| self.pattern(part))
            }
            Pattern::Named(named) => {
                self.name(&named.name);
                named.fields.iter().for_each(|(_, field)| self.pattern(field));
            }
        }
    }

    fn closure(&mut self, closure: &Closure) {
        for param in &closure.params {
            self.pattern(&param.pattern);
            param.ty.iter().for_each(|ty| self.ty(ty));
        }
        closure.result.iter().for_each(|ty| self.ty(ty));
        self.expr(&closure.body);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Operator(_)
            | ExprKind::Bytes(..) => {}
            ExprKind::Name(name) => self.value(name),
            ExprKind::Path(first, rest) => {
                let path = Ident { name: format!("{}::{rest}", first.name), ..first.clone() };
                if is_of_type(&path.name) {
                    // A variant of an enum, or else nothing: types have no other names.
                    let (of, _) = path.name.rsplit_once("::").expect("a path of two names");
                    self.found(&Ident { name: of.to_owned(), ..path }, Sort::Type);
                } else if is_capital(&path.name) {
                    self.value(&path);
                } else {
                    self.found(&path, Sort::Function);
                }
            }
            ExprKind::Let(bindings, body) => {
                for binding in bindings {
                    self.pattern(&binding.pattern);
                    binding.ty.iter().for_each(|ty| self.ty(ty));
                    self.expr(&binding.value);
                }
                self.expr(body);
            }
            ExprKind::Closure(closure) => self.closure(closure),
            ExprKind::Unary(_, x) | ExprKind::Field(x, ..) | ExprKind::Member(x, _) => self.expr(x),
            ExprKind::Binary(_, x, y)
            | ExprKind::Compare(_, x, y)
            | ExprKind::And(x, y)
            | ExprKind::Or(x, y)
            | ExprKind::Range(x, y)
            | ExprKind::Index(x, y) => {
                self.expr(x);
                self.expr(y);
            }
            ExprKind::Ascribe(x, ty) | ExprKind::Cast(x, ty) | ExprKind::Deserialize(ty, x) => {
                self.ty(ty);
                self.expr(x);
            }
            ExprKind::If { cond, then, els } => [cond, then, els].into_iter().for_each(|x| self.expr(x)),
            ExprKind::Option(value) => value.iter().for_each(|x| self.expr(x)),
            ExprKind::Match(choice) => {
                self.expr(&choice.of);
                for arm in &choice.arms {
                    self.pattern(&arm.pattern);
                    arm.guard.iter().chain([&arm.body]).for_each(|x| self.expr(x));
                }
            }
            ExprKind::Struct(xs) | ExprKind::Vector(xs) => xs.iter().for_each(|x| self.expr(x)),
            ExprKind::Slice(slice) => slice.parts().for_each(|x| self.expr(x)),
            ExprKind::Mixed(mixed) => mixed.operands.iter().for_each(|x| self.expr(x)),
            ExprKind::Named { name, fields, rest } => {
                self.name(name);
                fields.iter().for_each(|(_, value)| self.expr(value));
                rest.iter().for_each(|rest| self.expr(rest));
            }
            ExprKind::Apply(function, args) => {
                self.expr(function);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Call { name, turbofish, args, is_method } => {
                let is_language =
                    is_of_type(&name.name) || fixed(&name.name).is_some() || half(&name.name).is_some();
                if !is_method && !is_language {
                    let is_struct = is_capital(&name.name) && !is_static(&name.name);
                    let sort = if is_struct { Sort::Type } else { Sort::Function };
                    self.found(name, sort);
                }
                turbofish.iter().for_each(|ty| self.ty(ty));
                args.iter().for_each(|arg| self.expr(arg));
                if TAKE_FUNCTIONS.contains(&name.name.as_str()) {
                    args.iter().skip(1).for_each(|arg| self.handed(arg));
                }
            }
            ExprKind::Argument(args, at) => self.expr(&args[*at]),
            ExprKind::Builder(builder) => {
                builder.ty.types().for_each(|ty| self.ty(ty));
                builder.init.iter().for_each(|init| self.expr(init));
            }
            ExprKind::For { iters, builder, function } => {
                iters.iter().for_each(|iter| self.iter(iter));
                self.expr(builder);
                self.expr(function);
            }
            ExprKind::Cudf { ty, args, .. } => {
                self.ty(ty);
                args.iter().for_each(|arg| self.expr(arg));
            }
        }
    }

    /// `name`, where a value stands.
    fn value(&mut self, name: &Ident) {
        if is_constant(&name.name) {
            self.found(name, Sort::Constant);
        }
    }

    /// `arg`, where a function is wanted.
    fn handed(&mut self, arg: &Expr) {
        if let ExprKind::Name(name) = &arg.kind {
            self.found(name, Sort::Function);
        }
    }

    fn iter(&mut self, iter: &Iter) {
        match &iter.kind {
            IterKind::All(x) => self.expr(x),
            IterKind::Strided { vector, start, end, stride } => {
                [vector, start, end, stride].into_iter().for_each(|x| self.expr(x));
            }
            IterKind::Range { start, end, stride } => {
                [start, end, stride].into_iter().for_each(|x| self.expr(x));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::names;
    use crate::syntax::parse_text;

    #[test]
    fn a_slip_is_no_struct() {
        let names = |text| {
            let program = parse_text(text).unwrap();
            names::undefined(&program, &|_| true)
                .into_iter()
                .map(|found| (found.path.name, found.is_alone))
                .collect::<Vec<_>>()
        };
        let found = names("struct A { b: Bee } |a: A, c: &[m::C]| Bee { x: 1 }");
        assert_eq!(found.iter().map(|found| &found.0[..]).collect::<Vec<_>>(), ["Bee", "m::C"]);
        assert_eq!(
            names("|v: &[Row], w: &[Pair<f64>]| w").iter().map(|found| found.1).collect::<Vec<_>>(),
            [true, false]
        );
        assert_eq!(names("|p: point, x: f65| slice(p.v, 0, 1)")[0].0, "point"); // `f65` is a slip
        assert!(names("|v: &[T], w: std::time::Instant| len(v)").is_empty());
    }

    #[test]
    fn constants_are_names_in_capitals_that_mean_nothing() {
        let names = |text| {
            let found = names::constants(&parse_text(text).unwrap());
            found.into_iter().map(|name| name.name).collect::<Vec<_>>()
        };
        assert_eq!(names("|x: f64| x * RATE + a::STEP + RATE"), ["RATE", "a::STEP"]);
        assert_eq!(names("fn f(x: f64) -> f64 { x * K } |x: f64| f(x)"), ["K"]);
        assert!(
            names("type short = i16; const K: i16 = 3; |n: short, N: i16| short::MAX - K - N - n").is_empty()
        );
        assert!(names("const K: f64; [N] |x: f64| x * K + N + Rate + f64::MAX + Point::ORIGIN").is_empty());
        assert!(names("fn f<T: Int>(x: T) -> T { T::MAX } |v: &[i64]| v.map(|i| NORM(i))").is_empty());
    }

    #[test]
    fn what_is_neither_bound_nor_a_word_is_a_function() {
        let names = |text| {
            let program = parse_text(text).unwrap();
            let found = names::undefined(&program, &|name| matches!(name, "map" | "len" | "sqrt"));
            found.into_iter().map(|found| found.path.name).collect::<Vec<_>>()
        };
        assert_eq!(names("|v: &[f64]| v.map(|x| sqrt(norm(x)) + a::tax(x))"), ["norm", "a::tax"]);
        assert_eq!(names("|v: &[f64]| v.map(a::tax).map(fee) + f(rate)"), ["a::tax", "fee", "f"]);
        assert_eq!(names("|v: &[f64]| NORM(v) + a::NORM(v)"), ["NORM", "a::NORM"]);
        assert_eq!(
            names("use a::{tax, b::fee as f}; |v: &[f64]| v.map(tax).map(f)"),
            ["a::tax", "a::b::fee"]
        );
        assert!(
            names("fn f(g: impl Fn(f64) -> f64) -> f64 { g(1.0) } |v: &[f64]| { let h = |x| f(x); h(1.0) }")
                .is_empty()
        );
        assert!(names("type T = f64; |v: &[f64]| T::MAX + v.norm() + T::norm(v)").is_empty());
    }
}
