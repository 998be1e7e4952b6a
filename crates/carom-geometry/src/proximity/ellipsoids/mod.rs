//! Two ellipsoids: whether they are apart, when they first touch, and all their common normals.

mod common_normals;
mod first_contact;
mod motion;
mod separation;

pub use common_normals::{CommonNormal, CommonNormals, Stationary, as_ellipsoid, common_normals};
pub use first_contact::{FirstContact, first_contact};
pub use motion::{Limits, Motion, Twist};
pub use separation::{Scale, Separation, separation, touching_scale};
