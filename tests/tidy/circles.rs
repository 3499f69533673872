//! No circles: files of a crate that take things from each other, straight or by way of others, cannot be understood one by one.
//!
//! What a file takes is what its code mentions (`edges.rs`). Methods are found by type, without an import, and are not seen.

mod edges;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use crate::files::ending_in;
use edges::Edges;
use tree::Tree;

/// The roots of what is no test.
const ROOTS: [&str; 15] = [
    "benches/src/compile_time.rs",
    "benches/src/counts/main.rs",
    "benches/src/lib.rs",
    "benches/src/main.rs",
    "dsl-cli/src/main.rs",
    "dsl-codegen/src/lib.rs",
    "dsl-core/src/lib.rs",
    "dsl-macros/src/lib.rs",
    "dsl-runtime/src/lib.rs",
    "examples/pricing/library/src/lib.rs",
    "examples/pricing/risk/src/main.rs",
    "examples/tpch/main.rs",
    "src/lib.rs",
    "tests/across/src/lib.rs",
    "tests/guide/src/lib.rs",
];

/// The circles that there may be, each by the files or folders that hold all of it, and why.
const ALLOWED: &[(&[&str], &str)] = &[
    (
        &["dsl-cli/src/json.rs", "dsl-cli/src/json/arrays.rs", "dsl-cli/src/json/named.rs"],
        "one recursion: arrays are values, and hold values",
    ),
    (
        &["dsl-core/src/infer/fields.rs", "dsl-core/src/infer/ty.rs"],
        "one recursive type: types have fields, and fields have types",
    ),
    (
        &["dsl-core/src/interp/loops.rs", "dsl-core/src/interp/machine.rs", "dsl-core/src/interp/sinks.rs"],
        "one recursion: bodies run loops, loops run bodies, and sinks the functions that reduce",
    ),
    (
        &[
            "dsl-core/src/ir/op.rs",
            "dsl-core/src/ir/ops.rs",
            "dsl-core/src/ir/ops/part.rs",
            "dsl-core/src/ir/parse.rs",
            "dsl-core/src/ir/print.rs",
        ],
        "ops hold loops, whose parts are ops; and the table of ops says how each is written and read",
    ),
    (
        &["dsl-core/src/syntax/ast"],
        "one recursive tree: expressions, the types in them, and builders with both",
    ),
    (
        &["dsl-core/src/syntax/input.rs", "dsl-core/src/syntax/words.rs"],
        "what is not expected may be of another language, which what comes next tells",
    ),
    (
        &[
            "dsl-core/src/syntax/builder.rs",
            "dsl-core/src/syntax/control.rs",
            "dsl-core/src/syntax/expr.rs",
            "dsl-core/src/syntax/items.rs",
            "dsl-core/src/syntax/literal.rs",
            "dsl-core/src/syntax/matches.rs",
            "dsl-core/src/syntax/pattern.rs",
            "dsl-core/src/syntax/postfix.rs",
            "dsl-core/src/syntax/primary.rs",
            "dsl-core/src/syntax/structs.rs",
            "dsl-core/src/syntax/types.rs",
        ],
        "one recursive descent, a file for each part of the grammar",
    ),
];

/// The circles among files: each its files, sorted.
fn circles(edges: &Edges) -> Vec<Vec<&str>> {
    let mut taken: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        taken.entry(from).or_default().push(to);
    }
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for &next in taken.get(file).into_iter().flatten() {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<_, _> = taken.keys().map(|&file| (file, reached(file))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for (&file, below) in &reached {
        let is_known = circles.iter().any(|circle| circle.contains(&file));
        if below.contains(file) && !is_known {
            let is_back = |other: &&&str| reached.get(**other).is_some_and(|below| below.contains(file));
            circles.push(below.iter().filter(is_back).copied().collect());
        }
    }
    circles
}

/// A circle as one may read it: its files, and what each takes from which other.
fn told(circle: &[&str], edges: &Edges) -> String {
    let mut text = format!("{} files take things from each other in a circle:\n", circle.len());
    for ((from, to), (path, line)) in edges {
        if circle.contains(&&**from) && circle.contains(&&**to) {
            text += &format!("  {from}:{line} takes `{path}` from {to}\n");
        }
    }
    text
}

/// The files of the workspace by their paths.
fn files() -> BTreeMap<String, String> {
    ending_in(&[".rs"]).into_iter().map(|file| (file.path, file.text)).collect()
}

/// Which of [`ALLOWED`] holds a circle.
fn allowed(circle: &[&str]) -> Option<usize> {
    let holds =
        |places: &[&str]| circle.iter().all(|file| places.iter().any(|place| file.starts_with(place)));
    ALLOWED.iter().position(|(places, _)| holds(places))
}

#[test]
fn files_take_nothing_from_each_other_in_circles() {
    let files = files();
    let (mut refused, mut found, mut count) = (String::new(), BTreeSet::new(), 0);
    for root in ROOTS {
        let edges = edges::edges(&Tree::read(root, &files));
        count += edges.len();
        for circle in circles(&edges) {
            match allowed(&circle) {
                Some(at) => _ = found.insert(at),
                None => refused += &told(&circle, &edges),
            }
        }
    }
    assert!(refused.is_empty(), "put what is shared into a file below both:\n{refused}");
    for (at, (places, _)) in ALLOWED.iter().enumerate() {
        assert!(found.contains(&at), "there is no circle in {places:?} any more: strike it from `ALLOWED`");
    }
    assert!(count > 1500, "the sources are not where they were: {count} edges");
}

/// What is said of the circles of an invented crate.
fn told_of(files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string())).collect();
    let edges = edges::edges(&Tree::read("src/lib.rs", &files));
    circles(&edges).iter().map(|circle| told(circle, &edges)).collect()
}

#[test]
fn a_circle_is_told_with_an_import_for_each_edge() {
    let told = told_of(&[
        ("src/lib.rs", "mod a; mod b; mod c;"),
        ("src/a.rs", "use crate::b::B;\npub struct A(B);"),
        ("src/b.rs", "pub struct B(crate::c::C);"),
        ("src/c.rs", "use super::a;\n\npub type C = Vec<a::A>;"),
    ]);
    let expected = "3 files take things from each other in a circle:\n  src/a.rs:2 takes `B` from src/b.rs\n  \
                    src/b.rs:1 takes `crate::c::C` from src/c.rs\n  src/c.rs:3 takes `a::A` from src/a.rs\n";
    assert_eq!(told, expected);
}

#[test]
fn a_module_may_hand_on_what_its_children_define_but_not_use_it() {
    let child = ("src/a/child.rs", "use super::Shared;\npub struct Child(Shared);");
    let root = ("src/lib.rs", "mod a;");
    let hands_on = ("src/a/mod.rs", "mod child;\npub use child::Child;\npub struct Shared;");
    assert_eq!(told_of(&[root, hands_on, child]), "");
    let uses = ("src/a/mod.rs", "mod child;\npub use child::Child;\npub struct Shared;\nfn f(_: Child) {}");
    let told = told_of(&[root, uses, child]);
    assert!(told.contains("src/a/mod.rs:4 takes `Child` from src/a/child.rs"), "{told}");
    assert!(told.contains("src/a/child.rs:2 takes `Shared` from src/a/mod.rs"), "{told}");
}

#[test]
fn names_are_followed_to_where_they_are_defined() {
    let told = told_of(&[
        ("src/lib.rs", "mod a; mod b; pub use b::*;"),
        ("src/a/mod.rs", "mod inner;\npub use inner::Inner as Other;"),
        ("src/a/inner.rs", "use crate::made;\npub struct Inner(made!(u8));"),
        (
            "src/b.rs",
            "#[macro_export] macro_rules! made { ($t:ty) => { $t } }\npub type B = crate::a::Other;",
        ),
    ]);
    assert!(told.contains("src/b.rs:2 takes `crate::a::Other` from src/a/inner.rs"), "{told}");
    assert!(told.contains("src/a/inner.rs:2 takes `made` from src/b.rs"), "{told}");
    assert_eq!(told.lines().count(), 3, "{told}");
}

#[test]
fn tests_and_emitted_code_take_nothing() {
    let told = told_of(&[
        ("src/lib.rs", "mod a; mod b;"),
        (
            "src/a.rs",
            "pub struct A;\nfn f() { quote!(crate::b::B) }\n#[cfg(test)]\nmod tests { use crate::b::B; fn g(_: B) {} }",
        ),
        ("src/b.rs", "pub struct B(crate::a::A);\n#[cfg(test)] use crate::a::{A}; fn h() {}"),
    ]);
    assert_eq!(told, "");
}
