//! The loops of a program as a graph: what reads what, and what is written to memory between.
//!
//! A node is a loop, a parameter, an intermediate in memory, an op that takes whole collections, or the result. An edge
//! says that values flow. What stands in the body of another node is inside it; edges run between nodes that are inside
//! the same one, and stand for those of everything within.

mod walk;

#[cfg(test)]
mod tests;

pub use crate::ir::Making;

/// The loops of a program and what flows between them. `P` is how places are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph<P> {
    /// In program order, what is outside before what is inside.
    pub nodes: Vec<Node<P>>,
    /// Each once, sorted.
    pub edges: Vec<Edge>,
}

/// A node of a [`Graph`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<P> {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands, if it has a place.
    pub at: Option<P>,
    /// The number of the node in whose body it stands.
    pub inside: Option<usize>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The parameter with this number.
    Input {
        /// From 0.
        number: usize,
        /// Its type.
        ty: String,
    },
    /// A loop; with no index, what runs once but merges.
    Loop {
        /// The number of index variables.
        indices: usize,
        /// What it makes, sink by sink; nothing, if it feeds loops around it.
        makes: Vec<Made>,
    },
    /// An op on whole collections, or one that runs its body in order.
    Whole {
        /// Its name in IR text.
        op: &'static str,
    },
    /// An intermediate that is written to memory.
    Stored {
        /// What it is: `vec[f64]`.
        what: String,
    },
    /// The result.
    Result {
        /// Its type.
        ty: String,
    },
}

/// What one sink of a loop makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// By which kind of sink.
    pub by: Making,
    /// What: `f64 by +`.
    pub what: String,
}

/// Values flow from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The number of the node that makes them.
    pub from: usize,
    /// The number of the node that reads them.
    pub to: usize,
}

impl NodeKind {
    /// In one word: `input`, `loop`, `once`, `whole`, `stored` or `result`.
    pub fn name(&self) -> &'static str {
        match self {
            NodeKind::Input { .. } => "input",
            NodeKind::Loop { indices: 0, .. } => "once",
            NodeKind::Loop { .. } => "loop",
            NodeKind::Whole { .. } => "whole",
            NodeKind::Stored { .. } => "stored",
            NodeKind::Result { .. } => "result",
        }
    }
}

impl<P: Copy> Graph<P> {
    /// The same graph with other names for its places.
    pub fn map<Q>(&self, place: impl Fn(P) -> Q) -> Graph<Q> {
        let node =
            |node: &Node<P>| Node { kind: node.kind.clone(), at: node.at.map(&place), inside: node.inside };
        Graph { nodes: self.nodes.iter().map(node).collect(), edges: self.edges.clone() }
    }
}
