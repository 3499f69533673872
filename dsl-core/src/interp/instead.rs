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

/// How many elements stand at most for those of a shape: it may be any number.
const MAX_ELEMENTS: usize = 1 << 12;

/// What stands for values that fault, and which faults there were.
#[derive(Clone, Debug)]
pub struct Instead {
    fill: u8,
    met: Arc<Mutex<Vec<Fault>>>,
}

impl Instead {
    /// With numbers that are `fill`, and vectors of so many elements.
    pub fn of(fill: u8) -> Instead {
        Instead { fill, met: Arc::default() }
    }

    /// The faults of the runs so far, in order.
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

    /// What stands for a vector of type `ty` that has not the number of elements that its shape says, if that is a number: so many.
    /// The fault is noted.
    pub(super) fn of_elements(&self, fault: Fault, count: Option<usize>, ty: &Type) -> Value {
        let any = self.of_fault(fault, ty);
        match (ty.element(), count) {
            (Some(element), Some(count @ ..=MAX_ELEMENTS)) => Value::vec(vec![self.value(element); count]),
            _ => any,
        }
    }
}
