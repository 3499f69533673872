//! `dbg(x)`: the text of x as Rust's `{:?}` shows it, put together of pieces, and the op that shows it.
//!
//! The op stands beside x, and nothing depends on it: it is never dead, as an `assert` is. So x is as well known to passes as it was
//! without.

use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::write::WriteFn;

use super::{Lower, Term};
use crate::infer::fields::Fields;
use crate::infer::ty::Ty;
use crate::infer::typed::Expr;
use crate::ir::{CompareOp, Const, Loc, Loop, Op, SinkDecl, SinkKind, Value};

/// Of so many elements a vector is shown.
const MOST: i64 = 16;

/// What a text is put together of.
enum Piece {
    Known(String),
    Bytes(Value),
}

/// Pieces in order, with what is known while compiling in as few as there can be.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn known(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Known(before)) => before.push_str(text),
            _ => self.0.push(Piece::Known(text.to_owned())),
        }
    }

    fn bytes(&mut self, bytes: Value) {
        self.0.push(Piece::Bytes(bytes));
    }
}

impl Lower {
    /// `dbg(of)`, which is `written` in the program.
    pub(super) fn dbg(&mut self, written: &str, of: &Expr, loc: Loc) -> Term {
        let term = self.term(of);
        if self.is_silent {
            return term;
        }
        let value = self.as_value(term, &of.ty, loc);
        let mut pieces = Pieces::default();
        if !written.is_empty() {
            pieces.known(&format!("{written} = "));
        }
        self.pieces_of(value, &of.ty, &mut pieces, loc);
        let text = self.put_together(pieces, loc);
        self.builder.push(Op::Dbg(text), loc);
        self.bound(value, loc)
    }

    /// What `lower` gives, without what `dbg` shows if `is_second`: then all of it was lowered before.
    pub(super) fn silently<T>(&mut self, is_second: bool, lower: impl FnOnce(&mut Lower) -> T) -> T {
        let around = self.is_silent;
        self.is_silent |= is_second;
        let lowered = lower(self);
        self.is_silent = around;
        lowered
    }

    /// The bytes of the text of `value`, as part of another.
    fn text_of(&mut self, value: Value, ty: &Ty, loc: Loc) -> Value {
        let mut pieces = Pieces::default();
        self.pieces_of(value, ty, &mut pieces, loc);
        self.put_together(pieces, loc)
    }

    /// Adds the text of `value` to `out`.
    fn pieces_of(&mut self, value: Value, ty: &Ty, out: &mut Pieces, loc: Loc) {
        match ty {
            Ty::Scalar(scalar) if scalar.is_float() => {
                let function = if *scalar == Scalar::F32 { WriteFn::DebugF32 } else { WriteFn::DebugF64 };
                out.bytes(self.builder.push(Op::Write(function, vec![value]), loc));
            }
            Ty::Scalar(_) => out.bytes(self.shown_bytes(value, loc)),
            Ty::Vec(element) => self.elements_of(value, element, out, loc),
            Ty::Array(element, axes) => {
                let elements = self.builder.push(Op::Field(value, 0), loc);
                self.elements_of(elements, element, out, loc);
                let extents = (1 + 2 * axes.count..).take(axes.count).map(|number| number as u32);
                for (number, field) in extents.enumerate() {
                    out.known(if number == 0 { " of " } else { " x " });
                    let extent = self.builder.push(Op::Field(value, field), loc);
                    out.bytes(self.shown_bytes(extent, loc));
                }
            }
            Ty::Struct(fields) => self.fields_of(value, ty, fields, out, loc),
            Ty::Dict(..) | Ty::Builder(_) | Ty::Cursor(_) | Ty::Axis(_) | Ty::Var(_) => {
                unreachable!("inference refuses to show these")
            }
        }
    }

    fn fields_of(&mut self, value: Value, ty: &Ty, fields: &Fields, out: &mut Pieces, loc: Loc) {
        if ty.is_text() {
            let bytes = self.builder.push(Op::Field(value, 0), loc);
            return out.bytes(self.builder.push(Op::Write(WriteFn::Quoted, vec![bytes]), loc));
        }
        if ty.as_temporal().is_some() || ty.as_fixed().is_some() {
            return out.bytes(self.shown_bytes(value, loc));
        }
        if ty.as_half().is_some() {
            let number = self.cast(value, &Type::F32, loc);
            return self.pieces_of(number, &Ty::Scalar(Scalar::F32), out, loc);
        }
        if let Some(of) = ty.as_option() {
            return out.bytes(self.option_of(value, of, loc));
        }
        if let Some((element, len)) = ty.as_fixed_array() {
            let elements = (0..len as u32).map(|number| self.builder.push(Op::Field(value, number), loc));
            let elements = elements.collect();
            let vector = vec![Type::vec(super::value_type(element))];
            let elements = self.builder.push_typed(Op::Vector(elements), vector, loc)[0];
            return self.elements_of(elements, element, out, loc);
        }
        if let Some(variants) = fields.as_enum() {
            return out.bytes(self.variant_of(value, variants, loc));
        }
        let named = fields.name();
        // By its own name, however it is reached.
        out.known(named.and_then(|named| named.shown.rsplit("::").next()).unwrap_or_default());
        let [open, close] = match named {
            Some(_) if fields.is_empty() => return,
            Some(_) if fields.has_members() => [" { ", " }"],
            None if fields.len() == 1 => ["(", ",)"],
            _ => ["(", ")"],
        };
        out.known(open);
        for (number, ty) in fields.iter().enumerate() {
            if number > 0 {
                out.known(", ");
            }
            if let Some(named) = named.filter(|_| fields.has_members()) {
                out.known(&format!("{}: ", named.members[number]));
            }
            let field = self.builder.push(Op::Field(value, number as u32), loc);
            self.pieces_of(field, ty, out, loc);
        }
        out.known(close);
    }

    /// `Some(…)`, or `None`.
    fn option_of(&mut self, value: Value, of: &Ty, loc: Loc) -> Value {
        let is_some = self.builder.push(Op::Field(value, 0), loc);
        self.open();
        let of_value = self.builder.push(Op::Field(value, 1), loc);
        let mut pieces = Pieces::default();
        pieces.known("Some(");
        self.pieces_of(of_value, of, &mut pieces, loc);
        pieces.known(")");
        let some = self.put_together(pieces, loc);
        let then = self.close(vec![some]);
        self.open();
        let none = self.bytes(b"None", Scalar::U8, loc);
        let els = self.close(vec![none]);
        self.builder.branch(is_some, then, els, loc)[0]
    }

    /// What the variant is called that `value` is.
    fn variant_of(&mut self, value: Value, variants: &[(String, i128)], loc: Loc) -> Value {
        let number = self.builder.push(Op::Field(value, 0), loc);
        let scalar = self.builder.ty(number).as_scalar().expect("the number of a variant is a scalar");
        let mut variants = variants.iter().rev();
        let last = variants.next().map_or("", |(name, _)| name);
        let mut chosen = self.bytes(last.as_bytes(), Scalar::U8, loc);
        for (name, known) in variants {
            let known = self.builder.constant(Const::from_i128(scalar, *known), loc);
            let is_this = self.builder.compare(CompareOp::Eq, number, known, loc);
            let name = self.bytes(name.as_bytes(), Scalar::U8, loc);
            chosen = self.builder.push(Op::Select(is_this, name, chosen), loc);
        }
        chosen
    }

    /// Adds `[a, b, c]` to `out`, of the first elements of a vector; where there are more, with how many there are.
    fn elements_of(&mut self, vector: Value, element: &Ty, out: &mut Pieces, loc: Loc) {
        let len = self.builder.push(Op::Len(vector), loc);
        let (zero, most) = (self.builder.constant(0i64, loc), self.builder.constant(MOST, loc));
        let first = self.builder.push(Op::Slice(vector, zero, most), loc);
        let extent = self.builder.push(Op::Len(first), loc);
        self.open();
        let index = self.builder.add_param(Type::I64);
        let shown = self.builder.push(Op::At(first, index), loc);
        let text = self.text_of(shown, element, loc);
        let sink = self.builder.fresh_sink();
        self.builder.merge(sink, vec![text], loc);
        let body = self.close(Vec::new());
        let kind = SinkKind::collect(Type::vec(Scalar::U8.into()));
        let sinks = vec![SinkDecl { sink, kind, loc }];
        let texts = self.builder.push(Op::Loop(Loop { extents: vec![extent], body, sinks }), loc);
        let separator = self.bytes(b", ", Scalar::U8, loc);

        let is_more = self.builder.compare(CompareOp::Lt, most, len, loc);
        self.open();
        let mut rest = Pieces::default();
        rest.known(", … ");
        rest.bytes(self.shown_bytes(len, loc));
        rest.known(" in all");
        let rest = self.put_together(rest, loc);
        let then = self.close(vec![rest]);
        self.open();
        let nothing = self.bytes(b"", Scalar::U8, loc);
        let els = self.close(vec![nothing]);

        out.known("[");
        out.bytes(self.builder.push(Op::Write(WriteFn::Joined, vec![texts, separator]), loc));
        out.bytes(self.builder.branch(is_more, then, els, loc)[0]);
        out.known("]");
    }

    /// The bytes of all pieces.
    fn put_together(&mut self, pieces: Pieces, loc: Loc) -> Value {
        let mut parts = Vec::new();
        for piece in pieces.0 {
            parts.push(match piece {
                Piece::Known(text) => self.bytes(text.as_bytes(), Scalar::U8, loc),
                Piece::Bytes(bytes) => bytes,
            });
        }
        if let [only] = parts[..] {
            return only;
        }
        let bytes = Type::vec(Scalar::U8.into());
        let parts = self.builder.push_typed(Op::Vector(parts), vec![Type::vec(bytes)], loc)[0];
        let nothing = self.bytes(b"", Scalar::U8, loc);
        self.builder.push(Op::Write(WriteFn::Joined, vec![parts, nothing]), loc)
    }
}
