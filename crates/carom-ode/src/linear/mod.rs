//! The linear algebra of implicit steps: a Jacobian J, exact or by differences, and factors of α I − J.
//!
//! Small or full problems use dense matrices, large ones with a [`Sparsity`] sparse matrices. All memory is allocated
//! at the start.

#[cfg(test)]
mod allocations;
mod dense;
mod field;
mod jacobian;
mod shifted;
mod small;
mod sparse;
mod spectral;

pub use jacobian::{Jacobian, Sparsity};
pub(crate) use shifted::Shifted;
pub(crate) use spectral::SpectralRadius;
