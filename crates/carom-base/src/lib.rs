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

mod args;
mod arithmetic;
mod dual;
pub mod elementary;
pub mod expression;
mod integral;
mod jet;
mod matrix;
pub mod param;
mod pose;
mod quantity;
mod range;
mod scalar;
mod two;
pub mod words;

pub use arithmetic::Arithmetic;
pub use dual::Dual;
pub use integral::integral;
pub use jet::Jet;
pub use matrix::{cofactor, inverse};
pub use param::{Args, Entry, Param, Quantity, SpecError, Value};
pub use pose::Pose;
pub use range::Range;
pub use scalar::{Scalar, clamp, norm, unit_or};
pub use two::Two;

/// A vector of three scalars; `f64` unless said otherwise.
pub type Vec3<S = f64> = nalgebra::Vector3<S>;
/// A 3 × 3 matrix of scalars; `f64` unless said otherwise.
pub type Mat3<S = f64> = nalgebra::Matrix3<S>;
/// A unit quaternion: orientation, from the body's axes to the world's.
pub type Quat = nalgebra::UnitQuaternion<f64>;
