//! Where a loop merges into its sinks, found out once for all of them.

use std::collections::HashMap;

use super::entity::{BodyId, Sink, Value};
use super::op::{Loop, Op, Program, SinkKind};

/// Where and how often the body of a loop merges into each of its sinks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merges {
    of_sinks: HashMap<Sink, OfSink>,
}

#[derive(Clone, Debug, Default)]
struct OfSink {
    places: Vec<(BodyId, usize)>,
    in_order: Vec<BodyId>,
    values: Vec<Value>,
    /// The number of the first vector of the loop with the same places.
    twin: Option<usize>,
}

impl Merges {
    /// Those of `inner`.
    pub(crate) fn of(program: &Program, inner: &Loop) -> Merges {
        let mut of_sinks: HashMap<Sink, OfSink> = HashMap::new();
        program.for_each_body(inner.body, &mut |body| {
            for stmt in &program.bodies[body].stmts {
                let Op::Merge { sink, values } = &stmt.op else { continue };
                let of_sink = of_sinks.entry(*sink).or_default();
                of_sink.values.extend(values);
                match of_sink.places.last_mut() {
                    Some((last, times)) if *last == body => *times += 1,
                    _ => of_sink.places.push((body, 1)),
                }
            }
        });
        add_in_order(program, inner.body, &mut of_sinks);
        let mut first_at: HashMap<Vec<(BodyId, usize)>, usize> = HashMap::new();
        for (number, decl) in inner.sinks.iter().enumerate() {
            if let (SinkKind::Collect { .. }, Some(of_sink)) = (&decl.kind, of_sinks.get(&decl.sink)) {
                first_at.entry(of_sink.places.clone()).or_insert(number);
            }
        }
        of_sinks.values_mut().for_each(|of_sink| of_sink.twin = first_at.get(&of_sink.places).copied());
        Merges { of_sinks }
    }

    /// Adds those of a loop that becomes part of this one, whose sinks come behind `count` others.
    pub(super) fn add(&mut self, other: Merges, count: usize) {
        for (sink, mut of_sink) in other.of_sinks {
            of_sink.twin = of_sink.twin.map(|twin| count + twin);
            let mine = self.of_sinks.entry(sink).or_default();
            mine.places.append(&mut of_sink.places);
            mine.in_order.append(&mut of_sink.in_order);
            mine.values.append(&mut of_sink.values);
            mine.twin = mine.twin.or(of_sink.twin);
        }
    }

    /// Each body that merges into `sink` itself, outer before inner, and how often: the bodies in which a step merges once
    /// or several times.
    pub(crate) fn places(&self, sink: Sink) -> &[(BodyId, usize)] {
        self.of_sinks.get(&sink).map_or(&[], |of_sink| &of_sink.places)
    }

    /// The body of each merge into `sink`, in program order. Sinks for which this is the same have elements that belong
    /// together: the first with the first, at every place.
    pub(crate) fn in_order(&self, sink: Sink) -> &[BodyId] {
        self.of_sinks.get(&sink).map_or(&[], |of_sink| &of_sink.in_order)
    }

    /// The values that are merged into `sink`.
    pub(crate) fn values(&self, sink: Sink) -> &[Value] {
        self.of_sinks.get(&sink).map_or(&[], |of_sink| &of_sink.values)
    }

    /// The number of the first vector of the loop that is merged into as often as `sink` at the same places, in step with it.
    pub(crate) fn twin(&self, sink: Sink) -> Option<usize> {
        self.of_sinks.get(&sink)?.twin
    }
}

fn add_in_order(program: &Program, body: BodyId, of_sinks: &mut HashMap<Sink, OfSink>) {
    for stmt in &program.bodies[body].stmts {
        if let Op::Merge { sink, .. } = &stmt.op
            && let Some(of_sink) = of_sinks.get_mut(sink)
        {
            of_sink.in_order.push(body);
        }
        stmt.op.for_each_body(|inner| add_in_order(program, inner, of_sinks));
    }
}
