//! What vectors are taken apart into, and what options are put together of.

/// The elements of a vector, in memory of the global allocator.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The first element; aligned and not null.
    pub elements: *mut u8,
    /// How many are there.
    pub len: usize,
    /// For how many there is room: the memory was asked for with this many times the element's size, and its
    /// alignment; 0 if there is no memory.
    pub capacity: usize,
}

/// Where a `Vec` has its parts, in bytes from its start. Rust promises that it is a pointer, a capacity and a length, but not
/// in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Of the address of the first element, which is aligned and not null, even of none.
    pub elements: usize,
    /// Of the number of elements.
    pub len: usize,
}

/// What writes a value to the place that it is given.
pub type Write<'w> = &'w mut dyn FnMut(*mut u8);

/// Where the parts of an option lie that is a pair: first a byte that says whether there is a value, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// How many bytes behind it the value lies.
    pub value: usize,
    /// How many bytes from one pair to the next.
    pub size: usize,
}
