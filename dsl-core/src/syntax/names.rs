//! Which structs a program names without defining them.

use super::ast::{
    Closure, Expr, ExprKind, Function, Ident, Iter, IterKind, Pattern, Program, Struct, Type, TypeKind,
};

/// The paths that `program` names as types, or makes values of, and that are neither defined in it nor types of Rust
/// that the language answers with advice: what `weld!` asks for its fields. Each once, in order of appearance.
pub fn undefined(program: &Program) -> Vec<Undefined> {
    let mut names = Names { found: Vec::new() };
    for definition in &program.structs {
        definition.fields.iter().for_each(|(_, ty)| names.ty(ty));
    }
    program.aliases.iter().for_each(|alias| names.ty(&alias.ty));
    program.macros.iter().for_each(|definition| names.expr(&definition.body));
    program.functions.iter().for_each(|function| names.closure(&function.closure));
    for constant in &program.constants {
        names.ty(&constant.ty);
        names.expr(&constant.value);
    }
    names.closure(&program.closure);
    let mut found = names.found;
    found.retain(|found| !is_defined(program, &found.path));
    found
}

/// A struct that a program names without defining it.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// Where it is found, at its first place.
    pub path: Ident,
    /// Whether it stands as a type without types of its own.
    pub is_alone: bool,
}

fn is_defined(program: &Program, name: &Ident) -> bool {
    let text = &name.name;
    let is_struct = |definition: &Struct| {
        definition.name.name == *text
            || definition.paths.contains(text)
            || definition.params.iter().any(|param| param.name == *text)
    };
    let is_function = |function: &Function| {
        function.name.name == *text || function.generics.iter().any(|param| param.name.name == *text)
    };
    program.structs.iter().any(is_struct)
        || program.aliases.iter().any(|alias| alias.name.name == *text)
        || program.macros.iter().any(|definition| definition.name.name == *text)
        || program.functions.iter().any(is_function)
        || program.constants.iter().any(|constant| constant.name.name == *text)
        || RUST.contains(&text.as_str())
        || is_numeric(text)
        || is_of_library(text)
        || is_type_parameter(text)
}

/// Whether `path` is one of Rust's own library, none of whose types derives `Weld`.
pub(crate) fn is_of_library(path: &str) -> bool {
    let path = path.strip_prefix("::").unwrap_or(path);
    ["std::", "core::", "alloc::"].iter().any(|library| path.starts_with(library))
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

struct Names {
    found: Vec<Undefined>,
}

impl Names {
    /// `name`, where a value is made or taken apart, if it looks like that of a struct.
    fn name(&mut self, name: &Ident) {
        let last = name.name.rsplit("::").next().unwrap_or_default();
        if last.starts_with(char::is_uppercase) {
            self.found(name, false);
        }
    }

    fn found(&mut self, path: &Ident, is_alone: bool) {
        match self.found.iter_mut().find(|known| known.path.name == path.name) {
            Some(known) => known.is_alone |= is_alone,
            None => self.found.push(Undefined { path: path.clone(), is_alone }),
        }
    }

    fn ty(&mut self, ty: &Type) {
        if let TypeKind::Name(named) = &ty.kind {
            self.found(&named.name, named.args.is_empty());
        }
        ty.parts().for_each(|part| self.ty(part));
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
                if !is_method && !is_static(&name.name) {
                    self.name(name);
                }
                turbofish.iter().for_each(|ty| self.ty(ty));
                args.iter().for_each(|arg| self.expr(arg));
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
            names::undefined(&program)
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
        assert!(names("|v: &[T], w: std::time::Instant| NORM(v)").is_empty());
    }
}
