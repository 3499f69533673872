//! The text of low-level code as a program: the inverse of [`print`](super::print()).
//!
//! Only the form is checked here; the verifier knows what makes sense. The text may come from anywhere: nothing here panics, and
//! ids and nesting are bounded. Tokens, types and ops are read as those of IR text are.

mod head;
mod statements;

use std::collections::BTreeMap;

use weldment_core::ir::parse::{Kind, Parser, Result, tokens};
use weldment_core::ir::{Arena, Entity, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::print::VERSION;
use super::{Block, Func, FuncId, Imp, Info, Reg, RegId, Role, Store, StoreId};

/// The program that `source` is the text of.
pub fn parse(source: &str) -> Result<Imp> {
    let tokens = tokens(source)?;
    // Functions are called before they are defined.
    let names = tokens.windows(2).filter(|pair| pair[0].text == "func" && pair[1].kind == Kind::Word);
    let mut reader = Reader {
        names: names.map(|pair| pair[1].text).collect(),
        p: Parser::with_literals(&tokens),
        known: BTreeMap::new(),
        regs: Arena::new(),
        stores: Arena::new(),
        width: 1,
    };
    reader.p.word("weldment")?;
    reader.p.word("imp")?;
    let version: u32 = reader.p.number("a version")?;
    if version != VERSION {
        return Err(reader.p.error_before(format!("version {version} of the text form is not known")));
    }
    reader.program()
}

/// What the text tells of a value besides its type.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    ty: Type,
    width: u32,
    position: bool,
    lent: Option<Lent>,
}

/// What a value is borrowed from.
#[derive(Clone, Debug, PartialEq)]
struct Lent {
    roots: Vec<Value>,
    in_parts: bool,
}

struct Reader<'a> {
    p: Parser<'a>,
    /// The names of all functions, in order.
    names: Vec<&'a str>,
    known: BTreeMap<Value, Known>,
    regs: Arena<RegId, Reg>,
    stores: Arena<StoreId, Store>,
    /// Of the lanes around.
    width: u32,
}

impl Reader<'_> {
    fn program(mut self) -> Result<Imp> {
        while self.p.eat("reg") {
            self.reg_decl()?;
        }
        while self.p.eat("store") {
            self.store_decl()?;
        }
        let mut funcs: Arena<FuncId, Func> = Arena::new();
        let mut entry = None;
        while self.p.eat("func") {
            let func = self.func()?;
            let role = func.role;
            let id = funcs.push(func);
            if role == Role::Entry && entry.replace(id).is_some() {
                return Err(self.p.error_before("a second entry"));
            }
        }
        if self.p.peek().kind != Kind::End {
            return Err(self.p.unexpected("a function or the end"));
        }
        if !funcs.ids().map(|id| funcs[id].name.as_str()).eq(self.names.iter().copied()) {
            return Err(self.p.error_before("a function that is called `func`"));
        }
        let entry = entry.ok_or_else(|| self.p.error_before("no function is the entry"))?;
        Ok(Imp { values: self.values(), regs: self.regs, stores: self.stores, funcs, entry })
    }

    fn values(&mut self) -> Arena<Value, Info> {
        let mut values = Arena::new();
        for value in self.p.program.values.ids() {
            let ty = self.p.program.values[value].ty.clone();
            let known = self.known.remove(&value);
            let known = known.unwrap_or(Known { ty, width: 1, position: false, lent: None });
            let Known { ty, width, position, lent } = known;
            let in_parts = lent.as_ref().is_some_and(|lent| lent.in_parts);
            values.push(Info {
                ty,
                width,
                constant: None,
                position,
                roots: lent.map(|lent| lent.roots),
                in_parts,
            });
        }
        for &(value, constant, position) in self.p.literals() {
            values[value] = Info { constant: Some(constant), position, ..values[value].clone() };
        }
        values
    }

    // Names.

    /// A value by its name, and not a constant.
    fn name(&mut self) -> Result<Value> {
        if self.p.is_value() { self.p.value() } else { Err(self.p.unexpected("a value")) }
    }

    fn reg(&mut self) -> Result<RegId> {
        let text = self.p.peek().text;
        if !is_reg(text) {
            return Err(self.p.unexpected("a register"));
        }
        self.p.advance();
        let id = self.p.id(&text[1..])?;
        match id < self.regs.len() {
            true => Ok(RegId::from_index(id)),
            false => Err(self.p.error_before(format!("there is no register {text}"))),
        }
    }

    fn store_id(&mut self) -> Result<usize> {
        self.p.word("#")?;
        let text = self.p.advance().text;
        self.p.id(text)
    }

    fn store(&mut self) -> Result<StoreId> {
        let id = self.store_id()?;
        match id < self.stores.len() {
            true => Ok(StoreId::from_index(id)),
            false => Err(self.p.error_before(format!("there is no store #{id}"))),
        }
    }

    fn func_name(&mut self) -> Result<FuncId> {
        let text = self.p.peek().text;
        match self.names.iter().position(|name| *name == text) {
            Some(id) => {
                self.p.advance();
                Ok(FuncId::from_index(id))
            }
            None => Err(self.p.unexpected("the name of a function")),
        }
    }

    fn number(&mut self) -> Result<u32> {
        self.p.number("a number")
    }

    // What is bound.

    fn bind(&mut self, ty: Type, position: bool, lent: Option<Lent>, value: Value) -> Result<Value> {
        self.p.program.values[value].ty = ty.clone();
        let known = Known { ty, width: self.width, position, lent };
        match self.known.insert(value, known.clone()) {
            Some(before) if before != known => {
                Err(self.p.error_before(format!("{value} is something else in another function")))
            }
            _ => Ok(value),
        }
    }

    /// A position.
    fn index(&mut self) -> Result<Value> {
        let value = self.p.binding()?;
        self.bind(Scalar::U64.into(), true, None, value)
    }

    /// `v0: T`, `v0: T borrows v1`, or `v0: T parts v1`.
    fn typed(&mut self) -> Result<Value> {
        let value = self.p.binding()?;
        self.p.word(":")?;
        let position = self.p.eat("pos");
        let ty = if position { Scalar::U64.into() } else { self.p.ty()? };
        let in_parts = self.p.eat("parts");
        let mut lent = None;
        if in_parts || self.p.eat("borrows") {
            let mut roots = Vec::new();
            while self.p.is_value() {
                roots.push(self.p.value()?);
            }
            lent = Some(Lent { roots, in_parts });
        }
        self.bind(ty, position, lent, value)
    }

    /// `{ … end v1, … }`.
    fn block(&mut self, end: &str) -> Result<Block> {
        let mut block = Block::default();
        self.p.word("{")?;
        while !self.p.is("}") && !self.p.is(end) {
            self.p.enter()?;
            block.stmts.push(self.stmt()?);
            self.p.leave();
        }
        if self.p.eat(end) {
            block.results = self.p.list()?;
        }
        self.p.word("}")?;
        Ok(block)
    }
}

/// Whether `text` is the name of a register.
fn is_reg(text: &str) -> bool {
    text.strip_prefix('a').is_some_and(|id| id.starts_with(|c: char| c.is_ascii_digit()))
}
