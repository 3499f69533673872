//! The keys that loops merge into dictionaries, which must be the same expression where loops are fused.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::ir::{Defs, Entity, Op, Program, Value};

/// A key, and a digest of how it is computed from the indices of its loop. Keys with different digests are different
/// expressions; there may be many keys, and nearly all differ.
pub(super) struct Key {
    pub(super) value: Value,
    pub(super) digest: u64,
}

impl Key {
    /// These `values`, computed in a loop with these indices.
    pub(super) fn all(program: &Program, defs: &Defs, indices: &[Value], values: Vec<Value>) -> Vec<Key> {
        let mut digests = Digests { program, defs, indices, known: HashMap::new() };
        values.into_iter().map(|value| Key { value, digest: digests.of(value) }).collect()
    }
}

struct Digests<'a> {
    program: &'a Program,
    defs: &'a Defs,
    indices: &'a [Value],
    known: HashMap<Value, u64>,
}

impl Digests<'_> {
    fn of(&mut self, value: Value) -> u64 {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let mut hasher = DefaultHasher::new();
        let index = self.indices.iter().position(|&index| index == value);
        match (index, self.defs.op(self.program, value).filter(|op| !op.holds_bodies())) {
            (Some(number), _) => number.hash(&mut hasher),
            (None, Some(op)) => {
                let mut shape = op.clone();
                shape.for_each_operand_mut(|operand| *operand = Value::from_index(0));
                shape.hash(&mut hasher);
                operands(op).into_iter().for_each(|operand| self.of(operand).hash(&mut hasher));
            }
            (None, None) => value.hash(&mut hasher),
        }
        let digest = hasher.finish();
        self.known.insert(value, digest);
        digest
    }
}

/// Whether two values are the same op of the same operands, down to values that `same_leaf` pairs. `seen` are pairs that
/// have been looked at: an expression may reach one by any number of paths, and the first that differs is the end.
pub(super) fn same_expression(
    program: &Program,
    defs: &Defs,
    a: Value,
    b: Value,
    same_leaf: &impl Fn(Value, Value) -> bool,
    seen: &mut HashSet<(Value, Value)>,
) -> bool {
    if a == b || same_leaf(a, b) || !seen.insert((a, b)) {
        return true;
    }
    let (Some(x), Some(y)) = (defs.op(program, a), defs.op(program, b)) else { return false };
    if !x.bodies().is_empty() || program.ty(a) != program.ty(b) {
        return false;
    }
    let (xs, ys) = (operands(x), operands(y));
    let mut shape = y.clone();
    let mut next = xs.iter();
    shape.for_each_operand_mut(|operand| *operand = next.next().copied().unwrap_or(*operand));
    let alike = shape == *x && xs.len() == ys.len();
    alike && xs.iter().zip(&ys).all(|(&a, &b)| same_expression(program, defs, a, b, same_leaf, seen))
}

fn operands(op: &Op) -> Vec<Value> {
    let mut operands = Vec::new();
    op.for_each_operand(|operand| operands.push(operand));
    operands
}
