//! What lies elsewhere, and is read there: references of Rust inside of parameters, and boxes.

use super::{Fields, Name, Pointer, Type};

impl Type {
    /// A reference of Rust inside of a parameter, as in `&[&str]`, or a box: the struct of what it refers to.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Pointer, Type};
    /// let word = Type::lent(Pointer::Ref, Type::text());
    /// assert_eq!(Type::vec(word.clone()).to_string(), "vec[&str]");
    /// assert_eq!(word.as_lent(), Some((Pointer::Ref, &Type::text())));
    /// assert!(!Type::lent(Pointer::Ref, Type::F64).is_scalars());
    /// ```
    pub fn lent(by: Pointer, of: Type) -> Type {
        let fields: Fields = [of].into_iter().collect();
        Type::Struct(fields.named(Some(Name::Lent(by).into())))
    }

    /// By what it refers to something, and to what, if this is a [`Type::lent`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::text()]).as_lent(), None);
    /// ```
    pub fn as_lent(&self) -> Option<(Pointer, &Type)> {
        match **self.struct_name()? {
            Name::Lent(by) => Some((by, self.fields()?.first()?)),
            _ => None,
        }
    }
}
