//! Dictionaries: which keys are one, in what order they stand, and what is there for a key that is not.

use weldment::Dict;

use super::rule;

const NAN: f64 = f64::NAN;

#[test]
fn zeros_are_one_key_and_nans_are_one_key_wherever_they_stand() {
    let other_nan = f64::from_bits(0xfff0_0000_0000_0001);
    rule!(
        weld!(|v: &[f64]| result(for(v, dictmerger[f64,i64,+], |b, _, x| merge(b, (x, 1)))).tovec());
        (&[-0.0, NAN, 0.0, -NAN, other_nan, 1.0, -0.0][..]) => vec![(-0.0f64, 3i64), (NAN, 3), (1.0, 1)],
    );
    rule!(
        weld!(|v: &[f64]| result(for(v, dictmerger[(f64, u8),i64,+], |b, _, x| merge(b, ((x, 7u8), 1)))).tovec().map(|e| e.1));
        (&[NAN, 0.0, -NAN, -0.0, other_nan][..]) => vec![3i64, 2],
    );
    rule!(
        weld!(|rows: &[Vec<f64>], key: &[f64]| {
            let d = result(for(rows, groupmerger[vec[f64],i64], |b, i, row| merge(b, (row, i))));
            (d.tovec().map(|e| e.1), d[key], keyexists(d, [0.0]))
        });
        (&[vec![NAN, 0.0], vec![1.0], vec![-NAN, -0.0], vec![-0.0]][..], &[other_nan, -0.0][..]) =>
            (vec![vec![0i64, 2], vec![1], vec![3]], vec![0i64, 2], true),
    );
}

/// Chunks of three put the second occurrences into other chunks, and other segments, than the first.
#[test]
fn keys_stand_in_the_order_of_their_first_insertion() {
    let v: Vec<i64> = (0..60).map(|i| (i * 37 + i / 7) % 23 - 11).collect();
    let mut order: Vec<i64> = Vec::new();
    v.iter().for_each(|k| {
        if !order.contains(k) {
            order.push(*k)
        }
    });
    let counts: Vec<(i64, i64)> =
        order.iter().map(|&k| (k, v.iter().filter(|&&x| x == k).count() as i64)).collect();
    let places: Vec<(i64, Vec<i64>)> =
        order.iter().map(|&k| (k, (0..60).filter(|&i| v[i as usize] == k).collect())).collect();
    let (counts_dict, places_dict): (Dict<i64, i64>, Dict<i64, Vec<i64>>) =
        (counts.iter().copied().collect(), places.iter().cloned().collect());
    rule!(
        weld!(|v: &[i64]| {
            let counts = result(for(v, dictmerger[i64,i64,+], |b, _, x| merge(b, (x, 1))));
            let places = result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, (x, i))));
            (counts, places, counts.tovec(), places.tovec())
        });
        (&v[..]) => (counts_dict, places_dict, counts, places),
    );
    let narrow: Vec<u8> = v.iter().map(|&x| (x + 11) as u8).collect();
    let last: Vec<(u8, i64)> =
        order.iter().map(|&k| ((k + 11) as u8, v.iter().rposition(|&x| x == k).unwrap() as i64)).collect();
    rule!(
        weld!(|v: &[u8]| v.enumerate().map(|(i, x)| (x, i)).to_dict().tovec());
        (&narrow[..]) => last,
    );
}

/// Numbers, vectors and structs, one in the other.
type Nested = (f64, (Vec<i64>, (bool, u8)));

#[test]
fn a_missing_key_gives_the_zero_of_any_type() {
    let d: Dict<i64, Nested> = [(1, (0.5, (vec![7], (true, 9))))].into_iter().collect();
    rule!(
        weld!(|d: &Dict<i64, (f64, (Vec<i64>, (bool, u8)))>, k: i64| optlookup(d, k));
        (&d, 1) => (true, (0.5f64, (vec![7i64], (true, 9u8)))),
        (&d, 2) => (false, (0.0f64, (Vec::<i64>::new(), (false, 0u8)))),
    );
    let d: Dict<u8, Vec<Vec<i64>>> = [(1, vec![vec![7], vec![]])].into_iter().collect();
    rule!(
        weld!(|d: &Dict<u8, Vec<Vec<i64>>>, k: u8| (optlookup(d, k).1, keyexists(d, k), len(d)));
        (&d, 1) => (vec![vec![7i64], vec![]], true, 1i64),
        (&d, 2) => (Vec::<Vec<i64>>::new(), false, 1i64),
    );
}

/// Of numbers from below the least of `n` keys to above the largest, twice the number of the key that it is, or −2. From one key
/// to the next it is `step`.
fn looked_up(n: i64, step: i64) -> Vec<i64> {
    let is_key = |k: &i64| k % step == 0 && (0..n).contains(&(k / step));
    let wanted = (0..(n * step + 60) / 7).map(|j| 7 * j - 20);
    wanted.map(|k| 2 * Some(k).filter(is_key).map_or(-1, |k| k / step)).collect()
}

/// Most of a range, some of it, and, since those of both signs are far apart, next to nothing of it.
#[test]
fn keys_are_found_however_close_they_lie() {
    rule!(
        weld!(|n: i64, step: i64, first: i64| {
            let last = (0L..n).map(|i| (first + i * step, i)).to_dict();
            let sums = (0L..n).reduce_by(|i| first + i * step, |i| i, +);
            (0L..(n * step + 60L) / 7L).map(|j| {
                let k = first + 7L * j - 20L;
                (if keyexists(last, k) { last[k] } else { -1L }) + (if keyexists(sums, k) { sums[k] } else { -1L })
            })
        });
        (5000i64, 1i64, 3i64) => looked_up(5000, 1),
        (5000i64, 40i64, 1i64 << 40) => looked_up(5000, 40),
        (5000i64, 40i64, -100_000i64) => looked_up(5000, 40),
    );
}

/// As a hash and a table's slots see them: none, fewer than a word, some words, and more than a slot holds. Each differs from
/// another one in its first byte alone, in its last, and in its length.
#[test]
fn vectors_of_bytes_are_keys_of_any_length() {
    let key = |i: usize| -> Vec<u8> {
        let mut key: Vec<u8> = (0..i % 71).map(|at| (at * 7) as u8).collect();
        let len = key.len();
        match (i / 71 % 3, key.is_empty()) {
            (0, _) | (_, true) => {}
            (1, _) => key[0] ^= 0x80,
            _ => key[len - 1] ^= 0x01,
        }
        key
    };
    let rows: Vec<Vec<u8>> = (0..1500).map(|i| key(i * 31 % 1000)).collect();
    let mut order: Vec<&Vec<u8>> = Vec::new();
    rows.iter().for_each(|row| {
        if !order.contains(&row) {
            order.push(row)
        }
    });
    // Of each length there are three, and of none there is one.
    assert_eq!(order.len(), 71 * 3 - 2);
    let number = |key: &Vec<u8>| rows.iter().filter(|row| *row == key).count() as i64;
    let counts: Vec<(Vec<u8>, i64)> = order.iter().map(|&key| (key.clone(), number(key))).collect();
    let dict: Dict<Vec<u8>, i64> = counts.iter().cloned().collect();
    let asked: Vec<Vec<u8>> = (0..72).flat_map(|len| [vec![0; len], key(len), key(len + 71)]).collect();
    let found: Vec<i64> = asked.iter().map(|key| dict.get(key).copied().unwrap_or(-1)).collect();
    assert!(found.contains(&-1) && found.iter().any(|&count| count > 1));
    rule!(
        weld!(|rows: &[Vec<u8>], asked: &[Vec<u8>]| {
            let counts = rows.reduce_by(|row| row, |_| 1L, +);
            (asked.map(|key| if keyexists(counts, key) { counts[key] } else { -1L }), counts.tovec())
        });
        (&rows[..], &asked[..]) => (found.clone(), counts),
    );
    rule!(
        weld!(|counts: &Dict<Vec<u8>, i64>, asked: &[Vec<u8>]| {
            asked.map(|key| if keyexists(counts, key) { counts[key] } else { -1L })
        });
        (&dict, &asked[..]) => found,
    );
    let wide =
        |row: &Vec<u8>| -> Vec<i32> { row.iter().take(17).map(|&byte| i32::from(byte) << 20).collect() };
    let (wides, mut sorted): (Vec<_>, Vec<_>) = rows.iter().map(|row| (wide(row), wide(row))).unzip();
    sorted.sort();
    sorted.dedup();
    rule!(
        weld!(|rows: &[Vec<i32>]| {
            let last = rows.enumerate().map(|(i, row)| (row, i)).to_dict();
            (len(last), rows.enumerate().all(|(i, row)| last[row] >= i))
        });
        (&wides[..]) => (sorted.len() as i64, true),
    );
}

/// Their hashes are made ahead of them where they are the only keys of a table in each row; of others they are made when they come.
#[test]
fn words_are_merged_by_whatever_else_is() {
    let rows: Vec<Vec<u8>> = (0..3001usize).map(|i| vec![(i % 7) as u8; i * i % 43]).collect();
    let add = |dict: &mut Dict<Vec<u8>, i64>, key: &[u8], number: i64| {
        let before = dict.get(key).copied().unwrap_or(0);
        dict.insert(key.to_vec(), before + number);
    };
    let (mut even, mut both, mut twice, mut last) = (Dict::new(), Dict::new(), Dict::new(), Dict::new());
    for (i, row) in rows.iter().enumerate() {
        if row.len() % 2 == 0 {
            add(&mut even, row, 1);
        }
        add(&mut both, row, 1);
        add(&mut both, &row[..row.len().min(3)], 10);
        add(&mut twice, row, if row.len() > 20 { 5 } else { 1 });
        last.insert(row.clone(), i as i64);
    }
    rule!(
        weld!(|rows: &[Vec<u8>]| {
            let both = result(for(rows, dictmerger[Vec<u8>,i64,+], |b, _, row|
                merge(merge(b, (row, 1L)), (slice(row, 0L, 3L), 10L))));
            let twice = result(for(rows, dictmerger[Vec<u8>,i64,+], |b, _, row|
                merge(if len(row) > 20 { merge(b, (row, 4L)) } else { b }, (row, 1L))));
            (
                rows.filter(|row| len(row) % 2 == 0).reduce_by(|row| row, |_| 1L, +).tovec(),
                both.tovec(),
                twice.tovec(),
                rows.enumerate().map(|(i, row)| (row, i)).to_dict().tovec(),
            )
        });
        (&rows[..]) => (even.to_vec(), both.to_vec(), twice.to_vec(), last.to_vec()),
    );
}

#[test]
fn the_pairs_of_a_dictionary_have_the_names_of_rust() {
    rule!(
        weld!(|v: &[i64]| {
            let sums = v.reduce_by(|x| x % 2, |x| x, +);
            (sums.iter().map(|(k, n)| k * 10 + n), sums.to_vec(), sums.into_iter().filter(|&(_, n)| n > 4).count(), sums)
        });
        (&[1, 2, 4]) => (
            vec![11i64, 6],
            vec![(1i64, 1i64), (0, 6)],
            1i64,
            [(1i64, 1i64), (0, 6)].into_iter().collect::<Dict<i64, i64>>(),
        ),
        (&[]) => (Vec::<i64>::new(), Vec::<(i64, i64)>::new(), 0i64, Dict::<i64, i64>::new()),
    );
    // A parameter has them, too, and a vector of them stays one.
    rule!(
        weld!(|d: &Dict<i64, f64>, v: &[i64]| (d.iter().map(|(_, x)| x).sum(), v.iter().to_vec().into_iter().sum()));
        (&[(1i64, 0.5), (2, 1.5)].into_iter().collect::<Dict<i64, f64>>(), &[1, 2]) => (2.0, 3i64),
    );
}
