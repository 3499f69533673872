//! Blocks and the steps that are not nests.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use weldment_core::ir::{Op, Value};

use super::scope::{Form, Scope, last_reads, steps_in_order};
use super::{Emitter, names, types};
use crate::loops::{Block, Function, Key, Merge, Order, Step, StoreKind, facts};

impl Emitter<'_> {
    /// The steps of `block`. Afterwards `scope` knows what they bound, and `scope.live` is again what it was.
    pub(super) fn steps(&mut self, scope: &mut Scope, block: &Block) -> TokenStream {
        let results: Vec<Value> =
            block.results.iter().copied().filter(|&result| scope.live.insert(result)).collect();
        let collects = |merge: &Merge| {
            let is_collect = matches!(self.store(merge.sink).kind, StoreKind::Collect { .. });
            is_collect && self.can_be_copied(merge.values[0])
        };
        let steps = steps_in_order(block, collects);
        let last_reads = last_reads(&steps, &mut scope.live);
        let mut tokens = TokenStream::new();
        let is_program = std::ptr::eq(block, &self.program.body);
        for (number, (step, dead)) in steps.into_iter().zip(last_reads).enumerate() {
            dead.iter().for_each(|value| _ = scope.live.remove(value));
            tokens.extend(self.step(scope, step));
            if is_program {
                let vectors = self.lives.ending_at(number).map(names::value);
                tokens.extend(quote!(#(cx.recycle(#vectors);)*));
            }
        }
        results.iter().for_each(|result| _ = scope.live.remove(result));
        tokens
    }

    fn step(&mut self, scope: &mut Scope, step: &Step) -> TokenStream {
        match step {
            Step::Bind { op: Op::Const(_), .. } => TokenStream::new(),
            Step::Bind { result, op, loc } => {
                let search = self.search_for_all(scope, *result, op);
                let bound = self.op(scope, *result, op, *loc);
                scope.bind_to(*result, self.ty(*result), &bound);
                let (name, ty) = (names::value(*result), self.held_type(scope, *result));
                let value = bound.value;
                quote!(#search let #name: #ty = #value;)
            }
            Step::If { results, cond, then, els } => self.branch(scope, results, *cond, then, els),
            Step::Iterate { results, init, params, body, .. } => {
                self.iterate(scope, results, init, params, body)
            }
            Step::Sort { result, vector, order, .. } => self.sort(scope, *result, *vector, order),
            Step::Nest(nest) => self.nest(scope, nest),
            Step::For(inner) => self.inner_loop(scope, inner),
            Step::Merge(merge) => self.merge(scope, merge),
        }
    }

    /// The type of the variable that holds `value`.
    pub(super) fn held_type(&self, scope: &Scope, value: Value) -> TokenStream {
        match scope.form(value) {
            Form::Borrowed => self.borrowed_type(value),
            Form::Copied | Form::Owned => self.owned_type(value),
        }
    }

    /// `let (v1, v2) = if c { …; (v3, v4) } else { … };`
    fn branch(
        &mut self,
        scope: &mut Scope,
        results: &[Value],
        cond: Value,
        then: &Block,
        els: &Block,
    ) -> TokenStream {
        // A result that both sides take from outside need not be owned.
        let is_from_outside: Vec<bool> = results
            .iter()
            .enumerate()
            .map(|(i, _)| scope.is_bound(then.results[i]) && scope.is_bound(els.results[i]))
            .collect();
        let cond = self.name(cond);
        let sides = [then, els].map(|side| {
            let from_outside = side.results.iter().zip(&is_from_outside).filter_map(|(v, o)| o.then_some(*v));
            scope.in_block(from_outside, |scope| {
                let steps = self.steps(scope, side);
                let values = side.results.iter().enumerate().map(|(i, &result)| {
                    if is_from_outside[i] {
                        scope.pass(result, self.ty(result))
                    } else {
                        scope.own(self.p, result, self.ty(result), &side.results[i + 1..])
                    }
                });
                let values = (!results.is_empty()).then(|| one_or_tuple(values.collect()));
                quote!(#steps #values)
            })
        });
        for (i, &result) in results.iter().enumerate() {
            if is_from_outside[i] {
                scope.bind_borrowed(result, self.ty(result), [then.results[i], els.results[i]]);
            } else {
                scope.bind(result, self.ty(result));
            }
        }
        let [then, els] = sides;
        if results.is_empty() {
            return if els.is_empty() {
                quote!(if #cond { #then })
            } else {
                quote!(if #cond { #then } else { #els })
            };
        }
        let binding = self.binding(scope, results);
        quote!(let #binding = if #cond { #then } else { #els };)
    }

    /// `v1: T`, or `(v1, v2): (T, U)`.
    pub(super) fn binding(&self, scope: &Scope, results: &[Value]) -> TokenStream {
        let names = one_or_tuple(results.iter().map(|&v| names::value(v)).map(|v| quote!(#v)).collect());
        let types = one_or_tuple(results.iter().map(|&result| self.held_type(scope, result)).collect());
        quote!(#names: #types)
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
        scope: &mut Scope,
        results: &[Value],
        init: &[Value],
        params: &[Value],
        body: &Block,
    ) -> TokenStream {
        let init = self.own_all(scope, init);
        let (go, state) = body.results.split_last().expect("an iterate says whether to go on");
        let (steps, next) = scope.in_body(|scope| {
            for &param in params {
                scope.bind(param, self.ty(param));
            }
            let steps = self.steps(scope, body);
            scope.live.insert(*go);
            (steps, self.own_all(scope, state))
        });
        let (go, params) = (self.name(*go), params.iter().map(|&param| names::value(param)));
        let (params, muts) = (params.clone().collect::<Vec<_>>(), params);
        for &result in results {
            scope.bind(result, self.ty(result));
        }
        let types = results.iter().map(|&result| self.held_type(scope, result));
        let results = results.iter().map(|&result| names::value(result));
        quote! {
            let (#(mut #muts,)*) = (#(#init,)*);
            let (#(#results,)*): (#(#types,)*) = loop {
                cx.poll()?;
                #steps
                let next = (#(#next,)*);
                if !#go {
                    break next;
                }
                (#(#params,)*) = next;
            };
        }
    }

    /// ```text
    /// let v1: Vec<T> = sort(cx, &v0[..], |&v2, &v3| { …; Ok(v4) })?;
    /// let v1: Vec<T> = sort_by_key(cx, &v0[..], false, false, |&v2| { …; v3 })?;
    /// ```
    fn sort(&mut self, scope: &mut Scope, result: Value, vector: Value, order: &Order) -> TokenStream {
        let element = self.ty(vector).element().expect("what is sorted is a vector");
        let mut params = Vec::new();
        let mut slices = TokenStream::new();
        let steps = scope.in_body(|scope| {
            for &param in order.params() {
                scope.bind_borrowed(param, element, []);
                let name = names::value(param);
                match scope.form(param) {
                    Form::Copied => params.push(quote!(&#name)),
                    _ => params.push(quote!(#name)),
                }
                if element.element().is_some() {
                    slices.extend(quote!(let #name = &#name[..];));
                }
            }
            self.steps(scope, order.body())
        });
        let by = self.name(order.body().results[0]);
        let borrowed = scope.borrow(vector, self.ty(vector));
        scope.bind(result, self.ty(result));
        let (name, ty) = (names::value(result), self.held_type(scope, result));
        match order {
            Order::Comparator(_) => {
                let (sort, ok) = (self.p.sort(), self.p.ok());
                quote! {
                    let #name: #ty = #sort(cx, #borrowed, |#(#params),*| {
                        #slices
                        #steps
                        #ok(#by)
                    })?;
                }
            }
            Order::Key(Key { descending, dear, .. }) => {
                let sort = self.p.sort_by_key();
                quote! {
                    let #name: #ty = #sort(cx, #borrowed, #descending, #dear, |#(#params),*| {
                        #slices
                        #steps
                        #by
                    })?;
                }
            }
        }
    }

    /// Whether running `block` can end in a fault, so that it stands in a function that gives a `Result`.
    pub(super) fn block_faults(&self, block: &Block) -> bool {
        let mut found = false;
        facts::for_each_step(block, &mut |step| {
            found |= match step {
                Step::Bind { op, .. } => self.op_faults(op),
                Step::Iterate { .. } | Step::Sort { .. } => true,
                Step::Nest(nest) => self.nest_faults(nest),
                Step::Merge(merge) => self.merge_faults(merge),
                Step::If { results, .. } => results.iter().any(|&result| self.can_be_copied(result)),
                // It can be cancelled.
                Step::For(_) => true,
            };
        });
        found
    }

    /// Whether `function` can end in a fault.
    pub(super) fn function_faults(&self, function: &Function) -> bool {
        self.block_faults(&function.body) || self.can_be_copied(function.body.results[0])
    }

    /// Whether `function` takes the context.
    pub(super) fn function_needs_context(&self, function: &Function) -> bool {
        self.needs_context(&function.body) || self.can_be_copied(function.body.results[0])
    }

    /// The function item `name`, which takes what `function` reads from outside and then its parameters, owned.
    pub(super) fn function(&mut self, name: &proc_macro2::Ident, function: &Function) -> TokenStream {
        let captures = self.free_values(&function.body, &function.params, None);
        let faults = self.function_faults(function);
        let mut scope = self.function_scope(&captures);
        scope.is_dispatched = true;
        let context = self.p.context();
        let cx = self.function_needs_context(function).then(|| quote!(cx: &#context));
        let mut params: Vec<_> = cx.into_iter().collect();
        params.extend(self.parameters(&captures));
        for param in function.params {
            scope.bind(param, self.ty(param));
            let (name, ty) = (names::value(param), types::owned(self.p, self.ty(param)));
            params.push(quote!(#name: #ty));
        }
        let steps = self.steps(&mut scope, &function.body);
        let result = function.body.results[0];
        let output = types::owned(self.p, self.ty(result));
        let value = scope.own(self.p, result, self.ty(result), &[]);
        let (output, value) = self.fallible(faults, output, value);
        let allow = super::allow_parameters(params.len());
        quote! {
            #allow
            #[inline(always)]
            fn #name(#(#params),*) -> #output {
                #steps
                #value
            }
        }
    }

    /// The type and value of a function's result, in a `Result` if it can fault.
    pub(super) fn fallible(
        &self,
        faults: bool,
        ty: TokenStream,
        value: TokenStream,
    ) -> (TokenStream, TokenStream) {
        if !faults {
            return (ty, value);
        }
        let (result, fault) = (self.p.result(), self.p.fault());
        (quote!(#result<#ty, #fault>), self.as_result(value))
    }

    /// `Ok(value)`, or what `value` is the success of: `call()` for `call()?`, which clippy asks for.
    pub(super) fn as_result(&self, value: TokenStream) -> TokenStream {
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

/// `a`, or `(a, b)`.
pub(super) fn one_or_tuple(mut items: Vec<TokenStream>) -> TokenStream {
    if items.len() == 1 {
        return items.remove(0);
    }
    quote!((#(#items),*))
}
