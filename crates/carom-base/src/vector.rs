//! Vectors, matrices and orientations in space.

/// A vector of three scalars; `f64` unless said otherwise.
pub type Vec3<S = f64> = nalgebra::Vector3<S>;
/// A 3 × 3 matrix of scalars; `f64` unless said otherwise.
pub type Mat3<S = f64> = nalgebra::Matrix3<S>;
/// A unit quaternion: an orientation, which turns vectors from the body's axes to the world's.
pub type Quat = nalgebra::UnitQuaternion<f64>;
