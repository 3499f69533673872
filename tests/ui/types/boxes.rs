use weldment::{Weld, weld};

#[derive(Clone, Weld)]
struct Row<'a> {
    words: &'a [Box<str>],
}

fn main() {
    weld!(|words: &[std::rc::Rc<str>]| words.len());
    weld!(|numbers: &[Box<f64>]| numbers.len());
    weld!(|words: &[&str]| -> Vec<Box<str>> { words });
    weld!(|rows: &[Box<[&str]>]| rows.len());
    weld!(|counts: &Dict<Arc<str>, i64>| counts.len());
}
