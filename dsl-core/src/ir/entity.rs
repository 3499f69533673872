//! The newtype ids of the IR, and the arenas they index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id: a small number that names an item of an [`Arena`].
pub trait Entity: Copy + Eq {
    /// The id of the item at `index`.
    fn from_index(index: usize) -> Self;
    /// The index of the item.
    fn index(self) -> usize;
}

/// Defines a newtype id that prints with a prefix.
#[doc(hidden)]
#[macro_export]
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $crate::ir::Entity for $name {
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 entities"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

entity! {
    /// A value: bound once, by a parameter or a statement. Prints as `v7`.
    Value, "v"
}
entity! {
    /// A body: parameters, statements and results. Prints as `b7`.
    BodyId, "b"
}
entity! {
    /// A sink of a loop: where its body merges to. Unique in the program; prints as `#7`.
    Sink, "#"
}
entity! {
    /// A place in the source, opaque here: the front end's table tells line and column. Prints as `@7`.
    Loc, "@"
}

impl Loc {
    /// No place: what a pass invented out of nothing.
    pub const NONE: Loc = Loc(u32::MAX);
}

/// Items named by ids of type `K`. Nothing is ever removed, so an id stays good.
#[derive(Clone, PartialEq)]
pub struct Arena<K, T> {
    items: Vec<T>,
    key: PhantomData<K>,
}

impl<K: Entity, T> Arena<K, T> {
    /// An arena without items.
    pub fn new() -> Self {
        Arena { items: Vec::new(), key: PhantomData }
    }

    /// Adds `item` and gives its id.
    pub fn push(&mut self, item: T) -> K {
        self.items.push(item);
        K::from_index(self.items.len() - 1)
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item with this id, if there is one.
    pub fn get(&self, id: K) -> Option<&T> {
        self.items.get(id.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = K> + use<K, T> {
        (0..self.items.len()).map(K::from_index)
    }
}

impl<K: Entity, T> Default for Arena<K, T> {
    fn default() -> Self {
        Arena::new()
    }
}

impl<K: Entity, T> Index<K> for Arena<K, T> {
    type Output = T;
    fn index(&self, id: K) -> &T {
        &self.items[id.index()]
    }
}

impl<K: Entity, T> IndexMut<K> for Arena<K, T> {
    fn index_mut(&mut self, id: K) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<K: Entity + fmt::Debug, T: fmt::Debug> fmt::Debug for Arena<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.items.iter().enumerate().map(|(i, item)| (K::from_index(i), item)))
            .finish()
    }
}
