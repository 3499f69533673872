//! Columns as Arrow has them, as values: made of their rows, and read by rows.

use super::Value;
use crate::lang::types::{Column, Scalar};

impl Value {
    /// The column of these rows.
    ///
    /// ```
    /// # use weldment_runtime::lang::{types::{Column, Scalar, Type}, value::Value};
    /// let names = Column::Strings(Scalar::I64);
    /// let column = Value::of_rows(names, &[Value::text("elm"), Value::text("é")]);
    /// assert_eq!(column.to_string(), "([0, 3, 5], [101, 108, 109, 195, 169])");
    /// assert!(column.has_type(&Type::column(names)));
    /// ```
    pub fn of_rows(column: Column, rows: &[Value]) -> Value {
        match column {
            Column::Strings(offset) => of_texts(offset, rows),
            Column::Nullable(_) => of_options(rows),
        }
    }

    /// The rows of this column; `None` if it is none.
    ///
    /// ```
    /// # use weldment_runtime::lang::{types::{Column, Scalar}, value::Value};
    /// let column = Column::Nullable(Scalar::I64);
    /// let [none, some] = [(false, 0), (true, 7)].map(|(there, x)| Value::structure(vec![Value::Bool(there), Value::I64(x)]));
    /// let rows = Value::of_rows(column, &[none, some]).rows_of(column).expect("a column");
    /// assert_eq!((rows[0].to_string(), rows[1].to_string()), ("(false, 0)".to_owned(), "(true, 7)".to_owned()));
    /// assert!(Value::I64(1).rows_of(column).is_none());
    /// ```
    pub fn rows_of(&self, column: Column) -> Option<Vec<Value>> {
        match (column, self.fields()?) {
            (Column::Strings(_), [Value::Vec(offsets), Value::Vec(bytes)]) => texts(offsets, bytes),
            (Column::Nullable(ty), [Value::Vec(values), Value::Vec(bits), Value::I64(first)]) => {
                options(ty, values, bits, *first)
            }
            _ => None,
        }
    }
}

fn of_texts(offset: Scalar, texts: &[Value]) -> Value {
    let number = |end: usize| match offset {
        Scalar::I32 => Value::I32(end as i32),
        _ => Value::I64(end as i64),
    };
    let (mut offsets, mut bytes) = (vec![number(0)], Vec::new());
    for text in texts {
        if let Some([Value::Vec(text)]) = text.fields() {
            bytes.extend_from_slice(text);
        }
        offsets.push(number(bytes.len()));
    }
    Value::structure(vec![Value::vec(offsets), Value::vec(bytes)])
}

fn texts(offsets: &[Value], bytes: &[Value]) -> Option<Vec<Value>> {
    let offset = |value: &Value| usize::try_from(value.as_integer()?).ok();
    let text = |ends: &[Value]| {
        let bytes = bytes.get(offset(&ends[0])?..offset(&ends[1])?)?.to_vec();
        let text = Value::structure(vec![Value::vec(bytes)]);
        text.as_text().is_some().then_some(text)
    };
    offsets.windows(2).map(text).collect()
}

fn of_options(options: &[Value]) -> Value {
    let (mut values, mut bits) = (Vec::new(), vec![0; options.len().div_ceil(8)]);
    for (row, option) in options.iter().enumerate() {
        if let Some([Value::Bool(there), value]) = option.fields() {
            bits[row / 8] |= u8::from(*there) << (row % 8);
            values.push(value.clone());
        }
    }
    let bits = bits.into_iter().map(Value::U8).collect();
    Value::structure(vec![Value::vec(values), Value::vec(bits), Value::I64(0)])
}

fn options(ty: Scalar, values: &[Value], bits: &[Value], first: i64) -> Option<Vec<Value>> {
    let option = |(row, value): (usize, &Value)| {
        // One bit may stand for all values, and is set.
        let at = if first == -1 { 0 } else { usize::try_from(first).ok()?.checked_add(row)? };
        let there = match bits.get(at / 8)? {
            Value::U8(byte) => byte >> (at % 8) & 1 == 1,
            _ => return None,
        };
        if first == -1 && !there {
            return None;
        }
        let value = if there { value.clone() } else { Value::zero(&ty.into()) };
        Some(Value::structure(vec![Value::Bool(there), value]))
    };
    values.iter().enumerate().map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::types::Type;

    fn bytes(bytes: &[u8]) -> Value {
        Value::vec(bytes.iter().map(|&byte| Value::U8(byte)).collect())
    }

    #[test]
    fn a_column_that_says_what_is_not_there_is_no_value() {
        let is_column = |offsets: &[i64], text: &[u8]| {
            let offsets = offsets.iter().map(|&offset| Value::I64(offset)).collect();
            let column = Value::structure(vec![Value::vec(offsets), bytes(text)]);
            column.has_type(&Type::column(Column::Strings(Scalar::I64)))
        };
        assert!(is_column(&[0, 1, 1], b"ab") && is_column(&[2], b"ab") && is_column(&[], b""));
        for (offsets, text) in [
            (&[0, 2, 1][..], &b"ab"[..]),
            (&[0, 3], b"ab"),
            (&[-1, 1], b"ab"),
            (&[0, 1], "é".as_bytes()),
            (&[0, 1], b"\xFF"),
        ] {
            assert!(!is_column(offsets, text), "{offsets:?} {text:?}");
        }
        let is_column = |values: &[u8], bits: &[u8], first| {
            let column = Value::structure(vec![bytes(values), bytes(bits), Value::I64(first)]);
            column.has_type(&Type::column(Column::Nullable(Scalar::U8)))
        };
        assert!(is_column(&[1, 2], &[1], -1) && is_column(&[1, 2], &[0, 1], 7) && is_column(&[], &[], 0));
        assert!(
            !is_column(&[1, 2], &[0], 7) && !is_column(&[1, 2], &[0], -1) && !is_column(&[1, 2], &[0], -2)
        );
    }

    #[test]
    fn rows_of_more_than_a_byte_come_back() {
        let column = Column::Nullable(Scalar::I32);
        let row = |n: i32| {
            let there = n % 3 > 0;
            Value::structure(vec![Value::Bool(there), Value::I32(if there { n } else { 0 })])
        };
        let rows: Vec<Value> = (0..19).map(row).collect();
        let back = Value::of_rows(column, &rows).rows_of(column).expect("a column");
        assert!(Value::vec(back).same_bits(&Value::vec(rows)));
    }
}
