//! What became of a program: its stages as text, and the optimiser's account with places in the source.

use std::fmt;

use crate::ir::{Program, renumber};
use crate::passes::{self, Broken, Options};
use crate::report::{Report, Stencil};
use crate::source::Positions;

/// The stages of one program and the account of its optimisation.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap();
/// // |v: &[f64]| v.map(|x| x * x).sum()
/// let explanation = optimise(&mut lowered.program, &lowered.positions)?;
/// assert_eq!(explanation.report.loops.after, 1);
/// assert!(explanation.to_string().contains("== optimised\nweldment ir 1"));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The program as text, stage by stage.
    pub stages: Vec<Stage>,
    /// What was fused, what was refused and why.
    pub report: Report,
}

/// One stage: a program in one of its forms.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap();
/// // |v: &[f64]| v.map(|x| x * x).sum()
/// let stages = optimise(&mut lowered.program, &lowered.positions)?.stages;
/// assert_eq!(stages[0].name, "ir");
/// assert!(stages[0].text.contains("collect f64") && !stages[1].text.contains("collect f64"));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// `source`, `ir`, `optimised`, `loops`, `rust`, `llvm` or `asm`.
    pub name: &'static str,
    /// The program in that form.
    pub text: String,
}

/// Optimises `program` and gives its stages so far: `ir` and `optimised`.
///
/// # Errors
/// A pass broke the program.
pub fn optimise(program: &mut Program, positions: &Positions) -> Result<Explanation, Broken> {
    optimise_with(program, positions, &Options::default())
}

/// As [`optimise`], with options.
///
/// # Errors
/// A pass broke the program.
pub fn optimise_with(
    program: &mut Program,
    positions: &Positions,
    options: &Options,
) -> Result<Explanation, Broken> {
    let plain = renumber(program).to_string();
    let report = passes::optimize(program, options)?;
    let optimised = renumber(program).to_string();
    let stages = vec![Stage { name: "ir", text: plain }, Stage { name: "optimised", text: optimised }];
    let report = Report { stencils: Stencil::all(program, positions), ..report.in_source(positions) };
    Ok(Explanation { stages, report })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            writeln!(f, "== {}\n{}", stage.name, stage.text.trim_end())?;
            writeln!(f)?;
        }
        write!(f, "== report\n{}", self.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;

    fn account(source: &str) -> Report {
        let mut lowered = front::from_text(source).expect("a program");
        optimise(&mut lowered.program, &lowered.positions).expect("sound passes").report
    }

    #[test]
    fn a_fold_that_is_no_reduction_is_said_to_run_in_order() {
        let in_order = account("|v: &[i32]| v.fold(1.0, |acc, x| acc / 2.0 + x as f64)");
        let told: Vec<_> = in_order.refused.iter().map(|r| (r.rule, r.at.line, r.at.column)).collect();
        assert_eq!(told, [("in order", 1, 15)]);
        assert_eq!(in_order.loops.after, 0);
    }

    fn assumed(source: &str) -> Vec<String> {
        account(source).assumed.iter().map(|assumed| assumed.at.to_string()).collect()
    }

    #[test]
    fn a_fold_by_a_function_is_said_to_be_taken_as_associative() {
        assert_eq!(assumed("|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)"), ["1:15"]);
        assert_eq!(assumed("|v: &[i64]| v.map(|x| x + 1).fold(0, |acc, x| acc ^ x)"), ["1:30"]);
        assert_eq!(assumed("|v: &[f64]| v.fold(0.0, |acc, x| x - acc)"), ["1:15"]);
        assert_eq!(assumed("|v: &[f64]| v.fold(0.0, |acc, x| acc + x * acc)"), ["1:15"]);
        let rows =
            "|v: &[Vec<f64>]| v.map(|row| row.fold(1.0, |acc, x| acc / x) + row.fold(1.0, |acc, x| acc / x))";
        assert_eq!(assumed(rows), ["1:34", "1:68"]);
    }

    #[test]
    fn what_needs_no_promise_is_told_of_none() {
        for source in [
            "|v: &[f64]| v.fold(0.0, |acc, x| acc + x * 0.5)",
            "|v: &[f64], first: f64| v.fold(first, |acc, x| acc.min(x))",
            "|v: &[f64]| v.fold((0.0,), |acc, x| (acc.0 * 0.5 + x,)).0",
            "|v: &[i32]| v.fold(0.0, |acc, x| acc * 0.5 + x as f64)",
            "|v: &[f64]| v.reduce(|a, b| if b > a { b } else { a })",
            "|v: &[f64]| (v.argmax(), v.sum())",
        ] {
            assert_eq!(assumed(source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn folds_that_are_reductions_are_one_loop() {
        for source in [
            "|v: &[i32]| v.map(|x| x * 2).fold(1.0, |acc, x| acc + x as f64)",
            "|v: &[f64]| v.map(|x| x * 2.0).fold(1.0, |acc, x| if acc < x { acc } else { x })",
            "|v: &[f64]| v.filter(|x| x > 0.0).reduce(|a, b| a + b * 2.0)",
            "|v: &[f64]| v.map(|x| x * 2.0).argmin()",
            "|v: &[(i64, f64)]| v.map(|(k, x)| (k + 1, x)).to_dict()",
        ] {
            let account = account(source);
            assert_eq!((account.loops.after, account.materialized.after), (1, 0), "{source}");
            assert_eq!(account.refused, [], "{source}");
        }
    }
}
