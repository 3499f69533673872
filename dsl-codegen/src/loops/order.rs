//! Where the comparator of a sort does nothing but compare a key of each element: what computes that.

use std::collections::{BTreeSet, HashMap};

use weldment_core::analysis::cost;
use weldment_core::analysis::effects::Effects;
use weldment_core::ir::{BodyId, Def, Defs, Op, Program, Stmt, Value};
use weldment_runtime::ops::sort::has_digits;

/// The statements of a comparator that compute the key of one element, if it compares the keys of both.
pub(super) struct Compared<'p> {
    pub(super) param: Value,
    pub(super) stmts: Vec<&'p Stmt>,
    pub(super) key: Value,
    pub(super) descending: bool,
    pub(super) costly: bool,
}

impl<'p> Compared<'p> {
    pub(super) fn by(program: &'p Program, defs: &Defs, comparator: BodyId) -> Option<Compared<'p>> {
        let body = &program.bodies[comparator];
        let both = Both { program, defs, comparator };
        let &Op::Order(a, b) = defs.op(program, body.results[0])? else { return None };
        let has_digits = program.ty(a).as_scalar().is_some_and(has_digits);
        if defs.body_of(body.results[0]) != Some(comparator) || !has_digits {
            return None;
        }
        let mut seen = HashMap::new();
        if !both.alike(a, b, &mut seen) {
            return None;
        }
        let slice = both.slice(a);
        let params: Vec<Value> =
            body.params.iter().copied().filter(|param| seen.contains_key(param)).collect();
        let &[param] = &params[..] else { return None };
        let stmts: Vec<&Stmt> = slice.into_iter().map(|index| &body.stmts[index]).collect();
        let is_scalars = |stmt: &&Stmt| stmt.results.iter().all(|&result| program.ty(result).is_scalars());
        let is_plain = |stmt: &&Stmt| is_scalars(stmt) && !stmt.op.holds_bodies();
        // What is asserted or shown of each comparison is more than the key.
        if Effects::of_body(program, defs, comparator).is_never_dead() {
            return None;
        }
        if !stmts.iter().all(is_plain) || !Effects::of_stmts(program, defs, stmts.iter().copied()).is_total()
        {
            return None;
        }
        let costly = cost::of_stmts(program, stmts.iter().copied()) > cost::MAX_RECOMPUTED;
        Some(Compared { param, stmts, key: a, descending: param == body.params[1], costly })
    }
}

/// The two sides of a comparator.
struct Both<'p> {
    program: &'p Program,
    defs: &'p Defs,
    comparator: BodyId,
}

impl Both<'_> {
    /// Whether `a` is computed of one element as `b` is of the other. `seen` pairs what is on both sides.
    fn alike(&self, a: Value, b: Value, seen: &mut HashMap<Value, Value>) -> bool {
        if let Some(&paired) = seen.get(&a) {
            return paired == b;
        }
        let [x, y] = [a, b].map(|value| self.defs.def(value));
        let is_inside = |def| match def {
            Some(Def::Param(body, _) | Def::Stmt { body, .. }) => body == self.comparator,
            None => false,
        };
        let alike = match (x, y) {
            _ if !is_inside(x) && !is_inside(y) => a == b,
            (Some(Def::Param(..)), Some(Def::Param(..))) => a != b,
            (Some(Def::Stmt { result, .. }), Some(Def::Stmt { result: other, .. })) => {
                let [one, two] = [a, b].map(|value| self.defs.op(self.program, value));
                let (Some(one), Some(two)) = (one, two) else { return false };
                result == other && self.ops_alike(one, two, seen)
            }
            _ => false,
        };
        seen.insert(a, b);
        alike
    }

    fn ops_alike(&self, one: &Op, two: &Op, seen: &mut HashMap<Value, Value>) -> bool {
        let operands = |op: &Op| {
            let mut operands = Vec::new();
            op.for_each_operand(|operand| operands.push(operand));
            operands
        };
        let (xs, ys) = (operands(one), operands(two));
        let mut given = xs.iter();
        let mut shape = two.clone();
        shape.for_each_operand_mut(|operand| *operand = given.next().copied().unwrap_or(*operand));
        xs.len() == ys.len() && shape == *one && xs.iter().zip(ys).all(|(&x, y)| self.alike(x, y, seen))
    }

    /// The numbers of the comparator's statements that `value` needs, in order.
    fn slice(&self, value: Value) -> BTreeSet<usize> {
        let mut slice = BTreeSet::new();
        let mut needed = vec![value];
        while let Some(value) = needed.pop() {
            if let Some(Def::Stmt { body, index, .. }) = self.defs.def(value)
                && body == self.comparator
                && slice.insert(index)
            {
                self.program
                    .for_each_read_of(&self.program.bodies[body].stmts[index], &mut |read| needed.push(read));
            }
        }
        slice
    }
}
