//! How values lie in the memory of compiled programs.
//!
//! A scalar is itself (a bool is a byte, 0 or 1). A struct is its fields in order, each at the next offset that
//! its alignment allows, as C lays it out. Of an option of scalars that has no value, what stands behind its first byte means
//! nothing, and is read as zeros. A vector is as large as a `Vec` of Rust and has the address of its elements, one
//! next to the other, and their number where that has them: vectors of vectors are read in place. Its third word means
//! nothing. A dictionary is a pointer to a [`Table`](super::runtime::table::Table).
//!
//! In registers a value is its *leaves*: what is left when structs are taken apart, in order.

use std::sync::LazyLock;

use weldment_runtime::api::element::Element;
use weldment_runtime::api::layout::{Header, Shape};
use weldment_runtime::lang::types::{Scalar, Type};

/// The size and alignment of a type in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// In bytes, a multiple of the alignment.
    pub(crate) size: u64,
    /// In bytes.
    pub(crate) align: u64,
}

/// A part of a value that fits a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// What it is.
    pub(crate) kind: LeafKind,
    /// Where it stands in the value, in bytes.
    pub(crate) offset: u64,
}

/// What a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafKind {
    /// A scalar.
    Scalar(Scalar),
    /// Where the elements of a vector are.
    Elements,
    /// How many elements a vector has.
    Length,
    /// Where a dictionary is.
    Dict,
}

const WORD: u64 = 8;

/// Where a vector has its parts. It does not change while the process runs, and may differ between two that were built apart.
pub(crate) fn header() -> Header {
    static HEADER: LazyLock<Header> = LazyLock::new(|| {
        let found = match Vec::<u8>::LAYOUT.shape() {
            Shape::Vec(vector) => vector.header(),
            _ => None,
        };
        found.unwrap_or(Header { elements: 0, len: WORD as usize })
    });
    *HEADER
}

impl Layout {
    /// The layout of `ty`.
    pub(crate) fn of(ty: &Type) -> Layout {
        let layout = ty.layout(|ty| match ty {
            Type::Vec(_) => std::alloc::Layout::new::<Vec<u8>>(),
            _ => std::alloc::Layout::new::<*const u8>(),
        });
        Layout { size: layout.size() as u64, align: layout.align() as u64 }
    }
}

impl LeafKind {
    /// The type that LLVM knows for it in a register.
    pub(crate) fn register(self) -> &'static str {
        match self {
            LeafKind::Scalar(scalar) => register(scalar),
            LeafKind::Length => "i64",
            LeafKind::Elements | LeafKind::Dict => "ptr",
        }
    }

    /// The type that LLVM knows for it in memory.
    pub(crate) fn memory(self) -> &'static str {
        match self {
            LeafKind::Scalar(scalar) => memory(scalar),
            _ => self.register(),
        }
    }

    /// In bytes.
    pub(crate) fn size(self) -> u64 {
        match self {
            LeafKind::Scalar(scalar) => scalar.size() as u64,
            _ => WORD,
        }
    }

    /// How its places are aligned at least, in bytes. Captures, states of loops and rows of tables are arrays of words, where an i128 may
    /// stand at any of them.
    pub(crate) fn align(self) -> u64 {
        self.size().min(WORD)
    }
}

/// LLVM's type of a scalar in a register.
pub(crate) fn register(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "i1",
        _ => memory(scalar),
    }
}

/// LLVM's type of a scalar in memory.
pub(crate) fn memory(scalar: Scalar) -> &'static str {
    match (scalar.size(), scalar.is_float()) {
        (4, true) => "float",
        (_, true) => "double",
        (1, _) => "i8",
        (2, _) => "i16",
        (4, _) => "i32",
        (8, _) => "i64",
        _ => "i128",
    }
}

/// The leaves of `ty`, in order.
pub(crate) fn leaves(ty: &Type) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    collect(ty, 0, &mut leaves);
    leaves
}

/// The scalar that a value of `ty` is, or consists of alone, as a date does: values side by side are such scalars side by side.
pub(crate) fn alone(ty: &Type) -> Option<Scalar> {
    match ty.fields() {
        Some([field]) if ty.as_lent().is_none() => alone(field),
        _ => ty.as_scalar(),
    }
}

/// How many leaves `ty` has.
pub(crate) fn leaf_count(ty: &Type) -> usize {
    ty.sum(|ty| if ty.element().is_some() { 2 } else { 1 }) as usize
}

/// Where the fields of a struct stand, in bytes.
pub(crate) fn offsets(fields: &[Type]) -> impl Iterator<Item = u64> {
    let mut end = 0u64;
    fields.iter().map(move |field| {
        let layout = Layout::of(field);
        let offset = end.next_multiple_of(layout.align);
        end = offset + layout.size;
        offset
    })
}

fn collect(ty: &Type, offset: u64, leaves: &mut Vec<Leaf>) {
    match ty {
        Type::Scalar(scalar) => leaves.push(Leaf { kind: LeafKind::Scalar(*scalar), offset }),
        Type::Vec(_) => {
            let header = header();
            leaves.push(Leaf { kind: LeafKind::Elements, offset: offset + header.elements as u64 });
            leaves.push(Leaf { kind: LeafKind::Length, offset: offset + header.len as u64 });
        }
        Type::Dict(..) => leaves.push(Leaf { kind: LeafKind::Dict, offset }),
        Type::Struct(fields) => {
            for (field, at) in fields.iter().zip(offsets(fields)) {
                collect(field, offset + at, leaves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let inner = Type::structure([Type::BOOL, Type::Scalar(Scalar::I16)]);
        let ty = Type::structure([Type::Scalar(Scalar::I8), inner, Type::vec(Type::F64), Type::BOOL]);
        assert_eq!(Layout::of(&ty), Layout { size: 40, align: 8 });
        let offsets: Vec<u64> = leaves(&ty).iter().map(|leaf| leaf.offset).collect();
        let Header { elements, len } = header();
        assert_eq!(offsets, [0, 2, 4, 8 + elements as u64, 8 + len as u64, 32]);
        assert_eq!(leaf_count(&ty), 6);
        let ty = Type::structure([Type::BOOL, Type::Scalar(Scalar::I128), Type::I32]);
        assert_eq!(Layout::of(&ty), Layout { size: 48, align: 16 });
        let places: Vec<(u64, u64)> =
            leaves(&ty).iter().map(|leaf| (leaf.offset, leaf.kind.align())).collect();
        assert_eq!(places, [(0, 1), (16, 8), (32, 4)]);
    }

    #[test]
    fn the_unit_has_no_size() {
        let task = Type::structure([]);
        assert_eq!(Layout::of(&task), Layout { size: 0, align: 1 });
        assert_eq!(leaves(&task), []);
    }
}
