use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(Clone, Weld)]
struct Wide<'a> {
    words: Vec<&'a str>,
}

fn main() {
    weld!(|words: &[&str]| -> Vec<&str> { words.sort() });
    weld!(|counts: &Dict<&str, i64>, w: &str| counts[w]);
    weld!(|pairs: &[Pair<&f64>]| pairs.map(|p| p.a + p.b).sum());
    weld!(|grid: &Array<&str, 2>| grid[0, 0]);
    let longest = weld!(|words: &[&str], s: &str| words.filter(|w| w.len() > s.len()).count());
    longest(&["elm".to_owned()], "a");
}
