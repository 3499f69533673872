//! Pictures in the binary formats of netpbm, into which every tool converts: P5 of one channel, and P6 of three, of a byte each.
//! The formats are described at <https://netpbm.sourceforge.net/doc/pgm.html> and <https://netpbm.sourceforge.net/doc/ppm.html>.

use weldment::Array;

/// The planes of a picture, `[channel, row, column]`.
pub(crate) type Picture = Array<u8, 3>;

/// The most pixels that are read: the numbers of a file may be anything.
const MOST_PIXELS: usize = 1 << 28;

/// The picture that a file holds.
///
/// # Errors
/// It is no binary netpbm picture of one byte a sample, or ends too soon.
pub(crate) fn read(bytes: &[u8]) -> Result<Picture, String> {
    let channels = match bytes.get(..2) {
        Some(b"P5") => 1,
        Some(b"P6") => 3,
        _ => return Err("it begins neither with P5 nor with P6".to_owned()),
    };
    let mut rest = &bytes[2..];
    let mut number = |what: &str| {
        loop {
            match rest {
                [b'#', ..] => {
                    let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                    rest = &rest[line..];
                }
                [byte, more @ ..] if byte.is_ascii_whitespace() => rest = more,
                _ => break,
            }
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&rest[..digits]).unwrap_or_default();
        rest = &rest[digits..];
        text.parse::<usize>().map_err(|_| format!("its {what} is no number"))
    };
    let (columns, rows, most) = (number("width")?, number("height")?, number("greatest value")?);
    if !(1..=255).contains(&most) {
        return Err(format!("its samples are up to {most}, and 255 is the most that a byte holds"));
    }
    let pixels = columns.checked_mul(rows).filter(|&pixels| pixels <= MOST_PIXELS);
    let pixels = pixels.ok_or_else(|| format!("{columns} × {rows} pixels are too many"))?;
    // One white space stands before the samples.
    let samples = rest.get(1..=pixels * channels).ok_or("it ends before its last sample")?;
    let planes = (0..channels).flat_map(|channel| samples.iter().skip(channel).step_by(channels).copied());
    Array::new(planes.collect(), [channels, rows, columns]).map_err(|error| error.to_string())
}

/// The file of a picture: P5 of one channel, else P6 of the first three.
pub(crate) fn write(picture: &Picture) -> Vec<u8> {
    let [channels, rows, columns] = picture.shape();
    let kind = if channels == 1 { "P5" } else { "P6" };
    let mut bytes = format!("{kind}\n{columns} {rows}\n255\n").into_bytes();
    let (samples, pixels) = (picture.as_slice(), rows * columns);
    bytes.extend((0..pixels).flat_map(|at| (0..channels).map(move |channel| samples[channel * pixels + at])));
    bytes
}

/// A test picture: rings, stripes and a ramp.
pub(crate) fn drawn(rows: usize, columns: usize) -> Picture {
    let sample = |[channel, row, column]: [i64; 3]| {
        let (down, right) = (row - rows as i64 / 2, column - columns as i64 / 2);
        match channel {
            0 => ((down * down + right * right) / 512) as u8,
            1 if (row / 16 + column / 16) % 2 == 0 => 220,
            1 => 30,
            _ => (row * 255 / rows.max(1) as i64) as u8,
        }
    };
    Array::from_fn([3, rows, columns], sample).expect("a picture that fits")
}
