//! What a run holds, by the sizes that values have as emitted Rust: its limit on memory counts these, and not the boxes
//! in which the interpreter keeps values.
//!
//! A number takes its own size, a struct the sizes of its fields as C lays them out, a vector or dictionary what its
//! header takes, wherever it is stored, and its elements or entries once. Counted is what grows: vectors as they are
//! collected, made or sorted, dictionaries and groups entry by entry, the partials of a vecmerger beside its result,
//! and what the result of the run has to copy, which is what it shares with arguments or holds twice. As with the other
//! executors, a vector counts until the run ends. Slices share the memory of their vector, and count nothing.

use std::alloc::Layout;
use std::collections::HashSet;

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;
use weldment_runtime::store::dict::Dict;

use super::ops;
use crate::ir::{self, Op};

/// The bytes that a value of type `ty` takes where it is stored, without what it refers to.
pub(super) fn stored(ty: &Type) -> usize {
    ty.layout(|ty| match ty {
        Type::Vec(_) => Layout::new::<Vec<u8>>(),
        _ => Layout::new::<Dict<u8, u8>>(),
    })
    .size()
}

/// The bytes of `n` values of type `ty`.
pub(super) fn bytes(n: usize, ty: &Type) -> usize {
    n.saturating_mul(stored(ty))
}

/// Counts the vector that `op` is about to make, which is of type `ty`; `get` gives its operands. What `deserialize` makes is
/// known when it is done.
pub(super) fn charge_made<'v>(
    cx: &Context,
    op: &Op,
    ty: &Type,
    get: impl Fn(ir::Value) -> &'v Value,
) -> Result<(), Fault> {
    let len = match op {
        Op::Vector(elements) => elements.len(),
        Op::ToVec(dict) => ops::dict(get(*dict)).len(),
        Op::Serialize(value) if cx.memory_limit().is_some() => super::bytes::size(get(*value)),
        Op::Write(function, args) if cx.memory_limit().is_some() => {
            let args: Vec<&Value> = args.iter().map(|&arg| get(arg)).collect();
            super::writes::with(*function, &args, super::writes::Size)
        }
        _ => return Ok(()),
    };
    cx.charge(bytes(len, ty.element().expect("these give vectors")))
}

/// Counts a copy of `value` in full depth.
pub(super) fn charge_copy(cx: &Context, value: &Value, ty: &Type) -> Result<(), Fault> {
    each_part(value, ty, &mut |_, bytes| cx.charge(bytes))
}

/// Counts what a `result` of type `ty` has to copy: what belongs to `args`, of types `params`, and what it
/// holds more than once.
pub(super) fn charge_result<'t>(
    cx: &Context,
    args: &[Value],
    params: impl Iterator<Item = &'t Type>,
    result: &Value,
    ty: &Type,
) -> Result<(), Fault> {
    if cx.memory_limit().is_none() {
        return Ok(());
    }
    let mut known = HashSet::new();
    for (arg, param) in args.iter().zip(params) {
        each_part(arg, param, &mut |place, _| {
            known.insert(place);
            Ok(())
        })?;
    }
    each_part(result, ty, &mut |place, bytes| if known.insert(place) { Ok(()) } else { cx.charge(bytes) })
}

/// Calls `visit` with the place and the bytes of each vector and dictionary in `value`, outermost first.
fn each_part(
    value: &Value,
    ty: &Type,
    visit: &mut impl FnMut(usize, usize) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match (value, ty) {
        (Value::Vec(elements), Type::Vec(element)) => {
            // Nothing is allocated for no elements, and empty vectors have no place.
            if elements.is_empty() {
                return Ok(());
            }
            visit(elements.as_ptr() as usize, bytes(elements.len(), element))?;
            if element.is_scalars() {
                return Ok(());
            }
            elements.iter().try_for_each(|value| each_part(value, element, visit))
        }
        (Value::Dict(dict), Type::Dict(key, value)) => {
            let place = std::sync::Arc::as_ptr(dict) as usize;
            visit(place, bytes(dict.len(), key).saturating_add(bytes(dict.len(), value)))?;
            if key.is_scalars() && value.is_scalars() {
                return Ok(());
            }
            dict.iter().try_for_each(|(k, v)| {
                each_part(k, key, visit)?;
                each_part(v, value, visit)
            })
        }
        (Value::Struct(values) | Value::Array(values), Type::Struct(fields)) => {
            values.iter().zip(fields.iter()).try_for_each(|(value, field)| each_part(value, field, visit))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use weldment_runtime::exec::options::Options;
    use weldment_runtime::lang::types::Scalar;

    use super::*;

    #[test]
    fn structs_are_padded_and_vectors_take_their_header() {
        let pair = Type::structure([Type::Scalar(Scalar::U8), Type::F64, Type::Scalar(Scalar::I16)]);
        assert_eq!(stored(&pair), 24);
        assert_eq!(stored(&Type::structure([Type::BOOL, Type::vec(Type::F64)])), 32);
        assert_eq!(stored(&Type::structure([])), 0);
    }

    #[test]
    fn a_result_copies_what_is_not_its_own() {
        let row = |x| Value::vec(vec![Value::I64(x); 10]);
        let (arg, own) = (row(1), row(2));
        let ty = Type::vec(Type::I64);
        let bytes_of = |result: &Value, ty: &Type| {
            let fits = |limit: &u64| {
                let cx = Context::new(&Options::new().memory_limit(*limit));
                charge_result(
                    &cx,
                    std::slice::from_ref(&arg),
                    [&Type::vec(Type::I64)].into_iter(),
                    result,
                    ty,
                )
                .is_ok()
            };
            (0..1000).find(fits).unwrap()
        };
        assert_eq!((bytes_of(&arg, &ty), bytes_of(&own, &ty)), (80, 0));
        let rows =
            Value::vec(vec![own.clone(), arg.clone(), own, row(2), Value::vec(vec![]), Value::vec(vec![])]);
        assert_eq!(bytes_of(&rows, &Type::vec(ty)), 160);
    }
}
