//! The passes that LLVM runs over an emitted module.
//!
//! `default<O3>` runs most of its passes several times, around an inliner that finds a good deal to do in other people's code.
//! What is emitted here has been optimised before: few functions, without dead code, loops in lanes already. Each pass once,
//! where it finds something, takes four fifths of the time to code, and the code is as fast (`compile-time` and
//! `weldment-benches` in `benches` measure both).

use super::level::Level;

/// In LLVM's text form, for version 22.
pub(crate) fn passes(level: Level) -> &'static str {
    match level {
        Level::None => "default<O0>",
        Level::Quick => "default<O1>",
        Level::Full => FULL,
    }
}

const FULL: &str = concat!(
    // Reducers, comparators and small parts of nests become part of their callers.
    "cgscc(inline<only-mandatory>,inline),",
    "function<eager-inv>(",
    // Slots of locals become values, and what is plain is folded.
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg<switch-range-to-icmp>,instcombine<no-verify-fixpoint>,",
    // Loops get the shape that the other passes want; what does not change in them moves out.
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<header-duplication>,",
    "licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),",
    "simplifycfg<switch-range-to-icmp>,instcombine<no-verify-fixpoint>,",
    // Short ones are written out, and their slots become values, too.
    "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,",
    "gvn<>,bdce,dse,loop-mssa(licm<allowspeculation>),",
    // Loops that were not emitted in lanes.
    "loop-rotate<header-duplication>,loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>,",
    "infer-alignment,loop-load-elim,instcombine<no-verify-fixpoint>,",
    "simplifycfg<bonus-inst-threshold=1;no-forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;",
    "switch-to-lookup;no-keep-loops;hoist-common-insts;hoist-loads-stores-with-cond-faulting;sink-common-insts;",
    "speculate-blocks;simplify-cond-branch;no-speculate-unpredictables>,",
    "slp-vectorizer,vector-combine,instcombine<no-verify-fixpoint>,",
    "loop-unroll<O3>,sroa<preserve-cfg>,instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),",
    // For the code generator.
    "alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,tailcallelim,",
    "simplifycfg<bonus-inst-threshold=1;no-forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;",
    "no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts;speculate-blocks;",
    "simplify-cond-branch;speculate-unpredictables>),",
    "globaldce",
);
