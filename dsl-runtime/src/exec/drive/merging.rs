//! Outcomes of tasks, until they are the next to be merged.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::task::RunningTask;
use super::token_cell::Token;
use crate::lang::fault::Fault;

/// What a task came to.
pub(super) struct Outcome<'l> {
    /// The iterations of the task.
    pub(super) range: Range<usize>,
    /// The task, with the totals of the chunks that were run, and its state.
    pub(super) task: Box<dyn RunningTask + 'l>,
    /// What ended it before all of its chunks were run.
    pub(super) fault: Option<Fault>,
}

impl Outcome<'_> {
    /// Merges what the task came to; the fault that ended it comes after what it had.
    pub(super) fn merge(self, token: &mut Token) -> Result<(), Fault> {
        self.task.merge(self.fault.is_none(), token)?;
        self.fault.map_or(Ok(()), Err)
    }
}

/// The outcomes that are deferred, for an earlier one is not there.
pub(super) struct Merging<'l>(Mutex<Merged<'l>>);

pub(super) struct Merged<'l> {
    /// The token of the total, unless a thread merges what is next.
    token: Option<Token>,
    /// The first iteration that is not merged.
    next: usize,
    /// In no order.
    deferred: Vec<Outcome<'l>>,
    /// The first fault: what is deferred behind it is never merged.
    pub(super) fault: Option<Fault>,
}

impl<'l> Merging<'l> {
    /// Of the total that this token opens.
    pub(super) fn new(token: Token) -> Merging<'l> {
        Merging(Mutex::new(Merged { token: Some(token), next: 0, deferred: Vec::new(), fault: None }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Merged<'l>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first fault, if there was one, of a loop of `n` iterations.
    pub(super) fn end(self, n: usize) -> Result<(), Fault> {
        let merged = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(fault) = merged.fault {
            return Err(fault);
        }
        assert_eq!(merged.next, n, "every task is merged");
        Ok(())
    }
}

impl<'l> Merged<'l> {
    /// Keeps an outcome until it is the next. Whoever gets the token is to merge what is next, and to give it back then.
    pub(super) fn defer(&mut self, outcome: Outcome<'l>) -> Option<Token> {
        self.deferred.push(outcome);
        self.token.take()
    }

    /// Gives back the token that [`Merged::defer`] gave.
    pub(super) fn give_back(&mut self, token: Token) {
        self.token = Some(token);
    }

    /// The outcome that is next, if it is there.
    pub(super) fn take_next(&mut self) -> Option<Outcome<'l>> {
        let is_next = |outcome: &Outcome<'_>| outcome.range.start == self.next;
        let place = self.deferred.iter().position(is_next).filter(|_| self.fault.is_none())?;
        let outcome = self.deferred.swap_remove(place);
        self.next = outcome.range.end;
        Some(outcome)
    }
}
