//! What the queries should give.

use tpchgen::q_and_a::answers_sf1;

/// The sums of a line of Q1: quantity, base price, discounted price, charge, discount, and the number of rows.
pub(crate) type Q1Sums = (f64, f64, f64, f64, f64, i64);

/// The result of Q1: sums by return flag and line status, in any order.
pub(crate) type Q1 = Vec<((u8, u8), Q1Sums)>;

/// The scale factor for which the specification gives answers.
pub(crate) const VALIDATION_SCALE: f64 = 1.0;

/// A line of Q1's result as the specification prints it.
pub(crate) fn q1_line(((flag, status), sums): &((u8, u8), Q1Sums)) -> [String; 10] {
    let (quantity, price, discounted, charge, discount, count) = *sums;
    let cents = |x: f64| format!("{x:.2}");
    let mean = |sum: f64| cents(sum / count as f64);
    [
        (*flag as char).to_string(),
        (*status as char).to_string(),
        cents(quantity),
        cents(price),
        cents(discounted),
        cents(charge),
        mean(quantity),
        mean(price),
        mean(discount),
        count.to_string(),
    ]
}

/// The result of Q1 in the order that the specification asks for.
pub(crate) fn q1_lines(result: &Q1) -> Vec<[String; 10]> {
    let mut sorted: Vec<_> = result.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    sorted.into_iter().map(q1_line).collect()
}

/// Compares with the specification's answers at scale factor 1; says what is wrong.
pub(crate) fn validate(q6: f64, q1: &Q1) -> Result<(), String> {
    let lines = |answer: &str| -> Vec<Vec<String>> {
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_string()).collect();
        answer.trim().lines().skip(1).map(cells).collect()
    };
    let (found, wanted) = (format!("{q6:.2}"), &lines(answers_sf1::Q6_ANSWER)[0][0]);
    if found != *wanted {
        return Err(format!("Q6 gives {found} where the specification has {wanted}"));
    }
    let (found, wanted) = (q1_lines(q1), lines(answers_sf1::Q1_ANSWER));
    if !found.iter().map(<[String; 10]>::as_slice).eq(wanted.iter().map(Vec::as_slice)) {
        return Err(format!("Q1 gives {found:?} where the specification has {wanted:?}"));
    }
    Ok(())
}

/// Whether two results differ by rounding only. Each sums in an order of its own, and `tolerance` is how far
/// apart that may bring them.
pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// Whether two results of Q1 have the same keys and counts, and sums that differ by rounding only.
pub(crate) fn close_q1(a: &Q1, b: &Q1, tolerance: f64) -> bool {
    let sorted = |result: &Q1| {
        let mut sorted = result.clone();
        sorted.sort_by_key(|(key, _)| *key);
        sorted
    };
    let (a, b) = (sorted(a), sorted(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|((key_a, a), (key_b, b))| {
            let sums = [(a.0, b.0), (a.1, b.1), (a.2, b.2), (a.3, b.3), (a.4, b.4)];
            key_a == key_b && a.5 == b.5 && sums.into_iter().all(|(a, b)| close(a, b, tolerance))
        })
}
