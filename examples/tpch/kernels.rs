//! The queries as kernels: each is written once, and is emitted as Rust while this example compiles.

use crate::answers::{Q1 as Q1Result, Q1Sums};
use crate::data::Lineitem;

// SEAM: `weld!` and `Kernel` are on their way. When they are here, this line becomes
// `use weldment::{Kernel, weld};` and the module `pending` goes.
use pending::{Kernel, weld};

type Q6Signature = fn(&[f64], &[f64], &[f64], &[i32]) -> f64;
type Q1Signature = fn(&[u8], &[u8], &[f64], &[f64], &[f64], &[f64], &[i32]) -> Vec<((u8, u8), Q1Sums)>;

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
        tovec(result(for(zip(flag, status, quantity, price, discount, tax, ship),
            dictmerger[{u8,u8},{f64,f64,f64,f64,f64,i64},+],
            |b, i, (f, s, q, p, d, t, day)|
                if(day <= 10471, merge(b, {(f, s), (q, p, p*(1.0-d), p*(1.0-d)*(1.0+t), d, 1L)}), b))))
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

// SEAM: `(t)` becomes `Q6(&t.extendedprice, &t.discount, &t.quantity, &t.shipdate)`, and
// `Q1(&t.returnflag, &t.linestatus, &t.quantity, &t.extendedprice, &t.discount, &t.tax, &t.shipdate)`.
fn emitted() -> Kernels {
    eprintln!("note: `weld!` is not here yet, the hand-written loops stand in for the kernels");
    Kernels { q6: Box::new(crate::hand::q6), q1: Box::new(crate::hand::q1) }
}

#[cfg(not(feature = "llvm"))]
fn llvm() -> Result<Kernels, String> {
    let command = "cargo run --release --example tpch --features llvm -- --on llvm";
    Err(format!(
        "this was built without LLVM; `{command}` has it, and needs the packages llvm-22-dev and g++"
    ))
}

// SEAM: when `Executable::call` is here, this is
//
//     let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
//     let compile = |program: Result<Program, CompileError>| program.and_then(|p| p.compile(&options)).map_err(|e| e.to_string());
//     let (q6, q1) = (compile(Q6.program())?, compile(Q1.program())?);
//     q6: Box::new(move |t| q6.call::<(&[f64], &[f64], &[f64], &[i32]), f64>((&t.extendedprice, …)).expect("Q6 cannot fault"))
#[cfg(feature = "llvm")]
fn llvm() -> Result<Kernels, String> {
    Err("the LLVM executor is not here yet".to_string())
}

// SEAM: what `weldment` will provide. The macro keeps the text of the program, and checks it where it can.
mod pending {
    use std::marker::PhantomData;

    pub(crate) struct Kernel<F>(&'static str, PhantomData<F>);

    impl<F> Kernel<F> {
        pub(crate) const fn new(source: &'static str) -> Kernel<F> {
            Kernel(source, PhantomData)
        }

        pub(crate) fn explain(&self) -> &'static str {
            self.0
        }
    }

    macro_rules! weld {
        ($($program:tt)*) => { Kernel::new(stringify!($($program)*)) };
    }
    pub(super) use weld;
}
