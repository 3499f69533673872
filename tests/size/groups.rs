//! Lines of LLVM's text, by the crates that their functions come from.

/// Names of crates as mangled names have them, and the group that each belongs to.
const CRATES: [(&str, usize); 7] = [
    ("weldment_runtime", RUNTIME),
    ("rayon_core", RAYON),
    ("rayon", RAYON),
    ("core", STD),
    ("alloc", STD),
    ("std", STD),
    ("size", OWN),
];

const NAMES: [&str; 4] = ["own", "runtime", "std", "rayon"];
const OWN: usize = 0;
const RUNTIME: usize = 1;
const STD: usize = 2;
const RAYON: usize = 3;

/// The lines of each of [`NAMES`].
pub(crate) struct Groups([usize; NAMES.len()]);

impl Groups {
    /// Those of the functions that a module defines.
    pub(crate) fn of(module: &str) -> Groups {
        let mut lines = [0; NAMES.len()];
        let mut group = None;
        for line in module.lines() {
            if let Some(head) = line.strip_prefix("define ") {
                group = Some(group_of(name(head)));
            }
            if let Some(group) = group {
                lines[group] += 1;
            }
            if line == "}" {
                group = None;
            }
        }
        Groups(lines)
    }

    /// What the columns of [`Groups::row`] are.
    pub(crate) fn heading() -> String {
        let columns: String = NAMES.iter().map(|name| format!("{name:>10}")).collect();
        format!("{:<14}{columns}{:>10}\n", "kernel", "all")
    }

    /// A row of the table.
    pub(crate) fn row(&self, kernel: &str) -> String {
        let columns: String = self.0.iter().map(|lines| format!("{lines:>10}")).collect();
        format!("{kernel:<14}{columns}{:>10}\n", self.0.iter().sum::<usize>())
    }

    /// Those of a row, if it is that of the kernel.
    pub(crate) fn from_row(row: &str, kernel: &str) -> Option<Groups> {
        let mut words = row.split_whitespace();
        if words.next() != Some(kernel) {
            return None;
        }
        let mut lines = [0; NAMES.len()];
        for lines in &mut lines {
            *lines = words.next()?.parse().ok()?;
        }
        Some(Groups(lines))
    }

    /// Whether each group has as many lines as in `other`, or is off by a twentieth or by `few` at most.
    pub(crate) fn is_near(&self, other: &Groups, few: usize) -> bool {
        self.0.iter().zip(&other.0).all(|(&a, &b)| a.abs_diff(b) <= (a / 20).max(few))
    }
}

/// The name behind the `@` of a definition.
fn name(head: &str) -> &str {
    let name = head.split_once('@').map_or(head, |(_, name)| name);
    name.split_once('(').map_or(name, |(name, _)| name)
}

/// The group of the crate that a mangled name names first; the kernel's own, if it names none.
fn group_of(name: &str) -> usize {
    let place = |&(krate, group): &(&str, usize)| Some((name.find(krate)?, group));
    CRATES.iter().filter_map(place).min().map_or(OWN, |(_, group)| group)
}

#[test]
fn lines_belong_to_the_crate_that_is_named_first() {
    let module = "define void @_ZN4core3ptr4drop17h0E(ptr %0) {\nstart:\n  ret void\n}\n\
                  declare void @_ZN4size3fooE()\n\
                  define void @\"_ZN67_$LT$weldment_runtime..exec..Cx$u20$as$u20$core..fmt..Debug$GT$3fmt17h1E\"() {\n}\n\
                  define void @_ZN4size3run17h2E() {\n  ret void\n}\n";
    assert_eq!(Groups::of(module).0, [3, 2, 4, 0]);
    let counted = Groups::of(module);
    let read = Groups::from_row(&counted.row("sum"), "sum").expect("a row of that kernel");
    assert!(read.is_near(&counted, 0) && !read.is_near(&Groups([3, 2, 4, 1]), 0));
    assert!(Groups::from_row(&counted.row("sum"), "sort").is_none());
}
