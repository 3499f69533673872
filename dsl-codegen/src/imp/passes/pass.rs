//! What passes are, and how they go through a program.

use weldment_core::ir::{BinaryOp, Entity, Loc, Op};
use weldment_runtime::lang::types::Scalar;

use crate::imp::walk::free_values;
use crate::imp::{Block, For, Func, FuncId, Imp, Number, Param, Prefetch, Role, Stmt, Target};

/// A pass.
pub(crate) struct Pass {
    /// Its label.
    pub(crate) name: &'static str,
    /// Whether it is for a target.
    pub(crate) is_for: fn(&Target) -> bool,
    pub(crate) run: fn(&mut Imp, &Target),
}

/// Has `rewrite` change every block that there is now, those inside before those around them.
pub(super) fn each_block(imp: &mut Imp, rewrite: &mut dyn FnMut(&mut Imp, &mut Block)) {
    fn visit(imp: &mut Imp, block: &mut Block, rewrite: &mut dyn FnMut(&mut Imp, &mut Block)) {
        for stmt in &mut block.stmts {
            stmt.for_each_block_mut(|inner| visit(imp, inner, rewrite));
        }
        rewrite(imp, block);
    }
    let funcs: Vec<_> = imp.funcs.ids().collect();
    for func in funcs {
        let mut body = std::mem::take(&mut imp.funcs[func].body);
        visit(imp, &mut body, rewrite);
        imp.funcs[func].body = body;
    }
}

/// Has `rewrite` put statements in place of each `For` for which `wanted` holds.
pub(super) fn each_for(
    imp: &mut Imp,
    wanted: impl Fn(&For) -> bool,
    mut rewrite: impl FnMut(&mut Imp, For, &mut Block),
) {
    each_block(imp, &mut |imp, block| {
        if !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::For(inner) if wanted(inner))) {
            return;
        }
        let mut out = Block { stmts: Vec::new(), results: std::mem::take(&mut block.results) };
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::For(inner) if wanted(&inner) => rewrite(imp, inner, &mut out),
                stmt => out.stmts.push(stmt),
            }
        }
        *block = out;
    });
}

/// A function of a position that does what an iteration of `inner` does, and gives what `body` gives.
pub(super) fn row(imp: &mut Imp, inner: For, mut body: Block) -> FuncId {
    if let Some(Number { value, first }) = inner.number {
        let at = body.position(imp, BinaryOp::Add, first, inner.index);
        body.let_(value, Op::Cast(Scalar::I64, at), Loc::NONE);
    }
    let columns = inner.hints.map(|hints| hints.prefetch).unwrap_or_default();
    let index = inner.index;
    let asks = columns.into_iter().map(|column| Stmt::Prefetch { what: Prefetch::Element { column }, index });
    body.stmts.extend(asks);
    body.stmts.extend(inner.body.stmts);
    let captures = free_values(imp, &body, &[index]);
    let name = format!("row{}", index.index());
    let params = vec![Param::Value(index)];
    let func = Func {
        role: Role::Row,
        name,
        params,
        captures,
        body,
        dispatch: false,
        streams: false,
        loc: inner.loc,
    };
    imp.funcs.push(func)
}
