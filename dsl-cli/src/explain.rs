//! The explanation of a program as JSON.

use serde_json::{Value, json};

use crate::engine::{Explanation, Position};

/// Stages and report as one line: `{"stages":[{"name":…,"text":…}],"report":{…}}`. What has a place has `line` and
/// `column`; a place besides is `{"line":…,"column":…}`, or null.
pub(crate) fn json(explanation: &Explanation) -> String {
    let report = &explanation.report;
    let stages = each(&explanation.stages, |stage| json!({"name": stage.name, "text": stage.text}));
    let fused = each(&report.fused, |fused| {
        let producer = fused.producer.map(place);
        at(fused.at, json!({"pass": fused.pass, "rule": fused.rule, "producer": producer}))
    });
    let refused = each(&report.refused, |refused| {
        let (producer, because) = (refused.producer.map(place), refused.because.map(place));
        let about = json!({
            "pass": refused.pass,
            "rule": refused.rule,
            "reason": refused.reason,
            "producer": producer,
            "because": because,
        });
        at(refused.at, about)
    });
    let decided =
        each(&report.decided, |decided| at(decided.at, json!({"pass": decided.pass, "what": decided.what})));
    let assumed = each(&report.assumed, |assumed| at(assumed.at, json!({"what": assumed.what})));
    let stored = each(&report.stored, |stored| at(stored.at, json!({"what": stored.what})));
    let running = each(&report.running, |running| {
        let split = running.split.map(|split| json!({"chunk": split.chunk, "segment": split.segment}));
        let about = json!({
            "depth": running.depth,
            "split": split,
            "makes": running.makes,
            "lanes": running.lanes,
            "bytes_read": running.read,
            "bytes_written": running.written,
        });
        at(running.at, about)
    });
    let stencils = each(&report.stencils, |stencil| {
        at(stencil.at, json!({"array": stencil.array, "offsets": stencil.offsets}))
    });
    let windows = each(&report.windows, |window| {
        at(window.at, json!({"behind": window.behind, "ahead": window.ahead}))
    });
    let constants =
        each(&report.constants, |known| at(known.at, json!({"name": known.name, "value": known.value})));
    let stopped = report.stopped.map(|stopped| json!({"rewrites": stopped.rewrites, "pass": stopped.pass}));
    json!({
        "stages": stages,
        "report": {
            "loops": {"before": report.loops.before, "after": report.loops.after},
            "materialized": {"before": report.materialized.before, "after": report.materialized.after},
            "fused": fused,
            "refused": refused,
            "decided": decided,
            "assumed": assumed,
            "stored": stored,
            "windows": windows,
            "running": running,
            "stencils": stencils,
            "constants": constants,
            "stopped": stopped,
        },
    })
    .to_string()
}

fn each<T>(items: &[T], to_json: impl Fn(&T) -> Value) -> Vec<Value> {
    items.iter().map(to_json).collect()
}

fn place(position: Position) -> Value {
    json!({"line": position.line, "column": position.column})
}

/// `object` with a line and a column.
fn at(position: Position, mut object: Value) -> Value {
    object["line"] = position.line.into();
    object["column"] = position.column.into();
    object
}
