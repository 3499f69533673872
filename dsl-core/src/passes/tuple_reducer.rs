//! One reducer for several reductions side by side: of tuples, each field by its own reducer.

use std::collections::{BTreeSet, HashMap};

use weldment_runtime::lang::types::Type;

use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Const, Loc, Op, Program, Reducer, Stmt, Value};

/// The reducer of structs of type `ty`, whose fields are reduced by `reducers`.
pub(super) fn of(
    program: &mut Program,
    ty: &Type,
    reducers: &[Reducer],
    constants: &Constants,
    loc: Loc,
) -> Reducer {
    match reducers {
        [Reducer::Op(op), others @ ..] if others.iter().all(|other| *other == Reducer::Op(*op)) => {
            Reducer::Op(*op)
        }
        _ => Reducer::Func(function(program, ty, reducers, constants, loc)),
    }
}

fn function(
    program: &mut Program,
    ty: &Type,
    reducers: &[Reducer],
    constants: &Constants,
    loc: Loc,
) -> BodyId {
    let params = [program.fresh(ty.clone()), program.fresh(ty.clone())];
    let mut stmts = Vec::new();
    let mut folded = Vec::new();
    for (number, reducer) in reducers.iter().enumerate() {
        let [a, b] = params.map(|param| program.append(Op::Field(param, number as u32), loc, &mut stmts));
        folded.push(fold(program, reducer, [a, b], constants, loc, &mut stmts));
    }
    let whole = program.append(Op::Struct(folded, ty.struct_name().cloned()), loc, &mut stmts);
    program.add_body(params.to_vec(), stmts, vec![whole])
}

/// What `reducer` makes of two values.
pub(super) fn fold(
    program: &mut Program,
    reducer: &Reducer,
    [a, b]: [Value; 2],
    constants: &Constants,
    loc: Loc,
    out: &mut Vec<Stmt>,
) -> Value {
    match reducer {
        Reducer::Op(op) => match program.ty(a).fields().map(<[Type]>::len) {
            None => program.append(Op::Binary(op.binary(), a, b), loc, out),
            Some(fields) => {
                let name = program.ty(a).struct_name().cloned();
                let mut folded = Vec::new();
                for number in 0..fields {
                    let parts = [a, b].map(|whole| program.append(Op::Field(whole, number as u32), loc, out));
                    folded.push(fold(program, reducer, parts, constants, loc, out));
                }
                program.append(Op::Struct(folded, name), loc, out)
            }
        },
        Reducer::Func(func) => {
            let func = program.bodies[*func].clone();
            let mut copier = Copier::new();
            copier.subst.insert_all(&func.params, &[a, b]);
            constants.bind(program, &func.stmts, &mut copier, out);
            out.extend(copier.stmts(program, &func.stmts));
            copier.subst.get(func.results[0])
        }
    }
}

/// Constants that may be bound only after the place where a function that reads them is needed.
#[derive(Default)]
pub(super) struct Constants(HashMap<Value, (Const, Loc)>);

impl Constants {
    /// Those of `program`.
    pub(super) fn of(program: &Program) -> Constants {
        let mut constants = HashMap::new();
        program.for_each_stmt(program.entry.expect("a program has an entry"), &mut |stmt| {
            if let Op::Const(constant) = stmt.op {
                constants.insert(stmt.results[0], (constant, stmt.loc));
            }
        });
        Constants(constants)
    }

    /// Binds again those that `stmts` read.
    pub(super) fn bind(
        &self,
        program: &mut Program,
        stmts: &[Stmt],
        copier: &mut Copier,
        out: &mut Vec<Stmt>,
    ) {
        let mut read = BTreeSet::new();
        for stmt in stmts {
            program.for_each_read_of(stmt, &mut |value| _ = read.insert(value));
        }
        for value in read {
            if let Some(&(constant, loc)) = self.0.get(&value) {
                let copy = program.append(Op::Const(constant), loc, out);
                copier.subst.insert(value, copy);
            }
        }
    }
}
