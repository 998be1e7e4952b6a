//! The state that a computation keeps from step to step, as bytes.
//!
//! A type that takes part states which of its fields are saved (carried from step to step) and which are scratch, that
//! is, computed anew before they are read. [`carried!`](crate::carried) takes both lists and does not compile if a
//! field is in neither, so that no field can be forgotten.
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

/// The reason why bytes cannot be restored as a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// there are fewer bytes than are needed
    #[error("the snapshot ends too early: it was cut, or is of another model")]
    TooShort,
    /// there are more bytes than are needed
    #[error("the snapshot is longer than it should be: it is of another model")]
    TooLong,
    /// a value is invalid
    #[error("the snapshot has a value that cannot be: it is damaged, or of another model")]
    BadValue,
    /// the snapshot belongs to another model, or to a run with other options
    #[error("the snapshot is of another model, or of a run with other options")]
    OtherModel,
    /// the bytes were written by a version with another format
    #[error("the snapshot has the format {found}, and this program reads the format {expected}")]
    OtherFormat {
        /// the format of the bytes
        found: u32,
        /// the format that this program reads
        expected: u32,
    },
    /// the bytes are not a snapshot
    #[error("the bytes are no snapshot of a run")]
    NoSnapshot,
    /// the bytes have changed since they were written
    #[error("the snapshot is damaged: its check sum is another than the one it was written with")]
    Damaged,
}

/// The prime of FNV-1a, 64 bits.
const PRIME: u64 = 0x0100_0000_01b3;

/// A hash of bytes, as they come. FNV-1a: Fowler, Noll and Vo; 64 bits.
///
/// ```
/// use carom_portable::snapshot::Hash;
/// let mut hash = Hash::EMPTY;
/// hash.add(b"a");
/// assert_eq!(hash.0, 0xaf63_dc4c_8601_ec8c);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hash(
    /// the hash so far
    pub u64,
);

impl Hash {
    /// The hash of no bytes.
    pub const EMPTY: Hash = Hash(0xcbf2_9ce4_8422_2325);

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

/// Returns a check sum of bytes: FNV-1a by words of eight bytes, the last of which is filled up with zeros, after their number. After each
/// word the upper half is folded into the lower one, so that every bit has a say in all that follow. Any change within one word changes the
/// sum.
///
/// ```
/// use carom_portable::snapshot::check_sum;
/// assert_ne!(check_sum(b"a stone"), check_sum(b"a store"));
/// assert_ne!(check_sum(b"a"), check_sum(b"a\0"));
/// ```
pub fn check_sum(bytes: &[u8]) -> u64 {
    let start = Hash::EMPTY.0 ^ bytes.len() as u64;
    bytes.chunks(size_of::<u64>()).fold(start, |sum, chunk| {
        let word = <[u8; 8]>::try_from(chunk).unwrap_or_else(|_| {
            let mut filled = [0; 8];
            filled[..chunk.len()].copy_from_slice(chunk);
            filled
        });
        let sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
        sum ^ (sum >> 32)
    })
}

impl std::fmt::Write for Hash {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        self.add(s.as_bytes());
        Ok(())
    }
}

/// A buffer to which values are written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The bytes written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes written, by value.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes the check sum of all that was written so far.
    pub fn seal(&mut self) {
        check_sum(&self.bytes).write(self);
    }
}

/// A buffer from which values are read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader that starts at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(SnapshotError::TooShort)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Returns so many bytes.
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let (first, rest) = self.rest.split_at_checked(count).ok_or(SnapshotError::TooShort)?;
        self.rest = rest;
        Ok(first)
    }

    /// Takes the check sum at the end of the bytes away. Returns an error if it is not [the one](Writer::seal) of all bytes before it; `all`: the
    /// bytes of this reader from their start.
    pub fn unseal(&mut self, all: &[u8]) -> Result<(), SnapshotError> {
        let (content, sum) = all.split_last_chunk().ok_or(SnapshotError::TooShort)?;
        let (rest, _) = self.rest.split_last_chunk::<8>().ok_or(SnapshotError::TooShort)?;
        self.rest = rest;
        if check_sum(content).to_le_bytes() == *sum { Ok(()) } else { Err(SnapshotError::Damaged) }
    }

    /// Checks that all bytes were read; it is an error if some are left.
    pub fn end(&self) -> Result<(), SnapshotError> {
        if self.rest.is_empty() { Ok(()) } else { Err(SnapshotError::TooLong) }
    }
}

/// An existing object whose state can be saved and restored.
pub trait Carried {
    /// Writes the state.
    fn save(&self, to: &mut Writer);
    /// Restores a state saved by the same object, or by one that was created in the same way.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError>;
}

/// A value that can be created from its bytes alone.
pub trait Plain: Sized {
    /// Writes the value.
    fn write(&self, to: &mut Writer);
    /// Reads a value.
    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError>;
    /// Writes several values, one after the other.
    fn write_all(values: &[Self], to: &mut Writer) {
        values.iter().for_each(|value| value.write(to));
    }
    /// Reads so many values.
    fn read_all(count: usize, from: &mut Reader<'_>) -> Result<Vec<Self>, SnapshotError> {
        (0..count).map(|_| Self::read(from)).collect()
    }
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
            fn write_all(values: &[Self], to: &mut Writer) {
                let start = to.bytes.len();
                to.bytes.resize(start + size_of_val(values), 0);
                let places = to.bytes[start..].chunks_exact_mut(size_of::<Self>());
                places.zip(values).for_each(|(place, value)| place.copy_from_slice(&value.to_le_bytes()));
            }
            fn read_all(count: usize, from: &mut Reader<'_>) -> Result<Vec<Self>, SnapshotError> {
                let size = count.checked_mul(size_of::<Self>()).ok_or(SnapshotError::TooShort)?;
                let mut bytes = Reader::new(from.bytes(size)?);
                (0..count).map(|_| Self::read(&mut bytes)).collect()
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
        u8::write_all(self.as_bytes(), to);
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
        T::write_all(self, to);
    }
    fn read(from: &mut Reader<'_>) -> Result<Vec<T>, SnapshotError> {
        let count = usize::read(from)?;
        // (a damaged count must not exhaust the memory: each value has at least one byte)
        if count > from.rest.len() {
            return Err(SnapshotError::TooShort);
        }
        T::read_all(count, from)
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
        f64::write_all(self.as_slice(), to);
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
        // it was a unit quaternion to rounding, and must keep the same bits
        Ok(Self::new_unchecked(nalgebra::Vector4::read(from)?.into()))
    }
}

/// Implements [`Carried`] for a struct: first the fields that are saved, and after `scratch` those that are computed
/// anew before they are read. A field that is in neither list is a compile-time error. Generic parameters come first,
/// in brackets: `carried!([T: Plain] Kept<T> { value });`.
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

/// Implements [`Plain`] for a struct by its fields, or for an enum by its variants: `plain!(Point { x, y });`,
/// `plain!(enum Side { Left, Right });`, and, where variants have fields, `plain!(enum Shape { Ball { radius } Block {
/// length, width } });`.
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
