//! What inference knows of a program.

use std::collections::{HashMap, HashSet};

use super::condition::Check;
use super::exhaustive::Arms;
use super::groups::Group;
use super::scope::{Function, Item, Scope};
use super::ty::{Ty, Unifier};
use super::typed::{Expr, Local, LocalInfo};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Arena;
use crate::source::Excerpts;
use crate::syntax::ast;

/// What typing one construct gives: its mistake ends the construct, and [`Infer::expr`] goes on around it.
pub(super) type Typed<T> = Result<T, Diagnostic>;

/// Inference of one program.
pub(super) struct Infer<'a> {
    pub(super) unifier: Unifier,
    pub(super) locals: Arena<Local, LocalInfo>,
    pub(super) scope: Scope,
    /// What the variables that name functions stand for.
    pub(super) functions: HashMap<Local, Function>,
    /// What the variables that name groups were asked for.
    pub(super) groups: HashMap<Local, Group>,
    pub(super) aliases: HashMap<&'a str, &'a ast::Alias>,
    /// The axes that the program declares.
    pub(super) axes: HashSet<&'a str>,
    /// By each of their names.
    pub(super) structs: HashMap<&'a str, &'a ast::Struct>,
    /// What the parameters of the struct at hand are.
    pub(super) type_params: Vec<(&'a str, Ty)>,
    pub(super) macros: HashMap<&'a str, &'a ast::Macro>,
    /// The functions and constants of the program.
    pub(super) items: HashMap<&'a str, Item<'a>>,
    /// The aliases whose types are being resolved, to refuse recursion.
    pub(super) resolving: Vec<String>,
    /// The mark of each expansion of a user's macro: its name, and the mark of the name where it is called.
    pub(super) expansions: HashMap<u32, (String, u32)>,
    pub(super) spelling: ast::Spelling,
    pub(super) excerpts: &'a Excerpts,
    pub(super) checks: Vec<Check>,
    /// What is to be asked of each `match` once all types are known.
    pub(super) matches: Vec<Arms>,
    /// Whether the pattern at hand is that of an arm, which asks for what constants are.
    pub(super) is_matching: bool,
    /// The unknown names: the places of their errors among the others, and the types that they are to have.
    pub(super) inputs: Vec<(usize, String, Ty)>,
    pub(super) errors: Vec<Diagnostic>,
    /// The names that have been refused, and as what: each is told once.
    pub(super) refused: HashSet<(Code, String)>,
    /// The mark of the last expansion.
    pub(super) mark: u32,
    /// Expressions that have been typed to find out what they are, by where they stand, until they are typed for good.
    pub(super) peeked: Vec<(*const ast::Expr, Expr)>,
    /// Whether a type is read of what goes in or out of the program, where `usize` and `&T` are types.
    pub(super) is_outside: bool,
    /// Whether there is such a type.
    pub(super) has_border: bool,
    pub(super) limits: Limits,
}

/// How many expressions, types and copies of arguments a program may hold once macros and aliases are expanded, more than it is
/// written in tokens.
pub(super) const MAX_NODES: usize = 1 << 18;

/// What a program has used of its limits.
#[derive(Debug, Default)]
pub(super) struct Limits {
    pub(super) depth: usize,
    pub(super) functions: usize,
    pub(super) branches: usize,
    pub(super) type_depth: usize,
    pub(super) nodes: usize,
    /// How many nodes there may be.
    pub(super) most: usize,
    /// A limit is exceeded, and has been told: what is left of the program is not looked at.
    pub(super) is_exceeded: bool,
}

impl Limits {
    /// The limits of a program of `size` tokens, unused.
    pub(super) fn of(size: usize) -> Limits {
        Limits { most: size + MAX_NODES, ..Limits::default() }
    }

    /// Whether a limit is exceeded.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}
