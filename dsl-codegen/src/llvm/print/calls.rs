//! Ops that functions of the runtime do: those of texts, and selection.

use weldment_core::ir::{Loc, TextFn, Value, WriteFn};
use weldment_runtime::lang::types::Type;

use super::func::Func;
use super::val::Val;
use crate::llvm::runtime::calls::Cause;

impl Func<'_, '_> {
    pub(super) fn text_op(&mut self, function: TextFn, args: &[Value], result: Value) -> Val {
        let number = function.number().to_string();
        let (mut words, mut from) = (Vec::new(), "0".to_owned());
        for &arg in args {
            match self.ty(arg).element().is_some() {
                true => words.extend(self.get(arg).leaves.clone()),
                false => from = self.leaf(arg),
            }
        }
        if words.len() == 2 {
            words.extend(["null", "0"].map(str::to_owned));
        }
        words.push(from);
        let (ty, room) = (self.ty(result), self.room(self.ty(result)));
        let words: Vec<&str> =
            [&*number].into_iter().chain(words.iter().map(|word| &**word)).chain([&*room]).collect();
        self.call("weldment_text", &words);
        self.load(ty, &room)
    }

    pub(super) fn write_op(&mut self, function: WriteFn, args: &[Value], result: Value) -> Val {
        let number = function.number().to_string();
        let leaves = args.iter().flat_map(|&arg| self.get(arg).leaves.clone()).collect();
        let args = self.spill(&Type::structure(function.takes()), &Val::scalar(leaves));
        let (ty, room) = (self.ty(result), self.room(self.ty(result)));
        self.call_status("weldment_write", &["%frame", &number, &args, &room]);
        self.load(ty, &room)
    }

    /// Shows what `dbg` at `loc` is of.
    pub(super) fn show(&mut self, text: Value, loc: Loc) -> Val {
        let text = self.get(text).leaves.clone();
        let position = self.module.positions.get(loc);
        let (line, column) = (position.line.to_string(), position.column.to_string());
        self.call_status("weldment_dbg", &["%frame", &text[0], &text[1], &line, &column]);
        Val::one("true")
    }

    pub(super) fn ranked(&mut self, [numbers, place]: [Value; 2], result: Value, loc: Loc) -> Val {
        let element = self.ty(numbers).element().expect("the verifier has seen to it");
        let number = self.module.type_number(element).to_string();
        let (numbers, place) = (self.get(numbers).clone(), self.leaf(place));
        let (elements, len) = (&numbers.leaves[0], &numbers.leaves[1]);
        let none = self.text.def(format_args!("icmp eq i64 {len}, 0"));
        self.raise_if(&none, Cause::Empty, loc, &[]);
        let (ty, room) = (self.ty(result), self.room(self.ty(result)));
        self.call_status("weldment_ranked", &["%frame", &number, elements, len, &place, &room]);
        self.load(ty, &room)
    }
}
