//! Going on behind faults, to find out whether anybody needs the values that fault.
//!
//! Where a run would end with a fault, it takes some value instead, and notes the fault. A value that the result
//! depends on gives another result when it is another one. A value on which the result does not depend is one that nobody needs:
//! a program may be run without computing it, and without its fault. An `assert` that fails is noted like other faults, and
//! what it gives is true.

use std::sync::{Arc, Mutex, PoisonError};

use weldment_runtime::lang::fault::{Fault, FaultKind};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::ops;

/// What stands for values that fault, and which faults there were.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::interp::*;
/// # use weldment_runtime::lang::value::Value;
/// let results = |text: &str| {
///     let lowered = from_text(text).unwrap();
///     [0, 1].map(|fill| {
///         let instead = Instead::of(fill);
///         let options = InterpOptions { instead: Some(instead.clone()), ..InterpOptions::default() };
///         let result = run(&lowered.program, &lowered.positions, &[Value::I64(0)], &options).unwrap();
///         assert_eq!(instead.met()[0].detail, "7 / 0");
///         result.to_string()
///     })
/// };
/// assert_eq!(results("|x: i64| x + 7 / x"), ["0", "1"]); // needed
/// assert_eq!(results("|x: i64| x * (7 / x)"), ["0", "0"]); // not where x is 0
/// ```
#[derive(Clone, Debug)]
pub struct Instead {
    fill: u8,
    met: Arc<Mutex<Vec<Fault>>>,
}

impl Instead {
    /// With numbers that are `fill`, and vectors of so many elements.
    ///
    /// ```
    /// # use weldment_core::interp::*;
    /// assert!(Instead::of(1).met().is_empty());
    /// ```
    pub fn of(fill: u8) -> Instead {
        Instead { fill, met: Arc::default() }
    }

    /// The faults of the runs so far, in order.
    ///
    /// ```
    /// # use weldment_core::front::from_text;
    /// # use weldment_core::interp::*;
    /// # use weldment_runtime::lang::value::Value;
    /// let lowered = from_text("|v: &[i64]| {v.map(|x| 1 / x).sum(), v.min()}").unwrap();
    /// let instead = Instead::of(0);
    /// let options = InterpOptions { instead: Some(instead.clone()), ..InterpOptions::default() };
    /// let zeros = Value::vec(vec![Value::I64(0), Value::I64(0)]);
    /// run(&lowered.program, &lowered.positions, &[zeros], &options).unwrap();
    /// assert_eq!(instead.met().len(), 2);
    /// ```
    pub fn met(&self) -> Vec<Fault> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Any value of type `ty`.
    pub(super) fn value(&self, ty: &Type) -> Value {
        ops::filled(ty, self.fill)
    }

    /// What stands for a value of type `ty` that faults. The fault is noted.
    pub(super) fn of_fault(&self, fault: Fault, ty: &Type) -> Value {
        let is_true = fault.kind == FaultKind::AssertionFailed;
        self.met.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        if is_true { Value::Bool(true) } else { self.value(ty) }
    }
}
