//! What goes into a store: one value, or what a whole loop gives.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{Entity, Loc, ReduceOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::lanes::carried;
use super::store::Kept;
use super::{Place, Printer, braces, part, variable};
use crate::imp::{Combine, FuncId, Param, Stmt, StoreId, Stride};
use crate::rust::types;

impl Printer<'_> {
    /// A value goes behind what is collected.
    pub(super) fn append(&self, store: StoreId, value: Value) -> TokenStream {
        let (name, value) = (part(store), self.name(value));
        match self.kept(store) {
            Kept::Placed => quote!(#name.push(#value);),
            Kept::Ragged => quote!(#name.push(cx, #value)?;),
            _ => {
                let (push, to) = (self.p.push(), self.by_reference(Place::Store(store)));
                quote!(#push(cx, #to, #value)?;)
            }
        }
    }

    pub(super) fn extend(&self, store: StoreId, vector: Value) -> TokenStream {
        let (extend, to) = (self.p.extend(), self.by_reference(Place::Store(store)));
        let vector = self.borrow(vector);
        quote!(#extend(cx, #to, #vector)?;)
    }

    pub(super) fn merge_one(&mut self, store: StoreId, args: &[Value], loc: Loc) -> TokenStream {
        let (own, of) = (part(store), self.store(store));
        let value = self.name(args[args.len() - 1]);
        match (self.kept(store), of.combine) {
            (Kept::Boxed, Combine::Func(func)) => {
                let place = match self.behind.contains(&Place::Store(store)) {
                    true => quote!(*#own),
                    false => quote!(#own),
                };
                self.fold_into(func, &place, &own, &value)
            }
            (Kept::LastWins, _) => {
                let key = self.name(args[0]);
                quote!(#own.add(cx, #key, #value)?;)
            }
            (Kept::PartitionedTable, Combine::Op(op)) => {
                let (key, op) = (self.name(args[0]), self.operator(op));
                quote!(#own.add(cx, #key, #value, #op)?;)
            }
            (Kept::Groups, _) => {
                let (push, key) = (self.by_parts("push", "push_by_parts", args[0]), self.borrow(args[0]));
                quote!(#own.#push(cx, #key, #value)?;)
            }
            (Kept::Table, combine) => {
                let key = self.borrow(args[0]);
                let entry = match self.hashed.get(&store) {
                    Some(&position) => {
                        let (hashes, position) = (format_ident!("h{}", store.index()), self.name(position));
                        quote!(#own.entry_prefetched(cx, #key, &#hashes, #position))
                    }
                    None => {
                        let entry = self.by_parts("entry", "entry_by_parts", args[0]);
                        quote!(#own.#entry(cx, #key))
                    }
                };
                match combine {
                    Combine::Op(op) => {
                        let combine = self.combine(op, &of.item, &format_ident!("entry"), &value);
                        quote!(let entry = #entry?; #combine)
                    }
                    Combine::Func(func) => {
                        let fold = self.fold_into(func, &quote!(*entry), &format_ident!("entry"), &value);
                        quote!(let entry = #entry?; #fold)
                    }
                    Combine::Last | Combine::Append => {
                        let some = self.p.some();
                        quote!(*#entry? = #some(#value);)
                    }
                }
            }
            (Kept::Scatter, Combine::Op(op)) => {
                let (index, place) = (self.name(args[0]), self.place(loc));
                let combine = self.combine(op, &of.item, &format_ident!("element"), &value);
                quote!(let element = #own.at(cx, #index, #place)?; #combine)
            }
            _ => unreachable!("the verifier has seen to it"),
        }
    }

    /// `*place op= value;` for the value behind a reference, leaf by leaf.
    pub(super) fn combine(&self, op: ReduceOp, ty: &Type, place: &Ident, value: &TokenStream) -> TokenStream {
        let leaves = ty.leaves().expect("operators reduce scalars and structs of them");
        let paths = types::leaf_paths(self.p, ty);
        let of_leaf = |(&leaf, path): (&Scalar, &TokenStream)| {
            let place = if path.is_empty() { quote!(*#place) } else { quote!(#place #path) };
            self.combined(op, leaf, &place, &quote!(#value #path))
        };
        leaves.iter().zip(&paths).map(of_leaf).collect()
    }

    /// `place`, an `Option`, becomes what the function makes of it and `value`.
    pub(super) fn fold_into(
        &mut self,
        func: FuncId,
        place: &TokenStream,
        name: &Ident,
        value: &TokenStream,
    ) -> TokenStream {
        let (some, none) = (self.p.some(), self.p.none());
        let call = self.call(func, vec![quote!(before), value.clone()]);
        quote! {
            #place = #some(match #name.take() {
                #some(before) => #call,
                #none => #value,
            });
        }
    }

    /// `s0.fill(n, |lane| …);`
    pub(super) fn fill(&mut self, store: StoreId, func: FuncId, count: Value) -> TokenStream {
        let (name, count) = (part(store), self.name(count));
        let of = &self.imp.funcs[func];
        let [Param::Value(position)] = of.params[..] else { unreachable!("a row has a position") };
        let cuts = of.body.columns_at(position).into_iter().map(|column| {
            let column = variable(column);
            quote!(let #column = &#column[..#count];)
        });
        let cuts: TokenStream = cuts.collect();
        let (stmts, value) = self.in_closure([], |this| {
            let value = of.body.results[0];
            (this.stmts(&of.body), this.name(value))
        });
        let (position, body) = (variable(position), braces([stmts, value]));
        quote!({ #cuts #name.fill(#count, #[inline(always)] |#position| #body); })
    }

    /// `s0.each(cx, zip(0..n, c0), |(v3, &e0)| …, Add)?;`: columns are zipped, not indexed, since an index is checked in
    /// each row where the compiler does not see that it is in bounds.
    pub(super) fn merge_each(&mut self, store: StoreId, func: FuncId, count: Value) -> TokenStream {
        let (name, count, of) = (part(store), self.name(count), &self.imp.funcs[func]);
        let [Param::Value(position)] = of.params[..] else { unreachable!("a row has a position") };
        let Combine::Op(op) = self.store(store).combine else { unreachable!("small tables reduce") };
        let op = self.operator(op);
        let mut body = of.body.clone();
        let mut loads: Vec<(Value, Value)> = Vec::new();
        body.stmts.retain(|stmt| match stmt {
            Stmt::Load { result, column, index, stride: Stride::One } if *index == position => {
                loads.push((*result, *column));
                false
            }
            _ => true,
        });
        let (stmts, key, value) = self.in_closure([], |this| {
            let [key, value] = [0, 1].map(|part| this.name(body.results[part]));
            (this.stmts(&body), key, value)
        });
        let (zip, cuts) = (self.p.zip(), of.body.columns_at(position));
        let mut binds = TokenStream::new();
        let mut pattern = self.position_pattern(position);
        let (mut rows, mut slices) = (quote!(0..#count), TokenStream::new());
        for column in cuts {
            let of_column: Vec<_> = loads.iter().filter(|load| load.1 == column).collect();
            let (element, column) = (variable(of_column[0].0), variable(column));
            for other in &of_column[1..] {
                let other = variable(other.0);
                binds.extend(quote!(let #other = #element;));
            }
            slices.extend(quote!(let #column = &#column[..#count];));
            rows = quote!(#zip(#rows, #column));
            pattern = quote!((#pattern, &#element));
        }
        let body = braces([binds, stmts, quote!((#key, #value))]);
        quote!({ #slices #name.each(cx, #rows, #[inline(always)] |#pattern| #body, #op)?; })
    }

    pub(super) fn merge_block(&mut self, inside: Value, store: StoreId, args: &[Value]) -> TokenStream {
        let (name, inside, of) = (part(store), variable(inside), self.store(store));
        let Combine::Op(op) = of.combine else { unreachable!("merges by index are by an operator") };
        let op = self.operator(op);
        let lane = |value: Value| match self.info(value).width {
            1 => self.name(value),
            _ => {
                let array = carried(value);
                quote!(#array[lane])
            }
        };
        let (index, value, from_fn) = (lane(args[0]), lane(args[1]), self.p.array_from_fn());
        let width = args.iter().map(|&arg| self.info(arg).width).max().unwrap_or(1);
        let width = Literal::u32_unsuffixed(width);
        quote! {
            let #inside = #name.all(#from_fn::<_, #width, _>(#[inline(always)] |lane| (#index, #value)), #op);
        }
    }
}
