//! One producer, one consumer.

use crate::opaque::weldment_case_successor;
use crate::table::cases;

cases! {
    "1", "a map of a map", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| x + 1).map(|x| x * 2)) = vec![4i64, 6, 8];

    "2", "a map, a filter, a map and a sum", loops 4 => 1 (1), stored 3 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 4, 5], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| x * x).filter(|x| x > 4).map(|x| x + 1).sum()) = 53i64;

    "3", "what is computed under a guard stays there", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| n = size.number(10);
    weld!(|n: i64| (0..n).filter(|i| i != 2).map(|i| i - 2).fold(0.0, |sum, y| sum + 1.0 / f64(y))) =
        1.0928571428571427f64;

    "3", "of integers, where 10 / 0 would fault", loops 4 => 1 (1), stored 3 => 0 (0), vectors 0;
    |size| n = size.number(5);
    weld!(|n: i64| (0..n).filter(|i| i != 2).map(|i| i - 2).map(|y| 10 / y).sum()) = 0i64;

    "4", "an opaque function is called once for each element", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1, calls 10;
    |size| n = size.number(10);
    weld!(|n: i64| (0..n).map(|i| cudf[weldment_case_successor, i64](i)).filter(|y| y % 2 == 0)) =
        vec![2i64, 4, 6, 8, 10];

    "4", "the same of a cheap function", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| n = size.number(10);
    weld!(|n: i64| (0..n).map(|i| i + 1).filter(|y| y % 2 == 0)) = vec![2i64, 4, 6, 8, 10];

    "7", "a producer that is part of the result", loops 2 => 1 (1), stored 0 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| x * 2); (a, a.sum()) }) = (vec![2i64, 4, 6], 12i64);

    "", "a filter of a filter writes nothing", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 4, 5, 6], |i| i)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x > 2).filter(|x| x % 2 == 0).sum()) = 10i64;

    "", "the second guard is asked under the first", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[0i64, 1, 2, 0, 20], |i| i % 30)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x != 0).filter(|x| 10 / x > 4).sum()) = 3i64;

    "", "options are stored nowhere between what makes them and what takes their values", loops 4 => 1 (1), stored 3 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1.0f64, -2.0, 4.0], |i| i as f64 - 3.0)[..];
    weld!(|xs: &[f64]| {
        xs.map(|x| if x > 0.0 { Some(x) } else { None }).map(|o| o.filter(|x| x > 1.0)).filter_map(|o| o.map(|x| x * 0.5)).sum()
    }) = 2.0f64;

    "", "what is cheap joins the steps of a scan", loops 3 => 0 (0), stored 3 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, -2, 3], |i| i % 7 - 3)[..];
    weld!(|xs: &[i64]| xs.scan(0, |c, x| max(c + x, 0)).map(|c| c * 2).filter(|c| c > 1).sum()) = 8i64;

    "", "what is dear runs behind it, on all threads", loops 2 => 1 (1), stored 2 => 1 (1), vectors 1;
    |size| xs = &size.elements(&[0.0f64, 0.0, 0.0], |_| 0.0)[..];
    weld!(|xs: &[f64]| xs.scan(0.0, |c, x| c + x).map(|c| sin(cos(c)) - sin(1.0)).max()) = 0.0f64;

    "", "characters that are counted are no vector", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| s = &String::from_utf8(size.elements("aéb".as_bytes(), |i| b'a' + (i % 3) as u8)).unwrap()[..];
    weld!(|s: &str| s.chars().count()) = 3i64;

    "", "an element that `dbg` shows is shown in the loop that takes it", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| if x < 0 { dbg(x) } else { x + 1 }).map(|x| x * 2).sum()) = 18i64;

    "", "it is not computed once more, cheap as it is", loops 2 => 1 (1), stored 1 => 1 (1), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| if x < 0 { dbg(x) } else { x + 1 }); a.sum() + a[2] }) = 13i64;

    "", "query 6 of TPC-H", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size|
        price = &size.elements(&[10.0f64, 20.0, 40.0], |i| (i % 1000) as f64)[..],
        discount = &size.elements(&[0.0625f64, 0.0625, 0.5], |i| (i % 11) as f64 / 100.0)[..],
        quantity = &size.elements(&[1.0f64, 30.0, 1.0], |i| (i % 50) as f64)[..],
        ship = &size.elements(&[8800i32, 8800, 8800], |i| 8000 + (i % 2500) as i32)[..];
    weld!(|price: &[f64], discount: &[f64], quantity: &[f64], ship: &[i32]| {
        zip(price, discount, quantity, ship)
            .filter(|(_, d, q, s)| s >= 8766 && s < 9131 && d >= 0.05 && d <= 0.07 && q < 24.0)
            .map(|(p, d, _, _)| p * d)
            .sum()
    }) = 0.625f64;

    "", "windows of a few elements read neighbours", loops 4 => 1 (1), stored 2 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3, 4], |i| i)[..];
    weld!(|xs: &[i64]| xs.windows(3).map(|w| w.sum())) = vec![6i64, 9];

    "", "chunks are read where they lie", loops 3 => 2 (2), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.chunks(2).map(|c| c.sum())) = vec![3i64, 3];

    "", "taps that are literals, of more than are written out at once", loops 3 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3, 4, 5, 6], |i| i)[..];
    weld!(|xs: &[i64]| {
        let taps = [1, 2, 4, 2, 1];
        (0..xs.len() - 4).map(|i| (0..5).map(|k| xs[i + k] * taps[k]).sum())
    }) = vec![30i64, 40];
}
