//! Prices of European options after Black and Scholes: a library of functions of the language, for the programs of other crates.
//!
//! What is `#[welded]` here is a function of Rust, and in a program of `weld!`, in whatever crate, it is compiled as if its body
//! stood there. So it fuses with the loop that calls it, and what that does not read of a result is not computed:
//!
//! ```
//! use weldment::weld;
//! use weldment_pricing::{Contract, Kind, Quote, greeks};
//!
//! let worth = weld!(
//!     #[expect(loops = 1, materialized = 0)]
//!     |contracts: &[Contract], quote: Quote| contracts.map(|c| greeks(c, quote).value).sum()
//! );
//! let (contract, quote) = (Contract { kind: Kind::Call, strike: 100.0, years: 1.0 }, Quote { price: 100.0, volatility: 0.2 });
//! assert_eq!(worth(&[contract], quote), greeks(contract, quote).value);
//! ```
//!
//! F. Black, M. Scholes: The Pricing of Options and Corporate Liabilities. Journal of Political Economy 81 (1973).

mod black_scholes;
mod normal;
mod types;

pub use black_scholes::{RATE, fallen, greeks, scaled};
pub use normal::{below, density};
pub use types::{Contract, Greeks, Kind, Quote};
