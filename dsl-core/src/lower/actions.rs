//! Builders: the actions recorded for them, and the loops that perform the actions.
//!
//! Each open body has a scope of actions. When a branch or the function of a `for` ends, the actions of its
//! scope become statements of its body, and the `if` or `for` becomes an action of the scope around it. When
//! `result` asks for a builder, the actions that concern it, from the outermost scope inwards, become the body
//! of a loop; builders tied to it by common actions come along, so that `for(v, {appender, merger}, …)` is
//! one loop with two sinks whichever result is asked for first.

use std::collections::{BTreeSet, HashMap};

use super::context::{Action, Lower, Scope, SinkInfo, Term};
use super::value_type;
use crate::infer::ty::{By, Ty};
use crate::infer::typed;
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Empty, Keep, Loc, Loop, Op, Order, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};
use crate::syntax::ast::BuilderKind;

impl Lower {
    /// A new builder of type `ty`.
    pub(super) fn new_builder(
        &mut self,
        ty: &Ty,
        init: Option<&typed::Expr>,
        func: Option<&typed::Func>,
        empty: Empty,
        loc: Loc,
    ) -> Term {
        let Ty::Builder(of) = ty else { unreachable!("a builder has the type of one") };
        let init = init.map(|init| self.value(init)).map(|init| match of.kind {
            BuilderKind::Appender => self.index(init, loc),
            _ => init,
        });
        let value = value_type(&of.value);
        let key = of.key.as_ref().map(value_type);
        let mut reducer = || match (of.by, func) {
            (Some(By::Op(op)), _) => Reducer::Op(op),
            (Some(By::Func), Some(func)) => Reducer::Func(self.function(func, value_type(&of.value))),
            _ => unreachable!("a builder by a function has one"),
        };
        let kind = match (of.kind, key) {
            (BuilderKind::Appender, _) => SinkKind::Collect { ty: value, hint: init, keep: Keep::Auto },
            (BuilderKind::Merger, _) => {
                SinkKind::Reduce { ty: value, reducer: reducer(), init, empty, order: Order::Lanes }
            }
            (BuilderKind::DictMerger, Some(key)) => SinkKind::BucketReduce { key, value, reducer: reducer() },
            (BuilderKind::GroupMerger, Some(key)) => SinkKind::BucketCollect { key, value },
            (BuilderKind::VecMerger, _) => {
                let (Some(By::Op(op)), Some(init)) = (of.by, init) else {
                    unreachable!("a vecmerger has an operator and a vector")
                };
                SinkKind::Scatter { ty: value, op, init }
            }
            (BuilderKind::DictMerger | BuilderKind::GroupMerger, None) => {
                unreachable!("a dictionary has keys")
            }
        };
        let sink = self.builder.fresh_sink();
        let info = SinkInfo { kind, depth: self.scopes.len(), loc, emitted: None };
        self.sinks.insert(sink, info);
        Term::Sink(sink)
    }

    /// Opens a body with a scope of its own.
    pub(super) fn open(&mut self) {
        self.builder.push_body();
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost body, after performing in it the actions on builders that go on outside.
    pub(super) fn close(&mut self, results: Vec<Value>) -> BodyId {
        self.close_renaming(results, &HashMap::new()).0
    }

    /// As [`Lower::close`], where builders made in the body go on outside by the names in `renamed`. Tells whether there
    /// was any action to perform.
    pub(super) fn close_renaming(
        &mut self,
        results: Vec<Value>,
        renamed: &HashMap<Sink, Sink>,
    ) -> (BodyId, bool) {
        let scope = self.scopes.pop().expect("a scope is open");
        let depth = self.scopes.len();
        let mut has_merges = false;
        for mut action in scope.actions {
            let outside = |sink: &Sink| self.sinks[sink].depth <= depth || renamed.contains_key(sink);
            let keep: BTreeSet<Sink> = action.sinks.iter().copied().filter(outside).collect();
            if !keep.is_empty() {
                let stmt = self.perform(&mut action, &keep, renamed);
                self.builder.push_stmt(stmt);
                has_merges = true;
            }
        }
        (self.builder.pop_body(results), has_merges)
    }

    /// Closes the innermost body and forgets its actions: for a second lowering that is after values only.
    pub(super) fn close_without_actions(&mut self, results: Vec<Value>) -> BodyId {
        self.scopes.pop();
        self.builder.pop_body(results)
    }

    /// Records an op that merges into `sinks`.
    pub(super) fn record(&mut self, op: Op, sinks: BTreeSet<Sink>, loc: Loc) {
        let stmt = self.builder.program_mut().stmt(op, loc);
        let scope = self.scopes.last_mut().expect("a scope is open");
        for &sink in &sinks {
            scope.by_sink.entry(sink).or_default().push(scope.actions.len());
        }
        scope.actions.push(Action { stmt, sinks, used: false });
    }

    /// The result of a builder: the loop that performs its actions.
    pub(super) fn result(&mut self, sink: Sink) -> Value {
        let count = self.actions_of(sink);
        if let Some((performed, result)) = self.sinks[&sink].emitted
            && performed == count
        {
            return result;
        }
        let group = self.tied(sink);
        // A sink is declared once: what goes on after an earlier emission gets a new one.
        let again: Vec<Sink> =
            group.iter().copied().filter(|sink| self.sinks[sink].emitted.is_some()).collect();
        let renamed: HashMap<Sink, Sink> =
            again.into_iter().map(|sink| (sink, self.builder.fresh_sink())).collect();
        let mut stmts = Vec::new();
        for scope in 0..self.scopes.len() {
            let by_sink = &self.scopes[scope].by_sink;
            let actions: BTreeSet<usize> =
                group.iter().filter_map(|sink| by_sink.get(sink)).flatten().copied().collect();
            for action in actions {
                let sinks = &self.scopes[scope].actions[action].sinks;
                let keep: BTreeSet<Sink> = sinks.intersection(&group).copied().collect();
                let mut performed = self.scopes[scope].actions[action].clone();
                stmts.push(self.perform(&mut performed, &keep, &renamed));
                self.scopes[scope].actions[action] = performed;
            }
        }
        let mut loc = self.sinks[&sink].loc;
        let (extents, body) = match &stmts[..] {
            // A lone outer `for` is the loop itself.
            [Stmt { op: Op::For { extent, body }, loc: place, .. }] => {
                loc = *place;
                (vec![*extent], *body)
            }
            _ => {
                let body = self.builder.push_body();
                for stmt in stmts {
                    self.builder.push_stmt(stmt);
                }
                self.builder.pop_body(Vec::new());
                (Vec::new(), body)
            }
        };
        let order = self.order_of(body);
        let decls = group.iter().map(|sink| {
            let mut kind = self.sinks[sink].kind.clone();
            if let SinkKind::Reduce { reducer: Reducer::Op(_), order: own, .. } = &mut kind {
                *own = order;
            }
            let SinkInfo { loc, .. } = self.sinks[sink];
            SinkDecl { sink: renamed.get(sink).copied().unwrap_or(*sink), kind, loc }
        });
        let sinks = decls.collect();
        let results = self.builder.push_all(Op::Loop(Loop { extents, body, sinks }), loc);
        for (&member, &result) in group.iter().zip(&results) {
            let count = self.actions_of(member);
            self.sinks.get_mut(&member).expect("a known sink").emitted = Some((count, result));
        }
        self.sinks[&sink].emitted.expect("the sink is in its group").1
    }

    /// The statement of an action, as far as it concerns the sinks in `keep`, with sinks renamed.
    fn perform(&mut self, action: &mut Action, keep: &BTreeSet<Sink>, renamed: &HashMap<Sink, Sink>) -> Stmt {
        if *keep == action.sinks && !action.used && keep.iter().all(|sink| !renamed.contains_key(sink)) {
            action.used = true;
            return action.stmt.clone();
        }
        let program = self.builder.program_mut();
        let mut copier = Copier::new();
        copier.sinks = renamed.clone();
        let stmt = copier.stmt(program, &action.stmt);
        let dropped: Vec<Sink> = action.sinks.difference(keep).copied().collect();
        stmt.op.for_each_body(|body| program.drop_merges(body, &dropped));
        stmt
    }

    fn actions_of(&self, sink: Sink) -> usize {
        self.scopes.iter().filter_map(|scope| scope.by_sink.get(&sink)).map(Vec::len).sum()
    }

    /// The builders that come along with `sink`: tied to it by common actions, and made in the body at hand.
    fn tied(&self, sink: Sink) -> BTreeSet<Sink> {
        let depth = self.scopes.len();
        let mut group = BTreeSet::from([sink]);
        let mut todo = vec![sink];
        while let Some(sink) = todo.pop() {
            for scope in &self.scopes {
                for &action in scope.by_sink.get(&sink).into_iter().flatten() {
                    let made_here = |sink: &&Sink| self.sinks[sink].depth == depth;
                    for &tied in scope.actions[action].sinks.iter().filter(made_here) {
                        if group.insert(tied) {
                            todo.push(tied);
                        }
                    }
                }
            }
        }
        group
    }
}
