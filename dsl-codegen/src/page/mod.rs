//! An explanation as one page of HTML: the program and the loops that run, the loops before and after fusion as a drawing,
//! what each pass changed, every form of the program on its way to machine code, and the report.
//!
//! The page is one file that needs nothing besides: style and script are in it, and it asks no network for anything. Without
//! its script it is all there, one part below the other, and its links work; the script makes tabs of the parts and lights up
//! what belongs together.
//!
//! Everything of the user's is written through [`maud`], which escapes it.

mod source;

mod links;

mod diff;

mod hot;

mod layout;

mod draw;

mod view;

use weldment_core::explain::Stage;
use weldment_core::history::History;
use weldment_core::ir::Line;
use weldment_core::syntax::ast::Pattern;
use weldment_core::syntax::parse_text;
use weldment_runtime::lang::fault::Position;

use links::Links;

/// What a page is about.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// What the program is called.
    pub title: &'a str,
    /// The program as it was written.
    pub source: &'a str,
    /// What the optimiser made of it, and how its loops run.
    pub history: &'a History,
    /// The loop IR.
    pub loops: Vec<Line<Position>>,
    /// What was emitted: stages `rust`, `llvm` and `asm`, as far as they could be had.
    pub code: Vec<Stage>,
}

/// The page.
pub fn render(subject: &Subject<'_>) -> String {
    let links = Links::of(subject);
    view::document(subject, &links, &names(subject.source)).into_string()
}

/// The names of the parameters; `argument 2` for one that is taken apart.
fn names(source: &str) -> Vec<String> {
    let Ok(program) = parse_text(source) else { return Vec::new() };
    let name = |(number, pattern): (usize, &Pattern)| match pattern {
        Pattern::Name(name) => name.name.clone(),
        _ => argument(number),
    };
    program.closure.params.iter().map(|param| &param.pattern).enumerate().map(name).collect()
}

/// What a parameter without a name is called.
fn argument(number: usize) -> String {
    format!("argument {}", number + 1)
}

#[cfg(test)]
mod tests;
