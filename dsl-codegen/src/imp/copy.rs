//! Copies of blocks.

use std::collections::BTreeMap;

use weldment_core::ir::Value;

use super::walk::Use;
use super::{
    Action, Arg, Block, Combine, FuncId, Hints, Imp, Param, Prefetch, SortBy, Stmt, Store, StoreId, Total,
};

/// A copy of `block` that names what `names` says instead, and new values instead of those that it binds. Registers and stores stay the
/// same, so that only one of both may run where they are written. A function that reads what has another name in the copy is copied, too,
/// and with it a store that the block opens and that combines by it.
pub fn copy_of(imp: &mut Imp, block: &Block, names: BTreeMap<Value, Value>) -> Block {
    let mut copier = Copier { imp, names, funcs: BTreeMap::new(), stores: BTreeMap::new() };
    copier.block(block)
}

struct Copier<'i> {
    imp: &'i mut Imp,
    names: BTreeMap<Value, Value>,
    funcs: BTreeMap<FuncId, FuncId>,
    stores: BTreeMap<StoreId, StoreId>,
}

impl Copier<'_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut bound = Vec::new();
        block.for_each_stmt(&mut |stmt| {
            stmt.for_each_value(|role, value| {
                bound.extend(matches!(role, Use::Bind | Use::Inner).then_some(value))
            });
        });
        self.bind(&bound);
        let mut copy = block.clone();
        self.rename_all(&mut copy);
        copy
    }

    /// Gives each of `values` another name.
    fn bind(&mut self, values: &[Value]) {
        for &value in values {
            let info = self.imp.values[value].clone();
            self.names.insert(value, self.imp.values.push(info));
        }
        for value in values {
            let roots = &mut self.imp.values[self.names[value]].roots;
            roots.iter_mut().flatten().for_each(|root| rename(&self.names, root));
        }
    }

    /// The same for one value, which takes its new name.
    fn bind_one(&mut self, value: &mut Value) {
        self.bind(&[*value]);
        rename(&self.names, value);
    }

    fn rename_all(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.open(stmt);
            stmt.for_each_value_mut(|_, value| rename(&self.names, value));
            for_each_store_mut(stmt, |store| rename(&self.stores, store));
            if let Some(func) = func_mut(stmt) {
                *func = self.func(*func);
            }
            stmt.for_each_block_mut(|block| self.rename_all(block));
        }
        block.results.iter_mut().for_each(|value| rename(&self.names, value));
    }

    /// Copies the store that `stmt` opens, if it combines by a function that is copied.
    fn open(&mut self, stmt: &Stmt) {
        let &Stmt::Do { store, action: Action::Open, .. } = stmt else { return };
        let Combine::Func(func) = self.imp.stores[store].combine else { return };
        let copied = self.func(func);
        if copied != func {
            let mut of_copy = Store { combine: Combine::Func(copied), ..self.imp.stores[store].clone() };
            rename(&self.names, &mut of_copy.result);
            let id = self.imp.stores.push(of_copy);
            self.stores.insert(store, id);
        }
    }

    /// The function that the copy calls instead of `id`: the same, if nothing that it reads has another name.
    fn func(&mut self, id: FuncId) -> FuncId {
        if let Some(&copied) = self.funcs.get(&id) {
            return copied;
        }
        let func = &self.imp.funcs[id];
        let is_renamed = |param: &Param| matches!(param, Param::Store(id) if self.stores.contains_key(id));
        if !func.captures.iter().any(|value| self.names.contains_key(value))
            && !func.params.iter().any(is_renamed)
        {
            return id;
        }
        let mut func = func.clone();
        for param in &mut func.params {
            match param {
                Param::Value(value) => self.bind_one(value),
                Param::Slice { column, of } => {
                    self.bind_one(column);
                    rename(&self.names, of);
                }
                Param::Store(store) => rename(&self.stores, store),
                Param::Reg(_) => {}
            }
        }
        func.captures.iter_mut().for_each(|value| rename(&self.names, value));
        func.body = self.block(&func.body);
        func.name = format!("{}_{}", func.name, self.imp.funcs.len());
        let copied = self.imp.funcs.push(func);
        self.funcs.insert(id, copied);
        copied
    }
}

fn rename<T: Copy + Ord>(names: &BTreeMap<T, T>, name: &mut T) {
    if let Some(&other) = names.get(name) {
        *name = other;
    }
}

/// The function that a statement calls itself.
fn func_mut(stmt: &mut Stmt) -> Option<&mut FuncId> {
    match stmt {
        Stmt::Call { func, .. }
        | Stmt::Sort { by: SortBy::Comparator(func) | SortBy::Key { func, .. }, .. }
        | Stmt::Do { action: Action::Fill(func) | Action::MergeEach(func), .. } => Some(func),
        _ => None,
    }
}

/// Visits the stores that a statement names, those of hints included, and not those of the statements that it holds.
fn for_each_store_mut(stmt: &mut Stmt, mut visit: impl FnMut(&mut StoreId)) {
    match stmt {
        Stmt::Do { store, .. } | Stmt::Prefetch { what: Prefetch::Written { store, .. }, .. } => visit(store),
        Stmt::Call { args, .. } => args.iter_mut().for_each(|arg| match arg {
            Arg::Store(store, _) => visit(store),
            Arg::Value(_) | Arg::Slice(..) | Arg::Reg(_) => {}
        }),
        Stmt::For(inner) => {
            if let Some(Hints { feeds, hash_ahead, reserve, .. }) = inner.hints.as_deref_mut() {
                feeds.iter_mut().chain(reserve).for_each(&mut visit);
                hash_ahead.iter_mut().for_each(|(_, store)| visit(store));
            }
        }
        Stmt::Split(split) => {
            split.parts.iter_mut().for_each(&mut visit);
            split.totals.iter_mut().for_each(|total| match total {
                Total::Store(store) => visit(store),
                Total::Reg { .. } => {}
            });
        }
        _ => {}
    }
}
