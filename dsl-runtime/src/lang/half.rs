//! Floats of 16 bits: which there are, and how they become wider floats and back.
//!
//! They are types of storage. To programs each is the struct of its bits, a u16, and nothing is computed of them but these conversions, which
//! have no branches, so that loops over them become vector code. Emitted Rust and the interpreter call the functions here; the LLVM
//! emitter prints the same operations, so that all executors have the same bits.
//!
//! What is wider becomes one by rounding once, to the nearest, of two to the even one; what is too large becomes an infinity, and a NaN the one
//! quiet NaN that is positive and has no payload, whatever the CPU has made of it. The other way every number is exact, and a NaN keeps sign and payload.

use std::cmp::Ordering;

/// A float of 16 bits.
///
/// ```
/// use weldment_runtime::lang::half::Half;
/// assert_eq!((Half::from_name("bf16"), Half::Bf16.name()), (Some(Half::Bf16), "bf16"));
/// assert_eq!((Half::F16.of_f32(1.5), Half::F16.to_f32(0x3E00)), (0x3E00, 1.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Half {
    /// `f16`, binary16 of IEEE 754: 11 bits of precision, up to 65504.
    F16,
    /// `bf16`, the upper half of an f32: 8 bits of precision, and its range.
    Bf16,
}

impl Half {
    /// Each of them.
    pub const ALL: [Half; 2] = [Half::F16, Half::Bf16];

    /// The name in the language, which is that of the crate `half`.
    pub fn name(self) -> &'static str {
        match self {
            Half::F16 => "f16",
            Half::Bf16 => "bf16",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Half> {
        Half::ALL.into_iter().find(|half| half.name() == name)
    }

    /// The number of these bits.
    pub fn to_f32(self, bits: u16) -> f32 {
        match self {
            Half::F16 => f16_to_f32(bits),
            Half::Bf16 => bf16_to_f32(bits),
        }
    }

    /// The bits of the nearest number.
    pub fn of_f32(self, x: f32) -> u16 {
        match self {
            Half::F16 => f32_to_f16(x),
            Half::Bf16 => f32_to_bf16(x),
        }
    }

    /// The same, of an f64.
    pub fn of_f64(self, x: f64) -> u16 {
        match self {
            Half::F16 => f64_to_f16(x),
            Half::Bf16 => f64_to_bf16(x),
        }
    }

    /// The bits of the number that is nearest to what the decimal number `text` is exactly; `None` if it is none, or too large.
    ///
    /// ```
    /// # use weldment_runtime::lang::half::Half;
    /// // The last digit is lost to an f64, which lies between two numbers of 11 bits.
    /// let just_above = "1.00048828125000000000000000001";
    /// assert_eq!(just_above.parse::<f64>().map(|x| Half::F16.of_f64(x)), Ok(0x3C00));
    /// assert_eq!(Half::F16.read(just_above), Some(0x3C01));
    /// assert_eq!((Half::F16.read("65520"), Half::F16.read("inf")), (None, None));
    /// ```
    pub fn read(self, text: &str) -> Option<u16> {
        let x: f64 = text.parse().ok().filter(|x: &f64| x.is_finite())?;
        let size = x.abs();
        let [below, above] = [size.next_down(), size.next_up()].map(|beside| self.of_f64(beside));
        // Between `text` and the nearest f64 there is no other f64, so that both become the same number unless that f64 is where it changes.
        let bits = if below == above { below } else { self.at_the_middle(text, size) };
        let bits = if x.is_sign_negative() { bits | SIGN } else { bits };
        self.to_f32(bits).is_finite().then_some(bits)
    }

    /// Of the size of `text`, to which `size` is the nearest f64, and lies in the middle between two numbers.
    fn at_the_middle(self, text: &str, size: f64) -> u16 {
        // No f64 has more than 767 digits.
        let exact = Digits::of(&format!("{size:.766e}"));
        self.of_f64(match Digits::of(text).cmp(&exact) {
            Ordering::Less => size.next_down(),
            Ordering::Equal => size,
            Ordering::Greater => size.next_up(),
        })
    }
}

/// The size of a decimal number: `0.` and the digits, times ten to the exponent. The first digit is not zero, and neither is the last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Digits {
    /// None of zero.
    exponent: Option<i64>,
    digits: String,
}

impl Digits {
    /// The size of what Rust reads as a float.
    fn of(text: &str) -> Digits {
        let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let number = number.trim_start_matches(['-', '+']);
        let (whole, behind) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{behind}");
        let significant = digits.trim_start_matches('0');
        let zeros = digits.len() - significant.len();
        // One that no i64 holds makes an infinity, or a number below all others.
        let exponent = exponent.parse().unwrap_or(i64::MIN / 2) + whole.len() as i64 - zeros as i64;
        let digits = significant.trim_end_matches('0').to_owned();
        Digits { exponent: (!digits.is_empty()).then_some(exponent), digits }
    }
}

/// The sign of a number of 16 bits.
const SIGN: u16 = 0x8000;

/// What a NaN becomes.
const F16_NAN: u16 = 0x7E00;

/// The same.
const BF16_NAN: u16 = 0x7FC0;

/// The number of these bits. Where its exponent and its digits stand in an f32, they are those of the number over 2^112, subnormal ones as well, and the
/// product is exact (F. Giesen, "Half to float done quick", 2010). An infinity or a NaN has the greatest exponent there as here.
///
/// ```
/// # use weldment_runtime::lang::half::f16_to_f32;
/// assert_eq!([0x3C00, 0xC000, 1, 0x7BFF, 0xFC00].map(f16_to_f32), [1.0, -2.0, 2f32.powi(-24), 65504.0, -f32::INFINITY]);
/// ```
#[inline(always)]
pub fn f16_to_f32(bits: u16) -> f32 {
    /// 2^112
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let sign = u32::from(bits & SIGN) << 16;
    let size = u32::from(bits & !SIGN) << 13;
    let number = (f32::from_bits(size) * SCALE).to_bits();
    let special = size | 0x7F80_0000;
    f32::from_bits(sign | if size >= 0x7C00 << 13 { special } else { number })
}

/// The number of these bits: the upper half of an f32.
///
/// ```
/// # use weldment_runtime::lang::half::bf16_to_f32;
/// assert_eq!([0x3F80, 0xC000, 0x7F80].map(bf16_to_f32), [1.0, -2.0, f32::INFINITY]);
/// ```
#[inline(always)]
pub fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bits of the nearest number.
///
/// A sum is rounded where its last digit stands: beside 2^13 times the power of two below x, that is the last digit of the result
/// (of a subnormal one, beside 2^13 times the smallest normal number). How far the sum is from that power are the digits of the result, and they carry
/// over into the exponent where they are added to it. After "float_to_half_fast3_rtne" of F. Giesen (2012), which does so for subnormal numbers.
///
/// ```
/// # use weldment_runtime::lang::half::f32_to_f16;
/// assert_eq!([1.0, 65519.0, 65520.0, -1e-8, f32::NAN].map(f32_to_f16), [0x3C00, 0x7BFF, 0x7C00, 0x8000, 0x7E00]);
/// ```
#[inline(always)]
pub fn f32_to_f16(x: f32) -> u16 {
    /// The exponent of the smallest normal number, as an f32 has it.
    const LEAST: u32 = 127 - 14;
    let bits = x.to_bits();
    let sign = (bits >> 16) as u16 & SIGN;
    let size = bits & 0x7FFF_FFFF;
    // From one beyond the largest exponent on, all is infinite.
    let exponent = (size >> 23).clamp(LEAST, LEAST + 30);
    let beside = f32::from_bits((exponent + 13) << 23);
    let digits = (f32::from_bits(size) + beside).to_bits().wrapping_sub(beside.to_bits());
    let number = (((exponent - LEAST) << 10) + digits).min(0x7C00) as u16;
    if size > 0x7F80_0000 { F16_NAN } else { sign | number }
}

/// The bits of the nearest number: of an f32, the digits of the lower half are rounded away.
///
/// ```
/// # use weldment_runtime::lang::half::f32_to_bf16;
/// assert_eq!([1.0, f32::MAX, -f32::NAN].map(f32_to_bf16), [0x3F80, 0x7F80, 0x7FC0]);
/// ```
#[inline(always)]
pub fn f32_to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) as u16 & SIGN;
    let size = bits & 0x7FFF_FFFF;
    // Half of the last digit that stays, or a little less where it is even; a carry goes over into the exponent.
    let number = ((size + 0x7FFF + (size >> 16 & 1)) >> 16) as u16;
    if size > 0x7F80_0000 { BF16_NAN } else { sign | number }
}

/// As [`f32_to_f16`], of an f64, which is not an f32 on the way.
///
/// ```
/// # use weldment_runtime::lang::half::{f32_to_f16, f64_to_f16};
/// // In the middle between two numbers as an f32, and above it as it is.
/// let x = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
/// assert_eq!((f64_to_f16(x), f32_to_f16(x as f32)), (0x3C01, 0x3C00));
/// ```
#[inline(always)]
pub fn f64_to_f16(x: f64) -> u16 {
    narrowed::<14, 10>(x, F16_NAN)
}

/// As [`f32_to_bf16`], of an f64, which is not an f32 on the way.
///
/// ```
/// # use weldment_runtime::lang::half::f64_to_bf16;
/// assert_eq!([1.0, 3.4e38, -1e-41, f64::NAN].map(f64_to_bf16), [0x3F80, 0x7F80, 0x8000, 0x7FC0]);
/// ```
#[inline(always)]
pub fn f64_to_bf16(x: f64) -> u16 {
    narrowed::<126, 7>(x, BF16_NAN)
}

/// As [`f32_to_f16`] says, for numbers whose smallest normal one is 2^-`RANGE`, and which have so many `DIGITS` behind the first.
#[inline(always)]
fn narrowed<const RANGE: u64, const DIGITS: u64>(x: f64, nan: u16) -> u16 {
    let least = const { 1023 - RANGE };
    let greatest = const { 2 * RANGE + 3 };
    let bits = x.to_bits();
    let sign = (bits >> 48) as u16 & SIGN;
    let size = bits & !(1 << 63);
    let exponent = (size >> 52).clamp(least, least + greatest - 1);
    let beside = f64::from_bits((exponent + 52 - DIGITS) << 52);
    let digits = (f64::from_bits(size) + beside).to_bits().wrapping_sub(beside.to_bits());
    let number = (((exponent - least) << DIGITS) + digits).min(greatest << DIGITS) as u16;
    if size > 0x7FF << 52 { nan } else { sign | number }
}
