//! `serialize` and `deserialize`: what bytes are, and which bytes are nothing.

use weldment::{Dict, FaultKind};

use super::arrays::over;
use super::rule;
use crate::pairs::Outcome::{self, Fault};

fn fault() -> Outcome {
    Fault(FaultKind::DeserializeError, "deserialize")
}

/// `len` as 8 bytes, and then `rest`.
fn counted(len: u64, rest: &[u8]) -> Vec<u8> {
    [&len.to_le_bytes()[..], rest].concat()
}

#[test]
fn a_scalar_takes_its_own_size() {
    rule!(
        weld!(|bytes: &[u8]| deserialize[i32](bytes));
        (&[1, 2, 0, 128][..]) => i32::from_le_bytes([1, 2, 0, 128]),
        (&[1, 2, 0][..]) => fault(),
        (&[][..]) => fault(),
        (&[1, 2, 3, 4, 5][..]) => fault(),
    );
    rule!(
        weld!(|bytes: &[u8]| deserialize[bool](bytes));
        (&[1][..]) => true,
        (&[0][..]) => false,
        (&[][..]) => fault(),
        (&[1, 0][..]) => fault(),
    );
}

#[test]
fn a_struct_has_no_padding() {
    rule!(
        weld!(|bytes: &[u8]| deserialize[(u8, i16, bool)](bytes));
        (&[7, 255, 255, 1][..]) => (7u8, -1i16, true),
        (&[7, 255, 255][..]) => fault(),
        (&[7, 255, 255, 1, 0][..]) => fault(),
    );
}

#[test]
fn a_length_that_bytes_do_not_have_is_a_fault_and_asks_for_no_memory() {
    rule!(
        weld!(|bytes: &[u8]| deserialize[vec[i16]](bytes));
        (&counted(2, &[1, 0, 2, 0])[..]) => vec![1i16, 2],
        (&counted(0, &[])[..]) => Vec::<i16>::new(),
        (&counted(2, &[1, 0, 2])[..]) => fault(),
        (&counted(2, &[1, 0, 2, 0, 3])[..]) => fault(),
        (&counted(3, &[1, 0, 2, 0])[..]) => fault(),
        (&counted(1 << 40, &[1, 0])[..]) => fault(),
        (&counted(u64::MAX, &[1, 0])[..]) => fault(),
        (&counted(1 << 63, &[])[..]) => fault(),
        (&[1, 0, 0][..]) => fault(),
    );
    rule!(
        weld!(|bytes: &[u8]| deserialize[vec[Vec<u8>]](bytes));
        (&counted(2, &[counted(1, &[5]), counted(0, &[])].concat())[..]) => vec![vec![5u8], vec![]],
        (&counted(2, &[counted(1, &[5]), counted(3, &[1])].concat())[..]) => fault(),
        (&counted(2, &counted(1, &[5]))[..]) => fault(),
        (&counted(u64::MAX / 8, &counted(1, &[5]))[..]) => fault(),
        (&counted(1, &counted(u64::MAX, &[5]))[..]) => fault(),
    );
    rule!(
        weld!(|bytes: &[u8]| len(deserialize[dict[u8,i16]](bytes)));
        (&counted(2, &[1, 5, 0, 2, 6, 0])[..]) => 2i64,
        (&counted(2, &[1, 5, 0, 2, 6])[..]) => fault(),
        (&counted(2, &[1, 5, 0, 2, 6, 0, 0])[..]) => fault(),
        (&counted(1 << 62, &[1, 5, 0])[..]) => fault(),
    );
}

#[test]
fn a_key_that_comes_twice_keeps_its_place_and_its_last_value() {
    let expected: Dict<u8, u8> = [(9, 3), (1, 2)].into_iter().collect();
    rule!(
        weld!(|bytes: &[u8]| deserialize[dict[u8,u8]](bytes));
        (&counted(3, &[9, 1, 1, 2, 9, 3])[..]) => expected,
    );
}

#[test]
fn nans_are_written_alike_and_zeros_are_not() {
    let quiet = f64::NAN.to_bits().to_le_bytes();
    let other_nans =
        [-f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001), f64::from_bits(0xffff_ffff_ffff_ffff)];
    rule!(
        weld!(|v: &[f64]| serialize(v));
        (&other_nans[..]) => counted(3, &[quiet, quiet, quiet].concat()),
        (&[0.0, -0.0][..]) => counted(2, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]),
    );
    rule!(
        weld!(|x: f32, k: f32| serialize((x, {
            let d = result(for([k], dictmerger[f32,u8,+], |b, _, k| merge(b, (k, 1u8))));
            d
        })));
        (f32::from_bits(0xff80_0001), f32::from_bits(0x7fff_ffff)) =>
            [&f32::NAN.to_bits().to_le_bytes()[..], &counted(1, &f32::NAN.to_bits().to_le_bytes()), &[1]].concat(),
    );
}

#[test]
fn each_shape_comes_back() {
    let d: Dict<i64, Vec<u8>> = [(i64::MIN, vec![1]), (3, vec![])].into_iter().collect();
    rule!(
        weld!(|d: &Dict<i64, Vec<u8>>, rows: &[Vec<(f32, bool)>], x: (i8, u64)|
            deserialize[(dict[i64,vec[u8]], (vec[vec[(f32, bool)]], (i8, u64)))](serialize((d, (rows, x)))));
        (&d, &[vec![(1.5, true), (-0.0, false)], vec![]][..], (-1, u64::MAX)) =>
            (d.clone(), (vec![vec![(1.5f32, true), (-0.0, false)], vec![]], (-1i8, u64::MAX))),
    );
}

#[test]
fn an_array_has_an_element_for_each_of_its_points() {
    let array = |elements: &[u8], numbers: [i64; 6]| {
        [counted(elements.len() as u64, elements), numbers.into_iter().flat_map(i64::to_le_bytes).collect()]
            .concat()
    };
    let whole = || over([(1, 1, 1), (0, 2, 2)], vec![7u8, 8]);
    rule!(
        weld!(|bytes: &[u8]| deserialize[array[u8, 2]](bytes));
        (&array(&[7, 8], [1, 0, 1, 2, 1, 2])) => whole(),
        // Of one coordinate there is no next one.
        (&array(&[7, 8], [1, 0, 9, 2, 1, 2])) => whole(),
        (&array(&[], [1, 0, 1, 2, 0, 1 << 40])) => over([(1, 1, 0), (0, 2, 1 << 40)], Vec::<u8>::new()),
        (&array(&[7, 8], [1, 0, 1, 2, 2, 2])) => fault(),
        (&array(&[7, 8], [1, 0, 1, 2, 1, 1])) => fault(),
        (&array(&[7, 8], [1, 0, 1, 2, -1, -2])) => fault(),
        (&array(&[7, 8], [1, 0, 1, 0, 1, 2])) => fault(),
        (&array(&[7, 8], [1, i64::MAX, 1, 1, 1, 2])) => fault(),
        (&array(&[], [0, 0, 1, 1, 1 << 32, 1 << 32])) => fault(),
        (&array(&[7, 8], [1, 0, 1, 2, 1, 2])[..57]) => fault(),
        (&[array(&[7, 8], [1, 0, 1, 2, 1, 2]), vec![0]].concat()) => fault(),
    );
    rule!(
        weld!(|a: &Array<i16, 2>, k: u8| {
            let read = deserialize[vec[(array[i16, 2], u8)]](serialize([(a, k), (a.transpose(), k)]));
            (read[1], read[0].0.sum(1))
        });
        (&over([(1, 2, 2), (0, 1, 2)], vec![1i16, 2, 3, 4]), 9u8) => (
            (over([(0, 1, 2), (1, 2, 2)], vec![1i16, 3, 2, 4]), 9u8),
            over([(1, 2, 2)], vec![3i16, 7]),
        ),
    );
}
