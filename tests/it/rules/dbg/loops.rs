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
    let (rows, columns) = (70_i64, 9_i64);
    let elements: Vec<f64> = (0..rows * columns).map(|n| n as f64).collect();
    let all = |line: &dyn Fn(i64, i64) -> String| -> Vec<String> {
        (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| line(i, j)).collect()
    };
    let before: Vec<String> = (0..columns).map(|_| format!("rows = {rows}")).collect();
    shows!(
        weld!(|v: &[f64], rows: i64, columns: i64| {
            (0..columns).map(|j| {
                let rows = dbg(rows);
                (0..rows).map(|i| v[i * columns + j]).fold(0.0, |sum, x| sum + x * 0.5)
            })
        });
        (&elements[..], rows, columns) => before.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let each = all(&|i, _| format!("i = {i}"));
    shows!(
        weld!(|v: &[f64], rows: i64, columns: i64| {
            (0..columns).map(|j| (0..rows).map(|i| v[dbg(i) * columns + j]).fold(0.0, |sum, x| sum + x * 0.5))
        });
        (&elements[..], rows, columns) => each.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let elements = all(&|i, j| format!("x = {:?}", (i * columns + j) as f64));
    let array = &weldment::Array::new(
        (0..rows * columns).map(|n| n as f64).collect(),
        [rows as usize, columns as usize],
    )
    .unwrap();
    shows!(
        weld!(|a: &Array<f64, 2>| a.map(|x| dbg(x)).sum(0));
        (array) => elements.iter().map(String::as_str).collect::<Vec<_>>(),
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
