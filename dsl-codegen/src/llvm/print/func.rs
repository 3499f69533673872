//! A function of the emitted module: what its values are in registers, and how they come from and go to memory.

use std::collections::HashMap;

use weldment_core::ir::{Entity, Loc, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::builder::{FunctionText, Operand};
use super::module::Emitter;
use super::slots::Slot;
use super::spelling::{Width, is_literal, wide};
use super::val::Val;
use crate::imp::{RegId, StoreId};
use crate::llvm::layout::{Layout, LeafKind, leaf_count, leaves, offsets};
use crate::llvm::runtime;
use crate::llvm::runtime::calls::Cause;

/// A function under construction.
pub(super) struct Func<'e, 'a> {
    /// The module that it is part of.
    pub(super) module: &'e mut Emitter<'a>,
    /// Its text.
    pub(super) text: FunctionText,
    /// What each value is, but the constants, which the module knows. A body that is emitted again, on other lanes, binds its values again.
    pub(super) values: HashMap<Value, Val>,
    /// What each value is in lanes that are apart.
    pub(super) apart: HashMap<Value, Vec<Val>>,
    /// Where the registers are.
    pub(super) registers: HashMap<RegId, Operand>,
    /// How the stores that are open here are kept.
    pub(super) slots: HashMap<StoreId, Slot>,
    /// How many elements vectors of known length have, or at most.
    pub(super) lengths: HashMap<StoreId, Operand>,
    /// Where the hashes of the next rows' keys are.
    pub(super) hash_rooms: HashMap<StoreId, Operand>,
    /// The lanes of the block at hand.
    pub(super) block_width: Width,
    /// Where the look-ups that search for others have found their key.
    pub(super) found: HashMap<Value, Operand>,
}

/// A call that raises a fault, up to its numbers.
pub(super) struct Raise {
    cause: i32,
    line: u32,
    column: u32,
}

impl Raise {
    /// The call, with up to four numbers.
    pub(super) fn with(&self, numbers: &[&str]) -> String {
        let number = |i: usize| numbers.get(i).copied().unwrap_or("0");
        format!(
            "call void @weldment_raise(ptr %frame, i32 {}, i64 {}, i64 {}, i64 {}, i64 {}, i32 {}, i32 {})",
            self.cause,
            number(0),
            number(1),
            number(2),
            number(3),
            self.line,
            self.column
        )
    }
}

impl<'e, 'a> Func<'e, 'a> {
    /// A function of `module`, with this header.
    pub(super) fn new(module: &'e mut Emitter<'a>, header: String) -> Func<'e, 'a> {
        Func {
            module,
            text: FunctionText::new(header),
            values: HashMap::new(),
            apart: HashMap::new(),
            registers: HashMap::new(),
            slots: HashMap::new(),
            lengths: HashMap::new(),
            hash_rooms: HashMap::new(),
            block_width: 1,
            found: HashMap::new(),
        }
    }

    /// Ends the function, which gives 0, and adds it to the module.
    pub(super) fn finish(mut self) {
        self.text.ret("i32 0");
        let text = self.text.finish();
        self.module.functions.push(text);
    }

    /// The type of `value`.
    pub(super) fn ty(&self, value: Value) -> &'a Type {
        &self.module.imp.values[value].ty
    }

    /// The type of `value`, a scalar.
    pub(super) fn scalar_ty(&self, value: Value) -> Scalar {
        self.ty(value).as_scalar().expect("the verifier has seen to it")
    }

    /// What `value` is.
    pub(super) fn get(&self, value: Value) -> &Val {
        let own = self.values.get(&value).or_else(|| self.module.constants.get(&value));
        own.unwrap_or_else(|| panic!("v{} is not bound", value.index()))
    }

    /// The only leaf of `value`, a scalar in one lane.
    pub(super) fn leaf(&self, value: Value) -> Operand {
        self.get(value).leaves[0].clone()
    }

    /// Binds `value`.
    pub(super) fn bind(&mut self, value: Value, val: Val) {
        debug_assert_eq!(val.leaves.len(), leaf_count(self.ty(value)), "{value} is a {}", self.ty(value));
        self.values.insert(value, val);
    }

    /// The leaves of `value` in `width` lanes.
    pub(super) fn spread(&mut self, value: Value, width: Width) -> Vec<Operand> {
        let val = self.get(value).clone();
        if val.width == width {
            return val.leaves;
        }
        let kinds = leaves(self.ty(value));
        let pairs = val.leaves.iter().zip(&kinds);
        pairs.map(|(leaf, kind)| self.splat(leaf, kind.kind.register(), width)).collect()
    }

    /// Calls a function of the runtime.
    pub(super) fn call(&mut self, name: &str, args: &[impl AsRef<str>]) -> Operand {
        let function = runtime::function(name);
        self.module.declare_runtime(function);
        let args: Vec<String> =
            function.params.iter().zip(args).map(|(ty, arg)| format!("{ty} {}", arg.as_ref())).collect();
        let call = format!("call {} @{name}({})", function.result, args.join(", "));
        match function.result {
            "void" => {
                self.text.line(call);
                Operand::new()
            }
            _ => self.text.def(call),
        }
    }

    /// Calls a function of the runtime that gives null on a fault.
    pub(super) fn call_or_null(&mut self, name: &str, args: &[impl AsRef<str>]) -> Operand {
        let result = self.call(name, args);
        let failed = self.text.def(format_args!("icmp eq ptr {result}, null"));
        self.text.fault_if(&failed, |_| ());
        result
    }

    /// Calls a function of the runtime that gives a status.
    pub(super) fn call_status(&mut self, name: &str, args: &[impl AsRef<str>]) {
        let status = self.call(name, args);
        let failed = self.text.def(format_args!("icmp ne i32 {status}, 0"));
        self.text.fault_if(&failed, |_| ());
    }

    /// Leaves with a fault where the run is cancelled, which the first word of the frame points to. Nothing is called where it is not: what
    /// a loop adds up stays in registers.
    pub(super) fn poll(&mut self) {
        self.module.declare_runtime(runtime::function("weldment_poll"));
        let flag = self.text.def(format_args!("load ptr, ptr %frame, align 8"));
        let set = self.text.def(format_args!("load atomic i8, ptr {flag} monotonic, align 1"));
        let cancelled = self.text.def(format_args!("icmp ne i8 {set}, 0"));
        self.text.fault_if(&cancelled, |text| text.line(format_args!("call i32 @weldment_poll(ptr %frame)")));
    }

    /// Calls an intrinsic.
    pub(super) fn intrinsic(&mut self, name: &str, result: &str, args: &[(&str, &str)]) -> Operand {
        let types: Vec<&str> = args.iter().map(|arg| arg.0).collect();
        self.module.declare(name, format!("declare {result} @{name}({})", types.join(", ")));
        let args: Vec<String> = args.iter().map(|(ty, operand)| format!("{ty} {operand}")).collect();
        self.text.def(format_args!("call {result} @{name}({})", args.join(", ")))
    }

    /// A call that raises a fault at `loc`.
    pub(super) fn raise(&mut self, cause: Cause, loc: Loc) -> Raise {
        self.module.declare_runtime(runtime::function("weldment_raise"));
        let position = self.module.positions.get(loc);
        Raise { cause: cause as i32, line: position.line, column: position.column }
    }

    /// Leaves with a fault where `bad` is true.
    pub(super) fn raise_if(&mut self, bad: &str, cause: Cause, loc: Loc, numbers: &[&str]) {
        let call = self.raise(cause, loc).with(numbers);
        self.text.fault_if(bad, |text| text.line(call));
    }

    /// `pointer + offset` bytes.
    pub(super) fn offset(&mut self, pointer: &str, offset: u64) -> Operand {
        match offset {
            0 => pointer.to_owned(),
            _ => self.text.def(format_args!("getelementptr inbounds i8, ptr {pointer}, i64 {offset}")),
        }
    }

    /// Where element `index` of the `ty`s at `elements` stands.
    pub(super) fn element(&mut self, elements: &str, index: &str, ty: &Type) -> Operand {
        let task = match (ty, Layout::of(ty).size) {
            (_, 0) => return elements.to_owned(),
            (Type::Scalar(scalar), _) => crate::llvm::layout::memory(*scalar).to_owned(),
            (_, size) => format!("[{size} x i8]"),
        };
        self.text.def(format_args!("getelementptr inbounds {task}, ptr {elements}, i64 {index}"))
    }

    /// The leaf of this kind at `pointer`.
    pub(super) fn load_leaf(&mut self, kind: LeafKind, pointer: &str) -> Operand {
        let memory = kind.memory();
        let loaded = self.text.def(format_args!("load {memory}, ptr {pointer}, align {}", kind.align()));
        self.in_register(kind, 1, loaded)
    }

    /// Writes a leaf of this kind to `pointer`.
    pub(super) fn store_leaf(&mut self, kind: LeafKind, leaf: &str, pointer: &str) {
        let leaf = self.in_memory(kind, 1, leaf);
        self.text.line(format_args!("store {} {leaf}, ptr {pointer}, align {}", kind.memory(), kind.align()));
    }

    /// What is in memory as it is in a register: a byte becomes an `i1`.
    pub(super) fn in_register(&mut self, kind: LeafKind, width: Width, leaf: Operand) -> Operand {
        if kind.register() == kind.memory() {
            return leaf;
        }
        let zero = if width == 1 { "0" } else { "zeroinitializer" };
        self.text.def(format_args!("icmp ne {} {leaf}, {zero}", wide("i8", width)))
    }

    /// What is in a register as it is in memory.
    pub(super) fn in_memory(&mut self, kind: LeafKind, width: Width, leaf: &str) -> Operand {
        match (kind.register() == kind.memory(), leaf) {
            (true, _) => leaf.to_owned(),
            (false, "true") => "1".to_owned(),
            (false, "false") => "0".to_owned(),
            _ => self.text.def(format_args!("zext {} {leaf} to {}", wide("i1", width), wide("i8", width))),
        }
    }

    /// The value of type `ty` at `pointer`.
    pub(super) fn load(&mut self, ty: &Type, pointer: &str) -> Val {
        let loaded = leaves(ty).into_iter().map(|leaf| {
            let place = self.offset(pointer, leaf.offset);
            self.load_leaf(leaf.kind, &place)
        });
        let mut loaded: Vec<Operand> = loaded.collect();
        self.zero_values_of_none(ty, &mut loaded, 1);
        Val::scalar(loaded)
    }

    /// Writes a value of type `ty` to `pointer`.
    pub(super) fn store(&mut self, ty: &Type, val: &Val, pointer: &str) {
        for (leaf, operand) in leaves(ty).into_iter().zip(&val.leaves) {
            let place = self.offset(pointer, leaf.offset);
            self.store_leaf(leaf.kind, operand, &place);
        }
    }

    /// Stack memory for a value of type `ty`.
    pub(super) fn room(&mut self, ty: &Type) -> Operand {
        let Layout { size, align } = Layout::of(ty);
        self.text.alloca_aligned(format_args!("[{} x i8]", size.max(1)), align.max(8))
    }

    /// A value of type `ty` on the stack.
    pub(super) fn spill(&mut self, ty: &Type, val: &Val) -> Operand {
        let place = self.room(ty);
        self.store(ty, val, &place);
        place
    }

    /// Gives up the block of `len` elements.
    pub(super) fn release(&mut self, ty: &Type, block: &str, len: &str) {
        let size = Layout::of(ty).size;
        let bytes = self.text.def(format_args!("mul i64 {len}, {size}"));
        self.call("weldment_release", &["%frame", block, &bytes]);
    }

    /// Memory of the run for `count` values of type `ty`.
    pub(super) fn allocate(&mut self, ty: &Type, count: &str) -> Operand {
        let layout = Layout::of(ty);
        let size = match count.parse::<u64>() {
            Ok(count) => (count * layout.size).to_string(),
            // A count too large for memory must not wrap to a small one.
            Err(_) => {
                let product = "{ i64, i1 }";
                let pair = self.intrinsic(
                    "llvm.umul.with.overflow.i64",
                    product,
                    &[("i64", count), ("i64", &layout.size.to_string())],
                );
                let size = self.text.def(format_args!("extractvalue {product} {pair}, 0"));
                let too_large = self.text.def(format_args!("extractvalue {product} {pair}, 1"));
                self.text.def(format_args!("select i1 {too_large}, i64 -1, i64 {size}"))
            }
        };
        let block = self.call_or_null("weldment_alloc", &["%frame", &size, &layout.align.to_string()]);
        if self.module.has_scopes {
            // It is known to others from now on: they may give it back, behind all that reads it.
            self.text.line(format_args!("call void asm sideeffect \"\", \"r\"(ptr {block})"));
        }
        block
    }

    /// The fields of `ty` with the leaves of each in a value that has `leaves`.
    pub(super) fn field<'v>(ty: &Type, leaves: &'v [Operand], number: usize) -> &'v [Operand] {
        let fields = ty.fields().expect("the verifier has seen to it");
        let before: usize = fields[..number].iter().map(leaf_count).sum();
        &leaves[before..before + leaf_count(&fields[number])]
    }

    /// Where field `number` of a struct stands.
    pub(super) fn field_offset(ty: &Type, number: usize) -> u64 {
        let mut offsets = offsets(ty.fields().expect("the verifier has seen to it"));
        offsets.nth(number).expect("the verifier has seen to it")
    }

    /// Whether every leaf is a literal.
    pub(super) fn is_constant(val: &Val) -> bool {
        val.leaves.iter().all(|leaf| is_literal(leaf))
    }
}
