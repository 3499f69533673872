//! Types as texts, in the spelling of Weld.

use std::fmt;

use super::{Scalar, Type};

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => write!(f, "{scalar}"),
            Type::Vec(element) => write!(f, "vec[{element}]"),
            Type::Dict(key, value) => write!(f, "dict[{key},{value}]"),
            Type::Struct(fields) => {
                if let Some((element, axes)) = self.as_array() {
                    return write!(f, "array[{element},{axes}]");
                }
                if let Some(value) = self.as_option() {
                    return write!(f, "option[{value}]");
                }
                if self.is_text() {
                    return f.write_str("str");
                }
                if let Some(temporal) = self.as_temporal() {
                    return f.write_str(temporal.name());
                }
                if let Some(scale) = self.as_fixed() {
                    return f.write_str(scale.name());
                }
                if let Some(half) = self.as_half() {
                    return f.write_str(half.name());
                }
                if let Some(size) = self.as_size() {
                    return f.write_str(size.name());
                }
                if let Some((element, len)) = self.as_fixed_array() {
                    return write!(f, "[{element}; {len}]");
                }
                if let Some(column) = self.as_column() {
                    return write!(f, "{column}");
                }
                if let Some((_, of)) = self.as_lent() {
                    return write!(f, "&{of}");
                }
                f.write_str("{")?;
                for (i, field) in fields.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{field}")?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_in_weld_spelling() {
        let row = Type::structure([Type::I64, Type::vec(Type::F64)]);
        assert_eq!(Type::dict(Type::I32, row).to_string(), "dict[i32,{i64,vec[f64]}]");
    }
}
