//! Arrays as JSON: nested lists, or an object that says what these do not.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::value::RawValue;

use super::{Misfit, array, read, shown, write};
use crate::engine::{Type, Value};

/// Appends the array of `element`s that consists of `parts`.
pub(super) fn write_array(parts: &[Value], element: &Type, out: &mut String) {
    let (Some(Value::Vec(elements)), numbers) = (parts.first(), &parts[1..]) else {
        return out.push_str("[]");
    };
    let number = |part: &Value| part.as_integer().unwrap_or(0) as i64;
    let numbers: Vec<i64> = numbers.iter().map(number).collect();
    let axes = numbers.len() / 3;
    let (lower, rest) = numbers.split_at(axes);
    let (step, shape) = rest.split_at(axes);
    let is_told = shape[..axes - 1].iter().all(|&extent| extent > 0);
    if is_told && lower.iter().all(|&n| n == 0) && step.iter().all(|&n| n == 1) {
        return nested(elements, element, shape, out);
    }
    let _ = write!(out, "{{\"shape\":{shape:?},\"lower\":{lower:?}");
    if step.iter().any(|&n| n != 1) {
        let _ = write!(out, ",\"step\":{step:?}");
    }
    out.push_str(",\"data\":[");
    items(elements.iter(), |value, out| write(value, element, out), out);
    out.push_str("]}");
}

/// Appends the elements of an array of this shape, row by row, as lists of lists.
fn nested(elements: &[Value], element: &Type, shape: &[i64], out: &mut String) {
    out.push('[');
    match shape {
        [_, inner @ ..] if !inner.is_empty() => {
            let rows = elements.chunks(inner.iter().product::<i64>().max(1) as usize);
            if elements.is_empty() {
                // Rows of nothing.
                let rows = vec![&elements[..0]; shape[0] as usize];
                items(rows, |row, out| nested(row, element, inner, out), out);
            } else {
                items(rows, |row, out| nested(row, element, inner, out), out);
            }
        }
        _ => items(elements, |value, out| write(value, element, out), out),
    }
    out.push(']');
}

fn items<T>(items: impl IntoIterator<Item = T>, each: impl Fn(T, &mut String), out: &mut String) {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        each(item, out);
    }
}

/// The array of `element`s of so many axes that `raw` is.
pub(super) fn read_array(element: &Type, axes: usize, raw: &RawValue) -> Result<Value, Misfit> {
    let (data, [lower, step, shape]) = match serde_json::from_str::<BTreeMap<&str, &RawValue>>(raw.get()) {
        Ok(object) => of_object(element, axes, &object)?,
        Err(_) => {
            let mut shape = vec![None; axes];
            let mut data = Vec::new();
            rows(element, &mut shape, raw, &mut data)?;
            let shape = shape.into_iter().map(|extent| extent.unwrap_or(0)).collect();
            (data, [vec![0; axes], vec![1; axes], shape])
        }
    };
    check(&data, &lower, &step, &shape)?;
    // One coordinate has no next one.
    let step = step.into_iter().zip(&shape).map(|(step, &extent)| if extent > 1 { step } else { 1 });
    let numbers = lower.into_iter().chain(step).chain(shape.iter().copied()).map(Value::I64);
    let parts = [Value::vec(data)].into_iter().chain(numbers).collect();
    Ok(Value::of_fields(&Type::array(element.clone(), axes), parts))
}

/// Reads lists of lists. Of each axis the first list tells the extent.
fn rows(
    element: &Type,
    shape: &mut [Option<i64>],
    raw: &RawValue,
    data: &mut Vec<Value>,
) -> Result<(), Misfit> {
    let Some((extent, inner)) = shape.split_first_mut() else {
        data.push(read(element, raw)?);
        return Ok(());
    };
    let items = array(raw).ok_or_else(|| Misfit::new(format!("expected a list, found {}", shown(raw))))?;
    let found = items.len() as i64;
    let wanted = *extent.get_or_insert(found);
    if wanted != found {
        let message = format!("expected {wanted} elements, as in the first row, found {found}");
        return Err(Misfit::new(message));
    }
    for (i, item) in items.iter().enumerate() {
        rows(element, inner, item, data).map_err(|misfit| misfit.inside(format!("element {i}")))?;
    }
    Ok(())
}

/// `{"shape": [2, 3], "lower": [0, 0], "step": [1, 1], "data": […]}`, of which lower bounds and steps may be left out.
fn of_object(
    element: &Type,
    axes: usize,
    object: &BTreeMap<&str, &RawValue>,
) -> Result<(Vec<Value>, [Vec<i64>; 3]), Misfit> {
    if let Some(other) = object.keys().find(|key| !["shape", "lower", "step", "data"].contains(*key)) {
        let message = format!("an array has `shape`, `lower`, `step` and `data`, and no `{other}`");
        return Err(Misfit::new(message));
    }
    let numbers =
        |key: &str, default: Option<i64>| match (object.get(key), default) {
            (Some(raw), _) => match serde_json::from_str::<Vec<i64>>(raw.get()) {
                Ok(numbers) if numbers.len() == axes => Ok(numbers),
                _ => Err(Misfit::new(format!("expected {axes} integers, found {}", shown(raw)))
                    .inside(key.to_owned())),
            },
            (None, Some(default)) => Ok(vec![default; axes]),
            (None, None) => Err(Misfit::new(format!("the `{key}` is missing"))),
        };
    let (shape, lower, step) =
        (numbers("shape", None)?, numbers("lower", Some(0))?, numbers("step", Some(1))?);
    let Some(raw) = object.get("data") else { return Err(Misfit::new("the `data` is missing".to_owned())) };
    let data =
        match read(&Type::vec(element.clone()), raw).map_err(|misfit| misfit.inside("data".to_owned()))? {
            Value::Vec(data) => data.to_vec(),
            _ => unreachable!("a vector has been read"),
        };
    Ok((data, [lower, step, shape]))
}

fn check(data: &[Value], lower: &[i64], step: &[i64], shape: &[i64]) -> Result<(), Misfit> {
    let of = |axis: usize| crate::engine::Range::new(lower[axis], step[axis], shape[axis].try_into().ok()?);
    let wrong = (0..shape.len()).find(|&axis| of(axis).is_none());
    if let Some(axis) = wrong {
        let (lower, step, extent) = (lower[axis], step[axis], shape[axis]);
        let message =
            format!("axis {axis} cannot have {extent} coordinates from {lower} on in steps of {step}");
        return Err(Misfit::new(message));
    }
    let points = shape.iter().try_fold(1_i64, |points, &extent| points.checked_mul(extent));
    if points != Some(data.len() as i64) {
        return Err(Misfit::new(format!("{} elements, for a shape of {shape:?}", data.len())));
    }
    Ok(())
}
