//! Which tokens became which loop: what the page highlights together.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::analysis::graph::{Graph, Making, NodeKind};
use weldment_core::history::History;
use weldment_core::ir::Line;
use weldment_runtime::lang::fault::Position;

use super::Subject;

/// The places of a program and what became of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// Every place that something on the page was made from.
    pub(super) places: BTreeSet<Position>,
    /// What the loops at a place make, as the program was written.
    pub(super) written: BTreeMap<Position, Option<Making>>,
    /// For each loop that runs, the places of the loops that became part of it, its own first.
    pub(super) became: Vec<Vec<Position>>,
}

impl Links {
    pub(super) fn of(subject: &Subject<'_>) -> Links {
        let history = subject.history;
        let mut links = Links::default();
        for node in &history.before.nodes {
            if let (NodeKind::Loop { makes, indices: 1.. }, Some(at)) = (&node.kind, node.at) {
                links.written.insert(at, makes.first().map(|made| made.by));
            }
        }
        let fused = fused_together(history);
        for running in &history.report.running {
            let others = fused.iter().find(|places| places.contains(&running.at)).into_iter().flatten();
            let others = others.filter(|at| **at != running.at && links.written.contains_key(at));
            links.became.push(std::iter::once(running.at).chain(others.copied()).collect());
        }
        let lines = [&history.plain, &history.optimised, &subject.loops];
        let steps = history.steps.iter().map(|step| &step.lines);
        links.places.extend(lines.into_iter().chain(steps).flatten().filter_map(|line: &Line<_>| line.at));
        let at = |graph: &Graph<Position>| graph.nodes.iter().filter_map(|node| node.at).collect::<Vec<_>>();
        links.places.extend(at(&history.before));
        links.places.extend(at(&history.after));
        links.places.extend(told(history));
        links.places.retain(|place| place.line > 0);
        links
    }

    /// The number of the loop that what stood at a place is part of.
    pub(super) fn runs_in(&self, at: Position) -> Option<usize> {
        let own = self.became.iter().position(|places| places[0] == at);
        own.or_else(|| self.became.iter().position(|places| places.contains(&at)))
    }
}

/// The places that the report speaks of.
fn told(history: &History) -> impl Iterator<Item = Position> + '_ {
    let report = &history.report;
    let fused = report.fused.iter().flat_map(|one| [Some(one.at), one.producer]);
    let refused = report.refused.iter().flat_map(|one| [Some(one.at), one.because]);
    let stored = report.stored.iter().map(|one| Some(one.at));
    let windows = report.windows.iter().map(|one| Some(one.at));
    let assumed = report.assumed.iter().map(|one| Some(one.at));
    let constants = report.constants.iter().map(|one| Some(one.at));
    fused.chain(refused).chain(stored).chain(windows).chain(assumed).chain(constants).flatten()
}

/// Groups of places, each of what was fused with each other.
fn fused_together(history: &History) -> Vec<BTreeSet<Position>> {
    let mut groups: Vec<BTreeSet<Position>> = Vec::new();
    for one in &history.report.fused {
        let mut joined: BTreeSet<Position> = [Some(one.at), one.producer].into_iter().flatten().collect();
        groups.retain(|group| {
            let is_apart = group.is_disjoint(&joined);
            if !is_apart {
                joined.extend(group);
            }
            is_apart
        });
        groups.push(joined);
    }
    groups
}

/// How a place is written in ids and attributes: `3-14`.
pub(super) fn key(at: Position) -> String {
    format!("{}-{}", at.line, at.column)
}

/// The link to the token at a place, if the place is known.
pub(super) fn anchor(at: Position) -> Option<String> {
    (at.line > 0).then(|| format!("#t{}", key(at)))
}

/// The keys of several places.
pub(super) fn keys(places: &[Position]) -> String {
    places.iter().map(|&at| key(at)).collect::<Vec<_>>().join(" ")
}
