//! `s.like(pattern)`: a pattern that is written out becomes searches for its pieces, and any other one is a function of the runtime.
//!
//! In a pattern, `%` is any text, `_` one character, and `\\` makes a character of the one behind it. So pieces between two `%` are looked for one
//! behind the other, each where it stands first, and what stands before the first `%` and behind the last one begins and ends the text.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed, bind, forms, quoted};
use crate::syntax::ast;

impl Infer<'_> {
    /// `text.like(pattern)`, of which `args` consist.
    pub(super) fn like(&mut self, name: &ast::Ident, args: &Rc<[ast::Expr]>, is_method: bool) -> Typed<Expr> {
        let pieces = match &forms::strip(&args[1]).kind {
            ast::ExprKind::Bytes(pattern, Scalar::I8) => pieces(pattern),
            _ => None,
        };
        let Some(pieces) = pieces else { return self.sugar_of("like_by", name, args, is_method) };
        let text = self.typed(&args[0], &Ty::text());
        let mut named = self.named(name.span);
        let scope = self.scope.enter();
        let text = named.name(self, text);
        let typed = self.expr(&searches(&text, &pieces, named.mark, name.span));
        self.scope.leave(scope);
        Ok(bind::wrap(named.parts, typed))
    }
}

/// The pieces between each `%` of a pattern and the next, of which some may be empty; `None` if one of them has a `_`.
fn pieces(pattern: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut pieces, mut bytes) = (vec![Vec::new()], pattern.iter());
    while let Some(&byte) = bytes.next() {
        let byte = match byte {
            b'_' => return None,
            b'%' => {
                pieces.push(Vec::new());
                continue;
            }
            // At the end of a pattern it is the character itself.
            b'\\' => *bytes.next().unwrap_or(&byte),
            _ => byte,
        };
        pieces.last_mut()?.push(byte);
    }
    Some(pieces)
}

/// Whether `text` has these pieces, of which there is one at least.
fn searches(text: &ast::Expr, pieces: &[Vec<u8>], mark: u32, span: Span) -> ast::Expr {
    let call = |function: &str, args: Vec<ast::Expr>| quoted::call(function, args, mark, span);
    let piece = |piece: &Vec<u8>| ast::Expr { kind: ast::ExprKind::Bytes(piece.clone(), Scalar::I8), span };
    let of_text = |function: &str, part: &Vec<u8>| call(function, vec![text.clone(), piece(part)]);
    let [first, between @ .., last] = pieces else { return of_text("like_whole", &pieces[0]) };
    let between: Vec<&Vec<u8>> = between.iter().filter(|piece| !piece.is_empty()).collect();
    match (first.is_empty(), &between[..], last.is_empty()) {
        (_, [], true) => return of_text("starts_with", first),
        (true, [], false) => return of_text("ends_with", last),
        (true, [only], true) => return of_text("text_contains", only),
        _ => {}
    }
    let start = match first.is_empty() {
        true => ast::Expr { kind: ast::ExprKind::Const(Const::I64(0)), span },
        false => of_text("like_start", first),
    };
    let next = |at, part| call("like_next", vec![text.clone(), at, piece(part)]);
    let behind = between.into_iter().fold(start, next);
    match last.is_empty() {
        true => call("like_found", vec![behind]),
        false => call("like_end", vec![text.clone(), behind, piece(last)]),
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn patterns_are_cut_where_any_text_may_stand() {
        let of = |pattern: &str| {
            let pieces = pieces(pattern.as_bytes())?;
            Some(
                pieces
                    .into_iter()
                    .map(|piece| String::from_utf8(piece).unwrap())
                    .collect::<Vec<_>>()
                    .join("|"),
            )
        };
        for (pattern, expected) in [
            ("", Some("")),
            ("%", Some("|")),
            ("a%%b", Some("a||b")),
            (r"10\%\_\\é%\", Some(r"10%_\é|\")),
            ("a_b%", None),
        ] {
            assert_eq!(of(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
