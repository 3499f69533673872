//! From low-level code to the text of an LLVM module.
//!
//! The module exports one function, `i32 @weldment_main(ptr frame, ptr args, ptr result)`: the arguments stand in
//! memory as the fields of a struct, the result is written to memory, and the status is 0 or, with a fault in the
//! frame, 1. Text is checked by LLVM's own parser, so a slip here becomes an error and never undefined behaviour,
//! and it is what the cache compares and `explain` shows.

use std::collections::{BTreeMap, HashMap};

use weldment_core::source::Positions;
use weldment_runtime::lang::types::Type;

use super::func::Func;
use super::module::{Emitted, Emitter, Target};
use super::spelling::literal;
use super::val::Val;
use crate::foreign::Callees;
use crate::imp::{Imp, Param, Stmt};
use crate::llvm::engine::error::EngineError;

/// The name of the exported function.
pub(crate) const MAIN: &std::ffi::CStr = c"weldment_main";

/// The text of low-level code that was accepted.
pub(crate) fn print(
    imp: &Imp,
    positions: &Positions,
    callees: &Callees,
    target: &Target,
) -> Result<Emitted, EngineError> {
    let constants = imp.values.ids().filter_map(|value| Some((value, imp.values[value].constant?)));
    let mut emitter = Emitter {
        imp,
        positions,
        callees,
        target: *target,
        constants: constants.map(|(value, constant)| (value, Val::one(literal(constant)))).collect(),
        functions: Vec::new(),
        loop_functions: HashMap::new(),
        globals: HashMap::new(),
        declarations: BTreeMap::new(),
        foreign: BTreeMap::new(),
        library: BTreeMap::new(),
        types: Vec::new(),
        names: 0,
        has_scopes: has_scopes(imp),
        loops: Vec::new(),
        splits: 0,
    };
    let name = MAIN.to_str().expect("the name is ASCII");
    let header =
        format!("define i32 @{name}(ptr %frame, ptr noalias readonly %args, ptr noalias %result) nounwind");
    let mut main = Func::new(&mut emitter, header);
    let entry = &imp.funcs[imp.entry];
    let params = entry.params.iter().filter_map(|param| match param {
        Param::Value(value) => Some(*value),
        _ => None,
    });
    let params: Vec<_> = params.collect();
    let args = Type::structure(params.iter().map(|&param| main.ty(param).clone()));
    let val = main.load(&args, "%args");
    for (i, &param) in params.iter().enumerate() {
        let leaves = Func::field(&args, &val.leaves, i).to_vec();
        main.bind(param, Val::scalar(leaves));
    }
    main.block(&entry.body)?;
    let [result] = entry.body.results[..] else {
        return Err(EngineError::internal("a program has one result"));
    };
    let val = main.get(result).clone();
    let ty = main.ty(result);
    main.store(ty, &val, "%result");
    main.finish();
    Ok(emitter.finish())
}

/// Whether a loop of `imp` gives back what its steps make.
fn has_scopes(imp: &Imp) -> bool {
    let mut has_scopes = false;
    for func in imp.funcs.ids() {
        imp.funcs[func]
            .body
            .for_each_stmt(&mut |stmt| has_scopes |= matches!(stmt, Stmt::For(inner) if inner.scoped));
    }
    has_scopes
}
