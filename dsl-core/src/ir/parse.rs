//! IR text as programs: the inverse of [`print`](super::print()).
//!
//! Values and sinks keep the ids they have in the text, so the arena of values may have holes (of unit type).
//! Only the form is checked here, and that each value is bound once; the [verifier](super::verify()) knows what
//! makes sense. The text may come from anywhere: nothing here panics, and ids and nesting are bounded.

mod literals;
mod statements;

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::{Column, MOST_AXES, MOST_FIXED, Pointer, Scalar, Size, Type};

use super::entity::{BodyId, Entity, Loc, Sink, Value};
pub use super::lex::ParseError;
#[doc(hidden)]
pub use super::lex::{Kind, Token, tokens};
use super::op::{Body, Const, Empty, Keep, Order, Program, ReduceOp, Reducer, SinkDecl, SinkKind, ValueInfo};
use super::print::VERSION;

/// The largest id that text may use: ids index arenas.
const MAX_ID: u32 = 1 << 20;
/// How deep bodies and types may nest.
const MAX_DEPTH: u32 = 128;

#[doc(hidden)]
pub type Result<T> = std::result::Result<T, ParseError>;

/// The program that `source` is the text of.
pub fn parse(source: &str) -> Result<Program> {
    let tokens = tokens(source)?;
    let mut parser = Parser::new(&tokens);
    parser.word("weldment")?;
    parser.word("ir")?;
    let version: u32 = parser.number("a version")?;
    if version != VERSION {
        return Err(parser.error_before(format!("version {version} of the text form is not known")));
    }
    parser.word("program")?;
    let entry = parser.function()?;
    parser.program.entry = Some(entry);
    match parser.peek().kind {
        Kind::End => Ok(parser.program),
        _ => Err(parser.unexpected("the end")),
    }
}

/// The constants of a text, each with its value and whether it counts iterations.
#[derive(Debug, Default)]
struct Literals {
    found: Vec<(Value, Const, bool)>,
}

/// Reads IR text, and what other texts have in common with it: tokens, ids, types, ops without bodies.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parser<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    /// What has been read; other texts have only the types of values here.
    pub program: Program,
    /// Which values have been bound.
    bound: Vec<bool>,
    /// The constants so far, in a text where they stand in the place of values.
    literals: Option<Literals>,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token<'a>]) -> Parser<'a> {
        Parser { tokens, next: 0, program: Program::default(), bound: Vec::new(), literals: None, depth: 0 }
    }

    // Tokens.

    pub fn peek(&self) -> Token<'a> {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next += 1;
        token
    }

    /// The token just read.
    pub fn before(&self) -> Token<'a> {
        self.tokens[self.next.saturating_sub(1).min(self.tokens.len() - 1)]
    }

    /// The tokens to come.
    pub fn ahead(&self) -> &'a [Token<'a>] {
        &self.tokens[self.next.min(self.tokens.len())..]
    }

    pub fn error_at(&self, token: Token<'_>, message: impl Into<String>) -> ParseError {
        ParseError { line: token.line, column: token.column, message: message.into() }
    }

    /// An error at the token just read.
    pub fn error_before(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.before(), message)
    }

    pub fn unexpected(&self, expected: &str) -> ParseError {
        let token = self.peek();
        self.error_at(token, format!("expected {expected}, found `{}`", token.text))
    }

    pub fn is(&self, text: &str) -> bool {
        let token = self.peek();
        token.text == text && !matches!(token.kind, Kind::End | Kind::Text)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    /// How many digits a decimal number has, if its type is here: `Fixed<2>`.
    pub fn scale(&mut self) -> Result<Option<Scale>> {
        if !self.eat("Fixed") {
            return Ok(None);
        }
        self.word("<")?;
        let digits = self.number("the number of digits")?;
        self.word(">")?;
        let scale =
            Scale::new(digits).ok_or_else(|| self.error_before("a decimal number has 0 to 18 digits"))?;
        Ok(Some(scale))
    }

    /// Which column as Arrow has it, if its type is here: `Strings`, `Nullable<f64>`.
    pub fn column(&mut self) -> Result<Option<Column>> {
        let is_strings = self.eat(Column::STRINGS);
        if is_strings && !self.is("<") {
            return Ok(Some(Column::Strings(Scalar::I64)));
        }
        if !is_strings && !self.eat(Column::NULLABLE) {
            return Ok(None);
        }
        self.word("<")?;
        let scalar = Scalar::from_name(self.peek().text).ok_or_else(|| self.unexpected("a scalar type"))?;
        self.next += 1;
        self.word(">")?;
        match scalar {
            _ if !is_strings => Ok(Some(Column::Nullable(scalar))),
            Scalar::I32 | Scalar::I64 => Ok(Some(Column::Strings(scalar))),
            _ => Err(self.error_before("offsets are i32 or i64")),
        }
    }

    pub fn word(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N> {
        match self.peek().text.parse() {
            Ok(number) if matches!(self.peek().kind, Kind::Number | Kind::Word) => {
                self.next += 1;
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// What `item` reads, any number of times, with commas between, up to `close`.
    pub(in crate::ir) fn until<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.word(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let result = inner(self);
        self.leave();
        result
    }

    /// One deeper, if that is not too deep.
    pub fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.error_at(self.peek(), "nested too deep"));
        }
        self.depth += 1;
        Ok(())
    }

    /// Back from where [`enter`](Self::enter) led.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    // Ids and types.

    pub fn is_value(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Word
            && token.text.strip_prefix('v').is_some_and(|id| id.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// The number of an id, of which `text` is what stands behind its letter in the token just read.
    pub fn id(&mut self, text: &str) -> Result<usize> {
        let id: Option<u32> = text.parse().ok().filter(|&id| id < MAX_ID);
        id.map(|id| id as usize).ok_or_else(|| self.error_before(format!("`{text}` is not an id")))
    }

    pub fn value(&mut self) -> Result<Value> {
        if let Some(literal) = self.literal()? {
            return Ok(literal);
        }
        if !self.is_value() {
            return Err(self.unexpected("a value"));
        }
        let text = self.advance().text;
        let id = self.id(&text[1..])?;
        self.reach(id);
        Ok(Value::from_index(id))
    }

    /// Sees to it that there is a value with the number `id`.
    fn reach(&mut self, id: usize) {
        while self.program.values.len() <= id {
            self.program.values.push(ValueInfo { ty: Type::structure([]) });
            self.bound.push(false);
        }
    }

    /// A value that is bound here.
    pub fn binding(&mut self) -> Result<Value> {
        if !self.is_value() {
            return Err(self.unexpected("a value to bind"));
        }
        let value = self.value()?;
        if std::mem::replace(&mut self.bound[value.index()], true) {
            return Err(self.error_before(format!("{value} is bound twice")));
        }
        Ok(value)
    }

    /// What was bound may be bound again.
    pub fn forget_bound(&mut self) {
        self.bound.fill(false);
    }

    /// `v0: T`.
    fn typed_binding(&mut self) -> Result<Value> {
        let value = self.binding()?;
        self.word(":")?;
        self.program.values[value].ty = self.ty()?;
        Ok(value)
    }

    fn sink(&mut self) -> Result<Sink> {
        self.word("#")?;
        let text = self.advance().text;
        let id = self.id(text)?;
        self.program.sinks = self.program.sinks.max(id + 1);
        Ok(Sink::from_index(id))
    }

    pub fn loc(&mut self) -> Result<Loc> {
        if !self.eat("@") {
            return Ok(Loc::NONE);
        }
        let text = self.advance().text;
        match text.parse::<u32>() {
            Ok(id) => Ok(Loc::from_index(id as usize)),
            Err(_) => Err(self.error_before("expected a location")),
        }
    }

    pub fn ty(&mut self) -> Result<Type> {
        self.nested(|parser| {
            if parser.eat("{") {
                return Ok(Type::structure(parser.until("}", Self::ty)?));
            }
            if parser.eat("vec") {
                parser.word("[")?;
                let element = parser.ty()?;
                parser.word("]")?;
                return Ok(Type::vec(element));
            }
            if parser.eat("option") {
                parser.word("[")?;
                let value = parser.ty()?;
                parser.word("]")?;
                return Ok(Type::option(value));
            }
            if parser.eat("str") {
                return Ok(Type::text());
            }
            if let Some(size) = Size::ALL.into_iter().find(|size| parser.eat(size.name())) {
                return Ok(Type::size(size));
            }
            if let Some(column) = parser.column()? {
                return Ok(Type::column(column));
            }
            if parser.eat("&") {
                return Ok(Type::lent(Pointer::Ref, parser.ty()?));
            }
            if parser.eat("[") {
                let element = parser.ty()?;
                parser.word(";")?;
                let len: usize = parser.number("the number of elements")?;
                parser.word("]")?;
                if !(1..=MOST_FIXED).contains(&len) {
                    return Err(parser.error_before("a fixed array has 1 to 64 elements"));
                }
                return Ok(Type::fixed_array(element, len));
            }
            if let Some(temporal) = Temporal::ALL.into_iter().find(|temporal| parser.eat(temporal.name())) {
                return Ok(Type::temporal(temporal));
            }
            if let Some(scale) = parser.scale()? {
                return Ok(Type::fixed(scale));
            }
            if let Some(half) = Half::ALL.into_iter().find(|half| parser.eat(half.name())) {
                return Ok(Type::half(half));
            }
            if parser.eat("dict") {
                parser.word("[")?;
                let key = parser.ty()?;
                parser.word(",")?;
                let value = parser.ty()?;
                parser.word("]")?;
                return Ok(Type::dict(key, value));
            }
            if parser.eat("array") {
                parser.word("[")?;
                let element = parser.ty()?;
                parser.word(",")?;
                let axes: usize = parser.number("the number of axes")?;
                parser.word("]")?;
                if !(1..=MOST_AXES).contains(&axes) {
                    return Err(parser.error_before("an array has 1 to 8 axes"));
                }
                return Ok(Type::array(element, axes));
            }
            let scalar = Scalar::from_name(parser.peek().text).ok_or_else(|| parser.unexpected("a type"))?;
            parser.next += 1;
            Ok(scalar.into())
        })
    }

    // Bodies.

    /// `(v0: T, …) { … return v }`.
    fn function(&mut self) -> Result<BodyId> {
        self.word("(")?;
        let params = self.until(")", Self::typed_binding)?;
        self.block(params, "return", &mut Vec::new())
    }

    /// `{ … }`: `sink` lines go to `sinks`, results stand after `keyword`.
    fn block(&mut self, params: Vec<Value>, keyword: &str, sinks: &mut Vec<SinkDecl>) -> Result<BodyId> {
        self.nested(|parser| {
            parser.word("{")?;
            while parser.eat("sink") {
                let sink = parser.sink()?;
                parser.word("=")?;
                let kind = parser.sink_kind()?;
                let loc = parser.loc()?;
                sinks.push(SinkDecl { sink, kind, loc });
            }
            let mut body = Body { params, ..Body::default() };
            while !parser.is("}") && !parser.is(keyword) {
                body.stmts.push(parser.stmt()?);
            }
            if parser.eat(keyword) {
                body.results = parser.list()?;
            }
            parser.word("}")?;
            Ok(parser.program.bodies.push(body))
        })
    }

    pub fn list(&mut self) -> Result<Vec<Value>> {
        let mut values = vec![self.value()?];
        while self.eat(",") {
            values.push(self.value()?);
        }
        Ok(values)
    }

    /// `i < n, …`: the indices and their extents.
    fn indices(&mut self) -> Result<(Vec<Value>, Vec<Value>)> {
        let (mut params, mut extents) = (Vec::new(), Vec::new());
        loop {
            let param = self.binding()?;
            self.program.values[param].ty = Type::I64;
            params.push(param);
            self.word("<")?;
            extents.push(self.value()?);
            if !self.eat(",") {
                return Ok((params, extents));
            }
        }
    }

    fn sink_kind(&mut self) -> Result<SinkKind> {
        if self.eat("collect") {
            let keep = Keep::ASKED.into_iter().find_map(|(word, keep)| self.eat(word).then_some(keep));
            let ty = self.ty()?;
            let hint = if self.eat("hint") { Some(self.value()?) } else { None };
            return Ok(SinkKind::Collect { ty, hint, keep: keep.unwrap_or_default() });
        }
        if self.eat("reduce") {
            let reducer = self.reducer()?;
            let order = if self.eat("in") {
                self.word("order")?;
                Order::InOrder
            } else {
                Order::Lanes
            };
            let ty = self.ty()?;
            let init = if self.eat("init") { Some(self.value()?) } else { None };
            let empty = if self.eat("or") {
                self.word("fault")?;
                Empty::Fault
            } else {
                Empty::Identity
            };
            return Ok(SinkKind::Reduce { ty, reducer, init, empty, order });
        }
        if self.eat("bucket_collect") {
            let (key, value) = self.key_and_value()?;
            return Ok(SinkKind::BucketCollect { key, value });
        }
        if self.eat("bucket_reduce") {
            let reducer = self.reducer()?;
            let (key, value) = self.key_and_value()?;
            return Ok(SinkKind::BucketReduce { key, value, reducer });
        }
        if self.eat("scatter") {
            let op = self.reduce_op()?;
            let ty = self.ty()?;
            self.word("init")?;
            return Ok(SinkKind::Scatter { ty, op, init: self.value()? });
        }
        Err(self.unexpected("a kind of sink"))
    }

    fn key_and_value(&mut self) -> Result<(Type, Type)> {
        let key = self.ty()?;
        self.word("->")?;
        Ok((key, self.ty()?))
    }

    fn reducer(&mut self) -> Result<Reducer> {
        if self.eat("by") { self.function().map(Reducer::Func) } else { self.reduce_op().map(Reducer::Op) }
    }

    pub fn reduce_op(&mut self) -> Result<ReduceOp> {
        let op = ReduceOp::from_name(self.peek().text).ok_or_else(|| self.unexpected("an operator"))?;
        self.next += 1;
        Ok(op)
    }
}
