//! Q3, Q13, Q14 and Q16: the queries of TPC-H that join tables, look into texts, and ask for what is not there.

mod q13;
mod q14;
mod q16;
mod q3;
mod query;
mod tables;

use std::time::Instant;

use super::answers::VALIDATION_SCALE;
use super::data::Lineitem;
use super::report;
use query::Times;
use tables::Tables;

/// Prints what the compiler made of the kernels.
pub(crate) fn explain() {
    for kernel in [q3::KERNEL.explain(), q13::KERNEL.explain(), q14::KERNEL.explain(), q16::KERNEL.explain()]
    {
        println!("\n\n{kernel}");
    }
}

/// Generates the other tables, runs the queries, and compares and times both forms of each.
pub(crate) fn run(scale: f64, lineitem: &Lineitem) -> Result<(), String> {
    let start = Instant::now();
    let tables = Tables::generate(scale, lineitem);
    println!(
        "\n{} orders of {} customers, {} parts of {} suppliers, generated in {:.1} s",
        tables.orders.orderkey.len(),
        tables.customer.custkey.len(),
        tables.part.partkey.len(),
        tables.supplier.suppkey.len(),
        start.elapsed().as_secs_f64()
    );
    let is_specified = scale == VALIDATION_SCALE;
    let times = [
        q3::QUERY.run(&tables, is_specified)?,
        q13::QUERY.run(&tables, is_specified)?,
        q14::QUERY.run(&tables, is_specified)?,
        q16::QUERY.run(&tables, is_specified)?,
    ];
    let whose = if is_specified { "The specification, the kernels" } else { "The kernels" };
    println!("\n{whose} and the hand-written loops agree.");
    println!("\nMedians of {} rounds.\n", report::ROUNDS);
    println!("    {:<28} {:>10} {:>11} {:>8}", "ms", "kernel", "by hand", "ratio");
    for Times { name, kernel, by_hand } in times {
        println!("    {name:<28} {:>10.2} {:>11.2} {:>8.2}", kernel * 1e3, by_hand * 1e3, kernel / by_hand);
    }
    Ok(())
}
