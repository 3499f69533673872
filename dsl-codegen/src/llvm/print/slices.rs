//! Parts of vectors: where their elements are, and how many.

use weldment_core::ir::{Loc, Value};

use super::func::Func;
use super::val::Val;
use crate::imp::Known;
use crate::llvm::runtime::calls::Cause;

impl Func<'_, '_> {
    /// The elements from `start` on, as many as there are up to `size`: a fault where that is outside.
    pub(super) fn slice(&mut self, [vector, start, size]: [Value; 3], known: Known, loc: Loc) -> Val {
        let ty = self.ty(vector).element().expect("the verifier has seen to it");
        let whole = self.get(vector).clone();
        let (elements, len) = (&whole.leaves[0], &whole.leaves[1]);
        let (start, size) = (self.leaf(start), self.leaf(size));
        if known == Known::InBounds {
            let first = self.element(elements, &start, ty);
            return Val::scalar(vec![first, size]);
        }
        let outside = self.text.def(format_args!("icmp ugt i64 {start}, {len}"));
        let negative = self.text.def(format_args!("icmp slt i64 {size}, 0"));
        let bad = self.text.def(format_args!("or i1 {outside}, {negative}"));
        self.raise_if(&bad, Cause::Slice, loc, &[&start, &size, len]);
        let room = self.text.def(format_args!("sub i64 {len}, {start}"));
        let fits = self.text.def(format_args!("icmp slt i64 {size}, {room}"));
        let size = self.text.def(format_args!("select i1 {fits}, i64 {size}, i64 {room}"));
        let first = self.element(elements, &start, ty);
        Val::scalar(vec![first, size])
    }

    /// The elements from `start` up to `end`, which are there.
    pub(super) fn cut(&mut self, [vector, start, end]: [Value; 3]) -> Val {
        let ty = self.ty(vector).element().expect("the verifier has seen to it");
        let elements = self.get(vector).leaves[0].clone();
        let (start, end) = (self.leaf(start), self.leaf(end));
        let first = self.element(&elements, &start, ty);
        let len = self.text.def(format_args!("sub i64 {end}, {start}"));
        Val::scalar(vec![first, len])
    }
}
