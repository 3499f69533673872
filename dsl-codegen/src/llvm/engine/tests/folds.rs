//! Reductions by functions, whose order shows, from IR text: sugar gives them rarely.

use weldment_core::ir;
use weldment_core::source::Positions;
use weldment_runtime::lang::value::Value;

use super::{CUTS, Level, Source, i64s, mixed};

/// `a - b`, which is not associative and so shows the order of the fold.
const BY_DIFFERENCE: &str = "by (v8: i64, v9: i64) { v10: i64 = sub v8, v9 return v10 }";

/// The same, where 13 as the second argument is a fault.
const BY_QUOTIENT: &str = "by (v8: i64, v9: i64) {
    v10: i64 = sub v8, v9
    v12: i64 = const 13
    v13: i64 = sub v9, v12
    v14: i64 = div v10, v13
    return v14
}";

fn check_ir(text: &str, args: &[Value]) {
    let program = ir::parse::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let source = Source { program, positions: Positions::new() };
    CUTS.into_iter().for_each(|cut| source.check(cut, Level::Full, args));
}

fn over(sink: &str) -> String {
    format!(
        "weldment ir 1
         program(v0: vec[i64], v1: i64) {{
           v2: i64 = len v0
           v3: i64 = loop v4 < v2 {{
             sink #0 = reduce {sink}
             v5: i64 = at v0, v4
             merge #0, v5
           }}
           return v3
         }}"
    )
}

fn by_key(reducer: &str) -> String {
    format!(
        "weldment ir 1
         program(v0: vec[i64], v1: i64) {{
           v2: i64 = len v0
           v3: dict[i64,i64] = loop v4 < v2 {{
             sink #0 = bucket_reduce {reducer} i64 -> i64
             v5: i64 = at v0, v4
             v6: i64 = and v5, v1
             merge #0, v6, v5
           }}
           return v3
         }}"
    )
}

#[test]
fn functions_fold_left_to_right_in_chunks_and_over_them() {
    for n in [0, 1, 2, 3, 4, 40, 100] {
        let args = [i64s(mixed(n)), Value::I64(1000)];
        check_ir(&over(&format!("{BY_DIFFERENCE} i64 or fault")), &args);
        check_ir(&over(&format!("{BY_DIFFERENCE} i64 init v1")), &args);
    }
}

#[test]
fn functions_fold_buckets_in_segments() {
    for n in [0, 1, 5, 40, 100] {
        check_ir(&by_key(BY_DIFFERENCE), &[i64s(mixed(n)), Value::I64(7)]);
    }
}

#[test]
fn functions_may_fault() {
    for at in [0, 1, 2, 3, 7, 39] {
        let mut numbers: Vec<i64> = (20..60).collect();
        numbers[at] = 13;
        let args = [i64s(numbers), Value::I64(3)];
        check_ir(&over(&format!("{BY_QUOTIENT} i64 or fault")), &args);
        check_ir(&over(&format!("{BY_QUOTIENT} i64 init v1")), &args);
        check_ir(&by_key(BY_QUOTIENT), &args);
    }
}
