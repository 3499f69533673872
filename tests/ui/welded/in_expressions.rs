//! Items where a program is wanted, which is a closure.

use weldment::weld;

fn main() {
    let _ = weld! { fn half(x: f64) -> f64 { other(x) } pub const K: f64 = 0.5; };
    let _ = weld!(pub const K: f64 = 0.5;);
    let _ = weld! { fn half(x: f64) -> f64 { x } half(1.0) };
}
