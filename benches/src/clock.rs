//! Clocks: the processor's and the one on the wall.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// Which time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The processor's, of the whole process: for one thread, whatever else the machine does.
    Cpu,
    /// The one on the wall, for several threads.
    Wall,
}

/// A moment of a clock.
pub(crate) enum Moment {
    Cpu(ProcessTime),
    Wall(Instant),
}

impl Clock {
    pub(crate) fn of(threads: usize) -> Clock {
        if threads == 1 { Clock::Cpu } else { Clock::Wall }
    }

    pub(crate) fn now(self) -> Moment {
        match self {
            Clock::Cpu => Moment::Cpu(ProcessTime::now()),
            Clock::Wall => Moment::Wall(Instant::now()),
        }
    }

    pub(crate) fn since(self, start: Moment) -> Duration {
        match start {
            Moment::Cpu(start) => start.elapsed(),
            Moment::Wall(start) => start.elapsed(),
        }
    }
}
