//! What running weldment programs need: types and values, faults, scalar arithmetic, dictionaries,
//! builders, and the driver that runs a loop over pieces on all cores.
//!
//! This crate knows nothing of the compiler. Applications meet it through the facade `weldment`.

pub mod types;
pub mod value;

pub mod num;
pub mod scalar;

pub mod reduce;

pub mod dict;
pub mod key;
pub mod order;

pub mod fault;

pub mod context;
pub mod cpu;
pub mod kernel;
pub mod options;

pub mod checked;
pub mod fold;

pub mod builders;
pub mod drive;
mod pool;
mod tuples;
