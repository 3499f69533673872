//! What types are made of: who asks something of a whole type goes through it by these.

use std::alloc::Layout;
use std::mem::discriminant;
use std::slice::from_ref;

use super::{Scalar, Type};

impl Type {
    /// The types that it is made of, in order: the element of a vector, the fields of a struct, key and value of a
    /// dictionary.
    ///
    /// ```
    /// use weldment_runtime::lang::types::Type;
    /// assert!(Type::dict(Type::I64, Type::F64).parts().eq([&Type::I64, &Type::F64]));
    /// assert_eq!(Type::I64.parts().count(), 0);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &Type> {
        let (first, then) = match self {
            Type::Scalar(_) => (&[][..], None),
            Type::Vec(element) => (from_ref(&**element), None),
            Type::Struct(fields) => (&fields[..], None),
            Type::Dict(key, value) => (from_ref(&**key), Some(&**value)),
        };
        first.iter().chain(then)
    }

    /// Whether a NaN can be in a value of it.
    ///
    /// ```
    /// use weldment_runtime::lang::types::Type;
    /// assert!(Type::dict(Type::I64, Type::vec(Type::F64)).has_floats());
    /// ```
    pub fn has_floats(&self) -> bool {
        self.as_scalar().is_some_and(Scalar::is_float) || self.parts().any(Type::has_floats)
    }

    /// Whether they differ in the names of structs at most, and so lie alike in memory.
    ///
    /// ```
    /// use weldment_runtime::lang::types::Type;
    /// assert!(Type::vec(Type::F64).is_like(&Type::vec(Type::F64)));
    /// assert!(!Type::vec(Type::F64).is_like(&Type::vec(Type::F32)));
    /// ```
    pub fn is_like(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Scalar(a), Type::Scalar(b)) => a == b,
            _ => {
                discriminant(self) == discriminant(other)
                    && self.parts().count() == other.parts().count()
                    && self.parts().zip(other.parts()).all(|(a, b)| a.is_like(b))
            }
        }
    }

    /// The sum of what `of` says of it, or of its fields in all depth: of what is no struct.
    ///
    /// ```
    /// use weldment_runtime::lang::types::Type;
    /// let row = Type::structure([Type::I64, Type::structure([Type::F64, Type::vec(Type::F64)])]);
    /// assert_eq!(row.sum(|ty| if ty.is_scalars() { 1 } else { 10 }), 12);
    /// ```
    pub fn sum(&self, of: impl Fn(&Type) -> u64 + Copy) -> u64 {
        match self {
            Type::Struct(fields) => fields.iter().map(|field| field.sum(of)).sum(),
            other => of(other),
        }
    }

    /// Its size and alignment in memory, where structs are those of C, scalars are aligned as those of Rust, and `of` says
    /// how vectors and dictionaries are laid out.
    ///
    /// # Panics
    /// If it is larger than the address space.
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use weldment_runtime::lang::types::Type;
    /// let row = Type::structure([Type::BOOL, Type::F64]);
    /// assert_eq!(row.layout(|_| Layout::new::<Vec<u8>>()), Layout::new::<(u64, u64)>());
    /// ```
    pub fn layout(&self, of: impl Fn(&Type) -> Layout + Copy) -> Layout {
        match self {
            Type::Scalar(scalar) => {
                Layout::from_size_align(scalar.size(), scalar.align()).expect("alignments are powers of two")
            }
            Type::Struct(fields) => {
                let then =
                    |all: Layout, field: &Type| all.extend(field.layout(of)).expect("types are small").0;
                fields.iter().fold(Layout::new::<()>(), then).pad_to_align()
            }
            other => of(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Fields, Name, UserName};
    use super::*;

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let of = |ty: &Type| match ty {
            Type::Vec(_) => Layout::new::<[u64; 3]>(),
            _ => Layout::new::<u64>(),
        };
        let row =
            Type::structure([Type::BOOL, Type::structure([Type::I32, Type::BOOL]), Type::vec(Type::I64)]);
        #[repr(C)]
        struct Inner(i32, bool);
        #[repr(C)]
        struct Row(bool, Inner, [u64; 3]);
        assert_eq!(row.layout(of), Layout::new::<Row>());
        #[repr(C)]
        struct Wide(bool, i128, i32);
        let wide = Type::structure([Type::BOOL, Scalar::I128.into(), Type::I32]);
        assert_eq!(wide.layout(of), Layout::new::<Wide>());
        assert_eq!(Type::structure([]).layout(of), Layout::new::<()>());
        assert_eq!(Type::dict(row.clone(), row).layout(of), Layout::new::<u64>());
    }

    #[test]
    fn names_of_structs_are_all_that_like_types_may_differ_in() {
        let fields = [Type::I64, Type::vec(Type::F32)];
        let name = Name::User(UserName { of: "Row".into(), args: Vec::new() });
        let named = Type::Struct(fields.iter().cloned().collect::<Fields>().named(Some(name.into())));
        let unnamed = Type::structure(fields);
        assert_ne!(named, unnamed);
        assert!(Type::vec(named.clone()).is_like(&Type::vec(unnamed.clone())));
        assert!(!unnamed.is_like(&Type::vec(Type::I64)));
        assert!(!unnamed.is_like(&Type::structure([Type::I64])));
        assert!(!Type::F32.is_like(&Type::F64));
    }
}
