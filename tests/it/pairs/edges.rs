//! Empty inputs, NaNs and infinities in reductions.

use super::pairs;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

pairs! {
    reductions_of_nothing(&[0f64; 0][..], &[0i64; 0][..]) = (0.0f64, 1i64, 0i64, false, true, (INF, i64::MIN));
    weld!(|x: &[f64], n: &[i64]| (
        x.sum(), n.product(), x.count(), n.any(|n| n > 0), n.all(|n| n > 0),
        (result(for(x, merger[f64,min], |b, _, x| merge(b, x))), result(for(n, merger[i64,max], |b, _, x| merge(b, x)))),
    )),
    "|x: vec[f64], n: vec[i64]| {
       sum(x), product(n), count(x), any(n, |n| n > 0L), all(n, |n| n > 0L),
       {result(for(x, merger[f64,min], |b, i, x| merge(b, x))), result(for(n, merger[i64,max], |b, i, x| merge(b, x)))}
     }";

    collections_of_nothing(&[0u8; 0][..], &[vec![0i32; 0]][..]) =
        (Vec::<u8>::new(), 0i64, Vec::<(u8, Vec<u8>)>::new(), vec![0i32], Vec::<i32>::new());
    weld!(|v: &[u8], rows: &[Vec<i32>]| (
        v.filter(|x| x > 1),
        v.enumerate().len(),
        tovec(result(for(v, groupmerger[u8,u8], |b, _, x| merge(b, (x, x))))),
        rows.map(|row| row.sum()),
        rows.flatten(),
    )),
    "|v: vec[u8], rows: vec[vec[i32]]| {
       filter(v, |x| x > 1),
       len(enumerate(v)),
       tovec(result(for(v, groupmerger[u8,u8], |b, i, x| merge(b, {x, x})))),
       map(rows, |row| sum(row)),
       flatten(rows)
     }";

    extremes_of_nans_alone(&[NAN, -NAN, NAN, NAN][..]) = (NAN, NAN, INF, -INF, vec![(true, (NAN, NAN))]);
    weld!(|v: &[f64]| (
        v.min(),
        v.max(),
        result(for(v, merger[f64,min], |b, _, x| merge(b, x))),
        result(for(v, merger[f64,max], |b, _, x| merge(b, x))),
        tovec(result(for(v, dictmerger[bool,(f64, f64),max], |b, _, x| merge(b, (x != x, (x, -x)))))),
    )),
    "|v: vec[f64]| {
       min(v),
       max(v),
       result(for(v, merger[f64,min], |b, i, x| merge(b, x))),
       result(for(v, merger[f64,max], |b, i, x| merge(b, x))),
       tovec(result(for(v, dictmerger[bool,{f64,f64},max], |b, i, x| merge(b, {x != x, {x, -x}}))))
     }";

    extremes_beside_a_nan(&[NAN, INF, NAN, NAN, NAN, -INF, NAN][..], &[NAN, NAN, NAN, NAN, 0.0, -0.0, NAN][..]) =
        (-INF, INF, -0.0f64, 0.0f64, -0.0f64, 0.0f64);
    weld!(|x: &[f64], z: &[f64]| (
        x.min(), x.max(), z.min(), z.max(),
        z.filter(|x| x == x || x != x).min(), z.map(|x| x * 1.0).max(),
    )),
    "|x: vec[f64], z: vec[f64]| {
       min(x), max(x), min(z), max(z),
       min(filter(z, |x| x == x || x != x)), max(map(z, |x| x * 1.0))
     }";

    narrow_extremes_of_kept_nans(&[1.0f32, f32::NAN, 2.0, f32::NAN, 3.0][..]) = (f32::NAN, f32::NAN, 1.0f32, 3.0f32);
    weld!(|v: &[f32]| {
        let nans = v.filter(|x| x != x);
        (nans.min(), nans.max(), v.min(), v.max())
    }),
    "|v: vec[f32]| let nans = filter(v, |x| x != x); {min(nans), max(nans), min(v), max(v)}";

    extremes_with_a_nan_to_begin_with(&[NAN, 2.0f64, NAN, 3.0][..], &[NAN; 2][..], NAN) = (2.0f64, 3.0f64, NAN, NAN);
    weld!(|v: &[f64], nans: &[f64], init: f64| (
        result(for(v, merger[f64,min](init), |b, _, x| merge(b, x))),
        result(for(v, merger[f64,max](init), |b, _, x| merge(b, x))),
        result(for(nans, merger[f64,min](init), |b, _, x| merge(b, x))),
        result(for(nans, merger[f64,max](init), |b, _, x| merge(b, x))),
    )),
    "|v: vec[f64], nans: vec[f64], init: f64| {
       result(for(v, merger[f64,min](init), |b, i, x| merge(b, x))),
       result(for(v, merger[f64,max](init), |b, i, x| merge(b, x))),
       result(for(nans, merger[f64,min](init), |b, i, x| merge(b, x))),
       result(for(nans, merger[f64,max](init), |b, i, x| merge(b, x)))
     }";

    nested_extremes(&[vec![NAN], vec![1.0, NAN, -0.0], vec![NAN, INF]][..]) = (vec![NAN, -0.0f64, INF], vec![INF, -0.0f64, INF]);
    weld!(|rows: &[Vec<f64>]| (
        rows.map(|row| row.min()),
        rows.map(|row| result(for(row, merger[f64,min], |b, _, x| merge(b, x)))),
    )),
    "|rows: vec[vec[f64]]| {
       map(rows, |row| min(row)),
       map(rows, |row| result(for(row, merger[f64,min], |b, i, x| merge(b, x))))
     }";
}
