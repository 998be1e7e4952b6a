//! What a friction law may remember: bristles between the surfaces, bent as they stick and dragged along as they slip.

use carom_base::{Scalar, Vec3};

/// What is remembered of a contact point: part of the state that is integrated, and zero when the surfaces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory<S: Scalar = f64> {
    /// how far the bristles of A are bent, in the tangent plane \[m\]
    pub z: Vec3<S>,
    /// a number of the law's own \[1\]; laws without one leave it at zero
    pub s: S,
}

impl<S: Scalar> Memory<S> {
    /// Bristles as they are when the surfaces touch.
    pub fn unbent() -> Memory<S> {
        Memory { z: Vec3::zeros(), s: S::from_f64(0.0) }
    }
}

impl Memory {
    /// How many numbers it takes in a state: z, then s.
    pub const SIZE: usize = 4;

    /// From its numbers.
    ///
    /// ```
    /// use carom_law::Memory;
    /// let memory = Memory::from_numbers(&[1e-6, 0.0, -2e-6, 0.5]);
    /// assert_eq!((memory.z.z, memory.s), (-2e-6, 0.5));
    /// assert_eq!(memory.numbers(), [1e-6, 0.0, -2e-6, 0.5]);
    /// ```
    pub fn from_numbers(&[x, y, z, s]: &[f64; Memory::SIZE]) -> Memory {
        Memory { z: Vec3::new(x, y, z), s }
    }

    /// Its numbers.
    pub fn numbers(&self) -> [f64; Memory::SIZE] {
        [self.z.x, self.z.y, self.z.z, self.s]
    }
}

/// What a friction law does at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evolution<S: Scalar = f64> {
    /// the friction force on A \[N\]
    pub f_t: Vec3<S>,
    /// how fast what is remembered changes \[m/s, 1/s\], the tangent plane being at rest
    pub rate: Memory<S>,
    /// the rate of the stored energy \[W\]; what the slip gives beyond it, −f_t·v_t − stored, is dissipated
    pub stored: S,
}
