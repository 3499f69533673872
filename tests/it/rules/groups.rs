//! Aggregates: what each word gives for the elements of each key, and what the function of the groups makes of it.

use super::rule;

#[test]
fn each_word_reduces_the_elements_of_its_key() {
    let rows = [(7i64, 0.5), (3, 2.0), (7, f64::NAN), (7, 1.5), (3, -4.0)];
    rule!(
        weld!(|rows: &[(i64, f64)]| rows.aggregate(|r| r.0, |g| {
            (g.count(), g.min(|r| r.1), g.max(|r| r.1), g.first(|r| r.1), g.last(|r| r.1), g.any(|r| r.1 > 1.0), g.all(|r| r.1 > 1.0))
        }).tovec());
        (&rows[..]) => vec![
            (7i64, (3i64, 0.5, 1.5, 0.5, 1.5, true, false)),
            (3, (2, -4.0, 2.0, 2.0, -4.0, true, false)),
        ],
        (&rows[..1]) => vec![(7i64, (1i64, 0.5, 0.5, 0.5, 0.5, false, false))],
        (&[][..]) => Vec::<(i64, (i64, f64, f64, f64, f64, bool, bool))>::new(),
    );
    rule!(
        weld!(|rows: &[(i64, i32)]| rows.aggregate(|(k, _)| k % 2, |g| {
            (g.sum(|r| r.1), g.product(|r| r.1 as i64), g.mean(|r| r.1), g.count())
        }).tovec());
        (&[(1, 3), (3, 4), (2, i32::MAX), (4, 1), (5, -2)][..]) => vec![
            (1i64, (5i32, -24i64, 5.0 / 3.0, 3i64)),
            (0, (i32::MIN, i64::from(i32::MAX), 1073741824.0, 2)),
        ],
        (&[][..]) => Vec::<(i64, (i32, i64, f64, i64))>::new(),
    );
}

#[test]
fn the_function_of_groups_computes_with_what_is_folded() {
    let v = [3i64, 1, 4, 1, 5, 9, 2, 6];
    // One result alone, none at all, parts in another order, the elements themselves, zips, and branches.
    rule!(
        weld!(|v: &[i64], w: &[i64]| (
            v.aggregate(|x| x % 3, |g| g.sum(|x| x)).tovec(),
            v.aggregate(|x| x % 3, |_g| true).keys(),
            v.aggregate(|x| x % 3, |g| (g.max(), g.min())).values(),
            zip(v, w).aggregate(|(x, _)| x % 3, |g| {
                let n = g.count();
                let spread = g.max(|(_, y)| y) - g.min(|(_, y)| y);
                if n > 2 { spread } else { n }
            }).tovec(),
        ));
        (&v[..], &[1i64, 2, 3, 4, 5, 6, 7, 8][..]) => (
            vec![(0i64, 18i64), (1, 6), (2, 7)],
            vec![0i64, 1, 2],
            vec![(9i64, 3i64), (4, 1), (5, 2)],
            vec![(0i64, 7i64), (1, 2), (2, 2)],
        ),
    );
    // Keys of several fields; another aggregate inside of what is folded, and a name from outside.
    rule!(
        weld!(|v: &[Vec<i64>], k: i64| v.aggregate(|w| (len(w), len(w) > 1), |g| {
            g.sum(|w| k * w.aggregate(|x| x % 2, |g| g.count()).values().max())
        }).tovec());
        (&[vec![1i64, 2, 3], vec![4], vec![5, 7, 9]][..], 10) => vec![((3i64, true), 50i64), ((1, false), 10)],
    );
    rule!(
        weld!(|a: &Array<i64, 2>| a.aggregate(|x| x % 2, |g| (g.sum(), g.count())).tovec());
        (&super::arrays::array([2, 2], vec![1, 2, 3, 4])) => vec![(1i64, (4i64, 2i64)), (0, (6, 2))],
    );
}
