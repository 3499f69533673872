//! Statements.

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::parse::{Kind, Result};
use weldment_core::ir::{ReduceOp, Value};

use super::{Reader, is_reg};
use crate::imp::{
    AccOp, Action, Arg, Block, Cause, For, Hints, Known, Lane, Lanes, Number, Plan, Prefetch, Side, SortBy,
    Split, Stmt, Stride, Task, Total,
};

impl Reader<'_> {
    pub(super) fn stmt(&mut self) -> Result<Stmt> {
        let mut results = Vec::new();
        if self.p.is_value() {
            results.push(self.typed()?);
            while self.p.eat(",") {
                results.push(self.typed()?);
            }
            self.p.word("=")?;
        }
        let token = self.p.peek();
        if results.is_empty() && is_reg(token.text) {
            return self.accumulate();
        }
        self.p.advance();
        let is_foreign = token.text == "call" && self.p.peek().kind == Kind::Text;
        match token.text {
            "if" => self.branch(results),
            "iterate" => self.iterate(results),
            "do" => self.action(results),
            "call" if !is_foreign => self.call(results),
            _ => match results.as_slice() {
                [] => self.without_results(token.text),
                [result] => self.with_result(*result),
                &[wanted, open] if token.text == "rescan" => {
                    let total = self.reg()?;
                    self.p.word("from")?;
                    let best = self.reg()?;
                    self.p.word("by")?;
                    Ok(Stmt::Rescan { wanted, open, total, best, op: self.p.reduce_op()? })
                }
                _ => Err(self.p.error_before("expected a statement that binds so many values")),
            },
        }
    }

    /// A statement that binds `result`, whose first word has been read.
    fn with_result(&mut self, result: Value) -> Result<Stmt> {
        let token = self.p.before();
        Ok(match token.text {
            "load" => {
                let column = self.p.value()?;
                let index = self.bracketed()?;
                Stmt::Load { result, column, index, stride: self.stride()? }
            }
            "read" => {
                let reg = self.reg()?;
                if self.p.eat("fold") {
                    Stmt::Read { result, reg, fold: self.p.reduce_op()? }
                } else {
                    Stmt::Pick { result, reg, position: self.bracketed()? }
                }
            }
            "sort" => {
                let vector = self.p.value()?;
                self.p.word("by")?;
                let by = if self.p.eat("comparator") {
                    SortBy::Comparator(self.func_name()?)
                } else {
                    self.p.word("key")?;
                    let func = self.func_name()?;
                    let descending = self.p.eat("descending");
                    SortBy::Key { func, descending, once: self.p.eat("once") }
                };
                let taken = self.p.eat("taken");
                Stmt::Sort { result, vector, by, taken, loc: self.p.loc()? }
            }
            "clone" => Stmt::Clone { result, value: self.p.value()? },
            _ => {
                let op = self.p.straight(token, &[result])?;
                let known = if self.p.eat("in_bounds") {
                    Known::InBounds
                } else if self.p.eat("divides") {
                    Known::Divides
                } else if self.p.eat("shared") {
                    Known::Shared(self.name()?)
                } else if self.p.eat("unpredictable") {
                    Known::Unpredictable
                } else if self.p.eat("near") {
                    Known::Near
                } else if self.p.eat("taken") {
                    Known::Taken
                } else {
                    Known::Nothing
                };
                Stmt::Let { result, op, known, loc: self.p.loc()? }
            }
        })
    }

    /// A statement that binds nothing and begins with `word`, which has been read.
    fn without_results(&mut self, word: &str) -> Result<Stmt> {
        Ok(match word {
            "for" => Stmt::For(self.for_loop()?),
            "lanes" => Stmt::Lanes(self.lanes()?),
            "split" => Stmt::Split(Box::new(self.split()?)),
            "start" => Stmt::Start(self.reg()?),
            "copy" => {
                let to = self.reg()?;
                self.p.word("from")?;
                Stmt::Copy { to, from: self.reg()? }
            }
            "prefetch" => self.prefetch()?,
            "fault" => {
                self.p.word("empty")?;
                self.p.word("if")?;
                let cond = self.p.value()?;
                Stmt::Fault { cond, cause: Cause::Empty, loc: self.p.loc()? }
            }
            "release" => Stmt::Release(self.p.value()?),
            _ => return Err(self.p.error_before(format!("expected a statement, found `{word}`"))),
        })
    }

    /// `[v1]`.
    fn bracketed(&mut self) -> Result<Value> {
        self.p.word("[")?;
        let value = self.p.value()?;
        self.p.word("]")?;
        Ok(value)
    }

    fn stride(&mut self) -> Result<Stride> {
        if self.p.eat("times") {
            return self.number().map(Stride::Times);
        }
        if !self.p.eat("by") {
            return Ok(Stride::One);
        }
        let by = self.number()?;
        self.p.word("ahead")?;
        Ok(Stride::Parts { by, ahead: self.number()? })
    }

    fn mask(&mut self) -> Result<Option<Value>> {
        if self.p.eat("where") { self.p.value().map(Some) } else { Ok(None) }
    }

    fn branch(&mut self, results: Vec<Value>) -> Result<Stmt> {
        let cond = self.p.value()?;
        let cold = if !self.p.eat("cold") {
            None
        } else if self.p.eat("then") {
            Some(Side::Then)
        } else {
            self.p.word("else")?;
            Some(Side::Else)
        };
        let then = self.block("yield")?;
        let els = if self.p.eat("else") { self.block("yield")? } else { Block::default() };
        Ok(Stmt::If { results, cond, then, els, cold })
    }

    fn iterate(&mut self, results: Vec<Value>) -> Result<Stmt> {
        self.p.word("(")?;
        let (mut params, mut init) = (Vec::new(), Vec::new());
        while !self.p.eat(")") {
            if !params.is_empty() {
                self.p.word(",")?;
            }
            params.push(self.typed()?);
            self.p.word("=")?;
            init.push(self.p.value()?);
        }
        let counted = match self.p.eat("counts") {
            true => Some(Counted { index: self.p.value()?, steps: self.to()? }),
            false => None,
        };
        let mut replaced = Vec::new();
        if self.p.eat("replaces") {
            replaced.push(self.p.value()?);
            while self.p.eat(",") {
                replaced.push(self.p.value()?);
            }
        }
        let loc = self.p.loc()?;
        Ok(Stmt::Iterate { results, init, params, counted, replaced, body: self.block("yield")?, loc })
    }

    fn to(&mut self) -> Result<Value> {
        self.p.word("to")?;
        self.p.value()
    }

    fn counted(&mut self) -> Result<Option<Number>> {
        if !self.p.eat("number") {
            return Ok(None);
        }
        let value = self.p.binding()?;
        let value = self.bind(weldment_runtime::lang::types::Type::I64, false, None, value)?;
        self.p.word("from")?;
        Ok(Some(Number { value, first: self.p.value()? }))
    }

    fn for_loop(&mut self) -> Result<For> {
        let index = self.index()?;
        let end = if self.p.eat("to") { Some(self.index()?) } else { None };
        let number = self.counted()?;
        self.p.word("in")?;
        let range = self.range()?;
        let step = if self.p.eat("by") { self.number()? } else { 1 };
        let poll = self.p.eat("poll");
        let tail = self.p.eat("tail");
        let short = self.p.eat("short");
        let scoped = self.p.eat("scoped");
        let hints = if self.p.eat("hints") { Some(Box::new(self.hints()?)) } else { None };
        let loc = self.p.loc()?;
        let body = self.block("yield")?;
        let exit = if self.p.eat("exit") { Some((self.number()?, self.block("yield")?)) } else { None };
        Ok(For { index, number, end, range, step, poll, tail, short, scoped, exit, body, hints, loc })
    }

    /// `v1..v2`.
    fn range(&mut self) -> Result<[Value; 2]> {
        let lo = self.p.value()?;
        self.p.word(".")?;
        self.p.word(".")?;
        Ok([lo, self.p.value()?])
    }

    fn hints(&mut self) -> Result<Hints> {
        let mut hints = Hints::default();
        self.p.word("(")?;
        let mut first = true;
        while !self.p.eat(")") {
            if !std::mem::replace(&mut first, false) {
                self.p.word(",")?;
            }
            match self.p.advance().text {
                "block" => hints.block = Some(self.number()?),
                "row" => hints.row = Some(self.p.value()?),
                "rows" => hints.rows = Some(self.number()?),
                "feeds" => hints.feeds = Some(self.store()?),
                "in_order" => hints.prologue = Some(self.number()?),
                "prefetch" => hints.prefetch.push(self.p.value()?),
                "hash_ahead" => hints.hash_ahead.push((self.p.value()?, self.store()?)),
                "compared" => {
                    let reg = self.reg()?;
                    self.p.word("x")?;
                    hints.compared.push((reg, self.number()?));
                }
                "strip" => hints.strip = Some(self.number()?),
                "reserve" => hints.reserve.push(self.store()?),
                _ => return Err(self.p.error_before("expected a hint")),
            }
        }
        Ok(hints)
    }

    fn lanes(&mut self) -> Result<Lanes> {
        // What is bound from here on has as many lanes as will be told.
        let width = self.width_ahead()?;
        let around = std::mem::replace(&mut self.width, width);
        let (index, number) = (self.index()?, self.counted()?);
        self.p.word("at")?;
        let first = self.p.value()?;
        self.p.word("x")?;
        self.number()?;
        let apart = self.p.eat("apart");
        let body = self.block("yield")?;
        self.width = around;
        Ok(Lanes { index, number, first, width, apart, body })
    }

    /// The width in the head of the lanes that have begun: the number behind `x`.
    fn width_ahead(&self) -> Result<u32> {
        let head = self.p.ahead().iter().take_while(|token| token.text != "{");
        let width =
            head.skip_while(|token| token.text != "x").nth(1).and_then(|token| token.text.parse().ok());
        width.ok_or_else(|| self.p.unexpected("lanes with a width"))
    }

    fn accumulate(&mut self) -> Result<Stmt> {
        let reg = self.reg()?;
        let lane = if self.p.is("[") { Lane::Of(self.bracketed()?) } else { Lane::Zero };
        let op = if self.p.eat("better") {
            AccOp::Better(self.assigning()?)
        } else if self.p.eat("same") {
            let other = self.p.value()?;
            self.p.word("|")?;
            self.p.word("=")?;
            AccOp::Same(other)
        } else if self.p.eat("|") {
            self.p.word("=")?;
            AccOp::Or
        } else if self.p.eat("=") {
            AccOp::Set
        } else {
            AccOp::Reduce(self.assigning()?)
        };
        let value = self.p.value()?;
        Ok(Stmt::Accumulate { reg, lane, op, value, mask: self.mask()? })
    }

    /// `+=`.
    fn assigning(&mut self) -> Result<ReduceOp> {
        let op = self.p.reduce_op()?;
        self.p.word("=")?;
        Ok(op)
    }

    fn action(&mut self, results: Vec<Value>) -> Result<Stmt> {
        let word = self.p.advance();
        let plain = Action::PLAIN.into_iter().find(|action| action.name() == word.text);
        let is_by = matches!(word.text, "fill" | "merge_each");
        if plain.is_none() && !is_by {
            return Err(self.p.error_before("expected an action"));
        }
        let store = self.store()?;
        let action = match plain {
            Some(action) => action,
            None => {
                self.p.word("by")?;
                let func = self.func_name()?;
                if word.text == "fill" { Action::Fill(func) } else { Action::MergeEach(func) }
            }
        };
        let mut args = Vec::new();
        while self.p.eat(",") {
            args.push(self.p.value()?);
        }
        let mask = self.mask()?;
        Ok(Stmt::Do { results, store, action, args, mask, loc: self.p.loc()? })
    }

    fn call(&mut self, results: Vec<Value>) -> Result<Stmt> {
        let func = self.func_name()?;
        self.p.word("(")?;
        let mut args = Vec::new();
        while !self.p.eat(")") {
            if !args.is_empty() {
                self.p.word(",")?;
            }
            args.push(self.arg()?);
        }
        Ok(Stmt::Call { results, func, args })
    }

    fn arg(&mut self) -> Result<Arg> {
        if self.p.is("#") {
            let store = self.store()?;
            let from = if self.p.eat("at") { Some(self.p.value()?) } else { None };
            return Ok(Arg::Store(store, from));
        }
        if is_reg(self.p.peek().text) {
            return self.reg().map(Arg::Reg);
        }
        let value = self.p.value()?;
        if !self.p.eat("[") {
            return Ok(Arg::Value(value));
        }
        let start = self.p.value()?;
        self.p.word("x")?;
        let count = self.p.value()?;
        self.p.word("]")?;
        Ok(Arg::Slice(value, [start, count]))
    }

    fn prefetch(&mut self) -> Result<Stmt> {
        if self.p.is("#") {
            let (store, index) = (self.store()?, self.bracketed()?);
            self.p.word("x")?;
            let width = self.number()?;
            self.p.word("written")?;
            return Ok(Stmt::Prefetch { what: Prefetch::Written { store, width }, index });
        }
        let (column, index) = (self.p.value()?, self.bracketed()?);
        let what = if self.p.eat("element") {
            Prefetch::Element { column }
        } else if self.p.eat("row") {
            Prefetch::Row { column }
        } else if self.p.eat("place") {
            Prefetch::Place { dict: column }
        } else if self.p.eat("found") {
            Prefetch::Found { dict: column }
        } else {
            self.p.word("x")?;
            let width = self.number()?;
            self.p.word("read")?;
            Prefetch::Block { column, width }
        };
        Ok(Stmt::Prefetch { what, index })
    }

    fn split(&mut self) -> Result<Split> {
        let extent = self.p.value()?;
        self.p.word("chunk")?;
        let chunk = self.p.number("a number of iterations")?;
        self.p.word("task")?;
        let task = match self.p.advance().text {
            "any" => Task::Any,
            "short" => Task::Short,
            "open" => Task::Open,
            "segments" if self.p.peek().kind == Kind::Number => {
                Task::Segments(Some(self.p.number("a number of iterations")?))
            }
            "segments" => Task::Segments(None),
            _ => return Err(self.p.error_before("expected `any`, `short`, `open` or `segments`")),
        };
        self.p.word("range")?;
        let lo = self.index()?;
        self.p.word(".")?;
        self.p.word(".")?;
        let range = [lo, self.index()?];
        let (mut totals, mut parts) = (Vec::new(), Vec::new());
        self.p.word("totals")?;
        self.p.word("(")?;
        while !self.p.eat(")") {
            if !totals.is_empty() {
                self.p.word(",")?;
            }
            totals.push(if self.p.is("#") {
                Total::Store(self.store()?)
            } else {
                let chunk = self.reg()?;
                self.p.word("into")?;
                Total::Reg { chunk, all: self.reg()? }
            });
        }
        self.p.word("parts")?;
        self.p.word("(")?;
        while !self.p.eat(")") {
            if !parts.is_empty() {
                self.p.word(",")?;
            }
            parts.push(self.store()?);
        }
        let loc = self.p.loc()?;
        self.p.word("{")?;
        let mut named = |word: &str| {
            self.p.word(word)?;
            self.block("yield")
        };
        let (init, update, add, merge) = (named("init")?, named("update")?, named("add")?, named("merge")?);
        self.p.word("}")?;
        Ok(Split { extent, plan: Plan { chunk, task }, range, totals, parts, init, update, add, merge, loc })
    }
}
