//! What the functions take and give. Each is a struct or an enum of Rust, and by `derive(Weld)` one of the language.

use weldment::Weld;

/// What the holder of an option may do.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[repr(u8)]
pub enum Kind {
    /// Buy.
    Call,
    /// Sell.
    Put,
}

/// An option: what may be done at the end of its life, and not before.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub struct Contract {
    /// Whether to buy or to sell.
    pub kind: Kind,
    /// At which price.
    pub strike: f64,
    /// In how many years.
    pub years: f64,
}

/// What the market says of a share.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub struct Quote {
    /// For one.
    pub price: f64,
    /// The standard deviation of the logarithm of the price after a year.
    pub volatility: f64,
}

/// What an option is worth, and how that changes. Of several options they are added, field by field.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub struct Greeks {
    /// What it is worth.
    pub value: f64,
    /// By how much the value changes with the price of the share.
    pub delta: f64,
    /// By how much delta does.
    pub gamma: f64,
    /// By how much the value changes with the volatility.
    pub vega: f64,
}
