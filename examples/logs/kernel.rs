//! The summary as a kernel: what a line says is a function of its own.

use weldment::{Dict, Kernel, Timestamp, weld, welded};

use crate::answer::Summary;

/// The hits of each page, errors of each hour, both quantiles, and the numbers of users and of lines that are read.
type Parts = (Dict<String, i64>, Dict<Timestamp, i64>, (f64, f64), i64, i64);

/// The user, the moment, the page, the status and the seconds of a line, if it has them.
#[welded(kernels)]
pub(crate) fn hit(line: &str) -> Option<(String, Timestamp, String, i32, f64)> {
    line.split_once(" ").and_then(|(user, rest)| {
        rest.split_once(" GET ").and_then(|(at, rest)| {
            rest.split_once(" ").and_then(|(page, rest)| {
                rest.split_once(" ").and_then(|(status, seconds)| {
                    match (at.parse::<Timestamp>(), status.parse::<i32>(), seconds.parse::<f64>()) {
                        (Some(at), Some(status), Some(seconds)) => Some((user, at, page, status, seconds)),
                        _ => None,
                    }
                })
            })
        })
    })
}

/// All of it in one pass over the lines.
pub(crate) static SUMMARY: Kernel<fn(&[String]) -> Parts> = weld!(|lines: &[String]| {
    let hits = lines.filter_map(|line| hit(line));
    let pages = hits.reduce_by(|(_user, _at, page, _status, _seconds)| page, |_hit| 1i64, +);
    let errors = hits.filter(|h| h.3 >= 500).reduce_by(|h| h.1.trunc("hour"), |_hit| 1i64, +);
    let seconds = hits.map(|h| h.4);
    let users = hits.map(|h| h.0).n_unique();
    (pages, errors, (seconds.quantile(0.5), seconds.quantile(0.99)), users, hits.count())
});

/// The answer of the kernel, in the order in which it is shown.
pub(crate) fn summary(lines: &[String]) -> Summary {
    let (pages, errors, seconds, users, read) = SUMMARY(lines);
    let mut pages: Vec<(String, i64)> = pages.into_iter().collect();
    pages.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    pages.truncate(10);
    let mut errors: Vec<(Timestamp, i64)> = errors.into_iter().collect();
    errors.sort_unstable();
    Summary { pages, errors, seconds, users, unread: lines.len() as i64 - read }
}
