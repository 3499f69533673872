//! The end of inference: every type is known, or an error says which is not.

use proc_macro2::Span;
use weldment_runtime::lang::scalar;
use weldment_runtime::lang::types::{Scalar, Type};

use super::columns::lent_inside;
use super::condition::Check;
use super::decide::captured_instead;
use super::enums::has_enum;
use super::fields::Named;
use super::limits::check_size;
use super::ty::{Ty, Unifier};
use super::typed::{self, Expr, ExprKind};
use super::{Entry, Infer, Typed};
use crate::constants::refused_where_declared;
use crate::diagnostic::{Code, Diagnostic, out_of_range};
use crate::ir::Arena;
use crate::syntax::ast::Origin;
use crate::syntax::literal;

impl Infer<'_> {
    /// The typed program of these parameters, which may be views, and this body, or all mistakes. Some of the parameters are those of structs
    /// that borrow, `lent`.
    pub(super) fn finish(
        mut self,
        Entry { params, lent, wanted }: Entry,
        mut body: Expr,
    ) -> Result<typed::Program, Vec<Diagnostic>> {
        self.require(Check::Value(body.ty.clone(), body.span));
        let undecided = self.solve();
        self.check_growth(body.span);
        if self.limits.is_exceeded() {
            return Err(self.errors);
        }
        let sizes = self.locals.ids().try_for_each(|id| {
            let info = &self.locals[id];
            check_size(&self.unifier, &info.ty, info.span)
        });
        if let Err(error) = sizes {
            self.exceed(error);
            return Err(self.errors);
        }
        self.advise_inputs();
        let mut unknown = Vec::new();
        let mut sizes = resolve(&self.unifier, &mut body, &mut self.errors, &mut unknown);
        for test in self.matches.iter_mut().filter_map(|arms| arms.last.as_mut()) {
            sizes = sizes.and_then(|()| resolve(&self.unifier, test, &mut self.errors, &mut unknown));
        }
        if let Err(error) = sizes {
            self.exceed(error);
            return Err(self.errors);
        }
        if self.errors.is_empty() && unknown.is_empty() && undecided.is_empty() {
            self.check_matches();
        }
        let mut locals = Arena::new();
        for id in self.locals.ids() {
            let mut info = self.locals[id].clone();
            info.ty = self.unifier.resolve(&info.ty).without_names();
            locals.push(info);
        }
        unknown.extend(undecided.iter().map(|check| unknown_at(&self.unifier, check.subject())));
        // It is why the type of what is made of it is not known.
        unknown.splice(0..0, undecided.iter().filter_map(unknown_outside));
        let mut typed_params = Vec::new();
        for (param, is_view) in params {
            let info = &locals[param];
            match info.ty.to_value() {
                Some(ty) => typed_params.push((
                    param,
                    match ty.as_array() {
                        Some((element, axes)) if is_view => Type::view(element.clone(), axes),
                        _ => ty,
                    },
                )),
                None if info.ty.has_builder() => {
                    let message = "a builder cannot be a parameter of the program";
                    let error = Diagnostic::new(Code::BuilderParameter, info.span, message);
                    self.errors.push(error.help("make the builder inside: `appender[f64]`"));
                }
                None => unknown.push(unknown_at(&self.unifier, (&info.ty, info.span))),
            }
        }
        for &(param, word) in &wanted {
            let ty = typed_params.iter().find(|(local, _)| *local == param);
            if let Some(what) = ty.and_then(|(_, ty)| refused_where_declared(ty)) {
                let message = format!("no parameter that is declared `const` is or holds {what}");
                let error = Diagnostic::new(Code::Constant, word, message);
                self.errors.push(error.help(
                    "leave out `const`; constants are scalars, texts and dates, and structs, arrays and vectors of them",
                ));
            }
        }
        if self.errors.is_empty() {
            // What depends on a type that is not known is not known either: the first tells it.
            self.errors.extend(unknown.into_iter().next());
        }
        if let Some(named) = lent_inside(&body.ty) {
            let message = format!("the result holds `{}`, which borrows", named.shown);
            let error = Diagnostic::new(Code::LentStruct, body.span, message);
            self.errors.push(error.help("give what it holds, in a tuple: `(s.price, s.day)`"));
        } else if let Some(named) = of_library(&body.ty) {
            let message = format!("the result holds `{0}`, which the program does not name", named.shown);
            let error = Diagnostic::new(Code::UnnamedStruct, body.span, message);
            let advice = format!(
                "write the type of the result behind the parameters, `-> …{}`, with the path at which it is found here",
                named.shown
            );
            self.errors.push(error.help(advice));
        }
        let lent = lent.into_iter().map(|(number, ty)| {
            let ty = self.unifier.resolve(&ty).without_names();
            Some((number, lent_inside(&ty)?.to_value()?))
        });
        let lent: Option<Vec<_>> = lent.collect();
        match (body.ty.to_value(), lent) {
            (Some(result), Some(lent)) if self.errors.is_empty() => {
                let constants = wanted.into_iter().map(|(param, _)| param).collect();
                Ok(typed::Program { locals, params: typed_params, lent, constants, body, result })
            }
            _ => Err(self.errors),
        }
    }
}

/// Whether there is an option in values of type `ty`.
fn has_option(ty: &Ty) -> bool {
    ty.as_option().is_some() || ty.parts().any(has_option)
}

/// Whether there is a text in values of type `ty`.
fn has_text(ty: &Ty) -> bool {
    ty.is_text() || ty.parts().any(has_text)
}

/// The error of an option that a foreign function takes or gives.
fn no_foreign(span: Span) -> Diagnostic {
    let message = "a foreign function neither takes nor gives an `Option`";
    Diagnostic::new(Code::ForeignType, span, message)
        .help("hand over the pair of whether there is a value, and the value: `(bool, f64)`")
}

/// The error of an enum whose number comes from somewhere else than its variants.
fn no_number(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code::ForeignType, span, message)
        .help("use the number, `x as u8`, and say which variant each is: `match n { 0 => …, _ => … }`")
}

/// A struct in a value of type `ty` that a library has brought along.
fn of_library(ty: &Ty) -> Option<&Named> {
    match ty {
        Ty::Vec(element) => of_library(element),
        Ty::Array(element, _) => of_library(element),
        Ty::Dict(key, value) => of_library(key).or_else(|| of_library(value)),
        Ty::Struct(fields) => match fields.name() {
            Some(named) if named.origin == Origin::Library => Some(named),
            _ => fields.iter().find_map(of_library),
        },
        _ => None,
    }
}

/// Whether there is an option in values of type `ty` of which nothing else is known.
fn is_of_none(ty: &Ty) -> bool {
    ty.as_option().is_some_and(|value| matches!(value, Ty::Var(_))) || ty.parts().any(is_of_none)
}

fn unknown_at(unifier: &Unifier, (ty, span): (&Ty, Span)) -> Diagnostic {
    let shown = unifier.show(ty);
    if is_of_none(ty) {
        let error =
            Diagnostic::new(Code::NotInferred, span, "it is not known of what type there is no value");
        return error.help("say it: `None: Option<f64>`");
    }
    Diagnostic::new(Code::NotInferred, span, format!("the type of this is not known: `{shown}`"))
        .help("say it: `x: f64` after a name or an expression, `appender[f64]`, `[1.0]`")
}

/// The error of what comes from outside and has no type.
fn unknown_outside(check: &Check) -> Option<Diagnostic> {
    let Check::Outside { name, is_constant, span, .. } = check else { return None };
    let message = format!("the type of `{name}` is not known");
    let error = Diagnostic::new(Code::NotInferred, *span, message);
    Some(match is_constant {
        true => {
            error.help(format!("say it, `({name}: f64)`; if it is no scalar, {}", captured_instead(name)))
        }
        false => error.help(format!("say it, `[{name}: f64]`, or leave it out if nothing reads it")),
    })
}

/// Replaces every type inside `expr` by what its variables stand for. What is wrong with literals goes to `errors`, and
/// which types are not known to `unknown`, the outermost first. A type that is too large ends it.
fn resolve(
    unifier: &Unifier,
    expr: &mut Expr,
    errors: &mut Vec<Diagnostic>,
    unknown: &mut Vec<Diagnostic>,
) -> Typed<()> {
    check_size(unifier, &expr.ty, expr.span)?;
    expr.ty = unifier.resolve(&expr.ty).without_names();
    if !is_known(&expr.ty) {
        unknown.push(unknown_at(unifier, (&expr.ty, expr.span)));
    }
    if let ExprKind::Call { args, .. } = &expr.kind {
        let types = args.iter().map(|arg| unifier.resolve(&arg.ty)).chain([expr.ty.clone()]);
        let types: Vec<Ty> = types.collect();
        if types.iter().any(has_option) {
            errors.push(no_foreign(expr.span));
        } else if types.iter().any(has_text) {
            errors.push(
                Diagnostic::new(Code::ForeignType, expr.span, "a foreign function neither takes nor gives a `str`")
                    .help("hand over the bytes, `s.as_bytes()`, and make a text of those that it gives: `from_utf8(…)`"),
            );
        } else if types.iter().any(has_enum) {
            errors.push(no_number(expr.span, "a foreign function neither takes nor gives an enum"));
        }
    }
    if matches!(expr.kind, ExprKind::Deserialize(_)) && has_enum(&expr.ty) {
        errors.push(no_number(
            expr.span,
            "no enum is read from bytes: they may hold a number that no variant has",
        ));
    }
    if let (ExprKind::Integer(value), Ty::Scalar(ty)) = (&expr.kind, &expr.ty) {
        errors.extend(literal_out_of_range(*value, *ty, expr.span));
    }
    if let (ExprKind::Float(text), Ty::Scalar(ty)) = (&expr.kind, &expr.ty) {
        match literal::float_of(text, *ty) {
            Some(constant) => expr.kind = ExprKind::Const(constant),
            None => errors.push(float_out_of_range(text, *ty, expr.span)),
        }
    }
    if let (ExprKind::Bytes(bytes, Scalar::I8), true) = (&mut expr.kind, expr.ty.is_text()) {
        let kind = ExprKind::Bytes(std::mem::take(bytes), Scalar::U8);
        let bytes = Expr { kind, ty: Ty::vec(Ty::Scalar(Scalar::U8)), span: expr.span };
        expr.kind = ExprKind::Struct(vec![bytes]);
    }
    if let (ExprKind::Vector(elements), true) = (&mut expr.kind, expr.ty.as_fixed_array().is_some()) {
        expr.kind = ExprKind::Struct(std::mem::take(elements));
    }
    let mut outcome = Ok(());
    expr.for_each_part_mut(&mut |part| {
        if outcome.is_ok() {
            outcome = resolve(unifier, part, errors, unknown);
        }
    });
    if let ExprKind::Member(of, name) = &expr.kind
        && let Ty::Struct(fields) = &of.ty
        && let Some(number) = fields.member(name)
    {
        expr.kind = ExprKind::Field(of.clone(), number as u32);
    }
    outcome
}

fn is_known(ty: &Ty) -> bool {
    !matches!(ty, Ty::Var(_)) && ty.parts().all(is_known)
}

/// The error of a float literal that is infinite as an f32.
fn float_out_of_range(text: &str, ty: Scalar, span: Span) -> Diagnostic {
    let error = out_of_range(text, ty, span);
    error.help(format!("write `{text}f64` for an f64, and make what it meets an f64, too"))
}

fn literal_out_of_range(value: i128, ty: Scalar, span: Span) -> Option<Diagnostic> {
    let (low, high) = (scalar::smallest(ty).as_integer(), scalar::largest(ty).as_integer());
    if low.is_some_and(|low| value >= low) && high.is_some_and(|high| value <= high) {
        return None;
    }
    let error = out_of_range(&value.to_string(), ty, span);
    Some(match i64::try_from(value) {
        Ok(_) if ty.size() < 8 => {
            error.help(format!("write `{value}L` for an i64, and make what it meets an i64, too"))
        }
        Err(_) if ty != Scalar::I128 => {
            error.help(format!("write `{value}i128` for an i128, and make what it meets an i128, too"))
        }
        _ => error,
    })
}
