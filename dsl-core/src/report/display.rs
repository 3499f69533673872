//! The report as text, for people.

use std::fmt;

use super::{Assumption, Decision, Fusion, Materialized, Refusal, Report};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stopped) = self.stopped {
            writeln!(f, "{stopped}")?;
        }
        for known in &self.constants {
            writeln!(f, "{known}")?;
        }
        writeln!(f, "loops: {}", self.loops)?;
        writeln!(f, "intermediates in memory: {}", self.materialized)?;
        for Fusion { rule, at, producer, .. } in &self.fused {
            match producer {
                Some(producer) => writeln!(f, "fused at {at} with {producer} ({rule})")?,
                None => writeln!(f, "fused at {at} ({rule})")?,
            }
        }
        for Decision { what, at, .. } in &self.decided {
            writeln!(f, "at {at} {what}")?;
        }
        for window in &self.windows {
            writeln!(f, "{window}")?;
        }
        for refused in &self.refused {
            let Refusal { rule, reason, at, because, .. } = refused;
            let undone = if refused.is_branch() { "not done" } else { "not fused" };
            write!(f, "{undone} at {at} ({rule}): {reason}")?;
            match because {
                Some(because) => writeln!(f, ", at {because}")?,
                None => writeln!(f)?,
            }
        }
        for Materialized { what, at } in &self.stored {
            writeln!(f, "stored at {at}: {what}")?;
        }
        for Assumption { what, at } in &self.assumed {
            writeln!(f, "fold at {at} {what}")?;
        }
        for running in &self.running {
            write!(f, "{}loop at {}: ", "  ".repeat(running.depth), running.at)?;
            if running.makes.is_empty() {
                write!(f, "feeds the loops around")?;
            } else {
                write!(f, "{}", running.makes.join(", "))?;
            }
            if let Some(split) = running.split {
                write!(f, "; on all threads, {split}")?;
            }
            if running.lanes > 1 {
                write!(f, "; {} lanes", running.lanes)?;
            }
            writeln!(f, "; reads {} and writes {} bytes an iteration", running.read, running.written)?;
        }
        for stencil in &self.stencils {
            writeln!(f, "{stencil}")?;
        }
        Ok(())
    }
}
