//! What a [`Layout`](super::Layout) refers to: vectors and dictionaries of types that are known here, and not where they are used.
//!
//! This file may use `unsafe` because it takes addresses for those of its types. What makes it sound: each function stands in
//! layouts of its own types only, and who calls it by a layout promises that the address is that of such a value.

#![expect(unsafe_code, reason = "vectors are taken apart and put together without their types")]

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::{Deref, Range};
use std::ptr::{self, NonNull};

use super::parts::{Block, Header, Pair, Write};
use crate::exec::context::Context;
use crate::exec::parallel_copy::parallel_copy;
use crate::key::hash::Key;
use crate::lang::text;
use crate::store::dict::Dict;

/// # Safety
/// `vec` points to a `Vec<T>`.
pub(super) unsafe fn vec_parts<T>(vec: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let vec = unsafe { &*vec.cast::<Vec<T>>() };
    (vec.as_ptr().cast(), vec.len())
}

/// Found out from a vector.
pub(super) fn vec_header<T>() -> Option<Header> {
    if size_of::<T>() == 0 {
        return None;
    }
    let vec = Vec::<T>::with_capacity(1);
    header_of(&vec, vec.as_ptr().addr(), vec.len())
}

/// Found out from a text.
pub(super) fn text_header() -> Option<Header> {
    let text = String::with_capacity(1);
    header_of(&text, text.as_ptr().addr(), text.len())
}

/// Found out from a text of which nothing is owned.
pub(super) fn str_header() -> Option<Header> {
    let text = "one";
    lent_header(&text, text.as_ptr().addr(), text.len())
}

/// Found out from an empty slice, whose place is not 0 as its length is.
pub(super) fn slice_header<T>() -> Option<Header> {
    let slice: &[T] = &[];
    lent_header(&slice, slice.as_ptr().addr(), slice.len())
}

/// Of a reference to elements, where these and this length are.
fn lent_header<T: Copy>(lent: &T, elements: usize, len: usize) -> Option<Header> {
    if size_of::<T>() != size_of::<[usize; 2]>() {
        return None;
    }
    // SAFETY: a reference to a slice or a text is a pointer and a length, which are two words, both initialised.
    let words = unsafe { ptr::from_ref(lent).cast::<[usize; 2]>().read() };
    header_in(&words, elements, len)
}

/// Of a vector or text `owner`, whose three words are all different: where these elements and this length are.
fn header_of<T>(owner: &T, elements: usize, len: usize) -> Option<Header> {
    if size_of::<T>() != size_of::<[usize; 3]>() {
        return None;
    }
    // SAFETY: a `Vec` is a pointer, a capacity and a length, and a `String` is one, so three words are these, all initialised.
    let words = unsafe { ptr::from_ref(owner).cast::<[usize; 3]>().read() };
    header_in(&words, elements, len)
}

fn header_in(words: &[usize], elements: usize, len: usize) -> Option<Header> {
    let only = |word: usize| {
        let mut places = (0..words.len()).filter(|&place| words[place] == word);
        places.next().filter(|_| places.next().is_none()).map(|place| place * size_of::<usize>())
    };
    Some(Header { elements: only(elements)?, len: only(len)? })
}

/// # Safety
/// `text` points to a `String`.
pub(super) unsafe fn text_parts(text: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let text = unsafe { &*text.cast::<String>() };
    (text.as_ptr(), text.len())
}

/// # Safety
/// `text` points to a `&str`.
pub(super) unsafe fn str_parts(text: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let text = unsafe { *text.cast::<&str>() };
    (text.as_ptr(), text.len())
}

/// # Safety
/// `slice` points to a `&[T]`.
pub(super) unsafe fn slice_parts<T>(slice: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let slice = unsafe { *slice.cast::<&[T]>() };
    (slice.as_ptr().cast(), slice.len())
}

/// # Safety
/// `owner` points to a `B`.
pub(super) unsafe fn boxed_parts<B: Deref<Target = [T]>, T>(owner: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let elements: &[T] = unsafe { &*owner.cast::<B>() };
    (elements.as_ptr().cast(), elements.len())
}

/// # Safety
/// `owner` points to a `B`.
pub(super) unsafe fn boxed_text_parts<B: Deref<Target = str>>(owner: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let text: &str = unsafe { &*owner.cast::<B>() };
    (text.as_ptr(), text.len())
}

/// # Safety
/// `cow` points to a `Cow<'_, [T]>`.
pub(super) unsafe fn cow_parts<T: Clone>(cow: *const u8) -> (*const u8, usize) {
    // SAFETY: as the caller promises.
    let elements: &[T] = unsafe { &*cow.cast::<Cow<'_, [T]>>() };
    (elements.as_ptr().cast(), elements.len())
}

/// # Safety
/// There is room for a `Cow<'_, [T]>` at `place`, and the block holds `T`s.
pub(super) unsafe fn make_cow<T: Clone>(place: *mut u8, block: Block) {
    // SAFETY: as the caller promises.
    unsafe { ptr::write(place.cast(), Cow::Owned::<[T]>(vec_of(block))) }
}

/// # Safety
/// `place` points to a `Cow<'_, [T]>`, that nobody else uses.
pub(super) unsafe fn take_cow<T: Clone>(place: *mut u8) -> Block {
    // SAFETY: as the caller promises.
    let cow = unsafe { &mut *place.cast::<Cow<'_, [T]>>() };
    match std::mem::take(cow) {
        Cow::Owned(elements) => memory_of(elements),
        Cow::Borrowed(_) => memory_of(Vec::<T>::new()),
    }
}

/// # Safety
/// There is room for a `String` at `place`, and the block holds bytes.
pub(super) unsafe fn make_text(place: *mut u8, block: Block) {
    // SAFETY: as the caller promises.
    unsafe { ptr::write(place.cast(), text::of_bytes(vec_of(block))) }
}

/// # Safety
/// `place` points to a `String`, that nobody else uses.
pub(super) unsafe fn take_text(place: *mut u8) -> Block {
    // SAFETY: as the caller promises.
    memory_of(std::mem::take(unsafe { &mut *place.cast::<String>() }).into_bytes())
}

/// # Safety
/// The block holds `T`s.
unsafe fn vec_of<T>(block: Block) -> Vec<T> {
    // SAFETY: as the caller promises, the memory is the global allocator's and was asked for as a `Vec` asks for it.
    unsafe { Vec::from_raw_parts(block.elements.cast(), block.len, block.capacity) }
}

/// # Safety
/// There is room for a `Vec<T>` at `place`, and the block holds `T`s.
pub(super) unsafe fn make_vec<T>(place: *mut u8, block: Block) {
    // SAFETY: as the caller promises.
    unsafe { ptr::write(place.cast(), vec_of::<T>(block)) }
}

/// # Safety
/// `dict` points to a `Dict<K, V>`.
pub(super) unsafe fn dict_parts<K, V>(dict: *const u8) -> ([*const u8; 2], usize) {
    // SAFETY: as the caller promises.
    let dict = unsafe { &*dict.cast::<Dict<K, V>>() };
    // Of the vectors, not of slices of them, through which nobody may write.
    ([dict.keys.as_ptr().cast(), dict.values.as_ptr().cast()], dict.len())
}

/// # Safety
/// There is room for a `Dict<K, V>` at `place`, and the blocks hold `K`s and as many `V`s.
pub(super) unsafe fn make_dict<K: Key, V>(place: *mut u8, [keys, values]: [Block; 2]) {
    // SAFETY: as the caller promises.
    unsafe { ptr::write(place.cast(), Dict::from_columns(vec_of::<K>(keys), vec_of::<V>(values))) }
}

/// # Safety
/// `option` points to an `Option<T>`.
pub(super) unsafe fn option_value<T>(option: *const u8) -> Option<NonNull<u8>> {
    // SAFETY: as the caller promises.
    let option = unsafe { &*option.cast::<Option<T>>() };
    option.as_ref().map(|value| NonNull::from(value).cast())
}

/// Where an `Option<T>` has its parts, if it is a pair; found out from one of `value` and from `None`. One that takes no more room than a `T` has
/// no byte of its own that says whether there is a value.
pub(crate) fn pair_of<T>(value: T) -> Option<Pair> {
    let size = size_of::<Option<T>>();
    if size == size_of::<T>() {
        return None;
    }
    let (some, none) = (Some(value), None);
    let value = ptr::from_ref(some.as_ref()?).addr() - ptr::from_ref(&some).addr();
    if value == 0 {
        return None;
    }
    // SAFETY: the tag is outside of the value, so in front of it, where rustc lays it at the start. Of a byte of padding Miri would tell.
    let first = |option: &Option<T>| unsafe { ptr::from_ref(option).cast::<u8>().read() };
    ((first(&some), first(&none)) == (1, 0)).then_some(Pair { value, size })
}

/// How many options a thread copies at a time.
const CHUNK: usize = if cfg!(miri) { 1 << 6 } else { 1 << 14 };

/// On the threads of the run.
///
/// # Safety
/// `options` points to as many `Option<T>`, which threads may share, and there is room for the pairs, in which there is for a `T` at
/// `value`.
pub(super) unsafe fn copy_options<T>(
    cx: &Context,
    options: *const u8,
    count: usize,
    pairs: *mut u8,
    pair: Pair,
) {
    parallel_copy(cx, count, CHUNK, options.cast::<Option<T>>(), pairs, |numbers, options, pairs| {
        // SAFETY: as the caller promises; each number is given to one thread.
        unsafe { copy_some(options, numbers, pairs, pair) }
    });
}

/// The options of these numbers, without a branch for each, since nobody foretells which are missing.
///
/// # Safety
/// There are an `Option<T>` and room for a pair of each number, with room for a `T` at `value`.
unsafe fn copy_some<T>(options: *const Option<T>, numbers: Range<usize>, pairs: *mut u8, pair: Pair) {
    // SAFETY: as the caller promises. A `T` is copied as bytes: who reads the pairs does not own it.
    unsafe {
        for number in numbers {
            let option = &*options.add(number);
            let value = match option {
                Some(value) => ptr::from_ref(value).cast::<MaybeUninit<T>>().read(),
                None => MaybeUninit::zeroed(),
            };
            let to = pairs.add(number * pair.size);
            to.write(u8::from(option.is_some()));
            to.add(pair.value).cast::<MaybeUninit<T>>().write_unaligned(value);
        }
    }
}

/// # Safety
/// There is room for an `Option<T>` at `place`, and `write` writes a `T`.
pub(super) unsafe fn make_option<T>(place: *mut u8, write: Option<Write<'_>>) {
    let made = write.map(|write| {
        let mut value = MaybeUninit::<T>::uninit();
        write(value.as_mut_ptr().cast());
        // SAFETY: as the caller promises.
        unsafe { value.assume_init() }
    });
    // SAFETY: as the caller promises.
    unsafe { ptr::write(place.cast(), made) }
}

/// # Safety
/// `place` points to a `Vec<T>`, that nobody else uses.
pub(super) unsafe fn take_vec<T>(place: *mut u8) -> Block {
    // SAFETY: as the caller promises.
    memory_of(std::mem::take(unsafe { &mut *place.cast::<Vec<T>>() }))
}

/// # Safety
/// `place` points to a `Dict<K, V>`, that nobody else uses.
pub(super) unsafe fn take_dict<K: Key, V>(place: *mut u8) -> [Block; 2] {
    // SAFETY: as the caller promises.
    let dict = std::mem::take(unsafe { &mut *place.cast::<Dict<K, V>>() });
    let (keys, values) = dict.into_columns();
    [memory_of(keys), memory_of(values)]
}

/// The memory of `vec`, which the caller owns, without its elements.
fn memory_of<T>(mut vec: Vec<T>) -> Block {
    vec.clear();
    let mut vec = std::mem::ManuallyDrop::new(vec);
    let capacity = if size_of::<T>() == 0 { 0 } else { vec.capacity() };
    Block { elements: vec.as_mut_ptr().cast(), len: 0, capacity }
}
