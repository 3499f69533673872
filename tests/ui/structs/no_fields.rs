use weldment::Weld;

#[derive(Weld)]
struct Nothing;

fn main() {
    let Nothing = Nothing;
}
