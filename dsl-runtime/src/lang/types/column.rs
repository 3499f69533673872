//! Columns as Arrow has them, which only what goes in and out of programs has: what they are made of.

use std::fmt;

use super::{Column, Fields, Name, Scalar, Type};

impl Column {
    /// The name of columns of texts.
    pub const STRINGS: &str = "Strings";

    /// The name of columns of values that may be missing.
    pub const NULLABLE: &str = "Nullable";

    /// The type of a row: the vector of these is what a program has in its place.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Column, Scalar, Type};
    /// assert_eq!(Column::Strings(Scalar::I32).row(), Type::text());
    /// assert_eq!(Column::Nullable(Scalar::F64).row(), Type::option(Type::F64));
    /// ```
    pub fn row(self) -> Type {
        match self {
            Column::Strings(_) => Type::text(),
            Column::Nullable(value) => Type::option(value.into()),
        }
    }

    /// What it is made of: the offsets and the bytes; or the values, the bits, and which of these is that of the first value: −1 if the first one, which is set,
    /// stands for all values.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Column, Scalar, Type};
    /// assert_eq!(Column::Nullable(Scalar::F64).parts().len(), 3);
    /// ```
    pub fn parts(self) -> Vec<Type> {
        let bytes = Type::vec(Scalar::U8.into());
        match self {
            Column::Strings(offset) => vec![Type::vec(offset.into()), bytes],
            Column::Nullable(value) => vec![Type::vec(value.into()), bytes, Type::I64],
        }
    }
}

impl Type {
    /// A column as Arrow has it: the struct of what it is made of.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::{Column, Scalar, Type};
    /// let names = Type::column(Column::Strings(Scalar::I32));
    /// assert_eq!((names.to_string(), names.as_column()), ("Strings<i32>".to_owned(), Some(Column::Strings(Scalar::I32))));
    /// assert_eq!(names.fields(), Some(&[Type::vec(Type::I32), Type::vec(Scalar::U8.into())][..]));
    /// ```
    pub fn column(column: Column) -> Type {
        let fields: Fields = column.parts().into_iter().collect();
        Type::Struct(fields.named(Some(Name::Column(column).into())))
    }

    /// Which one, if this is a [`Type::column`].
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// assert_eq!(Type::structure([Type::I64]).as_column(), None);
    /// ```
    pub fn as_column(&self) -> Option<Column> {
        match self.struct_name()?.as_ref() {
            Name::Column(column) => Some(*column),
            _ => None,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Strings(Scalar::I64) => f.write_str(Column::STRINGS),
            Column::Strings(offset) => write!(f, "{}<{offset}>", Column::STRINGS),
            Column::Nullable(value) => write!(f, "{}<{value}>", Column::NULLABLE),
        }
    }
}
