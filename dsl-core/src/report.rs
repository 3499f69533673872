//! What became of a program, as data: what was fused by which rule, what was refused and why, what is still written to
//! memory, and how each loop runs.
//!
//! The optimiser names places by [`Loc`]s; users see the same report with [`Position`]s and with what stands there, which
//! [`Report::in_source`] makes of them. The order of everything is that of the program or of the work done, so that
//! one program always has one report.

mod display;
mod known;
mod stencil;
mod window;

use std::fmt;

use weldment_runtime::lang::fault::Position;

use crate::ir::Loc;
use crate::source::Positions;

pub use self::known::Known;
pub use self::stencil::Stencil;
pub use self::window::RowsAround;

/// The report of one compilation. `P` is how places are named.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap();
/// // |v: &[f64]| v.map(|x| x * x).sum()
/// let report = optimise(&mut lowered.program, &lowered.positions)?.report;
/// assert_eq!((report.loops.before, report.loops.after), (2, 1));
/// assert_eq!((report.materialized.before, report.materialized.after), (1, 0));
/// assert!(report.to_string().starts_with("loops: 2 before, 1 after\n"));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<P = Position> {
    /// Loops: every `loop` with index variables, and every `for`.
    pub loops: Change,
    /// Intermediates: collect, bucket and scatter sinks whose value is not part of the result.
    pub materialized: Change,
    /// What was fused, in the order it was done.
    pub fused: Vec<Fusion<P>>,
    /// What was refused in the end.
    pub refused: Vec<Refusal<P>>,
    /// What was done besides.
    pub decided: Vec<Decision<P>>,
    /// What the program is taken to promise.
    pub assumed: Vec<Assumption<P>>,
    /// The intermediates that are left.
    pub stored: Vec<Materialized<P>>,
    /// The arrays that are computed row by row where they are read, by readers from behind.
    pub windows: Vec<RowsAround<P>>,
    /// The loops that are left, outer before inner, as they run. Only what comes after the optimiser knows; without
    /// it there are none.
    pub running: Vec<RunningLoop<P>>,
    /// What loops read around their points, at constant offsets, by loops.
    pub stencils: Vec<Stencil<P>>,
    /// The parameters that are constants, or are to be.
    pub constants: Vec<Known<P>>,
    /// Where the optimiser was told to stop, if it got there.
    pub stopped: Option<RewriteLimit>,
    /// What was counted, by the places that the optimiser has.
    pub(crate) left: Counted,
}

/// The intermediates and the loops that the report counts: for claims, whose errors stand at tokens. What runs may be more loops,
/// of which an iteration takes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) stored: Vec<Materialized<Loc>>,
    pub(crate) loops: Vec<Left>,
    pub(crate) windows: Vec<RowsAround<Loc>>,
}

/// A loop that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Where it stands.
    pub at: Loc,
    /// The loop around it.
    pub inside: Option<Loc>,
}

/// Where the optimiser stopped, because its fuel was used up or it was told after which pass.
///
/// ```
/// # use weldment_core::passes::*;
/// # use weldment_core::front::from_text;
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// let report = optimize(&mut program, &Options { fuel: Some(3), ..Options::default() })?;
/// assert_eq!(report.stopped.unwrap().to_string(), "stopped after 3 rewrites, the last by fuse-vertical");
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteLimit {
    /// The number of rewrites that were made.
    pub rewrites: u64,
    /// The pass that made the last; empty if there was none.
    pub pass: &'static str,
}

/// A number before and after the optimiser.
///
/// ```
/// use weldment_core::report::Change;
/// assert_eq!(Change { before: 3, after: 1 }.to_string(), "3 before, 1 after");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// In the program as it was written.
    pub before: usize,
    /// In the program that runs.
    pub after: usize,
}

/// A fusion that was done.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap();
/// // |v: &[f64]| v.map(|x| x * x).sum()
/// let fused = &optimise(&mut lowered.program, &lowered.positions)?.report.fused[0];
/// assert_eq!((fused.pass, fused.rule), ("fuse-vertical", "push"));
/// assert_eq!((fused.at.to_string(), fused.producer.unwrap().to_string()), ("1:30".into(), "1:15".into()));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fusion<P = Position> {
    /// By which pass.
    pub pass: &'static str,
    /// By which rule: `push`, `share`, `pull`, `branch` and `count` of `fuse-vertical`, `siblings` of `fuse-horizontal`,
    /// `same key` of `share-tables`, and `group-by-reduce`, `conditional-reduce` and `column-to-row`.
    pub rule: &'static str,
    /// The consumer, or the second of two siblings.
    pub at: P,
    /// What it was fused with, if that is one thing.
    pub producer: Option<P>,
}

/// What was possible at first sight, and was not done: a fusion, or to do without a branch; or what runs in order, and
/// so is no loop to fuse.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// // |v: &[f64]| let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0])
/// # let mut lowered = from_text("|v: &[f64]| let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0])").unwrap();
/// let refused = &optimise(&mut lowered.program, &lowered.positions)?.report.refused[0];
/// assert_eq!(refused.reason, "`w[0]` reads `v.filter(|x| x > 0.0)` otherwise than element by element");
/// assert_eq!(refused.because.unwrap().to_string(), "1:59"); // `w[0]`
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refusal<P = Position> {
    /// By which pass.
    pub pass: &'static str,
    /// By which rule: those of [`Fusion`], `in order` of what runs so, and `select`, `unroll` and `blocks` of what would
    /// take branches and short loops away.
    pub rule: &'static str,
    /// Why not, in words for users. The optimiser does not know the source, and leaves gaps: see [`Refusal::render`].
    pub reason: String,
    /// The consumer, or the second of two siblings.
    pub at: P,
    /// What makes the vector or dictionary that is kept because of this; or the first of two siblings.
    pub producer: Option<P>,
    /// What the reason speaks of, if that is one place.
    pub because: Option<P>,
}

impl<P: Copy> Refusal<P> {
    /// Whether it is no fusion, but to do without a branch or a short loop.
    pub(crate) fn is_branch(&self) -> bool {
        matches!(self.rule, "select" | "unroll" | "blocks")
    }

    /// The reason with its gaps filled: `{at|the consumer}` by what stands at that place, or else by those words. The
    /// gaps are `at`, `producer` and `because`. Where two loops come from one term, as they may by a macro, it is quoted once,
    /// for no term reads itself.
    ///
    /// ```
    /// # use weldment_core::report::Refusal;
    /// let reason = "{because|the consumer} reads {producer|its producer} twice".to_owned();
    /// let refused = Refusal { pass: "", rule: "", reason, at: 1, producer: Some(2), because: None };
    /// assert_eq!(refused.render(|place| (place == 2).then(|| "v.sort()".into())), "the consumer reads `v.sort()` twice");
    ///
    /// let refused = Refusal { because: Some(3), ..refused };
    /// assert_eq!(refused.render(|_| Some("v.sort()".into())), "one loop of `v.sort()` reads another twice");
    /// ```
    pub fn render(&self, excerpt: impl Fn(P) -> Option<String>) -> String {
        let mut told = String::new();
        let mut rest = self.reason.as_str();
        // The term that has been quoted, and where.
        let mut quoted: Option<(String, usize)> = None;
        while let Some((before, (gap, after))) =
            rest.split_once('{').and_then(|(before, gap)| Some((before, gap.split_once('}')?)))
        {
            let (name, words) = gap.split_once('|').unwrap_or((gap, gap));
            let place = match name {
                "at" => Some(self.at),
                "producer" => self.producer,
                _ => self.because,
            };
            told.push_str(before);
            match (place.and_then(&excerpt), &quoted) {
                (Some(text), Some((first, at))) if text == *first => {
                    told.insert_str(*at, "one loop of ");
                    told.push_str("another");
                }
                (Some(text), _) => {
                    quoted = Some((text.clone(), told.len()));
                    told.push_str(&format!("`{text}`"));
                }
                (None, _) => told.push_str(words),
            }
            rest = after;
        }
        told + rest
    }
}

/// What was done besides, where the program reads otherwise than it runs.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| if x > 0.0 { x * 2.0 } else { 0.0 })").unwrap();
/// // |v: &[f64]| v.map(|x| if x > 0.0 { x * 2.0 } else { 0.0 })
/// let decided = &optimise(&mut lowered.program, &lowered.positions)?.report.decided[0];
/// assert_eq!((decided.pass, decided.at.to_string()), ("predicate", "1:23".into()));
/// assert!(decided.what.starts_with("both branches are computed"), "{}", decided.what);
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision<P = Position> {
    /// By which pass.
    pub pass: &'static str,
    /// What, with what it costs.
    pub what: String,
    /// What it is about.
    pub at: P,
}

/// What the program is taken to promise, though nobody can check it.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)").unwrap();
/// // |v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x)
/// let assumed = optimise(&mut lowered.program, &lowered.positions)?.report.assumed;
/// assert!(assumed[0].what.starts_with("taken as associative"));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption<P = Position> {
    /// What, and what to write if it is not so.
    pub what: &'static str,
    /// The `fold`.
    pub at: P,
}

/// An intermediate that is written to memory.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sort_by_key(|x| -x)[0]").unwrap();
/// // |v: &[f64]| v.map(|x| x * x).sort_by_key(|x| -x)[0]
/// let stored = optimise(&mut lowered.program, &lowered.positions)?.report.stored;
/// assert_eq!((stored[0].what.as_str(), stored[0].at.to_string()), ("vec[f64]", "1:15".into()));
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Materialized<P = Position> {
    /// What it is: `vec[f64]`, `dict[i64,f64] by +`.
    pub what: String,
    /// What makes it.
    pub at: P,
}

/// A loop that is left, as it runs.
///
/// ```
/// use weldment_core::report::{Report, RunningLoop};
/// let one = RunningLoop { at: Default::default(), depth: 0, split: None, makes: vec!["f64 by +".into()], lanes: 16,
///     read: 8, written: 0 };
/// let mut report = Report::default();
/// report.running.push(one);
/// assert!(report.to_string().ends_with("f64 by +; 16 lanes; reads 8 and writes 0 bytes an iteration\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningLoop<P = Position> {
    /// Where it stands.
    pub at: P,
    /// How many loops are around it.
    pub depth: usize,
    /// Whether it is split over threads, and into which chunks.
    pub split: Option<Split>,
    /// What it makes: `vec[f64]`, `f64 by +`.
    pub makes: Vec<String>,
    /// The lanes that its sums are kept in: the widest vectors that the code can use.
    pub lanes: u32,
    /// Bytes that an iteration reads from vectors at its index.
    pub read: u64,
    /// Bytes that an iteration appends to vectors, at most; dictionaries are not counted.
    pub written: u64,
}

/// How a loop is cut for threads.
///
/// ```
/// use weldment_core::report::Split;
/// let split = Split { chunk: 16384, segment: None };
/// assert_eq!(split.to_string(), "in chunks of 16384");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The iterations of a chunk.
    pub chunk: u64,
    /// The iterations of a segment, whose keys are folded by themselves; by the length of the loop, if not given.
    pub segment: Option<u64>,
}

impl<P> Default for Report<P> {
    fn default() -> Report<P> {
        Report {
            loops: Change::default(),
            materialized: Change::default(),
            fused: Vec::new(),
            refused: Vec::new(),
            decided: Vec::new(),
            assumed: Vec::new(),
            stored: Vec::new(),
            windows: Vec::new(),
            running: Vec::new(),
            stencils: Vec::new(),
            constants: Vec::new(),
            stopped: None,
            left: Counted::default(),
        }
    }
}

impl Refusal<Loc> {
    /// The same with positions and what stands there, as [`Report::in_source`] has them.
    pub fn in_source(&self, positions: &Positions) -> Refusal {
        Refusal {
            pass: self.pass,
            rule: self.rule,
            reason: self.render(|loc| positions.excerpt(loc)),
            at: positions.get(self.at),
            producer: self.producer.map(|loc| positions.get(loc)),
            because: self.because.map(|loc| positions.get(loc)),
        }
    }
}

impl Report<Loc> {
    /// The report as users see it: places are positions, and reasons quote what stands there.
    ///
    /// ```
    /// # use weldment_core::front::from_text;
    /// use weldment_core::passes::{Options, optimize};
    /// let mut lowered = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap();
    /// let report = optimize(&mut lowered.program, &Options::default())?.in_source(&lowered.positions);
    /// assert_eq!(report.fused[0].at.to_string(), "1:30");
    /// # Ok::<(), weldment_core::passes::Broken>(())
    /// ```
    pub fn in_source(&self, positions: &Positions) -> Report {
        let place = |loc| positions.get(loc);
        Report {
            loops: self.loops,
            materialized: self.materialized,
            fused: each(&self.fused, |&Fusion { pass, rule, at, producer }| Fusion {
                pass,
                rule,
                at: place(at),
                producer: producer.map(place),
            }),
            refused: each(&self.refused, |refused| refused.in_source(positions)),
            decided: each(&self.decided, |Decision { pass, what, at }| Decision {
                pass,
                what: what.clone(),
                at: place(*at),
            }),
            assumed: each(&self.assumed, |&Assumption { what, at }| Assumption { what, at: place(at) }),
            stored: each(&self.stored, |Materialized { what, at }| Materialized {
                what: what.clone(),
                at: place(*at),
            }),
            windows: each(&self.windows, |window| window.at(place)),
            running: each(&self.running, |running| running.map(place)),
            stencils: each(&self.stencils, |Stencil { at, array, offsets }| Stencil {
                at: place(*at),
                array: array.clone(),
                offsets: offsets.clone(),
            }),
            constants: each(&self.constants, |known| known.at(place))
                .into_iter()
                .chain(positions.wanted().map(|(name, at)| Known { name, value: None, at: place(at) }))
                .collect(),
            stopped: self.stopped,
            left: self.left.clone(),
        }
    }
}

impl<P: Copy> RunningLoop<P> {
    /// The same loop with another name for its place.
    ///
    /// ```
    /// use weldment_core::report::RunningLoop;
    /// let one = RunningLoop { at: 7, depth: 0, split: None, makes: vec![], lanes: 1, read: 8, written: 0 };
    /// assert_eq!(one.map(|place| place + 1).at, 8);
    /// ```
    pub fn map<Q>(&self, place: impl Fn(P) -> Q) -> RunningLoop<Q> {
        let RunningLoop { at, depth, split, ref makes, lanes, read, written } = *self;
        RunningLoop { at: place(at), depth, split, makes: makes.clone(), lanes, read, written }
    }
}

fn each<T, U>(items: &[T], map: impl Fn(&T) -> U) -> Vec<U> {
    items.iter().map(map).collect()
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} before, {} after", self.before, self.after)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in chunks of {}", self.chunk)?;
        match self.segment {
            Some(segment) => write!(f, ", keys in segments of {segment}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for RewriteLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rewrites {
            0 => f.write_str("stopped before the first rewrite"),
            1 => write!(f, "stopped after 1 rewrite, by {}", self.pass),
            rewrites => write!(f, "stopped after {rewrites} rewrites, the last by {}", self.pass),
        }
    }
}
