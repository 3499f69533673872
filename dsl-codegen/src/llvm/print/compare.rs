//! The two orders: that of the operators, and the total one of `compare`.

use weldment_core::ir::{CompareOp, Const, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, reg};

impl Func<'_, '_> {
    /// Whether `x op y`.
    pub(super) fn compare_op(&mut self, op: CompareOp, x: Value, y: Value, width: Width) -> Operand {
        if let (CompareOp::Eq | CompareOp::Ne, Some(size)) = (op, size_of_elements(self.ty(x))) {
            let equal = self.same_elements(x, y, size);
            return match op {
                CompareOp::Ne => self.text.def(format_args!("xor i1 {equal}, true")),
                _ => equal,
            };
        }
        let Some(scalars) = self.ty(x).leaves() else {
            let order = self.call_order("weldment_order", x, y);
            let test = match op {
                CompareOp::Eq => "eq i32 ORDER, 0",
                CompareOp::Ne => "ne i32 ORDER, 0",
                CompareOp::Lt => "eq i32 ORDER, -1",
                CompareOp::Le => "sle i32 ORDER, 0",
                CompareOp::Gt => "eq i32 ORDER, 1",
                // 0 or 1, but not −1, and not 2, which a NaN gives.
                CompareOp::Ge => "ule i32 ORDER, 1",
            };
            return self.text.def(format_args!("icmp {}", test.replace("ORDER", &order)));
        };
        let (a, b) = (self.spread(x, width), self.spread(y, width));
        if let ([ty], [a], [b]) = (&scalars[..], &a[..], &b[..]) {
            return self.compare(op, *ty, width, a, b);
        }
        self.compare_leaves(op, &scalars, &a, &b, width)
    }

    /// Whether two texts, or vectors of elements of `size` bytes, are as long as each other and have the same bytes. The length of a literal
    /// is a constant, so that LLVM compares a short one without a call.
    fn same_elements(&mut self, x: Value, y: Value, size: u64) -> Operand {
        let [(a, len), (b, other)] = [x, y].map(|value| match &self.get(value).leaves[..] {
            [elements, len] => (elements.clone(), len.clone()),
            _ => unreachable!("elements and their number"),
        });
        let (compared, done, from) = (self.text.label(), self.text.label(), self.text.current());
        let is_as_long = self.text.def(format_args!("icmp eq i64 {len}, {other}"));
        self.text.branch(&is_as_long, &compared, &done);
        self.text.begin(&compared);
        let is_known = other.bytes().all(|digit| digit.is_ascii_digit());
        let len = if is_known { other } else { len };
        let bytes = match size {
            1 => len,
            _ => self.text.def(format_args!("mul i64 {len}, {size}")),
        };
        self.module
            .declare("bcmp", "declare i32 @bcmp(ptr, ptr, i64) nounwind memory(argmem: read)".to_owned());
        let differ = self.text.def(format_args!("call i32 @bcmp(ptr {a}, ptr {b}, i64 {bytes})"));
        let equal = self.text.def(format_args!("icmp eq i32 {differ}, 0"));
        let behind = self.text.current();
        self.text.begin(&done);
        self.text.def(format_args!("phi i1 [ false, {from} ], [ {equal}, {behind} ]"))
    }

    /// Compares lexicographically: the first pair that is not equal decides, and a NaN in it decides for false.
    fn compare_leaves(
        &mut self,
        op: CompareOp,
        scalars: &[Scalar],
        a: &[Operand],
        b: &[Operand],
        width: Width,
    ) -> Operand {
        let flags = reg(Scalar::Bool, width);
        let if_equal = !matches!(op, CompareOp::Ne | CompareOp::Lt | CompareOp::Gt);
        let mut holds = self.constant(Const::Bool(if_equal), width);
        // The last pair is tested first: each pair before it decides unless it is equal.
        for ((&ty, a), b) in scalars.iter().zip(a).zip(b).rev() {
            let decided = match op {
                CompareOp::Eq | CompareOp::Ne => None,
                CompareOp::Lt | CompareOp::Le => Some(self.compare(CompareOp::Lt, ty, width, a, b)),
                CompareOp::Gt | CompareOp::Ge => Some(self.compare(CompareOp::Gt, ty, width, a, b)),
            };
            holds = match (op, decided) {
                (CompareOp::Ne, _) => {
                    let differ = self.compare(CompareOp::Ne, ty, width, a, b);
                    self.text.def(format_args!("or {flags} {differ}, {holds}"))
                }
                (_, decided) => {
                    let equal = self.compare(CompareOp::Eq, ty, width, a, b);
                    let rest = self.text.def(format_args!("and {flags} {equal}, {holds}"));
                    match decided {
                        Some(decided) => self.text.def(format_args!("or {flags} {decided}, {rest}")),
                        None => rest,
                    }
                }
            };
        }
        holds
    }

    /// −1, 0 or 1 in the total order.
    pub(super) fn order_op(&mut self, x: Value, y: Value, width: Width) -> Operand {
        let Some(scalars) = self.ty(x).leaves() else {
            return self.call_order("weldment_total_order", x, y);
        };
        let (a, b) = (self.spread(x, width), self.spread(y, width));
        let (flags, i32s) = (reg(Scalar::Bool, width), reg(Scalar::I32, width));
        let [minus_one, zero, one] = [-1, 0, 1].map(|order| self.constant(Const::I32(order), width));
        let mut order = zero;
        // The last pair is tested first: each pair before it decides unless it is equal.
        for ((&ty, a), b) in scalars.iter().zip(&a).zip(&b).rev() {
            let less = self.total_less(ty, width, a, b);
            let more = self.total_less(ty, width, b, a);
            let rest = self.text.def(format_args!("select {flags} {more}, {i32s} {one}, {i32s} {order}"));
            order = self.text.def(format_args!("select {flags} {less}, {i32s} {minus_one}, {i32s} {rest}"));
        }
        order
    }

    /// Whether `a` comes before `b` in the total order of a scalar type.
    fn total_less(&mut self, ty: Scalar, width: Width, a: &str, b: &str) -> Operand {
        if !ty.is_float() {
            return self.compare(CompareOp::Lt, ty, width, a, b);
        }
        // `ult` also holds where one is NaN; then it must be b alone.
        let (flags, llvm) = (reg(Scalar::Bool, width), reg(ty, width));
        let less = self.text.def(format_args!("fcmp ult {llvm} {a}, {b}"));
        let number = self.text.def(format_args!("fcmp ord {llvm} {a}, {a}"));
        self.text.def(format_args!("and {flags} {less}, {number}"))
    }

    /// Calls the function that orders values which hold vectors.
    fn call_order(&mut self, function: &str, x: Value, y: Value) -> Operand {
        let ty = self.ty(x);
        let (a, b) = (self.get(x).clone(), self.get(y).clone());
        let (a, b) = (self.spill(ty, &a), self.spill(ty, &b));
        let number = self.module.type_number(ty);
        self.call(function, &["%frame", &number.to_string(), &a, &b])
    }
}

/// The bytes of an element of a text, or of a vector of what is equal where its bytes are.
fn size_of_elements(ty: &Type) -> Option<u64> {
    match ty.element() {
        _ if ty.is_text() => Some(1),
        Some(Type::Scalar(scalar)) if !scalar.is_float() => Some(scalar.size() as u64),
        _ => None,
    }
}
