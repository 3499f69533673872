//! A separable blur of five taps, as a kernel and by hand. A picture is its pixels, `[row, column, channel]`.

use weldment::{Array, Kernel, weld};

type Blur = fn(&Array<u8, 3>) -> Array<u8, 3>;

/// Binomial weights along rows, and then along columns; at the borders, the pixel next to them goes on. Sums of bytes times 256
/// are less than 2^16.
pub(crate) const BLUR: Kernel<Blur> = weld!(|p: &Array<u8, 3>| {
    let across = p.stencil(clamp, |c| {
        let (near, middle) = (u16(c[0, -1, 0]) + u16(c[0, 1, 0]), u16(c[0, 0, 0]));
        u16(c[0, -2, 0]) + u16(c[0, 2, 0]) + 4u16 * near + 6u16 * middle
    });
    across.stencil(clamp, |c| {
        let (near, middle) = (c[-1, 0, 0] + c[1, 0, 0], c[0, 0, 0]);
        u8((c[-2, 0, 0] + c[2, 0, 0] + 4u16 * near + 6u16 * middle + 128u16) >> 8u16)
    })
});

/// The same by loops, in place of what `blurred` held. Only the last step rounds, so that columns may come first: one row of
/// sums is then all that is kept, and lies in the cache.
pub(crate) fn by_hand(picture: &Array<u8, 3>, blurred: &mut Vec<u8>) {
    let [rows, columns, channels] = picture.shape();
    let (samples, width) = (picture.as_slice(), columns * channels);
    let weighted = |[a, b, c, d, e]: [u16; 5]| a + e + 4 * (b + d) + 6 * c;
    blurred.clear();
    blurred.reserve_exact(samples.len());
    // Sums down columns of one row, which at both ends goes on for two pixels.
    let mut down = vec![0; width + 4 * channels];
    for row in 0..rows {
        let lines = [0, 1, 2, 3, 4].map(|by| {
            let near = (row + by).clamp(2, rows + 1) - 2;
            &samples[near * width..][..width]
        });
        for (at, sum) in down[2 * channels..][..width].iter_mut().enumerate() {
            *sum = weighted(lines.map(|line| u16::from(line[at])));
        }
        let (first, last) = (2 * channels, (columns + 1) * channels);
        for (from, to) in
            [(first, 0), (first, channels), (last, last + channels), (last, last + 2 * channels)]
        {
            down.copy_within(from..from + channels, to);
        }
        let taps = [0, 1, 2, 3, 4].map(|by| &down[by * channels..][..width]);
        blurred.extend((0..width).map(|at| ((weighted(taps.map(|tap| tap[at])) + 128) >> 8) as u8));
    }
}
