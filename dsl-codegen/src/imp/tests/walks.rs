//! Walks, copies and effects.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{Entity, Value};

use super::text::EVERYTHING;
use crate::imp::copy::copy_of;
use crate::imp::effects::{Effects, of_block, of_func};
use crate::imp::walk::{Use, free_values};
use crate::imp::{Block, Imp, Stmt, StoreId, parse};

const LOOPS: &str = "
weldment imp 1
reg a0: f64 x 1 = 0.0
store #0 boxed f64 reduce by add order any memory run gives v90
func add(v60: f64, v61: f64) reducer captures v1 { v62: f64 = mul v60, v1 return v62 }
func main(v0: vec[f64], v1: f64, v2: i64, v3: pos) entry {
  for v5 number v6 from v3 in 0..v3 {
    v7: f64 = load v0[v5]
    v8: f64 = add v7, 1.0f64
    v9: bool = lt v6, v2
    v10: f64 = if v9 { v11: f64 = neg v8 yield v11 } else { yield v8 }
    a0 += v10 where v9
    do merge #0, v8
  }
  v12: i64 = div v2, 3i64
}
";

fn entry(imp: &Imp) -> Block {
    imp.funcs[imp.entry].body.clone()
}

fn v(index: usize) -> Value {
    Value::from_index(index)
}

#[test]
fn what_a_block_reads_from_around_it_in_order_of_first_use() {
    let imp = parse(LOOPS).unwrap();
    // The last is what the function of the store captures, which reads it after `v2`.
    assert_eq!(free_values(&imp, &entry(&imp), &[]), [3, 0, 2, 1].map(v));
    assert_eq!(free_values(&imp, &entry(&imp), &[v(0), v(1)]), [3, 2].map(v));
}

#[test]
fn a_copy_binds_values_of_its_own() {
    let mut imp = parse(LOOPS).unwrap();
    let block = entry(&imp);
    let copy = copy_of(&mut imp, &block, BTreeMap::from([(v(0), v(90))]));
    assert_eq!(free_values(&imp, &copy, &[]), [3, 90, 2, 1].map(v));
    let bound = |block: &Block| {
        let mut bound = BTreeSet::new();
        block.for_each_stmt(&mut |stmt| {
            stmt.for_each_value(|how, value| {
                if matches!(how, Use::Bind | Use::Inner) {
                    assert!(bound.insert(value), "{value} is bound twice");
                }
            });
        });
        bound
    };
    let (of_block, of_copy) = (bound(&block), bound(&copy));
    assert!(of_block.is_disjoint(&of_copy) && of_block.len() == of_copy.len());
    for (old, new) in of_block.into_iter().zip(of_copy) {
        assert_eq!(imp.values[old], imp.values[new]);
    }
    // Apart from names, it is the same.
    let shape = |block: &Block| format!("{block:?}").replace(|c: char| c.is_ascii_digit(), "");
    assert_eq!(shape(&block), shape(&copy));
}

#[test]
fn a_copy_has_functions_of_its_own_where_they_read_what_it_renames() {
    let mut imp = parse(
        "weldment imp 1
        store #0 boxed f64 reduce by times order any memory run gives v6
        func times(v60: f64, v61: f64) reducer captures v2 { v62: f64 = mul v60, v2 return v62 }
        func order(v63: f64, v64: f64) comparator captures v2 { v65: i32 = cast v2 return v65 }
        func same(v66: f64, v67: f64) comparator captures v1 { v68: i32 = cast v1 return v68 }
        func main(v0: vec[f64], v1: f64) entry {
          v2: f64 = neg v1
          do open #0
          do merge #0, v2
          v6: f64 = do finish #0
          v7: vec[f64] = sort v0 by comparator order
          v8: vec[f64] = sort v7 by comparator same
          return v6, v8
        }",
    )
    .unwrap();
    let block = entry(&imp);
    let copy = copy_of(&mut imp, &block, BTreeMap::new());
    let renamed = copy.stmts[0].values(Use::Bind);
    assert_ne!(renamed, [v(2)]);
    let calls = |stmt: &Stmt| {
        let mut called = Vec::new();
        stmt.for_each_func(&imp, |func| called.push(imp.funcs[func].captures.clone()));
        called
    };
    for (number, captured) in [(1, renamed.clone()), (2, renamed.clone()), (4, renamed), (5, vec![v(1)])] {
        assert_eq!(calls(&copy.stmts[number]), [captured], "{:?}", copy.stmts[number]);
    }
    // The original stays as it was, with its own store.
    assert_eq!(calls(&block.stmts[1]), [[v(2)]]);
    let store = |stmt: &Stmt| match stmt {
        Stmt::Do { store, .. } => *store,
        _ => panic!("{stmt:?}"),
    };
    let stores: BTreeSet<StoreId> = copy.stmts[1..4].iter().map(store).collect();
    assert_eq!(stores.len(), 1);
    let of_copy = stores.into_iter().next().expect("one store");
    assert_ne!(of_copy, store(&block.stmts[1]));
    assert_eq!([imp.stores[of_copy].result], copy.stmts[3].values(Use::Bind)[..]);
}

#[test]
fn both_walks_over_values_visit_the_same() {
    let mut imp = parse(EVERYTHING).unwrap();
    let mut blocks: Vec<Block> = imp.funcs.ids().map(|id| imp.funcs[id].body.clone()).collect();
    let mut visited = 0;
    while let Some(block) = blocks.pop() {
        for mut stmt in block.stmts {
            let (mut read, mut changed) = (Vec::new(), Vec::new());
            stmt.for_each_value(|how, value| read.push((how, value)));
            stmt.for_each_value_mut(|how, value| changed.push((how, *value)));
            assert_eq!(read, changed);
            visited += read.len();
            let mut held = Vec::new();
            stmt.for_each_block(|block| held.push(block.clone()));
            let mut held_again = Vec::new();
            stmt.for_each_block_mut(|block| held_again.push(block.clone()));
            assert_eq!(held, held_again);
            blocks.extend(held);
        }
    }
    assert!(visited > 100);
    // A copy of everything names nothing of the original but what is free in it.
    let block = entry(&imp);
    let free = free_values(&imp, &block, &[]);
    let copy = copy_of(&mut imp, &block, BTreeMap::new());
    assert_eq!(free_values(&imp, &copy, &[]), free);
}

#[test]
fn the_mention_of_a_look_up_by_itself_is_renamed() {
    let text =
        "weldment imp 1 func f(v0: dict[i64,i64]) entry { v1: i64 = lookup v0, 1i64 shared v1 return v1 }";
    let mut imp = parse(text).unwrap();
    let block = entry(&imp);
    let copy = copy_of(&mut imp, &block, BTreeMap::new());
    let new = copy.results[0];
    assert_eq!(copy.stmts[0].values(Use::Mention), [new]);
    assert_ne!(new, v(1));
}

#[track_caller]
fn check_effects(stmts: &str, faults: bool, allocates: bool, context: bool) {
    let text = format!(
        "weldment imp 1
        reg a0: f64 x 1 = 0.0
        store #0 grow f64 append order any memory run gives v90
        store #1 boxed f64 reduce by half order any memory run gives v91
        store #2 boxed f64 reduce by third order any memory run gives v92
        store #3 exact 1 f64 append order any memory run gives v93
        store #4 in_place f64 reduce max order any memory run gives v94
        store #5 exact 1 f64 append order any memory run split gives v95
        store #6 ordered f64 append order segments memory run split gives v96
        func half(v60: f64, v61: f64) reducer {{ return v60 }}
        func third(v62: f64, v63: f64) reducer {{ v64: i64 = div 1i64, 0i64 return v62 }}
        func main(v0: vec[f64], v1: i64, v2: f64, v3: pos) entry {{ {stmts} }}"
    );
    let imp = parse(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(of_func(&imp, imp.entry), Effects { faults, allocates, context }, "{stmts}");
    assert_eq!(of_block(&imp, &entry(&imp)), of_func(&imp, imp.entry));
}

#[test]
fn effects_of_statements() {
    check_effects("v5: f64 = div v2, 0.0f64", false, false, false);
    check_effects("v5: i64 = div v1, 3i64 divides", false, false, false);
    check_effects("v5: i64 = div v1, 3i64", true, false, false);
    check_effects("v5: i64 = div v1, -1i64", true, false, false);
    check_effects("v5: i64 = rem v1, v1", true, false, false);
    check_effects("v5: vec[f64] = slice v0, v1, v1", true, false, false);
    check_effects("v5: vec[f64] = slice v0, 0, v3 in_bounds", false, false, false);
    check_effects("v5: vec[f64] = vector [v2]", true, true, true);
    check_effects("for v5 in 0..v3 { a0 += v2 }", false, false, false);
    check_effects("for v5 in 0..v3 poll { }", true, false, true);
    check_effects("do append #0, v2", true, true, true);
    check_effects("do put #3, v3, v2", true, true, true);
    check_effects("do put #5, v3, v2", false, false, false);
    check_effects("do append #6, v2", false, false, false);
    check_effects("do merge #1, v2", false, false, false);
    check_effects("do merge #2, v2", true, false, false);
    check_effects("do begin #2", false, false, false);
    check_effects("do merge #4, v1, v2", true, false, true);
    check_effects("if true { do open #0 }", true, true, true);
    check_effects("fault empty if true", true, false, false);
    check_effects("v5: vec[f64] = clone v0", true, true, true);
    check_effects("v5: f64 = clone v2", false, false, false);
    check_effects("release v0", false, false, true);
    check_effects("v5: f64 = call third(v2, v2)", true, false, false);
}
