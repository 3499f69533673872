//! Types of the language that are called as those of Rust are, by paths of the crate that they are in as well.

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::Column;

/// The type of dates or of times at `path`, which may begin with the name of the crate.
pub fn temporal(path: &str) -> Option<Temporal> {
    Temporal::from_name(of_crate(path))
}

/// The float of 16 bits at `path`, which may begin with the name of the crate, or of the one that it comes from.
pub fn half(path: &str) -> Option<Half> {
    let path = path.strip_prefix("::").unwrap_or(path);
    let name = path.strip_prefix("half::").or_else(|| path.strip_prefix("weldment::"));
    Half::from_name(name.unwrap_or(path))
}

/// The name of the type of columns as Arrow has them at `path`, which may begin with the name of the crate.
pub fn column(path: &str) -> Option<&'static str> {
    [Column::STRINGS, Column::NULLABLE].into_iter().find(|name| *name == of_crate(path))
}

/// `path` without the name of the crate in front.
fn of_crate(path: &str) -> &str {
    let path = path.strip_prefix("::").unwrap_or(path);
    path.strip_prefix("weldment::").unwrap_or(path)
}

/// The name of the type of decimal numbers, in front of `(` or `::`: as it is written there.
pub(crate) fn of_fixed(scale: Scale) -> String {
    format!("Fixed::<{}>", scale.digits())
}

/// The scale and the rest of the path, if `name` begins with [`of_fixed`].
pub(crate) fn fixed(name: &str) -> Option<(Scale, Option<&str>)> {
    let (digits, rest) = name.strip_prefix("Fixed::<")?.split_once('>')?;
    Some((Scale::new(digits.parse().ok()?)?, rest.strip_prefix("::")))
}
