//! Unification: which types are equal, and what is known of variables.

use std::mem::discriminant;
use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::types::{MOST_FIXED, Scalar};

use super::{Ty, Var};
use crate::infer::fields::Fields;
use crate::syntax::ast::Spelling;

/// How many scalars, vectors and structs a type may be made of.
pub(in crate::infer) const MAX_PARTS: usize = 1 << 12;

/// What is known of a variable.
#[derive(Clone, Debug)]
enum State {
    Free,
    /// The type of what is wrong already: it agrees with every type, so that one mistake gives one error. With the
    /// first type that it was to agree with.
    Error(Option<Ty>),
    /// An integer literal without suffix: some integer type, i32 if nothing else decides.
    Literal(i128, Span),
    /// A float literal without suffix: a float type, f64 if nothing else decides.
    Float,
    /// A text literal: a `str`, or its bytes as i8s if nothing wants a `str`.
    Text,
    /// A literal of so many elements: a vector, unless a fixed array is wanted.
    Elements(Rc<Ty>, usize),
    Bound(Ty),
}

/// Why two types do not unify.
#[derive(Clone, Debug)]
pub enum Mismatch {
    /// They differ.
    Types,
    /// One would contain itself.
    Infinite,
    /// An integer literal stands where another type is needed.
    Literal(i128, Span),
}

/// All variables of a program, and what they are bound to.
#[derive(Debug, Default)]
pub struct Unifier {
    vars: Vec<State>,
    pub(super) spelling: Spelling,
    is_overgrown: bool,
}

impl Unifier {
    /// A unifier that shows types in this spelling.
    pub fn new(spelling: Spelling) -> Unifier {
        Unifier { spelling, ..Unifier::default() }
    }

    /// A new variable.
    pub fn fresh(&mut self) -> Ty {
        self.vars.push(State::Free);
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of an integer literal without suffix.
    pub fn literal(&mut self, value: i128, span: Span) -> Ty {
        self.vars.push(State::Literal(value, span));
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of a float literal without suffix.
    pub fn float(&mut self) -> Ty {
        self.vars.push(State::Float);
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of a text literal.
    pub fn text(&mut self) -> Ty {
        self.vars.push(State::Text);
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of a literal of so many elements.
    pub fn elements(&mut self, element: Ty, count: usize) -> Ty {
        if !(1..=MOST_FIXED).contains(&count) {
            return Ty::vec(element);
        }
        self.vars.push(State::Elements(Rc::new(element), count));
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// The type of an expression that has been refused.
    pub fn error(&mut self) -> Ty {
        self.vars.push(State::Error(None));
        Ty::Var(Var(self.vars.len() - 1))
    }

    /// Whether `ty` is that of an expression that has been refused.
    pub fn is_error(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(var) if matches!(self.vars[var.0], State::Error(_)))
    }

    /// The type of values that the surroundings of a refused expression want it to have, as far as they tell, with f64
    /// for the rest.
    pub fn wanted(&self, ty: &Ty) -> Ty {
        if self.is_too_large(ty) {
            return Ty::F64;
        }
        self.guess(ty, 4).unwrap_or(Ty::F64)
    }

    /// As [`Unifier::wanted`]; `None` if nothing is known. What is refused may want the type of what is refused as well,
    /// so only `depth` of them are asked.
    fn guess(&self, ty: &Ty, depth: usize) -> Option<Ty> {
        let part = |ty: &Ty| self.guess(ty, depth).unwrap_or(Ty::F64);
        Some(match self.shallow(ty) {
            Ty::Var(var) => match &self.vars[var.0] {
                State::Error(Some(wanted)) if depth > 0 && !self.is_too_large(wanted) => {
                    self.guess(wanted, depth - 1)?
                }
                State::Literal(..) => Ty::I32,
                State::Elements(element, _) => Ty::vec(part(element)),
                _ => return None,
            },
            Ty::Builder(_) | Ty::Cursor(_) | Ty::Axis(_) => return None,
            of_values => of_values.map(part),
        })
    }

    /// Makes everything that is not known in `ty` agree with every type.
    pub fn poison(&mut self, ty: &Ty) {
        if self.is_too_large(ty) {
            self.is_overgrown = true;
            return;
        }
        match self.shallow(ty) {
            Ty::Var(var) if matches!(self.vars[var.0], State::Free) => self.vars[var.0] = State::Error(None),
            ty => self.opened(&ty).parts().for_each(|part| self.poison(part)),
        }
    }

    /// `ty`, seen through bound variables at its outermost.
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(var) = ty {
            match &self.vars[var.0] {
                State::Bound(bound) => ty = bound.clone(),
                State::Free
                | State::Error(_)
                | State::Literal(..)
                | State::Float
                | State::Text
                | State::Elements(..) => break,
            }
        }
        ty
    }

    /// As [`Unifier::shallow`], where a literal of elements counts as a vector: so it shows what it is made of.
    fn opened(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Var(var) => match &self.vars[var.0] {
                State::Elements(element, _) => Ty::Vec(element.clone()),
                _ => Ty::Var(var),
            },
            ty => ty,
        }
    }

    /// As [`Unifier::shallow`], where a literal that nothing has decided counts as what it is by default, an f64, a vector of
    /// i8s or one of its elements: what is asked of one float holds of the other, and messages show it so.
    pub fn seen(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Var(var) if matches!(self.vars[var.0], State::Float) => Ty::F64,
            Ty::Var(var) if matches!(self.vars[var.0], State::Text) => bytes(),
            Ty::Var(var) => self.opened(&Ty::Var(var)),
            other => other,
        }
    }

    /// Whether `ty` is that of texts, or of a literal that may be one.
    pub fn may_be_text(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(var) => matches!(self.vars[var.0], State::Text),
            ty => ty.is_text(),
        }
    }

    /// Whether `ty` is the variable of an integer literal.
    pub fn is_literal(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(var) if matches!(self.vars[var.0], State::Literal(..)))
    }

    /// Whether `ty` is that of numbers, or of a literal that is one.
    pub fn is_number(&self, ty: &Ty) -> bool {
        self.is_literal(ty)
            || matches!(self.seen(ty), Ty::Scalar(scalar) if scalar.is_integer() || scalar.is_float())
    }

    /// Of how many elements the literal is whose type `ty` is, if nothing has decided whether that is a vector.
    pub fn literal_elements(&self, ty: &Ty) -> Option<usize> {
        match self.shallow(ty) {
            Ty::Var(var) => match &self.vars[var.0] {
                State::Elements(_, count) => Some(*count),
                _ => None,
            },
            _ => None,
        }
    }

    /// `ty`, seen through bound variables in full depth.
    pub fn resolve(&self, ty: &Ty) -> Ty {
        self.shallow(ty).map(|part| self.resolve(part))
    }

    /// Binds the literals that nothing has decided to i32, f64 and vectors. Tells whether there were any.
    pub fn default_literals(&mut self) -> bool {
        let mut any = false;
        for state in &mut self.vars {
            let default = match state {
                State::Literal(..) => Ty::I32,
                State::Float => Ty::F64,
                State::Text => bytes(),
                State::Elements(element, _) => Ty::Vec(element.clone()),
                _ => continue,
            };
            *state = State::Bound(default);
            any = true;
        }
        any
    }

    /// Makes two types equal by binding variables, or says why they cannot be.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Mismatch> {
        self.unify_parts(a, b, &mut { 2 * MAX_PARTS })
    }

    /// As [`Unifier::unify`], in no more than `left` steps.
    fn unify_parts(&mut self, a: &Ty, b: &Ty, left: &mut usize) -> Result<(), Mismatch> {
        let Some(fewer) = left.checked_sub(1) else {
            self.is_overgrown = true;
            return Ok(());
        };
        *left = fewer;
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(x), Ty::Var(y)) if x == y => Ok(()),
            (Ty::Var(x), other) | (other, Ty::Var(x)) if matches!(self.vars[x.0], State::Error(_)) => {
                self.poison(other);
                if let State::Error(wanted @ None) = &mut self.vars[x.0] {
                    *wanted = Some(other.clone());
                }
                Ok(())
            }
            (Ty::Var(x), _) => self.bind(*x, &b),
            (_, Ty::Var(y)) => self.bind(*y, &a),
            _ if of_one_kind(&a, &b) => {
                let args = a.args().iter().zip(b.args());
                args.chain(a.parts().zip(b.parts())).try_for_each(|(x, y)| self.unify_parts(x, y, left))
            }
            _ => Err(Mismatch::Types),
        }
    }

    fn bind(&mut self, var: Var, ty: &Ty) -> Result<(), Mismatch> {
        // What is to be a variable can be anything that it can; of a literal and an unknown, the literal says more.
        if let Ty::Var(other) = *ty {
            let [one, two] = [var, other].map(|var| match &self.vars[var.0] {
                State::Elements(element, count) => Some((element.clone(), *count)),
                _ => None,
            });
            if one.is_some() || two.is_some() {
                return self.bind_elements((var, one), (other, two));
            }
            let (from, to) = match (&self.vars[var.0], &self.vars[other.0]) {
                (State::Literal(value, span), State::Float) | (State::Float, State::Literal(value, span)) => {
                    return Err(Mismatch::Literal(*value, *span));
                }
                (State::Literal(value, span), State::Text) | (State::Text, State::Literal(value, span)) => {
                    return Err(Mismatch::Literal(*value, *span));
                }
                (State::Text, State::Float) | (State::Float, State::Text) => return Err(Mismatch::Types),
                (State::Literal(..) | State::Float | State::Text, State::Free) => (other, var),
                _ => (var, other),
            };
            self.vars[from.0] = State::Bound(Ty::Var(to));
            return Ok(());
        }
        match (&self.vars[var.0], ty) {
            (State::Literal(..), Ty::Scalar(scalar)) if scalar.is_integer() => {}
            (State::Literal(value, span), _) => return Err(Mismatch::Literal(*value, *span)),
            (State::Float, Ty::Scalar(scalar)) if scalar.is_float() => {}
            (State::Float, _) => return Err(Mismatch::Types),
            (State::Text, ty) if ty.is_text() => {}
            (State::Text, Ty::Vec(element)) => {
                // An element that is the literal itself is no scalar.
                self.unify(element, &Ty::Scalar(Scalar::I8))?;
            }
            (State::Text, _) => return Err(Mismatch::Types),
            (State::Elements(of, count), ty) => match (ty, ty.as_fixed_array()) {
                (Ty::Vec(element), _) => self.unify(&of.clone(), element)?,
                (_, Some((element, len))) if len == *count => self.unify(&of.clone(), element)?,
                _ => return Err(Mismatch::Types),
            },
            _ => {}
        }
        match self.occurs(var, ty, &mut { MAX_PARTS }) {
            Some(false) => self.vars[var.0] = State::Bound(ty.clone()),
            Some(true) => return Err(Mismatch::Infinite),
            None => self.is_overgrown = true,
        }
        Ok(())
    }

    /// Makes two variables equal, of which one is a literal of elements at least. Of literals of other lengths each is a vector.
    fn bind_elements(
        &mut self,
        (one, of_one): (Var, Option<(Rc<Ty>, usize)>),
        (two, of_two): (Var, Option<(Rc<Ty>, usize)>),
    ) -> Result<(), Mismatch> {
        let (literal, (element, _), other) = match (of_one, of_two) {
            (Some((a, m)), Some((b, n))) => {
                self.unify(&a, &b)?;
                if m != n {
                    self.vars[two.0] = State::Bound(Ty::Vec(b));
                }
                // Elements that are one may have made the literals one.
                if self.shallow(&Ty::Var(one)) != self.shallow(&Ty::Var(two)) {
                    self.vars[one.0] = State::Bound(Ty::Var(two));
                }
                return Ok(());
            }
            (Some(elements), None) => (one, elements, two),
            (None, Some(elements)) => (two, elements, one),
            (None, None) => unreachable!("one is a literal"),
        };
        if !matches!(self.vars[other.0], State::Free) {
            return self.unify(&Ty::Vec(element), &Ty::Var(other));
        }
        match self.occurs(other, &element, &mut { MAX_PARTS }) {
            Some(false) => self.vars[other.0] = State::Bound(Ty::Var(literal)),
            Some(true) => return Err(Mismatch::Infinite),
            None => self.is_overgrown = true,
        }
        Ok(())
    }

    /// Whether `var` is part of `ty`; `None` if that has more than `left` parts.
    fn occurs(&self, var: Var, ty: &Ty, left: &mut usize) -> Option<bool> {
        *left = left.checked_sub(1)?;
        if self.shallow(ty) == Ty::Var(var) {
            return Some(true);
        }
        match self.opened(ty) {
            Ty::Var(_) => Some(false),
            ty => {
                let mut all = ty.parts().chain(ty.args());
                all.try_fold(false, |found, part| Some(found || self.occurs(var, part, left)?))
            }
        }
    }

    /// Whether a type was met that is made of more parts than types may have. Variables share what they are bound to,
    /// so few of them can stand for a type without end; what meets one gives up, and the program is refused.
    pub(in crate::infer) fn is_overgrown(&self) -> bool {
        self.is_overgrown
    }

    /// Whether `ty` is made of more parts than types may have.
    pub(in crate::infer) fn is_too_large(&self, ty: &Ty) -> bool {
        !self.fits(ty, &mut { MAX_PARTS })
    }

    /// Whether `ty`, which is not too large, nests more than `levels` deep.
    pub(in crate::infer) fn is_deeper(&self, ty: &Ty, levels: usize) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return true };
        self.opened(ty).parts().any(|part| self.is_deeper(part, levels))
    }

    /// Whether `ty` is made of no more than `left` parts, which are taken off.
    fn fits(&self, ty: &Ty, left: &mut usize) -> bool {
        let Some(fewer) = left.checked_sub(1) else { return false };
        *left = fewer;
        let ty = self.opened(ty);
        ty.parts().chain(ty.args()).all(|part| self.fits(part, left))
    }
}

/// What a text literal is that nothing has decided.
fn bytes() -> Ty {
    Ty::vec(Ty::Scalar(Scalar::I8))
}

/// Whether two types that are no variables differ at most in their parts.
fn of_one_kind(x: &Ty, y: &Ty) -> bool {
    match (x, y) {
        (Ty::Scalar(x), Ty::Scalar(y)) => x == y,
        (Ty::Array(_, x), Ty::Array(_, y)) => x.count == y.count,
        (Ty::Axis(x), Ty::Axis(y)) => x == y,
        (Ty::Cursor(x), Ty::Cursor(y)) => {
            (x.axes, x.has_policy, x.pad.is_some()) == (y.axes, y.has_policy, y.pad.is_some())
        }
        (Ty::Struct(x), Ty::Struct(y)) => x.len() == y.len() && of_one(x, y),
        (Ty::Builder(x), Ty::Builder(y)) => (x.kind, x.by) == (y.kind, y.by),
        _ => discriminant(x) == discriminant(y),
    }
}

/// Whether both are the same struct, or both have no name.
fn of_one(x: &Fields, y: &Fields) -> bool {
    match (x.name(), y.name()) {
        (Some(x), Some(y)) => (&x.name, x.origin) == (&y.name, y.origin),
        (x, y) => x.is_none() && y.is_none(),
    }
}
