//! Ops, as expressions.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{BinaryOp, CompareOp, Entity, Loc, MathFn, Op, TextFn, UnaryOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::Printer;
use crate::imp::Known;
use crate::rust::{types, values};

impl Printer<'_> {
    pub(super) fn op(&mut self, result: Value, op: &Op, known: Known, loc: Loc) -> TokenStream {
        let p = self.p;
        let place = self.place(loc);
        let name = |value: &Value| self.name(*value);
        match op {
            Op::Const(constant) => types::constant(*constant),
            Op::Unary(UnaryOp::Not, x) => {
                let x = name(x);
                quote!(!#x)
            }
            Op::Unary(UnaryOp::Neg, x) => {
                let is_float = self.scalar(*x).is_float();
                let x = self.operand(*x);
                if is_float { quote!(-#x) } else { quote!(#x.wrapping_neg()) }
            }
            Op::Binary(op, x, y) if self.info(result).position => self.of_positions(*op, *x, *y),
            Op::Binary(op, x, y) => self.binary(*op, *x, *y, known, loc),
            Op::Compare(op, x, y) => self.compare(*op, *x, *y),
            Op::Order(x, y) => {
                let compare = p.compare();
                let (x, y) = (self.borrow(*x), self.borrow(*y));
                quote!(#compare(#x, #y))
            }
            Op::Math(function, args) => self.math(*function, args, known),
            Op::Cast(_, x) if self.info(result).position => self.as_usize(*x),
            Op::Cast(to, x) => self.cast(*to, *x),
            Op::Half(function, x) => {
                let (half, function, x) = (p.half(), format_ident!("{}", function.name()), name(x));
                quote!(#half::#function(#x))
            }
            Op::Select(cond, yes, no)
                if known == Known::Unpredictable && self.ty(*yes).as_scalar().is_some() =>
            {
                let (select, cond, yes, no) = (p.select(), name(cond), name(yes), name(no));
                quote!(#select(#cond, #yes, #no))
            }
            Op::Select(cond, yes, no) => {
                let cond = name(cond);
                if self.ty(*yes).is_scalars() {
                    let (yes, no) = (name(yes), name(no));
                    quote!(if #cond { #yes } else { #no })
                } else {
                    let (yes, no) = (self.borrow(*yes), self.borrow(*no));
                    quote!(if #cond { #yes } else { #no })
                }
            }
            Op::Struct(bytes, _) if self.info(result).in_parts && self.ty(result).is_text() => {
                let (text_bytes, bytes) = (p.text_bytes(), self.borrow(bytes[0]));
                quote!(#text_bytes(#bytes))
            }
            Op::Struct(parts, _) if self.info(result).in_parts => {
                let parts = parts.iter().map(|&part| match self.info(part).in_parts {
                    true => self.name(part),
                    false => self.borrow(part),
                });
                quote!((#(#parts,)*))
            }
            Op::Struct(bytes, _) if let Some(text) = self.literal_text(result, bytes[0]) => quote!(#text),
            Op::Struct(bytes, _) if self.ty(result).is_text() && !self.is_owned(result) => {
                let (text_of, bytes) = (p.text_of(), self.borrow(bytes[0]));
                quote!(#text_of(#bytes))
            }
            Op::Struct(fields, _) => {
                let fields: Vec<_> = fields.iter().map(name).collect();
                values::make(p, self.ty(result), &fields)
            }
            Op::Field(x, 0) if self.ty(*x).as_array().is_some() => {
                let array = name(x);
                quote!(#array.as_slice())
            }
            Op::Field(x, number) if self.ty(*x).as_array().is_some() => {
                let (array, number) = (name(x), Literal::u32_unsuffixed(*number));
                quote!(#array.number(#number))
            }
            Op::Field(x, _) if self.ty(*x).is_text() => {
                let text = name(x);
                quote!(#text.as_bytes())
            }
            Op::Field(x, _) if let Some((_, of)) = self.ty(*x).as_lent() => {
                let reference = name(x);
                match of {
                    _ if types::is_slice(of) => quote!(&#reference[..]),
                    _ if of.is_scalars() => quote!(**#reference),
                    _ => quote!(*#reference),
                }
            }
            Op::Field(x, number) if self.ty(*x).as_column().is_some() => {
                let part = values::part(p, self.ty(*x), *number as usize, self.span(loc));
                let column = name(x);
                quote!(#column #part)
            }
            Op::Field(x, number) if self.ty(*x).as_option().is_some() => self.part_of_option(*x, *number),
            Op::Field(x, number) => {
                let part = values::part(p, self.ty(*x), *number as usize, self.span(loc));
                let whole = name(x);
                self.part_of(result, quote!(#whole #part))
            }
            Op::Vector(elements) => {
                if !self.is_owned(result) {
                    return self.literal(result, elements);
                }
                let (copy, elements) = (p.copy(), elements.iter().map(name));
                quote!(#copy::vector(cx, [#(#elements),*])?)
            }
            Op::Len(x) => {
                let x = name(x);
                quote!(#x.len() as i64)
            }
            Op::At(vector, index) if known == Known::InBounds && self.ty(result).as_scalar().is_some() => {
                let (x, index) = (name(vector), self.as_usize(*index));
                let zero = types::zero(p, self.ty(result));
                quote!(#x.get(#index).copied().unwrap_or(#zero))
            }
            Op::At(vector, index) => {
                let (x, index) = (name(vector), self.as_usize(*index));
                self.part_of(result, quote!(#x[#index]))
            }
            Op::CheckIndex(index, length) => {
                let (checked, index, length) = (p.checked(), name(index), name(length));
                quote!(#checked::index(#index, #length, #place)?)
            }
            Op::Lookup(x, key) => {
                let (checked, dict) = (p.checked(), self.borrow(*x));
                let found = match self.found_by(known) {
                    Some(found) => quote!(#checked::found(#found, #dict, #place)?),
                    None => {
                        let value = self.by_parts("value", "value_by_parts", *key);
                        let key = self.borrow(*key);
                        quote!(#checked::#value(#dict, #key, #place)?)
                    }
                };
                match self.ty(result) {
                    ty if ty.is_scalars() => quote!(*#found),
                    ty if types::is_slice(ty) => quote!(&#found[..]),
                    _ => found,
                }
            }
            Op::Slice(x, start, size) => {
                if known == Known::InBounds {
                    return self.cut(*x, [*start, *size]);
                }
                let (checked, vector) = (p.checked(), self.borrow(*x));
                let (start, size) = (name(start), name(size));
                quote!(#checked::slice(#vector, #start, #size, #place)?)
            }
            Op::Cut(x, start, end) => {
                let (x, start, end) = (name(x), self.as_usize(*start), self.as_usize(*end));
                quote!(#x.get(#start..#end).unwrap_or_default())
            }
            Op::Ranked(numbers, at) => {
                let (ranked, numbers, at) = (p.ranked(), self.borrow(*numbers), name(at));
                quote!(#ranked(cx, #numbers, #at, #place)?)
            }
            Op::Text(TextFn::Find, args) if let Some(part) = self.literals.get(&args[1]) => {
                let (of, part) = (p.text_part(), Literal::byte_string(part));
                let (text, from) = (self.borrow(args[0]), name(&args[2]));
                quote!({ static PART: #of = #of::new(#part); PART.find(#text, #from) })
            }
            Op::Text(function, args) => {
                let (text, function) = (p.text(), format_ident!("{}", function.name()));
                let args = args.iter().map(|&arg| self.pass(arg));
                quote!(#text::#function(#(#args),*))
            }
            Op::Write(function, args) => {
                let (write, function) = (p.write(), format_ident!("{}", function.name()));
                let args = args.iter().map(|&arg| self.pass(arg));
                quote!(#write::#function(cx, #(#args),*)?)
            }
            Op::Dbg(text) => {
                let (show, file, text) = (p.show(), self.file(loc), self.borrow(*text));
                quote!(#show(cx, #file, #text, #place))
            }
            Op::ToVec(dict) if known == Known::Taken => {
                let (copy, dict) = (p.copy(), name(dict));
                quote!(#copy::into_pairs(cx, #dict)?)
            }
            Op::ToVec(dict) => {
                let (copy, dict) = (p.copy(), self.borrow(*dict));
                quote!(#copy::pairs(cx, #dict)?)
            }
            Op::KeyExists(dict, key) => match self.found_by(known) {
                Some(found) => quote!(#found.is_some()),
                None => {
                    let contains = self.by_parts("contains_key", "contains_parts", *key);
                    let (dict, key) = (name(dict), self.borrow(*key));
                    quote!(#dict.#contains(#key))
                }
            },
            Op::OptLookup(dict, key) => {
                let value = &self.ty(result).fields().expect("a struct of bool and value")[1];
                let zero = types::zero(p, value);
                let (some, none, copy) = (p.some(), p.none(), p.copy());
                let value =
                    if value.is_scalars() { quote!(*value) } else { quote!(#copy::value(cx, value)?) };
                let found = self.found_by(known).unwrap_or_else(|| self.search(*dict, *key));
                quote! {
                    match #found {
                        #some(value) => (true, #value),
                        #none => (false, #zero),
                    }
                }
            }
            Op::Assert(cond) => {
                let (checked, cond) = (p.checked(), name(cond));
                quote!(#checked::assert(#cond, #place)?)
            }
            Op::IterLen(len, start, end, stride) => {
                let checked = p.checked();
                let (len, start, end, stride) = (name(len), name(start), name(end), name(stride));
                quote!(#checked::iter_len(#len, #start, #end, #stride, #place)?)
            }
            Op::Units(units, digits) => {
                let (checked, units, digits) = (p.checked(), name(units), name(digits));
                quote!(#checked::units(#units, #digits, #place)?)
            }
            Op::RangeLen(start, end, stride) => {
                let checked = p.checked();
                let (start, end, stride) = (name(start), name(end), name(stride));
                quote!(#checked::range_len(#start, #end, #stride, #place)?)
            }
            Op::ZipLen(of, lens) => {
                let (checked, check) = (p.checked(), format_ident!("{}", of.name()));
                let lens = lens.iter().map(name);
                quote!(#checked::#check(&[#(#lens),*], #place)?)
            }
            Op::CheckExtents(extents) => {
                let (checked, extents) = (p.checked(), extents.iter().map(name));
                quote!(#checked::extents(&[#(#extents),*], #place)?)
            }
            Op::Shape(vector, extents) => {
                let (checked, extents) = (p.checked(), extents.iter().map(name));
                let vector = self.borrow(*vector);
                quote!(#checked::shape(#vector, &[#(#extents),*], #place)?)
            }
            Op::Position(coordinate, lower, step, extent) => {
                let checked = p.checked();
                let (coordinate, lower, step, extent) =
                    (name(coordinate), name(lower), name(step), name(extent));
                quote!(#checked::coordinate(#coordinate, #lower, #step, #extent, #place)?)
            }
            Op::SpanLen(numbers) => {
                let (checked, numbers) = (p.checked(), numbers.iter().map(name));
                quote!(#checked::span_len([#(#numbers),*], #place)?)
            }
            Op::Span(part, numbers) => {
                let (checked, part) = (p.checked(), format_ident!("{}", part.name()));
                let numbers = numbers.iter().map(name);
                quote!(#checked::#part([#(#numbers),*]))
            }
            Op::Linearize(..) | Op::AssumeIndex(..) => {
                unreachable!("`linearize` is products and sums of the loop IR, and nothing is assumed there")
            }
            Op::Serialize(x) => {
                let (serialize, x) = (p.serialize(), self.borrow(*x));
                quote!(#serialize(cx, #x)?)
            }
            Op::Deserialize(bytes) => {
                let (deserialize, ty) = (p.deserialize(), types::owned(p, self.ty(result)));
                let bytes = self.borrow(*bytes);
                quote!(#deserialize::<#ty>(cx, #bytes, #place)?)
            }
            Op::Call(symbol, args) => self.foreign_call(symbol, args, result, loc),
            Op::Sort { .. }
            | Op::If { .. }
            | Op::Iterate { .. }
            | Op::Loop(_)
            | Op::Merge { .. }
            | Op::For { .. } => unreachable!("{} is a statement of its own", op.name()),
        }
    }

    /// What the look-up finds, if that is kept in a variable.
    fn found_by(&self, known: Known) -> Option<TokenStream> {
        let Known::Shared(first) = known else { return None };
        let found = found(first);
        self.searched.contains(&first).then(|| quote!(#found))
    }

    /// `v4.get(&v7)`
    pub(super) fn search(&self, dict: Value, key: Value) -> TokenStream {
        let get = self.by_parts("get", "get_by_parts", key);
        let (dict, key) = (self.name(dict), self.borrow(key));
        quote!(#dict.#get(#key))
    }

    /// Which of two functions takes this key: the one that takes it whole, or the one that takes its parts.
    pub(super) fn by_parts(&self, whole: &str, parts: &str, key: Value) -> Ident {
        format_ident!("{}", if self.info(key).in_parts { parts } else { whole })
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.ty(value).as_scalar().expect("a scalar")
    }

    /// A part of another value, which lies at `place` and is bound to `result`.
    pub(super) fn part_of(&self, result: Value, place: TokenStream) -> TokenStream {
        match self.ty(result) {
            ty if ty.is_scalars() => place,
            ty if types::is_slice(ty) => quote!(&#place[..]),
            _ => quote!(&#place),
        }
    }

    /// Of an option, whether there is a value, or the value, which is zero where there is none.
    fn part_of_option(&self, option: Value, number: u32) -> TokenStream {
        let value = self.ty(option).as_option().expect("an option");
        let value = types::in_box(value).unwrap_or(value);
        let (zero, option) = (types::zero(self.p, value), self.name(option));
        match value.element() {
            _ if number == 0 => quote!(#option.is_some()),
            _ if value.is_scalars() => quote!(#option.unwrap_or(#zero)),
            Some(_) => quote!(#option.as_deref().unwrap_or(&[])),
            None if value.is_text() => quote!(#option.as_deref().unwrap_or("")),
            // A constant outlives whatever refers to it.
            None => quote!(#option.as_ref().unwrap_or(const { &#zero })),
        }
    }

    /// Arithmetic of positions, which does not wrap.
    fn of_positions(&self, op: BinaryOp, x: Value, y: Value) -> TokenStream {
        let (x, y) = (self.name(x), self.name(y));
        match op {
            BinaryOp::Add => quote!(#x + #y),
            BinaryOp::Sub => quote!(#x - #y),
            BinaryOp::Mul => quote!(#x * #y),
            BinaryOp::Div => quote!(#x / #y),
            // Of `usize`, a method is found whatever its receiver is.
            BinaryOp::Min => quote!(usize::min(#x, #y)),
            BinaryOp::Max => quote!(usize::max(#x, #y)),
            BinaryOp::Rem => quote!(#x % #y),
            _ => unreachable!("the verifier has seen to it"),
        }
    }

    fn binary(&self, op: BinaryOp, x: Value, y: Value, known: Known, loc: Loc) -> TokenStream {
        let ty = self.scalar(x);
        let place = self.place(loc);
        let (integer, number, checked) = (self.p.integer(), self.p.number(), self.p.checked());
        let float = self.p.float();
        let (x, y) = (self.operand(x), self.name(y));
        match op {
            BinaryOp::Add if ty.is_float() => quote!(#x + #y),
            BinaryOp::Sub if ty.is_float() => quote!(#x - #y),
            BinaryOp::Mul if ty.is_float() => quote!(#x * #y),
            BinaryOp::Div if ty.is_float() => quote!(#x / #y),
            BinaryOp::Rem if ty.is_float() => quote!(#float::remainder(#x, #y)),
            BinaryOp::Add => quote!(#x.wrapping_add(#y)),
            BinaryOp::Sub => quote!(#x.wrapping_sub(#y)),
            BinaryOp::Mul => quote!(#x.wrapping_mul(#y)),
            BinaryOp::Div if known == Known::Divides => quote!(#x.wrapping_div(#y)),
            BinaryOp::Rem if known == Known::Divides => quote!(#x.wrapping_rem(#y)),
            BinaryOp::Div => quote!(#checked::div(#x, #y, #place)?),
            BinaryOp::Rem => quote!(#checked::rem(#x, #y, #place)?),
            BinaryOp::And => quote!(#x & #y),
            BinaryOp::Or => quote!(#x | #y),
            BinaryOp::Xor => quote!(#x ^ #y),
            BinaryOp::Shl => quote!(#integer::shift_left(#x, #y)),
            BinaryOp::Shr => quote!(#integer::shift_right(#x, #y)),
            BinaryOp::Min => quote!(#number::least(#x, #y)),
            BinaryOp::Max => quote!(#number::greatest(#x, #y)),
        }
    }

    fn compare(&self, op: CompareOp, x: Value, y: Value) -> TokenStream {
        if self.ty(x).as_scalar().is_some() {
            let (x, y, op) = (self.name(x), self.name(y), operator(op));
            return quote!(#x #op #y);
        }
        // The order of texts is that of Rust, and so is the equality of vectors of what is no float.
        if self.ty(x).is_text() {
            let (x, y, op) = (self.borrow(x), self.borrow(y), operator(op));
            return quote!(#x #op #y);
        }
        if let (CompareOp::Eq | CompareOp::Ne, Some(Type::Scalar(element))) = (op, self.ty(x).element())
            && !element.is_float()
        {
            let (x, y, op) = (self.borrow(x), self.borrow(y), operator(op));
            return quote!(#x #op #y);
        }
        let (holds, compare_op, op) = (self.p.holds(), self.p.compare_op(), format_ident!("{op:?}"));
        let (x, y) = (self.borrow(x), self.borrow(y));
        quote!(#holds(#compare_op::#op, #x, #y))
    }

    fn math(&self, function: MathFn, args: &[Value], known: Known) -> TokenStream {
        let of = if function.takes_integers() { self.p.number() } else { self.p.float() };
        let near = if known == Known::Near { "near_" } else { "" };
        let method = format_ident!("{near}{}", function.method());
        let args = args.iter().map(|&arg| self.name(arg));
        quote!(#of::#method(#(#args),*))
    }

    fn cast(&self, to: Scalar, x: Value) -> TokenStream {
        let from = self.scalar(x);
        let (x, ty) = (self.name(x), types::scalar(to));
        match (from, to) {
            (from, to) if from == to => quote!(#x),
            (from, Scalar::Bool) if from.is_float() => unreachable!("floats are no conditions"),
            (_, Scalar::Bool) => quote!(#x != 0),
            (Scalar::Bool, to) if to.is_float() => quote!(#x as u8 as #ty),
            _ => quote!(#x as #ty),
        }
    }
}

/// `==`
fn operator(op: CompareOp) -> TokenStream {
    match op {
        CompareOp::Eq => quote!(==),
        CompareOp::Ne => quote!(!=),
        CompareOp::Lt => quote!(<),
        CompareOp::Le => quote!(<=),
        CompareOp::Gt => quote!(>),
        CompareOp::Ge => quote!(>=),
    }
}

/// What the first of several look-ups has found, which gives this value.
pub(super) fn found(first: Value) -> Ident {
    format_ident!("at{}", first.index())
}
