//! Habits: what Rust, data frames, SQL and NumPy call by other names, and how it is said here.

mod rust;
mod tables;

/// What to write instead of a call of `name`, where the language says it in another way. Some are so only as methods: as functions
/// these names are free for the user's.
pub(super) fn instead_of(name: &str, is_method: bool) -> Option<&'static str> {
    let methods = if is_method { tables::HABITS } else { &[] };
    let mut habits = rust::HABITS.iter().chain(methods);
    habits.find(|(names, _)| names.contains(&name)).map(|&(_, advice)| advice)
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
