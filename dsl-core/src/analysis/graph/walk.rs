//! From a program to its graph, in one walk: each value is followed to the nodes that it comes from.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Edge, Graph, Made, Node, NodeKind};
use crate::analysis::structure::{is_stored, parts_of_result};
use crate::ir::{BodyId, Loc, Loop, Op, Program, SinkKind, Stmt, Value};

impl Graph<Loc> {
    /// The graph of `program`.
    pub fn of(program: &Program) -> Graph<Loc> {
        let graph = Graph { nodes: Vec::new(), edges: Vec::new() };
        let Some(entry) = program.entry else { return graph };
        let mut walk = Walk { program, part: parts_of_result(program), sources: HashMap::new(), graph };
        let body = &program.bodies[entry];
        for (number, &param) in body.params.iter().enumerate() {
            let kind = NodeKind::Input { number, ty: program.ty(param).to_string() };
            let input = walk.add(kind, None, None);
            walk.sources.insert(param, [input].into());
        }
        walk.body(entry, None);
        let results = walk.of_all(&body.results);
        let ty = body.results.first().map(|&result| program.ty(result).to_string()).unwrap_or_default();
        let result = walk.add(NodeKind::Result { ty }, None, None);
        walk.connect(&results, result);
        walk.graph.edges.sort();
        walk.graph.edges.dedup();
        walk.graph
    }
}

struct Walk<'a> {
    program: &'a Program,
    /// What the result consists of.
    part: HashSet<Value>,
    /// The nodes that each value comes from.
    sources: HashMap<Value, BTreeSet<usize>>,
    graph: Graph<Loc>,
}

impl Walk<'_> {
    fn add(&mut self, kind: NodeKind, at: Option<Loc>, inside: Option<usize>) -> usize {
        self.graph.nodes.push(Node { kind, at: at.filter(|loc| *loc != Loc::NONE), inside });
        self.graph.nodes.len() - 1
    }

    fn of_all(&self, values: &[Value]) -> BTreeSet<usize> {
        values.iter().filter_map(|value| self.sources.get(value)).flatten().copied().collect()
    }

    /// The statements of `body`, which is that of the node `inside`, or of an op that is none. Gives where everything
    /// comes from that is read in it.
    fn body(&mut self, body: BodyId, inside: Option<usize>) -> BTreeSet<usize> {
        let mut read = BTreeSet::new();
        for stmt in &self.program.bodies[body].stmts {
            read.extend(self.stmt(stmt, inside));
        }
        read.extend(self.of_all(&self.program.bodies[body].results));
        read
    }

    fn stmt(&mut self, stmt: &Stmt, inside: Option<usize>) -> BTreeSet<usize> {
        let mut read = BTreeSet::new();
        stmt.op.for_each_operand(|operand| read.extend(self.sources.get(&operand).into_iter().flatten()));
        let node = match &stmt.op {
            Op::Loop(inner) => return self.made(inner, stmt, inside, read),
            Op::For { .. } => Some(NodeKind::Loop { indices: 1, makes: Vec::new() }),
            op if is_whole(op) => Some(NodeKind::Whole { op: op.name() }),
            _ => None,
        };
        let node = node.map(|kind| self.add(kind, Some(stmt.loc), inside));
        for body in stmt.op.bodies() {
            read.extend(self.body(body, node.or(inside)));
        }
        if let Some(node) = node {
            self.connect(&read, node);
        }
        match &stmt.op {
            // Each result is that of one of the branches; what decides which is read as well.
            Op::If { then, els, cond } => {
                for (number, &result) in stmt.results.iter().enumerate() {
                    let of = |body: &BodyId| self.program.bodies[*body].results[number];
                    let sources = self.of_all(&[*cond, of(then), of(els)]);
                    self.sources.insert(result, sources);
                }
            }
            _ => {
                let sources = node.map_or(read.clone(), |node| [node].into());
                self.sources.extend(stmt.results.iter().map(|&result| (result, sources.clone())));
            }
        }
        read
    }

    /// A loop, what it stores, and what is read for it.
    fn made(
        &mut self,
        inner: &Loop,
        stmt: &Stmt,
        inside: Option<usize>,
        mut read: BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let made = |kind: &SinkKind| Made { by: kind.making(), what: kind.to_string() };
        let makes = inner.sinks.iter().map(|decl| made(&decl.kind)).collect();
        let kind = NodeKind::Loop { indices: inner.extents.len(), makes };
        let node = self.add(kind, Some(stmt.loc), inside);
        for body in stmt.op.bodies() {
            read.extend(self.body(body, Some(node)));
        }
        self.connect(&read, node);
        for (decl, &result) in inner.sinks.iter().zip(&stmt.results) {
            let mut source = node;
            if is_stored(decl, result, &self.part) {
                let kind = NodeKind::Stored { what: decl.kind.to_string() };
                source = self.add(kind, Some(decl.loc), inside);
                self.connect(&[node].into(), source);
            }
            self.sources.insert(result, [source].into());
        }
        read
    }

    /// Edges to `to` from where its values come from, each between the two nodes around these ends that are inside the
    /// same one.
    fn connect(&mut self, from: &BTreeSet<usize>, to: usize) {
        let around = |node: usize| {
            std::iter::successors(Some(node), |&node| self.graph.nodes[node].inside).collect::<Vec<_>>()
        };
        let targets = around(to);
        let mut edges = Vec::new();
        for &from in from {
            let sources = around(from);
            let beside = |a: &usize, b: &usize| self.graph.nodes[*a].inside == self.graph.nodes[*b].inside;
            let pairs = sources.iter().flat_map(|from| targets.iter().map(move |to| (*from, *to)));
            let pair = pairs.into_iter().find(|(from, to)| beside(from, to));
            edges.extend(pair.filter(|(from, to)| from != to).map(|(from, to)| Edge { from, to }));
        }
        self.graph.edges.extend(edges);
    }
}

/// Whether it reads or makes whole collections without being a loop, or runs its body in order.
fn is_whole(op: &Op) -> bool {
    matches!(
        op,
        Op::Sort { .. }
            | Op::Ranked(..)
            | Op::ToVec(_)
            | Op::Serialize(_)
            | Op::Deserialize(_)
            | Op::Call(..)
            | Op::Iterate { .. }
    )
}
