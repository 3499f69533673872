//! Ops that bind one value.

use weldment_core::ir::{BinaryOp, Const, Loc, Op, SpanPart, Value, Zip};
use weldment_runtime::lang::types::{Scalar, Type};

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, literal, reg, wide};
use super::val::Val;
use crate::imp::Known;
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind, alone, leaf_count, leaves, register};
use crate::llvm::runtime::calls::Cause;

impl Func<'_, '_> {
    /// Binds `result` to what `op` gives: in several lanes if an operand is.
    pub(super) fn op(&mut self, result: Value, op: &Op, known: Known, loc: Loc) -> Result<(), EngineError> {
        let mut width = 1;
        op.for_each_operand(&mut |operand| width = width.max(self.get(operand).width));
        let val = match op {
            Op::Const(constant) => Val::one(literal(*constant)),
            Op::Unary(op, x) => {
                let (ty, operand) = (self.scalar_ty(*x), self.spread(*x, width));
                let leaf = self.unary(*op, ty, width, &operand[0]);
                Val::lanes(vec![leaf], width)
            }
            Op::Binary(op, x, y) => self.binary_op(*op, [*x, *y], width, known, loc),
            Op::Compare(op, x, y) => {
                let leaf = self.compare_op(*op, *x, *y, width);
                Val::lanes(vec![leaf], width)
            }
            Op::Order(x, y) => {
                let leaf = self.order_op(*x, *y, width);
                Val::lanes(vec![leaf], width)
            }
            Op::Math(function, args) => {
                let ty = self.scalar_ty(args[0]);
                let args: Vec<Operand> = args.iter().map(|&arg| self.spread(arg, width).remove(0)).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let leaf = self.math(*function, ty, width, &args);
                Val::lanes(vec![leaf], width)
            }
            Op::Cast(to, x) => {
                let (from, operand) = (self.scalar_ty(*x), self.spread(*x, width));
                let leaf = self.cast(from, *to, width, &operand[0]);
                // A number of as many bits is the same one.
                let first = self.get(*x).first.clone().filter(|_| !to.is_float() && to.size() == from.size());
                Val { first, ..Val::lanes(vec![leaf], width) }
            }
            Op::Half(function, x) => {
                let operand = self.spread(*x, width);
                let leaf = self.half(*function, width, &operand[0]);
                Val::lanes(vec![leaf], width)
            }
            Op::Select(cond, x, y) => self.select_op(*cond, [*x, *y], known, width),

            Op::Struct(fields, _) => {
                let leaves = fields.iter().flat_map(|&field| self.spread(field, width)).collect();
                Val::lanes(leaves, width)
            }
            Op::Field(x, number) => {
                let val = self.get(*x);
                let leaves = Func::field(self.ty(*x), &val.leaves, *number as usize).to_vec();
                Val::lanes(leaves, width)
            }
            Op::Vector(elements) => self.vector_op(result, elements),
            Op::Len(x) => self.len_op(*x, width),
            Op::At(vector, index) => self.at(*vector, *index, width),
            Op::CheckIndex(index, length) => self.check_index(*index, *length, loc),
            Op::Lookup(x, key) => self.lookup(*x, *key, (result, known), loc),
            Op::Slice(vector, start, size) => self.slice([*vector, *start, *size], known, loc),
            Op::Cut(vector, start, end) => self.cut([*vector, *start, *end]),
            Op::Ranked(numbers, place) => self.ranked([*numbers, *place], result, loc),
            Op::Text(function, args) => self.text_op(*function, args, result),
            Op::Write(function, args) => self.write_op(*function, args, result),
            Op::Dbg(text) => self.show(*text, loc),
            Op::ToVec(x) => self.pairs(*x, result),
            Op::KeyExists(x, key) => {
                let found = self.find(*x, *key, (result, known));
                Val::one(self.text.def(format_args!("icmp ne ptr {found}, null")))
            }
            Op::OptLookup(x, key) => self.opt_lookup(*x, *key, (result, known)),
            Op::Serialize(x) => self.serialize(*x),
            Op::Deserialize(bytes) => self.deserialize(*bytes, result, loc),
            Op::Assert(cond) => {
                let cond = self.leaf(*cond);
                let fails = self.text.def(format_args!("xor i1 {cond}, true"));
                self.raise_if(&fails, Cause::Assertion, loc, &[]);
                Val::one("true")
            }
            Op::Call(symbol, args) => self.foreign(symbol, args, result, loc),

            Op::IterLen(len, start, end, stride) => {
                let [len, start, end, stride] = [len, start, end, stride].map(|&value| self.leaf(value));
                let negative = self.text.def(format_args!("icmp slt i64 {start}, 0"));
                let beyond = self.text.def(format_args!("icmp sgt i64 {end}, {len}"));
                let outside = self.text.def(format_args!("or i1 {negative}, {beyond}"));
                let numbers = [&*start, &end, &stride, &len];
                self.raise_if(&outside, Cause::Iter, loc, &numbers);
                Val::one(self.steps(&start, &end, &stride, Cause::Iter, loc, &numbers))
            }
            Op::Units(units, digits) => {
                let (units, digits) = (self.leaf(*units), self.leaf(*digits));
                Val::one(self.units(&units, &digits, loc))
            }
            Op::RangeLen(start, end, stride) => {
                let [start, end, stride] = [start, end, stride].map(|&value| self.leaf(value));
                Val::one(self.steps(&start, &end, &stride, Cause::Range, loc, &[&start, &end, &stride]))
            }
            Op::ZipLen(of, lens) => {
                let cause = match of {
                    Zip::Lengths => Cause::Zip,
                    Zip::Extents => Cause::Extents,
                    Zip::Arguments => Cause::Argument,
                    Zip::Keys => Cause::DuplicateKey,
                };
                let first = self.leaf(lens[0]);
                for &other in &lens[1..] {
                    let other = self.leaf(other);
                    if other == first {
                        continue;
                    }
                    let differ = self.text.def(format_args!("icmp ne i64 {first}, {other}"));
                    self.raise_if(&differ, cause, loc, &[&first, &other]);
                }
                Val::one(first)
            }

            Op::CheckExtents(extents) => {
                self.points(extents, loc);
                Val::one(self.leaf(extents[0]))
            }
            Op::Shape(vector, extents) => {
                let points = self.points(extents, loc);
                let len = self.len_op(*vector, 1).leaves.remove(0);
                let differ = self.text.def(format_args!("icmp ne i64 {len}, {points}"));
                self.raise_if(&differ, Cause::Shape, loc, &[&len, &points]);
                self.get(*vector).clone()
            }
            Op::Position(coordinate, lower, step, extent) => {
                let [at, lower, step, extent] =
                    [coordinate, lower, step, extent].map(|&value| self.leaf(value));
                Val::one(self.axis_position([&at, &lower, &step, &extent], loc))
            }
            Op::SpanLen(numbers) => Val::one(self.span_len(numbers, loc)),
            Op::Span(part, numbers) => {
                let [start, _, stride, lower, step, _] = self.numbers(numbers);
                let dividend = match part {
                    SpanPart::Start => self.text.def(format_args!("sub i64 {start}, {lower}")),
                    SpanPart::Stride => stride,
                };
                Val::one(self.text.def(format_args!("sdiv i64 {dividend}, {step}")))
            }
            Op::Linearize(..) | Op::AssumeIndex(..) => {
                let message = "`linearize` is products and sums of the loop IR, and nothing is assumed there";
                return Err(EngineError::internal(message));
            }

            Op::Sort { .. }
            | Op::If { .. }
            | Op::Iterate { .. }
            | Op::Loop(_)
            | Op::Merge { .. }
            | Op::For { .. } => {
                return Err(EngineError::internal("a control statement where an op is bound"));
            }
        };
        self.bind(result, val);
        Ok(())
    }

    fn binary_op(&mut self, op: BinaryOp, [x, y]: [Value; 2], width: Width, known: Known, loc: Loc) -> Val {
        let ty = self.scalar_ty(x);
        let first = self.first_of(op, x, y);
        let (a, b) = (self.spread(x, width), self.spread(y, width));
        let is_position = self.module.imp.values[x].position;
        let leaf = match known == Known::Divides || is_position {
            true => self.unchecked(op, ty, width, &a[0], &b[0]),
            false => self.binary(op, ty, width, &a[0], &b[0], loc),
        };
        Val { first, ..Val::lanes(vec![leaf], width) }
    }

    /// The first lane of `x op y` where its lanes are consecutive: an index plus or minus what all lanes share.
    fn first_of(&mut self, op: BinaryOp, x: Value, y: Value) -> Option<Operand> {
        let (a, b) = (self.get(x).clone(), self.get(y).clone());
        let (a, b) = match (op, a.first, b.first) {
            (BinaryOp::Add | BinaryOp::Sub, Some(a), _) if b.width == 1 => (a, b.leaves[0].clone()),
            (BinaryOp::Add, _, Some(b)) if a.width == 1 => (a.leaves[0].clone(), b),
            _ => return None,
        };
        let name = if op == BinaryOp::Add { "add" } else { "sub" };
        Some(self.text.def(format_args!("{name} i64 {a}, {b}")))
    }

    fn select_op(&mut self, cond: Value, [x, y]: [Value; 2], known: Known, width: Width) -> Val {
        let kinds = leaves(self.ty(x));
        let cond_width = self.get(cond).width;
        let cond = self.leaf(cond);
        let (a, b) = (self.spread(x, width), self.spread(y, width));
        let flags = reg(Scalar::Bool, cond_width);
        let hint = if known == Known::Unpredictable { ", !unpredictable !1" } else { "" };
        let chosen = kinds.iter().zip(a.iter().zip(&b)).map(|(leaf, (a, b))| {
            let ty = wide(leaf.kind.register(), width);
            self.text.def(format_args!("select {flags} {cond}, {ty} {a}, {ty} {b}{hint}"))
        });
        Val::lanes(chosen.collect(), width)
    }

    fn vector_op(&mut self, result: Value, elements: &[Value]) -> Val {
        let ty = self.ty(result).element().expect("the verifier has seen to it");
        let vals: Vec<Val> = elements.iter().map(|&element| self.get(element).clone()).collect();
        let len = elements.len().to_string();
        if let (Type::Scalar(scalar), true) = (ty, vals.iter().all(Func::is_constant)) {
            let kind = LeafKind::Scalar(*scalar);
            let literals: Vec<String> = vals
                .iter()
                .map(|val| format!("{} {}", kind.memory(), self.in_memory(kind, 1, &val.leaves[0])))
                .collect();
            let constant = format!(
                "constant [{len} x {}] [{}], align {}",
                kind.memory(),
                literals.join(", "),
                Layout::of(ty).align.max(8)
            );
            let global = self.module.global(constant);
            return Val::scalar(vec![global, len]);
        }
        let block = self.allocate(ty, &len);
        for (i, val) in vals.iter().enumerate() {
            let place = self.element(&block, &i.to_string(), ty);
            self.store(ty, val, &place);
        }
        Val::scalar(vec![block, len])
    }

    fn len_op(&mut self, x: Value, width: Width) -> Val {
        let val = self.get(x).clone();
        match self.ty(x) {
            Type::Dict(..) => {
                let len = self.dict_len(&val.leaves[0]);
                Val::one(len)
            }
            _ => Val::lanes(vec![val.leaves[1].clone()], width),
        }
    }

    /// An element that is there.
    fn at(&mut self, vector: Value, index: Value, width: Width) -> Val {
        let ty = self.ty(vector).element().expect("the verifier has seen to it");
        let (elements, at) = (self.get(vector).clone(), self.get(index).clone());
        if width == 1 {
            let place = self.element(&elements.leaves[0], &at.leaves[0], ty);
            return self.load(ty, &place);
        }
        match at.first {
            Some(first) if elements.width == 1 => self.load_lanes(ty, &elements.leaves[0], &first, width),
            _ => {
                let pointers = self.spread(vector, width).remove(0);
                let indices = self.spread(index, width).remove(0);
                self.gather(ty, &pointers, &indices, width)
            }
        }
    }

    fn check_index(&mut self, index: Value, length: Value, loc: Loc) -> Val {
        let (index, length) = (self.leaf(index), self.leaf(length));
        let outside = self.text.def(format_args!("icmp uge i64 {index}, {length}"));
        self.raise_if(&outside, Cause::Index, loc, &[&index, &length]);
        Val::one(index)
    }

    fn lookup(&mut self, dict: Value, key: Value, result: (Value, Known), loc: Loc) -> Val {
        let Type::Dict(_, item) = self.ty(dict) else { unreachable!("the verifier has seen to it") };
        let found = self.find(dict, key, result);
        let missing = self.text.def(format_args!("icmp eq ptr {found}, null"));
        let raise = self.raise(Cause::MissingKey, loc);
        let dict = self.leaf(dict);
        let len = self.dict_len(&dict);
        self.text.fault_if(&missing, |text| text.line(raise.with(&[&len])));
        self.load(item, &found)
    }

    /// The steps from `start` to `end`: a fault unless the stride fits.
    fn steps(
        &mut self,
        start: &str,
        end: &str,
        stride: &str,
        cause: Cause,
        loc: Loc,
        numbers: &[&str],
    ) -> Operand {
        let backward = self.text.def(format_args!("icmp sgt i64 {start}, {end}"));
        let still = self.text.def(format_args!("icmp slt i64 {stride}, 1"));
        let bad = self.text.def(format_args!("or i1 {backward}, {still}"));
        self.raise_if(&bad, cause, loc, numbers);
        // The range is not negative, but may be too wide for a signed number: it is divided as an unsigned one.
        let range = self.text.def(format_args!("sub i64 {end}, {start}"));
        if stride == "1" {
            let huge = self.text.def(format_args!("icmp slt i64 {range}, 0"));
            self.raise_if(&huge, cause, loc, numbers);
            return range;
        }
        let rest = self.text.def(format_args!("urem i64 {range}, {stride}"));
        let uneven = self.text.def(format_args!("icmp ne i64 {rest}, 0"));
        let steps = self.text.def(format_args!("udiv i64 {range}, {stride}"));
        let huge = self.text.def(format_args!("icmp slt i64 {steps}, 0"));
        let bad = self.text.def(format_args!("or i1 {uneven}, {huge}"));
        self.raise_if(&bad, cause, loc, numbers);
        steps
    }

    fn serialize(&mut self, x: Value) -> Val {
        let ty = self.ty(x);
        let val = self.get(x).clone();
        let place = self.spill(ty, &val);
        let bytes = Type::vec(Scalar::U8.into());
        let result = self.room(&bytes);
        let number = self.module.type_number(ty);
        self.call_status("weldment_serialize", &["%frame", &number.to_string(), &place, &result]);
        self.load(&bytes, &result)
    }

    fn deserialize(&mut self, bytes: Value, result: Value, loc: Loc) -> Val {
        let ty = self.ty(result);
        let bytes = self.get(bytes).clone();
        let place = self.room(ty);
        let number = self.module.type_number(ty).to_string();
        let position = self.module.positions.get(loc);
        let (line, column) = (position.line.to_string(), position.column.to_string());
        let args = ["%frame", &number, &bytes.leaves[0], &bytes.leaves[1], &place, &line, &column];
        self.call_status("weldment_deserialize", &args);
        self.load(ty, &place)
    }

    /// A C function that takes the addresses of its arguments and of its result, or one of Rust, which its shim calls.
    /// Names are not those of C, lest LLVM take the function for the one that it knows, or the linker find it by itself.
    fn foreign(&mut self, symbol: &str, args: &[Value], result: Value, loc: Loc) -> Val {
        let position = self.module.positions.get(loc);
        let mut places = Vec::new();
        for &arg in args {
            let (ty, val) = (self.ty(arg), self.get(arg).clone());
            places.push(self.spill(ty, &val));
        }
        let ty = self.ty(result);
        let place = self.room(ty);
        let [function, shim] = super::module::foreign_names(symbol).map(|name| format!("@\"{name}\""));
        let is_rust = self.module.callees.get(symbol).is_some_and(|callee| callee.shim().is_some());
        if is_rust {
            let declaration = format!("declare void {function}()\ndeclare void {shim}()");
            self.module.declare_foreign(symbol, declaration, position);
            let arguments = self.text.alloca(format_args!("[{} x ptr]", places.len().max(1)));
            for (place, offset) in places.iter().zip((0..).step_by(8)) {
                let at = self.offset(&arguments, offset);
                self.text.line(format_args!("store ptr {place}, ptr {at}"));
            }
            self.call_status("weldment_call", &["%frame", &shim, &function, &arguments, &place]);
        } else {
            places.push(place.clone());
            let params = vec!["ptr"; places.len()].join(", ");
            let declaration = format!("declare void {function}({params}) nounwind");
            self.module.declare_foreign(symbol, declaration, position);
            self.text.line(format_args!("call void {function}(ptr {}) nounwind", places.join(", ptr ")));
        }
        self.load(ty, &place)
    }

    /// The zero of `ty`: zeros, empty vectors and dictionaries.
    pub(super) fn zero(&mut self, ty: &Type) -> Val {
        let mut zeros = Vec::new();
        self.append_zero(ty, &mut zeros);
        Val::scalar(zeros)
    }

    fn append_zero(&mut self, ty: &Type, zeros: &mut Vec<Operand>) {
        let Some(fields) = ty.fields() else {
            zeros.extend(leaves(ty).into_iter().map(|leaf| match leaf.kind {
                LeafKind::Scalar(scalar) => literal(Const::from_i128(scalar, 0)),
                LeafKind::Length => "0".to_owned(),
                LeafKind::Dict => "null".to_owned(),
                LeafKind::Elements => self.module.nowhere(),
            }));
            return;
        };
        // The steps of an axis are at least 1.
        let axes = ty.as_array().map_or(0, |(_, axes)| axes);
        let steps = 1 + axes..1 + 2 * axes;
        for (number, field) in fields.iter().enumerate() {
            match steps.contains(&number) {
                true => zeros.push("1".to_owned()),
                false => self.append_zero(field, zeros),
            }
        }
    }

    fn opt_lookup(&mut self, x: Value, key: Value, result: (Value, Known)) -> Val {
        let ty = self.ty(result.0);
        let item = &ty.fields().expect("the verifier has seen to it")[1];
        let found = self.find(x, key, result);
        let exists = self.text.def(format_args!("icmp ne ptr {found}, null"));
        // A missing value is read from a place that holds the zero.
        let zero = self.zero(item);
        let zero = self.spill(item, &zero);
        let chosen = self.text.def(format_args!("select i1 {exists}, ptr {found}, ptr {zero}"));
        let val = self.load(item, &chosen);
        let mut all = vec![exists];
        all.extend(val.leaves);
        debug_assert_eq!(all.len(), leaf_count(ty));
        Val::scalar(all)
    }

    /// `count` elements from `first` on, side by side.
    pub(super) fn load_lanes(&mut self, ty: &Type, elements: &str, first: &str, width: Width) -> Val {
        let start = self.element(elements, first, ty);
        if let Some(scalar) = alone(ty) {
            let kind = LeafKind::Scalar(scalar);
            let memory = wide(kind.memory(), width);
            let loaded = self.text.def(format_args!("load {memory}, ptr {start}, align {}", kind.align()));
            let leaf = self.in_register(kind, width, loaded);
            return Val::lanes(vec![leaf], width);
        }
        let layout = Layout::of(ty);
        let lanes: Vec<String> = (0..width).map(|lane| format!("i64 {lane}")).collect();
        let steps = format!("<{}>", lanes.join(", "));
        let pointers = self
            .text
            .def(format_args!("getelementptr [{} x i8], ptr {start}, <{width} x i64> {steps}", layout.size));
        self.gather_leaves(ty, &pointers, width)
    }

    /// The elements at `indices` of the vectors at `pointers`, lane by lane.
    fn gather(&mut self, ty: &Type, pointers: &str, indices: &str, width: Width) -> Val {
        let size = Layout::of(ty).size;
        let pointers = match size {
            0 => pointers.to_owned(),
            _ => self.text.def(format_args!(
                "getelementptr [{size} x i8], {} {pointers}, {} {indices}",
                wide("ptr", width),
                wide("i64", width)
            )),
        };
        self.gather_leaves(ty, &pointers, width)
    }

    pub(super) fn gather_leaves(&mut self, ty: &Type, pointers: &str, width: Width) -> Val {
        let pointers_ty = wide("ptr", width);
        let mask = format!("splat ({} true)", register(Scalar::Bool));
        let gathered = leaves(ty).into_iter().map(|leaf| {
            let places = match leaf.offset {
                0 => pointers.to_owned(),
                offset => self.text.def(format_args!(
                    "getelementptr i8, {pointers_ty} {pointers}, {} splat (i64 {offset})",
                    wide("i64", width)
                )),
            };
            let memory = wide(leaf.kind.memory(), width);
            let element = match leaf.kind {
                LeafKind::Scalar(scalar) => super::spelling::suffix(scalar, width),
                LeafKind::Length => format!("v{width}i64"),
                LeafKind::Elements | LeafKind::Dict => format!("v{width}p0"),
            };
            let name = format!("llvm.masked.gather.{element}.v{width}p0");
            let align = leaf.kind.align().to_string();
            let flags = wide("i1", width);
            let loaded = self.intrinsic(
                &name,
                &memory,
                &[(&pointers_ty, &places), ("i32", &align), (&flags, &mask), (&memory, "poison")],
            );
            self.in_register(leaf.kind, width, loaded)
        });
        let mut gathered: Vec<Operand> = gathered.collect();
        self.zero_values_of_none(ty, &mut gathered, width);
        Val::lanes(gathered, width)
    }
}
