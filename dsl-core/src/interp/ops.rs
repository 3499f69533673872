//! The ops that only compute: one value from the values of their operands.

use weldment_runtime::lang::domain::{self, MOST_POINTS};
use weldment_runtime::lang::fault::FaultKind;
use weldment_runtime::lang::scalar::{self, BinaryOp, Const};
use weldment_runtime::lang::text::{self, TextFn};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::{DictValue, Value};

use super::bytes;
use super::cause::Cause;
use super::writes::{self, Bytes, bytes_of};
use crate::ir::{self, Op, SpanPart, Zip};

/// What `op` gives, a value of type `ty`, where `get` gives its operands.
pub(super) fn evaluate<'v>(op: &Op, ty: &Type, get: impl Fn(ir::Value) -> &'v Value) -> Result<Value, Cause> {
    let constant = |name: ir::Value| get(name).as_const().expect("a scalar");
    let integer = |name: ir::Value| get(name).as_integer().expect("an integer");
    let all = |names: &[ir::Value]| names.iter().map(|&name| get(name).clone()).collect();
    Ok(match op {
        Op::Const(value) => (*value).into(),
        Op::Unary(op, x) => scalar::unary(*op, constant(*x)).into(),
        Op::Binary(op, x, y) => binary(*op, constant(*x), constant(*y))?.into(),
        Op::Compare(op, a, b) => Value::Bool(op.holds(get(*a).order(get(*b)))),
        Op::Order(a, b) => Value::I32(get(*a).total_order(get(*b)) as i32),
        Op::Math(function, args) => {
            let args: Vec<Const> = args.iter().map(|&arg| constant(arg)).collect();
            scalar::math(*function, &args).into()
        }
        Op::Cast(to, x) => scalar::cast(*to, constant(*x)).into(),
        Op::Half(function, x) => function.apply(constant(*x)).into(),
        Op::Select(cond, then, els) => {
            let chosen = if integer(*cond) != 0 { then } else { els };
            get(*chosen).clone()
        }

        Op::Struct(fields, _) => Value::of_fields(ty, all(fields)),
        Op::Field(value, field) => match get(*value).fields() {
            Some(fields) => fields[*field as usize].clone(),
            None => panic!("a field of {:?}", get(*value)),
        },
        Op::Vector(elements) => Value::vec(all(elements)),
        Op::Len(value) => Value::I64(match get(*value) {
            Value::Dict(dict) => dict.len(),
            vector => elements(vector).len(),
        } as i64),
        Op::At(vector, index) => {
            let vector = elements(get(*vector));
            let index = checked_index(get(*index), vector.len()).expect("`at` is in bounds by construction");
            vector[index].clone()
        }
        Op::CheckIndex(index, length) => {
            let length = usize::try_from(integer(*length)).expect("a length");
            Value::I64(checked_index(get(*index), length)? as i64)
        }
        Op::AssumeIndex(index, length) => {
            let length = usize::try_from(integer(*length)).expect("a length");
            Value::I64(checked_index(get(*index), length).expect("lowering has made it an index") as i64)
        }
        Op::Lookup(value, key) => {
            let dict = dict(get(*value));
            dict.get(get(*key)).ok_or_else(|| Cause::missing_key(dict.len()))?.clone()
        }
        Op::Slice(vector, start, size) => slice(elements(get(*vector)), integer(*start), integer(*size))?,
        Op::Cut(vector, start, end) => {
            let part = cut(elements(get(*vector)), integer(*start), integer(*end));
            Value::vec(part.expect("`cut` is in bounds by construction").to_vec())
        }
        Op::Ranked(vector, place) => {
            let mut sorted = elements(get(*vector)).to_vec();
            sorted.sort_by(Value::total_order);
            let last = sorted.len().checked_sub(1).ok_or_else(Cause::empty)?;
            let at = integer(*place).clamp(0, last as i128) as usize;
            Value::of_fields(ty, [at, last.min(at + 1)].map(|at| without_sign(&sorted[at])).into())
        }
        Op::Text(function, args) => {
            let args: Vec<&Value> = args.iter().map(|&arg| get(arg)).collect();
            of_text(*function, &args)
        }
        Op::Write(function, args) => {
            let args: Vec<&Value> = args.iter().map(|&arg| get(arg)).collect();
            writes::with(*function, &args, Bytes)
        }
        Op::ToVec(value) => {
            let pair = |(key, value): (&Value, &Value)| Value::structure(vec![key.clone(), value.clone()]);
            Value::vec(dict(get(*value)).iter().map(pair).collect())
        }
        Op::KeyExists(value, key) => Value::Bool(dict(get(*value)).get(get(*key)).is_some()),
        Op::OptLookup(value, key) => match dict(get(*value)).get(get(*key)) {
            Some(found) => Value::structure(vec![Value::Bool(true), found.clone()]),
            None => filled(ty, 0),
        },
        Op::Serialize(value) => {
            let mut bytes = Vec::new();
            bytes::write(get(*value), &mut bytes);
            Value::vec(bytes.into_iter().map(Value::U8).collect())
        }
        Op::Deserialize(vector) => {
            let byte = |value: &Value| match value {
                Value::U8(byte) => *byte,
                other => panic!("deserialize of {other:?}"),
            };
            let bytes: Vec<u8> = elements(get(*vector)).iter().map(byte).collect();
            bytes::read(ty, &bytes)?
        }
        Op::Assert(cond) if integer(*cond) == 0 => return Err(Cause::assertion()),
        // A run shows the text itself: here it is known what comes of it.
        Op::Assert(_) | Op::Dbg(_) => Value::Bool(true),

        Op::IterLen(len, start, end, stride) => {
            let (len, start, end, stride) = (integer(*len), integer(*start), integer(*end), integer(*stride));
            let fits = 0 <= start && end <= len;
            let steps = steps(start, end, stride).filter(|_| fits);
            Value::I64(steps.ok_or_else(|| Cause::iter(start, end, stride, len))?)
        }
        Op::Units(units, digits) => {
            let (units, digits) = (integer(*units), integer(*digits) as i64);
            Value::I64(i64::try_from(units).map_err(|_| Cause::units(units, digits))?)
        }
        Op::RangeLen(start, end, stride) => {
            let (start, end, stride) = (integer(*start), integer(*end), integer(*stride));
            Value::I64(steps(start, end, stride).ok_or_else(|| Cause::range(start, end, stride))?)
        }
        Op::ZipLen(of, lens) => {
            let first = integer(lens[0]);
            if let Some(other) = lens.iter().map(|&len| integer(len)).find(|&len| len != first) {
                return Err(match of {
                    Zip::Lengths => Cause::zip(first, other),
                    Zip::Extents => Cause::extents(first, other),
                    Zip::Arguments => Cause::argument(first, other),
                    Zip::Keys => Cause::duplicate_key(first, other),
                });
            }
            get(lens[0]).clone()
        }

        Op::CheckExtents(extents) => {
            points(extents.iter().map(|&extent| integer(extent)))?;
            get(extents[0]).clone()
        }
        Op::Shape(vector, extents) => {
            let points = points(extents.iter().map(|&extent| integer(extent)))?;
            let elements = elements(get(*vector)).len() as i128;
            if points != elements {
                return Err(Cause::shape(elements, points));
            }
            get(*vector).clone()
        }
        Op::Linearize(indices, extents) => {
            let axes = indices.iter().zip(extents).map(|(&index, &extent)| (integer(index), integer(extent)));
            let inside =
                |index, extent| assert!((0..extent).contains(&index), "an index is below its extent");
            Value::I64(axes.fold(0, |place, (index, extent)| {
                inside(index, extent);
                place * extent + index
            }) as i64)
        }
        Op::SpanLen(numbers) => {
            let numbers = span(numbers, integer);
            let [start, _, stride, lower, step, extent] = numbers.map(i128::from);
            let count = domain::span_len(numbers).ok_or_else(|| Cause::no_stride(stride as i64))?;
            let is_there = |at: i128| {
                let position = (at - lower).div_euclid(step);
                (0..extent).contains(&position) && lower + step * position == at
            };
            let ends = [start, start + i128::from(count - 1) * stride];
            let first_two = (count > 1).then_some(start + stride);
            match ends.into_iter().chain(first_two).find(|&at| !is_there(at)) {
                Some(at) if count > 0 => return Err(Cause::coordinate(at, [lower, step, extent])),
                _ => Value::I64(count),
            }
        }
        Op::Span(part, numbers) => {
            let [start, _, stride, lower, step, _] = span(numbers, integer);
            Value::I64(match part {
                SpanPart::Start => start.wrapping_sub(lower).wrapping_div(step),
                SpanPart::Stride => stride.wrapping_div(step),
            })
        }
        Op::Position(coordinate, lower, step, extent) => {
            let [at, lower, step, extent] = [*coordinate, *lower, *step, *extent].map(integer);
            let position = (at - lower).div_euclid(step);
            if !(0..extent).contains(&position) || lower + step * position != at {
                return Err(Cause::coordinate(at, [lower, step, extent]));
            }
            Value::I64(position as i64)
        }

        Op::Sort { .. }
        | Op::Call(..)
        | Op::If { .. }
        | Op::Iterate { .. }
        | Op::Loop(_)
        | Op::Merge { .. }
        | Op::For { .. } => unreachable!("control statements run in the machine"),
    })
}

fn binary(op: BinaryOp, x: Const, y: Const) -> Result<Const, Cause> {
    let operands = |kind: FaultKind| {
        let number = |x: Const| x.as_integer().expect("only integers fault");
        Cause::division(kind, number(x), number(y))
    };
    scalar::binary(op, x, y).map_err(operands)
}

fn slice(vector: &[Value], start: i128, size: i128) -> Result<Value, Cause> {
    let len = vector.len() as i128;
    if start < 0 || start > len || size < 0 {
        return Err(Cause::slice(start, size, vector.len()));
    }
    let end = (start + size).min(len);
    Ok(Value::vec(vector[start as usize..end as usize].to_vec()))
}

/// The elements from `start` up to `end`; `None` if they are not all there.
pub(super) fn cut(vector: &[Value], start: i128, end: i128) -> Option<&[Value]> {
    vector.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// The numbers of a span.
fn span(numbers: &[ir::Value], integer: impl Fn(ir::Value) -> i128) -> [i64; 6] {
    std::array::from_fn(|number| integer(numbers[number]) as i64)
}

/// How many points an array of these extents has, if there can be one.
fn points(extents: impl Iterator<Item = i128>) -> Result<i128, Cause> {
    let extents: Vec<i128> = extents.collect();
    let most = i128::from(MOST_POINTS);
    let none = extents.iter().find(|&extent| !(0..=most).contains(extent));
    let points = extents.iter().fold(1, |points, extent| (points * extent).min(most + 1));
    match none.or((points > most).then_some(&extents[0])) {
        Some(&extent) => Err(Cause::no_shape(extent)),
        None => Ok(points),
    }
}

/// The steps from `start` to `end`, if the stride fits.
fn steps(start: i128, end: i128, stride: i128) -> Option<i64> {
    let fits = start <= end && stride > 0 && (end - start) % stride == 0;
    // The widest range by 1 has more steps than an index can count.
    if fits { i64::try_from((end - start) / stride).ok() } else { None }
}

/// The elements of a vector.
pub(super) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Vec(elements) => elements,
        other => panic!("{other:?} where a vector is needed"),
    }
}

/// `index`, if it is inside a vector of `len`.
pub(super) fn checked_index(index: &Value, len: usize) -> Result<usize, Cause> {
    let index = index.as_integer().expect("an integer indexes");
    if (0..len as i128).contains(&index) { Ok(index as usize) } else { Err(Cause::index(index, len)) }
}

/// A function of texts.
fn of_text(function: TextFn, args: &[&Value]) -> Value {
    fn pair<A, B>((first, second): (A, B)) -> Value
    where
        Const: From<A> + From<B>,
    {
        Value::structure(vec![Const::from(first).into(), Const::from(second).into()])
    }
    let text = bytes_of(args[0]);
    match function {
        TextFn::Find => {
            let from = args[2].as_integer().expect("an i64") as i64;
            Value::I64(text::find(&text, &bytes_of(args[1]), from))
        }
        TextFn::FindLast => Value::I64(text::find_last(&text, &bytes_of(args[1]))),
        TextFn::Word => pair(text::word(&text, args[1].as_integer().expect("an i64") as i64)),
        TextFn::IsText => Value::Bool(text::is_text(&text)),
        TextFn::Trimmed => pair(text::trimmed(&text)),
        TextFn::Like => Value::Bool(text::like(&text, &bytes_of(args[1]))),
        TextFn::ToI64 => pair(text::to_i64(&text)),
        TextFn::ToU64 => pair(text::to_u64(&text)),
        TextFn::ToI128 => pair(text::to_i128(&text)),
        TextFn::ToF32 => pair(text::to_f32(&text)),
        TextFn::ToF64 => pair(text::to_f64(&text)),
        TextFn::ToDate => pair(text::to_date(&text)),
        TextFn::ToTimestamp => pair(text::to_timestamp(&text)),
        TextFn::ToFixed => pair(text::to_fixed(&text, args[1].as_integer().expect("an i64") as i64)),
    }
}

/// A number, whose zero and NaN have no sign.
fn without_sign(number: &Value) -> Value {
    match number {
        Value::F32(x) => Value::F32(if x.is_nan() { f32::NAN } else { x + 0.0 }),
        Value::F64(x) => Value::F64(if x.is_nan() { f64::NAN } else { x + 0.0 }),
        other => other.clone(),
    }
}

/// The entries of a dictionary.
pub(super) fn dict(value: &Value) -> &DictValue {
    match value {
        Value::Dict(dict) => dict,
        other => panic!("{other:?} where a dictionary is needed"),
    }
}

/// Numbers that are `fill`, vectors of so many elements, and empty dictionaries. Of 0, it is what `optlookup` gives beside
/// false.
pub(super) fn filled(ty: &Type, fill: u8) -> Value {
    match ty {
        Type::Scalar(scalar) => Const::from_i128(*scalar, fill.into()).into(),
        Type::Struct(fields) => {
            let mut values: Vec<Value> = fields.iter().map(|ty| filled(ty, fill)).collect();
            // The steps of an axis are at least 1; and of one element each extent is 1.
            if let Some((_, axes)) = ty.as_array() {
                values[1 + axes..=2 * axes].fill(Value::I64(1));
            }
            Value::of_fields(ty, values)
        }
        Type::Vec(element) => Value::vec(vec![filled(element, fill); fill.into()]),
        Type::Dict(..) => Value::Dict(DictValue::new().into()),
    }
}
