//! Builders by hand: structs of them, several merges an iteration, merges around loops, `vecmerger`.

use super::pairs;

pairs! {
    three_builders_in_one_loop(&[1i64, 2, 3, 4, 5, 6][..]) = (vec![2i64, 4, 6], 9i64, vec![(1i64, 1i64), (0, 2)]);
    weld!(|v: &[i64]| {
        let b = for(v, (appender[i64], merger[i64,+], dictmerger[i64,i64,min]), |b, _, x| {
            let d = merge(b.2, (x % 2, x));
            if x % 2 == 0 { (merge(b.0, x), b.1, d) } else { (b.0, merge(b.1, x), d) }
        });
        (result(b.0), result(b.1), tovec(result(b.2)))
    }),
    "|v: vec[i64]|
       let b = for(v, {appender[i64], merger[i64,+], dictmerger[i64,i64,min]}, |b, i, x|
         let d = merge(b.$2, {x % 2L, x});
         if(x % 2L == 0L, {merge(b.$0, x), b.$1, d}, {b.$0, merge(b.$1, x), d}));
       {result(b.$0), result(b.$1), tovec(result(b.$2))}";

    two_merges_in_an_iteration(&[3i64, -1, 2][..]) = vec![3i64, 9, -1, 2, 4];
    weld!(|v: &[i64]| result(for(v, appender[i64], |b, _, x| {
        let once = merge(b, x);
        if x > 0 { merge(once, x * x) } else { once }
    }))),
    "|v: vec[i64]| result(for(v, appender[i64], |b, i, x|
       let once = merge(b, x);
       if(x > 0L, merge(once, x * x), once)))";

    merges_around_loops(&[1.0f64, 2.0][..], &[10.0f64, 20.0][..]) = vec![0.5f64, 1.0, 2.0, -1.0, 10.0, 20.0];
    weld!(|a: &[f64], b: &[f64]| {
        let out = for(a, merge(appender[f64], 0.5), |c, _, x| merge(c, x));
        result(for(b, merge(out, -1.0), |c, _, x| merge(c, x)))
    }),
    "|a: vec[f64], b: vec[f64]|
       let out = for(a, merge(appender[f64], 0.5), |c, i, x| merge(c, x));
       result(for(b, merge(out, -1.0), |c, i, x| merge(c, x)))";

    an_inner_loop_feeds_the_outer_builder(&[1i64, 5, 9][..], &[2i64, 6][..]) = (3i64, vec![(1i64, 2i64), (1, 6), (5, 6)]);
    weld!(|a: &[i64], b: &[i64]| {
        let less = for(a, (merger[i64,+], appender[(i64, i64)]), |outer, _, x| {
            for(b, outer, |inner, _, y| {
                if x < y { (merge(inner.0, 1), merge(inner.1, (x, y))) } else { inner }
            })
        });
        (result(less.0), result(less.1))
    }),
    "|a: vec[i64], b: vec[i64]|
       let less = for(a, {merger[i64,+], appender[{i64,i64}]}, |outer, i, x|
         for(b, outer, |inner, j, y|
           if(x < y, {merge(inner.$0, 1L), merge(inner.$1, {x, y})}, inner)));
       {result(less.$0), result(less.$1)}";

    two_builders_fed_in_another_order(&[1i64, -2, 3][..]) = vec![101i64, 1010, -2002, 303, 3030];
    weld!(|v: &[i64]| {
        let fed = for(v, (appender[i64], appender[i64]), |b, _, x| {
            let first = merge(b.0, x);
            let (a, b) = if x > 0 { (merge(first, 10 * x), merge(b.1, 100 * x)) } else { (first, b.1) };
            (a, merge(b, 1000 * x))
        });
        zip(result(fed.0), result(fed.1)).map(|(a, b)| a + b)
    }),
    "|v: vec[i64]|
       let fed = for(v, {appender[i64], appender[i64]}, |b, i, x|
         let first = merge(b.$0, x);
         let both = if(x > 0L, {merge(first, 10L * x), merge(b.$1, 100L * x)}, {first, b.$1});
         {both.$0, merge(both.$1, 1000L * x)});
       map(zip(result(fed.$0), result(fed.$1)), |p| p.$0 + p.$1)";

    dear_work_on_what_branches_merge(&[1i64, -2, -1, 3, 7][..]) = vec![107i64, 36, 36, 34, 21, 21, 30];
    weld!(|v: &[i64]| {
        let fed = for(v, appender[i64], |b, _, x| {
            if x > 0 { merge(merge(b, x), x + 4) } else if x < -1 { merge(b, 3 - x) } else { b }
        });
        fed.result().map(|x| 100 / x + x % 3 * 7 + 7 % x)
    }),
    "|v: vec[i64]|
       let fed = for(v, appender[i64], |b, i, x|
         if(x > 0L, merge(merge(b, x), x + 4L), if(x < -1L, merge(b, 3L - x), b)));
       map(result(fed), |x| 100L / x + x % 3L * 7L + 7L % x)";
}
