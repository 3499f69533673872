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
