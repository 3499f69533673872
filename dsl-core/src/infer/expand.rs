//! Expansion of macros: the user's, and the sugar, which is macros too.
//!
//! Arguments are substituted unevaluated. Names that a macro's body binds get the mark of the expansion, so
//! they neither capture names in the arguments nor are captured by names around the call. Tokens of a sugar's
//! body take the place of the user's token, which is what errors should point at.

use std::rc::Rc;

use proc_macro2::Span;

use crate::syntax::ast::{
    Arm, Binding, Builder, Closure, Expr, ExprKind, Ident, Iter, IterKind, Macro, Match, Mixed, NamedPattern,
    Param, Pattern, RangePattern, Slice, Type,
};

/// One expansion under way.
struct Expansion<'a> {
    params: &'a [Ident],
    args: &'a Rc<[Expr]>,
    mark: u32,
    /// Where the body's tokens are said to stand; `None` leaves them where they are.
    span: Option<Span>,
    /// Parameters that a binding inside the body hides at the moment.
    hidden: Vec<String>,
    /// The number of nodes so far.
    nodes: usize,
}

/// The body of `definition` with `args` in place of its parameters, and of how many nodes it is made, arguments apart: they
/// are shared. `args` are as many as the parameters.
pub(super) fn expand(definition: &Macro, args: &Rc<[Expr]>, mark: u32, span: Option<Span>) -> (Expr, usize) {
    let mut expansion =
        Expansion { params: &definition.params, args, mark, span, hidden: Vec::new(), nodes: 0 };
    let body = expansion.expr(&definition.body);
    (body, expansion.nodes)
}

/// `closure` with all its tokens at `span`, and of how many nodes it is made.
pub(super) fn moved(closure: &Closure, span: Span) -> (Closure, usize) {
    moved_by(span, |expansion| expansion.closure(closure))
}

/// The same of a value.
pub(super) fn moved_value(value: &Expr, span: Span) -> (Expr, usize) {
    moved_by(span, |expansion| expansion.expr(value))
}

fn moved_by<T>(span: Span, part: impl FnOnce(&mut Expansion<'_>) -> T) -> (T, usize) {
    let args: Rc<[Expr]> = Rc::new([]);
    let span = Some(span);
    let mut expansion = Expansion { params: &[], args: &args, mark: 0, span, hidden: Vec::new(), nodes: 0 };
    let moved = part(&mut expansion);
    (moved, expansion.nodes)
}

impl Expansion<'_> {
    fn span(&self, span: Span) -> Span {
        self.span.unwrap_or(span)
    }

    fn ident(&self, ident: &Ident) -> Ident {
        Ident { name: ident.name.clone(), mark: self.mark, span: self.span(ident.span) }
    }

    /// The argument that `ident` stands for: itself if its form matters where it stands, as that of a function does.
    fn argument(&self, ident: &Ident) -> Option<Expr> {
        if self.hidden.contains(&ident.name) {
            return None;
        }
        let position = self.params.iter().position(|param| param.name == ident.name)?;
        let arg = &self.args[position];
        let is_form = |kind: &ExprKind| {
            matches!(
                kind,
                ExprKind::Name(_)
                    | ExprKind::Path(..)
                    | ExprKind::Closure(_)
                    | ExprKind::Operator(_)
                    | ExprKind::Argument(..)
            )
        };
        let shared = || Expr { kind: ExprKind::Argument(self.args.clone(), position), span: arg.span };
        Some(if is_form(&arg.kind) { arg.clone() } else { shared() })
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        self.nodes += 1;
        let kind = match &expr.kind {
            ExprKind::Name(name) => match self.argument(name) {
                Some(argument) => return argument,
                None => ExprKind::Name(self.ident(name)),
            },
            ExprKind::Path(name, path) => ExprKind::Path(self.ident(name), path.clone()),
            ExprKind::Call { name, turbofish, args, is_method } => {
                let args = self.exprs(args).into();
                match self.argument(name) {
                    Some(function) if !is_method => ExprKind::Apply(Box::new(function), args),
                    _ => ExprKind::Call {
                        name: self.ident(name),
                        turbofish: turbofish.as_ref().map(|ty| Box::new(self.ty(ty))),
                        args,
                        is_method: *is_method,
                    },
                }
            }
            ExprKind::Const(constant) => ExprKind::Const(*constant),
            ExprKind::Integer(value) => ExprKind::Integer(*value),
            ExprKind::Float(text) => ExprKind::Float(text.clone()),
            ExprKind::Operator(op) => ExprKind::Operator(*op),
            ExprKind::Bytes(bytes, ty) => ExprKind::Bytes(bytes.clone(), *ty),
            ExprKind::Let(bindings, body) => self.scoped(|this| {
                let bindings = bindings.iter().map(|binding| this.binding(binding)).collect();
                ExprKind::Let(bindings, this.boxed(body))
            }),
            ExprKind::Closure(closure) => ExprKind::Closure(self.closure(closure)),
            ExprKind::Unary(op, x) => ExprKind::Unary(*op, self.boxed(x)),
            ExprKind::Binary(op, x, y) => ExprKind::Binary(*op, self.boxed(x), self.boxed(y)),
            ExprKind::Compare(op, x, y) => ExprKind::Compare(*op, self.boxed(x), self.boxed(y)),
            ExprKind::Mixed(mixed) => {
                let operators = mixed.operators.iter().map(|(infix, span)| (*infix, self.span(*span)));
                ExprKind::Mixed(Box::new(Mixed {
                    operators: operators.collect(),
                    operands: self.exprs(&mixed.operands),
                    tokens: mixed.tokens.clone(),
                }))
            }
            ExprKind::And(x, y) => ExprKind::And(self.boxed(x), self.boxed(y)),
            ExprKind::Or(x, y) => ExprKind::Or(self.boxed(x), self.boxed(y)),
            ExprKind::Range(x, y) => ExprKind::Range(self.boxed(x), self.boxed(y)),
            ExprKind::Slice(slice) => {
                let mut part = |part: &Option<Expr>| part.as_ref().map(|part| self.expr(part));
                let (start, end, step) = (part(&slice.start), part(&slice.end), part(&slice.step));
                ExprKind::Slice(Box::new(Slice { start, end, step }))
            }
            ExprKind::Ascribe(x, ty) => ExprKind::Ascribe(self.boxed(x), self.ty(ty)),
            ExprKind::Cast(x, ty) => ExprKind::Cast(self.boxed(x), self.ty(ty)),
            ExprKind::If { cond, then, els } => {
                ExprKind::If { cond: self.boxed(cond), then: self.boxed(then), els: self.boxed(els) }
            }
            ExprKind::Option(value) => ExprKind::Option(value.as_ref().map(|value| self.boxed(value))),
            ExprKind::Match(choice) => self.choice(choice),
            ExprKind::Struct(fields) => ExprKind::Struct(self.exprs(fields)),
            ExprKind::Vector(elements) => ExprKind::Vector(self.exprs(elements)),
            ExprKind::Named { name, fields, rest } => ExprKind::Named {
                name: self.ident(name),
                fields: fields.iter().map(|(field, value)| (field.clone(), self.expr(value))).collect(),
                rest: rest.as_ref().map(|rest| self.boxed(rest)),
            },
            ExprKind::Member(x, name) => ExprKind::Member(self.boxed(x), name.clone()),
            ExprKind::Field(x, index, spelling) => ExprKind::Field(self.boxed(x), *index, *spelling),
            ExprKind::Index(x, index) => ExprKind::Index(self.boxed(x), self.boxed(index)),
            ExprKind::Apply(function, args) => ExprKind::Apply(self.boxed(function), self.exprs(args).into()),
            ExprKind::Argument(..) => expr.kind.clone(),
            ExprKind::Builder(builder) => ExprKind::Builder(self.builder(builder)),
            ExprKind::For { iters, builder, function } => ExprKind::For {
                iters: iters.iter().map(|iter| self.iter(iter)).collect(),
                builder: self.boxed(builder),
                function: self.boxed(function),
            },
            ExprKind::Deserialize(ty, x) => ExprKind::Deserialize(self.ty(ty), self.boxed(x)),
            ExprKind::Cudf { symbol, ty, args } => {
                ExprKind::Cudf { symbol: symbol.clone(), ty: self.ty(ty), args: self.exprs(args) }
            }
        };
        Expr { kind, span: self.span(expr.span) }
    }

    /// Runs `part` and forgets what it hid.
    fn scoped<R>(&mut self, part: impl FnOnce(&mut Self) -> R) -> R {
        let hidden = self.hidden.len();
        let result = part(self);
        self.hidden.truncate(hidden);
        result
    }

    /// A binding, which hides what it binds from then on.
    fn binding(&mut self, binding: &Binding) -> Binding {
        self.nodes += 1;
        let value = self.expr(&binding.value);
        let ty = binding.ty.as_ref().map(|ty| self.ty(ty));
        Binding { pattern: self.pattern(&binding.pattern), ty, value }
    }

    /// A `match`, whose patterns hide what they bind in their arms.
    fn choice(&mut self, choice: &Match) -> ExprKind {
        let of = self.expr(&choice.of);
        let arm = |arm: &Arm| {
            self.scoped(|this| Arm {
                pattern: this.pattern(&arm.pattern),
                guard: arm.guard.as_ref().map(|guard| this.expr(guard)),
                body: this.expr(&arm.body),
            })
        };
        let arms = choice.arms.iter().map(arm).collect();
        ExprKind::Match(Box::new(Match { of, arms, is_if_let: choice.is_if_let }))
    }

    fn closure(&mut self, closure: &Closure) -> Closure {
        self.scoped(|this| Closure {
            params: closure
                .params
                .iter()
                .map(|param| Param {
                    ty: param.ty.as_ref().map(|ty| this.ty(ty)),
                    pattern: this.pattern(&param.pattern),
                })
                .collect(),
            result: closure.result.as_ref().map(|ty| this.ty(ty)),
            body: this.boxed(&closure.body),
            span: this.span(closure.span),
        })
    }

    fn pattern(&mut self, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Name(name) => {
                self.hidden.push(name.name.clone());
                Pattern::Name(self.ident(name))
            }
            Pattern::At(name, pattern) => {
                self.hidden.push(name.name.clone());
                Pattern::At(self.ident(name), Box::new(self.pattern(pattern)))
            }
            Pattern::Ignore(span) => Pattern::Ignore(self.span(*span)),
            Pattern::Struct(fields, span) => Pattern::Struct(self.patterns(fields), self.span(*span)),
            Pattern::Elements(all, span) => Pattern::Elements(self.patterns(all), self.span(*span)),
            Pattern::Or(parts) => Pattern::Or(self.patterns(parts)),
            Pattern::Value(value) => Pattern::Value(self.boxed(value)),
            Pattern::Range(range) => {
                let mut part = |part: &Option<Expr>| part.as_ref().map(|part| self.expr(part));
                let (start, end) = (part(&range.start), part(&range.end));
                let (is_closed, span) = (range.is_closed, self.span(range.span));
                Pattern::Range(Box::new(RangePattern { start, end, is_closed, span }))
            }
            Pattern::Option(value, span) => {
                let value = value.as_ref().map(|value| Box::new(self.pattern(value)));
                Pattern::Option(value, self.span(*span))
            }
            Pattern::Named(named) => {
                let NamedPattern { name, fields, is_partial } = &**named;
                let fields =
                    fields.iter().map(|(field, pattern)| (field.clone(), self.pattern(pattern))).collect();
                let name = self.ident(name);
                Pattern::Named(Box::new(NamedPattern { name, fields, is_partial: *is_partial }))
            }
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) -> Vec<Pattern> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn builder(&mut self, builder: &Builder) -> Builder {
        let init = builder.init.as_ref().map(|init| self.boxed(init));
        Builder { ty: builder.ty.map(|ty| self.ty(ty)), init }
    }

    fn iter(&mut self, iter: &Iter) -> Iter {
        let kind = match &iter.kind {
            IterKind::All(x) => IterKind::All(self.expr(x)),
            IterKind::Strided { vector, start, end, stride } => IterKind::Strided {
                vector: self.expr(vector),
                start: self.expr(start),
                end: self.expr(end),
                stride: self.expr(stride),
            },
            IterKind::Range { start, end, stride } => {
                IterKind::Range { start: self.expr(start), end: self.expr(end), stride: self.expr(stride) }
            }
        };
        Iter { kind, span: self.span(iter.span) }
    }

    /// Types keep the user's aliases; only their places move.
    fn ty(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.place(&mut ty);
        ty
    }

    fn place(&self, ty: &mut Type) {
        ty.span = self.span(ty.span);
        ty.parts_mut().for_each(|part| self.place(part));
    }
}
