use weldment::Weld;

#[derive(Weld)]
struct Orders<'a> {
    prices: &'a Vec<f64>,
    words: &'a [&'a str],
    marks: &'a mut [u8],
}

fn main() {
    println!("{}", Orders { prices: &vec![1.0], words: &[], marks: &mut [] }.prices.len());
}
