//! The queries as kernels: each is written once, and is emitted as Rust while this example compiles.

use super::answers::{Q1 as Q1Result, Q1Sums};
use super::data::Lineitem;

use weldment::{Dict, Kernel, weld};

type Q6Signature = fn(&[f64], &[f64], &[f64], &[i32]) -> f64;
type Q1Signature = fn(&[u8], &[u8], &[f64], &[f64], &[f64], &[f64], &[i32]) -> Dict<(u8, u8), Q1Sums>;

/// The revenue that small discounts cost in 1994.
pub(crate) const Q6: Kernel<Q6Signature> =
    weld!(|price: &[f64], discount: &[f64], quantity: &[f64], ship: &[i32]| {
        zip(price, discount, quantity, ship)
            .filter(|(_, d, q, s)| s >= 8766 && s < 9131 && d >= 0.05 && d <= 0.07 && q < 24.0)
            .map(|(p, d, _, _)| p * d)
            .sum()
    });

/// Sums of what had been shipped by 1998-09-02, by return flag and line status.
#[rustfmt::skip]
pub(crate) const Q1: Kernel<Q1Signature> =
    weld!(|flag: &[u8], status: &[u8], quantity: &[f64], price: &[f64], discount: &[f64], tax: &[f64], ship: &[i32]| {
        result(for(zip(flag, status, quantity, price, discount, tax, ship),
            dictmerger[{u8,u8},{f64,f64,f64,f64,f64,i64},+],
            |b, i, (f, s, q, p, d, t, day)|
                if(day <= 10471, merge(b, {(f, s), (q, p, p*(1.0-d), p*(1.0-d)*(1.0+t), d, 1L)}), b)))
    });

/// What runs the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum On {
    /// The Rust that `weld!` emitted.
    Rust,
    /// LLVM, from the same source, while the example runs.
    Llvm,
}

/// The two queries, ready to run.
pub(crate) struct Kernels {
    pub(crate) q6: Box<dyn Fn(&Lineitem) -> f64 + Sync>,
    pub(crate) q1: Box<dyn Fn(&Lineitem) -> Q1Result + Sync>,
}

impl Kernels {
    pub(crate) fn new(on: On) -> Result<Kernels, String> {
        match on {
            On::Rust => Ok(emitted()),
            On::Llvm => llvm(),
        }
    }
}

/// Prints what the compiler made of the kernels.
pub(crate) fn explain() {
    println!("{}\n\n{}", Q6.explain(), Q1.explain());
}

fn emitted() -> Kernels {
    let q6 = |t: &Lineitem| Q6(&t.extendedprice, &t.discount, &t.quantity, &t.shipdate);
    let q1 = |t: &Lineitem| {
        let Lineitem { returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate, .. } = t;
        Q1(returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate)
    };
    Kernels { q6: Box::new(q6), q1: Box::new(move |t| lines(&q1(t))) }
}

/// The lines of Q1, in any order.
fn lines(groups: &Dict<(u8, u8), Q1Sums>) -> Q1Result {
    groups.iter().map(|(key, sums)| (*key, *sums)).collect()
}

#[cfg(not(feature = "llvm"))]
fn llvm() -> Result<Kernels, String> {
    let command = "cargo run --release --example tpch --features llvm -- --on llvm";
    Err(format!(
        "this was built without LLVM; `{command}` has it, and needs the packages llvm-22-dev and g++"
    ))
}

#[cfg(feature = "llvm")]
fn llvm() -> Result<Kernels, String> {
    use weldment::{CompileOptions, Executor, Program, ToProgram};

    type Q6Args<'t> = (&'t [f64], &'t [f64], &'t [f64], &'t [i32]);
    type Q1Args<'t> = (&'t [u8], &'t [u8], &'t [f64], &'t [f64], &'t [f64], &'t [f64], &'t [i32]);

    let compile = |program: Program| {
        let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
        program.compile(&options).map_err(|error| error.to_string())
    };
    let (q6, q1) = (compile(Q6.program())?, compile(Q1.program())?);
    let q6 = move |t: &Lineitem| {
        let args: Q6Args<'_> = (&t.extendedprice, &t.discount, &t.quantity, &t.shipdate);
        q6.call(args).expect("Q6 cannot fault")
    };
    let q1 = move |t: &Lineitem| {
        let Lineitem { returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate, .. } = t;
        let args: Q1Args<'_> = (returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate);
        lines(&q1.call(args).expect("Q1 cannot fault"))
    };
    Ok(Kernels { q6: Box::new(q6), q1: Box::new(q1) })
}
