//! What the foreign functions are that a program calls, if it may, and as their types are.

use std::collections::BTreeMap;

use weldment_codegen::foreign::{Callee, Callees};
use weldment_core::diagnostic::{Code, nearest};
use weldment_core::ir::{Loc, Op, Program, Stmt};
use weldment_core::source::Positions;
use weldment_runtime::lang::types::Type;

use super::{Foreign, ForeignFunctions, Registered};
use crate::program::CompileError;

/// The functions that `program`, which is not optimised yet, calls by their names: what an optimiser drops is refused all the
/// same, lest it depend on how well it does.
pub(in crate::program) fn resolve(
    program: &Program,
    positions: &Positions,
    foreign: &Foreign,
) -> Result<Callees, CompileError> {
    let (mut callees, mut errors) = (Callees::new(), BTreeMap::new());
    let mut visit = |stmt: &Stmt| {
        let Op::Call(symbol, args) = &stmt.op else { return };
        let params: Vec<&Type> = args.iter().map(|&arg| program.ty(arg)).collect();
        let call = Call { symbol, params, result: program.ty(stmt.results[0]), loc: stmt.loc, positions };
        match call.callee(foreign) {
            Ok(callee) => _ = callees.insert(symbol.clone(), callee),
            Err(error) => {
                errors.entry((error.position.line, error.position.column)).or_insert(error);
            }
        }
    };
    program.for_each_stmt(program.entry.expect("a lowered program has an entry"), &mut visit);
    let mut errors = errors.into_values();
    match errors.next() {
        None => Ok(callees),
        Some(first) => Err(CompileError { others: errors.collect(), ..first }),
    }
}

/// A call of a foreign function.
struct Call<'p> {
    symbol: &'p str,
    params: Vec<&'p Type>,
    result: &'p Type,
    loc: Loc,
    positions: &'p Positions,
}

impl Call<'_> {
    fn callee(&self, foreign: &Foreign) -> Result<Callee, CompileError> {
        let Call { symbol, .. } = self;
        if let Some((_, name)) = symbol.rsplit_once("::") {
            let message = format!("`{symbol}` is a path, and at run time functions have names alone");
            let help = format!("write `cudf[{name}, …]`, and register the function by that name");
            return Err(self.error(Code::ForeignPath, message, &help, self.loc));
        }
        let Foreign::Registered(functions) = foreign else {
            let message = format!("foreign functions are not allowed here, and `{symbol}` is one");
            return Err(self.error(Code::ForeignRefused, message, ALLOW, self.loc));
        };
        match functions.named.get(*symbol) {
            Some(registered) => self.check(registered).map(|()| registered.callee),
            None => functions.of_unknown_types(symbol).ok_or_else(|| self.unknown(functions)),
        }
    }

    fn unknown(&self, functions: &ForeignFunctions) -> CompileError {
        let Call { symbol, .. } = self;
        let message = format!("foreign function not found: `{symbol}`");
        let help = match nearest(symbol, functions.named.keys().map(String::as_str)) {
            Some(name) => &format!("did you mean `{name}`?"),
            None => REGISTER,
        };
        self.error(Code::ForeignUnknown, message, help, self.loc)
    }

    /// That the function is called as it is registered.
    fn check(&self, registered: &Registered) -> Result<(), CompileError> {
        let Call { symbol, params, result, .. } = self;
        let types: Vec<String> = registered.params.iter().map(Type::to_string).collect();
        let as_registered =
            format!("it is registered as `{symbol}({}) -> {}`", types.join(", "), registered.result);
        let error = |message: String, part: Option<usize>| {
            let loc = part.map_or(self.loc, |part| self.positions.part(self.loc, part));
            Err(self.error(Code::ForeignSignature, message, &as_registered, loc))
        };
        let (takes, given) = (registered.params.len(), params.len());
        if takes != given {
            let s = if takes == 1 { "" } else { "s" };
            return error(format!("`{symbol}` takes {takes} argument{s}, and {given} are given"), None);
        }
        let misfit = params.iter().zip(&registered.params).position(|(given, ty)| !given.is_like(ty));
        if let Some(part) = misfit {
            let (ty, given) = (&registered.params[part], params[part]);
            return error(
                format!("argument {} of `{symbol}` is of type {ty}, not {given}", part + 1),
                Some(part),
            );
        }
        if !result.is_like(&registered.result) {
            return error(
                format!("`{symbol}` gives a value of type {}, not {result}", registered.result),
                Some(given),
            );
        }
        Ok(())
    }

    fn error(&self, code: Code, message: String, help: &str, loc: Loc) -> CompileError {
        CompileError::new(code, format!("{message}\nhelp: {help}"), self.positions.get(loc))
    }
}

const ALLOW: &str = "whoever compiles a program says what it may call: an application by the table `CompileOptions::foreign`, \
                     `weldment run` by `--library FILE`, which allows what that library defines, or by `--foreign`, which \
                     allows all of the process";

const REGISTER: &str = "register it in the `ForeignFunctions` of `CompileOptions::foreign`, or name the library that defines \
                        it, of `weldment run` by `--library FILE`";
