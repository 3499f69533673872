//! Floats of 16 bits: each of them, and what lies between two, against an oracle on integers.

use weldment_runtime::lang::half::Half;

/// How many digits there are behind the first, and the exponent of the smallest normal number.
fn shape(half: Half) -> (i32, i32) {
    match half {
        Half::F16 => (10, -14),
        Half::Bf16 => (7, -126),
    }
}

/// The bits of infinity.
fn infinity(half: Half) -> u16 {
    match half {
        Half::F16 => 0x7C00,
        Half::Bf16 => 0x7F80,
    }
}

/// The bits of the number that is nearest to `digits * 2^exponent`.
fn rounded(half: Half, digits: u64, exponent: i32) -> u16 {
    let (behind, least) = shape(half);
    if digits == 0 {
        return 0;
    }
    let first = exponent + 63 - digits.leading_zeros() as i32;
    let scale = first.max(least);
    // How many binary digits are rounded away.
    let away = scale - behind - exponent;
    let number = match away {
        ..=0 => digits << -away,
        1..=63 => {
            let (whole, rest, middle) = (digits >> away, digits & ((1 << away) - 1), 1 << (away - 1));
            whole + u64::from(rest > middle || rest == middle && whole % 2 == 1)
        }
        // Less than a half of the last digit, for no f64 has 64 digits.
        _ => 0,
    };
    // The first digit is not written; where it is missing, the exponent is 0. A carry adds to it.
    let bits = (((scale - least) as u64) << behind) + number;
    bits.min(infinity(half).into()) as u16
}

fn of_f64(half: Half, x: f64) -> u16 {
    let (bits, sign) = (x.abs().to_bits(), u16::from(x.is_sign_negative()) << 15);
    let (exponent, digits) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    sign | match exponent {
        0 => rounded(half, digits, -1074),
        0x7FF => infinity(half),
        _ => rounded(half, digits | 1 << 52, exponent - 1075),
    }
}

/// The number of `bits`, which are finite.
fn number(half: Half, bits: u16) -> f64 {
    let (behind, least) = shape(half);
    let size = i32::from(bits & 0x7FFF);
    let (exponent, digits) = (size >> behind, size & ((1 << behind) - 1));
    let (exponent, digits) = if exponent == 0 { (1, digits) } else { (exponent, digits | 1 << behind) };
    let size = f64::from(digits) * 2f64.powi(exponent - 1 + least - behind);
    if bits >> 15 == 1 { -size } else { size }
}

#[track_caller]
fn check(half: Half, x: f64) {
    let expected = of_f64(half, x);
    assert_eq!(half.of_f64(x), expected, "{} of the f64 {x:e}", half.name());
    if f64::from(x as f32).to_bits() == x.to_bits() {
        assert_eq!(half.of_f32(x as f32), expected, "{} of the f32 {x:e}", half.name());
    }
}

#[test]
fn every_number_goes_there_and_back() {
    for half in Half::ALL {
        for bits in 0..=u16::MAX {
            let x = half.to_f32(bits);
            let size = bits & 0x7FFF;
            if size > infinity(half) {
                assert!(x.is_nan() && x.is_sign_negative() == (bits >> 15 == 1));
                let quiet = infinity(half) | 1 << (shape(half).0 - 1);
                assert_eq!((half.of_f32(x), half.of_f64(x.into())), (quiet, quiet));
                continue;
            }
            let expected = if size == infinity(half) { f64::INFINITY } else { number(half, size) };
            assert_eq!(f64::from(x).to_bits(), if bits >> 15 == 1 { -expected } else { expected }.to_bits());
            assert_eq!((half.of_f32(x), half.of_f64(x.into())), (bits, bits));
        }
    }
}

#[test]
fn between_two_numbers_the_nearest_is_taken_and_of_two_the_even_one() {
    for half in Half::ALL {
        for bits in 0..infinity(half) {
            let below = number(half, bits);
            // Above the largest, infinity begins in the middle to where the next would be.
            let above = match number(half, bits + 1) {
                _ if bits + 1 == infinity(half) => below + (below - number(half, bits - 1)),
                above => above,
            };
            let middle = (below + above) / 2.0;
            for x in [middle, -middle] {
                check(half, x);
                check(half, x.next_up());
                check(half, x.next_down());
                let narrow = x as f32;
                assert_eq!(f64::from(narrow), x);
                check(half, narrow.next_up().into());
                check(half, narrow.next_down().into());
            }
        }
    }
}

#[test]
fn what_is_far_out_is_infinite_or_zero() {
    let ends =
        [f64::MAX, f64::INFINITY, f64::MIN_POSITIVE, 5e-324, 0.0, f32::MAX.into(), 1e-45, 65536.0, 1e39];
    for half in Half::ALL {
        for x in ends {
            check(half, x);
            check(half, -x);
        }
        // All exponents, and digits that are rounded away.
        for exponent in 0..0x7FF {
            for digits in [0, 1, (1 << 52) - 1, 0x5_5555_5555_5555, 0x8_0000_0000_0000] {
                check(half, f64::from_bits(exponent << 52 | digits));
            }
        }
    }
}

#[test]
fn a_decimal_number_is_rounded_once() {
    for half in Half::ALL {
        // The middle to the next number is itself a decimal number, and a digit far behind tells what is above it.
        for bits in (0..infinity(half) - 1).step_by(7) {
            let middle = (number(half, bits) + number(half, bits + 1)) / 2.0;
            let exact = format!("{middle:.200}");
            let even = bits + bits % 2;
            assert_eq!(half.read(&exact), Some(even));
            assert_eq!(half.read(&format!("-{exact}1")), Some((bits + 1) | 0x8000));
            let shown = half.to_f32(bits).to_string();
            assert_eq!(half.read(&shown), Some(bits));
        }
        // Around the middle of 1 and the next number.
        let next = number(half, half.of_f32(1.0) + 1);
        let middle = (1.0 + next) / 2.0;
        let digits = format!("{middle}");
        assert!(digits.ends_with('5'));
        let below = format!("{}4{}", &digits[..digits.len() - 1], "9".repeat(40));
        assert_eq!(half.read(&below), Some(half.of_f32(1.0)));
        assert_eq!(half.read(&format!("{digits}001")), Some(half.of_f32(1.0) + 1));
        assert_eq!(half.read(&format!("00{}E-1", digits.replace("1.0", "10."))), Some(half.of_f32(1.0)));
        for text in ["", "x", "1e400", "inf", "-inf", "NaN", "1e39"] {
            assert_eq!(half.read(text), None, "{text}");
        }
        for (text, number) in [
            ("0", 0.0),
            ("-0.0", -0.0),
            ("1e-400", 0.0),
            ("1e-99999999999999999999", 0.0),
            ("+.5", 0.5),
            ("25E-1", 2.5),
        ] {
            assert_eq!(half.read(text), Some(half.of_f32(number)), "{text}");
        }
    }
    assert_eq!((Half::F16.read("65519.999999"), Half::F16.read("65520")), (Some(0x7BFF), None));
}
