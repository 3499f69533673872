//! Floats at their edges, at both widths: remainders, the lesser and the greater, signs, comparisons.

use super::rule;

macro_rules! widths {
    ($($module:ident: $ty:ident),*) => {$(mod $module {
        use super::rule;

        const NAN: $ty = $ty::NAN;
        const INF: $ty = $ty::INFINITY;

        fn each_beside_each() -> Vec<($ty, $ty)> {
            let edges = [0.0, -0.0, 1.0, -1.5, 5.3, $ty::MIN_POSITIVE / 4.0, $ty::MAX, INF, -INF, NAN];
            edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect()
        }

        #[test]
        fn remainders_are_those_of_truncated_quotients() {
            let pairs = each_beside_each();
            let expected: Vec<$ty> = pairs.iter().map(|&(a, b)| a % b).collect();
            rule!(weld!(|v: &[($ty, $ty)]| v.map(|(a, b)| a % b)); (&pairs[..]) => expected);
        }

        /// A number beats a NaN, and −0.0 is less than 0.0.
        fn lesser(a: $ty, b: $ty) -> $ty {
            if a.is_nan() || a == 0.0 && b == 0.0 && b.is_sign_negative() || b < a { b } else { a }
        }

        fn greater(a: $ty, b: $ty) -> $ty {
            if a.is_nan() || a == 0.0 && b == 0.0 && b.is_sign_positive() || b > a { b } else { a }
        }

        #[test]
        fn lesser_and_greater_prefer_numbers_and_tell_zeros_apart() {
            let pairs = each_beside_each();
            let expected: Vec<_> = pairs.iter().map(|&(a, b)| (lesser(a, b), greater(a, b))).collect();
            rule!(
                weld!(|v: &[($ty, $ty)]| v.map(|(a, b)| (min(a, b), max(a, b))));
                (&pairs[..]) => expected
            );
        }

        #[test]
        fn a_nan_is_not_equal_to_itself_and_unordered() {
            let pairs = each_beside_each();
            let expected: Vec<_> =
                pairs.iter().map(|&(a, b)| (a == b, a != b, a < b, a <= b, (a > b, a >= b))).collect();
            rule!(
                weld!(|v: &[($ty, $ty)]| v.map(|(a, b)| (a == b, a != b, a < b, a <= b, (a > b, a >= b))));
                (&pairs[..]) => expected
            );
        }

        #[test]
        fn minus_flips_the_sign_and_round_goes_away_from_zero() {
            let below_half = (0.5 as $ty).next_down();
            let v = [0.0, -0.0, below_half, -below_half, 0.5, 1.5, 2.5, -2.5, INF, -INF, NAN, 1e30, -0.3];
            let expected: Vec<_> = v.iter().map(|x: &$ty| (-x, x.round(), x.abs(), x.trunc())).collect();
            rule!(
                weld!(|v: &[$ty]| v.map(|x| (-x, x.round(), x.abs(), x.trunc())));
                (&v[..]) => expected
            );
            let expected: Vec<_> = v
                .iter()
                .map(|x: &$ty| (x.signum(), x.floor(), x.ceil(), x.fract(), (x.sqrt(), x.is_nan())))
                .collect();
            rule!(
                weld!(|v: &[$ty]| v.map(|x| (x.signum(), x.floor(), x.ceil(), x.fract(), (x.sqrt(), x.is_nan()))));
                (&v[..]) => expected
            );
        }

        /// Wherever among lanes and what is left over behind them a NaN or a −0.0 stands.
        #[test]
        fn extremes_do_not_depend_on_where_a_nan_stands() {
            let kernel = weldment::weld!(|v: &[$ty]| (v.min(), v.max(), result(for(v, merger[$ty,min], |b, _, x| merge(b, x)))));
            for n in [1, 2, 15, 16, 17, 33, 70] {
                for at in [0, 1, 15, 16, 31, 32, 33, 69] {
                    if at >= n {
                        continue;
                    }
                    let mut v: Vec<$ty> = (0..n).map(|i| 2.0 + (i % 7) as $ty).collect();
                    v[at] = NAN;
                    let numbers = v.iter().copied().filter(|x| !x.is_nan());
                    let least = numbers.clone().reduce(<$ty>::min).unwrap_or(NAN);
                    let most = numbers.reduce(<$ty>::max).unwrap_or(NAN);
                    let (low, high, merged) = kernel(&v);
                    let same = |a: $ty, b: $ty| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                    assert!(same(low, least) && same(high, most), "{at} of {n}: {low} {high}");
                    // A merger begins with its identity, which beats the NaN.
                    assert!(same(merged, if n == 1 { INF } else { least }), "{at} of {n}: {merged}");
                }
            }
            for at in [0, 7, 16, 32, 40] {
                let mut zeros = vec![0.0; 41];
                zeros[at] = -0.0;
                let minus: Vec<$ty> = zeros.iter().map(|x: &$ty| -x).collect();
                rule!(
                    weld!(|v: &[$ty], w: &[$ty]| (v.min(), v.max(), w.min(), w.max()));
                    (&zeros[..], &minus[..]) => (-0.0 as $ty, 0.0 as $ty, -0.0 as $ty, 0.0 as $ty)
                );
            }
        }
    })*};
}

widths!(narrow: f32, wide: f64);

/// 1 + ε squared loses ε² where it is rounded before it is subtracted from: only `mul_add` may keep it.
#[test]
fn products_are_rounded_before_they_are_added() {
    let (wide, narrow) = (1.0 + f64::EPSILON, 1.0 + f32::EPSILON);
    let (wide_rest, narrow_rest) = (-1.0 - 2.0 * f64::EPSILON, -1.0 - 2.0 * f32::EPSILON);
    let (x, y) = (vec![wide; 40], vec![narrow; 70]);
    let (fused, narrow_fused) = (f64::EPSILON * f64::EPSILON, f32::EPSILON * f32::EPSILON);
    rule!(
        weld!(|x: &[f64], y: &[f32], a: f64, b: f32| (
            x.map(|x| x * x + a),
            y.map(|y| y * y + b),
            zip(x, x).map(|(s, t)| s * t + a).sum(),
            x.map(|x| mul_add(x, x, a)),
            y.map(|y| mul_add(y, y, b)),
        ));
        (&x[..], &y[..], wide_rest, narrow_rest) =>
            (vec![0.0f64; 40], vec![0.0f32; 70], 0.0f64, vec![fused; 40], vec![narrow_fused; 70]),
    );
}

#[test]
fn integer_powers_are_products_in_one_order() {
    let cubed = |x: f64| x * (x * x);
    let fifth = |x: f64| x * ((x * x) * (x * x));
    for x in [1.1, -0.3, 0.0, -0.0, 1e200, f64::NAN, f64::NEG_INFINITY, 5e-324] {
        let kernel = weldment::weld!(|x: f64| (x.powi(3), x.powi(5)));
        let (third, other) = kernel(x);
        assert!(third.to_bits() == cubed(x).to_bits() || x.is_nan(), "{x}");
        assert!(other.to_bits() == fifth(x).to_bits() || x.is_nan(), "{x}");
    }
    // What is written and what is known at run time are one.
    rule!(
        weld!(|x: f64, y: f32, n: i64| (x.powi(-7), powi(x, n), x.powi(0), y.powi(n)));
        (1.5, 1.5, -7) => (1.0 / 17.0859375, 1.0 / 17.0859375, 1.0, 1.0f32 / 17.085_938),
        (-2.0, -2.0, -7) => (-0.0078125, -0.0078125, 1.0, -0.0078125f32),
        (2.0, 2.0, 10) => (0.0078125, 1024.0, 1.0, 1024.0f32),
        (2.0, 0.5, 0) => (0.0078125, 1.0, 1.0, 1.0f32),
        (1.0, 1.0, i64::MIN) => (1.0, 1.0, 1.0, 1.0f32),
        (0.0, 2.0, -1) => (f64::INFINITY, f64::INFINITY, 1.0, 0.5f32),
        (f64::NAN, 2.0, 0) => (f64::NAN, 1.0, 1.0, 1.0f32),
    );
}
