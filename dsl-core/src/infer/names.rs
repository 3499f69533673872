//! Names of axes: what arrays and cursors are along each axis. They are part of types while these are inferred, and gone afterwards.

use std::rc::Rc;

use proc_macro2::Span;

use super::ty::{AxisTy, Ty};
use super::typed::{ArrayOp, Expr, ExprKind, Iter, IterKind, Local};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast::{self, AxisName, Pattern};

impl Infer<'_> {
    /// `array[T, N]`, `array[T; Cell, 3]`
    pub(super) fn array_type(&mut self, element: &ast::Type, axes: &ast::Axes) -> Ty {
        let (span, element) = (element.span, self.ty(element));
        let element = self.owned("an array", element, span);
        let names = axes.names.as_ref().map(|names| {
            let names: Vec<Ty> = names.iter().map(|name| self.axis_type(name)).collect();
            Rc::new(Ty::structure(names))
        });
        Ty::named(element, axes.count, names)
    }

    fn axis_type(&mut self, name: &AxisName) -> Ty {
        let name = match name {
            AxisName::Extent(extent) => return Ty::Axis(AxisTy::Extent(*extent)),
            AxisName::Axis(name) => name,
        };
        let text = name.name.as_str();
        if self.axes.contains(text) {
            return Ty::Axis(AxisTy::Named(text.into()));
        }
        let error = Diagnostic::new(Code::UnknownName, name.span, format!("there is no axis `{text}`"));
        let error = match nearest(text, self.axes.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("declare it in front of the program: `axis {text};`")),
        };
        self.refuse(text, error);
        self.unifier.error()
    }

    /// What the axes of an array are, if anything is said of that.
    pub(super) fn names_of(&self, ty: &Ty) -> Option<Rc<Ty>> {
        match self.unifier.seen(ty) {
            Ty::Array(_, axes) => axes.names,
            _ => None,
        }
    }

    /// Of names those of these axes, in this order.
    pub(super) fn names_at(&self, names: Option<&Rc<Ty>>, axes: &[usize]) -> Option<Rc<Ty>> {
        let Ty::Struct(names) = self.unifier.shallow(names?) else { return None };
        Some(Rc::new(Ty::structure(axes.iter().map(|&axis| names[axis].clone()))))
    }

    /// The names of axes that may have other extents now.
    pub(super) fn names_resized(&mut self, names: Option<Rc<Ty>>) -> Option<Rc<Ty>> {
        let Ty::Struct(names) = self.unifier.shallow(&*names?) else { return None };
        let names: Vec<Ty> = names
            .iter()
            .map(|name| match self.unifier.shallow(name) {
                Ty::Axis(AxisTy::Extent(_)) => self.unifier.fresh(),
                name => name,
            })
            .collect();
        Some(Rc::new(Ty::structure(names)))
    }

    /// What the axes are of what runs over these iterators; they must agree.
    pub(super) fn names_of_iters(&mut self, iters: &[Iter]) -> Option<Rc<Ty>> {
        let mut names: Option<Rc<Ty>> = None;
        for iter in iters {
            let found = match &iter.kind {
                IterKind::Array(of) | IterKind::Domain(of) => self.names_of(&of.ty),
                IterKind::Lines(of, along) => {
                    let axes = self.array_of(&of.ty).map_or(0, |(_, axes)| axes);
                    let others: Vec<usize> = (0..axes).filter(|axis| !along.contains(axis)).collect();
                    self.names_at(self.names_of(&of.ty).as_ref(), &others)
                }
                _ => None,
            };
            let Some(found) = found else { continue };
            match &names {
                None => names = Some(found),
                Some(names) => {
                    if self.unifier.unify(names, &found).is_err() {
                        let shown = [names, &found].map(|names| self.unifier.show_axes(names));
                        let message =
                            format!("arrays of `{}` and of `{}` do not run together", shown[0], shown[1]);
                        let error = Diagnostic::new(Code::Spaces, iter.span, message);
                        self.errors.push(error.help("what is computed element by element has the same axes"));
                    }
                }
            }
        }
        names
    }

    /// Checks the extents that the type of a parameter says, which its name then stands for.
    pub(super) fn fixed_extents(&mut self, pattern: &Pattern, param: Local) -> Option<(Local, Expr)> {
        let Pattern::Name(name) = pattern else { return None };
        let ty = self.locals[param].ty.clone();
        let names = self.names_of(&ty)?;
        let Ty::Struct(names) = &*names else { return None };
        let extent = |name: &Ty| match name {
            Ty::Axis(AxisTy::Extent(extent)) => Some(*extent),
            _ => None,
        };
        let extents: Vec<Option<i64>> = names.iter().map(extent).collect();
        extents.iter().any(Option::is_some).then(|| {
            let span = name.span;
            let whole = Expr { kind: ExprKind::Local(param), ty: ty.clone(), span };
            let kind = ExprKind::OfArray(ArrayOp::Checked(extents.into()), vec![whole]);
            let local = self.local(&name.name, ty.clone(), span);
            self.scope.bind(name, local);
            (local, Expr { kind, ty, span })
        })
    }

    /// Makes the axes at which something stands those that are wanted there, or says what is wrong.
    pub(super) fn same_axes(
        &mut self,
        found: &Ty,
        wanted: &Ty,
        span: Span,
        message: impl FnOnce(String, String) -> String,
        help: &str,
    ) -> Typed<()> {
        self.unifier.unify(found, wanted).map_err(|_| {
            let [found, wanted] = [found, wanted].map(|names| self.unifier.show_axes(names));
            Diagnostic::new(Code::Location, span, message(found, wanted)).help(help)
        })
    }
}
