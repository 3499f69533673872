//! Vectors of vectors that a program makes, stores and reads, row by row.

use weldment::Dict;

use crate::every_way::agree;

fn numbers() -> Vec<i64> {
    (0..50).map(|i| i * 7 % 23).collect()
}

#[test]
fn rows_are_read_more_than_once() {
    let n = &numbers()[..];
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k));
        let most = rows.map(|r| r.len()).max();
        rows.map(|r| if r.len() * 2 > most { r.sum() } else { -r.len() })
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| (0..k).map(|j| sqrt(f64(j * k))));
        let mean = rows.map(|r| r.sum()).sum() / 50.0;
        rows.map(|r| r.map(|x| x / mean).sum())
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| (0..k).map(|j| (sqrt(f64(j)), j * k)));
        let most = rows.map(|r| r.map(|p| p.1).sum()).max();
        rows.map(|r| r.filter(|p| p.1 < most).map(|p| p.0 + f64(most)).sum())
    });
    let graph = agree!(n; |n: &[i64]| {
        let next = n.map(|k| (0..k).map(|j| (j * k + 1) % 50).filter(|t| t % 3 > 0));
        let ones = next.map(|r| r.map(|t| n[t]).sum());
        next.map(|r| r.map(|t| ones[t]).sum())
    });
    assert_eq!(graph.len(), 50);
}

#[test]
fn rows_are_made_of_anything() {
    let (n, words) = (&numbers()[..], &vec![b"one".to_vec(), vec![], b"three".to_vec()][..]);
    // Some iterations make none, some several, and some the same twice.
    agree!(n; |n: &[i64]| {
        let rows = result(for(n, appender[vec[i64]], |b, i, k| if(k % 3L == 0L, b,
            let r = n.filter(|x| x < k); if(k > 9L, merge(merge(b, r), r), merge(b, r)))));
        (len(rows), rows.map(|r| r.sum()), rows.map(|r| r.len()))
    });
    agree!(n; |n: &[i64]| {
        let rows = result(for(n, appender[vec[i64]], |b, i, k| merge(merge(b, n.filter(|x| x < k)), slice(n, 0L, k))));
        (rows.map(|r| r.sum()), rows.map(|r| r.len()))
    });
    // Rows of parameters, of branches, sorted and literal ones.
    agree!(n, words; |n: &[i64], words: &[Vec<u8>]| {
        let rows = n.map(|k| words[k % 3]);
        (rows.map(|r| r.len()), rows.flat_map(|r| r))
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| if k > 9 { n.filter(|x| x > k) } else { [k, k] });
        (rows.map(|r| r.len()), rows.flat_map(|r| r), rows[3])
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k).sort_by_key(|x| -x));
        (rows.map(|r| if r.len() > 1 { r[1] } else { 0 }), rows.flat_map(|r| r))
    });
    // Rows of rows, and rows that hold vectors.
    agree!(n; |n: &[i64]| {
        let deep = n.map(|k| n.filter(|j| j < k).map(|j| n.filter(|i| i > j)));
        (deep.map(|rows| rows.map(|r| r.sum()).sum()), deep.map(|rows| rows.map(|r| r.len()).sum()), deep[4])
    });
    agree!(n, words; |n: &[i64], words: &[Vec<u8>]| {
        let rows = n.map(|k| n.filter(|j| j < k).map(|j| (words[j % 3], j)));
        (rows.map(|r| r.map(|p| p.1).sum()), rows.flat_map(|r| r.map(|p| p.0)))
    });
}

#[test]
fn rows_are_used_as_anything() {
    let n = &numbers()[..];
    agree!(n, 7i64; |n: &[i64], k: i64| { let rows = n.map(|k| n.filter(|x| x > k)); (rows[k], rows[k + 1], rows[k][0]) });
    let d: Dict<Vec<i64>, i64> = agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k));
        let most = rows.map(|r| r.len()).max();
        result(for(rows, dictmerger[vec[i64],i64,+], |b, i, r| merge(b, {r, i + most})))
    });
    assert_eq!(d.len(), 23);
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k));
        let total = rows.map(|r| r.sum()).sum();
        (total, sort(n, |a, b| compare(rows[a], rows[b])), sort(n, |a, b| compare(rows[b].sum(), rows[a].sum())))
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k));
        iterate({0L, 0L}, |s| {{s.$0 + rows[s.$1].sum(), s.$1 + 1L}, s.$1 < 40L})
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| n.filter(|x| x > k));
        n.map(|k| (0..k).map(|j| rows[j].len() * rows[k].len()).sum())
    });
    agree!(n; |n: &[i64]| {
        n.map(|a| { let rows = n.map(|k| n.filter(|x| x > k + a)); let most = rows.map(|r| r.len()).max();
            rows.filter(|r| r.len() == most).map(|r| r.sum()).sum() })
    });
}

#[test]
fn rows_may_be_long() {
    let n = &[3000i64, 0, 5, 2047, 2048, 2049, 1, 9000][..];
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| (0..k).map(|j| sqrt(f64(j))));
        let mean = rows.map(|r| r.sum()).sum();
        (rows.map(|r| r.map(|x| x - mean).sum()), rows[5])
    });
    agree!(n; |n: &[i64]| {
        let rows = n.map(|k| (0..k).filter(|j| j % 5 != 1));
        (rows.map(|r| r.sum()), rows.map(|r| r.len()), rows[3])
    });
}
