//! Basic types and functions that all crates of Carom share.
//!
//! - [`Scalar`]: the number type for which the formulas of surfaces and force laws are written; `f64` and [`Dual`], so
//!   that every formula also gives exact derivatives.
//! - [`Two`]: two numbers at once, for formulas without branches.
//! - [`Pose`]: position and orientation of a frame.
//! - [`expression`]: arithmetic expressions in text form, over [`Arithmetic`]: numbers, [`Jet`]s with time derivatives,
//!   [`Range`]s, which are bounds.
//! - [`interpolation`]: curves through points.
//! - [`units`]: numbers with units, and dimensions.
//! - [`param`]: how a kind (a surface, a force law …) declares its name, its parameters and their units, so that
//!   readers, documentation and error messages use one table.
//! - [`elementary`]: sines, exponentials, powers, with the same bits on every platform.
//! - [`integral`]: numerical integration of a function given by its values.
//! - [`words`]: suggestions for misspelt words.
//! - [`file`]: files that are written whole or not at all.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// Numbers, vectors, matrices and frames.
mod vector;
mod rotation;

mod two;
mod scalar;
mod dual;
mod matrix;
mod pose;
mod integral;
pub mod number;
pub mod words;
pub mod file;
// Quantities and their units.
mod quantity;
pub mod units;
// Expressions in text form.
mod arithmetic;
mod range;
mod jet;
pub mod interpolation;
pub mod expression;
// Declarations of kinds and their parameters.
mod args;
pub mod param;

pub use arithmetic::{Arithmetic, Sign};
pub use carom_portable::{carried, elementary, plain, snapshot};
pub use dual::Dual;
pub use integral::integral;
pub use jet::Jet;
pub use matrix::{cofactor, inverse};
pub use param::{Args, Entry, Param, Quantity, SpecError, Value};
pub use pose::Pose;
pub use range::Range;
pub use rotation::{rotation_about, rotation_by};
pub use scalar::{Scalar, clamp, norm, unit_or};
pub use two::Two;
pub use units::Dimension;
pub use vector::{Mat3, Quat, Vec3};
