//! `for`: iterators become an extent and reads by index, the function becomes a body.

use std::collections::BTreeSet;

use super::control::survey;
use super::{Lower, Term};
use crate::infer::typed::{Expr, Iter, IterKind, Local};
use crate::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::Type;

/// How the elements of an iterator come from the index of the loop.
pub(super) enum Access {
    /// `vector[i]`
    Whole(Value),
    /// `vector[start + i * stride]`
    Strided { vector: Value, start: Value, stride: Value },
    /// `start + i * stride`
    Range { start: Value, stride: Value },
}

/// How an element is read.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Read {
    /// At the index of a loop, whose extent proves the bounds.
    Proved,
    /// At any index, which is checked.
    Checked,
}

impl Lower {
    /// `for(iters, builder, |builder, index, element| body)`
    pub(super) fn for_loop(
        &mut self,
        iters: &[Iter],
        builder: &Expr,
        params: &[Local; 3],
        body: &Expr,
        loc: Loc,
    ) -> Term {
        let (extent, accesses) = self.space(iters, loc);
        let term = self.term(builder);
        self.open();
        let index = self.builder.add_param(Type::I64);
        let element = self.elements(&accesses, index, Read::Proved, loc);
        self.terms.insert(params[0], term.clone());
        self.terms.insert(params[1], Term::Value(index));
        self.terms.insert(params[2], Term::Value(element));
        self.term(body);
        let body = self.close(Vec::new());
        let mut sinks = BTreeSet::new();
        survey(&term, &mut sinks, &mut Vec::new());
        self.record(Op::For { extent, body }, sinks, loc);
        term
    }

    /// The number of steps of iterators that run together, and how each one's elements are found.
    pub(super) fn space(&mut self, iters: &[Iter], loc: Loc) -> (Value, Vec<Access>) {
        let mut extents = Vec::new();
        let mut accesses = Vec::new();
        for iter in iters {
            let (extent, access) = self.iter(iter);
            extents.push(extent);
            accesses.push(access);
        }
        let extent = match &extents[..] {
            [extent] => *extent,
            _ => self.builder.push(Op::ZipLen(extents), loc),
        };
        (extent, accesses)
    }

    /// The element of iterators at `index`: a struct, where there are several.
    pub(super) fn elements(&mut self, accesses: &[Access], index: Value, read: Read, loc: Loc) -> Value {
        let mut element = |access: &Access| self.element(access, index, read, loc);
        let elements: Vec<Value> = accesses.iter().map(&mut element).collect();
        match &elements[..] {
            [element] => *element,
            _ => self.builder.push(Op::Struct(elements, None), loc),
        }
    }

    /// The type of what [`Lower::elements`] gives.
    pub(super) fn element_type(&self, accesses: &[Access]) -> Type {
        let ty = |access: &Access| match access {
            Access::Whole(vector) | Access::Strided { vector, .. } => {
                self.builder.ty(*vector).element().expect("a vector").clone()
            }
            Access::Range { .. } => Type::I64,
        };
        match accesses {
            [access] => ty(access),
            _ => Type::Struct(accesses.iter().map(ty).collect()),
        }
    }

    fn iter(&mut self, iter: &Iter) -> (Value, Access) {
        let loc = self.loc(iter.span);
        match &iter.kind {
            IterKind::All(vector) => {
                let vector = self.value(vector);
                (self.builder.push(Op::Len(vector), loc), Access::Whole(vector))
            }
            IterKind::Strided { vector, start, end, stride } => {
                let vector = self.value(vector);
                let (start, end, stride) = (self.value(start), self.value(end), self.value(stride));
                let len = self.builder.push(Op::Len(vector), loc);
                let extent = self.builder.push(Op::IterLen(len, start, end, stride), loc);
                (extent, Access::Strided { vector, start, stride })
            }
            IterKind::Range { start, end, stride } => {
                let (start, end, stride) = (self.value(start), self.value(end), self.value(stride));
                (self.builder.push(Op::RangeLen(start, end, stride), loc), Access::Range { start, stride })
            }
            IterKind::Span { start, end } => {
                let (start, end) = (self.value(start), self.value(end));
                let end = self.builder.binary(BinaryOp::Max, start, end, loc);
                let stride = self.builder.constant(1i64, loc);
                (self.builder.push(Op::RangeLen(start, end, stride), loc), Access::Range { start, stride })
            }
        }
    }

    fn element(&mut self, access: &Access, index: Value, read: Read, loc: Loc) -> Value {
        match *access {
            Access::Whole(vector) => self.read(vector, index, read, loc),
            Access::Strided { vector, start, stride } => {
                let at = self.affine(start, stride, index, loc);
                self.read(vector, at, read, loc)
            }
            Access::Range { start, stride } => self.affine(start, stride, index, loc),
        }
    }

    /// The element of `vector` at `index`.
    pub(super) fn read(&mut self, vector: Value, mut index: Value, read: Read, loc: Loc) -> Value {
        if read == Read::Checked {
            let length = self.builder.push(Op::Len(vector), loc);
            index = self.builder.push(Op::CheckIndex(index, length), loc);
        }
        self.builder.push(Op::At(vector, index), loc)
    }

    /// `start + index * stride`
    fn affine(&mut self, start: Value, stride: Value, index: Value, loc: Loc) -> Value {
        let offset = self.builder.binary(BinaryOp::Mul, index, stride, loc);
        self.builder.binary(BinaryOp::Add, start, offset, loc)
    }
}
