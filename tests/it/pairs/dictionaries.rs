//! Dictionaries: keys of one scalar, of several, of vectors; groups; lookups; joins.

use weldment::Dict;

use super::pairs;

fn dict() -> Dict<i64, f64> {
    [(1, 2.0), (4, 3.0)].into_iter().collect()
}

pairs! {
    sums_by_key(&[3i32, 1, 3, 2, 1][..], &[1.5f64, 2.0, 0.25, -1.0, 4.0][..]) =
        vec![(3i32, 1.75f64), (1, 6.0), (2, -1.0)];
    weld!(|k: &[i32], v: &[f64]| {
        tovec(result(for(zip(k, v), dictmerger[i32,f64,+], |b, _, e| merge(b, e))))
    }),
    "|k: vec[i32], v: vec[f64]| tovec(result(for(zip(k, v), dictmerger[i32,f64,+], |b, i, e| merge(b, e))))";

    extremes_by_two_keys(&[1u8, 2, 1, 1][..], &[true, true, true, false][..], &[5i64, 7, -2, 9][..]) =
        vec![((1u8, true), (-2i64, 2i64)), ((2, true), (7, 1)), ((1, false), (9, 1))];
    weld!(|a: &[u8], b: &[bool], v: &[i64]| {
        let least = tovec(result(for(zip(a, b, v), dictmerger[(u8, bool),i64,min], |d, _, e| merge(d, ((e.0, e.1), e.2)))));
        let number = result(for(zip(a, b), dictmerger[(u8, bool),i64,+], |d, _, e| merge(d, (e, 1))));
        least.map(|(key, x)| (key, (x, lookup(number, key))))
    }),
    "|a: vec[u8], b: vec[bool], v: vec[i64]|
       let least = tovec(result(for(zip(a, b, v), dictmerger[{u8,bool},i64,min], |d, i, e| merge(d, {{e.$0, e.$1}, e.$2}))));
       let number = result(for(zip(a, b), dictmerger[{u8,bool},i64,+], |d, i, e| merge(d, {e, 1L})));
       map(least, |p| let key = p.$0; let x = p.$1; {key, {x, lookup(number, key)}})";

    sums_and_counts_by_a_nested_key(&[(1i64, (2i8, 3u16)), (1, (2, 4)), (1, (2, 3))][..], &[0.5f64, 1.0, 2.0][..]) =
        vec![((1i64, (2i8, 3u16)), (2.5f64, 2i64)), ((1, (2, 4)), (1.0, 1))];
    weld!(|k: &[(i64, (i8, u16))], v: &[f64]| {
        result(for(zip(k, v), dictmerger[(i64, (i8, u16)),(f64, i64),+], |b, _, e| merge(b, (e.0, (e.1, 1))))).tovec()
    }),
    "|k: vec[{i64,{i8,u16}}], v: vec[f64]|
       tovec(result(for(zip(k, v), dictmerger[{i64,{i8,u16}},{f64,i64},+], |b, i, e| merge(b, {e.$0, {e.$1, 1L}}))))";

    groups_keep_their_order(&[7i64, 8, 7, 9, 8, 7][..]) =
        vec![(7i64, vec![0i64, 2, 5]), (8, vec![1, 4]), (9, vec![3])];
    weld!(|k: &[i64]| tovec(result(for(k, groupmerger[i64,i64], |b, i, x| merge(b, (x, i)))))),
    "|k: vec[i64]| tovec(result(for(k, groupmerger[i64,i64], |b, i, x| merge(b, {x, i}))))";

    words_are_keys(&[b"ash".to_vec(), b"elm".to_vec(), b"ash".to_vec()][..]) = (2i64, 1i64, false, 2i64);
    weld!(|words: &[Vec<u8>]| {
        let d = result(for(words, dictmerger[Vec<u8>,i64,+], |b, _, word| merge(b, (word, 1))));
        (lookup(d, b"ash"), d[b"elm"], keyexists(d, b"as"), d.len())
    }),
    r#"|words: vec[vec[u8]]|
       let d = result(for(words, dictmerger[vec[u8],i64,+], |b, i, word| merge(b, {word, 1L})));
       {lookup(d, b"ash"), lookup(d, b"elm"), keyexists(d, b"as"), len(d)}"#;

    a_join(&[1i64, 2, 3, 2][..], &[(2i64, 0.5f64), (3, 1.5), (2, 2.5)][..]) =
        vec![(2i64, 0.5f64), (2, 2.5), (3, 1.5), (2, 0.5), (2, 2.5)];
    weld!(|left: &[i64], right: &[(i64, f64)]| {
        let index = result(for(right, groupmerger[i64,f64], |b, _, row| merge(b, row)));
        left.filter(|k| keyexists(index, k)).flat_map(|k| index[k].map(|x| (k, x)))
    }),
    "|left: vec[i64], right: vec[{i64,f64}]|
       let index = result(for(right, groupmerger[i64,f64], |b, i, row| merge(b, row)));
       flat_map(filter(left, |k| keyexists(index, k)), |k| map(lookup(index, k), |x| {k, x}))";

    missing_keys_give_the_zero_value(&[1i64, 5][..], 5i64, 6i64) = ((true, (5i64, 1.0f64)), (false, (0i64, 0.0f64)));
    weld!(|v: &[i64], a: i64, b: i64| {
        let d = result(for(v, dictmerger[i64,(i64, f64),max], |b, _, x| merge(b, (x, (x, 1.0)))));
        (optlookup(d, a), optlookup(d, b))
    }),
    "|v: vec[i64], a: i64, b: i64|
       let d = result(for(v, dictmerger[i64,{i64,f64},max], |b, i, x| merge(b, {x, {x, 1.0}})));
       {optlookup(d, a), optlookup(d, b)}";

    zeros_are_one_key_and_nans_another(&[0.0f64, -0.0, f64::NAN, -f64::NAN][..]) = vec![(0.0f64, 2i64), (f64::NAN, 2)];
    weld!(|v: &[f64]| tovec(result(for(v, dictmerger[f64,i64,+], |b, _, x| merge(b, (x, 1)))))),
    "|v: vec[f64]| tovec(result(for(v, dictmerger[f64,i64,+], |b, i, x| merge(b, {x, 1L}))))";

    a_dictionary_as_parameter_and_result(&dict(), 4i64) = (dict(), 3.0f64);
    weld!(|d: &Dict<i64, f64>, k: i64| (d, d[k])),
    "|d: dict[i64,f64], k: i64| {d, lookup(d, k)}";
}
