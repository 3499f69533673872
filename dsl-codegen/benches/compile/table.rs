//! The table of one shape: times at each size, and how they grow.

use std::time::Duration;

use crate::phases::Phase;

/// Less than this says nothing of how a time grows.
const MEASURABLE: Duration = Duration::from_micros(20);

/// Prints the phases of one program at several sizes.
pub(crate) fn print(title: &str, sizes: &[usize], measured: &[Vec<Phase>]) {
    println!("\n== {title}");
    print!("{:24}", "");
    sizes.iter().for_each(|size| print!("{size:>12} runs"));
    println!("   exponents");
    for phase in measured.last().into_iter().flatten() {
        let times = measured.iter().map(|phases| phases.iter().find(|other| other.name == phase.name));
        let times: Vec<(Duration, usize)> =
            times.map(|found| found.map_or((Duration::ZERO, 0), |found| (found.time, found.runs))).collect();
        row(&phase.name, sizes, &times);
    }
    let total = |phases: &Vec<Phase>| (phases.iter().map(|phase| phase.time).sum(), 0);
    row("total", sizes, &measured.iter().map(total).collect::<Vec<_>>());
}

fn row(name: &str, sizes: &[usize], times: &[(Duration, usize)]) {
    print!("{name:24}");
    for (time, runs) in times {
        let runs = if *runs > 1 { runs.to_string() } else { String::new() };
        print!("{:>9.3} ms{runs:>5}", time.as_secs_f64() * 1e3);
    }
    for at in 1..times.len() {
        let (before, now) = (times[at - 1].0, times[at].0);
        if before < MEASURABLE {
            print!("{:>7}", "");
        } else {
            let larger = sizes[at] as f64 / sizes[at - 1] as f64;
            print!("{:>7.2}", (now.as_secs_f64() / before.as_secs_f64()).ln() / larger.ln());
        }
    }
    println!();
}
