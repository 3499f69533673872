//! `serialize` and `deserialize`: little endian, field after field without padding, vectors and dictionaries
//! after their length as 8 bytes. All NaNs are written as one.

use weldment_runtime::lang::domain;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value;

use super::cause::Cause;

/// How many bytes `value` takes.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Struct(fields) | Value::Array(fields) => fields.iter().map(size).sum(),
        Value::Vec(elements) => 8 + elements.iter().map(size).sum::<usize>(),
        Value::Dict(dict) => 8 + dict.iter().map(|(key, value)| size(key) + size(value)).sum::<usize>(),
        _ => value.scalar().expect("a scalar").size(),
    }
}

/// Appends `value` to `bytes`.
pub(super) fn write(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Struct(fields) | Value::Array(fields) => fields.iter().for_each(|field| write(field, bytes)),
        Value::Vec(elements) => {
            bytes.extend((elements.len() as u64).to_le_bytes());
            elements.iter().for_each(|element| write(element, bytes));
        }
        Value::Dict(dict) => {
            bytes.extend((dict.len() as u64).to_le_bytes());
            for (key, value) in dict.iter() {
                write(key, bytes);
                write(value, bytes);
            }
        }
        _ => {
            let constant = value.as_const().expect("a scalar");
            bytes.extend(&constant.bits().to_le_bytes()[..constant.scalar().size()]);
        }
    }
}

/// The value of type `ty` that `bytes` are, to the last one.
pub(super) fn read(ty: &Type, mut bytes: &[u8]) -> Result<Value, Cause> {
    let value = read_front(ty, &mut bytes)?;
    if bytes.is_empty() { Ok(value) } else { Err(Cause::bytes_left(bytes.len(), ty)) }
}

/// Takes a value of type `ty` from the front of `bytes`.
fn read_front(ty: &Type, bytes: &mut &[u8]) -> Result<Value, Cause> {
    Ok(match ty {
        Type::Scalar(scalar) => read_scalar(*scalar, bytes)?.into(),
        Type::Struct(fields) => {
            let values: Result<Vec<Value>, Cause> =
                fields.iter().map(|field| read_front(field, bytes)).collect();
            match (ty.as_array(), &values?[..]) {
                (Some(_), parts) => array(ty, parts.to_vec())?,
                // Nothing is made of bytes that say that there is no value.
                (None, [Value::Bool(false), _]) if ty.as_option().is_some() => Value::zero(ty),
                (None, fields) => {
                    let value = Value::structure(fields.to_vec());
                    if ty.is_text() && value.as_text().is_none() {
                        return Err(Cause::bytes_of_no_text());
                    }
                    value
                }
            }
        }
        Type::Vec(element) => {
            let len = read_len(ty, least_size(element), bytes)?;
            let elements: Result<Vec<Value>, Cause> = (0..len).map(|_| read_front(element, bytes)).collect();
            Value::vec(elements?)
        }
        Type::Dict(key, value) => {
            let len = read_len(ty, least_size(key) + least_size(value), bytes)?;
            let pairs: Result<Vec<(Value, Value)>, Cause> =
                (0..len).map(|_| Ok((read_front(key, bytes)?, read_front(value, bytes)?))).collect();
            Value::Dict(pairs?.into_iter().collect::<weldment_runtime::lang::value::DictValue>().into())
        }
    })
}

/// The array of these parts, where there is an element for each point.
fn array(ty: &Type, mut parts: Vec<Value>) -> Result<Value, Cause> {
    let number = |part: &Value| part.as_integer().expect("a number of an axis") as i64;
    let mut numbers: Vec<i64> = parts[1..].iter().map(number).collect();
    let Value::Vec(elements) = &parts[0] else { unreachable!("the elements of an array are a vector") };
    if !domain::has_points(&mut numbers, elements.len()) {
        return Err(Cause::bytes_of_no_array(ty));
    }
    parts.truncate(1);
    parts.extend(numbers.into_iter().map(Value::I64));
    Ok(Value::of_fields(ty, parts))
}

fn read_scalar(scalar: Scalar, bytes: &mut &[u8]) -> Result<Const, Cause> {
    let Some((front, rest)) = bytes.split_at_checked(scalar.size()) else {
        return Err(Cause::too_few_bytes(&scalar.into()));
    };
    *bytes = rest;
    let mut bits = [0; size_of::<u128>()];
    bits[..front.len()].copy_from_slice(front);
    Ok(Const::from_bits(scalar, u128::from_le_bytes(bits)))
}

/// The length before the elements of a `ty`; refused where its elements, of `least` bytes or more each,
/// could not follow, so that wrong bytes never ask for absurd amounts of memory.
fn read_len(ty: &Type, least: u64, bytes: &mut &[u8]) -> Result<u64, Cause> {
    let Ok(Const::U64(len)) = read_scalar(Scalar::U64, bytes) else {
        return Err(Cause::too_few_bytes(ty));
    };
    let fits = (len as u128) * (least.max(1) as u128) <= bytes.len() as u128;
    if fits { Ok(len) } else { Err(Cause::too_few_bytes(ty)) }
}

/// The least number of bytes that a value of type `ty` can take.
fn least_size(ty: &Type) -> u64 {
    ty.sum(|ty| ty.as_scalar().map_or(8, |scalar| scalar.size() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(value, &mut bytes);
        assert_eq!(bytes.len(), size(value));
        bytes
    }

    #[test]
    fn fields_are_packed_and_lengths_take_eight_bytes() {
        let value = Value::structure(vec![Value::I16(-2), Value::vec(vec![Value::Bool(true)])]);
        let bytes = bytes_of(&value);
        assert_eq!(bytes, [254, 255, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        let ty = Type::structure([Type::Scalar(Scalar::I16), Type::vec(Type::BOOL)]);
        assert!(read(&ty, &bytes).unwrap().same_bits(&value));
    }

    #[test]
    fn negative_numbers_and_dictionaries_come_back() {
        let pairs = [(Value::I64(-5), Value::F32(0.5)), (Value::I64(i64::MIN), Value::F32(-0.0))];
        let dict = Value::Dict(std::sync::Arc::new(pairs.into_iter().collect()));
        let ty = Type::dict(Type::I64, Type::Scalar(Scalar::F32));
        assert!(read(&ty, &bytes_of(&dict)).unwrap().same_bits(&dict));
    }

    #[test]
    fn all_nans_are_written_alike() {
        assert_eq!(bytes_of(&Value::F64(-f64::NAN)), f64::NAN.to_bits().to_le_bytes());
    }

    #[test]
    fn too_few_and_too_many_bytes_are_told_apart() {
        let ty = Type::vec(Type::I64);
        let bytes = bytes_of(&Value::vec(vec![Value::I64(1)]));
        assert_eq!(read(&ty, &bytes[..15]).unwrap_err(), Cause::too_few_bytes(&ty));
        assert_eq!(read(&Type::I64, &bytes).unwrap_err(), Cause::bytes_left(8, &Type::I64));
    }

    #[test]
    fn an_absurd_length_is_refused_before_anything_is_allocated() {
        let ty = Type::vec(Type::structure([]));
        assert_eq!(read(&ty, &[255; 8]).unwrap_err(), Cause::too_few_bytes(&ty));
    }
}
