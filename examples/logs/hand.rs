//! The same by hand, as one writes it with rayon.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use weldment::{Span, Timestamp};

use crate::answer::Summary;

/// What some of the lines say.
#[derive(Default)]
struct Part<'l> {
    pages: HashMap<&'l str, i64>,
    errors: HashMap<Timestamp, i64>,
    seconds: Vec<f64>,
    users: HashSet<&'l str>,
}

struct Hit<'l> {
    user: &'l str,
    at: Timestamp,
    page: &'l str,
    status: i32,
    seconds: f64,
}

fn hit(line: &str) -> Option<Hit<'_>> {
    let (user, rest) = line.split_once(' ')?;
    let (at, rest) = rest.split_once(" GET ")?;
    let (page, rest) = rest.split_once(' ')?;
    let (status, seconds) = rest.split_once(' ')?;
    let (at, status, seconds) = (at.parse().ok()?, status.parse().ok()?, seconds.parse().ok()?);
    Some(Hit { user, at, page, status, seconds })
}

impl<'l> Part<'l> {
    fn with(mut self, line: &'l str) -> Part<'l> {
        let Some(hit) = hit(line) else { return self };
        *self.pages.entry(hit.page).or_default() += 1;
        if hit.status >= 500 {
            let hour = hit.at.date().midnight() + Span::from_hours(hit.at.time().as_hours());
            *self.errors.entry(hour).or_default() += 1;
        }
        self.seconds.push(hit.seconds);
        self.users.insert(hit.user);
        self
    }

    fn and(mut self, other: Part<'l>) -> Part<'l> {
        other.pages.into_iter().for_each(|(page, hits)| *self.pages.entry(page).or_default() += hits);
        other.errors.into_iter().for_each(|(hour, errors)| *self.errors.entry(hour).or_default() += errors);
        self.seconds.extend(other.seconds);
        self.users.extend(other.users);
        self
    }
}

/// As `kernel::summary`.
pub(crate) fn summary(lines: &[String]) -> Summary {
    let all =
        lines.par_iter().fold(Part::default, |part, line| part.with(line)).reduce(Part::default, Part::and);
    let Part { pages, errors, mut seconds, users } = all;
    let mut pages: Vec<(String, i64)> =
        pages.into_iter().map(|(page, hits)| (page.to_owned(), hits)).collect();
    pages.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    pages.truncate(10);
    let mut errors: Vec<(Timestamp, i64)> = errors.into_iter().collect();
    errors.sort_unstable();
    let unread = (lines.len() - seconds.len()) as i64;
    Summary {
        pages,
        errors,
        seconds: (quantile(&mut seconds, 0.5), quantile(&mut seconds, 0.99)),
        users: users.len() as i64,
        unread,
    }
}

/// Between the two numbers around a place, in a line.
fn quantile(numbers: &mut [f64], q: f64) -> f64 {
    let at = q * (numbers.len() - 1) as f64;
    let (_, &mut low, above) = numbers.select_nth_unstable_by(at as usize, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    if at == at.floor() { low } else { low + (high - low) * (at - at.floor()) }
}
