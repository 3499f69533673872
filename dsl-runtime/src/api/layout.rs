//! How the values of Rust types lie in memory: what lets compiled programs read arguments in place, and hand over
//! results without a copy.
//!
//! This file may use `unsafe` because it takes vectors apart and puts them together through addresses. What makes
//! it sound: a [`Layout`] can be made in this crate only, where each describes the type that carries it.

#![expect(unsafe_code, reason = "vectors are taken apart and put together without their types")]

mod parts;
mod typed;

use std::borrow::Cow;
use std::ops::Deref;
use std::ptr::NonNull;

pub use self::parts::{Block, Header, Pair, Write};
pub(crate) use self::typed::pair_of;
use self::typed::{
    boxed_parts, boxed_text_parts, copy_options, cow_parts, dict_parts, make_cow, make_dict, make_option,
    make_text, make_vec, option_value, slice_header, slice_parts, str_header, str_parts, take_cow, take_dict,
    take_text, take_vec, text_header, text_parts, vec_header, vec_parts,
};
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::types::Scalar;
use crate::store::dict::Dict;

/// How the values of a type lie in memory.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    size: usize,
    align: usize,
    /// Of a struct, the fields up to the last that holds vectors or dictionaries: of an array, its elements.
    vector_fields: &'static [Field],
    shape: Shape,
}

/// What a value holds, and where.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A scalar; a bool is 0 or 1.
    Scalar(Scalar),
    /// Fields, in the order of the type, which need not be their order in memory.
    Struct(&'static [Field]),
    /// A `Vec`, or the bytes of a text.
    Vec(Vector),
    /// A [`Dict`].
    Dict(Dictionary),
    /// An `Option`.
    Option(Optional),
}

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    offset: usize,
    layout: &'static Layout,
}

/// How a `Vec` is taken apart and put together. Where its pointer and length lie is Rust's own.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    element: &'static Layout,
    parts: unsafe fn(*const u8) -> (*const u8, usize),
    header: fn() -> Option<Header>,
    make: unsafe fn(*mut u8, Block),
    take: unsafe fn(*mut u8) -> Block,
}

/// How a [`Dict`] is taken apart and put together.
#[derive(Clone, Copy, Debug)]
pub struct Dictionary {
    key: &'static Layout,
    value: &'static Layout,
    parts: unsafe fn(*const u8) -> ([*const u8; 2], usize),
    make: unsafe fn(*mut u8, [Block; 2]),
    take: unsafe fn(*mut u8) -> [Block; 2],
}

/// How an `Option` is taken apart and put together. How it says that there is no value is Rust's own.
#[derive(Clone, Copy, Debug)]
pub struct Optional {
    value: &'static Layout,
    pair: fn() -> Option<Pair>,
    get: unsafe fn(*const u8) -> Option<NonNull<u8>>,
    make: unsafe fn(*mut u8, Option<Write<'_>>),
    copy: unsafe fn(&Context, *const u8, usize, *mut u8, Pair),
}

impl Layout {
    pub(crate) const fn scalar<T>(scalar: Scalar) -> Layout {
        Layout::of::<T>(Shape::Scalar(scalar))
    }

    /// Of a struct `T` with these fields.
    pub(crate) const fn structure<T>(fields: &'static [Field]) -> Layout {
        Layout::of::<T>(Shape::Struct(fields))
    }

    /// Of a `Vec<T>`, where `element` is the layout of `T`.
    pub(crate) const fn vec<T>(element: &'static Layout) -> Layout {
        let vector = Vector {
            element,
            parts: vec_parts::<T>,
            header: vec_header::<T>,
            make: make_vec::<T>,
            take: take_vec::<T>,
        };
        Layout::of::<Vec<T>>(Shape::Vec(vector))
    }

    /// Of the bytes of a `String`, where `byte` is the layout of one.
    pub(crate) const fn text(byte: &'static Layout) -> Layout {
        let (parts, make, take) = (text_parts, make_text, take_text);
        Layout::of::<String>(Shape::Vec(Vector { element: byte, parts, header: text_header, make, take }))
    }

    /// Of the bytes of a `&str`, which is read and never made.
    pub(crate) const fn slice_of_text(byte: &'static Layout) -> Layout {
        Layout::of::<&str>(Shape::Vec(Vector::lent(byte, str_parts, str_header)))
    }

    /// Of a `&[T]`, which is read and never made, where `element` is the layout of `T`.
    pub(crate) const fn slice<T>(element: &'static Layout) -> Layout {
        Layout::of::<&[T]>(Shape::Vec(Vector::lent(element, slice_parts::<T>, slice_header::<T>)))
    }

    /// Of a box of a slice, `Arc<[T]>`, which is read and never made, where `element` is the layout of `T`.
    pub(crate) const fn boxed_slice<B: Deref<Target = [T]>, T>(element: &'static Layout) -> Layout {
        Layout::of::<B>(Shape::Vec(Vector::lent(element, boxed_parts::<B, T>, || None)))
    }

    /// Of the bytes of a box of a text, `Arc<str>`, which is read and never made.
    pub(crate) const fn boxed_text<B: Deref<Target = str>>(byte: &'static Layout) -> Layout {
        Layout::of::<B>(Shape::Vec(Vector::lent(byte, boxed_text_parts::<B>, || None)))
    }

    /// Of a `Cow<'_, [T]>`, where `element` is the layout of `T`. Its header is not to be found: it may own its elements, or not.
    pub(crate) const fn cow<T: Clone>(element: &'static Layout) -> Layout {
        let (parts, make, take) = (cow_parts::<T>, make_cow::<T>, take_cow::<T>);
        Layout::of::<Cow<'_, [T]>>(Shape::Vec(Vector { element, parts, header: || None, make, take }))
    }

    /// Of a `Dict<K, V>`, where these are the layouts of `K` and `V`.
    pub(crate) const fn dict<K: Key, V>(key: &'static Layout, value: &'static Layout) -> Layout {
        let (parts, make, take) = (dict_parts::<K, V>, make_dict::<K, V>, take_dict::<K, V>);
        let dict = Dictionary { key, value, parts, make, take };
        Layout::of::<Dict<K, V>>(Shape::Dict(dict))
    }

    /// Of an `Option<T>`, where `value` is the layout of `T`, and `pair` gives what [`pair_of`] says of one.
    pub(crate) const fn option<T>(value: &'static Layout, pair: fn() -> Option<Pair>) -> Layout {
        let (get, make, copy) = (option_value::<T>, make_option::<T>, copy_options::<T>);
        let option = Optional { value, pair, get, make, copy };
        Layout::of::<Option<T>>(Shape::Option(option))
    }

    const fn of<T>(shape: Shape) -> Layout {
        let vector_fields = match shape {
            Shape::Struct(fields) => up_to_vectors(fields),
            _ => &[],
        };
        Layout { size: size_of::<T>(), align: align_of::<T>(), vector_fields, shape }
    }

    /// In bytes, from one element of a slice to the next.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// In bytes.
    pub const fn align(&self) -> usize {
        self.align
    }

    /// What is inside.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether there are vectors or dictionaries inside.
    pub(crate) const fn holds_vectors(&self) -> bool {
        match self.shape {
            Shape::Scalar(_) => false,
            Shape::Struct(_) => !self.vector_fields.is_empty(),
            Shape::Vec(_) | Shape::Dict(_) => true,
            Shape::Option(option) => option.value.holds_vectors(),
        }
    }

    /// The fields in which there are vectors or dictionaries, if it is a struct.
    pub(crate) fn vector_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.vector_fields.iter().filter(|field| field.layout.holds_vectors())
    }
}

const fn up_to_vectors(fields: &'static [Field]) -> &'static [Field] {
    let mut rest = fields;
    while let [before @ .., last] = rest
        && !last.layout.holds_vectors()
    {
        rest = before;
    }
    rest
}

impl Field {
    /// At `offset` bytes from the start of the struct.
    ///
    /// A field alone says nothing of memory: [`Structure`](crate::api::structure::Structure), which is unsafe, says whose
    /// it is.
    pub const fn new(offset: usize, layout: &'static Layout) -> Field {
        Field { offset, layout }
    }

    /// In bytes from the start of the struct.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Of the field.
    pub const fn layout(&self) -> &'static Layout {
        self.layout
    }
}

impl Vector {
    /// Of what is borrowed.
    const fn lent(
        element: &'static Layout,
        parts: unsafe fn(*const u8) -> (*const u8, usize),
        header: fn() -> Option<Header>,
    ) -> Vector {
        /// # Safety
        /// Never called.
        unsafe fn make(_: *mut u8, _: Block) {
            unreachable!("a slice is an argument")
        }
        /// # Safety
        /// Never called.
        unsafe fn take(_: *mut u8) -> Block {
            unreachable!("a slice is an argument")
        }
        Vector { element, parts, header, make, take }
    }

    /// Of the elements.
    pub const fn element(&self) -> &'static Layout {
        self.element
    }

    /// Where the first element is, and how many there are.
    ///
    /// # Safety
    /// `vec` points to a `Vec` of this layout.
    pub unsafe fn parts(&self, vec: *const u8) -> (*const u8, usize) {
        // SAFETY: as the caller promises.
        unsafe { (self.parts)(vec) }
    }

    /// Where such a `Vec` has its parts, if one can be told from the other: all that have the same header can be read by
    /// code that does not know their types.
    pub fn header(&self) -> Option<Header> {
        (self.header)()
    }

    /// Writes the vector that owns `block` to `place`.
    ///
    /// # Safety
    /// There is room for a `Vec` of this layout, and the block holds elements of it.
    pub unsafe fn make(&self, place: *mut u8, block: Block) {
        // SAFETY: as the caller promises.
        unsafe { (self.make)(place, block) }
    }

    /// The memory of the vector at `place`, whose elements are dropped; it is left empty.
    ///
    /// # Safety
    /// `place` points to a `Vec` of this layout, that nobody else uses.
    pub(crate) unsafe fn take(&self, place: *mut u8) -> Block {
        // SAFETY: as the caller promises.
        unsafe { (self.take)(place) }
    }
}

impl Dictionary {
    /// Of the keys.
    pub const fn key(&self) -> &'static Layout {
        self.key
    }

    /// Of the values.
    pub const fn value(&self) -> &'static Layout {
        self.value
    }

    /// Where the first key and the first value are, and how many there are, in order of insertion.
    ///
    /// # Safety
    /// `dict` points to a `Dict` of this layout.
    pub unsafe fn parts(&self, dict: *const u8) -> ([*const u8; 2], usize) {
        // SAFETY: as the caller promises.
        unsafe { (self.parts)(dict) }
    }

    /// Writes the dictionary of these keys and values to `place`.
    ///
    /// # Safety
    /// There is room for a `Dict` of this layout, and the blocks hold as many keys, all different, as values.
    pub unsafe fn make(&self, place: *mut u8, blocks: [Block; 2]) {
        // SAFETY: as the caller promises.
        unsafe { (self.make)(place, blocks) }
    }

    /// The memory of keys and values of the dictionary at `place`, which are dropped; it is left empty.
    ///
    /// # Safety
    /// `place` points to a `Dict` of this layout, that nobody else uses.
    pub(crate) unsafe fn take(&self, place: *mut u8) -> [Block; 2] {
        // SAFETY: as the caller promises.
        unsafe { (self.take)(place) }
    }
}

impl Optional {
    /// Of the value.
    pub const fn value(&self) -> &'static Layout {
        self.value
    }

    /// Where options have their parts, if each is a pair.
    pub fn pair(&self) -> Option<Pair> {
        (self.pair)()
    }

    /// Where the value is, if there is one.
    ///
    /// # Safety
    /// `option` points to an `Option` of this layout.
    pub unsafe fn get(&self, option: *const u8) -> Option<NonNull<u8>> {
        // SAFETY: as the caller promises.
        unsafe { (self.get)(option) }
    }

    /// Writes to `place` the option of the value that `write` writes to the place that it is given, or `None`.
    ///
    /// # Safety
    /// There is room for an `Option` of this layout, and `write` writes a value of [`Optional::value`].
    pub unsafe fn make(&self, place: *mut u8, write: Option<Write<'_>>) {
        // SAFETY: as the caller promises.
        unsafe { (self.make)(place, write) }
    }

    /// Writes so many options to `pairs`, on the threads of the run, each as a pair of whether there is a value and the value, which is
    /// all zeros where there is none.
    ///
    /// # Safety
    /// `options` points to so many `Option`s of this layout, whose values threads may share; there is room for as many pairs, and the
    /// pairs do not own what values hold.
    pub unsafe fn copy(&self, cx: &Context, options: *const u8, count: usize, pairs: *mut u8, pair: Pair) {
        // SAFETY: as the caller promises.
        unsafe { (self.copy)(cx, options, count, pairs, pair) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::element::Element;
    use crate::exec::options::Options;

    #[test]
    fn layouts_say_where_each_field_lies() {
        type Row = (u8, f64, (bool, i32), Vec<u16>);
        let row: Row = (1, 2.0, (true, 4), vec![5, 6]);
        let Shape::Struct(fields) = Row::LAYOUT.shape() else { panic!("a struct") };
        let base = &raw const row as usize;
        let places = [
            &raw const row.0 as usize,
            &raw const row.1 as usize,
            &raw const row.2 as usize,
            &raw const row.3 as usize,
        ];
        assert_eq!(fields.iter().map(|field| base + field.offset()).collect::<Vec<_>>(), places);
        assert_eq!((Row::LAYOUT.size(), Row::LAYOUT.align()), (size_of::<Row>(), align_of::<Row>()));
        let Shape::Vec(vector) = fields[3].layout().shape() else { panic!("a vector") };
        // SAFETY: the address is that of a vector of this layout.
        let (elements, len) = unsafe { vector.parts((&raw const row.3).cast()) };
        assert_eq!((elements, len), (row.3.as_ptr().cast(), 2));
    }

    #[test]
    fn vectors_are_read_by_their_header() {
        fn check<T: Element + Copy>(some: T) {
            let Shape::Vec(vector) = Vec::<T>::LAYOUT.shape() else { panic!("a vector") };
            let Some(Header { elements, len }) = vector.header() else {
                return assert_eq!(size_of::<T>(), 0);
            };
            for number in [0, 1, 5] {
                let vec = vec![some; number];
                let place = &raw const vec;
                // SAFETY: a vector has these words, in whatever order.
                let found = unsafe { [elements, len].map(|at| place.byte_add(at).cast::<usize>().read()) };
                assert_eq!(found, [vec.as_ptr().addr(), number]);
            }
        }
        check(1u8);
        check((1u8, 0.5));
        check(true);
        check(());
    }

    #[test]
    fn options_are_taken_apart_and_put_together() {
        let Shape::Option(layout) = <Option<Vec<u8>>>::LAYOUT.shape() else { panic!("an option") };
        let mut option = Some(vec![1u8, 2]);
        // SAFETY: the address is that of an option of this layout, and what is written is its value.
        unsafe {
            let value = layout.get((&raw const option).cast()).expect("there is a value");
            assert_eq!(value.as_ptr().cast_const(), (&raw const *option.as_ref().unwrap()).cast());
            drop(option.take());
            assert_eq!(layout.get((&raw const option).cast()), None);
            let mut write = |place: *mut u8| place.cast::<Vec<u8>>().write(vec![3]);
            layout.make((&raw mut option).cast(), Some(&mut write));
            assert_eq!(option, Some(vec![3]));
        }
    }

    #[test]
    fn options_with_a_byte_of_their_own_are_pairs() {
        fn is_pair<T: Element>(value: T) {
            let Shape::Option(layout) = <Option<T>>::LAYOUT.shape() else { panic!("an option") };
            let pair = layout.pair().expect("it has a byte of its own");
            for (option, first) in [None, Some(value)].iter().zip([0, 1]) {
                let start: *const u8 = std::ptr::from_ref(option).cast();
                // SAFETY: this is an option of this layout, whose first byte says whether there is a value.
                let (byte, value) = unsafe { (start.read(), layout.get(start)) };
                assert_eq!(byte, first);
                assert!(
                    value.is_none_or(|value| value.as_ptr().cast_const() == start.wrapping_add(pair.value))
                );
            }
            assert_eq!(pair.size, size_of::<Option<T>>());
        }
        is_pair(2.5);
        is_pair(7u8);
        is_pair((3u8, 1.5));
        is_pair(i128::MIN);
        fn is_no_pair<T: Element>() {
            let Shape::Option(layout) = <Option<T>>::LAYOUT.shape() else { panic!("an option") };
            assert!(layout.pair().is_none());
        }
        is_no_pair::<bool>();
        is_no_pair::<Option<i64>>();
        is_no_pair::<Vec<u8>>();
    }

    #[test]
    fn options_are_copied_to_pairs() {
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct There<T>(u8, T);
        fn check<T: Element + Copy + PartialEq>(some: T, zero: T) {
            let Shape::Option(layout) = <Option<T>>::LAYOUT.shape() else { panic!("an option") };
            let cx = Context::new(&Options::new().threads(3));
            // A few, and so many that threads share them.
            for times in [1, if cfg!(miri) { 50 } else { 10_000 }] {
                let options = [Some(some), None, Some(zero), Some(some)].repeat(times);
                let mut pairs = vec![There(7, some); options.len()];
                let pair = Pair { value: std::mem::offset_of!(There<T>, 1), size: size_of::<There<T>>() };
                // SAFETY: these are options of this layout, and there is room for as many such pairs.
                unsafe {
                    layout.copy(&cx, options.as_ptr().cast(), options.len(), pairs.as_mut_ptr().cast(), pair)
                };
                let expected = [There(1, some), There(0, zero), There(1, zero), There(1, some)].repeat(times);
                assert!(pairs == expected, "{times} times");
            }
        }
        check(2.5, 0.0);
        check(7u8, 0);
        check(true, false);
        check((3u8, 1.5), (0, 0.0));
    }

    #[test]
    fn dictionaries_are_put_together_from_their_columns() {
        let Shape::Dict(layout) = <Dict<i64, Vec<u8>>>::LAYOUT.shape() else { panic!("a dictionary") };
        let block = |elements: *mut u8| Block { elements, len: 2, capacity: 2 };
        let keys = Box::leak(vec![7i64, 3].into_boxed_slice()).as_mut_ptr();
        let values = Box::leak(vec![vec![1u8], vec![]].into_boxed_slice()).as_mut_ptr();
        let mut dict = Dict::<i64, Vec<u8>>::new();
        // SAFETY: there is room for a dictionary, and both blocks hold what it is to hold.
        unsafe { layout.make((&raw mut dict).cast(), [block(keys.cast()), block(values.cast())]) };
        assert_eq!(dict, [(7, vec![1]), (3, vec![])].into_iter().collect());
        // SAFETY: the address is that of a dictionary of this layout.
        let (places, len) = unsafe { layout.parts((&raw const dict).cast()) };
        assert_eq!((places[0], len), (dict.keys().as_ptr().cast(), 2));
    }
}
