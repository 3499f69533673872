//! The report as data, from the macro and at run time.

use weldment::{Position, Program, Report, weld};

fn report(text: &str) -> Report {
    Program::parse(text).expect("a program").explain().expect("sound passes").report
}

/// The place of the first `token` in `text`, which is one line.
fn place(text: &str, token: &str) -> Position {
    let before = text.find(token).expect("the token is there");
    Position { line: 1, column: text[..before].chars().count() as u32 + 1 }
}

/// `text` with every place, such as `3:14`, as `_`.
fn without_places(text: &str) -> String {
    let is_place = |word: &str| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        word.trim_end_matches(':')
            .split_once(':')
            .is_some_and(|(line, column)| digits(line) && digits(column))
    };
    let lines = text.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').map(|word| if is_place(word) { "_" } else { word }).collect();
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_report_of_a_kernel_is_that_of_its_text() {
    let kernels = [
        weld!(|v: &[f64]| (v.map(|x| x * 2.0).sum(), v.max())).explain(),
        weld!(|v: &[f64]| {
            let w = v.filter(|x| x > 0.0);
            w.map(|x| x - w[0])
        })
        .explain(),
        weld!(|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)).explain(),
        weld!(|v: &[(i64, f64)]| v.group_by(|x| x.0).tovec().map(|(k, g)| (k, g.map(|x| x.1).sum())))
            .explain(),
    ];
    let texts = [
        "|v: &[f64]| (v.map(|x| x * 2.0).sum(), v.max())",
        "|v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }",
        "|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)",
        "|v: &[(i64, f64)]| v.group_by(|x| x.0).tovec().map(|(k, g)| (k, g.map(|x| x.1).sum()))",
    ];
    for (explained, text) in kernels.into_iter().zip(texts) {
        let told = explained.split("== report\n").nth(1).expect("a report");
        assert_eq!(without_places(told.trim_end()), without_places(report(text).to_string().trim_end()));
    }
}

#[test]
fn what_was_fused_and_what_was_not_have_places() {
    let text = "|v: &[f64]| let w = v.filter(|x| x > 0.0).map(|x| x + 1.0); w.map(|x| x - w[0])";
    let report = report(text);
    assert_eq!((report.loops.before, report.loops.after), (3, 2));
    let fused = &report.fused[0];
    assert_eq!(
        (fused.rule, fused.at, fused.producer),
        ("push", place(text, "map"), Some(place(text, "filter")))
    );
    let refused = &report.refused[0];
    assert_eq!((refused.rule, refused.because), ("push", Some(place(text, "[0]"))));
    assert_eq!(report.stored.iter().map(|stored| stored.what.as_str()).collect::<Vec<_>>(), ["vec[f64]"]);
}

#[test]
fn a_reason_quotes_what_the_user_wrote_however_it_is_set() {
    let text =
        "|v: &[f64]|\n  let w = v\n    .filter( |x|x>0.0 )\n    .map( |x|x+1.0 );\n  w.map( |x|x-w [0] )";
    let reason = "`w[0]` reads `v.filter(|x| x > 0.0).map(|x| x + 1.0)` otherwise than element by element";
    assert_eq!(report(text).refused[0].reason, reason);
    let kernel = weld!(|v: &[f64]| {
        let w = v.filter(|x| x > 0.0).map(|x| x + 1.0);
        w.map(|x| x - w[0])
    });
    assert!(kernel.explain().contains(reason), "{}", kernel.explain());
}

#[test]
fn what_cost_has_decided_is_told_with_its_figures() {
    // An element may be read any number of times.
    let costly = report("|v: &[f64], k: &[i64]| { let w = v.map(|x| sin(x)); k.map(|i| w[i]) }");
    let reasons: Vec<&str> = costly.refused.iter().map(|refused| refused.reason.as_str()).collect();
    let told = |part: &str| reasons.iter().any(|reason| reason.contains(part));
    assert!(
        told("`v.map(|x| sin(x))` would be computed more often than once; it costs 33, and 8 is"),
        "{reasons:?}"
    );

    let branches = report("|v: &[f64]| v.map(|x| if x > 0.0 { x * 2.0 } else { sin(x) })");
    let reasons: Vec<&str> = branches.refused.iter().map(|refused| refused.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "the sides of `if x > 0.0 { x * 2.0 } else { sin(x) }` cost 33 together, and 16 is the limit for computing both"
        ]
    );

    let text = "|v: &[f64]| v.map(|x| if x > 0.0 { x } else { sqrt(x) / (x + 2.0) + 1.0 / x + 2.0 / (x - 1.0) / x }).sum()";
    let sums = report(text);
    let last = sums.refused.last().expect("the branch stays");
    assert_eq!((last.rule, last.at), ("blocks", place(text, "sum")));
    assert!(last.reason.contains(" cost 44 together, and 40 is the limit"), "{}", last.reason);

    let cheap = report("|v: &[f64]| v.map(|x| if x > 0.0 { x * 2.0 } else { 0.0 })");
    assert_eq!((cheap.decided[0].pass, cheap.decided[0].at.column), ("predicate", 23));
    let once = report("|v: &[f64], y: f64| v.map(|x| x * exp(y))");
    assert_eq!((once.decided[0].pass, once.decided[0].at.column), ("hoist", 35));
    let short = report("|v: &[i64]| v.flat_map(|x| [x, x + 1].map(|y| y * 2))");
    assert!(
        short.decided.iter().any(|decided| decided.what == "the loop is written out, 2 times"),
        "{:?}",
        short.decided
    );
}

#[test]
fn what_is_left_of_nothing_is_not_told() {
    let report = report("|v: &[f64], w: &[f64]| zip(v, w).filter(|(x, y)| x > y).map(|(x, y)| x * y).sum()");
    let rules: Vec<&str> = report.fused.iter().map(|fused| fused.rule).collect();
    assert_eq!(rules, ["push", "push"]);
}

#[test]
fn each_loop_tells_how_it_runs() {
    let text =
        "|rows: &[Vec<f64>], k: &[i32]| (rows.map(|row| row.map(|x| x * 2.0).sum()), k.map(|k| k as i64))";
    let running = report(text).running;
    let told: Vec<_> = running
        .iter()
        .map(|one| (one.depth, one.split.is_some(), one.lanes, one.read, one.written))
        .collect();
    assert_eq!(told, [(0, true, 1, 16, 8), (1, false, 16, 8, 0), (0, true, 16, 4, 8)]);
    assert_eq!(running[0].makes, ["vec[f64]"]);
    assert_eq!(running[1].makes, ["f64 by +"]);
}
