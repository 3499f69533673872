use weldment::{Dict, weld};

fn main() {
    let evens = weld!(|v: &[i64]| v.filter(|x| x % 2L == zero));
    for x in evens(&[1, 2]) {
        println!("{}", x + 1);
    }
    println!("{}", evens(&[1, 2]).iter().map(|x| x + 1).sum::<i64>());
    let counts = weld!(|v: &[i64]| -> Dict<i64, i64> { v.map(|x| (x, one)).to_dict() });
    let found: Dict<i64, i64> = counts(&[1]);
    println!("{:?} {}", found.get(&1), counts(&[1]).len());
}
