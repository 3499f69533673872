//! Aliases of types, in both spellings and of structs of Rust, alike on every executor.

use weldment::Weld;

use crate::every_way::agree;

/// A struct whose name does not begin with a capital letter.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[allow(non_camel_case_types)]
struct reading {
    at: i64,
    value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Id<T>(T, u8);

mod inner {
    use weldment::Weld;

    #[derive(Clone, Copy, Debug, PartialEq, Weld)]
    #[allow(non_camel_case_types)]
    pub(super) struct cell(pub(super) bool, pub(super) super::reading);
}

fn readings(n: i64) -> Vec<reading> {
    (0..n).map(|at| reading { at, value: at as f64 * 0.75 - 3.0 }).collect()
}

#[test]
fn casts_constants_and_parameters_take_aliases() {
    let x = &[0.5, -1.5, 2.5, 300.75][..];
    let cut: Vec<u8> = agree!(x; type byte = u8; type row = vec[f64]; |x: row| x.map(|x| x as byte));
    assert_eq!(cut, [0, 0, 2, 255]);
    let sum: f32 = agree!(x; type small = f32; |x: &[f64]| -> small { x.map(|x| small(x)).sum::<small>() });
    assert_eq!(sum, 302.25);
    let most: i16 = agree!(3i16; type short = i16; |n: short| short::MAX - n);
    assert_eq!(most, 32764);
}

#[test]
fn builders_are_made_by_aliases() {
    let n = &[3i64, 1, 4, 1, 5][..];
    let sum: i64 =
        agree!(n; type Sum = merger[i64,+]; |v: vec[i64]| result(for(v, Sum, |b, i, x| merge(b, x))));
    assert_eq!(sum, 14);
    let more: i64 = agree!(n; type Sum = merger[i64,+]; type S = Sum;
        |v: vec[i64]| result(for(v, S(100L), |b: S, i, x| merge(b, x))));
    assert_eq!(more, 114);
    let bins: Vec<i64> = agree!(n; type Bins = vecmerger[i64,+];
        |v: vec[i64]| result(for(v, Bins([10, 20]), |b, i, x| merge(b, {x % 2, 1}))));
    assert_eq!(bins, [11, 24]);
    let counts: i64 = agree!(n; type Counts = dictmerger[i64,i64,+];
        |v: vec[i64]| lookup(result(for(v, Counts, |b, i, x| merge(b, {x, 1L}))), 1));
    assert_eq!(counts, 2);
    let both: (Vec<i64>, i64) = agree!(n; type Both = {appender[i64], merger[i64,max]};
        |v: vec[i64]| (let b: Both = for(v, {appender, merger[i64,max]}, |b: Both, i, x| {merge(b.$0, x), merge(b.$1, x)});
            {result(b.$0), result(b.$1)}));
    assert_eq!(both, (n.to_vec(), 5));
}

#[test]
fn structs_of_rust_have_aliases() {
    let r = &readings(20)[..];
    let high: Vec<reading> = agree!(r; type Row = reading; |r: &[Row]|
        r.filter(|r| r.value > 2.0).map(|Row { at, value }| Row { at: at + 1, value }));
    assert_eq!(high[0], reading { at: 8, value: 2.25 });
    let id: Id<i64> = agree!(r; type Key = Id<i64>; |r: &[reading]| Key(r.map(|r| r.at).max(), 7));
    assert_eq!(id, Id(19, 7));
}

#[test]
fn names_in_lower_case_are_structs_where_types_stand() {
    let r = &readings(20)[..];
    let sum: f64 = agree!(r; |r: &[reading]| r.map(|r| r.value).sum());
    assert_eq!(sum, 82.5);
    let first: reading = agree!(r; |r: &[reading]| r[0]);
    assert_eq!(first, r[0]);
    let cells: Vec<inner::cell> =
        agree!(r; type Cell = inner::cell; |r: &[reading]| r.map(|r| Cell(r.at > 3, r)));
    assert_eq!(cells[4], inner::cell(true, r[4]));
}
