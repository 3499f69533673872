//! Graphs of small programs, and that they count what the report counts.

use super::{Graph, Node, NodeKind};
use crate::analysis::structure::Structure;
use crate::front::from_text;
use crate::ir::{Loc, Program};
use crate::passes::{Options, optimize};

/// The graph of an optimised program, a node a line: its name, what it makes, what it is inside of, what it reads.
fn optimised(text: &str) -> Vec<String> {
    let mut program = from_text(text).expect("a program").program;
    optimize(&mut program, &Options::default()).expect("sound passes");
    shown(&Graph::of(&program))
}

fn plain(text: &str) -> Vec<String> {
    shown(&Graph::of(&from_text(text).expect("a program").program))
}

fn shown(graph: &Graph<Loc>) -> Vec<String> {
    let show = |(number, node): (usize, &Node<Loc>)| {
        let about = match &node.kind {
            NodeKind::Loop { makes, .. } => {
                makes.iter().map(|made| made.what.as_str()).collect::<Vec<_>>().join(", ")
            }
            NodeKind::Input { ty, .. } | NodeKind::Result { ty } => ty.clone(),
            NodeKind::Whole { op } => (*op).to_owned(),
            NodeKind::Stored { what } => what.clone(),
        };
        let inside = node.inside.map(|node| format!(" inside {node}")).unwrap_or_default();
        let reads: Vec<_> =
            graph.edges.iter().filter(|edge| edge.to == number).map(|edge| edge.from).collect();
        format!("{} {about}{inside} {reads:?}", node.kind.name())
    };
    graph.nodes.iter().enumerate().map(show).collect()
}

#[test]
fn an_intermediate_stands_between_its_loops_until_they_fuse() {
    let text = "|v: &[f64]| v.filter(|x| x > 0.0).map(|x| x + 1.0)";
    assert_eq!(
        plain(text),
        [
            "input vec[f64] []",
            "loop vec[f64] [0]",
            "stored vec[f64] [1]",
            "loop vec[f64] [2]",
            "result vec[f64] [3]"
        ]
    );
    assert_eq!(optimised(text), ["input vec[f64] []", "loop vec[f64] [0]", "result vec[f64] [1]"]);
}

#[test]
fn a_number_flows_from_loop_to_loop() {
    assert_eq!(
        optimised("|v: &[f64]| let s = v.sum(); v.map(|x| x / s)"),
        ["input vec[f64] []", "loop f64 by + [0]", "loop vec[f64] [0, 1]", "result vec[f64] [2]"]
    );
}

#[test]
fn what_an_inner_loop_reads_the_outer_reads() {
    assert_eq!(
        optimised("|rows: &[Vec<f64>], k: &[f64]| rows.map(|row| zip(row, k).map(|(a, b)| a * b).sum())"),
        [
            "input vec[vec[f64]] []",
            "input vec[f64] []",
            "loop vec[f64] [0, 1]",
            "loop f64 by + inside 2 []",
            "result vec[f64] [2]"
        ]
    );
}

#[test]
fn what_a_loop_holds_is_inside_it() {
    assert_eq!(
        optimised("|rows: &[Vec<f64>]| rows.map(|row| row.sort_by_key(|x| -x)[0] / row.sum())"),
        [
            "input vec[vec[f64]] []",
            "loop vec[f64] [0]",
            "whole sort inside 1 []",
            "loop f64 by + inside 1 []",
            "result vec[f64] [1]"
        ]
    );
}

#[test]
fn a_for_is_a_loop_that_feeds_another() {
    assert_eq!(
        optimised("|rows: &[Vec<f64>]| rows.flatten()"),
        ["input vec[vec[f64]] []", "loop vec[f64] [0]", "loop  inside 1 []", "result vec[f64] [1]"]
    );
}

#[test]
fn a_branch_gives_what_its_parts_give() {
    assert_eq!(
        plain("|a: &[i64], b: &[i64], c: bool| if c { a.sum() } else { b.sum() }"),
        [
            "input vec[i64] []",
            "input vec[i64] []",
            "input bool []",
            "loop i64 by + [0]",
            "loop i64 by + [1]",
            "result i64 [2, 3, 4]"
        ]
    );
}

#[test]
fn a_program_without_loops_is_its_parameters_and_its_result() {
    assert_eq!(plain("|x: i64| x + 1"), ["input i64 []", "result i64 [0]"]);
    assert_eq!(plain("|| 1L"), ["result i64 []"]);
}

fn check_counts(program: &Program, text: &str) {
    let graph = Graph::of(program);
    let count = |name| graph.nodes.iter().filter(|node| node.kind.name() == name).count();
    let counted = Structure { loops: count("loop"), materialized: count("stored") };
    assert_eq!(counted, Structure::of(program), "{text}");
    for edge in &graph.edges {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node].inside);
        assert_eq!(from, to, "{text}");
    }
}

#[test]
fn the_graph_has_as_many_loops_and_intermediates_as_the_report() {
    for text in [
        "|v: &[i64]| v.group_by(|x| x % 3).tovec().map(|(k, g)| (k, g.sum()))",
        "|v: &[Vec<i64>]| v.map(|r| r.filter(|x| x > 0)).map(|r| r.len()).sum()",
        "|a: &[(i64, f64)]| let d = a.to_dict(); a.map(|(k, x)| x - d.lookup(k))",
        "|v: &[i64]| v.sort_by_key(|x| -x).map(|x| x + 1).reduce(|a, b| a * b + 1)",
        "|n: i64| iterate({0L, 1L}, |s| {{s.$1, s.$0 + s.$1}, s.$0 < n}).$0",
        "|v: &[f64], w: &[f64]| zip(v.map(|x| x + 1.0), w.map(|x| x * 2.0)).map(|(a, b)| (a * b, a - b))",
        "|v: &[i64]| if v.len() > 2 { v.map(|x| x + 1) } else { v.filter(|x| x > 0) }",
        "|n: i64| result(for(rangeiter(0L, n, 1L), vecmerger[i64, +](result(merge(appender[i64], 1L))), |b, i, x| merge(b, {0L, x})))",
    ] {
        let mut program = from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).program;
        check_counts(&program, text);
        optimize(&mut program, &Options::default()).expect("sound passes");
        check_counts(&program, text);
    }
}
