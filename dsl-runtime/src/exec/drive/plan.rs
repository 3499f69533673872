//! What is said of how a loop is split.

/// How a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The iterations of a chunk, at least 1.
    pub chunk: u64,
    /// What one state stands for.
    pub task: Task,
}

/// What the state of a task stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Any run of chunks: states of smaller tasks, merged in order, give the same result bit for bit.
    Any,
    /// Nothing, since the loop has totals only: any run of chunks again, none of which is costly to begin.
    Totals,
    /// As `Any`, in runs so short that what a state collects is still in the caches when its turn comes to be merged, but for
    /// loops on one thread.
    Short,
    /// A segment, of the rule's length or of this many iterations, rounded up to whole chunks: for what is folded
    /// per key with an operator that rounds.
    Segment(Option<u64>),
}
