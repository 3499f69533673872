//! Sorts by a key of every type, either way around, of few elements and of so many that digits are sorted: stable, in the total
//! order, which has all zeros equal, and every NaN last.

use std::cmp::Ordering;

use super::rule;

/// The values, repeated out of step to rows with their numbers; few, and many.
fn rows<T: Copy>(values: &[T]) -> [Vec<(T, i64)>; 2] {
    [7, 700].map(|count| (0..count).map(|row| (values[row * 5 % values.len()], row as i64)).collect())
}

/// The numbers of the rows in order, and in descending order.
fn wanted<T>(rows: &[(T, i64)], compare: fn(&T, &T) -> Ordering) -> (Vec<i64>, Vec<i64>) {
    let sorted = |turned: bool| {
        let mut rows: Vec<&(T, i64)> = rows.iter().collect();
        rows.sort_by(|a, b| {
            let order = compare(&a.0, &b.0);
            if turned { order.reverse() } else { order }
        });
        rows.iter().map(|row| row.1).collect()
    };
    (sorted(false), sorted(true))
}

fn of_floats<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    let is_nan = |x: &T| x.partial_cmp(x).is_none();
    a.partial_cmp(b).unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))
}

macro_rules! by_keys_of {
    ($($name:ident: $ty:ident by $compare:path [$($value:expr),*];)*) => {$(
        #[test]
        fn $name() {
            let [few, many] = rows::<$ty>(&[$($value),*]);
            rule!(
                weld!(|rows: &[($ty, i64)]| (
                    rows.sort_by_key(|(key, _)| key).map(|(_, row)| row),
                    rows.sort_by(|(a, _), (b, _)| compare(b, a)).map(|(_, row)| row),
                ));
                (&few[..]) => wanted(&few, $compare),
                (&many[..]) => wanted(&many, $compare),
            );
        }
    )*};
}

by_keys_of! {
    keys_that_are_i8: i8 by Ord::cmp [0, -1, 1, i8::MIN, i8::MAX];
    keys_that_are_u8: u8 by Ord::cmp [0, 1, u8::MAX, 128];
    keys_that_are_i16: i16 by Ord::cmp [0, -1, 300, i16::MIN, i16::MAX];
    keys_that_are_u16: u16 by Ord::cmp [0, 257, u16::MAX];
    keys_that_are_i32: i32 by Ord::cmp [0, -1, 70_000, i32::MIN, i32::MAX];
    keys_that_are_u32: u32 by Ord::cmp [0, 70_000, u32::MAX];
    keys_that_are_i64: i64 by Ord::cmp [0, -1, 1 << 40, i64::MIN, i64::MAX];
    keys_that_are_u64: u64 by Ord::cmp [0, 1 << 40, u64::MAX];
    keys_that_are_f32: f32 by of_floats [0.0, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN];
    keys_that_are_f64: f64 by of_floats [0.0, -0.0, 1.5, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, 5e-324];
}

#[test]
fn computed_keys_of_rows_of_any_size() {
    let [_, many] = rows(&[3.0, -1.0, 2.5, 0.0, f64::NAN]);
    // A key that is costly, one that captures, and one that is not of an element alone.
    rule!(
        weld!(|rows: &[(f64, i64)], by: f64| (
            rows.sort_by_key(|(x, _)| exp(x) / 3.0).map(|(_, row)| row),
            rows.map(|(x, row)| (row, x, row)).sort_by_key(|(_, x, _)| by * x).map(|(row, _, _)| row),
            rows.sort_by(|(a, i), (b, j)| compare(a, b) * i32(i % 2 == j % 2)).map(|(_, row)| row).len(),
        ));
        (&many[..], 1.0f64) => (wanted(&many, of_floats).0, wanted(&many, of_floats).0, 700i64),
    );
    let words: Vec<Vec<u8>> = (0..700u32).map(|row| row.to_string().into_bytes()).collect();
    let mut by_length = words.clone();
    by_length.sort_by_key(Vec::len);
    rule!(
        weld!(|words: &[Vec<u8>]| (words.sort_by_key(|word| len(word)), words.map(|w| (w, len(w))).sort_by_key(|(_, n)| n).map(|(w, _)| w)));
        (&words[..]) => (by_length.clone(), by_length.clone()),
    );
}

/// Where one element is read, it is selected: with the bits that a stable sort has at its place.
#[test]
fn the_element_at_a_place_of_the_order_is_that_of_the_sort() {
    let v = [2.0, f64::NAN, -0.0, 0.0, -1.0, -0.0, -f64::NAN, f64::INFINITY, 0.0];
    let mut sorted = v;
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
    let mut down = v;
    down.sort_by(|a, b| b.partial_cmp(a).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan())));
    for (place, up) in sorted.iter().enumerate() {
        rule!(
            weld!(|v: &[f64], i: i64| v.sort()[i]);
            (&v[..], place as i64) => *up,
        );
        rule!(
            weld!(|v: &[f64], i: i64| v.sort_by(|a, b| compare(b, a))[i]);
            (&v[..], place as i64) => down[place],
        );
    }
    let numbers: Vec<i32> = (0..1000).map(|i| i * 7919 % 1009 - 500).collect();
    let mut ordered = numbers.clone();
    ordered.sort_unstable();
    for place in [0, 1, 499, 998, 999] {
        rule!(
            weld!(|v: &[i32], i: i64| (v.sort()[i], v.sort_by(|a, b| compare(b, a))[i]));
            (&numbers[..], place as i64) => (ordered[place], ordered[999 - place]),
        );
    }
    rule!(
        weld!(|v: &[i32], i: i64| v.sort()[i]);
        (&numbers[..], 1000) => crate::pairs::Outcome::Fault(weldment::FaultKind::IndexOutOfBounds, "[i]"),
        (&[][..], 0) => crate::pairs::Outcome::Fault(weldment::FaultKind::IndexOutOfBounds, "[i]"),
    );
    // Of each row.
    rule!(
        weld!(|rows: &[Vec<u8>]| rows.map(|row| row.sort()[row.len() / 2]));
        (&[vec![3u8, 1, 2], vec![9], vec![4, 4, 1, 1]][..]) => vec![2u8, 9, 4],
    );
}
