//! An `if` that chooses between builders which its branches make.

use weldment::FaultKind;

use super::Outcome::Fault;
use super::pairs;

pairs! {
    appenders_with_and_without_a_length(&[3i64, 4][..], true) = vec![vec![3i64, 4], vec![3, 4]];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c { appender[i64] } else { appender[i64](10) };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, appender[i64], appender[i64](10L));
       result(for(v, b, |b, i, x| merge(b, x))))";

    mergers_of_which_one_has_an_initial_value(&[3i64, 4][..], false) = vec![7i64, 8];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c { merger[i64,+](1) } else { merger[i64,+] };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, merger[i64,+](1L), merger[i64,+]);
       result(for(v, b, |b, i, x| merge(b, x))))";

    no_initial_value_is_that_of_the_operator(&[-0.0f64][..], true) = vec![-0.0f64, 0.0];
    weld!(|v: &[f64], c: bool| [c, !c].map(|c| {
        let b = if c { merger[f64,+](-0.0) } else { merger[f64,+] };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[f64], c: bool| map([c, !c], |c|
       let b = if(c, merger[f64,+](-0.0), merger[f64,+]);
       result(for(v, b, |b, i, x| merge(b, x))))";

    mergers_of_structs(&[(5i64, 2.5f64)][..], true) = vec![(3i64, 0.5f64), (5, 2.5)];
    weld!(|v: &[(i64, f64)], c: bool| [c, !c].map(|c| {
        let b = if c { merger[(i64, f64),min]((3, 0.5)) } else { merger[(i64, f64),min] };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[{i64,f64}], c: bool| map([c, !c], |c|
       let b = if(c, merger[{i64,f64},min]({3L, 0.5}), merger[{i64,f64},min]);
       result(for(v, b, |b, i, x| merge(b, x))))";

    vecmergers_of_other_vectors(&[1i64, 1, 0][..], &[10i64, 20][..], true) = vec![vec![11i64, 22], vec![1, 2, 0]];
    weld!(|v: &[i64], w: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c { vecmerger[i64,+](w) } else { vecmerger[i64,+]([0, 0, 0]) };
        result(for(v, b, |b, _, x| merge(b, (x, 1))))
    })),
    "|v: vec[i64], w: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, vecmerger[i64,+](w), vecmerger[i64,+]([0L, 0L, 0L]));
       result(for(v, b, |b, i, x| merge(b, {x, 1L}))))";

    dictionaries(&[1i64, 2, 1][..], true) = (vec![(1i64, 4i64), (2, 2)], vec![(1i64, vec![1i64, 3]), (2, vec![2])]);
    weld!(|v: &[i64], c: bool| {
        let d = for(v, if c { dictmerger[i64,i64,+] } else { dictmerger[i64,i64,+] }, |b, i, x| merge(b, (x, i + 1)));
        let g = for(v, if c { groupmerger[i64,i64] } else { groupmerger[i64,i64] }, |b, i, x| merge(b, (x, i + 1)));
        (tovec(result(d)), tovec(result(g)))
    }),
    "|v: vec[i64], c: bool|
       let d = for(v, if(c, dictmerger[i64,i64,+], dictmerger[i64,i64,+]), |b, i, x| merge(b, {x, i + 1L}));
       let g = for(v, if(c, groupmerger[i64,i64], groupmerger[i64,i64]), |b, i, x| merge(b, {x, i + 1L}));
       {tovec(result(d)), tovec(result(g))}";

    builders_that_are_merged_into_before(&[3i64, 4][..], true) = vec![vec![3i64, 4, 0, 3, 4], vec![9, 3, 4]];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c {
            merge(for(v, appender[i64], |b, _, x| merge(b, x)), 0)
        } else {
            let e = appender[i64];
            merge(e, 9)
        };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, merge(for(v, appender[i64], |b, i, x| merge(b, x)), 0L), (let e = appender[i64]; merge(e, 9L)));
       result(for(v, b, |b, i, x| merge(b, x))))";

    initial_values_of_builders_that_are_merged_into(&[3i64, 4][..], 2i64) = vec![40i64, 14, 7, 30];
    weld!(|v: &[i64], n: i64| (0..2 * n).map(|k| {
        let b = if k == 0 {
            let twice = n * n;
            merge(merger[i64,+](twice * 8), 1)
        } else if k == 1 {
            merge(merger[i64,+](n), 5)
        } else if k == n {
            merger[i64,+]
        } else {
            for(v, merger[i64,+](16), |b, _, x| merge(b, x))
        };
        result(for(v, b, |b, _, x| merge(b, x)))
    })),
    "|v: vec[i64], n: i64| map(0L..2L * n, |k|
       let b = if(k == 0L, (let twice = n * n; merge(merger[i64,+](twice * 8L), 1L)),
         if(k == 1L, merge(merger[i64,+](n), 5L),
           if(k == n, merger[i64,+], for(v, merger[i64,+](16L), |b, i, x| merge(b, x)))));
       result(for(v, b, |b, i, x| merge(b, x))))";

    beside_a_builder_from_outside_and_a_value(&[3i64, 4][..], true) = vec![(vec![7i64, 3, 4], 107i64, 1i64), (vec![3, 4], 7, 2)];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let a = appender[i64];
        let t = if c { (merge(a, 7), merger[i64,+](100), 1i64) } else { (a, merger[i64,+], 2i64) };
        let b = for(v, (t.0, t.1), |b, _, x| (merge(b.0, x), merge(b.1, x)));
        (result(b.0), result(b.1), t.2)
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let a = appender[i64];
       let t = if(c, {merge(a, 7L), merger[i64,+](100L), 1L}, {a, merger[i64,+], 2L});
       let b = for(v, {t.$0, t.$1}, |b, i, x| {merge(b.$0, x), merge(b.$1, x)});
       {result(b.$0), result(b.$1), t.$2})";

    made_in_a_loop_whose_other_result_is_known_before(&[3i64, 4][..], true) = vec![vec![3i64, 4, 7, 5], vec![6, 5]];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c {
            let t = for(v, (appender[i64], merger[i64,+]), |b, _, x| (merge(b.0, x), merge(b.1, x)));
            let total = result(t.1);
            merge(t.0, total)
        } else {
            merge(appender[i64], 6)
        };
        result(merge(b, 5))
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, (let t = for(v, {appender[i64], merger[i64,+]}, |b, i, x| {merge(b.$0, x), merge(b.$1, x)});
         let total = result(t.$1); merge(t.$0, total)), merge(appender[i64], 6L));
       result(merge(b, 5L)))";

    chosen_by_an_inner_builder_and_carried_by_an_iterate(&[2i64, 3][..], true) = vec![vec![1i64, 2, 3], vec![2, 3]];
    weld!(|v: &[i64], c: bool| [c, !c].map(|c| {
        let b = if c { merge(appender[i64], 1) } else { appender[i64] };
        let last = iterate((b, 0i64), |s| ((merge(s.0, v[s.1]), s.1 + 1), s.1 < 1));
        result(last.0)
    })),
    "|v: vec[i64], c: bool| map([c, !c], |c|
       let b = if(c, merge(appender[i64], 1L), appender[i64]);
       let last = iterate({b, 0L}, |s| {{merge(s.$0, lookup(v, s.$1)), s.$1 + 1L}, s.$1 < 1L});
       result(last.$0))";

    an_initial_value_is_computed_in_its_branch_only(&[3i64, 4][..], 0i64) = 7i64;
    weld!(|v: &[i64], n: i64| {
        let b = if n == 0 { merger[i64,+] } else { merger[i64,+](1 / n) };
        result(for(v, b, |b, _, x| merge(b, x)))
    }),
    "|v: vec[i64], n: i64|
       let b = if(n == 0L, merger[i64,+], merger[i64,+](1L / n));
       result(for(v, b, |b, i, x| merge(b, x)))";

    an_initial_value_that_faults(&[3i64, 4][..], 0i64) = Fault(FaultKind::DivisionByZero, "/ n");
    weld!(|v: &[i64], n: i64| {
        let b = if n != 0 { merger[i64,+] } else { merger[i64,+](1 / n) };
        result(for(v, b, |b, _, x| merge(b, x)))
    }),
    "|v: vec[i64], n: i64|
       let b = if(n != 0L, merger[i64,+], merger[i64,+](1L / n));
       result(for(v, b, |b, i, x| merge(b, x)))";
}
