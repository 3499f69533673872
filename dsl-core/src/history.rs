//! What each pass made of a program: its text after every pass that changed it, and its loops before and after.
//!
//! An [`Explanation`](crate::explain::Explanation) is stored with every kernel, so it holds the ends only; a history
//! is made when someone looks.

use weldment_runtime::lang::fault::Position;

use crate::analysis::graph::Graph;
use crate::ir::{Line, Loc, Program, print_lines, renumber};
use crate::passes::{self, Broken, Changed, Options};
use crate::report::{Report, Stencil};
use crate::source::Positions;

/// A program on its way through the optimiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The program as it was lowered.
    pub plain: Vec<Line<Position>>,
    /// What each pass that changed something made of it, in the order in which they ran. Values keep their names from
    /// step to step.
    pub steps: Vec<Step>,
    /// The program in the end, its values named anew.
    pub optimised: Vec<Line<Position>>,
    /// The loops before the first pass.
    pub before: Graph<Position>,
    /// The loops after the last.
    pub after: Graph<Position>,
    /// What was fused, what was refused and why.
    pub report: Report,
}

/// The program after a pass that changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the pass.
    pub pass: &'static str,
    /// What such a pass does, in one line.
    pub summary: &'static str,
    /// The program after it.
    pub lines: Vec<Line<Position>>,
}

/// Optimises `program` and keeps what it was on the way.
///
/// # Errors
/// A pass broke the program.
pub fn follow(program: &mut Program, positions: &Positions, options: &Options) -> Result<History, Broken> {
    let place = |loc: Loc| positions.get(loc);
    let lines = |program: &Program| print_lines(program).iter().map(|line| line.map(place)).collect();
    // So that the first step differs from it by what the pass did, and not in the names of values.
    *program = renumber(program);
    let plain = lines(program);
    let before = Graph::of(program).map(place);
    let mut steps = Vec::new();
    let report = passes::optimize_with(program, options, |pass, changed, program| {
        if changed == Changed::Yes {
            steps.push(Step { pass: pass.name, summary: pass.summary, lines: lines(program) });
        }
    })?;
    Ok(History {
        plain,
        steps,
        optimised: lines(&renumber(program)),
        before,
        after: Graph::of(program).map(place),
        report: Report { stencils: Stencil::all(program, positions), ..report.in_source(positions) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;
    use crate::front::from_text;

    fn text(lines: &[Line<Position>]) -> String {
        lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    #[test]
    fn a_history_ends_where_an_explanation_does() {
        for source in [
            "|v: &[f64]| v.filter(|x| x > 0.5).map(|x| x * x).sum()",
            "|v: &[(i64, f64)]| v.group_by(|x| x.0).tovec().map(|(k, g)| (k, g.map(|x| x.1).sum()))",
            "|rows: &[Vec<f64>], k: f64| rows.map(|row| row.map(|x| x * (k + 1.0)).sum())",
            "|x: i64| x",
        ] {
            let lowered = from_text(source).expect("a program");
            let explained = explain::optimise(&mut lowered.program.clone(), &lowered.positions);
            let explained = explained.expect("sound passes");
            let history = follow(&mut lowered.program.clone(), &lowered.positions, &Options::default());
            let history = history.expect("sound passes");
            assert_eq!(text(&history.plain), explained.stages[0].text, "{source}");
            assert_eq!(text(&history.optimised), explained.stages[1].text, "{source}");
            assert_eq!(history.report, explained.report, "{source}");
        }
    }

    #[test]
    fn every_step_differs_from_the_one_before() {
        let lowered = from_text("|v: &[f64]| v.filter(|x| x > 0.5).map(|x| x * x).sum()").expect("a program");
        let history = follow(&mut lowered.program.clone(), &lowered.positions, &Options::default());
        let History { plain, steps, .. } = history.expect("sound passes");
        assert!(steps.len() > 3);
        let mut before = &plain;
        for step in &steps {
            assert_ne!(before, &step.lines, "{}", step.pass);
            before = &step.lines;
        }
    }
}
