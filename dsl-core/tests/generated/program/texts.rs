//! Texts, and what is made of them.

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

/// Texts that are cut, read, searched for and equal to each other.
pub(super) const TEXTS: [&str; 8] =
    ["a", "", "ab", " a,b ", "12", "-1.5", "é, élan\\n", "a, word of more than thirty-two bytes"];

/// What parts of them are called.
const PARTS: [&str; 4] = ["a", ",", "é", ""];

impl Generator<'_> {
    /// A text as a literal.
    pub(super) fn text_literal(&mut self) -> String {
        let text = format!("\"{}\"", self.tape.of(&TEXTS));
        match self.tape.by_place(&[true, false]) {
            true => self.spell.call("to_string", &[text]),
            false => format!("({text}: {})", self.spell.ty(&Type::text())),
        }
    }

    /// A part to look for: most often one that can be found.
    fn part(&mut self) -> String {
        match self.tape.pick(4) {
            0 => self.expr(&Type::text()),
            _ => format!("\"{}\"", self.tape.of(&PARTS)),
        }
    }

    /// A text.
    pub(super) fn text(&mut self) -> String {
        let ty = Type::text();
        match self.tape.pick(8) {
            0 => {
                let text = self.expr(&ty);
                let way = self.tape.by_place(&["trim", "trim_start", "trim_end"]);
                self.spell.call(way, &[text])
            }
            1 => format!("({} + {})", self.leaf(&ty), self.expr(&ty)),
            2 => {
                let text = self.expr(&ty);
                let ways = ["to_ascii_lowercase", "to_uppercase", "to_ascii_uppercase", "to_lowercase"];
                let way = self.tape.by_place(&ways);
                self.spell.call(way, &[text])
            }
            3 => {
                let (text, part, other) = (self.expr(&ty), self.part(), self.leaf(&ty));
                let way = self.tape.by_place(&["strip_prefix", "strip_suffix"]);
                let left = self.spell.call(way, &[text, part]);
                self.spell.call("unwrap_or", &[left, other])
            }
            4 => {
                let (text, start) = (self.expr(&ty), self.tape.of(&["0", "1", "2"]).to_owned());
                let size = self.tape.of(&["1", "0", "9"]).to_owned();
                self.spell.call("slice", &[text, start, size])
            }
            5 => {
                let (text, part, other) = (self.expr(&ty), self.part(), self.leaf(&ty));
                let way = self.tape.by_place(&["split_once", "rsplit_once"]);
                let both = self.spell.call(way, &[text, part]);
                format!("(match {both} {{ Some((_, p)) => p, None => {other} }})")
            }
            6 => {
                let bytes = match self.tape.by_place(&[false, true]) {
                    true => self.expr(&Type::vec(Type::Scalar(Scalar::U8))),
                    false => {
                        let text = self.expr(&ty);
                        self.spell.call("as_bytes", &[text])
                    }
                };
                let (text, other) = (self.spell.call("from_utf8", &[bytes]), self.leaf(&ty));
                self.spell.call("unwrap_or", &[text, other])
            }
            7 => match self.tape.by_place(&["replace", "to_string", "join", "concat", "repeat", "to_string"])
            {
                "to_string" => self.shown(),
                "replace" => {
                    let (text, part, by) = (self.expr(&ty), self.part(), self.leaf(&ty));
                    self.spell.call("replace", &[text, part, by])
                }
                "repeat" => {
                    let (text, times) = (self.expr(&ty), self.tape.of(&["2", "0", "1", "-1"]).to_owned());
                    self.spell.call("repeat", &[text, times])
                }
                "join" => {
                    let (texts, part) = (self.expr(&Type::vec(ty)), self.part());
                    self.spell.call("join", &[texts, part])
                }
                concat => {
                    let texts = self.expr(&Type::vec(ty));
                    self.spell.call(concat, &[texts])
                }
            },
            _ => self.leaf(&ty),
        }
    }

    /// The text of a scalar, a date, a time or a decimal number.
    fn shown(&mut self) -> String {
        let scalars =
            [Scalar::I64, Scalar::F64, Scalar::Bool, Scalar::U8, Scalar::U64, Scalar::F32, Scalar::I128];
        let of = match self.tape.pick(4) {
            0 if self.tape.by_place(&[false, true, false]) => {
                let ty = self.half_ty();
                self.expr(&ty)
            }
            0 if self.tape.by_place(&[false, true]) => {
                let ty = self.fixed_ty();
                self.expr(&ty)
            }
            0 => {
                let temporal = self.tape.by_place(&Temporal::ALL);
                self.expr(&Type::temporal(temporal))
            }
            _ => {
                let scalar = self.tape.by_place(&scalars);
                self.expr(&Type::Scalar(scalar))
            }
        };
        self.spell.call("to_string", &[of])
    }

    /// Whether a text is like a pattern: one that is computed, or one that is written out.
    fn like(&mut self, text: String, part: String) -> String {
        let patterns = ["\"%a%\"", "\"a%\"", "\"%a%,%\"", "\"_b\"", "\"\"", "\" %a% \"", "\"%é, é%n%\""];
        let pattern = match self.tape.by_place(&[true, true, false]) {
            true => self.tape.by_place(&patterns).to_owned(),
            false => part,
        };
        self.spell.call("like", &[text, pattern])
    }

    /// A vector of texts.
    pub(super) fn texts(&mut self) -> String {
        let text = self.expr(&Type::text());
        match self.tape.by_place(&["split", "lines", "chars", "split_whitespace"]) {
            parts @ ("lines" | "chars" | "split_whitespace") => self.spell.call(parts, &[text]),
            split => {
                let separator = self.tape.of(&["\",\"", "\"a\"", "\"é, \"", "\"\""]).to_owned();
                self.spell.call(split, &[text, separator])
            }
        }
    }

    /// A scalar that is made of a text.
    pub(super) fn of_text(&mut self, ty: Scalar) -> String {
        let text = self.expr(&Type::text());
        match (ty, self.tape.pick(3)) {
            (Scalar::Bool, 0) => self.spell.call("is_empty", &[text]),
            (Scalar::Bool, _) => {
                let part = self.part();
                let way = self.tape.by_place(&["contains", "starts_with", "like", "ends_with"]);
                match way {
                    "like" => self.like(text, part),
                    way => self.spell.call(way, &[text, part]),
                }
            }
            (Scalar::I64, 0) => self.spell.call("len", &[text]),
            (Scalar::I64, 1) => {
                let part = self.part();
                let way = self.tape.by_place(&["find", "rfind"]);
                let found = self.spell.call(way, &[text, part]);
                let nowhere = self.scalar_literal(ty);
                self.spell.call("unwrap_or", &[found, nowhere])
            }
            _ => {
                let other = self.scalar_literal(ty);
                let read = format!("parse::<{ty}>({text})");
                self.spell.call("unwrap_or", &[read, other])
            }
        }
    }
}
