use weldment::weld;

fn main() {
    let first = weld!(|a: i8, b: i8, c: i8, d: i8, e: i8, f: i8, g: i8, h: i8, i: i8, j: i8, k: i8, l: i8, m: i8| a);
    println!("{}", first(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) + 1);
}
