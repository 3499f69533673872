//! Means of four neighbours, of nine bytes, and of nine pixels.

use weldment::{Array, Kernel, weld};

use super::grid::{Matrix, matrix, side};
use super::out::{Out, rows};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::peers::{Input, Task};
use crate::random;

type Jacobi = fn(&Matrix) -> Matrix;
type Image = Array<u8, 2>;
type Blur = fn(&Image) -> Image;

const BY_INDICES: Kernel<Jacobi> = weld!(|u: &Array<f64, 2>| {
    let (n, m) = (max(extent(u, 0) - 2, 0), max(extent(u, 1) - 2, 0));
    array((n, m), |i, j| 0.25 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2]))
});

const BY_SLICES: Kernel<Jacobi> = weld!(|u: &Array<f64, 2>| {
    let (n, m) = (extent(u, 0), extent(u, 1));
    let (up, down) = (u[0..n - 2, 1..m - 1].move_to(0, 0), u[2..n, 1..m - 1].move_to(0, 0));
    let (left, right) = (u[1..n - 1, 0..m - 2].move_to(0, 0), u[1..n - 1, 2..m].move_to(0, 0));
    (up + down + left + right) * 0.25
});

const BLUR: Kernel<Blur> = weld!(|p: &Array<u8, 2>| {
    let v = p.move_to(0, 0);
    let (n, m) = (extent(p, 0), extent(p, 1));
    array((n, m), |i, j| {
        let a = max(i - 1, 0);
        let b = min(i + 1, n - 1);
        let l = max(j - 1, 0);
        let r = min(j + 1, m - 1);
        let above = i32(v[a, l]) + i32(v[a, j]) + i32(v[a, r]);
        let here = i32(v[i, l]) + i32(v[i, j]) + i32(v[i, r]);
        let below = i32(v[b, l]) + i32(v[b, j]) + i32(v[b, r]);
        u8((above + here + below) / 9)
    })
});

/// Of a pixel.
const CHANNELS: usize = 3;

type Picture = Array<u8, 3>;
type BlurPixels = fn(&Picture) -> Picture;

/// Of pictures as `[row, column, channel]`.
const BLUR_PIXELS: Kernel<BlurPixels> = weld!(|p: &Array<u8, 3>| p.stencil(clamp, |c| {
    let above = i32(c[-1, -1, 0]) + i32(c[-1, 0, 0]) + i32(c[-1, 1, 0]);
    let here = i32(c[0, -1, 0]) + i32(c[0, 0, 0]) + i32(c[0, 1, 0]);
    let below = i32(c[1, -1, 0]) + i32(c[1, 0, 0]) + i32(c[1, 1, 0]);
    u8((above + here + below) / 9)
}));

pub(super) fn run(bench: &mut Bench<'_>) {
    jacobi(bench, "Jacobi inside, by indices", &BY_INDICES);
    jacobi(bench, "Jacobi inside, by slices", &BY_SLICES);
    blur(bench);
    blur_pixels(bench);
}

fn jacobi(bench: &mut Bench<'_>, name: &str, kernel: &Kernel<Jacobi>) {
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let u = &matrix(n, 83);
    let outs: [Out<f64, 2>; 4] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        let (m, u) = (n - 2, u.as_slice());
        rows(
            to,
            m,
            m,
            #[inline(always)]
            |i, to| {
                let row = |i: usize, j: usize| &u[i * n + j..][..m];
                let (up, down, left, right) = (row(i, 1), row(i + 2, 1), row(i + 1, 0), row(i + 1, 2));
                for j in 0..m {
                    to[j] = 0.25 * (up[j] + down[j] + left[j] + right[j]);
                }
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * 8 * n * n, Some(1.1)), &by_hand);
    #[cfg(feature = "ndarray")]
    let by_ndarray = |to: &mut Vec<f64>| crate::peers::array::jacobi(u.as_slice(), n, to);
    #[cfg(feature = "ndarray")]
    let contest = outs[3].by("ndarray", contest, &by_ndarray);
    let columns = vec![("u", Input::F64(u.as_slice()))];
    let task = Task { query: "jacobi", columns, given: vec![("rows", n as f64)] };
    let contest = outs[1].ours(contest, &outs[2], kernel, (u,), |kernel, to, (u,)| kernel.call_into(to, u));
    bench.contest(&contest.peers(&bench.peers, &["numba"], &task, |answer| answer));
}

fn blur(bench: &mut Bench<'_>) {
    let name = "blur 3×3 of u8, clamped";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let image = Array::new(random::column(n * n, 84, |rng| rng.u8(..)), [n, n]).expect("a square");
    let (image, outs): (&Image, [Out<u8, 2>; 3]) = (&image, Default::default());
    let by_hand = |to: &mut Vec<u8>| {
        rows(
            to,
            n,
            n,
            #[inline(always)]
            |i, to| {
                let row = |i: usize| &image.as_slice()[i * n..][..n];
                blurred::<1>(row(i.saturating_sub(1)), row(i), row((i + 1).min(n - 1)), to);
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * n * n, Some(1.1)), &by_hand);
    let columns = vec![("p", Input::U8(image.as_slice()))];
    let task = Task { query: "blur", columns, given: vec![("rows", n as f64)] };
    let contest =
        outs[1].ours(contest, &outs[2], &BLUR, (image,), |kernel, to, (image,)| kernel.call_into(to, image));
    bench.contest(&contest.peers(&bench.peers, &["numba"], &task, |answer| answer));
}

fn blur_pixels(bench: &mut Bench<'_>) {
    let name = "blur 3×3 of pixels, clamped";
    if !bench.wants(name) {
        return;
    }
    let (n, m) = (side(bench), side(bench) / 2);
    let bytes = random::column(n * m * CHANNELS, 85, |rng| rng.u8(..));
    let picture = Array::new(bytes, [n, m, CHANNELS]).expect("as many bytes");
    let (picture, outs): (&Picture, [Out<u8, 3>; 3]) = (&picture, Default::default());
    let by_hand = |to: &mut Vec<u8>| {
        let width = m * CHANNELS;
        rows(
            to,
            n,
            width,
            #[inline(always)]
            |i, to| {
                let row = |i: usize| &picture.as_slice()[i * width..][..width];
                blurred::<CHANNELS>(row(i.saturating_sub(1)), row(i), row((i + 1).min(n - 1)), to);
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * n * m * CHANNELS, Some(1.1)), &by_hand);
    bench.contest(&outs[1].ours(contest, &outs[2], &BLUR_PIXELS, (picture,), |kernel, to, (picture,)| {
        kernel.call_into(to, picture)
    }));
}

/// A row of the blur, of those around it: of pixels of `C` bytes.
#[inline(always)]
fn blurred<const C: usize>(above: &[u8], here: &[u8], below: &[u8], to: &mut [u8]) {
    let n = to.len();
    // A sum of nine bytes is below 2^12, so that 16 bits are enough, and the quotient by 9 is exact.
    let columns = |j: usize| u16::from(above[j]) + u16::from(here[j]) + u16::from(below[j]);
    let of = |l: usize, j: usize, r: usize| ((columns(l) + columns(j) + columns(r)) / 9) as u8;
    for c in 0..C {
        to[c] = of(c, c, C + c);
        to[n - C + c] = of(n - 2 * C + c, n - C + c, n - C + c);
    }
    inside(parts::<C>(above), parts::<C>(here), parts::<C>(below), &mut to[C..n - C]);
}

/// All bytes but those of the last two pixels, but those of the first and the last, and but those of the first two.
#[inline(always)]
fn parts<const C: usize>(row: &[u8]) -> [&[u8]; 3] {
    let n = row.len();
    [&row[..n - 2 * C], &row[C..n - C], &row[2 * C..]]
}

/// The mean of three times three bytes, which stand in columns.
#[inline(always)]
fn inside(above: [&[u8]; 3], here: [&[u8]; 3], below: [&[u8]; 3], to: &mut [u8]) {
    let m = to.len();
    let [[a, b, c], [d, e, f], [g, h, i]] = [above, here, below].map(|row| row.map(|column| &column[..m]));
    for j in 0..m {
        let sum = |x: &[u8], y: &[u8], z: &[u8]| u16::from(x[j]) + u16::from(y[j]) + u16::from(z[j]);
        to[j] = ((sum(a, b, c) + sum(d, e, f) + sum(g, h, i)) / 9) as u8;
    }
}
