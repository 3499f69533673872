//! Dynamically typed values: what the interpreter computes with, and what `Program::run` takes and gives.
//!
//! Vectors and dictionaries are shared, so cloning a value is cheap.

mod column;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::lang::order::Order;
use crate::lang::scalar::Const;
use crate::lang::types::{Scalar, Type, Variants};
use crate::scalar_types;

macro_rules! define {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        /// A value of any type of the language.
        ///
        /// ```
        /// use weldment_runtime::lang::types::Type;
        /// use weldment_runtime::lang::value::Value;
        /// let row = Value::structure(vec![Value::I64(1), Value::vec(vec![Value::F64(0.5)])]);
        /// assert!(row.has_type(&Type::structure([Type::I64, Type::vec(Type::F64)])));
        /// assert!(row.same_bits(&row.clone()));
        /// ```
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum Value {
            $($variant($ty),)*
            Vec(Arc<Vec<Value>>),
            Struct(Arc<[Value]>),
            /// What an [array](Type::array) is made of.
            Array(Arc<[Value]>),
            Dict(Arc<DictValue>),
        }

        impl Value {
            /// The constant, if this is a scalar.
            ///
            /// ```
            /// # use weldment_runtime::lang::value::Value;
            /// use weldment_runtime::lang::scalar::Const;
            /// assert_eq!(Value::U8(7).as_const(), Some(Const::U8(7)));
            /// assert_eq!(Value::vec(vec![]).as_const(), None);
            /// ```
            pub fn as_const(&self) -> Option<Const> {
                Some(match *self {
                    $(Value::$variant(x) => Const::$variant(x),)*
                    Value::Vec(_) | Value::Struct(_) | Value::Array(_) | Value::Dict(_) => return None,
                })
            }
        }

        impl From<Const> for Value {
            fn from(constant: Const) -> Value {
                match constant { $(Const::$variant(x) => Value::$variant(x),)* }
            }
        }
    };
}

scalar_types!(define);

/// A dictionary of [`Value`]s, in order of first insertion.
///
/// ```
/// use weldment_runtime::lang::value::{DictValue, Value};
/// let dict: DictValue = [(Value::I64(7), Value::F64(0.5)), (Value::I64(3), Value::F64(1.5))].into_iter().collect();
/// assert_eq!(dict.len(), 2);
/// assert!(dict.get(&Value::I64(3)).is_some_and(|value| value.same_bits(&Value::F64(1.5))));
/// assert!(dict.iter().next().is_some_and(|(key, _)| key.same_bits(&Value::I64(7))));
/// ```
#[derive(Clone, Default)]
pub struct DictValue {
    entries: Vec<(Value, Value)>,
    slots: HashMap<Key, usize>,
}

impl fmt::Debug for DictValue {
    /// The entries in order, without where they are found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A value compared and hashed as dictionary keys are: 0.0 and −0.0 are one key, and so are all NaNs.
#[derive(Clone, Debug)]
struct Key(Value);

impl Value {
    /// The vector of `elements`.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::vec(vec![Value::I64(1), Value::I64(2)]).to_string(), "[1, 2]");
    /// ```
    pub fn vec(elements: Vec<Value>) -> Value {
        Value::Vec(Arc::new(elements))
    }

    /// The struct of `fields`.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::structure(vec![Value::I64(1), Value::F64(0.5)]).to_string(), "(1, 0.5)");
    /// ```
    pub fn structure(fields: Vec<Value>) -> Value {
        Value::Struct(fields.into())
    }

    /// The value of type `ty`, a struct or an array, of these fields.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// # use weldment_runtime::lang::value::Value;
    /// let [lower, step, extent] = [0, 1, 1].map(Value::I64);
    /// let fields = vec![Value::vec(vec![Value::F64(0.5)]), lower, step, extent];
    /// let ty = Type::array(Type::F64, 1);
    /// assert!(Value::of_fields(&ty, fields).has_type(&ty));
    /// ```
    pub fn of_fields(ty: &Type, fields: Vec<Value>) -> Value {
        if ty.as_array().is_some() { Value::Array(fields.into()) } else { Value::structure(fields) }
    }

    /// The fields of a struct; of an array what it is made of.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::structure(vec![Value::I64(1)]).fields().map(<[_]>::len), Some(1));
    /// assert!(Value::I64(1).fields().is_none());
    /// ```
    pub fn fields(&self) -> Option<&[Value]> {
        match self {
            Value::Struct(fields) | Value::Array(fields) => Some(fields),
            _ => None,
        }
    }

    /// The scalar type, if this is a scalar.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Scalar;
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::I64(1).scalar(), Some(Scalar::I64));
    /// assert_eq!(Value::vec(vec![]).scalar(), None);
    /// ```
    pub fn scalar(&self) -> Option<Scalar> {
        self.as_const().map(Const::scalar)
    }

    /// Whether this is a value of type `ty`, looked at in full depth.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// # use weldment_runtime::lang::value::Value;
    /// assert!(Value::I64(1).has_type(&Type::I64) && !Value::I64(1).has_type(&Type::F64));
    /// ```
    pub fn has_type(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Value::Vec(elements), Type::Vec(element)) => {
                elements.iter().all(|value| value.has_type(element))
            }
            (Value::Struct(values) | Value::Array(values), Type::Struct(fields)) => {
                matches!(self, Value::Array(_)) == ty.as_array().is_some()
                    && values.len() == fields.len()
                    && values.iter().zip(fields.iter()).all(|(v, t)| v.has_type(t))
                    && fields.as_option().is_none_or(|value| is_option(values, value))
                    && fields.as_enum().is_none_or(|variants| is_variant(values, variants))
                    && (!ty.is_text() || self.as_text().is_some())
                    && ty.as_column().is_none_or(|column| self.rows_of(column).is_some())
            }
            (Value::Dict(dict), Type::Dict(key, value)) => {
                dict.iter().all(|(k, v)| k.has_type(key) && v.has_type(value))
            }
            (_, Type::Scalar(scalar)) => self.scalar() == Some(*scalar),
            _ => false,
        }
    }

    /// The text of these bytes, a value of [`Type::text`].
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::text("elm").as_text().as_deref(), Some("elm"));
    /// ```
    pub fn text(text: &str) -> Value {
        Value::structure(vec![Value::vec(text.bytes().map(Value::U8).collect())])
    }

    /// The text, if this is the struct of bytes that are UTF-8.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// let alone = Value::structure(vec![Value::vec(vec![Value::U8(0xC3)])]);
    /// assert_eq!(alone.as_text(), None);
    /// ```
    pub fn as_text(&self) -> Option<String> {
        let Value::Struct(fields) = self else { return None };
        let [Value::Vec(bytes)] = &fields[..] else { return None };
        let byte = |value: &Value| if let Value::U8(byte) = value { Some(*byte) } else { None };
        String::from_utf8(bytes.iter().map(byte).collect::<Option<_>>()?).ok()
    }

    /// Zeros, and nothing in vectors and dictionaries.
    ///
    /// ```
    /// # use weldment_runtime::lang::types::Type;
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::zero(&Type::option(Type::vec(Type::F64))).to_string(), "(false, [])");
    /// ```
    pub fn zero(ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => Const::from_i128(*scalar, 0).into(),
            Type::Vec(_) => Value::vec(Vec::new()),
            Type::Struct(fields) => Value::of_fields(ty, fields.iter().map(Value::zero).collect()),
            Type::Dict(..) => Value::Dict(Arc::default()),
        }
    }

    /// Equality bit for bit, with all NaNs one value and −0.0 different from 0.0: what tests compare by.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert!(Value::F64(f64::NAN).same_bits(&Value::F64(f64::NAN)));
    /// assert!(!Value::F64(0.0).same_bits(&Value::F64(-0.0)));
    /// ```
    pub fn same_bits(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Vec(a), Value::Vec(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_bits(b))
            }
            (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_bits(b))
            }
            (Value::Dict(a), Value::Dict(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b.iter()).all(|((k, v), (l, w))| k.same_bits(l) && v.same_bits(w))
            }
            _ => match (self.as_integer(), other.as_integer()) {
                (Some(a), Some(b)) => a == b && self.scalar() == other.scalar(),
                _ => false,
            },
        }
    }

    /// The number, if this is an integer or a bool (0 or 1).
    ///
    /// ```
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::U8(7).as_integer(), Some(7));
    /// assert_eq!(Value::F64(7.0).as_integer(), None);
    /// ```
    pub fn as_integer(&self) -> Option<i128> {
        self.as_const()?.as_integer()
    }

    /// The order of the language on two values of one type: lexicographic on vectors and structs, IEEE on
    /// floats (so `None` where a NaN decides).
    ///
    /// ```
    /// # use std::cmp::Ordering;
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::I64(1).order(&Value::I64(2)), Some(Ordering::Less));
    /// assert_eq!(Value::F64(f64::NAN).order(&Value::F64(0.0)), None);
    /// ```
    pub fn order(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::F32(a), Value::F32(b)) => a.partial_cmp(b),
            (Value::F64(a), Value::F64(b)) => a.partial_cmp(b),
            (Value::Vec(a), Value::Vec(b)) => lexicographic(a, b),
            (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => lexicographic(a, b),
            _ => Some(self.as_integer()?.cmp(&other.as_integer()?)),
        }
    }

    /// The total order of two values of one type: as [`order`](Value::order), but every NaN is equal to every NaN and
    /// greater than all else.
    ///
    /// ```
    /// # use std::cmp::Ordering;
    /// # use weldment_runtime::lang::value::Value;
    /// assert_eq!(Value::F64(f64::NAN).total_order(&Value::F64(0.0)), Ordering::Greater);
    /// ```
    pub fn total_order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::F32(a), Value::F32(b)) => a.total_order(b),
            (Value::F64(a), Value::F64(b)) => a.total_order(b),
            (Value::Vec(a), Value::Vec(b)) => total_lexicographic(a, b),
            (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => {
                total_lexicographic(a, b)
            }
            _ => self.as_integer().cmp(&other.as_integer()),
        }
    }
}

/// The first pair that is not equal decides; otherwise the shorter one comes first.
fn lexicographic(a: &[Value], b: &[Value]) -> Option<Ordering> {
    for (x, y) in a.iter().zip(b) {
        match x.order(y) {
            Some(Ordering::Equal) => {}
            other => return other,
        }
    }
    Some(a.len().cmp(&b.len()))
}

/// As [`lexicographic`], in the total order.
fn total_lexicographic(a: &[Value], b: &[Value]) -> Ordering {
    let mut pairs = a.iter().zip(b).map(|(x, y)| x.total_order(y));
    pairs.find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}

impl DictValue {
    /// The empty dictionary.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::DictValue;
    /// assert!(DictValue::new().is_empty());
    /// ```
    pub fn new() -> DictValue {
        DictValue::default()
    }

    /// The number of keys.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::{DictValue, Value};
    /// let dict: DictValue = [(Value::F64(0.0), Value::I64(1)), (Value::F64(-0.0), Value::I64(2))].into_iter().collect();
    /// assert_eq!(dict.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no key.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::DictValue;
    /// assert!(DictValue::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of `key`.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::{DictValue, Value};
    /// let dict: DictValue = [(Value::I64(7), Value::F64(0.5))].into_iter().collect();
    /// assert!(dict.get(&Value::I64(7)).is_some() && dict.get(&Value::I64(8)).is_none());
    /// ```
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.slots.get(&Key(key.clone())).map(|&slot| &self.entries[slot].1)
    }

    /// The value of `key`, after inserting `empty()` if the key was not there.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::{DictValue, Value};
    /// let mut dict = DictValue::new();
    /// *dict.entry(&Value::I64(7), || Value::I64(0)) = Value::I64(1);
    /// assert!(dict.entry(&Value::I64(7), || Value::I64(0)).same_bits(&Value::I64(1)));
    /// ```
    pub fn entry(&mut self, key: &Value, empty: impl FnOnce() -> Value) -> &mut Value {
        let slot = *self.slots.entry(Key(key.clone())).or_insert_with(|| {
            self.entries.push((key.clone(), empty()));
            self.entries.len() - 1
        });
        &mut self.entries[slot].1
    }

    /// The pairs, in order of first insertion.
    ///
    /// ```
    /// # use weldment_runtime::lang::value::{DictValue, Value};
    /// let dict: DictValue = [(Value::I64(7), Value::I64(0)), (Value::I64(3), Value::I64(0))].into_iter().collect();
    /// assert!(dict.iter().map(|(key, _)| key.as_integer()).eq([Some(7), Some(3)]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl FromIterator<(Value, Value)> for DictValue {
    /// Later values of a key replace earlier ones, in the earlier one's place.
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(pairs: I) -> DictValue {
        let mut dict = DictValue::new();
        for (key, value) in pairs {
            *dict.entry(&key, || value.clone()) = value.clone();
        }
        dict
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        same_key(&self.0, &other.0)
    }
}

impl Eq for Key {}

fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => a == b || a.is_nan() && b.is_nan(),
        (Value::F64(a), Value::F64(b)) => a == b || a.is_nan() && b.is_nan(),
        (Value::Vec(a), Value::Vec(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_key(a, b))
        }
        (Value::Struct(a), Value::Struct(b)) | (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_key(a, b))
        }
        (Value::Dict(a), Value::Dict(b)) => {
            let same =
                |((k, v), (l, w)): ((&Value, &Value), (&Value, &Value))| same_key(k, l) && same_key(v, w);
            a.len() == b.len() && a.iter().zip(b.iter()).all(same)
        }
        _ => a.scalar().is_some() && a.scalar() == b.scalar() && a.as_integer() == b.as_integer(),
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        fn walk<H: Hasher>(value: &Value, state: &mut H) {
            match value {
                Value::F32(x) => canonical_bits(*x as f64).hash(state),
                Value::F64(x) => canonical_bits(*x).hash(state),
                Value::Vec(elements) => {
                    elements.len().hash(state);
                    elements.iter().for_each(|element| walk(element, state));
                }
                Value::Struct(fields) | Value::Array(fields) => {
                    fields.iter().for_each(|field| walk(field, state));
                }
                // No type of the language has dictionaries as keys, but whoever makes values can do so.
                Value::Dict(dict) => dict.len().hash(state),
                _ => value.as_integer().hash(state),
            }
        }
        walk(&self.0, state);
    }
}

/// Whether these fields are those of an option of type `value`: where there is no value, zero stands.
fn is_option(fields: &[Value], value: &Type) -> bool {
    !matches!(&fields[0], Value::Bool(false)) || fields[1].same_bits(&Value::zero(value))
}

/// Whether `fields` are those of a value of an enum with these variants.
fn is_variant(fields: &[Value], variants: &Variants) -> bool {
    variants.iter().any(|(_, number)| fields[0].as_integer() == Some(*number))
}

/// The bits of `x`, with one pattern for both zeros and one for all NaNs.
fn canonical_bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_one_key_and_nans_are_one_key() {
        let mut dict = DictValue::new();
        for key in [0.0, -0.0, f64::NAN, -f64::NAN] {
            dict.entry(&Value::F64(key), || Value::I64(0));
        }
        assert_eq!(dict.len(), 2);
    }

    #[test]
    fn keys_of_several_types_are_several_keys() {
        let dict = Value::Dict(Arc::new(DictValue::from_iter([(Value::I64(1), Value::F64(0.5))])));
        let keys = [
            Value::I64(1),
            Value::I8(1),
            Value::F64(1.0),
            Value::vec(vec![]),
            dict,
            Value::structure(vec![]),
        ];
        let twice = keys.iter().chain(&keys).map(|key| (key.clone(), Value::Bool(true)));
        assert_eq!(twice.collect::<DictValue>().len(), keys.len());
    }

    #[test]
    fn vectors_order_by_their_elements_order() {
        let v = |xs: &[i8]| Value::vec(xs.iter().map(|&x| Value::I8(x)).collect());
        assert_eq!(v(&[-1, 5]).order(&v(&[1])), Some(Ordering::Less));
        assert_eq!(v(&[1]).order(&v(&[1, 0])), Some(Ordering::Less));
    }
}
