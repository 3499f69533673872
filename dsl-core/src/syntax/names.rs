//! Which structs a program names without defining them.

use super::ast::{
    Builder, Closure, Expr, ExprKind, Ident, Iter, IterKind, Pattern, Program, Struct, Type, TypeKind,
};

/// The paths that `program` names as types, or makes values of, and that are neither defined in it nor types of Rust
/// that the language answers with advice: what `weld!` asks for its fields. Each once, in order of appearance.
///
/// ```
/// use weldment_core::syntax::{names, parse_text};
/// let program = parse_text("struct A { b: B } |a: A, c: &[m::C]| B { x: 1 }").unwrap();
/// let names: Vec<_> = names::undefined(&program).into_iter().map(|name| name.name).collect();
/// assert_eq!(names, ["B", "m::C"]);
/// let program = parse_text("|p: point, x: f65| slice(p.v, 0, 1)").unwrap(); // a slip is no struct
/// let names: Vec<_> = names::undefined(&program).into_iter().map(|name| name.name).collect();
/// assert_eq!(names, ["point"]);
/// ```
pub fn undefined(program: &Program) -> Vec<Ident> {
    let mut names = Names { found: Vec::new() };
    for definition in &program.structs {
        definition.fields.iter().for_each(|(_, ty)| names.ty(ty));
    }
    program.aliases.iter().for_each(|alias| names.ty(&alias.ty));
    program.macros.iter().for_each(|definition| names.expr(&definition.body));
    names.closure(&program.closure);
    let mut found = names.found;
    found.retain(|name| !is_defined(program, name));
    found
}

fn is_defined(program: &Program, name: &Ident) -> bool {
    let text = &name.name;
    let is_struct = |definition: &Struct| {
        definition.name.name == *text
            || definition.paths.contains(text)
            || definition.params.iter().any(|param| param.name == *text)
    };
    program.structs.iter().any(is_struct)
        || program.aliases.iter().any(|alias| alias.name.name == *text)
        || program.macros.iter().any(|definition| definition.name.name == *text)
        || RUST.contains(&text.as_str())
        || is_numeric(text)
}

/// Names of Rust, and of what others call scalars, that are no structs of the user: what to write instead is said
/// without asking.
const RUST: [&str; 18] = [
    "Self", "String", "Box", "Rc", "Arc", "Some", "None", "Ok", "Err", "str", "char", "usize", "isize",
    "int", "float", "double", "string", "boolean",
];

/// Whether `name` is one letter and a number, as those of scalars are: `f65` is more likely a slip than a struct.
fn is_numeric(name: &str) -> bool {
    let digits = name.strip_prefix(['i', 'u', 'f']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

struct Names {
    found: Vec<Ident>,
}

impl Names {
    /// `name`, where a value is made or taken apart, if it looks like that of a struct.
    fn name(&mut self, name: &Ident) {
        let last = name.name.rsplit("::").next().unwrap_or_default();
        if last.starts_with(char::is_uppercase) {
            self.type_name(name);
        }
    }

    /// `name`, where nothing but a type can stand.
    fn type_name(&mut self, name: &Ident) {
        if self.found.iter().all(|known| known.name != name.name) {
            self.found.push(name.clone());
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Infer | TypeKind::Scalar(_) => {}
            TypeKind::Name(named) => {
                self.type_name(&named.name);
                named.args.iter().for_each(|arg| self.ty(arg));
            }
            TypeKind::Struct(fields) => fields.iter().for_each(|field| self.ty(field)),
            TypeKind::Vec(x) | TypeKind::Appender(x) | TypeKind::Merger(x, _) | TypeKind::VecMerger(x, _) => {
                self.ty(x)
            }
            TypeKind::Dict(k, v) | TypeKind::DictMerger(k, v, _) | TypeKind::GroupMerger(k, v) => {
                self.ty(k);
                self.ty(v);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(_) | Pattern::Ignore(_) => {}
            Pattern::Struct(fields, _) => fields.iter().for_each(|field| self.pattern(field)),
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
            | ExprKind::Bytes(..)
            | ExprKind::Name(_)
            | ExprKind::Path(..) => {}
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
            ExprKind::Struct(xs) | ExprKind::Vector(xs) => xs.iter().for_each(|x| self.expr(x)),
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
                if !is_method {
                    self.name(name);
                }
                turbofish.iter().for_each(|ty| self.ty(ty));
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Argument(args, at) => self.expr(&args[*at]),
            ExprKind::Builder(builder) => self.builder(builder),
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

    fn builder(&mut self, builder: &Builder) {
        match builder {
            Builder::Appender { ty, hint: value } | Builder::Merger { ty, init: value, .. } => {
                self.ty(ty);
                value.iter().for_each(|value| self.expr(value));
            }
            Builder::DictMerger { key, value, .. } | Builder::GroupMerger { key, value } => {
                self.ty(key);
                self.ty(value);
            }
            Builder::VecMerger { ty, init, .. } => {
                self.ty(ty);
                self.expr(init);
            }
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
