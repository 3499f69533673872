//! Bags are taken, stored in structs, chosen and given.

use weldment::Bag;

use crate::every_way::agree;

#[test]
fn bags_go_through_programs() {
    let bag = &Bag(vec![1.5, -0.0]);
    for some in [1i64, 0] {
        let found = agree!(bag, some; |b: bag[f64], some: i64| {
            let pair = (b, some);
            if some > 0 { (pair, b) } else { ((pair.0, 7), b) }
        });
        assert_eq!(found, ((bag.clone(), if some > 0 { 1 } else { 7 }), bag.clone()));
    }
}
