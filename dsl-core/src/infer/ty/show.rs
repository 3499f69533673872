//! Types as messages show them.

use weldment_runtime::lang::types::Pointer;

use super::{AxisTy, Ty, Unifier};
use crate::syntax::ast::{Spelling, Start};

/// Of how many parts a message shows a type; `…` stands for the others.
const SHOWN: usize = 200;

impl Unifier {
    /// The type as an error message shows it: in the program's spelling, with a mark for what is not known and
    /// `integer` for a literal that nothing has decided.
    pub fn show(&self, ty: &Ty) -> String {
        self.show_parts(ty, "integer", &mut { SHOWN })
    }

    /// As [`Unifier::show`], with `literal` for a literal that nothing has decided, of `left` parts.
    fn show_parts(&self, ty: &Ty, literal: &str, left: &mut usize) -> String {
        let Some(fewer) = left.checked_sub(1) else { return "…".into() };
        *left = fewer;
        let is_rust = self.spelling == Spelling::Rust;
        let ty = self.seen(ty);
        // What a builder holds is shown as it is by default: builder types are quoted to be written.
        let literal = if ty.is_builder() { "i32" } else { literal };
        let mut one = |ty: &Ty| self.show_parts(ty, literal, left);
        match &ty {
            Ty::Var(_) if self.is_literal(&ty) => literal.into(),
            Ty::Var(_) if is_rust => "_".into(),
            Ty::Var(_) => "?".into(),
            Ty::Scalar(scalar) => scalar.to_string(),
            Ty::Vec(element) if is_rust => format!("Vec<{}>", one(element)),
            Ty::Vec(element) => format!("vec[{}]", one(element)),
            Ty::Array(element, axes) => {
                let element = one(element);
                let axes = match &axes.names {
                    Some(names) if self.is_named(names) => format!("; {}", self.show_axes(names)),
                    _ => format!(", {}", axes.count),
                };
                if is_rust { format!("Array<{element}{axes}>") } else { format!("array[{element}{axes}]") }
            }
            Ty::Cursor(of) => match (&of.at, &of.of) {
                (Some(at), Some(target)) if self.is_named(at) || self.is_named(target) => {
                    let element = one(&of.element);
                    format!("cursor[{element}; at {}, of {}]", self.show_axes(at), self.show_axes(target))
                }
                _ => format!("a cursor on {}", one(&of.element)),
            },
            Ty::Axis(AxisTy::Named(name)) => name.to_string(),
            Ty::Axis(AxisTy::Extent(extent)) => extent.to_string(),
            Ty::Struct(fields) => {
                let is_short = *left >= fields.len();
                let mut all = |types: &[Ty]| {
                    let shown = types.iter().take(if is_short { types.len() } else { 1 });
                    let mut shown: Vec<String> = shown.map(|ty| self.show_parts(ty, literal, left)).collect();
                    if shown.len() < types.len() {
                        shown.push("…".into());
                    }
                    shown.join(", ")
                };
                match fields.name() {
                    Some(_) if let Some((element, len)) = fields.as_fixed_array() => {
                        format!("[{}; {len}]", all(std::slice::from_ref(element)))
                    }
                    Some(_) if let Some((by, of)) = fields.as_lent() => match (by, self.shallow(of)) {
                        (Pointer::Ref, of) => format!("&{}", all(&[of])),
                        (_, Ty::Vec(element)) => format!("{by:?}<[{}]>", all(&[(*element).clone()])),
                        (_, of) => format!("{by:?}<{}>", all(&[of])),
                    },
                    Some(named) if named.args.is_empty() => named.shown.clone(),
                    Some(named) => format!("{}<{}>", named.shown, all(&named.args)),
                    None if is_rust && fields.len() == 1 => format!("({},)", all(fields)),
                    None if is_rust => format!("({})", all(fields)),
                    None => format!("{{{}}}", all(fields)),
                }
            }
            Ty::Dict(key, value) if is_rust => format!("Dict<{}, {}>", one(key), one(value)),
            Ty::Dict(key, value) => format!("dict[{}, {}]", one(key), one(value)),
            Ty::Builder(of) if of.kind.row().start == Start::Size && self.is_unknown(&of.value) => {
                of.kind.name().into()
            }
            Ty::Builder(of) => {
                let mut parts: Vec<String> = ty.parts().map(one).collect();
                parts.extend(of.by.map(|by| by.to_string()));
                format!("{}[{}]", of.kind.name(), parts.join(", "))
            }
        }
    }

    /// Whether anything is known of what axes are.
    pub(in crate::infer) fn is_named(&self, names: &Ty) -> bool {
        match self.shallow(names) {
            Ty::Struct(names) => names.iter().any(|name| matches!(self.shallow(name), Ty::Axis(_))),
            _ => false,
        }
    }

    /// What axes are, one after the other.
    pub(in crate::infer) fn show_axes(&self, names: &Ty) -> String {
        let Ty::Struct(names) = self.shallow(names) else { return "_".into() };
        let shown = names.iter().map(|name| match self.shallow(name) {
            Ty::Axis(AxisTy::Named(name)) => name.to_string(),
            Ty::Axis(AxisTy::Extent(extent)) => extent.to_string(),
            _ => "_".into(),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    /// Whether nothing is known of `ty`.
    fn is_unknown(&self, ty: &Ty) -> bool {
        matches!(self.seen(ty), Ty::Var(_)) && !self.is_literal(ty)
    }
}
