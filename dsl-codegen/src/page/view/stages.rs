//! The program in all its forms, and what each pass made of it.

use std::ops::Range;

use maud::{Markup, html};
use weldment_core::explain::Stage;
use weldment_core::history::Step;
use weldment_core::ir::Line;
use weldment_runtime::lang::fault::Position;

use crate::page::diff::{Hunk, counts, diff};
use crate::page::hot::{Hot, hot_loops};
use crate::page::{Subject, links};

/// A tab: the id of its panel, its name, what the panel holds.
type Tab = (&'static str, &'static str, Markup);

/// Everything that has a tab.
pub(super) fn stages(subject: &Subject<'_>) -> Markup {
    let history = subject.history;
    let mut tabs: Vec<Tab> = vec![
        ("passes", "passes", passes(&history.plain, &history.steps)),
        ("ir", "ir", listing("ir", "The program as it was lowered.", &history.plain)),
        (
            "optimised",
            "optimised",
            listing("optimised", "The program after the last pass.", &history.optimised),
        ),
    ];
    if !subject.loops.is_empty() {
        tabs.push((
            "loop-ir",
            "loops",
            listing("loops", "The loop IR: which loops run, and what they make.", &subject.loops),
        ));
    }
    tabs.extend(subject.code.iter().map(code));
    html! {
        section #stages {
            div.bar {
                h2 { "Stages" }
                nav.tabs {
                    @for (id, name, _) in &tabs { a href=(format!("#panel-{id}")) { (name) } }
                }
            }
            @for (id, name, content) in &tabs {
                div.panel #(format!("panel-{id}")) {
                    h3.alone { (name) }
                    (content)
                }
            }
        }
    }
}

fn passes(plain: &[Line<Position>], steps: &[Step]) -> Markup {
    if steps.is_empty() {
        return html! { p.none { "No pass changed the program." } };
    }
    let before = std::iter::once(plain).chain(steps.iter().map(|step| &step.lines[..]));
    let changes: Vec<_> = steps
        .iter()
        .zip(before)
        .map(|(step, before)| {
            let texts =
                |lines: &[Line<Position>]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
            let (old, new) = (texts(before), texts(&step.lines));
            let hunks = diff(&refs(&old), &refs(&new));
            (step, before, hunks)
        })
        .collect();
    html! {
        div.rail {
            nav.tabs {
                @for (number, (step, _, hunks)) in changes.iter().enumerate() {
                    @let (added, removed) = counts(hunks);
                    a href=(format!("#step-{}", number + 1)) {
                        span.number { (number + 1) } span.name { (step.pass) }
                        span.change {
                            @if added > 0 { ins { "+" (added) } }
                            @if removed > 0 { del { "−" (removed) } }
                        }
                    }
                }
            }
            div {
                @for (number, (step, before, hunks)) in changes.iter().enumerate() {
                    div.panel #(format!("step-{}", number + 1)) {
                        p.about { b { (number + 1) " " (step.pass) } " " (step.summary) }
                        (changed(before, &step.lines, hunks))
                    }
                }
            }
        }
    }
}

fn refs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// A program with what was changed in it.
fn changed(before: &[Line<Position>], after: &[Line<Position>], hunks: &[Hunk]) -> Markup {
    html! {
        div.code.diff data-lang="ir" {
            @for hunk in hunks {
                @match hunk {
                    Hunk::Same(lines) => { (rows(&after[lines.clone()], "")) }
                    Hunk::Added(lines) => { (rows(&after[lines.clone()], "add")) }
                    Hunk::Removed(lines) => { (rows(&before[lines.clone()], "del")) }
                    Hunk::Folded(lines) => {
                        details {
                            summary { (lines.len()) " lines as before" }
                            (rows(&after[lines.clone()], ""))
                        }
                    }
                }
            }
        }
    }
}

fn rows(lines: &[Line<Position>], class: &str) -> Markup {
    let class = (!class.is_empty()).then_some(class);
    html! {
        @for line in lines { div class=[class] data-at=[line.at.map(links::key)] { (line.text) } }
    }
}

fn listing(id: &str, about: &str, lines: &[Line<Position>]) -> Markup {
    html! {
        p.about { (about) }
        ol.code data-lang="ir" {
            @for (number, line) in lines.iter().enumerate() {
                li #(format!("{id}-{}", number + 1)) data-at=[line.at.map(links::key)] {
                    // The number leads to the token.
                    @if let Some(at) = line.at.filter(|at| at.line > 0) {
                        a.back href=[links::anchor(at)] title=(at) aria-label=(at) {}
                    }
                    (line.text)
                }
            }
        }
    }
}

fn code(stage: &Stage) -> Tab {
    let (name, lang) = match stage.name {
        "llvm" => ("llvm ir", "llvm"),
        "asm" => ("assembly", "asm"),
        "imp" => ("imp", "ir"),
        name => (name, "rust"),
    };
    let hot = if matches!(lang, "llvm" | "asm") { hot_loops(&stage.text) } else { Vec::new() };
    let lines: Vec<&str> = stage.text.lines().collect();
    let is_hot = |number: usize| hot.iter().any(|one| one.lines.contains(&number));
    let starts = |number: usize| hot.iter().position(|one| one.lines.start == number);
    let content = html! {
        @match lang {
            "ir" => { p.about { "The low-level code that the Rust is printed from: how each loop runs." } }
            "rust" => { p.about { "The function that " code { "weld!" } " expands to." } }
            _ => { p.about { "As LLVM has optimised it for the CPU at hand. " (told(stage.name, &hot)) } }
        }
        ol.code data-lang=(lang) {
            @for (number, line) in lines.iter().enumerate() {
                li id=[starts(number).map(|one| format!("{}-hot-{}", stage.name, one + 1))]
                    class=[is_hot(number).then_some("hot")] { (line) }
            }
        }
    };
    (stage.name, name, content)
}

/// Which loops are marked, and why.
fn told(stage: &str, hot: &[Hot]) -> Markup {
    html! {
        @for (number, one) in hot.iter().enumerate() {
            @let Range { start, end } = one.lines;
            a.jump href=(format!("#{stage}-hot-{}", number + 1)) { "lines " (start + 1) "–" (end) }
            " "
            @if one.vector > 0 {
                (one.vector) " of " (one.instructions)
                " instructions on vectors, the most of any innermost loop of the function. "
            } @else {
                "the longest innermost loop; none has vector instructions. "
            }
        }
    }
}
