//! `if`, `select`, `let`, `iterate`, macros.

use super::pairs;

pairs! {
    index_read_only_as_what_a_branch_gives(&[5i64, 5, 5, 5][..], 0i64) = 6i64;
    weld!(|v: &[i64], d: i64| v.enumerate().map(|p| if d != 0 { 6 / d } else { p.0 }).sum()),
    "|v: vec[i64], d: i64| sum(map(enumerate(v), |p| if(d != 0L, 6L / d, p.$0)))";

    collatz(27i64) = 111i64;
    weld!(|n: i64| {
        iterate((n, 0i64), |(n, steps)| {
            let next = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            ((next, steps + 1), next != 1)
        }).1
    }),
    "|n: i64|
       iterate({n, 0L}, |s|
         let n = s.$0; let steps = s.$1;
         let next = if(n % 2L == 0L, n / 2L, 3L * n + 1L);
         {{next, steps + 1L}, next != 1L}).$1";

    newtons_roots(&[4.0f64, 9.0, 0.25][..]) = vec![2.0f64, 3.0, 0.5];
    weld!(|v: &[f64]| v.map(|a| iterate((a, 0), |(x, i)| (((x + a / x) * 0.5, i + 1), i < 9)).0)),
    "|v: vec[f64]|
       map(v, |a| iterate({a, 0}, |s| let x = s.$0; let i = s.$1; {{(x + a / x) * 0.5, i + 1}, i < 9}).$0)";

    an_if_is_lazy(&[4i64, 0, 3][..]) = vec![25i64, -1, 33];
    weld!(|v: &[i64]| v.map(|x| if x == 0 { -1 } else { 100 / x })),
    "|v: vec[i64]| map(v, |x| if(x == 0L, -1L, 100L / x))";

    chained_ifs_and_select(&[-5i32, 0, 5, 50][..]) = vec![(0u8, 5i32), (1, 0), (2, 5), (3, 50)];
    weld!(|v: &[i32]| v.map(|x| {
        let class = if x < 0 { 0u8 } else if x == 0 { 1u8 } else if x < 10 { 2u8 } else { 3u8 };
        (class, select(x < 0, -x, x))
    })),
    "|v: vec[i32]| map(v, |x|
       let class = if(x < 0, 0u8, if(x == 0, 1u8, if(x < 10, 2u8, 3u8)));
       {class, select(x < 0, -x, x)})";

    one_of_two_vectors(&[1i64, 2][..], &[true, false][..]) = (vec![1i64, 2], vec![10i64, 20]);
    weld!(|v: &[i64], c: &[bool]| (
        if c[0] { v } else { v.map(|x| x * 10) },
        if c[1] { v } else { v.map(|x| x * 10) },
    )),
    "|v: vec[i64], c: vec[bool]| {
       if(lookup(c, 0), v, map(v, |x| x * 10L)),
       if(lookup(c, 1), v, map(v, |x| x * 10L))
     }";

    guards_skip_the_right_side(&[5i64, 3][..], &[0i64, 2, -1, 1][..]) = vec![true, false, false, false];
    weld!(|v: &[i64], at: &[i64]| at.map(|i| i >= 0 && i < v.len() && v[i] > 4)),
    "|v: vec[i64], at: vec[i64]| map(at, |i| i >= 0L && i < len(v) && lookup(v, i) > 4L)";

    vectors_as_state(&[1i64, 2, 3][..]) = vec![8i64, 16, 24];
    weld!(|v: &[i64]| iterate((v, 0), |(v, i)| ((v.map(|x| x * 2), i + 1), i < 2)).0),
    "|v: vec[i64]|
       iterate({v, 0}, |s| let v = s.$0; let i = s.$1; {{map(v, |x| x * 2L), i + 1}, i < 2}).$0";

    a_macro_in_its_own_argument(&[1i64, 2][..]) = (vec![16i64, 256], 6i64);
    weld!(
        macro square(x) = x * x;
        macro fourth(x) = square(square(x));
        macro add(b, x) = merge(b, x);
        |v: &[i64]| (v.map(|x| fourth(2 * x)), result(for(v, merger[i64,+], |b, _, x| add(add(b, x), x))))
    ),
    "macro square(x) = x * x;
     macro fourth(x) = square(square(x));
     macro add(b, x) = merge(b, x);
     |v: vec[i64]| {map(v, |x| fourth(2L * x)), result(for(v, merger[i64,+], |b, i, x| add(add(b, x), x)))}";
}
