//! Surface syntax: the tree, and the parser that serves both the macro (tokens) and the run time (text).

pub mod ast;
