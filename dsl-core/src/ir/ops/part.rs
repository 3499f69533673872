//! What an op consists of: values, and what else is written in it.

use std::fmt::{Display, Write};
use std::sync::Arc;

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::conversion::HalfFn;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
use weldment_runtime::lang::text::TextFn;
use weldment_runtime::lang::types::{Name, Scalar, Size};
use weldment_runtime::lang::write::WriteFn;

use super::super::entity::Value;
use super::super::op::{SpanPart, Zip};
use super::super::parse::{Parser, Result};
use super::super::print::Literal;

/// A field of an op: how it is visited, printed and parsed.
pub(super) trait Part: Sized {
    /// Visits the values in it.
    fn for_each_value(&self, _visit: &mut impl FnMut(&Value)) {}

    /// Visits the values in it, to change them.
    fn for_each_value_mut(&mut self, _visit: &mut impl FnMut(&mut Value)) {}

    /// Writes it behind what has been written of the op; nothing if the name or the result tells it.
    fn write(&self, _out: &mut Writing<'_>) {}

    /// Reads it.
    fn read(from: &mut Reading<'_, '_>) -> Result<Self>;
}

/// The text of an op, as far as it is written.
pub(in crate::ir) struct Writing<'a> {
    /// The name, and what has been written behind it.
    pub(in crate::ir) text: String,
    /// How values are written.
    operand: &'a dyn Fn(Value) -> String,
    /// Around a list.
    pub(super) brackets: [&'static str; 2],
    /// Whether nothing is written behind the name.
    is_first: bool,
}

impl<'a> Writing<'a> {
    /// An op of this name.
    pub(in crate::ir) fn new(name: &str, operand: &'a dyn Fn(Value) -> String) -> Writing<'a> {
        Writing { text: name.to_owned(), operand, brackets: ["", ""], is_first: true }
    }

    fn put(&mut self, part: impl Display) {
        let before = if std::mem::take(&mut self.is_first) { " " } else { ", " };
        let _ = write!(self.text, "{before}{part}");
    }
}

/// An op that is being read.
pub(super) struct Reading<'r, 'p> {
    pub(super) parser: &'r mut Parser<'p>,
    /// The name of the op.
    pub(super) word: &'r str,
    /// What it binds.
    pub(super) results: &'r [Value],
    /// Around a list.
    pub(super) brackets: [&'static str; 2],
    /// Whether nothing behind the name has been read.
    pub(super) is_first: bool,
}

impl Reading<'_, '_> {
    /// The comma before all parts but the first.
    fn separator(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_first) { Ok(()) } else { self.parser.word(",") }
    }
}

impl Part for Value {
    fn for_each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(self);
    }

    fn for_each_value_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        visit(self);
    }

    fn write(&self, out: &mut Writing<'_>) {
        out.put((out.operand)(*self));
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<Value> {
        from.separator()?;
        from.parser.value()
    }
}

/// The last of the written parts. In brackets it may be empty, and no comma stands before it.
impl Part for Vec<Value> {
    fn for_each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.iter().for_each(visit);
    }

    fn for_each_value_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
        self.iter_mut().for_each(visit);
    }

    fn write(&self, out: &mut Writing<'_>) {
        let values: Vec<String> = self.iter().map(|&value| (out.operand)(value)).collect();
        let [open, close] = out.brackets;
        let before = if out.is_first { " " } else { "" };
        let _ = write!(out.text, "{before}{open}{}{close}", values.join(", "));
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<Vec<Value>> {
        match from.brackets {
            ["", _] => from.parser.list(),
            [open, close] => {
                from.parser.word(open)?;
                from.parser.until(close, Parser::value)
            }
        }
    }
}

impl Part for u32 {
    fn write(&self, out: &mut Writing<'_>) {
        out.put(self);
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<u32> {
        from.separator()?;
        from.parser.number("the number of a field")
    }
}

impl Part for Const {
    fn write(&self, out: &mut Writing<'_>) {
        out.put(Literal(*self));
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<Const> {
        from.parser.constant(from.results)
    }
}

impl Part for String {
    fn write(&self, out: &mut Writing<'_>) {
        out.put(format_args!("\"{}\"", self.replace('\\', "\\\\").replace('"', "\\\"")));
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<String> {
        from.separator()?;
        from.parser.text()
    }
}

/// The type of the result.
impl Part for Scalar {
    fn read(from: &mut Reading<'_, '_>) -> Result<Scalar> {
        from.parser.scalar_result(from.results)
    }
}

/// Text knows types without the names of the user.
impl Part for Option<Arc<Name>> {
    fn write(&self, out: &mut Writing<'_>) {
        match self.as_deref() {
            Some(Name::Array) => out.text += " as array",
            Some(Name::Option) => out.text += " as option",
            Some(Name::Text) => out.text += " as str",
            Some(Name::FixedArray) => out.text += " as elements",
            Some(Name::Size(size)) => {
                out.text += " as ";
                out.text += size.name();
            }
            Some(Name::Temporal(temporal)) => {
                out.text += " as ";
                out.text += temporal.name();
            }
            Some(Name::Fixed(scale)) => {
                out.text += " as ";
                out.text += scale.name();
            }
            Some(Name::Half(half)) => {
                out.text += " as ";
                out.text += half.name();
            }
            Some(Name::Column(column)) => out.put(format_args!(" as {column}")),
            Some(Name::User(_) | Name::Enum(_) | Name::View | Name::Lent(_)) | None => {}
        }
    }

    fn read(from: &mut Reading<'_, '_>) -> Result<Option<Arc<Name>>> {
        if !from.parser.eat("as") {
            return Ok(None);
        }
        if from.parser.eat("option") {
            return Ok(Some(Name::Option.into()));
        }
        if from.parser.eat("str") {
            return Ok(Some(Name::Text.into()));
        }
        if from.parser.eat("elements") {
            return Ok(Some(Name::FixedArray.into()));
        }
        if let Some(size) = Size::ALL.into_iter().find(|size| from.parser.eat(size.name())) {
            return Ok(Some(Name::Size(size).into()));
        }
        if let Some(temporal) = Temporal::ALL.into_iter().find(|temporal| from.parser.eat(temporal.name())) {
            return Ok(Some(Name::Temporal(temporal).into()));
        }
        if let Some(scale) = from.parser.scale()? {
            return Ok(Some(Name::Fixed(scale).into()));
        }
        if let Some(column) = from.parser.column()? {
            return Ok(Some(Name::Column(column).into()));
        }
        if let Some(half) = Half::ALL.into_iter().find(|half| from.parser.eat(half.name())) {
            return Ok(Some(Name::Half(half).into()));
        }
        from.parser.word("array")?;
        Ok(Some(Name::Array.into()))
    }
}

/// What the name of the op is.
macro_rules! families {
    ($($family:ident)*) => {$(
        impl Part for $family {
            fn read(from: &mut Reading<'_, '_>) -> Result<$family> {
                let named = $family::ALL.iter().copied().find(|op| op.name() == from.word);
                named.ok_or_else(|| from.parser.unexpected("an operator"))
            }
        }
    )*};
}

families!(UnaryOp BinaryOp CompareOp MathFn HalfFn TextFn WriteFn Zip SpanPart);
