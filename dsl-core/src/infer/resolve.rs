//! The end of inference: every type is known, or an error says which is not.

use weldment_runtime::scalar;

use super::check::Check;
use super::ty::{Ty, Unifier};
use super::typed::{self, Expr, ExprKind, Local};
use super::{Infer, Typed};
use crate::diagnostic::{Diagnostic, Kind, out_of_range};
use crate::ir::Arena;

impl Infer<'_> {
    /// The typed program of these parameters and this body.
    pub(super) fn finish(mut self, params: Vec<Local>, mut body: Expr) -> Typed<typed::Program> {
        self.check(Check::Value(body.ty.clone(), body.span))?;
        let undecided = self.solve()?;
        resolve(&self.unifier, &mut body)?;
        let mut locals = Arena::new();
        for id in self.locals.ids() {
            let mut info = self.locals[id].clone();
            info.ty = self.unifier.resolve(&info.ty);
            locals.push(info);
        }
        if let Some(check) = undecided.first() {
            let (ty, span) = check.subject();
            return Err(unknown(&self.unifier, ty, span));
        }
        let mut typed_params = Vec::new();
        for param in params {
            let info = &locals[param];
            match info.ty.to_value() {
                Some(ty) => typed_params.push((param, ty)),
                None if info.ty.has_builder() => {
                    let message = "a builder cannot be a parameter of the program";
                    return Err(Diagnostic::new(Kind::Type, info.span, message)
                        .help("make the builder inside: `appender[f64]`"));
                }
                None => return Err(unknown(&self.unifier, &info.ty, info.span)),
            }
        }
        let Some(result) = body.ty.to_value() else {
            return Err(unknown(&self.unifier, &body.ty, body.span));
        };
        Ok(typed::Program { locals, params: typed_params, body, result })
    }
}

fn unknown(unifier: &Unifier, ty: &Ty, span: proc_macro2::Span) -> Diagnostic {
    let shown = unifier.show(ty);
    Diagnostic::new(Kind::Type, span, format!("the type of this is not known: `{shown}`"))
        .help("say it: `x: f64` after a name or an expression, `appender[f64]`, `[1.0]`")
}

/// Replaces every type inside `expr` by what its variables stand for.
fn resolve(unifier: &Unifier, expr: &mut Expr) -> Typed<()> {
    expr.ty = unifier.resolve(&expr.ty);
    if !is_known(&expr.ty) {
        return Err(unknown(unifier, &expr.ty, expr.span));
    }
    if let ExprKind::Integer(value) = expr.kind {
        literal_in_range(value, expr)?;
    }
    let mut outcome = Ok(());
    expr.for_each_part(&mut |part| {
        if outcome.is_ok() {
            outcome = resolve(unifier, part);
        }
    });
    outcome?;
    if let ExprKind::Member(of, name) = &expr.kind {
        let Ty::Struct(fields) = &of.ty else { unreachable!("only structs have fields") };
        let number = fields.member(name).expect("a check has found the field");
        expr.kind = ExprKind::Field(of.clone(), number as u32);
    }
    Ok(())
}

fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Var(_) => false,
        Ty::Scalar(_) => true,
        Ty::Struct(fields) => fields.iter().all(is_known),
        Ty::Vec(x) | Ty::Appender(x) | Ty::Merger(x, _) | Ty::VecMerger(x, _) => is_known(x),
        Ty::Dict(k, v) | Ty::DictMerger(k, v, _) | Ty::GroupMerger(k, v) => is_known(k) && is_known(v),
    }
}

fn literal_in_range(value: i128, expr: &Expr) -> Typed<()> {
    let Ty::Scalar(ty) = expr.ty else { unreachable!("literals have scalar types") };
    let (low, high) = (scalar::smallest(ty).as_integer(), scalar::largest(ty).as_integer());
    if low.is_some_and(|low| value >= low) && high.is_some_and(|high| value <= high) {
        return Ok(());
    }
    let error = out_of_range(&value.to_string(), ty, expr.span);
    Err(match i64::try_from(value) {
        Ok(_) if ty.size() < 8 => {
            error.help(format!("write `{value}L` for an i64, and make what it meets an i64, too: `i64(…)`"))
        }
        _ => error,
    })
}
