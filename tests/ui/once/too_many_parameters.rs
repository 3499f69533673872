use weldment::weld;

fn main() {
    let first = weld!(|a: i8, b: i8, c: i8, d: i8, e: i8, f: i8, g: i8, h: i8, i: i8, j: i8, k: i8, l: i8, m: i8, n: i8, o: i8, p: i8, q: i8, r: i8, s: i8, t: i8, u: i8, v: i8, w: i8, x: i8, y: i8| a);
    println!("{}", first(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25) + 1);
}
