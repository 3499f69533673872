//! The explanation of a program as JSON.

use serde_json::{Value, json};
use weldment::{Explanation, Position};

/// Stages and report as one line: `{"stages":[{"name":…,"text":…}],"report":{…}}`.
pub(crate) fn json(explanation: &Explanation) -> String {
    let report = &explanation.report;
    let stages: Vec<Value> =
        explanation.stages.iter().map(|stage| json!({"name": stage.name, "text": stage.text})).collect();
    let fused: Vec<Value> =
        report.fused.iter().map(|fused| at(fused.position, json!({"rule": fused.rule}))).collect();
    let refused: Vec<Value> = report
        .refused
        .iter()
        .map(|refused| at(refused.position, json!({"rule": refused.rule, "reason": refused.reason})))
        .collect();
    let assumed: Vec<Value> =
        report.assumed.iter().map(|assumed| at(assumed.position, json!({"what": assumed.what}))).collect();
    json!({
        "stages": stages,
        "report": {
            "loops_before": report.loops_before,
            "loops_after": report.loops_after,
            "materialized_before": report.materialized_before,
            "materialized_after": report.materialized_after,
            "fused": fused,
            "refused": refused,
            "assumed": assumed,
        },
    })
    .to_string()
}

/// `object` with a line and a column.
fn at(position: Position, mut object: Value) -> Value {
    object["line"] = position.line.into();
    object["column"] = position.column.into();
    object
}
