//! The modules of a crate, by the tokens of its files: which names stand in each, and what each imports and mentions.
//!
//! Tests are left out (`#[cfg(test)]`), and so is what stands in a `quote!`: emitted code is no code of the file.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The modules of one crate. The first is its root.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) modules: Vec<Module>,
    /// The files of macros by example, which are found by name wherever they are called.
    pub(super) macros: BTreeMap<String, String>,
}

/// A module, in a file of its own or inside another.
#[derive(Default)]
pub(super) struct Module {
    pub(super) file: String,
    /// The module around it. The root has itself.
    pub(super) parent: usize,
    pub(super) children: BTreeMap<String, usize>,
    /// The items that it defines, and whether each is a trait.
    pub(super) items: BTreeMap<String, bool>,
    pub(super) imports: Vec<Import>,
    pub(super) mentions: Vec<Mention>,
}

/// A name that a `use` brings. All names of a module are `*`.
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Vec<String>,
    pub(super) is_public: bool,
    pub(super) line: usize,
}

/// A path in code, which may be one name.
pub(super) struct Mention {
    pub(super) path: Vec<String>,
    pub(super) is_macro: bool,
    pub(super) line: usize,
}

/// What begins an item, behind which its name stands.
const ITEMS: [&str; 9] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];

/// Macros of which the tokens are emitted.
const QUOTES: [&str; 3] = ["parse_quote", "quote", "quote_spanned"];

/// Where a module stands: its file, and the folder of its children.
struct Place {
    module: usize,
    folder: String,
}

impl Tree {
    /// The modules below the file `root`, as far as they are in `files`.
    pub(super) fn read(root: &str, files: &BTreeMap<String, String>) -> Tree {
        let mut tree = Tree::default();
        tree.add(0, root, parent(root), files);
        tree
    }

    /// Adds the module of a file, and those below it.
    fn add(&mut self, around: usize, file: &str, folder: &str, files: &BTreeMap<String, String>) -> usize {
        let text = files[file].strip_prefix('\u{feff}').unwrap_or(&files[file]);
        let stream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        self.inside(around, file, folder.to_string(), stream, files)
    }

    fn inside(
        &mut self,
        around: usize,
        file: &str,
        folder: String,
        stream: TokenStream,
        files: &BTreeMap<String, String>,
    ) -> usize {
        let module = self.modules.len();
        self.modules.push(Module { file: file.to_string(), parent: around, ..Module::default() });
        let place = Place { module, folder };
        self.scan(&place, stream, true, files);
        module
    }

    /// Takes in the tokens of one level. Only items of the outermost are names of the module.
    fn scan(
        &mut self,
        place: &Place,
        stream: TokenStream,
        is_outermost: bool,
        files: &BTreeMap<String, String>,
    ) {
        let tokens = without_tests(stream);
        let mut paths = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let before = at;
            at += 1;
            match &tokens[before] {
                TokenTree::Group(group) => {
                    paths.extend(path_of(group.stream()));
                    self.scan(place, group.stream(), false, files);
                }
                TokenTree::Ident(ident) if ident == "use" && !is_punct(tokens.get(at), '<') => {
                    let end = (at..tokens.len())
                        .find(|&end| is_punct(tokens.get(end), ';'))
                        .unwrap_or(tokens.len());
                    let imports = Imports { is_public: is_public(&tokens[..before]), line: line(ident) };
                    imports.read(&tokens[at..end], &[], &mut self.modules[place.module].imports);
                    at = end;
                }
                TokenTree::Ident(ident) if ident == "mod" && is_outermost => {
                    let Some(TokenTree::Ident(name)) = tokens.get(at) else { continue };
                    let child = match tokens.get(at + 1) {
                        Some(TokenTree::Group(group)) => {
                            let folder = format!("{}/{name}", place.folder);
                            let file = self.modules[place.module].file.clone();
                            self.inside(place.module, &file, folder, group.stream(), files)
                        }
                        _ => {
                            let own =
                                self.files_of(place, &name.to_string(), &std::mem::take(&mut paths), files);
                            let add = |(file, folder): (String, String)| {
                                self.add(place.module, &file, &folder, files)
                            };
                            own.into_iter().map(add).last().expect("a module has a file")
                        }
                    };
                    self.modules[place.module].children.insert(name.to_string(), child);
                    at += 2;
                }
                TokenTree::Ident(ident) => {
                    let is_part = continues(&tokens[..before]);
                    let word = ident.to_string();
                    let is_call = is_punct(tokens.get(at), '!');
                    if is_call && QUOTES.contains(&&*word) {
                        at += 2;
                        continue;
                    }
                    let module = &mut self.modules[place.module];
                    if is_call && word == "macro_rules" {
                        let Some(TokenTree::Ident(name)) = tokens.get(at + 1) else { continue };
                        module.items.insert(name.to_string(), false);
                        self.macros.insert(name.to_string(), module.file.clone());
                        at += 2;
                        continue;
                    }
                    if is_outermost && ITEMS.contains(&&*word) {
                        if let Some(TokenTree::Ident(name)) = tokens.get(at).filter(|name| !is_item(name)) {
                            module.items.insert(plain(name), word == "trait");
                            at += 1;
                        }
                        continue;
                    }
                    let mut path = vec![plain(ident)];
                    while let Some(next) = segment(&tokens[at..]) {
                        path.push(next);
                        at += 3;
                    }
                    if !is_part {
                        let is_macro = is_punct(tokens.get(at), '!');
                        module.mentions.push(Mention { path, is_macro, line: line(ident) });
                    }
                }
                _ => {}
            }
        }
    }

    /// The files of the child `name`, of which systems may have one each, and the folder of the children of each.
    fn files_of(
        &self,
        place: &Place,
        name: &str,
        paths: &[String],
        files: &BTreeMap<String, String>,
    ) -> Vec<(String, String)> {
        let given = paths.iter().map(|path| {
            let file = joined(parent(&self.modules[place.module].file), path);
            let folder = parent(&file).to_string();
            (file, folder)
        });
        let given: Vec<_> = given.collect();
        if !given.is_empty() {
            return given;
        }
        let folder = format!("{}/{name}", place.folder);
        let candidates = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
        let file = candidates.into_iter().find(|file| files.contains_key(file));
        vec![(file.unwrap_or_else(|| panic!("no file of the module {folder}")), folder)]
    }
}

/// What the names of one `use` have in common.
struct Imports {
    is_public: bool,
    line: usize,
}

impl Imports {
    /// Adds the names of a tree of imports behind `prefix`.
    fn read(&self, tokens: &[TokenTree], prefix: &[String], imports: &mut Vec<Import>) {
        let is_comma = |token: &TokenTree| is_punct(Some(token), ',');
        for part in tokens.split(is_comma) {
            let mut path = prefix.to_vec();
            let mut name = None;
            let mut words = part.iter();
            while let Some(token) = words.next() {
                match token {
                    TokenTree::Ident(ident) if ident == "as" => name = words.next().map(ToString::to_string),
                    TokenTree::Ident(ident) => path.push(plain(ident)),
                    TokenTree::Punct(punct) if punct.as_char() == '*' => name = Some("*".to_string()),
                    TokenTree::Group(group) => {
                        let inside: Vec<_> = group.stream().into_iter().collect();
                        self.read(&inside, &path, imports);
                        path.clear();
                    }
                    _ => {}
                }
            }
            // `{self}` at the end of a path is the module before it.
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            if let Some(last) = path.last() {
                let name = name.unwrap_or_else(|| last.clone());
                imports.push(Import { name, path, is_public: self.is_public, line: self.line });
            }
        }
    }
}

/// The tokens of a level without what `#[cfg(test)]` stands before.
fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<_> = stream.into_iter().collect();
    let mut left = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_left_out = is_punct(tokens.get(at), '#')
            && matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if is_of_tests(group));
        if is_left_out {
            at = end_of_item(&tokens, at);
        } else {
            left.push(tokens[at].clone());
            at += 1;
        }
    }
    left
}

/// Where the item ends that begins at `at` with its attributes: behind its braces, or behind the semicolon or the comma
/// before any.
fn end_of_item(tokens: &[TokenTree], mut at: usize) -> usize {
    while is_punct(tokens.get(at), '#') {
        at += 2;
    }
    // Braces may stand in an import and in the value of a constant.
    let has_braces = |token: &TokenTree| ["use", "let"].iter().any(|word| is_word(token, word));
    let is_value = |pair: &[TokenTree]| {
        ["const", "static"].iter().any(|word| is_word(&pair[0], word)) && !is_word(&pair[1], "fn")
    };
    let head = &tokens[at..tokens.len().min(at + 4)];
    let ends_in_semicolon = head.iter().take(3).any(has_braces) || head.windows(2).any(is_value);
    let is_field = !head.iter().any(|token| is_item(token) || is_word(token, "impl")) && !ends_in_semicolon;
    let is_end = |token: &TokenTree| {
        let is_braces = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        is_punct(Some(token), ';')
            || is_braces && !ends_in_semicolon
            || is_field && is_punct(Some(token), ',')
    };
    tokens[at..].iter().position(is_end).map_or(tokens.len(), |end| at + end + 1)
}

/// `[cfg(test)]` and `[cfg(all(test, …))]`.
fn is_of_tests(attribute: &Group) -> bool {
    let text = attribute.stream().to_string().replace(' ', "");
    ["cfg(test)", "cfg(all(test,"].iter().any(|condition| text.starts_with(condition))
}

/// What `[path = "…"]` says, or `[cfg_attr(…, path = "…")]`.
fn path_of(attribute: TokenStream) -> Option<String> {
    let tokens: Vec<_> = attribute.into_iter().collect();
    match &*tokens {
        [.., word, TokenTree::Punct(_), TokenTree::Literal(path)] if is_word(word, "path") => {
            Some(path.to_string().trim_matches('"').to_string())
        }
        [word, TokenTree::Group(inside)] if is_word(word, "cfg_attr") => path_of(inside.stream()),
        _ => None,
    }
}

/// Whether what ends in front of a `use` is its visibility.
fn is_public(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(word)] => word == "pub",
        [.., TokenTree::Ident(word), TokenTree::Group(_)] => word == "pub",
        _ => false,
    }
}

/// The name in `::name`.
fn segment(tokens: &[TokenTree]) -> Option<String> {
    let [first, second, TokenTree::Ident(name), ..] = tokens else { return None };
    (is_punct(Some(first), ':') && is_punct(Some(second), ':')).then(|| plain(name))
}

/// Whether what comes behind these tokens is part of something else: a member, a lifetime, the end of a path.
fn continues(before: &[TokenTree]) -> bool {
    let mark = |from_end: usize, mark: char| {
        before.len().checked_sub(from_end).is_some_and(|at| is_punct(before.get(at), mark))
    };
    let is_range = mark(1, '.') && mark(2, '.');
    mark(1, '\'') || mark(1, '.') && !is_range || mark(1, ':') && mark(2, ':')
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_item(token: &TokenTree) -> bool {
    ITEMS.iter().any(|word| is_word(token, word))
}

/// An identifier without `r#`.
fn plain(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_string()
}

fn line(ident: &Ident) -> usize {
    ident.span().start().line
}

/// The folder of a path.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `path` from `folder`.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<_> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
