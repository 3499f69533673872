//! What is done with stores.
//!
//! | strategy | itself, on one thread | a part | shared by parts | what has joined |
//! |---|---|---|---|---|
//! | boxed | | `s0: Option<T>` | | `t0: Option<T>` |
//! | exact, ordered | `s0: Vec<T>` | `s0: Part<T>` | `x0: Exact<T>`, `AtMost<T>`, `FixedFanOut<T>` | |
//! | columns | | `s0: ColumnsPart<T>`, of which a chunk is a `ColumnsChunk<T>` | `x0: Columns<T>` | |
//! | grow | `s0: Vec<T>` | `s0: Vec<T>` | | `t0: Vec<Vec<T>>` |
//! | ragged | `s0: rows::Part<T>` | `s0: rows::Part<T>` | | `t0: Vec<rows::Part<T>>` |
//! | direct, hashed | `s0: Table<K, V>` | `s0: Table<K, V>` | | `t0: Table<K, V>` |
//! | small | `s0: PartitionedTable<K, V, H>` | `s0: PartitionedTable<K, V, H>` | `x0: SharedPartitions` | `t0: PartitionedTable<K, V, H>` |
//! | last wins | `s0: LastWins<K, V>` | `s0: LastWins<K, V>` | | `t0: LastWins<K, V>` |
//! | groups | `s0: Groups<K, T>` | `s0: Groups<K, T>` | | `t0: Tasks<K, T>` |
//! | in place, partial | | `s0: Part<T>` | `x0: Scatter<T>` | |

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{Entity, Loc, ReduceOp, Value};
use weldment_runtime::lang::types::Type;

use super::{Printer, joined, part, shared, variable};
use crate::imp::{Action, Combine, Memory, Ordering, Store, StoreId, Strategy};
use crate::rust::types;

/// What of the runtime keeps a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Boxed,
    /// Parts of a vector that is there.
    Placed,
    Vector,
    Ragged,
    Table,
    PartitionedTable,
    LastWins,
    Groups,
    Scatter,
}

impl<'a> Printer<'a> {
    pub(super) fn store(&self, store: StoreId) -> &'a Store {
        &self.imp.stores[store]
    }

    pub(super) fn kept(&self, store: StoreId) -> Kept {
        let of = self.store(store);
        match of.strategy {
            Strategy::Boxed => Kept::Boxed,
            Strategy::Columns { .. } => Kept::Placed,
            Strategy::Exact { .. } | Strategy::Ordered if of.split => Kept::Placed,
            Strategy::Exact { .. } | Strategy::Ordered | Strategy::Grow => Kept::Vector,
            Strategy::Ragged => Kept::Ragged,
            _ if of.key.is_some() && of.combine == Combine::Append => Kept::Groups,
            Strategy::Direct { .. } | Strategy::Hashed | Strategy::Groups => Kept::Table,
            Strategy::Small { .. } => Kept::PartitionedTable,
            Strategy::LastWins { .. } => Kept::LastWins,
            Strategy::InPlace | Strategy::Partial => Kept::Scatter,
        }
    }

    /// Where the memory of what a store comes to is from.
    fn memory(&self, store: StoreId) -> TokenStream {
        match self.store(store).memory {
            Memory::Result => quote!(&cx.results()),
            Memory::Temporary => quote!(&cx.temporaries()),
            Memory::State => quote!(&cx.states()),
            Memory::Run | Memory::Row(_) => quote!(cx),
        }
    }

    /// The type of a part.
    pub(super) fn part_type(&self, store: StoreId) -> TokenStream {
        let (p, of) = (self.p, self.store(store));
        let item = types::owned(p, &of.item);
        match self.kept(store) {
            Kept::Boxed => {
                let option = p.option();
                quote!(#option<#item>)
            }
            Kept::Placed => {
                let part = if matches!(of.strategy, Strategy::Columns { .. }) {
                    p.columns_chunk()
                } else {
                    p.part()
                };
                quote!(#part<'_, #item>)
            }
            Kept::Vector => {
                let vec = p.vec();
                quote!(#vec<#item>)
            }
            Kept::Ragged => {
                let (part, element) = (p.ragged_part(), self.row_element(of));
                quote!(#part<#element>)
            }
            Kept::Scatter => {
                let part = p.scatter_part();
                quote!(#part<#item>)
            }
            _ => self.keyed_type(store),
        }
    }

    /// The type of what keeps keys.
    fn keyed_type(&self, store: StoreId) -> TokenStream {
        let (p, of) = (self.p, self.store(store));
        let (key, value) = (self.key_type(of), types::owned(p, &of.item));
        match self.kept(store) {
            Kept::PartitionedTable => {
                let buckets = p.partitioned_table();
                let held = if of.ordering == Ordering::Any { p.exact_partial() } else { p.segmented() };
                quote!(#buckets<#key, #value, #held<#value>>)
            }
            Kept::LastWins => {
                let latest = p.last_wins();
                quote!(#latest<#key, #value>)
            }
            Kept::Groups => {
                let groups = p.groups();
                quote!(#groups<#key, #value>)
            }
            _ => {
                let (table, option) = (p.table(), p.option());
                match of.combine {
                    Combine::Func(_) | Combine::Last => quote!(#table<#key, #option<#value>>),
                    Combine::Op(_) | Combine::Append => quote!(#table<#key, #value>),
                }
            }
        }
    }

    fn key_type(&self, store: &Store) -> TokenStream {
        types::owned(self.p, store.key.as_ref().expect("only tables have keys"))
    }

    fn row_element(&self, store: &Store) -> TokenStream {
        types::owned(self.p, store.item.element().expect("rows are vectors"))
    }

    /// The value that an operator leaves alone, leaf by leaf.
    fn neutral(&self, op: ReduceOp, ty: &Type) -> TokenStream {
        types::of_leaves(self.p, ty, &mut |leaf| types::constant(op.neutral(leaf)))
    }

    /// Nothing yet, of what keeps keys.
    fn no_keys(&self, store: StoreId) -> TokenStream {
        let (p, of, ty) = (self.p, self.store(store), self.keyed_type(store));
        match (self.kept(store), of.combine) {
            (Kept::Table, Combine::Op(op)) => {
                let neutral = self.neutral(op, &of.item);
                quote!(<#ty>::new(#neutral))
            }
            (Kept::Table, _) => {
                let none = p.none();
                quote!(<#ty>::new(#none))
            }
            _ => quote!(<#ty>::new()),
        }
    }

    pub(super) fn action(
        &mut self,
        results: &[Value],
        store: StoreId,
        action: Action,
        args: &[Value],
        mask: Option<Value>,
        loc: Loc,
    ) -> TokenStream {
        let done = match action {
            Action::Open => self.open(store, args),
            Action::Begin if matches!(self.store(store).strategy, Strategy::Columns { .. }) => {
                let (name, [lo, hi]) = (part(store), [args[0], args[1]].map(|end| self.name(end)));
                return quote!(let #name = &mut #name.chunk(#lo..#hi););
            }
            Action::Begin => {
                let range = match args {
                    [lo, hi] if self.begins_in_range(store) => {
                        let (lo, hi) = (self.name(*lo), self.name(*hi));
                        quote!(#lo..#hi)
                    }
                    _ => quote!(0..usize::MAX),
                };
                let (name, start) = (part(store), self.beginning(store, &range));
                return quote!(let mut #name = #start;);
            }
            Action::Expect => {
                let (name, count) = (part(store), self.name(args[0]));
                quote!(#name.expect(cx, #count)?;)
            }
            // A vector of Rust grows when it is full.
            Action::Reserve => TokenStream::new(),
            Action::Append | Action::AppendReserved | Action::Put => self.append(store, args[args.len() - 1]),
            Action::Extend => self.extend(store, args[0]),
            Action::Fill(func) => self.fill(store, func, args[0]),
            Action::Merge => self.merge_one(store, args, loc),
            Action::MergeEach(func) => self.merge_each(store, func, args[0]),
            Action::HashAhead => {
                let (hashes, name) = (format_ident!("h{}", store.index()), part(store));
                let (column, position) = (self.name(args[0]), self.name(args[1]));
                quote!(#hashes.prefetch(#name, #column, #position);)
            }
            Action::MergeBlock => return self.merge_block(results[0], store, args),
            Action::Covers | Action::Get => {
                let (name, result, position) = (part(store), variable(results[0]), self.name(args[0]));
                return match action {
                    Action::Covers => quote!(let #result = #position <= #name.places().len();),
                    _ => quote!(let #result = #name.places()[#position];),
                };
            }
            Action::Set => {
                let (name, position, value) = (part(store), self.name(args[0]), self.name(args[1]));
                quote!(#name.places()[#position] = #value;)
            }
            Action::Join => self.join(store),
            Action::Finish => {
                let (name, ty) = (variable(results[0]), self.partial_type(results[0]));
                let value = self.finish(store, loc);
                return quote!(let #name: #ty = #value;);
            }
        };
        match mask.map(|mask| self.name(mask)) {
            Some(mask) => quote!(if #mask { #done }),
            None => done,
        }
    }

    fn open(&mut self, store: StoreId, args: &[Value]) -> TokenStream {
        let (p, of) = (self.p, self.store(store));
        let (own, all, common) = (part(store), joined(store), shared(store));
        let item = types::owned(p, &of.item);
        match self.kept(store) {
            Kept::Boxed => {
                let (some, none) = (p.some(), p.none());
                let start = match args {
                    [init] => {
                        let init = self.name(*init);
                        quote!(#some(#init))
                    }
                    _ => quote!(#none::<#item>),
                };
                let is_mut = (!of.split).then(|| quote!(mut));
                quote!(let #is_mut #all = #start;)
            }
            Kept::Placed if let Strategy::Columns { upwards } = of.strategy => {
                let (places, memory) = (p.columns(), self.memory(store));
                let [rows, columns] = [args[0], args[1]].map(|extent| self.as_i64(extent));
                let upwards = upwards.then(|| quote!(.upwards()));
                quote!(let #common = #places::<#item>::new(#memory, #rows, #columns)? #upwards;)
            }
            Kept::Placed => {
                let (places, each) = match of.strategy {
                    Strategy::Exact { each: 1 } => (p.exact(), None),
                    Strategy::Exact { each } => (p.fixed_fan_out(), Some(Literal::u32_unsuffixed(each))),
                    _ => (p.at_most(), None),
                };
                let each = each.map(|each| quote!(, #each));
                let (memory, count) = (self.memory(store), self.as_i64(args[0]));
                quote!(let #common = #places::<#item>::new(#memory, #count #each)?;)
            }
            Kept::Vector if of.split => {
                let vec = p.vec();
                quote!(let #all = #vec::<#vec<#item>>::new();)
            }
            Kept::Vector => {
                let start = self.empty_vector(store, args);
                quote!(let mut #own = #start;)
            }
            Kept::Ragged => {
                let (vec, part, element) = (p.vec(), p.ragged_part(), self.row_element(of));
                match of.split {
                    true => quote!(let #all = #vec::<#part<#element>>::new();),
                    false => quote!(let mut #own = #part::<#element>::new();),
                }
            }
            Kept::Groups if of.split => {
                let tasks = p.group_tasks();
                quote!(let #all = #tasks::new();)
            }
            Kept::PartitionedTable if of.split => {
                let (many, start) = (p.shared_partitions(), self.no_keys(store));
                quote!(let #common = <#many>::default(); let #all = #start;)
            }
            Kept::Table | Kept::PartitionedTable | Kept::LastWins | Kept::Groups => {
                let start = self.no_keys(store);
                match of.split {
                    true => quote!(let #all = #start;),
                    false => quote!(let mut #own = #start;),
                }
            }
            Kept::Scatter => {
                let (scatter, rounding) = (p.scatter(), p.rounding());
                let rounding = match of.strategy {
                    Strategy::InPlace => quote!(#rounding::Exact),
                    _ => quote!(#rounding::Rounds),
                };
                let Combine::Op(op) = of.combine else { unreachable!("merges by index are by an operator") };
                let (op, init) = (self.operator(op), self.name(args[0]));
                quote!(let #common = #scatter::new(#op, #init, #rounding);)
            }
        }
    }

    /// A position as an `i64`.
    fn as_i64(&self, position: Value) -> TokenStream {
        match self.imp.known_position(position) {
            Some(known) => {
                let known = Literal::u64_unsuffixed(known);
                quote!(#known)
            }
            None => {
                let position = self.name(position);
                quote!(#position as i64)
            }
        }
    }

    fn empty_vector(&self, store: StoreId, args: &[Value]) -> TokenStream {
        let (p, of) = (self.p, self.store(store));
        let item = types::owned(p, &of.item);
        let room = match (of.strategy, args) {
            (Strategy::Exact { each: 1 }, [count]) => Some(self.as_usize(*count)),
            (Strategy::Exact { each }, [count]) => {
                // First, with its type: the extent may be a literal without one.
                let (each, count) = (Literal::usize_suffixed(each as usize), self.as_usize(*count));
                Some(quote!(#each.saturating_mul(#count)))
            }
            _ => None,
        };
        let memory = self.memory(store);
        match (of.memory, room) {
            (Memory::Row(rows), room) => {
                let rows = part(rows);
                match room {
                    Some(room) => quote!(#rows.released_for(cx, #room)?),
                    None => quote!(#rows.released()),
                }
            }
            (_, Some(room)) => {
                let with_capacity = p.with_capacity();
                quote!(#with_capacity::<#item>(#memory, #room)?)
            }
            (Memory::Result | Memory::Temporary | Memory::State, None) => {
                let of_any_length = p.of_any_length();
                quote!(#of_any_length::<#item>(#memory))
            }
            (Memory::Run, None) => {
                let vec = p.vec();
                quote!(#vec::<#item>::new())
            }
        }
    }

    /// Whether what a part begins as depends on the iterations that it is of.
    pub(super) fn begins_in_range(&self, store: StoreId) -> bool {
        matches!(self.kept(store), Kept::Placed | Kept::Scatter)
    }

    /// What a part begins as, of iterations in `range`.
    pub(super) fn beginning(&self, store: StoreId, range: &TokenStream) -> TokenStream {
        let (p, of) = (self.p, self.store(store));
        let (item, common) = (types::owned(p, &of.item), shared(store));
        match self.kept(store) {
            Kept::Boxed => {
                let none = p.none();
                quote!(#none::<#item>)
            }
            Kept::Placed if of.strategy == Strategy::Ordered => quote!(#common.part(cx, #range)),
            Kept::Placed => quote!(#common.part(#range)),
            Kept::Vector => {
                let vec = p.vec();
                quote!(#vec::<#item>::new())
            }
            Kept::Ragged => {
                let (part, element) = (p.ragged_part(), self.row_element(of));
                quote!(#part::<#element>::new())
            }
            Kept::PartitionedTable => {
                let ty = self.keyed_type(store);
                quote!(<#ty>::beside(&#common))
            }
            Kept::Table | Kept::LastWins | Kept::Groups => self.no_keys(store),
            Kept::Scatter => quote!(#common.part(cx, #range)),
        }
    }

    /// A part joins all that came before it.
    fn join(&mut self, store: StoreId) -> TokenStream {
        let (own, all, common) = (part(store), joined(store), shared(store));
        let of = self.store(store);
        let some = self.p.some();
        match (self.kept(store), of.combine) {
            (Kept::Boxed, Combine::Func(func)) => {
                let place = if of.split { quote!(*#all) } else { quote!(#all) };
                let fold = self.fold_into(func, &place, &all, &quote!(part));
                quote!(if let #some(part) = #own { #fold })
            }
            (Kept::Placed, _) if of.strategy == Strategy::Ordered => quote!(#common.merge(#own);),
            (Kept::Placed, _) => quote!(#own.done();),
            (Kept::Vector | Kept::Ragged, _) => quote!(#all.push(#own);),
            (Kept::Groups | Kept::LastWins, _) => quote!(#all.merge(cx, #own)?;),
            (Kept::Scatter, _) => quote!(#common.merge(cx, #own);),
            (Kept::PartitionedTable, Combine::Op(op)) => {
                let by = self.operator(op);
                if of.ordering == Ordering::Any {
                    return quote!(#all.merge(cx, #own, #by)?;);
                }
                let neutral = self.neutral(op, &of.item);
                quote!(#all.merge_segment(cx, #own, #neutral, #by)?;)
            }
            (_, combine) => {
                let ok = self.p.ok();
                let total = format_ident!("total");
                let combine = match combine {
                    Combine::Op(op) => self.combine(op, &of.item, &total, &quote!(part)),
                    Combine::Last | Combine::Append => quote!(*total = part;),
                    Combine::Func(func) => {
                        let fold = self.fold_into(func, &quote!(*total), &total, &quote!(part));
                        quote!(if let #some(part) = part { #fold })
                    }
                };
                quote!(#all.merge(cx, #own, |total, part| { #combine #ok(()) })?;)
            }
        }
    }

    /// What has come of a store.
    fn finish(&mut self, store: StoreId, loc: Loc) -> TokenStream {
        let (own, all, common, of) = (part(store), joined(store), shared(store), self.store(store));
        let (p, whole) = (self.p, if of.split { quote!(#all) } else { quote!(#own) });
        match self.kept(store) {
            Kept::Boxed => {
                let (checked, place) = (p.checked(), self.place(loc));
                quote!(#checked::not_empty(#all, #place)?)
            }
            Kept::Placed if of.strategy == Strategy::Ordered => quote!(#common.finish(cx)),
            Kept::Placed | Kept::Scatter => quote!(#common.finish()),
            Kept::Vector if of.split => {
                let (concat, memory) = (p.concat(), self.memory(store));
                quote!(#concat(#memory, #all)?)
            }
            Kept::Vector => quote!(#own),
            Kept::Ragged if of.split => {
                let rows = p.ragged();
                quote!(#rows::join(cx, #all)?)
            }
            Kept::Ragged => quote!(#own.finish()),
            Kept::LastWins => quote!(#whole.into_dict(cx)?),
            Kept::Groups => {
                let memory = self.memory(store);
                quote!(#whole.into_dict(#memory)?)
            }
            Kept::PartitionedTable => {
                let Combine::Op(op) = of.combine else { unreachable!("small tables reduce") };
                let op = self.operator(op);
                quote!(#whole.into_dict(cx, #op)?)
            }
            Kept::Table => match of.combine {
                // Every entry of a table that folds holds a value.
                Combine::Func(_) | Combine::Last => {
                    quote!(#whole.into_dict().map_values(|entry| entry.expect("an entry holds a value")))
                }
                Combine::Op(_) | Combine::Append => quote!(#whole.into_dict()),
            },
        }
    }
}
