//! Why a fusion was not done.

use std::hash::{Hash, Hasher};

use crate::ir::Loc;

/// Why a fusion was not done, in words for users, with gaps for what stands at its places (see
/// [`Refusal::render`](crate::report::Refusal::render)) and for what it costs, `{cost}` and `{limit}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    text: &'static str,
    pub(super) because: Option<Loc>,
    /// What something costs, and what it may cost at most.
    figures: Option<(u64, u64)>,
}

impl Reason {
    pub(super) const fn new(text: &'static str) -> Reason {
        Reason { text, because: None, figures: None }
    }

    /// The same reason, of this place.
    pub(super) fn at(self, because: Loc) -> Reason {
        Reason { because: Some(because), ..self }
    }

    /// The same reason, with what it costs and what it may cost at most.
    pub(super) fn costs(self, cost: u64, limit: u64) -> Reason {
        Reason { figures: Some((cost, limit)), ..self }
    }

    pub(super) fn words(self) -> String {
        match self.figures {
            None => self.text.to_owned(),
            Some((cost, limit)) => {
                self.text.replace("{cost}", &cost.to_string()).replace("{limit}", &limit.to_string())
            }
        }
    }
}

impl Hash for Reason {
    /// A pass has few texts, and refuses by them thousands of times: places tell more, and are shorter.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.text.len(), self.because, self.figures).hash(state);
    }
}
