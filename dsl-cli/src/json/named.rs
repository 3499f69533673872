//! Dates, times, decimal numbers and floats of 16 bits as JSON.

use std::fmt::Write;

use serde_json::value::RawValue;

use super::{Misfit, is_number, read_scalar, special_float, write};
use crate::engine::{Date, Half, Scalar, Scale, Temporal, Timestamp, Type, Value};

/// The date or the time that `raw` is: a text, or of a length of time a number of microseconds.
pub(super) fn read_time(temporal: Temporal, raw: &RawValue) -> Option<Value> {
    let text = || serde_json::from_str::<String>(raw.get()).ok();
    let number = match temporal {
        Temporal::Date => Value::I32(text()?.parse::<Date>().ok()?.epoch_days()),
        Temporal::Timestamp => Value::I64(text()?.parse::<Timestamp>().ok()?.epoch_micros()),
        Temporal::Span => read_scalar(Scalar::I64, raw).ok()?,
    };
    Some(Value::structure(vec![number]))
}

/// The decimal number that `raw` is: a text of one, or a number as it is written.
pub(super) fn read_fixed(scale: Scale, ty: &Type, raw: &RawValue) -> Result<Value, Misfit> {
    let text = serde_json::from_str::<String>(raw.get());
    match scale.read(text.as_deref().unwrap_or_else(|_| raw.get())) {
        Ok(units) => Ok(Value::structure(vec![Value::I64(units)])),
        Err(why) => Err(Misfit::new(format!("{}: {why}", Misfit::expected(ty, raw).message))),
    }
}

/// The float of 16 bits that is nearest to the number that `raw` is. One too large is not taken for an infinity.
pub(super) fn read_half(half: Half, raw: &RawValue) -> Option<Value> {
    let text = raw.get();
    let special = special_float(text).map(|x| half.of_f64(x));
    let bits = special.or_else(|| half.read(text).filter(|_| is_number(text)))?;
    Some(Value::structure(vec![Value::U16(bits)]))
}

/// Appends the date or the time of this `number`.
pub(super) fn write_time(temporal: Temporal, number: &Value, out: &mut String) {
    match (temporal, number) {
        (Temporal::Date, Value::I32(days)) => write!(out, "\"{}\"", Date::from_epoch_days(*days)),
        (Temporal::Timestamp, Value::I64(micros)) => {
            write!(out, "\"{}\"", Timestamp::from_epoch_micros(*micros))
        }
        _ => return write(number, &Type::I64, out),
    }
    .expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_error, check_round_trip};
    use super::*;

    #[test]
    fn columns_are_their_rows() {
        let names = <weldment::Strings<'_, i32> as weldment::Element>::ty();
        check_round_trip(names.clone(), r#"["elm","","é"]"#);
        check_round_trip(names.clone(), "[]");
        check_round_trip(<weldment::Nullable<'_, f64> as weldment::Element>::ty(), "[1.5,null,null,0.25]");
        check_error(&[names], r#"[["elm", null]]"#, "argument 1, element 1: expected str, found null");
    }

    #[test]
    fn decimal_numbers_are_read_by_their_digits() {
        let cents = Type::fixed(Scale::new(2).expect("a scale"));
        check_round_trip(Type::vec(cents.clone()), r#"["12.34","-0.05","92233720368547758.07"]"#);
        // As a float, the last would be another.
        let numbers = r#"[12.3, -7, "5", 90071992547409.93]"#;
        check(Type::vec(cents.clone()), numbers, r#"["12.30","-7.00","5.00","90071992547409.93"]"#);
        check_round_trip(Type::fixed(Scale::new(18).expect("a scale")), r#""-9.223372036854775808""#);
        let refused = [
            ("12.345", "a `Fixed<2>` has 2 digits behind the point, and this number has more"),
            ("1e2", "expected a decimal number, such as -12.34"),
            ("92233720368547758.08", "a `Fixed<2>` goes from -92233720368547758.08 to 92233720368547758.07"),
        ];
        for (number, why) in refused {
            let error = format!("argument 1: expected Fixed<2>, found {number}: {why}");
            check_error(std::slice::from_ref(&cents), &format!("[{number}]"), &error);
        }
    }

    #[test]
    fn floats_of_16_bits_are_rounded_once() {
        for half in Half::ALL {
            let numbers = Type::vec(Type::half(half));
            check_round_trip(numbers.clone(), r#"[0.5,-0.0,1.0,"NaN","inf","-inf"]"#);
            check_error(
                &[numbers],
                "[[1e39]]",
                &format!("argument 1, element 0: expected {}, found 1e39", half.name()),
            );
        }
        // In the middle between two numbers, and a little above it: an f64 would not tell.
        let above = "1.0004882812500000000000001";
        let numbers = format!("[0.1, 65504, 1.00048828125, {above}]");
        check(Type::vec(Type::half(Half::F16)), &numbers, "[0.099975586,65504.0,1.0,1.0009766]");
        check(
            Type::vec(Type::half(Half::Bf16)),
            "[0.1, 3e38, 1.00390625, 1.0039062500000000000001]",
            "[0.100097656,3.0040553e38,1.0,1.0078125]",
        );
        for number in ["65520", "\"0.5\"", "null", "true"] {
            let error = format!("argument 1: expected f16, found {}", number);
            check_error(&[Type::half(Half::F16)], &format!("[{number}]"), &error);
        }
    }
}
