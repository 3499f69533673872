//! Nests that are split over cores: four functions, driven by the runtime, and what is around the drive.
//!
//! ```text
//! init(frame, captures, state, lo, hi)            a unit begins: its tables and partial results are made
//! update(frame, captures, state, totals, lo, hi)  a piece runs: buffers and tables in the state grow, totals are left
//! add(frame, captures, total, totals)             the totals of the next piece join the total
//! merge(frame, captures, total, state)            the state of the next unit joins the total
//! ```
//!
//! State, totals and total are records of words: each store has a place in each of them, see [`Places`].

mod join;

use weldment_core::ir::Value;

use super::func::{Func, Val};
use super::lanes::literal;
use super::stores::{Growing, Slot};
use super::text::Operand;
use crate::llvm::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind, leaves};
use crate::loops::{Length, Loop, Nest, Seen, Store, StoreKind, facts::Strips};

/// Where a store's words begin, in bytes, in the three records.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    state: u64,
    totals: u64,
    total: u64,
}

/// What the parts of a nest share.
struct Parts<'n> {
    nest: &'n Nest,
    /// The inputs that are captured.
    inputs: Vec<Value>,
    /// The inputs that need not be.
    constants: Vec<(Value, Val)>,
    /// One for each store.
    places: Vec<Places>,
    /// The sizes of the records.
    sizes: Places,
    /// The operands that are captured beside the inputs: their types, in order of the stores that have one.
    more: Vec<&'static str>,
}

impl Func<'_, '_> {
    /// Runs a split nest and binds the results of its stores.
    pub(super) fn split(
        &mut self,
        nest: &Nest,
        inner: &Loop,
        piece: u64,
        segment: Option<u64>,
    ) -> Result<(), EngineError> {
        let (inputs, constants) = self.constants_apart(&nest.inputs);
        let parts = Parts::of(nest, inputs, constants);
        let extent = self.leaf(inner.extent);

        let mut more = Vec::new();
        for store in &nest.stores {
            match &store.kind {
                StoreKind::Collect { ty, length: Length::Exact { each } } => {
                    let len = self.times(&extent, *each);
                    more.push(("ptr", self.allocate(ty, &len)));
                }
                StoreKind::Collect { ty, .. } if captures_one(nest, &store.kind) => {
                    let block = self.allocate(ty, &extent);
                    let layout = Layout::of(ty);
                    let [size, align] = [layout.size.to_string(), layout.align.to_string()];
                    more.push(("ptr", self.call("weldment_place_in", &["%frame", &block, &size, &align])));
                }
                StoreKind::Scatter { init, .. } => more.push(("i64", self.get(*init).leaves[1].clone())),
                _ => {}
            }
        }
        let captures = self.pack(&parts.inputs, &more);
        let total = self.text.alloca(format_args!("[{} x i64]", (parts.sizes.total / 8).max(1)));
        let mut captured = more.iter().map(|(_, operand)| operand.as_str());
        for (store, places) in nest.stores.iter().zip(&parts.places) {
            let place = self.offset(&total, places.total);
            let own = captures_one(nest, &store.kind).then(|| captured.next().expect("captured above"));
            self.begin_total(store, &place, own, &extent)?;
        }

        let names = [
            self.init_part(&parts)?,
            self.update_part(&parts, inner)?,
            self.add_part(&parts)?,
            self.merge_part(&parts)?,
        ];
        let piece = i64::try_from(piece).unwrap_or(i64::MAX).max(1);
        let segment = segment.map_or(0, |segment| i64::try_from(segment).unwrap_or(i64::MAX).max(1));
        let units = nest.units() as i64;
        let descriptor = self.module.global(format!(
            "constant {{ ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64 }} {{ ptr @{}, ptr @{}, ptr @{}, ptr @{}, i64 {}, i64 {}, i64 {piece}, i64 {units}, i64 {segment} }}",
            names[0], names[1], names[2], names[3], parts.sizes.state, parts.sizes.totals
        ));
        self.call_status("weldment_drive", &["%frame", &descriptor, &extent, &captures, &total]);

        let mut captured = more.into_iter().map(|(_, operand)| operand);
        for (store, places) in nest.stores.iter().zip(&parts.places) {
            let place = self.offset(&total, places.total);
            let own = captures_one(nest, &store.kind).then(|| captured.next().expect("captured above"));
            let val = self.end_total(store, &place, own, &extent)?;
            self.bind(store.result, val);
        }
        Ok(())
    }

    /// What the total of a store is before the first piece.
    fn begin_total(
        &mut self,
        store: &Store,
        place: &str,
        captured: Option<&str>,
        extent: &str,
    ) -> Result<(), EngineError> {
        match &store.kind {
            StoreKind::Accumulate { op, leaves, .. } => {
                for (i, leaf) in leaves.iter().enumerate() {
                    let at = self.offset(place, 8 * i as u64);
                    let neutral = literal(op.neutral(leaf.total));
                    self.store_leaf(LeafKind::Scalar(leaf.total), &neutral, &at);
                }
                let at = self.offset(place, 8 * leaves.len() as u64);
                self.text.line(format_args!("store i8 0, ptr {at}"));
            }
            // The initial value is the leftmost of what is folded.
            StoreKind::Fold { ty, init, .. } => {
                self.text.line(format_args!("store i8 {}, ptr {place}", init.is_some() as u8));
                if let Some(init) = *init {
                    let (val, at) = (self.get(init).clone(), self.offset(place, 8));
                    self.store(ty, &val, &at);
                }
            }
            StoreKind::Collect { length: Length::Exact { .. }, .. } => {}
            StoreKind::Collect { .. } => {
                let block = captured.map(|placed| self.load_word(placed, "ptr", 0));
                let (block, room) = block.as_deref().map_or(("null", "0"), |block| (block, extent));
                self.store_words(place, &[("ptr", block), ("i64", "0"), ("i64", room)])
            }
            StoreKind::Table { .. } => self.store_words(place, &[("ptr", "null")]),
            StoreKind::Scatter { ty, init, .. } => {
                let init = self.get(*init).clone();
                let whole = self.copied(ty, &init);
                self.store_words(place, &[("ptr", &whole)]);
            }
        }
        Ok(())
    }

    /// The value of a store, from its total.
    fn end_total(
        &mut self,
        store: &Store,
        place: &str,
        captured: Option<Operand>,
        extent: &str,
    ) -> Result<Val, EngineError> {
        Ok(match &store.kind {
            StoreKind::Accumulate { op, ty, leaves, init, empty, seen } => {
                let total = self.load_totals(leaves, place);
                let seen = match seen {
                    Seen::Flag => Some(self.load_flag(place, leaves.len())),
                    _ => None,
                };
                self.finish_accumulator(*op, ty, *init, *empty, total, seen, Some(extent), store.loc)
            }
            StoreKind::Fold { ty, func, .. } => {
                let some = self.text.def(format_args!("load i8, ptr {place}"));
                let at = self.offset(place, 8);
                self.finish_fold(func, ty, None, &some, &at, store.loc)?
            }
            StoreKind::Collect { length: Length::Exact { each }, .. } => {
                let len = self.times(extent, *each);
                Val::scalar(vec![captured.expect("an exact collect captures its block"), len])
            }
            StoreKind::Collect { ty, .. } => {
                if let Some(placed) = captured {
                    let len = self.call("weldment_placed", &["%frame", &placed]);
                    let at = self.offset(place, 8);
                    self.text.line(format_args!("store i64 {len}, ptr {at}, align 8"));
                    let size = Layout::of(ty).size.to_string();
                    let is_temporary = self.temporaries.contains(&store.result) as i32;
                    self.call("weldment_shrink", &["%frame", place, &size, &is_temporary.to_string()]);
                }
                let [block, len] =
                    [("ptr", 0), ("i64", 8)].map(|(ty, offset)| self.load_word(place, ty, offset));
                let empty = self.text.def(format_args!("icmp eq ptr {block}, null"));
                let nowhere = self.module.nowhere();
                let block = self.text.def(format_args!("select i1 {empty}, ptr {nowhere}, ptr {block}"));
                Val::scalar(vec![block, len])
            }
            StoreKind::Table { key, value, what, index } => {
                let table = self.load_word(place, "ptr", 0);
                self.settle(key, value, what, *index, &table);
                Val::one(table)
            }
            StoreKind::Scatter { .. } => {
                let whole = self.load_word(place, "ptr", 0);
                Val::scalar(vec![whole, captured.expect("a scatter captures its length")])
            }
        })
    }

    /// Binds the inputs in a part; gives what is captured besides.
    fn unpack_parts(&mut self, parts: &Parts<'_>) -> Vec<Operand> {
        self.values.extend(parts.constants.iter().cloned());
        self.unpack(&parts.inputs, &parts.more)
    }

    fn init_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let name = self.module.function_name(&format!("nest{}.init", parts.nest.id));
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, ptr noalias %state, i64 %lo, i64 %hi) nounwind"
        );
        let mut part = Func::new(self.module, header);
        let mut captured = part.unpack_parts(parts).into_iter();
        for (store, places) in parts.nest.stores.iter().zip(&parts.places) {
            let place = part.offset("%state", places.state);
            let own = captures_one(parts.nest, &store.kind)
                .then(|| captured.next().expect("as many as were packed"));
            match (&store.kind, own) {
                (StoreKind::Table { key, value, what, index }, _) => {
                    let table = part.new_table(key, value, what, *index, true);
                    part.store_words(&place, &[("ptr", &table)]);
                }
                (StoreKind::Scatter { ty, op, .. }, Some(len)) => {
                    let partial = part.partial(*op, ty, &len)?;
                    part.store_words(&place, &[("ptr", &partial)]);
                }
                (StoreKind::Collect { length: Length::AtMost, .. }, Some(placed)) => {
                    let own = part.call("weldment_room", &["%frame", &placed, "%lo", "%hi"]);
                    let room = part.text.def(format_args!("sub i64 %hi, %lo"));
                    part.store_words(&place, &[("ptr", &own), ("i64", "0"), ("i64", &room)]);
                }
                (StoreKind::Collect { length: Length::AtMost | Length::Unknown(_), .. }, _) => {
                    part.store_words(&place, &[("ptr", "null"), ("i64", "0"), ("i64", "0")]);
                }
                _ => {}
            }
        }
        part.finish();
        Ok(name)
    }

    /// The update, in two functions: what is read and written is known not to overlap only where it is a parameter.
    fn update_part(&mut self, parts: &Parts<'_>, inner: &Loop) -> Result<String, EngineError> {
        let name = self.module.function_name(&format!("nest{}.update", parts.nest.id));
        let body_name = self.module.function_name(&format!("nest{}.body", parts.nest.id));
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, ptr noalias %state, ptr noalias %totals, i64 %lo, i64 %hi) nounwind"
        );
        let mut outer = Func::new(self.module, header);
        let more = outer.unpack_parts(parts);
        let fixed = ["ptr %frame", "ptr %state", "ptr %totals", "i64 %lo", "i64 %hi"].map(str::to_owned);
        let (mut args, mut params) = (fixed.to_vec(), fixed.to_vec());
        let mut vals = Vec::new();
        for &input in &parts.inputs {
            let val = outer.get(input).clone();
            let mut names = Vec::new();
            for (leaf, operand) in leaves(outer.ty(input)).into_iter().zip(&val.leaves) {
                let param = format!("%p{}", params.len());
                let attributes = match leaf.kind {
                    LeafKind::Elements => " noalias readonly",
                    _ => "",
                };
                let llvm = leaf.kind.register();
                args.push(format!("{llvm} {operand}"));
                params.push(format!("{llvm}{attributes} {param}"));
                names.push(param);
            }
            vals.push(names);
        }
        let mut more_names = Vec::new();
        for (llvm, operand) in parts.more.iter().zip(&more) {
            let param = format!("%p{}", params.len());
            let attributes = if *llvm == "ptr" { " noalias" } else { "" };
            args.push(format!("{llvm} {operand}"));
            params.push(format!("{llvm}{attributes} {param}"));
            more_names.push(param);
        }
        let status = outer.text.def(format_args!("call i32 @{body_name}({})", args.join(", ")));
        let failed = outer.text.def(format_args!("icmp ne i32 {status}, 0"));
        outer.text.fault_if(&failed, |_| ());
        outer.finish();

        let header = format!("define internal i32 @{body_name}({}) nounwind", params.join(", "));
        let mut body = Func::new(self.module, header);
        for (&input, names) in parts.inputs.iter().zip(vals) {
            body.bind(input, Val::scalar(names));
        }
        body.values.extend(parts.constants.iter().cloned());
        body.update_body(parts, inner, more_names)?;
        body.finish();
        Ok(name)
    }

    fn update_body(
        &mut self,
        parts: &Parts<'_>,
        inner: &Loop,
        captured: Vec<Operand>,
    ) -> Result<(), EngineError> {
        let mut captured = captured.into_iter();
        for (store, places) in parts.nest.stores.iter().zip(&parts.places) {
            let place = self.offset("%state", places.state);
            let own = captures_one(parts.nest, &store.kind)
                .then(|| captured.next().expect("as many as were packed"));
            let slot = match (&store.kind, own) {
                (StoreKind::Accumulate { op, leaves, seen, .. }, _) => {
                    Slot::Accumulate(self.open_accumulator(*op, leaves, *seen == Seen::Flag))
                }
                (StoreKind::Fold { ty, func, .. }, _) => {
                    let some = self.offset("%totals", places.totals);
                    let value = self.offset("%totals", places.totals + 8);
                    self.text.line(format_args!("store i8 0, ptr {some}"));
                    Slot::Fold { func: func.clone(), ty: ty.clone(), some, place: value }
                }
                (StoreKind::Collect { ty, length: Length::Exact { each } }, Some(block)) => {
                    self.open_exact(ty, block, inner.index, *each, "%lo")
                }
                (StoreKind::Collect { ty, length }, _) => {
                    let [block, len, capacity] = [("ptr", 0), ("i64", 8), ("i64", 16)]
                        .map(|(llvm, offset)| self.load_word(&place, llvm, offset));
                    let reserved = (*length == Length::AtMost).then_some(inner.index);
                    self.open_growing(ty, [&block, &len, &capacity], reserved)
                }
                (StoreKind::Table { key, value, what, index }, _) => {
                    let table = self.load_word(&place, "ptr", 0);
                    self.expect(key, value, what, *index, &table, ["%lo", "%hi"]);
                    Slot::Table(self.open_table(table, key, value, what, *index))
                }
                (StoreKind::Scatter { ty, op, .. }, own) => {
                    let block = self.load_word(&place, "ptr", 0);
                    let len = own.expect("a scatter captures its length");
                    Slot::Scatter { ty: ty.clone(), op: *op, block, len }
                }
            };
            self.slots.insert(store.sink, slot);
        }
        let polls = inner.strips() == Strips::Short;
        self.run_loop(inner, "%lo", "%hi", polls)?;
        for (store, places) in parts.nest.stores.iter().zip(&parts.places) {
            match self.slots.remove(&store.sink) {
                Some(Slot::Accumulate(accumulator)) => {
                    let folded = self.fold_lanes(&accumulator);
                    for (i, (leaf, operand)) in accumulator.leaves.iter().zip(&folded.leaves).enumerate() {
                        let at = self.offset("%totals", places.totals + 8 * i as u64);
                        let (ty, total) = (leaf.leaf.ty, leaf.leaf.total);
                        let operand = match ty == total {
                            true => operand.clone(),
                            false => self.cast(ty, total, 1, operand),
                        };
                        self.store_leaf(LeafKind::Scalar(total), &operand, &at);
                    }
                    if let Some(seen) = &accumulator.seen {
                        let seen = self.text.def(format_args!("load i1, ptr {seen}"));
                        let at = self.offset("%totals", places.totals + 8 * accumulator.leaves.len() as u64);
                        let byte = self.text.def(format_args!("zext i1 {seen} to i8"));
                        self.text.line(format_args!("store i8 {byte}, ptr {at}"));
                    }
                }
                Some(Slot::Growing(Growing { block, len, capacity, .. })) => {
                    let words = [("ptr", block, 0), ("i64", len, 8), ("i64", capacity, 16)];
                    for (llvm, local, offset) in words {
                        let word = self.text.def(format_args!("load {llvm}, ptr {local}"));
                        let at = self.offset("%state", places.state + offset);
                        self.text.line(format_args!("store {llvm} {word}, ptr {at}, align 8"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn load_totals(&mut self, leaves: &[crate::loops::Leaf], place: &str) -> Val {
        let loaded = leaves.iter().enumerate().map(|(i, leaf)| {
            let at = self.offset(place, 8 * i as u64);
            self.load_leaf(LeafKind::Scalar(leaf.total), &at)
        });
        Val::scalar(loaded.collect())
    }

    /// The flag behind `leaves` words.
    fn load_flag(&mut self, place: &str, leaves: usize) -> Operand {
        let at = self.offset(place, 8 * leaves as u64);
        let byte = self.text.def(format_args!("load i8, ptr {at}"));
        self.text.def(format_args!("icmp ne i8 {byte}, 0"))
    }

    fn load_word(&mut self, record: &str, llvm: &str, offset: u64) -> Operand {
        let at = self.offset(record, offset);
        self.text.def(format_args!("load {llvm}, ptr {at}, align 8"))
    }

    fn store_words(&mut self, record: &str, words: &[(&str, &str)]) {
        for (i, (llvm, word)) in words.iter().enumerate() {
            let at = self.offset(record, 8 * i as u64);
            self.text.line(format_args!("store {llvm} {word}, ptr {at}, align 8"));
        }
    }
}

impl<'n> Parts<'n> {
    fn of(nest: &'n Nest, inputs: Vec<Value>, constants: Vec<(Value, Val)>) -> Parts<'n> {
        let mut parts =
            Parts { nest, inputs, constants, places: Vec::new(), sizes: Places::default(), more: Vec::new() };
        for store in &nest.stores {
            parts.places.push(parts.sizes);
            let size = sizes(&store.kind);
            parts.sizes.state += size.state;
            parts.sizes.totals += size.totals;
            parts.sizes.total += size.total;
            match store.kind {
                StoreKind::Collect { .. } if captures_one(nest, &store.kind) => parts.more.push("ptr"),
                StoreKind::Scatter { .. } => parts.more.push("i64"),
                _ => {}
            }
        }
        parts
    }
}

/// How much a store takes of each record.
fn sizes(kind: &StoreKind) -> Places {
    match kind {
        StoreKind::Accumulate { leaves, .. } => {
            let size = 8 * (leaves.len() as u64 + 1);
            Places { state: 0, totals: size, total: size }
        }
        StoreKind::Fold { ty, .. } => {
            let size = 8 + Layout::of(ty).size.next_multiple_of(8);
            Places { state: 0, totals: size, total: size }
        }
        StoreKind::Collect { length: Length::Exact { .. }, .. } => Places::default(),
        StoreKind::Collect { .. } => Places { state: 24, totals: 0, total: 24 },
        StoreKind::Table { .. } | StoreKind::Scatter { .. } => Places { state: 8, totals: 0, total: 8 },
    }
}

/// Whether a store captures an operand beside the inputs: the length of what is scattered to, the block that all units write to,
/// each where its iterations begin, or one in which what they have written is placed. Of an open loop, units do not know how many
/// iterations they have.
fn captures_one(nest: &Nest, kind: &StoreKind) -> bool {
    match kind {
        StoreKind::Collect { length: Length::Exact { .. }, .. } | StoreKind::Scatter { .. } => true,
        StoreKind::Collect { length: Length::AtMost, .. } => !nest.is_open(),
        _ => false,
    }
}
