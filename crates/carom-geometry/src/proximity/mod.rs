//! Which pairs can touch at all: bounding boxes and the broad phase.

mod aabb;
mod ball;
pub mod ellipsoids;
mod sweep;

pub use aabb::Aabb;
pub use ball::Ball;
pub use sweep::Sweep;
