//! Functions of another crate in programs, found by every sort of path.
#![forbid(unsafe_code)]
#![deny(warnings)]

use joined::{Dict, Kernel, weld, welded};
use weldment_across::shop::norm as length;
use weldment_across::shop::{self, *};

/// Flag and status; quantity, price, discounted, charged, discount, count.
type Summary = Dict<(u8, u8), (f64, f64, f64, f64, f64, i64)>;
/// Of sales.
type Total = fn(&[Sale]) -> f64;
type Q1 = fn(&[u8], &[u8], &[f64], &[f64], &[f64], &[f64], &[i32]) -> Summary;

/// Flag and status.
#[welded(crate = joined)]
fn group(flag: u8, status: u8) -> (u8, u8) {
    (flag, status)
}

#[welded(crate = joined)]
fn sums(quantity: f64, price: f64, discount: f64, tax: f64) -> (f64, f64, f64, f64, f64, i64) {
    (quantity, price, discounted(price, discount), charged(price, discount, tax), discount, 1)
}

/// In six functions of two crates.
static BY_FUNCTIONS: Kernel<Q1> = weld!(
    #[expect(loops = 1, materialized = 0)]
    |flag: &[u8], status: &[u8], quantity: &[f64], price: &[f64], discount: &[f64], tax: &[f64], day: &[i32]| {
        zip(flag, status, quantity, price, discount, tax, day)
            .filter(|(_, _, _, _, _, _, day)| shop::is_shipped(day, 10471))
            .reduce_by(|(f, s, _, _, _, _, _)| group(f, s), |(_, _, q, p, d, t, _)| sums(q, p, d, t), +)
    }
);

static BY_HAND: Kernel<Q1> = weld!(
    |flag: &[u8], status: &[u8], quantity: &[f64], price: &[f64], discount: &[f64], tax: &[f64], day: &[i32]| {
        zip(flag, status, quantity, price, discount, tax, day)
            .filter(|(_, _, _, _, _, _, day)| day <= 10471)
            .reduce_by(
                |(f, s, _, _, _, _, _)| (f, s),
                |(_, _, q, p, d, t, _)| (q, p, p * (1.0 - d), p * (1.0 - d) * (1.0 + t), d, 1i64),
                +
            )
    }
);

#[test]
fn functions_of_two_crates_are_one_loop() {
    let rows = 5000;
    let column = |seed: u64| -> Vec<f64> { (0..rows).map(|i: u64| (i * seed % 97) as f64 / 97.0).collect() };
    let bytes = |of: u64| -> Vec<u8> { (0..rows).map(|i| (i % of) as u8).collect() };
    let (flag, status, day) =
        (bytes(3), bytes(2), (0..rows).map(|i| 10000 + (i % 700) as i32).collect::<Vec<_>>());
    let [quantity, price, discount, tax] = [3, 5, 7, 11].map(column);
    let run = |kernel: &Kernel<Q1>| kernel(&flag, &status, &quantity, &price, &discount, &tax, &day);
    let (by_functions, by_hand) = (run(&BY_FUNCTIONS), run(&BY_HAND));
    assert_eq!(by_functions.len(), 6);
    assert_eq!(by_functions, by_hand);
}

fn sales() -> Vec<Sale> {
    let sale = |i: i64| Sale {
        price: i as f64 * 0.5,
        discount: 0.25,
        quantity: (i % 4) as f64,
        day: i as i32,
        customer: i % 3,
    };
    (0..50).map(sale).collect()
}

#[test]
fn a_function_is_found_where_its_name_is() {
    let expected: f64 = sales().iter().map(|s| discounted(s.price, s.discount)).sum();
    let kernels: [Kernel<Total>; 4] = [
        weld!(|v: &[Sale]| v.map(|s| discounted(s.price, s.discount)).sum()),
        weld!(|v: &[shop::Sale]| v.map(|s| shop::discounted(s.price, s.discount)).sum()),
        weld!(|v: &[Sale]| v.map(|s| ::weldment_across::shop::discounted(s.price, s.discount)).sum()),
        weld! { use shop::{Sale as S, discounted as d}; |v: &[S]| v.map(|s| s.price.d(s.discount)).sum() },
    ];
    kernels.iter().for_each(|kernel| assert_eq!(kernel(&sales()), expected));
}

#[test]
fn functions_take_functions_and_types() {
    let day = 40;
    let by = weld!(|v: &[Sale], day: i32| by_customer(v, |s| is_shipped(s.day, day) && s.quantity > 0.0));
    let sums = by(&sales(), day);
    let of = |customer| {
        sales()
            .iter()
            .filter(|s| s.customer == customer && s.day <= day)
            .map(|s| s.price * 0.75 * s.quantity)
            .sum()
    };
    assert_eq!([sums[&0], sums[&1], sums[&2]], [of(0), of(1), of(2)]);
    let lengths = weld!(|v: &[f64], w: &[f32]| (length(v), shop::norm(w)));
    assert_eq!(lengths(&[3.0, 4.0], &[6.0, 8.0]), (5.0, 10.0));
    let mapped = weld!(|v: &[&[f64]]| v.map(shop::norm));
    assert_eq!(mapped(&[&[3.0, 4.0], &[1.0]]), [5.0, 1.0]);
}

#[test]
fn what_a_function_works_with_is_its_own() {
    let mean = weld!(|v: &[Sale]| mean_quantity(v));
    assert_eq!(mean(&sales()), mean_quantity(&sales()));
    let made = weld!(|x: f64| -> Mean { mean_of(x, 2.0) });
    assert_eq!(made(3.0), mean_of(3.0, 2.0));
    let quadrupled = weld!(|v: &[f64]| v.map(|x| inner::quadrupled(x)));
    assert_eq!(quadrupled(&[1.5]), [6.0]);
}

#[test]
fn macros_of_a_crate_name_its_functions() {
    let paid = weldment_across::paid!(&sales());
    assert_eq!(paid, sales().iter().map(|s| discounted(s.price, s.discount)).sum());
}

#[test]
fn constants_are_found_as_functions_are() {
    let taxed = weld! { use shop::TAX as RATE; |v: &[f64]| smoothed(v.map(|x| x * (1.0 + RATE))) };
    let v = [1.0, 2.0, 4.0].map(|x| x * (1.0 + TAX));
    assert_eq!(taxed(&[1.0, 2.0, 4.0]), [TAX * v[0] + (1.0 - 2.0 * TAX) * v[1] + TAX * v[2]]);
    assert_eq!(taxed.source().matches("#[welded] const").count(), 2);
}

#[test]
fn a_kernel_of_a_crate_is_a_function_of_another() {
    let shares = weld!(
        #[expect(loops = 2, materialized = 0)]
        |sales: &[Sale]| {
            let all = shop::REVENUE(sales);
            sales.map(|s| discounted(s.price, s.discount) / all)
        }
    );
    let all = shop::REVENUE(&sales());
    let share = |s: &Sale| discounted(s.price, s.discount) / all;
    assert_eq!(shares(&sales()), sales().iter().map(share).collect::<Vec<_>>());
}

#[test]
fn a_fault_is_at_the_call() {
    let each = weld!(|v: &[i64], n: i64| v.map(|x| each(x, n)));
    assert_eq!(each(&[7, 9], 2), [3, 4]);
    let fault = each.try_call(&[7, 9], 0).unwrap_err();
    let place = fault.position;
    assert_eq!((fault.detail.as_str(), place.line), ("7 / 0", line!() - 4));
}

#[test]
fn a_thousand_paths_of_calls_are_told_once() {
    let last = weld!(|x: i64| shop::twice10(x));
    assert_eq!(last(3), 1024 * 3 + 10 * 512);
    assert_eq!(last.source().matches("fn ").count(), 11);
}

#[test]
fn items_that_rustc_has_not_read_are_found_as_others() {
    let v = [1.0, 3.0, 2.5];
    let most = weld!(
        #[expect(loops = 1, materialized = 0)]
        |v: &[f64]| shop::most_changed(v)
    );
    assert_eq!((most(&v), most_changed(&v)), (2.0 * (1.0 / TAX), 2.0 * (1.0 / TAX)));
    let mapped = weld! { use shop::changes as steps; |v: &[&[f64]]| v.map(steps) };
    assert_eq!(mapped(&[&v, &[1.0]]), [vec![2.0, -0.5], vec![]]);
}

/// In terms of a function of Rust that this crate does not name.
#[welded(crate = joined)]
fn weighted_twice(sales: &[Sale]) -> f64 {
    weighted(sales) * 2.0
}

#[test]
fn functions_of_rust_are_called_where_they_are() {
    use weldment_across::shop::weight as counted;

    let by_hand = |sales: &[Sale]| -> f64 {
        sales.iter().map(|s| weight(s.customer, discounted(s.price, s.discount))).sum()
    };
    let kernels: [Kernel<Total>; 5] = [
        weld!(|v: &[Sale]| v.map(|s| shop::weight(s.customer, discounted(s.price, s.discount))).sum()),
        weld!(|v: &[Sale]| v.map(|s| counted(s.customer, discounted(s.price, s.discount))).sum()),
        weld! { use shop::weight as w; |v: &[Sale]| v.map(|s| s.customer.w(discounted(s.price, s.discount))).sum() },
        weld!(|v: &[Sale]| weighted(v)),
        weld!(|v: &[Sale]| weighted_twice(v) * 0.5),
    ];
    kernels.iter().for_each(|kernel| assert_eq!(kernel(&sales()), by_hand(&sales())));
    assert_eq!((weighted(&sales()), weighted_twice(&sales())), (by_hand(&sales()), by_hand(&sales()) * 2.0));
    let both = weld!(|v: &[i64]| v.map(|c| (shop::weight(c, 2.0), inner::weight(c))));
    assert_eq!(both(&[1, 2]), [(1.0, 10), (2.0, 20)]);
}

#[test]
fn a_panic_in_one_goes_on_in_the_caller() {
    let weights = weld!(|v: &[i64]| v.map(|c| shop::weight(c, 1.0)).sum());
    let panic = std::panic::catch_unwind(|| weights(&[1, -7])).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("there is no customer -7"));
    assert_eq!(weights(&[1, 2]), 1.5);
}

/// Who asks in the form of another version.
macro_rules! shown {
    (@weld2 [{ first } { @weld1 $version:literal }] [{ more }] $($rest:tt)*) => {
        $version
    };
}

#[test]
fn asked_by_another_version_an_item_tells_its_own() {
    let asked = discounted! { @weld2 [{ first }] [{ shown } { more }] whatever comes; };
    assert_eq!(asked, env!("CARGO_PKG_VERSION"));
    assert_eq!(Sale! { @weld2 [{ first }] [{ shown } { more }] }, asked);
}
