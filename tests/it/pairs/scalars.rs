//! Scalars: casts, wrapping and bitwise arithmetic, floats at their edges, functions.

use super::pairs;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

pairs! {
    casts_of_an_i64(-300i64) =
        (true, -44i8, -300i16, -300i32, -300i64, (212u8, 65236u16, 4294966996u32, 18446744073709551316u64, -300.0f32, -300.0f64));
    weld!(|x: i64| (x as bool, x as i8, x as i16, x as i32, x as i64, (x as u8, x as u16, x as u32, x as u64, x as f32, x as f64))),
    "|x: i64| {bool(x), i8(x), i16(x), i32(x), i64(x), {u8(x), u16(x), u32(x), u64(x), f32(x), f64(x)}}";

    casts_of_a_u8(200u8) = (true, -56i8, 200i16, 200i32, 200i64, (200u8, 200u16, 200u32, 200u64, 200.0f32, 200.0f64));
    weld!(|x: u8| (x as bool, x as i8, x as i16, x as i32, x as i64, (x as u8, x as u16, x as u32, x as u64, x as f32, x as f64))),
    "|x: u8| {bool(x), i8(x), i16(x), i32(x), i64(x), {u8(x), u16(x), u32(x), u64(x), f32(x), f64(x)}}";

    casts_of_floats_saturate(&[3.99f64, -3.99, 300.0, -1e30, INF, NAN][..]) = (
        vec![3i8, -3, 127, -128, 127, 0],
        vec![3u8, 0, 255, 0, 255, 0],
        vec![3i32, -3, 300, i32::MIN, i32::MAX, 0],
        vec![3i64, -3, 300, i64::MIN, i64::MAX, 0],
        vec![3u64, 0, 300, 0, u64::MAX, 0]
    );
    weld!(|v: &[f64]| (
        v.map(|x| x as i8), v.map(|x| x as u8), v.map(|x| x as i32), v.map(|x| x as i64), v.map(|x| x as u64),
    )),
    "|v: vec[f64]| {map(v, |x| i8(x)), map(v, |x| u8(x)), map(v, |x| i32(x)), map(v, |x| i64(x)), map(v, |x| u64(x))}";

    casts_between_floats_and_bools(1e300f64, 0.1f32, true, false) =
        (f32::INFINITY, 0.10000000149011612f64, 1i32, 0.0f64, 1.0f32, 0u16);
    weld!(|big: f64, tenth: f32, yes: bool, no: bool| (
        big as f32, tenth as f64, yes as i32, no as f64, yes as f32, no as u16,
    )),
    "|big: f64, tenth: f32, yes: bool, no: bool| {f32(big), f64(tenth), i32(yes), f64(no), f32(yes), u16(no)}";

    float_literals_are_what_their_context_needs(&[0.5f32, -1.25, 3.0][..], 3.0f64) =
        (0.1f32 + 2.25f32 - 1.0f32, vec![0.6f32, -1.15, 3.1], 3.1f64, 0.1f64, 1.0f32);
    weld!(|v: &[f32], y: f64| (
        v.fold(0.1, |a, x| a + x) - 1.0, v.map(|x| x + 0.1), y + 0.1, 0.1, if v[0] > 0.25 { 1.0 } else { v[0] },
    )),
    "|v: vec[f32], y: f64| {fold(v, 0.1f, |a, x| a + x) - 1.0f, map(v, |x| x + 0.1f), y + 0.1, 0.1,
        if(v[0] > 0.25f, 1.0f, v[0])}";

    integers_wrap(i32::MAX, i8::MIN, 3u16) = (i32::MIN, 1i32, i8::MIN, 127i8, 65534u16, (i8::MIN, 0u16));
    weld!(|a: i32, b: i8, c: u16| (a + 1, a * a, -b, b - 1, c - 5, (b.abs(), c.pow(11) * 0))),
    "|a: i32, b: i8, c: u16| {a + 1, a * a, -b, b - 1c, c - 5u16, {abs(b), pow(c, 11u16) * 0u16}}";

    comparisons_beside_bits(&[1i64, 2, 4, 5, 9][..], true) =
        (vec![2i64, 4], vec![2i64, 4, 9], vec![1i64, 5, 9], vec![1i64, 2, 4, 5, 9]);
    weld!(|v: &[i64], yes: bool| (
        v.filter(|x| (x >= 2) & (x < 5)),
        v.filter(|x| ((x >= 2) & (x < 5)) | (x == 9)),
        v.filter(|x| yes ^ ((x > 1) & (x + 1 <= 5))),
        v.filter(|x| (x < 0) | yes),
    )),
    "|v: vec[i64], yes: bool| {
        filter(v, |x| x >= 2L & x < 5L),
        filter(v, |x| x >= 2L & x < 5L | x == 9L),
        filter(v, |x| yes ^ x > 1L & x + 1L <= 5L),
        filter(v, |x| x < 0L | yes)
    }";

    bits_and_shifts(0b1100i32, -8i64, 0x81u8) = (0b1000i32, 0b1110i32, 0b0110i32, -2i64, (-16i64, 0x02u8, 0x7eu8));
    weld!(|a: i32, b: i64, c: u8| (a & 0b1010, a | 0b1010, a ^ 0b1010, b >> 66, (b << 65, c << 1, !c))),
    "|a: i32, b: i64, c: u8| {a & 0b1010, a | 0b1010, a ^ 0b1010, b >> 66L, {b << 65L, c << 1u8, !c}}";

    division_truncates(&[7i64, -7, 7, -7][..], &[2i64, 2, -2, -2][..]) =
        vec![(3i64, 1i64), (-3, -1), (-3, 1), (3, -1)];
    weld!(|a: &[i64], b: &[i64]| zip(a, b).map(|(x, y)| (x / y, x % y))),
    "|a: vec[i64], b: vec[i64]| map(zip(a, b), |p| let x = p.$0; let y = p.$1; {x / y, x % y})";

    floats_at_their_edges(&[0.0f64, -0.0, NAN, INF][..]) = (
        vec![false, false, true, false],
        vec![INF, -INF, NAN, 0.0f64],
        vec![-0.0f64, 0.0, NAN, -INF],
        vec![0.0f64, -0.0, 1.0, 1.0],
        vec![0.0f64, 0.0, 1.0, INF]
    );
    weld!(|v: &[f64]| (
        v.map(|x| x != x), v.map(|x| 1.0 / x), v.map(|x| -x), v.map(|x| min(x, 1.0)), v.map(|x| max(max(x, 0.0), if x.is_nan() { 1.0 } else { x })),
    )),
    "|v: vec[f64]| {
       map(v, |x| x != x), map(v, |x| 1.0 / x), map(v, |x| -x), map(v, |x| min(x, 1.0)),
       map(v, |x| max(max(x, 0.0), if(is_nan(x), 1.0, x)))
     }";

    rounding(&[2.5f64, -2.5, 1.75, -0.25][..]) = (
        vec![3.0f64, -3.0, 2.0, -0.0],
        vec![2.0f64, -3.0, 1.0, -1.0],
        vec![3.0f64, -2.0, 2.0, -0.0],
        vec![2.0f64, -2.0, 1.0, -0.0],
        vec![0.5f64, -0.5, 0.75, -0.25]
    );
    weld!(|v: &[f64]| (
        v.map(|x| x.round()), v.map(|x| x.floor()), v.map(|x| x.ceil()), v.map(|x| x.trunc()), v.map(|x| x.fract()),
    )),
    "|v: vec[f64]| {map(v, |x| round(x)), map(v, |x| floor(x)), map(v, |x| ceil(x)), map(v, |x| trunc(x)), map(v, |x| fract(x))}";

    exact_function_values(4.0f64, 0.0f32) = (2.0f64, 256.0f64, 5.0f64, 1.0f32, 0.0f32, 9.0f64);
    weld!(|x: f64, zero: f32| (x.sqrt(), x.pow(x), hypot(x - 1.0, x), exp(zero), sin(zero), mul_add(x, 2.0, 1.0))),
    "|x: f64, zero: f32| {sqrt(x), pow(x, x), hypot(x - 1.0, x), exp(zero), sin(zero), mul_add(x, 2.0, 1.0)}";

    comparisons_of_vectors_and_structs(&[1i64, 2][..], &[1i64, 2, 0][..]) = (true, false, true, -1i32, 0i32, true);
    weld!(|a: &[i64], b: &[i64]| (a < b, a == b, (1, a) < (1, b), compare(a, b), compare(3.0, 3.0), (a, 2u8) != (b, 2u8))),
    "|a: vec[i64], b: vec[i64]|
       {a < b, a == b, {1, a} < {1, b}, compare(a, b), compare(3.0, 3.0), {a, 2u8} != {b, 2u8}}";
}
