use weldment::weld;

fn main() {
    let kernel = weld!(|names: &[&str]| len(names));
    println!("{}", kernel(&["a"]));
}
