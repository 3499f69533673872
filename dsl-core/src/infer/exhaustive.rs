//! Whether the arms of a `match` are for all values, and whether each is for some that none before it is for.
//!
//! Both are the question whether a pattern is useful behind others: whether it matches a value that they do not (Maranget, Warnings for
//! pattern matching, 2007). Integers are asked by the ranges into which the bounds of the patterns cut their type.

use proc_macro2::Span;
use weldment_runtime::lang::scalar;
use weldment_runtime::lang::types::Scalar;

use super::fields::Fields;
use super::ty::Ty;
use super::typed::Expr;
use crate::diagnostic::{Code, Diagnostic};

/// What is to be asked of a `match` once its type is known.
pub(super) struct Arms {
    /// Of what it looks at.
    pub(super) ty: Ty,
    /// The word.
    pub(super) span: Span,
    pub(super) is_if_let: bool,
    pub(super) arms: Vec<Asked>,
    /// The test of the last arm: what is left matches it, so that it is not made.
    pub(super) last: Option<Expr>,
}

/// What an arm is for.
pub(super) struct Asked {
    /// What each alternative matches, and where it stands.
    pub(super) alternatives: Vec<(Values, Span)>,
    pub(super) has_guard: bool,
}

/// Which values a pattern matches.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// All.
    Any,
    /// Integers from the first to the second. `false` is 0, and `true` is 1.
    Range(i128, i128),
    /// Structs whose fields match.
    Fields(Vec<Values>),
    /// This vector.
    Bytes(Vec<u8>),
    /// What one of these matches.
    Or(Vec<Values>),
    /// What is equal to something that is not known before the program runs.
    Unknown,
}

/// How many rows may be looked at for one `match`. In the worst case their number is exponential in that of the arms.
const MAX_ROWS: usize = 1 << 20;

/// The patterns for the parts of a value, the first part last.
type Row<'a> = Vec<&'a Values>;

/// What is asked for takes more than [`MAX_ROWS`] rows.
struct TooLong;

/// What is wrong with `arms`, for a value of type `ty`.
pub(super) fn check(arms: &Arms, ty: &Ty) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut before: Vec<Row<'_>> = Vec::new();
    let mut search = Search { left: MAX_ROWS };
    for arm in &arms.arms {
        let outside = before.len();
        for (values, span) in &arm.alternatives {
            // What takes too long is taken to be right: nothing but a word of advice is lost.
            if let Ok(None) = search.beside(&before, values, ty) {
                errors.push(unreached(*span));
            }
            before.push(vec![values]);
        }
        if arm.has_guard {
            before.truncate(outside);
        }
    }
    if arms.is_if_let && !errors.is_empty() {
        return vec![irrefutable(&arms.arms[0].alternatives[0])];
    }
    if arms.arms.last().is_some_and(|last| arms.last.is_none() && !last.has_guard) {
        return errors;
    }
    match (Search { left: MAX_ROWS }).beside(&before, &Values::Any, ty) {
        Ok(None) => {}
        Ok(Some(missing)) => errors.push(not_all(&show(&missing, ty), arms)),
        Err(TooLong) => {
            let message = "whether this `match` has an arm for every value is not found out in time";
            let error = Diagnostic::new(Code::Arms, arms.span, message);
            errors.push(error.help("end it with an arm for what is left, `_ => …`"));
        }
    }
    errors
}

/// A search for values.
struct Search {
    /// How many rows may still be looked at.
    left: usize,
}

impl Search {
    /// A value that `asked` matches, and none of the rows `before`.
    fn beside(&mut self, before: &[Row<'_>], asked: &Values, ty: &Ty) -> Result<Option<Values>, TooLong> {
        let found = self.useful(before, &vec![asked], &[ty])?;
        Ok(found.map(|mut parts| parts.remove(0)))
    }

    /// The parts of a value that `asked` matches and none of `rows`, all of parts of these types.
    fn useful<'a>(
        &mut self,
        rows: &[Row<'a>],
        asked: &Row<'a>,
        types: &[&'a Ty],
    ) -> Result<Option<Vec<Values>>, TooLong> {
        let Some((ty, others)) = types.split_last() else { return Ok(rows.is_empty().then(Vec::new)) };
        let rows = alternatives(rows);
        self.left = self.left.checked_sub(rows.len() + 1).ok_or(TooLong)?;
        let head = *asked.last().expect("a pattern for each part");
        if let Values::Or(all) = head {
            for one in all {
                let mut asked = asked.clone();
                *asked.last_mut().expect("a pattern for each part") = one;
                if let Some(found) = self.useful(&rows, &asked, types)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        }
        match ty {
            Ty::Struct(fields) if fields.as_enum().is_some() => {
                let numbers: Vec<i128> = numbers(fields).collect();
                let is_there = |low, high| numbers.iter().any(|number| (low..=high).contains(number));
                let whole = (*numbers.iter().min().unwrap_or(&0), *numbers.iter().max().unwrap_or(&0));
                self.useful_range(&rows, (asked, head), others, (whole, &is_there))
            }
            Ty::Struct(fields) if !fields.is_text() => {
                let types: Vec<&Ty> = others.iter().copied().chain(fields.iter().rev()).collect();
                let rows: Vec<Row<'a>> = rows.iter().map(|row| apart(row, fields.len())).collect();
                let found = self.useful(&rows, &apart(asked, fields.len()), &types)?;
                Ok(found.map(|mut parts| {
                    let mut fields = parts.split_off(others.len());
                    fields.reverse();
                    parts.push(Values::Fields(fields));
                    parts
                }))
            }
            Ty::Scalar(scalar) if domain(*scalar).is_some() => {
                let whole = domain(*scalar).expect("has been asked for");
                self.useful_range(&rows, (asked, head), others, (whole, &|_, _| true))
            }
            _ => {
                let matches = |row: &&Row<'a>| match (row.last(), head) {
                    (Some(Values::Any), _) => true,
                    (Some(Values::Bytes(one)), Values::Bytes(other)) => one == other,
                    _ => false,
                };
                let rows: Vec<Row<'a>> = rows.iter().filter(matches).map(|row| rest(row)).collect();
                self.with(Values::Any, &rows, asked, others)
            }
        }
    }

    /// As `useful`, of a first part that is one of the integers from `whole.0` to `whole.1`, as far as `is_there` finds one in a range of them.
    fn useful_range<'a>(
        &mut self,
        rows: &[Row<'a>],
        (asked, head): (&Row<'a>, &Values),
        others: &[&'a Ty],
        (whole, is_there): ((i128, i128), &dyn Fn(i128, i128) -> bool),
    ) -> Result<Option<Vec<Values>>, TooLong> {
        let (first, last) = bounds(head, whole);
        // Where the ranges begin that no row divides; there is no number behind the last of an i128.
        let mut starts: Vec<i128> = rows
            .iter()
            .map(|row| bounds(row.last().expect("a pattern for each part"), whole))
            .flat_map(|(low, high)| [Some(low), high.checked_add(1)])
            .flatten()
            .chain([first])
            .filter(|start| (first..=last).contains(start))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let mut is_left = true;
        for (number, &low) in starts.iter().enumerate() {
            let high = starts.get(number + 1).map_or(last, |next| next - 1);
            if !is_there(low, high) {
                continue;
            }
            let covers = |row: &&Row<'a>| {
                let (from, to) = bounds(row.last().expect("a pattern for each part"), whole);
                from <= low && high <= to
            };
            let rows: Vec<&Row<'a>> = rows.iter().filter(covers).collect();
            self.left = self.left.checked_sub(rows.len() + 1).ok_or(TooLong)?;
            let is_named = rows.iter().any(|row| matches!(row.last(), Some(Values::Range(..))));
            // Wherever no row names the number, the same rows are left.
            if !is_named && !std::mem::take(&mut is_left) {
                continue;
            }
            let rows: Vec<Row<'a>> = rows.into_iter().map(rest).collect();
            let range = if (low, high) == whole { Values::Any } else { Values::Range(low, high) };
            if let Some(found) = self.with(range, &rows, asked, others)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// As `useful`, of the parts behind the first, which is one of `head`.
    fn with<'a>(
        &mut self,
        head: Values,
        rows: &[Row<'a>],
        asked: &Row<'a>,
        others: &[&'a Ty],
    ) -> Result<Option<Vec<Values>>, TooLong> {
        let found = self.useful(rows, &rest(asked), others)?;
        Ok(found.map(|mut parts| {
            parts.push(head);
            parts
        }))
    }
}

/// The rows, one for each alternative of the first pattern; without those that may match nothing.
fn alternatives<'a>(rows: &[Row<'a>]) -> Vec<Row<'a>> {
    let mut all = Vec::new();
    let mut left: Vec<Row<'a>> = rows.iter().rev().cloned().collect();
    while let Some(row) = left.pop() {
        match row.last() {
            Some(Values::Or(parts)) => left.extend(parts.iter().rev().map(|part| {
                let mut row = row.clone();
                *row.last_mut().expect("a pattern for each part") = part;
                row
            })),
            Some(Values::Unknown) => {}
            _ => all.push(row),
        }
    }
    all
}

/// The row with the patterns of so many fields in place of the first.
fn apart<'a>(row: &Row<'a>, fields: usize) -> Row<'a> {
    let mut parts = rest(row);
    match row.last() {
        Some(Values::Fields(all)) => parts.extend(all.iter().rev()),
        _ => parts.extend(std::iter::repeat_n(&Values::Any, fields)),
    }
    parts
}

fn rest<'a>(row: &Row<'a>) -> Row<'a> {
    row[..row.len() - 1].to_vec()
}

/// The least and the greatest number of `whole` that `values` matches.
fn bounds(values: &Values, whole: (i128, i128)) -> (i128, i128) {
    match values {
        Values::Range(first, last) => ((*first).max(whole.0), (*last).min(whole.1)),
        _ => whole,
    }
}

/// The least and the greatest number of a type that patterns cut into ranges.
fn domain(scalar: Scalar) -> Option<(i128, i128)> {
    if scalar == Scalar::Bool {
        return Some((0, 1));
    }
    Some((scalar::smallest(scalar).as_integer()?, scalar::largest(scalar).as_integer()?))
}

/// The numbers of the variants of an enum.
fn numbers(fields: &Fields) -> impl Iterator<Item = i128> {
    fields.as_enum().into_iter().flat_map(|variants| variants.iter().map(|(_, number)| *number))
}

/// A pattern that matches `values`, of type `ty`.
fn show(values: &Values, ty: &Ty) -> String {
    match (values, ty) {
        (Values::Fields(fields), Ty::Struct(types)) => {
            let part = |number: usize| show(&fields[number], &types[number]);
            if types.as_option().is_some() {
                return match &fields[0] {
                    Values::Range(0, _) => "None".to_owned(),
                    Values::Range(..) => format!("Some({})", part(1)),
                    _ => "_".to_owned(),
                };
            }
            let parts: Vec<String> = (0..fields.len()).map(part).collect();
            if types.as_fixed_array().is_some() {
                return format!("[{}]", parts.join(", "));
            }
            if parts.iter().all(|part| part == "_") {
                return "_".to_owned();
            }
            let Some(named) = types.name() else {
                return format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" });
            };
            if !types.has_members() {
                return format!("{}({})", named.shown, parts.join(", "));
            }
            let asked = named.members.iter().zip(&parts).filter(|(_, part)| *part != "_");
            let asked: Vec<String> = asked.map(|(member, part)| format!("{member}: {part}")).collect();
            let rest = if asked.len() < parts.len() { ", .." } else { "" };
            format!("{} {{ {}{rest} }}", named.shown, asked.join(", "))
        }
        (Values::Range(first, last), Ty::Struct(fields)) => {
            let shown = fields.name().map_or("", |named| &named.shown);
            let mut variants = fields.as_enum().into_iter().flat_map(|variants| variants.iter());
            let variant = variants.find(|(_, number)| (first..=last).contains(&number));
            variant.map_or("_".to_owned(), |(name, _)| format!("{shown}::{name}"))
        }
        (Values::Range(first, last), Ty::Scalar(Scalar::Bool)) if first == last => (*first == 1).to_string(),
        (Values::Range(first, last), Ty::Scalar(scalar)) => {
            let whole = domain(*scalar).unwrap_or((*first, *last));
            match (*first == whole.0, *last == whole.1) {
                _ if first == last => first.to_string(),
                (true, false) => format!("..={last}"),
                (false, true) => format!("{first}.."),
                _ => format!("{first}..={last}"),
            }
        }
        _ => "_".to_owned(),
    }
}

/// The error of a `match` that says nothing of `missing`.
fn not_all(missing: &str, arms: &Arms) -> Diagnostic {
    let message = format!("this `match` has no arm for `{missing}`");
    let error = Diagnostic::new(Code::Arms, arms.span, message);
    let error = match missing {
        "_" => error.help("add one for what is left, `_ => …`"),
        _ => error.help(format!("add one, `{missing} => …`, or one for what is left, `_ => …`")),
    };
    match arms.arms.iter().any(|arm| arm.has_guard) {
        true => error.note("an arm with a condition is passed over where that does not hold"),
        false => error,
    }
}

/// The error of a pattern that nothing is left for.
fn unreached(span: Span) -> Diagnostic {
    let message = "nothing is left for this pattern: those before it match all that it does";
    Diagnostic::new(Code::Arms, span, message).help("leave it out, or put it before them")
}

/// The error of an `if let` whose pattern always matches.
fn irrefutable((_, span): &(Values, Span)) -> Diagnostic {
    Diagnostic::new(Code::Arms, *span, "this pattern matches every value, so that the `else` is never taken")
        .help("bind it with `let`")
}
