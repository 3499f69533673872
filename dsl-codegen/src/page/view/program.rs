//! The source, with the tokens that became loops, and the loops that run.

use maud::{Markup, html};
use weldment_core::analysis::graph::{Graph, Making, NodeKind};
use weldment_core::report::RunningLoop;
use weldment_runtime::lang::fault::Position;

use crate::page::Subject;
use crate::page::draw::{alike, times};
use crate::page::links::{self, Links};
use crate::page::source::{Piece, pieces, token};

/// How many of the loops that became part of one are shown at once.
const SHOWN: usize = 6;

/// The program as it was written.
pub(super) fn source(subject: &Subject<'_>, links: &Links) -> Markup {
    html! {
        section #source {
            h2 { "Program" }
            ol.code.wrap data-lang="weld" {
                @for line in pieces(subject.source, &links.places) {
                    li { @for piece in &line { (marked(piece, links)) } }
                }
            }
        }
    }
}

fn marked(piece: &Piece<'_>, links: &Links) -> Markup {
    let Some(at) = piece.at else { return html! { (piece.text) } };
    let id = format!("t{}", links::key(at));
    let keys = links::key(at);
    let Some(making) = links.written.get(&at) else {
        return html! { span #(id) data-at=(keys) { (piece.text) } };
    };
    let class = match making {
        Some(making) => format!("loop k-{}", making.name()),
        None => "loop".to_owned(),
    };
    match links.runs_in(at) {
        Some(number) => {
            let is_own = links.became[number][0] == at;
            let what = if is_own { "runs as" } else { "became part of" };
            let title = format!("{what} loop {}", number + 1);
            let href = format!("#loop-{number}");
            html! { a #(id) class=(class) href=(href) data-at=(keys) title=(title) { (piece.text) } }
        }
        None => {
            let (class, title) = (class + " gone", "is no loop any more");
            html! { span #(id) class=(class) data-at=(keys) title=(title) { (piece.text) } }
        }
    }
}

/// The loops that are left, as they run.
pub(super) fn running(subject: &Subject<'_>, links: &Links) -> Markup {
    let loops = &subject.history.report.running;
    html! {
        section #loops {
            h2 { "Loops that run" }
            @if loops.is_empty() {
                p.none { "None: the program is computed without a loop." }
            }
            ol.loops {
                @for (number, running) in loops.iter().enumerate() {
                    (card(subject, links, number, running))
                }
            }
        }
    }
}

fn card(subject: &Subject<'_>, links: &Links, number: usize, running: &RunningLoop<Position>) -> Markup {
    let places = &links.became[number];
    let class =
        |what: &String| made_by(&subject.history.after, what).map(|making| format!("k-{}", making.name()));
    let (shown, more) = places[1..].split_at(SHOWN.min(places.len() - 1));
    let name = token(subject.source, running.at);
    let (id, depth) = (format!("loop-{number}"), format!("--depth:{}", running.depth));
    let first = running.makes.first().and_then(class);
    let line = subject.history.optimised.iter().position(|line| line.at == Some(running.at));
    html! {
        li #(id) class=[first] data-at=(links::keys(places)) style=(depth) {
            div.title {
                span.number { (number + 1) }
                a href=[links::anchor(running.at)] { b { (name) } " " span.place { (running.at) } }
                @if places.len() > 1 {
                    span.with {
                        "with "
                        (others(subject.source, shown))
                        @if !more.is_empty() {
                            " "
                            details {
                                summary { "and " (more.len()) " more" }
                                (others(subject.source, more))
                            }
                        }
                    }
                }
                @if let Some(line) = line {
                    a.jump href=(format!("#optimised-{}", line + 1)) { "IR " (line + 1) }
                }
            }
            @if running.makes.is_empty() {
                p.makes { "feeds the loops around" }
            }
            @for (what, count) in alike(&running.makes) {
                p.makes { code class=[class(what)] { (what) (times(count)) } }
            }
            ul.facts {
                @match running.split {
                    Some(split) => { li { b { "all threads" } ", " (split) } }
                    None => { li { "serial" } }
                }
                @if running.lanes > 1 { li { b { (running.lanes) } " lanes" } }
                li { "reads " b { (running.read) } " B" }
                li { "writes " b { (running.written) } " B" }
            }
        }
    }
}

/// The tokens at some places, as links.
fn others(source: &str, places: &[Position]) -> Markup {
    html! {
        @for (i, &at) in places.iter().enumerate() {
            @if i > 0 { ", " }
            a href=[links::anchor(at)] { (token(source, at)) " " span.place { (at) } }
        }
    }
}

/// By which kind of sink something is made, which its description tells.
fn made_by(after: &Graph<Position>, what: &str) -> Option<Making> {
    let makes = after.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Loop { makes, .. } => Some(makes),
        _ => None,
    });
    makes.flatten().find(|made| made.what == what).map(|made| made.by)
}
