//! Values as JSON, in both directions, directed by their types.
//!
//! | type | JSON |
//! |---|---|
//! | integers | a number; `i64`, `u64` and `i128` beyond 2^53 as strings |
//! | `f32`, `f64` | the shortest number that reads back as the same float, or `"NaN"`, `"inf"`, `"-inf"` |
//! | `f16`, `bf16` | the shortest number that reads back as the f32 that it is, or such a text; read by rounding the decimal number once |
//! | `bool` | `true`, `false` |
//! | `vec[T]`, `{A,B}` | an array of the elements, of the fields |
//! | `array[T,N]` | nested arrays; or `{"shape": [0, 3], "lower": [1, 0], "step": [1, 1], "data": []}`, where these do not tell all |
//! | `str` | a string |
//! | `Date`, `Timestamp` | a string, `"1994-01-31"` and `"1994-01-31T12:00:00Z"`; a moment with an offset is read as well |
//! | `Span` | the number of microseconds, as an `i64` |
//! | `Fixed<S>` | a string, `"-12.34"`; a number without an exponent is read as well, by its digits, of which no more may be behind the point |
//! | an enum | the name of the variant, as a string |
//! | `option[T]` | the value, or `null`; of an option of an option, an array of the inner one, or `null` |
//! | `Strings`, `Nullable<T>` | an array of the rows: of strings, of values and `null` |
//! | `dict[K,V]` | an array of `[key, value]`, in order of first insertion |
//!
//! Numbers are read from their digits as the type that is asked for, so no detour through `f64` rounds twice.

// By its path, since a target of the fuzzer has this file as a module of its own.
#[path = "json/arrays.rs"]
mod arrays;
#[path = "json/named.rs"]
mod named;

use std::fmt::Write;
use std::str::FromStr;

use serde_json::value::RawValue;

use crate::engine::{DictValue, Scalar, Type, Value};

/// The magnitude beyond which readers that keep numbers as `f64` would lose digits.
const EXACT: u128 = 1 << 53;

/// Appends `value`, which is of type `ty`, as JSON.
pub(crate) fn write(value: &Value, ty: &Type, out: &mut String) {
    match value {
        Value::Bool(x) => write!(out, "{x}"),
        Value::F32(x) => write_float(out, x, x.is_nan(), x.is_infinite().then_some(*x > 0.0)),
        Value::F64(x) => write_float(out, x, x.is_nan(), x.is_infinite().then_some(*x > 0.0)),
        Value::Vec(elements) => {
            let element = ty.element().expect("the type of the value");
            return list(elements.iter().map(|value| (value, element)), out);
        }
        Value::Struct(_) if ty.is_text() => {
            let text = value.as_text().unwrap_or_default();
            write!(out, "{}", serde_json::Value::String(text))
        }
        Value::Struct(_) if let Some(column) = ty.as_column() => {
            let (rows, row) = (value.rows_of(column).unwrap_or_default(), column.row());
            return list(rows.iter().map(|value| (value, &row)), out);
        }
        Value::Struct(fields) if ty.as_size().is_some() => return write(&fields[0], &Type::I64, out),
        Value::Struct(fields) if let Some(temporal) = ty.as_temporal() => {
            return named::write_time(temporal, &fields[0], out);
        }
        Value::Struct(fields) if let (Some(scale), [Value::I64(units)]) = (ty.as_fixed(), &fields[..]) => {
            write!(out, "\"{}\"", scale.shown(*units))
        }
        Value::Struct(fields) if let (Some(half), [Value::U16(bits)]) = (ty.as_half(), &fields[..]) => {
            return write(&Value::F32(half.to_f32(*bits)), &Type::F32, out);
        }
        Value::Struct(fields) => match (ty.as_option(), ty.as_enum()) {
            (Some(value), _) => return write_option(fields, value, out),
            (_, Some(variants)) => {
                let variant = variants.iter().find(|(_, number)| fields[0].as_integer() == Some(*number));
                write!(out, "\"{}\"", variant.map_or("", |(name, _)| name))
            }
            (None, None) => return list(fields.iter().zip(ty.parts()), out),
        },
        Value::Array(parts) => {
            let (element, _) = ty.as_array().expect("the type of the value");
            return arrays::write_array(parts, element, out);
        }
        Value::Dict(dict) => {
            out.push('[');
            for (i, (key, value)) in dict.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                list([key, value].into_iter().zip(ty.parts()), out);
            }
            out.push(']');
            return;
        }
        _ => {
            let x = value.as_integer().expect("the other scalars are integers");
            if x.unsigned_abs() > EXACT { write!(out, "\"{x}\"") } else { write!(out, "{x}") }
        }
    }
    .expect("writing to a string does not fail");
}

/// Appends the array of `items`, each of its type.
fn list<'v>(items: impl Iterator<Item = (&'v Value, &'v Type)>, out: &mut String) {
    out.push('[');
    for (i, (item, ty)) in items.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(item, ty, out);
    }
    out.push(']');
}

/// Appends the option of a value of type `ty`, of which these are the fields.
fn write_option(fields: &[Value], ty: &Type, out: &mut String) {
    match fields {
        [Value::Bool(true), value] if ty.as_option().is_some() => list([(value, ty)].into_iter(), out),
        [Value::Bool(true), value] => write(value, ty, out),
        _ => out.push_str("null"),
    }
}

/// `x` prints as its shortest digits. `positive` is set on infinities.
fn write_float(
    out: &mut String,
    x: &impl std::fmt::Debug,
    is_nan: bool,
    positive: Option<bool>,
) -> std::fmt::Result {
    match positive {
        Some(true) => write!(out, "\"inf\""),
        Some(false) => write!(out, "\"-inf\""),
        None if is_nan => write!(out, "\"NaN\""),
        None => write!(out, "{x:?}"),
    }
}

/// The arguments in `text`, a JSON array with one entry per parameter.
pub(crate) fn read_args(text: &str, params: &[Type]) -> Result<Vec<Value>, String> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Some(args) = array(raw) else {
        return Err(format!("expected the array of arguments, found {}", shown(raw)));
    };
    if args.len() != params.len() {
        return Err(format!("the program takes {}, found {}", count(params.len()), args.len()));
    }
    let one = |(i, (arg, ty)): (usize, (&&RawValue, &Type))| {
        read(ty, arg).map_err(|misfit| misfit.inside(format!("argument {}", i + 1)).to_string())
    };
    args.iter().zip(params).enumerate().map(one).collect()
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".to_owned() } else { format!("{arguments} arguments") }
}

/// What does not fit, and where: the outermost place first.
struct Misfit {
    path: Vec<String>,
    message: String,
}

impl Misfit {
    fn new(message: String) -> Misfit {
        Misfit { path: Vec::new(), message }
    }

    fn expected(ty: &Type, found: &RawValue) -> Misfit {
        Misfit::new(format!("expected {ty}, found {}", shown(found)))
    }

    fn inside(mut self, place: String) -> Misfit {
        self.path.insert(0, place);
        self
    }
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.join(", "), self.message)
    }
}

/// The value of type `ty` that `raw` is.
fn read(ty: &Type, raw: &RawValue) -> Result<Value, Misfit> {
    let misfit = || Misfit::expected(ty, raw);
    match ty {
        Type::Scalar(scalar) => read_scalar(*scalar, raw),
        Type::Vec(element) => {
            let items = array(raw).ok_or_else(misfit)?;
            let one = |(i, item): (usize, &&RawValue)| {
                read(element, item).map_err(|misfit| misfit.inside(format!("element {i}")))
            };
            Ok(Value::vec(items.iter().enumerate().map(one).collect::<Result<_, _>>()?))
        }
        Type::Struct(fields) => {
            if let Some((element, axes)) = ty.as_array() {
                return arrays::read_array(element, axes, raw);
            }
            if let Some(value) = ty.as_option() {
                return read_option(ty, value, raw);
            }
            if ty.is_text() {
                return serde_json::from_str(raw.get())
                    .map(|text: String| Value::text(&text))
                    .map_err(|_| misfit());
            }
            if let Some(column) = ty.as_column() {
                let rows = read(&Type::vec(column.row()), raw)?;
                let rows = if let Value::Vec(rows) = &rows { &rows[..] } else { &[] };
                return Ok(Value::of_rows(column, rows));
            }
            if ty.as_size().is_some() {
                return Ok(Value::structure(vec![read_scalar(Scalar::I64, raw)?]));
            }
            if let Some(temporal) = ty.as_temporal() {
                return named::read_time(temporal, raw).ok_or_else(misfit);
            }
            if let Some(scale) = ty.as_fixed() {
                return named::read_fixed(scale, ty, raw);
            }
            if let Some(half) = ty.as_half() {
                return named::read_half(half, raw).ok_or_else(misfit);
            }
            if let Some(variants) = ty.as_enum() {
                return read_variant(variants, &fields[0], raw);
            }
            let items = array(raw).ok_or_else(misfit)?;
            let part = if ty.as_fixed_array().is_some() { "element" } else { "field" };
            if items.len() != fields.len() {
                return Err(Misfit::new(format!("expected {ty}, found {} {part}s", items.len())));
            }
            let one = |(i, (item, field)): (usize, (&&RawValue, &Type))| {
                read(field, item).map_err(|misfit| misfit.inside(format!("{part} {i}")))
            };
            let values: Result<Vec<Value>, Misfit> =
                items.iter().zip(fields.iter()).enumerate().map(one).collect();
            Ok(Value::structure(values?))
        }
        Type::Dict(key, value) => read_dict(key, value, &array(raw).ok_or_else(misfit)?),
    }
}

/// The option `ty` of a `value` that `raw` is.
fn read_option(ty: &Type, value: &Type, raw: &RawValue) -> Result<Value, Misfit> {
    if raw.get() == "null" {
        return Ok(Value::zero(ty));
    }
    let value = match value.as_option() {
        Some(_) => match array(raw).as_deref() {
            Some([inner]) => read(value, inner)?,
            _ => return Err(Misfit::expected(ty, raw)),
        },
        None => read(value, raw)?,
    };
    Ok(Value::structure(vec![Value::Bool(true), value]))
}

/// The variant that `raw` names, of an enum whose numbers are of type `number`.
fn read_variant(variants: &[(String, i128)], number: &Type, raw: &RawValue) -> Result<Value, Misfit> {
    let name = serde_json::from_str::<String>(raw.get()).ok();
    let variant = variants.iter().find(|(variant, _)| name.as_ref() == Some(variant));
    let scalar = number.as_scalar().expect("the number of an enum");
    match variant.and_then(|(_, number)| integer(scalar, *number)) {
        Some(number) => Ok(Value::structure(vec![number])),
        None => {
            let all: Vec<String> = variants.iter().map(|(variant, _)| format!("\"{variant}\"")).collect();
            Err(Misfit::new(format!("expected one of {}, found {}", all.join(", "), shown(raw))))
        }
    }
}

fn read_dict(key: &Type, value: &Type, pairs: &[&RawValue]) -> Result<Value, Misfit> {
    let mut dict = DictValue::new();
    for (i, pair) in pairs.iter().enumerate() {
        let place = || format!("pair {i}");
        let halves = array(pair).filter(|halves| halves.len() == 2).ok_or_else(|| {
            Misfit::new(format!("expected [key, value], found {}", shown(pair))).inside(place())
        })?;
        let half = |ty, index: usize, name: &str| {
            read(ty, halves[index]).map_err(|misfit| misfit.inside(name.to_owned()).inside(place()))
        };
        let (key, value) = (half(key, 0, "key")?, half(value, 1, "value")?);
        if dict.get(&key).is_some() {
            let message = format!("the key {} stands here a second time", shown(halves[0]));
            return Err(Misfit::new(message).inside(place()));
        }
        dict.entry(&key, || value);
    }
    Ok(Value::Dict(dict.into()))
}

fn read_scalar(scalar: Scalar, raw: &RawValue) -> Result<Value, Misfit> {
    let misfit = || Misfit::expected(&scalar.into(), raw);
    let text = raw.get();
    match scalar {
        Scalar::Bool => text.parse().map(Value::Bool).map_err(|_| misfit()),
        Scalar::F32 => {
            let special = special_float(text).map(|x| x as f32);
            special.or_else(|| finite_float(text, f32::is_finite)).map(Value::F32).ok_or_else(misfit)
        }
        Scalar::F64 => {
            let float = special_float(text).or_else(|| finite_float(text, f64::is_finite));
            float.map(Value::F64).ok_or_else(misfit)
        }
        _ => {
            let is_wide = matches!(scalar, Scalar::I64 | Scalar::I128 | Scalar::U64);
            let digits = match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(digits) if is_wide => digits,
                Some(_) => return Err(misfit()),
                None => text,
            };
            let x: i128 = digits.parse().map_err(|_| misfit())?;
            integer(scalar, x)
                .ok_or_else(|| Misfit::new(format!("expected {scalar}, found {x}, which is out of range")))
        }
    }
}

/// `x` as an integer type, if it is in range.
fn integer(scalar: Scalar, x: i128) -> Option<Value> {
    Some(match scalar {
        Scalar::I8 => Value::I8(x.try_into().ok()?),
        Scalar::I16 => Value::I16(x.try_into().ok()?),
        Scalar::I32 => Value::I32(x.try_into().ok()?),
        Scalar::I64 => Value::I64(x.try_into().ok()?),
        Scalar::I128 => Value::I128(x),
        Scalar::U8 => Value::U8(x.try_into().ok()?),
        Scalar::U16 => Value::U16(x.try_into().ok()?),
        Scalar::U32 => Value::U32(x.try_into().ok()?),
        Scalar::U64 => Value::U64(x.try_into().ok()?),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
    })
}

/// The floats that JSON has no numbers for.
fn special_float(text: &str) -> Option<f64> {
    match text {
        "\"NaN\"" => Some(f64::NAN),
        "\"inf\"" => Some(f64::INFINITY),
        "\"-inf\"" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Whether `text`, which is JSON, is a number.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The number that `text` is. One too large for the type is not taken for an infinity, and neither are the
/// words that Rust reads as floats.
fn finite_float<F: FromStr + Copy>(text: &str, is_finite: fn(F) -> bool) -> Option<F> {
    if is_number(text) { text.parse().ok().filter(|&x| is_finite(x)) } else { None }
}

/// The items, if `raw` is an array.
fn array(raw: &RawValue) -> Option<Vec<&RawValue>> {
    // Only arrays parse as vectors, and their items have been seen to be well formed.
    serde_json::from_str(raw.get()).ok()
}

/// `raw` for an error, cut short.
fn shown(raw: &RawValue) -> String {
    const LONGEST: usize = 40;
    let text = raw.get();
    match text.chars().next() {
        Some('[') if text.len() > LONGEST => "an array".to_owned(),
        Some('{') if text.len() > LONGEST => "an object".to_owned(),
        _ if text.chars().count() > LONGEST => {
            format!("{}…", text.chars().take(LONGEST).collect::<String>())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vec_of(scalar: Scalar) -> Type {
        Type::vec(scalar.into())
    }

    /// `json` reads as a value of `ty` that prints as `expected`.
    pub(super) fn check(ty: Type, json: &str, expected: &str) {
        let ty = [ty];
        let args = read_args(&format!("[{json}]"), &ty).expect("the value fits");
        let mut out = String::new();
        write(&args[0], &ty[0], &mut out);
        assert_eq!(out, expected);
    }

    pub(super) fn check_round_trip(ty: Type, json: &str) {
        check(ty, json, json);
    }

    pub(super) fn check_error(params: &[Type], json: &str, expected: &str) {
        assert_eq!(read_args(json, params).unwrap_err(), expected);
    }

    #[test]
    fn every_type_reads_and_prints() {
        check_round_trip(vec_of(Scalar::Bool), "[true,false]");
        check_round_trip(vec_of(Scalar::I8), "[-128,127]");
        check_round_trip(vec_of(Scalar::U16), "[65535]");
        check_round_trip(Type::structure([Type::I32, Type::vec(Type::F64)]), "[1,[0.5,2.0]]");
        check_round_trip(Type::dict(Type::I64, vec_of(Scalar::I8)), "[[2,[97]],[-1,[]]]");
        check(Type::structure([]), " [ ] ", "[]");
    }

    #[test]
    fn what_is_not_there_is_null() {
        let option = Type::option(Type::F64);
        check_round_trip(Type::vec(option.clone()), "[1.5,null,0.0]");
        check_round_trip(Type::option(Type::structure([Type::I32, option.clone()])), "[1,null]");
        check_round_trip(Type::vec(Type::option(Type::vec(option.clone()))), "[null,[],[null]]");
        check_round_trip(Type::vec(Type::option(option.clone())), "[null,[null],[2.5]]");
        check_round_trip(Type::dict(Type::option(Type::I64), option.clone()), "[[null,1.0],[0,null]]");
        check_error(&[Type::option(option)], "[1.5]", "argument 1: expected option[option[f64]], found 1.5");
    }

    #[test]
    fn integers_beyond_2_53_are_strings() {
        check_round_trip(vec_of(Scalar::I64), r#"[9007199254740992,"9007199254740993"]"#);
        check_round_trip(vec_of(Scalar::I64), r#"["-9223372036854775808","9223372036854775807"]"#);
        check_round_trip(vec_of(Scalar::U64), r#"["18446744073709551615"]"#);
        let extremes = format!(r#"["{}",-7,"{}"]"#, i128::MIN, i128::MAX);
        check_round_trip(vec_of(Scalar::I128), &extremes);
        // Numbers are read from their digits, however many these are.
        let unquoted = format!("[{},\"-7\",{}]", i128::MIN, i128::MAX);
        check(vec_of(Scalar::I128), &unquoted, &extremes);
        check(vec_of(Scalar::U64), "[18446744073709551615, \"7\"]", r#"["18446744073709551615",7]"#);
    }

    #[test]
    fn special_floats_are_strings() {
        check_round_trip(vec_of(Scalar::F64), r#"["NaN","inf","-inf",-0.0]"#);
        check_round_trip(vec_of(Scalar::F32), r#"["NaN","inf","-inf",-0.0]"#);
    }

    #[test]
    fn floats_print_their_shortest_digits_and_round_once() {
        check_round_trip(vec_of(Scalar::F32), "[0.1,3.4028235e38,1e-45]");
        check_round_trip(vec_of(Scalar::F64), "[0.1,1.7976931348623157e308,5e-324]");
        // Through `f64` this one would round to the float beside it.
        check_round_trip(Scalar::F32.into(), "7.038531e-26");
        check(vec_of(Scalar::F64), "[1, -3E2]", "[1.0,-300.0]");
    }

    #[test]
    fn what_does_not_fit_says_where() {
        let params = [Type::I64, vec_of(Scalar::I32)];
        let json = r#"[1, [0, 1, 2, 3, 4, 5, 6, "x"]]"#;
        check_error(&params, json, r#"argument 2, element 7: expected i32, found "x""#);
        check_error(&params, "[1.0, []]", "argument 1: expected i64, found 1.0");
        check_error(&params, r#"[1, ["5"]]"#, r#"argument 2, element 0: expected i32, found "5""#);
        check_error(&params, "[1, 5]", "argument 2: expected vec[i32], found 5");
        let long = format!("[1, \"{}\"]", "x".repeat(50));
        let found = format!("argument 2: expected vec[i32], found \"{}…", "x".repeat(39));
        check_error(&params, &long, &found);

        let row = Type::structure([Type::BOOL, Type::F64]);
        check_error(
            &[Type::vec(row.clone())],
            "[[[1, 1]]]",
            "argument 1, element 0, field 0: expected bool, found 1",
        );
        check_error(&[row], "[[true]]", "argument 1: expected {bool,f64}, found 1 fields");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        check_error(
            &[Scalar::I8.into()],
            "[300]",
            "argument 1: expected i8, found 300, which is out of range",
        );
        check_error(&[Scalar::U8.into()], "[-1]", "argument 1: expected u8, found -1, which is out of range");
        check_error(&[Scalar::F32.into()], "[1e39]", "argument 1: expected f32, found 1e39");
        check_error(&[Type::F64], r#"["infinity"]"#, r#"argument 1: expected f64, found "infinity""#);
        check_error(&[Type::F64], "[null]", "argument 1: expected f64, found null");
    }

    #[test]
    fn dictionaries_are_pairs_with_different_keys() {
        let ty = [Type::dict(Type::I32, Type::BOOL)];
        check_error(&ty, "[[[1, true], [2]]]", "argument 1, pair 1: expected [key, value], found [2]");
        check_error(&ty, "[[[1, 2]]]", "argument 1, pair 0, value: expected bool, found 2");
        let twice = "argument 1, pair 1: the key 1 stands here a second time";
        check_error(&ty, "[[[1, true], [1, false]]]", twice);
    }

    #[test]
    fn the_arguments_are_an_array_of_the_right_length() {
        check_error(&[Type::I64], "{}", "expected the array of arguments, found {}");
        check_error(&[Type::I64], "[1, 2]", "the program takes 1 argument, found 2");
        check_error(&[Type::I64], "[1", "EOF while parsing a list at line 1 column 2");
    }
}
