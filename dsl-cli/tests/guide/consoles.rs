//! Sessions at a console: lines that begin with `$ ` are commands, and behind them stands what they print.

use std::fs;
use std::path::{Path, PathBuf};

use weldment_guide::blocks::{self, Block};
use weldment_guide::chapters::{self, Chapter};

use crate::command::weldment;

/// A folder with the files of a chapter.
fn folder(chapter: &Chapter, blocks: &[Block<'_>]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(chapter.path.replace(['/', '.'], "-"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    for block in blocks {
        if let Some(file) = block.file {
            fs::write(folder.join(file), block.text).expect("the file can be written");
        }
    }
    folder
}

/// What the session of `block` looks like. `…` alone in a line stands for lines that are left out: what is printed is shown
/// up to the line before it, and again from the line after it.
fn session(folder: &Path, block: &Block<'_>) -> String {
    let mut shown = String::new();
    for part in
        block.text.split_inclusive('\n').collect::<Vec<_>>().chunk_by(|_, next| !next.starts_with("$ "))
    {
        let [command, old @ ..] = part else { panic!("a session begins with a command") };
        let words: Vec<_> = command.trim_end().split(' ').collect();
        let ["$", "weldment", args @ ..] = &words[..] else { panic!("no command of ours: {command}") };
        let run = weldment(folder, args, "");
        shown.push_str(command);
        shown.push_str(&with_gaps(&(run.output + &run.errors), old));
    }
    shown
}

/// `printed`, with the gaps that `old` has.
fn with_gaps(printed: &str, old: &[&str]) -> String {
    let parts: Vec<_> = old.split(|line| line.trim_end() == "…").collect();
    let lines: Vec<_> = printed.split_inclusive('\n').collect();
    if parts.len() == 1 {
        return printed.to_owned();
    }
    let mut shown = String::new();
    let mut at = 0;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            shown.push_str("…\n");
            let is_first = |line: &&str| part.first().is_none_or(|first| line == first);
            at += lines[at..]
                .iter()
                .position(is_first)
                .unwrap_or_else(|| panic!("{:?} is not printed", part.first()));
        }
        let end = if i + 1 < parts.len() { at + part.len() } else { lines.len() };
        let end = if part.is_empty() { at } else { end };
        shown.extend(lines[at..end.min(lines.len())].iter().copied());
        at = end.min(lines.len());
    }
    shown
}

#[test]
fn commands_print_what_is_shown() {
    let mut count = 0;
    for chapter in chapters::all() {
        let blocks = blocks::of(&chapter.text);
        let folder = folder(&chapter, &blocks);
        let sessions: Vec<_> = blocks.iter().filter(|block| block.info == "console").collect();
        count += sessions.len();
        let texts: Vec<_> =
            sessions.iter().map(|block| ((*block).clone(), session(&folder, block))).collect();
        chapter.accept(&blocks::replaced(&chapter.text, &texts));
    }
    assert!(count > 5, "the guide has sessions");
}

#[test]
fn gaps_stay() {
    let printed = "a\nb\nc\nd\n";
    assert_eq!(with_gaps(printed, &["a\n", "…\n", "d\n"]), "a\n…\nd\n");
    assert_eq!(with_gaps(printed, &["x\n", "…\n"]), "a\n…\n");
    assert_eq!(with_gaps(printed, &["…\n", "c\n"]), "…\nc\nd\n");
    assert_eq!(with_gaps(printed, &["old\n"]), printed);
}
