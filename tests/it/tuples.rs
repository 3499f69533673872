//! Structs of 1 to 24 fields, which are tuples in Rust: read, made, compared, sorted, used as keys, added up and
//! written as bytes. Rust's own traits end at 12 fields.

use weldment::{Dict, weld};

/// Tests rows of these fields, the last of which has this index.
macro_rules! width {
    ($name:ident, $last:tt, $($field:ident)*) => {
        #[test]
        fn $name() {
            type Row = ($($field,)*);
            /// Every field is `all`, but the last one.
            fn row(all: i8, last: i8) -> Row {
                let mut row = ($($field::from(all),)*);
                row.$last = last.into();
                row
            }

            let last = weld!(|rows: &[($($field,)*)]| rows.map(|row| f64(row.$last)));
            let rows = [row(1, 3), row(1, 1), row(1, 2)];
            assert_eq!(last(&rows), [3.0, 1.0, 2.0]);

            let compare = weld!(|a: ($($field,)*), b: ($($field,)*)| (a == b, a < b, a >= b, compare(a, b)));
            assert_eq!(compare(row(1, 2), row(1, 2)), (true, false, true, 0));
            assert_eq!(compare(row(1, 2), row(1, 3)), (false, true, false, -1));

            let sorted = weld!(|rows: &[($($field,)*)]| sort(rows, |a, b| compare(a, b)));
            assert_eq!(last(&sorted(&rows)), [1.0, 2.0, 3.0]);

            let counts = weld!(|rows: &[($($field,)*)]| {
                result(for(rows, dictmerger[($($field,)*), i64, +], |b, i, row| merge(b, {row, 1L})))
            });
            let dict: Dict<Row, i64> = counts(&[row(1, 3), row(1, 1), row(1, 3)]);
            assert_eq!((dict.get(&row(1, 3)), dict.get(&row(1, 1)), dict.get(&row(1, 2))), (Some(&2), Some(&1), None));

            let has = weld!(|counts: &Dict<($($field,)*), i64>, row: ($($field,)*)| keyexists(counts, row));
            assert!(has(&dict, row(1, 1)) && !has(&dict, row(1, 4)));

            let sum = weld!(|rows: &[($($field,)*)]| {
                result(for(rows, merger[($($field,)*), +], |b, i, row| merge(b, row)))
            });
            assert_eq!(compare(sum(&rows), row(3, 6)).0, true);

            let bytes = weld!(|rows: &[($($field,)*)]| serialize(rows));
            let back = weld!(|bytes: &[u8]| deserialize[vec[($($field,)*)]](bytes));
            assert_eq!(last(&back(&bytes(&rows))), [3.0, 1.0, 2.0]);
        }
    };
}

width!(rows_of_1_field, 0, i64);
width!(rows_of_2_fields, 1, i64 f64);
width!(rows_of_12_fields, 11, i64 f64 i32 i8 i16 f32 i64 f64 i32 i8 i16 f32);
width!(rows_of_13_fields, 12, i64 f64 i32 i8 i16 f32 i64 f64 i32 i8 i16 f32 i64);
width!(rows_of_24_fields, 23, i64 f64 i32 i8 i16 f32 i64 f64 i32 i8 i16 f32 i64 f64 i32 i8 i16 f32 i64 f64 i32 i8 i16 f32);
