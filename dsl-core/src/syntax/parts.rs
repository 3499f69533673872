//! The expressions inside of expressions.

use super::ast::{Expr, ExprKind, Iter, IterKind};

impl Expr {
    /// The expressions directly inside of this one, in the order of the text; of a closure its body.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Operator(_)
            | ExprKind::Bytes(..)
            | ExprKind::Name(_)
            | ExprKind::Path(..) => Vec::new(),
            ExprKind::Let(bindings, body) => {
                bindings.iter().map(|binding| &binding.value).chain([&**body]).collect()
            }
            ExprKind::Closure(closure) => vec![&closure.body],
            ExprKind::Unary(_, x)
            | ExprKind::Ascribe(x, _)
            | ExprKind::Cast(x, _)
            | ExprKind::Field(x, ..)
            | ExprKind::Member(x, _)
            | ExprKind::Deserialize(_, x) => vec![x],
            ExprKind::Binary(_, x, y)
            | ExprKind::Compare(_, x, y)
            | ExprKind::And(x, y)
            | ExprKind::Or(x, y)
            | ExprKind::Range(x, y)
            | ExprKind::Index(x, y) => vec![x, y],
            ExprKind::Slice(slice) => slice.parts().collect(),
            ExprKind::Mixed(mixed) => mixed.operands.iter().collect(),
            ExprKind::If { cond, then, els } => vec![cond, then, els],
            ExprKind::Option(value) => value.as_deref().into_iter().collect(),
            ExprKind::Match(choice) => {
                let arms = choice.arms.iter().flat_map(|arm| arm.guard.iter().chain([&arm.body]));
                std::iter::once(&choice.of).chain(arms).collect()
            }
            ExprKind::Struct(all) | ExprKind::Vector(all) => all.iter().collect(),
            ExprKind::Call { args, .. } => args.iter().collect(),
            ExprKind::Cudf { args, .. } => args.iter().collect(),
            ExprKind::Argument(args, at) => vec![&args[*at]],
            ExprKind::Named { fields, rest, .. } => {
                fields.iter().map(|(_, value)| value).chain(rest.as_deref()).collect()
            }
            ExprKind::Apply(function, args) => std::iter::once(&**function).chain(args.iter()).collect(),
            ExprKind::Builder(builder) => builder.init.as_deref().into_iter().collect(),
            ExprKind::For { iters, builder, function } => {
                iters.iter().flat_map(of_iter).chain([&**builder, function]).collect()
            }
        }
    }
}

fn of_iter(iter: &Iter) -> Vec<&Expr> {
    match &iter.kind {
        IterKind::All(vector) => vec![vector],
        IterKind::Strided { vector, start, end, stride } => vec![vector, start, end, stride],
        IterKind::Range { start, end, stride } => vec![start, end, stride],
    }
}
