//! The error function.

use super::exp::{self, scale_within};
use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Bits, Real, Test};

/// erf(x) / x − 1 in x² − ½, for |x| ≤ 0.9, to 2⁻⁵⁸. Around the middle, it is small everywhere, and so is its error.
const NEAR: [f64; 12] = [
    -0.03453126133013269,
    -0.2810721780454342,
    0.07940998675593455,
    -0.018283884489153496,
    0.0034802744966854903,
    -0.0005611894220693002,
    7.829649476166448e-05,
    -9.61481006134454e-06,
    1.0536495584909582e-06,
    -1.0418709707434297e-07,
    9.379481630051459e-09,
    -8.497040326361677e-10,
];

/// erfc(1 + t) exp((1 + t)²), for t from −0.1 to 4.95: times exp(−(1 + t)²), it is off by 2⁻⁵⁸ at most.
const FAR: [f64; 22] = [
    0.427583576155807,
    -0.27321201478389856,
    0.15437156137188968,
    -0.079226968941254,
    0.0375722962183574,
    -0.016661869116450685,
    0.006970142334415802,
    -0.0027690632495754194,
    0.0010502595597254548,
    -0.00038191869995653574,
    0.00013357534506775964,
    -4.4989261635697515e-05,
    1.4548242202530095e-05,
    -4.466354001005337e-06,
    1.2722539070642217e-06,
    -3.2476593953638907e-07,
    7.1131557686147e-08,
    -1.272086075290465e-08,
    1.7533177453787675e-09,
    -1.7255642606472025e-10,
    1.0698323879201826e-11,
    -3.12035012245089e-13,
];

/// The error function, within 1.15 ulp.
#[inline(always)]
pub fn erf<R: Real>(x: R) -> R {
    let (split, most) = (x.constant(0.9), x.constant(5.95));
    let size = x.absolute();
    let near = x + x * polynomial(x * x - 0.5, &NEAR);
    let capped = size.is_less(most).choose(size, most);
    let far = with_sign_of(x, -complement(capped) + 1.0);
    split.is_less(size).choose(far, near)
}

/// 1 − erf(x), to 2⁻⁵⁵ or so, for x from 0.9 to 5.95.
#[inline(always)]
fn complement<R: Real>(x: R) -> R {
    // The square of the upper half is exact; what is missing is −(x − upper) (x + upper).
    const UPPER: u64 = !((1 << 27) - 1);
    let upper = x.bits().and_number(UPPER).real();
    let power = exp::parts(-(upper * upper), (upper - x) * (upper + x));
    scale_within(power.high, power.exponent) * polynomial(x - 1.0, &FAR)
}
