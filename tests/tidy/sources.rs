//! What a source file may contain.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::files::{File, ending_in};

const MAX_LINES: usize = 500;

/// The only files with `unsafe` code.
const UNSAFE: [&str; 78] = [
    "benches/src/cpu.rs",
    "benches/src/memory.rs",
    "benches/src/prefetch.rs",
    "benches/src/workloads/options/vectors.rs",
    "dsl-cli/src/engine.rs",
    "dsl-codegen/src/backend/code.rs",
    "dsl-codegen/src/backend/marshal.rs",
    "dsl-codegen/src/backend/native.rs",
    "dsl-codegen/src/foreign.rs",
    "dsl-codegen/src/llvm/engine/code_generator.rs",
    "dsl-codegen/src/llvm/engine/jit.rs",
    "dsl-codegen/src/llvm/engine/machine.rs",
    "dsl-codegen/src/llvm/memory/frame.rs",
    "dsl-codegen/src/llvm/memory/parts.rs",
    "dsl-codegen/src/llvm/memory/placed.rs",
    "dsl-codegen/src/llvm/memory/tables.rs",
    "dsl-codegen/src/llvm/memory.rs",
    "dsl-codegen/src/llvm/runtime/abi.rs",
    "dsl-codegen/src/llvm/runtime/bytes.rs",
    "dsl-codegen/src/llvm/runtime/calls.rs",
    "dsl-codegen/src/llvm/runtime/collected.rs",
    "dsl-codegen/src/llvm/runtime/compare.rs",
    "dsl-codegen/src/llvm/runtime/drive.rs",
    "dsl-codegen/src/llvm/runtime/keys.rs",
    "dsl-codegen/src/llvm/runtime/merging.rs",
    "dsl-codegen/src/llvm/runtime/sort.rs",
    "dsl-codegen/src/llvm/runtime/table.rs",
    "dsl-codegen/src/llvm/runtime/text.rs",
    "dsl-codegen/src/llvm/runtime/words.rs",
    "dsl-runtime/src/api/array.rs",
    "dsl-runtime/src/api/derive.rs",
    "dsl-runtime/src/api/enumeration.rs",
    "dsl-runtime/src/api/kernel.rs",
    "dsl-runtime/src/api/layout/typed.rs",
    "dsl-runtime/src/api/layout.rs",
    "dsl-runtime/src/api/lent.rs",
    "dsl-runtime/src/api/reclaim.rs",
    "dsl-runtime/src/api/structure.rs",
    "dsl-runtime/src/exec/allocate.rs",
    "dsl-runtime/src/exec/cpu.rs",
    "dsl-runtime/src/exec/drive/token_cell.rs",
    "dsl-runtime/src/exec/parallel_copy.rs",
    "dsl-runtime/src/mem/huge_pages.rs",
    "dsl-runtime/src/mem/pool.rs",
    "dsl-runtime/src/mem/vec.rs",
    "dsl-runtime/src/store/array/copy.rs",
    "dsl-runtime/src/store/array/ndarray.rs",
    "dsl-runtime/src/store/array/view.rs",
    "dsl-runtime/src/store/partition/columns.rs",
    "dsl-runtime/src/store/partition/drain.rs",
    "dsl-runtime/src/store/partition/entries.rs",
    "dsl-runtime/src/store/partition/raw.rs",
    "dsl-runtime/src/store/partition/slab.rs",
    "dsl-runtime/src/store/partition/types.rs",
    "dsl-runtime/src/store/partition/write_combining.rs",
    "dsl-runtime/src/store/table/direct.rs",
    "dsl-runtime/src/store/table/slots.rs",
    "dsl-runtime/src/store/table/small.rs",
    "dsl-runtime/src/store/vector/columns.rs",
    "dsl-runtime/src/store/vector/compress.rs",
    "dsl-runtime/src/store/vector/cursor.rs",
    "dsl-runtime/src/store/vector/exact.rs",
    "dsl-runtime/src/store/vector/growable.rs",
    "dsl-runtime/src/store/vector/ordered.rs",
    "examples/tpch/cpu.rs",
    "src/program/foreign/function.rs",
    "src/program/foreign/interpreted.rs",
    "src/program/foreign/library/unix.rs",
    "src/program/foreign/library/windows.rs",
    "src/program/foreign/mod.rs",
    "tests/alloc/allocator.rs",
    "tests/c/library.rs",
    "tests/foreign/allowed.rs",
    "tests/foreign/apart.rs",
    "tests/foreign/refused.rs",
    "tests/foreign/signatures.rs",
    "tests/fusion/opaque.rs",
    "tests/generated/foreign.rs",
];

/// The tokens of a file, groups taken apart, comments left out.
pub(crate) fn tokens(file: &File) -> Vec<TokenTree> {
    fn flatten(stream: TokenStream, tokens: &mut Vec<TokenTree>) {
        for token in stream {
            let inside = match &token {
                TokenTree::Group(group) => Some(group.stream()),
                _ => None,
            };
            tokens.push(token);
            if let Some(inside) = inside {
                flatten(inside, tokens);
            }
        }
    }
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    tokens
}

/// Sources of the project. The programs of `tests/ui` are wrong on purpose.
fn sources() -> impl Iterator<Item = File> {
    ending_in(&[".rs"]).into_iter().filter(|file| !file.path.starts_with("tests/ui/"))
}

#[test]
fn no_file_is_longer_than_one_can_read() {
    for file in sources() {
        let lines = file.text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines: split it", file.path);
    }
}

#[test]
fn unsafe_code_stands_in_named_files() {
    let is_unsafe = |file: &File| tokens(file).iter().any(|token| is_word(token, "unsafe"));
    let found: Vec<_> = sources().filter(is_unsafe).map(|file| file.path).collect();
    assert_eq!(found, UNSAFE);
}

#[test]
fn nothing_is_left_undone() {
    let macros = ["todo", "unimplemented", "dbg"];
    for file in sources() {
        let tokens = tokens(&file);
        for pair in tokens.windows(2) {
            let is_call = matches!(&pair[1], TokenTree::Punct(punct) if punct.as_char() == '!');
            let called = macros.iter().find(|name| is_call && is_word(&pair[0], name));
            assert!(called.is_none(), "{} calls `{}!`", file.path, called.unwrap_or(&""));
            assert!(!is_ignore(pair), "{} ignores a test", file.path);
        }
    }
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// `#[ignore]`, with a reason or without.
fn is_ignore(pair: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group)] = pair else { return false };
    let first = group.stream().into_iter().next();
    hash.as_char() == '#'
        && group.delimiter() == Delimiter::Bracket
        && first.is_some_and(|token| is_word(&token, "ignore"))
}

/// Texts, whoever reads them.
const TEXTS: [&str; 6] = [".rs", ".toml", ".md", ".ir", ".weld", ".stderr"];

#[test]
fn no_text_has_open_ends() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    for file in ending_in(&TEXTS) {
        let mark = marks.iter().find(|mark| file.text.contains(**mark));
        assert!(mark.is_none(), "{} says {}", file.path, mark.unwrap_or(&""));
    }
}

#[test]
fn no_text_names_a_place_on_some_machine() {
    let places = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Use", "rs/"),
        concat!("/wo", "rk/"),
        concat!("/t", "mp/"),
        concat!("C:", "\\"),
    ];
    for file in ending_in(&TEXTS) {
        let place = places.iter().find(|place| file.text.contains(**place));
        assert!(place.is_none(), "{} names {}", file.path, place.unwrap_or(&""));
    }
}
