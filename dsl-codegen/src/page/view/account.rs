//! The report: what was fused, refused, stored and assumed.

use maud::{Markup, html};
use weldment_runtime::lang::fault::Position;

use crate::page::Subject;
use crate::page::links::{self, Links};
use crate::page::source::token;

/// What the optimiser did and did not do, with places.
pub(super) fn account(subject: &Subject<'_>, links: &Links) -> Markup {
    let report = &subject.history.report;
    let place = |at: Position| place(subject.source, links, at);
    html! {
        section #report {
            h2 { "Report" }
            div.columns {
                @if !report.constants.is_empty() {
                    (list("constants", report.constants.len(), "", html! {
                        @for known in &report.constants {
                            li data-at=(links::key(known.at)) {
                                (place(known.at)) ": "
                                @match &known.value {
                                    Some(value) => code { (value) },
                                    None => "in a variant for each of its first values",
                                }
                            }
                        }
                    }))
                }
                (list("fused", report.fused.len(), "Nothing was fused.", html! {
                    @for fused in &report.fused {
                        li data-at=(both(fused.at, fused.producer)) {
                            (place(fused.at))
                            @if let Some(producer) = fused.producer { " with " (place(producer)) }
                            span.rule { (fused.pass) " · " (fused.rule) }
                        }
                    }
                }))
                (list("not fused", report.refused.len(), "Nothing was refused.", html! {
                    @for refused in &report.refused {
                        li data-at=(both(refused.at, refused.because)) {
                            (place(refused.at)) ": " (refused.reason)
                            @if let Some(because) = refused.because { ", at " (place(because)) }
                            span.rule { (refused.pass) " · " (refused.rule) }
                        }
                    }
                }))
                (list("in memory", report.stored.len(), "No intermediate is written to memory.", html! {
                    @for stored in &report.stored {
                        li data-at=(links::key(stored.at)) {
                            code { (stored.what) } " made by " (place(stored.at))
                        }
                    }
                }))
                (list("windows", report.windows.len(), "No array is computed row by row where it is read.", html! {
                    @for window in &report.windows {
                        li data-at=(links::key(window.at)) {
                            (place(window.at)) ": " (window.behind) " rows behind and " (window.ahead) " ahead"
                        }
                    }
                }))
                (list("assumed", report.assumed.len(), "Nothing is assumed of the program.", html! {
                    @for assumed in &report.assumed {
                        li data-at=(links::key(assumed.at)) { (place(assumed.at)) " is " (assumed.what) }
                    }
                }))
            }
        }
    }
}

fn list(what: &str, count: usize, none: &str, items: Markup) -> Markup {
    html! {
        div {
            h3 { (what) span.count { (count) } }
            @if count == 0 { p.none { (none) } } @else { ul { (items) } }
        }
    }
}

fn both(at: Position, other: Option<Position>) -> String {
    links::keys(&std::iter::once(at).chain(other).collect::<Vec<_>>())
}

/// A place as a link to its token.
pub(super) fn place(source: &str, links: &Links, at: Position) -> Markup {
    let name = token(source, at);
    html! {
        @if links.places.contains(&at) {
            a href=[links::anchor(at)] { b { (name) } " " span.place { (at) } }
        } @else {
            span.place { (at) }
        }
    }
}
