//! Statements and operations.

use weldment_runtime::lang::types::Scalar;

use super::super::entity::{Loc, Value};
use super::super::lex::{Kind, Token};
use super::super::op::{Body, Const, Loop, Op, Stmt};
use super::{Parser, Result};

impl Parser<'_> {
    pub(super) fn stmt(&mut self) -> Result<Stmt> {
        let mut results = Vec::new();
        if self.is_value() {
            results.push(self.typed_binding()?);
            while self.eat(",") {
                results.push(self.typed_binding()?);
            }
            self.word("=")?;
        }
        let (op, loc) = self.op(&results)?;
        Ok(Stmt { results, op, loc })
    }

    fn op(&mut self, results: &[Value]) -> Result<(Op, Loc)> {
        let token = self.advance();
        let op = match token.text {
            "sort" | "if" | "iterate" | "loop" | "region" | "for" => return self.holder(token),
            "merge" => {
                let sink = self.sink()?;
                self.word(",")?;
                Op::Merge { sink, values: self.list()? }
            }
            _ => self.straight(token, results)?,
        };
        Ok((op, self.loc()?))
    }

    /// An op that holds bodies.
    fn holder(&mut self, token: Token<'_>) -> Result<(Op, Loc)> {
        match token.text {
            "sort" => {
                let vector = self.value()?;
                let loc = self.loc()?;
                self.word("by")?;
                Ok((Op::Sort { vector, comparator: self.function()? }, loc))
            }
            "if" => {
                let cond = self.value()?;
                let loc = self.loc()?;
                let then = self.block(Vec::new(), "yield", &mut Vec::new())?;
                let els = if self.eat("else") {
                    self.block(Vec::new(), "yield", &mut Vec::new())?
                } else {
                    self.program.bodies.push(Body::default())
                };
                Ok((Op::If { cond, then, els }, loc))
            }
            "iterate" => {
                self.word("(")?;
                let state = self.until(")", |parser| {
                    let param = parser.typed_binding()?;
                    parser.word("=")?;
                    Ok((param, parser.value()?))
                })?;
                let (params, init) = state.into_iter().unzip();
                let loc = self.loc()?;
                Ok((Op::Iterate { init, body: self.block(params, "yield", &mut Vec::new())? }, loc))
            }
            "for" => {
                let (params, extents) = self.indices()?;
                let loc = self.loc()?;
                let &[extent] = extents.as_slice() else {
                    return Err(self.error_at(token, "`for` has one index"));
                };
                Ok((Op::For { extent, body: self.block(params, "yield", &mut Vec::new())? }, loc))
            }
            _ => {
                let (params, extents) =
                    if token.text == "region" { (Vec::new(), Vec::new()) } else { self.indices()? };
                let loc = self.loc()?;
                let mut sinks = Vec::new();
                let body = self.block(params, "yield", &mut sinks)?;
                Ok((Op::Loop(Loop { extents, body, sinks }), loc))
            }
        }
    }

    /// The scalar type of the one result.
    pub(in crate::ir) fn scalar_result(&self, results: &[Value]) -> Result<Scalar> {
        match results {
            [value] => self.program.ty(*value).as_scalar(),
            _ => None,
        }
        .ok_or_else(|| self.error_before("the result is not a scalar"))
    }

    /// A constant, where a text has them as ops.
    pub(in crate::ir) fn constant(&mut self, results: &[Value]) -> Result<Const> {
        if self.literals.is_some() {
            return Err(self.error_before("expected an op, found `const`"));
        }
        let ty = self.scalar_result(results)?;
        self.constant_of(ty)
    }

    /// A number or truth value, of type `ty`.
    pub fn constant_of(&mut self, ty: Scalar) -> Result<Const> {
        Ok(match ty {
            Scalar::Bool => Const::Bool(self.number("`true` or `false`")?),
            Scalar::F32 => Const::F32(self.number("an f32")?),
            Scalar::F64 => Const::F64(self.number("an f64")?),
            scalar => {
                let number: i128 = self.number("an integer")?;
                let constant = Const::from_i128(scalar, number);
                if constant.as_integer() != Some(number) {
                    return Err(self.error_before(format!("{number} is not an {scalar}")));
                }
                constant
            }
        })
    }

    pub(in crate::ir) fn text(&mut self) -> Result<String> {
        let token = self.peek();
        if token.kind != Kind::Text {
            return Err(self.unexpected("a string"));
        }
        self.next += 1;
        let mut text = String::new();
        let mut chars = token.text[1..token.text.len() - 1].chars();
        while let Some(c) = chars.next() {
            text.extend(if c == '\\' { chars.next() } else { Some(c) });
        }
        Ok(text)
    }
}
