use weldment::Weld;

#[derive(Weld)]
struct Orders<'a> {
    prices: &'a Vec<f64>,
    words: &'a [&'a str],
    pairs: &'a [(&'a str, f64)],
    marks: &'a mut [u8],
}

fn main() {
    println!("{}", Orders { prices: &vec![1.0], words: &[], pairs: &[], marks: &mut [] }.prices.len());
}
