//! Constants in the place of values, as the text of low-level code has them: `0.5f64`, `-3i32`, `inf_f64`, `true`. A number
//! without a type counts iterations.

use weldment_runtime::lang::types::Scalar;

use super::super::entity::{Entity, Value};
use super::super::lex::{Kind, Token};
use super::super::op::Const;
use super::{Literals, MAX_ID, Parser, Result};

impl<'a> Parser<'a> {
    /// A parser of a text where constants stand in the place of values. They get ids behind those that the text names.
    pub fn with_literals(tokens: &'a [Token<'a>]) -> Parser<'a> {
        let id =
            |token: &Token<'_>| token.text.strip_prefix('v')?.parse().ok().filter(|&id: &u32| id < MAX_ID);
        let last = tokens.iter().filter(|token| token.kind == Kind::Word).filter_map(id).max();
        let mut parser = Parser { literals: Some(Literals::default()), ..Parser::new(tokens) };
        if let Some(last) = last {
            parser.reach(last as usize);
        }
        parser
    }

    /// The constants that were read, each with its value and whether it counts iterations.
    pub fn literals(&self) -> &[(Value, Const, bool)] {
        self.literals.as_ref().map_or(&[], |literals| &literals.found)
    }

    /// The value of the constant that comes next, if one does and may.
    pub(super) fn literal(&mut self) -> Result<Option<Value>> {
        if self.literals.is_none() {
            return Ok(None);
        }
        let token = self.peek();
        let (constant, position) = match (token.kind, token.text) {
            (Kind::Word, "true" | "false") => (self.constant_of(Scalar::Bool)?, false),
            (Kind::Word, text) => match text.split_once('_') {
                Some((word @ ("inf" | "nan"), ty @ ("f32" | "f64"))) => {
                    self.advance();
                    (if ty == "f32" { float_f32(word) } else { float_f64(word) }, false)
                }
                _ => return Ok(None),
            },
            (Kind::Number, "-inf") => {
                self.advance();
                match self.advance().text {
                    "_f32" => (Const::F32(f32::NEG_INFINITY), false),
                    "_f64" => (Const::F64(f64::NEG_INFINITY), false),
                    _ => return Err(self.error_before("expected `_f32` or `_f64`")),
                }
            }
            (Kind::Number, _) => self.suffixed()?,
            _ => return Ok(None),
        };
        Ok(Some(self.literal_value(constant, position)))
    }

    /// A number with its type, or without one.
    fn suffixed(&mut self) -> Result<(Const, bool)> {
        let number = self.next;
        self.next += 1;
        let suffix = self.peek();
        let touches = suffix.kind == Kind::Word && suffix.line == self.tokens[number].line;
        let scalar = Scalar::from_name(suffix.text).filter(|&ty| touches && ty != Scalar::Bool);
        self.next = number;
        let constant = self.constant_of(scalar.unwrap_or(Scalar::U64))?;
        self.next += usize::from(scalar.is_some());
        Ok((constant, scalar.is_none()))
    }

    fn literal_value(&mut self, constant: Const, position: bool) -> Value {
        let literals = self.literals();
        let same = |&&(_, known, counts): &&(Value, Const, bool)| {
            known.scalar() == constant.scalar() && known.bits() == constant.bits() && counts == position
        };
        if let Some(&(value, ..)) = literals.iter().find(same) {
            return value;
        }
        let value = Value::from_index(self.program.values.len());
        self.reach(value.index());
        self.program.values[value].ty = constant.scalar().into();
        if let Some(literals) = &mut self.literals {
            literals.found.push((value, constant, position));
        }
        value
    }
}

fn float_f32(word: &str) -> Const {
    Const::F32(if word == "inf" { f32::INFINITY } else { f32::NAN })
}

fn float_f64(word: &str) -> Const {
    Const::F64(if word == "inf" { f64::INFINITY } else { f64::NAN })
}
