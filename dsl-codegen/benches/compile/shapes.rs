//! Programs of any size, one shape for each thing that might take longer than it should.

use std::fmt::Write;

/// A family of programs.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// The program with about so many loops, or operators.
    pub(crate) program: fn(usize) -> String,
}

/// All of them.
pub(crate) const SHAPES: &[Shape] = &[
    Shape { name: "maps", summary: "maps and filters in a row, which fuse vertically", program: maps },
    Shape { name: "sums", summary: "sums over one vector, which fuse horizontally", program: sums },
    Shape { name: "shared", summary: "a chain of vectors, each read twice", program: shared },
    Shape { name: "nested", summary: "sums over rows, side by side", program: nested },
    Shape { name: "groups", summary: "dictionaries, side by side", program: groups },
    Shape { name: "structs", summary: "vectors of structs that are stored as columns", program: structs },
    Shape { name: "sorts", summary: "sorts of structs by a key", program: sorts },
    Shape { name: "tables", summary: "dictionaries, ten by each key", program: tables },
    Shape { name: "guards", summary: "sums of what one filter leaves, side by side", program: guards },
    Shape {
        name: "branches",
        summary: "filters by conditions of their own, side by side",
        program: branches,
    },
    Shape { name: "flattened", summary: "vectors of pairs in a row, each twice as long", program: flattened },
    Shape { name: "readers", summary: "sums over one map", program: readers },
    Shape { name: "choices", summary: "sums over vectors that an `if` chooses", program: choices },
    Shape { name: "inward", summary: "maps that one branch of an `if` needs", program: inward },
    Shape { name: "grouped", summary: "sums of what is grouped by one key", program: grouped },
    Shape { name: "scanned", summary: "sums for each key in turn", program: scanned },
    Shape { name: "columns", summary: "sums of columns, read down", program: columns },
    Shape { name: "checked", summary: "sums along vectors by an index of their own", program: checked },
    Shape { name: "literals", summary: "sums over literals", program: literals },
    Shape { name: "lets", summary: "scalars, each of the one before", program: lets },
    Shape { name: "stages", summary: "a map of functions, each of the one before", program: stages },
    Shape { name: "operators", summary: "one expression of operators", program: operators },
];

/// `head`, then what `step` says of the numbers from 1 to `n`, then `last`.
fn chain(n: usize, head: &str, step: impl Fn(usize) -> String, last: &str) -> String {
    let mut program = head.to_owned();
    for i in 1..=n {
        writeln!(program, "    {}", step(i)).expect("a string takes whatever is written");
    }
    format!("{program}    {last}\n}}\n")
}

fn maps(n: usize) -> String {
    let step = |i: usize| match i % 4 {
        0 => format!("let v{i} = v{}.filter(|x| x > {i}.5);", i - 1),
        _ => format!("let v{i} = v{}.map(|x| x * {i}.5 + 1.0);", i - 1),
    };
    chain(n - 1, "|v0: &[f64]| {\n", step, &format!("v{}.sum()", n - 1))
}

fn sums(n: usize) -> String {
    let step = |i: usize| format!("let t{i} = t{} + v.map(|x| x * {i}.5).sum();", i - 1);
    chain(n, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn shared(n: usize) -> String {
    let step = |i: usize| {
        let before = i - 1;
        format!("let v{i} = v{before}.map(|x| x * {i}.5); let t{i} = t{before} + v{i}.max();")
    };
    chain(n / 2, "|v0: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 2))
}

fn nested(n: usize) -> String {
    let step =
        |i: usize| format!("let t{i} = t{} + rows.map(|row| row.map(|x| x * {i}.5).sum()).sum();", i - 1);
    chain(n / 2, "|rows: &[Vec<f64>]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 2))
}

fn groups(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let d{i} = zip(k, v).reduce_by(|(k, _)| k + {i}, |(_, x)| x, +); let t{i} = t{} + d{i}[{i}];",
            i - 1
        )
    };
    chain(n, "|k: &[i64], v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn structs(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let p{i} = v.filter(|x| x > {i}.5).map(|x| (x, (x * {i}.5, x))); let t{i} = t{} + p{i}[{i}].1.0 + p{i}[0].0;",
            i - 1
        )
    };
    chain(n, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn sorts(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let s{i} = v.map(|x| (x * {i}.5, x, x + {i}.0, x - {i}.0)).sort_by_key(|(key, _, _, _)| key); let t{i} = t{} + s{i}[{i}].1 + s{i}[0].2;",
            i - 1
        )
    };
    chain(n / 2, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 2))
}

fn tables(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let d{i} = zip(k, v).reduce_by(|(k, _)| k + {}, |(_, x)| x * {i}.5, +); let t{i} = t{} + d{i}[{i}];",
            i / 10,
            i - 1
        )
    };
    chain(n, "|k: &[i64], v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn guards(n: usize) -> String {
    let step = |i: usize| format!("let t{i} = t{} + v.filter(|x| x > 0.5).map(|x| x * {i}.5).sum();", i - 1);
    chain(n, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn branches(n: usize) -> String {
    let step = |i: usize| format!("let t{i} = t{} + v.filter(|x| x > {i}.5).sum();", i - 1);
    chain(n, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn flattened(n: usize) -> String {
    let step = |i: usize| format!("let v{i} = v{}.flat_map(|x| [x, x * {i}.5]);", i - 1);
    chain(n - 1, "|v0: &[f64]| {\n", step, &format!("v{}.sum()", n - 1))
}

fn readers(n: usize) -> String {
    let step = |i: usize| format!("let t{i} = t{} + w.map(|x| x * {i}.5).sum();", i - 1);
    let head = "|v: &[f64]| {\n    let w = v.map(|x| exp(x) + sqrt(x * x + 1.0));\n    let t0 = 0.0;\n";
    chain(n, head, step, &format!("t{n}"))
}

fn choices(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let v{i} = if t{0} > {i}.0 {{ v.map(|x| x * {i}.5) }} else {{ v.map(|x| x + {i}.5) }}; let t{i} = t{0} + v{i}.sum();",
            i - 1
        )
    };
    chain(n / 3, "|v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 3))
}

fn inward(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let v{i} = v.map(|x| x * {i}.5); let t{i} = t{0} + if t{0} > {i}.0 {{ v{i}.sum() }} else {{ t{0} }};",
            i - 1
        )
    };
    chain(n / 2, "|v: &[f64]| {\n    let t0 = v.sum();\n", step, &format!("t{}", n / 2))
}

fn grouped(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let g{i} = zip(k, v).group_by(|(k, _)| k + {i}).tovec().map(|(_, g)| g.map(|(_, x)| x).sum()); let t{i} = t{} + g{i}[0];",
            i - 1
        )
    };
    chain(n / 3, "|k: &[i64], v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 3))
}

fn scanned(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let s{i} = k.map(|key| zip(w, v).filter(|(g, _)| g == key + {i}).map(|(_, x)| x).sum()); let t{i} = t{} + s{i}[0];",
            i - 1
        )
    };
    chain(n / 3, "|k: &[i64], w: &[i64], v: &[f64]| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 3))
}

fn columns(n: usize) -> String {
    let step = |i: usize| {
        format!(
            "let s{i} = (0..columns).map(|c| rows.map(|row| row[c] * {i}.5).sum()); let t{i} = t{} + s{i}[0];",
            i - 1
        )
    };
    chain(n / 2, "|rows: &[Vec<f64>], columns: i64| {\n    let t0 = 0.0;\n", step, &format!("t{}", n / 2))
}

fn checked(n: usize) -> String {
    let step =
        |i: usize| format!("let t{i} = t{} + (0..n + {i}).map(|j| v[j] * {i}.5 - v[j + 1]).sum();", i - 1);
    chain(n, "|v: &[f64], n: i64| {\n    let t0 = 0.0;\n", step, &format!("t{n}"))
}

fn literals(n: usize) -> String {
    let step = |i: usize| format!("let t{i} = t{} + [1.0, {i}.5].map(|x| x * x).sum();", i - 1);
    chain(n, "|t0: f64| {\n", step, &format!("t{n}"))
}

fn lets(n: usize) -> String {
    chain(n, "|x0: f64| {\n", |i| format!("let x{i} = x{} * 0.5 + x0;", i - 1), &format!("x{n}"))
}

fn stages(n: usize) -> String {
    let step = |i: usize| format!("let x{i} = (x{} * 0.5).exp();", i - 1);
    chain(n, "|v: &[f64]| v.map(|x0| {\n", step, &format!("x{n}")).replace("\n}\n", "\n})\n")
}

fn operators(n: usize) -> String {
    // No more than 500 may stand in a row.
    let term = |i: usize| format!("x * {i}.5");
    let group = |of: &[usize]| format!("({})", of.iter().map(|&i| term(i)).collect::<Vec<_>>().join(" + "));
    let numbers: Vec<usize> = (1..=n / 2).collect();
    let groups: Vec<String> = numbers.chunks(100).map(group).collect();
    format!("|x: f64| {}\n", groups.join(" - "))
}
