//! The weldment compiler: from tokens to optimised IR, with the interpreter that serves as its oracle.

pub mod front;

pub mod syntax;

pub mod infer;

pub mod lower;

pub mod ir;

pub mod interp;

pub mod explain;
pub mod history;

pub mod analysis;
pub mod extract;
pub mod passes;
pub mod report;

pub mod claims;
pub mod constants;
mod versions;

pub mod guard;

pub mod diagnostic;
pub mod source;
