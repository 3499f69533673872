//! Habits: what Rust, data frames, SQL and NumPy call by other names, and how it is said here.

mod rust;
mod tables;

/// Names, and what to write instead of any of them.
type Habit = (&'static [&'static str], &'static str);

/// What to write instead of the function `name`, where the language says it in another way.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    find(rust::HABITS, name)
}

/// What to write instead of the method `name`, where the language says it in another way.
pub(super) fn instead_of_method(name: &str) -> Option<&'static str> {
    instead_of(name).or_else(|| find(tables::HABITS, name))
}

fn find(habits: &[Habit], name: &str) -> Option<&'static str> {
    habits.iter().find(|(names, _)| names.contains(&name)).map(|&(_, advice)| advice)
}

/// What to write instead of the value `name`, where the language says it in another way.
pub(super) fn instead_of_value(name: &str) -> Option<&'static str> {
    Some(match name {
        "nan" | "NaN" => "write `f64::NAN`",
        "inf" | "Inf" | "infinity" | "Infinity" => "write `f64::INFINITY`",
        "null" | "nil" | "none" => "where there may be no value it is an `Option`: `None`, and `Some(x)`",
        "True" => "write `true`",
        "False" => "write `false`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
