//! Functions, and calls of them.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use weldment_core::ir::Value;

use super::printed::Printed;
use super::{Place, Printer, braces, one_or_tuple, part, register, variable};
use crate::imp::effects::{self, Effects};
use crate::imp::{Arg, Combine, Func, FuncId, Param, Role, Stmt, Strategy};
use crate::rust::{allow_parameters, types};

impl Printer<'_> {
    /// The items of all functions that were called.
    pub(in crate::rust) fn items(&self) -> TokenStream {
        self.funcs.values().map(|printed| printed.item.clone()).collect()
    }

    /// The body of the entry.
    pub(in crate::rust) fn entry(&mut self) -> TokenStream {
        let imp = self.imp;
        let body = &imp.funcs[imp.entry].body;
        self.in_function([], [], |this| {
            let stmts = this.stmts(body);
            let value = this.name(body.results[0]);
            [stmts, this.as_result(value)].into_iter().collect()
        })
    }

    /// The function, printed when it is called for the first time.
    fn printed(&mut self, id: FuncId) -> Printed {
        if let Some(printed) = self.funcs.get(&id) {
            return printed.clone();
        }
        let func = &self.imp.funcs[id];
        let printed = self.print(func);
        self.funcs.insert(id, printed.clone());
        printed
    }

    fn print(&mut self, func: &Func) -> Printed {
        let p = self.p;
        let behind = func.params.iter().filter_map(|param| match param {
            Param::Reg(reg) => Some(Place::Reg(*reg)),
            Param::Store(store) => Some(Place::Store(*store)),
            Param::Value(_) | Param::Slice { .. } => None,
        });
        let behind: Vec<Place> = behind.collect();
        let ([cursors, stmts], values) = self.in_function(func.captures.iter().copied(), behind, |this| {
            let cursors = this.cursors(func);
            let stmts = this.stmts(&func.body);
            let values = func.body.results.iter().map(|&result| this.name(result)).collect();
            ([cursors, stmts], one_or_tuple(values))
        });
        let types = func.body.results.iter().map(|&result| self.owned_result(func, result)).collect();
        let Effects { faults, context: takes_context, .. } = effects::of_block(self.imp, &func.body);
        let (output, value) = match (faults, func.body.results.is_empty()) {
            (true, _) => {
                let (result, fault, ty) = (p.result(), p.fault(), one_or_tuple(types));
                let value = self.as_result(values);
                (quote!(-> #result<#ty, #fault>), value)
            }
            (false, true) => (TokenStream::new(), TokenStream::new()),
            (false, false) => {
                let ty = one_or_tuple(types);
                (quote!(-> #ty), values)
            }
        };
        let mut params = Vec::new();
        if takes_context {
            let context = p.context();
            params.push(quote!(cx: &#context));
        }
        for &capture in &func.captures {
            let (name, ty) = (variable(capture), self.borrowed_type(capture));
            params.push(quote!(#name: #ty));
        }
        for param in &func.params {
            params.push(match param {
                Param::Value(value) => {
                    let (name, ty) = (variable(*value), self.partial_type(*value));
                    quote!(#name: #ty)
                }
                Param::Slice { column, .. } => {
                    let (name, ty) = (variable(*column), self.borrowed_type(*column));
                    quote!(#name: #ty)
                }
                Param::Reg(reg) => {
                    let (name, ty) = (register(*reg), self.register_type(*reg));
                    quote!(#name: &mut #ty)
                }
                Param::Store(store) => {
                    let (name, ty) = (part(*store), self.part_type(*store));
                    quote!(#name: &mut #ty)
                }
            });
        }
        let (name, allow) = (format_ident!("{}", func.name), allow_parameters(params.len()));
        let body = braces([cursors, stmts, value]);
        let item = quote! {
            #allow
            #[inline(always)]
            fn #name(#(#params),*) #output #body
        };
        Printed { item, name, faults, takes_context }
    }

    fn owned_result(&self, func: &Func, result: Value) -> TokenStream {
        match func.role {
            Role::Loop | Role::Entry | Role::Reducer => self.owned_type(result),
            Role::Comparator | Role::Key | Role::Row => types::owned(self.p, self.ty(result)),
        }
    }

    /// In registers of their own: of a part behind a reference, the compiler must load what a merge may have written. What is only
    /// handed on has one where it is filled.
    fn cursors(&self, func: &Func) -> TokenStream {
        let mut filled = HashSet::new();
        func.body.for_each_stmt(&mut |stmt| {
            if let Stmt::Do { store, .. } = stmt {
                filled.insert(*store);
            }
        });
        let cursor = |param: &Param| {
            let Param::Store(store) = param else { return None };
            if !filled.contains(store) {
                return None;
            }
            let (name, of) = (part(*store), &self.imp.stores[*store]);
            match of.strategy {
                Strategy::Direct { .. } if of.combine != Combine::Append => {
                    Some(quote!(let #name = &mut #name.cursor(cx)?;))
                }
                Strategy::InPlace | Strategy::Partial => Some(quote!(let #name = &mut #name.cursor();)),
                Strategy::Columns { .. } | Strategy::Exact { .. } | Strategy::Ordered if of.split => {
                    Some(quote!(let #name = &mut #name.cursor();))
                }
                _ => None,
            }
        };
        func.params.iter().filter_map(cursor).collect()
    }

    /// `loop0(cx, v3, &mut a0, &v7[v1..v1 + v2])`, with a `?` if it can fault.
    pub(super) fn call(&mut self, func: FuncId, args: Vec<TokenStream>) -> TokenStream {
        let Printed { name, faults, takes_context, .. } = self.printed(func);
        let of = &self.imp.funcs[func];
        let context = takes_context.then(|| quote!(cx));
        let captures = of.captures.iter().map(|&capture| self.pass(capture));
        let args = context.into_iter().chain(captures).chain(args);
        let call = quote!(#name(#(#args),*));
        let call = match of.dispatch {
            true => {
                let dispatch = self.p.dispatch();
                let level = if of.streams { quote!(level_of_streams) } else { quote!(level) };
                quote!(#dispatch(cx.#level(), #[inline(always)] |_| #call))
            }
            false => call,
        };
        if faults { quote!(#call?) } else { call }
    }

    /// An argument.
    pub(super) fn arg(&self, arg: &Arg) -> TokenStream {
        match arg {
            Arg::Value(value) => self.pass(*value),
            Arg::Slice(vector, range) => self.cut(*vector, *range),
            Arg::Reg(reg) => self.by_reference(Place::Reg(*reg)),
            Arg::Store(store, _) => self.by_reference(Place::Store(*store)),
        }
    }

    /// `&v7[v1..v1 + v2]`
    pub(super) fn cut(&self, vector: Value, [start, count]: [Value; 2]) -> TokenStream {
        let (vector, count) = (self.name(vector), self.as_usize(count));
        if self.imp.known_position(start) == Some(0) {
            return quote!(&#vector[..#count]);
        }
        let start = self.as_usize(start);
        quote!(&#vector[#start..][..#count])
    }

    /// `Ok(value)`, or what `value` is the success of: `call()` for `call()?`, which clippy asks for.
    pub(in crate::rust) fn as_result(&self, value: TokenStream) -> TokenStream {
        let mut tokens: Vec<TokenTree> = value.into_iter().collect();
        match tokens.pop() {
            Some(TokenTree::Punct(last)) if last.as_char() == '?' => tokens.into_iter().collect(),
            last => {
                let (ok, value) = (self.p.ok(), tokens.into_iter().chain(last).collect::<TokenStream>());
                quote!(#ok(#value))
            }
        }
    }
}
