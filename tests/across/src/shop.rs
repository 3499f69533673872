//! A library of functions of the language, for the programs of another crate.

use joined::{Weld, welded};

/// What was sold.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[weld(crate = joined)]
pub struct Sale {
    /// For one.
    pub price: f64,
    /// Between 0 and 1.
    pub discount: f64,
    /// How many.
    pub quantity: f64,
    /// By the day on which it was shipped.
    pub day: i32,
    /// To whom.
    pub customer: i64,
}

/// A number and how many it is of.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[weld(crate = joined)]
pub struct Mean {
    /// Of all.
    pub sum: f64,
    /// How many they are.
    pub count: f64,
}

/// What the state takes.
#[welded(crate = joined)]
pub const TAX: f64 = 0.19;

/// Of a mean of three.
#[welded(crate = joined)]
pub const WEIGHTS: &[f64] = [TAX, 1.0 - 2.0 * self::TAX, TAX];

/// The mean of three, of which the one in the middle counts most.
#[welded(crate = joined)]
pub fn smoothed(v: &[f64]) -> Vec<f64> {
    (1..len(v) - 1).map(|i| WEIGHTS[0] * v[i - 1] + WEIGHTS[1] * v[i] + WEIGHTS[2] * v[i + 1])
}

/// The sum of what is to be paid for all of them.
#[welded(crate = joined)]
pub static REVENUE: joined::Kernel<fn(&[Sale]) -> f64> =
    joined::weld!(|sales: &[Sale]| sales.map(|s| discounted(s.price, s.discount)).sum());

/// What is to be paid.
#[welded(crate = joined)]
pub fn discounted(price: f64, discount: f64) -> f64 {
    price * (1.0 - discount)
}

/// With what the state takes.
#[welded(crate = joined)]
pub fn taxed(price: f64, tax: f64) -> f64 {
    price * (1.0 + tax)
}

/// What is to be paid, with what the state takes.
#[welded(crate = joined)]
pub fn charged(price: f64, discount: f64, tax: f64) -> f64 {
    taxed(discounted(price, discount), tax)
}

/// Whether it was shipped by that day.
#[welded(crate = joined)]
pub fn is_shipped(day: i32, by: i32) -> bool {
    day <= by
}

/// What was sold to each customer, of the sales that `f` takes.
#[welded(crate = joined)]
pub fn by_customer(sales: &[Sale], f: impl Fn(Sale) -> bool) -> Dict<i64, f64> {
    sales.filter(f).reduce_by(|s| s.customer, |s| discounted(s.price, s.discount) * s.quantity, |a, b| a + b)
}

/// The length of a vector.
#[welded(crate = joined)]
pub fn norm<T: Float>(v: &[T]) -> T {
    v.map(|x| x * x).sum().sqrt()
}

/// The mean of what is sold in one sale; a struct on the way that nobody else knows.
#[welded(crate = joined)]
pub fn mean_quantity(sales: &[Sale]) -> f64 {
    let mean = sales
        .map(|s| Mean { sum: s.quantity, count: 1.0 })
        .reduce(|a, b| Mean { sum: a.sum + b.sum, count: a.count + b.count });
    mean.sum / mean.count
}

/// The mean, as it is.
#[welded(crate = joined)]
pub fn mean_of(sum: f64, count: f64) -> Mean {
    Mean { sum, count }
}

/// How many go into how many.
#[welded(crate = joined)]
pub fn each(all: i64, parts: i64) -> i64 {
    all / parts
}

joined::weld! {
    /// How much more or less each is than the one before it.
    pub fn changes(v: vec[f64]) -> vec[f64] {
        result(for(zip(slice(v, 1L, len(v) - 1L), slice(v, 0L, len(v) - 1L)), appender[f64], |b, i, x| merge(b, x.$0 - x.$1)))
    }

    /// The most that anything has changed, in parts of the tax.
    pub fn most_changed(v: &[f64]) -> f64 {
        changes(v).map(|x| abs(x) * PARTS).max()
    }

    /// Only this crate knows it.
    const PARTS: f64 = 1.0 / TAX;
}

/// How much a customer counts. Of Rust, whatever kernels make of it.
#[welded(crate = joined, opaque)]
pub fn weight(customer: i64, price: f64) -> f64 {
    assert!(customer >= 0, "there is no customer {customer}");
    if customer % 2 == 0 { price } else { price * 0.5 }
}

/// What customers are charged by their weights.
#[welded(crate = joined)]
pub fn weighted(sales: &[Sale]) -> f64 {
    sales.map(|s| crate::shop::weight(s.customer, discounted(s.price, s.discount))).sum()
}

/// What others do not see.
pub mod inner {
    /// Of the same name as another one.
    #[joined::welded(crate = joined, opaque)]
    pub const fn weight(customer: i64) -> i64 {
        customer * 10
    }

    /// For this crate only.
    #[joined::welded(crate = joined)]
    pub(crate) fn doubled(x: f64) -> f64 {
        x + x
    }

    /// In terms of a function of this crate only.
    #[joined::welded(crate = joined)]
    pub fn quadrupled(x: f64) -> f64 {
        self::doubled(crate::shop::inner::doubled(x))
    }
}

/// As many calls of the one before as there can be: the tokens of each are told once.
macro_rules! chain {
    ($first:ident $($name:ident)*) => { chain!(@ $first; $($name)*); };
    (@ $before:ident; $name:ident $($rest:ident)*) => {
        /// Twice the one before.
        #[welded(crate = joined, kernels)]
        pub fn $name(x: i64) -> i64 { $before(x) + $before(x + 1) }
        chain!(@ $name; $($rest)*);
    };
    (@ $before:ident;) => {};
}

/// Itself.
#[welded(crate = joined)]
pub fn twice0(x: i64) -> i64 {
    x
}

chain!(twice0 twice1 twice2 twice3 twice4 twice5 twice6 twice7 twice8 twice9 twice10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_functions_of_rust() {
        assert_eq!((discounted(10.0, 0.5), charged(10.0, 0.5, 1.0)), (5.0, 10.0));
        assert_eq!((norm(&[3.0, 4.0]), norm(&[3.0f32, 4.0])), (5.0, 5.0));
        assert_eq!((inner::doubled(1.5), inner::quadrupled(1.5)), (3.0, 6.0));
        assert_eq!(mean_of(3.0, 2.0), Mean { sum: 3.0, count: 2.0 });
        assert!(is_shipped(3, 3) && !is_shipped(4, 3));
        assert_eq!((weight(3, 4.0), inner::weight(4)), (2.0, 40));
        assert_eq!(changes(&[1.0, 3.0, 2.0]), [2.0, -1.0]);
    }

    #[test]
    #[should_panic(expected = "division by zero: 7 / 0")]
    fn a_fault_is_a_panic() {
        each(7, 0);
    }
}
