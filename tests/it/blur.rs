//! The kernel of the example `blur` on every executor, and the pictures that it reads and writes.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use weldment::{Array, Options};

#[path = "../../examples/blur/kernels.rs"]
mod kernels;
#[path = "../../examples/blur/picture.rs"]
mod picture;

use crate::calls::executables;
use kernels::{BLUR, by_hand};
use picture::Picture;

/// The program between the parentheses of `weld!(…)`.
fn program() -> &'static str {
    let text = include_str!("../../examples/blur/kernels.rs");
    let (_, program) = text.split_once("weld!(").expect("the example has one kernel");
    program.split_once("\n});").map(|(program, _)| program).expect("and closes what it opens")
}

/// What loops make of a picture.
fn looped(picture: &Picture) -> Picture {
    let mut blurred = vec![1; 5];
    by_hand(picture, &mut blurred);
    Array::new(blurred, picture.shape()).expect("as many as before")
}

/// A picture in which neighbours and channels differ.
fn mixed(shape: [usize; 3]) -> Picture {
    let sample = |[row, column, channel]: [i64; 3]| (row * row * 29 + column * 83 + channel * 151) as u8;
    Array::from_fn(shape, sample).expect("a small picture")
}

#[test]
fn kernel_and_loops_give_the_same_bytes() {
    let executables = executables(&format!("{}\n}}", program()));
    let sides = [[1, 1], [2, 3], [5, 1], [7, 40], [64, 65], [0, 3], [3, 0]];
    let mixed =
        sides.iter().flat_map(|&[rows, columns]| [1, 2, 3, 4].map(|count| mixed([rows, columns, count])));
    for picture in mixed.chain(sides.map(|[rows, columns]| picture::drawn(rows, columns))) {
        let expected = looped(&picture);
        for threads in [1, 2, 7] {
            let (options, shape) = (Options::new().threads(threads), picture.shape());
            assert_eq!(BLUR.with(&options).call(&picture).as_ref(), Ok(&expected), "{shape:?}");
            for executable in &executables {
                let got = executable.call_with::<_, Picture>(&options, (&picture,));
                assert_eq!(got.as_ref(), Ok(&expected), "{shape:?}, {executable:?}");
            }
        }
    }
}

#[test]
fn the_kernel_is_two_loops_and_no_array_between_them() {
    let report = BLUR.explain();
    assert!(
        report.contains("loops: 2 before, 2 after\nintermediates in memory: 1 before, 0 after"),
        "{report}"
    );
    for line in [
        "reads p at [0, -2, 0] [0, -1, 0] [0, 0, 0] [0, 1, 0] [0, 2, 0]",
        "at [-2, 0, 0] [-1, 0, 0] [0, 0, 0] [1, 0, 0] [2, 0, 0]",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn what_is_equal_everywhere_stays() {
    for sample in [0, 1, 128, 255] {
        let plain = Array::from_fn([6, 9, 1], |_| sample).expect("a small picture");
        assert_eq!(BLUR(&plain), plain);
    }
}

#[test]
fn pictures_are_read_as_they_are_written() {
    for channels in 1..=4 {
        let picture = mixed([5, 7, channels]);
        let file = picture::write(&picture).expect("a PNG");
        assert!(file.starts_with(b"\x89PNG"));
        assert_eq!(picture::read(&file), Ok(picture));
    }
}

#[test]
fn what_no_png_can_hold_is_told() {
    for (shape, why) in [
        ([2, 2, 0], "a PNG has one to four channels, and this has 0"),
        ([2, 2, 5], "a PNG has one to four channels, and this has 5"),
        ([0, 2, 3], "Zero height not allowed"),
        ([0, 1 << 32, 3], "4294967296 × 0 pixels are too many"),
    ] {
        assert_eq!(picture::write(&mixed(shape)), Err(why.to_owned()));
    }
}

#[test]
fn samples_of_16_bits_are_rounded() {
    let samples: [u16; 12] = [0, 128, 129, 257, 385, 386, 0x7fff, 0x8000, 0xff7e, 0xff7f, 0xff80, 0xffff];
    let rounded = samples.map(|sample| (f64::from(sample) / 257.0).round() as u8);
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_ne_bytes()).collect();
    let colours = [
        ExtendedColorType::L16,
        ExtendedColorType::La16,
        ExtendedColorType::Rgb16,
        ExtendedColorType::Rgba16,
    ];
    for (channels, colour) in (1..).zip(colours) {
        let (mut file, columns) = (Vec::new(), samples.len() / channels);
        PngEncoder::new(&mut file).write_image(&bytes, columns as u32, 1, colour).expect("a PNG");
        let expected = Array::new(rounded.to_vec(), [1, columns, channels]).expect("12 samples");
        assert_eq!(picture::read(&file), Ok(expected));
    }
}

#[test]
fn what_is_no_picture_is_told() {
    let file = picture::write(&mixed([5, 7, 3])).expect("a PNG");
    let mut damaged = file.clone();
    // The width, behind the signature, the length of the header and its name.
    damaged[19] += 1;
    // 100000 × 100000 pixels of three bytes.
    let huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x01\x86\xa0\0\x01\x86\xa0\x08\x02\0\0\0\x27\x30\x9c\x9f\0\0\0\0IDAT";
    for (bytes, why) in [
        (&b""[..], "The image format could not be determined"),
        (b"no picture", "The image format could not be determined"),
        (b"GIF89a", "The image format Gif is not supported"),
        (&file[..8], "unexpected end of file"),
        (&file[..60], "unexpected end of file"),
        (huge, "Memory limit exceeded"),
    ] {
        assert_eq!(picture::read(bytes), Err(why.to_owned()));
    }
    let told = picture::read(&damaged).expect_err("another checksum");
    assert!(told.starts_with("Format error decoding Png: CRC error"), "{told}");
}
