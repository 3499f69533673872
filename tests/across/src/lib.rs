//! Structs that derive `Weld`, and functions that are `#[welded]`, where the facade goes by another name, for the programs of another crate: those of the
//! tests beside it.

use joined::Weld;

/// A struct at the root.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[weld(crate = joined)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// A struct of any type.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[weld(crate = ::joined)]
pub struct Pair<T>(pub T, pub T);

/// A struct whose fields others do not see.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[weld(crate = joined)]
pub struct Account {
    /// Whose it is.
    pub id: i64,
    balance: f64,
}

impl Account {
    /// The account `id`, with so much in it.
    pub fn new(id: i64, balance: f64) -> Account {
        Account { id, balance }
    }
}

/// The facade, for the macros here.
#[doc(hidden)]
pub use joined;

/// How far from the origin the points are, together.
#[macro_export]
macro_rules! distances {
    ($points:expr) => {
        $crate::joined::weld!(|p: &[$crate::Point]| p.map(|p| hypot(p.x, p.y)).sum())($points)
    };
}

/// What is to be paid for the sales, together.
#[macro_export]
macro_rules! paid {
    ($sales:expr) => {
        $crate::joined::weld!(|s: &[$crate::shop::Sale]| s
            .map(|s| $crate::shop::discounted(s.price, s.discount))
            .sum())($sales)
    };
}

/// Structs in a module.
pub mod shapes {
    /// Holds a struct of the root.
    #[derive(Clone, Debug, PartialEq, joined::Weld)]
    #[weld(crate = joined)]
    pub struct Path {
        /// From one to the next.
        pub points: Vec<super::Point>,
        /// Where it begins and ends.
        pub ends: super::Pair<super::Point>,
        /// Only this crate knows it.
        pub(crate) length: f64,
    }

    impl Path {
        /// The path along `points`; there is at least one.
        pub fn new(points: Vec<super::Point>) -> Path {
            let ends = super::Pair(points[0], points[points.len() - 1]);
            let length = points.len() as f64;
            Path { points, ends, length }
        }

        /// How many points there are.
        pub fn length(&self) -> f64 {
            self.length
        }
    }
}

pub mod shop;

/// What users import together.
pub mod prelude {
    pub use crate::Point as Location;
    pub use crate::shapes::*;
}
