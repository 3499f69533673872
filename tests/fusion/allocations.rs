//! What a run of a fused program allocates: its results, what it still stores, and nothing else that grows.

use weldment::__private::rt::exec::options::Testing;
use weldment::Options;
#[cfg(feature = "llvm")]
use weldment::{CompileOptions, Executor, Program};

use crate::cases;
use crate::executors::Cut;
use crate::measure::{Written, alone, of_vectors};
use crate::table::{Case, Size, Way};

const SIZES: [usize; 2] = [20_000, 200_000];

/// Each loop is one chunk, so that each vector is written once: collects that are split write a part of it for each
/// chunk, and put the parts together.
const ONE_CHUNK: Cut = Cut::of(1 << 40, 1 << 40);

/// How many bytes may be allocated besides vectors, for ten times the elements, too: tables of a few keys, chunks for
/// small blocks, the run itself.
const BESIDES: usize = 40 * 1024;

fn check(case: &Case) -> Vec<String> {
    let mut failures = Vec::new();
    let mut compare = |executor: &str, size: usize, run: &dyn Fn() -> Written| {
        // Caches fill once.
        run();
        let written = run();
        // A vector that grows is not long at first.
        let most_besides = BESIDES + case.vectors * size;
        if written.vectors != case.vectors || written.besides > most_besides {
            failures.push(format!(
                "{} {}, {executor}, {size} elements: {written:?} instead of {} vectors",
                case.number, case.what, case.vectors
            ));
        }
    };
    let Cut { chunk, segment } = ONE_CHUNK;
    let options = Options::new().threads(1).testing(Testing { chunk, segment, ..Testing::default() });
    for size in SIZES {
        of_vectors(size);
        let scaled = Size::Scaled(size);
        compare("emitted Rust", size, &|| (case.run)(scaled, Way::Emitted(&options)).1);
        #[cfg(feature = "llvm")]
        {
            let (executor, foreign) = (Executor::Llvm, crate::foreign());
            let compile = CompileOptions { executor, chunk, segment, foreign, ..CompileOptions::default() };
            let program = Program::parse(case.text).expect("the macro accepts it");
            let compiled = program.compile(&compile).expect("LLVM compiles it");
            compare("LLVM", size, &|| (case.run)(scaled, Way::Compiled(&compiled, &options)).1);
        }
    }
    failures
}

#[test]
fn runs_write_their_results_and_what_is_stored_and_nothing_else_that_grows() {
    let _alone = alone();
    let failures: Vec<String> = cases::all().flat_map(check).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
