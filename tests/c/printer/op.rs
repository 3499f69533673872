//! Ops that bind one value.

use weldment::Scalar;
use weldment::backend::abi::Cause;
use weldment::backend::imp::Known;
use weldment::backend::ir::{BinaryOp, CompareOp, Const, Loc, MathFn, Op, SpanPart, UnaryOp, Value, Zip};

use super::types::{leaves, literal, scalar_name};
use super::{Code, Link};

impl Code<'_, '_> {
    /// Binds `result`.
    pub(super) fn op(&mut self, result: Value, op: &Op, known: Known, loc: Loc) {
        let ty = self.p.ty(result);
        let of = |this: &Self, value: Value| this.p.value(value);
        let given = match op {
            Op::Const(constant) => literal(*constant),
            Op::Unary(op, x) => match (op, self.p.scalar(*x)) {
                (UnaryOp::Not, Scalar::Bool) => format!("!{}", of(self, *x)),
                (UnaryOp::Not, _) => format!("~{}", of(self, *x)),
                (UnaryOp::Neg, _) => format!("-{}", of(self, *x)),
            },
            Op::Binary(op, x, y) => self.binary_op(*op, *x, *y, loc),
            Op::Compare(op, x, y) => self.compare(*op, *x, *y),
            Op::Order(x, y) => self.order(*x, *y),
            Op::Math(function, args) => self.math(*function, args),
            Op::Cast(to, x) => {
                let from = self.p.scalar(*x);
                let x = of(self, *x);
                match to {
                    Scalar::Bool => format!("{x} != 0"),
                    to if from.is_float() && !to.is_float() => format!("to_{}({x})", scalar_name(*to)),
                    to => format!("({}){x}", scalar_name(*to)),
                }
            }
            Op::Half(function, x) => format!("{}({})", function.name(), of(self, *x)),
            Op::Select(cond, x, y) => format!("{} ? {} : {}", of(self, *cond), of(self, *x), of(self, *y)),
            Op::Struct(fields, _) => {
                let fields: Vec<String> = fields.iter().map(|&field| of(self, field)).collect();
                format!("({ty}){{ {} }}", fields.join(", "))
            }
            Op::Field(x, number) => format!("{}.f{number}", of(self, *x)),
            Op::Vector(elements) => {
                let element = self.p.element(result);
                let (block, len) = (format!("{result}_block"), elements.len().to_string());
                self.allocate(&block, &element, &len);
                for (i, &value) in elements.iter().enumerate() {
                    self.line(format!("{block}[{i}] = {};", of(self, value)));
                }
                vector(&block, &len)
            }
            Op::Len(x) => format!("{}.len", of(self, *x)),
            Op::At(vector, index) => self.at(*vector, *index),
            Op::CheckIndex(index, length) => {
                let (index, length) = (of(self, *index), of(self, *length));
                let bad = format!("(u64){index} >= (u64){length}");
                self.fault_if(&bad, Cause::Index, &[&index, &length], loc);
                index
            }
            Op::Slice(whole, start, size) => {
                let element = self.p.element(result);
                let [whole, start, size] = [*whole, *start, *size].map(|value| of(self, value));
                let mut size = size;
                if known != Known::InBounds {
                    let bad = format!("(u64){start} > (u64){whole}.len || {size} < 0");
                    self.fault_if(&bad, Cause::Slice, &[&start, &size, &format!("{whole}.len")], loc);
                    size = format!("{size} < {whole}.len - {start} ? {size} : {whole}.len - {start}");
                }
                vector(&format!("({element} *){whole}.elements + {start}"), &size)
            }
            Op::Ranked(numbers, place) => {
                let imp = self.p.imp;
                let element = imp.values[*numbers].ty.element().expect("a vector");
                let number = self.p.type_number(element).to_string();
                let [numbers, place] = [*numbers, *place].map(|value| of(self, value));
                self.fault_if(&format!("{numbers}.len == 0"), Cause::Empty, &[], loc);
                self.line(format!("{ty} {result}_to;"));
                let [elements, len] = ["elements", "len"].map(|part| format!("{numbers}.{part}"));
                let to = format!("&{result}_to");
                self.call_runtime("weldment_ranked", &["frame", &number, &elements, &len, &place, &to]);
                format!("{result}_to")
            }
            Op::Text(function, args) => {
                self.line(format!("{ty} {result}_to;"));
                let (mut words, mut from) = (vec![function.number().to_string()], "0".to_owned());
                for &arg in args {
                    let text = of(self, arg);
                    match self.p.imp.values[arg].ty.element() {
                        Some(_) => words.extend(["elements", "len"].map(|part| format!("{text}.{part}"))),
                        None => from = text,
                    }
                }
                if words.len() == 3 {
                    words.extend(["0", "0"].map(str::to_owned));
                }
                words.extend([from, format!("&{result}_to")]);
                let function = self.p.runtime("weldment_text");
                self.line(format!("{function}({});", words.join(", ")));
                format!("{result}_to")
            }
            Op::Write(function, args) => {
                let (arg_ty, number) = (self.p.ty(args[0]), function.number().to_string());
                let args: Vec<String> = args.iter().map(|&arg| of(self, arg)).collect();
                self.line(format!(
                    "{arg_ty} {result}_from[] = {{ {} }}; vec {result}_bytes;",
                    args.join(", ")
                ));
                let to = format!("&{result}_bytes");
                self.call_runtime("weldment_write", &["frame", &number, &format!("{result}_from"), &to]);
                format!("{result}_bytes")
            }
            Op::Dbg(text) => {
                let (text, position) = (of(self, *text), self.p.positions.get(loc));
                let (line, column) = (position.line.to_string(), position.column.to_string());
                self.call_runtime(
                    "weldment_dbg",
                    &["frame", &format!("{text}.elements"), &format!("{text}.len"), &line, &column],
                );
                "1".to_owned()
            }
            Op::Serialize(x) => {
                let imp = self.p.imp;
                let number = self.p.type_number(&imp.values[*x].ty).to_string();
                let (x_ty, x) = (self.p.ty(*x), of(self, *x));
                self.line(format!("{x_ty} {result}_from = {x}; vec {result}_bytes;"));
                let places = [format!("&{result}_from"), format!("&{result}_bytes")];
                self.call_runtime("weldment_serialize", &["frame", &number, &places[0], &places[1]]);
                format!("{result}_bytes")
            }
            Op::Deserialize(bytes) => {
                let imp = self.p.imp;
                let number = self.p.type_number(&imp.values[result].ty).to_string();
                let (bytes, position) = (of(self, *bytes), self.p.positions.get(loc));
                self.line(format!("{ty} {result}_to;"));
                let args = [
                    "frame",
                    &number,
                    &format!("{bytes}.elements"),
                    &format!("{bytes}.len"),
                    &format!("&{result}_to"),
                    &position.line.to_string(),
                    &position.column.to_string(),
                ];
                self.call_runtime("weldment_deserialize", &args);
                format!("{result}_to")
            }
            Op::Assert(cond) => {
                let bad = format!("!{}", of(self, *cond));
                self.fault_if(&bad, Cause::Assertion, &[], loc);
                "1".to_owned()
            }
            Op::Call(symbol, args) => self.foreign(symbol, args, result),
            Op::IterLen(len, start, end, stride) => {
                let [len, start, end, stride] = [*len, *start, *end, *stride].map(|value| of(self, value));
                let bad = format!("{start} < 0 || {end} > {len}");
                let numbers = [&*start, &end, &stride, &len];
                self.fault_if(&bad, Cause::Iter, &numbers, loc);
                self.steps([&start, &end, &stride], Cause::Iter, &numbers, loc)
            }
            Op::Units(units, digits) => {
                let (units, digits) = (of(self, *units), of(self, *digits));
                let bad = format!("(i64){units} != {units}");
                self.fault_if(&bad, Cause::Units, &[&units, &format!("{units} >> 64"), &digits], loc);
                format!("(i64){units}")
            }
            Op::RangeLen(start, end, stride) => {
                let [start, end, stride] = [*start, *end, *stride].map(|value| of(self, value));
                let numbers = [&*start, &end, &stride];
                self.steps([&start, &end, &stride], Cause::Range, &numbers, loc)
            }
            Op::ZipLen(zip, lens) => {
                let cause = match zip {
                    Zip::Lengths => Cause::Zip,
                    Zip::Extents => Cause::Extents,
                    Zip::Arguments => Cause::Argument,
                    Zip::Keys => Cause::DuplicateKey,
                };
                let first = of(self, lens[0]);
                for &other in &lens[1..] {
                    let other = of(self, other);
                    self.fault_if(&format!("{first} != {other}"), cause, &[&first, &other], loc);
                }
                first
            }
            Op::CheckExtents(extents) => {
                self.points(&format!("{result}_points"), extents, loc);
                of(self, extents[0])
            }
            Op::Shape(vector, extents) => {
                let (vector, points) = (of(self, *vector), format!("{result}_points"));
                self.points(&points, extents, loc);
                let len = format!("{vector}.len");
                self.fault_if(&format!("{len} != {points}"), Cause::Shape, &[&len, &points], loc);
                vector
            }
            Op::Position(coordinate, lower, step, extent) => {
                let axis = [*lower, *step, *extent].map(|value| of(self, value));
                let at = of(self, *coordinate);
                self.on_axis("1", &at, &axis, loc);
                format!("((i64)((u64){at} - (u64){}) / {})", axis[0], axis[1])
            }
            Op::SpanLen(numbers) => self.span_len(&format!("{result}_count"), numbers, loc),
            Op::Span(part, numbers) => {
                let [start, stride, lower, step] = [0, 2, 3, 4].map(|number| of(self, numbers[number]));
                match part {
                    SpanPart::Start => format!("(i64)((u64){start} - (u64){lower}) / {step}"),
                    SpanPart::Stride => format!("{stride} / {step}"),
                }
            }
            op => unreachable!("`{}` is refused, or no op of this code", op.name()),
        };
        self.line(format!("{ty} {result} = {given};"));
        self.line(format!("(void){result};"));
    }

    /// How many points there are in an array of these extents, if it can be one, as the variable `name`.
    fn points(&mut self, name: &str, extents: &[Value], loc: Loc) {
        let extents: Vec<String> = extents.iter().map(|&extent| self.p.value(extent)).collect();
        for extent in &extents {
            self.fault_if(&format!("(u64){extent} > MOST_POINTS"), Cause::NoShape, &[extent], loc);
        }
        self.line(format!("i64 {name} = {};", extents[0]));
        for extent in &extents[1..] {
            let beyond = format!("(unsigned __int128){name} * {extent} > MOST_POINTS");
            self.line(format!("{name} = {beyond} ? MOST_POINTS + 1 : {name} * {extent};"));
        }
        self.fault_if(&format!("{name} > MOST_POINTS"), Cause::NoShape, &[&extents[0]], loc);
    }

    /// Faults if a condition holds and a coordinate is none of an axis, of which lower bound, step and extent are given.
    fn on_axis(&mut self, condition: &str, at: &str, [lower, step, extent]: &[String; 3], loc: Loc) {
        let distance = format!("(i64)((u64){at} - (u64){lower})");
        let bad = format!("{distance} % {step} != 0 || (u64)({distance} / {step}) >= (u64){extent}");
        self.fault_if(&format!("{condition} && ({bad})"), Cause::Coordinate, &[at, lower, step, extent], loc);
    }

    /// How many coordinates there are in a span, all of which have to be on its axis, as the variable `name`.
    fn span_len(&mut self, name: &str, numbers: &[Value], loc: Loc) -> String {
        let value = |number: usize| self.p.value(numbers[number]);
        let ([start, end, stride], axis) = ([0, 1, 2].map(value), [3, 4, 5].map(value));
        self.fault_if(&format!("{stride} < 1"), Cause::NoStride, &[&stride], loc);
        let distance = format!("((u64){end} - (u64){start})");
        let count = format!("(i64)(({distance} - 1) / (u64){stride} + 1)");
        self.line(format!("i64 {name} = {end} > {start} ? {count} : 0;"));
        self.fault_if(&format!("{name} < 0"), Cause::NoStride, &[&stride], loc);
        let last = format!("(i64)((u64){start} + (u64)({name} - 1) * (u64){stride})");
        let next = format!("(i64)((u64){start} + (u64){stride})");
        for (least, at) in [(0, &start), (0, &last), (1, &next)] {
            self.on_axis(&format!("{name} > {least}"), at, &axis, loc);
        }
        name.to_owned()
    }

    /// An element that is there.
    pub(super) fn at(&mut self, vector: Value, index: Value) -> String {
        let element = self.p.element(vector);
        format!("(({element} *){}.elements)[{}]", self.p.value(vector), self.p.value(index))
    }

    fn binary_op(&mut self, op: BinaryOp, x: Value, y: Value, loc: Loc) -> String {
        let ty = self.p.scalar(x);
        let is_position = self.p.imp.values[x].position;
        let (a, b) = (self.p.value(x), self.p.value(y));
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !ty.is_float() && !is_position {
            let cause = if ty.is_signed() { Cause::Division } else { Cause::UnsignedDivision };
            self.fault_if(&format!("{b} == 0"), cause, &[&a, &b], loc);
            if ty.is_signed() {
                let least = Const::from_i128(ty, -1 << (8 * ty.size() - 1));
                let bad = format!("{a} == {} && {b} == -1", literal(least));
                self.fault_if(&bad, Cause::Overflow, &[&a, &b], loc);
            }
        }
        self.binary(op, ty, &a, &b)
    }

    /// `a op b`, which does not fault.
    pub(super) fn binary(&mut self, op: BinaryOp, ty: Scalar, a: &str, b: &str) -> String {
        let name = scalar_name(ty);
        let sign = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem if ty.is_float() => {
                return format!("{}({a}, {b})", self.p.runtime(&format!("weldment_remainder_{}", ty.name())));
            }
            BinaryOp::Rem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            // The count is taken modulo the bits; what is shifted out is lost.
            BinaryOp::Shl => return format!("({name})((u64){a} << ({b} & {}))", 8 * ty.size() - 1),
            BinaryOp::Shr => return format!("({name})({a} >> ({b} & {}))", 8 * ty.size() - 1),
            BinaryOp::Min if ty.is_float() => return format!("min_{name}({a}, {b})"),
            BinaryOp::Max if ty.is_float() => return format!("max_{name}({a}, {b})"),
            BinaryOp::Min => return format!("({b} < {a} ? {b} : {a})"),
            BinaryOp::Max => return format!("({b} > {a} ? {b} : {a})"),
        };
        // Narrow integers are computed as `int`, which is wide enough but for products of u16.
        let wide = if ty == Scalar::U16 { "(u32)" } else { "" };
        format!("({name})({wide}{a} {sign} {b})")
    }

    fn compare(&mut self, op: CompareOp, x: Value, y: Value) -> String {
        let imp = self.p.imp;
        let ty = &imp.values[x].ty;
        let (a, b) = (self.p.value(x), self.p.value(y));
        let (Some(left), Some(right)) = (leaves(ty, &a), leaves(ty, &b)) else {
            let order = self.ordered("weldment_order", x, y);
            return match op {
                CompareOp::Eq => format!("{order} == 0"),
                CompareOp::Ne => format!("{order} != 0"),
                CompareOp::Lt => format!("{order} == -1"),
                CompareOp::Le => format!("{order} <= 0"),
                CompareOp::Gt => format!("{order} == 1"),
                // Not 2, which a NaN gives.
                CompareOp::Ge => format!("(u32){order} <= 1"),
            };
        };
        let sign = match op {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        if let ([left], [right]) = (&left[..], &right[..]) {
            return format!("{} {sign} {}", left.1, right.1);
        }
        // The first pair that is not equal decides, and a NaN in it decides for false.
        let if_equal = u8::from(!matches!(op, CompareOp::Ne | CompareOp::Lt | CompareOp::Gt));
        left.iter().zip(&right).rev().fold(if_equal.to_string(), |rest, ((_, a), (_, b))| match op {
            CompareOp::Ne => format!("({a} != {b} || {rest})"),
            CompareOp::Eq => format!("({a} == {b} && {rest})"),
            CompareOp::Lt | CompareOp::Le => format!("({a} < {b} || ({a} == {b} && {rest}))"),
            CompareOp::Gt | CompareOp::Ge => format!("({a} > {b} || ({a} == {b} && {rest}))"),
        })
    }

    /// −1, 0 or 1 in the total order.
    fn order(&mut self, x: Value, y: Value) -> String {
        let imp = self.p.imp;
        let ty = &imp.values[x].ty;
        let (a, b) = (self.p.value(x), self.p.value(y));
        let (Some(left), Some(right)) = (leaves(ty, &a), leaves(ty, &b)) else {
            return self.ordered("weldment_total_order", x, y);
        };
        left.iter().zip(&right).rev().fold("0".to_owned(), |rest, ((ty, a), (_, b))| {
            let order = match ty.is_float() {
                true => format!("order_{}({a}, {b})", scalar_name(*ty)),
                false => format!("(({a} > {b}) - ({a} < {b}))"),
            };
            format!("({order} ? {order} : {rest})")
        })
    }

    /// What orders values that hold vectors.
    fn ordered(&mut self, function: &str, x: Value, y: Value) -> String {
        let imp = self.p.imp;
        let number = self.p.type_number(&imp.values[x].ty);
        format!("{}(frame, {number}, &{x}, &{y})", self.p.runtime(function))
    }

    fn math(&mut self, function: MathFn, args: &[Value]) -> String {
        let ty = self.p.scalar(args[0]);
        let args: Vec<String> = args.iter().map(|&arg| self.p.value(arg)).collect();
        let (name, x) = (scalar_name(ty), args[0].clone());
        if !ty.is_float() {
            return match function {
                MathFn::Pow => {
                    let base = if ty.is_signed() { "i64" } else { "u64" };
                    let power = self.p.runtime(&format!("weldment_power_{base}"));
                    format!("({name}){power}(({base}){x}, ({base}){})", args[1])
                }
                MathFn::Abs if ty.is_signed() => format!("({name})({x} < 0 ? -{x} : {x})"),
                MathFn::Abs => x,
                _ => format!("(({x} > 0) - ({x} < 0))"),
            };
        }
        let narrow = if ty == Scalar::F32 { "f" } else { "" };
        match function {
            MathFn::Sqrt => format!("sqrt{narrow}({x})"),
            MathFn::Abs => format!("fabs{narrow}({x})"),
            MathFn::Floor => format!("floor{narrow}({x})"),
            MathFn::Ceil => format!("ceil{narrow}({x})"),
            MathFn::Trunc => format!("trunc{narrow}({x})"),
            MathFn::Fract => format!("({x} - trunc{narrow}({x}))"),
            MathFn::Round => format!("round{narrow}({x})"),
            MathFn::MulAdd => format!("fma{narrow}({})", args.join(", ")),
            MathFn::Signum => format!("sign_{name}({x})"),
            MathFn::IsNan => format!("({x} != {x})"),
            // The others have bits of the runtime's own.
            function => {
                let word = if function == MathFn::Pow { "power" } else { function.name() };
                let called = self.p.runtime(&format!("weldment_{word}_{}", ty.name()));
                format!("{called}({})", args.join(", "))
            }
        }
    }

    /// A C function that takes the addresses of its arguments and of its result, or one of Rust, which its shim calls.
    fn foreign(&mut self, symbol: &str, args: &[Value], result: Value) -> String {
        let ty = self.p.ty(result);
        let mut places = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let (arg_ty, place) = (self.p.ty(arg), format!("{result}_arg{i}"));
            self.line(format!("{arg_ty} {place} = {};", self.p.value(arg)));
            places.push(format!("&{place}"));
        }
        self.line(format!("{ty} {result}_to;"));
        let function = self.p.link(Link::Foreign(symbol.to_owned()));
        if self.p.callees.get(symbol).is_some_and(|callee| callee.shim().is_some()) {
            let shim = self.p.link(Link::Shim(symbol.to_owned()));
            self.line(format!(
                "const void *{result}_args[] = {{ {} }};",
                [places, vec!["0".to_owned()]].concat().join(", ")
            ));
            let (args, to) = (format!("{result}_args"), format!("&{result}_to"));
            self.call_runtime("weldment_call", &["frame", &shim, &function, &args, &to]);
        } else {
            places.push(format!("&{result}_to"));
            let params = vec!["const void *"; args.len()].into_iter().chain(["void *"]).collect::<Vec<_>>();
            self.line(format!("((void (*)({})){function})({});", params.join(", "), places.join(", ")));
        }
        format!("{result}_to")
    }

    /// The steps from start to end: a fault unless the stride fits.
    fn steps(&mut self, [start, end, stride]: [&str; 3], cause: Cause, numbers: &[&str], loc: Loc) -> String {
        let range = format!("(u64){end} - (u64){start}");
        let bad = format!("{start} > {end} || {stride} < 1");
        self.fault_if(&bad, cause, numbers, loc);
        // The range may be too wide for a signed number.
        let bad = format!("({range}) % (u64){stride} != 0 || (i64)(({range}) / (u64){stride}) < 0");
        self.fault_if(&bad, cause, numbers, loc);
        format!("(i64)(({range}) / (u64){stride})")
    }
}

/// A vector of `len` elements at `elements`.
pub(super) fn vector(elements: &str, len: &str) -> String {
    format!("(vec){{ .elements = {elements}, .len = {len} }}")
}
