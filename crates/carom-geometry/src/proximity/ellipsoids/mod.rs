//! Two ellipsoids: whether they are apart, and when they first touch.

mod first_contact;
mod motion;
mod separation;

pub use first_contact::{FirstContact, first_contact};
pub use motion::{Limits, Motion, Twist};
pub use separation::{Scale, Separation, separation, touching_scale};
