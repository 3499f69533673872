//! The kernels of the example `tpch` as run-time programs, from the very text that the example compiles.

use std::sync::Arc;

use weldment::{CompileOptions, Program, Value};

const KERNELS: &str = include_str!("../../examples/tpch/kernels.rs");

/// What stands between the parentheses of `weld!(…)` in the definition of the constant `name`.
fn kernel(name: &str) -> &'static str {
    let at = KERNELS.find(&format!("const {name}: Kernel<")).expect("the example defines it");
    let open = at + KERNELS[at..].find("weld!(").expect("by the macro") + "weld!(".len();
    let mut depth = 1;
    let close = KERNELS[open..].find(|c| {
        depth += (c == '(') as i32 - (c == ')') as i32;
        depth == 0
    });
    &KERNELS[open..open + close.expect("and closes what it opens")]
}

fn run(name: &str, args: &[Value]) -> Value {
    let program = Program::parse(kernel(name)).expect(name);
    program.compile(&CompileOptions::default()).expect(name).run(args).expect(name)
}

fn f64s(values: &[f64]) -> Value {
    Value::vec(values.iter().copied().map(Value::F64).collect())
}

fn i32s(values: &[i32]) -> Value {
    Value::vec(values.iter().copied().map(Value::I32).collect())
}

fn bytes(text: &str) -> Value {
    Value::vec(text.bytes().map(Value::U8).collect())
}

#[test]
fn q6_sums_the_rows_inside_all_bounds() {
    // Two rows qualify, at the bounds; each other row misses one condition.
    let ship = i32s(&[8766, 9130, 8765, 9131, 8800, 8800, 8800]);
    let discount = f64s(&[0.05, 0.07, 0.06, 0.06, 0.04, 0.08, 0.06]);
    let quantity = f64s(&[23.0, 1.0, 1.0, 1.0, 1.0, 1.0, 24.0]);
    let price = f64s(&[100.0, 200.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let found = run("Q6", &[price, discount, quantity, ship]);
    assert!(found.same_bits(&Value::F64(100.0 * 0.05 + 200.0 * 0.07)), "{found:?}");
}

#[test]
fn q1_groups_in_order_of_appearance_and_leaves_out_late_rows() {
    let args = [
        bytes("NARN"),
        bytes("OFFO"),
        f64s(&[1.0, 2.0, 4.0, 8.0]),
        f64s(&[100.0, 10.0, 1000.0, 200.0]),
        f64s(&[0.5, 0.25, 0.5, 0.75]),
        f64s(&[0.0, 0.5, 0.5, 1.0]),
        i32s(&[10471, 0, 10472, 9000]),
    ];
    let line = |flag, status, sums: [f64; 5], count| {
        let mut fields: Vec<Value> = sums.into_iter().map(Value::F64).collect();
        fields.push(Value::I64(count));
        (Value::structure(vec![Value::U8(flag), Value::U8(status)]), Value::structure(fields))
    };
    let lines = [
        line(b'N', b'O', [9.0, 300.0, 100.0, 150.0, 1.25], 2),
        line(b'A', b'F', [2.0, 10.0, 7.5, 11.25, 0.25], 1),
    ];
    let expected = Value::Dict(Arc::new(lines.into_iter().collect()));
    let found = run("Q1", &args);
    assert!(found.same_bits(&expected), "{found:?}");
}
