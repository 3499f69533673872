//! The time that each phase takes for one program.

use std::hint::black_box;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;
use weldment_codegen::{llvm, loops, rust};
use weldment_core::infer::{infer, linear};
use weldment_core::lower::{Lowered, lower};
use weldment_core::passes::{Options, optimize_with};
use weldment_core::syntax;

/// A phase of the compiler, and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) name: String,
    /// How often it ran for one program: more than once only where it is a pass.
    pub(crate) runs: usize,
    pub(crate) time: Duration,
}

/// How long a program is measured, which is at least once.
const ENOUGH: Duration = Duration::from_millis(600);

/// The phases of compiling `text`, each at its fastest.
pub(crate) fn measure(text: &str) -> Vec<Phase> {
    let begin = Instant::now();
    let mut least = compile(text);
    while begin.elapsed() < ENOUGH {
        for (least, phase) in least.iter_mut().zip(compile(text)) {
            least.time = least.time.min(phase.time);
        }
    }
    least
}

/// Measures one phase after the other.
struct Clock {
    phases: Vec<Phase>,
    last: Instant,
}

impl Clock {
    /// Ends a run of this phase.
    fn tick(&mut self, name: &str) {
        let now = Instant::now();
        let time = now - self.last;
        match self.phases.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => {
                phase.time += time;
                phase.runs += 1;
            }
            None => self.phases.push(Phase { name: name.to_owned(), runs: 1, time }),
        }
        self.last = Instant::now();
    }
}

fn compile(text: &str) -> Vec<Phase> {
    let tokens: TokenStream = text.parse().expect("tokens");
    let mut clock = Clock { phases: Vec::new(), last: Instant::now() };
    let parsed = syntax::parse_tokens(tokens).expect("a program");
    clock.tick("parse");
    let typed = infer(&parsed).expect("a typed program");
    clock.tick("infer");
    linear::check(&typed).expect("a linear program");
    clock.tick("linear");
    let Lowered { mut program, positions, spans, .. } = lower(&typed);
    clock.tick("lower");
    let options = Options::default();
    optimize_with(&mut program, &options, |pass, _, _| clock.tick(pass.name)).expect("sound passes");
    clock.tick("report");
    let loops = loops::build(&program, &loops::Options::default());
    clock.tick("loops");
    let about = rust::About { source: text.to_owned(), explanation: loops.to_string(), depends: None };
    clock.tick("print");
    let paths = rust::Paths::new("::weldment".parse().expect("a path"));
    let programs = rust::Versions { general: &loops, known: &[] };
    black_box(
        rust::emit(&programs, &positions, &spans, &paths, &rust::Outside::default(), &[], &about)
            .expect("what can be emitted"),
    );
    clock.tick("emit rust");
    black_box(
        llvm::emit(&loops, &positions, &Default::default(), &llvm::Target::host())
            .expect("what can be emitted"),
    );
    clock.tick("emit llvm");
    drop((parsed, typed, program, loops));
    clock.tick("drop");
    clock.phases
}
