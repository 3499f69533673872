//! Holds a program to what it claims of its optimisation: its attributes, how many loops are left, how many intermediates
//! are written to memory, and of how many the rows are computed where they are read; and each `inline`, that a vector is not written.
//!
//! A claim is an equality. What is too much is told at each vector, dictionary or loop that is left, with the refusal that
//! explains it; what is too little at the number that is claimed, for then there is nothing else to point at.

use proc_macro2::Span;

use crate::analysis::structure;
use crate::diagnostic::{Code, Diagnostic, in_order};
use crate::ir::{Entity, Loc, Program};
use crate::lower::Lowered;
use crate::report::{Counted, Left, Materialized, Refusal, Report, RowsAround};
use crate::syntax::attributes::{Attributes, Claim};

/// How many reasons are told of one loop or vector.
const MAX_REASONS: usize = 3;

/// Whether `program` claims anything, by `attributes` or by an `inline`.
pub fn are_made(attributes: &Attributes, program: &Program) -> bool {
    !attributes.claim_nothing() || !structure::inlined(program).is_empty()
}

/// The warnings that `attributes` ask for of `optimised`, whose report is `report`.
///
/// # Errors
/// The claims do not hold: an error for each place that is to blame.
pub fn check(
    attributes: &Attributes,
    optimised: &Lowered,
    report: &Report,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let Counted { stored, loops, windows } = report.left.clone();
    let account = Account { optimised, report, stored, loops, windows };
    let mut errors = account.materialized(attributes);
    errors.extend(account.loops(attributes));
    errors.extend(account.windows(attributes));
    let mut errors = if errors.is_empty() { Vec::new() } else { account.render(attributes, errors) };
    errors.extend(account.not_inlined());
    if !errors.is_empty() {
        return Err(in_order(errors));
    }
    let stored = if attributes.warns { &account.stored[..] } else { &[] };
    let warnings =
        stored.iter().map(|stored| account.of_stored(stored, Span::call_site(), "").into_diagnostic());
    Ok(in_order(warnings.collect()))
}

/// What is left of a program, and why.
struct Account<'a> {
    optimised: &'a Lowered,
    report: &'a Report,
    stored: Vec<Materialized<Loc>>,
    loops: Vec<Left>,
    windows: Vec<RowsAround<Loc>>,
}

/// An error or a warning before it is told.
struct Finding {
    diagnostic: Diagnostic,
    reasons: Vec<String>,
}

impl Finding {
    fn into_diagnostic(self) -> Diagnostic {
        self.reasons.into_iter().fold(self.diagnostic, |diagnostic, reason| diagnostic.note(reason))
    }
}

impl Account<'_> {
    /// The errors, with what to do about them. One whose reasons are those of errors before it comes from the same mistake
    /// of the user, and is not told.
    fn render(&self, attributes: &Attributes, findings: Vec<Finding>) -> Vec<Diagnostic> {
        let mut told: Vec<String> = Vec::new();
        let mut errors = Vec::new();
        for finding in findings {
            let is_echo =
                !finding.reasons.is_empty() && finding.reasons.iter().all(|reason| told.contains(reason));
            if !is_echo {
                told.extend(finding.reasons.iter().cloned());
                errors.push(finding);
            }
        }
        let claim = |name, claim: Option<Claim>, found: usize| claim.map(|_| format!("{name} = {found}"));
        let claims = [
            claim("loops", attributes.loops, self.loops.len()),
            claim("materialized", attributes.materialized, self.stored.len()),
            claim("windows", attributes.windows, self.windows.len()),
        ];
        let claims = claims.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let advise = |error: Finding| {
            let change = if error.reasons.is_empty() { "" } else { "change what the note speaks of, or " };
            let keep = if error.diagnostic.code == Code::FewerLeft {
                "so that it stays so"
            } else {
                "if this is meant"
            };
            error.into_diagnostic().help(format!("{change}write `#[expect({claims})]`, {keep}"))
        };
        in_order(errors.into_iter().map(advise).collect())
    }

    fn materialized(&self, attributes: &Attributes) -> Vec<Finding> {
        let Some(claim) = attributes.materialized else { return Vec::new() };
        let found = self.stored.len();
        if found < claim.number {
            return vec![fewer("materialized", "written to memory", claim, found)];
        }
        let allowed = allowed("materialized", claim);
        let broken = if found == 1 { allowed } else { format!(", one of {found}{allowed}") };
        let excess = if found > claim.number { &self.stored[..] } else { &[] };
        excess.iter().map(|stored| self.of_stored(stored, claim.span, &broken)).collect()
    }

    fn of_stored(&self, stored: &Materialized<Loc>, otherwise: Span, broken: &str) -> Finding {
        let message = format!("a {} is written to memory{broken}", stored.what);
        let diagnostic = Diagnostic::new(Code::Materialized, self.span(stored.at, otherwise), message);
        Finding { diagnostic, reasons: self.reasons_of(stored.at) }
    }

    /// Why the vector or dictionary that is made at `at` is written to memory.
    fn reasons_of(&self, at: Loc) -> Vec<String> {
        let made = self.optimised.positions.get(at);
        let mut reasons: Vec<_> = self.reasons(|refused| refused.producer == Some(made)).collect();
        if reasons.is_empty() {
            let reader = structure::reader_of(&self.optimised.program, at);
            reasons.extend(reader.map(|reader| format!("{} needs it whole", self.other(reader, at))));
        }
        reasons
    }

    /// The errors of vectors that `inline` says are not written, and that are.
    fn not_inlined(&self) -> Vec<Diagnostic> {
        let error = |(written, is_result): (Materialized<Loc>, bool)| {
            let (what, at) = (&written.what, self.span(written.at, Span::call_site()));
            let message = format!("a {what} is written to memory, where `inline` says that it is not");
            let error = Diagnostic::new(Code::NotInlined, at, message);
            let reasons = match is_result {
                true => vec!["it is part of the result".to_owned()],
                false => self.reasons_of(written.at),
            };
            Finding { diagnostic: error, reasons }
                .into_diagnostic()
                .help("change what the note speaks of, or leave out `inline`")
        };
        structure::inlined(&self.optimised.program).into_iter().map(error).collect()
    }

    fn loops(&self, attributes: &Attributes) -> Vec<Finding> {
        let Some(claim) = attributes.loops else { return Vec::new() };
        let found = self.loops.len();
        if found < claim.number {
            return vec![fewer("loops", "left", claim, found)];
        }
        // To blame are those that something could have been fused with; then those inside of others; then all.
        let excess = found - claim.number;
        let is_refused = |one: &&Left| self.reasons_at(one.at).next().is_some();
        let mut blamed: Vec<&Left> = self.loops.iter().filter(is_refused).collect();
        if blamed.len() < excess {
            blamed = self.loops.iter().filter(|one| is_refused(one) || one.inside.is_some()).collect();
        }
        if blamed.len() < excess {
            blamed = self.loops.iter().collect();
        }
        let blamed = if excess > 0 { blamed } else { Vec::new() };
        let this = if found == 1 {
            "this loop is left".to_owned()
        } else {
            format!("this is one of {found} loops that are left")
        };
        let allowed = allowed("loops", claim);
        let finding = |one: &Left| {
            let message = format!("{this}{allowed}");
            let diagnostic = Diagnostic::new(Code::LoopsLeft, self.span(one.at, claim.span), message);
            let inside =
                one.inside.map(|outer| format!("it runs inside of that of {}", self.other(outer, one.at)));
            let reasons = self.reasons_at(one.at).chain(inside).collect();
            Finding { diagnostic, reasons }
        };
        blamed.into_iter().map(finding).collect()
    }

    fn windows(&self, attributes: &Attributes) -> Vec<Finding> {
        let Some(claim) = attributes.windows else { return Vec::new() };
        let found = self.windows.len();
        if found < claim.number {
            return vec![fewer("windows", "computed where they are read", claim, found)];
        }
        let allowed = allowed("windows", claim);
        let excess = if found > claim.number { &self.windows[..] } else { &[] };
        let finding = |window: &RowsAround<Loc>| {
            let message = format!("the rows of this array are computed where they are read{allowed}");
            let diagnostic = Diagnostic::new(Code::WindowsLeft, self.span(window.at, claim.span), message);
            Finding { diagnostic, reasons: Vec::new() }
        };
        excess.iter().map(finding).collect()
    }

    /// Why the loop at `at` was not fused with one before it.
    fn reasons_at(&self, at: Loc) -> impl Iterator<Item = String> {
        let at = self.optimised.positions.get(at);
        self.reasons(move |refused| refused.at == at)
    }

    /// The refusals of fusion that `fit`, told.
    fn reasons(&self, fit: impl Fn(&Refusal) -> bool) -> impl Iterator<Item = String> {
        let fit = self.report.refused.iter().filter(move |refused| !refused.is_branch() && fit(refused));
        fit.take(MAX_REASONS).map(|refused| {
            let because = refused.because.unwrap_or(refused.at);
            format!("not fused ({}): {}, at {because}", refused.rule, refused.reason)
        })
    }

    /// The source at `loc`, and where that is; said so if that is the term at `than`, which has several loops then.
    fn other(&self, loc: Loc, than: Loc) -> String {
        let positions = &self.optimised.positions;
        if positions.get(loc) == positions.get(than) {
            return format!("another loop of {}", self.place(loc));
        }
        self.place(loc)
    }

    /// The source at `loc`, and where that is.
    fn place(&self, loc: Loc) -> String {
        let positions = &self.optimised.positions;
        match positions.excerpt(loc) {
            Some(text) => format!("`{text}` at {}", positions.get(loc)),
            None => format!("what stands at {}", positions.get(loc)),
        }
    }

    fn span(&self, loc: Loc, otherwise: Span) -> Span {
        self.optimised.spans.get(loc.index()).copied().unwrap_or(otherwise)
    }
}

/// What a claim allows, behind what is beyond it.
fn allowed(name: &str, claim: Claim) -> String {
    let allowed = if claim.number == 0 { "none".to_owned() } else { claim.number.to_string() };
    format!(", where `#[expect({name} = {})]` allows {allowed}", claim.number)
}

/// The error of a claim that is too lax.
fn fewer(name: &str, what: &str, claim: Claim, found: usize) -> Finding {
    let found = match found {
        0 => "none is".to_owned(),
        1 => "only 1 is".to_owned(),
        _ => format!("only {found} are"),
    };
    let message = format!("`{name} = {}` is claimed, and {found} {what}", claim.number);
    Finding { diagnostic: Diagnostic::new(Code::FewerLeft, claim.span, message), reasons: Vec::new() }
}
