//! A portfolio, always the same one.

use weldment_pricing::{Contract, Kind, Quote};

use crate::kernel::Position;

/// How many shares there are options on, and how many books they are in.
const SHARES: u32 = 2000;
const BOOKS: u32 = 12;

/// Random numbers by xorshift.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// So many positions. Strikes are around the prices, lives up to two years.
pub(crate) fn of(count: usize) -> Vec<Position> {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let quotes: Vec<Quote> = (0..SHARES)
        .map(|_| Quote { price: random.between(5.0, 500.0), volatility: random.between(0.1, 0.6) })
        .collect();
    let mut position = |_| {
        let quote = quotes[random.below(SHARES) as usize];
        let contract = Contract {
            kind: if random.below(2) == 0 { Kind::Call } else { Kind::Put },
            strike: quote.price * random.between(0.7, 1.3),
            years: random.between(0.05, 2.0),
        };
        let quantity = f64::from(random.below(400)) - 150.0;
        Position { book: random.below(BOOKS) as u8, contract, quote, quantity }
    };
    (0..count).map(&mut position).collect()
}
