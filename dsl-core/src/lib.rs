//! The weldment compiler: from tokens to optimised IR, with the interpreter that serves as its oracle.

pub mod syntax;

pub mod ir;

pub mod analysis;

pub mod interp;

pub mod diagnostic;

pub mod source;
