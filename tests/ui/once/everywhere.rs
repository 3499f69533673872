use weldment::{Fault, Kernel, weld};

type Sum = Kernel<fn(&[f64]) -> f64>;

const SUM: Sum = weld!(|v: &[f64]| v.sum() + one);

struct Sums {
    first: Sum,
}

fn made() -> Sum {
    weld!(|v: &[f64]| v.sum() + two)
}

fn run(sum: &Sum) -> Result<f64, Fault> {
    sum.try_call(&[1.0])
}

fn main() -> Result<(), Fault> {
    let sums = Sums { first: weld!(|v: &[f64]| v.sum() + three) };
    let all = [weld!(|v: &[f64]| v.sum() + four), SUM, made(), sums.first];
    for sum in &all {
        println!("{} {}", run(sum)?, sum.explain());
    }
    Ok(())
}
