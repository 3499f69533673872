//! Floats of 16 bits: conversions on every executor, and what they are moved through.

use weldment::{Half, Weld, bf16, f16, welded};

use super::rule;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Pixel {
    red: f16,
    depth: weldment::bf16,
    name: u32,
    rest: [f16; 2],
    alpha: Option<f16>,
}

#[derive(Weld)]
struct Weights<'a> {
    at: &'a [i64],
    weight: &'a [bf16],
}

#[welded]
fn scaled(x: f16, by: f32) -> f16 {
    (x as f32 * by) as f16
}

/// All of them but most NaNs, each with its neighbours far away in the vector.
fn every() -> Vec<u16> {
    (0..=u16::MAX)
        .map(|n| n.wrapping_mul(40503))
        .filter(|bits| bits & 0x7FFF <= 0x7F81 || bits & 0xFF == 7)
        .collect()
}

fn f16s() -> Vec<f16> {
    every().into_iter().map(f16::from_bits).collect()
}

fn bf16s() -> Vec<bf16> {
    every().into_iter().map(bf16::from_bits).collect()
}

/// Floats at the edges of rounding: between two numbers, beside that, too large, too small, and NaNs.
fn floats() -> Vec<f64> {
    let mut floats =
        vec![0.0, 65504.0, 65519.99, 65520.0, f64::MAX, 5e-324, f64::INFINITY, f64::NAN, 3.3961775e38, 1e39];
    for half in Half::ALL {
        for bits in (0..0x7C00_u16).step_by(97) {
            let [below, above] = [bits, bits + 1].map(|bits| f64::from(half.to_f32(bits)));
            let middle = (below + above) / 2.0;
            floats.extend([below, middle, middle.next_up(), middle.next_down()]);
        }
    }
    let negative: Vec<f64> = floats.iter().map(|x| -x).collect();
    floats.extend(negative);
    floats
}

fn to_f32(v: &[f16]) -> Vec<f32> {
    v.iter().map(|x| Half::F16.to_f32(x.to_bits())).collect()
}

#[test]
fn each_is_read_exactly() {
    let (v, w) = (f16s(), bf16s());
    rule!(
        weld!(|v: &[f16]| v.map(|x| x as f32));
        (&v[..]) => to_f32(&v),
        (&[][..]) => Vec::<f32>::new(),
    );
    rule!(
        weld!(|v: &[bf16]| v.map(|x| x as f32));
        (&w[..]) => w.iter().map(|x| Half::Bf16.to_f32(x.to_bits())).collect::<Vec<_>>(),
    );
    let number = |x: &&f16| !x.is_nan();
    let numbers: Vec<f16> = v.iter().filter(number).copied().collect();
    rule!(
        weld!(|v: &[half::f16]| v.map(|x| x as f64));
        (&numbers[..]) => to_f32(&numbers).into_iter().map(f64::from).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|x: f16, y: weldment::bf16| (x as f32, y as f64, f32(x)));
        (f16::from_f32(-0.1), bf16::from_f32(3.0)) => (-0.099975586_f32, 3.0, -0.099975586_f32),
    );
}

#[test]
fn what_is_wider_is_rounded_once() {
    let v = floats();
    let rounded = |x: f64| (f16::from_bits(Half::F16.of_f64(x)), bf16::from_bits(Half::Bf16.of_f64(x)));
    rule!(
        weld!(|v: &[f64]| v.map(|x| (x as f16, x as bf16)));
        (&v[..]) => v.iter().map(|&x| rounded(x)).collect::<Vec<_>>(),
    );
    // Of an f64 in the middle but for its last bits, an f32 would be in the middle.
    rule!(
        weld!(|x: f64| (x as f16, x as f32 as f16));
        (1.0 + 2f64.powi(-11) + 2f64.powi(-40)) => (f16::from_bits(0x3C01), f16::from_bits(0x3C00)),
        (f64::NAN) => (f16::from_bits(0x7E00), f16::from_bits(0x7E00)),
        (-f64::NAN) => (f16::from_bits(0x7E00), f16::from_bits(0x7E00)),
    );
    let narrow: Vec<f32> = v.iter().map(|&x| x as f32).collect();
    rule!(
        weld!(|v: &[f32]| v.map(|x| (x as f16, x as bf16)));
        (&narrow[..]) => narrow
            .iter()
            .map(|&x| (f16::from_bits(Half::F16.of_f32(x)), bf16::from_bits(Half::Bf16.of_f32(x))))
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|n: u8| (1.5 as f16, f16(65520.0), 1e-8 as half::f16, n as bf16));
        (3) => (f16::from_f32(1.5), f16::INFINITY, f16::from_bits(0), bf16::from_f32(3.0)),
    );
}

/// The bits of the number nearest to an integer: of two the even one.
fn of_integer(half: Half, n: i128) -> u16 {
    let size = n.unsigned_abs();
    let away = (128 - size.leading_zeros()).saturating_sub(if half == Half::F16 { 11 } else { 8 });
    let (whole, rest) = (size >> away, size & ((1 << away) - 1));
    let up = away > 0 && (rest > 1 << (away - 1) || rest == 1 << (away - 1) && whole % 2 == 1);
    // A power of two times few digits, which an f64 has exactly.
    let near = (whole + u128::from(up)) as f64 * 2f64.powi(away as i32);
    half.of_f64(if n < 0 { -near } else { near })
}

#[test]
fn integers_of_all_sizes_are_rounded_once() {
    let mut v = vec![0, i128::MAX, i128::MIN, i64::MAX.into(), i64::MIN.into(), u64::MAX.into()];
    for digits in 0..126 {
        for last in [0, 1, -1] {
            // A number of 8 bits, and the middle to the next one, and what is beside them.
            v.extend([0xFF, 0x81, 0x101, 0x103, 0x1FF, 1, 0x1001].map(|top: i128| {
                let shift = (digits + top.leading_zeros() as i32 - 127).clamp(0, 118);
                (top << shift) + last
            }));
        }
    }
    v.extend(v.clone().iter().map(|n| n.wrapping_neg()));
    let both =
        |n: i128| (f16::from_bits(of_integer(Half::F16, n)), bf16::from_bits(of_integer(Half::Bf16, n)));
    rule!(
        weld!(|v: &[i128]| v.map(|x| (x as f16, x as bf16)));
        (&v[..]) => v.iter().map(|&n| both(n)).collect::<Vec<_>>(),
    );
    let signed: Vec<i64> = v.iter().filter_map(|&n| n.try_into().ok()).collect();
    rule!(
        weld!(|v: &[i64]| v.map(|x| (x as f16, x as bf16)));
        (&signed[..]) => signed.iter().map(|&n| both(n.into())).collect::<Vec<_>>(),
    );
    let unsigned: Vec<u64> = v.iter().filter_map(|&n| n.try_into().ok()).collect();
    rule!(
        weld!(|v: &[u64]| v.map(|x| (x as f16, x as bf16)));
        (&unsigned[..]) => unsigned.iter().map(|&n| both(n.into())).collect::<Vec<_>>(),
    );
    let small: Vec<i32> = v.iter().filter_map(|&n| n.try_into().ok()).collect();
    rule!(
        weld!(|v: &[i32]| v.map(|x| (x as f16, x as bf16, x as u8 as f16, (x > 7) as bf16)));
        (&small[..]) => small
            .iter()
            .map(|&n| {
                let (x, y) = both(n.into());
                (x, y, f16::from_f32((n as u8).into()), bf16::from_f32(u8::from(n > 7).into()))
            })
            .collect::<Vec<_>>(),
    );
}

#[test]
fn they_are_moved_about() {
    let v = f16s();
    let picked = [5_i64, 0, 31000];
    rule!(
        weld!(|v: &[f16], at: &[i64]| (at.map(|i| v[i]), v.take(3), v.rev(), v.filter(|x| x as f32 > 1000.0), v.chain(v.skip(2))));
        (&v[..], &picked[..]) => (
            picked.iter().map(|&i| v[i as usize]).collect::<Vec<_>>(),
            v[..3].to_vec(),
            v.iter().rev().copied().collect::<Vec<_>>(),
            v.iter().filter(|x| Half::F16.to_f32(x.to_bits()) > 1000.0).copied().collect::<Vec<_>>(),
            v.iter().chain(&v[2..]).copied().collect::<Vec<_>>(),
        ),
    );
    rule!(
        weld!(|v: &[f16], x: f16, takes: bool| (if takes { v[0] } else { x }, v.skip(1).first(), v.skip(1 << 40).first(), [x, v[2]], Some(x)));
        (&v[..], f16::ONE, false) => (f16::ONE, Some(v[1]), None::<f16>, vec![f16::ONE, v[2]], Some(f16::ONE)),
        (&v[..], f16::ONE, true) => (v[0], Some(v[1]), None::<f16>, vec![f16::ONE, v[2]], Some(f16::ONE)),
    );
    let pixel = |n: u16| Pixel {
        red: f16::from_bits(n),
        depth: bf16::from_bits(!n),
        name: n.into(),
        rest: [n / 3, n / 5].map(f16::from_bits),
        alpha: n.is_multiple_of(3).then(|| f16::from_bits(n / 7)),
    };
    let pixels: Vec<Pixel> = (0..3000).map(|n| pixel(n * 9)).collect();
    rule!(
        weld!(|v: &[Pixel]| v.filter(|p| p.name % 2 == 0).map(|p| Pixel { red: p.rest[1], ..p }));
        (&pixels[..]) => pixels
            .iter()
            .filter(|p| p.name % 2 == 0)
            .map(|&p| Pixel { red: p.rest[1], ..p })
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Pixel]| v.filter_map(|p| p.alpha).map(|a| a as f32).sum());
        (&pixels[..60]) => pixels[..60].iter().filter_map(|p| p.alpha).map(f32::from).sum::<f32>(),
    );
    // Sorted by something else, and as values of a dictionary.
    rule!(
        weld!(|v: &[Pixel]| v.sort_by_key(|p| -(p.name as i64)).map(|p| p.depth));
        (&pixels[..]) => pixels.iter().rev().map(|p| p.depth).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Pixel]| v.sort_by_key(|p| p.rest[0] as f32).map(|p| p.name));
        (&pixels[..]) => pixels.iter().map(|p| p.name).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Pixel]| v.map(|p| (p.name, p.red)).to_dict());
        (&pixels[..]) => pixels.iter().map(|p| (p.name, p.red)).collect::<weldment::Dict<u32, f16>>(),
    );
    rule!(
        weld!(|v: &[f16], by: f32| v.map(|x| scaled(x, by)));
        (&v[..500], 0.5) => to_f32(&v[..500])
            .into_iter()
            .map(|x| f16::from_bits(Half::F16.of_f32(x * 0.5)))
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[f16]| serialize(v.take(2)));
        (&[f16::ONE, f16::from_bits(0x1234)][..]) => vec![2_u8, 0, 0, 0, 0, 0, 0, 0, 0, 0x3C, 0x34, 0x12],
    );
}

#[test]
fn texts_are_those_of_the_f32() {
    let v = [0.1, -1.0, 65504.0, f32::INFINITY, f32::NAN, 6e-8].map(f16::from_f32);
    rule!(
        weld!(|v: &[f16]| v.map(|x| x.to_string()));
        (&v[..]) => v.iter().map(|x| f32::from(*x).to_string()).collect::<Vec<_>>(),
    );
}

#[test]
fn a_dot_product_reads_both() {
    let v: Vec<f16> = (0..5000).map(|n| f16::from_f32((n % 37) as f32 - 18.0)).collect();
    let w: Vec<bf16> = (0..5000).map(|n| bf16::from_f32((n % 11) as f32)).collect();
    let expected: f32 = v.iter().zip(&w).map(|(x, y)| f32::from(*x) * f32::from(*y)).sum();
    rule!(
        weld!(|v: &[f16], w: &[bf16]| zip(v, w).map(|(x, y)| x as f32 * y as f32).sum());
        (&v[..], &w[..]) => expected,
    );
    let gathered = weldment::weld!(|w: Weights| zip(w.at, w.weight).map(|(i, x)| i as f32 * x as f32).sum());
    assert_eq!(gathered(&Weights { at: &[2, 3], weight: &[bf16::ONE, bf16::from_f32(0.5)] }), 3.5);
}
