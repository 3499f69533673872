//! An explanation as one page of HTML: the program and the loops that run, the loops before and after fusion as a drawing,
//! what each pass changed, every form of the program on its way to machine code, and the report.
//!
//! The page is one file that needs nothing besides: style and script are in it, and it asks no network for anything. Without
//! its script it is all there, one part below the other, and its links work; the script makes tabs of the parts and lights up
//! what belongs together.
//!
//! Everything of the user's is written through [`maud`], which escapes it.

mod subject;

mod names;

mod source;

mod links;

mod diff;

mod hot;

mod layout;

mod draw;

mod view;

pub use subject::Subject;

use links::Links;

/// The page.
pub fn render(subject: &Subject<'_>) -> String {
    let links = Links::of(subject);
    view::document(subject, &links, &names::of(subject.source)).into_string()
}

#[cfg(test)]
mod tests;
