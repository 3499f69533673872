//! A separable blur of five taps, as a kernel and by hand. A picture is one plane for each channel, `[channel, row, column]`.

use weldment::{Array, Kernel, weld};

type Blur = fn(&Array<u8, 3>) -> Array<u8, 3>;

/// Binomial weights along rows, and then along columns; at the borders, the pixel next to them goes on. Sums of bytes times 256
/// are less than 2^16.
pub(crate) const BLUR: Kernel<Blur> = weld!(|p: &Array<u8, 3>| {
    let across = p.stencil(clamp, |c| {
        let (near, middle) = (u16(c[0, 0, -1]) + u16(c[0, 0, 1]), u16(c[0, 0, 0]));
        u16(c[0, 0, -2]) + u16(c[0, 0, 2]) + 4u16 * near + 6u16 * middle
    });
    across.stencil(clamp, |c| {
        let (near, middle) = (c[0, -1, 0] + c[0, 1, 0], c[0, 0, 0]);
        u8((c[0, -2, 0] + c[0, 2, 0] + 4u16 * near + 6u16 * middle + 128u16) >> 8u16)
    })
});

/// The same by loops.
pub(crate) fn by_hand(picture: &Array<u8, 3>) -> Array<u8, 3> {
    let [channels, rows, columns] = picture.shape();
    let mut blurred = Vec::with_capacity(picture.as_slice().len());
    let weighted = |[a, b, c, d, e]: [u16; 5]| a + e + 4 * (b + d) + 6 * c;
    // The five places around one of so many.
    let around = |at: usize, count: usize| [0, 1, 2, 3, 4].map(|by| (at + by).clamp(2, count + 1) - 2);
    for channel in 0..channels {
        let plane = &picture.as_slice()[channel * rows * columns..][..rows * columns];
        let mut across = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            let line = &plane[row * columns..][..columns];
            for column in 0..columns {
                across.push(weighted(around(column, columns).map(|column| u16::from(line[column]))));
            }
        }
        for row in 0..rows {
            let lines = around(row, rows).map(|row| &across[row * columns..][..columns]);
            for column in 0..columns {
                blurred.push(((weighted(lines.map(|line| line[column])) + 128) >> 8) as u8);
            }
        }
    }
    Array::new(blurred, [channels, rows, columns]).expect("as many as before")
}
