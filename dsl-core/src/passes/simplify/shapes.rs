//! The table of rules on structs, vectors and lengths.

use weldment_runtime::lang::scalar::Const;

use super::wrapped::wrapped;
use crate::analysis::bounds;
use crate::analysis::equal::{Length, Lengths};
use crate::extract::IdentityLoop;
use crate::ir::local::{Facts, Replacement};
use crate::ir::{BinaryOp, Defs, Op, Program, Stmt, Value};

/// An equation, and the function that uses it from left to right.
pub(super) type Rule = (&'static str, fn(&mut Program, &Defs, &Stmt) -> Option<Replacement>);

/// All rules on structs, vectors and lengths.
pub(super) const RULES: &[Rule] = &[
    ("field (struct {a, b}), 1 = b", field_of_struct),
    ("struct {field s, 0, field s, 1} = s, where both have one name", struct_of_fields),
    ("select c, struct {a}, struct {b} = struct {select c, a, b}", select_of_structs),
    ("at (vector [a, b]), 1 = b", element_of_vector),
    ("lookup d, k = v, where {k, v} is an element of to_vec d; so opt_lookup and key_exists", listed_key),
    ("check_index i, n = i, where i is below n; so assume_index", proved_index),
    ("assume_index (x + 1) + 2, n = assume_index x + 3, n", moved_twice),
    ("len (vector [a, b]) = 2; len (map over i < n) = n; len (sort v) = len v", known_length),
    ("shape v, n, m = v, where v has this shape", known_shape),
    ("zip_len n, n, m = zip_len n, m", repeated_zip_len),
    ("iter_len n, 0, n, 1 = n", whole_iter),
    ("range_len 0, n, 1 = n, where n is a length", whole_range),
    ("max(0, n) = n, where n is a length", least_zero),
    ("(i + 1) % n = select i + 1 < n, i + 1, i + 1 - n, where i is below n; so (i + n - 1) % n", wrapped),
    ("loop i < len v { collect at v, i } = v", identity_loop),
    ("x / 2^k = x * 2^-k, of floats", division_by_power_of_two),
];

fn field_of_struct(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Field(x, number) = stmt.op else { return None };
    let fields = Facts { program, defs }.fields(x)?;
    Some(Replacement::values(vec![fields[number as usize]]))
}

fn struct_of_fields(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Struct(fields, name) = &stmt.op else { return None };
    let facts = Facts { program, defs };
    let whole = |number: usize| match facts.op(fields[number])? {
        Op::Field(x, field) if *field as usize == number => Some(*x),
        _ => None,
    };
    let x = whole(*fields.first().map(|_| &0)?)?;
    // A struct with a name is another type than one without.
    let all = facts.ty(x).fields()?.len() == fields.len() && facts.ty(x).struct_name() == name.as_ref();
    (all && (1..fields.len()).all(|number| whole(number) == Some(x))).then(|| Replacement::values(vec![x]))
}

fn select_of_structs(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Select(cond, x, y) = stmt.op else { return None };
    let facts = Facts { program, defs };
    let (xs, ys) = (facts.fields(x)?.to_vec(), facts.fields(y)?.to_vec());
    let mut stmts: Vec<Stmt> =
        xs.into_iter().zip(ys).map(|(x, y)| program.stmt(Op::Select(cond, x, y), stmt.loc)).collect();
    let fields = stmts.iter().map(|stmt| stmt.results[0]).collect();
    let name = program.ty(stmt.results[0]).struct_name().cloned();
    stmts.push(Stmt { results: stmt.results.clone(), op: Op::Struct(fields, name), loc: stmt.loc });
    Some(Replacement { stmts, values: stmt.results.clone() })
}

fn element_of_vector(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::At(vector, index) = stmt.op else { return None };
    let facts = Facts { program, defs };
    let elements = facts.elements(vector)?;
    let index = usize::try_from(facts.integer(index)?).ok()?;
    Some(Replacement::values(vec![*elements.get(index)?]))
}

fn proved_index(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let (Op::CheckIndex(index, length) | Op::AssumeIndex(index, length)) = stmt.op else { return None };
    let proved = bounds::is_in_range(program, defs, index, length);
    proved.then(|| Replacement::values(vec![index]))
}

/// Elsewhere, a proof may follow the sums one by one.
fn moved_twice(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::AssumeIndex(index, length) = stmt.op else { return None };
    let facts = Facts { program, defs };
    let moved = |value: Value| match *facts.op(value)? {
        Op::Binary(BinaryOp::Add, x, y) => match (facts.integer(x), facts.integer(y)) {
            (_, Some(by)) => Some((x, by as i64)),
            (Some(by), _) => Some((y, by as i64)),
            _ => None,
        },
        Op::Binary(BinaryOp::Sub, x, y) => Some((x, (facts.integer(y)? as i64).wrapping_neg())),
        _ => None,
    };
    let (between, second) = moved(index)?;
    let (of, first) = moved(between)?;
    let by = program.stmt(Op::Const(Const::I64(first.wrapping_add(second))), stmt.loc);
    let sum = program.stmt(Op::Binary(BinaryOp::Add, of, by.results[0]), stmt.loc);
    let op = Op::AssumeIndex(sum.results[0], length);
    let last = Stmt { results: stmt.results.clone(), op, loc: stmt.loc };
    Some(Replacement { stmts: vec![by, sum, last], values: stmt.results.clone() })
}

fn known_shape(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Shape(vector, extents) = &stmt.op else { return None };
    let lengths = Lengths::new(program, defs);
    let has = match (&extents[..], lengths.shape(*vector)) {
        ([extent], _) => lengths.of_vector(*vector) == lengths.of_value(*extent),
        (_, Some(known)) => {
            known.len() == extents.len() && known.iter().zip(extents).all(|(&x, &y)| lengths.equal(x, y))
        }
        _ => false,
    };
    has.then(|| Replacement::values(vec![*vector]))
}

fn known_length(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Len(vector) = stmt.op else { return None };
    match Lengths::new(program, defs).of_vector(vector) {
        Length::Const(number) => Some(Replacement::op(stmt, Op::Const(Const::I64(number)))),
        Length::Value(number) => Some(Replacement::values(vec![number])),
        Length::Of(other) if other != vector => Some(Replacement::op(stmt, Op::Len(other))),
        Length::Of(_) => None,
    }
}

fn repeated_zip_len(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::ZipLen(of, values) = &stmt.op else { return None };
    let lengths = Lengths::new(program, defs);
    let mut kept: Vec<Value> = Vec::new();
    for &value in values {
        if !kept.iter().any(|&other| lengths.equal(other, value)) {
            kept.push(value);
        }
    }
    match kept.as_slice() {
        [one] => Some(Replacement::values(vec![*one])),
        _ if kept.len() < values.len() => Some(Replacement::op(stmt, Op::ZipLen(*of, kept))),
        _ => None,
    }
}

fn whole_iter(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::IterLen(len, start, end, stride) = stmt.op else { return None };
    let facts = Facts { program, defs };
    if facts.integer(start)? != 0 || facts.integer(stride)? != 1 || !facts.is_length(len) {
        return None;
    }
    let whole = Lengths::new(program, defs).equal(len, end);
    whole.then(|| Replacement::values(vec![len]))
}

fn whole_range(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::RangeLen(start, end, stride) = stmt.op else { return None };
    let facts = Facts { program, defs };
    if let (Some(start), Some(end), Some(stride)) =
        (facts.integer(start), facts.integer(end), facts.integer(stride))
    {
        let fits = stride > 0 && start <= end && (end - start) % stride == 0;
        let steps = fits.then(|| i64::try_from((end - start) / stride).ok()).flatten()?;
        return Some(Replacement::op(stmt, Op::Const(Const::I64(steps))));
    }
    let whole = facts.integer(start)? == 0 && facts.integer(stride)? == 1 && facts.is_length(end);
    whole.then(|| Replacement::values(vec![end]))
}

fn least_zero(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Binary(BinaryOp::Max, x, y) = stmt.op else { return None };
    let facts = Facts { program, defs };
    let zero = |value: Value| facts.constant(value) == Some(Const::I64(0));
    let length = if zero(x) { y } else { x };
    let fits = (zero(x) || zero(y)) && facts.is_length(length);
    fits.then(|| Replacement::values(vec![length]))
}

fn identity_loop(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let vector = IdentityLoop::extract(program, defs, stmt)?.vector;
    Some(Replacement::values(vec![vector]))
}

fn division_by_power_of_two(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Binary(BinaryOp::Div, x, y) = stmt.op else { return None };
    let factor = reciprocal(Facts { program, defs }.constant(y)?)?;
    let factor = program.stmt(Op::Const(factor), stmt.loc);
    let op = Op::Binary(BinaryOp::Mul, x, factor.results[0]);
    let product = Stmt { results: stmt.results.clone(), op, loc: stmt.loc };
    Some(Replacement { stmts: vec![factor, product], values: stmt.results.clone() })
}

/// What is listed under a key needs no look at the table.
fn listed_key(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let (Op::Lookup(dict, key) | Op::OptLookup(dict, key) | Op::KeyExists(dict, key)) = stmt.op else {
        return None;
    };
    let facts = Facts { program, defs };
    let Op::Field(entry, 0) = *facts.op(key)? else { return None };
    let Op::At(list, _) = *facts.op(entry)? else { return None };
    if *facts.op(list)? != Op::ToVec(dict) {
        return None;
    }
    let mut stmts = Vec::new();
    let mut append = |op| program.append(op, stmt.loc, &mut stmts);
    let value = match stmt.op {
        Op::Lookup(..) => append(Op::Field(entry, 1)),
        Op::KeyExists(..) => append(Op::Const(Const::Bool(true))),
        _ => {
            let (found, value) = (append(Op::Const(Const::Bool(true))), append(Op::Field(entry, 1)));
            append(Op::Struct(vec![found, value], None))
        }
    };
    Some(Replacement { stmts, values: vec![value] })
}

/// 1 / `constant`, if that is exact: of a float that is a power of two, not one of the extremes.
fn reciprocal(constant: Const) -> Option<Const> {
    match constant {
        Const::F64(x) => {
            let exact = x.to_bits() << 12 == 0 && x.is_normal() && (1.0 / x).is_normal() && x != 1.0;
            exact.then(|| Const::F64(1.0 / x))
        }
        Const::F32(x) => {
            let exact = x.to_bits() << 9 == 0 && x.is_normal() && (1.0 / x).is_normal() && x != 1.0;
            exact.then(|| Const::F32(1.0 / x))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_two_have_exact_reciprocals() {
        assert_eq!(reciprocal(Const::F64(4.0)), Some(Const::F64(0.25)));
        assert_eq!(reciprocal(Const::F32(-0.5)), Some(Const::F32(-2.0)));
        assert_eq!(reciprocal(Const::F64(3.0)), None);
        assert_eq!(reciprocal(Const::F64(0.0)), None);
        assert_eq!(reciprocal(Const::F64(f64::INFINITY)), None);
    }
}
