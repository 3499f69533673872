//! Structs that are only looked at: keys that are merged by or looked up, and what is compared. They are not put together: a reference
//! to each part does, so that parts that have an owner need no copy. A text that is only a key is its bytes, which then need not be asked
//! whether they are one.
//!
//! ```text
//! k: {str,str} = struct v1, v2
//! do merge #0, k, 1
//! ```
//! A table copies the parts of a key that is new; all others are found without.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{Op, Value};
use weldment_runtime::lang::types::Type;

use crate::imp::walk::Use;
use crate::imp::{Action, Block, Imp, Prefetch, Stmt, Strategy};

/// The structs in `body` that are only looked at, and have parts that are not copied for nothing.
pub(super) fn looked_at(imp: &Imp, body: &Block) -> HashSet<Value> {
    let mut structs: HashMap<Value, &[Value]> = HashMap::new();
    let mut literals = HashSet::new();
    body.for_each_stmt(&mut |stmt| match stmt {
        Stmt::Let { result, op: Op::Vector(_), .. } => _ = literals.insert(*result),
        Stmt::Let { result, op: Op::Struct(parts, _), .. } => {
            let ty = &imp.values[*result].ty;
            if is_tuple(ty) || ty.is_text() && !literals.contains(&parts[0]) {
                structs.insert(*result, parts);
            }
        }
        _ => {}
    });
    if structs.is_empty() {
        return HashSet::new();
    }
    let mut uses = Uses { imp, structs: &structs, taken: HashSet::new(), compared: Vec::new() };
    uses.block(body);
    uses.settle();
    let taken = uses.taken;
    structs.into_keys().filter(|value| !taken.contains(value)).collect()
}

/// Whether it is a plain struct, which emitted Rust has as a tuple, of parts that are not all copied.
fn is_tuple(ty: &Type) -> bool {
    let is_named = ty.is_text()
        || ty.user_name().is_some()
        || ty.as_option().is_some()
        || ty.as_array().is_some()
        || ty.as_fixed_array().is_some();
    // A vector of rows may lie in a store of its own.
    let is_of_rows = |part: &Type| part.element().is_some_and(|row| !row.is_scalars());
    !is_named && !ty.is_scalars() && ty.fields().is_some_and(|parts| !parts.iter().any(is_of_rows))
}

/// What becomes of the structs.
struct Uses<'b> {
    imp: &'b Imp,
    /// Each with its parts.
    structs: &'b HashMap<Value, &'b [Value]>,
    /// What is not only looked at.
    taken: HashSet<Value>,
    /// What is compared with each other.
    compared: Vec<[Value; 2]>,
}

impl Uses<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
            stmt.for_each_func(self.imp, |func| self.taken.extend(&self.imp.funcs[func].captures));
            stmt.for_each_block(|inner| self.block(inner));
        }
        self.taken.extend(&block.results);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let looked_at = match stmt {
            Stmt::Let { op: Op::Order(a, b) | Op::Compare(_, a, b), .. } => {
                return self.compared.push([*a, *b]);
            }
            // Its parts are looked at if it is.
            Stmt::Let { result, op: Op::Struct(..), .. } if self.structs.contains_key(result) => return,
            Stmt::Let { op: Op::KeyExists(_, key) | Op::Lookup(_, key) | Op::OptLookup(_, key), .. } => {
                Some(*key)
            }
            Stmt::Prefetch { what: Prefetch::Place { .. } | Prefetch::Found { .. }, index } => Some(*index),
            Stmt::Do { store, action: Action::Merge, args, .. } if args.len() == 2 => {
                let strategy = self.imp.stores[*store].strategy;
                let is_read = matches!(strategy, Strategy::Hashed | Strategy::Groups);
                (is_read && args[0] != args[1]).then_some(args[0])
            }
            _ => None,
        };
        let read = stmt.values(Use::Read);
        self.taken.extend(read.into_iter().filter(|&value| Some(value) != looked_at));
    }

    /// What is a part of what is taken is taken, and so is what is compared with that; and structs that are compared have the same
    /// types, which those do not have that hold others. Texts are compared as texts.
    fn settle(&mut self) {
        for value in self.compared.iter().flatten() {
            let parts = self.structs.get(value).copied().unwrap_or_default();
            let texts = parts.iter().chain([value]).filter(|&&part| self.imp.values[part].ty.is_text());
            self.taken.extend(texts);
        }
        let mut open: Vec<Value> = self.structs.keys().copied().collect();
        while !open.is_empty() {
            let mut more = Vec::new();
            for pair in &self.compared {
                let is_flat = |value: &Value| {
                    let parts = self.structs.get(value).filter(|_| !self.taken.contains(value));
                    let is_part =
                        |part| self.structs.contains_key(part) && !self.imp.values[*part].ty.is_text();
                    parts.is_some_and(|parts| !parts.iter().any(is_part))
                };
                if !pair.iter().all(is_flat) {
                    more.extend(pair.iter().copied().filter(|value| !self.taken.contains(value)));
                }
            }
            for value in open.into_iter().filter(|value| self.taken.contains(value)) {
                let parts = self.structs.get(&value).into_iter().flat_map(|parts| parts.iter().copied());
                more.extend(parts.filter(|part| !self.taken.contains(part)));
            }
            self.taken.extend(&more);
            open = more;
        }
    }
}
