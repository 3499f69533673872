use weldment::Weld;

#[derive(Weld)]
struct Tree {
    children: Vec<Tree>,
}

fn main() {
    println!("{}", Tree { children: vec![] }.children.len());
}
