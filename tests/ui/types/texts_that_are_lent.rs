use weldment::weld;

fn main() {
    let longest = weld!(|words: &[&str], s: &str| words.filter(|w| w.len() > s.len()).count());
    longest(&["elm"], "a");
}
