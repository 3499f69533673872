//! Statements and operations.

use weldment_runtime::lang::types::Scalar;

use super::super::entity::{Entity, Loc, Value};
use super::super::lex::{Kind, Token};
use super::super::op::{BinaryOp, Body, CompareOp, Const, Loop, MathFn, Op, Stmt, UnaryOp};
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
            "const" => Op::Const(self.constant(results)?),
            _ => self.straight(token, results)?,
        };
        Ok((op, self.loc()?))
    }

    /// What stands behind `token`, the name of an op without bodies that is neither a constant nor a merge, and binds `results`.
    pub fn straight(&mut self, token: Token<'_>, results: &[Value]) -> Result<Op> {
        Ok(match token.text {
            "cast" => Op::Cast(self.scalar_result(results)?, self.value()?),
            "field" => {
                let value = self.value()?;
                self.word(",")?;
                Op::Field(value, self.number("the number of a field")?)
            }
            "struct" => {
                self.word("{")?;
                Op::Struct(self.until("}", Self::value)?, None)
            }
            "vector" => {
                self.word("[")?;
                Op::Vector(self.until("]", Self::value)?)
            }
            "call" => {
                let symbol = self.text()?;
                self.word("(")?;
                Op::Call { symbol, args: self.until(")", Self::value)? }
            }
            "zip_len" => Op::ZipLen(self.list()?),
            name => match self.plain(name)? {
                Some(op) => op,
                None => return Err(self.error_at(token, format!("expected an op, found `{name}`"))),
            },
        })
    }

    /// An op that is a name and a fixed number of values.
    fn plain(&mut self, name: &str) -> Result<Option<Op>> {
        if let Some(function) = MathFn::from_name(name) {
            return Ok(Some(Op::Math(function, self.list()?)));
        }
        if let Some(op) = UnaryOp::ALL.into_iter().find(|op| op.name() == name) {
            return Ok(Some(Op::Unary(op, self.value()?)));
        }
        if let Some(op) = BinaryOp::ALL.into_iter().find(|op| op.name() == name) {
            let [x, y] = self.values()?;
            return Ok(Some(Op::Binary(op, x, y)));
        }
        if let Some(op) = CompareOp::ALL.into_iter().find(|op| op.name() == name) {
            let [x, y] = self.values()?;
            return Ok(Some(Op::Compare(op, x, y)));
        }
        Ok(Some(match name {
            "order" => self.values().map(|[x, y]| Op::Order(x, y))?,
            "select" => self.values().map(|[c, x, y]| Op::Select(c, x, y))?,
            "len" => Op::Len(self.value()?),
            "at" => self.values().map(|[x, i]| Op::At(x, i))?,
            "check_index" => self.values().map(|[i, length]| Op::CheckIndex(i, length))?,
            "lookup" => self.values().map(|[x, key]| Op::Lookup(x, key))?,
            "slice" => self.values().map(|[x, start, size]| Op::Slice(x, start, size))?,
            "to_vec" => Op::ToVec(self.value()?),
            "key_exists" => self.values().map(|[x, key]| Op::KeyExists(x, key))?,
            "opt_lookup" => self.values().map(|[x, key]| Op::OptLookup(x, key))?,
            "serialize" => Op::Serialize(self.value()?),
            "deserialize" => Op::Deserialize(self.value()?),
            "assert" => Op::Assert(self.value()?),
            "iter_len" => {
                self.values().map(|[len, start, end, stride]| Op::IterLen { len, start, end, stride })?
            }
            "range_len" => self.values().map(|[start, end, stride]| Op::RangeLen { start, end, stride })?,
            _ => return Ok(None),
        }))
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

    fn values<const N: usize>(&mut self) -> Result<[Value; N]> {
        let mut values = [Value::from_index(0); N];
        for (i, value) in values.iter_mut().enumerate() {
            if i > 0 {
                self.word(",")?;
            }
            *value = self.value()?;
        }
        Ok(values)
    }

    /// The scalar type of the one result.
    fn scalar_result(&self, results: &[Value]) -> Result<Scalar> {
        match results {
            [value] => self.program.ty(*value).as_scalar(),
            _ => None,
        }
        .ok_or_else(|| self.error_before("the result is not a scalar"))
    }

    fn constant(&mut self, results: &[Value]) -> Result<Const> {
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

    fn text(&mut self) -> Result<String> {
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
