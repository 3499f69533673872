//! A program that runs in two forms.

use std::fmt;
use std::time::Duration;

use crate::timed::timed;

/// What came of both forms.
pub(crate) struct Compared {
    name: String,
    kernel: Duration,
    hand: Duration,
    /// Whether both gave the same.
    pub(crate) is_equal: bool,
}

/// Runs both forms and compares what they give.
pub(crate) fn compared<T: PartialEq>(name: &str, kernel: impl Fn() -> T, hand: impl Fn() -> T) -> Compared {
    let (by_kernel, kernel) = timed(kernel);
    let (by_hand, hand) = timed(hand);
    Compared { name: name.to_owned(), kernel, hand, is_equal: by_kernel == by_hand }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let (kernel, hand) = (milliseconds(self.kernel), milliseconds(self.hand));
        let outcome = if self.is_equal { "" } else { "  differ" };
        write!(f, "{:<44} {kernel:>7.2} ms {hand:>7.2} ms {:>7.2}{outcome}", self.name, kernel / hand)
    }
}
