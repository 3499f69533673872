//! The kernel of the example `blur` on every executor, and the pictures that it reads and writes.

use weldment::{Array, Options};

#[path = "../../examples/blur/kernels.rs"]
mod kernels;
#[path = "../../examples/blur/picture.rs"]
mod picture;

use crate::calls::executables;
use kernels::{BLUR, by_hand};

/// The program between the parentheses of `weld!(…)`.
fn program() -> &'static str {
    let text = include_str!("../../examples/blur/kernels.rs");
    let (_, program) = text.split_once("weld!(").expect("the example has one kernel");
    program.split_once("\n});").map(|(program, _)| program).expect("and closes what it opens")
}

#[test]
fn kernel_and_loops_give_the_same_bytes() {
    let program = format!("{}\n}}", program());
    for [rows, columns] in [[1, 1], [2, 3], [5, 1], [7, 40], [64, 65], [0, 3]] {
        let drawn = picture::drawn(rows, columns);
        let expected = by_hand(&drawn);
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            assert_eq!(BLUR.with(&options).call(&drawn).as_ref(), Ok(&expected), "{rows} × {columns}");
            for executable in executables(&program) {
                let got = executable.call_with::<_, Array<u8, 3>>(&options, (&drawn,));
                assert_eq!(got.as_ref(), Ok(&expected), "{rows} × {columns}, {executable:?}");
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
        "reads p at [0, 0, -2] [0, 0, -1] [0, 0, 0] [0, 0, 1] [0, 0, 2]",
        "at [0, -2, 0] [0, -1, 0] [0, 0, 0]",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
}

#[test]
fn what_is_equal_everywhere_stays() {
    for sample in [0, 1, 128, 255] {
        let plain = Array::from_fn([1, 6, 9], |_| sample).expect("a small picture");
        assert_eq!(BLUR(&plain), plain);
    }
}

#[test]
fn pictures_are_read_as_they_are_written() {
    let drawn = picture::drawn(3, 4);
    assert_eq!(picture::read(&picture::write(&drawn)), Ok(drawn));
    let grey = Array::new(vec![1, 2, 3, 4, 5, 6], [1, 2, 3]).expect("six samples");
    assert_eq!(picture::read(b"P5 # grey\n3\t2 255\n\x01\x02\x03\x04\x05\x06"), Ok(grey));
}

#[test]
fn what_is_no_picture_is_told() {
    for (bytes, why) in [
        (&b"P3\n1 1\n255\n1 2 3"[..], "it begins neither with P5 nor with P6"),
        (b"P5\n2 x\n255\n", "its height is no number"),
        (b"P5\n2 2\n65535\n12345678", "its samples are up to 65535, and 255 is the most that a byte holds"),
        (b"P6\n1 1\n255\n12", "it ends before its last sample"),
        (b"P5\n99999999 99999999\n255\n", "99999999 × 99999999 pixels are too many"),
        (b"", "it begins neither with P5 nor with P6"),
    ] {
        assert_eq!(picture::read(bytes), Err(why.to_owned()));
    }
}
