//! A graph as SVG.

use maud::{Markup, html};
use weldment_core::analysis::graph::{Graph, Made, Making, Node, NodeKind};
use weldment_runtime::lang::fault::Position;

use super::layout::{Point, Rectangle, layout};
use super::links::{self, Links};
use super::names::argument;
use super::source;

/// The width of a character; the font is monospaced.
const CHARACTER: f64 = 7.25;
const LINE: f64 = 17.0;
/// Beside and above what is written in a node.
const MARGIN: (f64, f64) = (12.0, 9.0);
/// Longer texts are cut.
const LONGEST: usize = 34;

/// What the drawing takes from the rest of the page.
pub(super) struct Look<'a> {
    pub(super) source: &'a str,
    /// Of the parameters.
    pub(super) names: &'a [String],
    pub(super) links: &'a Links,
    /// Whether the nodes are loops that run; otherwise they lead to what they became.
    pub(super) runs: bool,
}

/// What is written in a node: a name, what stands beside it, and more lines, each with its colour.
struct Label {
    name: String,
    aside: String,
    lines: Vec<(Option<Making>, String)>,
}

/// The drawing of `graph`.
pub(super) fn draw(graph: &Graph<Position>, look: &Look<'_>, title: &str) -> Markup {
    let labels: Vec<Label> = graph.nodes.iter().map(|node| label(node, look)).collect();
    let placed = layout(graph, &labels.iter().map(size).collect::<Vec<_>>());
    let (width, height) = (placed.width + 2.0, placed.height + 2.0);
    html! {
        svg.graph viewBox=(format!("-1 -1 {width:.0} {height:.0}")) width=(format!("{width:.0}"))
            height=(format!("{height:.0}")) style=(format!("--width:{width:.0}px")) role="img" aria-label=(title) {
            // Nodes that hold others lie below the edges between those.
            @for (node, (label, place)) in graph.nodes.iter().zip(labels.iter().zip(&placed.nodes)) {
                (draw_node(node, label, *place, look))
            }
            @for points in &placed.edges { (draw_edge(points)) }
        }
    }
}

fn label(node: &Node<Position>, look: &Look<'_>) -> Label {
    let token = node.at.map(|at| source::token(look.source, at)).filter(|token| !token.is_empty());
    let place = node.at.map(|at| at.to_string()).unwrap_or_default();
    let plain =
        |name: String, more: String| Label { name, aside: String::new(), lines: vec![(None, clip(&more))] };
    match &node.kind {
        NodeKind::Input { number, ty } => {
            let name = look.names.get(*number).cloned().unwrap_or_else(|| argument(*number));
            plain(clip(&name), ty.clone())
        }
        NodeKind::Result { ty } => plain("result".to_owned(), ty.clone()),
        NodeKind::Stored { what } => plain(clip(what), "in memory".to_owned()),
        NodeKind::Whole { op } => {
            Label { name: clip(token.unwrap_or(op)), aside: place, lines: vec![(None, (*op).to_owned())] }
        }
        NodeKind::Loop { indices, makes } => {
            let name = match indices {
                0 => "once",
                _ => token.unwrap_or("loop"),
            };
            let mut lines = together(makes);
            if makes.is_empty() {
                lines.push((None, "feeds the loop around".to_owned()));
            }
            Label { name: clip(name), aside: place, lines }
        }
    }
}

/// One line for all that is made alike: `f64 by + ×4`.
fn together(makes: &[Made]) -> Vec<(Option<Making>, String)> {
    let line = |(made, count): (&Made, usize)| (Some(made.by), clip(&made.what) + &times(count));
    alike(makes).into_iter().map(line).collect()
}

/// What is there, each once, and how often.
pub(super) fn alike<T: PartialEq>(all: &[T]) -> Vec<(&T, usize)> {
    let mut once: Vec<(&T, usize)> = Vec::new();
    for one in all {
        match once.iter_mut().find(|(known, _)| *known == one) {
            Some((_, count)) => *count += 1,
            None => once.push((one, 1)),
        }
    }
    once
}

/// ` ×4`, if it is more than one.
pub(super) fn times(count: usize) -> String {
    if count > 1 { format!(" ×{count}") } else { String::new() }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some(_) => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

fn size(label: &Label) -> (f64, f64) {
    let length = |text: &str| text.chars().count() as f64 * CHARACTER;
    let gap = if label.aside.is_empty() { 0.0 } else { 2.0 * CHARACTER };
    let head = length(&label.name) + gap + length(&label.aside);
    let line =
        |(making, text): &(Option<Making>, String)| length(text) + if making.is_some() { 14.0 } else { 0.0 };
    let widest = label.lines.iter().map(line).fold(head, f64::max);
    (widest + 2.0 * MARGIN.0, (label.lines.len() + 1) as f64 * LINE + 2.0 * MARGIN.1 - 4.0)
}

fn draw_node(node: &Node<Position>, label: &Label, place: Rectangle, look: &Look<'_>) -> Markup {
    let Rectangle { x, y, width, height } = place;
    let making = label.lines.iter().find_map(|(making, _)| *making);
    let class = match making {
        Some(making) => format!("node {} k-{}", node.kind.name(), making.name()),
        None => format!("node {}", node.kind.name()),
    };
    let radius = match node.kind {
        NodeKind::Input { .. } | NodeKind::Result { .. } => 16,
        NodeKind::Stored { .. } => 2,
        _ => 7,
    };
    let running =
        node.at.filter(|_| look.runs && node.kind.name() == "loop").and_then(|at| look.links.runs_in(at));
    let places = match running {
        Some(number) => look.links.became[number].clone(),
        None => node.at.into_iter().collect(),
    };
    let inner = html! {
        rect x=(number(x)) y=(number(y)) width=(number(width)) height=(number(height)) rx=(radius) {}
        text.name x=(number(x + MARGIN.0)) y=(number(y + MARGIN.1 + 11.0)) { (label.name) }
        @if !label.aside.is_empty() {
            text.aside x=(number(x + width - MARGIN.0)) y=(number(y + MARGIN.1 + 11.0)) { (label.aside) }
        }
        @for (row, (making, text)) in label.lines.iter().enumerate() {
            @let base = y + MARGIN.1 + 11.0 + (row + 1) as f64 * LINE;
            @let start = x + MARGIN.0 + if making.is_some() { 14.0 } else { 0.0 };
            @if let Some(making) = making {
                rect class=(format!("chip k-{}", making.name())) x=(number(x + MARGIN.0)) y=(number(base - 8.5))
                    width="9" height="9" rx="2" {}
            }
            text x=(number(start)) y=(number(base)) { (text) }
        }
    };
    let target = match (running, places.first()) {
        (Some(number), _) => Some(format!("#loop-{number}")),
        (None, at) => at.and_then(|&at| links::anchor(at)),
    };
    html! {
        @if let Some(target) = target {
            a class=(class) href=(target) data-at=(links::keys(&places)) { (inner) }
        } @else {
            g class=(class) { (inner) }
        }
    }
}

/// A line through `points` that leaves and reaches each of them straight down, with a head at its end.
fn draw_edge(points: &[Point]) -> Markup {
    let [first, rest @ ..] = points else { return html! {} };
    let mut path = format!("M{} {}", number(first.0), number(first.1));
    let mut from = *first;
    for (i, &(x, end)) in rest.iter().enumerate() {
        let is_last = i + 1 == rest.len();
        let y = if is_last { end - 6.0 } else { end };
        let bend = (y - from.1) * 0.5;
        let [a, b] = [number(from.1 + bend), number(y - bend)];
        path += &format!(" C{} {a} {} {b} {} {}", number(from.0), number(x), number(x), number(y));
        from = (x, y);
    }
    let head = format!("M{} {}l-3.6 0l3.6 6l3.6 -6z", number(from.0), number(from.1));
    html! {
        path.edge d=(path) {}
        path.head d=(head) {}
    }
}

/// With one digit, which is enough for a screen.
fn number(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
