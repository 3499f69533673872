//! Pictures in PNG, into which every tool converts: grey or coloured, opaque or not, of a byte a sample.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use weldment::Array;

/// The pixels of a picture, `[row, column, channel]`, in the order of a PNG, so that no sample is moved to read or write one.
/// Channels are grey, or red, green and blue, and then how opaque the pixel is, if the file tells.
pub(crate) type Picture = Array<u8, 3>;

/// The picture that a file holds. Samples of all sizes become bytes, those of 16 bits rounded, and entries of a palette the
/// colours that they stand for.
///
/// # Errors
/// It is no PNG, or one that is damaged or ends too soon, or needs more than the 512 MiB that the decoder allows.
pub(crate) fn read(bytes: &[u8]) -> Result<Picture, String> {
    let decoded = image::load_from_memory(bytes).map_err(|error| error.to_string())?;
    let (rows, columns) = (decoded.height() as usize, decoded.width() as usize);
    let channels = decoded.color().channel_count();
    // Samples that are bytes are handed on as they are.
    let samples = match channels {
        1 => decoded.into_luma8().into_raw(),
        2 => decoded.into_luma_alpha8().into_raw(),
        3 => decoded.into_rgb8().into_raw(),
        _ => decoded.into_rgba8().into_raw(),
    };
    Array::new(samples, [rows, columns, usize::from(channels)]).map_err(|error| error.to_string())
}

/// The file of a picture.
///
/// # Errors
/// It has no pixels, more than a PNG can have, or not one to four channels.
pub(crate) fn write(picture: &Picture) -> Result<Vec<u8>, String> {
    let [rows, columns, channels] = picture.shape();
    let colour = match channels {
        1 => ExtendedColorType::L8,
        2 => ExtendedColorType::La8,
        3 => ExtendedColorType::Rgb8,
        4 => ExtendedColorType::Rgba8,
        _ => return Err(format!("a PNG has one to four channels, and this has {channels}")),
    };
    let (Ok(width), Ok(height)) = (u32::try_from(columns), u32::try_from(rows)) else {
        return Err(format!("{columns} × {rows} pixels are too many"));
    };
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(picture.as_slice(), width, height, colour)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// A test picture: rings, stripes and a ramp.
pub(crate) fn drawn(rows: usize, columns: usize) -> Picture {
    let sample = |[row, column, channel]: [i64; 3]| {
        let (down, right) = (row - rows as i64 / 2, column - columns as i64 / 2);
        match channel {
            0 => ((down * down + right * right) / 512) as u8,
            1 if (row / 16 + column / 16) % 2 == 0 => 220,
            1 => 30,
            _ => (row * 255 / rows.max(1) as i64) as u8,
        }
    };
    Array::from_fn([rows, columns, 3], sample).expect("a picture that fits")
}
