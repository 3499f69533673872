//! What errors of types say, and what to write instead.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::ty::{Mismatch, Ty};
use super::typed::{Expr, ExprKind};
use super::{Infer, fixed_arrays, forms, no_fixed, no_texts, no_times, structs};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast::{self, Spelling};
use crate::syntax::names;

impl Infer<'_> {
    /// The error of an expression that has another type than expected.
    pub(super) fn mismatch(&self, expr: &Expr, expected: &Ty, why: Mismatch) -> Diagnostic {
        match why {
            Mismatch::Literal(value, span) => self.literal_mismatch(value, span, expected, &expr.ty),
            Mismatch::Infinite => {
                let (want, found) = (self.unifier.show(expected), self.unifier.show(&expr.ty));
                let message =
                    format!("this type would contain itself: `{found}` and `{want}` cannot be equal");
                Diagnostic::new(Code::Infinite, expr.span, message)
                    .help("`[x]` makes a vector of x, and `v.flatten()` takes one level away")
            }
            Mismatch::Types => self.differ(expr.span, expected, &expr.ty, &self.written(expr)),
        }
    }

    /// The error of a value of type `found`, which advice writes as `written`, where `expected` is needed.
    pub(super) fn differ(&self, span: Span, expected: &Ty, found: &Ty, written: &str) -> Diagnostic {
        let message =
            format!("expected `{}`, found `{}`", self.unifier.show(expected), self.unifier.show(found));
        let error = Diagnostic::new(Code::Mismatch, span, message);
        // What has no name gets one where something stands behind it.
        let named = |name| if written == "…" { name } else { written };
        match (self.unifier.seen(expected), self.unifier.seen(found)) {
            (want, found) if want.as_option().is_some() && found.as_option().is_none() => {
                error.help(format!("where there is a value, write `Some({})`", named("x")))
            }
            (want, found) if want.as_option().is_none() && found.as_option().is_some() => {
                let o = named("o");
                error.help(format!("take the value: `{o}.unwrap_or(…)` where there may be none, or `{o}.or_fault()`"))
            }
            (Ty::BOOL, Ty::Scalar(from)) => {
                let zero = if from.is_float() { "0.0" } else { "0" };
                error.help(format!("compare it: `{written} != {zero}`"))
            }
            (Ty::Scalar(to), Ty::Scalar(_)) => {
                error.help(format!("convert it: `{}`", self.cast_of(written, to)))
            }
            (Ty::Vec(to), Ty::Vec(from)) => match (self.unifier.seen(&to), self.unifier.seen(&from)) {
                (to, from) if to.as_option().is_some() && from.as_option().is_none() => {
                    error.help(format!("make an option of each: `{}.map(Some)`", named("v")))
                }
                (to, from) if to.as_option().is_none() && from.as_option().is_some() => error.help(format!(
                    "leave out those without value, `{0}.flatten()`, or say what they are: `{0}.map(|o| o.unwrap_or(…))`",
                    named("v")
                )),
                (to, Ty::Vec(_)) if let Some((_, len)) = to.as_fixed_array() => error.help(format!(
                    "an array of {len} is made of a list of {}, `[x, …]`",
                    forms::counted(len, "element")
                )),
                (Ty::Scalar(to), Ty::Scalar(_)) => {
                    let cast = self.cast_of("x", to);
                    error.help(format!("convert each element: `{}.map(|x| {cast})`", named("v")))
                }
                (Ty::Scalar(_), Ty::Vec(_)) => {
                    error.help(format!("take one level away: `{}.flatten()`", named("v")))
                }
                _ => error,
            },
            (Ty::Vec(_), Ty::Scalar(_)) => error.help(format!("a vector of one element is `[{written}]`")),
            (Ty::Vec(_), Ty::Dict(..)) => error.help(format!("take its pairs: `tovec({})`", named("d"))),
            (Ty::Dict(..), Ty::Vec(_)) => {
                error.help(format!("collect the pairs: `{}.to_dict()`", named("v")))
            }
            (Ty::Scalar(_), Ty::Vec(_)) => {
                error.help(format!("an element of a vector is `{}[i]`", named("v")))
            }
            (Ty::Struct(want), Ty::Vec(element)) if want.is_text() => error.help(no_texts::instead(&element, written)),
            (Ty::Struct(want), Ty::Scalar(_)) if want.is_text() => {
                error.help(format!("its text is `{}.to_string()`", named("x")))
            }
            (Ty::Vec(_), Ty::Struct(found)) if found.is_text() => {
                error.help(format!("take its bytes: `{}.as_bytes()`", named("s")))
            }
            (Ty::Struct(want), Ty::Vec(_)) if let Some((_, len)) = want.as_fixed_array() => {
                match self.unifier.literal_elements(found) {
                    Some(count) if count != len => {
                        error.help(format!("there are {}, and {len} are wanted", forms::counted(count, "element")))
                    }
                    _ => error.help(fixed_arrays::MADE),
                }
            }
            (Ty::Vec(_), Ty::Struct(found)) if found.as_fixed_array().is_some() => {
                error.help(format!("take the vector of its elements: `{}.to_vec()`", named("x")))
            }
            (Ty::Scalar(_), Ty::Struct(found)) if found.as_fixed_array().is_some() => {
                error.help(format!("an element of it is `{}[0]`", named("x")))
            }
            (Ty::Struct(want), Ty::Struct(found))
                if let Some((a, b)) = want.as_fixed().zip(found.as_fixed()) =>
            {
                error.help(no_fixed::rescaled(a, b))
            }
            (Ty::Struct(want), Ty::Vec(_) | Ty::Scalar(_)) if let Some(scale) = want.as_fixed() => {
                error.help(no_fixed::written(scale))
            }
            (Ty::Scalar(_), Ty::Struct(found)) if found.as_fixed().is_some() => error.help(no_fixed::INSTEAD),
            (Ty::Struct(want), Ty::Scalar(_)) if let Some(half) = want.as_half() => {
                error.help(self.rounded_half(half, named("x")))
            }
            (Ty::Scalar(_), Ty::Struct(found)) if let Some(half) = found.as_half() => {
                error.help(self.read_half(half, named("x")))
            }
            (Ty::Struct(want), Ty::Vec(_) | Ty::Scalar(_)) if let Some(temporal) = want.as_temporal() => {
                error.help(no_times::written(temporal))
            }
            (Ty::Scalar(_), Ty::Struct(found)) if found.as_temporal().is_some() => error.help(no_times::INSTEAD),
            (Ty::Struct(want), Ty::Scalar(_)) if want.is_text() => error.help("a text is written `\"x\"`"),
            (Ty::Scalar(to), Ty::Struct(found)) if found.is_text() => {
                error.help(format!("read it: `{}.parse::<{to}>()` is an `Option<{to}>`", named("s")))
            }
            (Ty::Scalar(_), Ty::Struct(fields)) => {
                error.help(format!("take a field of it: `{}.{}`", named("x"), fields.first()))
            }
            (Ty::Struct(want), Ty::Struct(found)) if found.name().is_none() => match want.name() {
                Some(named) => error.help(structs::form(named)),
                None => error,
            },
            (want, found) if found.has_builder() && !want.has_builder() => {
                error.help(format!("take its value: `result({})`", named("b")))
            }
            _ => error,
        }
    }

    /// How messages say that a value of `ty` was found.
    pub(super) fn found(&self, ty: &Ty) -> String {
        match self.unifier.show(ty).as_str() {
            "integer" => "an integer".to_owned(),
            shown => format!("`{shown}`"),
        }
    }

    /// How advice writes the expression: by its name, if it has one.
    pub(super) fn written(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Local(local) => self.locals[*local].name.clone(),
            ExprKind::Let(_, body) => self.written(body),
            _ => "…".into(),
        }
    }

    fn literal_mismatch(&self, value: i128, span: Span, a: &Ty, b: &Ty) -> Diagnostic {
        // One side is the literal's own type, somewhere inside; the other is what its context needs.
        let other = if self.unifier.is_literal(a) { b } else { a };
        let want = self.unifier.show(other);
        let error = Diagnostic::new(Code::Mismatch, span, format!("expected `{want}`, found an integer"));
        match self.unifier.seen(other) {
            Ty::Scalar(scalar) if scalar.is_float() => error.help(format!("write `{value}.0`")),
            _ => error,
        }
    }

    /// A cast of `what` in the program's spelling.
    pub(super) fn cast_of(&self, what: &str, to: Scalar) -> String {
        match self.spelling {
            Spelling::Weld => format!("{to}({what})"),
            Spelling::Rust if what == "…" => format!("(…) as {to}"),
            Spelling::Rust => format!("{what} as {to}"),
        }
    }

    pub(super) fn unknown_type(&self, name: &ast::Ident) -> Diagnostic {
        let names = self.aliases.keys().chain(self.structs.keys()).copied();
        let known = names.chain(Scalar::ALL.map(|scalar| scalar.name()));
        if names::is_type_parameter(&name.name) {
            let message = format!(
                "`{}` is no type here: a program knows no type parameters of the Rust around it",
                name.name
            );
            return Diagnostic::new(Code::TypeParameter, name.span, message).help(
                "name the type, as in `&[f64]`, and write one kernel for each; what they have in common is a function in front of the \
                 program, `fn f<T: Float>(v: &[T]) -> T { … }`. A struct that derives `Weld` needs a name of more than one letter",
            );
        }
        if let Some(instead) = instead_of(&name.name) {
            let message = format!("the type `{}` is not one of the language", name.name);
            return Diagnostic::new(Code::ForeignType, name.span, message).help(instead);
        }
        let message = format!("the type `{}` is not known", name.name);
        let error = Diagnostic::new(Code::UnknownType, name.span, message);
        if name.name == "Fixed" {
            return error.help("a decimal number says how many digits it has behind the point: `Fixed<2>`");
        }
        match nearest(&name.name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "define it before the program, `struct Name { a: f64, b: i32 }`, or pass tuples, `&[(f64, i32)]`",
            ),
        }
    }

    /// The chapter of the reference about values of this type, if it is known.
    pub(super) fn chapter_of(&self, ty: &Ty) -> Option<&'static str> {
        Some(match self.unifier.seen(ty) {
            Ty::Vec(_) => "Vectors",
            Ty::Array(..) => "Arrays",
            Ty::Cursor(_) => "Stencils",
            Ty::Dict(..) => "Dictionaries",
            ty if ty.is_text() => "Texts",
            ty if ty.as_temporal().is_some() => "Dates and times",
            ty if ty.as_fixed().is_some() => "Decimal numbers",
            ty if ty.as_half().is_some() => "Types",
            Ty::Scalar(_) => "Functions of numbers",
            _ => return None,
        })
    }

    /// Says of every unknown name how it becomes a parameter, of the type that its uses want.
    pub(super) fn advise_inputs(&mut self) {
        for (index, name, ty) in std::mem::take(&mut self.inputs) {
            let wanted = self.unifier.wanted(&ty);
            let borrowed = if matches!(wanted, Ty::Vec(_) | Ty::Dict(..)) { "&" } else { "" };
            let ty = self.parameter(&wanted);
            let advice =
                format!("add a parameter, `{name}: {ty}`, or capture it: `[{borrowed}{name}] |…| …`");
            let error = self.errors[index].clone();
            self.errors[index] = error.help(advice);
        }
    }

    /// How a parameter of type `ty` is written.
    fn parameter(&self, ty: &Ty) -> String {
        let shown = self.unifier.show(ty);
        match (self.spelling, ty) {
            (Spelling::Rust, Ty::Vec(element)) => format!("&[{}]", self.unifier.show(element)),
            (Spelling::Rust, Ty::Dict(..)) => format!("&{shown}"),
            _ => shown,
        }
    }
}

const TYPES: &str = "the types are scalars, tuples, `&[T]`, `Vec<T>`, `Option<T>`, `Dict<K, V>` and structs that derive `Weld`";

/// What to pass in place of a type of Rust that the language does not have.
fn instead_of(name: &str) -> Option<&'static str> {
    let last = name.rsplit("::").next().unwrap_or(name);
    Some(match last {
        _ if last != name && !names::is_of_library(name) => return None,
        "int" => "the integers are `i8`, `i16`, `i32`, `i64`, `i128`, and `u8` to `u64`",
        "float" => "the floats are `f32` and `f64`",
        "double" => "write `f64`",
        "boolean" => "write `bool`",
        "string" | "Str" => "a text is a `str`: `&str`, and `&[String]` or `&[&str]` for a column of them",
        "char" => "pass bytes, `u8`, or code points, `u32`",
        "u128" => "the widest integers are `i128` and `u64`",
        "f128" => "the floats are `f32` and `f64`",
        "HashMap" | "BTreeMap" => "a dictionary is a `Dict<K, V>`: collect one from the pairs",
        "Option" => "its values are `Some(x)` and `None`",
        "OsString" | "CString" | "PathBuf" => "pass a text, `&str`, or bytes, `&[u8]`",
        "SystemTime" | "Instant" | "Duration" if last != name || last == "SystemTime" => {
            "a moment is a `Timestamp`, and a length of time a `Span`: `from` makes them of a `SystemTime` and a `Duration`"
        }
        "Result" | "Box" | "Rc" | "Arc" | "Cow" | "Cell" | "RefCell" | "Mutex" | "RwLock" | "PhantomData" => {
            TYPES
        }
        "HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap" | "LinkedList" => {
            "pass the elements as a slice, `&[T]`, or collect a `Dict<K, V>`"
        }
        _ if names::is_of_library(name) => TYPES,
        _ => return None,
    })
}

/// Whether `a` converts to `b` with less loss than `b` to `a`.
pub(super) fn is_narrower(a: Scalar, b: Scalar) -> bool {
    match (a.is_float(), b.is_float()) {
        (false, true) => true,
        (true, false) => false,
        _ => a.size() < b.size(),
    }
}
