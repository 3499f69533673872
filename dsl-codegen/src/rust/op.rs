//! Ops that bind one value, as expressions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use weldment_core::ir::{BinaryOp, CompareOp, Loc, MathFn, Op, UnaryOp, Value};
use weldment_runtime::types::{Scalar, Type};

use super::iteration::Angles;
use super::scope::{Form, Scope, borrow_place};
use super::{Emitter, names, structs, types};
use crate::loops::{facts, searches};

/// An expression, and how the variable that it is bound to holds its value.
pub(super) struct Bound {
    pub(super) value: TokenStream,
    /// What a borrowed value refers to; `None` if it is owned or copied.
    pub(super) roots: Option<Vec<Value>>,
}

impl Bound {
    fn owned(value: TokenStream) -> Bound {
        Bound { value, roots: None }
    }

    fn borrowed(value: TokenStream, roots: impl IntoIterator<Item = Value>) -> Bound {
        Bound { value, roots: Some(roots.into_iter().collect()) }
    }
}

impl Emitter<'_> {
    /// Whether `op` can fault, so that its expression holds a `?`.
    pub(super) fn op_faults(&self, op: &Op) -> bool {
        match op {
            Op::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), x, y) => {
                self.ty(*x).as_scalar().is_some_and(|ty| op.can_fault(ty))
                    && !facts::divides_safely(self.consts.get(y))
            }
            Op::CheckIndex(..)
            | Op::Lookup(..)
            | Op::Slice(..)
            | Op::Assert(_)
            | Op::IterLen { .. }
            | Op::RangeLen { .. }
            | Op::ZipLen(_) => true,
            op => self.op_allocates(op),
        }
    }

    /// Whether `op` can allocate, so that it needs the context.
    pub(super) fn op_allocates(&self, op: &Op) -> bool {
        match op {
            Op::Vector(_) | Op::ToVec(_) | Op::Serialize(_) | Op::Deserialize(_) => true,
            Op::Struct(fields, _) => fields.iter().any(|&field| self.can_be_copied(field)),
            Op::OptLookup(dict, _) => {
                matches!(self.ty(*dict), Type::Dict(_, value) if !value.is_scalars())
            }
            _ => false,
        }
    }

    /// Whether giving `value` away may take a copy of it that allocates.
    pub(super) fn can_be_copied(&self, value: Value) -> bool {
        !self.ty(value).is_scalars()
    }

    pub(super) fn op(&mut self, scope: &Scope, result: Value, op: &Op, loc: Loc) -> Bound {
        let p = self.p;
        let (line, column) = self.place(loc);
        let name = |value: &Value| self.name(*value);
        Bound::owned(match op {
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
            Op::Binary(op, x, y) => self.binary(*op, *x, *y, loc),
            Op::Compare(op, x, y) => self.compare(scope, *op, *x, *y),
            Op::Order(x, y) => {
                let compare = p.compare();
                let (x, y) = (scope.borrow(*x, self.ty(*x)), scope.borrow(*y, self.ty(*y)));
                quote!(#compare(#x, #y))
            }
            Op::Math(function, args) => self.math(*function, args),
            Op::Cast(to, x) => self.cast(*to, *x),
            Op::Select(cond, yes, no) => {
                let cond = name(cond);
                if self.ty(*yes).is_scalars() {
                    let (yes, no) = (name(yes), name(no));
                    quote!(if #cond { #yes } else { #no })
                } else {
                    let roots = [*yes, *no];
                    let (yes, no) = (scope.borrow(*yes, self.ty(*yes)), scope.borrow(*no, self.ty(*no)));
                    return Bound::borrowed(quote!(if #cond { #yes } else { #no }), roots);
                }
            }
            Op::Struct(fields, _) => {
                let fields = self.own_all(scope, fields);
                structs::make(p, self.ty(result), &fields)
            }
            Op::Field(x, number) => {
                let member = structs::member_at(p, self.ty(*x), *number as usize, self.span(loc));
                let whole = name(x);
                return self.part(quote!(#whole.#member), *x, result);
            }
            Op::Vector(elements) => {
                let (vec, copy) = (p.vec(), p.copy());
                let elements = self.own_all(scope, elements);
                if elements.is_empty() {
                    quote!(#vec::new())
                } else {
                    quote!(#copy::vector(cx, [#(#elements),*])?)
                }
            }
            Op::Len(x) => {
                let x = name(x);
                quote!(#x.len() as i64)
            }
            Op::At(vector, index) => {
                let (place, root) = if scope.is_column(*vector, *index) {
                    let (column, position) = (names::column(*vector, *index), names::position(*index));
                    (quote!(#column[#position]), *vector)
                } else {
                    let (x, index) = (name(vector), self.as_usize(*index));
                    (quote!(#x[#index]), *vector)
                };
                return self.part(place, root, result);
            }
            Op::CheckIndex(index, length) => {
                let (checked, index, length) = (p.checked(), name(index), name(length));
                quote!(#checked::index(#index, #length, #line, #column)?)
            }
            Op::Lookup(x, key) => {
                let (checked, dict) = (p.checked(), scope.borrow(*x, self.ty(*x)));
                let found = match self.found(result) {
                    Some(found) => quote!(#checked::found(#found, #dict, #line, #column)?),
                    None => {
                        let key = scope.borrow(*key, self.ty(*key));
                        quote!(#checked::value(#dict, #key, #line, #column)?)
                    }
                };
                let ty = self.ty(result);
                return match ty.element() {
                    _ if ty.is_scalars() => Bound::owned(quote!(*#found)),
                    Some(_) => Bound::borrowed(quote!(&#found[..]), [*x]),
                    None => Bound::borrowed(found, [*x]),
                };
            }
            Op::Slice(x, start, size) => {
                let (checked, vector) = (p.checked(), scope.borrow(*x, self.ty(*x)));
                if self.program.within.contains(&result) {
                    let (start, size) = (self.as_usize(*start), self.as_usize(*size));
                    return Bound::borrowed(quote!(&#vector[#start..][..#size]), [*x]);
                }
                let (start, size) = (name(start), name(size));
                let slice = quote!(#checked::slice(#vector, #start, #size, #line, #column)?);
                return Bound::borrowed(slice, [*x]);
            }
            Op::ToVec(dict) => {
                let (copy, dict) = (p.copy(), scope.borrow(*dict, self.ty(*dict)));
                quote!(#copy::pairs(cx, #dict)?)
            }
            Op::KeyExists(dict, key) => match self.found(result) {
                Some(found) => quote!(#found.is_some()),
                None => {
                    let (dict, key) = (name(dict), scope.borrow(*key, self.ty(*key)));
                    quote!(#dict.contains_key(#key))
                }
            },
            Op::OptLookup(dict, key) => {
                let value = &self.ty(result).fields().expect("a struct of bool and value")[1];
                let zero = types::zero(p, value);
                let (some, none, copy) = (p.some(), p.none(), p.copy());
                let value =
                    if value.is_scalars() { quote!(*value) } else { quote!(#copy::value(cx, value)?) };
                let found = self.found(result).unwrap_or_else(|| self.search(scope, *dict, *key));
                quote! {
                    match #found {
                        #some(value) => (true, #value),
                        #none => (false, #zero),
                    }
                }
            }
            Op::Assert(cond) => {
                let (checked, cond) = (p.checked(), name(cond));
                quote!(#checked::assert(#cond, #line, #column)?)
            }
            Op::IterLen { len, start, end, stride } => {
                let checked = p.checked();
                let (len, start, end, stride) = (name(len), name(start), name(end), name(stride));
                quote!(#checked::iter_len(#len, #start, #end, #stride, #line, #column)?)
            }
            Op::RangeLen { start, end, stride } => {
                let checked = p.checked();
                let (start, end, stride) = (name(start), name(end), name(stride));
                quote!(#checked::range_len(#start, #end, #stride, #line, #column)?)
            }
            Op::ZipLen(lens) => {
                let checked = p.checked();
                let lens = lens.iter().map(name);
                quote!(#checked::zip_len(&[#(#lens),*], #line, #column)?)
            }
            Op::Serialize(x) => {
                let (serialize, x) = (p.serialize(), scope.borrow(*x, self.ty(*x)));
                quote!(#serialize(cx, #x)?)
            }
            Op::Deserialize(bytes) => {
                let (deserialize, ty) = (p.deserialize(), types::owned(p, self.ty(result)));
                let bytes = scope.borrow(*bytes, self.ty(*bytes));
                quote!(#deserialize::<#ty>(cx, #bytes, #line, #column)?)
            }
            Op::Call { symbol, args } => self.foreign(symbol, args, result, loc),
            Op::Sort { .. }
            | Op::If { .. }
            | Op::Iterate { .. }
            | Op::Loop(_)
            | Op::Merge { .. }
            | Op::For { .. } => unreachable!("{} has a step of its own", op.name()),
        })
    }

    /// What the look-up that gives `result` finds, if that is kept in a variable, see [`Emitter::search_for_all`].
    fn found(&self, result: Value) -> Option<TokenStream> {
        let shared = &self.program.shared_searches;
        let first = shared.get(&result).or_else(|| self.searches_for_others.get(&result))?;
        let found = names::found(*first);
        Some(quote!(#found))
    }

    /// `v4.get(&v7)`
    fn search(&self, scope: &Scope, dict: Value, key: Value) -> TokenStream {
        let (dict, key) = (self.name(dict), scope.borrow(key, self.ty(key)));
        quote!(#dict.get(#key))
    }

    /// `let at9 = v4.get(&v7);`, before the first of several look-ups, which gives `v9`.
    pub(super) fn search_for_all(&self, scope: &Scope, result: Value, op: &Op) -> Option<TokenStream> {
        let (dict, key) = searches::searched(&self.program.values, op)?;
        let first = self.searches_for_others.get(&result)?;
        let (found, search) = (names::found(*first), self.search(scope, dict, key));
        Some(quote!(let #found = #search;))
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.ty(value).as_scalar().expect("a scalar")
    }

    /// A part of `whole`, which lies at `place` and is bound to `result`.
    fn part(&self, place: TokenStream, whole: Value, result: Value) -> Bound {
        let ty = self.ty(result);
        if ty.is_scalars() { Bound::owned(place) } else { Bound::borrowed(borrow_place(ty, &place), [whole]) }
    }

    /// The values, given away one after the other.
    pub(super) fn own_all(&self, scope: &Scope, values: &[Value]) -> Vec<TokenStream> {
        let own = |(i, &value): (usize, &Value)| scope.own(self.p, value, self.ty(value), &values[i + 1..]);
        values.iter().enumerate().map(own).collect()
    }

    fn binary(&self, op: BinaryOp, x: Value, y: Value, loc: Loc) -> TokenStream {
        let ty = self.scalar(x);
        let divides_safely = facts::divides_safely(self.consts.get(&y));
        let (line, column) = self.place(loc);
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
            BinaryOp::Div if divides_safely => quote!(#x.wrapping_div(#y)),
            BinaryOp::Rem if divides_safely => quote!(#x.wrapping_rem(#y)),
            BinaryOp::Div => quote!(#checked::div(#x, #y, #line, #column)?),
            BinaryOp::Rem => quote!(#checked::rem(#x, #y, #line, #column)?),
            BinaryOp::And => quote!(#x & #y),
            BinaryOp::Or => quote!(#x | #y),
            BinaryOp::Xor => quote!(#x ^ #y),
            BinaryOp::Shl => quote!(#integer::shift_left(#x, #y)),
            BinaryOp::Shr => quote!(#integer::shift_right(#x, #y)),
            BinaryOp::Min => quote!(#number::least(#x, #y)),
            BinaryOp::Max => quote!(#number::greatest(#x, #y)),
        }
    }

    fn compare(&self, scope: &Scope, op: CompareOp, x: Value, y: Value) -> TokenStream {
        if self.ty(x).as_scalar().is_some() {
            let (x, y) = (self.name(x), self.name(y));
            return match op {
                CompareOp::Eq => quote!(#x == #y),
                CompareOp::Ne => quote!(#x != #y),
                CompareOp::Lt => quote!(#x < #y),
                CompareOp::Le => quote!(#x <= #y),
                CompareOp::Gt => quote!(#x > #y),
                CompareOp::Ge => quote!(#x >= #y),
            };
        }
        let (holds, compare_op, op) = (self.p.holds(), self.p.compare_op(), format_ident!("{op:?}"));
        let (x, y) = (scope.borrow(x, self.ty(x)), scope.borrow(y, self.ty(y)));
        quote!(#holds(#compare_op::#op, #x, #y))
    }

    fn math(&self, function: MathFn, args: &[Value]) -> TokenStream {
        let (number, float) = (self.p.number(), self.p.float());
        let args = args.iter().map(|&arg| self.name(arg));
        match function {
            MathFn::Abs => quote!(#number::absolute(#(#args),*)),
            MathFn::Signum => quote!(#number::sign(#(#args),*)),
            MathFn::Pow => quote!(#number::power(#(#args),*)),
            MathFn::Sin if self.angles == Angles::Near => quote!(#float::near_sin(#(#args),*)),
            MathFn::Cos if self.angles == Angles::Near => quote!(#float::near_cos(#(#args),*)),
            MathFn::Tan if self.angles == Angles::Near => quote!(#float::near_tan(#(#args),*)),
            _ => {
                let method = format_ident!("{}", function.name());
                quote!(#float::#method(#(#args),*))
            }
        }
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

impl Scope {
    /// Binds `result`, of type `ty`, to what an op gives.
    pub(super) fn bind_to(&mut self, result: Value, ty: &Type, bound: &Bound) {
        match &bound.roots {
            None => self.bind(result, ty),
            Some(roots) => self.bind_borrowed(result, ty, roots.iter().copied()),
        }
        debug_assert!(bound.roots.is_none() || self.form(result) != Form::Owned);
    }
}
