//! Casts of each scalar type to each: between integers they wrap, from floats they saturate, and NaN becomes 0.

use super::rule;

macro_rules! from_integers {
    ($($name:ident: $ty:ident),*) => {$(
        #[test]
        fn $name() {
            let v = [$ty::MIN, $ty::MIN + 1, 0, 1, 100, $ty::MAX / 3, $ty::MAX / 2 + 1, $ty::MAX - 1, $ty::MAX];
            let expected: Vec<_> = v.iter().map(|&x| (
                (x != 0, x as i8, x as i16, x as i32, x as i64, x as i128),
                (x as u8, x as u16, x as u32, x as u64),
                (x as f32, x as f64),
            )).collect();
            rule!(
                weld!(|v: &[$ty]| v.map(|x| (
                    (x as bool, x as i8, x as i16, x as i32, x as i64, x as i128),
                    (x as u8, x as u16, x as u32, x as u64),
                    (x as f32, x as f64),
                )));
                (&v[..]) => expected
            );
        }
    )*};
}

from_integers! {
    from_i8: i8, from_i16: i16, from_i32: i32, from_i64: i64, from_i128: i128,
    from_u8: u8, from_u16: u16, from_u32: u32, from_u64: u64
}

macro_rules! from_floats {
    ($($name:ident: $ty:ident),*) => {$(
        #[test]
        fn $name() {
            let mut v = vec![$ty::NAN, -$ty::NAN, 0.0, -0.0, 0.99, -0.99, 1e-40, 1.5, 2.5];
            // The limits of every integer type, what is beside them, and what is far beyond.
            for bits in [7, 8, 15, 16, 31, 32, 63, 64, 127] {
                let limit = (2.0 as $ty).powi(bits);
                v.extend([limit, limit - 1.0, limit - 0.5, limit.next_down(), limit.next_up()]);
            }
            v.extend([1e30, 1e38, $ty::MAX, $ty::INFINITY]);
            let v: Vec<$ty> = v.iter().flat_map(|&x| [x, -x]).collect();
            let expected: Vec<_> = v.iter().map(|&x| (
                (x as i8, x as i16, x as i32, x as i64, x as i128),
                (x as u8, x as u16, x as u32, x as u64),
                (x as f32, x as f64),
            )).collect();
            rule!(
                weld!(|v: &[$ty]| v.map(|x| (
                    (x as i8, x as i16, x as i32, x as i64, x as i128),
                    (x as u8, x as u16, x as u32, x as u64),
                    (x as f32, x as f64),
                )));
                (&v[..]) => expected
            );
        }
    )*};
}

from_floats!(from_f32: f32, from_f64: f64);

#[test]
fn from_bool() {
    rule!(
        weld!(|v: &[bool]| v.map(|x| (
            (x as bool, x as i8, x as i16, x as i32, x as i64, x as i128),
            (x as u8, x as u16, x as u32, x as u64),
            (x as f32, x as f64),
        )));
        (&[true, false][..]) => vec![
            ((true, 1i8, 1i16, 1i32, 1i64, 1i128), (1u8, 1u16, 1u32, 1u64), (1.0f32, 1.0f64)),
            ((false, 0, 0, 0, 0, 0), (0, 0, 0, 0), (0.0, 0.0)),
        ]
    );
}

/// From 64 bits to a narrow float in one step: by way of f64 it would be rounded twice.
#[test]
fn to_f32_rounds_once() {
    // Halfway between two floats, but for the last bit.
    for wide in
        [(1i128 << 126) + (1 << 102) + 1, (1i128 << 100) + (1 << 76) + 1, (1i128 << 126) + (1 << 73) + 1]
    {
        let v = [wide, -wide];
        rule!(
            weld!(|v: &[i128]| v.map(|x| (x as f32, x as f64)));
            (&v[..]) => v.iter().map(|&x| (x as f32, x as f64)).collect::<Vec<_>>()
        );
    }
    let (signed, unsigned) = ((1i64 << 62) + (1 << 38) + 1, (1u64 << 63) + (1 << 39) + 1);
    assert_ne!(signed as f32, signed as f64 as f32);
    assert_ne!(unsigned as f32, unsigned as f64 as f32);
    rule!(
        weld!(|a: &[i64], b: &[u64]| zip(a, b).map(|(a, b)| (a as f32, b as f32)));
        (&[signed, -signed][..], &[unsigned, u64::MAX][..]) =>
            vec![(signed as f32, unsigned as f32), (-signed as f32, u64::MAX as f32)]
    );
}
