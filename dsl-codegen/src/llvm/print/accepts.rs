//! What the executor does not take.

use std::collections::HashMap;

use weldment_core::ir::Op;

use crate::backend::Unsupported;
use crate::imp::{Imp, Stmt};

/// What users call the executor.
pub(crate) const NAME: &str = "llvm";

/// Whether a module can be printed of `imp`: all of it, but for foreign functions that the linker could not tell apart.
pub(crate) fn accepts(imp: &Imp) -> Result<(), Unsupported> {
    let mut found: Option<Unsupported> = None;
    let mut called: HashMap<&str, usize> = HashMap::new();
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| {
            let Stmt::Let { op: Op::Call(symbol, args), loc, .. } = stmt else { return };
            let is_word = !symbol.is_empty() && symbol.chars().all(|c| c.is_alphanumeric() || c == '_');
            let wrong = if !is_word {
                Some((format!("a foreign function named `{symbol}`"), "name it by letters, digits and `_`"))
            } else if *called.entry(symbol).or_insert(args.len()) != args.len() {
                let what = format!("`{symbol}` called with different numbers of arguments");
                Some((what, "give the function of each number a name of its own"))
            } else {
                None
            };
            if let (None, Some((what, advice))) = (&found, wrong) {
                found = Some(Unsupported { what, loc: *loc, advice: Some(advice.to_owned()) });
            }
        });
    }
    found.map_or(Ok(()), Err)
}
