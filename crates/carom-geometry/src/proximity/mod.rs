//! Which pairs can touch at all: bounding boxes and balls, the broad phase; whether two ellipsoids are apart, and when they meet.

mod aabb;
mod ball;
pub mod ellipsoids;
mod sweep;

pub use aabb::Aabb;
pub use ball::Ball;
pub use sweep::Sweep;
