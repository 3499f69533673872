//! Values as bytes: scalars raw and little-endian, structs field by field without padding, and before the
//! elements of vectors and dictionaries their number, in eight bytes.
//!
//! All NaNs are written as one.

use crate::api::element::Element;
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::domain;
use crate::lang::fault::{Fault, Position};
use crate::lang::tuples::for_tuples;
use crate::lang::types::Type;
use crate::store::array::Array;
use crate::store::dict::Dict;
use crate::store::vector::growable::with_capacity;

/// A type whose values are written as bytes: an [`Element`], a slice of them, or a reference to one.
pub trait Serialize {
    /// The number of bytes of this value.
    fn size(&self) -> usize;

    /// Appends the bytes of this value.
    fn write(&self, bytes: &mut Vec<u8>);
}

/// A type whose values are read from bytes.
pub trait Deserialize: Element {
    /// The least number of bytes that a value takes.
    const LEAST: usize;

    /// Takes a value from the front of `bytes`.
    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Self, Unread>;
}

/// Why a value was not read.
#[derive(Clone, Debug, PartialEq)]
pub enum Unread {
    /// The bytes are too few for this type.
    TooFew(Type),
    /// The bytes are an array of this type that has not an element for each point.
    NoArray(Type),
    /// The bytes of a text are not UTF-8.
    NoText,
    /// The memory for it cannot be had.
    Fault(Fault),
}

impl From<Fault> for Unread {
    fn from(fault: Fault) -> Unread {
        Unread::Fault(fault)
    }
}

/// `serialize(x)`; the fault MemoryLimit if the bytes cannot be had.
pub fn serialize<T: Serialize + ?Sized>(cx: &Context, value: &T) -> Result<Vec<u8>, Fault> {
    let mut bytes = with_capacity(cx, value.size())?;
    value.write(&mut bytes);
    Ok(bytes)
}

/// `deserialize[T](bytes)`, for all the bytes there are.
pub fn deserialize<T: Deserialize>(
    cx: &Context,
    mut bytes: &[u8],
    line: u32,
    column: u32,
) -> Result<T, Fault> {
    let position = Position { line, column };
    let value = T::read(cx, &mut bytes).map_err(|unread| match unread {
        Unread::TooFew(ty) => Fault::too_few_bytes(&ty, position),
        Unread::NoArray(ty) => Fault::bytes_of_no_array(&ty, position),
        Unread::NoText => Fault::bytes_of_no_text(position),
        Unread::Fault(fault) => fault,
    })?;
    match bytes.len() {
        0 => Ok(value),
        left => Err(Fault::bytes_left(left, &T::ty(), position)),
    }
}

/// The number of elements of a `T`; refused where elements of `least` bytes or more each could not follow, so that
/// wrong bytes never ask for absurd amounts of memory.
fn read_len<T: Element>(bytes: &mut &[u8], least: usize) -> Result<usize, Unread> {
    let too_few = || Unread::TooFew(T::ty());
    let (len, rest) = bytes.split_first_chunk().ok_or_else(too_few)?;
    *bytes = rest;
    let len = u64::from_le_bytes(*len);
    let fits = len as u128 * least.max(1) as u128 <= bytes.len() as u128;
    if fits { Ok(len as usize) } else { Err(too_few()) }
}

macro_rules! scalar {
    ($($ty:ident $write:expr, $read:expr;)*) => {$(
        impl Serialize for $ty {
            #[inline(always)]
            fn size(&self) -> usize {
                size_of::<$ty>()
            }

            #[inline]
            fn write(&self, bytes: &mut Vec<u8>) {
                let write: fn($ty) -> [u8; size_of::<$ty>()] = $write;
                bytes.extend_from_slice(&write(*self));
            }
        }

        impl Deserialize for $ty {
            const LEAST: usize = size_of::<$ty>();

            #[inline]
            fn read(_: &Context, bytes: &mut &[u8]) -> Result<$ty, Unread> {
                match bytes.split_first_chunk() {
                    Some((first, rest)) => {
                        let read: fn([u8; size_of::<$ty>()]) -> $ty = $read;
                        *bytes = rest;
                        Ok(read(*first))
                    }
                    None => Err(Unread::TooFew(<$ty>::ty())),
                }
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    (Truth $ty:ident $bits:ident) => { scalar! { $ty |x| [x as u8], |[x]| x != 0; } };
    (Float $ty:ident $bits:ident) => {
        scalar! { $ty |x| (if x.is_nan() { $ty::NAN } else { x }).to_le_bytes(), $ty::from_le_bytes; }
    };
    ($kind:ident $ty:ident $bits:ident) => { scalar! { $ty $ty::to_le_bytes, $ty::from_le_bytes; } };
}

crate::scalar_types!(each);

impl<T: Serialize> Serialize for [T] {
    fn size(&self) -> usize {
        8 + self.iter().map(T::size).sum::<usize>()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).write(bytes);
        self.iter().for_each(|element| element.write(bytes));
    }
}

impl<T: Serialize> Serialize for Vec<T> {
    fn size(&self) -> usize {
        self.as_slice().size()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.as_slice().write(bytes);
    }
}

/// The elements, and then the numbers of the domain.
impl<T: Serialize, const N: usize> Serialize for Array<T, N> {
    fn size(&self) -> usize {
        self.as_slice().size() + 3 * N * size_of::<i64>()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.as_slice().write(bytes);
        (1..=3 * N).for_each(|field| self.number(field).write(bytes));
    }
}

impl<T: Serialize + ?Sized> Serialize for &T {
    fn size(&self) -> usize {
        (**self).size()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        (**self).write(bytes);
    }
}

impl<T: Deserialize> Deserialize for Vec<T> {
    const LEAST: usize = 8;

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Vec<T>, Unread> {
        let len = read_len::<Vec<T>>(bytes, T::LEAST)?;
        let mut vector = with_capacity(cx, len)?;
        for _ in 0..len {
            vector.push(T::read(cx, bytes)?);
        }
        Ok(vector)
    }
}

impl<T: Deserialize, const N: usize> Deserialize for Array<T, N> {
    const LEAST: usize = 8 + 3 * N * size_of::<i64>();

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Array<T, N>, Unread> {
        let elements = Vec::read(cx, bytes)?;
        let mut numbers = [[0; N]; 3];
        for number in numbers.as_flattened_mut() {
            *number = i64::read(cx, bytes)?;
        }
        if !domain::has_points(numbers.as_flattened_mut(), elements.len()) {
            return Err(Unread::NoArray(Array::<T, N>::ty()));
        }
        let [lower, step, extent] = numbers;
        Ok(Array::from_parts(elements, lower, step, extent))
    }
}

impl<K: Serialize, V: Serialize> Serialize for Dict<K, V> {
    fn size(&self) -> usize {
        8 + self.iter().map(|(key, value)| key.size() + value.size()).sum::<usize>()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).write(bytes);
        for (key, value) in self {
            key.write(bytes);
            value.write(bytes);
        }
    }
}

impl<K: Deserialize + Key, V: Deserialize> Deserialize for Dict<K, V> {
    const LEAST: usize = 8;

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Dict<K, V>, Unread> {
        let len = read_len::<Dict<K, V>>(bytes, K::LEAST + V::LEAST)?;
        let mut dict = Dict::new();
        for _ in 0..len {
            let (key, value) = (K::read(cx, bytes)?, V::read(cx, bytes)?);
            if !dict.contains_key(&key) {
                dict.reserve_one(cx, &key)?;
            }
            dict.insert(key, value);
        }
        Ok(dict)
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        #[allow(unused_variables)]
        impl<$($name: Serialize),*> Serialize for ($($name,)*) {
            fn size(&self) -> usize {
                0 $(+ self.$index.size())*
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                $(self.$index.write(bytes);)*
            }
        }

        #[allow(unused_variables, clippy::unused_unit)]
        impl<$($name: Deserialize),*> Deserialize for ($($name,)*) {
            const LEAST: usize = 0 $(+ $name::LEAST)*;

            fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Self, Unread> {
                Ok(($($name::read(cx, bytes)?,)*))
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::fault::FaultKind;

    fn bytes_of<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
        serialize(Context::ambient(), value).unwrap()
    }

    fn check_round_trip<T: Serialize + Deserialize + PartialEq + std::fmt::Debug>(value: T) {
        let bytes = bytes_of(&value);
        assert_eq!(bytes.len(), value.size());
        assert!(bytes.len() >= T::LEAST);
        assert_eq!(deserialize(Context::ambient(), &bytes, 1, 1), Ok(value));
        for len in 0..bytes.len() {
            assert_eq!(
                deserialize::<T>(Context::ambient(), &bytes[..len], 1, 1).unwrap_err().kind,
                FaultKind::DeserializeError
            );
        }
        let long = [&bytes[..], &[0]].concat();
        let fault = deserialize::<T>(Context::ambient(), &long, 1, 1).unwrap_err();
        assert_eq!(fault.detail, format!("bytes left after {}: 1", T::ty()));
    }

    #[test]
    fn values_come_back() {
        check_round_trip((true, -1i8, 300u16, 1e-3f32, -0.0));
        check_round_trip(vec![vec![i64::MIN], vec![], vec![1, 2]]);
        check_round_trip((Vec::<u8>::new(), (), (vec![(1u32, vec![0.5])],)));
        let dict: Dict<Vec<i8>, (i64, f64)> = [(vec![1], (2, 0.5)), (vec![], (0, 0.0))].into_iter().collect();
        check_round_trip(dict);
    }

    #[test]
    fn all_nans_are_written_alike() {
        assert_eq!(bytes_of(&-f64::NAN), f64::NAN.to_le_bytes());
        assert_eq!(bytes_of(&f32::from_bits(0xFFC0_1234)), f32::NAN.to_le_bytes());
    }

    #[test]
    fn slices_are_written_as_vectors() {
        let vector = vec![(1i64, vec![2u8])];
        assert_eq!(bytes_of(&vector[..]), bytes_of(&vector));
        assert_eq!(bytes_of(&(1i64, &vector[..])), bytes_of(&(1i64, vector.clone())));
    }

    #[test]
    fn an_absurd_length_is_refused_before_anything_is_allocated() {
        for fault in [
            deserialize::<Vec<i64>>(Context::ambient(), &[255; 16], 1, 1).unwrap_err(),
            deserialize::<Vec<()>>(Context::ambient(), &[255; 8], 1, 1).unwrap_err(),
            deserialize::<Dict<i64, i64>>(Context::ambient(), &[255; 16], 1, 1).unwrap_err(),
        ] {
            assert!(fault.detail.starts_with("too few bytes for"), "{fault}");
        }
    }
}
