//! The rewrite: a table in front of the loop over keys, and a look-up in it.

use weldment_runtime::scalar::Const;
use weldment_runtime::types::Type;

use super::scan::{Plan, Scan};
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, CompareOp, Loc, Loop, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};
use crate::passes::tuple_reducer::{self, Constants};

/// Reduces by key, as `plan` says.
pub(super) fn apply(scan: &Scan, plan: &Plan, program: &mut Program) {
    let inner = scan.inner(program).clone();
    let loc = program.bodies[scan.outer].stmts[scan.number].loc;
    let mut copier = Copier::new();
    let outer = &program.bodies[scan.outer].stmts;
    let setup: Vec<Stmt> = plan.setup.iter().map(|&number| outer[number].clone()).collect();
    let mut before = copier.stmts(program, &setup);
    let tables: Vec<Table> = plan.tables.iter().map(|sinks| Table::new(program, &inner, sinks)).collect();
    let body = copier.body(program, inner.body);
    let [test, key] = [plan.test.result, plan.test.key].map(|value| copier.subst.get(value));
    merge_by_key(program, body, test, key, &tables);
    let key = program.ty(key).clone();
    let sinks = tables.iter().map(|table| table.decl(program, &key, &mut copier)).collect();
    let extents = inner.extents.iter().map(|&extent| copier.subst.get(extent)).collect();
    let table = program.stmt(Op::Loop(Loop { extents, body, sinks }), loc);
    let mut dicts = table.results.clone();
    before.push(table);
    if plan.is_guarded {
        (before, dicts) = guard(scan, program, before, dicts, &tables, &key, loc);
    }
    program.bodies[scan.body].stmts.splice(scan.index..scan.index, before);
    look_up(scan, plan, program, &inner, &dicts, loc);
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

/// Takes the comparison in `body` as true, and merges into the tables what was merged into the sinks.
fn merge_by_key(program: &mut Program, body: BodyId, test: Value, key: Value, tables: &[Table]) {
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
                stmt.op = Op::Const(Const::Bool(true));
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

/// Puts `stmts`, which make `dicts`, under the condition that the loop over keys runs at all.
fn guard(
    scan: &Scan,
    program: &mut Program,
    stmts: Vec<Stmt>,
    dicts: Vec<Value>,
    tables: &[Table],
    key: &Type,
    loc: Loc,
) -> (Vec<Stmt>, Vec<Value>) {
    let then = program.add_body(Vec::new(), stmts, dicts);
    let sinks = tables.iter().map(|table| table.empty_decl(program, key)).collect();
    let body = program.add_body(Vec::new(), Vec::new(), Vec::new());
    let empty = program.stmt(Op::Loop(Loop { extents: Vec::new(), body, sinks }), loc);
    let dicts = empty.results.clone();
    let els = program.add_body(Vec::new(), vec![empty], dicts);
    let mut out = Vec::new();
    let zero = program.append(Op::Const(Const::I64(0)), loc, &mut out);
    let cond = program.append(Op::Compare(CompareOp::Lt, zero, scan.extent), loc, &mut out);
    let chosen = program.stmt(Op::If { cond, then, els }, loc);
    let dicts = chosen.results.clone();
    out.push(chosen);
    (out, dicts)
}

/// Looks up, in place of the inner loop, what has been reduced.
fn look_up(scan: &Scan, plan: &Plan, program: &mut Program, inner: &Loop, dicts: &[Value], loc: Loc) {
    let mut stmts = program.take_stmts(scan.outer);
    let results = stmts[scan.number].results.clone();
    let mut found = Vec::new();
    for (table, &dict) in plan.tables.iter().zip(dicts) {
        let entry = program.append(Op::OptLookup(dict, plan.test.wanted), loc, &mut found);
        let [cond, whole] = [0, 1].map(|field| program.append(Op::Field(entry, field), loc, &mut found));
        for (place, &number) in table.iter().enumerate() {
            let value = match table.len() {
                1 => whole,
                _ => program.append(Op::Field(whole, place as u32), loc, &mut found),
            };
            let decl = inner.sinks[number].clone();
            let merge = Stmt {
                results: Vec::new(),
                op: Op::Merge { sink: decl.sink, values: vec![value] },
                loc: decl.loc,
            };
            let then = program.add_body(Vec::new(), vec![merge], Vec::new());
            let els = program.add_body(Vec::new(), Vec::new(), Vec::new());
            let merge = Stmt { results: Vec::new(), op: Op::If { cond, then, els }, loc: decl.loc };
            let body = program.add_body(Vec::new(), vec![merge], Vec::new());
            let op = Op::Loop(Loop { extents: Vec::new(), body, sinks: vec![decl] });
            found.push(Stmt { results: vec![results[number]], op, loc });
        }
    }
    stmts.splice(scan.number..=scan.number, found);
    program.put_stmts(scan.outer, stmts);
}
