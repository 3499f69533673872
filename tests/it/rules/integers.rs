//! Arithmetic of integers: it wraps, counts of shifts are masked, and division faults.

use weldment::FaultKind;

use super::rule;
use crate::pairs::Outcome::Fault;

/// What is at the edges of `$ty`, each beside each.
macro_rules! edges {
    ($ty:ident) => {{
        let edges =
            [$ty::MIN, $ty::MIN + 1, (0 as $ty).wrapping_sub(1), 0, 1, 2, 7, $ty::MAX / 2 + 1, $ty::MAX];
        edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect::<Vec<($ty, $ty)>>()
    }};
}

macro_rules! signed_and_unsigned {
    ($macro:ident: $($arg:tt)*) => {
        ($macro!(i8 $($arg)*), $macro!(i16 $($arg)*), $macro!(i32 $($arg)*), $macro!(i64 $($arg)*),
         ($macro!(u8 $($arg)*), $macro!(u16 $($arg)*), $macro!(u32 $($arg)*), $macro!(u64 $($arg)*)))
    };
}

#[test]
fn sums_differences_and_products_wrap() {
    macro_rules! wrapped {
        ($ty:ident) => {
            edges!($ty)
                .into_iter()
                .map(|(a, b)| (a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg()))
                .collect::<Vec<_>>()
        };
    }
    rule!(
        weld!(
            macro all(v) = v.map(|(a, b)| (a + b, a - b, a * b, -a));
            |a: &[(i8, i8)], b: &[(i16, i16)], c: &[(i32, i32)], d: &[(i64, i64)],
             e: &[(u8, u8)], f: &[(u16, u16)], g: &[(u32, u32)], h: &[(u64, u64)]|
                (all(a), all(b), all(c), all(d), (all(e), all(f), all(g), all(h)))
        );
        (&edges!(i8)[..], &edges!(i16)[..], &edges!(i32)[..], &edges!(i64)[..],
         &edges!(u8)[..], &edges!(u16)[..], &edges!(u32)[..], &edges!(u64)[..]) => signed_and_unsigned!(wrapped:)
    );
}

#[test]
fn amounts_signs_and_powers_wrap() {
    // Of a negative exponent a power is the truncated quotient; so only 1 and −1 have one that is not 0.
    macro_rules! power {
        ($a:expr, $b:expr) => {{
            let (a, b) = ($a as i128, $b as i128);
            match (a, b) {
                (1, _) => $a,
                (-1, _) => {
                    if b % 2 == 0 {
                        1
                    } else {
                        $a
                    }
                }
                (_, ..0) => 0,
                _ => {
                    // Squared, for the largest exponents are beyond u32.
                    let (mut base, mut rest, mut power) = ($a, b as u64, $a.wrapping_sub($a).wrapping_add(1));
                    while rest > 0 {
                        if rest % 2 == 1 {
                            power = power.wrapping_mul(base);
                        }
                        base = base.wrapping_mul(base);
                        rest /= 2;
                    }
                    power
                }
            }
        }};
    }
    macro_rules! expected {
        ($ty:ident) => {
            edges!($ty)
                .into_iter()
                .map(|(a, b)| {
                    let amount = if (a as i128) < 0 { a.wrapping_neg() } else { a };
                    let sign = ((a as i128).signum()) as $ty;
                    (amount, sign, power!(a, b), (a.min(b), a.max(b)))
                })
                .collect::<Vec<_>>()
        };
    }
    rule!(
        weld!(
            macro all(v) = v.map(|(a, b)| (a.abs(), a.signum(), a.pow(b), (min(a, b), max(a, b))));
            |a: &[(i8, i8)], b: &[(i16, i16)], c: &[(i32, i32)], d: &[(i64, i64)],
             e: &[(u8, u8)], f: &[(u16, u16)], g: &[(u32, u32)], h: &[(u64, u64)]|
                (all(a), all(b), all(c), all(d), (all(e), all(f), all(g), all(h)))
        );
        (&edges!(i8)[..], &edges!(i16)[..], &edges!(i32)[..], &edges!(i64)[..],
         &edges!(u8)[..], &edges!(u16)[..], &edges!(u32)[..], &edges!(u64)[..]) => signed_and_unsigned!(expected:)
    );
}

#[test]
fn counts_of_shifts_are_masked() {
    macro_rules! shifted {
        ($ty:ident) => {
            edges!($ty)
                .into_iter()
                .map(|(a, b)| (a.wrapping_shl(b as u32), a.wrapping_shr(b as u32), !a))
                .collect::<Vec<_>>()
        };
    }
    rule!(
        weld!(
            macro all(v) = v.map(|(a, b)| (a << b, a >> b, !a));
            |a: &[(i8, i8)], b: &[(i16, i16)], c: &[(i32, i32)], d: &[(i64, i64)],
             e: &[(u8, u8)], f: &[(u16, u16)], g: &[(u32, u32)], h: &[(u64, u64)]|
                (all(a), all(b), all(c), all(d), (all(e), all(f), all(g), all(h)))
        );
        (&edges!(i8)[..], &edges!(i16)[..], &edges!(i32)[..], &edges!(i64)[..],
         &edges!(u8)[..], &edges!(u16)[..], &edges!(u32)[..], &edges!(u64)[..]) => signed_and_unsigned!(shifted:)
    );
    // 8, 9, 15, 16, 31, 32, 63, 64, 65 and −1 on the widths that each is beyond.
    let counts = [8i64, 9, 15, 16, 31, 32, 63, 64, 65, -1];
    let expected: Vec<(i8, u16, i32, u64)> = counts
        .iter()
        .map(|&n| {
            let n = n as u32;
            (
                (-77i8).wrapping_shr(n),
                0xabcdu16.wrapping_shr(n),
                (-7i32).wrapping_shl(n),
                5u64.wrapping_shl(n),
            )
        })
        .collect();
    rule!(
        weld!(|counts: &[i64]| counts.map(|n| (-77i8 >> (n as i8), 0xabcdu16 >> (n as u16), -7 << (n as i32), 5u64 << (n as u64))));
        (&counts[..]) => expected
    );
}

#[test]
fn division_faults_by_zero_and_where_the_quotient_does_not_fit() {
    macro_rules! division {
        ($($ty:ident),*) => {$(
            rule!(
                weld!(|v: &[$ty], by: $ty| v.map(|x| x / by));
                (&[7, $ty::MIN, $ty::MAX][..], 2) => vec![3, $ty::MIN / 2, $ty::MAX / 2],
                (&[7, 0][..], 0) => Fault(FaultKind::DivisionByZero, "/ by"),
                (&[][..], 0) => Vec::<$ty>::new(),
                (&[7, -7, $ty::MIN + 1][..], -1) => vec![-7, 7, $ty::MAX],
                (&[7, $ty::MIN][..], -1) => Fault(FaultKind::Overflow, "/ by"),
            );
            rule!(
                weld!(|v: &[$ty], by: $ty| v.map(|x| x % by).sum());
                (&[7, -7, 5][..], 4) => 1 as $ty,
                (&[7, 0][..], 0) => Fault(FaultKind::DivisionByZero, "% by"),
                (&[7, $ty::MIN][..], -1) => Fault(FaultKind::Overflow, "% by"),
            );
        )*};
    }
    division!(i8, i16, i32, i64, i128);
    rule!(
        weld!(|a: &[u8], b: &[u64], by: (u8, u64)| (a.map(|x| (x / by.0, x % by.0)), b.map(|x| (x / by.1, x % by.1))));
        (&[200, 255][..], &[u64::MAX][..], (200, u64::MAX - 1)) => (vec![(1u8, 0u8), (1, 55)], vec![(1u64, 1u64)]),
        (&[200][..], &[][..], (0, 1)) => Fault(FaultKind::DivisionByZero, "/ by.0"),
        (&[][..], &[5][..], (0, 0)) => Fault(FaultKind::DivisionByZero, "/ by.1"),
    );
}

#[test]
fn dividing_by_a_constant_faults_where_it_must() {
    rule!(
        weld!(|v: &[i64]| v.map(|x| (x / -1, x % 8, x / 8)));
        (&[-9, 17][..]) => vec![(9i64, -1i64, -1i64), (-17, 1, 2)],
        (&[3, i64::MIN][..]) => Fault(FaultKind::Overflow, "/ -1"),
    );
}
