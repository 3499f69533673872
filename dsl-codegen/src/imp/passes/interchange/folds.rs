//! Reductions by a function of scalars, inside of a loop over points: in registers, one for each scalar of what is reduced, so that they
//! go side by side as those by an operator do.
//!
//! ```text
//! for p in 0..n { do open #1; do begin #1, 0, m; for q in 0..m { …; do merge #1, x }; do join #1; s = do finish #1; … }
//! ```
//! ```text
//! for p in 0..n { start a0; for q in 0..m { b = eq q, 0; …; o = pick a0[0]; r = reduce o, x; c = select b, x, r; a0 = c }; fault where eq m, 0; s = read a0; … }
//! ```
//! The values are reduced in the order that they had, so that the bits are the same.

use std::collections::BTreeMap;

use weldment_core::ir::{CompareOp, Const, Loc, Op, Value};
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::columns::Columns;
use crate::imp::copy::copy_of;
use crate::imp::effects::of_op;
use crate::imp::passes::moving::needed;
use crate::imp::walk::Use;
use crate::imp::{
    AccOp, Action, Block, Cause, Combine, For, FuncId, Imp, Lane, Param, RegId, Side, Stmt, StoreId, Strategy,
};

/// So many points at least go side by side: of fewer, each has its accumulator in a register of the CPU.
const FEWEST_POINTS: u64 = 16;

/// Of how many scalars a value may consist.
const MOST_SCALARS: usize = 4;

/// The only reduction of a loop over points.
struct Fold {
    store: StoreId,
    func: FuncId,
    /// Of what is reduced.
    scalars: Vec<Scalar>,
    /// Where the loop that merges stands.
    at: usize,
}

/// Puts both versions of `outer` into `out`: by columns where there are enough points, and as it is. Gives it back if it is not of this kind.
pub(super) fn versions(imp: &mut Imp, outer: For, out: &mut Block) -> Option<For> {
    let Some((columns, points)) = in_columns(imp, &outer) else { return Some(outer) };
    let mut then = Block::default();
    columns.rewrite(imp, points, &mut then);
    let fewest = imp.at(FEWEST_POINTS);
    let cond = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Le, fewest, outer.range[1]));
    let cold = Some(Side::Else);
    let els = Block { stmts: vec![Stmt::For(outer)], results: Vec::new() };
    out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els, cold });
    None
}

/// A copy of `outer` that reduces in registers, if it can go by columns then.
fn in_columns(imp: &mut Imp, outer: &For) -> Option<(Columns, For)> {
    let points = Fold::of(imp, outer)?.in_registers(imp, outer.clone())?;
    let whole = Block { stmts: vec![Stmt::For(points)], results: Vec::new() };
    let Some(Stmt::For(points)) = copy_of(imp, &whole, BTreeMap::new()).stmts.pop() else {
        unreachable!("a copy of a loop is a loop")
    };
    Some((Columns::of(imp, &points)?, points))
}

impl Fold {
    fn of(imp: &Imp, outer: &For) -> Option<Fold> {
        let stmts = &outer.body.stmts;
        let at = stmts.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
        let opened = |stmt: &Stmt| match stmt {
            Stmt::Do { store, action: Action::Open, args, .. } if args.is_empty() => Some(*store),
            _ => None,
        };
        let store = stmts[..at].iter().find_map(opened)?;
        let Combine::Func(func) = imp.stores[store].combine else { return None };
        let scalars = match &imp.stores[store].item {
            Type::Scalar(scalar) => vec![*scalar],
            item => item.fields()?.iter().map(Type::as_scalar).collect::<Option<Vec<_>>>()?,
        };
        let is_boxed = matches!(imp.stores[store].strategy, Strategy::Boxed);
        (is_boxed && scalars.len() <= MOST_SCALARS).then_some(Fold { store, func, scalars, at })
    }

    /// `points`, where each register has one lane.
    fn in_registers(&self, imp: &mut Imp, mut points: For) -> Option<For> {
        let regs: Vec<RegId> =
            self.scalars.iter().map(|&scalar| imp.reg(scalar, 1, Const::from_i128(scalar, 0))).collect();
        let behind = points.body.stmts.split_off(self.at);
        let mut behind = behind.into_iter();
        let Some(Stmt::For(mut inner)) = behind.next() else { unreachable!("it stands there") };
        points.body.stmts.retain(|stmt| !self.is_of_store(stmt));
        points.body.stmts.extend(regs.iter().map(|&reg| Stmt::Start(reg)));
        inner.body.stmts = self.merged(imp, &inner, &regs)?;
        let length = inner.range[1];
        points.body.stmts.push(Stmt::For(inner));
        for stmt in behind {
            match stmt {
                Stmt::Do { results, store, action: Action::Finish, loc, .. } if store == self.store => {
                    self.finish(imp, &regs, results[0], length, loc, &mut points.body);
                }
                stmt if self.is_of_store(&stmt) => {}
                stmt => points.body.stmts.push(stmt),
            }
        }
        Some(points)
    }

    fn is_of_store(&self, stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Do { store, .. } if *store == self.store)
    }

    /// The statements of the loop that merges, with registers in place of the store.
    fn merged(&self, imp: &mut Imp, inner: &For, regs: &[RegId]) -> Option<Vec<Stmt>> {
        let (last, before) = inner.body.stmts.split_last()?;
        let Stmt::Do { store, action: Action::Merge, args, mask: None, .. } = last else { return None };
        if *store != self.store
            || before.iter().any(|stmt| !matches!(stmt, Stmt::Let { .. } | Stmt::Load { .. }))
        {
            return None;
        }
        let mut out = Block { stmts: before.to_vec(), results: Vec::new() };
        let zero = imp.at(0);
        let is_first = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Eq, inner.index, zero));
        let mut apart = Apart { scalars: BTreeMap::new() };
        before.iter().for_each(|stmt| apart.note(stmt));
        let merged = apart.of(imp, args[0], &mut out);
        let old: Vec<Value> = regs
            .iter()
            .zip(&self.scalars)
            .map(|(&reg, &scalar)| {
                let result = imp.value(scalar.into());
                out.stmts.push(Stmt::Pick { result, reg, position: zero });
                result
            })
            .collect();
        let reduced = apart.inlined(imp, self.func, [old, merged.clone()], &mut out)?;
        for (((&reg, &scalar), new), reduced) in regs.iter().zip(&self.scalars).zip(merged).zip(reduced) {
            let value = out.bind(imp, scalar.into(), Op::Select(is_first, new, reduced));
            out.stmts.push(Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Set, value, mask: None });
        }
        Some(needed(imp, out.stmts))
    }

    /// Binds `result` to what is in the registers, once anything is.
    fn finish(&self, imp: &mut Imp, regs: &[RegId], result: Value, length: Value, loc: Loc, out: &mut Block) {
        let zero = imp.at(0);
        let cond = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Eq, length, zero));
        out.stmts.push(Stmt::Fault { cond, cause: Cause::Empty, loc });
        let mut read = |result, reg| out.stmts.push(Stmt::Read { result, reg, fold: ReduceOp::Add });
        if let Type::Scalar(_) = imp.values[result].ty {
            return read(result, regs[0]);
        }
        let fields: Vec<Value> = self.scalars.iter().map(|&scalar| imp.value(scalar.into())).collect();
        fields.iter().zip(regs).for_each(|(&field, &reg)| read(field, reg));
        let name = imp.values[result].ty.struct_name().cloned();
        out.let_(result, Op::Struct(fields, name), loc);
    }
}

/// Values that are taken apart.
struct Apart {
    /// The scalars that a value is, or consists of.
    scalars: BTreeMap<Value, Vec<Value>>,
}

impl Apart {
    /// Notes what a struct is made of.
    fn note(&mut self, stmt: &Stmt) {
        if let Stmt::Let { result, op: Op::Struct(fields, _), .. } = stmt {
            self.scalars.insert(*result, fields.clone());
        }
    }

    /// The scalars of `value`, which are read in `out` if they are not known.
    fn of(&mut self, imp: &mut Imp, value: Value, out: &mut Block) -> Vec<Value> {
        if let Some(scalars) = self.scalars.get(&value) {
            return scalars.clone();
        }
        let Some(types) = imp.values[value].ty.fields().map(<[Type]>::to_vec) else { return vec![value] };
        let fields = types.into_iter().zip(0..);
        fields.map(|(ty, number)| out.bind(imp, ty, Op::Field(value, number))).collect()
    }

    /// What `func` gives for `args`, in `out`; `None` if it does more than compute scalars, and structs of them.
    fn inlined(
        &mut self,
        imp: &mut Imp,
        func: FuncId,
        args: [Vec<Value>; 2],
        out: &mut Block,
    ) -> Option<Vec<Value>> {
        let func = imp.funcs[func].clone();
        for (param, scalars) in func.params.iter().zip(args) {
            let Param::Value(param) = param else { return None };
            self.scalars.insert(*param, scalars);
        }
        for stmt in &func.body.stmts {
            let Stmt::Let { result, op, known, loc } = stmt else { return None };
            if of_op(imp, op, *known).faults {
                return None;
            }
            let ty = imp.values[*result].ty.clone();
            let scalars = match op {
                Op::Struct(fields, _) => {
                    fields.iter().map(|&field| self.one(imp, field)).collect::<Option<_>>()?
                }
                Op::Field(of, number) => vec![*self.known(imp, *of)?.get(*number as usize)?],
                Op::Select(cond, a, b) if ty.as_scalar().is_none() => {
                    let cond = self.one(imp, *cond)?;
                    let sides = self.known(imp, *a)?.into_iter().zip(self.known(imp, *b)?);
                    let select = |(a, b): (Value, Value)| {
                        let ty = imp.values[a].ty.clone();
                        out.bind(imp, ty, Op::Select(cond, a, b))
                    };
                    sides.map(select).collect()
                }
                _ => {
                    ty.as_scalar()?;
                    let new = imp.value(ty);
                    let mut copy = Stmt::Let { result: new, op: op.clone(), known: *known, loc: *loc };
                    let mut is_known = true;
                    copy.for_each_value_mut(|role, value| {
                        if matches!(role, Use::Read) {
                            match self.one(imp, *value) {
                                Some(scalar) => *value = scalar,
                                None => is_known = false,
                            }
                        }
                    });
                    is_known.then(|| out.stmts.push(copy))?;
                    vec![new]
                }
            };
            self.scalars.insert(*result, scalars);
        }
        self.known(imp, *func.body.results.first()?)
    }

    fn known(&self, imp: &Imp, value: Value) -> Option<Vec<Value>> {
        let known = self.scalars.get(&value).cloned();
        known.or_else(|| imp.values[value].ty.as_scalar().map(|_| vec![value]))
    }

    fn one(&self, imp: &Imp, value: Value) -> Option<Value> {
        match self.known(imp, value)?[..] {
            [scalar] => Some(scalar),
            _ => None,
        }
    }
}
