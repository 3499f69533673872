//! Passes, one at a time and all together, on IR text.
//!
//! A file in `filetests/passes/<pass>/` is run through that pass, once, or through the passes that a line
//! `// run: fuse-vertical, dead-code` names. What comes out is told with the structure before and after and
//! with what was refused; a program that stays as it is is told as `unchanged`. Files in
//! `filetests/pipeline/` go through all passes to the fixpoint; each says above its program what must be left
//! (`// expect: loops 1, materialized 0`), which `UPDATE_EXPECT=1` does not rewrite.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use weldment_core::analysis::structure::{self, Structure};
use weldment_core::front::from_text;
use weldment_core::ir::{parse, renumber, verify};
use weldment_core::passes::{Broken, Changed, Cx, Options, PASSES, Pass, optimize, optimize_with, run_pass};
use weldment_core::report::Refusal;

use crate::filetest::check_folder;

fn pass(name: &str) -> &'static Pass {
    PASSES.iter().find(|pass| pass.name == name).unwrap_or_else(|| panic!("no pass `{name}`"))
}

fn parse_sound(input: &str) -> weldment_core::ir::Program {
    let program = parse(input).unwrap_or_else(|error| panic!("{error}\n{input}"));
    if let Err(errors) = verify(&program) {
        panic!("not sound: {errors:#?}\n{input}");
    }
    program
}

fn sound<T>(result: Result<T, Broken>) -> T {
    result.unwrap_or_else(|broken| panic!("{broken}\n{}", broken.program))
}

fn structure_line(before: Structure, after: Structure) -> String {
    format!(
        "// loops {} -> {}, materialized {} -> {}\n",
        before.loops, after.loops, before.materialized, after.materialized
    )
}

fn refusals<P: Copy>(refused: &[Refusal<P>]) -> String {
    refused.iter().fold(String::new(), |mut text, refused| {
        let _ = writeln!(text, "// refused {}: {}", refused.rule, refused.render(|_| None));
        text
    })
}

/// Passes of rules that apply again and again, until none has anything left to do: not even in what they wrote themselves.
const TO_FIXPOINT: [&str; 4] = ["simplify", "fold-constants", "fold-loops", "predicate"];

fn run_passes(input: &str, passes: &[&Pass]) -> String {
    let mut program = parse_sound(input);
    let before = Structure::of(&program);
    let mut cx = Cx::new(&Options::default());
    let mut changed = false;
    for pass in passes {
        changed |= sound(run_pass(pass, &mut program, &mut cx)) == Changed::Yes;
    }
    let refused = refusals(&cx.report.refused);
    if let [one] = passes
        && TO_FIXPOINT.contains(&one.name)
    {
        let settled = renumber(&program).to_string();
        assert_eq!(sound(run_pass(one, &mut program, &mut Cx::default())), Changed::No, "{settled}{program}");
    }
    if !changed {
        return format!("{refused}unchanged\n");
    }
    let structure = structure_line(before, Structure::of(&program));
    format!("{structure}{refused}{}", renumber(&program))
}

#[test]
fn each_pass_does_what_its_files_say() {
    for one in PASSES {
        check_folder(&format!("passes/{}", one.name), |input| {
            let named = input.lines().find_map(|line| line.strip_prefix("// run: "));
            let passes: Vec<&Pass> = match named {
                Some(names) => names.split(", ").map(pass).collect(),
                None => vec![one],
            };
            run_passes(input, &passes)
        });
    }
}

#[test]
fn pipeline_leaves_the_expected_structure() {
    check_folder("pipeline", |input| {
        let mut program = parse_sound(input);
        // The last passes write loops twice, which the report counts once.
        let mut once = program.clone();
        let mut twice = false;
        let report = sound(optimize_with(&mut program, &Options::default(), |pass, changed, program| {
            twice |= ["unswitch", "check-once"].contains(&pass.name) && changed == Changed::Yes;
            if !twice {
                once = program.clone();
            }
        }));
        let before = Structure { loops: report.loops.before, materialized: report.materialized.before };
        let after = Structure { loops: report.loops.after, materialized: report.materialized.after };
        assert_eq!(after, Structure::of(&once));
        assert_eq!(after.loops, structure::loops(&once).len());
        assert_eq!(after.materialized, structure::stored(&once).len());
        assert_eq!(after, expected_structure(input), "{input}");
        format!("{}{}{}", structure_line(before, after), refusals(&report.refused), renumber(&program))
    });
}

/// What the line `// expect: loops 1, materialized 0` of a file says.
fn expected_structure(input: &str) -> Structure {
    let line = input.lines().find_map(|line| line.strip_prefix("// expect: loops "));
    let numbers = line.and_then(|line| line.split_once(", materialized "));
    match numbers.map(|(loops, materialized)| (loops.parse(), materialized.parse())) {
        Some((Ok(loops), Ok(materialized))) => Structure { loops, materialized },
        _ => panic!("a line `// expect: loops 1, materialized 0` is missing:\n{input}"),
    }
}

#[test]
fn no_fuel_changes_nothing_and_each_unit_keeps_programs_sound() {
    for file in crate::filetest::files(&crate::filetest::folder("pipeline")) {
        let text = fs::read_to_string(file).unwrap();
        let input = text.split("----\n").next().unwrap();
        for fuel in 0..40 {
            let mut program = parse_sound(input);
            sound(optimize(&mut program, &Options { fuel: Some(fuel), ..Options::default() }));
            if fuel == 0 {
                assert_eq!(program, parse(input).unwrap());
            }
            verify(&program).unwrap_or_else(|errors| panic!("fuel {fuel}: {errors:#?}\n{program}"));
        }
    }
}

/// Each loop in a loop multiplies what a body costs.
#[test]
fn the_deepest_loops_cost_no_more_than_a_number_holds() {
    let deep = |last: &str| (0..9).fold(last.to_owned(), |inner, at| format!("v.map(|x{at}| {inner}).sum()"));
    let text = format!("|v: &[i64], c: bool| if c {{ {} }} else {{ {} }}", deep("x0"), deep("x0 + x8"));
    let mut program = from_text(&text).unwrap_or_else(|errors| panic!("{errors:?}")).program;
    sound(optimize(&mut program, &Options::default()));
    assert_eq!(Structure::of(&program), Structure { loops: 18, materialized: 0 });
}

/// The source of a pass.
fn source(pass: &Pass) -> String {
    let passes = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
    let name = pass.name.replace('-', "_");
    fs::read_to_string(passes.join(format!("{name}.rs")))
        .or_else(|_| fs::read_to_string(passes.join(name).join("mod.rs")))
        .unwrap_or_else(|error| panic!("{}: {error}", pass.name))
}

#[test]
fn each_pass_documents_its_contract() {
    for pass in PASSES {
        let source = source(pass);
        for part in ["**Preconditions**", "**Before / After**", "**Declines when**", "**Order**"] {
            assert!(source.contains(&format!("//! {part}")), "{} has no {part}", pass.name);
        }
    }
}

#[test]
fn before_becomes_after_in_the_docs_of_each_pass() {
    for one in PASSES {
        let blocks = text_blocks(&source(one));
        assert!(blocks.len() >= 2 && blocks.len().is_multiple_of(2), "{}: {} blocks", one.name, blocks.len());
        for pair in blocks.chunks(2) {
            let (before, after) = (&pair[0], parse_sound(&pair[1]));
            let mut program = parse_sound(before);
            let mut cx = Cx::new(&Options::default());
            sound(run_pass(one, &mut program, &mut cx));
            if !one.name.starts_with("dead") {
                sound(run_pass(pass("dead-code"), &mut program, &mut cx));
            }
            assert_eq!(renumber(&program).to_string(), renumber(&after).to_string(), "{}", one.name);
        }
    }
}

/// The IR in the ` ```text ` blocks of a module doc.
fn text_blocks(source: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        match (line, &mut block) {
            ("```text", None) => block = Some("weldment ir 1\n".to_owned()),
            ("```", Some(_)) => blocks.extend(block.take()),
            (line, Some(text)) => {
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    blocks
}

#[test]
fn a_pass_that_breaks_a_program_is_named() {
    let breaker = Pass {
        name: "breaker",
        summary: "forget to give a result",
        run: |program, _| {
            let entry = program.entry.unwrap();
            program.bodies[entry].results.clear();
            Changed::Yes
        },
    };
    let mut program = parse_sound("weldment ir 1\nprogram(v0: i64) {\n  return v0\n}\n");
    let broken = run_pass(&breaker, &mut program, &mut Cx::new(&Options::default())).unwrap_err();
    assert_eq!(
        broken.to_string(),
        "pass `breaker` broke the program; please report it\n\
         note: the program has not exactly one result"
    );
}

/// Sixty doublings of `x`, the last of which is `y60`.
fn doublings(x: &str) -> String {
    let first = format!("let y1 = {x} + {x}; ");
    (2..=60).fold(first, |text, i| text + &format!("let y{i} = y{0} + y{0}; ", i - 1))
}

/// There are 2^60 paths to the first of them, and one walk over all of them has to do.
#[test]
fn keys_and_indices_that_double_are_looked_at_once() {
    let doublings = doublings("k");
    let table = |of: &str| format!("v.reduce_by(|k| {{ {doublings} y60 }}, |k| {of}, +)");
    let two_tables = format!("|v: &[i64]| ({}, {})", table("k"), table("k * k"));
    let index = format!("|v: &[i64], w: &[i64]| w.map(|k| {{ {doublings} v[y60] }}).sum()");
    for (text, loops) in [(two_tables, 1), (index, 1)] {
        let mut program = from_text(&text).expect("a program").program;
        let report = sound(optimize(&mut program, &Options::default()));
        assert_eq!(report.loops.after, loops, "{text}");
    }
}
