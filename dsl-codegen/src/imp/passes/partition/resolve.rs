//! What an iteration does where all conditions about its number are decided.

use std::collections::{BTreeMap, HashMap, HashSet};

use weldment_core::analysis::cost;
use weldment_core::analysis::cost::MAX_PREDICATED_IN_BLOCKS;
use weldment_core::ir::{BinaryOp, Loc, Op, ReduceOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::fact::{Fact, Offset, Test, Unit};
use super::groups::Groups;
use super::linear::{Aligned, Before};
use super::row::Row;
use super::steps::Steps;
use crate::imp::effects;
use crate::imp::walk::{Use, free_values};
use crate::imp::{Action, Block, For, Imp, Known, Stmt, Stride, Target};

/// The interior of a row.
pub(super) struct Interior {
    pub(super) before: Before,
    /// What is read once for all iterations, where there are any.
    pub(super) inside: Block,
    pub(super) body: Block,
    /// The position and the number of an iteration.
    pub(super) index: Value,
    pub(super) number: Value,
    /// What it reads, one element after the other or in strides.
    pub(super) columns: Vec<Column>,
    /// Some condition is about the row, too.
    pub(super) asks_row: bool,
    /// The conditions that hold in the interior and may hold nowhere else in much of the row.
    pub(super) cuts: Vec<Test>,
    /// Where it would have to begin for what is left over to be known in each lane.
    pub(super) rest: Option<Aligned>,
}

/// Of which rows the interior is, where conditions are about the row and the number of the iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rows {
    /// Those for which the conditions about the row hold.
    Inside,
    /// As `Inside`, and this holds for the number of the iteration.
    Where(Test),
    /// Those for which they do not, so that nothing is asked about the number.
    Outside,
}

/// The elements of `of` that are at `at`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) column: Value,
    pub(super) of: Value,
    pub(super) at: Offset,
}

/// The interior of `inner`, if it consists of what can be decided about; `earlier` is computed before the row is looked at.
pub(super) fn interior(
    imp: &mut Imp,
    inner: &For,
    row: &Row,
    steps: &Steps,
    rows: Rows,
    earlier: &[Stmt],
) -> Option<Interior> {
    let before = Before::new(imp, row, earlier);
    let of = Resolver::new(imp, inner, row, steps, rows, before).interior(imp, inner)?;
    let Some(rest) = of.rest else { return Some(of) };
    // Where it begins is known now, and with it what is left over in each lane.
    let aligned = of.before.aligned.unwrap_or(rest);
    let before = of.before.again(row, aligned);
    Resolver::new(imp, inner, row, steps, rows, before).interior(imp, inner)
}

impl Interior {
    /// Leaves out what nothing reads.
    fn sweep(&mut self, imp: &Imp) {
        let mut read: HashSet<Value> = HashSet::new();
        sweep(imp, &mut self.body, &mut read);
        self.columns.retain(|column| read.contains(&column.column));
        sweep(imp, &mut self.inside, &mut read);
    }
}

/// The iterations of `body` that can run side by side, if they can; see [`Target::small_blocks`].
pub(super) fn width(imp: &Imp, body: &Block, target: &Target) -> Option<u32> {
    let mut width = None;
    let parts = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Load { stride: Stride::Parts { by, .. }, .. } => Some(*by),
        _ => None,
    });
    let fewest = parts.max().filter(|_| target.small_blocks);
    for stmt in &body.stmts {
        match stmt {
            Stmt::Let { op, known, .. } if is_straight(imp, op, *known) => {}
            Stmt::Load { .. } => {}
            Stmt::Do { store, .. } => {
                let lanes = |leaf| ReduceOp::lanes(leaf) as u32;
                width = width.max(imp.stores[*store].item.leaves()?.into_iter().map(lanes).max());
            }
            _ => return None,
        }
    }
    width.map(|width| fewest.unwrap_or(width))
}

fn sweep(imp: &Imp, block: &mut Block, read: &mut HashSet<Value>) {
    read.extend(&block.results);
    for at in (0..block.stmts.len()).rev() {
        let stmt = &mut block.stmts[at];
        let is_read = match stmt {
            Stmt::Let { result, op, known, .. } => {
                read.contains(result) || effects::of_op(imp, op, *known).faults
            }
            Stmt::Load { result, .. } => read.contains(result),
            _ => true,
        };
        if is_read {
            stmt.for_each_block_mut(|inner| sweep(imp, inner, read));
            read.extend(stmt.values(Use::Read));
        } else {
            block.stmts.remove(at);
        }
    }
}

pub(super) struct Resolver<'a> {
    /// The position that elements are put to.
    pub(super) place: Value,
    pub(super) groups: Option<Groups>,
    /// Numbers of which is taken that they are 1.
    pub(super) steps: &'a Steps,
    pub(super) rows: Rows,
    /// What is asked about the row.
    pub(super) asked: Option<Vec<Value>>,
    /// What holds for the number in the interior.
    pub(super) decided: Vec<Test>,
    /// What the loop binds.
    pub(super) own: HashSet<Value>,
    pub(super) facts: HashMap<Value, Fact>,
    /// What its values are called here.
    pub(super) names: BTreeMap<Value, Value>,
    pub(super) interior: Interior,
}

impl<'a> Resolver<'a> {
    fn new(
        imp: &mut Imp,
        inner: &For,
        row: &Row,
        steps: &'a Steps,
        rows: Rows,
        mut before: Before,
    ) -> Resolver<'a> {
        let mut own = HashSet::from([inner.index]);
        own.extend(inner.number.map(|number| number.value));
        inner.body.for_each_stmt(&mut |stmt| own.extend(stmt.values(Use::Bind)));
        let mut decided = Vec::new();
        if let Rows::Where(test) = rows {
            before.assume(imp, test);
            decided.push(test);
        }
        let (index, number) = (imp.position(), imp.value(Type::I64));
        let (mut facts, mut names) = (HashMap::new(), BTreeMap::new());
        if let Some(own) = inner.number {
            names.insert(own.value, number);
            facts.insert(own.value, Fact::Moving(Offset::of(None, 0)));
        }
        if let Some(Groups { group, within, .. }) = row.groups {
            let first = Offset { unit: Unit::Groups, ..Offset::of(None, 0) };
            facts.extend([(group, Fact::Moving(first)), (within, Fact::Within)]);
        }
        let interior = Interior {
            before,
            inside: Block::default(),
            body: Block::default(),
            index,
            number,
            columns: Vec::new(),
            asks_row: false,
            cuts: Vec::new(),
            rest: None,
        };
        let (place, groups) = (row.place, row.groups);
        Resolver { place, groups, steps, rows, asked: None, decided, own, facts, names, interior }
    }

    fn interior(mut self, imp: &mut Imp, inner: &For) -> Option<Interior> {
        self.block(imp, &inner.body)?;
        let Resolver { groups, own, mut interior, .. } = self;
        interior.sweep(imp);
        // Numbers of groups are only there where each group is run over.
        let divides =
            groups.is_some() && free_values(imp, &interior.body, &[]).iter().any(|value| own.contains(value));
        (!divides).then_some(interior)
    }
}

impl Resolver<'_> {
    pub(super) fn fact(&self, imp: &Imp, value: Value) -> Option<Fact> {
        if imp.values[value].constant.is_some() || !self.own.contains(&value) {
            return Some(Fact::Fixed(value));
        }
        self.facts.get(&value).cloned()
    }

    pub(super) fn fixed(&self, imp: &Imp, value: Value) -> Option<Value> {
        match self.fact(imp, value)? {
            Fact::Fixed(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn moving(&self, imp: &Imp, value: Value) -> Option<Offset> {
        match self.fact(imp, value)? {
            Fact::Moving(offset) => Some(offset),
            _ => None,
        }
    }

    pub(super) fn name(&self, value: Value) -> Value {
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// `result` is what `value` is.
    pub(super) fn alias(&mut self, imp: &Imp, result: Value, value: Value) {
        if let Some(fact) = self.fact(imp, value) {
            self.facts.insert(result, fact);
        }
        self.names.insert(result, self.name(value));
    }

    fn block(&mut self, imp: &mut Imp, block: &Block) -> Option<()> {
        block.stmts.iter().try_for_each(|stmt| self.stmt(imp, stmt))
    }

    fn stmt(&mut self, imp: &mut Imp, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Let { result, .. } if *result == self.place || self.is_of_groups(*result) => Some(()),
            Stmt::Let { result, op, known, loc } => self.compute(imp, *result, op, *known, *loc),
            Stmt::If { results, cond, then, els, .. } => self.branch(imp, results, *cond, then, els),
            Stmt::Do { results, store, action: Action::Put, args, mask: None, loc }
                if args[0] == self.place =>
            {
                let args = vec![self.interior.index, self.name(args[1])];
                let (results, store, loc) = (results.clone(), *store, *loc);
                let put = Stmt::Do { results, store, action: Action::Put, args, mask: None, loc };
                self.interior.body.stmts.push(put);
                Some(())
            }
            _ => None,
        }
    }

    fn is_of_groups(&self, value: Value) -> bool {
        self.groups.is_some_and(|groups| [groups.group, groups.within].contains(&value))
    }

    fn compute(&mut self, imp: &mut Imp, result: Value, op: &Op, known: Known, loc: Loc) -> Option<()> {
        if self.decide(imp, result, op).is_some() {
            return Some(());
        }
        if let Some(fact) = self.learn(imp, result, op) {
            self.facts.insert(result, fact);
        } else if self.hoist(imp, result, op, known) {
            return Some(());
        }
        if let Op::At(of, index) = op
            && let (Some(of), Some(at)) = (self.fixed(imp, *of), self.moving(imp, *index))
            && let Some(stride) = at.unit.stride()
            && imp.values[of].ty.element().is_some_and(Type::is_scalars)
        {
            self.load(imp, result, of, at, stride);
            return Some(());
        }
        let mut op = op.clone();
        op.for_each_operand_mut(|value| *value = self.name(*value));
        let name = self.bind(imp, result);
        self.interior.body.stmts.push(Stmt::Let { result: name, op, known, loc });
        Some(())
    }

    fn bind(&mut self, imp: &mut Imp, result: Value) -> Value {
        let name = imp.value(imp.values[result].ty.clone());
        self.names.insert(result, name);
        name
    }

    fn load(&mut self, imp: &mut Imp, result: Value, of: Value, at: Offset, stride: Stride) {
        let columns = &mut self.interior.columns;
        let column = match columns.iter().find(|column| column.of == of && column.at == at) {
            Some(column) => column.column,
            None => {
                let column = imp.value(imp.values[of].ty.clone());
                columns.push(Column { column, of, at });
                column
            }
        };
        let result = self.bind(imp, result);
        self.interior.body.stmts.push(Stmt::Load { result, column, index: self.interior.index, stride });
    }

    /// Computes what is the same in all iterations once, if it cannot fault.
    fn hoist(&mut self, imp: &mut Imp, result: Value, op: &Op, known: Known) -> bool {
        let inside: HashSet<Value> =
            self.interior.inside.stmts.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect();
        let (mut is_fixed, mut is_early) = (true, true);
        op.for_each_operand(|value| {
            if self.fixed(imp, value).is_none() {
                is_early = false;
                is_fixed &= inside.contains(&self.name(value));
            }
        });
        let ty = imp.values[result].ty.clone();
        if !is_fixed || !ty.is_scalars() || !is_straight(imp, op, known) {
            return false;
        }
        let mut own = op.clone();
        own.for_each_operand_mut(|value| {
            *value = self.fixed(imp, *value).unwrap_or_else(|| self.name(*value))
        });
        if is_early && !matches!(op, Op::At(..)) {
            let value = self.interior.before.bind(imp, ty, own, known);
            self.names.insert(result, value);
            self.facts.insert(result, Fact::Fixed(value));
        } else {
            // Bounds are not computed of it.
            let name = self.bind(imp, result);
            self.interior.inside.stmts.push(Stmt::Let { result: name, op: own, known, loc: Loc::NONE });
        }
        true
    }

    fn branch(
        &mut self,
        imp: &mut Imp,
        results: &[Value],
        cond: Value,
        then: &Block,
        els: &Block,
    ) -> Option<()> {
        let is_moving = |tests: &Vec<Test>| tests.iter().any(|test| !matches!(test, Test::Fixed(_)));
        if let Some(tests) = self.tests(imp, cond).filter(is_moving)
            && let Some(holds) = self.assume_likely(imp, &tests)
        {
            let side = if holds { then } else { els };
            self.block(imp, side)?;
            for (&result, &value) in results.iter().zip(&side.results) {
                self.alias(imp, result, value);
            }
            return Some(());
        }
        let cond = self.name(cond);
        let sides = [self.side(imp, then)?, self.side(imp, els)?];
        let is_flat = |side: &Block| {
            let costs = side.stmts.iter().map(|stmt| match stmt {
                Stmt::Let { op, known, .. } if is_straight(imp, op, *known) => {
                    cost::in_blocks(op, |value| &imp.values[value].ty)
                }
                Stmt::Load { .. } => Some(1),
                _ => None,
            });
            costs.sum::<Option<u64>>()
        };
        let cost = is_flat(&sides[0]).zip(is_flat(&sides[1])).map(|(then, els)| then + els);
        let are_scalars = results.iter().all(|&result| imp.values[result].ty.is_scalars());
        let names: Vec<Value> = results.iter().map(|&result| self.bind(imp, result)).collect();
        let [then, els] = sides;
        let body = &mut self.interior.body.stmts;
        if are_scalars && cost.is_some_and(|cost| cost <= MAX_PREDICATED_IN_BLOCKS) {
            let (yes, no) = (then.results, els.results);
            body.extend(then.stmts);
            body.extend(els.stmts);
            for ((result, yes), no) in names.into_iter().zip(yes).zip(no) {
                let op = Op::Select(cond, yes, no);
                body.push(Stmt::Let { result, op, known: Known::Nothing, loc: Loc::NONE });
            }
        } else {
            body.push(Stmt::If { results: names, cond, then, els, cold: None });
        }
        Some(())
    }

    fn side(&mut self, imp: &mut Imp, side: &Block) -> Option<Block> {
        let around = std::mem::take(&mut self.interior.body);
        let done = self.block(imp, side);
        let mut own = std::mem::replace(&mut self.interior.body, around);
        own.results = side.results.iter().map(|&result| self.name(result)).collect();
        done.map(|()| own)
    }
}

/// Whether `op` computes scalars, always, and is good to run side by side.
fn is_straight(imp: &Imp, op: &Op, known: Known) -> bool {
    let ty = |value: Value| &imp.values[value].ty;
    match op {
        _ if effects::of_op(imp, op, known).faults || cost::is_wide(op, ty) => false,
        Op::Math(..) => true,
        Op::Binary(BinaryOp::Rem, x, _) if ty(*x).as_scalar().is_some_and(Scalar::is_float) => true,
        op => cost::in_blocks(op, ty).is_some(),
    }
}
