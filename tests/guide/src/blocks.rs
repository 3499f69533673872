//! The blocks of code in a chapter.

/// A block of code between two lines of three backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// What the block begins with: `rust,compile_fail`.
    pub info: &'a str,
    /// The file that the block is said to be, by a comment before it: `<!-- file: squares.weld -->`.
    pub file: Option<&'a str>,
    /// The line that the block begins with, from 1.
    pub line: usize,
    /// What it says: whole lines.
    pub text: &'a str,
    /// Where `text` begins in the chapter, in bytes.
    pub start: usize,
}

impl Block<'_> {
    /// The language: the first word of the info.
    pub fn language(&self) -> &str {
        self.info.split(',').next().unwrap_or_default()
    }
}

/// The blocks of a chapter.
///
/// ```
/// let chapter = "Text.\n\n<!-- file: a.weld -->\n```weld\n|| 1\n```\n";
/// let blocks = weldment_guide::blocks::of(chapter);
/// assert_eq!((blocks[0].language(), blocks[0].file, blocks[0].text), ("weld", Some("a.weld"), "|| 1\n"));
/// assert_eq!((blocks[0].line, blocks.len()), (4, 1));
/// ```
pub fn of(chapter: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    let mut file = None;
    let mut at = 0;
    for (number, line) in chapter.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        let (trimmed, inside) = (line.trim_end(), open.is_some());
        match trimmed.strip_prefix("```") {
            Some(_) if inside => {
                let block = open.take().expect("it is open");
                blocks.push(Block { text: &chapter[block.start..at], ..block });
            }
            Some(info) => {
                open = Some(Block { info, file: file.take(), line: number + 1, text: "", start: end });
            }
            None if !inside => {
                let named = trimmed.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->"));
                file = named.or(file.filter(|_| trimmed.is_empty()));
            }
            None => {}
        }
        at = end;
    }
    blocks
}

/// `chapter` with other texts in some blocks, which are in the order of the chapter.
///
/// ```
/// use weldment_guide::blocks::{of, replaced};
/// let chapter = "```text\nold\n```\n";
/// assert_eq!(replaced(chapter, &[(of(chapter)[0].clone(), "new\n".to_owned())]), "```text\nnew\n```\n");
/// ```
pub fn replaced(chapter: &str, texts: &[(Block<'_>, String)]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (block, text) in texts {
        out.push_str(&chapter[at..block.start]);
        out.push_str(text);
        at = block.start + block.text.len();
    }
    out + &chapter[at..]
}
