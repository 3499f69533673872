//! What a pattern asks of a value, and which parts of it it binds to names.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, UnaryOp};

use super::condition::Check;
use super::exhaustive::Values;
use super::scope::Item;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Pattern, RangePattern};

/// What a pattern is for a value.
pub(super) struct Matched {
    /// Which values it matches, as far as that is known while compiling.
    pub(super) values: Values,
    /// Whether it matches the value; nothing if it matches every one.
    pub(super) test: Option<Expr>,
    /// The names, and the part of the value that each is bound to.
    pub(super) names: Vec<(Ident, Expr)>,
}

impl Matched {
    /// Every value.
    fn any() -> Matched {
        Matched { values: Values::Any, test: None, names: Vec::new() }
    }

    /// What `test` says.
    fn tested(values: Values, test: Expr) -> Matched {
        Matched { values, test: Some(test), names: Vec::new() }
    }

    /// Every struct of so many fields.
    pub(super) fn fields(count: usize) -> Matched {
        let fields = (0..count).map(|_| Values::Any).collect();
        Matched { values: Values::Fields(fields), ..Matched::any() }
    }

    /// Asks for a field what `part` does.
    pub(super) fn add_field(&mut self, number: usize, part: Matched) {
        if let Values::Fields(fields) = &mut self.values
            && let Some(field) = fields.get_mut(number)
        {
            *field = part.values;
        }
        self.test = joined(BinaryOp::And, self.test.take(), part.test);
        self.names.extend(part.names);
    }
}

impl Infer<'_> {
    /// What `pattern` is for the value of `of`, which is a variable or a part of one.
    pub(super) fn matched(&mut self, pattern: &Pattern, of: &Expr) -> Matched {
        match pattern {
            Pattern::Ignore(_) => Matched::any(),
            Pattern::Name(name) => match self.item(name) {
                // A constant in small letters; where a name has to be bound, it hides the constant.
                Some(Item::Constant(_)) if self.is_matching => {
                    let value = ast::Expr { kind: ast::ExprKind::Name(name.clone()), span: name.span };
                    self.matched_value(&value, of)
                }
                _ => Matched { names: vec![(name.clone(), of.clone())], ..Matched::any() },
            },
            Pattern::At(name, pattern) => {
                let mut matched = self.matched(pattern, of);
                matched.names.insert(0, (name.clone(), of.clone()));
                matched
            }
            Pattern::Struct(fields, span) => self.matched_struct(fields, &Expr { span: *span, ..of.clone() }),
            Pattern::Elements(all, span) => self.matched_elements(all, &Expr { span: *span, ..of.clone() }),
            Pattern::Named(named) => self.matched_fields(named, of),
            Pattern::Option(value, span) => {
                self.matched_option(value.as_deref(), &Expr { span: *span, ..of.clone() })
            }
            Pattern::Value(value) => self.matched_value(value, of),
            Pattern::Range(range) => self.matched_range(range, of),
            Pattern::Or(alternatives) => self.matched_by_one(alternatives, of),
        }
    }

    /// `(a, b)`
    fn matched_struct(&mut self, fields: &[Pattern], of: &Expr) -> Matched {
        let types: Vec<Ty> = fields.iter().map(|_| self.unifier.fresh()).collect();
        let whole = Ty::structure(types.iter().cloned());
        if let Err(why) = self.unifier.unify(&whole, &of.ty) {
            self.errors.push(self.no_such_struct(fields.len(), &whole, of, why));
            self.unifier.poison(&whole);
        }
        let mut matched = Matched::fields(fields.len());
        for (number, (pattern, ty)) in fields.iter().zip(types).enumerate() {
            let part = self.matched(pattern, &field(of, number, ty, of.span));
            matched.add_field(number, part);
        }
        matched
    }

    /// `Some(value)`, or `None`. An option is a struct.
    fn matched_option(&mut self, value: Option<&Pattern>, of: &Expr) -> Matched {
        let found = self.value_of(of);
        let ty = self.report(found).unwrap_or_else(|| self.unifier.error());
        let there = field(of, 0, Ty::BOOL, of.span);
        let mut matched = Matched::fields(2);
        matched.add_field(0, truth(value.is_some(), there));
        if let Some(value) = value {
            let part = self.matched(value, &field(of, 1, ty, of.span));
            matched.add_field(1, part);
        }
        matched
    }

    /// A literal or a constant.
    fn matched_value(&mut self, written: &ast::Expr, of: &Expr) -> Matched {
        let span = written.span;
        let Some(value) = self.bound_of(written, of) else { return Matched::any() };
        if let ExprKind::Const(Const::Bool(wanted)) = value.kind {
            return truth(wanted, Expr { span, ..of.clone() });
        }
        if let (ExprKind::Struct(fields), Ty::Struct(ty)) = (&value.kind, self.unifier.seen(&of.ty))
            && ty.as_enum().is_some()
            && let [number] = &fields[..]
        {
            let values = known(number).map_or(Values::Unknown, |number| Values::Range(number, number));
            let of_enum = self.enum_number(of.clone());
            return Matched::tested(values, compared(CompareOp::Eq, &of_enum, number.clone(), span));
        }
        let values = match &value.kind {
            ExprKind::Bytes(bytes, _) => Values::Bytes(bytes.clone()),
            _ => known(&value).map_or(Values::Unknown, |number| Values::Range(number, number)),
        };
        self.require(Check::Comparable(of.ty.clone(), span));
        Matched::tested(values, compared(CompareOp::Eq, of, value, span))
    }

    /// `a..=b`, `a..b`, `a..`, `..=b`
    fn matched_range(&mut self, range: &RangePattern, of: &Expr) -> Matched {
        let (span, dots) = (range.span, if range.is_closed { "..=" } else { ".." });
        let mut test = None;
        let (mut bounds, mut is_empty) = ([Some(i128::MIN), Some(i128::MAX)], false);
        let below = if range.is_closed { CompareOp::Le } else { CompareOp::Lt };
        let sides = [(&range.start, CompareOp::Ge), (&range.end, below)];
        for ((written, op), bound) in sides.into_iter().zip(&mut bounds) {
            let Some(written) = written else { continue };
            let Some(value) = self.bound_of(written, of) else { return Matched::any() };
            *bound = known(&value);
            if op == CompareOp::Lt
                && let Some(end) = *bound
            {
                // What ends before the least number of all is empty, as is what ends where it begins.
                match end.checked_sub(1) {
                    Some(last) => *bound = Some(last),
                    None => is_empty = true,
                }
            }
            test = joined(BinaryOp::And, test, Some(compared(op, of, value, span)));
        }
        self.require(Check::Integer(of.ty.clone(), dots, span));
        let values = match bounds {
            [Some(first), Some(last)] if is_empty || first > last => {
                let error = Diagnostic::new(Code::BadPattern, span, "no number is in this range");
                self.errors.push(
                    error.help("the smaller bound comes first; `a..=b` includes b, and `a..b` does not"),
                );
                Values::Any
            }
            [Some(first), Some(last)] => Values::Range(first, last),
            _ => Values::Unknown,
        };
        Matched { values, test, names: Vec::new() }
    }

    /// The literal or constant that a pattern names: of the type of `of`, and no float.
    fn bound_of(&mut self, written: &ast::Expr, of: &Expr) -> Option<Expr> {
        // A constant of a block is a variable like others, but for its name.
        if let ast::ExprKind::Name(name) = &written.kind
            && self.item(name).is_none()
            && self.scope.find(name).is_none()
        {
            let message = format!("`{}` is no constant, as names in capitals are in a pattern", name.name);
            let error = Diagnostic::new(Code::BadPattern, name.span, message);
            let advice = "bind a name in small letters, or write a constant in front of the program, `const K: i64 = 5;`";
            self.errors.push(error.help(advice));
            return None;
        }
        let value = self.expr(written);
        let is_float = |ty| matches!(ty, Ty::Scalar(scalar) if scalar.is_float());
        let outcome = if is_float(self.unifier.seen(&of.ty)) || is_float(self.unifier.seen(&value.ty)) {
            let error = Diagnostic::new(Code::BadPattern, value.span, "a float is no pattern");
            Err(error
                .help("rounding makes floats differ that should be equal: compare, `x if x <= 0.5 => …`"))
        } else {
            self.expect(&value, &of.ty)
        };
        self.report(outcome).map(|()| value)
    }

    /// `A | B`: the first alternative that matches says what a name is bound to.
    fn matched_by_one(&mut self, alternatives: &[Pattern], of: &Expr) -> Matched {
        let mut whole: Option<Matched> = None;
        for pattern in alternatives.iter().rev() {
            let matched = self.matched(pattern, of);
            let Some(others) = whole.take() else {
                whole = Some(Matched { values: Values::Or(vec![matched.values]), ..matched });
                continue;
            };
            let names = self.either(&matched, &others.names, pattern.span());
            let names = self.report(names).unwrap_or_else(|| self.holes(matched.names));
            let Values::Or(mut values) = others.values else { unreachable!("made of alternatives") };
            values.insert(0, matched.values);
            let test = match (matched.test, others.test) {
                (Some(one), Some(other)) => joined(BinaryOp::Or, Some(one), Some(other)),
                _ => None,
            };
            whole = Some(Matched { values: Values::Or(values), test, names });
        }
        whole.expect("two alternatives at least")
    }

    /// The names of alternatives, each bound as in `first` where that matches, and else as in `others`.
    fn either(&mut self, first: &Matched, others: &[(Ident, Expr)], span: Span) -> Typed<Vec<(Ident, Expr)>> {
        let same = |a: &Ident, b: &Ident| (a.mark, &a.name) == (b.mark, &b.name);
        let in_others = |name: &Ident| others.iter().position(|(other, _)| same(name, other));
        let alone = first.names.iter().find(|(name, _)| in_others(name).is_none());
        let in_first = |name: &Ident| first.names.iter().any(|(other, _)| same(name, other));
        if let Some((name, _)) = alone.or_else(|| others.iter().find(|(name, _)| !in_first(name))) {
            let message = format!("`{}` is bound in one alternative, and not in the other", name.name);
            let error = Diagnostic::new(Code::BadPattern, name.span, message);
            return Err(error.help("bind the same names in each, or write an arm for each"));
        }
        let mut names = Vec::new();
        for (name, value) in &first.names {
            let (_, other) = &others[in_others(name).expect("bound in both")];
            self.same(value, other).map_err(|error| error.note("a name has one type in all alternatives"))?;
            let value = match &first.test {
                None => value.clone(),
                Some(test) => {
                    let (then, els) = (Box::new(value.clone()), Box::new(other.clone()));
                    let kind = ExprKind::If { cond: Box::new(test.clone()), then, els };
                    Expr { kind, ty: value.ty.clone(), span }
                }
            };
            names.push((name.clone(), value));
        }
        Ok(names)
    }

    /// The same names, of which nothing more is said.
    fn holes(&mut self, names: Vec<(Ident, Expr)>) -> Vec<(Ident, Expr)> {
        names.into_iter().map(|(name, value)| (name, self.hole(value.span))).collect()
    }
}

/// The field of `of` with this number.
pub(super) fn field(of: &Expr, number: usize, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Field(Box::new(of.clone()), number as u32), ty, span }
}

/// Whether the bool `of` is `wanted`.
fn truth(wanted: bool, of: Expr) -> Matched {
    let number = i128::from(wanted);
    let span = of.span;
    let not = |of| Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(of)), ty: Ty::BOOL, span };
    Matched::tested(Values::Range(number, number), if wanted { of } else { not(of) })
}

fn compared(op: CompareOp, of: &Expr, value: Expr, span: Span) -> Expr {
    let of = Expr { span, ..of.clone() };
    Expr { kind: ExprKind::Compare(op, Box::new(of), Box::new(value)), ty: Ty::BOOL, span }
}

/// Both tests, by the operator; one that is not there asks nothing. They are total and short, so that both are made.
fn joined(op: BinaryOp, one: Option<Expr>, other: Option<Expr>) -> Option<Expr> {
    match (one, other) {
        (Some(one), Some(other)) => {
            let span = other.span;
            Some(Expr { kind: ExprKind::Binary(op, Box::new(one), Box::new(other)), ty: Ty::BOOL, span })
        }
        (one, other) => one.or(other),
    }
}

/// The integer that a literal or a constant is, as far as that is known before types are.
fn known(value: &Expr) -> Option<i128> {
    match &value.kind {
        ExprKind::Integer(number) => Some(*number),
        ExprKind::Const(constant) => constant.as_integer(),
        _ => value.constant().map(i128::from),
    }
}
