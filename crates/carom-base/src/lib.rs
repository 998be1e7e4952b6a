//! The words every room of Carom shares.
//!
//! - [`Scalar`]: the number the formulas of surfaces and laws are written over; `f64` and [`Dual`],
//!   so that exact derivatives come with every formula.
//! - [`Two`]: two numbers at once, for formulas without branches.
//! - [`Pose`]: where a frame is.
//! - [`expression`]: arithmetic in texts, over [`Arithmetic`]: numbers, [`Jet`]s with derivatives in time, [`Range`]s of which bounds are known.
//! - [`param`]: how a kind (a surface, a law …) declares its name, its parameters and their units,
//!   so that readers, documentation and error messages speak from one table.
//! - [`elementary`]: sines, exponentials, powers: the same bits on every platform.
//! - [`integral`]: of a function that is known by its values.
//! - [`words`]: what a misspelt word may have meant.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")
)]

// Numbers and what is made of three of them.
mod vector;
mod rotation;

mod two;
mod scalar;
mod dual;
mod matrix;
mod pose;
mod integral;
// Texts that are computed with.
mod arithmetic;
mod range;
mod jet;
pub mod expression;
// What kinds say of themselves.
mod quantity;
mod args;
pub mod param;
pub mod words;

pub use arithmetic::Arithmetic;
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
pub use vector::{Mat3, Quat, Vec3};
