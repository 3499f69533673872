//! Types of fixed arrays, `[T; N]`: what is another of one than of a vector, and its elements as one.
//!
//! A fixed array is the struct of its elements. Where a vector is wanted it is the vector of them, so that every word of vectors takes one;
//! `map` gives an array again. A literal, `[a, b]`, is an array where inference wants one, and else a vector.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::scalar::Const;

use super::patterns::{self, Matched};
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Pattern};

/// How advice makes an array of a vector.
pub(super) const MADE: &str = "make an array of its elements, `[v[0], v[1]]`; `map` of an array gives one";

impl Infer<'_> {
    /// What `name` is of a fixed array; `None` if it is that of the vector of its elements, or the first argument is none.
    pub(super) fn fixed_array_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
    ) -> Typed<Option<Expr>> {
        match (name.name.as_str(), &args[..]) {
            ("map", [of, function]) => self.mapped_array(of, function, name.span),
            ("len", [of]) => Ok(self.fixed_length(of).map(|len| {
                let kind = ExprKind::Const(Const::I64(len as i64));
                Expr { kind, ty: Ty::I64, span: name.span }
            })),
            ("to_vec" | "collect", [of]) if self.fixed_length(of).is_some() => {
                let of = self.expr(of);
                Ok(Some(self.elements_as_vector(of)))
            }
            _ => Ok(None),
        }
    }

    /// How many elements `expr` has, if it is a fixed array.
    fn fixed_length(&mut self, expr: &ast::Expr) -> Option<usize> {
        self.peek(expr).and_then(|ty| self.unifier.shallow(&ty).as_fixed_array().map(|(_, len)| len))
    }

    /// `map` of a fixed array, or of several in a zip: what the function gives for each element.
    fn mapped_array(&mut self, of: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Option<Expr>> {
        let whole = forms::strip(of);
        let zipped = match &whole.kind {
            ast::ExprKind::Call { name, args, .. } if name.name == "zip" && !self.names_function(name) => {
                Some(args.clone())
            }
            _ => None,
        };
        let arrays = zipped.as_deref().unwrap_or(std::slice::from_ref(whole));
        let mut lengths = arrays.iter().map(|array| self.fixed_length(array));
        let Some(len) = lengths.next().flatten() else { return Ok(None) };
        if !lengths.all(|other| other == Some(len)) {
            return Ok(None);
        }
        let mut named = self.named(span);
        let mark = self.scope.enter();
        let mut elements = vec![Vec::new(); len];
        for array in arrays {
            let array = self.expr(array);
            let local = self.local("_", array.ty.clone(), span);
            let parts = self.elements_of(&Expr { kind: ExprKind::Local(local), ..array.clone() });
            named.parts.push((local, array));
            for (parts, part) in elements.iter_mut().zip(parts) {
                parts.push(named.name(self, part));
            }
        }
        let mut results: Vec<Expr> = Vec::new();
        for parts in elements {
            let argument = match zipped {
                Some(_) => vec![ast::Expr { kind: ast::ExprKind::Struct(parts), span }],
                None => parts,
            };
            let result = self.apply(function, &argument.into())?;
            if let Some(first) = results.first() {
                self.same(first, &result)?;
            }
            results.push(result);
        }
        self.scope.leave(mark);
        let ty = Ty::fixed_array(results[0].ty.clone(), len);
        Ok(Some(bind::wrap(named.parts, Expr { kind: ExprKind::Struct(results), ty, span })))
    }

    /// The vector of the elements of `array`, a fixed one.
    pub(super) fn elements_as_vector(&mut self, array: Expr) -> Expr {
        let span = array.span;
        let local = self.local("_", array.ty.clone(), span);
        let elements = self.elements_of(&Expr { kind: ExprKind::Local(local), ..array.clone() });
        let ty = Ty::vec(elements[0].ty.clone());
        bind::wrap(vec![(local, array)], Expr { kind: ExprKind::Vector(elements), ty, span })
    }

    /// The type of the elements of `expr`, if it is a vector or a fixed array.
    pub(super) fn peek_element(&mut self, expr: &ast::Expr) -> Option<Ty> {
        let ty = self.peek(expr)?;
        match self.unifier.seen(&ty) {
            Ty::Vec(element) => Some((*element).clone()),
            other => other.as_fixed_array().map(|(element, _)| element.clone()),
        }
    }

    /// The elements of a variable that is a fixed array.
    fn elements_of(&self, array: &Expr) -> Vec<Expr> {
        let ty = self.unifier.shallow(&array.ty);
        let (element, len) = ty.as_fixed_array().expect("a fixed array");
        (0..len).map(|number| patterns::field(array, number, element.clone(), array.span)).collect()
    }

    /// `[a, b]`, as a pattern.
    pub(super) fn matched_elements(&mut self, elements: &[Pattern], of: &Expr) -> Matched {
        let element = self.unifier.fresh();
        let whole = Ty::fixed_array(element.clone(), elements.len());
        if let Err(why) = self.unifier.unify(&whole, &of.ty) {
            let error = match self.unifier.seen(&of.ty) {
                Ty::Vec(_) => Diagnostic::new(Code::Mismatch, of.span, "a vector is not taken apart")
                    .help("ask for `v.len()`, and read `v[0]`; `[f64; 3]` is an array, which is"),
                Ty::Struct(found) if let Some((_, len)) = found.as_fixed_array() => {
                    let shown = self.unifier.show(&of.ty);
                    let written = forms::counted(elements.len(), "element");
                    let message = format!("this pattern has {written}, but `{shown}` has {len}");
                    Diagnostic::new(Code::PatternFields, of.span, message)
                        .help("name every element, with `_` for those that are not needed")
                }
                _ => self.mismatch(of, &whole, why),
            };
            self.errors.push(error);
            self.unifier.poison(&whole);
        }
        let mut matched = Matched::fields(elements.len());
        for (number, pattern) in elements.iter().enumerate() {
            let part = self.matched(pattern, &patterns::field(of, number, element.clone(), of.span));
            matched.add_field(number, part);
        }
        matched
    }

    /// An index of an array of so many elements.
    pub(super) fn check_constant_index(&self, of: &Ty, len: usize, index: &Expr) -> Typed<()> {
        let Some(number) = index.constant() else { return Ok(()) };
        if usize::try_from(number).is_ok_and(|number| number < len) {
            return Ok(());
        }
        let message = format!("there is no element {number} of `{}`", self.unifier.show(of));
        let error = Diagnostic::new(Code::NoField, index.span, message);
        Err(match len {
            1 => error.help("its only element is that at 0"),
            _ => error.help(format!("its elements are those at 0 to {}", len - 1)),
        })
    }
}
