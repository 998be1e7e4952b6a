//! What a computation carries from step to step, as bytes.
//!
//! A type that takes part says which of its fields are carried and which are scratch, that is, made anew before they are read; [`carried!`](crate::carried) takes
//! both lists and does not compile when a field is in neither, so that nobody forgets one.
//!
//! ```
//! use carom_portable::snapshot::{Carried, Reader, SnapshotError, Writer};
//!
//! struct Counter { count: usize, mean: f64, room: Vec<f64> }
//! carom_portable::carried!(Counter { count, mean } scratch { room });
//!
//! let counter = Counter { count: 3, mean: 0.5, room: vec![0.0; 9] };
//! let mut writer = Writer::default();
//! counter.save(&mut writer);
//! let mut other = Counter { count: 0, mean: 0.0, room: Vec::new() };
//! other.restore(&mut Reader::new(writer.bytes()))?;
//! assert_eq!((other.count, other.mean), (3, 0.5));
//! # Ok::<(), SnapshotError>(())
//! ```

use std::collections::BTreeMap;

/// Why bytes are no snapshot of what they are to be restored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// there are fewer bytes than are needed
    #[error("the snapshot ends too early: it was cut, or is of another model")]
    TooShort,
    /// there are more bytes than are needed
    #[error("the snapshot is longer than it should be: it is of another model")]
    TooLong,
    /// a number is none that can be there
    #[error("the snapshot has a value that cannot be: it is damaged, or of another model")]
    BadValue,
    /// the model, or how it is run, is another
    #[error("the snapshot is of another model, or of a run with other options")]
    OtherModel,
    /// the bytes were written by another version
    #[error("the snapshot has the format {found}, and this program reads the format {expected}")]
    OtherFormat {
        /// of the bytes
        found: u32,
        /// of this program
        expected: u32,
    },
    /// the bytes are something else
    #[error("the bytes are no snapshot of a run")]
    NoSnapshot,
    /// the bytes are not those that were written
    #[error("the snapshot is damaged: its check sum is another than the one it was written with")]
    Damaged,
}

/// Where values are written to.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was written, to keep.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Where values are read from.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the first of these bytes on.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(SnapshotError::TooShort)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Whether all was read; it is an error if not.
    pub fn end(&self) -> Result<(), SnapshotError> {
        if self.rest.is_empty() { Ok(()) } else { Err(SnapshotError::TooLong) }
    }
}

/// Something that exists already, whose carried part can be saved and put back.
pub trait Carried {
    /// Writes what is carried.
    fn save(&self, to: &mut Writer);
    /// Puts back what was saved, of the same thing or of one that was made in the same way.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError>;
}

/// A value that can be made of its bytes alone.
pub trait Plain: Sized {
    /// Writes it.
    fn write(&self, to: &mut Writer);
    /// Reads it.
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError>;
}

impl<T: Plain> Carried for T {
    fn save(&self, to: &mut Writer) {
        self.write(to);
    }
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        *self = T::read(from)?;
        Ok(())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Plain for $number {
            fn write(&self, to: &mut Writer) {
                to.bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                Ok(<$number>::from_le_bytes(from.chunk()?))
            }
        }
    )*};
}
numbers!(u8, u32, i32, u64, f64);

impl Plain for usize {
    fn write(&self, to: &mut Writer) {
        (*self as u64).write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<usize, SnapshotError> {
        usize::try_from(u64::read(from)?).map_err(|_| SnapshotError::BadValue)
    }
}

impl Plain for bool {
    fn write(&self, to: &mut Writer) {
        u8::from(*self).write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<bool, SnapshotError> {
        match u8::read(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(SnapshotError::BadValue),
        }
    }
}

impl Plain for String {
    fn write(&self, to: &mut Writer) {
        self.len().write(to);
        to.bytes.extend_from_slice(self.as_bytes());
    }
    fn read(from: &mut Reader<'_>) -> Result<String, SnapshotError> {
        String::from_utf8(Vec::read(from)?).map_err(|_| SnapshotError::BadValue)
    }
}

impl<T: Plain> Plain for Option<T> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Option<T>, SnapshotError> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn write(&self, to: &mut Writer) {
        self.len().write(to);
        self.iter().for_each(|value| value.write(to));
    }
    fn read(from: &mut Reader<'_>) -> Result<Vec<T>, SnapshotError> {
        let count = usize::read(from)?;
        // (a damaged count must not take all memory there is: each value has one byte at least)
        if count > from.rest.len() {
            return Err(SnapshotError::TooShort);
        }
        (0..count).map(|_| T::read(from)).collect()
    }
}

impl<T: Plain> Plain for Box<T> {
    fn write(&self, to: &mut Writer) {
        (**self).write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Box<T>, SnapshotError> {
        T::read(from).map(Box::new)
    }
}

impl<K: Plain + Ord, V: Plain> Plain for BTreeMap<K, V> {
    fn write(&self, to: &mut Writer) {
        self.len().write(to);
        for (key, value) in self {
            key.write(to);
            value.write(to);
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<BTreeMap<K, V>, SnapshotError> {
        Ok(Vec::read(from)?.into_iter().collect())
    }
}

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn write(&self, to: &mut Writer) {
        self.iter().for_each(|value| value.write(to));
    }
    fn read(from: &mut Reader<'_>) -> Result<[T; N], SnapshotError> {
        let values: Vec<T> = (0..N).map(|_| T::read(from)).collect::<Result<_, _>>()?;
        values.try_into().map_err(|_| SnapshotError::BadValue)
    }
}

macro_rules! tuples {
    ($(($($name:ident)*)),*) => {$(
        impl<$($name: Plain),*> Plain for ($($name,)*) {
            fn write(&self, to: &mut Writer) {
                #[expect(non_snake_case, reason = "values are called by their types")]
                let ($($name,)*) = self;
                $($name.write(to);)*
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                Ok(($($name::read(from)?,)*))
            }
        }
    )*};
}
tuples!((A B), (A B C), (A B C D));

impl Plain for num_complex::Complex64 {
    fn write(&self, to: &mut Writer) {
        [self.re, self.im].write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let [re, im] = <[f64; 2]>::read(from)?;
        Ok(num_complex::Complex64 { re, im })
    }
}

#[cfg(feature = "nalgebra")]
impl<const R: usize, const C: usize> Plain for nalgebra::SMatrix<f64, R, C> {
    fn write(&self, to: &mut Writer) {
        self.iter().for_each(|value| value.write(to));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let mut all = Self::zeros();
        for value in all.iter_mut() {
            *value = f64::read(from)?;
        }
        Ok(all)
    }
}

#[cfg(feature = "nalgebra")]
impl Plain for nalgebra::UnitQuaternion<f64> {
    fn write(&self, to: &mut Writer) {
        self.coords.write(to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        // it was a unit to rounding, and must have the same bits
        Ok(Self::new_unchecked(nalgebra::Vector4::read(from)?.into()))
    }
}

/// Implements [`Carried`] of a struct: the fields that are carried, and after `scratch` those that are made anew before they are read. A field that
/// is in neither list is an error of the compiler. Generic parameters come first, in brackets: `carried!([T: Plain] Kept<T> { value });`.
#[macro_export]
macro_rules! carried {
    ($kind:ident { $($fields:tt)* } $($scratch:tt)*) => {
        $crate::carried!([] $kind { $($fields)* } $($scratch)*);
    };
    ([$($generics:tt)*] $kind:ty { $($carried:ident),* $(,)? } $(scratch { $($scratch:ident),* $(,)? })?) => {
        impl<$($generics)*> $crate::snapshot::Carried for $kind {
            fn save(&self, to: &mut $crate::snapshot::Writer) {
                let Self { $($carried,)* $($($scratch: _,)*)? } = self;
                $($crate::snapshot::Carried::save($carried, to);)*
                let _ = to;
            }
            fn restore(
                &mut self,
                from: &mut $crate::snapshot::Reader<'_>,
            ) -> Result<(), $crate::snapshot::SnapshotError> {
                let Self { $($carried,)* $($($scratch: _,)*)? } = self;
                $($crate::snapshot::Carried::restore($carried, from)?;)*
                let _ = from;
                Ok(())
            }
        }
    };
}

/// Implements [`Plain`] of a struct by its fields, or of an enum by its variants: `plain!(Point { x, y });`, `plain!(enum Side { Left, Right });`, and, where variants have fields,
/// `plain!(enum Shape { Ball { radius } Block { length, width } });`.
#[macro_export]
macro_rules! plain {
    (enum $kind:ty { $($variant:ident),* $(,)? }) => {
        impl $crate::snapshot::Plain for $kind {
            fn write(&self, to: &mut $crate::snapshot::Writer) {
                let number = match self {
                    $(Self::$variant => Self::$variant as u8,)*
                };
                number.write(to);
            }
            fn read(
                from: &mut $crate::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::snapshot::SnapshotError> {
                let number = <u8 as $crate::snapshot::Plain>::read(from)?;
                $(if number == Self::$variant as u8 {
                    return Ok(Self::$variant);
                })*
                Err($crate::snapshot::SnapshotError::BadValue)
            }
        }
    };
    (enum $kind:ty { $($variant:ident { $($field:ident),* $(,)? })* }) => {
        impl $crate::snapshot::Plain for $kind {
            fn write(&self, to: &mut $crate::snapshot::Writer) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $crate::snapshot::Plain::write(&stringify!($variant).to_owned(), to);
                        $($crate::snapshot::Plain::write($field, to);)*
                    })*
                }
            }
            fn read(
                from: &mut $crate::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::snapshot::SnapshotError> {
                let name = <String as $crate::snapshot::Plain>::read(from)?;
                $(if name == stringify!($variant) {
                    return Ok(Self::$variant { $($field: $crate::snapshot::Plain::read(from)?),* });
                })*
                Err($crate::snapshot::SnapshotError::BadValue)
            }
        }
    };
    ($kind:ident { $($field:ident),* $(,)? }) => {
        impl $crate::snapshot::Plain for $kind {
            fn write(&self, to: &mut $crate::snapshot::Writer) {
                let Self { $($field,)* } = self;
                $($crate::snapshot::Plain::write($field, to);)*
            }
            fn read(
                from: &mut $crate::snapshot::Reader<'_>,
            ) -> Result<Self, $crate::snapshot::SnapshotError> {
                Ok(Self { $($field: $crate::snapshot::Plain::read(from)?,)* })
            }
        }
    };
}
