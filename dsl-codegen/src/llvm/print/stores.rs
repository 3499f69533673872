//! What is done with stores.

use weldment_core::ir::{Loc, Value};

use super::builder::Operand;
use super::func::Func;
use super::slots::{FoldBox, Growing, Slot};
use super::val::Val;
use crate::imp::{Action, Combine, StoreId, Strategy};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::Layout;
use crate::llvm::runtime::calls::Cause;

/// A block that a function has taken over, and where it leaves it.
pub(super) struct Left {
    growing: Growing,
    record: Operand,
}

impl Func<'_, '_> {
    fn slot(&self, store: StoreId) -> Result<Slot, EngineError> {
        let slot = self.slots.get(&store).cloned();
        slot.ok_or_else(|| EngineError::internal("a store is used where it is not open"))
    }

    pub(super) fn action(
        &mut self,
        results: &[Value],
        store: StoreId,
        action: Action,
        args: &[Value],
        mask: Option<Value>,
        loc: Loc,
    ) -> Result<(), EngineError> {
        match action {
            Action::Open => self.open(store, args)?,
            Action::Begin => self.begin(store)?,
            Action::Expect => {
                if let (Slot::Table(table), true) = (self.slot(store)?, self.is_packed(store)) {
                    let count = self.leaf(args[0]);
                    self.expect_merges(&table, &count);
                }
            }
            Action::Reserve => {
                if let Slot::Growing(growing) = self.slot(store)? {
                    let count = self.leaf(args[0]);
                    self.reserve(&growing, &count);
                }
            }
            Action::Put => self.put_element(store, args[0], args[1])?,
            Action::Append => self.append(store, args[0])?,
            Action::AppendReserved => self.append_reserved(store, args[0], mask)?,
            Action::Extend => self.extend(store, args[0])?,
            Action::Merge => self.merge(store, args, loc)?,
            Action::MergeBlock => {
                let inside = self.merge_block(store, args, loc)?;
                self.bind(results[0], Val::one(inside));
            }
            Action::Covers | Action::Get | Action::Set => {
                let Slot::Scatter { block, len, .. } = self.slot(store)? else {
                    return Err(EngineError::internal("an element of what is not merged by index"));
                };
                let (item, position) = (&self.module.imp.stores[store].item, self.leaf(args[0]));
                if action == Action::Covers {
                    let covers = self.text.def(format_args!("icmp ule i64 {position}, {len}"));
                    self.bind(results[0], Val::one(covers));
                    return Ok(());
                }
                let place = self.element(&block, &position, item);
                match results {
                    [result] => {
                        let val = self.load(item, &place);
                        self.bind(*result, val);
                    }
                    _ => {
                        let val = self.get(args[1]).clone();
                        self.store(item, &val, &place);
                    }
                }
            }
            Action::HashAhead => self.hash_ahead(store, args[0], args[1])?,
            Action::Join => self.join_part(store)?,
            Action::Finish => {
                let val = self.finish_store(store, loc)?;
                self.bind(results[0], val);
            }
            Action::Fill(_) | Action::MergeEach(_) => {
                return Err(EngineError::internal("an action of another target"));
            }
        }
        Ok(())
    }

    /// Whether a table holds keys and values packed.
    pub(super) fn is_packed(&self, store: StoreId) -> bool {
        matches!(
            self.module.imp.stores[store].strategy,
            Strategy::Small { packing: Some(_) } | Strategy::LastWins { packing: Some(_) }
        )
    }

    fn open(&mut self, store: StoreId, args: &[Value]) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let slot = match (of.strategy, of.split) {
            (Strategy::Boxed, _) => {
                let joined = self.empty_box(&of.item);
                if let [init] = args {
                    let init = self.get(*init).clone();
                    self.store(&of.item, &init, &joined.place);
                    self.text.line(format_args!("store i8 1, ptr {}", joined.some));
                }
                Slot::Boxed { joined: Some(joined), part: None }
            }
            (Strategy::Exact { each }, _) => {
                let count = self.leaf(args[0]);
                let len = self.times(&count, each);
                let block = self.allocate(&of.item, &len);
                self.lengths.insert(store, len);
                self.exact(block, each, "0")
            }
            (Strategy::Columns { .. }, _) => {
                let [rows, columns] = [args[0], args[1]].map(|extent| self.leaf(extent));
                let len = self.product(&rows, &columns);
                let block = self.allocate(&of.item, &len);
                self.lengths.insert(store, len);
                Slot::Exact { block }
            }
            (Strategy::Ordered, _) => {
                let count = self.leaf(args[0]);
                let block = self.allocate(&of.item, &count);
                let layout = Layout::of(&of.item);
                let [size, align] = [layout.size.to_string(), layout.align.to_string()];
                let placed = self.call("weldment_place_in", &["%frame", &block, &size, &align]);
                self.lengths.insert(store, count);
                Slot::Placed { placed, block }
            }
            (Strategy::Grow | Strategy::Ragged, false) => {
                let record = self.text.alloca("[3 x i64]");
                let nowhere = self.module.nowhere();
                let words = [("ptr", &*nowhere), ("i64", "0"), ("i64", "0")];
                self.store_words(&record, &words);
                Slot::Growing(self.growing(store, &record))
            }
            (Strategy::InPlace | Strategy::Partial, _) => {
                let init = self.get(args[0]).clone();
                let len = init.leaves[1].clone();
                let block = self.copied(&of.item, &init);
                Slot::Scatter { whole: Some(block.clone()), block, len }
            }
            (_, true) => Slot::Parts,
            (_, false) => {
                let table = self.new_table(store, false);
                Slot::Table(self.open_table(store, table))
            }
        };
        self.slots.insert(store, slot);
        Ok(())
    }

    /// A part begins on one thread.
    fn begin(&mut self, store: StoreId) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let slot = match (self.slot(store)?, of.strategy) {
            (Slot::Boxed { joined, .. }, _) => {
                let part = self.empty_box(&of.item);
                Slot::Boxed { joined, part: Some(part) }
            }
            (Slot::Scatter { whole, len, .. }, Strategy::Partial) => {
                let block = self.partial(store, &len)?;
                Slot::Scatter { whole, block, len }
            }
            (slot, _) => slot,
        };
        self.slots.insert(store, slot);
        Ok(())
    }

    /// A block for `each` elements for each of some iterations, filled from iteration `lo` on.
    pub(super) fn exact(&mut self, block: Operand, each: u32, lo: &str) -> Slot {
        if each == 1 {
            return Slot::Exact { block };
        }
        let next = self.text.alloca("i64");
        let first = self.text.def(format_args!("mul i64 {lo}, {each}"));
        self.text.line(format_args!("store i64 {first}, ptr {next}"));
        Slot::FixedFanOut { block, next }
    }

    /// The block whose words are at `record`.
    pub(super) fn growing(&mut self, store: StoreId, record: &str) -> Growing {
        let [block, len, capacity] = [0, 8, 16].map(|offset| self.offset(record, offset));
        Growing { store, block, len, capacity }
    }

    /// What a function is handed of a store; of one of exact length, whose positions begin at `from`.
    pub(super) fn hand_over(&mut self, store: StoreId, from: Option<&str>) -> Vec<(&'static str, Operand)> {
        let imp = self.module.imp;
        let item = &imp.stores[store].item;
        match self.slots.get(&store).cloned() {
            Some(Slot::Exact { block }) => {
                let first = match from {
                    Some(from) => self.element(&block, from, item),
                    None => block,
                };
                vec![("ptr", first)]
            }
            Some(Slot::FixedFanOut { block, next }) => vec![("ptr", block), ("ptr", next)],
            Some(Slot::Growing(growing)) => vec![("ptr", growing.block)],
            Some(Slot::Table(table)) => vec![("ptr", table.table)],
            Some(Slot::Scatter { block, len, .. }) => vec![("ptr", block), ("i64", len)],
            Some(Slot::Boxed { part: Some(part), .. }) => vec![("ptr", part.some), ("ptr", part.place)],
            _ => Vec::new(),
        }
    }

    /// Opens what a function was handed of a store; gives what it must leave when it ends.
    pub(super) fn take_over(&mut self, store: StoreId, names: &[Operand]) -> Option<Left> {
        let strategy = self.module.imp.stores[store].strategy;
        let (slot, left) = match (strategy, names) {
            (Strategy::Boxed, [some, place]) => {
                let part = FoldBox { some: some.clone(), place: place.clone() };
                (Slot::Boxed { joined: None, part: Some(part) }, None)
            }
            (Strategy::Exact { .. }, [block, next]) => {
                (Slot::FixedFanOut { block: block.clone(), next: next.clone() }, None)
            }
            (Strategy::Exact { .. } | Strategy::Columns { .. }, [block]) => {
                (Slot::Exact { block: block.clone() }, None)
            }
            (Strategy::Grow | Strategy::Ordered | Strategy::Ragged, [record]) => {
                // In a record of its own, which LLVM has in registers unless another function is handed it.
                let words = [("ptr", 0), ("i64", 8), ("i64", 16)]
                    .map(|(llvm, offset)| (llvm, self.load_word(record, llvm, offset)));
                let own = self.text.alloca("[3 x i64]");
                let words: Vec<(&str, &str)> = words.iter().map(|(llvm, word)| (*llvm, &**word)).collect();
                self.store_words(&own, &words);
                let growing = self.growing(store, &own);
                (Slot::Growing(growing.clone()), Some(Left { growing, record: record.clone() }))
            }
            (Strategy::InPlace | Strategy::Partial, [block, len]) => {
                (Slot::Scatter { whole: None, block: block.clone(), len: len.clone() }, None)
            }
            (_, [table]) => (Slot::Table(self.open_table(store, table.clone())), None),
            _ => (Slot::Parts, None),
        };
        self.slots.insert(store, slot);
        left
    }

    /// Puts back what a function has taken over.
    pub(super) fn leave(&mut self, left: &Left) {
        let Left { growing, record } = left;
        let places = [("ptr", &growing.block), ("i64", &growing.len), ("i64", &growing.capacity)];
        let words =
            places.map(|(llvm, place)| (llvm, self.text.def(format_args!("load {llvm}, ptr {place}"))));
        let words: Vec<(&str, &str)> = words.iter().map(|(llvm, word)| (*llvm, &**word)).collect();
        self.store_words(record, &words);
    }

    fn put_element(&mut self, store: StoreId, position: Value, value: Value) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let ty = &imp.stores[store].item;
        let Slot::Exact { block } = self.slot(store)? else {
            return Err(EngineError::internal("an element of a vector that has no positions"));
        };
        let at = self.get(position).clone();
        match at.first {
            Some(first) if at.width > 1 => {
                let leaves = self.spread(value, at.width);
                self.store_lanes(ty, &block, &first, &leaves, at.width);
            }
            _ => {
                let (place, val) = (self.element(&block, &at.leaves[0], ty), self.get(value).clone());
                self.store(ty, &val, &place);
            }
        }
        Ok(())
    }

    fn append(&mut self, store: StoreId, value: Value) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let ty = &imp.stores[store].item;
        match self.slot(store)? {
            Slot::FixedFanOut { block, next } => {
                let number = self.text.def(format_args!("load i64, ptr {next}"));
                let (place, val) = (self.element(&block, &number, ty), self.get(value).clone());
                self.store(ty, &val, &place);
                let after = self.text.def(format_args!("add nuw nsw i64 {number}, 1"));
                self.text.line(format_args!("store i64 {after}, ptr {next}"));
            }
            Slot::Growing(growing) => {
                let val = self.get(value).clone();
                self.push(&growing, &val);
            }
            _ => return Err(EngineError::internal("a value for a vector that is not open")),
        }
        Ok(())
    }

    /// Appends the elements of a vector.
    fn extend(&mut self, store: StoreId, vector: Value) -> Result<(), EngineError> {
        let Slot::Growing(growing) = self.slot(store)? else {
            return Err(EngineError::internal("elements for what does not grow"));
        };
        let [elements, count] = [0, 1].map(|leaf| self.get(vector).leaves[leaf].clone());
        self.reserve(&growing, &count);
        let ty = &self.module.imp.stores[store].item;
        let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let block = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let at = self.element(&block, &len, ty);
        self.copy(ty, &at, &elements, &count);
        let longer = self.text.def(format_args!("add nuw nsw i64 {len}, {count}"));
        self.text.line(format_args!("store i64 {longer}, ptr {}", growing.len));
        Ok(())
    }

    fn append_reserved(
        &mut self,
        store: StoreId,
        value: Value,
        mask: Option<Value>,
    ) -> Result<(), EngineError> {
        let Slot::Growing(growing) = self.slot(store)? else {
            return Err(EngineError::internal("room in what does not grow"));
        };
        let width = self.get(value).width.max(mask.map_or(1, |mask| self.get(mask).width));
        let width = width.max(self.block_width);
        self.compact(&growing, value, mask, width);
        Ok(())
    }

    fn merge(&mut self, store: StoreId, args: &[Value], loc: Loc) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let vals: Vec<Val> = args.iter().map(|&value| self.get(value).clone()).collect();
        match (self.slot(store)?, of.combine) {
            (Slot::Boxed { part: Some(part), .. }, Combine::Func(func)) => {
                self.fold(func, &of.item, &part, vals[0].clone())
            }
            (Slot::Table(table), _) => self.merge_table(&table, &vals[0], &vals[1], loc),
            (Slot::Scatter { block, len, .. }, Combine::Op(op)) => {
                let index = &vals[0].leaves[0];
                let outside = self.text.def(format_args!("icmp uge i64 {index}, {len}"));
                self.raise_if(&outside, Cause::Index, loc, &[index, &len]);
                let place = self.element(&block, index, &of.item);
                self.combine_at(op, &of.item, &place, &vals[1], loc);
                Ok(())
            }
            _ => Err(EngineError::internal("a merge into what does not combine")),
        }
    }

    /// Merges by index what lanes apart have come to, if all indices are inside.
    fn merge_block(&mut self, store: StoreId, args: &[Value], loc: Loc) -> Result<Operand, EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let (Slot::Scatter { block, len, .. }, Combine::Op(op)) = (self.slot(store)?, of.combine) else {
            return Err(EngineError::internal("a block for what is not merged by index"));
        };
        let rows = args.iter().filter_map(|arg| self.apart.get(arg)).map(Vec::len).max().unwrap_or(1);
        let lane = |this: &Self, arg: Value, lane: usize| match this.apart.get(&arg) {
            Some(lanes) => lanes[lane].clone(),
            None => this.get(arg).clone(),
        };
        let mut outside = "false".to_owned();
        for row in 0..rows {
            let index = lane(self, args[0], row);
            let one = self.text.def(format_args!("icmp uge i64 {}, {len}", index.leaves[0]));
            outside = self.text.def(format_args!("or i1 {outside}, {one}"));
        }
        let [hot, done] = [(); 2].map(|()| self.text.label());
        self.text.branch_cold(&outside, &done, &hot);
        self.text.begin(&hot);
        for row in 0..rows {
            let (index, value) = (lane(self, args[0], row), lane(self, args[1], row));
            let place = self.element(&block, &index.leaves[0], &of.item);
            self.combine_at(op, &of.item, &place, &value, loc);
        }
        self.text.begin(&done);
        Ok(self.text.def(format_args!("xor i1 {outside}, true")))
    }

    /// A part joins what came before it, on one thread.
    fn join_part(&mut self, store: StoreId) -> Result<(), EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        match (self.slot(store)?, of.combine) {
            (Slot::Boxed { joined: Some(joined), part: Some(part) }, Combine::Func(func)) => {
                self.join_boxes(func, &of.item, &joined, &part)
            }
            (Slot::Scatter { whole: Some(whole), block, len }, Combine::Op(op)) => {
                if of.strategy == Strategy::Partial {
                    self.add_partial(op, &of.item, &whole, &block, &len)?;
                }
                self.slots.insert(store, Slot::Scatter { block: whole.clone(), whole: Some(whole), len });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What has come of a store.
    fn finish_store(&mut self, store: StoreId, loc: Loc) -> Result<Val, EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let slot = self.slots.remove(&store);
        let slot = slot.ok_or_else(|| EngineError::internal("a store that is not open is finished"))?;
        Ok(match slot {
            Slot::Boxed { joined: Some(joined), .. } => {
                let some = self.text.def(format_args!("load i8, ptr {}", joined.some));
                let nothing = self.text.def(format_args!("icmp eq i8 {some}, 0"));
                self.raise_if(&nothing, Cause::Empty, loc, &[]);
                self.load(&of.item, &joined.place)
            }
            Slot::Exact { block } => Val::scalar(vec![block, self.lengths[&store].clone()]),
            Slot::FixedFanOut { block, next } => {
                let len = match of.split {
                    true => self.lengths[&store].clone(),
                    // Every iteration has run, so that the next element is behind the last one.
                    false => self.text.def(format_args!("load i64, ptr {next}")),
                };
                Val::scalar(vec![block, len])
            }
            Slot::Growing(growing) if of.split => self.finish_parts(&growing, None),
            Slot::Growing(growing) => {
                let block = self.text.def(format_args!("load ptr, ptr {}", growing.block));
                let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
                Val::scalar(vec![block, len])
            }
            Slot::Placed { placed, block } => {
                let record = self.text.alloca("[3 x i64]");
                let room = self.lengths[&store].clone();
                self.store_words(&record, &[("ptr", &block), ("i64", "0"), ("i64", &room)]);
                let growing = self.growing(store, &record);
                self.finish_parts(&growing, Some(&placed))
            }
            Slot::Table(table) => {
                if self.is_packed(store) {
                    let searched = i32::from(of.searched).to_string();
                    self.call_status("weldment_table_finalize", &["%frame", &table.table, &searched]);
                }
                Val::one(table.table)
            }
            Slot::Scatter { block, len, .. } => Val::scalar(vec![block, len]),
            Slot::Boxed { .. } | Slot::Parts => {
                return Err(EngineError::internal("a store that has no parts is finished"));
            }
        })
    }

    /// `count * each`; where that does not fit, more than there is memory for.
    fn times(&mut self, count: &str, each: u32) -> Operand {
        if each == 1 {
            return count.to_owned();
        }
        self.product(count, &each.to_string())
    }

    /// The product of two counts, or more than there is memory for.
    fn product(&mut self, a: &str, b: &str) -> Operand {
        let product = "{ i64, i1 }";
        let args = [("i64", a), ("i64", b)];
        let pair = self.intrinsic("llvm.smul.with.overflow.i64", product, &args);
        let times = self.text.def(format_args!("extractvalue {product} {pair}, 0"));
        let too_large = self.text.def(format_args!("extractvalue {product} {pair}, 1"));
        self.text.def(format_args!("select i1 {too_large}, i64 {}, i64 {times}", i64::MAX))
    }

    pub(super) fn load_word(&mut self, record: &str, llvm: &str, offset: u64) -> Operand {
        let at = self.offset(record, offset);
        self.text.def(format_args!("load {llvm}, ptr {at}, align 8"))
    }

    pub(super) fn store_words(&mut self, record: &str, words: &[(&str, &str)]) {
        for (i, (llvm, word)) in words.iter().enumerate() {
            let at = self.offset(record, 8 * i as u64);
            self.text.line(format_args!("store {llvm} {word}, ptr {at}, align 8"));
        }
    }
}
