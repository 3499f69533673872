//! Loops over all threads.
//!
//! ```text
//! let a5 = drive::totals(
//!     cx,
//!     v1,
//!     Plan { chunk: 16384, task: Task::Any },
//!     a5,
//!     |chunk| {
//!         let (v9, v10) = (chunk.start, chunk.end);
//!         let mut a0 = [-0.0f64; 16];
//!         dispatch(cx.level(), #[inline(always)] |_| loop3(v11, &mut a0, …));
//!         Ok(fold::lanes(fold::Add, a0))
//!     },
//!     |a5, a6| {
//!         *a5 += a6;
//!         Ok(())
//!     },
//! )?;
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use weldment_core::ir::Value;

use super::{Place, Printer, braces, joined, one_or_tuple, part, register, shared, variable};
use crate::imp::{Block, RegId, Split, Stmt, StoreId, Strategy, Task, Total};

impl Printer<'_> {
    pub(super) fn split(&mut self, split: &Split) -> TokenStream {
        let all = self.all(split);
        let is_part = |index: usize| index >= split.totals.len();
        let names: Vec<_> = all.iter().map(|name| quote!(#name)).collect();
        let starts = one_or_tuple(names.clone());
        let bind = (!names.is_empty()).then(|| {
            let names = one_or_tuple(names.clone());
            quote!(let #names =)
        });
        let init = self.init(split);
        let update = self.update(split);
        let (add, merge) = (self.add(split, &all, is_part), self.merge(split, &all, is_part));
        let (p, extent) = (self.p, self.name(split.extent));
        let (driver, plan, parts) = if split.plan.task == Task::Open {
            let chunk = Literal::u64_unsuffixed(split.plan.chunk);
            let goes_on = self.goes_on(split);
            (p.drive_open(), quote!(#chunk), quote!(#init, #update, #add, #goes_on, #merge))
        } else {
            let (driver, parts) = match (split.totals.is_empty(), split.parts.is_empty()) {
                (_, true) => (p.drive_totals(), quote!(#update, #add)),
                (true, false) => (p.drive_states(), quote!(#init, #update, #merge)),
                (false, false) => (p.drive_run(), quote!(#init, #update, #add, #merge)),
            };
            (driver, self.plan(split), parts)
        };
        for total in &split.totals {
            if let Total::Reg { all, .. } = total {
                self.declared.insert(*all);
            }
        }
        quote!(#bind #driver(cx, #extent, #plan, #starts, #parts)?;)
    }

    /// `Plan { chunk: 16384, task: Task::Any }`
    fn plan(&self, split: &Split) -> TokenStream {
        let (plan, task, some, none) = (self.p.plan(), self.p.task(), self.p.some(), self.p.none());
        let chunk = Literal::u64_unsuffixed(split.plan.chunk);
        let task = match split.plan.task {
            Task::Any | Task::Open => quote!(#task::Any),
            Task::Short => quote!(#task::Short),
            Task::Segments(None) => quote!(#task::Segment(#none)),
            Task::Segments(Some(length)) => {
                let length = Literal::u64_unsuffixed(length);
                quote!(#task::Segment(#some(#length)))
            }
        };
        quote!(#plan { chunk: #chunk, task: #task })
    }

    /// The variables of what has joined: of totals, then of parts.
    fn all(&self, split: &Split) -> Vec<proc_macro2::Ident> {
        let of_total = |total: &Total| match total {
            Total::Reg { all, .. } => register(*all),
            Total::Store(store) => joined(*store),
        };
        let of_part = |store: &StoreId| self.has_total(*store).then(|| joined(*store));
        split.totals.iter().map(of_total).chain(split.parts.iter().filter_map(of_part)).collect()
    }

    /// Whether the parts of a store join something that the driver holds; else what they share.
    pub(super) fn has_total(&self, store: StoreId) -> bool {
        use Strategy::{Columns, Exact, InPlace, Ordered, Partial};
        !matches!(
            self.imp.stores[store].strategy,
            Columns { .. } | Exact { .. } | Ordered | InPlace | Partial
        )
    }

    /// `|task| (x0.part(task), Vec::new())`: the parts of a task at its start; `|| …` if its end is open.
    fn init(&mut self, split: &Split) -> TokenStream {
        let (begins, lets): (Vec<&Stmt>, Vec<&Stmt>) =
            split.init.stmts.iter().partition(|stmt| matches!(stmt, Stmt::Do { .. }));
        if !lets.is_empty() {
            return self.init_in(split.range, &begins, &lets);
        }
        let stores = begins.into_iter().filter_map(|stmt| match stmt {
            Stmt::Do { store, .. } => Some(*store),
            _ => None,
        });
        let stores: Vec<StoreId> = stores.collect();
        let last = stores.iter().rposition(|&store| self.begins_in_range(store));
        let clone = self.p.clone();
        // All but the last take a copy of the range.
        let starts = stores.iter().enumerate().map(|(number, &store)| {
            let start = self.beginning(store, &quote!(task));
            match last {
                Some(last) if number < last && self.begins_in_range(store) => {
                    quote!({ let task = #clone::clone(&task); #start })
                }
                _ => start,
            }
        });
        let starts = one_or_tuple(starts.collect());
        match (last, split.plan.task) {
            (Some(_), _) => quote!(|task| #starts),
            (None, Task::Open) => quote!(|| #starts),
            (None, _) => quote!(|_| #starts),
        }
    }

    /// `|task| { let v1 = task.start; …; x0.part(v3..v4) }`: parts that have other places than the iterations of the task.
    fn init_in(&mut self, range: [Value; 2], begins: &[&Stmt], lets: &[&Stmt]) -> TokenStream {
        let [lo, hi] = range.map(variable);
        let lets: Vec<TokenStream> = lets.iter().map(|stmt| self.stmt(stmt)).collect();
        let starts = begins.iter().filter_map(|stmt| match stmt {
            Stmt::Do { store, args, .. } => {
                let (from, to) = (self.name(args[0]), self.name(args[1]));
                Some(self.beginning(*store, &quote!(#from..#to)))
            }
            _ => None,
        });
        let starts = one_or_tuple(starts.collect());
        quote!(|task| {
            let (#lo, #hi) = (task.start, task.end);
            #(#lets)*
            #starts
        })
    }

    fn update(&mut self, split: &Split) -> TokenStream {
        let [lo, hi] = split.range;
        let behind: Vec<Place> = split.parts.iter().map(|store| Place::Store(*store)).collect();
        let (stmts, totals) = self.in_closure(behind, |this| {
            let stmts = this.stmts(&split.update);
            let totals = split.totals.iter().map(|total| match total {
                Total::Reg { chunk, .. } => this.value_of(*chunk),
                Total::Store(store) => {
                    let part = part(*store);
                    quote!(#part)
                }
            });
            (stmts, totals.collect::<Vec<_>>())
        });
        let bounds = [(lo, quote!(start)), (hi, quote!(end))].map(|(position, end)| {
            let name = variable(position);
            self.is_named(position).then(|| quote!(let #name = chunk.#end;))
        });
        let bounds = quote!(#(#bounds)*);
        let chunk = if bounds.is_empty() { quote!(_) } else { quote!(chunk) };
        let params = match split.parts.is_empty() {
            true => quote!(#chunk),
            false => {
                let parts = one_or_tuple(
                    split.parts.iter().map(|store| part(*store)).map(|part| quote!(#part)).collect(),
                );
                quote!(#parts, #chunk)
            }
        };
        let (ok, totals) = (self.p.ok(), one_or_tuple(totals));
        let body = braces([bounds, stmts, quote!(#ok(#totals))]);
        quote!(|#params| #body)
    }

    /// What `|…, …|` names of all that has joined: what `is_named` says, by its number.
    fn pattern(all: &[proc_macro2::Ident], is_named: impl Fn(usize) -> bool) -> TokenStream {
        let names = all.iter().enumerate();
        one_or_tuple(
            names.map(|(number, name)| if is_named(number) { quote!(#name) } else { quote!(_) }).collect(),
        )
    }

    fn add(
        &mut self,
        split: &Split,
        all: &[proc_macro2::Ident],
        is_part: impl Fn(usize) -> bool,
    ) -> TokenStream {
        let totals = Self::pattern(all, |number| !is_part(number));
        let chunk = split.totals.iter().map(|total| match total {
            Total::Reg { chunk, .. } => {
                let chunk = register(*chunk);
                quote!(#chunk)
            }
            Total::Store(store) => {
                let part = part(*store);
                quote!(#part)
            }
        });
        let chunk = one_or_tuple(chunk.collect());
        let behind: Vec<RegId> = split
            .totals
            .iter()
            .filter_map(|total| match total {
                Total::Reg { all, .. } => Some(*all),
                Total::Store(_) => None,
            })
            .collect();
        self.joining(&split.add, behind, totals, chunk)
    }

    fn merge(
        &mut self,
        split: &Split,
        all: &[proc_macro2::Ident],
        is_part: impl Fn(usize) -> bool,
    ) -> TokenStream {
        let totals = Self::pattern(all, is_part);
        let parts = split.parts.iter().map(|store| part(*store)).map(|part| quote!(#part));
        let parts = one_or_tuple(parts.collect());
        self.joining(&split.merge, Vec::new(), totals, parts)
    }

    fn joining(
        &mut self,
        block: &Block,
        behind: Vec<RegId>,
        totals: TokenStream,
        parts: TokenStream,
    ) -> TokenStream {
        let stmts = self.in_closure(behind.into_iter().map(Place::Reg), |this| this.stmts(block));
        let ok = self.p.ok();
        let body = braces([stmts, quote!(#ok(()))]);
        quote!(|#totals, #parts| #body)
    }

    /// Who has met many keys leaves its memory to others soon.
    fn goes_on(&self, split: &Split) -> TokenStream {
        let is_small = |store: &&StoreId| matches!(self.imp.stores[**store].strategy, Strategy::Small { .. });
        let met: Vec<_> = split.parts.iter().filter(is_small).map(|store| shared(*store)).collect();
        if met.is_empty() { quote!(|_| true) } else { quote!(|_| #(!#met.met())&&*) }
    }
}
