//! Loops that the optimiser makes others of where nothing is shown.

use super::shows;

#[test]
fn loops_that_become_others_show_what_is_written() {
    let (keys, numbers) = ([1, 2, 1], [3, 1, 2]);
    shows!(
        weld!(|k: &[i64], v: &[i64]| {
            let sums = zip(k, v).reduce_by(|(k, _)| dbg(k), |(_, x)| dbg(x), +);
            (sums, k.map(|key| zip(k, v).filter(|(k, _)| k == key).map(|(_, x)| dbg(x * 10)).sum::<i64>()))
        });
        (&keys[..], &numbers[..]) => [
            "k = 1", "k = 2", "k = 1", "x = 3", "x = 1", "x = 2",
            "x * 10 = 30", "x * 10 = 20", "x * 10 = 10", "x * 10 = 30", "x * 10 = 20",
        ],
    );
    shows!(
        weld!(|k: &[i64], v: &[i64]| {
            let groups = zip(k, v).group_by(|(k, _)| k);
            groups.tovec().map(|(key, of)| dbg(key) + of.map(|(_, x)| dbg(x + 1)).sum::<i64>()).sum::<i64>()
        });
        (&keys[..], &numbers[..]) => ["key = 1", "key = 2", "x + 1 = 4", "x + 1 = 2", "x + 1 = 3"],
    );
}

/// Loops over columns, which run row by row where nothing is shown.
#[test]
fn columns_show_what_is_written() {
    let (rows, columns) = (70_usize, 9_usize);
    let elements = (0..rows * columns).map(|n| n as f64).collect();
    let array = &weldment::Array::new(elements, [rows, columns]).unwrap();
    let lines = |line: &dyn Fn(usize, usize) -> String| -> Vec<String> {
        (0..rows * columns).map(|n| line(n / columns, n % columns)).collect()
    };
    fn all(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).collect()
    }
    let before = vec![format!("extent(a, 0) = {rows}"); columns];
    shows!(
        weld!(|a: &Array<f64, 2>| {
            (0..extent(a, 1)).map(|j| {
                let rows = dbg(extent(a, 0));
                (0..rows).map(|i| a[i, j] * 0.5).sum::<f64>()
            })
        });
        (array) => all(&before),
    );
    let each = lines(&|i, _| format!("i = {i}"));
    shows!(
        weld!(|a: &Array<f64, 2>| {
            (0..extent(a, 1)).map(|j| {
                let halves = (0..extent(a, 0)).map(|i| { let shown = dbg(i); a[i, j] * 0.5 });
                halves.sum::<f64>()
            })
        });
        (array) => all(&each),
    );
    let each = lines(&|i, j| format!("x = {:?}", (i * columns + j) as f64));
    shows!(
        weld!(|a: &Array<f64, 2>| a.map(|x| dbg(x)).sum(0));
        (array) => all(&each),
    );
}

/// Points of arrays: each is shown where it is computed, at the edges and inside, and not again where another reads it.
#[test]
fn points_of_arrays_are_shown_once() {
    let (rows, columns) = (5_usize, 40_usize);
    let array =
        &weldment::Array::new((0..rows * columns).map(|n| n as i64).collect(), [rows, columns]).unwrap();
    let lines: Vec<String> = (0..rows * columns).map(|n| format!("x * 2 = {}", n * 2)).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    shows!(
        weld!(|a: &Array<i64, 2>| {
            let doubled = a.map(|x| dbg(x * 2));
            let blurred = doubled.stencil(wrap, |c| c[-1, 0] + c[1, 0] + c[0, 0]);
            (blurred.stencil(wrap, |c| c[0, -1] + c[0, 1]), doubled.scan(0, 0, |sum, x| sum + x))
        });
        (array) => lines,
    );
    let lines: Vec<String> = (0..rows * columns).map(|n| format!("c[0, 0] = {n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    shows!(
        weld!(|a: &Array<i64, 2>| a.stencil(wrap, |c| dbg(c[0, 0]) + c[-1, 0] + c[0, 1]));
        (array) => lines,
    );
    let lines: Vec<String> = (1..rows)
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .map(|(i, j)| format!("c + x = {}", (0..=i).map(|i| i * columns + j).sum::<usize>()))
        .chain((0..columns).map(|j| format!("c + x = {j}")))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    shows!(
        weld!(|a: &Array<i64, 2>| a.scan(0, 0, |c, x| dbg(c + x)));
        (array) => lines,
    );
}
