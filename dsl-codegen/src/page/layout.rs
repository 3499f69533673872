//! Where the nodes of a graph are drawn: in layers from top to bottom, what is inside a node below its own text.
//!
//! The usual four steps for each group of nodes inside one node: a layer for each node, by the longest way to it; points
//! for edges to bend at in the layers they pass; an order in each layer by the middle of the neighbours, repeated while
//! that removes crossings; and places from left to right that keep the order.

use weldment_core::analysis::graph::{Edge, Graph};

/// Between two nodes of one layer.
const GAP_ACROSS: f64 = 14.0;
/// Between two layers.
const GAP_DOWN: f64 = 38.0;
/// Around what is inside a node.
const PADDING: f64 = 12.0;
/// How often the order of the layers is improved, and then the places.
const SWEEPS: usize = 12;

/// A rectangle: of a node, from its left upper corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A point of a line.
pub(super) type Point = (f64, f64);

/// A graph with a place for everything.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// By the number of the node.
    pub(super) nodes: Vec<Rectangle>,
    /// By the number of the edge: from a node, through the gaps between others, to a node.
    pub(super) edges: Vec<Vec<Point>>,
}

/// Places for `graph`; `sizes` are width and height of what is written in each node.
pub(super) fn layout<P>(graph: &Graph<P>, sizes: &[(f64, f64)]) -> Layout {
    let mut layout = Layout {
        nodes: sizes
            .iter()
            .map(|&(width, height)| Rectangle { width, height, ..Rectangle::default() })
            .collect(),
        edges: vec![Vec::new(); graph.edges.len()],
        ..Layout::default()
    };
    (layout.width, layout.height) = group(graph, None, &mut layout);
    layout
}

/// Places what is inside `inside`, from (0, 0) on, and gives its size.
fn group<P>(graph: &Graph<P>, inside: Option<usize>, layout: &mut Layout) -> (f64, f64) {
    let is_member = |node: usize| graph.nodes[node].inside == inside;
    let members: Vec<usize> = (0..graph.nodes.len()).filter(|&node| is_member(node)).collect();
    if members.is_empty() {
        return (0.0, 0.0);
    }
    // What is inside a member comes first: it gives the size.
    let mut bodies = Vec::new();
    for &member in &members {
        let (width, height) = group(graph, Some(member), layout);
        let own = &mut layout.nodes[member];
        bodies.push((own.height, width, own.width));
        if width > 0.0 {
            own.width = own.width.max(width + 2.0 * PADDING);
            own.height += height + PADDING;
        }
    }
    let edges: Vec<(usize, Edge)> =
        graph.edges.iter().copied().enumerate().filter(|(_, edge)| is_member(edge.to)).collect();
    let mut layers = Layers::new(&members, &edges, layout);
    layers.order();
    layers.place();
    let size = layers.write(&edges, layout);
    for (&member, (top, width, _)) in members.iter().zip(bodies) {
        let own = layout.nodes[member];
        let left = own.x + (own.width - width) / 2.0;
        shift(graph, member, left, own.y + top, layout);
    }
    size
}

/// Moves everything inside `node` by (x, y).
fn shift<P>(graph: &Graph<P>, node: usize, x: f64, y: f64, layout: &mut Layout) {
    let mut around = vec![node];
    while let Some(node) = around.pop() {
        for inner in (0..graph.nodes.len()).filter(|&inner| graph.nodes[inner].inside == Some(node)) {
            layout.nodes[inner].x += x;
            layout.nodes[inner].y += y;
            around.push(inner);
        }
        for (number, edge) in graph.edges.iter().enumerate() {
            if graph.nodes[edge.to].inside == Some(node) {
                layout.edges[number].iter_mut().for_each(|point| *point = (point.0 + x, point.1 + y));
            }
        }
    }
}

/// What stands in a layer: a node, or a point that an edge passes.
struct Item {
    node: Option<usize>,
    width: f64,
    height: f64,
    /// Of its middle.
    x: f64,
    layer: usize,
    above: Vec<usize>,
    below: Vec<usize>,
}

struct Layers {
    items: Vec<Item>,
    /// From top to bottom, from left to right.
    layers: Vec<Vec<usize>>,
    /// The items that each edge goes through, ends included.
    ways: Vec<Vec<usize>>,
}

impl Layers {
    fn new(members: &[usize], edges: &[(usize, Edge)], layout: &Layout) -> Layers {
        let item_of = |node: usize| members.iter().position(|&member| member == node).expect("a member");
        let mut ranks = vec![0usize; members.len()];
        // Edges go from what stands before in the program to what stands behind, and are sorted by where they begin.
        for (_, edge) in edges {
            let (from, to) = (item_of(edge.from), item_of(edge.to));
            ranks[to] = ranks[to].max(ranks[from] + 1);
        }
        // What nothing flows to stands just above what reads it.
        for item in (0..members.len()).rev() {
            let is_first = !edges.iter().any(|(_, edge)| item_of(edge.to) == item);
            let readers = edges.iter().filter(|(_, edge)| item_of(edge.from) == item);
            let lowest = readers.map(|(_, edge)| ranks[item_of(edge.to)] - 1).min();
            if let (true, Some(lowest)) = (is_first, lowest) {
                ranks[item] = lowest;
            }
        }
        let size = |node: usize| (layout.nodes[node].width, layout.nodes[node].height);
        let item = |node, (width, height), layer| Item {
            node,
            width,
            height,
            x: 0.0,
            layer,
            above: Vec::new(),
            below: Vec::new(),
        };
        let mut items: Vec<Item> =
            members.iter().zip(&ranks).map(|(&node, &rank)| item(Some(node), size(node), rank)).collect();
        let mut ways = Vec::new();
        for (_, edge) in edges {
            let (from, to) = (item_of(edge.from), item_of(edge.to));
            let mut way = vec![from];
            for layer in ranks[from] + 1..ranks[to] {
                items.push(item(None, (1.0, 0.0), layer));
                way.push(items.len() - 1);
            }
            way.push(to);
            for pair in way.windows(2) {
                items[pair[0]].below.push(pair[1]);
                items[pair[1]].above.push(pair[0]);
            }
            ways.push(way);
        }
        let depth = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); depth];
        for (number, item) in items.iter().enumerate() {
            layers[item.layer].push(number);
        }
        Layers { items, layers, ways }
    }

    /// Orders each layer by the middle of the neighbours above, then below, and keeps what crosses least.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let downwards = sweep % 2 == 0;
            let numbers: Vec<usize> = if downwards {
                (0..self.layers.len()).collect()
            } else {
                (0..self.layers.len()).rev().collect()
            };
            for number in numbers {
                let places = self.places();
                let middle = |&item: &usize| {
                    let Item { above, below, .. } = &self.items[item];
                    let neighbours = if downwards { above } else { below };
                    let sum: usize = neighbours.iter().map(|&neighbour| places[neighbour]).sum();
                    if neighbours.is_empty() {
                        places[item] as f64
                    } else {
                        sum as f64 / neighbours.len() as f64
                    }
                };
                let mut layer = self.layers[number].clone();
                layer.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
                self.layers[number] = layer;
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// The place of each item in its layer.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.items.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(place, &item)| places[item] = place);
        }
        places
    }

    fn crossings(&self) -> usize {
        let places = self.places();
        let pairs = self.ways.iter().flat_map(|way| way.windows(2)).map(|pair| (pair[0], pair[1]));
        let steps: Vec<_> = pairs.map(|(a, b)| (self.items[a].layer, places[a], places[b])).collect();
        let crosses = |(i, a): (usize, &(usize, usize, usize))| {
            let later = steps[i + 1..].iter();
            later.filter(|b| a.0 == b.0 && (a.1 < b.1 && a.2 > b.2 || a.1 > b.1 && a.2 < b.2)).count()
        };
        steps.iter().enumerate().map(crosses).sum()
    }

    /// Brings each item near the middle of its neighbours, in its place in the order.
    fn place(&mut self) {
        for layer in 0..self.layers.len() {
            self.spread(layer, |_| 0.0);
        }
        for sweep in 0..SWEEPS {
            let count = self.layers.len();
            let numbers: Vec<usize> =
                if sweep % 2 == 0 { (0..count).collect() } else { (0..count).rev().collect() };
            for number in numbers {
                let wanted: Vec<f64> = self.items.iter().map(|item| self.middle(item)).collect();
                self.spread(number, |item| wanted[item]);
            }
        }
    }

    /// Where an item would be best off.
    fn middle(&self, item: &Item) -> f64 {
        let neighbours: Vec<usize> = item.above.iter().chain(&item.below).copied().collect();
        let sum: f64 = neighbours.iter().map(|&neighbour| self.items[neighbour].x).sum();
        if neighbours.is_empty() { item.x } else { sum / neighbours.len() as f64 }
    }

    /// Places a layer as near as can be to what is wanted: half-way between pushing everything to the right and
    /// everything to the left, both of which keep the distances.
    fn spread(&mut self, layer: usize, wanted: impl Fn(usize) -> f64) {
        let layer = self.layers[layer].clone();
        let distance = |a: usize, b: usize| (self.items[a].width + self.items[b].width) / 2.0 + GAP_ACROSS;
        let mut right: Vec<f64> = layer.iter().map(|&item| wanted(item)).collect();
        let mut left = right.clone();
        for i in 1..layer.len() {
            right[i] = right[i].max(right[i - 1] + distance(layer[i - 1], layer[i]));
        }
        for i in (1..layer.len()).rev() {
            left[i - 1] = left[i - 1].min(left[i] - distance(layer[i - 1], layer[i]));
        }
        for (i, item) in layer.into_iter().enumerate() {
            self.items[item].x = (left[i] + right[i]) / 2.0;
        }
    }

    /// Hands over the places of nodes and edges, and gives the size of it all.
    fn write(&self, edges: &[(usize, Edge)], layout: &mut Layout) -> (f64, f64) {
        let leftmost = self.items.iter().map(|item| item.x - item.width / 2.0).fold(f64::INFINITY, f64::min);
        let rightmost = self.items.iter().map(|item| item.x + item.width / 2.0).fold(0.0, f64::max);
        let mut tops = Vec::new();
        let mut y = 0.0;
        for layer in &self.layers {
            let height = layer.iter().map(|&item| self.items[item].height).fold(0.0, f64::max);
            tops.push((y, height));
            y += height + GAP_DOWN;
        }
        for item in &self.items {
            let Some(node) = item.node else { continue };
            let (top, height) = tops[item.layer];
            let place = &mut layout.nodes[node];
            place.x = item.x - item.width / 2.0 - leftmost;
            place.y = top + (height - item.height) / 2.0;
        }
        for ((number, edge), way) in edges.iter().zip(&self.ways) {
            let mut points = Vec::new();
            for &item in &way[1..way.len() - 1] {
                let (top, height) = tops[self.items[item].layer];
                let x = self.items[item].x - leftmost;
                points.extend([(x, top), (x, top + height)]);
            }
            let ends = [edge.from, edge.to].map(|node| layout.nodes[node]);
            points.insert(0, (self.port(way[0], way[1], leftmost), ends[0].y + ends[0].height));
            points.push((self.port(way[way.len() - 1], way[way.len() - 2], leftmost), ends[1].y));
            layout.edges[*number] = points;
        }
        (rightmost - leftmost, y - GAP_DOWN)
    }

    /// Where along `item` an edge from or to `other` ends: the edges of one side stand side by side, in the order of
    /// their other ends.
    fn port(&self, item: usize, other: usize, leftmost: f64) -> f64 {
        let Item { above, below, x, width, .. } = &self.items[item];
        let mut side = if above.contains(&other) { above.clone() } else { below.clone() };
        side.sort_by(|a, b| self.items[*a].x.total_cmp(&self.items[*b].x));
        let number = side.iter().position(|&one| one == other).unwrap_or(0);
        let step = (width * 0.7 / side.len() as f64).min(24.0);
        x - leftmost + (number as f64 - (side.len() - 1) as f64 / 2.0) * step
    }
}

#[cfg(test)]
mod tests {
    use weldment_core::analysis::graph::{Node, NodeKind};

    use super::*;

    /// A graph of so many nodes, where some are inside others.
    fn graph(inside: &[Option<usize>], edges: &[(usize, usize)]) -> Graph<()> {
        let node = |&inside: &Option<usize>| Node { kind: NodeKind::Whole { op: "sort" }, at: None, inside };
        Graph {
            nodes: inside.iter().map(node).collect(),
            edges: edges.iter().map(|&(from, to)| Edge { from, to }).collect(),
        }
    }

    fn check(graph: &Graph<()>) -> Layout {
        let sizes: Vec<_> = (0..graph.nodes.len()).map(|i| (60.0 + 10.0 * (i % 3) as f64, 30.0)).collect();
        let placed = layout(graph, &sizes);
        for (i, a) in placed.nodes.iter().enumerate() {
            assert!(a.x >= 0.0 && a.y >= 0.0 && a.x + a.width <= placed.width + 1e-6, "{i}: {a:?}");
            assert!(a.y + a.height <= placed.height + 1e-6, "{i}: {a:?}");
            for (j, b) in placed.nodes.iter().enumerate().skip(i + 1) {
                let apart = a.x + a.width <= b.x
                    || b.x + b.width <= a.x
                    || a.y + a.height <= b.y
                    || b.y + b.height <= a.y;
                assert_eq!(apart, graph.nodes[j].inside != Some(i), "{i} and {j}: {a:?}, {b:?}");
            }
        }
        for (edge, points) in graph.edges.iter().zip(&placed.edges) {
            let [from, to] = [edge.from, edge.to].map(|node| placed.nodes[node]);
            assert_eq!(points[0].1, from.y + from.height);
            assert_eq!(points[points.len() - 1].1, to.y);
            assert!(points.windows(2).all(|pair| pair[0].1 <= pair[1].1));
            for (x, node) in [(points[0].0, from), (points[points.len() - 1].0, to)] {
                assert!(node.x <= x && x <= node.x + node.width);
            }
        }
        placed
    }

    #[test]
    fn nodes_do_not_overlap_and_edges_go_down() {
        check(&graph(&[], &[]));
        check(&graph(&[None], &[]));
        check(&graph(&[None; 4], &[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)]));
        check(&graph(&[None; 9], &[(0, 7), (1, 7), (2, 7), (3, 7), (4, 7), (5, 7), (6, 7), (7, 8)]));
    }

    #[test]
    fn what_is_inside_a_node_lies_in_it() {
        let placed = check(&graph(&[None, None, Some(1), Some(1), None], &[(0, 1), (1, 4), (2, 3)]));
        let [outer, inner] = [placed.nodes[1], placed.nodes[3]];
        assert!(outer.x < inner.x && inner.x + inner.width < outer.x + outer.width);
        assert!(outer.y + 30.0 <= inner.y && inner.y + inner.height < outer.y + outer.height);
    }

    #[test]
    fn edges_that_need_not_cross_do_not() {
        // Four nodes above four others, each above another's place.
        let crossed = graph(&[None; 8], &[(0, 7), (1, 6), (2, 5), (3, 4)]);
        let placed = check(&crossed);
        for pair in placed.edges.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            assert_eq!(a[0].0 < b[0].0, a[1].0 < b[1].0);
        }
    }

    #[test]
    fn an_input_stands_just_above_what_reads_it() {
        let placed = check(&graph(&[None; 4], &[(0, 1), (1, 3), (2, 3)]));
        assert_eq!(placed.nodes[2].y, placed.nodes[1].y);
    }
}
