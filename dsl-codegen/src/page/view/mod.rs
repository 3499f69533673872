//! The page itself, from top to bottom.

mod account;

mod program;

mod stages;

mod stencils;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use weldment_core::analysis::graph::Making;
use weldment_core::report::Change;

use self::account::place;
use super::Subject;
use super::draw::{Look, draw};
use super::links::Links;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The whole document.
pub(super) fn document(subject: &Subject<'_>, links: &Links, names: &[String]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (subject.title) " · weldment" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(subject))
                main {
                    div.pair.first {
                        (program::source(subject, links))
                        (program::running(subject, links))
                    }
                    (graphs(subject, links, names))
                    (stencils::stencils(subject, links))
                    (account::account(subject, links))
                    (stages::stages(subject))
                }
                div #lens hidden aria-hidden="true" {}
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn header(subject: &Subject<'_>) -> Markup {
    let report = &subject.history.report;
    html! {
        header.top {
            div {
                p.brand { "weldment" }
                h1 { (subject.title) }
                @if let Some(stopped) = report.stopped { p.stopped { "The optimiser was " (stopped) "." } }
            }
            dl.figures {
                (figure("loops", report.loops))
                (figure("intermediates", report.materialized))
                (count("fused", report.fused.len()))
                (count("refused", report.refused.len()))
                (count("passes", subject.history.steps.len()))
            }
        }
    }
}

fn figure(what: &str, Change { before, after }: Change) -> Markup {
    html! {
        div.figure {
            dt { (what) }
            dd { span.was { (before) } span.arrow { "→" } (after) }
        }
    }
}

fn count(what: &str, number: usize) -> Markup {
    html! { div.figure { dt { (what) } dd { (number) } } }
}

fn graphs(subject: &Subject<'_>, links: &Links, names: &[String]) -> Markup {
    let history = subject.history;
    let look = |runs| Look { source: subject.source, names, links, runs };
    html! {
        section #graph {
            div.bar {
                h2 { "Loops before and after" }
                (legend())
            }
            div.pair.even {
                figure #before {
                    figcaption { "as written" }
                    div.scroll { (draw(&history.before, &look(false), "the loops as written")) }
                }
                figure #after {
                    figcaption { "as it runs" }
                    div.scroll { (draw(&history.after, &look(true), "the loops as they run")) }
                }
            }
        }
    }
}

fn legend() -> Markup {
    html! {
        ul.legend {
            @for making in Making::ALL {
                li { span class=(format!("swatch k-{}", making.name())) {} (making.name()) }
            }
            li { span.swatch.memory {} "in memory" }
        }
    }
}
