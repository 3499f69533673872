//! Which file takes what from which: names, followed through modules and imports to where they are defined.

use std::collections::BTreeMap;

use super::tree::{Import, Module, Tree};

/// What one file takes from another, for each pair the first that is found: the path and its line.
pub(super) type Edges = BTreeMap<(String, String), (String, usize)>;

/// What a name stands for.
#[derive(Clone)]
enum Target {
    Module(usize),
    /// An item of a file. What a macro makes may be a trait.
    Item {
        file: String,
        may_be_trait: bool,
    },
}

/// All edges between the files of a crate.
///
/// A file takes from another what its own code mentions: a path or an imported name. A `use` by itself takes nothing, so
/// that a module may hand names of its children on; only a trait need not be mentioned where it is used.
pub(super) fn edges(tree: &Tree) -> Edges {
    let mut edges = Edges::new();
    for (at, module) in tree.modules.iter().enumerate() {
        let mut add = |targets: Vec<Target>, path: &[String], line: usize| {
            for target in targets {
                if let Target::Item { file, .. } = target
                    && file != module.file
                {
                    edges.entry((module.file.clone(), file)).or_insert_with(|| (path.join("::"), line));
                }
            }
        };
        for mention in &module.mentions {
            let mut targets = resolve(tree, at, &mention.path, &mut Vec::new());
            if let ([name], true, true) = (&*mention.path, mention.is_macro, targets.is_empty()) {
                targets.extend(macro_of(tree, name));
            }
            add(targets, &mention.path, mention.line);
        }
        let is_silent = |import: &&Import| {
            let is_mentioned =
                |import: &Import| module.mentions.iter().any(|mention| mention.path[0] == import.name);
            !import.is_public && !is_mentioned(import)
        };
        for import in module.imports.iter().filter(is_silent) {
            let targets = resolve(tree, at, &import.path, &mut Vec::new());
            let is_trait = |target: &Target| matches!(target, Target::Item { may_be_trait: true, .. });
            add(targets.into_iter().filter(is_trait).collect(), &import.path, import.line);
        }
    }
    edges
}

/// What a path stands for that begins in the module `from`: nothing, if it leads out of the crate.
fn resolve(tree: &Tree, from: usize, path: &[String], seen: &mut Vec<(usize, String)>) -> Vec<Target> {
    let (first, mut rest) = path.split_first().expect("a path has a name");
    let mut found = match &**first {
        "crate" => vec![Target::Module(0)],
        "self" => vec![Target::Module(from)],
        "super" => vec![Target::Module(tree.modules[from].parent)],
        name => look_up(tree, from, name, seen),
    };
    while let Some((name, behind)) = rest.split_first() {
        rest = behind;
        let modules: Vec<_> = found.iter().filter_map(Target::module).collect();
        if modules.is_empty() {
            break;
        }
        let next = |module: usize| match &**name {
            "super" => vec![Target::Module(tree.modules[module].parent)],
            name => member(tree, module, name, seen),
        };
        found = modules.into_iter().flat_map(next).collect();
    }
    found
}

/// What `name` stands for in a module of the crate. What is not found there is made by a macro that is called there.
fn member(tree: &Tree, module: usize, name: &str, seen: &mut Vec<(usize, String)>) -> Vec<Target> {
    let mut found = look_up(tree, module, name, seen);
    if found.is_empty() && module == 0 {
        found.extend(macro_of(tree, name));
    }
    // An import that gives nothing leads out of the crate.
    let is_imported = tree.modules[module].imports.iter().any(|import| import.name == name);
    if found.is_empty() && !is_imported {
        found.push(Target::Item { file: tree.modules[module].file.clone(), may_be_trait: true });
    }
    found
}

/// What is called `name` in the scope of a module.
fn look_up(tree: &Tree, at: usize, name: &str, seen: &mut Vec<(usize, String)>) -> Vec<Target> {
    let key = (at, name.to_string());
    if seen.contains(&key) {
        return Vec::new();
    }
    seen.push(key);
    let module: &Module = &tree.modules[at];
    let mut found = Vec::new();
    if let Some(&may_be_trait) = module.items.get(name) {
        found.push(Target::Item { file: module.file.clone(), may_be_trait });
    }
    found.extend(module.children.get(name).map(|&child| Target::Module(child)));
    for import in module.imports.iter().filter(|import| import.name == name) {
        found.extend(resolve(tree, at, &import.path, seen));
    }
    if found.is_empty() {
        for import in module.imports.iter().filter(|import| import.name == "*") {
            let modules = resolve(tree, at, &import.path, seen);
            for inside in modules.iter().filter_map(Target::module) {
                found.extend(look_up(tree, inside, name, seen));
            }
        }
    }
    seen.pop();
    found
}

/// The macro `name`, wherever in the crate it stands.
fn macro_of(tree: &Tree, name: &str) -> Option<Target> {
    tree.macros.get(name).map(|file| Target::Item { file: file.clone(), may_be_trait: false })
}

impl Target {
    fn module(&self) -> Option<usize> {
        match self {
            Target::Module(module) => Some(*module),
            Target::Item { .. } => None,
        }
    }
}
