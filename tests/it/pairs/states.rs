//! Builders in the state of `iterate`: alone and beside values, in branches, through inner loops, inside a `for`.

use super::pairs;

pairs! {
    builders_beside_a_counter(5i64) = (vec![0i64, 1, 2, 3, 4], 110i64, 5i64);
    weld!(|n: i64| {
        let end = iterate(((appender[i64], merger[i64,+](100)), 0), |((squares, sum), i)| {
            (((merge(squares, i), merge(sum, i)), i + 1), i + 1 < n)
        });
        (result(end.0.0), result(end.0.1), end.1)
    }),
    "|n: i64|
       let end = iterate({{appender[i64], merger[i64,+](100L)}, 0L}, |s|
         let b = s.$0; let i = s.$1;
         {{{merge(b.$0, i), merge(b.$1, i)}, i + 1L}, i + 1L < n});
       {result(end.$0.$0), result(end.$0.$1), end.$1}";

    a_builder_is_the_whole_state(&[3i64, 4][..]) = (vec![7i64, 3, 4], 1i64);
    weld!(|v: &[i64]| {
        let once = iterate(merge(appender[i64], 7), |b| (for(v, b, |b, _, x| merge(b, x)), len(v) > 2));
        (result(once), result(iterate(merger[i64,+], |b| (merge(b, 1), false))))
    }),
    "|v: vec[i64]|
       let once = iterate(merge(appender[i64], 7L), |b| {for(v, b, |c, i, x| merge(c, x)), len(v) > 2L});
       {result(once), result(iterate(merger[i64,+], |b| {merge(b, 1L), false}))}";

    merges_in_branches_and_inner_loops(&[10.0f64, 20.0][..], 4i64) =
        (vec![-1.0f64, 0.0, 10.0, 20.0, 2.0, 10.0, 20.0, 9.0], 60.0f64);
    weld!(|v: &[f64], n: i64| {
        let end = iterate((merge(appender[f64], -1.0), merger[f64,+], 0), |(out, sum, i)| {
            let state = if i % 2 == 0 {
                (merge(out, i as f64), sum)
            } else {
                for(v, (out, sum), |b, _, x| (merge(b.0, x), merge(b.1, x)))
            };
            ((state.0, state.1, i + 1), i + 1 < n)
        });
        (result(merge(end.0, 9.0)), result(end.1))
    }),
    "|v: vec[f64], n: i64|
       let end = iterate({merge(appender[f64], -1.0), merger[f64,+], 0L}, |s|
         let out = s.$0; let sum = s.$1; let i = s.$2;
         let state = if(i % 2L == 0L,
           {merge(out, f64(i)), sum},
           for(v, {out, sum}, |b, j, x| {merge(b.$0, x), merge(b.$1, x)}));
         {{state.$0, state.$1, i + 1L}, i + 1L < n});
       {result(merge(end.$0, 9.0)), result(end.$1)}";

    the_builders_of_a_loop_go_through(&[1i64, 3, 0, 2][..]) =
        (vec![1i64, 3, 2, 1, 0, 2, 1], vec![(1i64, 4i64), (0, 3)]);
    weld!(|v: &[i64]| {
        let down = for(v, (appender[i64], dictmerger[i64,i64,+]), |b, _, x| {
            let end = iterate((b.0, b.1, x), |(out, parity, y)| {
                ((merge(out, y), merge(parity, (y % 2, 1)), y - 1), y > 1)
            });
            (end.0, end.1)
        });
        (result(down.0), tovec(result(down.1)))
    }),
    "|v: vec[i64]|
       let down = for(v, {appender[i64], dictmerger[i64,i64,+]}, |b, i, x|
         let end = iterate({b.$0, b.$1, x}, |s|
           let out = s.$0; let parity = s.$1; let y = s.$2;
           {{merge(out, y), merge(parity, {y % 2L, 1L}), y - 1L}, y > 1L});
         {end.$0, end.$1});
       {result(down.$0), tovec(result(down.$1))}";

    a_walk_marks_and_groups_what_it_visits(&[2i64, 0, 4, 1, 3][..], 0i64) =
        (vec![1i64, 1, 1, 1, 1], vec![(false, vec![0i64, 2, 4, 3, 1])], 12.5f64);
    weld!(|next: &[i64], start: i64| {
        let zeros = next.map(|_| 0);
        let end = iterate((vecmerger[i64,+](zeros), groupmerger[bool,i64], appender[f64], start), |s| {
            let at = s.3;
            let step = next[at];
            ((merge(s.0, (at, 1)), merge(s.1, (at > 4, at)), merge(s.2, 0.5 + at as f64), step), step != start)
        });
        (result(end.0), tovec(result(end.1)), result(end.2).sum())
    }),
    "|next: vec[i64], start: i64|
       let zeros = map(next, |x| 0L);
       let end = iterate({vecmerger[i64,+](zeros), groupmerger[bool,i64], appender[f64], start}, |s|
         let at = s.$3;
         let step = lookup(next, at);
         {{merge(s.$0, {at, 1L}), merge(s.$1, {at > 4L, at}), merge(s.$2, 0.5 + f64(at)), step}, step != start});
       {result(end.$0), tovec(result(end.$1)), sum(result(end.$2))}";

    the_least_of_the_steps(10i64) = (1i64, 16i64, 6i64);
    weld!(|n: i64| {
        let end = iterate((merger[i64,min], merger[i64,max], (n, 0L)), |(low, high, (x, steps))| {
            let next = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            ((merge(low, next), merge(high, next), (next, steps + 1)), next != 1)
        });
        (result(end.0), result(end.1), end.2.1)
    }),
    "|n: i64|
       let end = iterate({merger[i64,min], merger[i64,max], {n, 0L}}, |s|
         let low = s.$0; let high = s.$1; let p = s.$2; let x = p.$0; let steps = p.$1;
         let next = if(x % 2L == 0L, x / 2L, 3L * x + 1L);
         {{merge(low, next), merge(high, next), {next, steps + 1L}}, next != 1L});
       {result(end.$0), result(end.$1), end.$2.$1}";
}
