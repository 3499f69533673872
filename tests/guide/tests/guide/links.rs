//! Links between chapters.

use weldment_guide::blocks;
use weldment_guide::chapters::{self, Chapter};

/// The lines of a chapter that are not code, with their numbers.
fn prose(chapter: &Chapter) -> impl Iterator<Item = (usize, &str)> {
    let code: Vec<_> = blocks::of(&chapter.text)
        .iter()
        .map(|block| (block.line, block.line + block.text.lines().count() + 1))
        .collect();
    let lines = chapter.text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter(move |(number, _)| !code.iter().any(|(first, last)| (first..=last).contains(&number)))
}

/// A line without its code, in which brackets mean something else.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// What the links of a line lead to.
fn targets(line: &str) -> Vec<String> {
    let text = without_code(line);
    let after = text.split("](").skip(1);
    after.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

/// What mdBook calls a heading in links, as code hosts do.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

/// The anchors of a chapter; of headings with one text, the second ends in `-1`.
fn anchors(chapter: &Chapter) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, line) in prose(chapter).filter(|(_, line)| line.starts_with('#')) {
        let name = anchor(line.trim_start_matches('#'));
        let mut unique = name.clone();
        let mut number = 0;
        while found.contains(&unique) {
            number += 1;
            unique = format!("{name}-{number}");
        }
        found.push(unique);
    }
    found
}

/// `target` as seen from the chapter at `from`, as a path from `docs/src`; `None` if it leads out of it.
fn resolved(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[test]
fn links_lead_somewhere() {
    let chapters = chapters::all();
    let mut count = 0;
    for chapter in &chapters {
        for (number, line) in prose(chapter) {
            for target in targets(line) {
                count += 1;
                let place = format!("docs/src/{}:{number}: {target}", chapter.path);
                if target.starts_with("https://") {
                    continue;
                }
                let (path, fragment) = target.split_once('#').unwrap_or((&target, ""));
                let path = if path.is_empty() {
                    chapter.path.clone()
                } else {
                    resolved(&chapter.path, path).unwrap_or_else(|| panic!("{place} leads out of the book"))
                };
                let found = chapters.iter().find(|other| other.path == path);
                let found = found.unwrap_or_else(|| panic!("{place} leads to no chapter"));
                let is_there = fragment.is_empty() || anchors(found).iter().any(|anchor| anchor == fragment);
                assert!(is_there, "{place} leads to none of {:?}", anchors(found));
            }
        }
    }
    assert!(count > 50, "only {count} links are found");
}

#[test]
fn anchors_are_those_of_the_book() {
    assert_eq!(anchor(" `map`, `filter` and the rest"), "map-filter-and-the-rest");
    assert_eq!(anchor(" W0101: something else"), "w0101-something-else");
    assert_eq!(resolved("reference/math.md", "../weld.md").as_deref(), Some("weld.md"));
    assert_eq!(resolved("weld.md", "../README.md"), None);
}
