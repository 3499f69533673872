//! Conversions to and from floats of 16 bits: the operations of [`weldment_runtime::lang::half`], on one or several lanes.
//!
//! LLVM has types for these floats, but where the CPU has no instruction that converts, it calls a library, one lane after the other, and a NaN
//! is another one there.

use weldment_core::ir::Const;
use weldment_runtime::lang::conversion::HalfFn;
use weldment_runtime::lang::types::Scalar;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, integer, reg};

impl Func<'_, '_> {
    /// `function(x)`
    pub(super) fn half(&mut self, function: HalfFn, width: Width, x: &str) -> Operand {
        match function {
            HalfFn::F16ToF32 => self.f16_to_f32(width, x),
            HalfFn::Bf16ToF32 => {
                let bits = self.of_words("zext", Scalar::U16, Scalar::U32, width, x);
                let bits = self.word("shl", Scalar::U32, width, &bits, 16);
                self.as_float(Scalar::F32, width, &bits)
            }
            HalfFn::F32ToBf16 => self.f32_to_bf16(width, x),
            HalfFn::F32ToF16 => self.narrowed(Scalar::F32, (14, 10), width, x),
            HalfFn::F64ToF16 => self.narrowed(Scalar::F64, (14, 10), width, x),
            HalfFn::F64ToBf16 => self.narrowed(Scalar::F64, (126, 7), width, x),
        }
    }

    fn f16_to_f32(&mut self, width: Width, x: &str) -> Operand {
        let word = Scalar::U32;
        let float = reg(Scalar::F32, width);
        let bits = self.of_words("zext", Scalar::U16, word, width, x);
        let sign = self.word("and", word, width, &bits, 0x8000);
        let sign = self.word("shl", word, width, &sign, 16);
        let size = self.word("and", word, width, &bits, 0x7FFF);
        let size = self.word("shl", word, width, &size, 13);
        let scaled = self.as_float(Scalar::F32, width, &size);
        let scale = self.constant(Const::F32(2f32.powi(112)), width);
        let number = self.text.def(format_args!("fmul {float} {scaled}, {scale}"));
        let number = self.as_bits(Scalar::F32, width, &number);
        let special = self.word("or", word, width, &size, 0x7F80_0000);
        let is_special = self.word("icmp uge", word, width, &size, 0x7C00 << 13);
        let size = self.chosen(word, width, &is_special, &special, &number);
        let bits = self.two_words("or", word, width, &sign, &size);
        self.as_float(Scalar::F32, width, &bits)
    }

    fn f32_to_bf16(&mut self, width: Width, x: &str) -> Operand {
        let word = Scalar::U32;
        let bits = self.as_bits(Scalar::F32, width, x);
        let size = self.word("and", word, width, &bits, 0x7FFF_FFFF);
        let last = self.word("lshr", word, width, &size, 16);
        let last = self.word("and", word, width, &last, 1);
        let number = self.word("add", word, width, &size, 0x7FFF);
        let number = self.two_words("add", word, width, &number, &last);
        let number = self.word("lshr", word, width, &number, 16);
        self.signed(Scalar::F32, width, [&bits, &size, &number], 0x7FC0)
    }

    /// A float of type `from`, as a number whose smallest normal one is 2^-`range`, and which has so many `digits` behind the first.
    fn narrowed(&mut self, from: Scalar, (range, digits): (u64, u64), width: Width, x: &str) -> Operand {
        let (word, stored, bias) = match from {
            Scalar::F32 => (Scalar::U32, 23, 127),
            _ => (Scalar::U64, 52, 1023),
        };
        let (least, greatest) = (bias - range, 2 * range + 3);
        let bits = self.as_bits(from, width, x);
        let size = self.word("and", word, width, &bits, (1 << (8 * word.size() - 1)) - 1);
        let exponent = self.word("lshr", word, width, &size, stored);
        let exponent = self.limited("icmp ult", word, width, &exponent, least);
        let exponent = self.limited("icmp ugt", word, width, &exponent, least + greatest - 1);
        let beside = self.word("add", word, width, &exponent, stored - digits);
        let beside = self.word("shl", word, width, &beside, stored);
        let [x, y] = [&size, &beside].map(|bits| self.as_float(from, width, bits));
        let sum = self.text.def(format_args!("fadd {} {x}, {y}", reg(from, width)));
        let sum = self.as_bits(from, width, &sum);
        let behind = self.two_words("sub", word, width, &sum, &beside);
        let number = self.word("sub", word, width, &exponent, least);
        let number = self.word("shl", word, width, &number, digits);
        let number = self.two_words("add", word, width, &number, &behind);
        let number = self.limited("icmp ugt", word, width, &number, greatest << digits);
        let nan = greatest << digits | 1 << (digits - 1);
        self.signed(from, width, [&bits, &size, &number], nan)
    }

    /// The 16 bits of a number behind the sign of what was of type `from`, or of the NaN if that was one.
    fn signed(&mut self, from: Scalar, width: Width, [bits, size, number]: [&str; 3], nan: u64) -> Operand {
        let (word, infinity) = match from {
            Scalar::F32 => (Scalar::U32, f32::INFINITY.to_bits().into()),
            _ => (Scalar::U64, f64::INFINITY.to_bits()),
        };
        let sign = self.word("lshr", word, width, bits, 8 * word.size() as u64 - 16);
        let sign = self.word("and", word, width, &sign, 0x8000);
        let number = self.two_words("or", word, width, &sign, number);
        let is_nan = self.word("icmp ugt", word, width, size, infinity);
        let nan = self.constant(Const::from_i128(word, nan.into()), width);
        let chosen = self.chosen(word, width, &is_nan, &nan, &number);
        self.of_words("trunc", word, Scalar::U16, width, &chosen)
    }

    /// `limit`, where the comparison of x with it holds, and else x.
    fn limited(&mut self, compare: &str, word: Scalar, width: Width, x: &str, limit: u64) -> Operand {
        let is_beyond = self.word(compare, word, width, x, limit);
        let limit = self.constant(Const::from_i128(word, limit.into()), width);
        self.chosen(word, width, &is_beyond, &limit, x)
    }

    fn chosen(&mut self, word: Scalar, width: Width, cond: &str, yes: &str, no: &str) -> Operand {
        let (flags, word) = (reg(Scalar::Bool, width), reg(word, width));
        self.text.def(format_args!("select {flags} {cond}, {word} {yes}, {word} {no}"))
    }

    fn two_words(&mut self, op: &str, word: Scalar, width: Width, x: &str, y: &str) -> Operand {
        self.text.def(format_args!("{op} {} {x}, {y}", reg(word, width)))
    }

    fn word(&mut self, op: &str, word: Scalar, width: Width, x: &str, y: u64) -> Operand {
        let y = self.constant(Const::from_i128(word, y.into()), width);
        self.two_words(op, word, width, x, &y)
    }

    fn of_words(&mut self, op: &str, from: Scalar, to: Scalar, width: Width, x: &str) -> Operand {
        self.text.def(format_args!("{op} {} {x} to {}", reg(from, width), reg(to, width)))
    }

    fn as_bits(&mut self, of: Scalar, width: Width, x: &str) -> Operand {
        self.text.def(format_args!("bitcast {} {x} to {}", reg(of, width), integer(of, width)))
    }

    fn as_float(&mut self, of: Scalar, width: Width, bits: &str) -> Operand {
        self.text.def(format_args!("bitcast {} {bits} to {}", integer(of, width), reg(of, width)))
    }
}
