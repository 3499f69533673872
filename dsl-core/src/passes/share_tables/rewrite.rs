//! One dictionary in place of several: declared, filled and read, everywhere at once.

use std::collections::{HashMap, VecDeque};

use weldment_runtime::lang::types::Type;

use super::layout;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Loc, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};

/// Dictionaries to be one: the loop that fills them, and the numbers of the sinks.
pub(super) struct Group {
    pub(super) body: BodyId,
    pub(super) index: usize,
    pub(super) numbers: Vec<usize>,
}

/// Makes one dictionary of those of each of `groups`, which come in the order of the program, outer before inner.
pub(super) fn share(program: &mut Program, groups: &[Group]) {
    let Some(entry) = program.entry.filter(|_| !groups.is_empty()) else { return };
    let mut tables = Tables::default();
    // Outer before inner: reducing functions are copied, and what is declared in them already would be told by its sinks.
    for group in groups {
        tables.declare(program, group);
    }
    let mut subst = Subst::new();
    for body in program.bodies_within(entry) {
        tables.rewrite(program, body, &mut subst);
    }
    program.substitute_everywhere(&subst);
}

/// One dictionary in place of several.
struct Table {
    dict: Value,
    sink: Sink,
    /// How many it replaces.
    count: usize,
}

/// All of them, and which of them stands for which dictionary and sink, as which of its values.
#[derive(Default)]
struct Tables {
    tables: Vec<Table>,
    dicts: HashMap<Value, (usize, usize)>,
    sinks: HashMap<Sink, (usize, usize)>,
}

impl Tables {
    /// Declares a sink for a group, where the first of them stood. The others are still there.
    fn declare(&mut self, program: &mut Program, group: &Group) {
        let mut stmts = program.take_stmts(group.body);
        let Stmt { op: Op::Loop(inner), results, .. } = &mut stmts[group.index] else {
            unreachable!("tables are found at a loop")
        };
        let (mut types, mut reducers) = (Vec::new(), Vec::new());
        for (place, &number) in group.numbers.iter().enumerate() {
            let decl = &inner.sinks[number];
            let SinkKind::BucketReduce { value, reducer, .. } = &decl.kind else {
                unreachable!("tables reduce")
            };
            types.push(value.clone());
            reducers.push(reducer.clone());
            self.dicts.insert(results[number], (self.tables.len(), place));
            self.sinks.insert(decl.sink, (self.tables.len(), place));
        }
        let first = &mut inner.sinks[group.numbers[0]];
        let (value, reducer) = layout::declare(program, types, reducers, first.loc);
        let SinkKind::BucketReduce { key, .. } = &first.kind else { unreachable!("tables reduce") };
        let (key, sink) = (key.clone(), program.fresh_sink());
        let dict = program.fresh(Type::dict(key.clone(), value.clone()));
        let kind = SinkKind::BucketReduce { key, value, reducer };
        *first = SinkDecl { sink, kind, loc: first.loc };
        results[group.numbers[0]] = dict;
        self.tables.push(Table { dict, sink, count: group.numbers.len() });
        program.put_stmts(group.body, stmts);
    }

    /// Fills and reads the tables in `body`.
    fn rewrite(&self, program: &mut Program, body: BodyId, subst: &mut Subst) {
        let mut waiting = HashMap::new();
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            match &mut stmt.op {
                Op::Loop(inner) => {
                    inner.sinks.retain(|decl| !self.sinks.contains_key(&decl.sink));
                    stmt.results.retain(|result| !self.dicts.contains_key(result));
                    stmts.push(stmt);
                }
                Op::Merge { sink, values } if self.sinks.contains_key(sink) => {
                    let (number, place) = self.sinks[sink];
                    let table = &self.tables[number];
                    let waiting = waiting.entry(number).or_insert_with(|| Waiting::new(table.count));
                    if let Some(all) = waiting.add(place, values[1]) {
                        let whole = layout::pack(program, all, stmt.loc, &mut stmts);
                        let op = Op::Merge { sink: table.sink, values: vec![values[0], whole] };
                        stmts.push(Stmt { op, ..stmt });
                    }
                }
                Op::Len(of)
                | Op::ToVec(of)
                | Op::Lookup(of, _)
                | Op::KeyExists(of, _)
                | Op::OptLookup(of, _) => match self.dicts.get(of) {
                    Some(&(number, place)) => {
                        *of = self.tables[number].dict;
                        read(program, stmt, (place, self.tables[number].count), subst, &mut stmts);
                    }
                    None => stmts.push(stmt),
                },
                _ => stmts.push(stmt),
            }
        }
        program.put_stmts(body, stmts);
    }
}

/// What has been merged into the sinks of one table and not yet into its own, by the places of its values.
struct Waiting {
    values: Vec<VecDeque<Value>>,
    /// How many places nothing waits for.
    empty: usize,
}

impl Waiting {
    fn new(count: usize) -> Waiting {
        Waiting { values: vec![VecDeque::new(); count], empty: count }
    }

    /// Adds a value; a value for every place, if there is one for each now.
    fn add(&mut self, place: usize, value: Value) -> Option<Vec<Value>> {
        self.empty -= usize::from(self.values[place].is_empty());
        self.values[place].push_back(value);
        if self.empty > 0 {
            return None;
        }
        let all = self.values.iter_mut().filter_map(VecDeque::pop_front).collect();
        self.empty = self.values.iter().filter(|values| values.is_empty()).count();
        Some(all)
    }
}

/// Reads a table by `stmt`, which wants but one of its values: the number of it, and how many there are.
fn read(program: &mut Program, stmt: Stmt, value: (usize, usize), subst: &mut Subst, stmts: &mut Vec<Stmt>) {
    let loc = stmt.loc;
    if let Op::Len(_) | Op::KeyExists(..) = stmt.op {
        stmts.push(stmt);
        return;
    }
    let (old, op) = (stmt.results[0], stmt.op);
    let read = program.append(op.clone(), loc, stmts);
    let part = match op {
        Op::Lookup(..) => layout::unpack(program, read, value, loc, stmts),
        Op::OptLookup(..) => {
            let op = part_of_second(program, read, value, loc, stmts);
            program.append(op, loc, stmts)
        }
        _ => list(program, read, value, loc, stmts),
    };
    subst.insert(old, part);
}

/// Of `pair`, whose second field is a struct: the first field, and one value of that struct.
fn part_of_second(
    program: &mut Program,
    pair: Value,
    value: (usize, usize),
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Op {
    let first = program.append(Op::Field(pair, 0), loc, stmts);
    let second = program.append(Op::Field(pair, 1), loc, stmts);
    let part = layout::unpack(program, second, value, loc, stmts);
    Op::Struct(vec![first, part], None)
}

/// The keys, each with one of its values, of the dictionary listed in `entries`.
fn list(
    program: &mut Program,
    entries: Value,
    value: (usize, usize),
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Value {
    let extent = program.append(Op::Len(entries), loc, stmts);
    program.append_collect(extent, loc, stmts, |program, index, stmts| {
        let entry = program.append(Op::At(entries, index), loc, stmts);
        part_of_second(program, entry, value, loc, stmts)
    })
}
