//! Statements but loops and what is done with stores.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;
use weldment_core::ir::{Op, ReduceOp, Value};
use weldment_runtime::lang::types::Scalar;

use super::{Place, Printer, braces, one_or_tuple, register, variable};
use crate::imp::{AccOp, Block, Cause, Func, FuncId, Known, Lane, Param, Reg, RegId, SortBy, Stmt};
use crate::rust::types;

impl Printer<'_> {
    /// The statements of a block.
    pub(super) fn stmts(&mut self, block: &Block) -> TokenStream {
        block.stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { result, .. } if self.unread.contains(result) => TokenStream::new(),
            Stmt::Let { result, op, known, loc } => {
                let search = self.search_for_all(*result, op, *known);
                let value = self.op(*result, op, *known, *loc);
                let (name, ty) = (variable(*result), self.partial_type(*result));
                quote!(#search let #name: #ty = #value;)
            }
            Stmt::Load { result, column, index, stride } => {
                let (name, ty) = (variable(*result), self.partial_type(*result));
                let element = self.part_of(*result, self.element(*column, *index, *stride));
                quote!(let #name: #ty = #element;)
            }
            Stmt::If { results, cond, then, els, .. } => self.branch(results, *cond, then, els),
            Stmt::Iterate { results, init, params, replaced, body, .. } => {
                self.iterate(results, init, params, replaced, body)
            }
            Stmt::For(inner) => self.for_loop(inner),
            Stmt::Lanes(lanes) => self.lanes(lanes),
            Stmt::Start(reg) => self.start(*reg),
            Stmt::Copy { to, from } => {
                let from = self.value_of(*from);
                self.put(*to, from)
            }
            Stmt::Accumulate { reg, lane, op, value, mask } => {
                self.accumulate(*reg, *lane, *op, *value, *mask, None)
            }
            Stmt::Read { result, reg, fold } => {
                let (name, ty) = (variable(*result), self.partial_type(*result));
                let value = self.read(*reg, *fold);
                quote!(let #name: #ty = #value;)
            }
            Stmt::Pick { result, reg, position } => {
                let (name, ty) = (variable(*result), self.partial_type(*result));
                let (reg, lanes) = (register(*reg), Literal::u32_unsuffixed(self.imp.regs[*reg].lanes));
                let position = self.name(*position);
                quote!(let #name: #ty = #reg[#position % #lanes];)
            }
            Stmt::Rescan { wanted, open, total, best, op } => {
                let (extremes, op) = (self.p.min_max(), self.operator(*op));
                let (wanted, open) = (variable(*wanted), variable(*open));
                let (start, total) =
                    (types::constant(self.imp.regs[*best].start), self.by_reference(Place::Reg(*total)));
                let best = self.value_of(*best);
                quote! {
                    let (#wanted, #open) =
                        #extremes::finalize(#op, #total, #best).map_or((false, #start), |open| (true, open));
                }
            }
            Stmt::Do { results, store, action, args, mask, loc } => {
                self.action(results, *store, *action, args, *mask, *loc)
            }
            Stmt::Call { results, func, args } => {
                let args = args.iter().map(|arg| self.arg(arg)).collect();
                let call = self.call(*func, args);
                if results.is_empty() {
                    return quote!(#call;);
                }
                let binding = self.binding(results);
                quote!(let #binding = #call;)
            }
            Stmt::Sort { result, vector, by, taken, .. } => self.sort(*result, *vector, by, *taken),
            Stmt::Prefetch { what, index } => self.prefetch(what, *index),
            Stmt::Fault { cond, cause, loc } => {
                let (checked, place) = (self.p.checked(), self.place(*loc));
                let cond = self.name(*cond);
                match cause {
                    Cause::Empty => quote!(#checked::not_empty((!#cond).then_some(()), #place)?;),
                }
            }
            Stmt::Split(split) => self.split(split),
            Stmt::Clone { result, value } => {
                let (name, ty, copy) = (variable(*result), self.owned_type(*result), self.p.copy());
                let by = self.borrow(*value);
                let (ty_of, is_owned) = (self.ty(*value), self.is_owned(*value));
                if ty_of.is_text() {
                    return quote!(let #name: #ty = #copy::text(cx, #by)?;);
                }
                match ty_of.element().is_some() && !is_owned {
                    true => quote!(let #name: #ty = #copy::slice(cx, #by)?;),
                    false => {
                        let whole = self.name(*value);
                        let by = if is_owned { quote!(&#whole) } else { by };
                        quote!(let #name: #ty = #copy::value(cx, #by)?;)
                    }
                }
            }
            Stmt::Release(vector) => {
                let vector = variable(*vector);
                quote!(cx.recycle(#vector);)
            }
        }
    }

    /// `let (v1, v2) = if c { …; (v3, v4) } else { … };`
    fn branch(&mut self, results: &[Value], cond: Value, then: &Block, els: &Block) -> TokenStream {
        let cond = self.name(cond);
        let is_borrowed: Vec<bool> =
            results.iter().map(|&result| self.info(result).roots.is_some()).collect();
        let [then, els] = [then, els].map(|side| {
            self.in_closure([], |this| {
                let stmts = this.stmts(side);
                let values = side.results.iter().zip(&is_borrowed).map(|(&value, &is_borrowed)| {
                    if is_borrowed { this.pass(value) } else { this.name(value) }
                });
                let values = match results {
                    [] => TokenStream::new(),
                    _ => one_or_tuple(values.collect()),
                };
                braces([stmts, values])
            })
        });
        if results.is_empty() {
            return match [&then, &els].map(|side| side.stream().is_empty()) {
                [_, true] => quote!(if #cond #then),
                [true, false] => quote!(if !#cond #els),
                [false, false] => quote!(if #cond #then else #els),
            };
        }
        let binding = self.binding(results);
        quote!(let #binding = if #cond #then else #els;)
    }

    /// ```text
    /// let (mut v2, mut v3) = (v0, v1);
    /// let (v4, v5) = loop {
    ///     cx.poll()?;
    ///     …
    ///     let next = (v6, v7);
    ///     if !v8 { break next; }
    ///     (v2, v3) = next;
    /// };
    /// ```
    fn iterate(
        &mut self,
        results: &[Value],
        init: &[Value],
        params: &[Value],
        replaced: &[Value],
        body: &Block,
    ) -> TokenStream {
        let state = self.p.state();
        let is_replaced = |param: &Value| replaced.contains(param);
        let begins = params.iter().zip(init).map(|(param, &value)| match is_replaced(param) {
            true if self.is_owned(value) => {
                let value = self.name(value);
                quote!(#state::Made(#value))
            }
            true => {
                let value = self.borrow(value);
                quote!(#state::Lent(#value))
            }
            false => self.name(value),
        });
        let begins: Vec<TokenStream> = begins.collect();
        let (go, next) = body.results.split_last().expect("an iterate says whether to go on");
        let stmts = self.in_closure([], |this| this.stmts(body));
        let next = next.iter().map(|&value| self.name(value));
        let go = self.name(*go);
        let names = params.iter().map(|&param| variable(param));
        let takes = match replaced {
            [] => quote!((#(#names,)*) = next;),
            _ => names
                .zip(params)
                .enumerate()
                .map(|(number, (name, param))| {
                    let number = Literal::usize_unsuffixed(number);
                    if is_replaced(param) {
                        quote!(#name.step(cx, next.#number);)
                    } else {
                        quote!(#name = next.#number;)
                    }
                })
                .collect(),
        };
        let goes_on = quote! {
            let next = (#(#next,)*);
            if !#go {
                break next;
            }
            cx.poll()?;
            #takes
        };
        let params: Vec<_> = params.iter().map(|&param| variable(param)).collect();
        let types = results.iter().map(|&result| self.partial_type(result));
        let results = results.iter().map(|&result| variable(result));
        let body = braces([stmts, goes_on]);
        quote! {
            let (#(mut #params,)*) = (#(#begins,)*);
            let (#(#results,)*): (#(#types,)*) = loop #body;
        }
    }

    /// ```text
    /// let v1: Vec<T> = sort(cx, &v0[..], |&v2, &v3| { …; Ok(v4) })?;
    /// let v1: Vec<T> = sort_by_key(cx, &v0[..], false, |&v2| { …; v3 })?;
    /// let v1: Vec<T> = sort_keys(cx, &v0[..], false)?;
    /// ```
    fn sort(&mut self, result: Value, vector: Value, by: &SortBy, taken: bool) -> TokenStream {
        let (SortBy::Comparator(func) | SortBy::Key { func, .. }) = by;
        let func: FuncId = *func;
        let of = &self.imp.funcs[func];
        let from = if taken { self.name(vector) } else { self.borrow(vector) };
        let (name, ty) = (variable(result), self.partial_type(result));
        if let SortBy::Key { descending, once: false, .. } = by
            && !taken
            && is_identity(of)
        {
            let sort = self.p.sort_keys();
            return quote!(let #name: #ty = #sort(cx, #from, #descending)?;);
        }
        let (mut params, mut slices) = (Vec::new(), TokenStream::new());
        for param in &of.params {
            let Param::Value(param) = param else { continue };
            let name = variable(*param);
            params.push(if self.ty(*param).is_scalars() { quote!(&#name) } else { quote!(#name) });
            if types::is_slice(self.ty(*param)) {
                slices.extend(quote!(let #name = &#name[..];));
            }
        }
        let (stmts, value) =
            self.in_closure([], |this| (this.stmts(&of.body), this.name(of.body.results[0])));
        match by {
            SortBy::Comparator(_) => {
                let sort = if taken { self.p.sort_taken() } else { self.p.sort() };
                let body = braces([slices, stmts, self.as_result(value)]);
                quote!(let #name: #ty = #sort(cx, #from, |#(#params),*| #body)?;)
            }
            SortBy::Key { descending, once, .. } => {
                let sort = match once {
                    _ if taken => self.p.sort_by_key_taken(),
                    true => self.p.sort_by_kept_key(),
                    false => self.p.sort_by_key(),
                };
                let body = braces([slices, stmts, value]);
                quote!(let #name: #ty = #sort(cx, #from, #descending, |#(#params),*| #body)?;)
            }
        }
    }

    /// The type of a register.
    pub(super) fn register_type(&self, reg: RegId) -> TokenStream {
        let reg = &self.imp.regs[reg];
        let (ty, lanes) = (types::scalar(reg.ty), Literal::u32_unsuffixed(reg.lanes));
        match reg.lanes {
            1 => quote!(#ty),
            _ if is_row(reg) => {
                let row = self.p.row();
                quote!(#row<[#ty; #lanes]>)
            }
            _ => quote!([#ty; #lanes]),
        }
    }

    fn start(&mut self, reg: RegId) -> TokenStream {
        let of = &self.imp.regs[reg];
        let (start, lanes) = (types::constant(of.start), Literal::u32_unsuffixed(of.lanes));
        let value = match of.lanes {
            1 => start,
            _ if is_row(of) => {
                let row = self.p.row();
                quote!(#row([#start; #lanes]))
            }
            _ => quote!([#start; #lanes]),
        };
        self.put(reg, value)
    }

    /// All lanes have new values.
    fn put(&mut self, reg: RegId, value: TokenStream) -> TokenStream {
        let name = register(reg);
        if self.behind.contains(&Place::Reg(reg)) {
            return quote!(*#name = #value;);
        }
        match self.declared.insert(reg) {
            true if self.changing.contains(&reg) => quote!(let mut #name = #value;),
            true => quote!(let #name = #value;),
            false => quote!(#name = #value;),
        }
    }

    /// What all lanes hold.
    pub(super) fn value_of(&self, reg: RegId) -> TokenStream {
        let name = register(reg);
        if self.behind.contains(&Place::Reg(reg)) { quote!(*#name) } else { quote!(#name) }
    }

    pub(super) fn read(&self, reg: RegId, fold: ReduceOp) -> TokenStream {
        let value = self.value_of(reg);
        if self.imp.regs[reg].lanes == 1 {
            return value;
        }
        let (path, op) = (self.p.reduce_lanes(), self.operator(fold));
        quote!(#path::lanes(#op, #value))
    }

    /// `fold::Add`
    pub(super) fn operator(&self, op: ReduceOp) -> TokenStream {
        let (fold, name) = (self.p.reduce_lanes(), quote::format_ident!("{op:?}"));
        quote!(#fold::#name)
    }

    /// What an accumulate does; `in_lane` says where a lane of this many is, in a loop over lanes.
    pub(super) fn accumulate(
        &mut self,
        reg: RegId,
        lane: Lane,
        op: AccOp,
        value: Value,
        mask: Option<Value>,
        in_lane: Option<&dyn Fn(u32) -> TokenStream>,
    ) -> TokenStream {
        let (name, of) = (register(reg), &self.imp.regs[reg]);
        let value = self.name(value);
        let mask = mask.map(|mask| self.name(mask));
        if (op, of.lanes) == (AccOp::Set, 1) {
            return self.put(reg, value);
        }
        let place = match (of.lanes, lane, in_lane) {
            (1, ..) => self.value_of(reg),
            (_, Lane::Zero, _) => quote!(#name[0]),
            (lanes, Lane::Of(_), Some(in_lane)) => {
                let lane = in_lane(lanes);
                quote!(#name[#lane])
            }
            // A tail begins behind whole blocks, of which any number of lanes is a divisor, but for that of a row.
            (lanes, Lane::Of(position), None) => {
                let in_tail = !is_row(of) && self.tail.is_some_and(|tail| tail.index == position);
                self.reads_lane.set(self.reads_lane.get() | in_tail);
                let position = if in_tail { quote!(lane) } else { self.name(position) };
                let lanes = Literal::u32_unsuffixed(lanes);
                quote!(#name[#position % #lanes])
            }
        };
        let extremes = self.p.min_max();
        match op {
            AccOp::Reduce(op) => {
                let value = self.masked(of.ty, value, mask.as_ref(), of.start);
                self.combined(op, of.ty, &place, &value)
            }
            AccOp::Better(op) => {
                let op = self.operator(op);
                match mask {
                    Some(mask) => quote!(#place = #extremes::Extreme::better_if(#op, #mask, #place, #value);),
                    None => quote!(#place = #extremes::Extreme::better(#op, #place, #value);),
                }
            }
            AccOp::Same(open) => {
                let (op, open) = (self.operator(ReduceOp::Min), self.name(open));
                let mask = mask.map(|mask| quote!(& #mask));
                quote!(#place |= #extremes::Extreme::same(#op, #value, #open) #mask;)
            }
            AccOp::Set => {
                let value = self.masked(of.ty, value, mask.as_ref(), of.start);
                quote!(#place = #value;)
            }
            AccOp::Or => quote!(#place |= #value;),
        }
    }

    /// The value, or what changes nothing where it is not to be merged.
    fn masked(
        &self,
        ty: Scalar,
        value: TokenStream,
        mask: Option<&TokenStream>,
        neutral: weldment_core::ir::Const,
    ) -> TokenStream {
        let Some(mask) = mask else { return value };
        let neutral = types::constant(neutral);
        if ty.is_float() {
            return quote!(if #mask { #value } else { #neutral });
        }
        let select = self.p.select();
        quote!(#select(#mask, #value, #neutral))
    }

    /// `place = place op value;` of scalars.
    pub(super) fn combined(
        &self,
        op: ReduceOp,
        ty: Scalar,
        place: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let number = self.p.number();
        // A method finds what a reference refers to.
        let receiver = || place.clone().into_iter().skip_while(is_star).collect::<TokenStream>();
        match op {
            ReduceOp::Add if ty.is_float() => quote!(#place += #value;),
            ReduceOp::Mul if ty.is_float() => quote!(#place *= #value;),
            ReduceOp::Add => {
                let receiver = receiver();
                quote!(#place = #receiver.wrapping_add(#value);)
            }
            ReduceOp::Mul => {
                let receiver = receiver();
                quote!(#place = #receiver.wrapping_mul(#value);)
            }
            ReduceOp::Min => quote!(#place = #number::least(#place, #value);),
            ReduceOp::Max => quote!(#place = #number::greatest(#place, #value);),
        }
    }

    /// `let at9 = v4.get(&v7);`, before the first of several look-ups, which gives `v9`.
    fn search_for_all(&self, result: Value, op: &Op, known: Known) -> Option<TokenStream> {
        if known != Known::Shared(result) || !self.searched.contains(&result) {
            return None;
        }
        let (Op::KeyExists(dict, key) | Op::Lookup(dict, key) | Op::OptLookup(dict, key)) = op else {
            return None;
        };
        let (found, search) = (super::op::found(result), self.search(*dict, *key));
        Some(quote!(let #found = #search;))
    }
}

fn is_star(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '*')
}

/// Whether a register is a row of accumulators in memory.
fn is_row(reg: &Reg) -> bool {
    reg.lanes > ReduceOp::lanes(reg.ty) as u32
}

/// Whether a function gives its only parameter.
fn is_identity(func: &Func) -> bool {
    func.body.stmts.is_empty()
        && matches!(func.params[..], [Param::Value(param)] if func.body.results == [param])
}
