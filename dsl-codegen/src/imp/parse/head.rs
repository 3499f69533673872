//! What stands before the statements: registers, stores, the heads of functions.

use weldment_core::ir::parse::Result;

use super::{Reader, is_reg};
use crate::imp::{Combine, Func, Memory, Ordering, Packing, Param, Reg, Role, Store, StoreId, Strategy};
use weldment_core::ir::Entity;
use weldment_runtime::lang::types::Scalar;

impl Reader<'_> {
    /// `a0: f64 x 16 = -0.0`.
    pub(super) fn reg_decl(&mut self) -> Result<()> {
        let token = self.p.advance();
        if token.text != format!("a{}", self.regs.len()) {
            return Err(self.p.error_before(format!("expected a{}, the next register", self.regs.len())));
        }
        self.p.word(":")?;
        let ty = Scalar::from_name(self.p.peek().text).ok_or_else(|| self.p.unexpected("a scalar type"))?;
        self.p.advance();
        self.p.word("x")?;
        let lanes = self.number()?;
        self.p.word("=")?;
        let start = self.p.constant_of(ty)?;
        self.regs.push(Reg { ty, lanes, start });
        Ok(())
    }

    /// `#0 direct 8 u8 -> f64 reduce + order any memory run split searched gives v9`.
    pub(super) fn store_decl(&mut self) -> Result<()> {
        if self.store_id()? != self.stores.len() {
            return Err(self.p.error_before(format!("expected #{}, the next store", self.stores.len())));
        }
        let strategy = self.strategy()?;
        let mut item = self.p.ty()?;
        let mut key = None;
        if self.p.eat("->") {
            key = Some(std::mem::replace(&mut item, self.p.ty()?));
        }
        let combine = self.combine()?;
        self.p.word("order")?;
        let ordering = match self.p.advance().text {
            "any" => Ordering::Any,
            "segments" => Ordering::Segments,
            _ => return Err(self.p.error_before("expected `any` or `segments`")),
        };
        self.p.word("memory")?;
        let memory = match self.p.advance().text {
            "run" => Memory::Run,
            "result" => Memory::Result,
            "temporary" => Memory::Temporary,
            "state" => Memory::State,
            // The store around may stand behind.
            "row" => Memory::Row(StoreId::from_index(self.store_id()?)),
            _ => return Err(self.p.error_before("expected `run`, `result`, `temporary`, `state` or `row`")),
        };
        let split = self.p.eat("split");
        let searched = self.p.eat("searched");
        self.p.word("gives")?;
        let result = self.name()?;
        let loc = self.p.loc()?;
        self.stores.push(Store {
            key,
            item,
            combine,
            strategy,
            ordering,
            memory,
            split,
            searched,
            result,
            loc,
        });
        Ok(())
    }

    fn strategy(&mut self) -> Result<Strategy> {
        let word = self.p.advance().text;
        Ok(match word {
            "exact" => Strategy::Exact { each: self.number()? },
            "columns" => Strategy::Columns { upwards: self.p.eat("upwards") },
            "direct" => Strategy::Direct { bits: self.number()? },
            "small" => Strategy::Small { packing: self.packing()? },
            "last_wins" => Strategy::LastWins { packing: self.packing()? },
            _ => match Strategy::PLAIN.into_iter().find(|strategy| strategy.name() == word) {
                Some(strategy) => strategy,
                None => return Err(self.p.error_before("expected a strategy")),
            },
        })
    }

    /// `packed 1 narrow + 2 sum`.
    fn packing(&mut self) -> Result<Option<Packing>> {
        if !self.p.eat("packed") {
            return Ok(None);
        }
        let key = self.p.number("a number of words")?;
        let narrow = self.p.eat("narrow");
        self.p.word("+")?;
        let value = self.p.number("a number of words")?;
        Ok(Some(Packing { key, narrow, value, sum: self.p.eat("sum") }))
    }

    fn combine(&mut self) -> Result<Combine> {
        if self.p.eat("append") {
            return Ok(Combine::Append);
        }
        if self.p.eat("last") {
            return Ok(Combine::Last);
        }
        self.p.word("reduce")?;
        if self.p.eat("by") {
            self.func_name().map(Combine::Func)
        } else {
            self.p.reduce_op().map(Combine::Op)
        }
    }

    /// `loop0(v9: pos, a0) loop dispatch captures v1, v2 { … return v3 }`.
    pub(super) fn func(&mut self) -> Result<Func> {
        self.p.forget_bound();
        let name = self.p.advance().text.to_owned();
        self.p.word("(")?;
        let mut params = Vec::new();
        while !self.p.eat(")") {
            if !params.is_empty() {
                self.p.word(",")?;
            }
            params.push(self.param()?);
        }
        let word = self.p.advance().text;
        let role = Role::ALL.into_iter().find(|role| role.word() == word);
        let role = role.ok_or_else(|| self.p.error_before("expected what the function is for"))?;
        let (dispatch, streams) = (self.p.eat("dispatch"), self.p.eat("streams"));
        let mut captures = Vec::new();
        if self.p.eat("captures") {
            captures.push(self.name()?);
            while self.p.eat(",") {
                captures.push(self.name()?);
            }
        }
        let loc = self.p.loc()?;
        Ok(Func { role, name, params, captures, body: self.block("return")?, dispatch, streams, loc })
    }

    fn param(&mut self) -> Result<Param> {
        if self.p.is("#") {
            return self.store().map(Param::Store);
        }
        if is_reg(self.p.peek().text) {
            return self.reg().map(Param::Reg);
        }
        let value = self.typed()?;
        if !self.p.eat("=") {
            return Ok(Param::Value(value));
        }
        self.p.word("slice")?;
        self.p.word("of")?;
        Ok(Param::Slice { column: value, of: self.name()? })
    }
}
