//! The rewrite: a table in front of the loop over keys, and a look-up in it.

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Scalar, Type};

use super::scan::{Rewrite, Scan};
use crate::analysis::cost;
use crate::ir::rewrite::Copier;
use crate::ir::{
    BinaryOp, BodyId, CompareOp, Loc, Loop, Op, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt,
    Value,
};
use crate::passes::tuple_reducer::{self, Constants};

/// Reduces by key, as `plan` says.
pub(super) fn apply(scan: &Scan, plan: &Rewrite, program: &mut Program) {
    let inner = scan.nest.reduction(program).clone();
    let loc = scan.nest.loc(program);
    let tables: Vec<Table> = plan.tables.iter().map(|sinks| Table::new(program, &inner, sinks)).collect();
    let key = program.ty(plan.test.key).clone();
    let mut before = Vec::new();
    let cond = pays(scan, plan, program, &inner.extents, loc, &mut before);
    let then = {
        let mut stmts = Vec::new();
        let keys = keys(scan, plan, program, loc, &mut stmts);
        let dicts = reduce(scan, plan, program, &inner, &tables, keys, &mut stmts);
        program.add_body(Vec::new(), stmts, dicts)
    };
    let els = {
        let sinks = tables.iter().map(|table| table.empty_decl(program, &key)).collect();
        let body = program.add_body(Vec::new(), Vec::new(), Vec::new());
        let empty = program.stmt(Op::Loop(Loop { extents: Vec::new(), body, sinks }), loc);
        let dicts = empty.results.clone();
        program.add_body(Vec::new(), vec![empty], dicts)
    };
    let chosen = program.stmt(Op::If { cond, then, els }, loc);
    let dicts = chosen.results.clone();
    before.push(chosen);
    program.bodies[scan.nest.body].stmts.splice(scan.nest.index..scan.nest.index, before);
    look_up(scan, plan, program, cond, &dicts);
}

/// Whether there are so many keys and so many elements that a table is faster than comparing.
fn pays(
    scan: &Scan,
    plan: &Rewrite,
    program: &mut Program,
    extents: &[Value],
    loc: Loc,
    out: &mut Vec<Stmt>,
) -> Value {
    let few = program.append(Op::Const(Const::I64(cost::MAX_COMPARED_KEYS)), loc, out);
    let cond = program.append(Op::Compare(CompareOp::Lt, few, scan.nest.extent), loc, out);
    // How many elements there are may have to be checked, which without keys nobody does.
    let then = {
        let mut copier = Copier::new();
        let mut stmts = copier.stmts(program, &scan.setup(plan, program));
        let extents = extents.iter().map(|&extent| copier.subst.get(extent));
        let elements = extents
            .reduce(|a, b| program.append(Op::Binary(BinaryOp::Mul, a, b), loc, &mut stmts))
            .expect("a loop over elements has an extent");
        let short = program.append(Op::Const(Const::I64(cost::MAX_COMPARED_ELEMENTS)), loc, &mut stmts);
        let is_long = program.append(Op::Compare(CompareOp::Lt, short, elements), loc, &mut stmts);
        program.add_body(Vec::new(), stmts, vec![is_long])
    };
    let els = {
        let mut stmts = Vec::new();
        let no = program.append(Op::Const(Const::Bool(false)), loc, &mut stmts);
        program.add_body(Vec::new(), stmts, vec![no])
    };
    let pays = program.fresh(Type::BOOL);
    out.push(Stmt { results: vec![pays], op: Op::If { cond, then, els }, loc });
    pays
}

impl Scan {
    /// The statements that the reduction needs, and that are the same for all keys.
    fn setup(&self, plan: &Rewrite, program: &Program) -> Vec<Stmt> {
        let outer = &program.bodies[self.nest.outer].stmts;
        plan.setup.iter().map(|&number| outer[number].clone()).collect()
    }
}

/// A dictionary of the keys that are wanted at all. Only they are asked for: adding zero leaves the value of a key that is there alone.
fn keys(scan: &Scan, plan: &Rewrite, program: &mut Program, loc: Loc, out: &mut Vec<Stmt>) -> Value {
    let mut copier = Copier::new();
    let index = program.fresh(Type::I64);
    copier.subst.insert(program.bodies[scan.nest.outer].params[0], index);
    let outer = &program.bodies[scan.nest.outer].stmts;
    let computed: Vec<Stmt> = plan.wanted.iter().map(|&number| outer[number].clone()).collect();
    let mut stmts = copier.stmts(program, &computed);
    let zero = program.append(Op::Const(Const::U8(0)), loc, &mut stmts);
    let sink = program.fresh_sink();
    let values = vec![copier.subst.get(plan.test.wanted), zero];
    stmts.push(Stmt { results: Vec::new(), op: Op::Merge { sink, values }, loc });
    let body = program.add_body(vec![index], stmts, Vec::new());
    let key = program.ty(plan.test.wanted).clone();
    let kind = SinkKind::bucket_reduce(key, Type::Scalar(Scalar::U8), ReduceOp::Add);
    let sinks = vec![SinkDecl { sink, kind, loc }];
    program.append(Op::Loop(Loop { extents: vec![scan.nest.extent], body, sinks }), loc, out)
}

/// The tables of what is reduced for those of `keys` that elements have.
fn reduce(
    scan: &Scan,
    plan: &Rewrite,
    program: &mut Program,
    inner: &Loop,
    tables: &[Table],
    keys: Value,
    out: &mut Vec<Stmt>,
) -> Vec<Value> {
    let mut copier = Copier::new();
    out.extend(copier.stmts(program, &scan.setup(plan, program)));
    let body = copier.body(program, inner.body);
    let [test, key] = [plan.test.result, plan.test.key].map(|value| copier.subst.get(value));
    merge_by_key(program, body, [test, key, keys], tables);
    let key = program.ty(key).clone();
    let sinks = tables.iter().map(|table| table.decl(program, &key, &mut copier)).collect();
    let extents = inner.extents.iter().map(|&extent| copier.subst.get(extent)).collect();
    let loc = scan.nest.loc(program);
    let reduced = program.stmt(Op::Loop(Loop { extents, body, sinks }), loc);
    let dicts = reduced.results.clone();
    out.push(reduced);
    dicts
}

/// What is kept of a key in one table.
struct Table {
    sink: Sink,
    value: Type,
    /// The sinks that it stands for, and how each folds.
    sinks: Vec<Sink>,
    reducers: Vec<Reducer>,
    loc: Loc,
}

impl Table {
    fn new(program: &mut Program, inner: &Loop, numbers: &[usize]) -> Table {
        let (mut sinks, mut types, mut reducers) = (Vec::new(), Vec::new(), Vec::new());
        for &number in numbers {
            let SinkDecl { sink, kind: SinkKind::Reduce { ty, reducer, .. }, .. } = &inner.sinks[number]
            else {
                unreachable!("only reductions are looked for")
            };
            sinks.push(*sink);
            types.push(ty.clone());
            reducers.push(reducer.clone());
        }
        let value = if types.len() == 1 { types.remove(0) } else { Type::structure(types) };
        Table { sink: program.fresh_sink(), value, sinks, reducers, loc: inner.sinks[numbers[0]].loc }
    }

    /// Functions that fold are copied by `copier`.
    fn decl(&self, program: &mut Program, key: &Type, copier: &mut Copier) -> SinkDecl {
        let own = |reducer: &Reducer| match reducer {
            Reducer::Op(op) => Reducer::Op(*op),
            Reducer::Func(func) => Reducer::Func(copier.body(program, *func)),
        };
        let mut reducers: Vec<Reducer> = self.reducers.iter().map(own).collect();
        let reducer = match reducers.len() {
            1 => reducers.remove(0),
            _ => tuple_reducer::of(program, &self.value, &reducers, &Constants::default(), self.loc),
        };
        let kind = SinkKind::BucketReduce { key: key.clone(), value: self.value.clone(), reducer };
        SinkDecl { sink: self.sink, kind, loc: self.loc }
    }

    /// For a table into which nothing is merged, so that any function may fold.
    fn empty_decl(&self, program: &mut Program, key: &Type) -> SinkDecl {
        let params: Vec<Value> = (0..2).map(|_| program.fresh(self.value.clone())).collect();
        let first = params[0];
        let reducer = Reducer::Func(program.add_body(params, Vec::new(), vec![first]));
        let kind = SinkKind::BucketReduce { key: key.clone(), value: self.value.clone(), reducer };
        SinkDecl { sink: program.fresh_sink(), kind, loc: self.loc }
    }
}

/// In `body`, asks in place of the comparison whether the key is wanted at all, and merges into the tables what was merged
/// into the sinks.
fn merge_by_key(program: &mut Program, body: BodyId, [test, key, keys]: [Value; 3], tables: &[Table]) {
    for body in program.bodies_within(body) {
        let mut parts = vec![Vec::new(); tables.len()];
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            if let Op::Merge { sink, values } = &stmt.op
                && let Some(number) = tables.iter().position(|table| table.sinks.contains(sink))
            {
                let table = &tables[number];
                parts[number].push((*sink, values[0]));
                if parts[number].len() == table.sinks.len() {
                    let value =
                        whole(program, table, std::mem::take(&mut parts[number]), stmt.loc, &mut stmts);
                    let op = Op::Merge { sink: table.sink, values: vec![key, value] };
                    stmts.push(Stmt { op, ..stmt });
                }
                continue;
            }
            if stmt.results == [test] {
                stmt.op = Op::KeyExists(keys, key);
            }
            stmts.push(stmt);
        }
        program.put_stmts(body, stmts);
    }
}

/// One value of the parts of a table, each merged into its sink.
fn whole(
    program: &mut Program,
    table: &Table,
    parts: Vec<(Sink, Value)>,
    loc: Loc,
    out: &mut Vec<Stmt>,
) -> Value {
    let part = |sink: &Sink| parts.iter().find(|(into, _)| into == sink).map(|&(_, value)| value);
    let values: Vec<Value> = table.sinks.iter().filter_map(part).collect();
    match values[..] {
        [value] => value,
        _ => program.append(Op::Struct(values, None), loc, out),
    }
}

/// Looks up what has been reduced, if `cond` says that it has been, in place of the inner loop.
fn look_up(scan: &Scan, plan: &Rewrite, program: &mut Program, cond: Value, dicts: &[Value]) {
    let mut stmts = program.take_stmts(scan.nest.outer);
    let Stmt { results, op, loc } = stmts[scan.nest.number].clone();
    let Op::Loop(inner) = &op else { unreachable!("a reduction is a loop") };
    let fresh = |program: &mut Program| -> Vec<Value> {
        results.iter().map(|&result| program.fresh(program.ty(result).clone())).collect()
    };
    let totals = fresh(program);
    let mut found = Vec::new();
    for (table, &dict) in plan.tables.iter().zip(dicts) {
        let entry = program.append(Op::OptLookup(dict, plan.test.wanted), loc, &mut found);
        let [exists, whole] = [0, 1].map(|field| program.append(Op::Field(entry, field), loc, &mut found));
        for (place, &number) in table.iter().enumerate() {
            let value = match table.len() {
                1 => whole,
                _ => program.append(Op::Field(whole, place as u32), loc, &mut found),
            };
            let mut decl = inner.sinks[number].clone();
            decl.sink = program.fresh_sink();
            if let SinkKind::Reduce { reducer: Reducer::Func(func), .. } = &mut decl.kind {
                *func = Copier::new().body(program, *func);
            }
            found.push(merge_if(program, exists, value, decl, totals[number], loc));
        }
    }
    let then = program.add_body(Vec::new(), found, totals);
    let compared = fresh(program);
    let compare = Stmt { results: compared.clone(), op, loc };
    let els = program.add_body(Vec::new(), vec![compare], compared);
    stmts[scan.nest.number] = Stmt { results, op: Op::If { cond, then, els }, loc };
    program.put_stmts(scan.nest.outer, stmts);
}

/// `total = region { sink decl; if exists { merge value } }`
fn merge_if(
    program: &mut Program,
    exists: Value,
    value: Value,
    decl: SinkDecl,
    total: Value,
    loc: Loc,
) -> Stmt {
    let merge = Op::Merge { sink: decl.sink, values: vec![value] };
    let merge = Stmt { results: Vec::new(), op: merge, loc: decl.loc };
    let then = program.add_body(Vec::new(), vec![merge], Vec::new());
    let els = program.add_body(Vec::new(), Vec::new(), Vec::new());
    let guard = Stmt { results: Vec::new(), op: Op::If { cond: exists, then, els }, loc: decl.loc };
    let body = program.add_body(Vec::new(), vec![guard], Vec::new());
    let op = Op::Loop(Loop { extents: Vec::new(), body, sinks: vec![decl] });
    Stmt { results: vec![total], op, loc }
}
