//! The formula of Black and Scholes, with its derivatives.

use weldment::welded;

use crate::normal::{below, density};
use crate::types::{Contract, Greeks, Kind, Quote};

/// The rate of interest without risk, a year.
#[welded]
pub const RATE: f64 = 0.03;

/// What an option is worth, and how that changes.
#[welded]
pub fn greeks(contract: Contract, quote: Quote) -> Greeks {
    let Contract { kind, strike, years } = contract;
    let Quote { price, volatility } = quote;
    let root = years.sqrt();
    let spread = volatility * root;
    let near = (log(price / strike) + (RATE + 0.5 * volatility * volatility) * years) / spread;
    let (is_above, discounted) = (below(near), strike * exp(-RATE * years));
    let call = price * is_above - discounted * below(near - spread);
    let (value, delta) = match kind {
        Kind::Call => (call, is_above),
        Kind::Put => (call + discounted - price, is_above - 1.0),
    };
    let height = density(near);
    Greeks { value, delta, gamma: height / (price * spread), vega: price * height * root }
}

/// Those of so many options of a kind.
#[welded]
pub fn scaled(greeks: Greeks, quantity: f64) -> Greeks {
    Greeks {
        value: greeks.value * quantity,
        delta: greeks.delta * quantity,
        gamma: greeks.gamma * quantity,
        vega: greeks.vega * quantity,
    }
}

/// The share after its price has fallen by a part of it.
#[welded]
pub fn fallen(quote: Quote, part: f64) -> Quote {
    Quote { price: quote.price * (1.0 - part), ..quote }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTE: Quote = Quote { price: 42.0, volatility: 0.2 };

    fn option(kind: Kind) -> Contract {
        Contract { kind, strike: 40.0, years: 0.5 }
    }

    #[test]
    fn a_call_without_a_put_is_the_share_without_the_strike() {
        let (call, put) = (greeks(option(Kind::Call), QUOTE), greeks(option(Kind::Put), QUOTE));
        let forward = 42.0 - 40.0 * (-RATE * 0.5).exp();
        assert!((call.value - put.value - forward).abs() < 1e-12);
        assert!((call.delta - put.delta - 1.0).abs() < 1e-12);
        assert_eq!((call.gamma, call.vega), (put.gamma, put.vega));
    }

    #[test]
    fn the_greeks_are_derivatives() {
        let of = |price: f64, volatility: f64| greeks(option(Kind::Put), Quote { price, volatility });
        let (here, by) = (of(42.0, 0.2), 1e-4);
        let slope = |up: f64, down: f64| (up - down) / (2.0 * by);
        let (up, down) = (of(42.0 + by, 0.2), of(42.0 - by, 0.2));
        assert!((slope(up.value, down.value) - here.delta).abs() < 1e-6);
        assert!((slope(up.delta, down.delta) - here.gamma).abs() < 1e-6);
        assert!((slope(of(42.0, 0.2 + by).value, of(42.0, 0.2 - by).value) - here.vega).abs() < 1e-4);
    }

    #[test]
    fn parts_fall_and_numbers_multiply() {
        assert_eq!(fallen(QUOTE, 0.5), Quote { price: 21.0, volatility: 0.2 });
        let one = greeks(option(Kind::Call), QUOTE);
        assert_eq!(scaled(one, 2.0).vega, 2.0 * one.vega);
    }
}
