//! What lowering knows: what expressions became, and the actions of the builders that are open.

use std::collections::{BTreeSet, HashMap};

use proc_macro2::Span;

use super::cursor::{Cursor, LiftKey};
use super::view::View;
use crate::infer::typed::Local;
use crate::ir::{Builder, Keep, Loc, Sink, SinkKind, Stmt, Value};
use crate::source::Positions;

/// What an expression becomes.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A value.
    Value(Value),
    /// A builder.
    Sink(Sink),
    /// An array.
    Array(View),
    /// A cursor.
    Cursor(Box<Cursor>),
    /// A struct that holds builders, arrays or cursors.
    Struct(Vec<Term>),
}

/// What is known of a builder.
pub(super) struct SinkInfo {
    pub(super) kind: SinkKind,
    /// The number of bodies around the place where it is made.
    pub(super) depth: usize,
    pub(super) loc: Loc,
    /// The last emission: the number of actions it performed, and its result.
    pub(super) emitted: Option<(usize, Value)>,
}

/// The lowering of one program.
pub(super) struct Lower {
    pub(super) builder: Builder,
    pub(super) terms: HashMap<Local, Term>,
    pub(super) sinks: HashMap<Sink, SinkInfo>,
    pub(super) scopes: Vec<Scope>,
    pub(super) positions: Positions,
    pub(super) spans: Vec<Span>,
    /// What the user asks to be written to memory, or not.
    pub(super) kept: Vec<(Value, Keep)>,
    /// Whether what is lowered was lowered before: what `dbg` shows there is shown once.
    pub(super) is_silent: bool,
}

/// The actions of one open body, in program order.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) actions: Vec<Action>,
    /// The numbers of the actions that concern a sink.
    pub(super) by_sink: HashMap<Sink, Vec<usize>>,
    /// What has been computed of lifted functions.
    pub(super) lifted: Vec<(LiftKey, Value)>,
}

/// A statement that merges.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) stmt: Stmt,
    /// Every sink it may merge into.
    pub(super) sinks: BTreeSet<Sink>,
    /// Whether its bodies are part of the program already, so that another use needs copies.
    pub(super) used: bool,
}
