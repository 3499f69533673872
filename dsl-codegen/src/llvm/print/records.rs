//! Loops over all threads: four functions, driven by the runtime, and what is around the drive.
//!
//! ```text
//! init(frame, captures, state, lo, hi)            a task begins: its tables and partial results are made
//! update(frame, captures, state, totals, lo, hi)  a chunk runs: buffers and tables in the state grow, totals are left
//! add(frame, captures, total, totals)             the totals of the next chunk join the total
//! merge(frame, captures, total, state)            the state of the next task joins the total
//! ```
//!
//! State, totals and total are records of words: each register and store has a place in each of them.

use weldment_core::ir::Value;

use super::builder::Operand;
use super::func::Func;
use super::slots::{FoldBox, Slot};
use super::val::Val;
use crate::imp::walk::free_values;
use crate::imp::{Block, Combine, RegId, Split, StoreId, Strategy, Task, Total};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind};

/// The places of a part in the records, in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Offsets {
    state: u64,
    totals: u64,
    total: u64,
}

/// What the four functions share.
struct Parts<'s> {
    split: &'s Split,
    id: usize,
    /// The values that are captured, and those that need not be.
    captured: Vec<Value>,
    constants: Vec<(Value, Val)>,
    /// What is captured besides: for each store that has it, its operand.
    more: Vec<(StoreId, &'static str, Operand)>,
    totals: Vec<Offsets>,
    parts: Vec<Offsets>,
    sizes: Offsets,
}

impl Func<'_, '_> {
    pub(super) fn split(&mut self, split: &Split) -> Result<(), EngineError> {
        let parts = self.parts(split);
        let more: Vec<(&'static str, Operand)> =
            parts.more.iter().map(|(_, llvm, operand)| (*llvm, operand.clone())).collect();
        let captures = self.pack(&parts.captured, &more);
        let total = self.text.alloca(format_args!("[{} x i64]", (parts.sizes.total / 8).max(1)));
        self.begin_total(&parts, &total);
        let names = [
            self.init_part(&parts)?,
            self.update_part(&parts)?,
            self.add_part(&parts)?,
            self.merge_part(&parts)?,
        ];
        let of = |count: u64| i64::try_from(count).unwrap_or(i64::MAX).max(1);
        let (chunk, segment) = (
            of(split.plan.chunk),
            match split.plan.task {
                Task::Segments(Some(length)) => of(length),
                _ => 0,
            },
        );
        let task = split.plan.task.number();
        let descriptor = self.module.global(format!(
            "constant {{ ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64 }} {{ ptr @{}, ptr @{}, ptr @{}, ptr @{}, i64 {}, i64 {}, i64 {chunk}, i64 {task}, i64 {segment} }}",
            names[0], names[1], names[2], names[3], parts.sizes.state, parts.sizes.totals
        ));
        let extent = self.leaf(split.extent);
        self.call_status("weldment_drive", &["%frame", &descriptor, &extent, &captures, &total]);
        self.end_total(&parts, &total);
        Ok(())
    }

    fn parts<'s>(&mut self, split: &'s Split) -> Parts<'s> {
        let imp = self.module.imp;
        let mut free: Vec<Value> = Vec::new();
        for block in [&split.init, &split.update, &split.add, &split.merge] {
            for value in free_values(imp, block, &split.range) {
                if !free.contains(&value) {
                    free.push(value);
                }
            }
        }
        let (captured, constants) = self.constants_apart(&free);
        let id = self.module.splits;
        self.module.splits += 1;
        let mut parts = Parts {
            split,
            id,
            captured,
            constants,
            more: Vec::new(),
            totals: Vec::new(),
            parts: Vec::new(),
            sizes: Offsets::default(),
        };
        for total in &split.totals {
            let size = match total {
                Total::Reg { all, .. } => (imp.regs[*all].ty.size() as u64).next_multiple_of(8),
                Total::Store(store) => 8 + Layout::of(&imp.stores[*store].item).size.next_multiple_of(8),
            };
            parts.totals.push(parts.sizes);
            parts.sizes.totals += size;
            parts.sizes.total += size;
        }
        for &store in &split.parts {
            parts.parts.push(parts.sizes);
            let (state, total) = match imp.stores[store].strategy {
                Strategy::Exact { .. } | Strategy::Columns { .. } => (0, 0),
                Strategy::Grow | Strategy::Ragged | Strategy::Ordered => (24, 24),
                _ => (8, 8),
            };
            parts.sizes.state += state;
            parts.sizes.total += total;
            match self.slots.get(&store) {
                Some(Slot::Exact { block } | Slot::FixedFanOut { block, .. }) => {
                    parts.more.push((store, "ptr", block.clone()));
                }
                Some(Slot::Placed { placed, .. }) => parts.more.push((store, "ptr", placed.clone())),
                Some(Slot::Scatter { len, .. }) => parts.more.push((store, "i64", len.clone())),
                _ => {}
            }
        }
        parts
    }

    /// What has joined before the first chunk.
    fn begin_total(&mut self, parts: &Parts<'_>, record: &str) {
        let imp = self.module.imp;
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            let place = self.offset(record, places.total);
            match total {
                Total::Reg { all, .. } => {
                    let value = self.held(*all);
                    self.store_leaf(LeafKind::Scalar(imp.regs[*all].ty), &value, &place);
                }
                Total::Store(store) => {
                    if let Some(Slot::Boxed { joined: Some(joined), .. }) = self.slots.get(store).cloned() {
                        self.move_box(*store, &joined, &place);
                    }
                }
            }
        }
        for (&store, places) in parts.split.parts.iter().zip(&parts.parts) {
            let place = self.offset(record, places.total);
            match self.slots.get(&store).cloned() {
                Some(Slot::Scatter { block, .. }) => self.store_words(&place, &[("ptr", &block)]),
                Some(Slot::Parts) => match imp.stores[store].strategy {
                    Strategy::Grow | Strategy::Ragged => {
                        self.store_words(&place, &[("ptr", "null"), ("i64", "0"), ("i64", "0")]);
                    }
                    _ => self.store_words(&place, &[("ptr", "null")]),
                },
                _ => {}
            }
        }
    }

    fn move_box(&mut self, store: StoreId, from: &FoldBox, to: &str) {
        let imp = self.module.imp;
        let ty = &imp.stores[store].item;
        let some = self.text.def(format_args!("load i8, ptr {}", from.some));
        self.text.line(format_args!("store i8 {some}, ptr {to}"));
        let value = self.load(ty, &from.place);
        let place = self.offset(to, 8);
        self.store(ty, &value, &place);
    }

    /// What has joined in the end.
    fn end_total(&mut self, parts: &Parts<'_>, record: &str) {
        let imp = self.module.imp;
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            let place = self.offset(record, places.total);
            match total {
                Total::Reg { all, .. } => {
                    let value = self.load_leaf(LeafKind::Scalar(imp.regs[*all].ty), &place);
                    self.put(*all, &value);
                }
                Total::Store(store) => {
                    let joined = self.box_at(&place);
                    self.slots.insert(*store, Slot::Boxed { joined: Some(joined), part: None });
                }
            }
        }
        for (&store, places) in parts.split.parts.iter().zip(&parts.parts) {
            let place = self.offset(record, places.total);
            let slot = match (self.slots.get(&store).cloned(), imp.stores[store].strategy) {
                (Some(Slot::Placed { placed, block }), _) => Slot::Placed { placed, block },
                (_, Strategy::Grow | Strategy::Ragged) => Slot::Growing(self.growing(store, &place)),
                (Some(Slot::Parts), _) => {
                    let table = self.load_word(&place, "ptr", 0);
                    Slot::Table(self.table_at(store, table))
                }
                (Some(slot), _) => slot,
                (None, _) => continue,
            };
            self.slots.insert(store, slot);
        }
    }

    /// The box in a record.
    fn box_at(&mut self, place: &str) -> FoldBox {
        FoldBox { some: place.to_owned(), place: self.offset(place, 8) }
    }

    /// A function of the four, with what it captures; gives what each store captures.
    fn part(&mut self, parts: &Parts<'_>, name: &str, params: &str) -> (String, String) {
        let name = self.module.function_name(&format!("nest{}.{name}", parts.id));
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, {params}) nounwind"
        );
        (name, header)
    }

    fn unpack_parts(&mut self, parts: &Parts<'_>) -> Vec<(StoreId, Operand)> {
        self.values.extend(parts.constants.iter().cloned());
        let types: Vec<&str> = parts.more.iter().map(|(_, llvm, _)| *llvm).collect();
        let operands = self.unpack(&parts.captured, &types);
        parts.more.iter().map(|(store, ..)| *store).zip(operands).collect()
    }

    fn init_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let (name, header) = self.part(parts, "init", "ptr noalias %state, i64 %lo, i64 %hi");
        let imp = self.module.imp;
        let mut part = Func::new(self.module, header);
        let captured = part.unpack_parts(parts);
        for (&store, places) in parts.split.parts.iter().zip(&parts.parts) {
            let place = part.offset("%state", places.state);
            let own = captured.iter().find(|captured| captured.0 == store).map(|captured| captured.1.clone());
            match (imp.stores[store].strategy, own) {
                (Strategy::Exact { .. } | Strategy::Columns { .. }, _) => {}
                (Strategy::Ordered, Some(placed)) => {
                    let own = part.call("weldment_room", &["%frame", &placed, "%lo", "%hi"]);
                    let room = part.text.def(format_args!("sub i64 %hi, %lo"));
                    part.store_words(&place, &[("ptr", &own), ("i64", "0"), ("i64", &room)]);
                }
                (Strategy::Grow | Strategy::Ragged | Strategy::Ordered, _) => {
                    part.store_words(&place, &[("ptr", "null"), ("i64", "0"), ("i64", "0")]);
                }
                (Strategy::InPlace | Strategy::Partial, Some(len)) => {
                    let partial = part.partial(store, &len)?;
                    part.store_words(&place, &[("ptr", &partial)]);
                }
                _ => {
                    let table = part.new_table(store, true);
                    part.store_words(&place, &[("ptr", &table)]);
                }
            }
        }
        part.finish();
        Ok(name)
    }

    fn update_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let params = "ptr noalias %state, ptr noalias %totals, i64 %lo, i64 %hi";
        let (name, header) = self.part(parts, "update", params);
        let imp = self.module.imp;
        let mut part = Func::new(self.module, header);
        let captured = part.unpack_parts(parts);
        let [lo, hi] = parts.split.range;
        part.bind(lo, Val::one("%lo"));
        part.bind(hi, Val::one("%hi"));
        for (&store, places) in parts.split.parts.iter().zip(&parts.parts) {
            let place = part.offset("%state", places.state);
            let own = captured.iter().find(|captured| captured.0 == store).map(|captured| captured.1.clone());
            let slot = match (imp.stores[store].strategy, own) {
                (Strategy::Exact { each }, Some(block)) => part.exact(block, each, "%lo"),
                (Strategy::Columns { .. }, Some(block)) => Slot::Exact { block },
                (Strategy::Grow | Strategy::Ragged | Strategy::Ordered, _) => {
                    Slot::Growing(part.growing(store, &place))
                }
                (Strategy::InPlace | Strategy::Partial, Some(len)) => {
                    let block = part.load_word(&place, "ptr", 0);
                    Slot::Scatter { whole: None, block, len }
                }
                _ => {
                    let table = part.load_word(&place, "ptr", 0);
                    Slot::Table(part.table_at(store, table))
                }
            };
            part.slots.insert(store, slot);
        }
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            if let Total::Store(store) = total {
                let place = part.offset("%totals", places.totals);
                let own = part.box_at(&place);
                part.text.line(format_args!("store i8 0, ptr {}", own.some));
                part.slots.insert(*store, Slot::Boxed { joined: None, part: Some(own) });
            }
        }
        part.chunk(&parts.split.update)?;
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            if let Total::Reg { chunk, .. } = total {
                let value = part.held(*chunk);
                let place = part.offset("%totals", places.totals);
                part.store_leaf(LeafKind::Scalar(imp.regs[*chunk].ty), &value, &place);
            }
        }
        part.finish();
        Ok(name)
    }

    /// The statements of a chunk; boxes are where the totals are.
    fn chunk(&mut self, update: &Block) -> Result<(), EngineError> {
        use crate::imp::{Action, Stmt};
        update.stmts.iter().try_for_each(|stmt| match stmt {
            Stmt::Do { action: Action::Begin, .. } => Ok(()),
            stmt => self.stmt(stmt),
        })
    }

    fn add_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let (name, header) = self.part(parts, "add", "ptr noalias %total, ptr noalias %totals");
        let imp = self.module.imp;
        let mut part = Func::new(self.module, header);
        part.unpack_parts(parts);
        let registers = |total: &Total| match total {
            Total::Reg { chunk, all } => Some((*chunk, *all)),
            Total::Store(_) => None,
        };
        let fetch = |part: &mut Func<'_, '_>, reg: RegId, record: &str, offset: u64| {
            let place = part.offset(record, offset);
            let value = part.load_leaf(LeafKind::Scalar(imp.regs[reg].ty), &place);
            part.put(reg, &value);
        };
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            if let Some((chunk, all)) = registers(total) {
                fetch(&mut part, chunk, "%totals", places.totals);
                fetch(&mut part, all, "%total", places.total);
            } else if let Total::Store(store) = total {
                let [joined, own] =
                    [("%total", places.total), ("%totals", places.totals)].map(|(record, at)| {
                        let place = part.offset(record, at);
                        part.box_at(&place)
                    });
                part.slots.insert(*store, Slot::Boxed { joined: Some(joined), part: Some(own) });
            }
        }
        part.block(&parts.split.add)?;
        for (total, places) in parts.split.totals.iter().zip(&parts.totals) {
            if let Some((_, all)) = registers(total) {
                let value = part.held(all);
                let place = part.offset("%total", places.total);
                part.store_leaf(LeafKind::Scalar(imp.regs[all].ty), &value, &place);
            }
        }
        part.finish();
        Ok(name)
    }

    fn merge_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let (name, header) = self.part(parts, "merge", "ptr noalias %total, ptr noalias %state");
        let imp = self.module.imp;
        let mut part = Func::new(self.module, header);
        let captured = part.unpack_parts(parts);
        for (&store, places) in parts.split.parts.iter().zip(&parts.parts) {
            let (total, state) = (part.offset("%total", places.total), part.offset("%state", places.state));
            let own = captured.iter().find(|captured| captured.0 == store).map(|captured| captured.1.clone());
            let of = &imp.stores[store];
            match (of.strategy, of.combine, own) {
                (Strategy::Exact { .. } | Strategy::Columns { .. }, ..) => {}
                (Strategy::Ordered, _, Some(placed)) => {
                    part.call("weldment_place", &[&placed, &state]);
                }
                (Strategy::Grow | Strategy::Ragged | Strategy::Ordered, ..) => {
                    let layout = Layout::of(&of.item);
                    let [size, align] = [layout.size.to_string(), layout.align.to_string()];
                    part.call("weldment_append", &["%frame", &total, &state, &size, &align]);
                }
                (Strategy::InPlace | Strategy::Partial, Combine::Op(op), Some(len)) => {
                    let (whole, partial) =
                        (part.load_word(&total, "ptr", 0), part.load_word(&state, "ptr", 0));
                    part.add_partial(op, &of.item, &whole, &partial, &len)?;
                    part.release(&of.item, &partial, &len);
                }
                _ => part.join_tables(store, &total, &state, parts.split.loc)?,
            }
        }
        part.finish();
        Ok(name)
    }

    /// A table joins those before it; the first is what the others join.
    fn join_tables(
        &mut self,
        store: StoreId,
        total: &str,
        state: &str,
        loc: weldment_core::ir::Loc,
    ) -> Result<(), EngineError> {
        let (to, from) = (self.load_word(total, "ptr", 0), self.load_word(state, "ptr", 0));
        let is_first = self.text.def(format_args!("icmp eq ptr {to}, null"));
        let [first, again, done] = [(); 3].map(|()| self.text.label());
        self.text.branch(&is_first, &first, &again);
        self.text.begin(&first);
        self.store_words(total, &[("ptr", &from)]);
        self.text.jump(&done);
        self.text.begin(&again);
        let slot = self.open_table(store, to);
        self.merge_tables(&slot, &from, loc)?;
        self.text.begin(&done);
        Ok(())
    }
}
