//! What stands in the source, for messages that quote it: the text of each expression.
//!
//! The text is made of tokens (see `print`), so that the macro and the run time quote alike, however a program is
//! set. Which tokens belong to an expression follows from the tree: those of its parts, the token to blame, the brackets
//! that close what it opens, and everything between. What cannot be told exactly is left out.

pub(super) mod print;

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::{Span, TokenStream};
use weldment_runtime::lang::fault::Position;

use self::print::{Printed, print};
use super::ast::{Expr, ExprKind, Program, Type, TypeKind};
use crate::diagnostic::position;
use crate::source::Excerpts;

/// The excerpts of `program`, which was parsed from `tokens`.
pub(super) fn of(tokens: TokenStream, program: &Program) -> Excerpts {
    let printed = print(tokens);
    let mut at = HashMap::new();
    for (number, token) in printed.tokens.iter().enumerate() {
        if let Some(place) = token.place {
            // Two tokens of one place come from a macro of Rust that repeats: neither can be told from the other.
            at.entry((place.line, place.column)).and_modify(|at| *at = None).or_insert(Some(number));
        }
    }
    let mut walk = Walk { printed: &printed, at, parts: Vec::new() };
    walk.extent(&program.closure.body);
    let items = program.macros.iter().map(|item| &item.body);
    let items = items.chain(program.functions.iter().map(|item| &*item.closure.body));
    for item in items.chain(program.constants.iter().map(|item| &item.value)) {
        walk.extent(item);
    }
    let parts = walk.parts;
    Excerpts::new(printed.text, parts)
}

/// The first and the last token of something.
#[derive(Clone, Copy)]
struct Extent {
    first: usize,
    last: usize,
}

struct Walk<'a> {
    printed: &'a Printed,
    /// The number of the token at each place.
    at: HashMap<(u32, u32), Option<usize>>,
    parts: Vec<(Position, Range<usize>)>,
}

impl Walk<'_> {
    /// The tokens of `expr`, noted with those of all expressions inside.
    fn extent(&mut self, expr: &Expr) -> Option<Extent> {
        // Every part is walked, even if some have no extent.
        let parts: Vec<_> = expr.parts().into_iter().map(|part| self.extent(part)).collect();
        let own = self.token(expr.span)?;
        let mut extent = self.own(expr, own)?;
        for part in parts {
            extent = self.around(extent, part?);
        }
        let tokens = &self.printed.tokens;
        let (start, mut end) = (tokens[extent.first].text.start, tokens[extent.last].text.end);
        // `x.$0.$1` holds the number `0.`.
        end -= usize::from(self.printed.text[..end].ends_with('.'));
        self.parts.push((position(expr.span), start..end));
        Some(extent)
    }

    /// The tokens of `expr` that belong to none of its parts; `own` is the one to blame.
    fn own(&self, expr: &Expr, own: usize) -> Option<Extent> {
        let one = |last| Extent { first: own, last };
        Some(match &expr.kind {
            ExprKind::Integer(value) if *value < 0 => self.negative(own),
            ExprKind::Float(text) if text.starts_with('-') => self.negative(own),
            ExprKind::Const(_) | ExprKind::Path(..) if self.is(own + 1, ":") => one(self.end_of_path(own)),
            ExprKind::Const(_) if self.is_negative(own) => self.negative(own),
            ExprKind::Call { turbofish: Some(_), .. } => one(self.end_of_call(own)?),
            ExprKind::Call { .. } if self.is(own + 1, "!") => one(self.behind(own + 1, "(")),
            ExprKind::Call { .. } | ExprKind::For { .. } => one(self.behind(own, "(")),
            ExprKind::Builder(_) | ExprKind::Cudf { .. } => one(self.behind(self.behind(own, "["), "(")),
            ExprKind::Ascribe(_, ty) => one(self.end_of_type(ty)?),
            ExprKind::Cast(_, ty) => Extent { first: own, last: self.end_of_type(ty)?.max(own) },
            _ => one(self.printed.tokens[own].close),
        })
    }

    /// The smallest run of tokens that holds both and leaves no bracket open.
    fn around(&self, a: Extent, b: Extent) -> Extent {
        let tokens = &self.printed.tokens;
        let (mut first, mut last) = (a.first.min(b.first), a.last.max(b.last));
        // Both ends rise to where they stand beside each other.
        while tokens[first].around != tokens[last].around {
            if tokens[first].depth >= tokens[last].depth {
                first = tokens[first].around.unwrap_or(first);
            } else {
                last = tokens[last].around.map_or(last, |open| tokens[open].close);
            }
        }
        Extent { first, last }
    }

    fn token(&self, span: Span) -> Option<usize> {
        let place = position(span);
        self.at.get(&(place.line, place.column)).copied().flatten()
    }

    /// Whether token `number` is `text`.
    fn is(&self, number: usize, text: &str) -> bool {
        let token = self.printed.tokens.get(number);
        token.is_some_and(|token| &self.printed.text[token.text.clone()] == text)
    }

    /// A number whose minus is a token of its own, as it is in text.
    fn negative(&self, own: usize) -> Extent {
        let minus = own.checked_sub(1).filter(|&before| self.is(before, "-"));
        Extent { first: minus.unwrap_or(own), last: own }
    }

    /// Whether a minus before the literal `own` belongs to it: nothing stands before it that could be subtracted from.
    fn is_negative(&self, own: usize) -> bool {
        let beside =
            |number: usize| self.printed.tokens[number].text.end == self.printed.tokens[own].text.start;
        own.checked_sub(1).is_some_and(|before| self.is(before, "-") && beside(before))
    }

    /// The last token of `f64::consts::PI`, which begins at `own`.
    fn end_of_path(&self, own: usize) -> usize {
        let mut last = own;
        while self.is(last + 1, ":") && self.is(last + 2, ":") {
            last += 3;
        }
        last.min(self.printed.tokens.len() - 1)
    }

    /// The end of the brackets right behind token `last`, if they are `open`; or that token.
    fn behind(&self, last: usize, open: &str) -> usize {
        if self.is(last + 1, open) { self.printed.tokens[last + 1].close } else { last }
    }

    /// The end of the arguments of `name::<T>(arguments)`.
    fn end_of_call(&self, own: usize) -> Option<usize> {
        let tokens = &self.printed.tokens;
        let is_open = |&number: &usize| self.is(number, "(") && tokens[number].around == tokens[own].around;
        let open = (own..tokens.len()).find(is_open)?;
        Some(tokens[open].close)
    }

    /// The last token of a type, where that is plain to see.
    fn end_of_type(&self, ty: &Type) -> Option<usize> {
        match &ty.kind {
            TypeKind::Scalar(_) => self.token(ty.span),
            TypeKind::Name(named) if named.args.is_empty() => self.token(ty.span),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_text;
    use crate::syntax::text::lex;

    /// What stands at the token that `mark` begins with in `text`, which is one line.
    fn excerpt(text: &str, mark: &str) -> Option<String> {
        let program = parse_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let excerpts = of(lex(text).expect("tokens"), &program);
        let before = text.find(mark).unwrap_or_else(|| panic!("{text} holds no {mark}"));
        let column = text[..before].chars().count() as u32 + 1;
        excerpts.at(Position { line: 1, column }).map(str::to_owned)
    }

    #[test]
    fn an_expression_is_told_whole() {
        for (text, mark, whole) in [
            ("|w: &[f64]| w.map(|x|x-w [0])", "[0]", "w[0]"),
            ("|w: &[f64]| w . map( |x| x-w[0] )", "map", "w.map(|x| x - w[0])"),
            ("|w: &[f64]| w.map(|x| x * -1.5).sum()", "sum", "w.map(|x| x * -1.5).sum()"),
            ("|w: vec[f64]| lookup(w,0L)+1.0", "lookup", "lookup(w, 0L)"),
            ("|x: i64| dbg ! (x+1)*2", "dbg", "dbg!(x + 1)"),
            ("|w: &[f64]| w.sort_by_key(|x| x)[0]", "sort", "w.sort_by_key(|x| x)"),
            ("|w: vec[f64]| lookup(w,0L)+1.0", "+", "lookup(w, 0L) + 1.0"),
            ("|x: f64, y: f64| (x+y) * (x - y).abs()", "abs", "(x - y).abs()"),
            ("|x: f64, y: f64| (x+y) * (x - y).abs()", "*", "(x + y) * (x - y).abs()"),
            (
                "|v: vec[i64]| result(for(v,appender[i64](3L),|b,i,x| merge(b,x)))",
                "appender",
                "appender[i64](3L)",
            ),
            (
                "|v: vec[i64]| result(for(v,merger[i64,+],|b,i,x| merge(b,x)))",
                "for",
                "for(v, merger[i64, +], |b, i, x| merge(b, x))",
            ),
            ("|p: {i64,{i64,f64}}| p.$1.$0", "1.$0", "p.$1"),
            ("|x: f64| if x>0.0 {x} else {let y=-x;y}", "if", "if x > 0.0 { x } else { let y = -x; y }"),
            ("|x: i64| {x,{x , f64(x)}}.$1", "f64(x)", "f64(x)"),
            ("|x: i64| {x,{x , f64(x)}}", "{x", "{ x, {x, f64(x)} }"),
            ("|x: f64| x as i64 + 1", "as", "x as i64"),
            ("|x: f64| x*f64::consts::PI", "*f", "x * f64::consts::PI"),
            ("|n: i64| (0 .. n).map(|i| i).sum()", "sum", "(0..n).map(|i| i).sum()"),
            ("|| deserialize::<Vec<Vec<i64>>>(b\"\")", "deserialize", "deserialize::<Vec<Vec<i64>>>(b\"\")"),
            ("|k: &[i64]| k.reduce_by(|x| x, |x| 1L, +)", "reduce_by", "k.reduce_by(|x| x, |x| 1L, +)"),
        ] {
            assert_eq!(excerpt(text, mark).as_deref(), Some(whole), "{text}");
        }
    }
}
