//! `WELDMENT_DUMP=folder` while a crate is built: what became of each kernel, as files to read and compare.
//!
//! A kernel is one file of text: its source, the program after every pass that changed it, the loop IR, the emitted Rust
//! and the report; and with the feature `html` a page beside it. Its name tells the crate, the file, line and column of
//! the kernel's first token, and a hash of its source, as kernels that a macro of the user's makes all stand at one place.
//!
//! Cargo builds a crate anew when the variable changes, for the expansion of a kernel mentions it: see
//! [`About`](crate::rust::About). A path that is not absolute begins where rustc runs: at the root of the workspace.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Span, TokenStream};
use weldment_core::history::{self, History};
use weldment_core::ir::{Line, Program};
use weldment_core::passes::Options;
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::Position;

use crate::imp;
use crate::loops;
use crate::text::Text;

/// The variable that names the folder.
pub(crate) const VARIABLE: &str = "WELDMENT_DUMP";

/// A kernel that was compiled.
pub(crate) struct Kernel<'a> {
    /// Its first token.
    pub(crate) first: Span,
    pub(crate) text: &'a Text,
    /// The program before the optimiser.
    pub(crate) plain: Program,
    pub(crate) positions: &'a Positions,
    /// The emitted function.
    pub(crate) rust: TokenStream,
}

/// The folder to write to, if there is to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    env::var_os(VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Writes the files of `kernel` into `folder`, which is made if it is not there.
///
/// # Errors
/// Why that cannot be, as a message.
pub(crate) fn write(folder: &Path, kernel: Kernel<'_>) -> Result<(), String> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        format!("cannot write what became of this kernel to `{}`: {error}", path.display())
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let Kernel { first, text, plain, positions, rust } = kernel;
    let mut program = plain.clone();
    let mut history = history::follow(&mut program, positions, &Options::default())
        .map_err(|broken| failed(folder, &broken))?;
    let loops = loops::build_and_follow(&program, positions, &mut history);
    let crate_name = env::var("CARGO_CRATE_NAME").unwrap_or_else(|_| "crate".to_owned());
    let name = name(&crate_name, first, &text.text);
    let put = |ending: &str, content: String| {
        let path = folder.join(format!("{name}.{ending}"));
        fs::write(&path, content).map_err(|error| failed(&path, &error))
    };
    let rust = readable(rust);
    let low_level = imp::build(&loops, imp::Target::RUST).to_string();
    put(
        "txt",
        stages(&text.text, &history, [("loops", &loops.to_string()), ("imp", &low_level), ("rust", &rust)]),
    )?;
    #[cfg(feature = "html")]
    put("html", page(&name, text, plain, positions, rust).map_err(|broken| failed(folder, &broken))?)?;
    Ok(())
}

/// The page of a kernel. It shows the text of the kernel, so its places are those in it, and not in the file.
#[cfg(feature = "html")]
fn page(
    title: &str,
    text: &Text,
    mut program: Program,
    positions: &Positions,
    rust: String,
) -> Result<String, weldment_core::passes::Broken> {
    use weldment_core::explain::Stage;
    use weldment_core::ir::{Entity, Loc};

    let mut in_text = Positions::new();
    for number in 0..positions.len() {
        let written = positions.get(Loc::from_index(number));
        in_text.push(text.places.get(&written).copied().unwrap_or_default());
    }
    let mut history = history::follow(&mut program, &in_text, &Options::default())?;
    let loops = loops::build_and_follow(&program, &in_text, &mut history);
    let lines = loops::print_lines(&loops);
    Ok(crate::page::render(&crate::page::Subject {
        title,
        source: &text.text,
        history: &history,
        loops: lines.iter().map(|line| line.map(|loc| in_text.get(loc))).collect(),
        code: vec![
            Stage { name: "imp", text: imp::build(&loops, imp::Target::RUST).to_string() },
            Stage { name: "rust", text: rust },
        ],
    }))
}

/// `app-src-main-3-15-8c5a01d2`.
fn name(crate_name: &str, first: Span, source: &str) -> String {
    let mut name = crate_name.to_owned();
    if let Some(file) = first.local_file() {
        let parts: Vec<_> =
            file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        for part in &parts[parts.len().saturating_sub(2)..] {
            name.push('-');
            name.push_str(part);
        }
    }
    let start = first.start();
    let hash =
        source.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let _ = write!(name, "-{}-{}-{hash:08x}", start.line, start.column + 1);
    let is_plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

/// The stages under headings, as [`Explanation`](weldment_core::explain::Explanation) prints them.
fn stages(source: &str, history: &History, code: [(&str, &str); 3]) -> String {
    let mut text = String::new();
    let mut stage = |name: &str, lines: &str| {
        let _ = write!(text, "== {name}\n{}\n\n", lines.trim_end());
    };
    let joined =
        |lines: &[Line<Position>]| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    stage("source", source);
    stage("ir", &joined(&history.plain));
    for (number, step) in history.steps.iter().enumerate() {
        stage(&format!("pass {} {}", number + 1, step.pass), &joined(&step.lines));
    }
    stage("optimised", &joined(&history.optimised));
    for (name, text) in code {
        stage(name, text);
    }
    let _ = write!(text, "== report\n{}", history.report);
    text
}

/// Tokens as people write them, where what that takes is built in.
fn readable(tokens: TokenStream) -> String {
    #[cfg(feature = "html")]
    if let Ok(file) = syn::parse2(tokens.clone()) {
        return prettyplease::unparse(&file);
    }
    tokens.to_string()
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use weldment_core::front::from_text;

    use super::*;
    use crate::rust;

    /// A folder of the test's own.
    fn scratch(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("weldment-dump-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn dump(folder: &Path, source: &str) -> Result<(), String> {
        let lowered = from_text(source).expect("a program");
        let mut optimised = lowered.program.clone();
        weldment_core::passes::optimize(&mut optimised, &Options::default()).expect("sound passes");
        let loops = loops::build(&optimised, &loops::Options::default());
        let paths = rust::Paths::new(quote!(::weldment));
        let rust = rust::function(&loops, &lowered.positions, &paths).expect("it can be emitted");
        let first = Span::call_site();
        let text = crate::text::text(source.parse().expect("tokens"));
        write(
            folder,
            Kernel { first, text: &text, plain: lowered.program, positions: &lowered.positions, rust },
        )
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    #[test]
    fn a_kernel_is_a_file_with_every_stage() {
        let folder = scratch("stages").join("made").join("on the way");
        dump(&folder, "|v: &[f64]| v.map(|x| x * x).sum()").expect("a folder that can be made");
        let names = names(&folder);
        assert_eq!(names.len(), if cfg!(feature = "html") { 2 } else { 1 });
        let text = fs::read_to_string(folder.join(names.last().expect("a file"))).expect("a text");
        let stages: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("== ")).collect();
        assert_eq!(stages[..2], ["source", "ir"]);
        assert!(
            stages.contains(&"pass 1 simplify") || stages.contains(&"pass 1 fuse-vertical"),
            "{stages:?}"
        );
        assert_eq!(stages[stages.len() - 5..], ["optimised", "loops", "imp", "rust", "report"]);
        assert!(text.contains("\nloops: 2 before, 1 after\n"));
        assert!(text.contains("16 lanes"));
        if cfg!(feature = "html") {
            let page = fs::read_to_string(folder.join(&names[0])).expect("a page");
            assert!(page.contains(">sum</a>") && page.contains(">map</a>"));
        }
        fs::remove_dir_all(folder.parent().and_then(Path::parent).expect("the scratch")).expect("removed");
    }

    #[test]
    fn one_kernel_has_one_name_and_two_have_two() {
        let folder = scratch("names");
        for source in ["|x: i64| x + 1", "|x: i64| x + 2", "|x: i64| x + 1"] {
            dump(&folder, source).expect("a folder that can be made");
        }
        let texts = names(&folder).into_iter().filter(|name| name.ends_with(".txt"));
        assert_eq!(texts.count(), 2);
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
        let file = scratch("file");
        fs::write(&file, "").expect("a file");
        let error = dump(&file.join("below"), "|x: i64| x").expect_err("a file holds no folder");
        assert!(error.starts_with("cannot write what became of this kernel to `"), "{error}");
        assert!(error.contains("below"), "{error}");
        fs::remove_file(file).expect("removed");
    }

    #[test]
    fn names_have_plain_characters_only() {
        assert!(!name("a crate/..", Span::call_site(), "").contains(['/', ' ', '.']));
    }
}
